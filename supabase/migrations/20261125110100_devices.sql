-- Shared phones and tablets at sites. A device is bound with a one-time code and then proves itself with a secret of its
-- own: it has no user, no session and no key of the service. It can call the five functions device_*, and nothing else.
create table public.devices (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id) on delete cascade,
  name text not null check (char_length(name) between 2 and 60),
  bound_at timestamptz,
  revoked_at timestamptz,
  last_seen_at timestamptz,
  away_at timestamptz,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column public.devices.bound_at is 'Derived: when a device last used a code';
comment on column public.devices.revoked_at is 'Derived: when it was removed; its secret stopped working then';
comment on column public.devices.last_seen_at is 'Derived: when it last called, within five minutes';
comment on column public.devices.away_at is 'Derived: when its screen went off; null while it should be heard';

create index devices_site_id_idx on public.devices (site_id);
create index devices_created_by_idx on public.devices (created_by);
alter table public.clock_events
  add constraint clock_events_device_id_fkey foreign key (device_id) references public.devices (id) on delete set null;
alter table public.alerts
  add constraint alerts_device_id_fkey foreign key (device_id) references public.devices (id) on delete set null;
create index alerts_device_id_idx on public.alerts (device_id) where device_id is not null;
create index clock_events_device_id_idx on public.clock_events (device_id) where device_id is not null;

select private.tidy_texts_of('public.devices', 'name');
create trigger d_touch before update on public.devices for each row execute function private.touch();
select private.keep_history_of('public.devices');

alter table public.devices enable row level security;
revoke all on public.devices from anon, authenticated;
grant select on public.devices to authenticated;
create policy "Managers read the devices of sites" on public.devices
  for select to authenticated using ((select private.has_role('admin', 'ops_manager')));

alter publication supabase_realtime add table public.devices;

-- Hashes only. Codes are short and last half an hour; secrets have 256 bits, so they need no slow hash.
create table private.device_secrets (
  device_id uuid primary key references public.devices (id) on delete cascade,
  code_hash bytea unique,
  code_expires_at timestamptz,
  code_used_at timestamptz,
  secret_hash bytea unique
);
-- Wrong codes of the last minute.
create table private.device_failures (at timestamptz not null default clock_timestamp());
create index device_failures_at_idx on private.device_failures (at);
alter table private.device_secrets enable row level security;
alter table private.device_failures enable row level security;
revoke all on private.device_secrets, private.device_failures from anon, authenticated, service_role;

create function private.require_manager() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager') then
    raise exception 'Only admins and operations managers may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- Hash of a code as typed: upper or lower case, with or without spaces and hyphens.
create function private.hash_of_code(code text) returns bytea
language sql immutable set search_path = ''
return sha256(convert_to(upper(regexp_replace(left(coalesce(code, ''), 40), '[^0-9A-Za-z]', '', 'g')), 'UTF8'));

create function private.hash_of_secret(secret text) returns bytea
language sql immutable set search_path = ''
return sha256(convert_to(left(coalesce(secret, ''), 200), 'UTF8'));

-- A new one-time code, shown once. The device that is bound now works until another uses the code.
create function public.new_device_code(p_device_id uuid) returns table (code text, expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_manager();
  -- 31 characters that don't look alike.
  select string_agg(substr('ABCDEFGHJKMNPQRSTUVWXYZ23456789', 1 + get_byte(random.bytes, n) % 31, 1), '' order by n)
  into code
  from (select extensions.gen_random_bytes(8) as bytes) random, generate_series(0, 7) n;
  expires_at := now() + interval '30 minutes';
  update public.devices d set revoked_at = null where d.id = p_device_id;
  if not found then
    raise exception 'This device no longer exists.' using errcode = 'PT404';
  end if;
  insert into private.device_secrets as s (device_id, code_hash, code_expires_at)
  values (p_device_id, private.hash_of_code(code), expires_at)
  on conflict (device_id) do update
    set code_hash = excluded.code_hash, code_expires_at = excluded.code_expires_at, code_used_at = null;
  return next;
end
$$;

create function public.add_device(p_site_id uuid, p_name text)
returns table (device_id uuid, code text, expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_manager();
  insert into public.devices (site_id, name) values (p_site_id, p_name) returning id into device_id;
  select c.code, c.expires_at into add_device.code, add_device.expires_at from public.new_device_code(device_id) c;
  return next;
end
$$;

-- From the next call on, the device can do nothing. What it has not sent yet waits on it until it is bound again.
create function public.revoke_device(p_device_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_manager();
  update public.devices d set revoked_at = now() where d.id = p_device_id and d.revoked_at is null;
  update private.device_secrets s set code_hash = null, secret_hash = null where s.device_id = p_device_id;
end
$$;

-- The device with this secret. @throws 401, so that a device keeps its queue until it is bound again
create function private.device_of(secret text) returns public.devices
language plpgsql security definer set search_path = '' as $$
declare
  device public.devices;
begin
  select d.* into device from private.device_secrets s join public.devices d on d.id = s.device_id
  where s.secret_hash = private.hash_of_secret(secret) and d.revoked_at is null;
  if not found then
    raise exception 'This device is no longer bound to a site. Ask an administrator for a new code.'
      using errcode = 'PT401';
  end if;
  update public.devices d set last_seen_at = now()
  where d.id = device.id and (d.last_seen_at is null or d.last_seen_at < now() - interval '5 minutes');
  return device;
end
$$;

-- Binds a device: 'bound', 'wrong' (unknown, used or expired code), or 'blocked' after 30 wrong codes in a minute. The
-- device makes its secret, so that a lost response can be asked for again. Wrong codes must be counted, so that it
-- returns instead of raising an error.
create function public.device_bind(p_code text, p_secret text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  bound uuid;
  secret bytea := private.hash_of_secret(p_secret);
begin
  if p_secret ~ '^[0-9a-f]{64}$' is not true then
    raise exception 'A device needs a secret of 64 hexadecimal digits.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('device codes', 0));
  delete from private.device_failures f where f.at < clock_timestamp() - interval '1 minute';
  if (select count(*) from private.device_failures) >= 30 then
    return jsonb_build_object('outcome', 'blocked');
  end if;
  update private.device_secrets s set secret_hash = secret, code_used_at = coalesce(s.code_used_at, now())
  where s.code_hash = private.hash_of_code(p_code) and s.code_expires_at > now()
    and (s.code_used_at is null or s.secret_hash = secret)
  returning s.device_id into bound;
  if bound is null then
    insert into private.device_failures default values;
    return jsonb_build_object('outcome', 'wrong');
  end if;
  update public.devices d set bound_at = now(), last_seen_at = now(), away_at = null where d.id = bound;
  return jsonb_build_object('outcome', 'bound');
end
$$;

-- The screen of the device goes off or the page is closed: its silence means nothing until it is opened again.
create function public.device_away(p_secret text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  device public.devices := private.device_of(p_secret);
begin
  update public.devices d set away_at = now(), last_seen_at = now() where d.id = device.id and d.away_at is null;
end
$$;

-- Calls of devices are not in the activity log.
create or replace function private.without_secrets(record jsonb) returns jsonb
language sql immutable parallel safe
return record - array['password', 'encrypted_password', 'secret', 'token', 'updated_at', 'attendance_state',
  'on_leave', 'counts_as_staffed', 'rest_span', 'last_seen_at', 'away_at'];

revoke all on function
  private.require_manager, private.hash_of_code, private.hash_of_secret, private.device_of
from public;
revoke all on function public.new_device_code, public.add_device, public.revoke_device, public.device_bind,
  public.device_away
from public, anon;
grant execute on function public.new_device_code, public.add_device, public.revoke_device to authenticated;
grant execute on function public.device_bind, public.device_away to anon, authenticated;
