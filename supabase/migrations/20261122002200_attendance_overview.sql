-- Attendance as overseers see it: who is in, late, missing or to be reviewed, by day; and the result of a review.

-- Runs after c_rules, which decides whether a record needs a review.
create function private.note_resolution() returns trigger
language plpgsql set search_path = '' as $$
declare
  me uuid := auth.uid();
begin
  if me is null or pg_trigger_depth() > 1 then
    return new;
  end if;
  if tg_op = 'INSERT' then
    new.resolution := null;
    new.resolved_by := null;
    new.resolved_at := null;
    return new;
  end if;
  if me = new.user_id and new.resolution is distinct from old.resolution then
    raise exception 'You can''t resolve the exceptions of your own attendance.'
      using errcode = 'insufficient_privilege';
  end if;
  if new.needs_review and not old.needs_review then
    new.resolution := null;
    new.resolved_by := null;
    new.resolved_at := null;
  elsif new.needs_review and new.resolution is not null then
    raise exception 'Send a resolution together with needs_review = false.' using errcode = 'check_violation';
  elsif old.needs_review and not new.needs_review or new.resolution is distinct from old.resolution then
    if new.resolution is null then
      raise exception 'Describe how this was resolved.' using errcode = 'check_violation';
    end if;
    new.resolved_by := me;
    new.resolved_at := now();
  end if;
  return new;
end
$$;

create trigger c_rules_of_resolution before insert or update on public.attendance
  for each row execute function private.note_resolution();

-- An issue: a shift has begun and the guard has not clocked in, or it has ended and the guard has not clocked out.
-- The dashboard counts the same. Never null, also for a null row. No fixed search path, so that the planner can inline
-- it and use the index.
create function private.is_attendance_issue(assignment public.assignments) returns boolean
language sql stable
return assignment.id is not null and assignment.attendance_state <> 'out' and assignment.status <> 'cancelled'
  and assignment.starts_at <= now() and (assignment.attendance_state = 'none' or upper(assignment.period) <= now());

-- Runs with the caller's rights: the policies of assignments, sites, profiles and attendance decide.
create view public.attendance_overview with (security_invoker = true) as
  select a.id as assignment_id, r.id as attendance_id, a.user_id,
    coalesce(nullif(p.full_name, ''), p.email, '') as guard_name,
    a.role_at_shift, a.status, a.attendance_state, a.site_id, t.name as site_name, t.client_name, t.timezone,
    a.starts_at as start_time, upper(a.period) as end_time, r.clock_in_at, r.clock_out_at,
    coalesce(r.late_minutes, 0) as late_minutes, coalesce(r.early_minutes, 0) as early_minutes,
    nullif(greatest(
      case when r.clock_in_distance_m > t.geofence_radius_m then r.clock_in_distance_m else 0 end,
      case when r.clock_out_distance_m > t.geofence_radius_m then r.clock_out_distance_m else 0 end
    ), 0) as outside_m,
    coalesce(r.flags, '{}') as flags,
    coalesce(r.needs_review, false) as needs_review,
    r.corrected_at is not null as is_corrected,
    array_remove(array[
      case when state.is_open and upper(a.period) > now() then 'in' end,
      case when state.is_open and upper(a.period) <= now() then 'forgotten' end,
      case when r.late_minutes > 0 then 'late' end,
      case when state.is_issue and a.status <> 'no_show' and not (a.on_leave and r.clock_in_at is null)
        then 'missing' end,
      case when 'outside_fence' = any (r.flags) then 'outside' end,
      case when 'no_location' = any (r.flags) then 'no_location' end,
      case when 'sent_late' = any (r.flags) then 'late_sent' end,
      case when 'entered_by_guard' = any (r.flags) then 'by_guard' end,
      case when r.needs_review then 'review' end,
      case when state.is_issue then 'issues' end
    ], null) as states,
    a.on_leave
  from public.assignments a
  join public.sites t on t.id = a.site_id
  left join public.profiles p on p.id = a.user_id
  left join public.attendance r on r.assignment_id = a.id
  cross join lateral (
    select r.clock_in_at is not null and r.clock_out_at is null as is_open,
      -- Of several records of one assignment, only the open one is the issue.
      private.is_attendance_issue(a)
        and (a.attendance_state = 'none' or r.clock_in_at is not null and r.clock_out_at is null) as is_issue
  ) state;
select private.mark_never_null('public.attendance_overview',
  'assignment_id', 'user_id', 'guard_name', 'status', 'attendance_state', 'site_id', 'site_name', 'client_name',
  'timezone', 'start_time', 'end_time', 'late_minutes', 'early_minutes', 'flags', 'needs_review', 'is_corrected',
  'on_leave');
comment on column public.attendance_overview.outside_m is
  'Metres from the site of the farther clock event outside the geofence';
comment on column public.attendance_overview.states is
  'Never null: in, forgotten (the shift has ended, no clock-out), late, missing, outside, no_location, late_sent, '
  'by_guard, review, issues';
revoke all on public.attendance_overview from anon, authenticated, service_role;
grant select on public.attendance_overview to authenticated;

-- A shift belongs to the day on which it starts, also when it ends the next morning. Today also has the shifts of
-- earlier days that are still running, and every open record. Without a day: every issue and every record to review.
create function public.attendance_of(p_day date default null) returns setof public.attendance_overview
language plpgsql stable set search_path = '' as $$
declare
  bounds tstzrange;
  chosen uuid[];
begin
  if p_day is null then
    chosen := array(
      select a.id from public.assignments a where private.is_attendance_issue(a)
      union select r.assignment_id from public.attendance r where r.needs_review
    );
  else
    perform private.require_day(p_day);
    bounds := private.company_day(p_day);
    chosen := array(
      select a.id from public.assignments a where a.starts_at >= lower(bounds) and a.starts_at < upper(bounds)
    );
    if p_day = private.company_date() then
      chosen := chosen || array(
        select a.id from public.assignments a
        where a.attendance_state <> 'out' and a.status <> 'cancelled' and a.starts_at < lower(bounds)
          and upper(a.period) > now()
        union select r.assignment_id from public.attendance r where r.clock_out_at is null
      );
    end if;
  end if;
  -- The inner query keeps the planner from choosing a full scan because the array might be long.
  return query select * from public.attendance_overview o
    where o.assignment_id = any (array(select distinct unnest(chosen)))
      and (p_day is not null or o.states && array['issues', 'review']);
end
$$;

-- How many rows each state has, of a day. Without a day: of today, with the issues and reviews of every day.
create function public.attendance_counts(p_day date default null, p_site_id uuid default null)
returns table (state text, rows integer)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select s.state, count(*)::integer
    from public.attendance_of(coalesce(p_day, private.company_date())) o
    cross join lateral unnest(o.states || array['all']) as s (state)
    where (p_site_id is null or o.site_id = p_site_id)
      and (p_day is not null or s.state not in ('issues', 'review'))
    group by s.state;
  if p_day is null then
    return query
      select s.state, count(*)::integer
      from public.attendance_of() o
      cross join lateral unnest(o.states) as s (state)
      where (p_site_id is null or o.site_id = p_site_id) and s.state in ('issues', 'review')
      group by s.state;
  end if;
end
$$;

revoke all on all functions in schema private from public;
grant execute on function private.is_attendance_issue to authenticated;
revoke all on function public.attendance_of, public.attendance_counts from public, anon;
grant execute on function public.attendance_of, public.attendance_counts to authenticated;
