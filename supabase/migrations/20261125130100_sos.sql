-- SOS: a guard holds the button, or texts SOS. The event is stored whatever else is wrong with it, and raises an alert.
create table public.sos_events (
  -- Made on the device, so that a retry is the same event.
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  assignment_id uuid references public.assignments (id) on delete set null,
  site_id uuid references public.sites (id) on delete set null,
  gps text check (private.is_position(gps)),
  accuracy_m real check (accuracy_m between 0 and 1000000),
  -- The time on the device's clock, right or wrong.
  device_at timestamptz,
  happened_at timestamptz not null default now(),
  received_at timestamptz not null default now(),
  way text not null default 'phone' check (way in ('phone', 'message')),
  flags text[] not null default '{}' check (flags <@ array['device_clock', 'no_location']),
  cancelled_at timestamptz,
  cancel_note text check (char_length(cancel_note) <= 500)
);
comment on column public.sos_events.happened_at is
  'Derived: the device''s time corrected by its offset; the time of arrival if that is impossible';
comment on column public.sos_events.site_id is 'Where the guard is on duty or works next; null if that is unknown';
comment on column public.sos_events.cancelled_at is 'When the guard called it a false alarm, within a minute';
create index sos_events_user_id_idx on public.sos_events (user_id, received_at desc);
create index sos_events_assignment_id_idx on public.sos_events (assignment_id) where assignment_id is not null;
create index sos_events_site_id_idx on public.sos_events (site_id, received_at desc) where site_id is not null;
create index sos_events_received_at_idx on public.sos_events (received_at desc);
select private.keep_history_of('public.sos_events');

alter table public.sos_events enable row level security;
-- Written by the functions below alone.
revoke all on public.sos_events from anon, authenticated;
grant select on public.sos_events to authenticated;
create policy "Planners read the SOS of their sites" on public.sos_events
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read their own SOS" on public.sos_events
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
alter publication supabase_realtime add table public.sos_events;
alter table public.sos_events replica identity full;

-- When the device made something, by the server's clock; null if its clock can't be trusted. Never fails.
create function private.moment_of_device(p_device_at timestamptz, p_sent_at timestamptz, p_server_offset_ms bigint)
returns timestamptz
language plpgsql stable set search_path = '' as $$
declare
  known_at timestamptz;
begin
  known_at := p_device_at
    + coalesce(p_server_offset_ms * interval '1 millisecond', now() - p_sent_at, interval '0');
  return case when known_at between now() - interval '7 days' and now() + interval '5 minutes'
    then least(known_at, now()) end;
exception when data_exception then
  return null;
end
$$;

-- The assignment that an event of this person belongs to: where they are clocked in, unless that is forgotten since
-- yesterday, else the nearest within p_hours.
create function private.assignment_around(p_person uuid, p_at timestamptz, p_hours integer)
returns public.assignments
language sql stable security definer set search_path = '' as $$
  select a.* from public.assignments a
  where a.user_id = p_person and a.status <> 'cancelled' and (
    a.attendance_state = 'in' and upper(a.period) > p_at - interval '16 hours'
    or a.period && tstzrange(p_at - make_interval(hours => p_hours), p_at + make_interval(hours => p_hours))
  )
  order by a.attendance_state = 'in' desc,
    greatest(extract(epoch from a.starts_at - p_at), extract(epoch from p_at - upper(a.period)))
  limit 1;
$$;

-- The site whose planners get the notice: of the assignment; without any, where the person last worked, the nearest
-- site to the position, or any. Null only for a company without sites.
create function private.site_of_sos(p_person uuid, p_gps text) returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select a.site_id from public.assignments a
     where a.user_id = p_person and a.status <> 'cancelled' order by abs(extract(epoch from a.starts_at - now())) limit 1),
    (select t.id from public.sites t
     order by private.distance_m(p_gps, t.latitude, t.longitude) nulls last, t.created_at, t.id limit 1)
  );
$$;

-- Stores an SOS once per id, raises the alert, and tells every planner of the site. A repeat adds a position that was
-- still missing.
create function private.store_sos(
  p_person uuid, p_id uuid, p_way text, p_device_at timestamptz, p_at timestamptz, p_gps text, p_accuracy_m real
) returns public.sos_events
language plpgsql security definer set search_path = '' as $$
declare
  sos public.sos_events;
  assignment public.assignments := private.assignment_around(p_person, now(), 4);
  fix text := case when private.is_position(left(p_gps, 60)) then left(p_gps, 60) end;
  accuracy real := case when p_accuracy_m between 0 and 1000000 then p_accuracy_m end;
  told uuid := coalesce(assignment.site_id, private.site_of_sos(p_person, fix));
  who text := private.name_of_person(p_person);
  place text;
  words text;
  alert uuid;
begin
  -- An id of somebody else's event makes an event of its own: an SOS is never refused.
  insert into public.sos_events as e (id, user_id, assignment_id, site_id, gps, accuracy_m, device_at, happened_at, way, flags)
  values (
    case when exists (select from public.sos_events o where o.id = p_id and o.user_id <> p_person)
      then gen_random_uuid() else coalesce(p_id, gen_random_uuid()) end,
    p_person, assignment.id, assignment.site_id, fix, accuracy, p_device_at, coalesce(p_at, now()), p_way,
    array_remove(array[case when p_at is null then 'device_clock' end, case when fix is null then 'no_location' end],
      null)
  )
  on conflict (id) do update set
    gps = coalesce(e.gps, excluded.gps), accuracy_m = coalesce(e.accuracy_m, excluded.accuracy_m),
    flags = case when excluded.gps is null then e.flags else array_remove(e.flags, 'no_location') end
  returning * into sos;
  select format('%s, %s', t.name, private.clock_text(sos.happened_at, t.timezone)) into place
  from public.sites t where t.id = told;
  words := left(format('%s needs help. %s%s%s', who,
    case when assignment.id is null then 'Not on duty, last known site: ' else '' end, place,
    case when sos.gps is null then ', position unknown'
      else format(', at %s', sos.gps) || coalesce(format(' within %s m', round(sos.accuracy_m)), '') end), 500);
  if told is not null then
    alert := private.raise_alert('sos', 'sos:' || sos.id, told, assignment.shift_id, assignment.id, p_person, words,
      sos.received_at);
    -- The position may have come after the alert.
    update public.alerts l set detail = words
    where l.cause = 'sos:' || sos.id and sos.cancelled_at is null and l.closed_at is null
      and l.detail is distinct from words;
  end if;
  if alert is not null or told is null then
    perform private.tell_planners_of_sos(sos.id, alert, told, words);
  end if;
  return sos;
end
$$;

-- Everybody who plans the site, at once, except the caller. Some have the notice of the alert already.
create function private.tell_planners_of_sos(p_sos uuid, p_alert uuid, p_site uuid, p_detail text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  people uuid[] := array(
    select distinct r.user_id from public.user_roles r
    where r.user_id is distinct from auth.uid() and (
      r.site_id is null and r.role in ('admin', 'ops_manager', 'supervisor', 'dispatcher')
      or r.role = 'supervisor' and r.site_id = p_site
    )
    order by 1
  );
begin
  perform private.notify(person, 'sos', 'SOS', p_detail, '/admin/operations', format('sos:%s:%s', p_sos, person))
  from unnest(people) person
  where not exists (select from public.notices n where n.dedupe_key = format('alert:%s:%s', p_alert, person));
  perform private.send_notices_now(people);
end
$$;

-- The caller's SOS. Also outside a shift; a wrong clock or position is stored, not refused.
create function public.raise_sos(
  p_id uuid, p_device_at timestamptz default null, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null, p_gps text default null, p_accuracy_m real default null
) returns public.sos_events
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  return private.store_sos(auth.uid(), p_id, 'phone', case when isfinite(p_device_at) then p_device_at end,
    private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), p_gps, p_accuracy_m);
end
$$;

-- "False alarm", within a minute of the SOS. The alert stays: a person acknowledges it. Safe to repeat.
create function public.cancel_sos(
  p_id uuid, p_note text default null, p_device_at timestamptz default null, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null
) returns public.sos_events
language plpgsql security definer set search_path = '' as $$
declare
  sos public.sos_events;
  at_time timestamptz := coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now());
  reason text := coalesce(left(nullif(btrim(left(p_note, 1000)), ''), 500), 'Pressed by mistake');
begin
  perform private.require_member();
  select * into sos from public.sos_events e where e.id = p_id and e.user_id = auth.uid() for update;
  if not found then
    raise exception 'This SOS is not known.' using errcode = 'PT404';
  end if;
  if sos.cancelled_at is not null then
    return sos;
  end if;
  -- A few seconds more, because both times are read from the device's clock.
  if at_time > sos.happened_at + interval '65 seconds' then
    raise exception 'An SOS can be called a false alarm for one minute. Tell the control room.' using errcode = 'PT409';
  end if;
  update public.sos_events e set cancelled_at = greatest(at_time, e.happened_at), cancel_note = reason
  where e.id = sos.id returning * into sos;
  update public.alerts l set detail = left(format('False alarm, says the guard: %s. %s', reason, l.detail), 500)
  where l.cause = 'sos:' || sos.id and l.closed_at is null;
  return sos;
end
$$;

revoke all on function
  private.moment_of_device, private.assignment_around, private.site_of_sos, private.store_sos,
  private.tell_planners_of_sos
from public;
revoke all on function public.raise_sos, public.cancel_sos from public, anon;
grant execute on function public.raise_sos, public.cancel_sos to authenticated;
