-- The one entrance for messages and missed calls. Only the server calls it, after it has checked the signature.

-- Who texts: the open accounts with this number.
create function private.people_with_phone(p_phone text) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array_agg(p.id order by p.id) from public.profiles p
  join auth.users u on u.id = p.id
  where p.phone = p_phone and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    and (p.left_on is null or p.left_on >= private.company_date());
$$;

-- Of these people those whose PIN this is; one person alone needs no PIN. Null if it is nobody's: then it counts as a
-- wrong PIN of each of them, so that PINs can't be guessed by messages either.
create function private.people_with_pin(p_people uuid[], p_pin text) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  having_it uuid[] := array(
    select p.user_id from private.guard_pins p
    where p.user_id = any (p_people) and p.locked_at is null and char_length(p_pin) <= 6
      and extensions.crypt(p_pin, p.pin_hash) = p.pin_hash
    order by p.user_id
  );
begin
  if cardinality(having_it) > 0 then
    return having_it;
  end if;
  if cardinality(p_people) = 1 and not exists (select from private.guard_pins p where p.user_id = p_people[1]) then
    return p_people;
  end if;
  perform private.check_pin(person, p_pin) from unnest(p_people) person order by person;
  return null;
end
$$;

-- The guard is fine. A missed call counts so too while a check is due.
create function private.fine_by_message(p_message public.inbound_messages, p_at timestamptz)
returns public.inbound_messages
language plpgsql security definer set search_path = '' as $$
declare
  message public.inbound_messages := p_message;
  assignment public.assignments := private.assignment_around(message.user_id, p_at, 4);
  answered integer := 0;
  zone text;
begin
  message.assignment_id := assignment.id;
  message.site_id := assignment.site_id;
  select t.timezone into zone from public.sites t where t.id = assignment.site_id;
  if assignment.id is not null then
    answered := private.answer_welfare(message.user_id, assignment.id, p_at,
      case message.kind when 'call' then 'call' else 'message' end);
  end if;
  message.outcome := 'fine';
  message.reply := case when answered > 0
    then format('Thank you. You are fine at %s.', private.clock_text(p_at, zone))
    else 'Thank you. No welfare check was due.' end;
  return message;
end
$$;

-- A missed call has no words. It answers a check that is due; else it clocks in, or out from half an hour before the
-- end. In between it only says that the guard is fine, so that no call by accident leaves a post empty.
create function private.meaning_of_call(p_person uuid, p_at timestamptz) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (
      select from public.welfare_checks c where c.user_id = p_person and c.answered_at is null and c.ended_at is null
        and c.due_at between p_at - interval '1 day' and p_at + private.welfare_lead()
    ) then 'OK'
    when on_duty.end_time is null then 'IN'
    when on_duty.end_time > p_at + interval '30 minutes' then 'OK'
    else 'OUT'
  end
  from (select 1) always
  left join lateral (
    select s.end_time from public.attendance r
    join public.assignments a on a.id = r.assignment_id
    join public.shifts s on s.id = a.shift_id
    where r.user_id = p_person and r.clock_out_at is null
  ) on_duty on true;
$$;

-- What the message is about and what came of it, before it is stored.
create function private.outcome_of_message(p_message public.inbound_messages, p_words private.message_words)
returns public.inbound_messages
language plpgsql security definer set search_path = '' as $$
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
  if private.is_withheld(message.from_phone) then
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
    on_duty := array(select r.user_id from public.attendance r where r.user_id = any (people) and r.clock_out_at is null);
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
    word := private.meaning_of_call(message.user_id, at_time);
  elsif not p_words.is_clear then
    message.outcome := 'unknown_words';
    message.reply := 'Not understood. Send IN, OUT, OK, SOS or the code of your post.';
    return message;
  end if;
  if word = 'SOS' then
    select e.assignment_id, e.site_id into message.assignment_id, message.site_id
    from private.store_sos(message.user_id, message.id, 'message', message.sent_at, at_time, null, null) e;
    message.outcome := 'sos';
    message.reply := 'SOS received. The control room has been alerted. Keep your phone free.';
    return message;
  elsif word = 'OK' then
    return private.fine_by_message(message, at_time);
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
$$;

-- Takes a message once. The same id again returns what is stored. All null if this number has sent 20 within ten
-- minutes, unless it asks for help.
create function private.take_message(
  p_provider_id text, p_kind text, p_from text, p_body text, p_sent_at timestamptz default null
) returns public.inbound_messages
language plpgsql security definer set search_path = '' as $$
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
        else 'message:' || message.id end);
  end if;
  return message;
end
$$;

revoke all on function
  private.people_with_phone, private.people_with_pin, private.fine_by_message, private.meaning_of_call, private.outcome_of_message,
  private.take_message
from public;
