-- Sessions, disabled accounts, recovery codes, and the trail of security events.

-- Adds an event to the auth service's trail, in its own format.
create function private.record_security_event(action text, subject uuid, traits jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
  select '00000000-0000-0000-0000-000000000000', gen_random_uuid(),
    json_build_object(
      'action', action, 'actor_id', auth.uid(), 'actor_username', coalesce(auth.jwt() ->> 'email', ''),
      'actor_via_sso', false, 'log_type', case when subject = auth.uid() then 'account' else 'team' end,
      'traits', traits || case when subject = auth.uid() then '{}' else jsonb_build_object('user_id', subject) end
    ),
    now(),
    -- The session's last known address: the database doesn't know the address of the request.
    coalesce((select host(s.ip) from auth.sessions s where s.id::text = auth.jwt() ->> 'session_id'), '');
$$;

-- The trail for admins: sign-ins and failures, passwords, factors, sessions, disabled accounts. A definer view, because
-- the tables of the auth service are closed to everyone; the condition is the permission.
create view public.security_events with (security_barrier = true) as
select
  e.id,
  e.created_at as at,
  case
    when e.payload ->> 'actor_id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then (e.payload ->> 'actor_id')::uuid
  end as actor_id,
  nullif(e.payload ->> 'actor_username', '') as actor_email,
  e.payload ->> 'action' as action,
  nullif(e.ip_address, '') as ip_address,
  coalesce((e.payload -> 'traits')::jsonb, '{}') as details
from auth.audit_log_entries e
where (select private.has_role('admin'))
order by e.created_at desc, e.id;

revoke all on public.security_events from public, anon, authenticated, service_role;
grant select on public.security_events to authenticated;

-- The caller's sessions, newest first; none until the second factor has been passed.
create function public.my_sessions()
returns table (
  id uuid, created_at timestamptz, refreshed_at timestamptz, user_agent text, ip text, aal text, "current" boolean
)
language sql stable security definer set search_path = '' as $$
  select s.id, s.created_at, s.refreshed_at at time zone 'UTC', s.user_agent, host(s.ip), s.aal::text,
    s.id::text is not distinct from auth.jwt() ->> 'session_id'
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (select private.is_proved())
    and (s.not_after is null or s.not_after > now())
  order by coalesce(s.refreshed_at at time zone 'UTC', s.created_at) desc, s.id;
$$;

-- Ends one of the caller's sessions. Does nothing if it has ended or belongs to someone else.
create function public.end_session(session_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_proved() then
    raise exception 'Sign in with your second factor first.' using errcode = 'insufficient_privilege';
  end if;
  delete from auth.sessions s where s.id = end_session.session_id and s.user_id = auth.uid();
  if found then
    perform private.record_security_event(
      'logout', auth.uid(), jsonb_build_object('session_id', end_session.session_id)
    );
  end if;
end
$$;

-- A disabled account can't sign in, its sessions end, and its access tokens stop working at once.
create function public.set_account_disabled(user_id uuid, disabled boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  target uuid := set_account_disabled.user_id;
begin
  perform private.require_admin();
  if disabled is null then
    raise exception 'Send whether the account is disabled.' using errcode = 'not_null_violation';
  end if;
  if disabled and target = auth.uid() then
    raise exception 'You can''t disable your own account.' using errcode = 'PT409';
  end if;
  -- A date, because other readers of this table can't parse infinity.
  update auth.users u set
    banned_until = case when disabled then now() + interval '100 years' end,
    updated_at = now()
  where u.id = target and u.deleted_at is null;
  if not found then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  if disabled then
    delete from auth.sessions s where s.user_id = target;
  end if;
  perform private.record_security_event(
    case when disabled then 'user_disabled' else 'user_enabled' end, target, '{}'
  );
end
$$;

-- Ends every session of an account. Its refresh tokens are deleted and its access tokens stop working at once.
create function public.sign_out_everywhere(user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  target uuid := sign_out_everywhere.user_id;
begin
  perform private.require_admin();
  if not exists (select from auth.users u where u.id = target and u.deleted_at is null) then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  delete from auth.sessions s where s.user_id = target;
  perform private.record_security_event('signed_out_everywhere', target, '{}');
end
$$;

-- Recovery codes: sign-in for users who lost the device with their second factor.
create table private.recovery_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- 80 random bits need no slow hash; the user's id keeps equal codes apart.
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
revoke all on private.recovery_codes from anon, authenticated, service_role;
alter table private.recovery_failures enable row level security;
revoke all on private.recovery_failures from anon, authenticated, service_role;

-- Case, spaces and dashes don't matter, and letters that look like digits count as digits.
create function private.hash_recovery_code(owner_id uuid, code text) returns bytea
language sql immutable set search_path = ''
return sha256(convert_to(
  owner_id::text || translate(regexp_replace(lower(left(code, 100)), '[^a-z0-9]', '', 'g'), 'oil', '011'), 'UTF8'
));

-- Creates ten codes of four groups of four; older ones stop working. Only hashes are stored, so they show only once.
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

-- Uses up a code instead of the second factor: 'accepted', 'wrong', or 'blocked' after five wrong codes in 15 minutes.
-- An accepted code removes the caller's factors, so that this session opens and can set up new ones, and ends every
-- other session: someone else may have the lost device.
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
  -- One attempt per user at a time: otherwise parallel guesses would pass the limit, or use one code twice.
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

revoke all on all functions in schema private from public;
revoke all on function
  public.my_sessions, public.end_session, public.set_account_disabled, public.sign_out_everywhere,
  public.create_recovery_codes, public.recovery_codes_left, public.use_recovery_code
from public, anon;
grant execute on function
  public.my_sessions, public.end_session, public.set_account_disabled, public.sign_out_everywhere,
  public.create_recovery_codes, public.recovery_codes_left, public.use_recovery_code
to authenticated;
