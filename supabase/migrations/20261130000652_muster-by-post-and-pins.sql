create or replace FUNCTION private.issue_start_code(person uuid)
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

create or replace FUNCTION public.device_clock(p_secret text, p_id uuid, p_assignment_id uuid, p_user_id uuid, p_kind text, p_pin text, p_device_at timestamp with time zone, p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_server_offset_ms bigint DEFAULT NULL::bigint, p_gps text DEFAULT NULL::text, p_accuracy_m real DEFAULT NULL::real, p_fix_age_s integer DEFAULT NULL::integer, p_photo text DEFAULT NULL::text, p_queued boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  device public.devices := private.device_of(p_secret);
  event public.clock_events;
  verdict text;
  message text;
  problem text;
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
  problem := case verdict when 'wrong' then 'wrong_pin' when 'none' then 'no_pin' else verdict end;
  -- Also when the guard is at the device: after more than a wrong PIN they can't clock in without help.
  if p_queued or verdict <> 'wrong' and not exists (
    select from public.clock_exceptions e
    where e.user_id = p_user_id and e.reason = problem and e.received_at > now() - interval '1 hour'
  ) then
    if not private.is_of_site(p_user_id, p_assignment_id, device.site_id) then
      return jsonb_build_object('outcome', 'refused', 'message', 'This guard has no shift at this site.');
    end if;
    perform private.limit_clock_exceptions(device.id, p_user_id);
    insert into public.clock_exceptions (id, device_id, site_id, user_id, assignment_id, kind, device_at, reason,
      detail)
    select p_id, device.id, device.site_id, p.id, (select a.id from public.assignments a where a.id = p_assignment_id),
      p_kind, p_device_at, problem, left(message, 500)
    from public.profiles p where p.id = p_user_id;
    perform private.store_clock_photo(p_id, device.site_id, p_user_id, p_photo);
  end if;
  return jsonb_build_object('outcome', case when p_queued then 'exception' else verdict end, 'message', message,
    'is_recorded', p_queued or verdict <> 'wrong', 'tries_left', (
      select private.pin_tries() - p.failures from private.guard_pins p
      where p.user_id = p_user_id and verdict = 'wrong'
    ));
end
$function$;

drop function public.muster_list();

CREATE FUNCTION public.muster_list()
 RETURNS TABLE(assignment_id uuid, user_id uuid, guard_name text, role_at_shift text, site_id uuid, site_name text, timezone text, start_time timestamp with time zone, end_time timestamp with time zone, attendance_state text, clock_in_at timestamp with time zone, clock_in_way text, is_absent boolean, shift_id uuid, post_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.id, a.user_id, coalesce(nullif(p.full_name, ''), p.email, ''), a.role_at_shift, s.id, s.name, s.timezone,
    a.starts_at, upper(a.period), a.attendance_state, r.clock_in_at, r.clock_in_way, a.status = 'no_show', a.shift_id,
    o.name
  from public.assignments a
  join public.sites s on s.id = a.site_id
  join public.shifts d on d.id = a.shift_id
  left join public.posts o on o.id = d.post_id
  join public.profiles p on p.id = a.user_id
  left join lateral (
    select * from public.attendance r where r.assignment_id = a.id order by r.clock_in_at desc limit 1
  ) r on true
  where a.status <> 'cancelled' and a.user_id <> auth.uid()
    and a.starts_at between now() - interval '24 hours' and now() + interval '1 hour' and upper(a.period) > now()
    and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or a.site_id = any ((select private.supervised_sites())::uuid[])
    )
  order by s.name, s.id, 3, a.id limit 1000;
$function$;

grant execute on function public.muster_list() to authenticated;

comment on function public.muster_list() is 'Nullable: role_at_shift, clock_in_at, clock_in_way, post_name';

alter table private.start_codes add column pin_set_at timestamp with time zone;

CREATE OR REPLACE FUNCTION public.device_set_pin(p_secret text, p_user_id uuid, p_code text, p_pin text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  device public.devices := private.device_of(p_secret);
  person_key bytea := sha256(convert_to('pin code of ' || p_user_id, 'UTF8'));
  device_key bytea := sha256(convert_to('pin codes at ' || device.id, 'UTF8'));
  digits text := regexp_replace(left(coalesce(p_code, ''), 40), '[^0-9]', '', 'g');
  stored text;
begin
  if p_user_id is null or not private.is_of_site(p_user_id, null, device.site_id) then
    return jsonb_build_object('outcome', 'refused', 'message', 'This guard has no shift at this site.');
  end if;
  -- One attempt at a time: otherwise parallel guesses would pass the limit, or use one code twice.
  perform pg_advisory_xact_lock(hashtextextended('pin codes at ' || device.id, 0));
  perform pg_advisory_xact_lock(hashtextextended('pin code of ' || p_user_id, 0));
  delete from private.start_failures f where f.at < clock_timestamp() - interval '15 minutes';
  if private.has_start_failures(person_key, 5) or private.has_start_failures(device_key, 30) then
    return jsonb_build_object('outcome', 'blocked');
  end if;
  select c.code_hash into stored from private.start_codes c
  join auth.users u on u.id = c.user_id
  where c.user_id = p_user_id and c.expires_at > now() and c.pin_set_at is null and u.deleted_at is null
    and (u.banned_until is null or u.banned_until <= now());
  -- A guard without a code takes as long as one with it.
  if extensions.crypt(digits, coalesce(stored, extensions.gen_salt('bf', 6))) is distinct from stored then
    insert into private.start_failures (subject) values (person_key), (device_key);
    perform private.record_security_event('start_code_failed', p_user_id, '{}');
    return jsonb_build_object('outcome', 'wrong');
  end if;
  begin
    perform private.store_pin(p_user_id, p_pin);
  exception when check_violation then
    return jsonb_build_object('outcome', 'refused', 'message', sqlerrm);
  end;
  update private.start_codes c set pin_set_at = now() where c.user_id = p_user_id;
  delete from private.start_failures f where f.subject = person_key;
  return jsonb_build_object('outcome', 'set');
end
$function$;

grant execute on function public.device_set_pin(text,uuid,text,text) to anon;

grant execute on function public.device_set_pin(text,uuid,text,text) to authenticated;
