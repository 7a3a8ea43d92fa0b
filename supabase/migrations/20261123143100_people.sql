-- People: how to reach them, sign-in without an e-mail address, hiring in one step, and leaving.
alter table public.profiles
  -- E.164, so that it can be called as it is.
  add column phone text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  -- Where the person lives, as coarse as a planner needs: "Paynesville, ELWA Junction".
  add column home_area text check (char_length(home_area) <= 200),
  -- The last day of the employment; null while it lasts.
  add column left_on date check (left_on between '2000-01-01' and '2100-01-01');
drop trigger a_tidy_text on public.profiles;
select private.tidy_texts_of('public.profiles', 'full_name', 'home_area');

alter table public.staff
  add column end_date date check (end_date between '2000-01-01' and '2100-01-01'),
  add column end_reason text check (char_length(end_reason) <= 1000);

-- A phone number as people write it, in E.164; null if it is none. A number without a country is Liberian.
-- shared/phone.ts does the same for forms; tests/rules/people.test.ts compares them.
create function private.e164(written text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  number text := regexp_replace(left(written, 40), '[ ().\-/]', '', 'g');
begin
  number := regexp_replace(number, '^00', '+');
  number := regexp_replace(number, '^0?([1-9][0-9]{6,8})$', '+231\1');
  number := regexp_replace(number, '^231([0-9]{7,9})$', '+231\1');
  return case when number ~ '^\+[1-9][0-9]{6,14}$' then number end;
end
$$;

-- The contact number is the one that the account signs in with, once there is one.
create or replace function private.follow_account() returns trigger
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

drop trigger profile_follows_account on auth.users;
create trigger profile_follows_account after update on auth.users
  for each row
  when (
    old.email is distinct from new.email
    or old.phone is distinct from new.phone
    or old.encrypted_password is distinct from new.encrypted_password
    or old.raw_user_meta_data is distinct from new.raw_user_meta_data
    or old.raw_app_meta_data -> 'must_change_password' is distinct from new.raw_app_meta_data -> 'must_change_password'
  )
  execute function private.follow_account();

-- Until then it is the number of the staff record.
create function private.follow_staff_phone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles p set phone = private.e164(new.phone)
  where p.id = new.user_id and private.e164(new.phone) is not null
    and p.phone is distinct from private.e164(new.phone)
    and exists (select from auth.users u where u.id = p.id and coalesce(u.phone, '') = '');
  return null;
end
$$;
create trigger profile_follows_new_staff after insert on public.staff
  for each row when (new.user_id is not null and new.phone is not null)
  execute function private.follow_staff_phone();
create trigger profile_follows_staff after update on public.staff
  for each row when (
    new.user_id is not null and new.phone is not null
    and (old.phone, old.user_id) is distinct from (new.phone, new.user_id)
  )
  execute function private.follow_staff_phone();

update public.profiles p set phone = known.phone
from (
  select u.id, coalesce(private.e164('+' || nullif(u.phone, '')), private.e164(s.phone)) as phone
  from auth.users u left join public.staff s on s.user_id = u.id
) known
where known.id = p.id and known.phone is not null;

-- The activity log names users without an e-mail address by their number.
create or replace function private.record_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  who uuid := auth.uid();
  whose_email text := coalesce(
    nullif(auth.jwt() ->> 'email', ''),
    (select coalesce(p.email, p.phone) from public.profiles p where p.id = who)
  );
begin
  if tg_op = 'INSERT' then
    insert into public.audit_log (actor_id, actor_email, action, table_name, row_id, new_values)
    select who, whose_email, 'insert', tg_table_name, n.id, private.without_secrets(to_jsonb(n))
    from new_rows n;
  elsif tg_op = 'DELETE' then
    insert into public.audit_log (actor_id, actor_email, action, table_name, row_id, old_values)
    select who, whose_email, 'delete', tg_table_name, o.id, private.without_secrets(to_jsonb(o))
    from old_rows o;
  else
    insert into public.audit_log
      (actor_id, actor_email, action, table_name, row_id, old_values, new_values)
    select who, whose_email, 'update', tg_table_name, changed.id, changed.was, changed.became
    from (
      select
        version.id,
        jsonb_object_agg(field.key, version.was -> field.key) as was,
        jsonb_object_agg(field.key, field.value) as became
      from (
        select
          n.id,
          private.without_secrets(to_jsonb(o)) as was,
          private.without_secrets(to_jsonb(n)) as became
        from new_rows n
        join old_rows o on o.id = n.id
      ) version
      cross join lateral jsonb_each(version.became) field
      where version.was <> version.became and field.value is distinct from version.was -> field.key
      group by version.id
    ) changed;
  end if;
  return null;
end
$$;

create or replace view public.user_accounts with (security_barrier = true) as
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
order by p.created_at desc, p.id;

-- Start codes: eight digits, on paper or in a text message, that open an account once and ask for a new password.
create table private.start_codes (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- bcrypt: the digits alone could be guessed from a fast hash.
  code_hash text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days'
);

-- Wrong codes of the last 15 minutes, by a hash of the name that was typed and by a hash of the network.
create table private.start_failures (
  subject bytea not null,
  at timestamptz not null default clock_timestamp()
);
create index start_failures_subject_idx on private.start_failures (subject, at);
create index start_failures_at_idx on private.start_failures (at);

alter table private.start_codes enable row level security;
revoke all on private.start_codes from anon, authenticated, service_role;
alter table private.start_failures enable row level security;
revoke all on private.start_failures from anon, authenticated, service_role;

-- Replaces the password of an account by a new start code and ends its sessions.
create function private.issue_start_code(person uuid) returns table (code text, expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
begin
  select string_agg((get_byte(random.bytes, n) % 10)::text, '' order by n) into code
  from (select extensions.gen_random_bytes(8) as bytes) random, generate_series(0, 7) n;
  insert into private.start_codes as c (user_id, code_hash)
  values (person, extensions.crypt(code, extensions.gen_salt('bf', 6)))
  on conflict (user_id) do update
    set code_hash = excluded.code_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
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
$$;

-- A new start code for an account: its password stops working and every session ends. The code is shown only once.
create function public.create_start_code(p_user_id uuid) returns table (code text, expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
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

-- Whether this many codes were wrong in the last 15 minutes.
create function private.has_start_failures(subject bytea, many integer) returns boolean
language sql stable set search_path = '' as $$
  -- A null limit is reached at once: refused, not let through.
  select coalesce(count(*) >= many, true) from private.start_failures f
  where f.subject = has_start_failures.subject and f.at > clock_timestamp() - interval '15 minutes';
$$;

-- Uses up a start code: 'accepted', 'wrong' (unknown account, used, expired or wrong), or 'blocked' after five wrong
-- codes for one account or thirty from one network in 15 minutes. For the function use-start-code alone, which signs in
-- with the password that it passes; the account must replace it before anything opens.
create function public.take_start_code(p_login text, p_code text, p_password text, p_network text)
returns table (outcome text, email text, phone text)
language plpgsql security definer set search_path = '' as $$
declare
  number text := private.e164(p_login);
  typed text := coalesce(number, lower(trim(left(p_login, 255))));
  account_key bytea := sha256(convert_to('account ' || coalesce(typed, ''), 'UTF8'));
  network_key bytea := sha256(convert_to('network ' || coalesce(left(p_network, 100), ''), 'UTF8'));
  digits text := regexp_replace(left(coalesce(p_code, ''), 40), '[^0-9]', '', 'g');
  person uuid;
  stored text;
begin
  if char_length(p_password) between 32 and 72 is not true then
    raise exception 'The password to set has between 32 and 72 characters.' using errcode = 'invalid_parameter_value';
  end if;
  -- One attempt per account at a time: otherwise parallel guesses would pass the limit, or use one code twice.
  perform pg_advisory_xact_lock(hashtextextended('start code of ' || coalesce(typed, ''), 0));
  delete from private.start_failures f where f.at < clock_timestamp() - interval '15 minutes';
  if private.has_start_failures(account_key, 5) or private.has_start_failures(network_key, 30) then
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
$$;
comment on function public.take_start_code is 'Nullable: email, phone';

-- An account with its identities, as the auth service stores them. Addresses that the admin enters count as confirmed.
-- The caller locks out duplicates with the unique constraints of auth.users.
create function private.create_account(person_name text, address text, number text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  person uuid := gen_random_uuid();
  providers text[] := array_remove(array[
    case when address is not null then 'email' end, case when number is not null then 'phone' end
  ], null);
  facts jsonb;
begin
  if exists (select from auth.users u where u.email = address and not u.is_sso_user) then
    raise exception 'There is already an account with this email address.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.phone = number) then
    raise exception 'There is already an account with this phone number.' using errcode = 'PT409';
  end if;
  insert into auth.users (
    instance_id, id, aud, role, email, phone, email_confirmed_at, phone_confirmed_at,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
    confirmation_token, recovery_token, email_change_token_new, email_change
  ) values (
    '00000000-0000-0000-0000-000000000000', person, 'authenticated', 'authenticated', address, number,
    case when address is not null then now() end, case when number is not null then now() end,
    jsonb_build_object('provider', providers[1], 'providers', providers, 'must_change_password', true),
    jsonb_build_object('full_name', person_name), now(), now(),
    -- GoTrue can't read nulls here.
    '', '', '', ''
  );
  facts := jsonb_strip_nulls(jsonb_build_object(
    'sub', person, 'email', address, 'phone', number,
    'email_verified', address is not null, 'phone_verified', number is not null
  ));
  insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
  select person::text, person, facts, provider, now(), now() from unnest(providers) provider;
  return person;
end
$$;

-- Hires one person: account, role, home area, staff record and certificates.
create function private.hire(entry jsonb) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  person_name text := nullif(trim(entry ->> 'full_name'), '');
  address text := nullif(lower(trim(entry ->> 'email')), '');
  number_written text := nullif(trim(entry ->> 'phone'), '');
  number text := private.e164(number_written);
  wanted_role text := coalesce(nullif(entry ->> 'role', ''), 'guard');
  existing uuid := (entry ->> 'staff_id')::uuid;
  certificates jsonb := coalesce(nullif(entry -> 'certificates', 'null'), '[]');
  person uuid;
begin
  if person_name is null then
    raise exception 'Full name is required' using errcode = 'check_violation';
  end if;
  if char_length(person_name) > 100 then
    raise exception 'Full name must be at most 100 characters' using errcode = 'check_violation';
  end if;
  if address is null and number_written is null then
    raise exception 'Enter a phone number or an email address' using errcode = 'check_violation';
  end if;
  if number_written is not null and number is null then
    raise exception 'Invalid phone number' using errcode = 'check_violation';
  end if;
  if address !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' or char_length(address) > 255 then
    raise exception 'Invalid email' using errcode = 'check_violation';
  end if;
  if jsonb_typeof(certificates) <> 'array' or jsonb_array_length(certificates) > 50 then
    raise exception 'Send at most 50 certificates as an array.' using errcode = 'invalid_parameter_value';
  end if;
  person := private.create_account(person_name, address, ltrim(number, '+'));
  update public.profiles p set home_area = entry ->> 'home_area'
  where p.id = person and entry ->> 'home_area' is not null;
  insert into public.user_roles (user_id, role, site_id)
  values (person, wanted_role, case when wanted_role = 'supervisor' then (entry ->> 'site_id')::uuid end);
  if existing is not null then
    update public.staff s set
      user_id = person, email = coalesce(s.email, address), phone = coalesce(s.phone, number)
    where s.id = existing and s.user_id is null;
    if not found then
      raise exception 'This staff record has an account already, or no longer exists.' using errcode = 'PT409';
    end if;
  else
    insert into public.staff (full_name, email, phone, role, hire_date, salary_amount, payment_frequency, user_id)
    values (
      person_name, address, number, case when wanted_role = 'guard' then 'guard' else 'admin' end,
      coalesce((entry ->> 'hire_date')::date, private.company_date()), (entry ->> 'salary_amount')::numeric,
      coalesce(nullif(entry ->> 'payment_frequency', ''), 'monthly'), person
    );
  end if;
  insert into public.certifications (user_id, course_id, certificate_number, issued_at, expires_at)
  select person, c.course_id, c.certificate_number, c.issued_at, c.expires_at
  from jsonb_to_recordset(certificates)
    as c (course_id uuid, certificate_number text, issued_at timestamptz, expires_at timestamptz);
  return person;
end
$$;

-- Hires everyone in the list or nobody; an error in a list names the row. Each person gets a start code, shown only here.
-- Keys of a person: full_name, phone, email (one of both at least), role, site_id (of a supervisor), home_area, staff_id
-- (a record that gets an account) or hire_date, salary_amount and payment_frequency (a new record), and certificates.
create function public.hire_people(p_people jsonb)
returns table (user_id uuid, full_name text, code text, expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare
  row_number integer := 0;
  entry jsonb;
  reason text;
  state text;
begin
  perform private.require_admin();
  if jsonb_typeof(p_people) is distinct from 'array' or jsonb_array_length(p_people) not between 1 and 200 then
    raise exception 'Between 1 and 200 people can be hired at once.' using errcode = 'invalid_parameter_value';
  end if;
  for entry in select value from jsonb_array_elements(p_people) loop
    row_number := row_number + 1;
    begin
      if jsonb_typeof(entry) <> 'object' then
        raise exception 'it is not a record' using errcode = 'invalid_parameter_value';
      end if;
      user_id := private.hire(entry);
    exception when others then
      get stacked diagnostics reason = message_text, state = returned_sqlstate;
      raise exception '%', case when jsonb_array_length(p_people) = 1 then reason
        else format('Row %s: %s', row_number, reason) end using errcode = state;
    end;
    full_name := entry ->> 'full_name';
    select c.code, c.expires_at into code, expires_at from private.issue_start_code(user_id) c;
    return next;
  end loop;
end
$$;

-- Changes a person's name, addresses and home area, in the account, the profile and the staff record at once. The
-- addresses are also what the person signs in with. An empty text removes a value; an account keeps one address.
create function public.edit_person(
  p_user_id uuid, p_full_name text, p_email text default null, p_phone text default null, p_home_area text default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  person_name text := nullif(trim(left(p_full_name, 300)), '');
  address text := nullif(lower(trim(left(p_email, 300))), '');
  number text := ltrim(private.e164(p_phone), '+');
  before auth.users;
begin
  perform private.require_admin();
  select * into before from auth.users u where u.id = p_user_id and u.deleted_at is null for update;
  if not found then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  if person_name is null then
    raise exception 'Full name is required' using errcode = 'check_violation';
  end if;
  if nullif(trim(left(p_phone, 100)), '') is not null and number is null then
    raise exception 'Invalid phone number' using errcode = 'check_violation';
  end if;
  if address !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' or char_length(address) > 255 then
    raise exception 'Invalid email' using errcode = 'check_violation';
  end if;
  if address is null and number is null then
    raise exception 'Enter a phone number or an email address' using errcode = 'check_violation';
  end if;
  if before.is_sso_user and address is distinct from before.email then
    raise exception 'This address comes from the company''s own sign-in.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.email = address and not u.is_sso_user and u.id <> p_user_id) then
    raise exception 'There is already an account with this email address.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.phone = number and u.id <> p_user_id) then
    raise exception 'There is already an account with this phone number.' using errcode = 'PT409';
  end if;
  update auth.users u set
    email = address, phone = number, updated_at = now(),
    email_confirmed_at = case when address is not distinct from u.email then u.email_confirmed_at
      when address is not null then now() end,
    phone_confirmed_at = case when number is not distinct from u.phone then u.phone_confirmed_at
      when number is not null then now() end
  where u.id = p_user_id and (u.email is distinct from address or u.phone is distinct from number);
  delete from auth.identities i where i.user_id = p_user_id
    and (i.provider = 'email' and address is null or i.provider = 'phone' and number is null);
  insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
  select p_user_id::text, p_user_id, jsonb_build_object('sub', p_user_id) || given.facts, given.provider, now(), now()
  from (values
    ('email', address, jsonb_build_object('email', address, 'email_verified', true)),
    ('phone', number, jsonb_build_object('phone', number, 'phone_verified', true))
  ) given (provider, value, facts)
  where given.value is not null and not before.is_sso_user
  on conflict (provider_id, provider) do update
    set identity_data = auth.identities.identity_data || excluded.identity_data, updated_at = now();
  update public.profiles p set full_name = person_name, home_area = p_home_area where p.id = p_user_id;
  update public.staff s set full_name = person_name, email = address, phone = '+' || number
  where s.user_id = p_user_id;
  if (before.email, before.phone) is distinct from (address, number) then
    perform private.record_security_event('addresses_changed_by_admin', p_user_id, '{}');
  end if;
end
$$;

-- What ending an employment would take away, for the question before it.
create function public.employment_ties(p_user_id uuid)
returns table (shifts integer, next_shift timestamptz, on_post boolean, roles integer, sessions integer, leave integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query select
    (select count(*)::integer from public.assignments a
      where a.user_id = p_user_id and a.status in ('assigned', 'confirmed')
        and a.attendance_state = 'none' and upper(a.period) > now()),
    (select min(a.starts_at) from public.assignments a
      where a.user_id = p_user_id and a.status in ('assigned', 'confirmed')
        and a.attendance_state = 'none' and upper(a.period) > now()),
    exists (select from public.assignments a where a.user_id = p_user_id and a.attendance_state = 'in'
      and upper(a.period) > now() - interval '1 day'),
    (select count(*)::integer from public.user_roles r where r.user_id = p_user_id),
    (select count(*)::integer from auth.sessions s
      where s.user_id = p_user_id and (s.not_after is null or s.not_after > now())),
    (select count(*)::integer from public.leave_requests l
      where l.user_id = p_user_id and l.status = 'pending');
end
$$;
comment on function public.employment_ties is 'Nullable: next_shift';

-- Ends an employment: no access from now on, no roles, no shifts to come. Records of work, pay and training stay.
-- Enabling the account again takes the person back, without their roles.
create function public.end_employment(p_user_id uuid, p_last_day date, p_reason text default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if p_last_day is null or not p_last_day between '2000-01-01' and private.company_date() then
    raise exception 'The last day is today or earlier.' using errcode = 'check_violation';
  end if;
  if char_length(p_reason) > 1000 then
    raise exception 'Reason must be at most 1000 characters' using errcode = 'check_violation';
  end if;
  -- Sessions, access tokens and the last admin; refuses the caller's own account.
  perform public.set_account_disabled(p_user_id, true);
  delete from public.user_roles r where r.user_id = p_user_id;
  delete from private.start_codes c where c.user_id = p_user_id;
  update public.assignments a set status = 'cancelled'
  where a.user_id = p_user_id and a.status in ('assigned', 'confirmed')
    and a.attendance_state = 'none' and upper(a.period) > now();
  update public.leave_requests l set status = 'rejected', decision_note = 'Employment ended'
  where l.user_id = p_user_id and l.status = 'pending';
  update public.profiles p set left_on = p_last_day where p.id = p_user_id;
  update public.staff s set status = 'inactive', end_date = p_last_day, end_reason = nullif(trim(p_reason), '')
  where s.user_id = p_user_id;
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
create trigger follow_reinstatement after update on auth.users
  for each row when (old.banned_until > now() and new.banned_until is null)
  execute function private.follow_reinstatement();

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

-- The command menu finds people by their number too.
create or replace function public.find_records(p_text text)
returns table (kind text, id uuid, title text, detail text, start_time timestamptz, timezone text)
language sql stable set search_path = '' as $$
  with words as (
    -- A text without words finds nothing.
    select nullif(private.search_patterns(p_text), '{}') as patterns
  )
  (
    select 'client', c.id, c.name, c.location, null::timestamptz, null::text
    from public.clients c, words w
    where public.search_text(c) ilike all (w.patterns)
    order by c.name, c.id limit 21
  )
  union all
  (
    select 'site', s.id, s.name, concat_ws(', ', s.client_name, s.address), null, null
    from public.sites s, words w
    where concat_ws(' ', s.name, s.client_name, s.address) ilike all (w.patterns)
    order by s.name, s.id limit 21
  )
  union all
  (
    select 'guard', p.id, coalesce(nullif(p.full_name, ''), p.email, p.phone), coalesce(p.email, p.phone), null, null
    from public.profiles p, words w
    where concat_ws(' ', p.full_name, p.email, p.phone) ilike all (w.patterns)
      and p.id <> (select auth.uid())
    order by 3, p.id limit 21
  )
  union all
  (
    -- Including the last twelve hours: a night shift is still running in the morning.
    select 'shift', h.id, s.name, s.client_name, h.start_time, s.timezone
    from public.shifts h join public.sites s on s.id = h.site_id, words w
    where h.start_time > now() - interval '12 hours'
      and concat_ws(' ', s.name, s.client_name, h.notes) ilike all (w.patterns)
    order by h.start_time, h.id limit 21
  );
$$;

revoke all on all functions in schema private from public;
revoke all on function
  public.create_start_code, public.take_start_code, public.hire_people, public.edit_person, public.employment_ties,
  public.end_employment, public.reopen_invitation
from public, anon, authenticated;
grant execute on function
  public.create_start_code, public.hire_people, public.edit_person, public.employment_ties, public.end_employment
to authenticated;
grant execute on function public.take_start_code, public.reopen_invitation to service_role;
