-- Wrong device codes and start codes are counted by network, so that nobody elsewhere locks out a device or an owner. Without
-- a shared limit the codes must be too many to guess: start codes have twelve digits now, device codes 31^8 for 30 minutes.

-- An IPv4 address, or the /64 of an IPv6 one; 0.0.0.0 for anything else.
create function private.network_of(p_address text) returns inet
language plpgsql immutable set search_path = '' as $$
declare
  told text := regexp_replace(btrim(p_address), '^::ffff:(?=\d+\.)', '', 'i');
  address inet;
begin
  address := coalesce(nullif(split_part(told, '%', 1), ''), '0.0.0.0')::inet;
  return network(set_masklen(address, case family(address) when 4 then 32 else 64 end));
exception when invalid_text_representation then
  return '0.0.0.0/32'::inet;
end
$$;

create or replace function private.caller_network() returns inet
language sql stable set search_path = ''
return private.network_of(split_part(nullif(current_setting('request.headers', true), '')::json ->> 'x-forwarded-for', ',', 1));

-- Whether the account was used from the network in the last 90 days: the backend keeps the hash of a network's text. A hosted
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
        select string_agg(to_hex(get_byte(inet_send(p_network), 4 + 2 * g) * 256 + get_byte(inet_send(p_network), 5 + 2 * g)),
          ':' order by g) || '::/64'
        from generate_series(0, 3) g
      ) end, 'UTF8')), 'hex')
  );
end
$$;

alter table private.device_failures
  add column network inet not null default '0.0.0.0/32',
  -- A device that is bound already is counted by itself.
  add column device_id uuid;
create index device_failures_network_idx on private.device_failures (network);
create index device_failures_device_id_idx on private.device_failures (device_id) where device_id is not null;

create or replace function public.device_bind(p_code text, p_secret text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  bound uuid;
  secret bytea := private.hash_of_secret(p_secret);
  caller inet := private.caller_network();
  known uuid := (select s.device_id from private.device_secrets s where s.secret_hash = secret);
begin
  if p_secret ~ '^[0-9a-f]{64}$' is not true then
    raise exception 'A device needs a secret of 64 hexadecimal digits.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('device codes from ' || caller, 0));
  delete from private.device_failures f where f.at < clock_timestamp() - interval '1 minute';
  if (
    select count(*) from private.device_failures f
    where case when known is null then f.network = caller and f.device_id is null else f.device_id = known end
  ) >= 30
  then
    return jsonb_build_object('outcome', 'blocked');
  end if;
  update private.device_secrets s set secret_hash = secret, code_used_at = coalesce(s.code_used_at, now())
  where s.code_hash = private.hash_of_code(p_code) and s.code_expires_at > now()
    and (s.code_used_at is null or s.secret_hash = secret)
  returning s.device_id into bound;
  if bound is null then
    insert into private.device_failures (network, device_id) values (caller, known);
    return jsonb_build_object('outcome', 'wrong');
  end if;
  update public.devices d set bound_at = now(), last_seen_at = now(), away_at = null where d.id = bound;
  return jsonb_build_object('outcome', 'bound');
end
$function$;

create or replace function private.issue_start_code(person uuid)
 RETURNS TABLE(code text, expires_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select string_agg((get_byte(random.bytes, n) % 10)::text, '' order by n) into code
  from (select extensions.gen_random_bytes(12) as bytes) random, generate_series(0, 11) n;
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
$function$;

create or replace function public.take_start_code(p_login text, p_code text, p_password text, p_network text)
 RETURNS TABLE(outcome text, email text, phone text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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

revoke all on all functions in schema private from public;
