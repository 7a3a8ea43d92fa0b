import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { parseCents, sumCents } from '#shared/money.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { findPeriod, stepPeriod } from '#web/lib/format/pay-periods.ts';
import type { AccountingSearch } from './search.ts';

export const journalSchema = z.array(
  z.object({
    day: z.string(),
    kind: z.string(),
    document: z.string(),
    account_code: z.string(),
    account_name: z.string(),
    debit: z.string(),
    credit: z.string(),
    currency: z.string(),
    text: z.string(),
  }),
);
export type JournalLine = z.infer<typeof journalSchema>[number];

/** Figures of all documents, and the lines of those on one page. */
export const journalPageSchema = z.object({
  documents: z.number(),
  lines: z.number(),
  totals: z.array(z.object({ currency: z.string(), debit: z.string(), credit: z.string() })),
  /** Names of documents whose debits and credits differ. */
  unbalanced: z.array(z.string()),
  rows: journalSchema,
});
export type JournalPage = z.infer<typeof journalPageSchema>;

export const accountSchema = z.object({
  code: textField('Code', limits.CHART_OF_ACCOUNTS_CODE_MAX).min(1, 'Code is required'),
  name: textField('Name', limits.CHART_OF_ACCOUNTS_NAME_MAX).min(1, 'Name is required'),
});
export type AccountForm = z.infer<typeof accountSchema>;

/** First and last day, yyyy-MM-dd. */
export type Days = { from: string; to: string };

/** @returns the days that the address names, or those of last month; of a balance sheet, the year up to its day */
export function shownDays({ from, to, tab }: Pick<AccountingSearch, 'from' | 'to' | 'tab'>): Days {
  const { start, end } = findPeriod('monthly', stepPeriod('monthly', today(), -1));
  if (tab === 'sheet') {
    const last = to ?? end;
    return { from: `${last.slice(0, 4)}-01-01`, to: last };
  }
  return { from: from ?? start, to: to ?? end };
}

/** A document with its lines, all of one day and currency. */
export type JournalDocument = {
  id: string;
  day: string;
  document: string;
  currency: string;
  text: string;
  lines: JournalLine[];
  isBalanced: boolean;
};

const debits = (lines: readonly JournalLine[]) => sumCents(lines.map(({ debit }) => debit));
const credits = (lines: readonly JournalLine[]) => sumCents(lines.map(({ credit }) => credit));

/** @returns the lines by document, in their order */
export function groupDocuments(lines: readonly JournalLine[]): JournalDocument[] {
  const documents = new Map<string, JournalLine[]>();
  for (const line of lines) {
    const key = [line.day, line.kind, line.document, line.currency].join(' ');
    const before = documents.get(key);
    if (before) before.push(line);
    else documents.set(key, [line]);
  }
  return [...documents].flatMap(([id, all]) => {
    const [first] = all;
    if (!first) return [];
    const { day, document, currency, text } = first;
    return {
      id,
      day,
      document,
      currency,
      text,
      lines: all,
      isBalanced: debits(all) === credits(all),
    };
  });
}

export const isZero = (amount: string): boolean => parseCents(amount) === 0n;
