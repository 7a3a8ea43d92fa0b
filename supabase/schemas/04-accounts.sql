-- Accounts, profiles, passwords, PINs, recovery and start codes.

-- ── Tables ────────────────────────────────────────────────────────────

-- One profile per account, created and updated by triggers on auth.users.
create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  email text,
  full_name text check (char_length(full_name) <= 200),
  -- Set for invited users: until they choose a password, they can read only their own profile.
  must_change_password boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  phone text check (phone ~ '^\+[1-9][0-9]{6,14}$'), -- E.164, so that it can be called as it is.
  -- Where the person lives, as coarse as a planner needs: "Paynesville, ELWA Junction".
  home_area text check (char_length(home_area) <= 200),
  -- The last day of the employment; null while it lasts.
  left_on date check (left_on between '2000-01-01' and '2100-01-01'),
  home_position text check (private.is_position(home_position)),
  -- A county of Liberia, or another country with sites; null: not known.
  home_region text constraint profiles_home_region_known check (home_region in ('Bomi', 'Bong', 'Gbarpolu',
    'Grand Bassa', 'Grand Cape Mount', 'Grand Gedeh', 'Grand Kru', 'Lofa', 'Margibi', 'Maryland', 'Montserrado',
    'Nimba', 'River Cess', 'River Gee', 'Sinoe', 'Ghana', 'Nigeria')),
  -- How far from home the person works at most; null: see private.distance_problem.
  max_distance_km integer check (max_distance_km between 1 and 2000),
  gender text check (gender in ('female', 'male')),
  -- A photo of a person, in bucket `photos` under a random name: contacts of clients see photos of the guards on post,
  -- and the name of a file must not tell them which account it belongs to.
  photo_path text constraint profiles_photo_of_one_person unique
    check (photo_path ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(jpg|webp)$')
);
comment on column public.profiles.home_position is '''lat,lng'' in degrees: about where the person lives';
comment on column public.profiles.photo_path is 'Name of a file in bucket photos, set by set_person_photo';
create index profiles_created_at_idx on public.profiles (created_at desc);
create index profiles_full_name_idx on public.profiles (full_name);
create index profiles_search_idx on public.profiles using gin (
  private.folded(coalesce(full_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))
    extensions.gin_trgm_ops
) with (fastupdate = off);
alter publication supabase_realtime add table public.profiles;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.profiles', 'full_name', 'home_area');
create trigger c_has_history before delete on public.profiles
  for each row
  execute function private.refuse_while_used('assignments', 'user_id',
    'This person has worked shifts, so the account can''t be deleted. Remove its roles, or disable it.');
create trigger d_touch before update on public.profiles for each row execute function private.touch();
-- Row-level triggers come before those of the statement, which forget what the statement has read before.
create trigger hold_rights after insert on public.profiles for each row execute function private.hold_rights_of_row();
create trigger hold_rights_on_update after update on public.profiles
  for each row when (old.must_change_password <> new.must_change_password)
  execute function private.hold_rights_of_row();
create trigger z_timesheets_follow after update on public.profiles
  for each row when (old.left_on is distinct from new.left_on) execute function private.follow_employment();
create trigger a_forget_rights after insert or update or delete on public.profiles
  for each statement execute function private.forget_rights();
select private.keep_history_of('public.profiles');
alter table public.profiles enable row level security;
grant select, update (full_name) on public.profiles to authenticated;
create policy "Users read their own profile" on public.profiles
  for select to authenticated using (id = (select auth.uid()));
create policy "Portal users read every profile" on public.profiles
  for select to authenticated
  using ( (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'finance'))
    or cardinality((select private.supervised_sites())) > 0 );
create policy "Users change their own name" on public.profiles
  for update to authenticated
  using (id = (select auth.uid()) and (select private.is_proved()))
  with check (id = (select auth.uid()) and (select private.is_proved()));
create policy "Admins change any name" on public.profiles
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));

-- Accounts that were made for contacts. Rows stay as long as the account: without one, an account whose contact is gone
-- would become a member.
create table private.client_accounts (user_id uuid primary key references auth.users on delete cascade);
-- Triggers, in the order in which they fire:
create trigger hold_rights after insert or update or delete on private.client_accounts
  for each row execute function private.hold_rights_of_row();
create trigger a_forget_rights after insert or update or delete on private.client_accounts
  for each statement execute function private.forget_rights();
alter table private.client_accounts enable row level security;

-- PINs of guards, for shared devices and text messages: 4 to 6 digits, hashed with bcrypt. Five wrong ones lock a PIN
-- until an overseer unlocks it or sets another.
create table private.guard_pins (
  user_id uuid primary key references public.profiles on delete cascade,
  pin_hash text not null,
  failures integer not null default 0,
  locked_at timestamptz,
  set_at timestamptz not null default now(),
  set_by uuid references public.profiles on delete set null
);
alter table private.guard_pins enable row level security;

-- Recovery codes: sign-in for users who lost the device with their second factor.
create table private.recovery_codes (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references auth.users on delete cascade,
  code_hash bytea not null, -- 80 random bits need no slow hash; the user's id keeps equal codes apart.
  created_at timestamptz not null default now(),
  unique (user_id, code_hash)
);
alter table private.recovery_codes enable row level security;

create table private.recovery_failures (
  user_id uuid not null references auth.users on delete cascade,
  at timestamptz not null default clock_timestamp()
);
create index recovery_failures_user_id_idx on private.recovery_failures (user_id, at);
alter table private.recovery_failures enable row level security;

-- What a phone keeps beside a queue whose owner has signed out: it delivers what is queued, and nothing else
-- (docs/decisions/0110). One for each person and phone.
create table private.delivery_tokens (
  token_hash bytea primary key, -- 256 random bits need no slow hash.
  user_id uuid not null references auth.users on delete cascade,
  device_id uuid not null, -- Made on the phone, whose token another one can't use.
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default (now() + interval '14 days'),
  deliveries integer not null default 0,
  unique (user_id, device_id)
);
create index delivery_tokens_expires_at_idx on private.delivery_tokens (expires_at);
alter table private.delivery_tokens enable row level security;

-- Start codes: eight digits, on paper or in a text message, that open an account once and ask for a new password.
create table private.start_codes (
  user_id uuid primary key references auth.users on delete cascade,
  code_hash text not null, -- bcrypt: the digits alone could be guessed from a fast hash.
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default (now() + interval '7 days'),
  pin_set_at timestamptz -- At a shared device, once; the code still opens the account.
);
alter table private.start_codes enable row level security;

-- Wrong codes of the last 15 minutes, by a hash of the name that was typed and by a hash of the network.
create table private.start_failures (subject bytea not null, at timestamptz not null default clock_timestamp());
create index start_failures_subject_idx on private.start_failures (subject, at);
create index start_failures_at_idx on private.start_failures (at);
alter table private.start_failures enable row level security;

-- The list of accounts is of the company's people.
create view public.user_accounts with (security_barrier = true) as
select
  p.id,
  p.email,
  p.full_name,
  p.created_at,
  p.must_change_password,
  coalesce(u.banned_until > now(), false) as disabled,
  u.last_sign_in_at,
  u.email_confirmed_at is null and u.phone_confirmed_at is null as unconfirmed,
  '+' || nullif(u.phone, '') as phone,
  p.left_on
from public.profiles p
join auth.users u on u.id = p.id
where (select private.has_role('admin')) and u.deleted_at is null
  and not exists (select from private.client_accounts c where c.user_id = p.id)
order by p.created_at desc, p.id;
revoke all on public.user_accounts from service_role;
grant select on public.user_accounts to authenticated;

-- ── Accounts and files of the services ────────────────────────────────

create trigger follow_reinstatement after update on auth.users
  for each row when (old.banned_until > now() and new.banned_until is null)
  execute function private.follow_reinstatement();
create trigger keep_an_admin_account before update on auth.users
  for each row when ( (new.deleted_at is not null and old.deleted_at is null)
      or (new.banned_until > now() and (old.banned_until is null or old.banned_until <= now())) )
  execute function private.keep_an_admin_account();
create trigger lift_password_demand before update on auth.users
  for each row when ( old.encrypted_password is distinct
      from new.encrypted_password and old.raw_app_meta_data -> 'must_change_password' is not distinct
      from new.raw_app_meta_data -> 'must_change_password' and new.raw_app_meta_data ? 'must_change_password' )
  execute function private.lift_password_demand();
create trigger profile_follows_account after update on auth.users
  for each row when ( old.email is distinct from new.email or old.phone is distinct
      from new.phone or old.encrypted_password is distinct
      from new.encrypted_password or old.raw_user_meta_data is distinct
      from new.raw_user_meta_data or old.raw_app_meta_data -> 'must_change_password' is distinct
      from new.raw_app_meta_data -> 'must_change_password' )
  execute function private.follow_account();
create trigger profile_follows_new_account after insert on auth.users
  for each row execute function private.follow_account();
create trigger touch_profile_of_account after update on auth.users
  for each row when ( old.banned_until is distinct from new.banned_until or old.email_confirmed_at is distinct
      from new.email_confirmed_at or old.phone_confirmed_at is distinct from new.phone_confirmed_at )
  execute function private.touch_profile_of_account();

-- ── Functions ─────────────────────────────────────────────────────────

-- The contact number is the one that the account signs in with, once there is one.
create function private.follow_account() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  name_sent text := left(new.raw_user_meta_data ->> 'full_name', 200);
  is_demanded boolean := coalesce(new.raw_app_meta_data ->> 'must_change_password' = 'true', false);
  number text := '+' || nullif(new.phone, '');
begin
  if tg_op = 'INSERT' then
    insert into public.profiles (id, email, full_name, must_change_password, created_at, phone)
    values (new.id, new.email, name_sent, is_demanded, coalesce(new.created_at, now()), private.e164(number));
  else
    update public.profiles p set
      email = new.email,
      full_name = case
        when new.raw_user_meta_data ->> 'full_name' is distinct from old.raw_user_meta_data ->> 'full_name'
        then name_sent else p.full_name
      end,
      must_change_password = case
        when old.raw_app_meta_data -> 'must_change_password'
          is distinct from new.raw_app_meta_data -> 'must_change_password'
        then is_demanded
        else p.must_change_password and new.encrypted_password is not distinct from old.encrypted_password
      end,
      phone = case when old.phone is distinct from new.phone then private.e164(number) else p.phone end
    where p.id = new.id;
  end if;
  return null;
end
$$;

create function private.follow_reinstatement() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles p set left_on = null where p.id = new.id and p.left_on is not null;
  if found then
    update public.staff s set status = 'active', end_date = null, end_reason = null where s.user_id = new.id;
  end if;
  return null;
end
$$;

create function private.keep_account_key() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.key = old.key then
    return new;
  end if;
  raise exception 'The accounts of the chart stay; change their codes and names.' using errcode = 'PT409';
end
$$;

-- The account behind the role is banned or softly deleted.
create function private.keep_an_admin_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.user_roles r where r.user_id = old.id and r.role = 'admin') then
    perform private.require_another_admin(old.id);
  end if;
  return new;
end
$$;

-- Changing the password fulfils the demand. An admin who sets another temporary password demands it again afterwards.
create function private.lift_password_demand() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.raw_app_meta_data := new.raw_app_meta_data - 'must_change_password';
  return new;
end
$$;

-- The list of accounts refreshes on changes of profiles, but these values are not columns of a profile: updating it
-- triggers the refresh. The activity log ignores updated_at, so it records nothing.
create function private.touch_profile_of_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles p set updated_at = now() where p.id = new.id;
  return null;
end
$$;

-- The account with this address, and whether it may be used for a contact. For the service role alone.
create function public.account_for_contact(p_email text) returns table (user_id uuid, is_contact boolean)
language sql stable security definer set search_path = '' as $$
  select u.id, exists (select from private.client_accounts c where c.user_id = u.id)
  from auth.users u where lower(u.email) = lower(btrim(p_email)) and u.deleted_at is null;
$$;
grant execute on function public.account_for_contact to service_role;

-- The statement of account of one of the caller's clients; rows as client_statement gives them, without reasons of the
-- office for voided receipts.
create function public.client_account(p_client_id uuid, p_currency text, p_from date, p_to date)
returns table ( day date, kind text, document text, text text, charge numeric, payment numeric, balance numeric )
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_client_id is null or not p_client_id = any (private.client_of_caller()) then
    raise exception 'There is no such client.' using errcode = 'PT404';
  end if;
  return query
    select s.day, s.kind, s.document, case s.kind when 'void' then 'Payment taken back'
      when 'refund_return' then 'Refund returned' else s.text end, s.charge, s.payment,
      s.balance
    from public.client_statement(p_client_id, p_currency, p_from, p_to) s;
end
$$;
grant execute on function public.client_account to authenticated;

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
grant execute on function public.create_recovery_codes to authenticated;

-- Replaces the password of an account by a new start code and ends its sessions.
create function private.issue_start_code(person uuid) returns TABLE(code text, expires_at timestamp with time zone)
language plpgsql security definer set search_path = '' as $function$
begin
  select string_agg((get_byte(random.bytes, n) % 10)::text, '' order by n) into code
  from (select extensions.gen_random_bytes(12) as bytes) random, generate_series(0, 11) n;
  insert into private.start_codes as c (user_id, code_hash)
  values (person, extensions.crypt(code, extensions.gen_salt('bf', 6)))
  on conflict (user_id) do update
    set code_hash = excluded.code_hash, created_at = excluded.created_at, expires_at = excluded.expires_at,
      pin_set_at = null
  returning c.expires_at into issue_start_code.expires_at;
  -- Two updates: changing the password alone fulfils an earlier demand.
  update auth.users u set encrypted_password = null, updated_at = now()
  where u.id = person and u.encrypted_password is not null;
  update auth.users u set
    raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}') || '{"must_change_password": true}', updated_at = now()
  where u.id = person;
  delete from auth.sessions s where s.user_id = person;
  perform private.record_security_event('start_code_created', person, '{}');
  return next;
end
$function$;

-- A new start code for an account: its password stops working and every session ends. The code is shown only once.
create function public.create_start_code(p_user_id uuid) returns table (code text, expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_people_manager(p_user_id);
  if p_user_id = auth.uid() then
    raise exception 'Change your own password on the Account screen.' using errcode = 'PT409';
  end if;
  perform from auth.users u where u.id = p_user_id and u.deleted_at is null;
  if not found then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  if exists (select from auth.users u where u.id = p_user_id and u.banned_until > now()) then
    raise exception 'This account is disabled. Enable it first.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.id = p_user_id and u.is_sso_user) then
    raise exception 'This person signs in with their company, so there is no password here.' using errcode = 'PT409';
  end if;
  return query select * from private.issue_start_code(p_user_id);
end
$$;
grant execute on function public.create_start_code to authenticated;

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
grant execute on function public.end_session to authenticated;

-- Ends a session that was signed out of without a signal. The device keeps no token of it, only the hash of its refresh
-- token, which can't sign in. Supabase stores refresh tokens as they are, and this backend their hashes.
create function public.end_left_session(p_session_id uuid, p_proof text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  ended record;
begin
  if p_proof !~ '^[0-9a-f]{64}$' then
    return;
  end if;
  delete from auth.sessions s
  where s.id in (
    select t.session_id from auth.refresh_tokens t where t.token = p_proof
    union all
    select t.session_id from auth.refresh_tokens t
    where t.session_id = p_session_id and encode(sha256(convert_to(t.token, 'UTF8')), 'hex') = p_proof
  )
  returning s.id, s.user_id into ended;
  if ended.id is not null then
    perform private.record_security_event('logout', ended.user_id, jsonb_build_object('session_id', ended.id));
  end if;
end
$$;
grant execute on function public.end_left_session to anon, authenticated;

create function private.hash_of_secret(secret text) returns bytea
language sql immutable set search_path = '' return sha256(convert_to(left(coalesce(secret, ''), 200), 'UTF8'));

-- The token with which this phone delivers the caller's queue after they have signed out; it replaces an earlier one.
create function public.make_delivery_token(p_device_id uuid)
returns table (token text, expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare
  -- Phones that one person signs in on.
  kept constant integer := 10;
  made text := encode(extensions.gen_random_bytes(32), 'hex');
begin
  perform private.require_member();
  delete from private.delivery_tokens t where t.expires_at < now()
    or t.user_id = auth.uid() and (t.device_id = p_device_id or t.token_hash not in (
      select n.token_hash from private.delivery_tokens n
      where n.user_id = auth.uid() order by n.created_at desc limit kept - 1
    ));
  return query
  insert into private.delivery_tokens (token_hash, user_id, device_id)
  values (private.hash_of_secret(made), auth.uid(), p_device_id)
  returning made, delivery_tokens.expires_at;
end
$$;
grant execute on function public.make_delivery_token to authenticated;

create function public.end_delivery_token(p_token text, p_device_id uuid) returns void
language sql security definer set search_path = '' as $$
  delete from private.delivery_tokens t
  where t.token_hash = private.hash_of_secret(p_token) and t.device_id = p_device_id;
$$;
grant execute on function public.end_delivery_token to anon, authenticated;

-- Whose queue the token delivers. Counts its use.
create function private.take_delivery(p_token text, p_device_id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 1000;
  person uuid;
begin
  update private.delivery_tokens t set deliveries = t.deliveries + 1
  where t.token_hash = private.hash_of_secret(p_token) and t.device_id = p_device_id and t.expires_at > now()
    and t.deliveries < most
  returning t.user_id into person;
  if person is null then
    raise exception 'Sign in again, then this is sent.' using errcode = 'PT401';
  end if;
  return person;
end
$$;
grant execute on function private.take_delivery to anon, authenticated;

-- The statement that delivers one entry, whose values are its parameter: a call or an insert of the outbox, with the
-- arguments that the phone sent. Anything else is refused.
create function private.delivery_statement(p_call text, p_values jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  names text[] := array(select jsonb_object_keys(p_values));
  listed text;
  passed text;
begin
  if p_call = any (array['incidents', 'report_notes', 'leave_requests', 'timesheet_disputes']) then
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into listed
    from pg_catalog.pg_attribute a
    where a.attrelid = ('public.' || p_call)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname = any (names);
    return format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
      on conflict (id) do nothing', p_call, listed);
  end if;
  if p_call = any (array['record_clock_event', 'raise_sos', 'cancel_sos', 'answer_welfare_check', 'answer_assignment',
    'confirm_post_orders', 'record_muster', 'mark_no_show', 'undo_no_show', 'leave_note', 'take_over', 'answer_offer',
    'record_scans', 'confirm_announcement', 'report_duty_notice', 'withdraw_duty_notice'])
  then
    select string_agg(format('%I %s', a.name, format_type(a.type, null)), ', '),
      string_agg(format('%1$I => x.%1$I', a.name), ', ')
    into listed, passed
    from pg_catalog.pg_proc p, unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) a (name, type)
    where p.pronamespace = 'public'::regnamespace and p.proname = p_call and a.name = any (names);
    return format('select from jsonb_to_record($1) x (%s), public.%I(%s)', listed, p_call, passed);
  end if;
  raise exception 'This can''t be delivered without signing in.' using errcode = 'PT403';
end
$$;
grant execute on function private.delivery_statement to anon, authenticated;

-- Delivers one entry of a queue as its owner, who has signed out: the same call, under the same policies. Invoker,
-- because only then can it run as the role of its owner. Returns nothing of what it wrote.
create function public.deliver(p_token text, p_device_id uuid, p_call text, p_values jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  claims text := current_setting('request.jwt.claims', true);
  called_by text := current_user;
  person uuid := private.take_delivery(p_token, p_device_id);
  statement text := private.delivery_statement(p_call, p_values);
begin
  -- A token is made by a session that has passed its second factor.
  perform set_config('request.jwt.claims',
    jsonb_build_object('sub', person, 'role', 'authenticated', 'aal', 'aal2')::text, true);
  perform set_config('role', 'authenticated', true);
  execute statement using p_values;
  perform set_config('role', called_by, true), set_config('request.jwt.claims', coalesce(claims, ''), true);
  return true;
end
$$;
grant execute on function public.deliver to anon, authenticated;

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
grant execute on function public.my_sessions to authenticated;

create function public.recovery_codes_left() returns integer
language sql stable security definer set search_path = '' as $$
  select count(*)::integer from private.recovery_codes c
  where c.user_id = (select auth.uid()) and (select private.is_proved());
$$;
grant execute on function public.recovery_codes_left to authenticated;

-- Lets the auth service send an invitation again, which it does only for an unconfirmed address.
-- For the function resend-invitation alone.
create function public.reopen_invitation(p_user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  address text;
begin
  update auth.users u set email_confirmed_at = null, updated_at = now()
  where u.id = p_user_id and u.deleted_at is null and u.email is not null and not u.is_sso_user
    and (u.banned_until is null or u.banned_until <= now())
    and u.raw_app_meta_data ->> 'must_change_password' = 'true'
  returning u.email into address;
  return address;
end
$$;
comment on function public.reopen_invitation is 'Nullable: result';
grant execute on function public.reopen_invitation to service_role;

-- A disabled account can't sign in, its sessions end, and its access tokens stop working at once.
create function private.set_disabled(target uuid, disabled boolean) returns void
language plpgsql security definer set search_path = '' as $$
begin
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
  perform private.record_security_event(case when disabled then 'user_disabled' else 'user_enabled' end, target, '{}');
end
$$;

create function public.set_account_disabled(user_id uuid, disabled boolean) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if disabled is null then
    raise exception 'Send whether the account is disabled.' using errcode = 'not_null_violation';
  end if;
  perform private.set_disabled(user_id, disabled);
end
$$;
grant execute on function public.set_account_disabled to authenticated;

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
  delete from private.delivery_tokens t where t.user_id = target;
  perform private.record_security_event('signed_out_everywhere', target, '{}');
end
$$;
grant execute on function public.sign_out_everywhere to authenticated;

-- Whether this many codes were wrong in the last 15 minutes.
create function private.has_start_failures(subject bytea, many integer) returns boolean
language sql stable set search_path = '' as $$
  -- A null limit is reached at once: refused, not let through.
  select coalesce(count(*) >= many, true) from private.start_failures f
  where f.subject = has_start_failures.subject and f.at > clock_timestamp() - interval '15 minutes';
$$;

-- Whether the account was used from the network in the last 90 days: the backend keeps the hash of a network's text. A
-- hosted
-- Supabase project keeps none.
create function private.is_known_network(p_login text, p_network inet) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if to_regclass('auth.known_networks') is null then
    return false;
  end if;
  return exists (
    select from auth.users u join auth.known_networks n on n.user_id = u.id
    where (u.phone = ltrim(p_login, '+') or u.email = p_login and not u.is_sso_user)
      and u.deleted_at is null and n.seen_at > now() - interval '90 days'
      and n.network = encode(sha256(convert_to(case family(p_network) when 4 then host(p_network) else (
        select string_agg(to_hex(get_byte(inet_send(p_network), 4 + 2 * g) * 256 + get_byte(inet_send(p_network),
          5 + 2 * g)),
          ':' order by g) || '::/64'
        from generate_series(0, 3) g
      ) end, 'UTF8')), 'hex')
  );
end
$$;

-- Uses up a start code: 'accepted', 'wrong' (unknown account, used, expired or wrong), or 'blocked' after five wrong
-- codes for one account or thirty from one network in 15 minutes. For the function use-start-code alone, which signs in
-- with the password that it passes; the account must replace it before anything opens.
create function public.take_start_code(p_login text, p_code text, p_password text, p_network text)
returns TABLE(outcome text, email text, phone text)
language plpgsql security definer set search_path = '' as $function$
declare
  number text := private.e164(p_login);
  typed text := coalesce(number, lower(trim(left(p_login, 255))));
  network inet := private.network_of(left(p_network, 100));
  account_key bytea := sha256(convert_to(format('account %s from %s', coalesce(typed, ''), network), 'UTF8'));
  network_key bytea := sha256(convert_to('network ' || network, 'UTF8'));
  digits text := regexp_replace(left(coalesce(p_code, ''), 40), '[^0-9]', '', 'g');
  person uuid;
  stored text;
begin
  if char_length(p_password) between 32 and 72 is not true then
    raise exception 'The password to set has between 32 and 72 characters.' using errcode = 'invalid_parameter_value';
  end if;
  -- One attempt per account at a time: otherwise parallel guesses would pass the limit, or use one code twice.
  perform pg_advisory_xact_lock(hashtextextended('start code of ' || coalesce(typed, ''), 0));
  perform pg_advisory_xact_lock(hashtextextended('start codes from ' || network, 0));
  delete from private.start_failures f where f.at < clock_timestamp() - interval '15 minutes';
  if private.has_start_failures(account_key, 5)
    or private.has_start_failures(network_key, 30) and not private.is_known_network(typed, network)
  then
    outcome := 'blocked';
    return next;
    return;
  end if;
  select c.user_id, c.code_hash, u.email, u.phone into person, stored, take_start_code.email, take_start_code.phone
  from auth.users u join private.start_codes c on c.user_id = u.id
  where (u.phone = ltrim(number, '+') or (u.email = typed and not u.is_sso_user))
    and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now()) and c.expires_at > now()
  limit 1;
  -- An unknown account takes as long as a known one.
  if extensions.crypt(digits, coalesce(stored, extensions.gen_salt('bf', 6))) is distinct from stored then
    email := null;
    phone := null;
    insert into private.start_failures (subject) values (account_key), (network_key);
    if person is not null then
      perform private.record_security_event('start_code_failed', person, '{}');
    end if;
    outcome := 'wrong';
    return next;
    return;
  end if;
  delete from private.start_codes c where c.user_id = person;
  delete from private.start_failures f where f.subject = account_key;
  update auth.users u set
    encrypted_password = extensions.crypt(p_password, extensions.gen_salt('bf', 10)), updated_at = now()
  where u.id = person;
  update auth.users u set
    raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}') || '{"must_change_password": true}'
  where u.id = person;
  perform private.record_security_event('start_code_used', person, '{}');
  outcome := 'accepted';
  return next;
end
$function$;
comment on function public.take_start_code is 'Nullable: email, phone';
grant execute on function public.take_start_code to service_role;

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
grant execute on function public.use_recovery_code to authenticated;

-- Wrong PINs in a row before one is locked.
create function private.pin_tries() returns integer language sql immutable set search_path = '' return 5;

-- Checks a PIN and counts wrong ones: 'right', 'wrong', 'locked' or 'none'. One attempt per person at a time: otherwise
-- parallel guesses would pass the limit. The caller must commit, so it must not raise an error after a wrong one.
create function private.check_pin(person uuid, pin text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  known private.guard_pins;
begin
  select * into known from private.guard_pins p where p.user_id = person for update;
  if not found then
    return 'none';
  elsif known.locked_at is not null then
    return 'locked';
  elsif extensions.crypt(left(coalesce(pin, ''), 6), known.pin_hash) = known.pin_hash and char_length(pin) <= 6 then
    update private.guard_pins p set failures = 0 where p.user_id = person and p.failures > 0;
    return 'right';
  end if;
  update private.guard_pins p set
    failures = p.failures + 1, locked_at = case when p.failures + 1 >= private.pin_tries() then now() end
  where p.user_id = person;
  if known.failures + 1 >= private.pin_tries() then
    perform private.record_security_event('pin_locked', person, '{}');
    return 'locked';
  end if;
  return 'wrong';
end
$$;

-- A person's name; somebody, if it is unknown.
create function private.name_or_somebody(p_id uuid) returns text
language sql stable security definer set search_path = ''
return coalesce((select nullif(p.full_name, '') from public.profiles p where p.id = p_id), 'somebody');
