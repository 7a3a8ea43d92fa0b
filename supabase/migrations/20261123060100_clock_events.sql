-- What each guard's device said about clocking in and out: append-only, stored once however often it is sent,
-- in one transaction with the attendance that follows from it. And why a record of attendance wants a second look.
alter table public.attendance add column flags text[] not null default '{}'
  constraint attendance_flags_known check (
    flags <@ array['outside_fence', 'no_location', 'sent_late', 'entered_by_guard', 'device_clock']
  );
comment on column public.attendance.flags is 'Derived: what a supervisor should look at; set by the guard''s own events';

-- Made when these rows were written under the rules before.
alter table public.attendance disable trigger user;
update public.attendance r set flags = array_remove(array[
  case when r.clock_in_distance_m > s.geofence_radius_m or r.clock_out_distance_m > s.geofence_radius_m
    then 'outside_fence' end,
  case when r.clock_in_gps is null or (r.clock_out_at is not null and r.clock_out_gps is null) then 'no_location' end,
  case when r.clock_in_received_at > r.clock_in_at + interval '15 minutes'
    or r.clock_out_received_at > r.clock_out_at + interval '15 minutes' then 'sent_late' end
], null)
from public.sites s
where s.id = r.site_id and r.needs_review;
alter table public.attendance enable trigger user;

create table public.clock_events (
  -- Made by the device, so that a repeat from a bad line is the same event.
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id),
  assignment_id uuid not null references public.assignments (id) on delete cascade,
  -- The event comes first, in the same transaction.
  attendance_id uuid not null references public.attendance (id) on delete cascade deferrable initially deferred,
  site_id uuid not null,
  kind text not null check (kind in ('in', 'out')),
  device_at timestamptz not null,
  server_offset_ms bigint,
  effective_at timestamptz not null,
  gps text check (private.is_position(gps)),
  accuracy_m real check (accuracy_m >= 0),
  fix_age_s integer check (fix_age_s >= 0),
  reason text check (char_length(reason) <= 500),
  entered_by_guard boolean not null default false,
  previous_hash text check (previous_hash ~ '^[0-9a-f]{64}$'),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  chain_intact boolean not null,
  clock_off boolean not null,
  received_at timestamptz not null default clock_timestamp()
);
comment on column public.clock_events.site_id is 'Derived: the site of the shift, so that policies need no join';
comment on column public.clock_events.device_at is 'What the clock of the device showed, right or wrong';
comment on column public.clock_events.server_offset_ms is 'Milliseconds that the server''s clock was ahead of the device''s when they last met; null where never';
comment on column public.clock_events.effective_at is 'Derived: the device''s time put right by the offset, or the time that the guard entered';
comment on column public.clock_events.accuracy_m is 'Radius in metres in which the device says it is';
comment on column public.clock_events.fix_age_s is 'Seconds between the location and the event';
comment on column public.clock_events.entered_by_guard is 'Derived: whether the time was typed and not taken from a clock';
comment on column public.clock_events.previous_hash is 'Hash of the guard''s event before this one, as the device knows it';
comment on column public.clock_events.hash is 'Derived: SHA-256 over id, kind, assignment, times, location and previous hash';
comment on column public.clock_events.chain_intact is 'Derived: whether both hashes are those the server expects; false too on a new phone';
comment on column public.clock_events.clock_off is 'Derived: whether the clock of the device was more than 5 minutes off';

create index clock_events_user_id_idx on public.clock_events (user_id, received_at desc);
create index clock_events_assignment_id_idx on public.clock_events (assignment_id);
create index clock_events_attendance_id_idx on public.clock_events (attendance_id);
create index clock_events_site_id_idx on public.clock_events (site_id, received_at desc);
select private.keep_history_of('public.clock_events');

alter table public.clock_events enable row level security;
-- Append-only for everyone: only record_clock_event writes, and nothing changes or deletes.
revoke all on public.clock_events from anon, authenticated, service_role;
grant select on public.clock_events to authenticated, service_role;

create policy "Those who oversee, and hr, read every clock event" on public.clock_events
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'hr')));
create policy "Supervisors read clock events at their own sites" on public.clock_events
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read their own clock events" on public.clock_events
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- What one event of a guard gives a supervisor to look at. A time that was typed comes late and from elsewhere by nature.
create function private.flags_of_event(
  at_time timestamptz, received timestamptz, gps text, distance_m integer, fence_m integer, event public.clock_events
) returns text[]
language sql immutable set search_path = ''
return array_remove(case when coalesce(event.entered_by_guard, false) then array['entered_by_guard'] else array[
  case when gps is null then 'no_location' when distance_m > fence_m then 'outside_fence' end,
  case when received > at_time + interval '15 minutes' then 'sent_late' end
] end || case when event.clock_off then 'device_clock' end, null);

-- As before, and it says in flags why a record needs a review.
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
  if raised <> '{}' then
    new.needs_review := true;
    new.flags := array(select distinct f from unnest(new.flags || raised) f order by f);
  end if;
  return new;
end
$$;

revoke all on function
  private.flags_of_event(timestamptz, timestamptz, text, integer, integer, public.clock_events)
from public;
