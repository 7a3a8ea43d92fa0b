-- A guard who was taken off a shift and put on it again has another assignment. What their phone has kept of the first one, and
-- was told to send again, belongs to the second.

-- The assignment of this person that the phone means: that one; else, where it was removed or cancelled, the one of the same
-- shift, or of the same hours at the same site. All null where there is none.
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

-- Stores the event, and opens or closes the record of attendance, both or neither. A repeat gets the same answer. As before,
-- but for whose assignment it is.
-- Times: p_device_at and p_sent_at by the clock of the device, p_entered_at (a forgotten clock-out) by the guard.
-- Definer: nobody writes clock events by hand. It acts for the caller alone, under the rules of check_attendance.
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
declare
  me uuid := auth.uid();
  event public.clock_events;
  assignment public.assignments;
  record public.attendance;
  joined uuid;
  -- A device that never met the server is put right by when it says that it sends.
  offset_known interval := coalesce(p_server_offset_ms * interval '1 millisecond', now() - p_sent_at, '0');
  -- Whoever does not say when it sends does so at once.
  offset_at_sending interval := now() - coalesce(p_sent_at, p_device_at);
  known_at timestamptz := p_device_at + offset_known;
begin
  if not private.is_member() then
    -- 401, since the device keeps the event until the account is open: a password to set, a second step to take.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  if p_kind is null or p_kind not in ('in', 'out') then
    raise exception 'A clock event is either in or out.' using errcode = 'invalid_parameter_value';
  end if;
  -- The events of one guard take turns, so that a repeat finds the first.
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
  -- Off when it happened, or set differently since.
  event.clock_off := greatest(abs(extract(epoch from offset_known)),
    abs(extract(epoch from now() - coalesce(p_sent_at, now())))) > 300;
  event.received_at := clock_timestamp();

  if p_kind = 'in' then
    event.effective_at := private.time_of_event(
      known_at, p_device_at + offset_at_sending, assignment.starts_at - interval '4 hours');
    joined := private.record_to_open(me, assignment.id, coalesce(p_attendance_id, p_id));
    event.attendance_id := coalesce(joined, p_attendance_id, p_id);
  else
    record := private.record_to_close(me, assignment.id, p_attendance_id);
    event.effective_at := coalesce(p_entered_at, private.time_of_event(
      known_at, p_device_at + offset_at_sending, record.clock_in_at - interval '5 minutes'));
    event.attendance_id := record.id;
    joined := case when record.clock_out_at is not null then record.id end;
    if joined is null and event.effective_at < record.clock_in_at then
      -- Two readings of one wrong clock may differ by a little.
      if event.entered_by_guard or event.effective_at < record.clock_in_at - interval '5 minutes' then
        raise exception 'The clock-out is before the clock-in. Ask your supervisor to correct it.'
          using errcode = 'check_violation';
      end if;
      event.effective_at := record.clock_in_at;
    end if;
  end if;
  event.clock_off := event.clock_off or p_entered_at is null and event.effective_at not between
    known_at - interval '5 minutes' and known_at + interval '5 minutes';
  -- At most 5 minutes ahead, which the rules of attendance check; never kept in the future.
  event.effective_at := case when event.effective_at between now() and now() + interval '5 minutes'
    then now() else event.effective_at end;

  insert into public.clock_events select event.*;
  if joined is not null then
    return event;
  end if;
  if p_kind = 'in' then
    insert into public.attendance (id, assignment_id, clock_in_at, clock_in_gps, clock_in_reason)
    values (event.attendance_id, assignment.id, event.effective_at, event.gps, event.reason);
  else
    update public.attendance r set
      clock_out_at = event.effective_at, clock_out_gps = event.gps,
      clock_out_reason = coalesce(event.reason, case when event.entered_by_guard then 'Forgot to clock out' end)
    where r.id = event.attendance_id;
  end if;
  return event;
end
$$;

revoke all on function private.own_assignment(uuid, uuid) from public;
