-- Tax numbers of people and of the company, and the monthly returns of income tax and social security.

-- ── Tables ────────────────────────────────────────────────────────────

-- How the numbers of the authorities are written, from a day on. A number is compared when it is entered.
create table public.tax_number_formats (
  id uuid default gen_random_uuid() primary key,
  kind text not null check (kind in ('tin', 'nasscorp_person', 'nasscorp_employer')),
  effective_from date not null check (effective_from between '1900-01-01' and '2199-12-31'),
  -- 9 stands for a digit and A for a capital letter; the rest is as written.
  mask text not null check (mask ~ '^[9A0-8B-Z /-]{3,40}$'),
  source text not null check (char_length(source) between 1 and 500),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  constraint tax_number_formats_one_a_day unique (kind, effective_from)
);

insert into public.tax_number_formats (kind, effective_from, mask, source) values
  ('tin', '2025-01-01', '999999999',
    'Liberia Revenue Authority, revenue.lra.gov.lr: 9 digits, also of companies. Its examples begin with 5'),
  ('nasscorp_person', '2025-01-01', '999999999', 'nasscorp.org.lr: a number of 9 digits for each employee'),
  ('nasscorp_employer', '2025-01-01', '999999999', 'nasscorp.org.lr, libbusinesshub.org: a code of 9 digits');

create index tax_number_formats_created_by_idx on public.tax_number_formats (created_by);
alter publication supabase_realtime add table public.tax_number_formats;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.tax_number_formats', 'mask', 'source');
create trigger b_author before insert on public.tax_number_formats
  for each row execute function private.stamp_author();
select private.keep_history_of('public.tax_number_formats');
alter table public.tax_number_formats enable row level security;
grant select, insert, delete on public.tax_number_formats to authenticated;
create policy "Admins and finance read the formats of tax numbers" on public.tax_number_formats
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add formats of tax numbers" on public.tax_number_formats
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance delete formats of tax numbers" on public.tax_number_formats
  for delete to authenticated using ((select private.may_pay()));

-- Of the company itself, on its returns. One row.
create table public.company_numbers (
  id uuid default gen_random_uuid() primary key,
  tin text check (char_length(tin) <= 40),
  nasscorp_number text check (char_length(nasscorp_number) <= 40), -- The employer's code.
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index company_numbers_one_row on public.company_numbers ((true));

insert into public.company_numbers (tin, nasscorp_number) values (null, null);
alter publication supabase_realtime add table public.company_numbers;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.company_numbers', 'tin', 'nasscorp_number');
create trigger c_tax_numbers before update on public.company_numbers
  for each row execute function private.check_tax_numbers('tin', 'tin', 'nasscorp_number', 'nasscorp_employer');
create trigger d_touch before update on public.company_numbers for each row execute function private.touch();
select private.keep_history_of('public.company_numbers');
alter table public.company_numbers enable row level security;
revoke insert, delete, truncate on public.company_numbers from service_role;
grant select, update (tin, nasscorp_number) on public.company_numbers to authenticated;
create policy "Admins and finance read the numbers of the company" on public.company_numbers
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance change the numbers of the company" on public.company_numbers
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));

-- One for each month and authority, in order. Sums are derived from the lines; amounts of LRD and USD stay apart, and
-- the authority is owed their sum in LRD at the rate of the month's last day.
create table public.pay_returns (
  id uuid default gen_random_uuid() primary key,
  kind text not null check (kind in ('paye', 'nasscorp')),
  month date not null check (extract(day from month) = 1),
  status text not null default 'prepared' check (status in ('prepared', 'filed', 'paid')),
  employer_number text, -- TIN or employer's code of the company when it was prepared.
  lrd_per_usd numeric(14,4) not null check (lrd_per_usd > 0),
  -- Income tax, or both shares of social security.
  due_usd numeric(16,2) not null default 0,
  due_lrd numeric(16,2) not null default 0,
  brought_forward numeric(16,2) not null default 0 check (brought_forward >= 0), -- Credit of the month before, LRD.
  -- LRD. Below zero: a credit that the next return brings forward.
  due numeric(16,2) generated always as (round((due_usd * lrd_per_usd) + due_lrd, 2) - brought_forward) stored not null,
  prepared_by uuid default auth.uid() references public.profiles on delete set null,
  prepared_at timestamptz not null default now(),
  filed_on date check (filed_on between '1900-01-01' and '2199-12-31'),
  filed_reference text check (char_length(filed_reference) between 1 and 100), -- The receipt of the authority.
  filed_by uuid references public.profiles on delete set null,
  document_path text, -- In bucket receipts, <id>/<file name>: the receipt of the authority, or the form.
  paid_on date check (paid_on between '1900-01-01' and '2199-12-31'),
  paid_usd numeric(16,2) not null default 0 check (paid_usd between 0 and 999999999999.99),
  paid_lrd numeric(16,2) not null default 0 check (paid_lrd between 0 and 999999999999.99),
  paid_from text check (paid_from in ('bank', 'cash', 'mobile_money')),
  paid_reference text check (char_length(paid_reference) <= 100),
  reopened_reason text check (char_length(reopened_reason) between 1 and 500), -- Of the last step that was taken back.
  constraint pay_returns_one_a_month unique (kind, month),
  constraint pay_returns_kind_key unique (id, kind),
  constraint pay_returns_document check (document_path is null or status <> 'prepared'
    and char_length(document_path) <= 1000 and coalesce(private.record_of_file(document_path) = id, false)),
  constraint pay_returns_filed check ((status = 'prepared') = (filed_on is null)
    and (filed_on is null) = (filed_reference is null)),
  constraint pay_returns_paid check ((status = 'paid') = (paid_on is not null)
    and (paid_on is null) = (paid_from is null) and (paid_on is not null or paid_usd + paid_lrd = 0)),
  constraint pay_returns_after_month check (filed_on >= month + interval '1 month' and paid_on >= filed_on)
);
create index pay_returns_prepared_by_idx on public.pay_returns (prepared_by);
create index pay_returns_filed_by_idx on public.pay_returns (filed_by);
alter publication supabase_realtime add table public.pay_returns;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.pay_returns',
  'filed_reference', 'paid_reference', 'reopened_reason', 'document_path');
-- The runs have booked what is owed; only the payment is booked here.
create trigger y_books after update on public.pay_returns
  for each row when ((old.paid_on, old.paid_usd, old.paid_lrd, old.paid_from)
      is distinct from (new.paid_on, new.paid_usd, new.paid_lrd, new.paid_from))
  execute function private.keep_closed_books('paid_on');
create trigger y_books_of_deleted after delete on public.pay_returns
  for each row execute function private.keep_closed_books('paid_on');
create trigger y_books_of_new after insert on public.pay_returns
  for each row execute function private.keep_closed_books('paid_on');
select private.keep_history_of('public.pay_returns');
create trigger z_bank after update on public.pay_returns referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('pay_return');
create trigger z_bank_of_deleted after delete on public.pay_returns referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('pay_return');
alter table public.pay_returns enable row level security;
revoke insert, update, delete, truncate on public.pay_returns from service_role;
grant select on public.pay_returns to authenticated;
create policy "Admins and finance read returns of pay" on public.pay_returns
  for select to authenticated using ((select private.may_pay()));

-- The payslips behind a return, as they were when it was prepared. A payslip is in one return of each kind, and once
-- more with negative amounts if its run was voided after that return was filed.
create table public.pay_return_lines (
  id uuid default gen_random_uuid() primary key,
  return_id uuid not null,
  kind text not null,
  payslip_id uuid not null references public.payslips,
  pay_run_id uuid not null references public.pay_runs,
  staff_id uuid not null references public.staff,
  is_reversal boolean not null,
  month date not null, -- In which the period of the run ends.
  tin text,
  nasscorp_number text,
  tax_resident boolean not null,
  currency text not null check (currency in ('USD', 'LRD')),
  gross numeric(16,2) not null,
  taxable numeric(16,2) not null,
  tax numeric(16,2) not null,
  employee numeric(16,2) not null, -- Shares of social security.
  employer numeric(16,2) not null,
  constraint pay_return_lines_of_return foreign key (return_id, kind)
    references public.pay_returns (id, kind) on delete cascade,
  constraint pay_return_lines_once unique (payslip_id, kind, is_reversal)
);
create index pay_return_lines_return_id_idx on public.pay_return_lines (return_id, kind);
create index pay_return_lines_pay_run_id_idx on public.pay_return_lines (pay_run_id);
create index pay_return_lines_staff_id_idx on public.pay_return_lines (staff_id);
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.pay_return_lines');
alter table public.pay_return_lines enable row level security;
revoke insert, update, delete, truncate on public.pay_return_lines from service_role;
grant select on public.pay_return_lines to authenticated;
create policy "Admins and finance read the lines of returns of pay" on public.pay_return_lines
  for select to authenticated using ((select private.may_pay()));

-- ── Functions ─────────────────────────────────────────────────────────

-- The format of a number on a day; before the first one, that.
create function private.tax_number_mask(p_kind text, p_on date) returns text
language sql stable security definer set search_path = '' as $$
  select f.mask from public.tax_number_formats f where f.kind = p_kind
  order by f.effective_from <= p_on desc,
    case when f.effective_from <= p_on then p_on - f.effective_from else f.effective_from - p_on end
  limit 1;
$$;

-- @returns what is wrong with a number, as a sentence; null if nothing is, or without a format
create function private.tax_number_problem(p_kind text, p_number text) returns text
language sql stable security definer set search_path = '' as $$
  select format('%s: %s. "%s" has not.', case p_kind when 'tin' then 'A tax number (TIN) has'
      when 'nasscorp_person' then 'A NASSCORP number has' else 'The NASSCORP number of an employer has' end,
    case when m.mask ~ '^9+$' then format('%s digits and nothing else', char_length(m.mask))
      else format('the form %s, where 9 is a digit and A a capital letter', m.mask) end, p_number)
  from private.tax_number_mask(p_kind, private.company_date()) m (mask)
  where p_number !~ format('^%s$', replace(replace(m.mask, 'A', '[A-Z]'), '9', '[0-9]'));
$$;

-- Its arguments: each column with a number, and the kind of it. What is stored is not compared with a later format.
create function private.check_tax_numbers() returns trigger
language plpgsql security definer set search_path = '' as $$
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
$$;

-- Who lacks a number that invoices or returns name: the company, people on the staff, clients. The company first.
create function public.missing_tax_numbers()
returns table (subject text, id uuid, name text, tin boolean, nasscorp_number boolean)
language sql stable set search_path = '' as $$
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
$$;
grant execute on function public.missing_tax_numbers to authenticated;

-- What the return of a month is made of: payslips of locked runs that end in it, and what came later for months before
-- it that have a filed return here: runs that were locked or voided since.
create function private.pay_lines_of(p_kind text, p_month date)
returns table (
  payslip_id uuid, pay_run_id uuid, staff_id uuid, is_reversal boolean, month date, tin text, nasscorp_number text,
  tax_resident boolean, currency text, gross numeric, taxable numeric, tax numeric, employee numeric, employer numeric
)
language sql stable security definer set search_path = '' as $$
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
$$;

-- What a line makes due.
create function private.due_of_line(p_kind text, p_tax numeric, p_employee numeric, p_employer numeric) returns numeric
language sql immutable set search_path = ''
return case p_kind when 'paye' then p_tax else p_employee + p_employer end;

-- The day on which a return of a month is due: the 10th of the next.
create function private.pay_return_due_on(p_month date) returns date
language sql immutable set search_path = '' return (p_month + interval '1 month 9 days')::date;

-- The runs behind a return, or without one these locked runs. Amounts are texts with two decimals.
create function private.parts_of_return(p_return uuid, p_runs uuid[])
returns table (
  pay_run_id uuid, period_start date, period_end date, pay_group text, currency text, is_reversal boolean,
  payslips bigint, gross text, taxable text, tax text, employee text, employer text
)
language sql stable security definer set search_path = '' as $$
  select r.id, r.period_start, r.period_end, r.pay_group, r.currency, false, r.people::bigint, s.gross::text,
    s.taxable::text, coalesce(-s.income_tax, 0.00)::text, coalesce(-s.nasscorp, 0.00)::text, s.employer_cost::text
  from private.run_sums(p_runs) s join public.pay_runs r on r.id = s.pay_run_id where p_return is null
  union all
  select r.id, r.period_start, r.period_end, r.pay_group, r.currency, l.is_reversal, count(*), sum(l.gross)::text,
    sum(l.taxable)::text, sum(l.tax)::text, sum(l.employee)::text, sum(l.employer)::text
  from public.pay_return_lines l join public.pay_runs r on r.id = l.pay_run_id
  where l.return_id = p_return group by r.id, l.is_reversal;
$$;

-- Returns of months that are over, whose runs are locked and which nobody has filed: from the first filed one on, else
-- of the last month alone. Runs as the caller.
create function public.pay_returns_to_file() returns table (kind text, month date, due_on date)
language sql stable set search_path = '' as $$
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
$$;
grant execute on function public.pay_returns_to_file, private.pay_return_due_on to authenticated;

-- A return that can exist: of a known kind, and of a month that is over or running.
create function private.require_pay_return(p_kind text, p_month date) returns void
language plpgsql stable security definer set search_path = '' as $$
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
$$;

-- Collects what the return of a month is made of; again, as long as it is not filed. The running month can be looked
-- at, too.
create function public.prepare_pay_return(p_kind text, p_month date) returns public.pay_returns
language plpgsql security definer set search_path = '' as $$
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
$$;
grant execute on function public.prepare_pay_return to authenticated;

-- The return of a month to change, locked. Refuses what has not got this far.
create function private.pay_return_to_change(p_kind text, p_month date, p_status text) returns public.pay_returns
language plpgsql security definer set search_path = '' as $$
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
$$;

-- Notes that a prepared return was handed in. Refuses one that would come out differently now.
create function public.file_pay_return(p_kind text, p_month date, p_filed_on date, p_reference text)
returns public.pay_returns
language plpgsql security definer set search_path = '' as $$
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
$$;
grant execute on function public.file_pay_return to authenticated;

-- Notes what was paid for a filed return, in each currency. Together it is what is due, to a dollar.
create function public.pay_pay_return(
  p_kind text, p_month date, p_paid_on date, p_usd numeric, p_lrd numeric, p_paid_from text,
  p_reference text default null
) returns public.pay_returns
language plpgsql security definer set search_path = '' as $$
declare
  paid public.pay_returns := private.pay_return_to_change(p_kind, p_month, 'filed');
begin
  perform private.check_tax_payment(paid.due, paid.lrd_per_usd, paid.filed_on, p_paid_on, p_usd, p_lrd, p_reference);
  update public.pay_returns r set status = 'paid', paid_on = p_paid_on, paid_usd = p_usd, paid_lrd = p_lrd,
    paid_from = p_paid_from, paid_reference = p_reference
  where r.id = paid.id returning r.* into paid;
  return paid;
end
$$;
grant execute on function public.pay_pay_return to authenticated;

-- Takes the last step of the latest return back: its payment, else its filing. Somebody else than who filed it.
create function public.reopen_pay_return(p_kind text, p_month date, p_reason text) returns public.pay_returns
language plpgsql security definer set search_path = '' as $$
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
      document_path = null, reopened_reason = why
    where r.id = reopened.id returning r.* into reopened;
  end if;
  return reopened;
end
$$;
grant execute on function public.reopen_pay_return to authenticated;

-- The months of a year until the running one: what its locked runs make due, what filed returns have of them, and what
-- was paid. What the two differ by comes with the next return.
create function public.pay_return_year(p_kind text, p_year integer)
returns table (
  month date, status text, runs_usd numeric, runs_lrd numeric, filed_usd numeric, filed_lrd numeric, due numeric,
  lrd_per_usd numeric, paid_usd numeric, paid_lrd numeric, filed_on date, paid_on date
)
language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function public.pay_return_year is 'Nullable: due, lrd_per_usd, filed_on, paid_on';
grant execute on function public.pay_return_year to authenticated;

-- What locked runs of a year paid each person and withheld, by month: what a certificate states. Page p_page (from 1)
-- of people, by name. Amounts are texts with two decimals.
create function public.pay_certificates(
  p_year integer, p_page integer default 1, p_size integer default 20, p_staff_id uuid default null
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
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
$$;
grant execute on function public.pay_certificates to authenticated;

-- What a payslip's person was paid from January to its period, in its currency: {gross, taxable, tax, employee,
-- employer, net}. A column of payslips for those who may read the payslip; null for others.
create function public.year_to_date(slip public.payslips) returns jsonb
language sql stable security definer set search_path = '' as $$
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
$$;
grant execute on function public.year_to_date to authenticated;
