-- A pay run from draft to approved. Every step may be repeated; two callers at once take turns.

-- Begins a run for the period of the group that contains the day. @returns its id; the one that exists, if there is one
create function public.create_pay_run(p_pay_group text, p_currency text, p_day date) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  period daterange;
  run_id uuid;
begin
  perform private.require_pay_role();
  perform private.require_day(p_day, 'day');
  if p_pay_group is null or p_pay_group not in ('weekly', 'bi-weekly', 'monthly')
    or p_currency is null or p_currency not in ('USD', 'LRD')
  then
    raise exception 'Choose a pay group, and USD or LRD.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('create_pay_run', 0));
  period := private.pay_period(p_pay_group, p_day);
  select r.id into run_id from public.pay_runs r
  where r.pay_group = p_pay_group and r.currency = p_currency and r.period_start = lower(period) and r.status <> 'void';
  if run_id is null then
    insert into public.pay_runs (pay_group, currency, period_start, period_end)
    values (p_pay_group, p_currency, lower(period), upper(period) - 1) returning id into run_id;
  end if;
  return run_id;
end
$$;

-- The run, locked until the transaction ends, if its status is one of these.
create function private.run_to_change(p_id uuid, variadic p_statuses text[]) returns public.pay_runs
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs;
begin
  perform private.require_pay_role();
  select * into run from public.pay_runs r where r.id = p_id for update;
  if not found then
    raise exception 'This pay run no longer exists.' using errcode = 'PT404';
  end if;
  if run.status <> all (p_statuses) then
    raise exception 'This pay run is %.', replace(run.status, '_', ' ') using errcode = 'PT409';
  end if;
  return run;
end
$$;

-- What the calculation can't settle: each with a code, the person and a sentence.
create function private.run_problems(p_run public.pay_runs, p_lines private.pay_line[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  with people as materialized (
    select distinct s.id, s.user_id, s.full_name
    from private.run_pieces(p_run.pay_group, p_run.currency, p_run.period_start, p_run.period_end) p
    join public.staff s on s.id = p.staff_id
  ), found as (
    select 'hours_not_approved' as code, p.id as staff_id, p.full_name as name,
      format('Hours of %s to %s are not approved: no hour of them is paid now.', to_char(t.period_start, 'Mon FMDD'),
        to_char(t.period_end, 'Mon FMDD')) as text
    from people p join public.timesheets t on t.user_id = p.user_id
    where t.status in ('open', 'submitted') and t.period_start <= p_run.period_end and t.period_end >= p_run.period_start
    union all
    select 'payroll_exists', p.id, p.full_name, format('There is a payroll record from %s to %s already.',
      to_char(r.period_start, 'Mon FMDD'), to_char(r.period_end, 'Mon FMDD, YYYY'))
    from people p join public.payroll r on r.staff_id = p.id
    where r.payment_status <> 'cancelled' and r.period_start <= p_run.period_end and r.period_end >= p_run.period_start
    union all
    select 'no_account', p.id, p.full_name, 'The staff record has no user account, so no hours belong to it.'
    from people p where p.user_id is null
    union all
    select 'other_currency', p.id, p.full_name, format('%s is in %s, so this run leaves it out.', i.name, i.currency)
    from people p join public.pay_items i on i.staff_id = p.id
    where i.currency <> p_run.currency and i.effective_from <= p_run.period_end
      and coalesce(i.effective_to, p_run.period_end) >= p_run.period_start
    union all
    select 'adjustment_waits', p.id, p.full_name, format('A correction of %s is more than the pay, and waits.',
      private.money_text(a.amount, a.currency))
    from people p join public.pay_adjustments a on a.staff_id = p.id or a.staff_id is null and a.user_id = p.user_id
    where a.status = 'approved' and a.payslip_line_id is null and a.currency = p_run.currency and a.amount <> 0
      and not exists (select from unnest(p_lines) l where l.kind = 'adjustment' and l.source ->> 'id' = a.id::text)
  )
  select coalesce(jsonb_agg(jsonb_build_object('code', f.code, 'staff_id', f.staff_id, 'name', f.name, 'text', f.text)
    order by f.code, f.name, f.staff_id), '[]')
  from found f;
$$;

-- A figure that changes with any of a person's approved hours, so that locking notices. The factors are primes.
create function private.hours_keys(p_users uuid[], p_from date, p_to date)
returns table (user_id uuid, hours_key bigint)
language sql stable security definer set search_path = '' as $$
  select t.user_id, sum(
    t.regular_minutes + t.overtime_1_minutes * 3 + t.overtime_2_minutes * 5 + t.night_minutes * 7
    + t.holiday_minutes * 11 + t.leave_paid_minutes * 13 + t.leave_unpaid_minutes * 17 + t.missing_minutes * 19
    + t.credited_minutes * 23)::bigint
  from public.timesheets t
  where t.user_id = any (p_users) and t.period_start <= p_to and t.period_end >= p_from
    and t.status in ('approved', 'locked')
  group by t.user_id;
$$;

-- Computes every payslip of the run from the approved hours and today's records. Payslips that stay the same are not
-- written again. @returns how many there are
create function public.calculate_pay_run(id uuid) returns integer
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  run public.pay_runs := private.run_to_change(calculate_pay_run.id, 'draft', 'calculated', 'in_review');
  lines private.pay_line[];
  changed uuid[];
begin
  lines := array(select l from private.earning_lines(run.pay_group, run.currency, run.period_start, run.period_end) l);
  lines := lines || array(select l from private.adjustment_lines(run, lines) l);
  lines := lines || array(select l from private.statutory_lines(run, lines) l);
  lines := lines || array(select l from private.standing_lines(run, lines) l);
  lines := lines || array(select l from private.repayment_lines(run, lines) l);

  delete from public.payslips s where s.pay_run_id = run.id
    and s.staff_id not in (select l.staff_id from unnest(lines) l);
  with sums as (
    select l.staff_id, sum(l.amount) as net, sum(l.amount) filter (where l.place < 1000) as gross,
      greatest(0, coalesce(sum(l.amount) filter (where l.place < 1000 and l.taxable), 0)) as taxable
    from unnest(lines) l group by l.staff_id
  ), hours as (
    select h.* from private.hours_keys(
      array(select p.user_id from public.staff p join sums s on s.staff_id = p.id), run.period_start, run.period_end) h
  ), fresh as (
    select s.staff_id, p.user_id, coalesce(s.gross, 0) as gross, s.taxable, s.gross - s.net as deductions, s.net,
      round(s.gross * coalesce(private.pay_rate('nasscorp_employer', run.period_end), 0), 2) as employer_cost,
      coalesce(h.hours_key, 0) as hours_key
    from sums s join public.staff p on p.id = s.staff_id left join hours h on h.user_id = p.user_id
  )
  insert into public.payslips as o
    (pay_run_id, staff_id, user_id, currency, gross, taxable, deductions, net, employer_cost, hours_key)
  select run.id, f.staff_id, f.user_id, run.currency, f.gross, f.taxable, f.deductions, f.net, f.employer_cost, f.hours_key
  from fresh f
  where not exists (
    select from public.payslips s where s.pay_run_id = run.id and s.staff_id = f.staff_id
      and (s.user_id, s.gross, s.taxable, s.deductions, s.net, s.employer_cost, s.hours_key)
        is not distinct from (f.user_id, f.gross, f.taxable, f.deductions, f.net, f.employer_cost, f.hours_key)
  )
  on conflict on constraint payslips_one_per_person do update set user_id = excluded.user_id, gross = excluded.gross,
    taxable = excluded.taxable, deductions = excluded.deductions, net = excluded.net,
    employer_cost = excluded.employer_cost, hours_key = excluded.hours_key;

  with fresh as (
    select l.staff_id, md5(string_agg(concat_ws('|', l.kind, l.label, l.quantity::numeric(14, 4), l.unit,
      l.rate::numeric(20, 6), l.amount::numeric(14, 2), l.taxable, l.source, l.explanation), ';' order by l.place, l.label, l.rate, l.amount)) as content
    from unnest(lines) l group by l.staff_id
  ), stored as (
    select s.id, s.staff_id, (select md5(string_agg(concat_ws('|', l.kind, l.label, l.quantity, l.unit, l.rate, l.amount,
      l.taxable, l.source, l.explanation), ';' order by l.position)) from public.payslip_lines l where l.payslip_id = s.id) as content
    from public.payslips s where s.pay_run_id = run.id
  )
  select array_agg(s.id) into changed
  from stored s join fresh f on f.staff_id = s.staff_id where f.content is distinct from s.content;
  delete from public.payslip_lines l where l.payslip_id = any (changed);
  insert into public.payslip_lines
    (payslip_id, position, kind, label, quantity, unit, rate, amount, taxable, source, explanation)
  select s.id, row_number() over (partition by s.id order by l.place, l.label, l.rate, l.amount), l.kind, left(l.label, 200), l.quantity,
    l.unit, l.rate, l.amount, l.taxable, l.source, l.explanation
  from unnest(lines) l join public.payslips s on s.pay_run_id = run.id and s.staff_id = l.staff_id
  where s.id = any (changed);

  update public.pay_runs r set status = 'calculated', calculated_by = auth.uid(), calculated_at = now(),
    reviewed_by = null, reviewed_at = null, problems = private.run_problems(run, lines),
    people = t.people, gross = t.gross, deductions = t.deductions, net = t.net, employer_cost = t.employer_cost
  from (
    select count(*) as people, coalesce(sum(s.gross), 0) as gross, coalesce(sum(s.deductions), 0) as deductions,
      coalesce(sum(s.net), 0) as net, coalesce(sum(s.employer_cost), 0) as employer_cost
    from public.payslips s where s.pay_run_id = run.id
  ) t
  where r.id = run.id;
  return (select count(*)::integer from public.payslips s where s.pay_run_id = run.id);
end
$$;

-- Marks a calculated run as looked through; optional before the approval.
create function public.review_pay_run(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs := private.run_to_change(p_id, 'calculated', 'in_review');
begin
  update public.pay_runs r set status = 'in_review', reviewed_by = auth.uid(), reviewed_at = now() where r.id = run.id;
end
$$;

-- Approves what was calculated. Who approves is not who calculated. Approving again changes nothing.
create function public.approve_pay_run(id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs := private.run_to_change(approve_pay_run.id, 'calculated', 'in_review', 'approved');
begin
  if run.calculated_by is not distinct from auth.uid() then
    raise exception 'Someone else must approve the run: you calculated it.' using errcode = 'insufficient_privilege';
  end if;
  if run.status <> 'approved' then
    update public.pay_runs r set status = 'approved', approved_by = auth.uid(), approved_at = now() where r.id = run.id;
  end if;
end
$$;

-- Takes an approval or a review back, so that the run can be calculated again.
create function public.return_pay_run(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs := private.run_to_change(p_id, 'in_review', 'approved');
begin
  update public.pay_runs r set status = 'calculated', reviewed_by = null, reviewed_at = null, approved_by = null,
    approved_at = null
  where r.id = run.id;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.create_pay_run, public.calculate_pay_run, public.review_pay_run, public.approve_pay_run,
  public.return_pay_run from public, anon;
grant execute on function public.create_pay_run, public.calculate_pay_run, public.review_pay_run, public.approve_pay_run,
  public.return_pay_run to authenticated, service_role;
