import { expect, it } from 'vitest';
import { sumMonths } from './rules.ts';

function period(period_start: string, period_end: string, net: bigint) {
  const zero = { currency: 'USD' as const, base: 0n, deductions: 1n, bonuses: 0n, unpaid: 0n };
  return { period_start, period_end, records: 2, ...zero, net };
}

it('sums the periods that end in a month, newest first', () => {
  const months = sumMonths([
    period('2026-09-28', '2026-10-04', 5n),
    period('2026-11-01', '2026-11-30', 100n),
    period('2026-10-01', '2026-10-31', 90n),
  ]);
  expect(
    months.map(({ month, records, net, deductions }) => [month, records, net, deductions]),
  ).toEqual([
    ['2026-11-01', 2, 100n, 1n],
    ['2026-10-01', 4, 95n, 2n],
  ]);
});
