import { z } from 'zod';
import { parseAmount } from '#shared/money.ts';

type AmountMessages = { name: string; required?: string; negative?: string };

const isNegative = (entry: string) => entry.startsWith('-');
const sizeOf = (entry: string) => parseAmount(entry.replace(/^-/, ''));

/**
 * An amount of at most twelve digits and two decimal places; may contain spaces and commas.
 * @param messages `required` makes it mandatory; `negative` forbids amounts below zero
 */
export function amountField({ name, required, negative }: AmountMessages) {
  return z
    .string()
    .trim()
    .refine((entry) => required === undefined || entry !== '', {
      error: required ?? '',
      abort: true,
    })
    .refine((entry) => negative === undefined || !isNegative(entry), {
      error: negative ?? '',
      abort: true,
    })
    .refine((entry) => entry === '' || sizeOf(entry) !== undefined, {
      error: `${name} must be an amount such as 1,250.00`,
    });
}

/** @param entry that passed {@link amountField} @returns the amount, or null for an empty entry */
export function amountOrNull(entry: string): number | null {
  const size = sizeOf(entry.trim());
  if (size === undefined) return null;
  // The shortest text of this double is again the decimal that was typed, so nothing is lost on the way.
  return Number(size) * (isNegative(entry.trim()) ? -1 : 1) || 0;
}

/** @returns what the form shows of a stored amount */
export function amountEntry(amount: number | null | undefined): string {
  return amount == null ? '' : amount.toFixed(2);
}
