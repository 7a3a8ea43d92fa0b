CREATE OR REPLACE FUNCTION private.clock_out_grace()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN '00:30:00'::interval;

grant execute on function private.clock_out_grace() to authenticated;

-- Another column in its result.
drop function public.dashboard_start(integer);

create FUNCTION public.dashboard_start(p_hours integer DEFAULT 12)
 RETURNS TABLE(required integer, on_post integer, late integer, missing integer, uncovered integer, next_required integer, next_missing integer, gaps_now integer, gaps_next integer, gaps jsonb, leave_pending integer, leave_soon integer, attendance_to_review integer, forgotten_clock_outs integer, new_enquiries integer, expired_certificates integer, expiring_certificates integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  ahead constant interval := make_interval(hours => least(greatest(coalesce(p_hours, 12), 1), 72));
  -- Rows of each list; the counts tell how many there are in all.
  shown constant integer := 6;
  earliest constant timestamptz := private.first_start(now());
  today constant date := private.company_date();
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor') and private.supervised_sites() = '{}' then
    raise exception 'The dashboard is for admins, operations managers and supervisors.'
      using errcode = 'insufficient_privilege';
  end if;

  with shift as materialized (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount as needed,
      s.start_time <= now() as is_running
    from public.shifts s
    where s.start_time >= earliest and s.start_time <= now() + ahead and s.end_time > now()
  ),
  work as materialized (
    -- The period of an assignment is the time of its shift.
    select a.shift_id, count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.counts_as_staffed and a.attendance_state = 'in')::integer as present,
      count(*) filter (
        where a.counts_as_staffed and a.attendance_state = 'none' and greatest(a.starts_at, a.created_at) <= now()
      )::integer as late,
      count(*) filter (
        where a.counts_as_staffed and a.attendance_state = 'none'
          and greatest(a.starts_at, a.created_at) <= now() - make_interval(mins => t.alert_after_minutes)
      )::integer as gone,
      -- On the way: replacements who join later.
      count(*) filter (
        where a.counts_as_staffed and a.attendance_state = 'none' and greatest(a.starts_at, a.created_at) > now()
      )::integer as coming
    from public.assignments a
    join public.sites t on t.id = a.site_id
    where a.starts_at >= earliest and a.starts_at <= now() + ahead and upper(a.period) > now()
      and a.status <> 'cancelled'
    group by a.shift_id
  ),
  post as materialized (
    select s.*, coalesce(w.assigned, 0) as assigned, coalesce(w.present, 0) as present, coalesce(w.late, 0) as late,
      coalesce(w.gone, 0) as gone,
      greatest(s.needed - case when s.is_running then coalesce(w.present + w.late + w.coming, 0)
        else coalesce(w.assigned, 0) end, 0)
        as missing
    from shift s
    left join work w on w.shift_id = s.id
  ),
  gap as (
    select p.*, row_number() over (
      partition by p.is_running order by (p.missing > 0) desc, p.start_time, p.missing desc, p.id
    ) as place
    from post p
    where p.missing > 0 or p.is_running and p.late > 0
  ),
  listed as (
    select g.*, t.name as site_name, t.client_name, t.timezone, (
      select coalesce(jsonb_agg(coalesce(nullif(p.full_name, ''), p.email) order by p.full_name), '[]')
      from public.assignments a join public.profiles p on p.id = a.user_id
      where a.shift_id = g.id and g.is_running and a.counts_as_staffed and a.attendance_state = 'none'
        and greatest(a.starts_at, a.created_at) <= now()
    ) as late_guards
    from gap g join public.sites t on t.id = g.site_id
    where g.place <= shown
  )
  select coalesce(sum(p.needed) filter (where p.is_running), 0),
    coalesce(sum(p.present) filter (where p.is_running), 0),
    coalesce(sum(p.late - p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.missing) filter (where p.is_running), 0),
    coalesce(sum(p.needed) filter (where not p.is_running), 0),
    coalesce(sum(p.missing) filter (where not p.is_running), 0),
    (select count(*) from gap g where g.is_running),
    (select count(*) from gap g where not g.is_running),
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'site_name', l.site_name, 'client_name', l.client_name, 'timezone', l.timezone,
        'start_time', l.start_time, 'end_time', l.end_time, 'is_running', l.is_running,
        'required', l.needed, 'missing', l.missing, 'late', l.late, 'late_guards', l.late_guards
      ) order by l.is_running desc, l.place), '[]')
      from listed l)
  into required, on_post, late, missing, uncovered, next_required, next_missing, gaps_now, gaps_next, gaps from post p;

  select count(*) into attendance_to_review from public.attendance r where r.needs_review;
  select count(*) into forgotten_clock_outs
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.clock_out_at is null and upper(a.period) <= now() - private.clock_out_grace();

  if private.has_role('admin', 'ops_manager') then
    select count(*), count(*) filter (where l.start_date <= today + 3)
    into leave_pending, leave_soon from public.leave_requests l where l.status = 'pending';
    select count(*) into new_enquiries from public.contact_messages m where m.state = 'new';
    select count(*) filter (where c.expires_at < now()), count(*) filter (where c.expires_at >= now())
    into expired_certificates, expiring_certificates
    from public.certifications c where c.expires_at <= now() + make_interval(days => private.expiring_days());
  end if;
  return next;
end
$function$;

comment on function public.dashboard_start is 'Nullable: leave_pending, leave_soon, new_enquiries, expired_certificates, '
  'expiring_certificates';
grant execute on function public.dashboard_start to authenticated;

create or replace view public.attendance_overview with (security_invoker=true) as  SELECT a.id AS assignment_id,
    r.id AS attendance_id,
    a.user_id,
    COALESCE(NULLIF(p.full_name, ''::text), p.email, ''::text) AS guard_name,
    a.role_at_shift,
    a.status,
    a.attendance_state,
    a.site_id,
    t.name AS site_name,
    t.client_name,
    t.timezone,
    a.starts_at AS start_time,
    upper(a.period) AS end_time,
    r.clock_in_at,
    r.clock_out_at,
    COALESCE(r.late_minutes, 0) AS late_minutes,
    COALESCE(r.early_minutes, 0) AS early_minutes,
    NULLIF(GREATEST(
        CASE
            WHEN (r.clock_in_distance_m > t.geofence_radius_m) THEN r.clock_in_distance_m
            ELSE 0
        END,
        CASE
            WHEN (r.clock_out_distance_m > t.geofence_radius_m) THEN r.clock_out_distance_m
            ELSE 0
        END), 0) AS outside_m,
    COALESCE(r.flags, '{}'::text[]) AS flags,
    COALESCE(r.needs_review, false) AS needs_review,
    (r.corrected_at IS NOT NULL) AS is_corrected,
    array_remove(ARRAY[
        CASE
            WHEN (state.is_open AND (upper(a.period) > (now() - private.clock_out_grace()))) THEN 'in'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (state.is_open AND (upper(a.period) <= (now() - private.clock_out_grace()))) THEN 'forgotten'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (r.late_minutes > 0) THEN 'late'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (a.counts_as_staffed AND (a.attendance_state = 'none'::text) AND (GREATEST(a.starts_at, a.created_at) <= (now() - make_interval(mins => t.alert_after_minutes)))) THEN 'missing'::text
            ELSE NULL::text
        END,
        CASE
            WHEN ('outside_fence'::text = ANY (r.flags)) THEN 'outside'::text
            ELSE NULL::text
        END,
        CASE
            WHEN ('no_location'::text = ANY (r.flags)) THEN 'no_location'::text
            ELSE NULL::text
        END,
        CASE
            WHEN ('sent_late'::text = ANY (r.flags)) THEN 'late_sent'::text
            ELSE NULL::text
        END,
        CASE
            WHEN ('entered_by_guard'::text = ANY (r.flags)) THEN 'by_guard'::text
            ELSE NULL::text
        END,
        CASE
            WHEN r.needs_review THEN 'review'::text
            ELSE NULL::text
        END,
        CASE
            WHEN state.is_issue THEN 'issues'::text
            ELSE NULL::text
        END], NULL::text) AS states,
    a.on_leave,
    r.clock_in_way,
    r.clock_out_way,
    a.no_show_reason
   FROM ((((public.assignments a
     JOIN public.sites t ON ((t.id = a.site_id)))
     LEFT JOIN public.profiles p ON ((p.id = a.user_id)))
     LEFT JOIN public.attendance r ON ((r.assignment_id = a.id)))
     CROSS JOIN LATERAL ( SELECT ((r.clock_in_at IS NOT NULL) AND (r.clock_out_at IS NULL)) AS is_open,
            (private.is_attendance_issue(a.*) AND ((a.attendance_state = 'none'::text) OR ((r.clock_in_at IS NOT NULL) AND (r.clock_out_at IS NULL)))) AS is_issue) state);

comment on column public.attendance_overview.states is 'Never null: in, forgotten (no clock-out when the grace after the shift is over), late (clocked in after the start), missing (not clocked in when the site''s minutes are over), outside, no_location, late_sent, by_guard, review, issues';
