-- "In now" and forgotten clock-outs are counted apart, here and on the dashboard.

create or replace view public.attendance_overview with (security_invoker = true) as
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
      case when state.is_issue and a.status <> 'no_show' then 'missing' end,
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
  -- Issues as dashboard_figures counts them.
  cross join lateral (
    select r.clock_in_at is not null and r.clock_out_at is null as is_open,
      a.status <> 'cancelled' and a.starts_at <= now() and (
        a.attendance_state = 'none'
        or a.attendance_state = 'in' and r.clock_in_at is not null and r.clock_out_at is null
          and upper(a.period) <= now()
      ) as is_issue
  ) state;
comment on column public.attendance_overview.states is
  'Never null: in (the shift is not over), forgotten (the shift is over, no clock-out), late, missing, outside, no_location, late_sent, by_guard, review, issues';
comment on column public.attendance_overview.on_leave is 'Never null';

-- A shift belongs to the day on which it starts, in the company's zone, also when it ends the next morning. Today has
-- besides its own shifts those of days before that are still running, and every record that is still open.
-- Without a day: what is to be done, of every day, which is every attendance issue and every record to review.
create or replace function public.attendance_of(p_day date default null) returns setof public.attendance_overview
language plpgsql stable set search_path = '' as $$
declare
  bounds tstzrange;
  chosen uuid[];
begin
  if p_day is null then
    chosen := array(
      select a.id from public.assignments a
      where a.attendance_state <> 'out' and a.status <> 'cancelled' and a.starts_at <= now()
        and (a.attendance_state = 'none' or upper(a.period) <= now())
      union select r.assignment_id from public.attendance r where r.needs_review
    );
  else
    perform private.require_day(p_day);
    bounds := private.bounds_of_day(p_day);
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
  -- The inner query keeps the planner from reading all attendance there ever was, for fear of a long list.
  return query select * from public.attendance_overview o
    where o.assignment_id = any (array(select distinct unnest(chosen)))
      and (p_day is not null or o.states && array['issues', 'review']);
end
$$;

-- The guards at this moment: required and assigned on the shifts that are running, and the open records, which are
-- exactly those that attendance_counts() has as in and forgotten.
create function public.coverage_now() returns table (
  required integer, assigned integer, clocked_in integer, forgotten integer
)
language sql stable set search_path = '' as $$
  select running.required, running.assigned, open.clocked_in, open.forgotten
  from (
    select coalesce(sum(b.required_headcount), 0)::integer as required, coalesce(sum(b.assigned), 0)::integer as assigned
    from public.shift_board b
    where b.start_time <= now() and b.end_time > now()
  ) running
  cross join (
    select count(*) filter (where upper(a.period) > now())::integer as clocked_in,
      count(*) filter (where upper(a.period) <= now())::integer as forgotten
    from public.attendance r join public.assignments a on a.id = r.assignment_id
    where r.clock_out_at is null
  ) open;
$$;
revoke all on function public.coverage_now() from public, anon;
grant execute on function public.coverage_now() to authenticated;
