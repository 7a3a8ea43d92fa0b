-- Sums of locked pay runs, so that the journal and the returns need not read every line of every payslip.

-- Nothing of a run changes once it is locked, also when it is voided later, so its sums are written once.
create table private.pay_run_sums (
  pay_run_id uuid primary key references public.pay_runs (id) on delete cascade,
  gross numeric not null,
  taxable numeric not null,
  employer_cost numeric not null,
  net numeric not null,
  -- Of lines, as they are stored: negative. Null without a line.
  income_tax numeric,
  nasscorp numeric,
  staff_advances numeric,
  other_deductions numeric
);
alter table private.pay_run_sums enable row level security;
revoke all on private.pay_run_sums from public, anon, authenticated, service_role;

-- From payslips and their lines.
create function private.computed_run_sums(p_runs uuid[]) returns setof private.pay_run_sums
language sql stable security definer set search_path = '' as $$
  with slips as materialized (
    select s.id, s.pay_run_id, s.gross, s.taxable, s.employer_cost, s.net from public.payslips s where s.pay_run_id = any (p_runs)
  ), lines as (
    select s.pay_run_id, sum(l.amount) filter (where l.kind = 'income_tax') as income_tax,
      sum(l.amount) filter (where l.kind = 'nasscorp') as nasscorp,
      sum(l.amount) filter (where l.kind in ('advance', 'loan', 'uniform')) as staff_advances,
      sum(l.amount) filter (where l.kind in ('deduction', 'other')) as other_deductions
    from slips s join public.payslip_lines l on l.payslip_id = s.id
    where l.kind in ('income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform', 'other')
    group by s.pay_run_id
  )
  select s.pay_run_id, sum(s.gross), sum(s.taxable), sum(s.employer_cost), sum(s.net), l.income_tax, l.nasscorp, l.staff_advances,
    l.other_deductions
  from slips s left join lines l on l.pay_run_id = s.pay_run_id
  group by s.pay_run_id, l.income_tax, l.nasscorp, l.staff_advances, l.other_deductions;
$$;

-- Stored where they are. Only of runs that are or were locked, and of none without payslips.
create function private.run_sums(p_runs uuid[]) returns setof private.pay_run_sums
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select s.* from private.pay_run_sums s where s.pay_run_id = any (p_runs);
  return query select c.* from private.computed_run_sums(array(
    select r from unnest(p_runs) r where not exists (select from private.pay_run_sums s where s.pay_run_id = r)
  )) c;
end
$$;

-- One run a time, the newest first. Until it has run, the lines themselves are read.
create function private.sum_locked_runs() returns void
language sql security definer set search_path = '' as $$
  insert into private.pay_run_sums
  select c.* from private.computed_run_sums(array(
    select r.id from public.pay_runs r
    where r.locked_at is not null and r.status in ('locked', 'paid', 'void')
      and not exists (select from private.pay_run_sums s where s.pay_run_id = r.id)
      and exists (select from public.payslips p where p.pay_run_id = r.id)
    order by r.period_end desc, r.id limit 1
  )) c
  on conflict do nothing;
$$;

create index invoices_issued_on_idx on public.invoices (issued_on);
create index receipts_voided_at_idx on public.receipts (voided_at) where voided_at is not null;

-- As before, but with the sums of runs.
create or replace function private.journal_entries(p_from date, p_to date)
returns table (day date, kind text, document text, place integer, key text, amount numeric, currency text, text text)
language sql stable rows 10000 security definer set search_path = '' as $$
  with runs as materialized (
    -- A locked run that was voided is booked, and booked back on the day of voiding.
    select r.id, r.currency, b.day, b.sign, b.kind, format('PAY %s %s %s', r.period_end, r.pay_group, r.currency) as document,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from public.pay_runs r
    cross join lateral (values
      ('pay_run', r.period_end, 1), ('pay_run_void', private.company_date_of(r.voided_at), -1)
    ) b (kind, day, sign)
    where r.locked_at is not null and b.day between p_from and p_to
  ), sums as materialized (
    select s.* from private.run_sums(array(select distinct r.id from runs r)) s
  ), invoices as (
    select i.issued_on as day, 'invoice' as kind, i.number as document, i.currency, 1 as sign, i.total, i.tax, c.name as text
    from public.invoices i join public.clients c on c.id = i.client_id
    where i.status <> 'draft' and i.issued_on between p_from and p_to
    union all
    select n.issued_on, 'credit_note', n.number, n.currency, -1, n.amount, n.tax, format('%s, %s: %s', c.name, i.number, n.reason)
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
    select b.day, b.kind, format('RCT %s', upper(left(b.id::text, 8))) as document, b.currency, b.sign * b.amount as amount,
      case b.method when 'cash' then 'cash' when 'mobile_money' then 'mobile_money' else 'bank' end as key,
      concat_ws(', ', c.name, m.text, b.reference) as text
    from booked b join public.clients c on c.id = b.client_id join methods m on m.method = b.method
  ), paid as (
    select p.paid_on as day, format('PAID %s %s %s', r.period_end, r.pay_group, r.currency) as document, p.currency, p.key,
      p.amount, format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from (
      select p.paid_on, p.pay_run_id, p.currency,
        case p.channel when 'cash' then 'cash' when 'bank' then 'bank' else 'mobile_money' end as key, sum(p.amount) as amount
      from public.payments p
      where p.status = 'paid' and p.paid_on between p_from and p_to
      group by 1, 2, 3, 4
    ) p
    join public.pay_runs r on r.id = p.pay_run_id
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
  from runs r join sums s on s.pay_run_id = r.id
  cross join lateral (values
    (1, 'wages', s.gross), (2, 'employer_contributions', s.employer_cost), (3, 'income_tax_payable', s.income_tax),
    (4, 'nasscorp_payable', s.nasscorp), (5, 'staff_advances', s.staff_advances),
    (6, 'other_deductions', s.other_deductions), (7, 'nasscorp_payable', -s.employer_cost),
    (9, 'wages_payable', -s.net)) e (place, key, amount)
  union all
  select p.day, 'payment', p.document, e.place, e.key, e.amount, p.currency, p.text
  from paid p cross join lateral (values (1, 'wages_payable', p.amount), (2, p.key, -p.amount)) e (place, key, amount);
$$;

revoke all on all functions in schema private from public;
