import { z } from 'zod';
import { withoutGroups } from '#shared/money.ts';

type WholeNumber = {
  /** For the messages, for example "Number of guards". */
  name: string;
  required: string;
  minimum: number;
  maximum: number;
};

const digitsOf = (entry: string) => withoutGroups(entry) ?? '';

/** The text of a whole number within both bounds. */
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
export const parseWholeNumber = (entry: string) => Number(digitsOf(entry));
