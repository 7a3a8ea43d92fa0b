import { describe, expect, test } from 'vitest';
import { openMonths, openWork } from './closing-work.ts';

describe('months to close', () => {
  test('begin after the last closed one, and end before this month', () => {
    expect(openMonths('2026-08-31', '2026-11-30')).toEqual(['2026-09-01', '2026-10-01']);
    expect(openMonths('2026-10-31', '2026-11-01')).toEqual([]);
  });

  test('begin with one that is closed in part', () => {
    expect(openMonths('2026-09-14', '2026-11-30')).toEqual(['2026-09-01', '2026-10-01']);
  });

  test('are those of a year while nothing is closed', () => {
    const months = openMonths(null, '2026-11-30');
    expect([months.length, months[0], months.at(-1)]).toEqual([12, '2025-11-01', '2026-10-01']);
  });
});

test('what is open leads to its list, in the order of a closing', () => {
  const work = openWork(
    [
      { item: 'unbilled', amount: 3 },
      { item: 'timesheets', amount: 2 },
      { item: 'payroll', amount: 0 },
      { item: 'of a newer server', amount: 9 },
    ],
    '2026-02-01',
  );
  expect(work.map(({ item, search }) => [item, search])).toEqual([
    ['timesheets', { day: '2026-02-01' }],
    ['unbilled', { from: '2026-02-01', to: '2026-02-28' }],
  ]);
});
