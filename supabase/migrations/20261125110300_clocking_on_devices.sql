-- Clocking in and out on a shared device, the pictures it takes, and what could not become a record.

-- JPEG pictures below 40 kB, taken at the event and kept for 90 days. In the database, so that one transaction stores
-- event and picture, and a device needs no right to write files.
create table private.clock_photos (
  event_id uuid primary key,
  site_id uuid not null references public.sites (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  photo bytea not null,
  created_at timestamptz not null default now()
);
create index clock_photos_created_at_idx on private.clock_photos (created_at);
create index clock_photos_site_id_idx on private.clock_photos (site_id);
create index clock_photos_user_id_idx on private.clock_photos (user_id);
alter table private.clock_photos enable row level security;
revoke all on private.clock_photos from anon, authenticated, service_role;

-- A picture that can't be read is left out: it must not lose the event.
create function private.store_clock_photo(event_id uuid, site uuid, person uuid, photo text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  picture bytea;
begin
  if photo is null or char_length(photo) > 60000 then
    return;
  end if;
  begin
    picture := decode(photo, 'base64');
  exception when invalid_parameter_value then
    return;
  end;
  if octet_length(picture) > 40960 or substr(picture, 1, 3) is distinct from '\xffd8ff' then
    return;
  end if;
  delete from private.clock_photos p where p.created_at < now() - interval '90 days';
  insert into private.clock_photos (event_id, site_id, user_id, photo) values (event_id, site, person, picture)
  on conflict do nothing;
end
$$;

-- The picture of a clock event or of an exception in base64, for those who plan the site and the person in it.
create function public.clock_photo(p_event_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  known private.clock_photos;
begin
  select * into known from private.clock_photos p where p.event_id = p_event_id;
  if known.user_id = auth.uid() and private.is_member() or private.may_plan(known.site_id) then
    return replace(encode(known.photo, 'base64'), E'\n', '');
  end if;
  return null;
end
$$;

-- What a device sent that became no record: a PIN that proved wrong once the device had a network, or an event that the
-- rules refuse. Somebody looks at each.
create table public.clock_exceptions (
  -- Of the event, made by the device.
  id uuid primary key default gen_random_uuid(),
  device_id uuid references public.devices (id) on delete set null,
  site_id uuid not null references public.sites (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  assignment_id uuid references public.assignments (id) on delete set null,
  kind text not null check (kind in ('in', 'out')),
  device_at timestamptz not null,
  received_at timestamptz not null default now(),
  reason text not null check (reason in ('wrong_pin', 'locked', 'no_pin', 'refused')),
  detail text check (char_length(detail) <= 500),
  closed_at timestamptz,
  closed_by uuid references public.profiles (id) on delete set null
);
comment on column public.clock_exceptions.detail is 'Why the rules refused it';

create index clock_exceptions_device_id_idx on public.clock_exceptions (device_id);
create index clock_exceptions_site_id_idx on public.clock_exceptions (site_id, received_at desc);
create index clock_exceptions_user_id_idx on public.clock_exceptions (user_id);
create index clock_exceptions_assignment_id_idx on public.clock_exceptions (assignment_id);
create index clock_exceptions_closed_by_idx on public.clock_exceptions (closed_by);
create index clock_exceptions_open_idx on public.clock_exceptions (received_at desc) where closed_at is null;

select private.keep_history_of('public.clock_exceptions');
alter table public.clock_exceptions enable row level security;
revoke all on public.clock_exceptions from anon, authenticated;
grant select on public.clock_exceptions to authenticated;
create policy "Overseers read what devices could not record" on public.clock_exceptions
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor')));
create policy "Supervisors read what devices at their own sites could not record" on public.clock_exceptions
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
alter publication supabase_realtime add table public.clock_exceptions;
alter table public.clock_exceptions replica identity full;

-- Who decides about the records of a site: its supervisors and those of all sites; without any, the operations managers
-- and admins.
create function private.deciders_of(p_site uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct r.user_id
  from public.user_roles r
  cross join (
    select exists (
      select from public.user_roles o where o.role = 'supervisor' and coalesce(o.site_id = p_site, true)
    ) as has_supervisor
  ) site
  where case when site.has_supervisor then r.role = 'supervisor' and coalesce(r.site_id = p_site, true)
    else r.role in ('ops_manager', 'admin') end;
$$;

create function private.notify_overseers(p_site uuid, p_kind text, p_title text, p_body text, p_link text, p_key text)
returns void
language sql security definer set search_path = '' as $$
  select private.notify(decider.id, p_kind, p_title, p_body, p_link, p_key || ':' || decider.id)
  -- In order, so that two at once never deadlock.
  from (select d.id from private.deciders_of(p_site) d (id) order by 1) decider;
$$;

create function private.notify_of_clock_exception() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_overseers(new.site_id, 'clock_exception', 'A clock event is no record',
    format('%s, clock-%s %s, %s: %s', private.name_of_person(new.user_id), new.kind,
      private.time_text(new.device_at, t.timezone), t.name,
      case new.reason when 'wrong_pin' then 'the PIN was wrong' when 'locked' then 'the PIN is locked'
        when 'no_pin' then 'the guard has no PIN' else coalesce(new.detail, 'the rules refuse it') end),
    '/admin/attendance', 'clock_exception:' || new.id)
  from public.sites t where t.id = new.site_id;
  return null;
end
$$;
create trigger clock_exceptions_notify after insert on public.clock_exceptions
  for each row execute function private.notify_of_clock_exception();

-- Closes an exception that somebody has looked at, or (p_is_closed false) undoes that. The first to close it counts.
create function public.close_clock_exception(p_id uuid, p_is_closed boolean default true) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update public.clock_exceptions e set
    closed_at = case when coalesce(p_is_closed, true) then coalesce(e.closed_at, now()) end,
    closed_by = case when coalesce(p_is_closed, true)
      then case when e.closed_at is null then auth.uid() else e.closed_by end end
  where e.id = p_id and private.may_oversee(e.site_id);
  if not found then
    raise exception 'This exception no longer exists, or you may not close it.' using errcode = 'PT404';
  end if;
end
$$;

-- The site of a device and the guards who may clock in or out there, now or during a day and a half offline.
create function public.device_people(p_secret text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  device public.devices := private.device_of(p_secret);
begin
  -- Only an open page asks for the guards; events that waited are also sent behind a dark screen.
  update public.devices d set away_at = null, last_seen_at = now() where d.id = device.id and d.away_at is not null;
  return (
    select jsonb_build_object(
      'device', jsonb_build_object('id', device.id, 'name', device.name),
      'site', jsonb_build_object('name', s.name, 'timezone', s.timezone),
      'people', coalesce((
        select jsonb_agg(jsonb_build_object(
          'assignment_id', a.id, 'user_id', a.user_id, 'name', coalesce(nullif(p.full_name, ''), 'Guard'),
          'role', a.role_at_shift, 'start_time', a.starts_at, 'end_time', upper(a.period),
          'state', a.attendance_state, 'has_pin', k.user_id is not null and k.locked_at is null
        ) order by a.starts_at, p.full_name, a.id)
        from (
          select * from public.assignments a
          where a.site_id = device.site_id and a.status <> 'cancelled' and (
            a.attendance_state = 'in'
            or a.starts_at between now() - interval '16 hours' and now() + interval '36 hours'
              and upper(a.period) > now() - interval '4 hours'
          )
          order by a.starts_at limit 500
        ) a
        join public.profiles p on p.id = a.user_id
        left join private.guard_pins k on k.user_id = a.user_id
      ), '[]')
    )
    from public.sites s where s.id = device.site_id
  );
end
$$;

-- One event of a guard on the device. `p_queued`: it was made offline, and the guard has left. The outcomes: 'recorded';
-- of a guard at the device 'wrong', 'locked', 'none' (no PIN) or 'refused' with the reason; of a queued event
-- 'exception'. It returns instead of raising an error, so that wrong PINs are counted.
create function public.device_clock(
  p_secret text, p_id uuid, p_assignment_id uuid, p_user_id uuid, p_kind text, p_pin text, p_device_at timestamptz,
  p_sent_at timestamptz default null, p_server_offset_ms bigint default null, p_gps text default null,
  p_accuracy_m real default null, p_fix_age_s integer default null, p_photo text default null,
  p_queued boolean default false
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  device public.devices := private.device_of(p_secret);
  event public.clock_events;
  verdict text;
  message text;
begin
  if p_id is null or p_user_id is null or p_device_at is null or p_kind is null or p_kind not in ('in', 'out')
    or not isfinite(p_device_at)
  then
    raise exception 'A clock event needs an id, a guard, a time, and in or out.'
      using errcode = 'invalid_parameter_value';
  end if;
  -- A lost response is asked for again.
  select * into event from public.clock_events e where e.id = p_id and e.device_id = device.id;
  if found then
    return jsonb_build_object('outcome', 'recorded', 'at', event.effective_at);
  end if;
  if exists (select from public.clock_exceptions e where e.id = p_id) then
    return jsonb_build_object('outcome', 'exception');
  end if;
  if not exists (
    select from public.assignments a
    where a.id = (private.own_assignment(p_user_id, p_assignment_id)).id and a.site_id = device.site_id
  ) then
    verdict := 'refused';
    message := 'This shift is no longer at this site. Ask your supervisor.';
  else
    verdict := private.check_pin(p_user_id, p_pin);
  end if;
  if verdict = 'right' then
    begin
      event := private.record_event_for(p_user_id, 'device', null, device.id, p_id, p_kind, p_assignment_id,
        p_device_at, null, p_sent_at, p_server_offset_ms, null, p_gps, p_accuracy_m, p_fix_age_s,
        case when p_gps is null then 'On the shared device ' || device.name end);
      perform private.store_clock_photo(event.id, device.site_id, p_user_id, p_photo);
      return jsonb_build_object('outcome', 'recorded', 'at', event.effective_at);
    exception when check_violation or unique_violation or sqlstate 'PT404' then
      verdict := 'refused';
      message := sqlerrm;
    end;
  end if;
  -- Also when the guard is at the device: with a locked PIN they can't clock in without help.
  if p_queued or verdict = 'locked' and not exists (
    select from public.clock_exceptions e
    where e.user_id = p_user_id and e.reason = 'locked' and e.received_at > now() - interval '1 hour'
  ) then
    insert into public.clock_exceptions (id, device_id, site_id, user_id, assignment_id, kind, device_at, reason, detail)
    select p_id, device.id, device.site_id, p.id, (select a.id from public.assignments a where a.id = p_assignment_id),
      p_kind, p_device_at,
      case verdict when 'wrong' then 'wrong_pin' when 'none' then 'no_pin' else verdict end, left(message, 500)
    from public.profiles p where p.id = p_user_id;
    perform private.store_clock_photo(p_id, device.site_id, p_user_id, p_photo);
  end if;
  return jsonb_build_object('outcome', case when p_queued then 'exception' else verdict end, 'message', message);
end
$$;

revoke all on function
  private.store_clock_photo, private.deciders_of, private.notify_overseers, private.notify_of_clock_exception
from public;
revoke all on function
  public.clock_photo, public.close_clock_exception, public.device_people, public.device_clock
from public, anon;
grant execute on function public.clock_photo, public.close_clock_exception to authenticated;
grant execute on function public.device_people, public.device_clock to anon, authenticated;
