import { parseCents } from '#shared/money.ts';
import type { Period } from './api.ts';

/** Working days in a pay interval: 26 a month, 6 a week. The monthly minimum of US$143 is US$5.50 for 26 days. */
const WORKING_DAYS: Record<string, bigint> = { monthly: 26n, 'bi-weekly': 12n, weekly: 6n };

/**
 * @param gross pay of one interval, USD
 * @param daily minimum wage a day, USD; undefined if unknown
 */
export function isBelowMinimumWage(
  gross: number,
  frequency: string,
  daily: number | undefined,
): boolean {
  const days = WORKING_DAYS[frequency];
  if (daily === undefined || days === undefined) return false;
  return parseCents(gross) < parseCents(daily) * days;
}

type Month = Pick<Period, 'records' | 'net' | 'deductions' | 'unpaid'> & {
  /** First day, yyyy-MM-dd. */
  month: string;
};

/** @returns pay periods summed by the month in which they end, newest first */
export function sumMonths(periods: Period[]): Month[] {
  const byMonth = new Map<string, Month>();
  for (const { period_end, records, net, deductions, unpaid } of periods) {
    const month = `${period_end.slice(0, 7)}-01`;
    const sum = byMonth.get(month) ?? { month, records: 0, net: 0n, deductions: 0n, unpaid: 0n };
    byMonth.set(month, {
      month,
      records: sum.records + records,
      net: sum.net + net,
      deductions: sum.deductions + deductions,
      unpaid: sum.unpaid + unpaid,
    });
  }
  return [...byMonth.values()].sort((a, b) => (a.month < b.month ? 1 : -1));
}
