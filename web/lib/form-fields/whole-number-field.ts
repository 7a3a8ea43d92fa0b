// Whole numbers in forms: headcounts, metres.
import { z } from 'zod';

type WholeNumber = {
  /** For the messages, for example "Number of guards". */
  name: string;
  required: string;
  minimum: number;
  maximum: number;
};

/** Digits only; spaces and thousands commas may stand in it. */
const digitsOf = (entry: string) => entry.replaceAll(/[\s,]/g, '');

/** A whole number within both bounds, as the text that was typed. */
export function wholeNumberField({ name, required, minimum, maximum }: WholeNumber) {
  return z
    .string()
    .trim()
    .min(1, { error: required, abort: true })
    .refine(
      (entry) => {
        const digits = digitsOf(entry);
        return /^\d{1,9}$/.test(digits) && Number(digits) >= minimum && Number(digits) <= maximum;
      },
      { error: `${name} must be a whole number from ${minimum} to ${maximum}` },
    );
}

/** @param entry that passed {@link wholeNumberField} */
export const wholeNumberOf = (entry: string) => Number(digitsOf(entry));
