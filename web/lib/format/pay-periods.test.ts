import { expect, it } from 'vitest';
import { type Frequency, findPeriod, stepPeriod } from './pay-periods.ts';

it.each<[Frequency, string, string, string]>([
  ['monthly', '2026-02-14', '2026-02-01', '2026-02-28'],
  ['monthly', '2028-02-29', '2028-02-01', '2028-02-29'],
  ['weekly', '2026-11-22', '2026-11-16', '2026-11-22'],
  ['weekly', '2026-11-23', '2026-11-23', '2026-11-29'],
  ['bi-weekly', '2026-01-05', '2026-01-05', '2026-01-18'],
  ['bi-weekly', '2026-01-18', '2026-01-05', '2026-01-18'],
  ['bi-weekly', '2026-01-19', '2026-01-19', '2026-02-01'],
  ['bi-weekly', '2026-01-04', '2025-12-22', '2026-01-04'],
])('%s: %s is in %s to %s', (frequency, day, start, end) => {
  expect(findPeriod(frequency, day)).toEqual({ start, end });
});

it.each<[Frequency, string, string, string]>([
  ['monthly', '2026-01-31', '2025-12-01', '2026-02-01'],
  ['weekly', '2026-11-25', '2026-11-16', '2026-11-30'],
  ['bi-weekly', '2026-01-07', '2025-12-22', '2026-01-19'],
])('%s: before and after %s begin %s and %s', (frequency, day, before, after) => {
  expect(stepPeriod(frequency, day, -1)).toBe(before);
  expect(stepPeriod(frequency, day, 1)).toBe(after);
});
