import type { Breakage } from './breakage.ts';

const DOCUMENTS = 'locked and issued documents never change';
const JOURNAL = 'the journal equals the documents';
const VANISHED = 'issued documents never vanish';

const LOCKED_PAYSLIP = `
  select s.id from payslips s join pay_runs r on r.id = s.pay_run_id
  where r.status in ('locked', 'paid') and s.net > 0 order by s.created_at, s.id limit 1`;
const PAYMENT = `select id from payments where status = 'paid' order by created_at, id limit 1`;
const ISSUED = `select id from invoices where status <> 'draft' order by year, sequence limit 1`;

export const BREAKAGES_OF_BOOKS: readonly Breakage[] = [
  {
    breaks: 'lines of days on which the company is registered have VAT, others have none',
    sql: [`update vat_registrations set registered_from = registered_from + 3`],
  },
  {
    breaks: 'a filed return of VAT equals its documents',
    sql: [
      `update vat_return_lines set vat = vat + 1 where id = (
        select l.id from vat_return_lines l join vat_returns r on r.id = l.return_id and r.status <> 'prepared'
        order by l.kind, l.day, l.id limit 1)`,
    ],
    also: ['an expense counts in the currency that was paid: in returns of VAT and on statements'],
  },
  {
    breaks: 'the accounts of VAT are what is claimed and what is owed',
    // The return claims what its lines don't have.
    sql: [
      `delete from vat_return_lines where id = (
        select l.id from vat_return_lines l join vat_returns r on r.id = l.return_id and r.status <> 'prepared'
        where l.kind = 'expense' order by l.id limit 1)`,
    ],
    also: ['a filed return of VAT equals its documents'],
  },
  {
    breaks: 'filed returns of pay have the payslips of the runs that were locked, to the cent',
    sql: [
      `delete from pay_return_lines where id = (
        select l.id from pay_return_lines l join pay_returns r on r.id = l.return_id and r.status <> 'prepared' limit 1)`,
    ],
  },
  {
    breaks: 'the account of advances is what staff owes',
    // The run still books the repayment.
    sql: [
      `delete from staff_ledger where id = (
        select id from staff_ledger where payslip_line_id is not null order by id limit 1)`,
    ],
  },
  {
    breaks: 'the net pay of a payslip is the sum of its lines',
    sql: [
      `update payslip_lines set amount = amount + 1 where id = (
        select l.id from payslip_lines l where l.payslip_id = (${LOCKED_PAYSLIP}) order by l.position limit 1)`,
    ],
    also: [DOCUMENTS],
  },
  {
    breaks: 'a payslip has one currency: of its run and its payments',
    sql: [`update payments set currency = 'LRD' where id = (${PAYMENT})`],
  },
  {
    breaks: 'the net pay of a locked run is to be paid once, and paid once at most',
    sql: [`delete from payments where id = (${PAYMENT})`],
  },
  {
    breaks: 'nothing of a voided run is paid',
    // A run of nobody, so that its documents are missed by nobody.
    sql: [
      `insert into pay_runs (id, pay_group, currency, period_start, period_end, status, void_reason, lrd_per_usd, rate_date)
        values ('00000000-0000-4000-8000-000000000001', 'weekly', 'USD', '2026-01-05', '2026-01-11', 'void', 'Wrong', 190,
          '2026-01-05')`,
      `update payments set pay_run_id = '00000000-0000-4000-8000-000000000001' where id = (${PAYMENT})`,
    ],
  },
  {
    breaks: 'every timesheet is paid by one run that is not void',
    sql: [
      `update timesheets set pay_run_id = gen_random_uuid() where id = (
        select t.id from timesheets t where t.status = 'locked'
          and not exists (select from time_segments g where g.timesheet_id = t.id)
        order by t.period_start, t.id limit 1)`,
    ],
  },
  {
    breaks: 'locked hours of people who are paid by the hour are on their payslip to the minute',
    sql: [
      `update payslip_lines set quantity = quantity + 1 where id = (
        select l.id from payslip_lines l join payslips s on s.id = l.payslip_id
        join pay_runs r on r.id = s.pay_run_id and r.status in ('locked', 'paid')
        join pay_bases b on b.staff_id = s.staff_id and b.basis = 'hourly'
        where l.kind = 'regular' and l.unit = 'h' order by l.id limit 1)`,
    ],
    also: [DOCUMENTS],
  },
  {
    breaks: 'an approved adjustment is paid once',
    sql: [
      `insert into pay_adjustments (staff_id, kind, period_start, period_end, amount, currency, explanation, payslip_line_id,
          status)
        select s.staff_id, 'manual', '2027-01-01', '2027-01-31', l.amount, s.currency, 'Bonus', l.id, 'to_decide'
        from payslip_lines l join payslips s on s.id = l.payslip_id where s.id = (${LOCKED_PAYSLIP})
        order by l.position desc limit 1`,
    ],
  },
  {
    breaks: 'the total of an invoice is the sum of its lines',
    sql: [
      `update invoice_lines set amount = amount + 1 where id = (
        select l.id from invoice_lines l where l.invoice_id = (${ISSUED}) and l.kind <> 'gap_credit'
        order by l.position limit 1)`,
    ],
    also: [DOCUMENTS],
  },
  {
    breaks: 'what is paid and credited of an invoice are its receipts and credit notes',
    sql: [
      `update invoices set paid = paid + case when open_amount > 1 then 0.01 else -0.01 end where id = (
        select id from invoices where status <> 'draft' and (open_amount > 1 or paid > 1) limit 1)`,
    ],
  },
  {
    breaks: 'what is on account of a receipt is neither allocated nor refunded',
    sql: [
      `update receipts set allocated = allocated - 0.01 where id = (
        select id from receipts where voided_at is null and allocated > 1 limit 1)`,
    ],
  },
  {
    breaks: 'no line is credited beyond what it billed, and one that is marked is credited in full',
    sql: [
      `update invoice_lines set credited_at = now() where id = (
        select l.id from invoice_lines l where l.invoice_id = (${ISSUED}) and l.credited_at is null and l.amount > 0
        order by l.position limit 1)`,
    ],
  },
  {
    breaks: 'numbers of invoices and credit notes have no gaps',
    sql: [
      `insert into credit_notes (invoice_id, client_id, year, sequence, reason, currency, amount, tax, issued_on)
        select id, client_id, 2099, 2, 'Wrong', currency, 0, 0, issued_on from invoices where id = (${ISSUED})`,
    ],
  },
  {
    breaks: 'every minute is billed or waived once',
    sql: [
      'alter table billed_time drop constraint billed_time_once',
      `insert into billed_time (user_id, site_id, span, kind, waived_at, waived_reason)
        select user_id, site_id, span, kind, now(), 'Again' from billed_time where freed_at is null limit 1`,
    ],
  },
  {
    breaks:
      'minutes worked at a contract post before the end of an issued invoice are billed, waived or listed as unbilled',
    sql: [
      `delete from billed_time where id = (
        select b.id from billed_time b join time_segments g on g.user_id = b.user_id
          and b.span @> tstzrange(g.starts_at, g.ends_at)
        join contract_posts c on c.site_id = g.site_id and c.basis = 'worked'
        join invoice_lines l on l.id = b.invoice_line_id join invoices i on i.id = l.invoice_id and i.status <> 'draft'
        join timesheets t on t.id = g.timesheet_id and t.approved_at <= i.created_at
        where g.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
          and g.day between i.period_start and i.period_end
          and not exists (select from time_decisions d where d.attendance_id = g.attendance_id)
          and not exists (select from attendance a where a.id = g.attendance_id
            and greatest(a.updated_at, a.clock_out_received_at) > i.created_at)
        limit 1)`,
    ],
  },
  {
    breaks: DOCUMENTS,
    sql: [
      `update invoice_lines set description = description || '.' where id = (
        select l.id from invoice_lines l where l.invoice_id = (${ISSUED}) order by l.position limit 1)`,
    ],
  },
  {
    breaks: VANISHED,
    sql: [
      `delete from payment_files where id = (select id from payment_files order by created_at limit 1)`,
    ],
  },
  {
    breaks: 'the journal balances by document, day and currency',
    // One side of the entries of pay finds no account.
    sql: [`delete from chart_of_accounts where key = 'wages_payable'`],
  },
  {
    breaks: JOURNAL,
    // Entries name the client.
    sql: [
      `delete from clients where id = (
        select client_id from invoices where status <> 'draft' order by year, sequence limit 1)`,
    ],
    also: ['the accounts of VAT are what is claimed and what is owed'],
  },
  {
    breaks: 'no day of a gap is credited twice',
    // On an invoice that does not exist, so that no total changes.
    sql: [
      'alter table invoice_lines drop constraint invoice_lines_gap_credited_once',
      `insert into invoice_lines (invoice_id, position, contract_post_id, site_id, post_id, kind, description, quantity, unit,
          rate, amount, minutes, days)
        select gen_random_uuid(), 1, contract_post_id, site_id, post_id, kind, description, quantity, unit, rate, amount,
          minutes, days
        from invoice_lines where kind = 'gap_credit' and credited_at is null order by id limit 1`,
    ],
  },
  {
    breaks: 'every gap is credited by the invoice that bills its days',
    sql: [
      `update invoice_lines set minutes = minutes + 1 where kind = 'gap_credit' and invoice_id in (
        select id from invoices where issued_on = (select max(issued_on) from invoices))`,
    ],
  },
  {
    breaks: 'a matched line is the sum of its documents in its currency',
    sql: [
      `update bank_lines set amount = amount + 1 where id = (
        select id from bank_lines where matched_at is not null order by id limit 1)`,
    ],
  },
  {
    breaks: 'no document is on statements with more than it is',
    sql: [
      `with line as (
        insert into bank_lines (import_id, bank_account_id, position, day, amount, matched_at)
        select l.import_id, l.bank_account_id, 6000, l.day, m.amount, now() from bank_matches m
        join bank_lines l on l.id = m.line_id where m.kind = 'entry' order by m.id limit 1
        returning id, amount)
      insert into bank_matches (line_id, kind, document_id, currency, amount)
      select line.id, m.kind, m.document_id, m.currency, line.amount from line, bank_matches m
      where m.kind = 'entry' order by m.id limit 1`,
    ],
  },
];
