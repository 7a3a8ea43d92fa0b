-- What is odd about single payslips, now:
-- payroll_exists: a payroll record of the period that this run did not write (text says which), so the run can't be locked.
-- under_minimum: pay for the hours below the minimum wage of these hours. amount is that pay, limit_amount the minimum.
-- pay_without_hours, hours_without_pay (also of people who are not in the run: staff_id is null without a staff record).
drop function public.pay_run_findings(uuid);
create function public.pay_run_findings(id uuid) returns table (
  code text, staff_id uuid, user_id uuid, full_name text, amount numeric, limit_amount numeric, minutes integer, text text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  run public.pay_runs;
  exchange numeric;
begin
  perform private.require_pay_role();
  select * into run from public.pay_runs r where r.id = pay_run_findings.id;
  if not found then
    return;
  end if;
  exchange := case run.currency when 'USD' then 1 else run.lrd_per_usd end;
  return query
  with hours as materialized (
    select s.user_id, sum(s.minutes)::integer as minutes
    from public.time_segments s join public.timesheets t on t.id = s.timesheet_id
    where s.day between run.period_start and run.period_end and t.status in ('approved', 'locked')
      and s.class not in ('unpaid', 'leave_unpaid')
    group by s.user_id
  ), employed as materialized (
    select b.staff_id, bool_or((b.payment_frequency, b.currency) = (run.pay_group, run.currency)) as is_own
    from private.basis_days(run.period_start, run.period_end) b
    group by b.staff_id
  ), lowest_rates as materialized (
    -- The minimum wage of an hour: a day has eight.
    select d::date as day, private.pay_rate('minimum_wage', d::date) * exchange / 8 as hourly
    from generate_series(run.period_start, run.period_end, interval '1 day') d
  ), pieces as materialized (
    select p.* from private.run_pieces(run.pay_group, run.currency, run.period_start, run.period_end,
      array(select s.staff_id from public.payslips s where s.pay_run_id = run.id)) p
  ), shares as materialized (
    -- A month's wage has the hours of six days a week in an average month, not those of the longest.
    select p.staff_id, sum(r.hourly * 8 * 312 / private.periods_a_year(run.pay_group)
        / (run.period_end - run.period_start + 1)) as share, avg(r.hourly) as hourly
    from pieces p join lowest_rates r on r.day between p.first and p.last
    group by p.staff_id
  ), due as materialized (
    select p.staff_id, sum(s.minutes)::integer as minutes,
      coalesce(sum(s.minutes * r.hourly / 60) filter (where s.class not like 'overtime%'), 0) as plain,
      sum(s.minutes * r.hourly / 60 * greatest(0, s.rate - case when s.class like 'overtime%' then 0 else 1 end)) as extra
    from pieces p
    join public.time_segments s on s.user_id = p.user_id and s.day between p.first and p.hours_last
      and s.class not in ('unpaid', 'leave_unpaid')
    join public.timesheets t on t.id = s.timesheet_id and t.status in ('approved', 'locked')
    join lowest_rates r on r.day = s.day
    group by p.staff_id
  ), slips as materialized (
    select s.*, p.full_name, coalesce(h.minutes, 0) as worked, l.lines,
      case when d.minutes is null then l.salary else l.earned end as earned, coalesce(d.minutes, 0) as paid_minutes,
      round(case when d.minutes is null then case when l.salary > 0 then c.share end
        when l.salary > 0 then d.extra + least(d.plain, greatest(0, c.share - l.missing * c.hourly))
        else d.extra + d.plain end, 2) as lowest
    from public.payslips s
    join public.staff p on p.id = s.staff_id
    cross join lateral (
      select coalesce(sum(x.amount) filter (where x.kind = 'salary'), 0) as salary,
        coalesce(sum(x.amount), 0) as earned, count(*) as lines,
        coalesce(sum(x.quantity) filter (where x.kind in ('absence', 'leave_unpaid')), 0) as missing
      from public.payslip_lines x
      where x.payslip_id = s.id and x.kind in ('salary', 'regular', 'overtime_1', 'overtime_2', 'night', 'holiday', 'leave_paid',
        'leave_unpaid', 'absence')
    ) l
    left join hours h on h.user_id = s.user_id
    left join due d on d.staff_id = s.staff_id
    left join shares c on c.staff_id = s.staff_id
    where s.pay_run_id = run.id
  )
  select 'payroll_exists', b.staff_id, null::uuid, b.full_name, b.net, null::numeric, 0,
    format('%s, %s, %s', private.period_text(b.first, b.last), b.status, private.money_text(b.net, b.currency))
  from private.payroll_beside_run(run) b
  union all
  -- Each line is rounded to the cent.
  select 'under_minimum', s.staff_id, s.user_id, s.full_name, s.earned, s.lowest, s.paid_minutes, ''
  from slips s where s.earned + 0.01 * (s.lines - 1) < s.lowest
  union all
  select 'pay_without_hours', s.staff_id, s.user_id, s.full_name, s.net, null, 0, ''
  from slips s where s.gross > 0 and s.worked = 0
  union all
  select 'hours_without_pay', p.id, h.user_id, coalesce(p.full_name, u.full_name, u.email), coalesce(l.net, 0), null, h.minutes, ''
  from hours h
  join public.profiles u on u.id = h.user_id
  left join public.staff p on p.user_id = h.user_id
  left join slips l on l.user_id = h.user_id
  left join employed e on e.staff_id = p.id
  -- Of this run, or of none.
  where h.minutes > 0 and coalesce(l.gross, 0) = 0 and coalesce(e.is_own, true)
  order by 1, 4, 2;
end
$$;
comment on function public.pay_run_findings is 'Nullable: staff_id, user_id, limit_amount';
revoke all on function public.pay_run_findings from public, anon;
grant execute on function public.pay_run_findings to authenticated, service_role;
