import { expect, it } from 'vitest';
import { addToMonth, daysOfMonth, filterAwayOn } from './rules.ts';

it('lists the days of a month, including leap years', () => {
  expect(daysOfMonth('2028-02')).toHaveLength(29);
  expect(daysOfMonth('2026-11')[29]).toBe('2026-11-30');
});

it('adds months across the year boundary', () => {
  expect(addToMonth('2026-12', 1)).toBe('2027-01');
  expect(addToMonth('2026-01', -1)).toBe('2025-12');
});

it('a person is away on the first and on the last day', () => {
  const rows = [{ start_date: '2026-11-20', end_date: '2026-11-21' }];
  expect(['19', '20', '21', '22'].map((on) => filterAwayOn(rows, `2026-11-${on}`).length)).toEqual([
    0, 1, 1, 0,
  ]);
});
