-- A guard on approved leave who has not clocked in is not missing. Open issues keep counting what the dashboard counts.
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
      case when state.is_issue and a.status <> 'no_show' and not (a.on_leave and r.clock_in_at is null) then 'missing' end,
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
