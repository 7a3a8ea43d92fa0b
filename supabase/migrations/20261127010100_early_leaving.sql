-- Leaving early, and undoing a clock-out that was a mistake. Both flag the record for review.
alter table public.attendance add column reopened_at timestamptz;
comment on column public.attendance.reopened_at is 'Derived: when the guard last undid a clock-out made by mistake';

alter table public.attendance drop constraint attendance_flags_known;
alter table public.attendance add constraint attendance_flags_known check (
  flags <@ array['outside_fence', 'no_location', 'sent_late', 'entered_by_guard', 'device_clock', 'overlaps',
    'left_early', 'reopened']
);
alter table public.clock_events drop constraint clock_events_kind_check;
alter table public.clock_events add constraint clock_events_kind_check check (kind in ('in', 'out', 'reopen'));

create or replace function private.check_own_clock_out(record public.attendance, before public.attendance)
returns public.attendance
language plpgsql security definer set search_path = '' as $$
begin
  -- Nobody but record_clock_event may write reopened_at.
  if record.reopened_at is distinct from before.reopened_at then
    return record;
  end if;
  if record.clock_in_at <> before.clock_in_at
    or record.needs_review <> before.needs_review
    or record.correction_reason is distinct from before.correction_reason
    or (before.clock_out_at is not null and (record.clock_out_at, record.clock_out_gps, record.clock_out_reason)
      is distinct from (before.clock_out_at, before.clock_out_gps, before.clock_out_reason))
  then
    raise exception 'Only a supervisor can correct a clock time, and nobody their own.'
      using errcode = 'insufficient_privilege';
  end if;
  if before.clock_out_at is null and record.clock_out_at is not null then
    record.clock_out_at := private.check_own_event(record.clock_out_at, record.clock_out_gps,
      record.clock_out_reason, 'Cannot clock out without location.', 'clock-out');
    record.clock_out_received_at := now();
  end if;
  return record;
end
$$;

-- Flags an own clock-out more than 15 minutes before the end of the shift, and a reopened record.
create or replace function private.check_attendance() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
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
        -- A repeat of a known event is left to the primary key.
        new := private.check_own_clock_in(new, shift, assignment.status);
      end if;
    elsif private.may_oversee(assignment.site_id) then
      new := private.note_correction(new, case when tg_op = 'UPDATE' then old end);
    else
      return new;
    end if;
  end if;

  new.clock_in_distance_m := private.distance_m(new.clock_in_gps, site.latitude, site.longitude);
  new.clock_out_distance_m := private.distance_m(new.clock_out_gps, site.latitude, site.longitude);
  new.late_minutes := greatest(0, floor(extract(epoch from new.clock_in_at - shift.start_time) / 60));
  new.early_minutes := greatest(0, floor(extract(epoch from shift.end_time - new.clock_out_at) / 60));
  if me is distinct from assignment.user_id then
    return new;
  end if;

  if tg_op = 'INSERT' then
    select * into event from public.clock_events e where e.attendance_id = new.id and e.kind = 'in';
    raised := private.flags_of_event(new.clock_in_at, new.clock_in_received_at, new.clock_in_gps,
      new.clock_in_distance_m, site.geofence_radius_m, event);
    new.needs_review := false;
  elsif new.clock_out_at is not null and old.clock_out_at is null then
    select * into event from public.clock_events e
    where e.attendance_id = new.id and e.kind = 'out' and e.received_at >= coalesce(new.reopened_at, '-infinity')
    order by e.received_at desc limit 1;
    raised := private.flags_of_event(new.clock_out_at, new.clock_out_received_at, new.clock_out_gps,
      new.clock_out_distance_m, site.geofence_radius_m, event);
    if shift.end_time - new.clock_out_at > interval '15 minutes' then
      raised := array_append(raised, 'left_early');
    end if;
  elsif new.reopened_at is distinct from old.reopened_at then
    select * into event from public.clock_events e
    where e.attendance_id = new.id and e.kind = 'reopen' order by e.received_at desc limit 1;
    new.flags := array_remove(new.flags, 'left_early');
    raised := array_remove(array['reopened',
      case when event.received_at > event.effective_at + interval '15 minutes' then 'sent_late' end,
      case when event.clock_off then 'device_clock' end], null);
  end if;
  if (tg_op = 'INSERT' or new.clock_out_at is not null and old.clock_out_at is null)
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
$$;

-- An assignment whose record is reopened is no longer completed.
create or replace function private.follow_attendance() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.assignments a set
    attendance_state = now_at.state,
    status = case
      when now_at.state = 'out' and a.status in ('assigned', 'confirmed') then 'completed'
      when now_at.state = 'in' and a.attendance_state = 'out' and a.status = 'completed' then 'confirmed'
      else a.status
    end
  from (
    select r.assignment_id, case when bool_or(r.clock_out_at is null) then 'in' else 'out' end as state
    from public.attendance r
    where r.assignment_id in (select n.assignment_id from new_rows n)
    group by r.assignment_id
  ) now_at
  where a.id = now_at.assignment_id
    and (
      a.attendance_state <> now_at.state
      or now_at.state = 'out' and a.status in ('assigned', 'confirmed')
    );
  return null;
end
$$;

-- The record that a clock-out closes: the one the device knows, else the open one, else one that was closed for the guard.
create or replace function private.record_to_close(me uuid, assignment uuid, wanted uuid) returns public.attendance
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

-- The record whose clock-out the guard undoes: their own clock-out, not one that a supervisor has corrected since.
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

-- Stores the event, and opens, closes or reopens the record of attendance, both or neither. A repeat returns the stored event.
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
  -- Without an offset, the device's own time of sending corrects its clock.
  offset_known interval := coalesce(p_server_offset_ms * interval '1 millisecond', now() - p_sent_at, '0');
  -- Without a time of sending, the event is sent as soon as it happens.
  offset_at_sending interval := now() - coalesce(p_sent_at, p_device_at);
  known_at timestamptz := p_device_at + offset_known;
begin
  if not private.is_member() then
    -- 401, since the device keeps the event until the account is open: a password to set, a second step to take.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  if p_kind is null or p_kind not in ('in', 'out', 'reopen') then
    raise exception 'A clock event is in, out or reopen.' using errcode = 'invalid_parameter_value';
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
  elsif p_kind = 'reopen' then
    record := private.record_to_reopen(me, assignment.id, p_attendance_id);
    event.attendance_id := record.id;
    event.effective_at := greatest(record.clock_out_at, private.time_of_event(
      known_at, p_device_at + offset_at_sending, record.clock_out_at - interval '5 minutes'));
    if event.effective_at > record.clock_out_at + interval '30 minutes' then
      raise exception 'A clock-out can be reopened for 30 minutes. Ask your supervisor to correct it.'
        using errcode = 'check_violation';
    end if;
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

revoke all on function private.record_to_reopen(uuid, uuid, uuid) from public;
