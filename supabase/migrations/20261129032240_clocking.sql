alter table public.attendance drop constraint attendance_flags_known;

alter table public.attendance add constraint attendance_flags_known check (
  flags <@ array['outside_fence', 'no_location', 'sent_late', 'entered_by_guard', 'device_clock', 'overlaps',
    'left_early', 'reopened', 'way_not_accepted', 'ways_differ', 'location_imprecise', 'location_old']);

alter table public.clock_events drop constraint clock_events_kind_check;

alter table public.clock_events add constraint clock_events_kind_check CHECK ((kind = ANY (ARRAY['in'::text, 'out'::text, 'reopen'::text, 'withdraw'::text])));

comment on column public.clock_events.attendance_id is 'Null if the period was locked when the event arrived, see pay_adjustments, or if the clock-in was withdrawn';

alter table public.attendance add column clock_in_accuracy_m real;

alter table public.attendance add column clock_out_accuracy_m real;

CREATE OR REPLACE FUNCTION private.imprecise_from_m()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN 250;

CREATE OR REPLACE FUNCTION private.location_validity()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN '00:05:00'::interval;

CREATE OR REPLACE FUNCTION private.withdraw_window()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN '00:30:00'::interval;

CREATE OR REPLACE FUNCTION private.early_clock_in_margin()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN '00:30:00'::interval;

CREATE OR REPLACE FUNCTION private.end_checks_of(p_assignment_id uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ended public.welfare_checks;
begin
  delete from public.welfare_checks c
  where c.assignment_id = p_assignment_id and c.asked_at is null and c.answered_at is null;
  for ended in
    update public.welfare_checks c set ended_at = now(), next_step_at = null
    where c.assignment_id = p_assignment_id and c.answered_at is null and c.ended_at is null
    returning c.*
  loop
    if ended.alerted_at is not null then
      perform private.close_alert('welfare:' || ended.id, 'closed', p_reason);
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_to_withdraw(me uuid, assignment uuid, wanted uuid)
 RETURNS public.attendance
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  record public.attendance;
begin
  select * into record from public.attendance r
  where r.assignment_id = assignment and r.user_id = me and r.clock_out_at is null
  order by r.id = wanted desc nulls last limit 1;
  if not found then
    raise exception 'There is no clock-in to take back.' using errcode = 'PT404';
  end if;
  if record.corrected_at is not null or record.clock_in_way <> 'phone' or exists (
    select from public.clock_events e where e.attendance_id = record.id and e.way <> 'phone'
  ) then
    raise exception 'Somebody else has recorded that you are at post. Ask your supervisor to correct it.'
      using errcode = 'check_violation';
  end if;
  return record;
end
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_clock_in(p_event public.clock_events, p_attendance_id uuid, p_known_at timestamp with time zone, p_by_sending timestamp with time zone)
 RETURNS public.clock_events
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  event public.clock_events := p_event;
  record public.attendance := private.record_to_withdraw(event.user_id, event.assignment_id, p_attendance_id);
begin
  event.effective_at := greatest(record.clock_in_at,
    private.time_of_event(p_known_at, p_by_sending, record.clock_in_at - interval '5 minutes'));
  if event.effective_at > record.clock_in_at + private.withdraw_window() then
    raise exception 'A clock-in can be taken back for % minutes. Ask your supervisor to correct it.',
      extract(minute from private.withdraw_window()) using errcode = 'check_violation';
  end if;
  perform private.end_checks_of(record.assignment_id, 'The clock-in was taken back');
  -- A guard who has come is never missing again, but this one has not come.
  update public.alerts a set cause = a.cause || '@' || extract(epoch from clock_timestamp())::text
  where a.cause = 'missing:' || record.assignment_id and a.closed_at is not null;
  update public.clock_events e set attendance_id = null where e.attendance_id = record.id;
  delete from public.attendance r where r.id = record.id;
  update public.assignments a set
    attendance_state = case when earlier.is_known then 'out' else 'none' end,
    status = case when earlier.is_known and a.status in ('assigned', 'confirmed') then 'completed' else a.status end
  from (
    select exists (select from public.attendance r where r.assignment_id = record.assignment_id) as is_known
  ) earlier
  where a.id = record.assignment_id;
  insert into public.clock_events select event.*;
  return event;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_outside(distance_m integer, accuracy_m real, fence_m integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((((distance_m)::double precision - COALESCE(accuracy_m, (0)::real)) > (fence_m)::double precision), false);

grant execute on function private.is_outside(integer,real,integer) to authenticated;

grant execute on function private.is_outside(integer,real,integer) to service_role;

comment on column public.attendance.clock_in_accuracy_m is 'Derived: the accuracy that the device reported with its location, in metres; null without a clock event';

comment on column public.attendance.clock_out_accuracy_m is 'Derived: as of the clock-in';

create or replace FUNCTION private.require_kind_and_way(p_person uuid, p_kind text, p_way text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_kind is null or p_kind not in ('in', 'out', 'reopen', 'withdraw') then
    raise exception 'A clock event is in, out, reopen or withdraw.' using errcode = 'invalid_parameter_value';
  end if;
  if p_person is null or p_way is null or p_way not in ('phone', 'device', 'muster', 'message', 'office') then
    raise exception 'A clock event needs a guard and a way of clocking.' using errcode = 'invalid_parameter_value';
  end if;
end
$function$;

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
    raised := raised || private.flags_of_event(new.clock_in_at, new.clock_in_received_at, new.clock_in_gps,
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
    new.flags := array_remove(new.flags, 'left_early');
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

create or replace FUNCTION private.describe_late_attendance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  late private.late_records;
  site public.sites;
  event public.clock_events;
  raised text[] := new.flags;
begin
  select * into late from private.late_records r where r.attendance_id = new.id and r.is_being_written;
  if not found or new.clock_out_at is null then
    return new;
  end if;
  select * into site from public.sites s where s.id = new.site_id;
  select e.* into event from public.clock_events e
  where late.is_new and e.assignment_id = new.assignment_id and e.kind = 'in' and e.effective_at = new.clock_in_at
  order by e.received_at desc limit 1;
  if found then
    new.clock_in_way := event.way;
    new.clock_in_accuracy_m := event.accuracy_m;
    raised := private.flags_of_event(new.clock_in_at, new.clock_in_received_at, new.clock_in_gps,
      new.clock_in_distance_m,
      site.geofence_radius_m, event);
  end if;
  select e.* into event from public.clock_events e
  where e.assignment_id = new.assignment_id and e.kind = 'out' and e.effective_at = new.clock_out_at
  order by e.received_at desc limit 1;
  if found then
    new.clock_out_way := event.way;
    new.clock_out_accuracy_m := event.accuracy_m;
    raised := raised || private.flags_of_event(new.clock_out_at, new.clock_out_received_at, new.clock_out_gps,
      new.clock_out_distance_m, site.geofence_radius_m, event);
  end if;
  new.flags := array(select distinct f from unnest(raised) f order by f);
  new.needs_review := false;
  new.resolution := 'The late clock events were approved.';
  new.resolved_by := auth.uid();
  new.resolved_at := now();
  return new;
end
$function$;

create or replace FUNCTION private.end_welfare_checks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.end_checks_of(new.assignment_id, format('Clocked out at %s', private.clock_text(new.clock_out_at,
    (select t.timezone from public.sites t where t.id = new.site_id))));
  return null;
end
$function$;

create or replace FUNCTION private.is_clock_in_adjusted(p_assignment public.assignments)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.clock_events e
    where e.assignment_id = p_assignment.id and e.kind = 'in' and e.attendance_id is null
      and not exists (
        select from public.clock_events w
        where w.assignment_id = e.assignment_id and w.kind = 'withdraw' and w.received_at >= e.received_at
      )
  ) and not exists (select from public.attendance r where r.assignment_id = p_assignment.id)
  -- Clocked in a second time on a shift whose first record arrived late too.
  or exists (
    select from public.pay_adjustments a
    where a.kind = 'late_event' and a.status = 'to_decide' and a.details ->> 'assignment_id' = p_assignment.id::text
      and a.details ? 'clock_in_at' and not a.details ? 'clock_out_at' and not a.details ? 'attendance_id'
  );
$function$;

create or replace FUNCTION private.record_event_for(p_person uuid, p_way text, p_made_by uuid, p_device uuid, p_id uuid, p_kind text, p_assignment_id uuid, p_device_at timestamp with time zone, p_attendance_id uuid DEFAULT NULL::uuid, p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_server_offset_ms bigint DEFAULT NULL::bigint, p_entered_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_gps text DEFAULT NULL::text, p_accuracy_m real DEFAULT NULL::real, p_fix_age_s integer DEFAULT NULL::integer, p_reason text DEFAULT NULL::text, p_previous_hash text DEFAULT NULL::text, p_hash text DEFAULT NULL::text)
 RETURNS public.clock_events
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := p_person;
  event public.clock_events;
  assignment public.assignments;
  record public.attendance;
  joined uuid;
  by_another_way boolean := false;
  -- Without an offset, the device's own time of sending corrects its clock.
  offset_known interval := coalesce(p_server_offset_ms * interval '1 millisecond', now() - p_sent_at, '0');
  -- Without a time of sending, the event is sent as soon as it happens.
  offset_at_sending interval := now() - coalesce(p_sent_at, p_device_at);
  known_at timestamptz := p_device_at + offset_known;
begin
  perform private.require_kind_and_way(p_person, p_kind, p_way);
  -- One event per guard at a time, so that a repeat finds the first.
  perform pg_advisory_xact_lock(hashtextextended(me::text, 0));
  assignment := private.own_assignment(me, p_assignment_id);
  select * into event from public.clock_events e where e.id = p_id;
  if found then
    if (event.user_id, event.kind) is distinct from (me, p_kind)
      or event.assignment_id not in (p_assignment_id, coalesce(assignment.id, p_assignment_id))
    then
      raise exception 'This clock event id belongs to another event.' using errcode = 'unique_violation';
    end if;
    return event;
  end if;
  if assignment.id is null then
    raise exception 'This shift is no longer yours. Ask your supervisor to assign you again, then send this again.'
      using errcode = 'PT404';
  end if;

  event.id := p_id;
  event.user_id := me;
  event.assignment_id := assignment.id;
  event.site_id := assignment.site_id;
  event.kind := p_kind;
  event.device_at := p_device_at;
  event.server_offset_ms := p_server_offset_ms;
  event.way := p_way;
  event.made_by := p_made_by;
  event.device_id := p_device;
  event.gps := p_gps;
  event.accuracy_m := p_accuracy_m;
  event.fix_age_s := p_fix_age_s;
  event.reason := left(nullif(btrim(p_reason), ''), 500);
  event.entered_by_guard := p_entered_at is not null;
  event.previous_hash := p_previous_hash;
  event.hash := private.hash_of_event(p_id, p_kind, p_assignment_id, p_device_at, p_server_offset_ms,
    p_entered_at, p_gps, p_previous_hash);
  event.chain_intact := p_hash is not distinct from event.hash and p_previous_hash is not distinct from (
    select e.hash from public.clock_events e where e.user_id = me and e.way = p_way
    order by e.received_at desc limit 1
  );
  -- Wrong at the event, or changed since.
  event.clock_off := greatest(abs(extract(epoch from offset_known)),
    abs(extract(epoch from now() - coalesce(p_sent_at, now())))) > 300;
  event.received_at := clock_timestamp();

  if p_kind = 'in' then
    event.effective_at := private.time_of_event(
      known_at, p_device_at + offset_at_sending, assignment.starts_at - private.clock_in_lead());
    joined := private.find_record_of_other_way(assignment.id, 'in', p_way, event.effective_at);
    by_another_way := joined is not null;
    joined := coalesce(joined, private.record_to_open(me, assignment.id, coalesce(p_attendance_id, p_id)));
    event.attendance_id := coalesce(joined, p_attendance_id, p_id);
  elsif p_kind = 'reopen' then
    record := private.record_to_reopen(me, assignment.id, p_attendance_id);
    event.attendance_id := record.id;
    event.effective_at := greatest(record.clock_out_at, private.time_of_event(
      known_at, p_device_at + offset_at_sending, record.clock_out_at - interval '5 minutes'));
    if event.effective_at > record.clock_out_at + private.reopen_window() then
      raise exception 'A clock-out can be reopened for % minutes. Ask your supervisor to correct it.',
        extract(minute from private.reopen_window()) using errcode = 'check_violation';
    end if;
  elsif p_kind = 'withdraw' then
    return private.withdraw_clock_in(event, p_attendance_id, known_at, p_device_at + offset_at_sending);
  elsif p_kind = 'out' and private.is_clock_in_adjusted(assignment) then
    -- The clock-in came after the period was locked, too.
    event.effective_at := coalesce(p_entered_at, private.time_of_event(
      known_at, p_device_at + offset_at_sending, assignment.starts_at - private.clock_in_lead()));
  else
    joined := private.find_record_of_other_way(assignment.id, 'out', p_way, null);
    by_another_way := joined is not null;
    if by_another_way then
      select * into record from public.attendance r where r.id = joined;
    else
      record := private.record_to_close(me, assignment.id, p_attendance_id);
    end if;
    event.effective_at := coalesce(p_entered_at, private.time_of_event(
      known_at, p_device_at + offset_at_sending, record.clock_in_at - interval '5 minutes'));
    event.attendance_id := record.id;
    joined := case when record.clock_out_at is not null then record.id end;
    if joined is null and event.effective_at < record.clock_in_at then
      -- Two readings of one wrong clock may differ slightly.
      if event.entered_by_guard or event.effective_at < record.clock_in_at - interval '5 minutes' then
        raise exception 'The clock-out is before the clock-in. Ask your supervisor to correct it.'
          using errcode = 'check_violation';
      end if;
      event.effective_at := record.clock_in_at;
    end if;
  end if;
  event.clock_off := event.clock_off or p_entered_at is null and event.effective_at not between
    known_at - interval '5 minutes' and known_at + interval '5 minutes';
  -- The rules of attendance accept up to 5 minutes in the future; it is stored as now.
  event.effective_at := case when event.effective_at between now() and now() + interval '5 minutes'
    then now() else event.effective_at end;

  if private.store_late_event(event, joined is not null and not by_another_way) then
    select * into event from public.clock_events e where e.id = p_id;
    return event;
  end if;
  insert into public.clock_events select event.*;
  if joined is not null and not by_another_way then
    return event;
  end if;
  perform private.write_clocked_attendance(event, by_another_way);
  return event;
end
$function$;

create or replace FUNCTION private.flags_of_event(at_time timestamp with time zone, received timestamp with time zone, gps text, distance_m integer, fence_m integer, event public.clock_events)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN array_remove((CASE WHEN COALESCE((event).entered_by_guard, false) THEN ARRAY['entered_by_guard'::text] ELSE ARRAY[CASE WHEN ((gps IS NULL) AND ((event).way = ANY (ARRAY['device'::text, 'message'::text]))) THEN NULL::text WHEN (gps IS NULL) THEN 'no_location'::text WHEN private.is_outside(distance_m, (event).accuracy_m, fence_m) THEN 'outside_fence'::text WHEN (((event).way <> 'device'::text) AND ((event).accuracy_m > (private.imprecise_from_m())::double precision)) THEN 'location_imprecise'::text ELSE NULL::text END, CASE WHEN ((gps IS NOT NULL) AND ((event).way <> 'device'::text) AND (((event).fix_age_s)::numeric > EXTRACT(epoch FROM private.location_validity()))) THEN 'location_old'::text ELSE NULL::text END, CASE WHEN (received > (at_time + '00:15:00'::interval)) THEN 'sent_late'::text ELSE NULL::text END] END || CASE WHEN (event).clock_off THEN 'device_clock'::text ELSE NULL::text END), NULL::text);

create or replace FUNCTION public.my_tours()
 RETURNS TABLE(tour_id uuid, name text, site_name text, timezone text, due_at timestamp with time zone, opens_at timestamp with time zone, finish_by timestamp with time zone, points jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  perform private.require_member();
  return query
    select r.tour_id, t.name, place.name, place.timezone, r.due_at, r.opens_at, r.finish_by, (
      select jsonb_agg(jsonb_build_object('id', c.id, 'number', c.number, 'name', c.name, 'scanned_at', (
        select min(done.scanned_at) from public.checkpoint_scans done
        where done.tour_id = r.tour_id and done.tour_at = r.due_at and done.checkpoint_id = c.id
      )) order by o.place)
      from unnest(t.checkpoints) with ordinality o (id, place) join public.checkpoints c on c.id = o.id
    )
    from private.tour_rounds(now() - interval '4 hours', now() + interval '16 hours', private.assigned_sites()) r
    join public.tours t on t.id = r.tour_id
    join public.sites place on place.id = r.site_id
    where exists (
      select from public.assignments a join public.shifts s on s.id = a.shift_id
      where a.user_id = auth.uid() and a.status not in ('cancelled', 'no_show') and s.site_id = r.site_id
        and (t.post_id is null or s.post_id = t.post_id) and r.due_at >= s.start_time and r.due_at < s.end_time
        -- A guard who has clocked out walks no more rounds.
        and a.attendance_state <> 'out' and (s.end_time > now() or a.attendance_state = 'in')
    )
    order by r.due_at, t.name limit 60;
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
            WHEN (state.is_open AND (upper(a.period) > now())) THEN 'in'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (state.is_open AND (upper(a.period) <= now())) THEN 'forgotten'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (r.late_minutes > 0) THEN 'late'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (state.is_issue AND (a.status <> 'no_show'::text) AND (NOT (a.on_leave AND (r.clock_in_at IS NULL)))) THEN 'missing'::text
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
