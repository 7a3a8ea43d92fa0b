-- A person is never paid twice for the same day: pay periods of one person don't overlap, cancelled records apart.

-- Records from before this rule. What has not been paid yet is cancelled where it overlaps a paid or an older record;
-- what has been paid stays as it is, and only the operator can decide which of two such records is wrong.
update public.payroll p
set payment_status = 'cancelled',
  notes = left(concat_ws(E'\n', p.notes, 'Cancelled by the update: the period overlaps another record of this person.'), 5000)
where p.payment_status = 'pending' and exists (
  select from public.payroll o
  where o.staff_id = p.staff_id and o.id <> p.id and o.payment_status <> 'cancelled'
    and o.period_start <= p.period_end and o.period_end >= p.period_start
    and (o.payment_status = 'paid' or (o.created_at, o.id) < (p.created_at, p.id))
);

do $$
declare
  found_pairs text;
begin
  select string_agg(pair, '; ') into found_pairs from (
    select format('%s: %s to %s and %s to %s', s.full_name, a.period_start, a.period_end, b.period_start, b.period_end) as pair
    from public.payroll a
    join public.payroll b on b.staff_id = a.staff_id and b.id > a.id
      and b.period_start <= a.period_end and b.period_end >= a.period_start
    join public.staff s on s.id = a.staff_id
    where a.payment_status <> 'cancelled' and b.payment_status <> 'cancelled'
    order by 1 limit 20
  ) pairs;
  if found_pairs is not null then
    raise exception 'Paid payroll records overlap (%). Start the previous version, cancel one record of each pair under Payroll, and update again.',
      found_pairs;
  end if;
end
$$;

alter table public.payroll add constraint payroll_periods_do_not_overlap
  exclude using gist (staff_id with =, daterange(period_start, period_end, '[]') with &&)
  where (payment_status <> 'cancelled');

-- Names the record in the way, where the constraint alone would name itself. Definer, to lock the staff record; it runs
-- before the policies, so it tells nothing to callers who may not read payroll.
create function private.refuse_overlapping_pay() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person text;
  other public.payroll;
begin
  if not (auth.uid() is null or private.has_role('admin')) then
    return new;
  end if;
  -- Writers of one person's pay take turns, so that the second one sees the record of the first.
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
revoke all on function private.refuse_overlapping_pay() from public;

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

-- One pending record for each active member of staff who has none yet that overlaps the period. `overlapping` names
-- those skipped because of another period, with the first record in the way and how many there are.
drop function public.draft_payroll(date, date);
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
  -- No record of theirs appears between this look and the inserts.
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
  ), lines as (
    -- People of one wage share the work of one calculation.
    select d.base, d.payment_frequency,
      (select jsonb_agg(to_jsonb(line)) from public.suggest_deductions(d.base, d.payment_frequency, p_end) line) as calculation
    from (select distinct base, payment_frequency from due) d
  ), drafted as (
    insert into public.payroll (staff_id, period_start, period_end, base_amount, deductions, net_amount, calculation)
    select d.id, p_start, p_end, d.base,
      least(d.base, coalesce((select sum((line ->> 'amount')::numeric) from jsonb_array_elements(l.calculation) line), 0)),
      0, l.calculation
    from due d join lines l using (base, payment_frequency)
    returning 1
  )
  select count(*)::integer, (select count(*)::integer from public.staff s where s.status = 'active') - count(*)::integer
  into added, skipped from drafted;
  return next;
end
$$;
revoke all on function public.draft_payroll(date, date) from public, anon;
grant execute on function public.draft_payroll(date, date) to authenticated;
