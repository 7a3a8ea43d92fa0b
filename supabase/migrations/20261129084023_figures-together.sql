create or replace FUNCTION private.check_assignment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  shift public.shifts;
  zone text;
  duties tstzrange[];
  rest_before timestamptz;
  rest_after timestamptz;
  half interval;
  broken jsonb;
  is_checked boolean := true;
  is_moved boolean := false;
  may_override boolean;
  overrider uuid;
begin
  -- The lock keeps the shift's times unchanged until this assignment is inserted.
  select * into shift from public.shifts s where s.id = new.shift_id for share;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  new.site_id := shift.site_id;
  -- A guard who joins later is on duty from then on, under every rule below.
  if new.joins_at > shift.start_time and new.joins_at < shift.end_time then
    shift.start_time := new.joins_at;
  end if;
  new.period := tstzrange(shift.start_time, shift.end_time);
  new.override_reason := nullif(btrim(new.override_reason), '');
  if tg_op = 'INSERT' then
    -- A load without a caller sets it itself, which saves an update per attendance record.
    if auth.role() is not null then
      new.attendance_state := 'none';
    end if;
    new.overridden_rules := '{}';
    new.overridden_by := null;
  else
    if old.attendance_state <> 'none' and (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id) then
      raise exception 'The guard has already clocked in, so this assignment can''t be given to someone else.'
        using errcode = 'PT409';
    end if;
    is_moved := (new.shift_id, new.user_id, new.override_reason)
      is not distinct from (old.shift_id, old.user_id, old.override_reason);
    is_checked := not is_moved or old.status = 'cancelled' or (new.site_id, new.period) <> (old.site_id, old.period);
    -- A reason belongs to one guard on one shift.
    if (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id)
      and new.override_reason = old.override_reason
    then
      new.override_reason := null;
    end if;
  end if;
  -- Two planners take turns here, so that the second gets the reason and not the name of a constraint. A decision
  -- about the guard's leave takes the same lock, so that neither misses the other.
  if new.status <> 'cancelled' then
    perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 0));
  end if;
  new.on_leave := private.is_on_leave(new.user_id, new.period);
  new.rest_span := case when new.status <> 'cancelled' then new.rest_span end;
  if new.status = 'cancelled' or not is_checked then
    return new;
  end if;

  select s.time_zone into zone from private.settings s;
  select array_agg(a.period), max(upper(coalesce(a.rest_span, a.period))) filter (where a.period << new.period),
    min(lower(coalesce(a.rest_span, a.period))) filter (where a.period >> new.period)
  into duties, rest_before, rest_after
  from public.assignments a
  where a.user_id = new.user_id and a.id <> new.id and a.status <> 'cancelled'
    and a.period && tstzrange(shift.start_time - interval '15 days', shift.end_time + interval '15 days');
  half := make_interval(secs => (
    private.rules_on((shift.start_time at time zone zone)::date)).min_rest_hours::double precision * 1800);
  new.rest_span := tstzrange(
    least(lower(new.period), greatest(lower(new.period) - half, rest_before)),
    greatest(upper(new.period), least(upper(new.period) + half, rest_after))
  );

  select jsonb_agg(to_jsonb(p)) into broken from (
    select d.* from private.duty_problems(new.user_id, shift.start_time, shift.end_time, duties, zone) d
    union all
    select e.* from private.eligibility_problems(new.user_id, shift) e
  ) p;
  if broken is not null then
    overrider := auth.uid();
    may_override := overrider is null or private.may_oversee(shift.site_id);
    if not may_override and new.override_reason is not null then
      -- The draft's author overrides, even if somebody else publishes.
      overrider := private.find_drafting_overseer(new);
      may_override := overrider is not null;
    end if;
  end if;
  if broken is null then
    new.override_reason := null;
    new.overridden_rules := '{}';
    new.overridden_by := null;
  elsif is_moved then
    -- An override goes along with its shift, and what was broken before and is no worse now stays as it is.
    new.overridden_rules := array(
      select r from unnest(old.overridden_rules) r
      where broken @> jsonb_build_array(jsonb_build_object('rule', r))
    );
    select jsonb_agg(p) into broken from jsonb_array_elements(broken) p
    where not (p -> 'can_override')::boolean or not (
      p ->> 'rule' = any (old.overridden_rules)
      or old.status <> 'cancelled' and exists (
        select from private.duty_problems(new.user_id, lower(old.period), upper(old.period), duties, zone) d
        where d.rule = p ->> 'rule' and d.message = p ->> 'message'
      )
      -- The guard was put there before the home or the limit changed.
      or p ->> 'rule' = 'distance' and old.status <> 'cancelled' and new.site_id = old.site_id
    );
  elsif new.override_reason is not null and may_override and not broken @> '[{"can_override": false}]' then
    new.overridden_rules := array(select distinct p ->> 'rule' from jsonb_array_elements(broken) p order by 1);
    new.overridden_by := overrider;
    broken := null;
  end if;
  if broken is null then
    if rest_before > lower(new.period) or rest_after < upper(new.period) then
      perform private.shorten_rest_of_neighbours(new);
    end if;
    return new;
  end if;
  perform private.refuse_assignment(new, duties, broken, may_override);
end
$function$;

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

create or replace FUNCTION public.device_clock(p_secret text, p_id uuid, p_assignment_id uuid, p_user_id uuid, p_kind text, p_pin text, p_device_at timestamp with time zone, p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_server_offset_ms bigint DEFAULT NULL::bigint, p_gps text DEFAULT NULL::text, p_accuracy_m real DEFAULT NULL::real, p_fix_age_s integer DEFAULT NULL::integer, p_photo text DEFAULT NULL::text, p_queued boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  device public.devices := private.device_of(p_secret);
  event public.clock_events;
  verdict text;
  message text;
begin
  if p_id is null or p_user_id is null or p_device_at is null or p_kind is null or p_kind not in ('in', 'out')
    or not isfinite(p_device_at)
  then
    raise exception 'A clock event needs an id, a guard, a time, and in or out.'
      using errcode = 'invalid_parameter_value';
  end if;
  -- A lost response is asked for again.
  select * into event from public.clock_events e where e.id = p_id and e.device_id = device.id;
  if found then
    return jsonb_build_object('outcome', 'recorded', 'at', event.effective_at);
  end if;
  if exists (select from public.clock_exceptions e where e.id = p_id) then
    return jsonb_build_object('outcome', 'exception');
  end if;
  if not exists (
    select from public.assignments a
    where a.id = (private.own_assignment(p_user_id, p_assignment_id)).id and a.site_id = device.site_id
  ) then
    verdict := 'refused';
    message := 'This shift is no longer at this site. Ask your supervisor.';
  else
    verdict := private.check_pin(p_user_id, p_pin);
  end if;
  if verdict = 'right' then
    begin
      event := private.record_event_for(p_user_id, 'device', null, device.id, p_id, p_kind, p_assignment_id,
        p_device_at, null, p_sent_at, p_server_offset_ms, null, p_gps, p_accuracy_m, p_fix_age_s,
        case when p_gps is null then 'On the shared device ' || device.name end);
      perform private.store_clock_photo(event.id, device.site_id, p_user_id, p_photo);
      return jsonb_build_object('outcome', 'recorded', 'at', event.effective_at);
    exception when check_violation or unique_violation or sqlstate 'PT404' then
      verdict := 'refused';
      message := sqlerrm;
    end;
  end if;
  -- Also when the guard is at the device: with a locked PIN they can't clock in without help.
  if p_queued or verdict = 'locked' and not exists (
    select from public.clock_exceptions e
    where e.user_id = p_user_id and e.reason = 'locked' and e.received_at > now() - interval '1 hour'
  ) then
    if not private.is_of_site(p_user_id, p_assignment_id, device.site_id) then
      return jsonb_build_object('outcome', 'refused', 'message', 'This guard has no shift at this site.');
    end if;
    perform private.limit_clock_exceptions(device.id, p_user_id);
    insert into public.clock_exceptions (id, device_id, site_id, user_id, assignment_id, kind, device_at, reason,
      detail)
    select p_id, device.id, device.site_id, p.id, (select a.id from public.assignments a where a.id = p_assignment_id),
      p_kind, p_device_at,
      case verdict when 'wrong' then 'wrong_pin' when 'none' then 'no_pin' else verdict end, left(message, 500)
    from public.profiles p where p.id = p_user_id;
    perform private.store_clock_photo(p_id, device.site_id, p_user_id, p_photo);
  end if;
  return jsonb_build_object('outcome', case when p_queued then 'exception' else verdict end, 'message', message,
    'tries_left', (
      select private.pin_tries() - p.failures from private.guard_pins p
      where p.user_id = p_user_id and verdict = 'wrong'
    ));
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
