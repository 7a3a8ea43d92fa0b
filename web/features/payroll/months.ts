// Pay periods added up by the month in which they end.
import type { Period } from './api/list-periods.ts';

export type Month = Pick<Period, 'records' | 'net' | 'deductions' | 'unpaid'> & {
  /** First day, yyyy-MM-dd. */
  month: string;
};

/** @returns newest first */
export function monthsOf(periods: Period[]): Month[] {
  const found = new Map<string, Month>();
  for (const { period_end, records, net, deductions, unpaid } of periods) {
    const month = `${period_end.slice(0, 7)}-01`;
    const sum = found.get(month) ?? { month, records: 0, net: 0n, deductions: 0n, unpaid: 0n };
    found.set(month, {
      month,
      records: sum.records + records,
      net: sum.net + net,
      deductions: sum.deductions + deductions,
      unpaid: sum.unpaid + unpaid,
    });
  }
  return [...found.values()].sort((a, b) => (a.month < b.month ? 1 : -1));
}
