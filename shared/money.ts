// Amounts of money, exactly: whole cents as bigint wherever two of them meet, decimal text at the edges.
import { grouped } from './count.ts';

// Commas or spaces, and only before groups of three digits: "450,00" is a decimal comma, and never 45,000.
const GROUPED = /^[1-9]\d{0,2}(?:([,\s])\d{3}(?:\1\d{3})*)?(?!\d|[,\s])/;

/** @returns the number without its thousands separators; undefined when they are not before groups of three digits */
export function withoutGroups(entry: string): string | undefined {
  const text = entry.trim();
  if (!/[,\s]/.test(text)) return text;
  const [whole] = GROUPED.exec(text) ?? [];
  return whole && whole.replaceAll(/[,\s]/g, '') + text.slice(whole.length);
}

/** Limit of numeric(14,2): twelve digits before the point. */
const ENTRY = /^(\d{1,12})(?:\.(\d{0,2}))?$|^\.(\d{1,2})$/;

/**
 * Parses a typed amount.
 * @param entry may hold thousands commas or spaces; no currency sign, no minus, no decimal comma
 * @returns the plain decimal with two places, for example "1250.00"; undefined when it is no amount
 */
export function parseAmount(entry: string): string | undefined {
  const match = ENTRY.exec(withoutGroups(entry) ?? '');
  if (!match) return undefined;
  const [, whole = '0', places, onlyPlaces] = match;
  const digits = whole.replace(/^0+(?=\d)/, '');
  return `${digits}.${(places ?? onlyPlaces ?? '').padEnd(2, '0')}`;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$/;

/**
 * Sums come as text, which may hold more digits than a double: they are never converted to one.
 * @param amount as the database sends it; null and undefined are 0; a third decimal rounds half away from zero
 * @returns cents
 * @throws RangeError when the text is not a decimal number
 */
export function parseCents(amount: number | string | null | undefined): bigint {
  const text = typeof amount === 'number' ? amount.toFixed(2) : (amount ?? '0');
  const match = DECIMAL.exec(text);
  if (!match) throw new RangeError(`"${text}" is not an amount.`);
  const [, sign, whole = '', places = ''] = match;
  const cents =
    BigInt(whole + places.slice(0, 2).padEnd(2, '0')) + (places.charAt(2) >= '5' ? 1n : 0n);
  return sign === '-' ? -cents : cents;
}

/** @returns the sum in cents */
export function sumCents(amounts: Iterable<number | string | null | undefined>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += parseCents(amount);
  return sum;
}

/** @returns for example "1,250.00" or "-3.50"; there is no negative zero */
export function formatCents(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  const whole = grouped(String(size / 100n));
  return `${cents < 0n ? '-' : ''}${whole}.${String(size % 100n).padStart(2, '0')}`;
}

/** @returns the amount with thousands commas and two decimals */
export function formatAmount(amount: number | string | null | undefined): string {
  return formatCents(parseCents(amount));
}

/** @returns with a dollar sign before the figure, for example "$1,250.00" or "-$3.50" */
export function formatDollars(amount: number | string | bigint | null | undefined): string {
  const cents = typeof amount === 'bigint' ? amount : parseCents(amount);
  return formatCents(cents).replace(/^(-?)/, '$1$$');
}

/** @returns with the sign of the currency, for example "$1,250.00" or "L$1,250.00"; others with their code */
export function formatMoney(
  amount: number | string | bigint | null | undefined,
  currency: string,
): string {
  if (currency === 'USD') return formatDollars(amount);
  const cents = typeof amount === 'bigint' ? amount : parseCents(amount);
  const sign = currency === 'LRD' ? 'L$' : `${currency} `;
  return formatCents(cents).replace(/^-?/, (minus) => `${minus}${sign}`);
}

/**
 * @param cents a balance; below zero it is overdrawn
 * @returns the absolute amount, followed by " Dr" when negative
 */
export function formatBalance(cents: bigint): string {
  return cents < 0n ? `${formatCents(-cents)} Dr` : formatCents(cents);
}

/** @returns 10.5 for 1050n: only for drawing, never for another sum */
export function centsToNumber(cents: bigint): number {
  return Number(cents) / 100;
}
