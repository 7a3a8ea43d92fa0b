-- Taking one clock event of a guard's device, safe to repeat, and the shifts that it may belong to.

-- The same text on the device: fields joined by |, times as milliseconds since 1970, what is missing left empty.
create function private.hash_of_event(
  id uuid, kind text, assignment_id uuid, device_at timestamptz, server_offset_ms bigint,
  entered_at timestamptz, gps text, previous_hash text
) returns text
language sql immutable set search_path = ''
return encode(sha256(convert_to(concat_ws('|', id, kind, assignment_id,
  floor(extract(epoch from device_at) * 1000)::bigint, coalesce(server_offset_ms::text, ''),
  coalesce(floor(extract(epoch from entered_at) * 1000)::bigint::text, ''), coalesce(gps, ''),
  coalesce(previous_hash, '')), 'UTF8')), 'hex');

-- The record that a clock-in opens, or joins: somebody may have added it meanwhile for a guard whose phone was silent.
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

-- The record that a clock-out closes: the one the device knows, else the open one, else one that was closed for the guard.
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
    and exists (select from public.clock_events e where e.attendance_id = record.id and e.kind = 'out')
  then
    raise exception 'You have already clocked out.' using errcode = 'unique_violation';
  end if;
  return record;
end
$$;

-- Stores the event, and opens or closes the record of attendance, both or neither. A repeat gets the same answer.
-- Times: p_device_at and p_sent_at by the clock of the device, p_entered_at (a forgotten clock-out) by the guard.
-- Definer: nobody writes clock events by hand. It acts for the caller alone, under the rules of check_attendance.
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
  -- A device that never met the server is put right by when it says that it sends.
  offset_known interval := coalesce(p_server_offset_ms * interval '1 millisecond', now() - p_sent_at, '0');
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
  select * into event from public.clock_events e where e.id = p_id;
  if found then
    if (event.user_id, event.assignment_id, event.kind) is distinct from (me, p_assignment_id, p_kind) then
      raise exception 'This clock event id belongs to another event.' using errcode = 'unique_violation';
    end if;
    return event;
  end if;
  select * into assignment from public.assignments a where a.id = p_assignment_id and a.user_id = me;
  if not found then
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
  event.effective_at := coalesce(p_entered_at, p_device_at + offset_known);
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
    joined := private.record_to_open(me, assignment.id, coalesce(p_attendance_id, p_id));
    event.attendance_id := coalesce(joined, p_attendance_id, p_id);
  else
    record := private.record_to_close(me, assignment.id, p_attendance_id);
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

-- The caller's shifts that a clock event may belong to, now and without a network for some days: the open record first,
-- then the nearest. Times are instants; when clocking in opens is for the rules of attendance to say.
create function public.my_clock_shifts() returns table (
  assignment_id uuid,
  site_id uuid,
  site_name text,
  client_name text,
  address text,
  timezone text,
  latitude double precision,
  longitude double precision,
  geofence_radius_m integer,
  start_time timestamptz,
  end_time timestamptz,
  role_at_shift text,
  attendance_id uuid,
  clock_in_at timestamptz,
  clock_out_at timestamptz,
  flags text[]
)
language sql stable set search_path = '' as $$
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
  )
  order by r.id is null or r.clock_out_at is not null, abs(extract(epoch from s.start_time - now()))
  limit 50;
$$;

revoke all on function
  private.hash_of_event(uuid, text, uuid, timestamptz, bigint, timestamptz, text, text),
  private.record_to_open(uuid, uuid, uuid),
  private.record_to_close(uuid, uuid, uuid),
  public.record_clock_event(uuid, text, uuid, timestamptz, uuid, timestamptz, bigint, timestamptz, text, real, integer, text, text, text),
  public.my_clock_shifts()
from public, anon;
grant execute on function
  public.record_clock_event(uuid, text, uuid, timestamptz, uuid, timestamptz, bigint, timestamptz, text, real, integer, text, text, text),
  public.my_clock_shifts()
to authenticated;
comment on function public.my_clock_shifts() is
  'Nullable: latitude, longitude, role_at_shift, attendance_id, clock_in_at, clock_out_at, flags';
