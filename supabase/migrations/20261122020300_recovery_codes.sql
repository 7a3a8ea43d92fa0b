-- Recovery codes: the way back in for whoever lost the device with their second factor.

create table private.recovery_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- 80 random bits need no slow hash; the person's id keeps equal codes apart.
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  unique (user_id, code_hash)
);

create table private.recovery_failures (
  user_id uuid not null references auth.users (id) on delete cascade,
  at timestamptz not null default clock_timestamp()
);
create index recovery_failures_user_id_idx on private.recovery_failures (user_id, at);

alter table private.recovery_codes enable row level security;
alter table private.recovery_failures enable row level security;
revoke all on private.recovery_codes, private.recovery_failures from anon, authenticated, service_role;

-- What is typed in, as it was made: case, spaces and dashes don't matter, and letters that look like digits are digits.
create function private.hash_recovery_code(owner_id uuid, code text) returns bytea
language sql immutable set search_path = ''
return sha256(convert_to(
  owner_id::text || translate(regexp_replace(lower(left(code, 100)), '[^a-z0-9]', '', 'g'), 'oil', '011'), 'UTF8'
));

-- Ten new codes, four groups of four each; older ones stop working. Shown this once: only hashes are kept.
create function public.create_recovery_codes() returns text[]
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  made text[];
begin
  if not private.is_proved() or auth.jwt() ->> 'aal' is distinct from 'aal2' then
    raise exception 'Sign in with your second factor first.' using errcode = 'insufficient_privilege';
  end if;
  if not exists (select from auth.mfa_factors f where f.user_id = me and f.status = 'verified') then
    raise exception 'Set up a second factor first.' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('recovery codes of ' || me, 0));
  select array_agg(code.text) into made
  from (
    select string_agg(
      -- Without i, l, o and u, which are misread.
      substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(random.bytes, position) & 31) + 1, 1)
        || case when position in (3, 7, 11) then '-' else '' end,
      '' order by position
    ) as text
    from (select n, extensions.gen_random_bytes(16) as bytes from generate_series(1, 10) n) random
    cross join generate_series(0, 15) position
    group by random.n
  ) code;
  delete from private.recovery_codes c where c.user_id = me;
  insert into private.recovery_codes (user_id, code_hash)
  select me, private.hash_recovery_code(me, code) from unnest(made) code;
  perform private.record_security_event('recovery_codes_created', me, '{}');
  return made;
end
$$;

create function public.recovery_codes_left() returns integer
language sql stable security definer set search_path = '' as $$
  select count(*)::integer from private.recovery_codes c
  where c.user_id = (select auth.uid()) and (select private.is_proved());
$$;

-- Uses a code up in place of the second factor: 'accepted', 'wrong', or 'blocked' after five wrong ones in a quarter of
-- an hour. Accepted removes the caller's factors, so that the present session opens and can set up new ones, and ends
-- every other session: the lost device may be in somebody's hand.
create function public.use_recovery_code(code text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  here text := auth.jwt() ->> 'session_id';
begin
  if me is null or not exists (
    select from auth.users u
    where u.id = me and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  ) or not exists (select from auth.sessions s where s.user_id = me and s.id::text = here) then
    raise exception 'Sign in first.' using errcode = 'insufficient_privilege';
  end if;
  -- Guesses of one person take turns: of many at once, no more than five are tried, and a code opens one door.
  perform pg_advisory_xact_lock(hashtextextended('recovery codes of ' || me, 0));
  if not exists (select from auth.mfa_factors f where f.user_id = me and f.status = 'verified') then
    return 'wrong';
  end if;
  delete from private.recovery_failures f where f.user_id = me and f.at < clock_timestamp() - interval '15 minutes';
  if (select count(*) from private.recovery_failures f where f.user_id = me) >= 5 then
    return 'blocked';
  end if;
  delete from private.recovery_codes c
  where c.user_id = me and c.code_hash = private.hash_recovery_code(me, use_recovery_code.code);
  if not found then
    insert into private.recovery_failures (user_id) values (me);
    perform private.record_security_event('recovery_code_failed', me, '{}');
    return 'wrong';
  end if;
  delete from private.recovery_failures f where f.user_id = me;
  delete from auth.mfa_factors f where f.user_id = me;
  delete from auth.sessions s where s.user_id = me and s.id::text <> here;
  update auth.sessions s set aal = 'aal1', factor_id = null where s.id::text = here;
  perform private.record_security_event('recovery_code_used', me, '{}');
  return 'accepted';
end
$$;

revoke all on function private.hash_recovery_code(uuid, text) from public;
revoke all on function
  public.create_recovery_codes(), public.recovery_codes_left(), public.use_recovery_code(text)
from public, anon;
grant execute on function
  public.create_recovery_codes(), public.recovery_codes_left(), public.use_recovery_code(text)
to authenticated;
