-- Computing timesheets: makes the missing ones, and writes only what differs, so that a repetition changes nothing.

-- Makes the timesheets of these people, by their pay periods, that [p_from, p_to] touches and that hold any planned
-- shift, attendance or approved leave. Days that have a timesheet keep it: a new one is cut to the free days.
create function private.add_timesheets(p_users uuid[], p_from date, p_to date) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('app.computing_time', 'on', true);
  insert into public.timesheets (user_id, period_start, period_end)
  select f.user_id, lower(f.days), upper(f.days) - 1
  from (
    select p.user_id, unnest(datemultirange(p.period) - coalesce((
      select range_agg(daterange(t.period_start, t.period_end, '[]')) from public.timesheets t
      where t.user_id = p.user_id and daterange(t.period_start, t.period_end, '[]') && p.period
    ), '{}')) as days
    from (
      select u as user_id, of.period
      from unnest(p_users) u
      left join public.staff s on s.user_id = u
      join (
        select distinct f as frequency, private.pay_period(f, day::date) as period
        from unnest(array['weekly', 'bi-weekly', 'monthly']) f
        cross join generate_series(p_from::timestamp, p_to::timestamp, '1 day') day
      ) of on of.frequency = coalesce(s.payment_frequency, 'monthly')
    ) p
    where exists (
      select from public.assignments a where a.user_id = p.user_id and a.status <> 'cancelled' and a.period
        && tstzrange(private.company_midnight(lower(p.period)), private.company_midnight(upper(p.period)))
    ) or exists (
      select from public.attendance a where a.user_id = p.user_id
        and a.clock_in_at < private.company_midnight(upper(p.period))
        and a.clock_in_at >= private.company_midnight(lower(p.period))
    ) or exists (
      select from public.leave_requests l where l.user_id = p.user_id and l.status = 'approved'
        and l.start_date < upper(p.period) and l.end_date >= lower(p.period)
    )
  ) f
  order by 1, 2
  on conflict do nothing;
  perform set_config('app.computing_time', '', true);
end
$$;

-- Computes the weeks that touch [p_from, p_to] in these people's timesheets that are not locked. An approved timesheet
-- whose minutes change is open again. Without p_wait, timesheets that somebody else is writing are left out.
-- @returns the people whose timesheets were left out
create function private.compute_time(p_users uuid[], p_from date, p_to date, p_wait boolean default true)
returns uuid[]
-- Thousands of rows from functions: estimates of their number are far off, so compiling the plan would cost more.
language plpgsql security definer set search_path = '' set jit = off set work_mem = '32MB' as $$
declare
  first date := date_trunc('week', p_from::timestamp)::date;
  last date := date_trunc('week', p_to::timestamp)::date + 6;
  sheets uuid[];
  people uuid[];
  left_out uuid[];
  segments private.time_piece[];
  changed uuid[];
  touched uuid[];
begin
  -- In one order, so that two computations never wait for each other.
  if p_wait then
    select array_agg(t.id), array_agg(distinct t.user_id) into sheets, people from (
      select t.id, t.user_id from public.timesheets t
      where t.user_id = any (p_users) and t.status <> 'locked' and t.period_start <= last and t.period_end >= first
      order by t.user_id, t.period_start for no key update
    ) t;
  else
    select array_agg(t.id), array_agg(distinct t.user_id) into sheets, people from (
      select t.id, t.user_id from public.timesheets t
      where t.user_id = any (p_users) and t.status <> 'locked' and t.period_start <= last and t.period_end >= first
      for no key update skip locked
    ) t;
    left_out := array(
      select distinct t.user_id from public.timesheets t
      where t.user_id = any (p_users) and t.status <> 'locked' and t.period_start <= last and t.period_end >= first
        and (sheets is null or t.id <> all (sheets))
    );
  end if;
  if sheets is null then
    return coalesce(left_out, '{}');
  end if;
  segments := array(select s from private.computed_segments(people, first, last) s);
  perform set_config('app.computing_time', 'on', true);

  changed := private.write_time_segments(sheets, first, last, segments);
  touched := private.write_time_days(sheets, people, first, last, segments);
  perform private.sum_timesheets(sheets, changed, touched);
  perform set_config('app.computing_time', '', true);
  return coalesce(left_out, '{}');
end
$$;

-- Computes the hours of everybody for the pay periods that these days touch, and makes the timesheets that are missing.
-- Locked ones stay as they are. @returns how many timesheets the days touch
create function public.compute_timesheets("from" date, "to" date) returns integer
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  first date;
  last date;
  people uuid[];
begin
  if auth.uid() is not null and not private.has_role('admin', 'ops_manager', 'hr', 'finance') then
    raise exception 'You may not compute timesheets.' using errcode = 'insufficient_privilege';
  end if;
  perform private.require_day(compute_timesheets."from", 'start');
  perform private.require_day(compute_timesheets."to", 'end');
  if compute_timesheets."to" < compute_timesheets."from" or compute_timesheets."to" - compute_timesheets."from" > 100 then
    raise exception 'Give a start before the end, at most 100 days apart.' using errcode = 'invalid_parameter_value';
  end if;
  -- A month is the longest period.
  first := date_trunc('month', compute_timesheets."from"::timestamp)::date - 14;
  last := (date_trunc('month', compute_timesheets."to"::timestamp) + interval '1 month')::date + 13;
  people := array(
    select a.user_id from public.assignments a
    where a.starts_at >= private.company_midnight(first) - interval '1 day' and a.starts_at < private.company_midnight(last + 1)
      and a.status <> 'cancelled'
    union
    select r.user_id from public.attendance r
    where r.clock_in_at >= private.company_midnight(first) and r.clock_in_at < private.company_midnight(last + 1)
    union
    select l.user_id from public.leave_requests l
    where l.status = 'approved' and l.start_date <= last and l.end_date >= first
  );
  perform private.add_timesheets(people, compute_timesheets."from", compute_timesheets."to");
  select min(t.period_start), max(t.period_end) into first, last from public.timesheets t
  where t.period_start <= compute_timesheets."to" and t.period_end >= compute_timesheets."from";
  if first is null then
    return 0;
  end if;
  people := array(
    select distinct t.user_id from public.timesheets t
    where t.period_start <= compute_timesheets."to" and t.period_end >= compute_timesheets."from" order by 1
  );
  perform private.compute_time(people, first, last);
  return (select count(*)::integer from public.timesheets t
    where t.period_start <= compute_timesheets."to" and t.period_end >= compute_timesheets."from");
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.compute_timesheets from public, anon;
grant execute on function public.compute_timesheets to authenticated, service_role;
