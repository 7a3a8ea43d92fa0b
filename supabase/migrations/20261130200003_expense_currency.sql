set local check_function_bodies = off;

alter table public.expense_reports add column currency text default 'USD'::text not null;

drop function public.expense_totals(date, date);

create or replace FUNCTION public.cashflow()
 RETURNS TABLE(currency text, inflows numeric, outflows numeric, net numeric, bank_balance numeric, loan_balance numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with movement as (
    select b.currency,
      case when b.balance_type = 'Cr' then coalesce(b.current_balance, 0) else 0 end as inflow,
      case when b.balance_type = 'Dr' then coalesce(b.current_balance, 0) else 0 end as outflow,
      case b.balance_type when 'Cr' then 1 else -1 end * coalesce(b.current_balance, 0) as bank,
      0::numeric as loan
    from public.bank_accounts b
    union all
    select l.currency, coalesce(l.total_credit, 0), coalesce(l.total_debit, 0), 0, coalesce(l.current_balance, 0)
    from public.loans l
    union all
    select 'USD', coalesce(f.total_revenue, 0), coalesce(f.total_expenses, 0), 0, 0
    from public.financial_statements f
    union all
    select e.currency, 0, sum(e.amount), 0, 0 from public.expense_reports e group by e.currency
  )
  select m.currency, sum(m.inflow), sum(m.outflow), sum(m.inflow) - sum(m.outflow), sum(m.bank), sum(m.loan)
  from movement m group by m.currency order by m.currency;
$function$;

create or replace FUNCTION public.expense_totals(p_from date, p_to date)
 RETURNS TABLE(month date, category text, total numeric, currency text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.require_day(p_from, 'first day'), private.require_day(p_to, 'last day');
  select private.require_period(private.company_midnight(p_from), private.company_midnight(p_to));
  select date_trunc('month', e.expense_date)::date, e.category, sum(e.amount), e.currency
  from public.expense_reports e where e.expense_date between p_from and p_to group by 1, 2, 4 order by 4 desc, 1, 2;
$function$;

create or replace FUNCTION private.keep_filed_expense()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  filed date := (
    select r.month from public.vat_return_lines l join public.vat_returns r on r.id = l.return_id
    where l.kind = 'expense' and l.document_id = old.id and r.status <> 'prepared'
  );
begin
  if filed is not null and (tg_op = 'DELETE'
    or (old.amount, old.currency, old.vat_amount, old.expense_date, old.supplier, old.supplier_tin) is distinct from
      (new.amount, new.currency, new.vat_amount, new.expense_date, new.supplier, new.supplier_tin))
  then
    raise exception 'The VAT return of % names this expense. Reopen the return first.',
      to_char(filed, 'FMMonth YYYY') using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$function$;

create or replace FUNCTION private.vat_lines_of(p_month date)
 RETURNS TABLE(box text, kind text, document_id uuid, document text, day date, party text, tin text, currency text, net numeric, rate numeric, vat numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with span as (
    select (select min(r.registered_from) from public.vat_registrations r) as first,
      (p_month + interval '1 month - 1 day')::date as last
  ), filed as materialized (
    select l.kind, l.document_id from public.vat_return_lines l join public.vat_returns r on r.id = l.return_id
    where r.status <> 'prepared'
  )
  select l.vat_treatment, 'invoice', i.id, i.number, i.issued_on, i.bill_to ->> 'name', i.bill_to ->> 'tin', i.currency,
    sum(l.amount), l.tax_rate, sum(l.tax_amount)
  from span s
  join public.invoices i on i.status <> 'draft' and i.period_end >= s.first and i.issued_on <= s.last
  join public.invoice_lines l on l.invoice_id = i.id and l.vat_treatment is not null
  where not exists (select from filed f where f.kind = 'invoice' and f.document_id = i.id)
  group by i.id, l.vat_treatment, l.tax_rate
  union all
  select l.vat_treatment, 'credit_note', n.id, n.number, n.issued_on, i.bill_to ->> 'name', i.bill_to ->> 'tin',
    n.currency, -sum(c.amount), l.tax_rate, -sum(c.tax_amount)
  from span s
  join public.credit_notes n on n.issued_on between s.first and s.last
  join public.invoices i on i.id = n.invoice_id
  join public.credit_note_lines c on c.credit_note_id = n.id
  join public.invoice_lines l on l.id = c.invoice_line_id and l.vat_treatment is not null
  where not exists (select from filed f where f.kind = 'credit_note' and f.document_id = n.id)
  group by n.id, i.bill_to, l.vat_treatment, l.tax_rate
  union all
  select 'input', 'expense', e.id, e.title, e.expense_date, e.supplier, e.supplier_tin, e.currency,
    e.amount - e.vat_amount, null, e.vat_amount
  from span s join public.expense_reports e on e.expense_date between s.first and s.last and e.vat_amount > 0
  where not exists (select from filed f where f.kind = 'expense' and f.document_id = e.id);
$function$;

create or replace FUNCTION private.journal_entries(p_from date, p_to date)
 RETURNS TABLE(day date, kind text, document text, place integer, key text, amount numeric, currency text, text text, opens uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 10000
 SET search_path TO ''
AS $function$
  with runs as materialized (
    -- A locked run that was voided is booked, and booked back on the day of voiding.
    select r.id, r.currency, b.day, b.sign, b.kind,
      format('PAY %s %s %s', r.period_end, r.pay_group, r.currency) as document,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from public.pay_runs r
    cross join lateral (values
      ('pay_run', r.period_end, 1), ('pay_run_void', private.company_date_of(r.voided_at), -1)
    ) b (kind, day, sign)
    where r.locked_at is not null and b.day between p_from and p_to
  ), sums as materialized (
    select s.* from private.run_sums(array(select distinct r.id from runs r)) s
  ), invoices as (
    select i.issued_on as day, 'invoice' as kind, i.number as document, i.currency, 1 as sign, i.total, i.tax,
      c.name as text, i.id as opens
    from public.invoices i join public.clients c on c.id = i.client_id
    where i.status <> 'draft' and i.issued_on between p_from and p_to
    union all
    select n.issued_on, 'credit_note', n.number, n.currency, -1, n.amount, n.tax,
      format('%s, %s: %s', c.name, i.number, n.reason), i.id
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id join public.clients c on c.id = n.client_id
    where n.issued_on between p_from and p_to
  ), booked as (
    select r.*, 'receipt' as kind, r.received_on as day, 1 as sign
    from public.receipts r where r.received_on between p_from and p_to
    union all
    select r.*, 'receipt_void', private.company_date_of(r.voided_at), -1
    from public.receipts r
    where r.voided_at is not null and private.company_date_of(r.voided_at) between p_from and p_to
  ), methods as materialized (
    select m.method, private.receipt_method_text(m.method) as text from (select distinct b.method from booked b) m
  ), receipts as (
    select b.day, b.kind, format('RCT %s', upper(left(b.id::text, 8))) as document, b.currency,
      b.sign * b.amount as amount, b.sign * b.withheld as withheld,
      case b.method when 'cash' then 'cash' when 'mobile_money' then 'mobile_money' when 'write_off' then 'written_off'
        else 'bank' end as key,
      concat_ws(', ', c.name, m.text, b.reference) as text, b.client_id as opens
    from booked b join public.clients c on c.id = b.client_id join methods m on m.method = b.method
  ), paid as (
    -- What the bank returned is booked on the day it was paid, and booked back on the day of the return.
    select p.day, p.kind, format('%s %s %s %s', case p.kind when 'payment' then 'PAID' else 'RETURNED' end,
        r.period_end, r.pay_group, r.currency) as document, p.currency, p.key, p.amount, p.pay_run_id as opens,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from (
      select b.day, b.kind, p.pay_run_id, p.currency,
        case p.channel when 'cash' then 'cash' when 'bank' then 'bank' else 'mobile_money' end as key,
        sum(b.sign * p.amount) as amount
      from public.payments p
      cross join lateral (values ('payment', p.paid_on, 1), ('payment_return', p.returned_on, -1)) b (kind, day, sign)
      where p.status in ('paid', 'returned') and b.day between p_from and p_to
      group by 1, 2, 3, 4, 5
    ) p
    join public.pay_runs r on r.id = p.pay_run_id
  ), expenses as (
    select e.expense_date as day, format('EXP %s', upper(left(e.id::text, 8))) as document, e.currency, e.amount,
      e.vat_amount,
      'expense_' || e.category as cost, e.paid_from, concat_ws(', ', e.title, e.supplier) as text,
      e.id as opens
    from public.expense_reports e where e.expense_date between p_from and p_to
  ), returns as (
    select b.day, b.kind, format('VAT %s', to_char(r.month, 'YYYY-MM')) as document, a.currency,
      case b.kind when 'vat_return' then a.input else a.paid end as amount,
      case b.kind when 'vat_return' then 'vat_input' else r.paid_from end as key,
      'VAT of ' || to_char(r.month, 'FMMonth YYYY') as text, 'tax_payable' as owed, r.id as opens
    from public.vat_returns r
    cross join lateral (values ('vat_return', r.filed_on), ('vat_payment', r.paid_on)) b (kind, day)
    cross join lateral (
      values ('USD', r.input_usd, r.paid_usd), ('LRD', r.input_lrd, r.paid_lrd)
    ) a (currency, input, paid)
    where b.day between p_from and p_to
    union all
    select r.paid_on, r.kind || '_payment', format('%s %s', upper(r.kind), to_char(r.month, 'YYYY-MM')), a.currency,
      a.paid, r.paid_from, format('%s of %s', upper(r.kind), to_char(r.month, 'FMMonth YYYY')),
      case r.kind when 'paye' then 'income_tax_payable' else 'nasscorp_payable' end, r.id
    from public.pay_returns r
    cross join lateral (values ('USD', r.paid_usd), ('LRD', r.paid_lrd)) a (currency, paid)
    where r.paid_on between p_from and p_to
  )
  select i.day, i.kind, i.document, e.place, e.key, i.sign * e.amount, i.currency, i.text, i.opens
  from invoices i
  cross join lateral (values
    (1, 'receivables', i.total), (2, 'revenue', i.tax - i.total), (3, 'tax_payable', -i.tax)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text, r.opens
  from receipts r cross join lateral (values
    (1, r.key, r.amount), (2, 'tax_withheld', r.withheld), (3, 'receivables', -(r.amount + r.withheld))
  ) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, r.sign * e.amount, r.currency, r.text, r.id
  from runs r join sums s on s.pay_run_id = r.id
  cross join lateral (values
    (1, 'wages', s.gross), (2, 'employer_contributions', s.employer_cost), (3, 'income_tax_payable', s.income_tax),
    (4, 'nasscorp_payable', s.nasscorp), (5, 'staff_advances', s.staff_advances),
    (6, 'other_deductions', s.other_deductions), (7, 'nasscorp_payable', -s.employer_cost),
    (9, 'wages_payable', -s.net)) e (place, key, amount)
  union all
  select p.day, p.kind, p.document, e.place, e.key, e.amount, p.currency, p.text, p.opens
  from paid p cross join lateral (values (1, 'wages_payable', p.amount), (2, p.key, -p.amount)) e (place, key, amount)
  union all
  select x.day, 'expense', x.document, e.place, e.key, e.amount, x.currency, x.text, x.opens
  from expenses x cross join lateral (values
    (1, x.cost, x.amount - x.vat_amount), (2, 'vat_input', x.vat_amount), (3, x.paid_from, -x.amount)
  ) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text, r.opens
  from returns r
  cross join lateral (values (1, r.owed, r.amount), (2, r.key, -r.amount)) e (place, key, amount)
  union all
  select s.* from private.staff_entries(p_from, p_to) s
  union all
  select f.* from private.refund_entries(p_from, p_to) f
  union all
  select h.* from private.entries_by_hand(p_from, p_to) h;
$function$;

create or replace FUNCTION private.bank_movements(p_ledger text, p_currency text)
 RETURNS TABLE(kind text, id uuid, day date, amount numeric, document text, text text, marks text[], name text, bank_account_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 5000
 SET search_path TO ''
 SET work_mem TO '64MB'
AS $function$
  select 'receipt', r.id, b.day, b.sign * r.amount, format('RCT %s', upper(left(r.id::text, 8))),
    concat_ws(', ', c.name, r.reference), array_append(a.numbers, r.reference), c.name, r.bank_account_id
  from public.receipts r
  join public.clients c on c.id = r.client_id
  cross join lateral (
    values (r.received_on, 1), (private.company_date_of(r.voided_at), -1)
  ) b (day, sign)
  cross join lateral (
    select array_agg(i.number) as numbers
    from public.receipt_allocations x join public.invoices i on i.id = x.invoice_id where x.receipt_id = r.id
  ) a
  where r.amount > 0 and r.currency = p_currency and b.day is not null
    and r.method in ('bank', 'cheque', 'mobile_money')
    and p_ledger = case r.method when 'mobile_money' then 'mobile_money' else 'bank' end
  union all
  select b.kind, f.id, b.day, b.sign * f.amount, format('RFD %s', upper(left(f.id::text, 8))),
    concat_ws(', ', 'Refund of ' || c.name, f.reference), array[f.reference], c.name, f.bank_account_id
  from public.refunds f
  join public.clients c on c.id = f.client_id
  cross join lateral (values ('refund', f.paid_on, -1), ('refund_return', f.returned_on, 1)) b (kind, day, sign)
  where f.currency = p_currency and b.day is not null
    and p_ledger = case f.method when 'mobile_money' then 'mobile_money' when 'cash' then 'cash' else 'bank' end
  union all
  -- A file of payments is one sum, or as many as there are days on which the bank paid it.
  select 'payment_file', p.payment_file_id, p.paid_on, -sum(p.amount),
    format('PAID %s %s %s', r.period_end, r.pay_group, r.currency),
    format('%s pay, %s, file %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end), f.number),
    '{}', 'wages', null
  from public.payments p
  join public.payment_files f on f.id = p.payment_file_id
  join public.pay_runs r on r.id = p.pay_run_id
  where p.status in ('paid', 'returned') and p.currency = p_currency
    and p_ledger = case when p.channel in ('mtn_momo', 'orange_money') then 'mobile_money' else p.channel end
  group by p.payment_file_id, p.paid_on, r.id, f.number
  union all
  select 'payment_return', p.id, p.returned_on, p.amount,
    format('RETURNED %s %s %s', r.period_end, r.pay_group, r.currency), concat_ws(', ', p.account_name, p.failure),
    array[p.code, p.reference], p.account_name, null
  from public.payments p join public.pay_runs r on r.id = p.pay_run_id
  where p.status = 'returned' and p.currency = p_currency
    and p_ledger = case when p.channel in ('mtn_momo', 'orange_money') then 'mobile_money' else p.channel end
  union all
  select 'expense', e.id, e.expense_date, -e.amount, format('EXP %s', upper(left(e.id::text, 8))),
    concat_ws(', ', e.title, e.supplier), '{}', e.supplier, null
  from public.expense_reports e where e.currency = p_currency and e.paid_from = p_ledger
  union all
  select 'vat_return', r.id, r.paid_on, -a.paid, format('VAT %s', to_char(r.month, 'YYYY-MM')),
    'VAT of ' || to_char(r.month, 'FMMonth YYYY'), array[r.paid_reference, r.filed_reference], null, null
  from public.vat_returns r
  cross join lateral (select case p_currency when 'USD' then r.paid_usd else r.paid_lrd end as paid) a
  where r.paid_from = p_ledger and a.paid > 0
  union all
  select 'pay_return', r.id, r.paid_on, -a.paid, format('%s %s', upper(r.kind), to_char(r.month, 'YYYY-MM')),
    format('%s of %s', upper(r.kind), to_char(r.month, 'FMMonth YYYY')), array[r.paid_reference, r.filed_reference],
    null, null
  from public.pay_returns r
  cross join lateral (select case p_currency when 'USD' then r.paid_usd else r.paid_lrd end as paid) a
  where r.paid_from = p_ledger and a.paid > 0
  union all
  select 'staff', l.id, l.day, case l.entry when 'issue' then -l.amount else l.amount end,
    format('ADV %s', upper(left(l.id::text, 8))), format('%s of %s', initcap(l.kind), s.full_name), '{}', s.full_name,
    null
  from public.staff_ledger l join public.staff s on s.id = l.staff_id
  where l.payslip_line_id is null and l.entry <> 'write_off' and not (l.entry = 'issue' and l.kind = 'uniform')
    and l.currency = p_currency and l.paid_from = p_ledger
  union all
  select 'payroll', p.id, p.payment_date, -p.net_amount, format('PAYROLL PAID %s %s', p.payment_date, p.currency),
    'Payroll by hand of ' || s.full_name, '{}', s.full_name, null
  from public.payroll p join public.staff s on s.id = p.staff_id
  where p_ledger = 'bank' and p.payment_status = 'paid' and p.payment_date is not null and p.currency = p_currency
    and p.net_amount <> 0 and not exists (select from public.payslips x where x.payroll_id = p.id)
  union all
  select 'entry', l.id, b.day, b.sign * l.amount, format('ENT %s', upper(left(e.id::text, 8))), e.description, '{}',
    null, null
  from public.book_entry_lines l
  join public.book_entries e on e.id = l.entry_id
  cross join lateral (values (e.day, 1), (private.company_date_of(e.voided_at), -1)) b (day, sign)
  where l.account = p_ledger and l.currency = p_currency and b.day is not null;
$function$;

create or replace FUNCTION private.margin_facts(p_from date, p_to date, p_currency text)
 RETURNS TABLE(site_id uuid, client_id uuid, month date, currency text, billed numeric, wages numeric, employer numeric, direct numeric, billed_minutes bigint, worked_minutes bigint, rate numeric, contract_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  with days as materialized (
    select d.day, private.pay_rate('lrd_per_usd', d.day) as lrd_per_usd
    from (
      select distinct e.expense_date as day from public.expense_reports e
      where e.site_id is not null and e.expense_date between p_from and p_to
    ) d
  ), facts as (
    select b.site_id, b.client_id, b.month, b.currency, b.amount as billed, null::numeric as wages,
      null::numeric as employer,
      null::numeric as direct, b.minutes as billed_minutes, null::bigint as worked_minutes, b.lrd_per_usd,
      b.contract_id
    from private.billed_by_site(p_from, p_to) b
    union all
    select w.site_id, s.client_id, w.month, w.currency, null, w.wages, w.employer, null, null, w.minutes, w.lrd_per_usd,
      null
    from private.wages_by_site(p_from, p_to) w left join public.sites s on s.id = w.site_id
    union all
    select e.site_id, s.client_id, date_trunc('month', e.expense_date)::date, e.currency, null, null, null, e.amount,
      null, null, d.lrd_per_usd, null
    from public.expense_reports e
    join days d on d.day = e.expense_date
    join public.sites s on s.id = e.site_id
    where e.expense_date between p_from and p_to
  ), factors as (
    select f.*, case when p_currency is null or p_currency = f.currency then 1
      when p_currency = 'LRD' then f.lrd_per_usd else 1 / f.lrd_per_usd end as factor
    from facts f
  )
  select f.site_id, f.client_id, f.month, case when f.factor is null then f.currency
    else coalesce(p_currency, f.currency) end,
    f.billed * coalesce(f.factor, 1), f.wages * coalesce(f.factor, 1), f.employer * coalesce(f.factor, 1),
    f.direct * coalesce(f.factor, 1), f.billed_minutes, f.worked_minutes,
    case when f.factor <> 1 then f.lrd_per_usd end, f.contract_id
  from factors f;
$function$;

create or replace FUNCTION private.payments_ahead(p_until date)
 RETURNS TABLE(source text, currency text, day date, amount numeric, document text, opens uuid, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with today as materialized (
    select private.company_date() as day, date_trunc('month', private.company_date()::timestamp)::date as month
  ), runs as materialized (
    select r.* from private.runs_ahead(p_until) r
  ), kinds as (
    select k.kind, coalesce(
      (select min(q.month) from public.pay_returns q where q.kind = k.kind and q.status <> 'prepared'),
      t.month - interval '1 month')::date as first
    from (values ('paye'), ('nasscorp')) k (kind) cross join today t
  ), withheld as (
    select k.kind, date_trunc('month', r.period_end::timestamp)::date as month, r.currency,
      sum(case k.kind when 'paye' then r.income_tax else r.nasscorp end) as amount,
      bool_or(r.is_estimate) as is_estimate
    from kinds k join runs r on r.period_end >= k.first
    where not exists (
      select from public.pay_returns q
      where q.kind = k.kind and q.month = date_trunc('month', r.period_end::timestamp)::date
    )
    group by 1, 2, 3
  ), spent as (
    select 'expenses' as source, e.currency, sum(e.amount) as amount
    from today t join public.expense_reports e on e.expense_date > t.day - 91 and e.expense_date <= t.day
    group by e.currency
    union all
    select 'loans', l.currency, -sum(l.amount)
    from today t
    join public.book_entries b on b.kind = 'loan' and b.voided_at is null and b.day > t.day - 91 and b.day <= t.day
    join public.book_entry_lines l on l.entry_id = b.id and l.amount < 0
      and l.account in ('bank', 'cash', 'mobile_money')
    group by l.currency
  )
  select 'pay_runs', r.currency, r.day, r.unpaid, format('%s pay, %s', initcap(r.pay_group),
      private.period_text(r.period_start, r.period_end)), r.pay_run_id,
    case when r.is_estimate then 'Like the last locked run.' else 'Net pay that is not paid yet.' end
  from runs r where r.unpaid > 0
  union all
  select w.kind, w.currency, greatest(t.day, private.pay_return_due_on(w.month)), w.amount,
    format('%s of %s', upper(w.kind), to_char(w.month, 'FMMonth YYYY')), null,
    case when w.is_estimate then 'Like the last locked run.' else 'From the pay runs of the month.' end
  from withheld w cross join today t where w.amount > 0
  union all
  select q.kind, a.currency, greatest(t.day, private.pay_return_due_on(q.month)), a.amount,
    format('%s of %s', upper(q.kind), to_char(q.month, 'FMMonth YYYY')), null, format('The return is %s.', q.status)
  from public.pay_returns q cross join today t
  cross join lateral (values ('USD', q.due_usd), ('LRD', q.due_lrd - q.brought_forward)) a (currency, amount)
  where q.status <> 'paid' and a.amount > 0
  union all
  -- No source names the day on which VAT is due: the 21st of the next month, as it was for GST.
  select 'vat', a.currency, greatest(t.day, (v.month + interval '1 month 20 days')::date), a.amount,
    'VAT of ' || to_char(v.month, 'FMMonth YYYY'), null, 'The return is filed.'
  from public.vat_returns v cross join today t
  cross join lateral (
    values ('USD', v.output_usd - v.input_usd), ('LRD', v.output_lrd - v.input_lrd - v.brought_forward)
  ) a (currency, amount)
  where v.status = 'filed' and a.amount > 0
  union all
  select 'vat', l.currency, greatest(t.day, (date_trunc('month', l.day::timestamp) + interval '1 month 20 days')::date),
    sum(case l.box when 'input' then -l.vat else l.vat end), 'VAT of ' || to_char(min(l.day), 'FMMonth YYYY'), null,
    'From documents that no filed return has.'
  from today t cross join lateral private.vat_lines_of(t.month) l
  group by t.day, l.currency, date_trunc('month', l.day::timestamp)
  having sum(case l.box when 'input' then -l.vat else l.vat end) > 0
  union all
  select s.source, s.currency, t.day + 7 * w.week - 1, round(s.amount / private.cash_weeks(), 2),
    case s.source when 'loans' then 'Repayments of loans' else 'Expenses' end, null,
    'An average week of the last 13, from the books.'
  from spent s cross join today t cross join generate_series(1, private.cash_weeks()) w (week)
  where s.amount > 0;
$function$;

create or replace FUNCTION public.cashflow_entries(p_currency text, p_figure text)
 RETURNS TABLE(source text, id uuid, title text, at date, amount numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select 'Bank account', b.id, b.bank_name || ', ' || b.account_title, b.statement_period_end,
    case when p_figure = 'bank_balance' and b.balance_type = 'Dr' then -1 else 1 end * coalesce(b.current_balance, 0)
  from public.bank_accounts b
  where b.currency = p_currency
    and (p_figure = 'bank_balance'
      or (p_figure = 'inflows' and b.balance_type = 'Cr')
      or (p_figure = 'outflows' and b.balance_type = 'Dr'))
  union all
  select 'Loan account', l.id, l.bank_name || ', ' || l.account_title, l.statement_period_end,
    case p_figure
      when 'inflows' then coalesce(l.total_credit, 0)
      when 'outflows' then coalesce(l.total_debit, 0)
      else coalesce(l.current_balance, 0)
    end
  from public.loans l
  where l.currency = p_currency and p_figure in ('inflows', 'outflows', 'loan_balance')
  union all
  select 'Financial statement', f.id, f.title, f.period_end,
    case p_figure when 'inflows' then coalesce(f.total_revenue, 0) else coalesce(f.total_expenses, 0) end
  from public.financial_statements f
  where p_currency = 'USD' and p_figure in ('inflows', 'outflows')
  union all
  select 'Expense', e.id, e.title, e.expense_date, e.amount
  from public.expense_reports e where e.currency = p_currency and p_figure = 'outflows';
$function$;

drop index public.expense_reports_of_sites_idx;

CREATE INDEX expense_reports_of_sites_idx ON public.expense_reports USING btree (expense_date, site_id) INCLUDE (amount, currency) WHERE (site_id IS NOT NULL);

drop trigger y_books on public.expense_reports;

create trigger y_books after update on public.expense_reports
  for each row when ( (old.title, old.amount, old.category, old.expense_date, old.report_type, old.notes,
      old.receipt_path, old.supplier, old.supplier_tin, old.vat_amount, old.paid_from, old.currency)
      is distinct from (new.title, new.amount, new.category, new.expense_date, new.report_type, new.notes,
      new.receipt_path, new.supplier, new.supplier_tin, new.vat_amount, new.paid_from, new.currency)
      or new.site_id is not null and old.site_id is distinct from new.site_id)
  execute function private.keep_closed_books('expense_date');

alter table public.expense_reports add constraint expense_reports_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'LRD'::text])));

grant execute on function public.expense_totals(date, date) to authenticated;
