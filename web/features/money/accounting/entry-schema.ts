import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { BOOK_ENTRIES_KIND, BOOK_ENTRY_LINES_CURRENCY } from '#shared/database.values.ts';
import { parseCents, sumCents } from '#shared/money.ts';
import { amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { bookDayField } from '#web/lib/form-fields/day-field.ts';
import { describedField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';

type Kind = (typeof BOOK_ENTRIES_KIND)[number];

/** Where the rest of each currency is booked, so that the lines need not balance. */
export const REST: Partial<Record<Kind, string>> = {
  opening: 'What is left over is booked to capital.',
  exchange: 'What is left over in each currency is booked to money exchanged.',
};

const lineSchema = z
  .object({
    account: z.string().min(1, 'Account is required'),
    currency: z.enum(BOOK_ENTRY_LINES_CURRENCY),
    debit: amountField({ name: 'Debit', negative: 'Enter it as a credit' }),
    credit: amountField({ name: 'Credit', negative: 'Enter it as a debit' }),
  })
  .refine(({ debit, credit }) => (debit.trim() === '') !== (credit.trim() === ''), {
    error: 'Enter a debit or a credit',
    path: ['debit'],
  });
export type EntryLine = z.infer<typeof lineSchema>;

/** @returns the difference of debits and credits by currency, in cents, without those that balance */
export function differencesOf(lines: readonly EntryLine[]): [currency: string, cents: bigint][] {
  return BOOK_ENTRY_LINES_CURRENCY.flatMap((currency): [string, bigint][] => {
    const own = lines.filter((line) => line.currency === currency);
    const cents =
      sumCents(own.map(({ debit }) => amountOrNull(debit))) -
      sumCents(own.map(({ credit }) => amountOrNull(credit)));
    return cents === 0n ? [] : [[currency, cents]];
  });
}

export const entrySchema = z
  .object({
    kind: z.enum(BOOK_ENTRIES_KIND),
    day: bookDayField('Day is required', 'The day'),
    description: describedField(
      'Description',
      limits.BOOK_ENTRIES_DESCRIPTION_MIN,
      limits.BOOK_ENTRIES_DESCRIPTION_MAX,
    ),
    lines: z.array(lineSchema).min(1, 'Add a line'),
  })
  .refine(({ kind, lines }) => kind in REST || differencesOf(lines).length === 0, {
    error: 'Debits and credits must be equal in each currency',
    path: ['lines'],
  });
export type EntryForm = z.infer<typeof entrySchema>;

export const newLine = (currency: EntryLine['currency'] = 'USD'): EntryLine => ({
  account: '',
  currency,
  debit: '',
  credit: '',
});

export const newEntry = (): EntryForm => ({
  kind: 'other',
  day: today(),
  description: '',
  lines: [newLine(), newLine()],
});

/** @returns the lines as add_book_entry takes them: a credit is below zero */
export const toLines = (lines: readonly EntryLine[]) =>
  lines.map(({ account, currency, debit, credit }) => ({
    account,
    currency,
    amount: amountOrNull(debit) ?? -(amountOrNull(credit) ?? 0),
  }));

/** @param amount with its sign @returns the debit or the credit that it is, and zero for the other */
export const sidesOf = (amount: number) => {
  const cents = parseCents(amount);
  return { debit: cents > 0n ? cents : 0n, credit: cents < 0n ? -cents : 0n };
};
