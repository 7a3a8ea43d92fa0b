import { centsOf } from '#shared/money.ts';

/**
 * The monthly rate divided by the number of guards.
 * @param monthlyRate USD a month, not negative
 * @returns US cents a month, rounded half up; 0 without guards
 */
export function ratePerGuard(monthlyRate: number, guards: number): bigint {
  if (guards <= 0) return 0n;
  const divisor = BigInt(guards);
  return (centsOf(monthlyRate) * 2n + divisor) / (divisor * 2n);
}
