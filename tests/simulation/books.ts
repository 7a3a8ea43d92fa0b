// Invariants of money: of pay, invoices and the journal.
import type { Invariant } from './invariant.ts';

export const BOOKS: readonly Invariant[] = [
  {
    name: 'lines of days on which the company is registered have VAT, others have none',
    sql: `
      select l.id, l.vat_treatment, l.tax_rate, min(lower(b.span)) from invoice_lines l
      join billed_time b on b.invoice_line_id = l.id cross join private.settings z
      left join vat_registrations r
        on (lower(b.span) at time zone z.time_zone)::date between r.registered_from and coalesce(r.registered_to, 'infinity')
      join invoices i on i.id = l.invoice_id
      left join vat_exemptions e on e.client_id = i.client_id
        and (lower(b.span) at time zone z.time_zone)::date between e.valid_from and coalesce(e.valid_to, 'infinity')
      where l.credited_at is null and b.freed_at is null and i.status <> 'draft'
        and (l.vat_treatment, coalesce(l.tax_rate, 0)) is distinct from (
          case when r.id is not null then case when e.id is null then 'standard' else 'exempt' end end,
          case when r.id is not null and e.id is null then 0.18 else 0 end)
      group by l.id`,
  },
  {
    name: 'a filed return of VAT equals its documents',
    sql: `
      with documents as (
        select 'invoice' as kind, i.id, sum(l.tax_amount) as vat from invoices i join invoice_lines l on l.invoice_id = i.id
        where l.vat_treatment is not null group by i.id
        union all
        select 'credit_note', c.credit_note_id, -sum(c.tax_amount) from credit_note_lines c
        join invoice_lines l on l.id = c.invoice_line_id where l.vat_treatment is not null group by c.credit_note_id
        union all select 'expense', e.id, e.vat_amount from expense_reports e
      )
      select r.month, l.kind, l.document_id, sum(l.vat), d.vat
      from vat_returns r join vat_return_lines l on l.return_id = r.id
      left join documents d on d.kind = l.kind and d.id = l.document_id
      where r.status <> 'prepared' group by r.month, l.kind, l.document_id, d.vat
      having sum(l.vat) is distinct from d.vat
      union all
      select r.month, 'sums', r.id, r.output_usd + r.output_lrd - r.input_usd - r.input_lrd,
        sum(case l.box when 'input' then -l.vat else l.vat end)
      from vat_returns r join vat_return_lines l on l.return_id = r.id where r.status <> 'prepared'
      group by r.id having r.output_usd + r.output_lrd - r.input_usd - r.input_lrd
        <> sum(case l.box when 'input' then -l.vat else l.vat end)`,
  },
  {
    name: 'filed returns of pay have the payslips of the runs that were locked, to the cent',
    sql: `
      with lines as (
        select r.kind as of_kind, r.id as of_return, l.* from pay_return_lines l
        join pay_returns r on r.id = l.return_id and r.status <> 'prepared'
      ), withheld as (
        select l.payslip_id, coalesce(sum(-l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
          coalesce(sum(-l.amount) filter (where l.kind = 'nasscorp'), 0) as employee
        from payslip_lines l group by l.payslip_id
      ), filed as (
        select kind, min(month) as first, max(month) as last, max(prepared_at) as at from pay_returns
        where status <> 'prepared' group by kind
      )
      select l.of_kind, l.payslip_id, 'not its payslip' as what from lines l
      join payslips s on s.id = l.payslip_id join withheld w on w.payslip_id = s.id
      cross join lateral (select case when l.is_reversal then -1 else 1 end as sign) g
      where (l.gross, l.taxable, l.tax, l.employee, l.employer, l.currency) is distinct from (g.sign * s.gross,
        g.sign * s.taxable, g.sign * w.tax, g.sign * w.employee, g.sign * s.employer_cost, s.currency)
      union all
      select r.kind, r.id, 'not the sum of its lines' from pay_returns r
      left join lines l on l.of_return = r.id where r.status <> 'prepared'
      group by r.id having r.due_usd + r.due_lrd
        <> coalesce(sum(case r.kind when 'paye' then l.tax else l.employee + l.employer end), 0)
      union all
      select f.kind, s.id, 'not once in a return' from filed f
      join pay_runs r on r.period_end >= f.first and r.period_end < f.last + interval '1 month'
        and r.locked_at <= f.at and coalesce(r.voided_at, 'infinity') > f.at
      join payslips s on s.pay_run_id = r.id
      where 1 is distinct from (
        select sum(case when l.is_reversal then -1 else 1 end)::int from lines l
        where l.payslip_id = s.id and l.of_kind = f.kind)`,
  },
  {
    name: 'the net pay of a payslip is the sum of its lines',
    sql: `
      select s.id, s.net, sum(l.amount) from payslips s join payslip_lines l on l.payslip_id = s.id
      group by s.id having s.net <> sum(l.amount)`,
  },
  {
    name: 'a payslip has one currency: of its run and its payments',
    sql: `
      select s.id from payslips s join pay_runs r on r.id = s.pay_run_id
      left join payments p on p.payslip_id = s.id
      where s.currency <> r.currency or p.currency <> s.currency`,
  },
  {
    name: 'the net pay of a locked run is to be paid once, and paid once at most',
    sql: `
      select s.id, s.net, r.status, count(p.id) filter (where p.status in ('to_pay', 'in_file', 'paid'))::int as payments
      from payslips s join pay_runs r on r.id = s.pay_run_id left join payments p on p.payslip_id = s.id
      where r.status in ('locked', 'paid') and s.net > 0
      group by s.id, r.status
      having count(p.id) filter (where p.status in ('to_pay', 'in_file', 'paid')) <> 1
        or sum(p.amount) filter (where p.status in ('to_pay', 'in_file', 'paid')) <> s.net`,
  },
  {
    name: 'nothing of a voided run is paid',
    sql: `
      select p.id, p.status from payments p join pay_runs r on r.id = p.pay_run_id
      where r.status = 'void' and p.status in ('in_file', 'paid')`,
  },
  {
    name: 'every timesheet is paid by one run that is not void',
    sql: `
      select t.id, count(*)::int from timesheets t
      join payslips s on s.user_id = t.user_id
      join pay_runs r on r.id = s.pay_run_id and r.status in ('locked', 'paid')
        and daterange(r.period_start, r.period_end, '[]') && daterange(t.period_start, t.period_end, '[]')
      group by t.id, r.currency having count(*) > 1
      union all
      select t.id, 0 from timesheets t where t.status = 'locked' and not exists (
        select from pay_runs r where r.id = t.pay_run_id and r.status in ('locked', 'paid'))`,
  },
  {
    name: 'locked hours of people who are paid by the hour are on their payslip to the minute',
    sql: `
      with hours as (
        select s.id, s.user_id, r.period_start, r.period_end, g.class, sum(g.minutes) as minutes
        from payslips s join pay_runs r on r.id = s.pay_run_id and r.status in ('locked', 'paid')
        join timesheets t on t.user_id = s.user_id and t.status = 'locked' and t.pay_run_id = r.id
        join time_segments g on g.timesheet_id = t.id
          and g.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
        where (select b.basis from pay_bases b where b.staff_id = s.staff_id
          order by b.effective_from <= r.period_end desc, b.effective_from desc limit 1) = 'hourly'
        group by 1, 2, 3, 4, 5
      ), paid as (
        select l.payslip_id, l.kind, sum(l.quantity * 60) as minutes from payslip_lines l where l.unit = 'h' group by 1, 2
      )
      select h.id, h.class, h.minutes, p.minutes as paid from hours h
      left join paid p on p.payslip_id = h.id and p.kind = h.class
      where abs(h.minutes - coalesce(p.minutes, 0)) > 0.5`,
  },
  {
    name: 'an approved adjustment is paid once',
    sql: `
      select a.id, a.amount, l.amount as paid from pay_adjustments a join payslip_lines l on l.id = a.payslip_line_id
      join payslips s on s.id = l.payslip_id join pay_runs r on r.id = s.pay_run_id
      where r.status = 'void' or a.status <> 'approved' or a.amount <> l.amount and a.converted_amount is null`,
  },
  {
    name: 'the total of an invoice is the sum of its lines',
    sql: `
      select i.id, i.number, i.total, sum(l.amount + l.tax_amount) from invoices i join invoice_lines l on l.invoice_id = i.id
      group by i.id having i.total <> sum(l.amount + l.tax_amount)`,
  },
  {
    name: 'what is paid and credited of an invoice are its receipts and credit notes',
    sql: `
      select i.number, i.paid, i.credited, r.paid as received, n.credited as noted from invoices i
      cross join lateral (select coalesce(sum(a.amount), 0) as paid from receipt_allocations a
        join receipts r on r.id = a.receipt_id and r.voided_at is null where a.invoice_id = i.id) r
      cross join lateral (select coalesce(sum(n.amount), 0) as credited from credit_notes n where n.invoice_id = i.id) n
      where i.status <> 'draft' and (i.paid, i.credited) is distinct from (r.paid, n.credited)`,
  },
  {
    name: 'what is on account of a receipt is neither allocated nor refunded',
    sql: `
      select r.id, r.unallocated, r.amount + r.withheld - s.allocated - s.refunded from receipts r
      cross join lateral (
        select coalesce((select sum(a.amount) from receipt_allocations a where a.receipt_id = r.id), 0) as allocated,
          coalesce((select sum(f.amount) from refunds f where f.receipt_id = r.id and f.status in ('asked', 'paid')), 0)
            as refunded
      ) s
      where r.unallocated <> r.amount + r.withheld - s.allocated - s.refunded or s.refunded > r.amount`,
  },
  {
    name: 'no line is credited beyond what it billed, and one that is marked is credited in full',
    sql: `
      select l.id, l.amount, s.amount, l.tax_amount, s.tax from invoice_lines l
      cross join lateral (
        select coalesce(sum(c.amount), 0) as amount, coalesce(sum(c.tax_amount), 0) as tax
        from credit_note_lines c where c.invoice_line_id = l.id
      ) s
      where abs(s.amount) > abs(l.amount) or abs(s.tax) > abs(l.tax_amount)
        or l.credited_at is not null and (s.amount, s.tax) <> (l.amount, l.tax_amount)`,
  },
  {
    name: 'numbers of invoices and credit notes have no gaps',
    sql: `
      select 'INV' as what, year, count(*)::int, max(sequence) from invoices where year is not null group by year
        having count(*) <> max(sequence) or count(distinct sequence) <> count(*)
      union all select 'CN', year, count(*)::int, max(sequence) from credit_notes group by year
        having count(*) <> max(sequence) or count(distinct sequence) <> count(*)`,
  },
  {
    name: 'every minute is billed or waived once',
    sql: `
      select a.id, b.id as other from billed_time a join billed_time b on b.user_id = a.user_id and b.id > a.id
        and a.span && b.span where a.freed_at is null and b.freed_at is null`,
  },
  {
    name: 'minutes worked at a contract post before the end of an issued invoice are billed, waived or listed as unbilled',
    sql: `
      select g.id, g.user_id, g.starts_at, g.ends_at
      from time_segments g
      join contract_posts c on c.site_id = g.site_id and g.day >= c.starts_on and g.day <= coalesce(c.ends_on, g.day)
      join timesheets t on t.id = g.timesheet_id
      join invoices i on i.contract_id = c.contract_id and i.status <> 'draft' and g.day <= i.period_end
        and t.approved_at <= i.created_at
      where g.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday') and c.basis = 'worked'
        and not exists (select from billed_time b where b.user_id = g.user_id and b.span && tstzrange(g.starts_at, g.ends_at))
        and not exists (select from attendance a where a.id = g.attendance_id
          and greatest(a.updated_at, a.clock_out_received_at) > i.created_at)
        and not exists (select from time_decisions d where d.attendance_id = g.attendance_id and d.decided_at > i.created_at)`,
  },
];

export const EXPENSES: Invariant = {
  name: 'an expense counts in the currency that was paid: in returns of VAT and on statements',
  sql: `
    select e.id, e.currency, e.amount, l.currency as elsewhere from expense_reports e
    join vat_return_lines l on l.kind = 'expense' and l.document_id = e.id
    join vat_returns r on r.id = l.return_id and r.status <> 'prepared'
    where (l.currency, l.vat, l.net) is distinct from (e.currency, e.vat_amount, e.amount - e.vat_amount)
    union all
    select e.id, e.currency, e.amount, f.currency from expense_reports e
    join bank_matches m on m.kind = 'expense' and m.document_id = e.id
    join bank_lines l on l.id = m.line_id join bank_feeds f on f.bank_account_id = l.bank_account_id
    where e.currency not in (m.currency, f.currency) or m.currency <> f.currency`,
};

/** What can't change once it is locked or issued, as one text for each document. */
export const DOCUMENTS = `
  select 'invoice ' || i.number as document, md5(concat_ws('|', i.period_start, i.period_end, i.currency, i.subtotal, i.tax,
    i.issued_on, i.due_on, i.bill_to, (
      select string_agg(concat_ws('|', l.position, l.kind, l.description, l.quantity, l.unit, l.rate, l.amount, l.tax_amount,
        l.explanation), '/' order by l.position, l.id) from invoice_lines l where l.invoice_id = i.id))) as hash
  from invoices i where i.status <> 'draft'
  union all
  select 'credit note ' || n.number, md5(concat_ws('|', n.invoice_id, n.reason, n.currency, n.amount, n.tax, n.issued_on, (
    select string_agg(x::text, '/' order by x::text) from credit_note_lines x where x.credit_note_id = n.id)))
  from credit_notes n
  union all
  select 'payslip ' || s.id, md5(concat_ws('|', s.currency, s.gross, s.taxable, s.deductions, s.net, s.employer_cost, (
    select string_agg(concat_ws('|', l.position, l.kind, l.label, l.quantity, l.unit, l.rate, l.amount, l.explanation), '/'
      order by l.position) from payslip_lines l where l.payslip_id = s.id)))
  from payslips s join pay_runs r on r.id = s.pay_run_id where r.status in ('locked', 'paid')
  union all
  select 'timesheet ' || t.id, md5(concat_ws('|', t.regular_minutes, t.overtime_1_minutes, t.overtime_2_minutes,
    t.night_minutes, t.holiday_minutes, t.leave_paid_minutes, t.leave_unpaid_minutes, t.unpaid_minutes))
  from timesheets t where t.status = 'locked'
  union all
  select 'letter ' || l.id, md5(concat_ws('|', l.version, l.addressee, l.email, l.subject, l.summary, l.actions, l.facts,
    l.photo_ids))
  from incident_letters l where l.approved_at is not null
  union all
  select 'quote ' || q.id, md5(concat_ws('|', q.number, q.client_name, q.site_name, q.currency, q.starts_on, q.valid_until,
    q.subtotal, q.tax, q.vat_number, (
      select string_agg(concat_ws('|', l.post_name, l.guards, l.hours_a_day, l.days_a_week, l.rate, l.amount, l.tax_amount),
        '/' order by l.position) from quote_lines l where l.quote_id = q.id)))
  from quotes q where q.status <> 'draft'
  union all
  select 'page ' || p.id, md5(concat_ws('|', p.version, p.released_at, p.lines, p.facts, p.withheld_kinds, p.changes))
  from post_pages p
  union all
  select 'payment file ' || f.id, md5(f.content || f.sha256 || f.control_total::text) from payment_files f`;
