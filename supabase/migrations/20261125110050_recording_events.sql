-- Recording one event of a guard, for every way of clocking.

-- The record of this assignment that has such an event by another way already. A phone's own second event is refused. A
-- clock-in after the clock-out opens another record.
create function private.record_of_another_way(assignment uuid, kind text, way text, at_time timestamptz) returns uuid
language sql stable security definer set search_path = '' as $$
  select r.id from public.attendance r
  where r.assignment_id = assignment and exists (
    select from public.clock_events e
    where e.attendance_id = r.id and e.kind = record_of_another_way.kind
      and (e.way <> 'phone' or record_of_another_way.way <> 'phone')
      and (e.kind = 'in' or e.received_at >= coalesce(r.reopened_at, '-infinity'))
  ) and case kind
    when 'in' then r.clock_out_at is null or at_time < r.clock_out_at
    else r.clock_out_at is not null and not exists (
      select from public.attendance o where o.assignment_id = assignment and o.clock_out_at is null
    )
  end
  order by r.clock_in_at desc limit 1;
$$;

-- Stores the event and opens, closes or reopens the record of attendance, both or neither. A repeat returns the stored
-- event. p_device_at and p_sent_at are by the device's clock; the guard typed p_entered_at (a forgotten clock-out).
-- Definer, for the functions of each way, which decide who may make it. It acts under the rules of check_attendance.
create function private.record_event_for(
  p_person uuid,
  p_way text,
  p_made_by uuid,
  p_device uuid,
  p_id uuid,
  p_kind text,
  p_assignment_id uuid,
  p_device_at timestamptz,
  p_attendance_id uuid default null,
  p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null,
  p_entered_at timestamptz default null,
  p_gps text default null,
  p_accuracy_m real default null,
  p_fix_age_s integer default null,
  p_reason text default null,
  p_previous_hash text default null,
  p_hash text default null
) returns public.clock_events
language plpgsql security definer set search_path = '' as $$
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
  if p_kind is null or p_kind not in ('in', 'out', 'reopen') then
    raise exception 'A clock event is in, out or reopen.' using errcode = 'invalid_parameter_value';
  end if;
  if p_person is null or p_way is null or p_way not in ('phone', 'device', 'muster', 'message', 'office') then
    raise exception 'A clock event needs a guard and a way of clocking.' using errcode = 'invalid_parameter_value';
  end if;
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
    joined := private.record_of_another_way(assignment.id, 'in', p_way, event.effective_at);
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
  elsif p_kind = 'out' and private.came_too_late(assignment) then
    -- The clock-in came after the period was locked, too.
    event.effective_at := coalesce(p_entered_at, private.time_of_event(
      known_at, p_device_at + offset_at_sending, assignment.starts_at - private.clock_in_lead()));
  else
    joined := private.record_of_another_way(assignment.id, 'out', p_way, null);
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

  if private.take_late_event(event, joined is not null and not by_another_way) then
    select * into event from public.clock_events e where e.id = p_id;
    return event;
  end if;
  insert into public.clock_events select event.*;
  if joined is not null and not by_another_way then
    return event;
  end if;
  perform set_config('app.clock_event', event.id::text, true);
  if by_another_way then
    -- The times stay; the rules of attendance flag what differs.
    update public.attendance r set updated_at = now() where r.id = event.attendance_id;
  elsif p_kind = 'in' then
    insert into public.attendance (id, assignment_id, clock_in_at, clock_in_gps, clock_in_reason)
    values (event.attendance_id, assignment.id, event.effective_at, event.gps, event.reason);
  elsif p_kind = 'reopen' then
    update public.attendance r set
      clock_out_at = null, clock_out_gps = null, clock_out_reason = null, clock_out_received_at = null,
      reopened_at = event.received_at
    where r.id = event.attendance_id;
  else
    update public.attendance r set
      clock_out_at = event.effective_at, clock_out_gps = event.gps,
      clock_out_reason = coalesce(event.reason, case when event.entered_by_guard then 'Forgot to clock out' end)
    where r.id = event.attendance_id;
  end if;
  perform set_config('app.clock_event', '', true);
  return event;
end
$$;

-- The caller's own event, from their own phone. Definer, because users can't write clock events.
create or replace function public.record_clock_event(
  p_id uuid,
  p_kind text,
  p_assignment_id uuid,
  p_device_at timestamptz,
  p_attendance_id uuid default null,
  p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null,
  p_entered_at timestamptz default null,
  p_gps text default null,
  p_accuracy_m real default null,
  p_fix_age_s integer default null,
  p_reason text default null,
  p_previous_hash text default null,
  p_hash text default null
) returns public.clock_events
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_member() then
    -- 401, so that the device keeps the event until the user has set a password or passed the second factor.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  return private.record_event_for(auth.uid(), 'phone', null, null, p_id, p_kind, p_assignment_id, p_device_at,
    p_attendance_id, p_sent_at, p_server_offset_ms, p_entered_at, p_gps, p_accuracy_m, p_fix_age_s, p_reason,
    p_previous_hash, p_hash);
end
$$;

revoke all on function private.record_of_another_way, private.record_event_for from public;
