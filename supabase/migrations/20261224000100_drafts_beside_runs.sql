-- Payroll is drafted by hand, or a pay run writes it: never both for one person and period.
create or replace function public.draft_payroll(p_start date, p_end date)
 RETURNS TABLE(added integer, skipped integer, overlapping jsonb)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  run public.pay_runs;
begin
  if not (select private.has_role('admin', 'finance')) then
    raise exception 'Only admins and finance draft payroll.' using errcode = 'insufficient_privilege';
  end if;
  if p_start is null or p_end is null or p_end < p_start or p_end - p_start > 366 then
    raise exception 'A pay period ends on or after its first day, and lasts a year at most.'
      using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_payroll', 0));
  -- Locked, so that no record is added between this check and the inserts.
  perform from public.staff s where s.status = 'active' order by s.id for no key update;
  -- A run that is not locked has no records yet, and could not write them beside these.
  select r.* into run from public.pay_runs r
  where r.status in ('draft', 'calculated', 'in_review', 'approved') and r.currency = 'USD'
    and r.period_start <= p_end and r.period_end >= p_start
    and exists (
      select from public.staff s
      where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD'
        and (s.payment_frequency = r.pay_group
          or exists (select from public.payslips x where x.pay_run_id = r.id and x.staff_id = s.id))
        and not exists (
          select from public.payroll p where p.staff_id = s.id and p.payment_status <> 'cancelled'
            and p.period_start <= p_end and p.period_end >= p_start))
  order by r.period_start limit 1;
  if found then
    raise exception 'The % pay run from % to % pays these people already. Continue with it, or void it first.', run.pay_group,
      to_char(run.period_start, 'Mon FMDD, YYYY'), to_char(run.period_end, 'Mon FMDD, YYYY')
      using errcode = 'PT409', detail = run.id::text;
  end if;
  select coalesce(jsonb_agg(to_jsonb(o) order by o.full_name, o.period_start), '[]') into overlapping
  from (
    select distinct on (s.id) s.full_name, p.period_start, p.period_end, p.payment_status,
      count(*) over (partition by s.id) as records
    from public.staff s join public.payroll p on p.staff_id = s.id
    where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD' and p.payment_status <> 'cancelled'
      and p.period_start <= p_end and p.period_end >= p_start
      and (p.period_start, p.period_end) <> (p_start, p_end)
    order by s.id, p.period_start
  ) o;
  with due as (
    select s.id, s.payment_frequency,
      private.base_amount(s.salary_amount, s.payment_frequency, p_start, p_end) as base
    from public.staff s
    where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD' and not exists (
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
  select count(*)::integer, (
      select count(*)::integer from public.staff s
      where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD'
    ) - count(*)::integer
  into added, skipped from drafted;
  return next;
end
$function$;

-- People of a run who have a payroll record of its period that the run did not write.
create function private.payroll_beside_run(p_run public.pay_runs)
returns table (staff_id uuid, full_name text, payroll_id uuid, first date, last date, status text, net numeric, currency text)
language sql stable security definer set search_path = '' as $$
  select p.id, p.full_name, r.id, r.period_start, r.period_end, r.payment_status, r.net_amount, r.currency
  from public.payslips s
  join public.staff p on p.id = s.staff_id
  join public.payroll r on r.staff_id = s.staff_id and r.payment_status <> 'cancelled'
    and r.period_start <= p_run.period_end and r.period_end >= p_run.period_start
  where s.pay_run_id = p_run.id and p_run.status in ('calculated', 'in_review', 'approved')
    -- The other currency of somebody who is paid in two has records of its own days.
    and not exists (select from public.payslips o where o.payroll_id = r.id);
$$;

-- @returns for example "Akoi, Bendu and 3 more"
create function private.names_text(p_names text[]) returns text
language sql immutable set search_path = '' as $$
  select array_to_string(p_names[:5], ', ')
    || case when cardinality(p_names) > 5 then format(' and %s more', cardinality(p_names) - 5) else '' end;
$$;

revoke all on all functions in schema private from public;
