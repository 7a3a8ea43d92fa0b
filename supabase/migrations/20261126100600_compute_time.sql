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
      select distinct u as user_id, private.pay_period(coalesce(s.payment_frequency, 'monthly'), day::date) as period
      from unnest(p_users) u
      left join public.staff s on s.user_id = u
      cross join generate_series(p_from::timestamp, p_to::timestamp, '1 day') day
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

  changed := private.remove_stale_segments(sheets, first, last, segments);
  with added as (
    insert into public.time_segments (timesheet_id, user_id, day, attendance_id, leave_request_id, shift_id, site_id,
      starts_at, ends_at, class, rule, rate, time_rule_id)
    select t.id, c.user_id, c.day, c.attendance_id, c.leave_request_id, c.shift_id, c.site_id, c.starts_at, c.ends_at,
      c.class, c.rule, c.rate, c.time_rule_id
    from unnest(segments) c
    join public.timesheets t
      on t.user_id = c.user_id and t.id = any (sheets) and c.day between t.period_start and t.period_end
    where not exists (
      select from public.time_segments s
      where s.timesheet_id = t.id and s.user_id = c.user_id and s.starts_at = c.starts_at
    )
    order by c.user_id, c.starts_at
    returning timesheet_id
  )
  select array(select unnest(changed) union select a.timesheet_id from added a) into changed;

  touched := private.write_time_days(sheets, people, first, last, segments);
  perform private.sum_timesheets(sheets, changed, touched);
  perform set_config('app.computing_time', '', true);
  return coalesce(left_out, '{}');
end
$$;

-- Removes the stored segments that are not among the computed ones. @returns their timesheets
create function private.remove_stale_segments(
  p_sheets uuid[], p_first date, p_last date, p_segments private.time_piece[]
) returns uuid[]
-- Without statistics the planner would compare each with each.
language plpgsql security definer set search_path = '' set enable_nestloop = off as $$
declare
  changed uuid[];
begin
  with gone as (
    delete from public.time_segments s
    where s.timesheet_id = any (p_sheets) and s.day between p_first and p_last and not exists (
      select from unnest(p_segments) c
      where c.user_id = s.user_id and c.starts_at = s.starts_at and c.ends_at = s.ends_at
        and (c.class, c.rule, c.rate, c.time_rule_id) = (s.class, s.rule, s.rate, s.time_rule_id)
        and (c.attendance_id, c.leave_request_id, c.shift_id, c.site_id)
          is not distinct from (s.attendance_id, s.leave_request_id, s.shift_id, s.site_id)
    )
    returning s.timesheet_id
  )
  select array_agg(distinct g.timesheet_id) into changed from gone g;
  return changed;
end
$$;

-- Writes the days of [p_first, p_last] that differ. @returns their timesheets
create function private.write_time_days(
  p_sheets uuid[], p_people uuid[], p_first date, p_last date, p_segments private.time_piece[]
) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid[];
begin
  with fresh as materialized (
    select t.id as timesheet_id, d.*
    from private.computed_days(p_people, p_first, p_last, p_segments) d
    join public.timesheets t
      on t.user_id = d.user_id and t.id = any (p_sheets) and d.day between t.period_start and t.period_end
  ), gone as (
    delete from public.timesheet_days x
    where x.timesheet_id = any (p_sheets) and x.day between p_first and p_last
      and not exists (select from fresh f where f.timesheet_id = x.timesheet_id and f.day = x.day)
    returning x.timesheet_id
  ), written as (
    insert into public.timesheet_days as x (timesheet_id, user_id, day, planned_minutes, worked_minutes, paid_minutes,
      missing_minutes, credited_minutes, issues, explanations)
    select f.timesheet_id, f.user_id, f.day, f.planned, f.worked, f.paid, f.missing, f.credited, f.issues, f.explanations
    from fresh f
    where not exists (
      select from public.timesheet_days s
      where s.timesheet_id = f.timesheet_id and s.day = f.day
        and (s.planned_minutes, s.worked_minutes, s.paid_minutes, s.missing_minutes, s.credited_minutes, s.issues,
          s.explanations) = (f.planned, f.worked, f.paid, f.missing, f.credited, f.issues, f.explanations)
    )
    on conflict (timesheet_id, day) do update set planned_minutes = excluded.planned_minutes,
      worked_minutes = excluded.worked_minutes, paid_minutes = excluded.paid_minutes,
      missing_minutes = excluded.missing_minutes, credited_minutes = excluded.credited_minutes,
      issues = excluded.issues, explanations = excluded.explanations
    returning x.timesheet_id
  )
  select array(select g.timesheet_id from gone g union select w.timesheet_id from written w) into touched;
  return touched;
end
$$;

-- Sums the days and segments of these timesheets. p_changed have other segments than before, p_touched other days.
create function private.sum_timesheets(p_sheets uuid[], p_changed uuid[], p_touched uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  reopened uuid[];
begin
  with classes as (
    select s.timesheet_id, coalesce(sum(s.minutes) filter (where s.class = 'regular'), 0)::integer as regular,
      coalesce(sum(s.minutes) filter (where s.class = 'overtime_1'), 0)::integer as overtime_1,
      coalesce(sum(s.minutes) filter (where s.class = 'overtime_2'), 0)::integer as overtime_2,
      coalesce(sum(s.minutes) filter (where s.class = 'night'), 0)::integer as night,
      coalesce(sum(s.minutes) filter (where s.class = 'holiday'), 0)::integer as holiday,
      coalesce(sum(s.minutes) filter (where s.class = 'leave_paid'), 0)::integer as leave_paid,
      coalesce(sum(s.minutes) filter (where s.class = 'leave_unpaid'), 0)::integer as leave_unpaid,
      coalesce(sum(s.minutes) filter (where s.class = 'unpaid'), 0)::integer as unpaid
    from public.time_segments s where s.timesheet_id = any (p_sheets) group by s.timesheet_id
  ), days as (
    select d.timesheet_id, sum(d.credited_minutes)::integer as credited, sum(d.planned_minutes)::integer as planned,
      sum(d.missing_minutes)::integer as missing, sum(cardinality(d.issues))::integer as open_issues
    from public.timesheet_days d where d.timesheet_id = any (p_sheets) group by d.timesheet_id
  ), fresh as (
    select t.id, coalesce(c.regular, 0) as regular, coalesce(c.overtime_1, 0) as overtime_1,
      coalesce(c.overtime_2, 0) as overtime_2, coalesce(c.night, 0) as night, coalesce(c.holiday, 0) as holiday,
      coalesce(c.leave_paid, 0) as leave_paid, coalesce(c.leave_unpaid, 0) as leave_unpaid,
      coalesce(c.unpaid, 0) as unpaid, coalesce(d.credited, 0) as credited, coalesce(d.planned, 0) as planned,
      coalesce(d.missing, 0) as missing, coalesce(d.open_issues, 0) as open_issues,
      array(select distinct i from public.timesheet_days x, unnest(x.issues) i where x.timesheet_id = t.id order by i) as issues,
      array(
        select a.site_id from public.assignments a
        where a.user_id = t.user_id and a.status <> 'cancelled' and a.period
          && tstzrange(private.company_midnight(t.period_start), private.company_midnight(t.period_end + 1))
        union select s.site_id from public.time_segments s where s.timesheet_id = t.id and s.site_id is not null
        order by 1
      ) as sites
    from public.timesheets t
    left join classes c on c.timesheet_id = t.id
    left join days d on d.timesheet_id = t.id
    where t.id = any (p_sheets)
  ), written as (
    update public.timesheets t set regular_minutes = f.regular, overtime_1_minutes = f.overtime_1,
      overtime_2_minutes = f.overtime_2, night_minutes = f.night, holiday_minutes = f.holiday,
      leave_paid_minutes = f.leave_paid, leave_unpaid_minutes = f.leave_unpaid, unpaid_minutes = f.unpaid,
      credited_minutes = f.credited, planned_minutes = f.planned, missing_minutes = f.missing,
      open_issues = f.open_issues, issues = f.issues, site_ids = f.sites, computed_at = clock_timestamp()
    from fresh f
    join public.timesheets o on o.id = f.id
    where t.id = f.id and (t.id = any (p_changed) or t.id = any (p_touched) or (
      o.regular_minutes, o.overtime_1_minutes, o.overtime_2_minutes, o.night_minutes, o.holiday_minutes,
      o.leave_paid_minutes, o.leave_unpaid_minutes, o.unpaid_minutes, o.credited_minutes, o.planned_minutes,
      o.missing_minutes, o.open_issues, o.issues, o.site_ids
    ) is distinct from (
      f.regular, f.overtime_1, f.overtime_2, f.night, f.holiday, f.leave_paid, f.leave_unpaid, f.unpaid, f.credited,
      f.planned, f.missing, f.open_issues, f.issues, f.sites
    ))
    returning t.id, t.status, t.id = any (p_changed) or t.open_issues > o.open_issues or (t.credited_minutes,
      t.planned_minutes, t.missing_minutes) <> (o.credited_minutes, o.planned_minutes, o.missing_minutes) as differs
  )
  select array_agg(w.id) into reopened from written w where w.status = 'approved' and w.differs;
  if reopened is not null then
    -- Not a computed figure: the activity log shows it.
    perform set_config('app.computing_time', '', true);
    update public.timesheets t set status = 'open', note = 'Changed after it was approved.',
      approved_at = null, approved_by = null, submitted_at = null, submitted_by = null
    where t.id = any (reopened);
    perform set_config('app.computing_time', 'on', true);
  end if;
end
$$;

-- Computes the hours of everybody for the pay periods that these days touch, and makes the timesheets that are missing.
-- Locked ones stay as they are. @returns how many timesheets the days touch
create function public.compute_timesheets("from" date, "to" date) returns integer
language plpgsql security definer set search_path = '' as $$
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
