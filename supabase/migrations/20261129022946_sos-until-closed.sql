create or replace FUNCTION private.carry_out_message(p_message public.inbound_messages, p_words private.message_words)
 RETURNS public.inbound_messages
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  message public.inbound_messages := p_message;
  people uuid[];
  on_duty uuid[];
  post public.posts;
  word text := p_words.word;
  -- A time from the gateway that can't be right is the time of arrival.
  at_time timestamptz := case when message.sent_at between now() - interval '1 day' and now() + interval '5 minutes'
    then least(message.sent_at, now()) else now() end;
begin
  if private.is_number_withheld(message.from_phone) then
    message.from_phone := null;
    message.outcome := 'restricted';
    return message;
  end if;
  people := private.people_with_phone(private.e164(message.from_phone));
  if people is null then
    message.outcome := 'unknown_number';
    message.reply := 'This number is not known. Ask your supervisor to add it to your record.';
    return message;
  end if;
  if cardinality(people) > 1 and word = 'SOS' then
    -- One of them needs help: the one on duty, if that is clear.
    on_duty := array(select r.user_id from public.attendance r
      where r.user_id = any (people) and r.clock_out_at is null);
    people := case when cardinality(on_duty) = 1 then on_duty else people end;
  end if;
  if p_words.pin is not null and word is distinct from 'SOS' then
    people := private.people_with_pin(people, p_words.pin);
    if people is null then
      message.outcome := 'wrong_pin';
      message.reply := 'The PIN is wrong or locked. Call the control room.';
      return message;
    end if;
  end if;
  if cardinality(people) > 1 then
    message.outcome := 'ambiguous';
    message.reply := 'Several guards have this number. Send your PIN too, for example IN 4071.';
    return message;
  end if;
  message.user_id := people[1];
  if message.kind = 'call' then
    word := private.interpret_missed_call(message.user_id, at_time);
  elsif not p_words.is_clear then
    message.outcome := 'unknown_words';
    message.reply := 'Not understood. Send IN, OUT, OK, SOS or the code of your post.';
    return message;
  end if;
  if word = 'SOS' then
    select e.assignment_id, e.site_id into message.assignment_id, message.site_id
    from private.store_sos(message.user_id, message.id, 'message', message.sent_at, at_time,
      private.position_in(message.body), null) e;
    message.outcome := 'sos';
    message.reply := 'SOS received. The control room has been alerted. Keep your phone free.';
    return message;
  elsif word = 'OK' then
    return private.answer_welfare_by_message(message, at_time);
  end if;
  if p_words.code is not null then
    select * into post from public.posts p where p.code = p_words.code;
    if not found then
      message.outcome := 'unknown_words';
      message.reply := format('No post has the code %s. Read it again at the post.', p_words.code);
      return message;
    end if;
    word := coalesce(word, case when exists (
      select from public.attendance r where r.user_id = message.user_id and r.clock_out_at is null
    ) then 'OUT' else 'IN' end);
  end if;
  return private.clock_by_message(message, lower(word), at_time, post.id);
end
$function$;

create or replace FUNCTION private.take_message(p_provider_id text, p_kind text, p_from text, p_body text, p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS public.inbound_messages
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  message public.inbound_messages;
  words private.message_words := private.parse_message(p_body);
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
  message.body := private.without_pins(p_body);
  message.sent_at := case when isfinite(p_sent_at) then p_sent_at end;
  message := private.carry_out_message(message, words);
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
        -- A number that belongs to no account is called back once, however often it sends SOS.
        when words.word = 'SOS' then format('message-sos:%s:%s', coalesce(message.from_phone, 'withheld'),
          date_bin('10 minutes', now(), '2000-01-01'))
        else 'message:' || message.id end);
  end if;
  return message;
end
$function$;

CREATE OR REPLACE FUNCTION private.position_in(p_body text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select found.place from (
    select substring(p_body from '(?:^|[^0-9.-])(-?[0-9]{1,2}\.[0-9]{1,8},-?[0-9]{1,3}\.[0-9]{1,8})') as place
  ) found where private.is_position(found.place);
$function$;

CREATE OR REPLACE FUNCTION private.without_pins(p_body text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select left(replace(regexp_replace(replace(b.body, p.place, chr(1)), '\m[0-9]{4,8}\M', '****', 'g'),
    chr(1), p.place), 500)
  from (select left(coalesce(p_body, ''), 1000) as body) b
  cross join lateral (select coalesce(private.position_in(b.body), chr(1)) as place) p;
$function$;

CREATE OR REPLACE FUNCTION public.my_open_sos()
 RETURNS TABLE(id uuid, last_id uuid, raised_at timestamp with time zone, last_at timestamp with time zone, received_at timestamp with time zone, site_name text, timezone text, gps text, is_false_alarm boolean, answered_at timestamp with time zone, answered_by text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select f.id, (newest.press).id, f.happened_at, (newest.press).happened_at, f.received_at, t.name, t.timezone,
    presses.gps, presses.is_false_alarm, l.acknowledged_at, nullif(p.full_name, '')
  from public.alerts l
  join public.sos_events f on 'sos:' || f.id = l.cause
  left join public.sites t on t.id = f.site_id
  left join public.profiles p on p.id = l.acknowledged_by
  cross join lateral (
    select e as press from public.sos_events e where f.id in (e.id, e.joined)
    order by e.received_at desc, e.happened_at desc, e.id desc limit 1
  ) newest
  cross join lateral (
    select bool_and(e.cancelled_at is not null) as is_false_alarm,
      (array_agg(e.gps order by e.received_at desc, e.id) filter (where e.gps is not null))[1] as gps
    from public.sos_events e where f.id in (e.id, e.joined)
  ) presses
  where l.user_id = (select auth.uid()) and f.user_id = l.user_id and l.kind = 'sos' and l.closed_at is null
    and (select private.is_member())
  order by f.received_at desc limit 10;
$function$;

grant execute on function public.my_open_sos() to authenticated;

comment on function public.my_open_sos() is 'Nullable: site_name, timezone, gps, answered_at, answered_by';
