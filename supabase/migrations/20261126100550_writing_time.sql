-- Writing computed time: only what differs, so that computing again changes nothing.

-- Removes the stored segments of [p_first, p_last] that are not among the computed ones, and adds those that are not
-- stored. @returns their timesheets
create function private.write_time_segments(
  p_sheets uuid[], p_first date, p_last date, p_segments private.time_piece[]
) returns uuid[]
-- Without statistics the planner would compare each with each.
language plpgsql security definer set search_path = '' set enable_nestloop = off as $$
declare
  changed uuid[];
  more uuid[];
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
  with added as (
    insert into public.time_segments (timesheet_id, user_id, day, attendance_id, leave_request_id, shift_id, site_id,
      starts_at, ends_at, class, rule, rate, time_rule_id)
    select t.id, c.user_id, c.day, c.attendance_id, c.leave_request_id, c.shift_id, c.site_id, c.starts_at, c.ends_at,
      c.class, c.rule, c.rate, c.time_rule_id
    from unnest(p_segments) c
    join public.timesheets t
      on t.user_id = c.user_id and t.id = any (p_sheets) and c.day between t.period_start and t.period_end
    where not exists (
      select from public.time_segments s
      where s.timesheet_id = any (p_sheets) and s.day between p_first and p_last
        and s.user_id = c.user_id and s.starts_at = c.starts_at
    )
    order by c.user_id, c.starts_at
    returning timesheet_id
  )
  select array_agg(distinct a.timesheet_id) into more from added a;
  return coalesce(changed, '{}') || coalesce(more, '{}');
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
      -- Hashed however few days the planner expects; "not exists" could compare each with each.
      and (x.timesheet_id, x.day) not in (select f.timesheet_id, f.day from fresh f)
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
  ), issues as (
    select d.timesheet_id, array_agg(distinct i order by i) as issues
    from public.timesheet_days d, unnest(d.issues) i where d.timesheet_id = any (p_sheets) group by d.timesheet_id
  ), places as (
    select x.timesheet_id, array_agg(x.site_id order by x.site_id) as sites
    from (
      select s.timesheet_id, s.site_id from public.time_segments s
      where s.timesheet_id = any (p_sheets) and s.site_id is not null
      union
      select t.id, a.site_id
      from public.timesheets t
      join public.assignments a on a.user_id = t.user_id and a.status <> 'cancelled' and a.period
        && tstzrange(private.company_midnight(t.period_start), private.company_midnight(t.period_end + 1))
      where t.id = any (p_sheets)
    ) x group by x.timesheet_id
  ), fresh as (
    select t.id, coalesce(c.regular, 0) as regular, coalesce(c.overtime_1, 0) as overtime_1,
      coalesce(c.overtime_2, 0) as overtime_2, coalesce(c.night, 0) as night, coalesce(c.holiday, 0) as holiday,
      coalesce(c.leave_paid, 0) as leave_paid, coalesce(c.leave_unpaid, 0) as leave_unpaid,
      coalesce(c.unpaid, 0) as unpaid, coalesce(d.credited, 0) as credited, coalesce(d.planned, 0) as planned,
      coalesce(d.missing, 0) as missing, coalesce(d.open_issues, 0) as open_issues,
      coalesce(i.issues, '{}') as issues, coalesce(p.sites, '{}') as sites
    from public.timesheets t
    left join classes c on c.timesheet_id = t.id
    left join days d on d.timesheet_id = t.id
    left join issues i on i.timesheet_id = t.id
    left join places p on p.timesheet_id = t.id
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

revoke all on all functions in schema private from public;
