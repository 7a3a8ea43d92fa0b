-- A bound device makes exceptions for people of its site only, and not without end: it is a tablet that anybody may take.

-- Whether the person has or had a shift at the site around now, also one that was moved or deleted since.
create function private.is_of_site(p_person uuid, p_assignment uuid, p_site uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.assignments a
    where a.user_id = p_person and a.site_id = p_site and a.starts_at between now() - interval '62 days' and now() + interval '3 days'
  ) or exists (
    select from public.audit_log h
    where h.row_id = p_assignment and h.table_name = 'assignments'
      and p_person::text in (h.old_values ->> 'user_id', h.new_values ->> 'user_id')
      and p_site::text in (h.old_values ->> 'site_id', h.new_values ->> 'site_id')
  );
$$;

-- In a day, events of ten shifts of one person and of a hundred and fifty at the device. The device keeps what is more, and
-- tries again.
create function private.limit_clock_exceptions(p_device uuid, p_person uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- One at a time, or two at once would both be the last one allowed.
  perform pg_advisory_xact_lock(hashtextextended('exceptions of ' || p_device, 0));
  if (
    select count(*) from public.clock_exceptions e
    where e.user_id = p_person and e.received_at > now() - interval '1 day'
  ) >= 20 or (
    select count(*) from public.clock_exceptions e
    where e.device_id = p_device and e.received_at > now() - interval '1 day'
  ) >= 300 then
    raise exception 'Too many clock events of this device are waiting for a decision. Tell your supervisor.'
      using errcode = 'PT429';
  end if;
end
$$;

create or replace function public.device_clock(p_secret text, p_id uuid, p_assignment_id uuid, p_user_id uuid, p_kind text, p_pin text, p_device_at timestamp with time zone, p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_server_offset_ms bigint DEFAULT NULL::bigint, p_gps text DEFAULT NULL::text, p_accuracy_m real DEFAULT NULL::real, p_fix_age_s integer DEFAULT NULL::integer, p_photo text DEFAULT NULL::text, p_queued boolean DEFAULT false)
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
    if not private.is_of_site(p_user_id, p_assignment_id, device.site_id) then
      return jsonb_build_object('outcome', 'refused', 'message', 'This guard has no shift at this site.');
    end if;
    perform private.limit_clock_exceptions(device.id, p_user_id);
    insert into public.clock_exceptions (id, device_id, site_id, user_id, assignment_id, kind, device_at, reason, detail)
    select p_id, device.id, device.site_id, p.id, (select a.id from public.assignments a where a.id = p_assignment_id),
      p_kind, p_device_at,
      case verdict when 'wrong' then 'wrong_pin' when 'none' then 'no_pin' else verdict end, left(message, 500)
    from public.profiles p where p.id = p_user_id;
    perform private.store_clock_photo(p_id, device.site_id, p_user_id, p_photo);
  end if;
  return jsonb_build_object('outcome', case when p_queued then 'exception' else verdict end, 'message', message);
end
$function$;

revoke all on all functions in schema private from public;
