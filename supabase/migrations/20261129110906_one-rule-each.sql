CREATE OR REPLACE FUNCTION private.expected_at(starts_at timestamp with time zone, assigned_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
RETURN GREATEST(starts_at, assigned_at);

grant execute on function private.expected_at(timestamp with time zone,timestamp with time zone) to authenticated;

grant execute on function private.expected_at(timestamp with time zone,timestamp with time zone) to service_role;

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
    select a.shift_id, a.id, a.attendance_state, a.status, private.expected_at(a.starts_at, a.created_at) as expected
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at < soon and a.counts_as_staffed
      and upper(a.period) > now()
    union all
    select a.shift_id, a.id, a.attendance_state, a.status, private.expected_at(a.starts_at, a.created_at)
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
          'expected', private.expected_at(a.starts_at, a.created_at),
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
    and private.expected_at(d.starts_at, d.created_at) <= now() - make_interval(mins => t.alert_after_minutes)
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

create or replace FUNCTION public.dashboard_start(p_hours integer DEFAULT 12)
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
      count(*) filter (where a.attendance_state = 'in')::integer as present,
      count(*) filter (where e.awaited <= now())::integer as late,
      count(*) filter (where e.awaited <= now() - make_interval(mins => t.alert_after_minutes))::integer as gone,
      -- On the way: replacements who join later.
      count(*) filter (where e.awaited > now())::integer as coming
    from public.assignments a
    join public.sites t on t.id = a.site_id
    cross join lateral (
      select case when a.counts_as_staffed and a.attendance_state = 'none'
        then private.expected_at(a.starts_at, a.created_at) end as awaited
    ) e
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
        and private.expected_at(a.starts_at, a.created_at) <= now()
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

create or replace FUNCTION private.delivery_statement(p_call text, p_values jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  names text[] := array(select jsonb_object_keys(p_values));
  listed text;
  passed text;
begin
  if p_call = any (array['incidents', 'report_notes', 'leave_requests', 'timesheet_disputes']) then
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into listed
    from pg_catalog.pg_attribute a
    where a.attrelid = ('public.' || p_call)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname = any (names);
    return format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
      on conflict (id) do nothing', p_call, listed);
  end if;
  if p_call = any (array['record_clock_event', 'raise_sos', 'cancel_sos', 'answer_welfare_check', 'answer_assignment',
    'confirm_post_orders', 'record_muster', 'mark_no_show', 'undo_no_show', 'leave_note', 'take_over', 'answer_offer',
    'record_scans'])
  then
    select string_agg(format('%I %s', a.name, format_type(a.type, null)), ', '),
      string_agg(format('%1$I => x.%1$I', a.name), ', ')
    into listed, passed
    from pg_catalog.pg_proc p, unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) a (name, type)
    where p.pronamespace = 'public'::regnamespace and p.proname = p_call and a.name = any (names);
    return format('select from jsonb_to_record($1) x (%s), public.%I(%s)', listed, p_call, passed);
  end if;
  raise exception 'This can''t be delivered without signing in.' using errcode = 'PT403';
end
$function$;

create or replace FUNCTION public.undo_entry(p_entry uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  entry public.audit_log;
  undone jsonb;
  left_out text[] := '{}';
begin
  select * into entry from public.audit_log a where a.id = p_entry;
  -- Materialized, so that each entry is judged once.
  with judged as materialized (select e.row_id, private.undo_of(e) as undo from private.entries_like(entry) e)
  select jsonb_agg(j.undo order by j.row_id) into undone from judged j where j.undo is not null;
  if undone is null then
    raise exception 'This can''t be undone: it has changed since.' using errcode = 'PT409';
  end if;
  if entry.action = 'delete' then
    select r.left_out into left_out from public.restore_records(entry.table_name, undone) r;
  else
    perform public.restore_values(entry.table_name, undone);
  end if;
  return left_out;
end
$function$;

create or replace FUNCTION private.undo_of(entry public.audit_log)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  columns constant text[] := private.columns_of_many(entry.table_name);
  current jsonb;
  was jsonb;
  became jsonb;
begin
  if entry.action = 'insert'
    or entry.action = 'update' and columns is null
    or entry.action = 'delete' and not private.is_deletable(entry.table_name)
  then
    return null;
  end if;
  execute format('select to_jsonb(t) from public.%I t where t.id = $1', entry.table_name)
    into current using entry.row_id;
  if entry.action = 'delete' then
    return case when current is null then entry.old_values || jsonb_build_object('assignments', (
      select coalesce(jsonb_agg(a.old_values), '[]') from public.audit_log a
      where entry.table_name = 'shifts' and a.cause = entry.cause and a.table_name = 'assignments'
        and a.action = 'delete' and a.old_values ->> 'shift_id' = entry.row_id::text
        and a.at between entry.at - interval '10 minutes' and entry.at + interval '10 minutes'
    )) end;
  end if;
  select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, entry.new_values -> o.key) into was, became
  from jsonb_each(entry.old_values) o where o.key = any (columns);
  return case when current @> became
    then jsonb_build_object('id', entry.row_id, 'was', was, 'seen', current -> 'updated_at', 'assignment_status', (
      select a.old_values ->> 'status' from public.audit_log a
      where entry.table_name = 'attendance' and a.cause = entry.cause and a.table_name = 'assignments'
        and a.new_values ->> 'status' = 'completed' and a.row_id = (current ->> 'assignment_id')::uuid
        and a.at between entry.at - interval '10 minutes' and entry.at + interval '10 minutes'
      order by a.id limit 1
    )) end;
end
$function$;

create or replace FUNCTION private.entries_like(entry public.audit_log)
 RETURNS SETOF public.audit_log
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select a.* from public.audit_log a
  where a.at between entry.at - interval '10 minutes' and entry.at + interval '10 minutes'
    and (a.id = entry.id or a.cause = entry.cause)
    and a.table_name = entry.table_name and a.action = entry.action
    and array(select jsonb_object_keys(a.new_values) order by 1)
      = array(select jsonb_object_keys(entry.new_values) order by 1)
  order by a.id limit private.most_rows();
$function$;

create or replace FUNCTION private.tell_of_empty_seats()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The first row speaks for all.
  if not exists (select from private.emptied_seats e where e.id = new.id) then
    return null;
  end if;
  perform private.notify(n.user_id, 'empty_seats', n.title, n.body, n.link,
    format('empty_seats:%s:%s', pg_current_xact_id(), n.user_id))
  from (
    with seat as materialized (
      select s.id as shift_id, s.site_id, t.name, s.start_time,
        format('%s: %s, %s', private.duty_text(s.site_id, s.start_time, s.end_time), private.name_of_person(e.user_id),
          case when p.left_on is null then e.reason else 'employment ended' end) as line
      from (
        select l.*, row_number() over (partition by l.shift_id order by l.id) as place
        from private.emptied_seats l
        where not exists (
          select from public.assignments a
          where a.shift_id = l.shift_id and a.user_id = l.user_id and a.counts_as_staffed
        )
      ) e
      join public.shifts s on s.id = e.shift_id
      join public.sites t on t.id = s.site_id
      join public.profiles p on p.id = e.user_id
      -- No more than are empty: the shift may have had more guards than it needs.
      where e.place <= s.required_headcount - (
        select count(*) from public.assignments a where a.shift_id = s.id and a.counts_as_staffed
      )
    )
    select f.user_id, case
        when count(*) = 1 then 'A seat is empty: ' || min(s.name)
        when count(distinct s.site_id) = 1 then format('%s seats are empty: %s', count(*), min(s.name))
        else format('%s seats are empty at %s sites', count(*), count(distinct s.site_id))
      end as title,
      string_agg(s.line, e'\n' order by s.start_time, s.line) as body,
      case when count(distinct s.shift_id) = 1
        then format('/admin/shifts?open=%s&tab=replacement', (array_agg(s.shift_id))[1])
        else format('/admin/roster?gaps=open&week=%s%s%s', private.company_date_of(min(s.start_time)),
          case when date_trunc('week', private.company_date_of(min(s.start_time)))
            < date_trunc('week', private.company_date_of(max(s.start_time))) then '&weeks=4' end,
          case when count(distinct s.site_id) = 1 then '&site=' || (array_agg(s.site_id))[1] end)
      end as link
    from seat s
    join private.fillers_of(array(select distinct s.site_id from seat s)) f on f.site_id = s.site_id
    group by f.user_id
    -- In order, so that two at once never deadlock.
    order by f.user_id
  ) n;
  delete from private.emptied_seats;
  return null;
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
            WHEN (a.counts_as_staffed AND (a.attendance_state = 'none'::text) AND (private.expected_at(a.starts_at, a.created_at) <= (now() - make_interval(mins => t.alert_after_minutes)))) THEN 'missing'::text
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
