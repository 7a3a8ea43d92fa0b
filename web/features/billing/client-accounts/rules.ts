import type { Database } from '#shared/database.types.ts';
import type { PayTo } from '#shared/documents/printed-invoice.ts';
import { titleOfEntry } from '#shared/documents/statement-entries.ts';
import type { PrintedStatement } from '#shared/documents/statement-pdf.ts';
import { parseCents, sumCents } from '#shared/money.ts';
import { startOfMonth, toDay, today } from '#web/lib/format/dates.ts';
import type { StatementSearch } from './search.ts';

export type Entry = Database['public']['Functions']['client_statement']['Returns'][number];

/** Whose statement, and of which days, yyyy-MM-dd. */
export type Period = { client: string; currency: string; from: string; to: string };

export type Statement = {
  period: Period;
  /** Between the opening and the closing balance. */
  entries: Entry[];
  client: { id: string; name: string; location: string };
  /** Where what is owed is paid to. */
  payTo: PayTo | null;
};

/** @returns whether the entry is a balance rather than a document */
export const isBalance = ({ kind }: Pick<Entry, 'kind'>): boolean =>
  kind === 'opening' || kind === 'closing';

/** @returns the ids of the receipts that can still be voided */
export function listVoidable(entries: readonly Entry[]): ReadonlySet<string> {
  const idsOf = (kind: string) =>
    entries.flatMap((entry) => (entry.kind === kind && entry.id !== null ? [entry.id] : []));
  const voided = new Set(idsOf('void'));
  return new Set(idsOf('receipt').filter((id) => !voided.has(id)));
}

/** @returns the days that the address names, or those since three months ago */
export const shownDays = ({ from, to }: Pick<StatementSearch, 'from' | 'to'>) => ({
  from: from ?? toDay(startOfMonth(-3)),
  to: to ?? today(),
});

/** @returns cents: what the client owed before, was charged, has paid, and owes */
export function sumEntries(entries: readonly Entry[]) {
  const documents = entries.filter((entry) => !isBalance(entry));
  return {
    opening: parseCents(entries.find(({ kind }) => kind === 'opening')?.balance),
    charges: sumCents(documents.map(({ charge }) => charge)),
    payments: sumCents(documents.map(({ payment }) => payment)),
    closing: parseCents(entries.find(({ kind }) => kind === 'closing')?.balance),
  };
}

export const toPrintedStatement = ({
  client,
  period,
  entries,
  payTo,
}: Statement): PrintedStatement => ({
  client: { name: client.name, address: client.location },
  pay_to: payTo,
  currency: period.currency,
  from: period.from,
  to: period.to,
  entries: entries.map((entry) => ({
    ...entry,
    name: titleOfEntry(entry),
  })),
});
