-- Journal lines for an accountant's package: invoices, credit notes, receipts, pay runs and their payments, each document
-- balanced in its own currency.

-- Which account each kind of amount is booked to. The keys are fixed; codes and names are the company's.
create table public.chart_of_accounts (
  id uuid primary key default gen_random_uuid(),
  key text not null unique check (key in ('receivables', 'revenue', 'tax_payable', 'bank', 'cash', 'mobile_money',
    'wages', 'employer_contributions', 'income_tax_payable', 'nasscorp_payable', 'wages_payable', 'staff_advances',
    'other_deductions')),
  code text not null check (char_length(code) between 1 and 20),
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into public.chart_of_accounts (key, code, name) values
  ('bank', '1000', 'Bank'),
  ('cash', '1010', 'Cash'),
  ('mobile_money', '1020', 'Mobile money'),
  ('receivables', '1100', 'Accounts receivable'),
  ('staff_advances', '1200', 'Advances and loans to staff'),
  ('income_tax_payable', '2100', 'Income tax withheld'),
  ('nasscorp_payable', '2110', 'NASSCORP payable'),
  ('tax_payable', '2120', 'Tax on sales payable'),
  ('wages_payable', '2200', 'Wages payable'),
  ('other_deductions', '2210', 'Deductions from pay payable'),
  ('revenue', '4000', 'Security services'),
  ('wages', '5000', 'Wages'),
  ('employer_contributions', '5010', 'Social security of the employer');

create function private.keep_account_key() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.key = old.key then
    return new;
  end if;
  raise exception 'The accounts of the chart stay; change their codes and names.' using errcode = 'PT409';
end
$$;
create trigger c_rules before update or delete on public.chart_of_accounts
  for each row execute function private.keep_account_key();
select private.tidy_texts_of('public.chart_of_accounts', 'code', 'name');
create trigger d_touch before update on public.chart_of_accounts
  for each row execute function private.touch();
select private.keep_history_of('public.chart_of_accounts');

alter table public.chart_of_accounts enable row level security;
revoke all on public.chart_of_accounts from anon, authenticated;
grant select, update (code, name) on public.chart_of_accounts to authenticated;
create policy "Admins and finance read the chart of accounts" on public.chart_of_accounts
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance change the chart of accounts" on public.chart_of_accounts
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
alter publication supabase_realtime add table public.chart_of_accounts;

-- Positive amounts are debits, negative ones credits.
create function private.journal_entries(p_from date, p_to date)
returns table (day date, kind text, document text, place integer, key text, amount numeric, currency text, text text)
language sql stable security definer set search_path = '' as $$
  with runs as (
    -- A locked run that was voided is booked, and booked back on the day of voiding.
    select r.id, r.currency, b.day, b.sign, b.kind, format('PAY %s %s %s', r.period_end, r.pay_group, r.currency) as document,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from public.pay_runs r
    cross join lateral (values
      ('pay_run', r.period_end, 1), ('pay_run_void', private.company_date_of(r.voided_at), -1)
    ) b (kind, day, sign)
    where r.locked_at is not null and b.day between p_from and p_to
  ), slips as (
    select r.id, r.kind, sum(s.gross) as gross, sum(s.employer_cost) as employer, sum(s.net) as net
    from runs r join public.payslips s on s.pay_run_id = r.id group by r.id, r.kind
  ), taken as (
    select r.id, r.kind, case l.kind when 'income_tax' then 'income_tax_payable' when 'nasscorp' then 'nasscorp_payable'
        when 'advance' then 'staff_advances' when 'loan' then 'staff_advances' when 'uniform' then 'staff_advances'
        else 'other_deductions' end as key, sum(l.amount) as amount
    from runs r
    join public.payslips s on s.pay_run_id = r.id
    join public.payslip_lines l on l.payslip_id = s.id
    where l.kind in ('income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform', 'other')
    group by 1, 2, 3
  ), invoices as (
    select i.issued_on as day, 'invoice' as kind, i.number as document, i.currency, 1 as sign, i.total, i.tax, c.name as text
    from public.invoices i join public.clients c on c.id = i.client_id
    where i.status <> 'draft' and i.issued_on between p_from and p_to
    union all
    select n.issued_on, 'credit_note', n.number, n.currency, -1, n.amount, n.tax, format('%s, %s: %s', c.name, i.number, n.reason)
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id join public.clients c on c.id = n.client_id
    where n.issued_on between p_from and p_to
  ), receipts as (
    select b.day, b.kind, format('RCT %s', upper(left(r.id::text, 8))) as document, r.currency, b.sign * r.amount as amount,
      case r.method when 'cash' then 'cash' when 'mobile_money' then 'mobile_money' else 'bank' end as key,
      concat_ws(', ', c.name, private.receipt_method_text(r.method), r.reference) as text
    from public.receipts r join public.clients c on c.id = r.client_id
    cross join lateral (values
      ('receipt', r.received_on, 1), ('receipt_void', private.company_date_of(r.voided_at), -1)
    ) b (kind, day, sign)
    where b.day between p_from and p_to
  ), paid as (
    select p.paid_on as day, format('PAID %s %s %s', r.period_end, r.pay_group, r.currency) as document, p.currency,
      case p.channel when 'cash' then 'cash' when 'bank' then 'bank' else 'mobile_money' end as key, sum(p.amount) as amount,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from public.payments p join public.pay_runs r on r.id = p.pay_run_id
    where p.status = 'paid' and p.paid_on between p_from and p_to
    group by p.paid_on, r.id, p.currency, 4
  )
  select i.day, i.kind, i.document, e.place, e.key, i.sign * e.amount, i.currency, i.text
  from invoices i
  cross join lateral (values
    (1, 'receivables', i.total), (2, 'revenue', i.tax - i.total), (3, 'tax_payable', -i.tax)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text
  from receipts r cross join lateral (values (1, r.key, r.amount), (2, 'receivables', -r.amount)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, r.sign * e.amount, r.currency, r.text
  from runs r join slips s on s.id = r.id and s.kind = r.kind
  cross join lateral (values
    (1, 'wages', s.gross), (2, 'employer_contributions', s.employer), (7, 'nasscorp_payable', -s.employer),
    (9, 'wages_payable', -s.net)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, case t.key when 'income_tax_payable' then 3 when 'nasscorp_payable' then 4
    when 'staff_advances' then 5 else 6 end, t.key, r.sign * t.amount, r.currency, r.text
  from runs r join taken t on t.id = r.id and t.kind = r.kind
  union all
  select p.day, 'payment', p.document, e.place, e.key, e.amount, p.currency, p.text
  from paid p cross join lateral (values (1, 'wages_payable', p.amount), (2, p.key, -p.amount)) e (place, key, amount);
$$;

-- [{day, kind, document, account_code, account_name, debit, credit, currency, text}] of at most 400 days, as one document,
-- so that no limit on rows cuts it short. Amounts are texts with two decimals.
create function public.journal_lines(p_from date, p_to date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'The period must be at most 400 days.' using errcode = 'invalid_parameter_value';
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('day', j.day, 'kind', j.kind, 'document', j.document,
      'account_code', a.code, 'account_name', a.name, 'debit', greatest(j.amount, 0)::text,
      'credit', greatest(-j.amount, 0)::text, 'currency', j.currency, 'text', j.text)
      order by j.day, j.kind, j.document, j.currency desc, j.place), '[]')
    from private.journal_entries(p_from, p_to) j join public.chart_of_accounts a on a.key = j.key
    where j.amount <> 0
  );
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.journal_lines from public, anon;
grant execute on function public.journal_lines to authenticated, service_role;
