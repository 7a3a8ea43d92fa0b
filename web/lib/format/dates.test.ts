// Times on screen are company time (Africa/Monrovia, UTC+0), wherever the browser is.
import { describe, expect, it } from 'vitest';
import { describeInBrowserZones } from '../../../tests/support/browser-zones.ts';
import { formatDuration, formatLongDateTime, fromLocalInput, toLocalInput } from './dates.ts';

describeInBrowserZones(() => {
  it('shows an instant in its long form', () => {
    expect(formatLongDateTime('2026-11-21T18:00:00+00:00')).toBe('November 21st, 2026 at 6:00 PM');
  });

  it('shows an instant written with another offset', () => {
    expect(formatLongDateTime('2026-11-22T01:30:00+02:00')).toBe('November 21st, 2026 at 11:30 PM');
  });

  it('reads an input as company time, and formats it back', () => {
    expect(fromLocalInput('2026-11-21T18:05')).toBe('2026-11-21T18:05:00.000Z');
    expect(toLocalInput('2026-11-21T18:05:00+00:00')).toBe('2026-11-21T18:05');
  });

  it.each(['', 'tomorrow', '2026-02-31T10:00', '2026-11-21', '2026-11-21T25:00'])(
    'reads %j as no time at all',
    (text) => {
      expect(fromLocalInput(text)).toBeUndefined();
    },
  );
});

describe('a duration', () => {
  it.each([
    ['2026-11-21T18:00:00Z', '2026-11-22T06:00:00Z', '12 h'],
    ['2026-11-21T18:00:00Z', '2026-11-22T01:30:00Z', '7 h 30 min'],
    ['2026-11-21T18:00:00Z', '2026-11-21T18:45:00Z', '45 min'],
    ['2026-11-21T18:00:00Z', '2026-11-21T18:00:20Z', '0 min'],
  ])('from %s to %s is %s', (start, end, words) => {
    expect(formatDuration(start, end)).toBe(words);
  });
});
