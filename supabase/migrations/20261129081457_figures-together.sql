create or replace FUNCTION private.gravest_posts(begins timestamp with time zone, ends timestamp with time zone, own_sites uuid[], wanted_state text, client text, supervisor text, counties text[], chosen_sites uuid[], words text)
 RETURNS TABLE(shifts uuid[], counts jsonb, posts integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  shown constant integer := 200;
  -- By gravity, the gravest first.
  states constant text[] := '{sos,missing,empty,left_early,no_signal,late,unconfirmed,due,on_post}';
  wanted constant integer := array_position(states, wanted_state);
  soon constant timestamptz := now() + interval '2 hours';
  earliest constant timestamptz := private.first_start(now());
  patterns constant text[] := private.search_patterns(coalesce(words, ''));
begin
  return query
  with alarm as materialized (
    select l.assignment_id, l.shift_id, l.is_sos, l.is_silent from private.alarmed_seats() l
  ),
  site as materialized (
    select t.id, t.name, t.client_name, t.alert_after_minutes
    from public.sites t
    where (own_sites is null or t.id = any (own_sites)) and (chosen_sites is null or t.id = any (chosen_sites))
      and (client is null or t.client_name = client) and (counties is null or t.county = any (counties))
      and (supervisor is null or exists (
        select from private.site_supervisors b where b.site_id = t.id and b.name = supervisor
      ))
  ),
  shift as materialized (
    select s.id, s.site_id, s.post_id, s.end_time, s.required_headcount, true as is_current
    from public.shifts s
    where s.start_time >= earliest and s.start_time < soon and s.end_time > now()
    union all
    select s.id, s.site_id, s.post_id, s.end_time, s.required_headcount, false
    from public.shifts s
    where s.id in (select a.shift_id from alarm a where a.is_sos)
      and s.start_time < ends and s.end_time > begins and not (s.end_time > now() and s.start_time < soon)
  ),
  seat as materialized (
    select a.shift_id, a.id, a.attendance_state, a.status, greatest(a.starts_at, a.created_at) as expected
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at < soon and a.counts_as_staffed
      and upper(a.period) > now()
    union all
    select a.shift_id, a.id, a.attendance_state, a.status, greatest(a.starts_at, a.created_at)
    from public.assignments a
    where a.shift_id in (select s.id from shift s where not s.is_current) and a.counts_as_staffed
  ),
  judged as materialized (
    select s.id, s.site_id, s.post_id, s.is_current, s.required_headcount, t.name, t.client_name,
      case
        when l.is_sos then 1
        when e.id is null or not s.is_current then null
        when e.attendance_state = 'out' then case when (
            select s.end_time - r.clock_out_at > private.early_leave_margin()
            from public.attendance r where r.assignment_id = e.id order by r.clock_in_at desc limit 1
          ) and (
            select count(*) from public.assignments o where o.shift_id = s.id and o.attendance_state = 'in'
              and o.status <> 'cancelled'
          ) < s.required_headcount then 4 end
        when e.attendance_state = 'in' then case when l.is_silent then 5 else 9 end
        when e.expected > now() then case when e.status = 'assigned' then 7 else 8 end
        when e.expected > now() - make_interval(mins => t.alert_after_minutes) then 6
        else 2
      end as state,
      s.is_current and e.attendance_state = 'in' as is_on_post,
      e.id as seat_id
    from shift s
    join site t on t.id = s.site_id
    left join seat e on e.shift_id = s.id
    left join alarm l on l.assignment_id = e.id
  ),
  counted as materialized (
    select j.site_id, j.post_id, j.name, j.client_name, j.id,
      count(*) filter (where j.state = 1)::integer as s1, count(*) filter (where j.state = 2)::integer as s2,
      case when j.is_current then greatest(j.required_headcount - count(j.seat_id), 0) else 0 end::integer as s3,
      count(*) filter (where j.state = 4)::integer as s4, count(*) filter (where j.state = 5)::integer as s5,
      count(*) filter (where j.state = 6)::integer as s6, count(*) filter (where j.state = 7)::integer as s7,
      count(*) filter (where j.state = 8)::integer as s8, count(*) filter (where j.is_on_post)::integer as s9
    from judged j
    group by j.id, j.site_id, j.post_id, j.name, j.client_name, j.is_current, j.required_headcount
  ),
  post as materialized (
    select c.site_id, c.post_id, c.name, c.client_name,
      array[sum(s1), sum(s2), sum(s3), sum(s4), sum(s5), sum(s6), sum(s7), sum(s8), sum(s9)]::integer[] as seats
    from counted c
    group by 1, 2, 3, 4
  ),
  guard as materialized (
    select g.site_id, g.post_id, g.names from private.posts_of_named_guards(begins, ends, patterns) g
  ),
  found as materialized (
    select p.site_id, p.post_id, p.name, p.seats
    from post p
    left join guard g on g.site_id = p.site_id and g.post_id is not distinct from p.post_id
    where cardinality(patterns) = 0 or private.folded(concat_ws(E'\n', p.name, p.client_name,
        (select o.name from public.posts o where o.id = p.post_id), g.names
      )) like all (patterns)
  ),
  matching as materialized (
    select f.site_id, f.post_id, f.name, private.gravity_of(f.seats) as gravity
    from found f
    where wanted is null or f.seats[wanted] > 0
  ),
  gravest as materialized (
    select m.site_id, m.post_id from matching m order by m.gravity, m.name, m.site_id, m.post_id limit shown
  )
  select array(
      select s.id
      from gravest g
      join public.shifts s on s.site_id = g.site_id and s.post_id is not distinct from g.post_id
      where s.start_time >= least(begins - interval '24 hours', earliest) and s.start_time < ends
        and s.end_time > begins
    ),
    (
      select jsonb_build_object(
        'sos', coalesce(sum(f.seats[1]), 0), 'missing', coalesce(sum(f.seats[2]), 0),
        'empty', coalesce(sum(f.seats[3]), 0), 'left_early', coalesce(sum(f.seats[4]), 0),
        'no_signal', coalesce(sum(f.seats[5]), 0), 'late', coalesce(sum(f.seats[6]), 0),
        'unconfirmed', coalesce(sum(f.seats[7]), 0), 'due', coalesce(sum(f.seats[8]), 0),
        'on_post', coalesce(sum(f.seats[9]), 0)
      )
      from found f
    ),
    (select count(*)::integer from matching m);
end
$function$;

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
            WHEN private.is_outside(r.clock_in_distance_m, r.clock_in_accuracy_m, t.geofence_radius_m) THEN r.clock_in_distance_m
            ELSE 0
        END,
        CASE
            WHEN private.is_outside(r.clock_out_distance_m, r.clock_out_accuracy_m, t.geofence_radius_m) THEN r.clock_out_distance_m
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
            (private.is_attendance_issue(a.*) AND ((a.attendance_state = 'none'::text) OR ((r.clock_in_at IS NOT NULL) AND (r.clock_out_at IS NULL)))) AS is_issue) state);;
