// Exact amounts: cents are integers, and a division is rounded once, half away from zero.

export function divided(amount: bigint, by: bigint): bigint {
  const twice = 2n * (amount < 0n ? -amount : amount);
  const rounded = (twice + by) / (2n * by);
  return amount < 0n ? -rounded : rounded;
}

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Cents as `-12.05`. */
export function shown(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `-12.05` as cents. */
export function cents(text: string): bigint {
  const [, sign, whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (sign === undefined) throw new Error(`${text} is not an amount.`);
  const amount = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
  return sign === '-' ? -amount : amount;
}
