-- Repeated SOS of one person join the open alert: every press is stored, with its position, and a storm of them tells nobody
-- twice. A press after a false alarm or a pause is news, and alarms the control room again.

alter table public.sos_events
  -- The first press, whose alert this one joined.
  add column joined uuid references public.sos_events (id) on delete set null;
create index sos_events_joined_idx on public.sos_events (joined) where joined is not null;
comment on column public.sos_events.joined is 'The press whose alert this one joined; null for the first.';

-- The text of the alert that the press began, from all presses in it.
create function private.words_of_sos(p_first uuid, p_site uuid) returns text
language sql stable security definer set search_path = '' as $$
  with presses as materialized (
    select e.*, private.clock_text(e.happened_at, coalesce(t.timezone, 'UTC')) as clock, e.gps
      || coalesce(' within ' || round(e.accuracy_m) || ' m', '') as place, t.name as site
    from public.sos_events e left join public.sites t on t.id = p_site
    where p_first in (e.id, e.joined)
  ), first as (
    select * from presses p where p.id = p_first
  ), last as (
    select * from presses p order by p.id = p_first, p.received_at desc, p.happened_at desc, p.id desc limit 1
  )
  select left(
    case when (select bool_and(p.cancelled_at is not null) from presses p)
      then format('False alarm, says the guard: %s. ', (
        select p.cancel_note from presses p order by p.cancelled_at, p.id limit 1)) else '' end
    || format('%s needs help. %s%s%s', private.name_of_person(f.user_id),
      case when f.assignment_id is null then 'Not on duty, last known site: ' else '' end,
      case when f.site is not null then format('%s, %s', f.site, f.clock) end,
      coalesce(', at ' || f.place, ', position unknown'))
    || case when l.id <> f.id then (
          select format('. Pressed %s times%s, last at %s', count(*),
            case when count(p.cancelled_at) between 1 and count(*) - 1
              then format(' (%s called a false alarm)', count(p.cancelled_at)) end, l.clock)
          from presses p)
        || coalesce((
          select '; newest positions: ' || string_agg(n.clock || ' ' || n.place, ', ' order by n.received_at, n.happened_at)
          from (
            select * from presses p where p.id <> f.id and p.gps is not null
            order by p.received_at desc, p.happened_at desc limit 3
          ) n), '')
      else '' end, 500)
  from first f cross join last l;
$$;

-- The first press of the alert that a press at the site joins. A control room that has answered, and heard nothing for ten
-- minutes or of a false alarm, is alarmed again.
create function private.open_sos(p_person uuid, p_site uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  alert public.alerts;
  first uuid;
begin
  if p_site is null then
    -- A company without sites has no alerts.
    return (
      select e.id from public.sos_events e
      where e.user_id = p_person and e.joined is null and e.received_at > now() - interval '10 minutes'
      order by e.received_at desc limit 1
    );
  end if;
  select * into alert from public.alerts l
  where l.user_id = p_person and l.kind = 'sos' and l.site_id = p_site and l.closed_at is null
  order by l.raised_at desc, l.id limit 1 for update;
  select e.id into first from public.sos_events e where 'sos:' || e.id = alert.cause and e.user_id = p_person;
  if alert.acknowledged_at is not null and not exists (
    select from public.sos_events e
    where first in (e.id, e.joined) and e.cancelled_at is null and e.received_at > now() - interval '10 minutes'
  ) then
    return null;
  end if;
  return first;
end
$$;

-- Whether a press that joins says what nobody knows yet: all before it were called false alarms, or the newest is older than
-- two minutes. Presses of one distress follow within seconds, also on a network that delays some; and whoever presses
-- again after a longer pause is still without help.
create function private.is_new_distress(p_first uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_first is not null and not exists (
    select from public.sos_events e
    where p_first in (e.id, e.joined) and e.cancelled_at is null and e.received_at > now() - interval '2 minutes'
  );
$$;

-- Everybody whom an SOS reaches is told of the press, and the escalation of an alert that nobody answered begins again.
create function private.tell_again_of_sos(p_sos uuid, p_first uuid, p_site uuid, p_words text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  again uuid;
begin
  update public.alerts l set escalations = 0, escalated_at = now()
  where l.cause = 'sos:' || p_first and l.closed_at is null and l.acknowledged_at is null
  returning l.id into again;
  -- Or the notices of the new escalation would be duplicates of those of the first.
  update public.notices n set dedupe_key = null
  where n.dedupe_key in (
    select format('alert:%s:%s:%s', again, level, r.user_id)
    from public.user_roles r cross join generate_series(1, 2) level
    where r.role in ('admin', 'ops_manager')
  );
  perform private.tell_planners_of_sos(p_sos, null, p_site, p_words);
end
$$;

create or replace function private.store_sos(
  p_person uuid, p_id uuid, p_way text, p_device_at timestamptz, p_at timestamptz, p_gps text, p_accuracy_m real
) returns public.sos_events
language plpgsql security definer set search_path = '' as $$
declare
  sos public.sos_events;
  assignment public.assignments;
  fix text := case when private.is_position(left(p_gps, 60)) then left(p_gps, 60) end;
  accuracy real := case when p_accuracy_m between 0 and 1000000 then p_accuracy_m end;
  told uuid;
  words text;
  alert uuid;
  first uuid;
  is_repeat boolean;
  is_news boolean;
begin
  -- Two presses at the same moment are one after the other, or each would begin an alert.
  perform pg_advisory_xact_lock(hashtextextended('sos of ' || p_person, 0));
  assignment := private.assignment_around(p_person, now(), 4);
  told := coalesce(assignment.site_id, private.site_of_sos(p_person, fix));
  select * into sos from public.sos_events e where e.id = p_id and e.user_id = p_person;
  is_repeat := found;
  if not is_repeat then
    first := private.open_sos(p_person, told);
  end if;
  is_news := private.is_new_distress(first);
  -- An id of somebody else's event makes an event of its own: an SOS is never refused.
  insert into public.sos_events as e
    (id, user_id, assignment_id, site_id, gps, accuracy_m, device_at, happened_at, way, flags, joined)
  values (
    case when exists (select from public.sos_events o where o.id = p_id and o.user_id <> p_person)
      then gen_random_uuid() else coalesce(p_id, gen_random_uuid()) end,
    p_person, assignment.id, assignment.site_id, fix, accuracy, p_device_at, coalesce(p_at, now()), p_way,
    array_remove(array[case when p_at is null then 'device_clock' end, case when fix is null then 'no_location' end],
      null),
    first
  )
  on conflict (id) do update set
    gps = coalesce(e.gps, excluded.gps), accuracy_m = coalesce(e.accuracy_m, excluded.accuracy_m),
    flags = case when excluded.gps is null then e.flags else array_remove(e.flags, 'no_location') end
  where e.user_id = excluded.user_id
  returning * into sos;
  if sos.id is null then
    -- Somebody else's event with this id came in between.
    return private.store_sos(p_person, gen_random_uuid(), p_way, p_device_at, p_at, p_gps, p_accuracy_m);
  end if;
  first := coalesce(sos.joined, sos.id);
  -- Sent again, perhaps with a position: the alert is where it was raised.
  told := coalesce((select l.site_id from public.alerts l where l.cause = 'sos:' || first), told);
  words := private.words_of_sos(first, told);
  if told is not null then
    alert := private.raise_alert('sos', 'sos:' || first, told, assignment.shift_id, assignment.id, p_person, words,
      sos.received_at);
    update public.alerts l set detail = words
    where l.cause = 'sos:' || first and l.closed_at is null and l.detail is distinct from words;
  end if;
  if alert is not null or told is null and not is_repeat and sos.joined is null then
    perform private.tell_planners_of_sos(sos.id, alert, told, words);
  elsif is_news then
    perform private.tell_again_of_sos(sos.id, first, told, words);
  end if;
  return sos;
end
$$;

-- Presses of the last minute end together: a guard who pressed five times cancels once.
create or replace function public.cancel_sos(
  p_id uuid, p_note text default null, p_device_at timestamptz default null, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null
) returns public.sos_events
language plpgsql security definer set search_path = '' as $$
declare
  sos public.sos_events;
  at_time timestamptz := coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now());
  reason text := coalesce(left(nullif(btrim(left(p_note, 1000)), ''), 500), 'Pressed by mistake');
  first uuid;
begin
  perform private.require_member();
  perform pg_advisory_xact_lock(hashtextextended('sos of ' || auth.uid(), 0));
  select * into sos from public.sos_events e where e.id = p_id and e.user_id = auth.uid() for update;
  if not found then
    raise exception 'This SOS is not known.' using errcode = 'PT404';
  end if;
  if sos.cancelled_at is not null then
    return sos;
  end if;
  -- A few seconds more, because both times are read from the device's clock.
  if at_time > sos.happened_at + interval '65 seconds' then
    raise exception 'An SOS can be called a false alarm for one minute. Tell the control room.' using errcode = 'PT409';
  end if;
  first := coalesce(sos.joined, sos.id);
  update public.sos_events e set cancelled_at = greatest(at_time, e.happened_at), cancel_note = reason
  where first in (e.id, e.joined) and e.cancelled_at is null
    and (e.id = sos.id or e.happened_at <= at_time and at_time <= e.happened_at + interval '65 seconds');
  select * into sos from public.sos_events e where e.id = p_id;
  update public.alerts l set detail = private.words_of_sos(first, l.site_id)
  where l.cause = 'sos:' || first and l.closed_at is null;
  return sos;
end
$$;

revoke all on all functions in schema private from public;

create or replace function private.take_message(p_provider_id text, p_kind text, p_from text, p_body text, p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS inbound_messages
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  message public.inbound_messages;
  words private.message_words := private.words_of_message(p_body);
begin
  perform pg_advisory_xact_lock(hashtextextended('message:' || p_provider_id, 0));
  select * into message from public.inbound_messages m where m.provider_id = p_provider_id;
  if found then
    return message;
  end if;
  if words.word is distinct from 'SOS' and (
    select count(*) from public.inbound_messages m
    where m.from_phone = left(p_from, 40) and m.received_at > now() - interval '10 minutes'
  ) >= 20 then
    return null;
  end if;
  message.id := gen_random_uuid();
  message.provider_id := p_provider_id;
  message.kind := p_kind;
  message.from_phone := left(p_from, 40);
  message.body := left(regexp_replace(left(coalesce(p_body, ''), 1000), '\m[0-9]{4,8}\M', '****', 'g'), 500);
  message.sent_at := case when isfinite(p_sent_at) then p_sent_at end;
  message := private.outcome_of_message(message, words);
  message.is_exception := message.outcome not in ('clocked_in', 'clocked_out', 'fine', 'sos', 'repeated');
  insert into public.inbound_messages
    (id, provider_id, kind, from_phone, body, sent_at, user_id, assignment_id, site_id, outcome, is_exception, reply)
  values (message.id, message.provider_id, message.kind, message.from_phone, message.body, message.sent_at,
    message.user_id, message.assignment_id, message.site_id, message.outcome,
    message.is_exception, left(coalesce(message.reply, ''), 320))
  returning * into message;
  -- Anybody can send advertisements: from numbers of nobody only what reads like a guard's, once an hour each.
  if message.is_exception and (words.word = 'SOS' or words.is_clear or message.kind = 'call'
    or message.outcome not in ('unknown_number', 'restricted'))
  then
    perform private.notify_planners(message.site_id, 'message',
      case when words.word = 'SOS' then 'SOS by text message'
        when message.outcome = 'unknown_number' then 'A message from an unknown number'
        when message.outcome = 'restricted' then 'A message from a withheld number'
        else 'A guard’s message needs you' end,
      concat_ws(', ', private.name_of_person(message.user_id), message.from_phone,
        case message.kind when 'call' then 'missed call' else format('"%s"', message.body) end),
      '/admin/attendance', case
        when words.word is distinct from 'SOS' and message.outcome in ('unknown_number', 'restricted')
          then format('message:%s:%s', coalesce(message.from_phone, 'withheld'), date_trunc('hour', now()))
        -- Whoever sends SOS from a number of nobody is called back once, however often they send it.
        when words.word = 'SOS' then format('message-sos:%s:%s', coalesce(message.from_phone, 'withheld'),
          date_bin('10 minutes', now(), '2000-01-01'))
        else 'message:' || message.id end);
  end if;
  return message;
end
$function$;
