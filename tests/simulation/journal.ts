// Invariants of the journal: as finance exports it, compared with the tables.
import { z } from 'zod';
import { addDays, dayOf } from './clock.ts';
import { accepted } from './door.ts';
import { type Broken, brokenOf, type Facts } from './invariant.ts';
import type { World } from './world.ts';

const journalSchema = z.array(
  z.object({
    day: z.string(),
    kind: z.string(),
    document: z.string(),
    debit: z.string(),
    credit: z.string(),
    currency: z.string(),
  }),
);
const cents = (amount: string | number): number => Math.round(Number(amount) * 100);

type Entries = z.infer<typeof journalSchema>;

/** As finance exports it. */
export async function fetchJournal({ company }: World): Promise<unknown> {
  const span = { p_from: company.opensOn, p_to: addDays(dayOf(Date.now()), 40) };
  return accepted(await company.finance.client.rpc('journal_lines', span)).data;
}

/** What documents of each kind and currency sum up to. The first side of each entry is booked with a debit. */
const DOCUMENT_SUMS = `
  select 'invoice' as kind, currency, sum(total) as total from invoices where status <> 'draft' group by 2
  union all select 'credit_note', currency, sum(amount) from credit_notes group by 2
  union all select 'receipt', currency, sum(amount) from receipts group by 2
  union all select 'receipt_void', currency, sum(amount) from receipts where voided_at is not null group by 2`;

function addTo(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

const unbalanced = (entries: Entries): string[] => {
  const sums = new Map<string, number>();
  for (const { day, kind, document, debit, credit, currency } of entries)
    addTo(sums, `${kind} ${document} ${day} ${currency}`, cents(debit) - cents(credit));
  return [...sums].flatMap(([key, sum]) => (sum === 0 ? [] : [`${key}: ${sum} cents`]));
};

/** @param journal what `journal_lines` has answered */
export async function checkJournal(facts: Facts, journal: unknown): Promise<Broken[]> {
  const entries = journalSchema.parse(journal);
  const rows = await facts.sql<{ kind: string; currency: string; total: string }>(DOCUMENT_SUMS);
  const ours = new Map(
    rows.map(({ kind, currency, total }) => [`${kind} ${currency}`, cents(total)]),
  );
  const theirs = new Map<string, number>();
  for (const { kind, debit, currency } of entries)
    if (/^(invoice|credit_note|receipt|receipt_void)$/.test(kind))
      addTo(theirs, `${kind} ${currency}`, cents(debit));
  return brokenOf([
    { name: 'the journal balances by document, day and currency', rows: unbalanced(entries) },
    {
      name: 'the journal equals the documents',
      rows: [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((key) =>
        (ours.get(key) ?? 0) === (theirs.get(key) ?? 0)
          ? []
          : [`${key}: ${ours.get(key) ?? 0} cents by the tables, ${theirs.get(key) ?? 0} booked`],
      ),
    },
  ]);
}
