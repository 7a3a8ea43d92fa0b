import { expect, it } from 'vitest';
import { byDanger, runningFor } from './alert-order.ts';

const alert = (kind: 'sos' | 'missing' | 'empty', minute: string, isAcknowledged = false) => ({
  kind,
  raised_at: `2026-11-22T06:${minute}:00Z`,
  acknowledged_at: isAcknowledged ? '2026-11-22T07:00:00Z' : null,
});

it('puts what nobody has acknowledged first, then danger, then age', () => {
  const acknowledgedSos = alert('sos', '00', true);
  const sos = alert('sos', '30');
  const early = alert('missing', '10');
  const late = alert('missing', '20');
  const empty = alert('empty', '00');
  expect([acknowledgedSos, empty, late, early, sos].sort(byDanger)).toEqual([
    sos,
    early,
    late,
    empty,
    acknowledgedSos,
  ]);
});

it.each([
  ['06:00:00', '0 min'],
  ['06:01:59', '1 min'],
  ['07:05:00', '1 h 5 min'],
  ['05:59:00', '0 min'],
])('runs at %s for %s', (time, text) => {
  expect(runningFor('2026-11-22T06:00:00Z', Date.parse(`2026-11-22T${time}Z`))).toBe(text);
});
