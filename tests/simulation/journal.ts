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
    account_code: z.string(),
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
  union all select 'receipt', currency, sum(amount + withheld) from receipts group by 2
  union all select 'receipt_void', currency, sum(amount + withheld) from receipts where voided_at is not null group by 2
  union all select 'refund', currency, sum(amount) from refunds where paid_on is not null group by 2
  union all select 'refund_return', currency, sum(amount) from refunds where returned_on is not null group by 2
  union all select 'expense', currency, sum(amount) from expense_reports group by 2
  union all select 'vat_return', 'USD', sum(input_usd) from vat_returns where status <> 'prepared'
  union all select 'vat_return', 'LRD', sum(input_lrd) from vat_returns where status <> 'prepared'
  union all select 'vat_payment', 'USD', sum(paid_usd) from vat_returns
  union all select 'vat_payment', 'LRD', sum(paid_lrd) from vat_returns
  union all select kind || '_payment', 'USD', sum(paid_usd) from pay_returns group by 1
  union all select kind || '_payment', 'LRD', sum(paid_lrd) from pay_returns group by 1
  union all select 'staff_issue', currency, sum(amount) from staff_ledger where entry = 'issue' group by 2
  union all select 'staff_' || entry, currency, sum(amount) from staff_ledger
    where entry <> 'issue' and payslip_line_id is null group by 1, 2
  union all select v.kind, l.currency, sum(l.amount) from book_entries e
    join book_entry_lines l on l.entry_id = e.id and l.amount > 0
    cross join lateral (values ('entry'), (case when e.voided_at is not null then 'entry_void' end)) v (kind)
    where v.kind is not null group by 1, 2`;

/** What staff owes by its ledger, in cents by currency: the balance of the account that it is booked to. */
const OWED_BY_STAFF = `
  select '1200' as account, currency, sum(case entry when 'issue' then amount else -amount end) as balance
  from staff_ledger group by currency`;

/** What is claimed and not in a return yet, and what is owed to the tax office, in cents by currency and account. */
const TAX_BALANCES = `
  select '1300' as account, c.currency, coalesce(sum(e.vat_amount), 0) as balance
  from (values ('USD'), ('LRD')) c (currency)
  left join expense_reports e on e.currency = c.currency and not exists (
    select from vat_return_lines l join vat_returns r on r.id = l.return_id
    where l.document_id = e.id and l.kind = 'expense' and r.status <> 'prepared')
  group by c.currency
  union all
  select '2120', c.currency, coalesce((select sum(i.tax) from invoices i
      where i.status <> 'draft' and i.currency = c.currency), 0)
    - coalesce((select sum(n.tax) from credit_notes n where n.currency = c.currency), 0)
    - coalesce((select sum(case c.currency when 'USD' then r.input_usd + r.paid_usd else r.input_lrd + r.paid_lrd end)
      from vat_returns r where r.status <> 'prepared'), 0)
  from (values ('USD'), ('LRD')) c (currency)`;

/** Kinds of documents that are summed on both sides. */
const COMPARED =
  /^(invoice|credit_note|receipt|receipt_void|refund|refund_return|expense|vat_return|(vat|paye|nasscorp)_payment|entry|entry_void|staff_\w+)$/;

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
    if (COMPARED.test(kind)) addTo(theirs, `${kind} ${currency}`, cents(debit));
  const balances = new Map<string, number>();
  for (const { account_code, debit, credit, currency } of entries)
    addTo(balances, `${account_code} ${currency}`, cents(debit) - cents(credit));
  const taxes = await facts.sql<{ account: string; currency: string; balance: string }>(
    TAX_BALANCES,
  );
  const owed = await facts.sql<{ account: string; currency: string; balance: string }>(
    OWED_BY_STAFF,
  );
  return brokenOf([
    {
      name: 'the account of advances is what staff owes',
      rows: owed.flatMap(({ account, currency, balance }) => {
        const booked = balances.get(`${account} ${currency}`) ?? 0;
        return booked === cents(balance)
          ? []
          : [`${currency}: ${balance} by the ledger, ${booked / 100} booked`];
      }),
    },
    {
      name: 'the accounts of VAT are what is claimed and what is owed',
      rows: taxes.flatMap(({ account, currency, balance }) => {
        const booked = Math.abs(balances.get(`${account} ${currency}`) ?? 0);
        return booked === Math.abs(cents(balance))
          ? []
          : [`${account} ${currency}: ${balance} by the tables, ${booked / 100} booked`];
      }),
    },
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
