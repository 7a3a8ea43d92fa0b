-- A guard with two phones, one of them without a network: what it sends late may lie within hours that are recorded already.
-- It is taken and marked, so that nobody is paid twice for the same hour unseen.
alter table public.attendance drop constraint attendance_flags_known;
alter table public.attendance add constraint attendance_flags_known check (
  flags <@ array['outside_fence', 'no_location', 'sent_late', 'entered_by_guard', 'device_clock', 'overlaps']
);

-- Whether another record of this person covers a part of the time; for a record that is still open, its beginning.
create function private.overlaps_own(me uuid, record_id uuid, clock_in timestamptz, clock_out timestamptz) returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from public.attendance r
  where r.user_id = me and r.id <> record_id and r.clock_in_at < coalesce(clock_out, 'infinity')
    and r.clock_in_at > clock_in - interval '7 days'
    and coalesce(r.clock_out_at, 'infinity') > clock_in
    and (clock_out is not null or r.clock_in_at <= clock_in)
);

-- As before, and it marks what overlaps.
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
  -- Whoever adds a record doesn't choose its flags; without a caller it is a load that states them.
  if tg_op = 'INSERT' and me is not null then
    new.flags := '{}';
  end if;

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
  if me is distinct from assignment.user_id then
    return new;
  end if;

  if tg_op = 'INSERT' then
    select * into event from public.clock_events e where e.attendance_id = new.id and e.kind = 'in';
    raised := private.flags_of_event(new.clock_in_at, new.clock_in_received_at, new.clock_in_gps,
      new.clock_in_distance_m, site.geofence_radius_m, event);
    new.needs_review := false;
  elsif new.clock_out_at is not null and old.clock_out_at is null then
    select * into event from public.clock_events e where e.attendance_id = new.id and e.kind = 'out';
    raised := private.flags_of_event(new.clock_out_at, new.clock_out_received_at, new.clock_out_gps,
      new.clock_out_distance_m, site.geofence_radius_m, event);
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

revoke all on function private.overlaps_own(uuid, uuid, timestamptz, timestamptz) from public;
