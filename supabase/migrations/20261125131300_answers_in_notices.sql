-- "I am fine" in the push message itself: its service worker has no session, so the message carries a token for its
-- check. Push messages are encrypted for one browser (RFC 8291). The token follows from the server's push key and is
-- stored nowhere; it answers checks of this one shift and reads nothing.
create function private.welfare_token(p_check uuid) returns text
language sql stable security definer set search_path = '' as $$
  select encode(extensions.hmac('welfare:' || p_check, k.private_key, 'sha256'), 'hex') from private.push_keys k;
$$;

-- What the message about a check needs for its button; null once nobody has to answer.
create function private.welfare_answer(p_dedupe_key text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('userId', c.user_id, 'assignmentId', c.assignment_id, 'checkId', c.id,
    'token', private.welfare_token(c.id))
  from public.welfare_checks c
  where c.id::text = split_part(p_dedupe_key, ':', 2) and c.answered_at is null and c.ended_at is null
    and exists (select from private.push_keys);
$$;

-- The button was pressed. Safe to repeat and to send late, like answer_welfare_check. Returns how many checks it answered.
create function public.answer_pushed_check(
  p_check_id uuid, p_token text, p_device_at timestamptz, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null
) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  pushed public.welfare_checks;
begin
  if p_token = private.welfare_token(p_check_id) then
    select * into pushed from public.welfare_checks c
    where c.id = p_check_id and c.due_at > now() - interval '1 day';
  end if;
  if pushed.id is null then
    raise exception 'This check no longer exists.' using errcode = 'PT404';
  end if;
  return private.answer_welfare_by_phone(
    pushed.user_id, pushed.assignment_id, p_device_at, p_sent_at, p_server_offset_ms);
end
$$;

revoke all on function private.welfare_token, private.welfare_answer from public;
revoke all on function public.answer_pushed_check from public;
grant execute on function public.answer_pushed_check to anon, authenticated;
