// The statement of last month of the operations account: most lines are matched, and what is new waits for finance.
import type { Loading } from '../clients/business.ts';
import { idOf } from '../random.ts';

/** Of the account in US dollars that clients pay to. */
const ACCOUNT = idOf('bank account', 0);

const FEED = `
  insert into public.bank_feeds (bank_account_id, ledger, currency, day_heading, description_heading, reference_heading,
    in_heading, out_heading, balance_heading)
  values ($1, 'bank', 'USD', 'Date', 'Details', 'Reference', 'Credit', 'Debit', 'Balance')
  on conflict (bank_account_id) do nothing`;

/**
 * A line for each document of the month up to two days before its end, some of them days later, and three that the books don't
 * have. The last ones are open.
 */
const STATEMENT = `
  with month as materialized (
    select $2::date as first, $3::date as last, md5('bank import' || $2::date)::uuid as id
  ), documents as materialized (
    select d.kind, d.id, min(d.day) as day, sum(d.amount) as amount, min(d.text) as text, min(d.marks[1]) as mark,
      min(d.name) as name
    from private.bank_movements('bank', 'USD') d cross join month m
    where d.day between m.first and m.last - 2 group by d.kind, d.id having sum(d.amount) <> 0
  ), lines as (
    select d.kind, d.id, d.amount, least(d.day + abs(hashtext(d.text)) % 3, m.last) as day,
      case d.kind when 'receipt' then 'INWARD TRANSFER ' || upper(d.name) when 'payment_file' then 'BULK PAYMENT WAGES'
        else upper(d.text) end as description,
      d.mark as reference
    from documents d cross join month m
    union all
    select null, null, x.amount, m.first + x.after, x.description, null
    from month m cross join (values
      (-18.50, 27, 'ACCOUNT MAINTENANCE FEE'), (640.00, 26, 'CASH DEPOSIT BROAD STREET'), (-6.25, 25, 'SMS ALERT CHARGES')
    ) x (amount, after, description)
  ), placed as materialized (
    select l.*, row_number() over w as position, sum(l.amount) over w as moved, m.id as import_id
    from lines l cross join month m window w as (order by l.day, l.description, l.amount, l.reference, l.id)
  ), opening as (
    select coalesce(sum(d.amount), 0) as balance
    from private.bank_movements('bank', 'USD') d cross join month m where d.day < m.first
  ), file as (
    insert into public.bank_imports (id, bank_account_id, file_name, line_count, known_count, first_day, last_day,
      opening_balance, closing_balance, created_by, created_at)
    select m.id, $1, 'statement-' || to_char(m.first, 'YYYY-MM') || '.csv', (select count(*) from placed), 0, m.first,
      m.last, o.balance, o.balance + (select sum(l.amount) from lines l), $4, $5::timestamptz - interval '20 hours'
    from month m cross join opening o
  ), stored as (
    insert into public.bank_lines (id, import_id, bank_account_id, position, day, description, reference, amount, balance,
      matched_at)
    select md5('bank line' || p.import_id || p.position)::uuid, p.import_id, $1, p.position, p.day, p.description,
      p.reference, p.amount, o.balance + p.moved, case when p.id is not null and p.day < m.last - 4
        then $5::timestamptz - interval '19 hours' end
    from placed p cross join opening o cross join month m
  )
  insert into public.bank_matches (line_id, kind, document_id, currency, amount, created_by, created_at)
  select md5('bank line' || p.import_id || p.position)::uuid, p.kind, p.id, 'USD', p.amount, $4,
    $5::timestamptz - interval '19 hours'
  from placed p cross join month m where p.id is not null and p.day < m.last - 4`;

export async function importStatement({ client, people, calendar }: Loading): Promise<void> {
  const { first, last } = calendar.month(-1);
  await client.query(FEED, [ACCOUNT]);
  await client.query(STATEMENT, [ACCOUNT, first, last, people.named('finance').id, calendar.now]);
}
