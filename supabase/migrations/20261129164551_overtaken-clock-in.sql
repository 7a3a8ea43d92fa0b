CREATE OR REPLACE FUNCTION private.is_clocked_in(record public.attendance)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN ((record).clock_out_at IS NULL) AND (NOT ('overtaken'::text = ANY ((record).flags)));

revoke all on function private.is_clocked_in(public.attendance) from public;

grant execute on function private.is_clocked_in(public.attendance) to authenticated, service_role;

create or replace FUNCTION private.check_attendance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- What record_event_for records for its guard; all null in a caller's own statement.
  recorded public.clock_events := private.current_clock_event(new.id);
  me uuid := coalesce(recorded.user_id, auth.uid());
  way text := coalesce(recorded.way, 'phone');
  assignment public.assignments;
  shift public.shifts;
  site public.sites;
  event public.clock_events;
  raised text[] := '{}';
begin
  select * into assignment from public.assignments a where a.id = new.assignment_id;
  if not found then
    raise exception 'This assignment no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  select * into shift from public.shifts s where s.id = assignment.shift_id;
  select * into site from public.sites s where s.id = assignment.site_id;
  new.user_id := assignment.user_id;
  new.site_id := assignment.site_id;
  -- A caller can't choose the flags of a new record; a load without a caller sets them.
  if tg_op = 'INSERT' and me is not null then
    new.flags := '{}';
    new.reopened_at := null;
  end if;

  -- Depth 1 is the caller's own statement, not a shift that moved. Without a caller it is the service role.
  if me is not null and pg_trigger_depth() = 1 then
    if me = assignment.user_id then
      if tg_op = 'UPDATE' then
        new := private.check_own_clock_out(new, old);
      elsif not exists (select from public.attendance a where a.id = new.id and a.user_id = me) then
        -- The primary key refuses a repeat.
        new := private.check_own_clock_in(new, shift, assignment.status);
      end if;
    elsif private.may_oversee(assignment.site_id) or private.has_role('hr') then
      new := private.note_correction(new, case when tg_op = 'UPDATE' then old end);
    else
      return new;
    end if;
  end if;

  if me is distinct from assignment.user_id and me is not null then
    way := 'office';
  end if;
  if tg_op = 'INSERT' then
    new.clock_in_way := case when me is null then new.clock_in_way else way end;
  elsif me is not null then
    new.clock_in_way := old.clock_in_way;
  end if;
  if new.clock_out_at is null then
    new.clock_out_way := null;
  elsif tg_op = 'UPDATE' and old.clock_out_at is not null then
    new.clock_out_way := old.clock_out_way;
  else
    new.clock_out_way := case when me is null then coalesce(new.clock_out_way, way) else way end;
  end if;

  new.clock_in_distance_m := private.distance_m(new.clock_in_gps, site.latitude, site.longitude);
  new.clock_out_distance_m := private.distance_m(new.clock_out_gps, site.latitude, site.longitude);
  if me is not null and tg_op = 'INSERT' then
    new.clock_in_accuracy_m := recorded.accuracy_m;
    new.clock_out_accuracy_m := null;
  elsif new.clock_out_at is null then
    new.clock_out_accuracy_m := null;
  elsif me is not null and old.clock_out_at is null then
    new.clock_out_accuracy_m := recorded.accuracy_m;
  end if;
  -- A guard who joins a shift that runs is late from then on.
  new.late_minutes := greatest(0, floor(extract(epoch from new.clock_in_at
    - case when assignment.joins_at is null then shift.start_time else assignment.starts_at end) / 60));
  new.early_minutes := greatest(0, floor(extract(epoch from shift.end_time - new.clock_out_at) / 60));
  if me is null then
    return new;
  end if;
  if way <> all (site.clock_ways) and (
    recorded.id is not null or tg_op = 'INSERT' or new.clock_out_at is not null and old.clock_out_at is null
  ) then
    raised := array['way_not_accepted'];
  end if;

  if me <> assignment.user_id then
    null;
  elsif tg_op = 'INSERT' then
    select * into event from public.clock_events e where e.attendance_id = new.id and e.kind = 'in';
    raised := raised || new.flags || private.flags_of_event(new.clock_in_at, new.clock_in_received_at, new.clock_in_gps,
      new.clock_in_distance_m, site.geofence_radius_m, event);
    new.needs_review := false;
  elsif new.clock_out_at is not null and old.clock_out_at is null then
    select * into event from public.clock_events e
    where e.attendance_id = new.id and e.kind = 'out' and e.received_at >= coalesce(new.reopened_at, '-infinity')
    order by e.received_at desc limit 1;
    raised := raised || private.flags_of_event(new.clock_out_at, new.clock_out_received_at, new.clock_out_gps,
      new.clock_out_distance_m, site.geofence_radius_m, event);
    if shift.end_time - new.clock_out_at > private.early_leave_margin() then
      raised := array_append(raised, 'left_early');
    end if;
  elsif new.reopened_at is distinct from old.reopened_at then
    select * into event from public.clock_events e
    where e.attendance_id = new.id and e.kind = 'reopen' order by e.received_at desc limit 1;
    new.flags := array_remove(array_remove(new.flags, 'left_early'), 'overtaken');
    raised := raised || array_remove(array['reopened',
      case when event.received_at > event.effective_at + interval '15 minutes' then 'sent_late' end,
      case when event.clock_off then 'device_clock' end], null);
  -- A second event: a guard at post may press again, or be mustered, at any time of the shift.
  elsif recorded.kind = 'in' and recorded.effective_at < new.clock_in_at - interval '15 minutes'
    or recorded.kind = 'out' and abs(extract(epoch from recorded.effective_at - new.clock_out_at)) > 900
  then
    raised := array_append(raised, 'ways_differ');
  end if;
  if me = assignment.user_id and (tg_op = 'INSERT' or new.clock_out_at is not null and old.clock_out_at is null)
    and private.overlaps_own(new.user_id, new.id, new.clock_in_at, new.clock_out_at)
  then
    raised := array_append(raised, 'overlaps');
  end if;
  if raised <> '{}' then
    new.needs_review := true;
    new.flags := array(select distinct f from unnest(new.flags || raised) f order by f);
  end if;
  return new;
end
$function$;

create or replace FUNCTION private.make_welfare_checks()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.welfare_checks
    (assignment_id, shift_id, user_id, site_id, due_at, every_minutes, next_step_at)
  select a.id, a.shift_id, a.user_id, a.site_id, next.due_at, every.minutes, next.due_at
  from public.attendance r
  join public.assignments a on a.id = r.assignment_id
  join public.shifts s on s.id = a.shift_id
  join public.sites t on t.id = a.site_id
  left join public.posts p on p.id = s.post_id
  cross join private.welfare_minutes(t.welfare_every_minutes, p.lone_worker) every (minutes)
  cross join lateral (
    select max(c.due_at) as due_at, bool_or(c.answered_at is null and c.ended_at is null) as is_silent
    from public.welfare_checks c where c.assignment_id = a.id
  ) last
  cross join lateral (
    select base.at + every.minutes * interval '1 minute' * (
      1 + floor(greatest(0, extract(epoch from now() - base.at)) / (60 * every.minutes))
    ) as due_at
    from (select greatest(last.due_at, r.clock_in_at)) base (at)
  ) next
  where private.is_clocked_in(r) and every.minutes is not null
    and (last.due_at is null or last.due_at <= now())
    and next.due_at <= s.end_time + case when last.is_silent then interval '0' else interval '4 hours' end
  on conflict (assignment_id, due_at) do nothing;
$function$;

create or replace FUNCTION private.interpret_missed_call(p_person uuid, p_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when exists (
      select from public.welfare_checks c where c.user_id = p_person and c.answered_at is null and c.ended_at is null
        and c.due_at between p_at - interval '1 day' and p_at + private.welfare_lead()
    ) then 'OK'
    when on_duty.end_time is null then 'IN'
    when on_duty.end_time > p_at + interval '30 minutes' then 'OK'
    else 'OUT'
  end
  from (select 1) always
  left join lateral (
    select s.end_time from public.attendance r
    join public.assignments a on a.id = r.assignment_id
    join public.shifts s on s.id = a.shift_id
    where r.user_id = p_person and private.is_clocked_in(r)
  ) on_duty on true;
$function$;

create or replace FUNCTION private.check_own_clock_in(record public.attendance, shift public.shifts, status text)
 RETURNS public.attendance
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  other_since timestamptz;
begin
  if status = 'cancelled' then
    raise exception 'This assignment was cancelled.' using errcode = 'check_violation';
  end if;
  record.clock_in_at := private.check_own_event(record.clock_in_at, record.clock_in_gps,
    record.clock_in_reason, 'Cannot clock in without assignment or location.', 'clock-in');
  if record.clock_in_at < shift.start_time - private.clock_in_lead() then
    raise exception 'Clock-in opens % hours before the shift starts.', extract(hour from private.clock_in_lead())
      using errcode = 'check_violation';
  end if;
  if record.clock_in_at > shift.end_time then
    raise exception 'This shift has ended.' using errcode = 'check_violation';
  end if;
  -- The lock makes the second of two sessions fail here, with a reason, and not at the unique index.
  perform pg_advisory_xact_lock(hashtextextended(record.user_id::text, 0));
  select a.clock_in_at into other_since from public.attendance a
  where a.user_id = record.user_id and private.is_clocked_in(a) and a.id <> record.id;
  -- A shift that was over before the guard clocked in elsewhere: a phone without a signal sends it late.
  if shift.end_time <= now() and record.clock_in_at < other_since then
    record.flags := '{overtaken}';
  elsif other_since is not null then
    raise exception 'You are already clocked in.' using errcode = 'unique_violation';
  end if;
  -- Only a clock-out or a supervisor's correction may set these.
  record.clock_out_at := null;
  record.clock_out_gps := null;
  record.clock_out_reason := null;
  record.original_clock_in_at := null;
  record.original_clock_out_at := null;
  record.corrected_by := null;
  record.corrected_at := null;
  record.correction_reason := null;
  record.clock_in_received_at := now();
  record.clock_out_received_at := null;
  return record;
end
$function$;

create or replace FUNCTION private.record_to_reopen(me uuid, assignment uuid, wanted uuid)
 RETURNS public.attendance
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  record public.attendance;
begin
  select * into record from public.attendance r
  where r.assignment_id = assignment and r.user_id = me
  order by r.id = wanted desc nulls last, r.clock_in_at desc limit 1;
  if not found then
    raise exception 'There is no clock-out to undo.' using errcode = 'PT404';
  end if;
  if exists (
    select from public.attendance r
    where r.user_id = me and private.is_clocked_in(r)
  ) then
    raise exception 'You are already clocked in.' using errcode = 'unique_violation';
  end if;
  if record.clock_out_received_at is null or record.corrected_at >= record.clock_out_received_at then
    raise exception 'Your supervisor has changed this record. Ask them to correct it.'
      using errcode = 'check_violation';
  end if;
  return record;
end
$function$;

create or replace FUNCTION private.clock_by_message(p_message public.inbound_messages, p_kind text, p_at timestamp with time zone, p_post uuid)
 RETURNS public.inbound_messages
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  message public.inbound_messages := p_message;
  assignment public.assignments;
  record public.attendance;
  waiting public.inbound_messages;
  shift public.shifts;
  site public.sites;
begin
  -- The open record; for OUT also one that was closed a moment ago by another way.
  select r.* into record from public.attendance r
  where r.user_id = message.user_id and (
    r.clock_out_at is null or p_kind = 'out' and r.clock_out_at between p_at - interval '2 hours'
      and p_at + interval '2 hours'
  )
  order by 'overtaken' = any (r.flags), r.clock_out_at desc nulls first limit 1;
  if record.id is not null then
    select * into assignment from public.assignments a where a.id = record.assignment_id;
  elsif p_kind = 'in' then
    assignment := private.shift_to_clock_in(message.user_id, p_at, p_post);
  else
    -- OUT without IN: the clock-in may still be on its way.
    select a.* into assignment from public.assignments a
    where a.user_id = message.user_id and a.status in ('assigned', 'confirmed', 'no_show')
      and a.attendance_state = 'none' and a.starts_at <= p_at and upper(a.period) >= p_at - interval '4 hours'
    order by a.starts_at desc limit 1;
  end if;
  if assignment.id is null then
    message.outcome := 'no_shift';
    message.reply := case p_kind when 'in' then 'You have no shift to clock in on now. Call the control room.'
      else 'You are not clocked in. Call the control room.' end;
    return message;
  end if;
  select * into shift from public.shifts s where s.id = assignment.shift_id;
  select * into site from public.sites t where t.id = assignment.site_id;
  message.assignment_id := assignment.id;
  message.site_id := site.id;
  if p_post is not null and shift.post_id is distinct from p_post then
    message.outcome := 'no_shift';
    message.reply := format('The code is of another post. You are clocked in at %s.', site.name);
  elsif record.id is null and p_kind = 'out' then
    message.outcome := 'out_before_in';
    message.reply := format('OUT noted for %s, %s. Your clock-in has not arrived. The control room will check.',
      site.name, private.clock_text(p_at, site.timezone));
  elsif record.id is not null and p_kind = 'in' and shift.end_time < p_at then
    message.outcome := 'refused';
    message.reply := format('You are still clocked in at %s. Send OUT first.', site.name);
  elsif record.id is not null and (p_kind = 'in' or record.clock_out_at is not null) then
    -- Already recorded by another way: one record, which keeps its time.
    if not exists (
      select from public.clock_events e where e.attendance_id = record.id and e.kind = p_kind and e.way = 'message'
    ) then
      perform private.record_message_event(message, p_kind, assignment.id, p_at);
    end if;
    message.outcome := 'repeated';
    message.reply := format('You are already clocked %s at %s, %s.', p_kind, site.name, private.clock_text(
      case p_kind when 'in' then record.clock_in_at else record.clock_out_at end, site.timezone));
  else
    perform private.record_message_event(message, p_kind, assignment.id, p_at);
    message.outcome := case p_kind when 'in' then 'clocked_in' else 'clocked_out' end;
    message.reply := format('Clocked %s at %s, %s.', p_kind, site.name, private.clock_text(p_at, site.timezone));
    -- An OUT that arrived before this IN. Only if the gateway tells when they were sent: else the guard may have
    -- clocked in again.
    if p_kind = 'in' and message.sent_at is not null then
      select * into waiting from public.inbound_messages m
      where m.user_id = message.user_id and m.assignment_id = assignment.id and m.outcome = 'out_before_in'
        and m.handled_at is null and coalesce(m.sent_at, m.received_at) > p_at
      order by coalesce(m.sent_at, m.received_at) desc limit 1 for update;
      if waiting.id is not null then
        perform private.record_message_event(waiting, 'out', assignment.id, least(now(),
          coalesce(waiting.sent_at, waiting.received_at)));
        update public.inbound_messages m set outcome = 'clocked_out', is_exception = false where m.id = waiting.id;
      end if;
    end if;
  end if;
  return message;
exception when integrity_constraint_violation or sqlstate 'PT404' or sqlstate 'PT409' or insufficient_privilege then
  message.outcome := 'refused';
  message.reply := left(sqlerrm, 150);
  return message;
end
$function$;

create or replace FUNCTION private.carry_out_message(p_message public.inbound_messages, p_words private.message_words)
 RETURNS public.inbound_messages
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  message public.inbound_messages := p_message;
  people uuid[];
  on_duty uuid[];
  post public.posts;
  word text := p_words.word;
  -- A time from the gateway that can't be right is the time of arrival.
  at_time timestamptz := case when message.sent_at between now() - interval '1 day' and now() + interval '5 minutes'
    then least(message.sent_at, now()) else now() end;
begin
  if private.is_number_withheld(message.from_phone) then
    message.from_phone := null;
    message.outcome := 'restricted';
    return message;
  end if;
  people := private.people_with_phone(private.e164(message.from_phone));
  if people is null then
    message.outcome := 'unknown_number';
    message.reply := 'This number is not known. Ask your supervisor to add it to your record.';
    return message;
  end if;
  if cardinality(people) > 1 and word = 'SOS' then
    -- One of them needs help: the one on duty, if that is clear.
    on_duty := array(select r.user_id from public.attendance r
      where r.user_id = any (people) and private.is_clocked_in(r));
    people := case when cardinality(on_duty) = 1 then on_duty else people end;
  end if;
  if p_words.pin is not null and word is distinct from 'SOS' then
    people := private.people_with_pin(people, p_words.pin);
    if people is null then
      message.outcome := 'wrong_pin';
      message.reply := 'The PIN is wrong or locked. Call the control room.';
      return message;
    end if;
  end if;
  if cardinality(people) > 1 then
    message.outcome := 'ambiguous';
    message.reply := 'Several guards have this number. Send your PIN too, for example IN 4071.';
    return message;
  end if;
  message.user_id := people[1];
  if message.kind = 'call' then
    word := private.interpret_missed_call(message.user_id, at_time);
  elsif not p_words.is_clear then
    message.outcome := 'unknown_words';
    message.reply := 'Not understood. Send IN, OUT, OK, SOS or the code of your post.';
    return message;
  end if;
  if word = 'SOS' then
    select e.assignment_id, e.site_id into message.assignment_id, message.site_id
    from private.store_sos(message.user_id, message.id, 'message', message.sent_at, at_time,
      private.position_in(message.body), null) e;
    message.outcome := 'sos';
    message.reply := 'SOS received. The control room has been alerted. Keep your phone free.';
    return message;
  elsif word = 'OK' then
    return private.answer_welfare_by_message(message, at_time);
  end if;
  if p_words.code is not null then
    select * into post from public.posts p where p.code = p_words.code;
    if not found then
      message.outcome := 'unknown_words';
      message.reply := format('No post has the code %s. Read it again at the post.', p_words.code);
      return message;
    end if;
    word := coalesce(word, case when exists (
      select from public.attendance r
      where r.user_id = message.user_id and private.is_clocked_in(r)
    ) then 'OUT' else 'IN' end);
  end if;
  return private.clock_by_message(message, lower(word), at_time, post.id);
end
$function$;

create or replace FUNCTION public.my_current_shift()
 RETURNS TABLE(assignment_id uuid, shift_id uuid, site_id uuid, site_name text, client_name text, address text, timezone text, start_time timestamp with time zone, end_time timestamp with time zone, role_at_shift text, attendance_id uuid, clock_in_at timestamp with time zone, may_clock_in boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select a.id, s.id, site.id, site.name, site.client_name, site.address, site.timezone,
    s.start_time, s.end_time, a.role_at_shift, open_record.id, open_record.clock_in_at,
    open_record.id is null and is_now.yes
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites site on site.id = s.site_id
  left join public.attendance open_record
    on open_record.assignment_id = a.id and open_record.clock_out_at is null
  cross join lateral (select now() between s.start_time - private.clock_in_lead() and s.end_time as yes) is_now
  where a.user_id = (select auth.uid())
    and (
      open_record.id is not null
      or a.attendance_state = 'none' and a.status in ('assigned', 'confirmed', 'no_show') and (
        is_now.yes
        or s.start_time > now() and s.start_time < (select private.company_midnight(private.company_date() + 1))
      )
    )
  order by open_record.id is null, 'overtaken' = any (open_record.flags), not is_now.yes, s.start_time limit 1;
$function$;

create or replace FUNCTION public.my_clock_shifts()
 RETURNS TABLE(assignment_id uuid, site_id uuid, site_name text, client_name text, address text, timezone text, latitude double precision, longitude double precision, geofence_radius_m integer, start_time timestamp with time zone, end_time timestamp with time zone, role_at_shift text, attendance_id uuid, clock_in_at timestamp with time zone, clock_out_at timestamp with time zone, flags text[])
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select a.id, site.id, site.name, site.client_name, site.address, site.timezone, site.latitude, site.longitude,
    site.geofence_radius_m, s.start_time, s.end_time, a.role_at_shift, r.id, r.clock_in_at, r.clock_out_at, r.flags
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites site on site.id = s.site_id
  left join lateral (
    select * from public.attendance r where r.assignment_id = a.id
    order by r.clock_out_at is null desc, r.clock_in_at desc limit 1
  ) r on true
  where a.user_id = (select auth.uid()) and a.status <> 'cancelled' and (
    a.attendance_state = 'in'
    or a.starts_at > now() - interval '3 days' and a.starts_at < now() + interval '4 days'
      and s.end_time > now() - interval '16 hours'
    -- What comes next, however far ahead.
    or a.id = (
      select n.id from public.assignments n
      where n.user_id = (select auth.uid()) and n.status in ('assigned', 'confirmed') and not n.on_leave
        and n.starts_at > now()
      order by n.starts_at limit 1
    )
  )
  order by r.id is null or r.clock_out_at is not null or 'overtaken' = any (r.flags),
    abs(extract(epoch from s.start_time - now())) limit 50;
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
      where r.assignment_id = d.id and private.is_clocked_in(r)
        and r.clock_in_at <= h.heard_at
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

alter table public.attendance drop constraint attendance_flags_known;

alter table public.attendance add constraint attendance_flags_known CHECK ((flags <@ ARRAY['outside_fence'::text, 'no_location'::text, 'sent_late'::text, 'entered_by_guard'::text, 'device_clock'::text, 'overlaps'::text, 'left_early'::text, 'reopened'::text, 'way_not_accepted'::text, 'ways_differ'::text, 'location_imprecise'::text, 'location_old'::text, 'overtaken'::text]));

drop index public.attendance_one_open_per_person;

CREATE UNIQUE INDEX attendance_one_open_per_person ON public.attendance USING btree (user_id) WHERE ((clock_out_at IS NULL) AND (NOT ('overtaken'::text = ANY (flags))));
