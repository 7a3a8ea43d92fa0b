import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { BANK_FEEDS_DAY_ORDER, BANK_FEEDS_LEDGER } from '#shared/database.values.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import type { Feed } from './api.ts';

const heading = (name: string) => textField(name, limits.BANK_FEEDS_DAY_HEADING_MAX);
const AMOUNTS = ['one', 'two'] as const;

export const feedSchema = z
  .object({
    account: z.string().min(1, 'Choose a bank account'),
    ledger: z.enum(BANK_FEEDS_LEDGER),
    day_heading: heading('Column of the date').min(1, 'Column of the date is required'),
    description_heading: heading('Column of the description').min(
      1,
      'Column of the description is required',
    ),
    reference_heading: heading('Column of the reference'),
    amounts: z.enum(AMOUNTS),
    amount_heading: heading('Column of the amount'),
    in_heading: heading('Column of money in'),
    out_heading: heading('Column of money out'),
    balance_heading: heading('Column of the balance'),
    day_order: z.enum(BANK_FEEDS_DAY_ORDER),
    follows_balance: z.boolean(),
  })
  .superRefine((form, context) => {
    const need = (name: 'amount_heading' | 'in_heading' | 'out_heading', message: string) => {
      if (form[name].trim() === '') context.addIssue({ code: 'custom', path: [name], message });
    };
    if (form.amounts === 'one') need('amount_heading', 'Column of the amount is required');
    else {
      need('in_heading', 'Column of money in is required');
      need('out_heading', 'Column of money out is required');
    }
  });
export type FeedForm = z.infer<typeof feedSchema>;

export const toFeedForm = (feed: Feed | undefined): FeedForm => ({
  account: feed?.bank_account_id ?? '',
  ledger: feed?.ledger ?? 'bank',
  day_heading: feed?.day_heading ?? 'Date',
  description_heading: feed?.description_heading ?? 'Description',
  reference_heading: feed?.reference_heading ?? '',
  amounts: feed && feed.amount_heading === null ? 'two' : 'one',
  amount_heading: feed?.amount_heading ?? (feed ? '' : 'Amount'),
  in_heading: feed?.in_heading ?? '',
  out_heading: feed?.out_heading ?? '',
  balance_heading: feed?.balance_heading ?? '',
  day_order: feed?.day_order ?? 'day_month_year',
  follows_balance: feed?.follows_balance ?? false,
});

/** What banks call their columns, as patterns of whole headings; the first that fits is taken. */
const GUESSES = {
  day_heading: [/^(transaction |trans\.? |posting |post )?date$/i, /date/i],
  description_heading: [/descri|narrat|details|particular|remark/i],
  reference_heading: [/^ref|reference|cheque|transaction id|receipt/i],
  amount_heading: [/^(transaction )?amount/i],
  in_heading: [/credit|money in|paid in|deposit|^in$/i],
  out_heading: [/debit|money out|paid out|withdraw|^out$/i],
  balance_heading: [/balance/i],
} as const;

/** @param headings of a file of the bank @returns what they are likely to be; empty where nothing fits */
export function guessHeadings(headings: readonly string[]) {
  const found = (patterns: readonly RegExp[]) =>
    patterns.map((each) => headings.find((one) => each.test(one))).find(Boolean) ?? '';
  const guess = {
    day_heading: found(GUESSES.day_heading),
    description_heading: found(GUESSES.description_heading),
    reference_heading: found(GUESSES.reference_heading),
    amount_heading: found(GUESSES.amount_heading),
    in_heading: found(GUESSES.in_heading),
    out_heading: found(GUESSES.out_heading),
    balance_heading: found(GUESSES.balance_heading),
  };
  const amounts = guess.in_heading && guess.out_heading ? ('two' as const) : ('one' as const);
  return { ...guess, amounts };
}
