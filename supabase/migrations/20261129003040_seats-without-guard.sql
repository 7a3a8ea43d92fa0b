create or replace FUNCTION private.roster_problems(p_shifts uuid[], p_users uuid[])
 RETURNS TABLE(shift_id uuid, user_id uuid, rule text, message text, can_override boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with wanted as materialized (
    select c.shift_id, c.user_id, c.period, c.override_reason is not null
      and private.may_oversee(c.site_id) as is_overridden
    from unnest(p_shifts, p_users) w (shift, person)
    join public.roster_changes c on c.shift_id = w.shift and c.user_id = w.person and c.change = 'assign'
  ),
  others as (
    select w.shift_id, w.user_id, array(
      select d.period from private.drafted_duties d
      where d.user_id = w.user_id and d.shift_id <> w.shift_id
        and d.starts_at > lower(w.period) - interval '15 days' and d.starts_at < upper(w.period) + interval '15 days'
    ) as duties
    from wanted w
  )
  select w.shift_id, w.user_id, p.rule, p.message, p.can_override
  from wanted w
  join others o on o.shift_id = w.shift_id and o.user_id = w.user_id
  cross join lateral (
    select * from private.duty_problems(w.user_id, lower(w.period), upper(w.period), o.duties, zone)
    union all
    select e.* from public.shifts s cross join lateral private.eligibility_problems(w.user_id, s) e
      where s.id = w.shift_id
  ) p
  where not (p.can_override and w.is_overridden)
  union all
  select f.id, w.user_id, 'full', format('This shift already has its %s', case f.required_headcount
    when 1 then 'guard' else f.required_headcount || ' guards' end), false
  from (
    select s.id, s.required_headcount
    from public.shifts s where s.id in (select v.shift_id from wanted v)
      and s.required_headcount < (
        select count(*) from private.drafted_duties d where d.shift_id = s.id and d.fills_seat
      )
  ) f
  join wanted w on w.shift_id = f.id;
end
$function$;

create or replace FUNCTION private.roster_state_of(p_from date, p_to date, span tstzrange, chosen uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'assignments', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', a.shift_id, 'user_id', a.user_id,
        'absence', case when a.counts_as_staffed then null when a.status = 'no_show' then 'no_show' else 'leave' end,
        'clocked', a.attendance_state <> 'none', 'override', a.override_reason is not null
      ) order by a.starts_at, a.id)
      from public.assignments a
      where a.starts_at >= lower(span) and a.starts_at < upper(span) and a.site_id = any (chosen)
        and a.status <> 'cancelled'
    ), '[]'),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', c.shift_id, 'user_id', c.user_id, 'change', c.change, 'override_reason', c.override_reason
      ) order by c.starts_at, c.id)
      from public.roster_changes c
      where c.starts_at >= lower(span) and c.starts_at < upper(span) and c.site_id = any (chosen)
    ), '[]'),
    'pins', coalesce((
      select jsonb_agg(jsonb_build_object('shift_id', n.shift_id, 'user_id', n.user_id) order by n.created_at, n.id)
      from public.roster_pins n join public.shifts s on s.id = n.shift_id
      where s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
    ), '[]'),
    'periods', coalesce((
      select jsonb_agg(jsonb_build_object(
        'starts_on', w.starts_on, 'state', w.state, 'published_at', w.published_at
      ) order by w.starts_on)
      from public.roster_periods w where w.starts_on between p_from - 6 and p_to
    ), '[]')
  );
$function$;

create or replace FUNCTION private.alert_causes(p_after_end interval DEFAULT '00:00:00'::interval, p_shifts uuid[] DEFAULT NULL::uuid[])
 RETURNS TABLE(cause text, kind text, shift_id uuid, assignment_id uuid, user_id uuid, site_id uuid, device_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  with wanted as (
    -- Three days back find every running shift by the index: hardly any is longer than one day. A few are found by
    -- their ids.
    select a.* from public.assignments a
    where (cardinality(p_shifts) <= 100) is not true and a.starts_at between now() - interval '3 days' and now()
      and (p_shifts is null or a.shift_id in (select unnest(p_shifts)))
    union all
    select a.* from public.assignments a
    where cardinality(p_shifts) <= 100 and a.shift_id = any (p_shifts)
      and a.starts_at between now() - interval '3 days' and now()
    union all
    -- Replacements on the way hold their seats before they join.
    select a.* from public.assignments a
    where a.joins_at is not null and a.starts_at > now() and a.starts_at < now() + interval '3 days'
      and (p_shifts is null or a.shift_id = any (p_shifts))
  ),
  duty as (
    select a.id, a.shift_id, a.user_id, a.site_id, a.starts_at, upper(a.period) as ends_at, a.status,
      a.attendance_state, a.created_at, count(*) filter (where a.attendance_state = 'in') over of_shift as present
    from wanted a
    where upper(a.period) > now() - p_after_end and a.counts_as_staffed
    window of_shift as (partition by a.shift_id)
  ),
  staff as (select d.shift_id, count(*) as guards from duty d group by d.shift_id)
  select 'missing:' || d.id, 'missing', d.shift_id, d.id, d.user_id, d.site_id, null::uuid
  from duty d
  join public.sites t on t.id = d.site_id
  where d.attendance_state = 'none' and d.status <> 'completed'
    and greatest(d.starts_at, d.created_at) <= now() - make_interval(mins => t.alert_after_minutes)
  union all
  select 'empty:' || s.id, 'empty', s.id, null, null, s.site_id, null
  from (
    select s.* from public.shifts s
    where (cardinality(p_shifts) <= 100) is not true and s.start_time between now() - interval '3 days' and now()
      and (p_shifts is null or s.id in (select unnest(p_shifts)))
    union all
    select s.* from public.shifts s
    where cardinality(p_shifts) <= 100 and s.id = any (p_shifts) and s.start_time between now() - interval '3 days'
      and now()
  ) s
  left join staff c on c.shift_id = s.id
  where s.end_time > now() - p_after_end and coalesce(c.guards, 0) < s.required_headcount
  union all
  select 'left_early:' || d.id, 'left_early', d.shift_id, d.id, d.user_id, d.site_id, null
  from duty d
  join public.shifts s on s.id = d.shift_id
  where d.attendance_state = 'out' and d.present < s.required_headcount
    and not exists (
      select from public.attendance r
      where r.assignment_id = d.id and r.clock_out_at >= d.ends_at - private.early_leave_margin()
    )
    and exists (select from public.attendance r where r.assignment_id = d.id)
    and not exists (
      select from public.shifts relief
      join public.assignments o on o.shift_id = relief.id and o.attendance_state = 'in'
      where relief.post_id = s.post_id and relief.start_time between s.end_time - interval '1 hour' and s.end_time
    )
  union all
  select 'no_signal:' || d.id, 'no_signal', d.shift_id, d.id, d.user_id, d.site_id, null
  from duty d
  join public.sites t on t.id = d.site_id
  join public.shifts s on s.id = d.shift_id
  left join public.posts p on p.id = s.post_id
  join private.phone_signals h on h.user_id = d.user_id
  cross join lateral (select now() - make_interval(mins => t.no_signal_after_minutes) as since) silent
  where d.attendance_state = 'in' and not h.is_away and h.heard_at <= silent.since
    and private.welfare_minutes(t.welfare_every_minutes, p.lone_worker) is not null
    and (h.session_id is null or exists (select from auth.sessions x where x.id = h.session_id))
    and exists (
      select from public.attendance r
      where r.assignment_id = d.id and r.clock_out_at is null and r.clock_in_at <= h.heard_at
    )
    -- The guard may have answered by a text message.
    and not exists (select from public.welfare_checks c where c.assignment_id = d.id and c.received_at > silent.since)
  union all
  -- Of every site, whatever shifts are asked for: a device belongs to none of them.
  select 'no_signal:device:' || v.id, 'no_signal', null, null, null, v.site_id, v.id
  from public.devices v
  join public.sites t on t.id = v.site_id
  where v.revoked_at is null and v.away_at is null and 'device' = any (t.clock_ways)
    and v.last_seen_at <= now() - make_interval(mins => t.no_signal_after_minutes)
    and exists (
      select from public.shifts s
      where s.site_id = v.site_id and s.start_time between now() - interval '3 days' and now() + interval '1 hour'
        and s.end_time > now() - p_after_end
    );
$function$;

create or replace FUNCTION private.settle_alerts(p_shifts uuid[] DEFAULT NULL::uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  settled integer;
  concerned uuid[];
  -- Causes are looked up for these alone, since most guards on duty have no alert. Those of devices belong to no shift.
  open_shifts uuid[];
begin
  select array_agg(a.id), coalesce(array_agg(distinct a.shift_id) filter (where a.shift_id is not null), '{}')
  into concerned, open_shifts
  from (
    select o.id, o.shift_id, o.kind from public.alerts o where p_shifts is null and o.closed_at is null
    union all
    select o.id, o.shift_id, o.kind from public.alerts o where o.shift_id = any (p_shifts) and o.closed_at is null
    union all
    select o.id, o.shift_id, o.kind from public.alerts o
    where p_shifts is not null and o.shift_id is null and o.closed_at is null
  ) a
  where a.kind in ('missing', 'empty', 'left_early', 'no_signal');
  -- Usually there are none.
  if concerned is null then
    return 0;
  end if;
  with still as materialized (
    -- Twelve hours after the end of the shift nobody can act on it any more.
    select concat_ws(' ', c.cause, c.site_id, c.user_id) as reason
    from private.alert_causes(interval '12 hours', open_shifts) c
  ),
  ended as (
    select a.id, a.kind, a.shift_id, a.assignment_id, a.user_id, a.site_id, a.device_id, a.raised_at,
      a.cause like 'no_signal:device:%' as is_device
    from unnest(concerned) w (id)
    join public.alerts a on a.id = w.id
    where a.closed_at is null and concat_ws(' ', a.cause, a.site_id, a.user_id) not in (select s.reason from still s)
    -- Somebody is closing it right now: the next round checks again.
    for update of a skip locked
  ),
  reason as (
    select e.id, s.id as shift_id, mine.id as assignment_id, how.outcome, how.note
    from ended e
    left join public.shifts s on s.id = e.shift_id
    left join public.sites t on t.id = s.site_id
    left join public.assignments mine on mine.id = e.assignment_id
    left join public.devices v on v.id = e.device_id
    left join private.phone_signals h on h.user_id = e.user_id
    left join lateral (
      select private.clock_text(heard.at, (select z.timezone from public.sites z where z.id = e.site_id)) as clock
      from (select case when e.is_device then v.last_seen_at else h.heard_at end) heard (at)
      where e.kind = 'no_signal' and heard.at > e.raised_at
    ) again on true
    left join lateral (
      select to_char(r.clock_in_at at time zone t.timezone, 'FMHH12:MI AM') as clocked_in,
        case when r.clock_in_received_at >= r.clock_in_at + interval '1 minute'
          then to_char(r.clock_in_received_at at time zone t.timezone, ', "received" FMHH12:MI AM')
            else '' end as received
      from public.attendance r
      where r.assignment_id = e.assignment_id and e.kind = 'missing'
      order by r.clock_in_at limit 1
    ) work on true
    cross join lateral (
      select outcome, note from (values
        (1, work.clocked_in is not null, 'arrived', 'Clocked in at ' || work.clocked_in || work.received),
        (1, again.clock is not null, 'answered', 'Heard again at ' || again.clock),
        (2, e.is_device and (v.id is null or v.revoked_at is not null), 'closed', 'The device was removed'),
        (2, e.is_device, 'closed', 'The shift is over, or the limit of the site was changed'),
        (2, s.id is null, 'closed', 'The shift was deleted'),
        (3, s.start_time > now() or s.site_id <> e.site_id, 'closed', 'The shift was moved'),
        (4, s.end_time < now() - interval '12 hours', 'closed', 'The shift is over'),
        (5, e.kind = 'empty', 'covered', 'All seats have a guard'),
        (6, mine.id is null, 'closed', 'The guard was taken off the shift'),
        (7, mine.status = 'cancelled', 'closed', 'The assignment was cancelled'),
        (8, mine.user_id is distinct from e.user_id, 'covered', 'The shift was given to another guard'),
        (9, mine.on_leave, 'closed', 'The guard is on leave'),
        (10, e.kind = 'no_signal' and mine.attendance_state = 'out', 'closed', 'The guard clocked out'),
        (10, e.kind = 'no_signal' and exists (
          select from public.welfare_checks c where c.assignment_id = mine.id and c.received_at >= e.raised_at
        ), 'answered', 'The guard answered a welfare check'),
        (11, e.kind = 'no_signal', 'closed', 'The guard signed out, or the limit of the site was changed'),
        (10, e.kind = 'left_early' and mine.attendance_state = 'in', 'arrived', 'The clock-out was undone'),
        (11, e.kind = 'left_early', 'covered', 'The post is staffed, or the times were changed'),
        (12, mine.status = 'no_show', 'closed', 
          concat_ws(': ', 'The guard is a no-show', mine.no_show_reason)),
        (13, true, 'closed', 'The times or the limit of the site were changed')
      ) possible (rank, applies, outcome, note)
      where applies order by rank limit 1
    ) how
  )
  update public.alerts a set closed_at = now(), outcome = r.outcome, note = r.note,
    -- A shift that is being deleted takes its assignments with it before their references become null.
    shift_id = r.shift_id, assignment_id = r.assignment_id,
    -- A guard who has come is never missing from that shift again; any other cause can return.
    cause = a.cause || case when r.outcome = 'arrived' and a.kind = 'missing' then ''
      else '@' || extract(epoch from clock_timestamp())::text end
  from reason r where a.id = r.id;
  get diagnostics settled = row_count;
  return settled;
end
$function$;

create or replace FUNCTION private.alert_detail(p_kind text, p_shift uuid, p_assignment uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select concat_ws(': ', p.name, case p_kind
    when 'empty' then format('%s of %s seats empty', s.required_headcount - (
        select count(*) from public.assignments a where a.shift_id = s.id and a.counts_as_staffed
      ), s.required_headcount) || (
        select coalesce(string_agg(format(' (%s: %s)', private.name_of_person(a.user_id),
          coalesce(a.no_show_reason, 'did not come')), '' order by a.no_show_at), '')
        from public.assignments a where a.shift_id = s.id and a.status = 'no_show'
      )
    when 'left_early' then format('%s left at %s', private.name_of_person(mine.user_id), (
        select to_char(max(r.clock_out_at) at time zone t.timezone, 'FMHH12:MI AM')
        from public.attendance r where r.assignment_id = mine.id
      ))
    else private.name_of_person(mine.user_id) end)
    || format(', %s to %s', to_char(s.start_time at time zone t.timezone, 'FMHH12:MI AM'),
      to_char(s.end_time at time zone t.timezone, 'FMHH12:MI AM'))
  from public.shifts s
  join public.sites t on t.id = s.site_id
  left join public.posts p on p.id = s.post_id
  left join public.assignments mine on mine.id = p_assignment where s.id = p_shift;
$function$;

create or replace FUNCTION private.board_of_shifts(chosen uuid[])
 RETURNS TABLE(sites json, shifts json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
  select (
    select coalesce(json_agg(json_build_object(
      'id', t.id, 'name', t.name, 'client', t.client_name, 'timezone', t.timezone, 'county', t.county,
      'latitude', t.latitude, 'longitude', t.longitude, 'alert_after_minutes', t.alert_after_minutes,
      'supervisors', array(
        select coalesce(nullif(p.full_name, ''), p.email)
        from public.user_roles r join public.profiles p on p.id = r.user_id
        where r.role = 'supervisor' and r.site_id = t.id
        order by 1
      )
    )), '[]')
    from public.sites t where t.id in (select s.site_id from public.shifts s where s.id = any (chosen))
  ), (
    select coalesce(json_agg(json_build_object(
      'id', s.id, 'site_id', s.site_id, 'post_id', s.post_id, 'post', o.name,
      'starts', s.start_time, 'ends', s.end_time, 'needed', s.required_headcount,
      'empty', greatest(s.required_headcount - work.staffed, 0), 'guards', work.guards,
      'alerts', (
        select coalesce(json_agg(json_build_object(
          'id', l.id, 'kind', l.kind, 'assignment_id', l.assignment_id
        ) order by l.raised_at), '[]')
        from public.alerts l where l.shift_id = s.id and l.closed_at is null
      )
    )), '[]')
    from public.shifts s
    left join public.posts o on o.id = s.post_id
    cross join lateral (
      select count(*) filter (where a.counts_as_staffed) as staffed,
        coalesce(json_agg(json_build_object(
          'assignment_id', a.id, 'user_id', a.user_id, 'name', coalesce(nullif(p.full_name, ''), p.email, ''),
          'phone', p.phone, 'role', a.role_at_shift, 'status', a.status, 'on_leave', a.on_leave,
          'expected', greatest(a.starts_at, a.created_at),
          'joins', case when a.starts_at > s.start_time then a.starts_at end,
          'clock_in', r.clock_in_at, 'clock_out', r.clock_out_at,
          'way', coalesce(r.clock_out_way, r.clock_in_way),
          'late_minutes', coalesce(r.late_minutes, 0), 'early_minutes', coalesce(r.early_minutes, 0),
          'left_early', coalesce(s.end_time - r.clock_out_at > private.early_leave_margin(), false),
          'distance_m', coalesce(r.clock_out_distance_m, r.clock_in_distance_m), 'flags', coalesce(r.flags, '{}'),
          'heard', h.heard_at, 'waiting', coalesce(h.waiting, 0)
        ) order by p.full_name, a.id), '[]') as guards
      from public.assignments a
      join public.profiles p on p.id = a.user_id
      -- A reopened or corrected assignment may have several records.
      left join lateral (
        select * from public.attendance r where r.assignment_id = a.id order by r.clock_in_at desc limit 1
      ) r on true
      left join private.phone_signals h
        on h.user_id = a.user_id and r.clock_out_at is null and h.heard_at >= r.clock_in_at
      where a.shift_id = s.id and a.status <> 'cancelled'
    ) work
    where s.id = any (chosen)
  );
end
$function$;

create or replace FUNCTION public.dashboard_start(p_hours integer DEFAULT 12)
 RETURNS TABLE(required integer, on_post integer, late integer, uncovered integer, next_required integer, next_missing integer, gaps_now integer, gaps_next integer, gaps jsonb, leave_pending integer, leave_soon integer, attendance_to_review integer, forgotten_clock_outs integer, new_enquiries integer, expired_certificates integer, expiring_certificates integer)
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
      count(*) filter (where a.attendance_state = 'in')::integer as present,
      count(*) filter (
        where a.counts_as_staffed and a.attendance_state = 'none' and greatest(a.starts_at, a.created_at) <= now()
      )::integer as late,
      -- On the way: replacements who join later.
      count(*) filter (
        where a.counts_as_staffed and a.attendance_state = 'none' and greatest(a.starts_at, a.created_at) > now()
      )::integer as coming
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at <= now() + ahead and upper(a.period) > now()
      and a.status <> 'cancelled'
    group by a.shift_id
  ),
  post as materialized (
    select s.*, coalesce(w.assigned, 0) as assigned, coalesce(w.present, 0) as present, coalesce(w.late, 0) as late,
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
    coalesce(sum(p.late) filter (where p.is_running), 0),
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
  into required, on_post, late, uncovered, next_required, next_missing, gaps_now, gaps_next, gaps from post p;

  select count(*) into attendance_to_review from public.attendance r where r.needs_review;
  select count(*) into forgotten_clock_outs
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.clock_out_at is null and upper(a.period) <= now();

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

create or replace view private.drafted_duties with (security_invoker=true) as  SELECT a.user_id,
    a.shift_id,
    a.site_id,
    a.period,
    a.starts_at,
    a.counts_as_staffed AS fills_seat
   FROM public.assignments a
  WHERE ((a.status <> 'cancelled'::text) AND (NOT (EXISTS ( SELECT
           FROM public.roster_changes c
          WHERE ((c.shift_id = a.shift_id) AND (c.user_id = a.user_id) AND (c.change = 'unassign'::text))))))
UNION ALL
 SELECT c.user_id,
    c.shift_id,
    c.site_id,
    c.period,
    c.starts_at,
    true AS fills_seat
   FROM public.roster_changes c
  WHERE (c.change = 'assign'::text);;

CREATE INDEX assignments_joining_idx ON public.assignments USING btree (starts_at) WHERE (joins_at IS NOT NULL);
