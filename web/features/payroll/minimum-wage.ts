// Whether pay falls under the minimum wage.
import { centsOf } from '#shared/money.ts';

/** Working days of one pay interval: 26 a month, six a week, as the monthly minimum of US$143 is reckoned. */
const DAYS: Record<string, bigint> = { monthly: 26n, 'bi-weekly': 12n, weekly: 6n };

/**
 * @param gross of one pay interval, in USD
 * @param daily minimum in USD a day; undefined where none is known
 */
export function belowMinimum(gross: number, frequency: string, daily: number | undefined): boolean {
  const days = DAYS[frequency];
  if (daily === undefined || days === undefined) return false;
  return centsOf(gross) < centsOf(daily) * days;
}
