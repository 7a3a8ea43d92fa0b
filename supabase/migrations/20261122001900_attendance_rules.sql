-- What a clock event must satisfy, what the database derives from it, and what a correction must not change.

-- Three durations that the guard's portal needs too, so that it works offline. shared/time-limits.ts has the same
-- numbers; tests/rules/time-limits.test.ts compares them.

-- How long before the start of the shift clock-in opens.
create function private.clock_in_lead() returns interval
language sql immutable set search_path = ''
return interval '4 hours';

-- Clocking out earlier than this before the end of the shift is flagged.
create function private.early_leave_margin() returns interval
language sql immutable set search_path = ''
return interval '15 minutes';

-- How long a guard can undo a clock-out.
create function private.reopen_window() returns interval
language sql immutable set search_path = ''
return interval '30 minutes';

-- Checks a guard's own event. A clock-out may be of any age: a guard who forgot it and then had a week off would stay
-- clocked in and could not clock in again.
create function private.check_own_event(
  event_at timestamptz, gps text, reason text, refusal text, what text
) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  if event_at > now() + interval '5 minutes' then
    raise exception 'The % time is in the future. Set the clock of this device.', what
      using errcode = 'check_violation';
  end if;
  if what = 'clock-in' and event_at < now() - interval '7 days' then
    raise exception 'The % time is more than 7 days ago. Ask your supervisor to correct it.', what
      using errcode = 'check_violation';
  end if;
  if gps is null and reason is null then
    raise exception '%', refusal using errcode = 'check_violation';
  end if;
  return least(event_at, now());
end
$$;

create function private.check_own_clock_in(record public.attendance, shift public.shifts, status text)
returns public.attendance
language plpgsql security definer set search_path = '' as $$
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
  if exists (
    select from public.attendance a
    where a.user_id = record.user_id and a.clock_out_at is null and a.id <> record.id
  ) then
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
$$;

create function private.check_own_clock_out(record public.attendance, before public.attendance)
returns public.attendance
language plpgsql security definer set search_path = '' as $$
begin
  -- Only record_clock_event can write reopened_at.
  if record.reopened_at is distinct from before.reopened_at then
    return record;
  end if;
  if record.clock_in_at <> before.clock_in_at
    or record.needs_review <> before.needs_review
    or record.correction_reason is distinct from before.correction_reason
    or (before.clock_out_at is not null and (record.clock_out_at, record.clock_out_gps, record.clock_out_reason)
      is distinct from (before.clock_out_at, before.clock_out_gps, before.clock_out_reason))
  then
    raise exception 'Only a supervisor can correct a clock time, and not their own.'
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

-- Someone else corrects the record: the first version of each time is kept.
create function private.note_correction(record public.attendance, before public.attendance)
returns public.attendance
language plpgsql stable set search_path = '' as $$
begin
  if greatest(record.clock_in_at, record.clock_out_at) > now() + interval '5 minutes' then
    raise exception 'A clock time can''t be in the future.' using errcode = 'check_violation';
  end if;
  if before.id is null or (record.clock_in_at, record.clock_out_at)
    is distinct from (before.clock_in_at, before.clock_out_at)
  then
    record.corrected_by := auth.uid();
    record.corrected_at := now();
  end if;
  if before.id is not null then
    record.original_clock_in_at := coalesce(before.original_clock_in_at,
      case when record.clock_in_at <> before.clock_in_at then before.clock_in_at end);
    record.original_clock_out_at := coalesce(before.original_clock_out_at,
      case when record.clock_out_at is distinct from before.clock_out_at then before.clock_out_at end);
  end if;
  return record;
end
$$;

-- Flags of one event. A time that the guard typed is late and from another place by nature.
create function private.flags_of_event(
  at_time timestamptz, received timestamptz, gps text, distance_m integer, fence_m integer, event public.clock_events
) returns text[]
language sql immutable set search_path = ''
return array_remove(case when coalesce(event.entered_by_guard, false) then array['entered_by_guard'] else array[
  case when gps is null then 'no_location' when distance_m > fence_m then 'outside_fence' end,
  case when received > at_time + interval '15 minutes' then 'sent_late' end
] end || case when event.clock_off then 'device_clock' end, null);

-- Whether another record of this guard covers part of the time, or for an open record its start. A guard with two
-- phones may send late what is recorded already: it is stored and flagged, so that no hour is paid twice unnoticed.
create function private.overlaps_own(me uuid, record_id uuid, clock_in timestamptz, clock_out timestamptz)
returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from public.attendance r
  where r.user_id = me and r.id <> record_id and r.clock_in_at < coalesce(clock_out, 'infinity')
    and r.clock_in_at > clock_in - interval '7 days'
    and coalesce(r.clock_out_at, 'infinity') > clock_in
    and (clock_out is not null or r.clock_in_at <= clock_in)
);

-- Definer, because a guard can't read every table that it reads. It runs before the policies, so it reveals nothing to
-- callers who may not write the record.
create function private.check_attendance() returns trigger
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
        -- The primary key refuses a repeat.
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
    if shift.end_time - new.clock_out_at > private.early_leave_margin() then
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

create trigger c_rules before insert or update on public.attendance
  for each row execute function private.check_attendance();

-- Updates attendance_state of the assignment, completes it when the guard has clocked out, and reopens it with the
-- record. Runs once per statement.
create function private.follow_attendance() returns trigger
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

create trigger assignment_follows_clock_in after insert on public.attendance
  referencing new table as new_rows for each statement execute function private.follow_attendance();
create trigger assignment_follows_clock_out after update on public.attendance
  referencing new table as new_rows for each statement execute function private.follow_attendance();

-- A shift that moves changes how late, early or far away its clock events were.
create function private.recompute_attendance() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.attendance r set updated_at = now() where r.assignment_id = new.id;
  return null;
end
$$;

create trigger attendance_follows after update on public.assignments
  for each row when (old.period <> new.period or old.site_id <> new.site_id)
  execute function private.recompute_attendance();

revoke all on all functions in schema private from public;
grant execute on function private.clock_in_lead to authenticated;
