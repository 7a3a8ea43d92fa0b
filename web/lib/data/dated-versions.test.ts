import { expect, it } from 'vitest';
import { toPeriods } from './dated-versions.ts';

it('each version is in force until the next one begins', () => {
  const rows = ['2027-01-04', '2026-06-01', '2020-01-01'].map((effective_from) => ({
    effective_from,
  }));
  const states = (day: string) => toPeriods(rows, day).map(({ state }) => state);
  expect(toPeriods(rows, '2026-11-22').map(({ lastDay }) => lastDay)).toEqual([
    undefined,
    '2027-01-03',
    '2026-05-31',
  ]);
  expect(states('2026-11-22')).toEqual(['later', 'now', 'past']);
  expect(states('2027-01-04')).toEqual(['now', 'past', 'past']);
  expect(states('2019-01-01')).toEqual(['later', 'later', 'now']);
});
