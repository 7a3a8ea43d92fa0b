-- What a clock event must be, what the database derives from it, and what a correction leaves untouched.

-- A guard's own event. Times come from the phone, which may have been without a network for days.
create function private.check_own_event(
  event_at timestamptz, gps text, reason text, refusal text, what text
) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  if event_at > now() + interval '5 minutes' then
    raise exception 'The % time is in the future. Set the clock of this device.', what
      using errcode = 'check_violation';
  end if;
  if event_at < now() - interval '7 days' then
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
  if record.clock_in_at < shift.start_time - interval '4 hours' then
    raise exception 'Clock-in opens 4 hours before the shift starts.' using errcode = 'check_violation';
  end if;
  if record.clock_in_at > shift.end_time then
    raise exception 'This shift has ended.' using errcode = 'check_violation';
  end if;
  -- A session that waits here is then told the reason, and not the name of an index.
  perform pg_advisory_xact_lock(hashtextextended(record.user_id::text, 0));
  if exists (
    select from public.attendance a
    where a.user_id = record.user_id and a.clock_out_at is null and a.id <> record.id
  ) then
    raise exception 'You are already clocked in.' using errcode = 'unique_violation';
  end if;
  -- What only a supervisor's correction or a clock-out may say.
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

-- Somebody else's record: the first version of each time is kept.
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

-- Definer: a guard can't read all that it looks at. It runs before the policies and tells nothing to a stranger.
create function private.check_attendance() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  assignment public.assignments;
  shift public.shifts;
  site public.sites;
  is_new_in boolean;
  is_new_out boolean;
begin
  select * into assignment from public.assignments a where a.id = new.assignment_id;
  if not found then
    raise exception 'This assignment no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  select * into shift from public.shifts s where s.id = assignment.shift_id;
  select * into site from public.sites s where s.id = assignment.site_id;
  new.user_id := assignment.user_id;
  new.site_id := assignment.site_id;

  -- Depth 1: the caller's own statement, and not a shift that moved. Without a caller it is the service role.
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
  is_new_in := tg_op = 'INSERT';
  is_new_out := new.clock_out_at is not null and (tg_op = 'INSERT' or old.clock_out_at is null);
  if me = assignment.user_id and (
    is_new_in and (new.clock_in_gps is null or new.clock_in_distance_m > site.geofence_radius_m
      or new.clock_in_received_at > new.clock_in_at + interval '15 minutes')
    or is_new_out and (new.clock_out_gps is null or new.clock_out_distance_m > site.geofence_radius_m
      or new.clock_out_received_at > new.clock_out_at + interval '15 minutes')
  ) then
    new.needs_review := true;
  elsif is_new_in and me = assignment.user_id then
    new.needs_review := false;
  end if;
  return new;
end
$$;

create trigger c_rules before insert or update on public.attendance
  for each row execute function private.check_attendance();

-- Keeps attendance_state of the assignment, and completes it when everyone is out. For a batch as for one.
create function private.follow_attendance() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.assignments a set
    attendance_state = now_at.state,
    status = case when now_at.state = 'out' and a.status in ('assigned', 'confirmed') then 'completed' else a.status end
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

-- A shift that moves makes its clock events later, earlier or further away.
create function private.derive_attendance_again() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.attendance r set updated_at = now() where r.assignment_id = new.id;
  return null;
end
$$;

create trigger attendance_follows after update on public.assignments
  for each row when (old.period <> new.period or old.site_id <> new.site_id)
  execute function private.derive_attendance_again();

revoke all on function
  private.check_own_event(timestamptz, text, text, text, text),
  private.check_own_clock_in(public.attendance, public.shifts, text),
  private.check_own_clock_out(public.attendance, public.attendance),
  private.note_correction(public.attendance, public.attendance),
  private.check_attendance(), private.follow_attendance(), private.derive_attendance_again()
from public;
