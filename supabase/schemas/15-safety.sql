-- SOS, welfare checks, messages from phones.

-- ── Tables ────────────────────────────────────────────────────────────

create type private.message_words as (word text, code text, pin text, is_clear boolean);

create table public.inbound_messages (
  id uuid default gen_random_uuid() primary key,
  -- Of the gateway, such as twilio:SM… . A message that is delivered again has the same id.
  provider_id text not null unique check (char_length(provider_id) <= 200),
  kind text not null check (kind in ('text', 'call')),
  from_phone text check (char_length(from_phone) <= 40), -- As the gateway wrote it; null if the number is withheld.
  body text not null default '' check (char_length(body) <= 500), -- Without PINs.
  sent_at timestamptz, -- Null if the gateway doesn't send it.
  received_at timestamptz not null default now(),
  user_id uuid references public.profiles on delete set null,
  assignment_id uuid references public.assignments on delete set null,
  site_id uuid references public.sites on delete set null,
  outcome text not null
    check (outcome in ('clocked_in', 'clocked_out', 'fine', 'sos', 'repeated', 'unknown_number', 'restricted',
      'ambiguous', 'wrong_pin', 'unknown_words', 'no_shift', 'out_before_in', 'refused')),
  -- Not a generated column: with those, rows of a published table with a full identity can't be changed.
  is_exception boolean not null default true,
  reply text not null default '' check (char_length(reply) <= 320),
  handled_at timestamptz,
  handled_by uuid references public.profiles on delete set null,
  constraint inbound_messages_exceptions_need_a_planner check (is_exception = (outcome <> all (array['clocked_in',
    'clocked_out', 'fine', 'sos', 'repeated'])))
);
comment on column public.inbound_messages.is_exception is 'Derived: a planner must look at it';
create index inbound_messages_user_id_idx on public.inbound_messages (user_id, received_at desc)
  where user_id is not null;
create index inbound_messages_assignment_id_idx on public.inbound_messages (assignment_id)
  where assignment_id is not null;
create index inbound_messages_site_id_idx on public.inbound_messages (site_id, received_at desc)
  where site_id is not null;
create index inbound_messages_handled_by_idx on public.inbound_messages (handled_by) where handled_by is not null;
create index inbound_messages_from_phone_idx on public.inbound_messages (from_phone, received_at desc);
create index inbound_messages_open_idx on public.inbound_messages (received_at desc)
  where is_exception and handled_at is null;
create index inbound_messages_received_at_idx on public.inbound_messages (received_at);
alter table public.inbound_messages replica identity full;
alter publication supabase_realtime add table public.inbound_messages;
select private.keep_history_of('public.inbound_messages');
alter table public.inbound_messages enable row level security;
grant select on public.inbound_messages to authenticated;
create policy "Planners read every message of guards" on public.inbound_messages
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read messages about their own sites" on public.inbound_messages
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));

-- SOS: a guard holds the button, or texts SOS. The event is stored whatever else is wrong with it, and raises an alert.
create table public.sos_events (
  id uuid default gen_random_uuid() primary key, -- Made on the device, so that a retry is the same event.
  user_id uuid not null references public.profiles on delete cascade,
  assignment_id uuid references public.assignments on delete set null,
  site_id uuid references public.sites on delete set null,
  gps text check (private.is_position(gps)),
  accuracy_m real check (accuracy_m >= 0::double precision and accuracy_m <= 1000000::double precision),
  device_at timestamptz, -- The time on the device's clock, right or wrong.
  happened_at timestamptz not null default now(),
  received_at timestamptz not null default now(),
  way text not null default 'phone' check (way in ('phone', 'message')),
  flags text[] not null default '{}' check (flags <@ array['device_clock', 'no_location']),
  cancelled_at timestamptz,
  cancel_note text check (char_length(cancel_note) <= 500),
  joined uuid references public.sos_events on delete set null -- The first press, whose alert this one joined.
);
comment on column public.sos_events.site_id is 'Where the guard is on duty or works next; null if that is unknown';
comment on column public.sos_events.happened_at
  is 'Derived: the device''s time corrected by its offset; the time of arrival if that is impossible';
comment on column public.sos_events.cancelled_at is 'When the guard called it a false alarm, within a minute';
comment on column public.sos_events.joined is 'The press whose alert this one joined; null for the first.';
create index sos_events_user_id_idx on public.sos_events (user_id, received_at desc);
create index sos_events_assignment_id_idx on public.sos_events (assignment_id) where assignment_id is not null;
create index sos_events_site_id_idx on public.sos_events (site_id, received_at desc) where site_id is not null;
create index sos_events_received_at_idx on public.sos_events (received_at desc);
create index sos_events_positions_idx on public.sos_events (happened_at) where gps is not null;
create index sos_events_joined_idx on public.sos_events (joined) where joined is not null;
alter table public.sos_events replica identity full;
alter publication supabase_realtime add table public.sos_events;
select private.keep_history_of('public.sos_events');
alter table public.sos_events enable row level security;
grant select on public.sos_events to authenticated;
create policy "Planners read the SOS of their sites" on public.sos_events
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read their own SOS" on public.sos_events
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

create table public.welfare_checks (
  id uuid default gen_random_uuid() primary key,
  assignment_id uuid not null references public.assignments on delete cascade,
  shift_id uuid not null references public.shifts on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  site_id uuid not null references public.sites on delete cascade,
  due_at timestamptz not null,
  every_minutes integer not null check (every_minutes between 10 and 480),
  asked_at timestamptz,
  reminders integer not null default 0 check (reminders between 0 and 2),
  reminded_at timestamptz,
  alerted_at timestamptz,
  answered_at timestamptz, -- When the guard answered, by the corrected clock of the phone; it may arrive much later.
  received_at timestamptz,
  way text check (way in ('phone', 'message', 'call')),
  ended_at timestamptz, -- The guard clocked out without an answer.
  next_step_at timestamptz, -- When the next notice or the alert is due; null when nothing follows.
  created_at timestamptz not null default now(),
  unique (assignment_id, due_at),
  constraint welfare_checks_answer_is_complete check ((answered_at is null) = (received_at is null)
    and (answered_at is null) = (way is null) and (answered_at is null or next_step_at is null))
);
comment on column public.welfare_checks.site_id is 'Derived: the site of the shift, so that policies need no join';
comment on column public.welfare_checks.every_minutes is 'Derived: minutes until the next check';
create index welfare_checks_shift_id_idx on public.welfare_checks (shift_id);
create index welfare_checks_user_id_idx on public.welfare_checks (user_id, due_at desc);
create index welfare_checks_site_id_idx on public.welfare_checks (site_id, due_at desc);
create index welfare_checks_next_step_idx on public.welfare_checks (next_step_at) where next_step_at is not null;
create index welfare_checks_due_at_idx on public.welfare_checks (due_at);
alter table public.welfare_checks replica identity full;
alter publication supabase_realtime add table public.welfare_checks;
select private.keep_history_of('public.welfare_checks');
alter table public.welfare_checks enable row level security;
grant select on public.welfare_checks to authenticated;
create policy "Planners read the welfare checks of their sites" on public.welfare_checks
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read their own welfare checks" on public.welfare_checks
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- ── Functions ─────────────────────────────────────────────────────────

-- Ends the open checks of an assignment. One that nobody was asked about is deleted.
create function private.end_checks_of(p_assignment_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  ended public.welfare_checks;
begin
  delete from public.welfare_checks c
  where c.assignment_id = p_assignment_id and c.asked_at is null and c.answered_at is null;
  for ended in
    update public.welfare_checks c set ended_at = now(), next_step_at = null
    where c.assignment_id = p_assignment_id and c.answered_at is null and c.ended_at is null
    returning c.*
  loop
    if ended.alerted_at is not null then
      perform private.close_alert('welfare:' || ended.id, 'closed', p_reason);
    end if;
  end loop;
end
$$;

create function private.end_welfare_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.end_checks_of(new.assignment_id, format('Clocked out at %s', private.clock_text(new.clock_out_at,
    (select t.timezone from public.sites t where t.id = new.site_id))));
  return null;
end
$$;

-- A shift that moves to another site takes its open checks and their alerts along, whose planners get a notice. Checks
-- that nobody was asked about are made again, by the other site's interval.
create function private.move_welfare_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moved uuid[];
begin
  delete from public.welfare_checks c where c.shift_id = new.id and c.asked_at is null and c.answered_at is null;
  update public.welfare_checks c set site_id = new.site_id
  where c.shift_id = new.id and c.answered_at is null and c.ended_at is null;
  with followed as (
    update public.alerts a set site_id = new.site_id
    where a.shift_id = new.id and a.kind = 'welfare' and a.closed_at is null
    returning a.id
  )
  select array_agg(f.id) into moved from followed f;
  perform private.tell_of_alerts(moved);
  return null;
end
$$;

-- Another interval counts from now on: checks that nobody was asked about are made again by it, or not at all.
create function private.remake_welfare_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.welfare_checks c
  where c.asked_at is null and c.answered_at is null
    and case tg_table_name when 'sites' then c.site_id = new.id
      else c.shift_id in (select s.id from public.shifts s where s.post_id = new.id) end;
  return null;
end
$$;

-- An answer this long before a check counts for it.
create function private.welfare_lead() returns interval
language sql immutable set search_path = '' return interval '5 minutes';

-- The guard was fine at p_at: answers every check of the assignment that was due by then. Of several answers the
-- earliest that is in time for the check counts, in whatever order they arrive. Returns the number of checks.
create function private.answer_welfare(p_person uuid, p_assignment uuid, p_at timestamptz, p_way text) returns integer
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
  return private.answer_welfare_by_phone(auth.uid(), p_assignment_id, p_device_at, p_sent_at, p_server_offset_ms);
end
$$;
grant execute on function public.answer_welfare_check to authenticated;

-- The text of the alert that the press began, from all presses in it.
create function private.sos_text(p_first uuid, p_site uuid) returns text
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
          select '; newest positions: ' || string_agg(n.clock || ' ' || n.place, ', '
            order by n.received_at, n.happened_at)
          from (
            select * from presses p where p.id <> f.id and p.gps is not null
            order by p.received_at desc, p.happened_at desc limit 3
          ) n), '')
      else '' end, 500)
  from first f cross join last l;
$$;

-- A guard can call an SOS a false alarm for this long.
create function private.sos_cancel_window() returns interval
language sql immutable set search_path = '' return interval '1 minute';

-- Presses of the last minute end together: a guard who pressed five times cancels once.
create function public.cancel_sos(
  p_id uuid, p_note text default null, p_device_at timestamptz default null, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null
) returns public.sos_events
language plpgsql security definer set search_path = '' as $$
declare
  sos public.sos_events;
  at_time timestamptz := coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now());
  reason text := coalesce(left(nullif(btrim(left(p_note, 1000)), ''), 500), 'Pressed by mistake');
  -- A few seconds more, because both times are read from the device's clock.
  span constant interval := private.sos_cancel_window() + interval '5 seconds';
  first uuid;
begin
  perform private.require_member();
  perform pg_advisory_xact_lock(hashtextextended('sos of ' || auth.uid(), 0));
  select * into sos from public.sos_events e where e.id = p_id and e.user_id = auth.uid() for update;
  if not found then
    raise exception 'This SOS does not exist.' using errcode = 'PT404';
  end if;
  if sos.cancelled_at is not null then
    return sos;
  end if;
  if at_time > sos.happened_at + span then
    raise exception 'An SOS can be called a false alarm for one minute. Tell the control room.' using errcode = 'PT409';
  end if;
  first := coalesce(sos.joined, sos.id);
  update public.sos_events e set cancelled_at = greatest(at_time, e.happened_at), cancel_note = reason
  where first in (e.id, e.joined) and e.cancelled_at is null
    and (e.id = sos.id or e.happened_at <= at_time and at_time <= e.happened_at + span);
  select * into sos from public.sos_events e where e.id = p_id;
  update public.alerts l set detail = private.sos_text(first, l.site_id)
  where l.cause = 'sos:' || first and l.closed_at is null;
  return sos;
end
$$;
grant execute on function public.cancel_sos to authenticated;

-- A planner has looked at an exception, or (p_is_handled false) undoes that.
create function public.handle_message(p_message_id uuid, p_is_handled boolean default true)
returns public.inbound_messages
language plpgsql security definer set search_path = '' as $$
declare
  message public.inbound_messages;
begin
  select * into message from public.inbound_messages m where m.id = p_message_id for update;
  if not found or not (
    private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')
    or coalesce(message.site_id = any (private.supervised_sites()), false)
  ) then
    raise exception 'This message doesn''t exist, or it isn''t about one of your sites.' using errcode = 'PT404';
  end if;
  if not message.is_exception or (message.handled_at is not null) = coalesce(p_is_handled, true) then
    return message;
  end if;
  update public.inbound_messages m set
    handled_at = case when coalesce(p_is_handled, true) then now() end,
    handled_by = case when coalesce(p_is_handled, true) then auth.uid() end
  where m.id = message.id returning * into message;
  return message;
end
$$;
grant execute on function public.handle_message to authenticated;

-- The checks that the caller has not answered: the next one, and those that are overdue.
create function public.my_welfare_checks()
returns table (
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
  order by c.due_at limit 100;
$$;
grant execute on function public.my_welfare_checks to authenticated;

-- The site whose planners get the notice: of the assignment; without any, where the person last worked, the nearest
-- site to the position, or any. Null only for a company without sites.
create function private.site_of_sos(p_person uuid, p_gps text) returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select a.site_id from public.assignments a
     where a.user_id = p_person and a.status <> 'cancelled' order by abs(extract(epoch from a.starts_at - now()))
       limit 1),
    (select t.id from public.sites t
     order by private.distance_m(p_gps, t.latitude, t.longitude) nulls last, t.created_at, t.id limit 1)
  );
$$;

-- The first press of the alert that a press at the site joins. A control room that has answered, and heard nothing for
-- ten minutes or of a false alarm, is alarmed again.
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

-- Whether a press that joins says what nobody knows yet: all before it were called false alarms, or the newest is older
-- than two minutes. Presses of one distress follow within seconds, also on a network that delays some; a guard who
-- presses again after a longer pause is still without help.
create function private.is_new_distress(p_first uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_first is not null and not exists (
    select from public.sos_events e
    where p_first in (e.id, e.joined) and e.cancelled_at is null and e.received_at > now() - interval '2 minutes'
  );
$$;

-- Everybody who plans the site, at once, except the caller. Some have the notice of the alert already.
create function private.tell_planners_of_sos(p_sos uuid, p_alert uuid, p_site uuid, p_detail text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  people uuid[] := array(
    select distinct r.user_id from public.user_roles r
    where r.user_id is distinct from auth.uid() and (
      r.site_id is null and r.role in ('admin', 'ops_manager', 'supervisor', 'dispatcher')
      or r.role = 'supervisor' and r.site_id = p_site
    )
    order by 1
  );
begin
  perform private.notify(person, 'sos', 'SOS', p_detail, '/admin/operations', format('sos:%s:%s', p_sos, person))
  from unnest(people) person
  where not exists (select from public.notices n where n.dedupe_key = format('alert:%s:%s', p_alert, person));
  perform private.send_notices_now(people);
end
$$;

-- Everybody whom an SOS reaches is told of the press, and the escalation of an alert that nobody answered begins again.
create function private.repeat_sos_notices(p_sos uuid, p_first uuid, p_site uuid, p_words text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  again uuid;
begin
  update public.alerts l set escalations = 0, escalated_at = now()
  where l.cause = 'sos:' || p_first and l.closed_at is null and l.acknowledged_at is null returning l.id into again;
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

-- Stores an SOS once per id, raises the alert, and tells every planner of the site. A repeat adds a position that was
-- still missing.
create function private.store_sos(
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
  where e.user_id = excluded.user_id returning * into sos;
  if sos.id is null then
    -- Somebody else's event with this id came in between.
    return private.store_sos(p_person, gen_random_uuid(), p_way, p_device_at, p_at, p_gps, p_accuracy_m);
  end if;
  first := coalesce(sos.joined, sos.id);
  -- Sent again, perhaps with a position: the alert is where it was raised.
  told := coalesce((select l.site_id from public.alerts l where l.cause = 'sos:' || first), told);
  words := private.sos_text(first, told);
  if told is not null then
    alert := private.raise_alert('sos', 'sos:' || first, told, assignment.shift_id, assignment.id, p_person, words,
      sos.received_at);
    update public.alerts l set detail = words
    where l.cause = 'sos:' || first and l.closed_at is null and l.detail is distinct from words;
  end if;
  if alert is not null or told is null and not is_repeat and sos.joined is null then
    perform private.tell_planners_of_sos(sos.id, alert, told, words);
  elsif is_news then
    perform private.repeat_sos_notices(sos.id, first, told, words);
  end if;
  return sos;
end
$$;

-- The caller's SOS. Also outside a shift; a wrong clock or position is stored, not refused.
create function public.raise_sos(
  p_id uuid, p_device_at timestamptz default null, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null, p_gps text default null, p_accuracy_m real default null
) returns public.sos_events
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  return private.store_sos(auth.uid(), p_id, 'phone', case when isfinite(p_device_at) then p_device_at end,
    private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), p_gps, p_accuracy_m);
end
$$;
grant execute on function public.raise_sos to authenticated;

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

create function private.record_message_event(
  p_message public.inbound_messages, p_kind text, p_assignment uuid, p_at timestamptz
) returns public.clock_events
language sql security definer set search_path = '' as $$
  select private.record_event_for(p_message.user_id, 'message', null, null, p_message.id, p_kind, p_assignment, p_at,
    p_server_offset_ms => 0,
    p_reason => case p_message.kind when 'call' then 'By a missed call' else 'By text message' end);
$$;

-- The guard clocks in or out. Returns the message with its outcome and reply.
create function private.clock_by_message(p_message public.inbound_messages, p_kind text, p_at timestamptz, p_post uuid)
returns public.inbound_messages
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
    r.clock_out_at is null or p_kind = 'out' and r.clock_out_at between p_at - interval '2 hours'
      and p_at + interval '2 hours'
  )
  order by 'overtaken' = any (r.flags), r.clock_out_at desc nulls first limit 1;
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

-- After a check is due: the first reminder, the second one, the alert.
create function private.welfare_steps() returns interval[]
language sql immutable set search_path = ''
return array[interval '5 minutes', interval '10 minutes', interval '15 minutes'];

-- Minutes between checks; null for none.
create function private.welfare_minutes(p_of_site integer, p_is_lone boolean) returns integer
language sql immutable set search_path = '' return coalesce(p_of_site, case when p_is_lone then 60 end);

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
  where private.is_clocked_in(r) and every.minutes is not null
    and (last.due_at is null or last.due_at <= now())
    and next.due_at <= s.end_time + case when last.is_silent then interval '0' else interval '4 hours' end
  on conflict (assignment_id, due_at) do nothing;
$$;

-- Asks, reminds, and tells the control room of those who did not answer. @returns how many checks had a step that was
-- due
create function private.due_welfare_checks() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  steps interval[] := private.welfare_steps();
  taken public.welfare_checks;
  people uuid[] := '{}';
  unanswered uuid[] := '{}';
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
      unanswered := unanswered || private.add_alert('welfare', 'welfare:' || taken.id, taken.site_id, taken.shift_id,
        taken.assignment_id,
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
  perform private.tell_of_alerts(array_remove(unanswered, null));
  perform private.send_notices_now(people);
  return done;
end
$$;

-- The guard is fine. A missed call counts so too while a check is due.
create function private.answer_welfare_by_message(p_message public.inbound_messages, p_at timestamptz)
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
create function private.interpret_missed_call(p_person uuid, p_at timestamptz) returns text
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
    where r.user_id = p_person and private.is_clocked_in(r)
  ) on_duty on true;
$$;

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

-- The position that a text message names, as the link to a map in the app's SOS does.
create function private.position_in(p_body text) returns text
language sql immutable set search_path = '' as $$
  select found.place from (
    select substring(p_body from '(?:^|[^0-9.-])(-?[0-9]{1,2}\.[0-9]{1,8},-?[0-9]{1,3}\.[0-9]{1,8})') as place
  ) found where private.is_position(found.place);
$$;

-- The body as it is stored, without PINs. A position stays, though its digits look like some.
create function private.without_pins(p_body text) returns text
language sql immutable set search_path = '' as $$
  select left(replace(regexp_replace(replace(b.body, p.place, chr(1)), '\m[0-9]{4,8}\M', '****', 'g'),
    chr(1), p.place), 500)
  from (select left(coalesce(p_body, ''), 1000) as body) b
  cross join lateral (select coalesce(private.position_in(b.body), chr(1)) as place) p;
$$;

-- What the message is about and what came of it, before it is stored.
create function private.carry_out_message(p_message public.inbound_messages, p_words private.message_words)
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
      where r.user_id = any (people) and private.is_clocked_in(r));
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
      select from public.attendance r
      where r.user_id = message.user_id and private.is_clocked_in(r)
    ) then 'OUT' else 'IN' end);
  end if;
  return private.clock_by_message(message, lower(word), at_time, post.id);
end
$$;

-- In any case, with any spaces and signs: "in p 4821", "Ok!". SOS counts among any other words.
create function private.parse_message(p_body text) returns private.message_words
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

-- Takes a message once. The same id again returns what is stored. All null if this number has sent 20 within ten
-- minutes, unless it asks for help.
create function private.take_message(
  p_provider_id text, p_kind text, p_from text, p_body text,
  p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone
) returns inbound_messages
language plpgsql security definer set search_path = '' as $function$
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
