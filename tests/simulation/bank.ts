// The bank: finance imports the statement of each month, matches what is sure, and books what the books don't have.
import { z } from 'zod';
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import { accepted } from './door.ts';
import type { Invariant } from './invariant.ts';
import { uuidFrom } from './lists.ts';
import type { World } from './world.ts';

/** Day of the month on which the statement of the month before is there. */
const IMPORTED_ON = 3;

const documentsSchema = z.array(
  z.object({ day: z.string(), amount: z.string(), document: z.string() }),
);

export const BANK: readonly Invariant[] = [
  {
    name: 'a matched line is the sum of its documents in its currency',
    sql: `
      select l.id, l.amount, sum(m.amount) from bank_lines l
      join bank_feeds f on f.bank_account_id = l.bank_account_id
      left join bank_matches m on m.line_id = l.id
      group by l.id, f.currency having (l.matched_at is not null) <> (count(m.id) > 0)
        or l.matched_at is not null and l.amount <> sum(m.amount) or bool_or(m.currency <> f.currency)`,
  },
  {
    name: 'no document is on statements with more than it is',
    sql: `
      with documents as (
        select 'receipt' as kind, id, currency, case when voided_at is null then amount else 0 end as amount from receipts
        union all select 'refund', id, currency, -amount from refunds where paid_on is not null
        union all select 'refund_return', id, currency, amount from refunds where returned_on is not null
        union all select 'expense', id, currency, -amount from expense_reports
        union all select 'payment_file', payment_file_id, currency, -sum(amount) from payments
          where status in ('paid', 'returned') group by payment_file_id, currency
        union all select 'entry', l.id, l.currency, case when e.voided_at is null then l.amount else 0 end
          from book_entry_lines l join book_entries e on e.id = l.entry_id
      )
      select m.kind, m.document_id, sum(m.amount), d.amount from bank_matches m
      left join documents d on d.kind = m.kind and d.id = m.document_id and d.currency = m.currency
      where m.kind in ('receipt', 'refund', 'refund_return', 'expense', 'payment_file', 'entry')
      group by m.kind, m.document_id, d.amount
      having coalesce(abs(d.amount), 0) < abs(sum(m.amount)) or sign(d.amount) <> sign(sum(m.amount))`,
  },
];

const CURRENCIES = ['USD', 'LRD'] as const;
type Currency = (typeof CURRENCIES)[number];

/** The account, with the columns of its statements. */
async function open({ company }: World, currency: Currency, random: Random): Promise<string> {
  const { client } = company.finance;
  const id = uuidFrom(random);
  const named = { bank_name: 'Ducor Commercial Bank', account_title: `Operations ${currency}` };
  accepted(
    await client
      .from('bank_accounts')
      .insert({ ...named, id, account_number: currency === 'USD' ? '001' : '002', currency }),
  );
  accepted(
    await client.rpc('save_bank_feed', {
      ...{ p_bank_account_id: id, p_ledger: 'bank', p_day_order: 'day_month_year' },
      ...{ p_day_heading: 'Date', p_description_heading: 'Details', p_amount_heading: 'Amount' },
      p_follows_balance: true,
    }),
  );
  return id;
}

/** The bank has every document up to the day, and its charges. */
async function importStatement(
  world: World,
  currency: Currency,
  last: string,
  random: Random,
): Promise<string> {
  const { client } = world.company.finance;
  const feeds = accepted(
    await client.from('bank_feeds').select('bank_account_id').eq('currency', currency),
  );
  const account = feeds.data?.[0]?.bank_account_id ?? (await open(world, currency, random));
  const of = { p_bank_account_id: account };
  const documents = accepted(await client.rpc('open_bank_documents', of)).data;
  const rows = documentsSchema
    .parse(documents)
    .filter(({ day }) => day <= last)
    .sort((a, b) => a.day.localeCompare(b.day))
    .map(({ day, amount, document }) => ({ day, amount: Number(amount), description: document }));
  rows.push({ day: last, amount: -random.int(1, 900) / 100, description: `CHARGES ${last}` });
  const taken = accepted(
    await client.rpc('import_bank_lines', {
      ...{ ...of, p_file_name: `${last}.csv`, p_rows: rows, p_closing: 0 },
      p_id: uuidFrom(random),
    }),
  );
  const sure = accepted(await client.rpc('match_sure_lines', of)).data;
  const lines = accepted(
    await client
      .from('bank_lines')
      .select()
      .eq('bank_account_id', account)
      .is('matched_at', null)
      .like('description', 'CHARGES%'),
  );
  for (const { id, description } of lines.data ?? [])
    accepted(
      await client.rpc('book_bank_line', {
        ...{ p_line_id: id, p_account: 'interest', p_description: description ?? 'Charges' },
        ...{ p_day: addDays(last, IMPORTED_ON), p_id: uuidFrom(random) },
      }),
    );
  return `${taken.data?.line_count} lines, ${sure} sure`;
}

export function planBank(world: World, day: string): void {
  const { agenda, company, size } = world;
  const last = addDays(`${day.slice(0, 7)}-01`, -1);
  if (Number(day.slice(8)) !== IMPORTED_ON || last < company.opensOn) return;
  for (const currency of CURRENCIES) {
    const random = new Random(`simulation/${size.seed}/bank/${day}/${currency}`);
    const what = `finance imports the statement of the bank in ${currency}`;
    agenda.add(instantOf(day, '16:40'), what, () => importStatement(world, currency, last, random));
  }
}
