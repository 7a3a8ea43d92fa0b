// What a client pays for one guard.
import { centsOf } from '#shared/money.ts';

/**
 * The monthly rate divided by the number of guards (specification, section 9).
 * @param monthlyRate USD a month, not negative
 * @returns US cents a month, rounded half up; nothing without guards
 */
export function ratePerGuard(monthlyRate: number, guards: number): bigint {
  if (guards <= 0) return 0n;
  const divisor = BigInt(guards);
  return (centsOf(monthlyRate) * 2n + divisor) / (divisor * 2n);
}
