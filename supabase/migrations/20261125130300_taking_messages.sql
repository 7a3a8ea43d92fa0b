-- What a guard's text message or missed call does: IN, OUT, OK, SOS, or the code of a post.

create type private.message_words as (
  -- IN, OUT, OK or SOS; null without any.
  word text,
  code text,
  pin text,
  is_clear boolean
);

-- In any case, with any spaces and signs: "in p 4821", "Ok!". SOS counts among any other words.
create function private.words_of_message(p_body text) returns private.message_words
language plpgsql immutable set search_path = '' as $$
declare
  words private.message_words;
  token text;
begin
  words.is_clear := true;
  for token in
    select t from regexp_split_to_table(
      regexp_replace(regexp_replace(upper(left(coalesce(p_body, ''), 500)), '[^A-Z0-9]+', ' ', 'g'),
        '\mP ([0-9]{4,6})\M', 'P\1', 'g'), ' ') t
    where t <> ''
  loop
    if token in ('IN', 'OUT', 'OK', 'SOS') and (words.word is null or words.word = token) then
      words.word := token;
    elsif token ~ '^P[0-9]{4,6}$' and words.code is null then
      words.code := token;
    elsif token ~ '^[0-9]{4,8}$' and words.pin is null then
      words.pin := token;
    elsif token = 'SOS' then
      words.word := token;
    else
      words.is_clear := false;
    end if;
  end loop;
  words.is_clear := words.word is not distinct from 'SOS'
    or words.is_clear and (words.word is not null or words.code is not null);
  return words;
end
$$;

-- Numbers that gateways send for callers who withhold theirs, as letters on a dial: ANONYMOUS, RESTRICTED, BLOCKED,
-- UNKNOWN, UNAVAILABLE (Twilio, "Why am I getting calls from these strange numbers?").
create function private.is_withheld(p_from text) returns boolean
language sql immutable set search_path = ''
return coalesce(btrim(p_from) = '' or regexp_replace(upper(p_from), '[^A-Z0-9]', '', 'g') in (
  'ANONYMOUS', 'RESTRICTED', 'BLOCKED', 'UNKNOWN', 'UNAVAILABLE', 'PRIVATE',
  '266696687', '7378742833', '2562533', '8656696', '86282452253'
), true);

-- The shift that a clock-in now is for: at the post, if a code names one.
create function private.shift_to_clock_in(p_person uuid, p_at timestamptz, p_post uuid) returns public.assignments
language sql stable security definer set search_path = '' as $$
  select a.* from public.assignments a
  join public.shifts s on s.id = a.shift_id
  where a.user_id = p_person and a.status in ('assigned', 'confirmed', 'no_show') and a.attendance_state = 'none'
    and p_at between s.start_time - private.clock_in_lead() and s.end_time
    and (p_post is null or s.post_id = p_post)
  order by abs(extract(epoch from s.start_time - p_at)) limit 1;
$$;

create function private.record_message_event(p_message public.inbound_messages, p_kind text, p_assignment uuid, p_at timestamptz)
returns public.clock_events
language sql security definer set search_path = '' as $$
  select private.record_event_for(p_message.user_id, 'message', null, null, p_message.id, p_kind, p_assignment, p_at,
    p_server_offset_ms => 0,
    p_reason => case p_message.kind when 'call' then 'By a missed call' else 'By text message' end);
$$;

-- The guard clocks in or out. Returns the message with its outcome and reply.
create function private.clock_by_message(
  p_message public.inbound_messages, p_kind text, p_at timestamptz, p_post uuid
) returns public.inbound_messages
language plpgsql security definer set search_path = '' as $$
declare
  message public.inbound_messages := p_message;
  assignment public.assignments;
  record public.attendance;
  waiting public.inbound_messages;
  shift public.shifts;
  site public.sites;
begin
  -- The open record; for OUT also one that was closed a moment ago by another way.
  select r.* into record from public.attendance r
  where r.user_id = message.user_id and (
    r.clock_out_at is null or p_kind = 'out' and r.clock_out_at between p_at - interval '2 hours' and p_at + interval '2 hours'
  )
  order by r.clock_out_at desc nulls first limit 1;
  if record.id is not null then
    select * into assignment from public.assignments a where a.id = record.assignment_id;
  elsif p_kind = 'in' then
    assignment := private.shift_to_clock_in(message.user_id, p_at, p_post);
  else
    -- OUT without IN: the clock-in may still be on its way.
    select a.* into assignment from public.assignments a
    where a.user_id = message.user_id and a.status in ('assigned', 'confirmed', 'no_show')
      and a.attendance_state = 'none' and a.starts_at <= p_at and upper(a.period) >= p_at - interval '4 hours'
    order by a.starts_at desc limit 1;
  end if;
  if assignment.id is null then
    message.outcome := 'no_shift';
    message.reply := case p_kind when 'in' then 'You have no shift to clock in on now. Call the control room.'
      else 'You are not clocked in. Call the control room.' end;
    return message;
  end if;
  select * into shift from public.shifts s where s.id = assignment.shift_id;
  select * into site from public.sites t where t.id = assignment.site_id;
  message.assignment_id := assignment.id;
  message.site_id := site.id;
  if p_post is not null and shift.post_id is distinct from p_post then
    message.outcome := 'no_shift';
    message.reply := format('The code is of another post. You are clocked in at %s.', site.name);
  elsif record.id is null and p_kind = 'out' then
    message.outcome := 'out_before_in';
    message.reply := format('OUT noted for %s, %s. Your clock-in has not arrived. The control room will check.',
      site.name, private.clock_text(p_at, site.timezone));
  elsif record.id is not null and p_kind = 'in' and shift.end_time < p_at then
    message.outcome := 'refused';
    message.reply := format('You are still clocked in at %s. Send OUT first.', site.name);
  elsif record.id is not null and (p_kind = 'in' or record.clock_out_at is not null) then
    -- Already recorded by another way: one record, which keeps its time.
    if not exists (
      select from public.clock_events e where e.attendance_id = record.id and e.kind = p_kind and e.way = 'message'
    ) then
      perform private.record_message_event(message, p_kind, assignment.id, p_at);
    end if;
    message.outcome := 'repeated';
    message.reply := format('You are already clocked %s at %s, %s.', p_kind, site.name, private.clock_text(
      case p_kind when 'in' then record.clock_in_at else record.clock_out_at end, site.timezone));
  else
    perform private.record_message_event(message, p_kind, assignment.id, p_at);
    message.outcome := case p_kind when 'in' then 'clocked_in' else 'clocked_out' end;
    message.reply := format('Clocked %s at %s, %s.', p_kind, site.name, private.clock_text(p_at, site.timezone));
    -- An OUT that arrived before this IN. Only if the gateway tells when they were sent: else the guard may have
    -- clocked in again.
    if p_kind = 'in' and message.sent_at is not null then
      select * into waiting from public.inbound_messages m
      where m.user_id = message.user_id and m.assignment_id = assignment.id and m.outcome = 'out_before_in'
        and m.handled_at is null and coalesce(m.sent_at, m.received_at) > p_at
      order by coalesce(m.sent_at, m.received_at) desc limit 1 for update;
      if waiting.id is not null then
        perform private.record_message_event(waiting, 'out', assignment.id, least(now(),
          coalesce(waiting.sent_at, waiting.received_at)));
        update public.inbound_messages m set outcome = 'clocked_out', is_exception = false where m.id = waiting.id;
      end if;
    end if;
  end if;
  return message;
exception when integrity_constraint_violation or sqlstate 'PT404' or sqlstate 'PT409' or insufficient_privilege then
  message.outcome := 'refused';
  message.reply := left(sqlerrm, 150);
  return message;
end
$$;

revoke all on function
  private.words_of_message, private.is_withheld, private.shift_to_clock_in, private.record_message_event,
  private.clock_by_message
from public;
