-- Welfare checks: a guard who works alone confirms every n minutes that all is well. Without an answer there are two
-- reminders, then an alert. A row is made ahead for each guard on duty, so that the phone can count down without a signal.

-- After a check is due: the first reminder, the second one, the alert.
create function private.welfare_steps() returns interval[]
language sql immutable set search_path = ''
return array[interval '5 minutes', interval '10 minutes', interval '15 minutes'];

-- An answer this long before a check counts for it. shared/time-limits.ts has the same number.
create function private.welfare_lead() returns interval
language sql immutable set search_path = ''
return interval '5 minutes';

-- Minutes between checks; null for none.
create function private.welfare_minutes(p_of_site integer, p_is_lone boolean) returns integer
language sql immutable set search_path = ''
return coalesce(p_of_site, case when p_is_lone then 60 end);

create table public.welfare_checks (
  id uuid primary key default gen_random_uuid(),
  assignment_id uuid not null references public.assignments (id) on delete cascade,
  shift_id uuid not null references public.shifts (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  site_id uuid not null references public.sites (id) on delete cascade,
  due_at timestamptz not null,
  every_minutes integer not null check (every_minutes between 10 and 480),
  asked_at timestamptz,
  reminders integer not null default 0 check (reminders between 0 and 2),
  reminded_at timestamptz,
  alerted_at timestamptz,
  -- When the guard answered, by the corrected clock of the phone; it may arrive much later.
  answered_at timestamptz,
  received_at timestamptz,
  way text check (way in ('phone', 'message', 'call')),
  -- The guard clocked out without an answer.
  ended_at timestamptz,
  -- When the next notice or the alert is due; null when nothing follows.
  next_step_at timestamptz,
  created_at timestamptz not null default now(),
  unique (assignment_id, due_at),
  constraint welfare_checks_answer_is_complete check (
    (answered_at is null) = (received_at is null) and (answered_at is null) = (way is null)
    and (answered_at is null or next_step_at is null)
  )
);
comment on column public.welfare_checks.every_minutes is 'Derived: minutes until the next check';
comment on column public.welfare_checks.site_id is 'Derived: the site of the shift, so that policies need no join';
create index welfare_checks_shift_id_idx on public.welfare_checks (shift_id);
create index welfare_checks_user_id_idx on public.welfare_checks (user_id, due_at desc);
create index welfare_checks_site_id_idx on public.welfare_checks (site_id, due_at desc);
create index welfare_checks_next_step_idx on public.welfare_checks (next_step_at) where next_step_at is not null;
select private.keep_history_of('public.welfare_checks');

alter table public.welfare_checks enable row level security;
-- Written by the functions below alone.
revoke all on public.welfare_checks from anon, authenticated;
grant select on public.welfare_checks to authenticated;
create policy "Planners read the welfare checks of their sites" on public.welfare_checks
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read their own welfare checks" on public.welfare_checks
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
alter publication supabase_realtime add table public.welfare_checks;
alter table public.welfare_checks replica identity full;

-- Makes the next check of every guard on duty who has none ahead. The times count from the clock-in. After
-- server downtime the missed times are skipped: nobody was asked. After the end of the shift, an unanswered check is
-- the last one: the guard has probably gone home without clocking out.
create function private.make_welfare_checks() returns void
language sql security definer set search_path = '' as $$
  insert into public.welfare_checks
    (assignment_id, shift_id, user_id, site_id, due_at, every_minutes, next_step_at)
  select a.id, a.shift_id, a.user_id, a.site_id, next.due_at, every.minutes, next.due_at
  from public.attendance r
  join public.assignments a on a.id = r.assignment_id
  join public.shifts s on s.id = a.shift_id
  join public.sites t on t.id = a.site_id
  left join public.posts p on p.id = s.post_id
  cross join private.welfare_minutes(t.welfare_every_minutes, p.lone_worker) every (minutes)
  cross join lateral (
    select max(c.due_at) as due_at, bool_or(c.answered_at is null and c.ended_at is null) as is_silent
    from public.welfare_checks c where c.assignment_id = a.id
  ) last
  cross join lateral (
    select base.at + every.minutes * interval '1 minute' * (
      1 + floor(greatest(0, extract(epoch from now() - base.at)) / (60 * every.minutes))
    ) as due_at
    from (select greatest(last.due_at, r.clock_in_at)) base (at)
  ) next
  where r.clock_out_at is null and every.minutes is not null
    and (last.due_at is null or last.due_at <= now())
    and next.due_at <= s.end_time + case when last.is_silent then interval '0' else interval '4 hours' end
  on conflict (assignment_id, due_at) do nothing;
$$;

-- Messages that wait for more notices go out now.
create function private.send_notices_now(p_people uuid[]) returns void
language sql security definer set search_path = '' as $$
  update private.notice_deliveries d set next_at = now()
  where d.user_id = any (p_people) and d.state = 'open' and d.next_at > now();
$$;

-- Asks, reminds and alerts about what is due. The scheduler calls it every few seconds, in any number of processes:
-- each step of a check is taken once. Returns the number of steps. At most 1,000 at a time.
create function private.due_welfare_checks() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  steps interval[] := private.welfare_steps();
  taken public.welfare_checks;
  people uuid[] := '{}';
  done integer := 0;
  place text;
  clock text;
begin
  perform private.make_welfare_checks();
  for taken in
    with due as (
      select c.id from public.welfare_checks c where c.next_step_at <= now()
      order by c.next_step_at limit 1000 for update skip locked
    )
    update public.welfare_checks c set
      asked_at = coalesce(c.asked_at, now()),
      reminders = case when c.asked_at is null then 0 else least(2, c.reminders + 1) end,
      reminded_at = case when c.asked_at is not null and c.reminders < 2 then now() else c.reminded_at end,
      alerted_at = case when c.reminders = 2 then now() end,
      -- After server downtime the guard still has a minute to answer between the steps.
      next_step_at = case when c.reminders < 2 then greatest(now() + interval '1 minute',
        c.due_at + steps[case when c.asked_at is null then 1 else c.reminders + 2 end]) end
    from due where c.id = due.id
    returning c.*
  loop
    done := done + 1;
    select t.name, private.clock_text(taken.due_at, t.timezone) into place, clock
    from public.sites t where t.id = taken.site_id;
    if taken.alerted_at is not null then
      perform private.raise_alert('welfare', 'welfare:' || taken.id, taken.site_id, taken.shift_id, taken.assignment_id,
        taken.user_id, format('%s did not answer the check of %s or two reminders',
          private.name_of_person(taken.user_id), clock));
    else
      perform private.notify(taken.user_id, 'welfare',
        (array['Are you fine?', 'Reminder: are you fine?', 'Last reminder: are you fine?'])[taken.reminders + 1],
        format('Welfare check, %s, %s. Open this and press "I am fine", or answer OK by text message.', place, clock),
        '/staff', format('welfare:%s:%s', taken.id, taken.reminders));
      people := people || taken.user_id;
    end if;
  end loop;
  perform private.send_notices_now(people);
  return done;
end
$$;

-- A time at a site, for example "6:02 PM".
create function private.clock_text(at timestamptz, zone text) returns text
language sql stable set search_path = ''
return to_char(at at time zone zone, 'FMHH12:MI AM');

-- The guard was fine at p_at: answers every check of the assignment that was due by then. Of several answers the
-- earliest that is in time for the check counts, in whatever order they arrive. Returns the number of checks.
create function private.answer_welfare(p_person uuid, p_assignment uuid, p_at timestamptz, p_way text)
returns integer
language plpgsql security definer set search_path = '' as $$
declare
  answered public.welfare_checks;
  done integer := 0;
  zone text;
begin
  for answered in
    update public.welfare_checks c
    set answered_at = p_at, received_at = now(), way = p_way, next_step_at = null
    where c.user_id = p_person and c.assignment_id = p_assignment
      and c.due_at <= p_at + private.welfare_lead()
      and (c.answered_at is null or c.answered_at > p_at)
    returning c.*
  loop
    done := done + 1;
    if answered.alerted_at is not null then
      select t.timezone into zone from public.sites t where t.id = answered.site_id;
      perform private.close_alert('welfare:' || answered.id, 'answered',
        format('The guard answered at %s', private.clock_text(p_at, zone))
        || case when p_at < now() - interval '2 minutes'
          then format(', received at %s', private.clock_text(now(), zone)) else '' end
        || case p_way when 'message' then ', by text message' when 'call' then ', by a missed call' else '' end);
    end if;
  end loop;
  return done;
end
$$;

-- The same from a phone, whose clock may be wrong.
create function private.answer_welfare_by_phone(
  p_person uuid, p_assignment uuid, p_device_at timestamptz, p_sent_at timestamptz, p_server_offset_ms bigint
) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  known_at timestamptz;
begin
  if p_assignment is null or p_device_at is null or not isfinite(p_device_at) or isfinite(p_sent_at) is false then
    raise exception 'An answer needs a shift, a date and a time.' using errcode = 'invalid_parameter_value';
  end if;
  known_at := p_device_at + coalesce(p_server_offset_ms * interval '1 millisecond', now() - p_sent_at, '0');
  return private.answer_welfare(p_person, p_assignment, least(now(), private.time_of_event(
    known_at, p_device_at + (now() - coalesce(p_sent_at, p_device_at)), now() - interval '3 days')), 'phone');
end
$$;

-- "I am fine", from the guard's own phone. Safe to repeat and to send late: the time of the device counts. Returns how
-- many checks it answered; never refused, because the checks are the server's.
create function public.answer_welfare_check(
  p_assignment_id uuid, p_device_at timestamptz, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null
) returns integer
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  return private.answer_welfare_by_phone(
    auth.uid(), p_assignment_id, p_device_at, p_sent_at, p_server_offset_ms);
end
$$;

-- The checks that the caller has not answered: the next one, and those that are overdue.
create function public.my_welfare_checks() returns table (
  id uuid, assignment_id uuid, site_name text, timezone text, due_at timestamptz, every_minutes integer,
  end_time timestamptz
)
language sql stable set search_path = '' as $$
  select c.id, c.assignment_id, t.name, t.timezone, c.due_at, c.every_minutes, s.end_time
  from public.welfare_checks c
  join public.sites t on t.id = c.site_id
  join public.shifts s on s.id = c.shift_id
  where c.user_id = (select auth.uid()) and c.answered_at is null and c.ended_at is null
    and c.due_at > now() - interval '1 day'
  order by c.due_at
  limit 100;
$$;

-- Checks end with the clock-out. One that nobody was asked about is deleted.
create function private.end_welfare_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  ended public.welfare_checks;
  zone text;
begin
  delete from public.welfare_checks c
  where c.assignment_id = new.assignment_id and c.asked_at is null and c.answered_at is null;
  for ended in
    update public.welfare_checks c set ended_at = now(), next_step_at = null
    where c.assignment_id = new.assignment_id and c.answered_at is null and c.ended_at is null
    returning c.*
  loop
    if ended.alerted_at is not null then
      select t.timezone into zone from public.sites t where t.id = ended.site_id;
      perform private.close_alert('welfare:' || ended.id, 'closed',
        format('Clocked out at %s', private.clock_text(new.clock_out_at, zone)));
    end if;
  end loop;
  return null;
end
$$;
create trigger welfare_checks_end after update on public.attendance
  for each row when (old.clock_out_at is null and new.clock_out_at is not null)
  execute function private.end_welfare_checks();

revoke all on function
  private.welfare_steps, private.welfare_lead, private.welfare_minutes, private.make_welfare_checks,
  private.send_notices_now, private.due_welfare_checks, private.clock_text, private.answer_welfare,
  private.answer_welfare_by_phone, private.end_welfare_checks
from public;
revoke all on function public.answer_welfare_check, public.my_welfare_checks from public, anon;
grant execute on function public.answer_welfare_check, public.my_welfare_checks to authenticated;
