-- What somebody looks at before approving a run. All run for admins and finance; the ids are of payslips and staff.

-- The run before this one: of the same group and currency, locked or paid.
create function private.run_before(p_run public.pay_runs) returns public.pay_runs
language sql stable security definer set search_path = '' as $$
  select r from public.pay_runs r
  where r.pay_group = p_run.pay_group and r.currency = p_run.currency and r.period_end < p_run.period_start
    and r.status in ('locked', 'paid')
  order by r.period_end desc limit 1;
$$;

-- Everybody whose net pay differs from the run before, the largest difference first. change is new, gone, more or less;
-- before and after are null where there is no payslip.
create function public.pay_run_changes(id uuid) returns table (
  staff_id uuid, full_name text, change text, net_before numeric, net_after numeric, difference numeric
)
language plpgsql stable security definer set search_path = '' as $$
declare
  run public.pay_runs;
  previous public.pay_runs;
begin
  perform private.require_pay_role();
  select * into run from public.pay_runs r where r.id = pay_run_changes.id;
  previous := private.run_before(run);
  return query
  select p.id, p.full_name, case when o.id is null then 'new' when n.id is null then 'gone'
      when n.net > o.net then 'more' else 'less' end,
    o.net, n.net, coalesce(n.net, 0) - coalesce(o.net, 0)
  from (select s.* from public.payslips s where s.pay_run_id = run.id) n
  full join (select s.* from public.payslips s where s.pay_run_id = previous.id) o on o.staff_id = n.staff_id
  join public.staff p on p.id = coalesce(n.staff_id, o.staff_id)
  where run.id is not null and n.net is distinct from o.net
  order by abs(coalesce(n.net, 0) - coalesce(o.net, 0)) desc, p.full_name, p.id;
end
$$;
comment on function public.pay_run_changes is 'Nullable: net_before, net_after';

-- What is odd about single payslips: under_minimum (net below the minimum wage of the days employed), pay_without_hours,
-- hours_without_pay (also of people who are not in the run: staff_id is null without a staff record). amount is the net
-- pay, or the figure it is below in limit_amount; minutes are approved ones.
create function public.pay_run_findings(id uuid) returns table (
  code text, staff_id uuid, user_id uuid, full_name text, amount numeric, limit_amount numeric, minutes integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  run public.pay_runs;
  daily numeric;
begin
  perform private.require_pay_role();
  select * into run from public.pay_runs r where r.id = pay_run_findings.id;
  if not found then
    return;
  end if;
  -- Of a day, for six days a week.
  daily := private.pay_rate('minimum_wage', run.period_end) * case run.currency when 'USD' then 1 else run.lrd_per_usd end;
  return query
  with hours as materialized (
    select s.user_id, sum(s.minutes)::integer as minutes
    from public.time_segments s join public.timesheets t on t.id = s.timesheet_id
    where s.day between run.period_start and run.period_end and t.status in ('approved', 'locked')
      and s.class not in ('unpaid', 'leave_unpaid')
    group by s.user_id
  ), employed as materialized (
    select b.staff_id, bool_or((b.payment_frequency, b.currency) = (run.pay_group, run.currency)) as is_own,
      sum(b.last - b.first + 1) filter (where (b.payment_frequency, b.currency) = (run.pay_group, run.currency)) as days
    from private.basis_days(run.period_start, run.period_end) b
    group by b.staff_id
  ), slips as materialized (
    select s.*, p.full_name, coalesce(h.minutes, 0) as worked,
      round(daily * 312 / private.periods_a_year(run.pay_group)
        * coalesce(e.days, 0) / (run.period_end - run.period_start + 1), 2) as lowest
    from public.payslips s
    join public.staff p on p.id = s.staff_id
    left join hours h on h.user_id = s.user_id
    left join employed e on e.staff_id = s.staff_id
    where s.pay_run_id = run.id
  )
  select 'under_minimum', s.staff_id, s.user_id, s.full_name, s.net, s.lowest, s.worked
  from slips s where s.net < s.lowest
  union all
  select 'pay_without_hours', s.staff_id, s.user_id, s.full_name, s.net, null::numeric, 0
  from slips s where s.gross > 0 and s.worked = 0
  union all
  select 'hours_without_pay', p.id, h.user_id, coalesce(p.full_name, u.full_name, u.email), coalesce(l.net, 0), null, h.minutes
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

revoke all on all functions in schema private from public;
revoke all on function public.pay_run_changes, public.pay_run_findings from public, anon;
grant execute on function public.pay_run_changes, public.pay_run_findings to authenticated, service_role;
