-- Payroll records: admins only, but everyone reads their own payslips. No one is paid twice for the same day.
create table public.payroll (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references public.staff (id),
  period_start date not null,
  period_end date not null,
  base_amount numeric(14, 2) not null check (base_amount between 0 and 999999999999.99),
  deductions numeric(14, 2) not null default 0 check (deductions between 0 and 999999999999.99),
  bonuses numeric(14, 2) not null default 0 check (bonuses between 0 and 999999999999.99),
  net_amount numeric(14, 2) not null,
  -- How the deductions were suggested: [{"name": …, "amount": …, "how": …}].
  calculation jsonb
    check (calculation is null or (jsonb_typeof(calculation) = 'array' and pg_column_size(calculation) < 20000)),
  payment_date date,
  payment_status text not null default 'pending' check (payment_status in ('pending', 'paid', 'cancelled')),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payroll_period_end_not_before_start check (period_end >= period_start),
  constraint payroll_periods_do_not_overlap
    exclude using gist (staff_id with =, daterange(period_start, period_end, '[]') with &&)
    where (payment_status <> 'cancelled')
);
comment on column public.payroll.net_amount is 'Derived: base amount minus deductions plus bonuses';

create index payroll_created_at_idx on public.payroll (created_at desc);
create index payroll_staff_id_idx on public.payroll (staff_id, period_start desc);
create index payroll_created_by_idx on public.payroll (created_by);

select private.tidy_texts_of('public.payroll', 'notes');
create trigger b_author before insert or update on public.payroll
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.payroll
  for each row execute function private.touch();
select private.keep_history_of('public.payroll');
create trigger c_has_payroll before delete on public.staff for each row
  execute function private.refuse_while_used('payroll', 'staff_id',
    'This staff member has payroll records, so the record can''t be deleted. Set the status to inactive instead.');

alter table public.payroll enable row level security;
revoke all on public.payroll from anon, authenticated;
grant select, insert, update, delete on public.payroll to authenticated;

create policy "Admins read payroll" on public.payroll
  for select to authenticated using ((select private.has_role('admin')));
create policy "Members read their own payslips" on public.payroll
  for select to authenticated using (staff_id = (select private.own_staff_id()));
create policy "Admins add payroll" on public.payroll
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change payroll" on public.payroll
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete payroll" on public.payroll
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.payroll;
alter table public.payroll replica identity full;

create function private.derive_net_amount() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.deductions := coalesce(new.deductions, 0);
  new.bonuses := coalesce(new.bonuses, 0);
  new.net_amount := new.base_amount - new.deductions + new.bonuses;
  return new;
end
$$;

create trigger c_rules before insert or update on public.payroll
  for each row execute function private.derive_net_amount();

-- Names the overlapping record; the exclusion constraint would only name itself. Definer, to lock the staff record. It
-- runs before the policies, so it does nothing for callers who may not read payroll.
create function private.refuse_overlapping_pay() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person text;
  other public.payroll;
begin
  if not (auth.uid() is null or private.has_role('admin')) then
    return new;
  end if;
  -- Writers of one person's pay take turns, so that the second sees the record of the first.
  select s.full_name into person from public.staff s where s.id = new.staff_id for no key update;
  select * into other from public.payroll p
  where p.staff_id = new.staff_id and p.id <> new.id and p.payment_status <> 'cancelled'
    and p.period_start <= new.period_end and p.period_end >= new.period_start and new.period_start <= new.period_end
  order by p.period_start limit 1;
  if found then
    raise exception '% already has a payroll record from % to % (%).', person,
      to_char(other.period_start, 'Mon FMDD, YYYY'), to_char(other.period_end, 'Mon FMDD, YYYY'), other.payment_status
      using errcode = 'exclusion_violation', constraint = 'payroll_periods_do_not_overlap',
        hint = 'Choose a period that does not overlap, or cancel that record first.';
  end if;
  return new;
end
$$;

create trigger c_overlap before insert on public.payroll
  for each row when (new.payment_status is distinct from 'cancelled')
  execute function private.refuse_overlapping_pay();
create trigger c_overlap_of_changes before update on public.payroll
  for each row when (
    new.payment_status is distinct from 'cancelled'
    and (old.staff_id, old.period_start, old.period_end, old.payment_status = 'cancelled')
      is distinct from (new.staff_id, new.period_start, new.period_end, false)
  )
  execute function private.refuse_overlapping_pay();

-- Pay of a period: the salary if the period is one pay interval, else its share by days.
create function private.base_amount(p_salary numeric, p_frequency text, p_start date, p_end date) returns numeric
language sql immutable set search_path = '' as $$
  select case
    when p_frequency = 'weekly' and p_end - p_start = 6 then p_salary
    when p_frequency = 'bi-weekly' and p_end - p_start = 13 then p_salary
    when p_frequency = 'monthly' and p_end = (p_start + interval '1 month - 1 day')::date then p_salary
    else round(p_salary * private.periods_a_year(p_frequency) * (p_end - p_start + 1) / 365, 2)
  end;
$$;

-- Creates a pending record for each active member of staff without a record that overlaps the period. `overlapping`
-- lists those skipped because of another period, with the first such record and how many there are.
create function public.draft_payroll(p_start date, p_end date)
returns table (added integer, skipped integer, overlapping jsonb)
language plpgsql set search_path = '' as $$
begin
  if not (select private.has_role('admin')) then
    raise exception 'Only admins draft payroll.' using errcode = 'insufficient_privilege';
  end if;
  if p_start is null or p_end is null or p_end < p_start or p_end - p_start > 366 then
    raise exception 'A pay period ends on or after its first day, and lasts a year at most.'
      using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_payroll', 0));
  -- Locked, so that no record is added between this check and the inserts.
  perform from public.staff s where s.status = 'active' order by s.id for no key update;
  select coalesce(jsonb_agg(to_jsonb(o) order by o.full_name, o.period_start), '[]') into overlapping
  from (
    select distinct on (s.id) s.full_name, p.period_start, p.period_end, p.payment_status,
      count(*) over (partition by s.id) as records
    from public.staff s join public.payroll p on p.staff_id = s.id
    where s.status = 'active' and p.payment_status <> 'cancelled'
      and p.period_start <= p_end and p.period_end >= p_start
      and (p.period_start, p.period_end) <> (p_start, p_end)
    order by s.id, p.period_start
  ) o;
  with due as (
    select s.id, s.payment_frequency,
      private.base_amount(s.salary_amount, s.payment_frequency, p_start, p_end) as base
    from public.staff s
    where s.status = 'active' and not exists (
      select from public.payroll p
      where p.staff_id = s.id and p.payment_status <> 'cancelled'
        and p.period_start <= p_end and p.period_end >= p_start)
  ), lines as materialized (
    -- One calculation per wage. Inlined, it would run for each person and each use.
    select d.base, d.payment_frequency,
      (select jsonb_agg(to_jsonb(line))
        from public.suggest_deductions(d.base, d.payment_frequency, p_end) line) as calculation
    from (select distinct base, payment_frequency from due) d
  ), drafted as (
    insert into public.payroll (staff_id, period_start, period_end, base_amount, deductions, net_amount, calculation)
    select d.id, p_start, p_end, d.base,
      least(d.base, coalesce((
        select sum((line ->> 'amount')::numeric) from jsonb_array_elements(l.calculation) line
      ), 0)),
      0, l.calculation
    from due d join lines l using (base, payment_frequency)
    returning 1
  )
  select count(*)::integer, (select count(*)::integer from public.staff s where s.status = 'active') - count(*)::integer
  into added, skipped from drafted;
  return next;
end
$$;

-- Totals per pay period, newest first, without cancelled records.
create function public.payroll_totals()
returns table (
  period_start date, period_end date, records bigint, base numeric, deductions numeric, bonuses numeric, net numeric,
  unpaid numeric
)
language sql stable set search_path = '' as $$
  select p.period_start, p.period_end, count(*), sum(p.base_amount), sum(p.deductions), sum(p.bonuses),
    sum(p.net_amount), sum(p.net_amount) filter (where p.payment_status = 'pending')
  from public.payroll p
  where p.payment_status <> 'cancelled' and (select private.has_role('admin'))
  group by p.period_start, p.period_end
  order by p.period_start desc, p.period_end desc;
$$;

-- Count and amounts (USD) of the records in the list, without cancelled ones, which it counts separately. If the list
-- shows only cancelled records, the sums are theirs.
create function public.payroll_sums(
  p_search text default null, p_status text default null, p_start date default null, p_end date default null
) returns table (
  records integer, base numeric, deductions numeric, bonuses numeric, net numeric, cancelled integer
)
language sql stable set search_path = '' as $$
  select count(*) filter (where found.counts)::integer,
    coalesce(sum(found.base_amount) filter (where found.counts), 0),
    coalesce(sum(found.deductions) filter (where found.counts), 0),
    coalesce(sum(found.bonuses) filter (where found.counts), 0),
    coalesce(sum(found.net_amount) filter (where found.counts), 0),
    count(*) filter (where not found.counts)::integer
  from (
    select p.base_amount, p.deductions, p.bonuses, p.net_amount,
      p_status is not null or p.payment_status <> 'cancelled' as counts
    from public.payroll p
    where (p_status is null or p.payment_status = p_status)
      and (p_start is null or p.period_start = p_start)
      and (p_end is null or p.period_end = p_end)
      and p.staff_id in (
        select s.id from public.staff s where s.full_name ilike all ((select private.search_patterns(p_search))::text[])
      )
  ) found;
$$;

-- The caller's own payslips, with name and role from the staff record, which they can't read.
create function public.my_payslips() returns table (
  id uuid,
  full_name text,
  role text,
  period_start date,
  period_end date,
  base_amount numeric,
  deductions numeric,
  bonuses numeric,
  net_amount numeric,
  payment_date date,
  payment_status text,
  notes text,
  calculation jsonb
)
language sql stable security definer set search_path = '' as $$
  select p.id, s.full_name, s.role, p.period_start, p.period_end, p.base_amount, p.deductions, p.bonuses,
    p.net_amount, p.payment_date, p.payment_status, p.notes, p.calculation
  from public.staff s
  join public.payroll p on p.staff_id = s.id
  -- Null if the caller is not a member or has no staff record.
  where s.id = (select private.own_staff_id())
  order by p.period_start desc, p.created_at desc;
$$;
comment on function public.my_payslips is 'Nullable: payment_date, notes, calculation';

revoke all on all functions in schema private from public;
grant execute on function private.base_amount to authenticated;
revoke all on function
  public.draft_payroll, public.payroll_totals, public.payroll_sums, public.my_payslips
from public, anon;
grant execute on function
  public.draft_payroll, public.payroll_totals, public.payroll_sums, public.my_payslips
to authenticated;
