-- A secret address per person, from which calendar apps read the own shifts. Only its hash is stored: the address is
-- shown once, and a new one ends the old one.
create table private.calendar_feeds (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  secret_hash bytea not null unique,
  made_at timestamptz not null default now(),
  read_at timestamptz,
  -- Reads in the hour that began then.
  hour_began timestamptz not null default now(),
  reads integer not null default 0
);
alter table private.calendar_feeds enable row level security;
revoke all on private.calendar_feeds from public, anon, authenticated;

-- Makes a new secret for the caller's calendar and returns it. The one before stops working.
create function public.make_calendar_secret() returns text
language plpgsql security definer set search_path = '' as $$
declare
  -- 244 random bits.
  secret text := encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'hex');
begin
  perform private.require_member();
  insert into private.calendar_feeds (user_id, secret_hash) values (auth.uid(), sha256(secret::bytea))
  on conflict (user_id) do update set
    secret_hash = excluded.secret_hash, made_at = now(), read_at = null, hour_began = now(), reads = 0;
  return secret;
end
$$;

create function public.revoke_calendar_secret() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  delete from private.calendar_feeds f where f.user_id = auth.uid();
end
$$;

-- When the caller's calendar address was made and last read; no row without an address.
create function public.calendar_feed() returns table (made_at timestamptz, read_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  return query select f.made_at, f.read_at from private.calendar_feeds f where f.user_id = auth.uid();
end
$$;
comment on function public.calendar_feed is 'Nullable: read_at';

-- The owner of a calendar address, if it may be read now, and counts the read. At most 60 reads an hour: calendar apps
-- ask a few times an hour.
create function private.read_calendar(p_secret text) returns table (user_id uuid, is_too_often boolean)
language sql security definer set search_path = '' as $$
  update private.calendar_feeds f set
    read_at = now(),
    hour_began = case when f.hour_began > now() - interval '1 hour' then f.hour_began else now() end,
    reads = case when f.hour_began > now() - interval '1 hour' then f.reads + 1 else 1 end
  where f.secret_hash = sha256(p_secret::bytea)
    and exists (
      select from auth.users u
      where u.id = f.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    )
  returning f.user_id, f.reads > 60;
$$;

revoke all on all functions in schema private from public;
revoke all on function public.make_calendar_secret, public.revoke_calendar_secret, public.calendar_feed
from public, anon;
grant execute on function public.make_calendar_secret, public.revoke_calendar_secret, public.calendar_feed
to authenticated;
