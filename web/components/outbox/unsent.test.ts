import { describe, expect, it } from 'vitest';
import { storageRisk } from '#web/lib/outbox/persistence.ts';
import { daysWaiting, lossWarning, unsentAdvice, unsentTitle, waitingSince } from './unsent.ts';

const NOW = Date.UTC(2031, 4, 9, 20);
const HOUR_MS = 3_600_000;
const entry = (kind: string, hoursAgo = 0) => ({ kind, madeAt: NOW - hoursAgo * HOUR_MS });
const formatDay = (instant: string) => instant.slice(0, 10);

describe('unsentTitle', () => {
  it('counts what a guard knows by name, and the rest together', () => {
    expect(unsentTitle([entry('clock')])).toBe('1 clock time is only on this phone');
    expect(unsentTitle([entry('leave'), entry('scan')])).toBe('2 entries are only on this phone');
    expect(unsentTitle([entry('clock'), entry('incident'), entry('clock'), entry('sos')])).toBe(
      '2 clock times, 1 report and 1 entry are only on this phone',
    );
  });
});

describe('after days without a signal', () => {
  it('counts whole days from the oldest entry', () => {
    expect(waitingSince([entry('clock', 23)], NOW)).toBe('');
    expect(waitingSince([entry('clock', 1), entry('clock', 24)], NOW)).toBe('for a day');
    expect(waitingSince([entry('clock', 71)], NOW)).toBe('for 2 days');
  });

  it('counts none when the phone’s clock was set back since', () => {
    expect(daysWaiting([entry('clock', -50)], NOW)).toBe(0);
  });

  it('asks to go and find a signal', () => {
    expect(unsentAdvice([entry('clock', 2)], NOW)).toMatch(/^They are sent automatically/);
    expect(unsentAdvice([entry('clock', 50)], NOW)).toMatch(
      /^The oldest has waited for 2 days\. Go/,
    );
  });
});

describe('what can delete them', () => {
  it('names memory first, then WebKit’s rule, then space', () => {
    expect(storageRisk(true, true, true)).toBe('closing');
    expect(storageRisk(false, true, true)).toBe('absence');
    expect(storageRisk(false, false, false)).toBe('space');
    expect(storageRisk(false, false, true)).toBe('none');
  });

  it('names the last day on which opening the app keeps them', () => {
    expect(lossWarning('absence', NOW, formatDay)).toMatch(/^Connect by 2031-05-15:/);
  });
});
