-- Recording one clock event of a guard's device, safe to repeat.

-- The device computes the same hash: fields joined by |, times as milliseconds since 1970, missing values empty.
create function private.hash_of_event(
  id uuid, kind text, assignment_id uuid, device_at timestamptz, server_offset_ms bigint,
  entered_at timestamptz, gps text, previous_hash text
) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if isfinite(device_at) is false or isfinite(entered_at) is false then
    raise exception 'A clock event needs a date and a time.' using errcode = 'invalid_parameter_value';
  end if;
  return encode(sha256(convert_to(concat_ws('|', id, kind, assignment_id,
    floor(extract(epoch from device_at) * 1000)::bigint, coalesce(server_offset_ms::text, ''),
    coalesce(floor(extract(epoch from entered_at) * 1000)::bigint::text, ''), coalesce(gps, ''),
    coalesce(previous_hash, '')), 'UTF8')), 'hex');
end
$$;

-- The moment of an event by two readings of the device's clock: by the offset at the last contact, unless that time is
-- impossible; then by the offset when the event was sent; never in the future. A clock that was set since the last
-- contact (an empty battery, by hand) makes an event that is flagged, not one that is refused.
create function private.time_of_event(known_at timestamptz, by_sending timestamptz, earliest timestamptz)
returns timestamptz
language sql stable set search_path = ''
return case
  when known_at between earliest and now() + interval '5 minutes' then known_at
  when by_sending between earliest and now() + interval '5 minutes' then by_sending
  else least(known_at, now())
end;

-- The guard's assignment that the phone means: the one with this id; if it was removed or cancelled, the assignment of
-- the same shift, or of the same hours at the same site. All null if there is none.
create function private.own_assignment(me uuid, wanted uuid) returns public.assignments
language plpgsql stable security definer set search_path = '' as $$
declare
  known public.assignments;
  instead public.assignments;
  was jsonb;
begin
  select * into known from public.assignments a where a.id = wanted and a.user_id = me;
  if known.status <> 'cancelled' then
    return known;
  end if;
  was := case when known.id is not null then to_jsonb(known) else (
    select h.old_values from public.audit_log h
    where h.row_id = wanted and h.table_name = 'assignments' and h.action = 'delete'
      and h.old_values ->> 'user_id' = me::text
    order by h.at desc limit 1
  ) end;
  select * into instead from public.assignments a
  where a.user_id = me and a.status <> 'cancelled' and (
    a.shift_id::text = was ->> 'shift_id'
    or a.site_id::text = was ->> 'site_id' and a.period && (was ->> 'period')::tstzrange
  )
  order by a.shift_id::text = was ->> 'shift_id' desc limit 1;
  if instead.id is null then
    return known;
  end if;
  return instead;
end
$$;

-- The record that a clock-in opens or joins: someone may have added it for a guard whose phone was offline.
create function private.record_to_open(me uuid, assignment uuid, wanted uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  found_id uuid;
begin
  select r.id into found_id from public.attendance r
  where r.assignment_id = assignment and r.user_id = me and (r.id = wanted or r.clock_out_at is null)
  order by r.id = wanted desc limit 1;
  if exists (select from public.clock_events e where e.attendance_id = found_id and e.kind = 'in') then
    raise exception 'You are already clocked in.' using errcode = 'unique_violation';
  end if;
  return found_id;
end
$$;

-- The record that a clock-out closes: the one the device names, else the open one, else one closed for the guard.
create function private.record_to_close(me uuid, assignment uuid, wanted uuid) returns public.attendance
language plpgsql stable security definer set search_path = '' as $$
declare
  record public.attendance;
begin
  select * into record from public.attendance r
  where r.assignment_id = assignment and r.user_id = me
  order by r.id = wanted desc nulls last, r.clock_out_at is null desc, r.clock_in_at desc limit 1;
  if not found then
    raise exception 'There is no clock-in to clock out of. Ask your supervisor to add it, then send this again.'
      using errcode = 'PT404';
  end if;
  if record.clock_out_at is not null
    and exists (
      select from public.clock_events e where e.attendance_id = record.id and e.kind = 'out'
        and e.received_at >= coalesce(record.reopened_at, '-infinity')
    )
  then
    raise exception 'You have already clocked out.' using errcode = 'unique_violation';
  end if;
  return record;
end
$$;

-- The record whose clock-out the guard undoes. Not one that a supervisor has corrected since.
create function private.record_to_reopen(me uuid, assignment uuid, wanted uuid) returns public.attendance
language plpgsql stable security definer set search_path = '' as $$
declare
  record public.attendance;
begin
  select * into record from public.attendance r
  where r.assignment_id = assignment and r.user_id = me
  order by r.id = wanted desc nulls last, r.clock_in_at desc limit 1;
  if not found then
    raise exception 'There is no clock-out to undo.' using errcode = 'PT404';
  end if;
  if exists (select from public.attendance r where r.user_id = me and r.clock_out_at is null) then
    raise exception 'You are already clocked in.' using errcode = 'unique_violation';
  end if;
  if record.clock_out_received_at is null or record.corrected_at >= record.clock_out_received_at then
    raise exception 'Your supervisor has changed this record. Ask them to correct it.'
      using errcode = 'check_violation';
  end if;
  return record;
end
$$;

-- Stores the event and opens, closes or reopens the record of attendance, both or neither. A repeat returns the stored
-- event. p_device_at and p_sent_at are by the device's clock; the guard typed p_entered_at (a forgotten clock-out).
-- Definer, because users can't write clock events. It acts for the caller only, under the rules of check_attendance.
create function public.record_clock_event(
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
  me uuid := auth.uid();
  event public.clock_events;
  assignment public.assignments;
  record public.attendance;
  joined uuid;
  -- Without an offset, the device's own time of sending corrects its clock.
  offset_known interval := coalesce(p_server_offset_ms * interval '1 millisecond', now() - p_sent_at, '0');
  -- Without a time of sending, the event is sent as soon as it happens.
  offset_at_sending interval := now() - coalesce(p_sent_at, p_device_at);
  known_at timestamptz := p_device_at + offset_known;
begin
  if not private.is_member() then
    -- 401, so that the device keeps the event until the user has set a password or passed the second factor.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  if p_kind is null or p_kind not in ('in', 'out', 'reopen') then
    raise exception 'A clock event is in, out or reopen.' using errcode = 'invalid_parameter_value';
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
  event.gps := p_gps;
  event.accuracy_m := p_accuracy_m;
  event.fix_age_s := p_fix_age_s;
  event.reason := left(nullif(btrim(p_reason), ''), 500);
  event.entered_by_guard := p_entered_at is not null;
  event.previous_hash := p_previous_hash;
  event.hash := private.hash_of_event(p_id, p_kind, p_assignment_id, p_device_at, p_server_offset_ms,
    p_entered_at, p_gps, p_previous_hash);
  event.chain_intact := p_hash is not distinct from event.hash and p_previous_hash is not distinct from (
    select e.hash from public.clock_events e where e.user_id = me order by e.received_at desc limit 1
  );
  -- Wrong at the event, or changed since.
  event.clock_off := greatest(abs(extract(epoch from offset_known)),
    abs(extract(epoch from now() - coalesce(p_sent_at, now())))) > 300;
  event.received_at := clock_timestamp();

  if p_kind = 'in' then
    event.effective_at := private.time_of_event(
      known_at, p_device_at + offset_at_sending, assignment.starts_at - private.clock_in_lead());
    joined := private.record_to_open(me, assignment.id, coalesce(p_attendance_id, p_id));
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
  else
    record := private.record_to_close(me, assignment.id, p_attendance_id);
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

  insert into public.clock_events select event.*;
  if joined is not null then
    return event;
  end if;
  if p_kind = 'in' then
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
  return event;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.record_clock_event from public, anon;
grant execute on function public.record_clock_event to authenticated;
