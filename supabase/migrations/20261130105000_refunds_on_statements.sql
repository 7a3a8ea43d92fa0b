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
  from public.expense_reports e where p_currency = 'USD' and e.paid_from = p_ledger
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

create or replace FUNCTION public.closing_work(p_month date)
 RETURNS TABLE(item text, amount integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  first constant date := date_trunc('month', p_month::timestamp)::date;
  last constant date := (date_trunc('month', p_month::timestamp) + interval '1 month - 1 day')::date;
begin
  perform private.require_billing_role();
  perform private.require_day(p_month, 'month');
  return query
  select 'timesheets', count(*)::integer from public.timesheets t
  where t.period_end between first and last and t.status in ('open', 'submitted');
  return query
  select 'unbilled', coalesce(sum(u.guards), 0)::integer from public.unbilled_totals(first, last) u
  where u.reason not in ('waived', 'above_headcount', 'on_demand', 'not_due');
  return query
  select 'invoices_draft', count(*)::integer from public.invoices i
  where i.status = 'draft' and i.period_end between first and last;
  return query
  select i.item, count(*) filter (where r.status = any (i.statuses))::integer
  from (values ('pay_runs', '{draft,calculated,in_review,approved}'::text[]), ('pay_runs_unpaid', '{locked}'::text[]))
    i (item, statuses)
  left join public.pay_runs r on r.period_end between first and last group by i.item;
  return query
  select 'payroll', count(*)::integer from public.payroll p
  where p.payment_status = 'pending' and p.period_end between first and last and not private.is_of_pay_run(p.id);
  return query
  select 'adjustments', count(*)::integer from public.pay_adjustments a
  where a.status = 'to_decide' and a.period_end between first and last;
  return query
  select 'pay_returns', count(*)::integer from public.pay_returns_to_file() r where r.month = first;
  return query
  select 'vat_return', count(*)::integer from public.vat_months() v
  where v.month = first and v.status not in ('filed', 'paid');
  return query
  select 'bank_lines', count(*)::integer from public.bank_lines l
  where l.matched_at is null and l.day between first and last;
  return query
  select 'refunds', count(*)::integer from public.refunds f
  where f.status = 'asked' and f.created_at < private.company_midnight(last + 1);
end
$function$;

alter table public.bank_matches drop constraint bank_matches_kind_check;

alter table public.bank_matches add constraint bank_matches_kind_check CHECK ((kind = ANY (ARRAY['receipt'::text, 'refund'::text, 'refund_return'::text, 'payment_file'::text, 'payment_return'::text, 'expense'::text, 'vat_return'::text, 'pay_return'::text, 'staff'::text, 'payroll'::text, 'entry'::text])));
