-- Guards answer their assignments, from the phone and after days offline: each answer has the id of its event.
create table private.assignment_answers (
  event_id uuid primary key,
  assignment_id uuid not null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  answer text not null check (answer in ('confirm', 'decline', 'undo')),
  answered_at timestamptz not null default now()
);
create index assignment_answers_user_id_idx on private.assignment_answers (user_id);
alter table private.assignment_answers enable row level security;
revoke all on private.assignment_answers from public, anon, authenticated;

-- Where and when a shift is, as notices name it.
create function private.shift_text(p_shift uuid) returns text
language sql stable security definer set search_path = '' as $$
  select format('%s, %s', t.name, private.time_text(s.start_time, t.timezone))
  from public.shifts s join public.sites t on t.id = s.site_id where s.id = p_shift;
$$;

create function private.name_of_person(p_person uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(p.full_name, ''), p.email, p.phone, 'A guard') from public.profiles p where p.id = p_person;
$$;

-- Confirms, declines or (undo) withdraws the confirmation of an own assignment. Safe to repeat: an event id counts
-- once. Declining opens the seat again, so it can't be undone. Returns the status of the assignment.
-- Definer, because guards can't change assignments.
create function public.answer_assignment(
  p_assignment_id uuid, p_answer text, p_reason text default null, p_event_id uuid default gen_random_uuid()
) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  reason text := left(nullif(btrim(p_reason), ''), 500);
  known private.assignment_answers;
  mine public.assignments;
begin
  perform private.require_member();
  if p_assignment_id is null or p_event_id is null or p_answer is null
    or p_answer not in ('confirm', 'decline', 'undo')
  then
    raise exception 'An answer is confirm, decline or undo.' using errcode = 'invalid_parameter_value';
  end if;
  if p_answer = 'decline' and reason is null then
    raise exception 'Give a reason, so that your supervisor can find somebody else.' using errcode = 'check_violation';
  end if;
  -- Shift before person: the order in which an assignment is written.
  perform from public.shifts s
  where s.id = (select a.shift_id from public.assignments a where a.id = p_assignment_id and a.user_id = me)
  for share;
  perform pg_advisory_xact_lock(hashtextextended(me::text, 0));
  select * into mine from public.assignments a where a.id = p_assignment_id and a.user_id = me;
  select * into known from private.assignment_answers w where w.event_id = p_event_id;
  if found then
    if (known.user_id, known.assignment_id, known.answer) is distinct from (me, p_assignment_id, p_answer) then
      raise exception 'This id belongs to another answer.' using errcode = 'unique_violation';
    end if;
    return coalesce(mine.status, 'cancelled');
  end if;
  if mine.id is null then
    raise exception 'This shift is no longer yours.' using errcode = 'PT404';
  end if;
  insert into private.assignment_answers (event_id, assignment_id, user_id, answer)
  values (p_event_id, p_assignment_id, me, p_answer);

  if mine.starts_at <= now() or mine.attendance_state <> 'none' or mine.status in ('completed', 'no_show') then
    if p_answer = 'confirm' then
      -- Sent late by a phone without a signal; clocking in has answered it.
      return mine.status;
    end if;
    raise exception 'This shift has already started. Call the control room.' using errcode = 'PT409';
  end if;
  if mine.status = 'cancelled' then
    if p_answer = 'decline' then
      return mine.status;
    end if;
    raise exception 'This shift has been cancelled.' using errcode = 'PT409';
  end if;

  if p_answer = 'confirm' then
    update public.assignments a set status = 'confirmed', confirmed_at = coalesce(a.confirmed_at, now())
    where a.id = mine.id;
    return 'confirmed';
  elsif p_answer = 'undo' then
    update public.assignments a set status = 'assigned', confirmed_at = null where a.id = mine.id;
    return 'assigned';
  end if;
  update public.assignments a
  set status = 'cancelled', declined_at = now(), declined_reason = reason, confirmed_at = null
  where a.id = mine.id;
  perform private.notify_planners(mine.site_id, 'declined',
    format('%s declined a shift', private.name_of_person(me)),
    format('%s. Reason: %s', private.shift_text(mine.shift_id), reason),
    '/admin/shifts?open=' || mine.shift_id, 'declined:' || p_event_id);
  return 'cancelled';
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.answer_assignment from public, anon;
grant execute on function public.answer_assignment to authenticated;
