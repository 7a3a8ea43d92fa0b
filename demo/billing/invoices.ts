// Invoices of the closed months, drafted by the function that the portal calls: most are issued, some paid or overdue, and
// some of last month are still drafts.

import { actAs } from '../act-as.ts';
import { CLOSED_MONTHS } from '../calendar.ts';
import type { Loading, Step } from '../clients/business.ts';

/** By month, oldest first: how many of a hundred invoices are paid in full, and in part. */
const PAID = [90, 60, 10];
const PART_PAID = [4, 10, 5];

const monthsOf = ({ calendar }: Loading) =>
  Array.from({ length: CLOSED_MONTHS }, (_, index) => calendar.month(index - CLOSED_MONTHS));

/** A step for each closed month, oldest first, and one for what has become of the drafts. */
export const invoiceSteps: readonly Step[] = [
  ...Array.from(
    { length: CLOSED_MONTHS },
    (_, index) => (company: Loading) => draft(company, index - CLOSED_MONTHS),
  ),
  issueInvoices,
];

async function draft({ client, people, calendar }: Loading, month: number): Promise<void> {
  const { first, last } = calendar.month(month);
  // Somebody may have begun with these while the company was being filled. Drawing them again needs triggers.
  const { rowCount } = await client.query(
    'select from public.invoices where period_end between $1 and $2 limit 1',
    [first, last],
  );
  if (rowCount !== 0) return;
  await actAs(client, people.named('finance').id);
  await client.query('select public.draft_invoices($1, $2)', [first, last]);
  await actAs(client);
}

async function issueInvoices(company: Loading): Promise<void> {
  const { client, people, calendar } = company;
  const finance = people.named('finance').id;
  const months = monthsOf(company);
  const today = calendar.date(0);
  // Derived by triggers elsewhere.
  await client.query(
    `update public.invoices i set subtotal = s.subtotal, tax = s.tax,
       created_at = least(private.company_midnight(i.period_end + 1) + interval '8 hours', $1::timestamptz),
       updated_at = least(private.company_midnight(i.period_end + 1) + interval '8 hours', $1::timestamptz)
     from (
       select l.invoice_id, sum(l.amount) as subtotal, sum(l.tax_amount) as tax
       from public.invoice_lines l group by l.invoice_id
     ) s
     where s.invoice_id = i.id and i.status = 'draft'`,
    [calendar.now],
  );
  // A third of last month's is still to be looked through; what sums to less than nothing is not issued.
  await client.query(
    `with ready as (
       select i.id, extract(year from d.day)::integer as year, d.day, d.day + c.payment_terms_days as due_on, c.purchase_order,
         coalesce((
           select n.last from private.document_numbers n
           where n.kind = 'invoice' and n.year = extract(year from d.day)
         ), 0) + row_number() over (partition by extract(year from d.day) order by d.day, k.name, i.id) as sequence
       from public.invoices i
       join public.contracts c on c.id = i.contract_id
       join public.clients k on k.id = i.client_id
       cross join lateral (select least(i.period_end + 2, $1::date) as day) d
       where i.status = 'draft' and i.total > 0 and (i.period_start < $2 or hashtext(i.client_id::text) % 3 <> 0)
     )
     update public.invoices i set status = 'issued', year = r.year, sequence = r.sequence, issued_on = r.day,
       due_on = r.due_on, issued_by = $3, bill_to = private.bill_to_of(i.contract_id, i.period_end),
       pay_to = public.pay_to_of(i.currency), purchase_order = r.purchase_order
     from ready r where r.id = i.id`,
    [today, months.at(-1)?.first, finance],
  );
  await client.query(
    `insert into private.document_numbers (kind, year, last)
     select 'invoice', i.year, max(i.sequence) from public.invoices i where i.status <> 'draft' group by i.year
     on conflict (kind, year) do update set last = excluded.last`,
  );
  for (const [index, { first }] of months.entries()) {
    await pay(first, PAID[index] ?? 0, PART_PAID[index] ?? 0);
  }
  // One client contests its oldest open invoice.
  await client.query(
    `insert into public.disputes (id, client_id, invoice_id, reason, since, opened_by, created_at)
     select md5('dispute' || i.id)::uuid, i.client_id, i.id,
       'Two nights of the first week are not in the guards'' book.', $1::date, $2, least($1::date + interval '10 hours', $3)
     from public.invoices i where i.open_amount > 0 and i.status in ('issued', 'part_paid')
     order by i.due_on, i.client_id limit 1`,
    [calendar.date(-2), finance, calendar.now],
  );

  /** A receipt for each invoice that is paid, ten to forty days after it was issued. */
  async function pay(month: string, paid: number, partly: number): Promise<void> {
    await client.query(
      `with chosen as (
         select i.*, abs(hashtext(i.client_id::text || i.period_start)) % 100 as lot,
           least(i.issued_on + 10 + abs(hashtext(i.client_id::text)) % 30, $2::date) as day
         from public.invoices i where i.status = 'issued' and i.period_start = $1
       ), amounts as (
         select c.*, md5('receipt' || c.client_id || c.period_start)::uuid as receipt,
           case when c.lot < $3 then c.total else round(c.total / 2, 2) end as amount
         from chosen c where c.lot < $3 + $4 and c.total > 1
       ), receipts as (
         insert into public.receipts (id, client_id, currency, amount, allocated, received_on, method, reference, created_by, created_at)
         select a.receipt, a.client_id, a.currency, a.amount, a.amount, a.day, (array['bank', 'bank', 'mobile_money', 'cheque'])[1 + a.lot % 4],
           'R' || upper(left(md5(a.receipt::text), 8)), $5, least(a.day + interval '10 hours', $6::timestamptz)
         from amounts a
       ), allocations as (
         insert into public.receipt_allocations (receipt_id, invoice_id, amount)
         select a.receipt, a.id, a.amount from amounts a
       )
       update public.invoices i set paid = a.amount, status = case when a.amount = a.total then 'paid' else 'part_paid' end
       from amounts a where a.id = i.id`,
      [month, today, paid, partly, finance, calendar.now],
    );
  }
}
