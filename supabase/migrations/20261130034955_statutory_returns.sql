-- Functions name columns that come below.
set local check_function_bodies = off;

delete from private.personal_data r where to_jsonb(r) @> '{"texts": [], "newest": "1", "target": "public.staff", "belongs": "r.id = $2", "blanked": ["email", "phone", "end_reason"], "withheld": [], "is_shared": false, "on_erasure": "blank"}';

create or replace FUNCTION private.tidy_staff()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin
  if new.full_name = '' or new.full_name <> btrim(new.full_name, ' 	
        ​ 　﻿') then
    new.full_name := nullif(btrim(new.full_name, ' 	
        ​ 　﻿'), '');
  end if;
  if new.email = '' or new.email <> btrim(new.email, ' 	
        ​ 　﻿') then
    new.email := nullif(btrim(new.email, ' 	
        ​ 　﻿'), '');
  end if;
  if new.phone = '' or new.phone <> btrim(new.phone, ' 	
        ​ 　﻿') then
    new.phone := nullif(btrim(new.phone, ' 	
        ​ 　﻿'), '');
  end if;
  if new.tin = '' or new.tin <> btrim(new.tin, ' 	
        ​ 　﻿') then
    new.tin := nullif(btrim(new.tin, ' 	
        ​ 　﻿'), '');
  end if;
  if new.nasscorp_number = '' or new.nasscorp_number <> btrim(new.nasscorp_number, ' 	
        ​ 　﻿') then
    new.nasscorp_number := nullif(btrim(new.nasscorp_number, ' 	
        ​ 　﻿'), '');
  end if;
  return new;
end$function$;

create or replace FUNCTION public.statutory_schedule(p_month date, p_kind text, p_page integer DEFAULT 1, p_size integer DEFAULT NULL::integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
 SET work_mem TO '32MB'
AS $function$
declare
  first_day date;
  last_day date;
  rate_kinds text[];
begin
  perform private.require_pay_role();
  if p_month is null or p_month not between '2000-01-01' and '2100-12-31' then
    raise exception 'Choose a month.' using errcode = 'invalid_parameter_value';
  end if;
  rate_kinds := case p_kind
    when 'paye' then array['income_tax']
    when 'nasscorp' then array['nasscorp_employee', 'nasscorp_employer']
  end;
  if rate_kinds is null then
    raise exception 'A return is for paye or nasscorp.' using errcode = 'invalid_parameter_value';
  end if;
  if p_page is null or p_page not between 1 and 100000 or p_size not between 1 and 1000 then
    raise exception 'Choose a page, and a size of at most 1000.' using errcode = 'invalid_parameter_value';
  end if;
  first_day := date_trunc('month', p_month)::date;
  last_day := (first_day + interval '1 month - 1 day')::date;
  return (
    with known as materialized (
      select q.id from public.pay_returns q where q.kind = p_kind and q.month = first_day
    ), runs as materialized (
      select r.* from public.pay_runs r where r.period_end between first_day and last_day and r.status <> 'void'
    ), locked as materialized (
      select r.id, r.currency from runs r where r.status in ('locked', 'paid') and not exists (select from known)
    ), people as materialized (
      -- From an index alone: a payslip has the currency of its run.
      select s.staff_id, r.currency
      from locked r join public.payslips s on s.pay_run_id = r.id
      group by s.staff_id, r.currency
      union all
      select l.staff_id, l.currency from known k join public.pay_return_lines l on l.return_id = k.id
      group by l.staff_id, l.currency
    ), page as materialized (
      select p.staff_id, p.currency, f.full_name, f.tin, f.nasscorp_number, f.tax_resident
      from people p join public.staff f on f.id = p.staff_id
      order by p.currency desc, f.full_name, p.staff_id
      limit p_size offset (p_page - 1) * coalesce(p_size, 0)
    ), slips as (
      select p.staff_id, p.currency, p.full_name, p.tin, p.nasscorp_number, p.tax_resident, s.gross, s.taxable, t.tax,
        t.employee, s.employer_cost as employer
      from page p
      join locked r on r.currency = p.currency
      join public.payslips s on s.pay_run_id = r.id and s.staff_id = p.staff_id
      cross join lateral (
        select coalesce(sum(-l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
          coalesce(sum(-l.amount) filter (where l.kind = 'nasscorp'), 0) as employee
        from public.payslip_lines l where l.payslip_id = s.id
      ) t
      union all
      select p.staff_id, p.currency, p.full_name, l.tin, l.nasscorp_number, l.tax_resident, l.gross, l.taxable, l.tax,
        l.employee, l.employer
      from known k join public.pay_return_lines l on l.return_id = k.id
      join page p on p.staff_id = l.staff_id and p.currency = l.currency
    ), lines as (
      select s.staff_id, s.full_name, s.currency, max(s.tin) as tin, max(s.nasscorp_number) as nasscorp_number,
        bool_and(s.tax_resident) as tax_resident, count(*)::integer as payslips, sum(s.gross) as gross,
        sum(s.taxable) as taxable, sum(s.tax) as tax, sum(s.employee) as employee, sum(s.employer) as employer
      from slips s group by s.staff_id, s.full_name, s.currency
    ), parts as materialized (
      select * from private.parts_of_return((select k.id from known k), array(select r.id from locked r))
    )
    select jsonb_build_object(
      'month', first_day,
      'due_on', private.pay_return_due_on(first_day),
      'rates', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', t.kind, 'from_amount', t.from_amount, 'rate', t.rate,
          'effective_from', t.effective_from, 'source', t.source) order by t.kind, t.from_amount), '[]')
        from public.pay_rates t
        where t.kind = any (rate_kinds) and t.effective_from = (
          select coalesce(max(u.effective_from) filter (where u.effective_from <= last_day), min(u.effective_from))
          from public.pay_rates u where u.kind = t.kind)
      ),
      'exchange_rates', (
        select coalesce(jsonb_agg(distinct r.lrd_per_usd), '[]') from runs r
        where r.status in ('locked', 'paid') and r.lrd_per_usd is not null
      ),
      'runs', (select count(*) from runs r where r.status in ('locked', 'paid')),
      'open_runs', (select count(*) from runs r where r.status not in ('locked', 'paid')),
      'count', (select count(*) from people),
      'missing', (
        select count(distinct p.staff_id) from people p join public.staff f on f.id = p.staff_id
        where case p_kind when 'paye' then f.tin else f.nasscorp_number end is null
      ),
      'parts', (
        select coalesce(jsonb_agg(to_jsonb(p) order by p.is_reversal, p.period_end desc, p.pay_group,
          p.currency desc), '[]') from parts p
      ),
      'rows', (
        select coalesce(jsonb_agg(jsonb_build_object('staff_id', l.staff_id, 'full_name', l.full_name, 'tin', l.tin,
          'nasscorp_number', l.nasscorp_number, 'tax_resident', l.tax_resident, 'currency', l.currency,
          'payslips', l.payslips, 'gross', l.gross::text, 'taxable', l.taxable::text, 'tax', l.tax::text,
          'employee', l.employee::text, 'employer', l.employer::text)
          order by l.currency desc, l.full_name, l.staff_id), '[]')
        from lines l
      ),
      'totals', (
        select coalesce(jsonb_agg(to_jsonb(t) order by t.currency desc), '[]')
        from (
          select s.currency, (select count(*) from people p where p.currency = s.currency) as people,
            sum(s.gross::numeric)::text as gross, sum(s.taxable::numeric)::text as taxable,
            sum(s.tax::numeric)::text as tax, sum(s.employee::numeric)::text as employee,
            sum(s.employer::numeric)::text as employer
          from parts s group by s.currency
        ) t
      )
    )
  );
end
$function$;

-- It returns two columns more.
drop function public.my_payslips();

create function public.my_payslips()
 RETURNS TABLE(id uuid, full_name text, role text, period_start date, period_end date, base_amount numeric, deductions numeric, bonuses numeric, net_amount numeric, payment_date date, payment_status text, notes text, calculation jsonb, currency text, payslips jsonb, returned_on date, return_reason text, tin text, nasscorp_number text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p.id, s.full_name, s.role, p.period_start, p.period_end, p.base_amount, p.deductions, p.bonuses,
    p.net_amount, p.payment_date, p.payment_status, p.notes, p.calculation, p.currency,
    (select jsonb_build_object('gross', t.gross, 'deductions', t.deductions, 'net', t.net, 'currency', t.currency,
        'employer_cost', t.employer_cost, 'year_to_date', public.year_to_date(t), 'payslip_lines', (
          select coalesce(jsonb_agg(jsonb_build_object('position', l.position, 'kind', l.kind, 'label', l.label,
            'quantity', l.quantity, 'unit', l.unit, 'rate', l.rate, 'amount', l.amount, 'explanation', l.explanation)
              order by l.position), '[]')
          from public.payslip_lines l where l.payslip_id = t.id))
      from public.payslips t where t.payroll_id = p.id and t.published_at is not null),
    p.returned_on, p.return_reason, s.tin, s.nasscorp_number
  from public.staff s
  join public.payroll p on p.staff_id = s.id
  -- Null if the caller is not a member or has no staff record.
  where s.id = (select private.own_staff_id()) order by p.period_start desc, p.created_at desc;
$function$;

create or replace function private.journal_entries(p_from date, p_to date)
returns table (
  day date, kind text, document text, place integer, key text, amount numeric, currency text, text text, opens uuid
)
language sql stable security definer rows 10000 set search_path = '' as $function$
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
    -- In US dollars, like the list of expenses.
    select e.expense_date as day, format('EXP %s', upper(left(e.id::text, 8))) as document, e.amount, e.vat_amount,
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
  select x.day, 'expense', x.document, e.place, e.key, e.amount, 'USD', x.text, x.opens
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
  select h.* from private.entries_by_hand(p_from, p_to) h;
$function$;

create or replace FUNCTION public.file_vat_return(p_month date, p_filed_on date, p_reference text)
 RETURNS public.vat_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  filed public.vat_returns := private.vat_return_to_change(p_month, 'prepared');
begin
  perform private.check_filing(p_month, p_filed_on, p_reference);
  if exists (
    with stored as materialized (
      select l.box, l.kind, l.document_id, l.document, l.day, l.party, l.tin, l.currency, l.net, l.rate, l.vat
      from public.vat_return_lines l where l.return_id = filed.id
    ), present as materialized (
      select d.* from private.vat_lines_of(p_month) d
    )
    (table stored except all table present) union all (table present except all table stored)
  ) then
    raise exception 'Documents have changed since this return was prepared. Prepare it again.' using errcode = 'PT409';
  end if;
  update public.vat_returns r set status = 'filed', filed_on = p_filed_on, filed_reference = p_reference,
    filed_by = auth.uid()
  where r.id = filed.id returning r.* into filed;
  return filed;
end
$function$;

create or replace FUNCTION public.pay_vat_return(p_month date, p_paid_on date, p_usd numeric, p_lrd numeric, p_paid_from text, p_reference text DEFAULT NULL::text)
 RETURNS public.vat_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  paid public.vat_returns := private.vat_return_to_change(p_month, 'filed');
begin
  perform private.check_tax_payment(paid.due, paid.lrd_per_usd, paid.filed_on, p_paid_on, p_usd, p_lrd, p_reference);
  update public.vat_returns r set status = 'paid', paid_on = p_paid_on, paid_usd = p_usd, paid_lrd = p_lrd,
    paid_from = p_paid_from, paid_reference = p_reference
  where r.id = paid.id returning r.* into paid;
  return paid;
end
$function$;

create or replace FUNCTION private.money_work(p_today date)
 RETURNS TABLE(item text, amount integer, urgent integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query select 'without_pay', count(*)::integer, 0 from public.people_without_pay();
  return query
  select 'adjustments', count(*)::integer, 0 from public.pay_adjustments j where j.status = 'to_decide';
  return query
  select r.item, count(p.id)::integer, 0
  from (values ('pay_runs_in_review', 'in_review'), ('pay_runs_calculated', 'calculated')) r (item, status)
  left join public.pay_runs p on p.status = r.status group by r.item;
  return query select 'rates', count(*)::integer, 0 from public.rate_proposals;
  return query
  select 'pay_returns', count(*)::integer, count(*) filter (where p_today > r.due_on)::integer
  from public.pay_returns_to_file() r;
  return query select 'tax_numbers', count(*)::integer, 0 from public.missing_tax_numbers();
  return query select 'pay_accounts', count(*)::integer, 0 from public.pay_accounts a where a.verified_at is null;
  return query
  select i.item, i.amount::integer, 0
  from (
    select count(*) filter (where v.status = 'draft') as drafts,
      count(*) filter (where v.due_on < p_today and v.open_amount > 0) as overdue
    from public.invoices v
  ) s
  cross join lateral (values ('invoices_draft', s.drafts), ('invoices_overdue', s.overdue)) i (item, amount);
end
$function$;

grant execute on function public.my_payslips() to authenticated;

comment on function public.my_payslips() is 'Nullable: payment_date, notes, calculation, payslips, returned_on, return_reason, tin, nasscorp_number';

create table public.tax_number_formats ();

create table public.company_numbers ();

create table public.pay_returns ();

create table public.pay_return_lines ();

alter table public.staff add column tin text;

alter table public.staff add column nasscorp_number text;

alter table public.tax_number_formats add column kind text not null;

alter table public.tax_number_formats add column effective_from date not null;

alter table public.tax_number_formats add column mask text not null;

alter table public.tax_number_formats add column source text not null;

alter table public.tax_number_formats add column id uuid default gen_random_uuid() not null;

alter table public.tax_number_formats add column created_by uuid default auth.uid();

alter table public.tax_number_formats add column created_at timestamp with time zone default now() not null;

alter table public.company_numbers add column id uuid default gen_random_uuid() not null;

alter table public.company_numbers add column created_at timestamp with time zone default now() not null;

alter table public.company_numbers add column updated_at timestamp with time zone default now() not null;

alter table public.pay_returns add column kind text not null;

alter table public.pay_returns add column month date not null;

alter table public.pay_returns add column employer_number text;

alter table public.pay_returns add column lrd_per_usd numeric(14,4) not null;

alter table public.pay_returns add column filed_on date;

alter table public.pay_returns add column filed_reference text;

alter table public.pay_returns add column filed_by uuid;

alter table public.pay_returns add column paid_on date;

alter table public.pay_returns add column paid_from text;

alter table public.pay_returns add column paid_reference text;

alter table public.pay_returns add column reopened_reason text;

alter table public.pay_returns add column id uuid default gen_random_uuid() not null;

alter table public.pay_returns add column status text default 'prepared'::text not null;

alter table public.pay_returns add column due_usd numeric(16,2) default 0 not null;

alter table public.pay_returns add column due_lrd numeric(16,2) default 0 not null;

alter table public.pay_returns add column brought_forward numeric(16,2) default 0 not null;

alter table public.pay_returns add column due numeric(16,2) generated always as ((round(((due_usd * lrd_per_usd) + due_lrd), 2) - brought_forward)) stored not null;

alter table public.pay_returns add column prepared_by uuid default auth.uid();

alter table public.pay_returns add column prepared_at timestamp with time zone default now() not null;

alter table public.pay_returns add column paid_usd numeric(16,2) default 0 not null;

alter table public.pay_returns add column paid_lrd numeric(16,2) default 0 not null;

alter table public.pay_return_lines add column return_id uuid not null;

alter table public.pay_return_lines add column kind text not null;

alter table public.pay_return_lines add column payslip_id uuid not null;

alter table public.pay_return_lines add column pay_run_id uuid not null;

alter table public.pay_return_lines add column staff_id uuid not null;

alter table public.pay_return_lines add column is_reversal boolean not null;

alter table public.pay_return_lines add column month date not null;

alter table public.pay_return_lines add column tin text;

alter table public.pay_return_lines add column nasscorp_number text;

alter table public.pay_return_lines add column tax_resident boolean not null;

alter table public.pay_return_lines add column currency text not null;

alter table public.pay_return_lines add column gross numeric(16,2) not null;

alter table public.pay_return_lines add column taxable numeric(16,2) not null;

alter table public.pay_return_lines add column tax numeric(16,2) not null;

alter table public.pay_return_lines add column employee numeric(16,2) not null;

alter table public.pay_return_lines add column employer numeric(16,2) not null;

alter table public.pay_return_lines add column id uuid default gen_random_uuid() not null;

alter table public.company_numbers add column tin text;

alter table public.company_numbers add column nasscorp_number text;

CREATE OR REPLACE FUNCTION private.check_filing(p_month date, p_filed_on date, p_reference text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform private.require_day(p_filed_on, 'day of filing');
  if p_filed_on > private.company_date() or p_filed_on < p_month + interval '1 month' then
    raise exception 'The day of filing is after the month, and not in the future.'
      using errcode = 'invalid_parameter_value';
  end if;
  if nullif(btrim(p_reference), '') is null or char_length(p_reference) > 100 then
    raise exception 'Enter the reference of the authority, of at most 100 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_tax_payment(p_due numeric, p_lrd_per_usd numeric, p_filed_on date, p_paid_on date, p_usd numeric, p_lrd numeric, p_reference text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  missing numeric;
begin
  perform private.require_day(p_paid_on, 'day of payment');
  if p_paid_on > private.company_date() or p_paid_on < p_filed_on then
    raise exception 'The day of payment is not before the filing, and not in the future.'
      using errcode = 'invalid_parameter_value';
  end if;
  if p_usd is null or p_lrd is null or not p_usd between 0 and 999999999999.99 or p_usd <> round(p_usd, 2)
    or not p_lrd between 0 and 999999999999.99 or p_lrd <> round(p_lrd, 2)
  then
    raise exception 'Enter amounts in whole cents.' using errcode = 'invalid_parameter_value';
  end if;
  if char_length(p_reference) > 100 then
    raise exception 'A reference has at most 100 characters.' using errcode = 'invalid_parameter_value';
  end if;
  missing := greatest(p_due, 0) - p_lrd - round(p_usd * p_lrd_per_usd, 2);
  if abs(missing) > p_lrd_per_usd then
    raise exception '% is due, at % LRD for one US$. This is % too %.',
      private.money_text(greatest(p_due, 0), 'LRD'),
      trim_scale(p_lrd_per_usd), private.money_text(abs(missing), 'LRD'),
      case when missing > 0 then 'little' else 'much' end using errcode = 'invalid_parameter_value';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.tax_number_mask(p_kind text, p_on date)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select f.mask from public.tax_number_formats f where f.kind = p_kind
  order by f.effective_from <= p_on desc,
    case when f.effective_from <= p_on then p_on - f.effective_from else f.effective_from - p_on end
  limit 1;
$function$;

CREATE OR REPLACE FUNCTION private.tax_number_problem(p_kind text, p_number text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select format('%s: %s. "%s" has not.', case p_kind when 'tin' then 'A tax number (TIN) has'
      when 'nasscorp_person' then 'A NASSCORP number has' else 'The NASSCORP number of an employer has' end,
    case when m.mask ~ '^9+$' then format('%s digits and nothing else', char_length(m.mask))
      else format('the form %s, where 9 is a digit and A a capital letter', m.mask) end, p_number)
  from private.tax_number_mask(p_kind, private.company_date()) m (mask)
  where p_number !~ format('^%s$', replace(replace(m.mask, 'A', '[A-Z]'), '9', '[0-9]'));
$function$;

CREATE OR REPLACE FUNCTION private.check_tax_numbers()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  written text;
  problem text;
begin
  for place in 0 .. tg_nargs - 2 by 2 loop
    written := to_jsonb(new) ->> tg_argv[place];
    continue when written is null or tg_op = 'UPDATE' and written = to_jsonb(old) ->> tg_argv[place];
    problem := private.tax_number_problem(tg_argv[place + 1], written);
    if problem is not null then
      raise exception '%', problem using errcode = 'check_violation';
    end if;
  end loop;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.pay_lines_of(p_kind text, p_month date)
 RETURNS TABLE(payslip_id uuid, pay_run_id uuid, staff_id uuid, is_reversal boolean, month date, tin text, nasscorp_number text, tax_resident boolean, currency text, gross numeric, taxable numeric, tax numeric, employee numeric, employer numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with span as materialized (
    select least(p_month, (
        select min(r.month) from public.pay_returns r where r.kind = p_kind and r.status <> 'prepared')) as first,
      (p_month + interval '1 month - 1 day')::date as last
  ), runs as materialized (
    select r.id, r.currency, r.status = 'void' as is_void, date_trunc('month', r.period_end::timestamp)::date as month
    from span x join public.pay_runs r on r.period_end between x.first and x.last
    where r.status in ('locked', 'paid') or r.status = 'void' and r.locked_at is not null
  ), slips as materialized (
    select s.*, r.month as of_month, r.is_void, case when r.is_void then -1 else 1 end as sign
    from runs r join public.payslips s on s.pay_run_id = r.id
    cross join lateral (
      select coalesce(bool_or(not l.is_reversal), false) as is_filed, coalesce(bool_or(l.is_reversal), false) as is_back
      from public.pay_return_lines l join public.pay_returns q on q.id = l.return_id and q.status <> 'prepared'
      where l.payslip_id = s.id and l.kind = p_kind
    ) f
    where case when r.is_void then f.is_filed and not f.is_back else not f.is_filed end
  )
  select s.id, s.pay_run_id, s.staff_id, s.is_void, s.of_month, p.tin, p.nasscorp_number, p.tax_resident, s.currency,
    s.sign * s.gross, s.sign * s.taxable, s.sign * t.tax, s.sign * t.employee, s.sign * s.employer_cost
  from slips s
  join public.staff p on p.id = s.staff_id
  cross join lateral (
    select coalesce(sum(-l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
      coalesce(sum(-l.amount) filter (where l.kind = 'nasscorp'), 0) as employee
    from public.payslip_lines l where l.payslip_id = s.id
  ) t;
$function$;

CREATE OR REPLACE FUNCTION private.due_of_line(p_kind text, p_tax numeric, p_employee numeric, p_employer numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE p_kind WHEN 'paye'::text THEN p_tax ELSE (p_employee + p_employer) END;

CREATE OR REPLACE FUNCTION private.parts_of_return(p_return uuid, p_runs uuid[])
 RETURNS TABLE(pay_run_id uuid, period_start date, period_end date, pay_group text, currency text, is_reversal boolean, payslips bigint, gross text, taxable text, tax text, employee text, employer text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r.id, r.period_start, r.period_end, r.pay_group, r.currency, false, r.people::bigint, s.gross::text,
    s.taxable::text, coalesce(-s.income_tax, 0.00)::text, coalesce(-s.nasscorp, 0.00)::text, s.employer_cost::text
  from private.run_sums(p_runs) s join public.pay_runs r on r.id = s.pay_run_id where p_return is null
  union all
  select r.id, r.period_start, r.period_end, r.pay_group, r.currency, l.is_reversal, count(*), sum(l.gross)::text,
    sum(l.taxable)::text, sum(l.tax)::text, sum(l.employee)::text, sum(l.employer)::text
  from public.pay_return_lines l join public.pay_runs r on r.id = l.pay_run_id
  where l.return_id = p_return group by r.id, l.is_reversal;
$function$;

CREATE OR REPLACE FUNCTION private.require_pay_return(p_kind text, p_month date)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_pay_role();
  perform private.require_day(p_month, 'month');
  if p_kind is null or p_kind not in ('paye', 'nasscorp') then
    raise exception 'A return is for paye or nasscorp.' using errcode = 'invalid_parameter_value';
  end if;
  if extract(day from p_month) <> 1 or p_month < '2000-01-01' or p_month > private.company_date() then
    raise exception 'Choose a month that has begun.' using errcode = 'invalid_parameter_value';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.pay_return_to_change(p_kind text, p_month date, p_status text)
 RETURNS public.pay_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one public.pay_returns;
begin
  perform private.require_pay_return(p_kind, p_month);
  perform pg_advisory_xact_lock(hashtextextended('pay returns', 0));
  select * into found_one from public.pay_returns r where r.kind = p_kind and r.month = p_month for update;
  if found_one.status is distinct from p_status then
    raise exception 'Someone has already changed this return. Reload it.' using errcode = 'PT409';
  end if;
  return found_one;
end
$function$;

CREATE OR REPLACE FUNCTION public.missing_tax_numbers()
 RETURNS TABLE(subject text, id uuid, name text, tin boolean, nasscorp_number boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select m.subject, m.id, m.name, m.tin, m.nasscorp_number
  from (
    select 1 as place, 'company' as subject, c.id, '' as name, c.tin is null as tin,
      c.nasscorp_number is null as nasscorp_number
    from public.company_numbers c
    union all
    select 2, 'staff', s.id, s.full_name, s.tin is null, s.nasscorp_number is null
    from public.staff s where s.status = 'active'
    union all
    select 3, 'client', k.id, k.name, k.tin is null, false from public.clients k where (select private.may_pay())
  ) m
  where m.tin or m.nasscorp_number order by m.place, m.name, m.id;
$function$;

CREATE OR REPLACE FUNCTION private.tidy_tax_number_formats()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin
  if new.mask = '' or new.mask <> btrim(new.mask, ' 	
        ​ 　﻿') then
    new.mask := nullif(btrim(new.mask, ' 	
        ​ 　﻿'), '');
  end if;
  if new.source = '' or new.source <> btrim(new.source, ' 	
        ​ 　﻿') then
    new.source := nullif(btrim(new.source, ' 	
        ​ 　﻿'), '');
  end if;
  return new;
end$function$;

CREATE OR REPLACE FUNCTION private.tidy_company_numbers()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin
  if new.tin = '' or new.tin <> btrim(new.tin, ' 	
        ​ 　﻿') then
    new.tin := nullif(btrim(new.tin, ' 	
        ​ 　﻿'), '');
  end if;
  if new.nasscorp_number = '' or new.nasscorp_number <> btrim(new.nasscorp_number, ' 	
        ​ 　﻿') then
    new.nasscorp_number := nullif(btrim(new.nasscorp_number, ' 	
        ​ 　﻿'), '');
  end if;
  return new;
end$function$;

CREATE OR REPLACE FUNCTION private.tidy_pay_returns()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$begin
  if new.filed_reference = '' or new.filed_reference <> btrim(new.filed_reference, ' 	
        ​ 　﻿') then
    new.filed_reference := nullif(btrim(new.filed_reference, ' 	
        ​ 　﻿'), '');
  end if;
  if new.paid_reference = '' or new.paid_reference <> btrim(new.paid_reference, ' 	
        ​ 　﻿') then
    new.paid_reference := nullif(btrim(new.paid_reference, ' 	
        ​ 　﻿'), '');
  end if;
  if new.reopened_reason = '' or new.reopened_reason <> btrim(new.reopened_reason, ' 	
        ​ 　﻿') then
    new.reopened_reason := nullif(btrim(new.reopened_reason, ' 	
        ​ 　﻿'), '');
  end if;
  return new;
end$function$;

CREATE OR REPLACE FUNCTION public.pay_returns_to_file()
 RETURNS TABLE(kind text, month date, due_on date)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select k.kind, m.month, private.pay_return_due_on(m.month)
  from (values ('paye'), ('nasscorp')) k (kind)
  cross join lateral (select date_trunc('month', private.company_date()::timestamp)::date as day) running
  cross join lateral (
    select date_trunc('month', r.period_end::timestamp)::date as month from public.pay_runs r
    where r.status in ('locked', 'paid') and r.period_end < running.day and r.period_end >= coalesce(
      (select min(q.month) from public.pay_returns q where q.kind = k.kind and q.status <> 'prepared'),
      running.day - interval '1 month')
    group by 1
  ) m
  where not exists (
    select from public.pay_returns q where q.kind = k.kind and q.month = m.month and q.status <> 'prepared')
  order by m.month, k.kind desc;
$function$;

CREATE OR REPLACE FUNCTION private.pay_return_due_on(p_month date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ((p_month + '1 mon 9 days'::interval))::date;

CREATE OR REPLACE FUNCTION public.prepare_pay_return(p_kind text, p_month date)
 RETURNS public.pay_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  prepared public.pay_returns;
  first_filed date;
begin
  perform private.require_pay_return(p_kind, p_month);
  -- Two at once take turns, so that a payslip is in one return.
  perform pg_advisory_xact_lock(hashtextextended('pay returns', 0));
  select min(r.month) into first_filed from public.pay_returns r where r.kind = p_kind and r.status <> 'prepared';
  if exists (
    select from public.pay_returns r where r.kind = p_kind and r.month = p_month and r.status <> 'prepared'
  ) then
    raise exception 'This return is filed. Reopen it first.' using errcode = 'PT409';
  end if;
  if p_month < first_filed then
    raise exception 'Returns begin with %, the first that was filed here.', to_char(first_filed, 'FMMonth YYYY')
      using errcode = 'PT409';
  end if;
  if exists (
    select from generate_series(first_filed::timestamp, p_month - interval '1 month', '1 month') g (month)
    where not exists (
      select from public.pay_returns r where r.kind = p_kind and r.month = g.month::date and r.status <> 'prepared')
  ) then
    raise exception 'Returns are made in order: file the return of the month before first.' using errcode = 'PT409';
  end if;
  -- A later one was prepared before this one was reopened.
  delete from public.pay_returns r where r.kind = p_kind and r.status = 'prepared' and r.month <> p_month;
  insert into public.pay_returns as r (kind, month, lrd_per_usd, brought_forward, employer_number)
  select p_kind, p_month, private.pay_rate('lrd_per_usd', (p_month + interval '1 month - 1 day')::date), coalesce((
      select greatest(-o.due, 0) from public.pay_returns o where o.kind = p_kind and o.month < p_month
      order by o.month desc limit 1), 0),
    case p_kind when 'paye' then n.tin else n.nasscorp_number end
  from public.company_numbers n
  on conflict (kind, month) do update set lrd_per_usd = excluded.lrd_per_usd,
    brought_forward = excluded.brought_forward, employer_number = excluded.employer_number,
    prepared_by = excluded.prepared_by, prepared_at = now()
  returning * into prepared;
  delete from public.pay_return_lines l where l.return_id = prepared.id;
  insert into public.pay_return_lines (return_id, kind, payslip_id, pay_run_id, staff_id, is_reversal, month, tin,
    nasscorp_number, tax_resident, currency, gross, taxable, tax, employee, employer)
  select prepared.id, p_kind, d.* from private.pay_lines_of(p_kind, p_month) d;
  update public.pay_returns r set due_usd = s.usd, due_lrd = s.lrd
  from (
    select coalesce(sum(d.due) filter (where d.currency = 'USD'), 0) as usd,
      coalesce(sum(d.due) filter (where d.currency = 'LRD'), 0) as lrd
    from (
      select l.currency, private.due_of_line(l.kind, l.tax, l.employee, l.employer) as due
      from public.pay_return_lines l where l.return_id = prepared.id
    ) d
  ) s
  where r.id = prepared.id returning r.* into prepared;
  return prepared;
end
$function$;

CREATE OR REPLACE FUNCTION public.file_pay_return(p_kind text, p_month date, p_filed_on date, p_reference text)
 RETURNS public.pay_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  filed public.pay_returns := private.pay_return_to_change(p_kind, p_month, 'prepared');
begin
  perform private.check_filing(p_month, p_filed_on, p_reference);
  if exists (
    with stored as materialized (
      select l.payslip_id, l.pay_run_id, l.staff_id, l.is_reversal, l.month, l.tin, l.nasscorp_number, l.tax_resident,
        l.currency, l.gross, l.taxable, l.tax, l.employee, l.employer
      from public.pay_return_lines l where l.return_id = filed.id
    ), present as materialized (
      select d.* from private.pay_lines_of(p_kind, p_month) d
    )
    (table stored except all table present) union all (table present except all table stored)
  ) then
    raise exception 'Pay runs or tax numbers have changed since this return was prepared. Prepare it again.'
      using errcode = 'PT409';
  end if;
  update public.pay_returns r set status = 'filed', filed_on = p_filed_on, filed_reference = p_reference,
    filed_by = auth.uid()
  where r.id = filed.id returning r.* into filed;
  return filed;
end
$function$;

CREATE OR REPLACE FUNCTION public.pay_pay_return(p_kind text, p_month date, p_paid_on date, p_usd numeric, p_lrd numeric, p_paid_from text, p_reference text DEFAULT NULL::text)
 RETURNS public.pay_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  paid public.pay_returns := private.pay_return_to_change(p_kind, p_month, 'filed');
begin
  perform private.check_tax_payment(paid.due, paid.lrd_per_usd, paid.filed_on, p_paid_on, p_usd, p_lrd, p_reference);
  update public.pay_returns r set status = 'paid', paid_on = p_paid_on, paid_usd = p_usd, paid_lrd = p_lrd,
    paid_from = p_paid_from, paid_reference = p_reference
  where r.id = paid.id returning r.* into paid;
  return paid;
end
$function$;

CREATE OR REPLACE FUNCTION public.reopen_pay_return(p_kind text, p_month date, p_reason text)
 RETURNS public.pay_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  why text := private.require_reason(p_reason);
  reopened public.pay_returns;
begin
  perform private.require_pay_return(p_kind, p_month);
  perform pg_advisory_xact_lock(hashtextextended('pay returns', 0));
  select * into reopened from public.pay_returns r where r.kind = p_kind and r.month = p_month for update;
  if reopened.status is null or reopened.status = 'prepared' then
    raise exception 'This return is not filed.' using errcode = 'PT409';
  end if;
  if exists (
    select from public.pay_returns r where r.kind = p_kind and r.month > p_month and r.status <> 'prepared'
  ) then
    raise exception 'A later return is filed. Reopen that one first.' using errcode = 'PT409';
  end if;
  if reopened.filed_by is not distinct from auth.uid() then
    raise exception 'Someone else must reopen it: you filed it.' using errcode = 'insufficient_privilege';
  end if;
  if reopened.status = 'paid' then
    update public.pay_returns r set status = 'filed', paid_on = null, paid_usd = 0, paid_lrd = 0, paid_from = null,
      paid_reference = null, reopened_reason = why
    where r.id = reopened.id returning r.* into reopened;
  else
    update public.pay_returns r set status = 'prepared', filed_on = null, filed_reference = null, filed_by = null,
      reopened_reason = why
    where r.id = reopened.id returning r.* into reopened;
  end if;
  return reopened;
end
$function$;

CREATE OR REPLACE FUNCTION public.pay_return_year(p_kind text, p_year integer)
 RETURNS TABLE(month date, status text, runs_usd numeric, runs_lrd numeric, filed_usd numeric, filed_lrd numeric, due numeric, lrd_per_usd numeric, paid_usd numeric, paid_lrd numeric, filed_on date, paid_on date)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_year is null or p_year not between 2000 and 2199 then
    raise exception 'Choose a year.' using errcode = 'invalid_parameter_value';
  end if;
  perform private.require_pay_return(p_kind, least(make_date(p_year, 1, 1), date '2000-01-01'));
  return query
  with months as (
    select g.month::date as month
    from generate_series(make_date(p_year, 1, 1)::timestamp, least(make_date(p_year, 12, 1),
      private.company_date()), '1 month') g (month)
  ), runs as materialized (
    select r.id, r.currency, date_trunc('month', r.period_end::timestamp)::date as month
    from public.pay_runs r
    where r.period_end between make_date(p_year, 1, 1) and make_date(p_year, 12, 31) and r.status in ('locked', 'paid')
  ), owed as (
    select r.month, r.currency, sum(private.due_of_line(p_kind, coalesce(-s.income_tax, 0), coalesce(-s.nasscorp, 0),
      s.employer_cost)) as due
    from private.run_sums(array(select r.id from runs r)) s join runs r on r.id = s.pay_run_id group by 1, 2
  ), filed as (
    select l.month, l.currency, sum(private.due_of_line(l.kind, l.tax, l.employee, l.employer)) as due
    from public.pay_return_lines l join public.pay_returns q on q.id = l.return_id and q.status <> 'prepared'
    where l.kind = p_kind and l.month between make_date(p_year, 1, 1) and make_date(p_year, 12, 31)
    group by 1, 2
  )
  select m.month, coalesce(r.status, case
      when m.month > private.company_date() - interval '1 month' then 'running'
      when m.month < (select min(q.month) from public.pay_returns q where q.kind = p_kind and q.status <> 'prepared')
        then 'elsewhere'
      else 'open' end),
    coalesce((select o.due from owed o where o.month = m.month and o.currency = 'USD'), 0),
    coalesce((select o.due from owed o where o.month = m.month and o.currency = 'LRD'), 0),
    coalesce((select f.due from filed f where f.month = m.month and f.currency = 'USD'), 0),
    coalesce((select f.due from filed f where f.month = m.month and f.currency = 'LRD'), 0),
    r.due, r.lrd_per_usd, coalesce(r.paid_usd, 0), coalesce(r.paid_lrd, 0), r.filed_on, r.paid_on
  from months m left join public.pay_returns r on r.kind = p_kind and r.month = m.month
  order by m.month;
end
$function$;

CREATE OR REPLACE FUNCTION public.pay_certificates(p_year integer, p_page integer DEFAULT 1, p_size integer DEFAULT 20, p_staff_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  perform private.require_pay_role();
  if p_year is null or p_year not between 2000 and 2199 or p_page is null or p_page not between 1 and 100000
    or p_size is null or p_size not between 1 and 500
  then
    raise exception 'Choose a year, and a page of at most 500 people.' using errcode = 'invalid_parameter_value';
  end if;
  return (
    with runs as materialized (
      select r.id, date_trunc('month', r.period_end::timestamp)::date as month from public.pay_runs r
      where r.period_end between make_date(p_year, 1, 1) and make_date(p_year, 12, 31)
        and r.status in ('locked', 'paid')
    ), people as materialized (
      select distinct s.staff_id from runs r join public.payslips s on s.pay_run_id = r.id
      where p_staff_id is null or s.staff_id = p_staff_id
    ), page as materialized (
      select p.id, p.full_name, p.tin, p.nasscorp_number, p.tax_resident
      from people o join public.staff p on p.id = o.staff_id
      order by p.full_name, p.id limit p_size offset (p_page - 1) * p_size
    ), months as (
      select s.staff_id, s.currency, r.month, sum(s.gross) as gross, sum(s.taxable) as taxable, sum(t.tax) as tax,
        sum(t.employee) as employee, sum(s.employer_cost) as employer
      from page g join public.payslips s on s.staff_id = g.id join runs r on r.id = s.pay_run_id
      cross join lateral (
        select coalesce(sum(-l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
          coalesce(sum(-l.amount) filter (where l.kind = 'nasscorp'), 0) as employee
        from public.payslip_lines l where l.payslip_id = s.id
      ) t
      group by 1, 2, 3
    )
    select jsonb_build_object(
      'count', (select count(*) from people),
      'rows', (
        select coalesce(jsonb_agg(jsonb_build_object('staff_id', g.id, 'full_name', g.full_name, 'tin', g.tin,
          'nasscorp_number', g.nasscorp_number, 'tax_resident', g.tax_resident, 'months', (
            select jsonb_agg(jsonb_build_object('month', m.month, 'currency', m.currency, 'gross', m.gross::text,
              'taxable', m.taxable::text, 'tax', m.tax::text, 'employee', m.employee::text,
              'employer', m.employer::text) order by m.currency desc, m.month)
            from months m where m.staff_id = g.id
          )) order by g.full_name, g.id), '[]')
        from page g
      )
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.year_to_date(slip public.payslips)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- By the id: a caller can write the other columns.
  select (
    select jsonb_build_object('gross', sum(s.gross), 'taxable', sum(s.taxable), 'tax', sum(t.tax),
      'employee', sum(t.employee), 'employer', sum(s.employer_cost), 'net', sum(s.net))
    from public.payslips s
    join public.pay_runs r on r.id = s.pay_run_id and r.status in ('locked', 'paid')
      and r.period_end between date_trunc('year', u.period_end::timestamp)::date and u.period_end
    cross join lateral (
      select coalesce(sum(-l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
        coalesce(sum(-l.amount) filter (where l.kind = 'nasscorp'), 0) as employee
      from public.payslip_lines l where l.payslip_id = s.id
    ) t
    where s.staff_id = o.staff_id and s.currency = o.currency
  )
  from public.payslips o join public.pay_runs u on u.id = o.pay_run_id
  where o.id = slip.id and o.published_at is not null
    and ((select private.may_pay()) or o.staff_id = (select private.own_staff_id()));
$function$;

alter table public.staff add constraint staff_tin_check CHECK ((char_length(tin) <= 40));

alter table public.staff add constraint staff_nasscorp_number_check CHECK ((char_length(nasscorp_number) <= 40));

alter table public.pay_returns add constraint pay_returns_kind_check CHECK ((kind = ANY (ARRAY['paye'::text, 'nasscorp'::text])));

alter table public.tax_number_formats add constraint tax_number_formats_kind_check CHECK ((kind = ANY (ARRAY['tin'::text, 'nasscorp_person'::text, 'nasscorp_employer'::text])));

alter table public.tax_number_formats add constraint tax_number_formats_effective_from_check CHECK (((effective_from >= '1900-01-01'::date) AND (effective_from <= '2199-12-31'::date)));

alter table public.tax_number_formats add constraint tax_number_formats_mask_check CHECK ((mask ~ '^[9A0-8B-Z /-]{3,40}$'::text));

alter table public.tax_number_formats add constraint tax_number_formats_source_check CHECK (((char_length(source) >= 1) AND (char_length(source) <= 500)));

alter table public.tax_number_formats add constraint tax_number_formats_pkey PRIMARY KEY (id);

alter table public.tax_number_formats add constraint tax_number_formats_one_a_day UNIQUE (kind, effective_from);

alter table public.tax_number_formats add constraint tax_number_formats_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.company_numbers add constraint company_numbers_tin_check CHECK ((char_length(tin) <= 40));

alter table public.company_numbers add constraint company_numbers_nasscorp_number_check CHECK ((char_length(nasscorp_number) <= 40));

alter table public.company_numbers add constraint company_numbers_pkey PRIMARY KEY (id);

alter table public.pay_return_lines add constraint pay_return_lines_pkey PRIMARY KEY (id);

alter table public.pay_returns add constraint pay_returns_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric));

alter table public.pay_returns add constraint pay_returns_status_check CHECK ((status = ANY (ARRAY['prepared'::text, 'filed'::text, 'paid'::text])));

alter table public.pay_returns add constraint pay_returns_lrd_per_usd_check CHECK ((lrd_per_usd > (0)::numeric));

alter table public.pay_returns add constraint pay_returns_brought_forward_check CHECK ((brought_forward >= (0)::numeric));

alter table public.pay_returns add constraint pay_returns_filed_on_check CHECK (((filed_on >= '1900-01-01'::date) AND (filed_on <= '2199-12-31'::date)));

alter table public.pay_returns add constraint pay_returns_filed_reference_check CHECK (((char_length(filed_reference) >= 1) AND (char_length(filed_reference) <= 100)));

alter table public.pay_returns add constraint pay_returns_paid_on_check CHECK (((paid_on >= '1900-01-01'::date) AND (paid_on <= '2199-12-31'::date)));

alter table public.pay_return_lines add constraint pay_return_lines_once UNIQUE (payslip_id, kind, is_reversal);

alter table public.pay_return_lines add constraint pay_return_lines_payslip_id_fkey FOREIGN KEY (payslip_id) REFERENCES public.payslips(id);

alter table public.pay_return_lines add constraint pay_return_lines_pay_run_id_fkey FOREIGN KEY (pay_run_id) REFERENCES public.pay_runs(id);

alter table public.pay_returns add constraint pay_returns_paid_usd_check CHECK (((paid_usd >= (0)::numeric) AND (paid_usd <= 999999999999.99)));

alter table public.pay_returns add constraint pay_returns_paid_lrd_check CHECK (((paid_lrd >= (0)::numeric) AND (paid_lrd <= 999999999999.99)));

alter table public.pay_returns add constraint pay_returns_paid_from_check CHECK ((paid_from = ANY (ARRAY['bank'::text, 'cash'::text, 'mobile_money'::text])));

alter table public.pay_returns add constraint pay_returns_paid_reference_check CHECK ((char_length(paid_reference) <= 100));

alter table public.pay_returns add constraint pay_returns_reopened_reason_check CHECK (((char_length(reopened_reason) >= 1) AND (char_length(reopened_reason) <= 500)));

alter table public.pay_returns add constraint pay_returns_filed CHECK ((((status = 'prepared'::text) = (filed_on IS NULL)) AND ((filed_on IS NULL) = (filed_reference IS NULL))));

alter table public.pay_returns add constraint pay_returns_paid CHECK ((((status = 'paid'::text) = (paid_on IS NOT NULL)) AND ((paid_on IS NULL) = (paid_from IS NULL)) AND ((paid_on IS NOT NULL) OR ((paid_usd + paid_lrd) = (0)::numeric))));

alter table public.pay_returns add constraint pay_returns_after_month CHECK (((filed_on >= (month + '1 mon'::interval)) AND (paid_on >= filed_on)));

alter table public.pay_returns add constraint pay_returns_pkey PRIMARY KEY (id);

alter table public.pay_returns add constraint pay_returns_one_a_month UNIQUE (kind, month);

alter table public.pay_returns add constraint pay_returns_kind_key UNIQUE (id, kind);

alter table public.pay_returns add constraint pay_returns_prepared_by_fkey FOREIGN KEY (prepared_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.pay_returns add constraint pay_returns_filed_by_fkey FOREIGN KEY (filed_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.pay_return_lines add constraint pay_return_lines_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'LRD'::text])));

alter table public.pay_return_lines add constraint pay_return_lines_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

alter table public.pay_return_lines add constraint pay_return_lines_of_return FOREIGN KEY (return_id, kind) REFERENCES public.pay_returns(id, kind) ON DELETE CASCADE;

CREATE INDEX tax_number_formats_created_by_idx ON public.tax_number_formats USING btree (created_by);

CREATE INDEX pay_return_lines_return_id_idx ON public.pay_return_lines USING btree (return_id, kind);

CREATE INDEX pay_return_lines_pay_run_id_idx ON public.pay_return_lines USING btree (pay_run_id);

CREATE INDEX pay_return_lines_staff_id_idx ON public.pay_return_lines USING btree (staff_id);

CREATE INDEX pay_returns_filed_by_idx ON public.pay_returns USING btree (filed_by);

CREATE UNIQUE INDEX staff_one_per_tin ON public.staff USING btree (tin) WHERE (status = 'active'::text);

CREATE UNIQUE INDEX staff_one_per_nasscorp_number ON public.staff USING btree (nasscorp_number) WHERE (status = 'active'::text);

CREATE INDEX pay_returns_prepared_by_idx ON public.pay_returns USING btree (prepared_by);

CREATE UNIQUE INDEX company_numbers_one_row ON public.company_numbers USING btree ((true));

CREATE TRIGGER c_tax_numbers BEFORE INSERT OR UPDATE ON public.staff FOR EACH ROW WHEN (((new.tin IS NOT NULL) OR (new.nasscorp_number IS NOT NULL))) EXECUTE FUNCTION private.check_tax_numbers('tin', 'tin', 'nasscorp_number', 'nasscorp_person');

CREATE TRIGGER c_tax_numbers BEFORE INSERT OR UPDATE OF tin ON public.clients FOR EACH ROW WHEN ((new.tin IS NOT NULL)) EXECUTE FUNCTION private.check_tax_numbers('tin', 'tin');

CREATE TRIGGER a_tidy_text BEFORE INSERT OR UPDATE ON public.tax_number_formats FOR EACH ROW EXECUTE FUNCTION private.tidy_tax_number_formats();

CREATE TRIGGER b_author BEFORE INSERT ON public.tax_number_formats FOR EACH ROW EXECUTE FUNCTION private.stamp_author();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.tax_number_formats REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.tax_number_formats REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.tax_number_formats REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER a_tidy_text BEFORE INSERT OR UPDATE ON public.company_numbers FOR EACH ROW EXECUTE FUNCTION private.tidy_company_numbers();

CREATE TRIGGER c_tax_numbers BEFORE UPDATE ON public.company_numbers FOR EACH ROW EXECUTE FUNCTION private.check_tax_numbers('tin', 'tin', 'nasscorp_number', 'nasscorp_employer');

CREATE TRIGGER d_touch BEFORE UPDATE ON public.company_numbers FOR EACH ROW EXECUTE FUNCTION private.touch();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.company_numbers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.company_numbers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.company_numbers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER a_tidy_text BEFORE INSERT OR UPDATE ON public.pay_returns FOR EACH ROW EXECUTE FUNCTION private.tidy_pay_returns();

create trigger y_books after update on public.pay_returns
  for each row when ((old.paid_on, old.paid_usd, old.paid_lrd, old.paid_from)
      is distinct from (new.paid_on, new.paid_usd, new.paid_lrd, new.paid_from))
  execute function private.keep_closed_books('paid_on');

CREATE TRIGGER y_books_of_deleted AFTER DELETE ON public.pay_returns FOR EACH ROW EXECUTE FUNCTION private.keep_closed_books('paid_on');

CREATE TRIGGER y_books_of_new AFTER INSERT ON public.pay_returns FOR EACH ROW EXECUTE FUNCTION private.keep_closed_books('paid_on');

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.pay_returns REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.pay_returns REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.pay_returns REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.pay_return_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.pay_return_lines REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.pay_return_lines REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

create policy "Admins and finance read the formats of tax numbers" on public.tax_number_formats for select to authenticated using (( SELECT private.may_pay() AS may_pay));

create policy "Admins and finance add formats of tax numbers" on public.tax_number_formats for insert to authenticated with check (( SELECT private.may_pay() AS may_pay));

create policy "Admins and finance delete formats of tax numbers" on public.tax_number_formats for delete to authenticated using (( SELECT private.may_pay() AS may_pay));

create policy "Admins and finance read the numbers of the company" on public.company_numbers for select to authenticated using (( SELECT private.may_pay() AS may_pay));

create policy "Admins and finance change the numbers of the company" on public.company_numbers for update to authenticated using (( SELECT private.may_pay() AS may_pay)) with check (( SELECT private.may_pay() AS may_pay));

create policy "Admins and finance read returns of pay" on public.pay_returns for select to authenticated using (( SELECT private.may_pay() AS may_pay));

create policy "Admins and finance read the lines of returns of pay" on public.pay_return_lines for select to authenticated using (( SELECT private.may_pay() AS may_pay));

alter table public.tax_number_formats enable row level security;

alter table public.company_numbers enable row level security;

alter table public.pay_returns enable row level security;

alter table public.pay_return_lines enable row level security;

alter table public.tax_number_formats replica identity default;

alter table public.company_numbers replica identity default;

alter table public.pay_returns replica identity default;

alter table public.pay_return_lines replica identity default;

alter publication supabase_realtime add table public.tax_number_formats;

alter publication supabase_realtime add table public.company_numbers;

alter publication supabase_realtime add table public.pay_returns;

grant DELETE, INSERT, SELECT on public.tax_number_formats to authenticated;

grant SELECT on public.company_numbers to authenticated;

revoke insert, delete, truncate on public.company_numbers from service_role;

grant SELECT on public.pay_returns to authenticated;

revoke insert, update, delete, truncate on public.pay_returns from service_role;

grant SELECT on public.pay_return_lines to authenticated;

revoke insert, update, delete, truncate on public.pay_return_lines from service_role;

grant UPDATE (nasscorp_number) on public.company_numbers to authenticated;

grant UPDATE (tin) on public.company_numbers to authenticated;

grant execute on function public.missing_tax_numbers() to authenticated;

grant execute on function public.pay_returns_to_file() to authenticated;

grant execute on function private.pay_return_due_on(date) to authenticated;

grant execute on function public.prepare_pay_return(text,date) to authenticated;

grant execute on function public.file_pay_return(text,date,date,text) to authenticated;

grant execute on function public.pay_pay_return(text,date,date,numeric,numeric,text,text) to authenticated;

grant execute on function public.reopen_pay_return(text,date,text) to authenticated;

grant execute on function public.pay_return_year(text,integer) to authenticated;

grant execute on function public.pay_certificates(integer,integer,integer,uuid) to authenticated;

grant execute on function public.year_to_date(public.payslips) to authenticated;

comment on function public.pay_return_year(text,integer) is 'Nullable: due, lrd_per_usd, filed_on, paid_on';

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": [], "newest": "r.month", "target": "public.pay_return_lines", "belongs": "r.staff_id = $2", "blanked": ["tin", "nasscorp_number"], "withheld": [], "is_shared": false, "on_erasure": "blank"}');

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": [], "newest": "1", "target": "public.staff", "belongs": "r.id = $2", "blanked": ["email", "phone", "end_reason", "tin", "nasscorp_number"], "withheld": [], "is_shared": false, "on_erasure": "blank"}');

insert into public.tax_number_formats ("kind","mask","source","created_by","effective_from") select "kind","mask","source","created_by","effective_from" from jsonb_populate_record(null::public.tax_number_formats, '{"kind": "tin", "mask": "999999999", "source": "Liberia Revenue Authority, revenue.lra.gov.lr: 9 digits, also of companies. Its examples begin with 5", "created_by": null, "effective_from": "2025-01-01"}');

insert into public.tax_number_formats ("kind","mask","source","created_by","effective_from") select "kind","mask","source","created_by","effective_from" from jsonb_populate_record(null::public.tax_number_formats, '{"kind": "nasscorp_person", "mask": "999999999", "source": "nasscorp.org.lr: a number of 9 digits for each employee", "created_by": null, "effective_from": "2025-01-01"}');

insert into public.tax_number_formats ("kind","mask","source","created_by","effective_from") select "kind","mask","source","created_by","effective_from" from jsonb_populate_record(null::public.tax_number_formats, '{"kind": "nasscorp_employer", "mask": "999999999", "source": "nasscorp.org.lr, libbusinesshub.org: a code of 9 digits", "created_by": null, "effective_from": "2025-01-01"}');

insert into public.company_numbers ("tin","nasscorp_number") select "tin","nasscorp_number" from jsonb_populate_record(null::public.company_numbers, '{"tin": null, "nasscorp_number": null}');
