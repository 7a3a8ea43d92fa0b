-- Dispatch: calls for service, the units that answer them, and the timeline of both.

-- ── Tables ────────────────────────────────────────────────────────────

-- Minutes from a call to each step, by priority. A call stores when they are due, so a change counts for later calls.
create table public.call_goals (
  id uuid default gen_random_uuid() primary key,
  priority text not null unique check (priority in ('danger', 'urgent', 'routine')),
  reply_minutes integer not null check (reply_minutes between 1 and 60), -- Of a unit that is asked; then the next.
  answer_minutes integer not null check (answer_minutes between 1 and 1440), -- Until a unit has accepted.
  en_route_minutes integer not null check (en_route_minutes between 1 and 1440),
  on_scene_minutes integer not null check (on_scene_minutes between 1 and 1440),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint call_goals_in_order check (reply_minutes <= answer_minutes and answer_minutes <= en_route_minutes
    and en_route_minutes <= on_scene_minutes)
);

insert into public.call_goals (priority, reply_minutes, answer_minutes, en_route_minutes, on_scene_minutes) values
  ('danger', 1, 3, 5, 15), ('urgent', 2, 5, 10, 30), ('routine', 5, 15, 30, 60);
-- Triggers, in the order in which they fire:
create trigger d_touch before update on public.call_goals for each row execute function private.touch();
select private.keep_history_of('public.call_goals');
alter table public.call_goals enable row level security;
revoke insert, delete, truncate on public.call_goals from service_role;
grant select, update (reply_minutes, answer_minutes, en_route_minutes, on_scene_minutes)
  on public.call_goals to authenticated;
create policy "Dispatchers and managers read the goals of calls" on public.call_goals
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'dispatcher')));
create policy "Managers change the goals of calls" on public.call_goals
  for update to authenticated using ((select private.has_role('admin', 'ops_manager')));

-- Written by save_call and its neighbours alone. What happened to it is in unit_events; state, times and outcome follow
-- from there.
create table public.service_calls (
  id uuid default gen_random_uuid() primary key, -- Made in the form, so that a repeat is the same call.
  source text not null default 'operator' check (source in ('operator', 'sos', 'incident', 'panel')),
  source_key text unique check (char_length(source_key) <= 200), -- Of what it was made from: stored once per key.
  alert_id uuid references public.alerts on delete set null,
  incident_id uuid references public.incidents on delete set null,
  site_id uuid references public.sites on delete set null,
  client_id uuid references public.clients on delete set null,
  client_name text check (char_length(client_name) <= 200),
  address text not null check (char_length(address) between 1 and 500),
  gps text check (private.is_position(gps)),
  kind text not null check (kind in ('alarm', 'intruder', 'escort', 'medical', 'fire', 'other')),
  priority text not null check (priority in ('danger', 'urgent', 'routine')),
  caller_name text check (char_length(caller_name) <= 100),
  caller_phone text check (char_length(caller_phone) <= 40),
  details text check (char_length(details) <= 2000),
  received_at timestamptz not null default now(),
  answer_due_at timestamptz not null,
  en_route_due_at timestamptz not null,
  on_scene_due_at timestamptz not null,
  state text not null default 'open'
    check (state in ('open', 'assigned', 'en_route', 'on_scene', 'clear', 'closed', 'cancelled')),
  answered_at timestamptz,
  en_route_at timestamptz,
  on_scene_at timestamptz,
  cleared_at timestamptz,
  closed_at timestamptz,
  outcome text check (outcome in ('secured', 'intervened', 'handed_over', 'false_alarm', 'other')),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint service_calls_ended check ((state in ('closed', 'cancelled')) = (closed_at is not null)),
  constraint service_calls_closed_with_outcome check ((state = 'closed') = (outcome is not null)),
  constraint service_calls_source_known check ((source = 'operator') = (source_key is null))
);
comment on column public.service_calls.client_id is 'Derived: the client of the site';
comment on column public.service_calls.client_name is 'Derived: of the site, for dispatchers, who read no clients';
comment on column public.service_calls.state is 'Derived: private.settle_call';
comment on column public.service_calls.answered_at is 'Derived: when the first unit accepted';
create index service_calls_open_idx on public.service_calls (received_at) where closed_at is null;
create index service_calls_closed_at_idx on public.service_calls (closed_at desc) where closed_at is not null;
create index service_calls_site_id_idx on public.service_calls (site_id, received_at desc);
create index service_calls_client_id_idx on public.service_calls (client_id, received_at desc);
create index service_calls_alert_id_idx on public.service_calls (alert_id) where alert_id is not null;
create index service_calls_incident_id_idx on public.service_calls (incident_id) where incident_id is not null;
create index service_calls_created_by_idx on public.service_calls (created_by);
alter table public.service_calls replica identity full;
alter publication supabase_realtime add table public.service_calls;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.service_calls', 'address', 'caller_name', 'caller_phone', 'details');
create trigger d_touch before update on public.service_calls for each row execute function private.touch();
select private.keep_history_of('public.service_calls');
alter table public.service_calls enable row level security;
revoke insert, update, delete, truncate on public.service_calls from service_role;
grant select on public.service_calls to authenticated;
create policy "Planners of all sites read calls for service" on public.service_calls
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read calls at their sites" on public.service_calls
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Members of a unit read the call that it answers" on public.service_calls
  for select to authenticated using (id = any ((select private.unit_calls())::uuid[]));

-- A vehicle with its people. Written by save_unit and its neighbours alone.
create table public.response_units (
  id uuid default gen_random_uuid() primary key,
  call_sign text not null check (char_length(call_sign) between 1 and 40),
  vehicle text check (char_length(vehicle) <= 100),
  site_id uuid references public.sites on delete set null, -- Base.
  base_gps text check (private.is_position(base_gps)), -- Where the base is no site.
  state text not null default 'available'
    check (state in ('available', 'assigned', 'en_route', 'on_scene', 'clear', 'out_of_service')),
  state_since timestamptz not null default now(),
  call_id uuid references public.service_calls on delete set null,
  assigned_id uuid,
  accepted_at timestamptz,
  reply_due_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint response_units_busy_with_call
    check (call_id is null or state in ('assigned', 'en_route', 'on_scene', 'clear'))
);
comment on column public.response_units.state is 'Derived: private.settle_unit';
comment on column public.response_units.call_id is 'Derived: the call it answers, until that is closed';
comment on column public.response_units.assigned_id is 'Derived: the event by which it was assigned to this call';
comment on column public.response_units.reply_due_at is 'Derived: when it is taken off if it has not answered';
create unique index response_units_call_sign_key on public.response_units (lower(call_sign));
create index response_units_site_id_idx on public.response_units (site_id);
create index response_units_call_id_idx on public.response_units (call_id) where call_id is not null;
create index response_units_reply_due_idx on public.response_units (reply_due_at) where reply_due_at is not null;
alter publication supabase_realtime add table public.response_units;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.response_units', 'call_sign', 'vehicle');
create trigger d_touch before update on public.response_units for each row execute function private.touch();
select private.keep_history_of('public.response_units');
alter table public.response_units enable row level security;
revoke insert, update, delete, truncate on public.response_units from service_role;
grant select on public.response_units to authenticated;
create policy "Planners and supervisors read units" on public.response_units
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or cardinality((select private.supervised_sites())) > 0);
create policy "Members read their own unit" on public.response_units
  for select to authenticated using (id = any ((select private.own_units())::uuid[]));

create table public.unit_members (
  id uuid default gen_random_uuid() primary key,
  unit_id uuid not null references public.response_units on delete cascade,
  user_id uuid not null unique references public.profiles on delete cascade, -- One unit: one card on the phone.
  created_at timestamptz not null default now()
);
create index unit_members_unit_id_idx on public.unit_members (unit_id);
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.unit_members');
alter table public.unit_members enable row level security;
revoke insert, update, delete, truncate on public.unit_members from service_role;
grant select on public.unit_members to authenticated;
create policy "Dispatchers and managers read who is in a unit" on public.unit_members
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'dispatcher')));
create policy "Members read in which unit they are" on public.unit_members
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- What happened to a call and to a unit: only added to. Nobody has a grant to change it.
create table public.unit_events (
  id uuid default gen_random_uuid() primary key, -- Made on the phone, so that a retry is the same event.
  sequence bigint generated always as identity,
  call_id uuid references public.service_calls on delete cascade, -- Null: in or out of service.
  unit_id uuid references public.response_units on delete cascade,
  assigned_id uuid references public.unit_events on delete cascade, -- The assignment that a step belongs to.
  kind text not null check (kind in ('received', 'changed', 'note', 'assigned', 'accepted', 'declined', 'no_answer',
    'en_route', 'on_scene', 'clear', 'taken_off', 'late_answer', 'late_en_route', 'late_on_scene', 'closed',
    'cancelled', 'reopened', 'out_of_service', 'in_service')),
  user_id uuid references public.profiles on delete set null, -- Null: the system.
  happened_at timestamptz not null default now(),
  device_at timestamptz, -- The time on the device's clock, right or wrong.
  received_at timestamptz not null default now(),
  gps text check (private.is_position(gps)),
  note text check (char_length(note) <= 500),
  outcome text check (outcome in ('secured', 'intervened', 'handed_over', 'false_alarm', 'other')),
  counts boolean not null default true,
  constraint unit_events_about_something check (call_id is not null or unit_id is not null),
  constraint unit_events_closed_with_outcome check ((kind = 'closed') = (outcome is not null)),
  constraint unit_events_steps_of_assignments check ((assigned_id is not null) = (kind in ('accepted', 'declined',
    'no_answer', 'en_route', 'on_scene', 'clear', 'taken_off')))
);
comment on column public.unit_events.happened_at is 'Derived: the device''s time corrected by its offset; the time of '
  'arrival if that is impossible';
comment on column public.unit_events.counts is 'Derived: false for a step that arrived after the assignment had ended';
create index unit_events_call_id_idx on public.unit_events (call_id, sequence);
create index unit_events_unit_id_idx on public.unit_events (unit_id, sequence desc);
create index unit_events_user_id_idx on public.unit_events (user_id, happened_at desc);
create index unit_events_happened_at_idx on public.unit_events (happened_at);
-- Double taps are one step, and each goal is missed once.
create unique index unit_events_step_key on public.unit_events (assigned_id, kind) where assigned_id is not null;
create unique index unit_events_late_key on public.unit_events (call_id, kind)
  where kind in ('late_answer', 'late_en_route', 'late_on_scene');
alter table public.unit_events replica identity full;
alter publication supabase_realtime add table public.unit_events;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.unit_events', 'note');
select private.keep_history_of('public.unit_events');
alter table public.unit_events enable row level security;
revoke insert, update, delete, truncate on public.unit_events from service_role;
revoke all on sequence public.unit_events_sequence_seq from service_role;
grant select on public.unit_events to authenticated;
create policy "Planners of all sites read what happened to calls and units" on public.unit_events
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read the timelines of calls at their sites" on public.unit_events
  for select to authenticated using (cardinality((select private.supervised_sites())) > 0 and exists (
    select from public.service_calls c
    where c.id = unit_events.call_id and c.site_id = any ((select private.supervised_sites())::uuid[])
  ));
create policy "Members of a unit read the timeline of the call that it answers" on public.unit_events
  for select to authenticated using (call_id = any ((select private.unit_calls())::uuid[]));

-- ── Functions ─────────────────────────────────────────────────────────

create function private.require_dispatch() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager', 'dispatcher') then
    raise exception 'Calls are for dispatchers and operations.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- The units of the caller.
create function private.own_units() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array(select m.unit_id from public.unit_members m where m.user_id = auth.uid() and private.is_member());
$$;
grant execute on function private.own_units to authenticated;

-- The calls that the caller's unit answers.
create function private.unit_calls() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array(
    select u.call_id from public.response_units u where u.id = any (private.own_units()) and u.call_id is not null
  );
$$;
grant execute on function private.unit_calls to authenticated;

-- Who is told about calls: dispatchers and operations; without any, the admins.
create function private.dispatchers() returns uuid[]
language sql stable security definer set search_path = '' as $$
  with office as materialized (
    select distinct r.user_id, r.role in ('dispatcher', 'ops_manager') as is_first
    from public.user_roles r where r.role in ('dispatcher', 'ops_manager', 'admin')
  )
  select array(
    select distinct o.user_id from office o
    where o.is_first or not exists (select from office f where f.is_first) order by 1
  );
$$;

-- "Alarm, Freeport Gate".
create function private.call_title(p_call public.service_calls) returns text
language sql stable security definer set search_path = '' as $$
  select initcap(p_call.kind) || ', '
    || coalesce((select t.name from public.sites t where t.id = p_call.site_id), p_call.address);
$$;

-- Of a notice, so that it is stored once per person.
create function private.dispatch_key(p_key text, p_person uuid) returns text
language sql immutable set search_path = '' return format('dispatch:%s:%s', p_key, p_person);

create function private.tell_dispatchers(p_call public.service_calls, p_title text, p_body text, p_key text)
returns void
language plpgsql security definer set search_path = '' as $$
declare
  people constant uuid[] := private.dispatchers();
begin
  perform private.notify(person, 'dispatch', p_title, p_body, '/admin/dispatch?open=' || p_call.id,
    private.dispatch_key(p_key, person))
  from unnest(people) person;
  perform private.send_notices_now(people);
end
$$;

-- The members of a unit whom a call alerts: those clocked in or with a shift now, and all while nobody is on duty.
-- @param p_told the assignment that ends: who was told of it hears of its end too
create function private.unit_people(p_unit uuid, p_told uuid default null) returns uuid[]
language sql stable security definer set search_path = '' as $$
  with people as materialized (
    select m.user_id,
      private.is_on_duty(m.user_id) or exists (
        select from public.assignments a
        where a.user_id = m.user_id and a.counts_as_staffed and a.attendance_state <> 'out'
          and a.starts_at > now() - interval '2 days' and a.period @> now()
      ) as is_on,
      p_told is not null and exists (
        select from public.notices n where n.dedupe_key = private.dispatch_key(p_told::text, m.user_id)
      ) as is_told
    from public.unit_members m where m.unit_id = p_unit
  )
  select array(
    select p.user_id from people p
    where p.is_on or p.is_told or not exists (select from people o where o.is_on or o.is_told) order by 1
  );
$$;

create function private.tell_unit(p_unit uuid, p_title text, p_body text, p_key text, p_told uuid default null)
returns void
language plpgsql security definer set search_path = '' as $$
declare
  people constant uuid[] := private.unit_people(p_unit, p_told);
begin
  perform private.notify(person, 'unit_call', p_title, p_body, '/staff', private.dispatch_key(p_key, person))
  from unnest(people) person;
  perform private.send_notices_now(people);
end
$$;

-- How far an assignment is: 1 asked, 2 on the way, 3 on scene, 4 clear; null if it ended before.
create function private.assignment_step(p_assigned uuid) returns integer
language sql stable security definer set search_path = '' as $$
  select case when coalesce(bool_or(e.kind in ('declined', 'no_answer', 'taken_off')), false) then null
    else greatest(1, max(case e.kind when 'en_route' then 2 when 'on_scene' then 3 when 'clear' then 4 end)) end
  from public.unit_events e where e.assigned_id = p_assigned and e.counts;
$$;

-- The one place that decides the state of a call: from its events. A unit that is clear leaves the others' step.
create function private.settle_call(p_call uuid) returns public.service_calls
language plpgsql security definer set search_path = '' as $$
declare
  ended public.unit_events;
  step integer;
  settled public.service_calls;
begin
  select * into ended from public.unit_events e
  where e.call_id = p_call and e.kind in ('closed', 'cancelled', 'reopened') order by e.sequence desc limit 1;
  -- Of a unit that was assigned again, the last assignment.
  select coalesce(max(s.step) filter (where s.step < 4), max(s.step)) into step
  from (
    select private.assignment_step((array_agg(e.id order by e.sequence desc))[1]) as step
    from public.unit_events e where e.call_id = p_call and e.kind = 'assigned' group by e.unit_id
  ) s;
  update public.service_calls c set
    state = case when ended.kind in ('closed', 'cancelled') then ended.kind
      else coalesce((array['assigned', 'en_route', 'on_scene', 'clear'])[step], 'open') end,
    closed_at = case when ended.kind in ('closed', 'cancelled') then ended.happened_at end,
    outcome = case when ended.kind = 'closed' then ended.outcome end,
    answered_at = t.answered_at, en_route_at = t.en_route_at, on_scene_at = t.on_scene_at,
    cleared_at = case when step = 4 then t.cleared_at end
  from (
    select min(e.happened_at) filter (where e.kind in ('accepted', 'en_route', 'on_scene', 'clear')) as answered_at,
      min(e.happened_at) filter (where e.kind in ('en_route', 'on_scene')) as en_route_at,
      min(e.happened_at) filter (where e.kind = 'on_scene') as on_scene_at,
      max(e.happened_at) filter (where e.kind = 'clear') as cleared_at
    from public.unit_events e where e.call_id = p_call and e.counts
  ) t
  where c.id = p_call returning c.* into settled;
  return settled;
end
$$;

-- The same of a unit: from its last assignment, and whether it is in service. Call it after settle_call.
create function private.settle_unit(p_unit uuid) returns public.response_units
language plpgsql security definer set search_path = '' as $$
declare
  assigned public.unit_events;
  step integer;
  is_out boolean;
  is_accepted boolean;
  now_state text;
  settled public.response_units;
begin
  select e.* into assigned from public.unit_events e
  where e.unit_id = p_unit and e.kind = 'assigned' order by e.sequence desc limit 1;
  if exists (select from public.service_calls c where c.id = assigned.call_id and c.closed_at is null) then
    step := private.assignment_step(assigned.id);
  end if;
  select e.kind = 'out_of_service' into is_out from public.unit_events e
  where e.unit_id = p_unit and e.kind in ('out_of_service', 'in_service') order by e.sequence desc limit 1;
  now_state := case when is_out then 'out_of_service'
    else coalesce((array['assigned', 'en_route', 'on_scene', 'clear'])[step], 'available') end;
  if is_out then
    step := null;
  end if;
  is_accepted := step > 1 or exists (
    select from public.unit_events e where e.assigned_id = assigned.id and e.kind = 'accepted' and e.counts
  );
  update public.response_units u set
    state = now_state,
    state_since = case
      when u.state = now_state and u.assigned_id is not distinct from case when step is not null then assigned.id end
      then u.state_since else now() end,
    call_id = case when step is not null then assigned.call_id end,
    assigned_id = case when step is not null then assigned.id end,
    accepted_at = case when step is not null and is_accepted then (
      select min(e.happened_at) from public.unit_events e where e.assigned_id = assigned.id and e.counts
    ) end,
    reply_due_at = case when step = 1 and not is_accepted then assigned.happened_at + (
      select make_interval(mins => g.reply_minutes)
      from public.service_calls c join public.call_goals g on g.priority = c.priority where c.id = assigned.call_id
    ) end
  where u.id = p_unit returning u.* into settled;
  return settled;
end
$$;

-- The open call, locked: every change of a call locks it first, and then its units.
create function private.lock_open_call(p_call_id uuid) returns public.service_calls
language plpgsql security definer set search_path = '' as $$
declare
  call public.service_calls;
begin
  select * into call from public.service_calls c where c.id = p_call_id for update;
  if not found then
    raise exception 'This call no longer exists.' using errcode = 'PT404';
  elsif call.closed_at is not null then
    raise exception 'This call is closed. Reopen it first.' using errcode = 'PT409';
  end if;
  return call;
end
$$;

create function private.set_due_times(p_call uuid) returns public.service_calls
language sql security definer set search_path = '' as $$
  update public.service_calls c set
    answer_due_at = c.received_at + make_interval(mins => g.answer_minutes),
    en_route_due_at = c.received_at + make_interval(mins => g.en_route_minutes),
    on_scene_due_at = c.received_at + make_interval(mins => g.on_scene_minutes)
  from public.call_goals g where c.id = p_call and g.priority = c.priority returning c.*;
$$;

-- Stores a call once per id and per source, with what its site adds. @returns the stored one
create function private.add_call(p_call public.service_calls) returns public.service_calls
language plpgsql security definer set search_path = '' as $$
declare
  added public.service_calls;
  site public.sites;
begin
  select * into site from public.sites t where t.id = p_call.site_id;
  insert into public.service_calls (id, source, source_key, alert_id, incident_id, site_id, client_id, client_name,
    address, gps, kind, priority, caller_name, caller_phone, details, answer_due_at, en_route_due_at, on_scene_due_at)
  values (coalesce(p_call.id, gen_random_uuid()), p_call.source, p_call.source_key, p_call.alert_id,
    p_call.incident_id, site.id, site.client_id, site.client_name,
    coalesce(nullif(btrim(p_call.address), ''), site.address),
    coalesce(p_call.gps, private.gps_text(site.latitude, site.longitude)), p_call.kind, p_call.priority,
    p_call.caller_name, p_call.caller_phone, p_call.details, now(), now(), now())
  on conflict do nothing returning * into added;
  if added.id is null then
    select * into added from public.service_calls c where c.id = p_call.id or c.source_key = p_call.source_key limit 1;
    return added;
  end if;
  insert into public.unit_events (call_id, kind, user_id) values (added.id, 'received', auth.uid());
  return private.set_due_times(added.id);
end
$$;

-- From the operator's form. A repeat of a new call is the same call; an open call changes.
-- @param p_seen updated_at of the version on screen; null for a new one
create function public.save_call(
  p_id uuid, p_kind text, p_priority text, p_site_id uuid default null, p_address text default null,
  p_gps text default null, p_caller_name text default null, p_caller_phone text default null,
  p_details text default null, p_seen timestamptz default null
) returns public.service_calls
language plpgsql security definer set search_path = '' as $$
declare
  call public.service_calls;
  saved public.service_calls;
begin
  perform private.require_dispatch();
  if p_id is null or p_kind is null or p_priority is null or p_site_id is null and nullif(btrim(p_address), '') is null
  then
    raise exception 'A call has a kind, a priority, and a site or an address.'
      using errcode = 'invalid_parameter_value';
  elsif p_site_id is not null and not exists (select from public.sites t where t.id = p_site_id) then
    raise exception 'This site no longer exists.' using errcode = 'PT404';
  end if;
  call.id := p_id;
  call.source := 'operator';
  call.site_id := p_site_id;
  call.address := p_address;
  call.gps := p_gps;
  call.kind := p_kind;
  call.priority := p_priority;
  call.caller_name := p_caller_name;
  call.caller_phone := p_caller_phone;
  call.details := p_details;
  if p_seen is null then
    return private.add_call(call);
  end if;
  call := private.lock_open_call(p_id);
  if call.updated_at <> p_seen then
    raise exception 'Someone else has just changed this call. Check their changes, then save again.'
      using errcode = 'PT409';
  end if;
  update public.service_calls c set kind = p_kind, priority = p_priority, site_id = t.id, client_id = t.client_id,
    client_name = t.client_name, address = coalesce(nullif(btrim(p_address), ''), t.address),
    gps = coalesce(p_gps, private.gps_text(t.latitude, t.longitude)), caller_name = p_caller_name,
    caller_phone = p_caller_phone, details = p_details
  from (select p_site_id as wanted) w left join public.sites t on t.id = w.wanted
  where c.id = p_id returning c.* into saved;
  insert into public.unit_events (call_id, kind, user_id, note)
  values (p_id, 'changed', auth.uid(),
    case when call.priority <> saved.priority then initcap(saved.priority) || ' instead of ' || call.priority end);
  return case when call.priority = saved.priority then saved else private.set_due_times(p_id) end;
end
$$;
grant execute on function public.save_call to authenticated;

-- A call from an SOS; pressed again, the same call.
create function public.call_for_alert(p_alert_id uuid) returns public.service_calls
language plpgsql security definer set search_path = '' as $$
declare
  alert public.alerts;
  call public.service_calls;
begin
  perform private.require_dispatch();
  select * into alert from public.alerts l where l.id = p_alert_id and l.kind = 'sos';
  if not found then
    raise exception 'This SOS no longer exists.' using errcode = 'PT404';
  end if;
  select p.phone into call.caller_phone from public.profiles p where p.id = alert.user_id;
  call.source := 'sos';
  call.source_key := alert.cause;
  call.alert_id := alert.id;
  call.site_id := alert.site_id;
  call.kind := 'other';
  call.priority := 'danger';
  call.caller_name := left(private.name_of_person(alert.user_id), 100);
  call.details := left(concat_ws(': ', 'SOS', alert.detail), 2000);
  call.gps := (
    select e.gps from public.sos_events e
    where e.gps is not null and 'sos:' || coalesce(e.joined, e.id) = alert.cause
    order by e.received_at desc, e.id limit 1
  );
  return private.add_call(call);
end
$$;
grant execute on function public.call_for_alert to authenticated;

-- A call from a report of an incident; pressed again, the same call.
create function public.call_for_incident(p_incident_id uuid) returns public.service_calls
language plpgsql security definer set search_path = '' as $$
declare
  incident public.incidents;
  call public.service_calls;
begin
  perform private.require_dispatch();
  select * into incident from public.incidents i where i.id = p_incident_id;
  if not found or not private.may_oversee(incident.site_id) then
    raise exception 'This incident no longer exists.' using errcode = 'PT404';
  end if;
  call.source := 'incident';
  call.source_key := 'incident:' || incident.id;
  call.incident_id := incident.id;
  call.site_id := incident.site_id;
  call.kind := case when incident.category in ('medical', 'fire') then incident.category else 'other' end;
  call.priority := case incident.severity when 'critical' then 'danger' when 'high' then 'urgent' else 'routine' end;
  call.caller_name := left(coalesce(incident.caller, private.name_of_person(incident.raised_by_user_id)), 100);
  call.caller_phone := (select p.phone from public.profiles p where p.id = incident.raised_by_user_id);
  call.details := incident.title;
  return private.add_call(call);
end
$$;
grant execute on function public.call_for_incident to authenticated;

create function public.add_call_note(p_id uuid, p_call_id uuid, p_note text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_dispatch();
  if p_id is null or nullif(btrim(p_note), '') is null or not exists (
    select from public.service_calls c where c.id = p_call_id
  ) then
    raise exception 'Write what happened.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.unit_events (id, call_id, kind, user_id, note) values (p_id, p_call_id, 'note', auth.uid(), p_note)
  on conflict (id) do nothing;
end
$$;
grant execute on function public.add_call_note to authenticated;

-- Stores a unit with its people, new under an id that the caller chose.
-- @param p_seen updated_at of the version on screen; null for a new one
create function public.save_unit(
  p_id uuid, p_call_sign text, p_vehicle text default null, p_site_id uuid default null, p_base_gps text default null,
  p_members uuid[] default '{}', p_seen timestamptz default null
) returns public.response_units
language plpgsql security definer set search_path = '' as $$
declare
  unit public.response_units;
  people constant uuid[] := coalesce(p_members, '{}');
  taken text;
begin
  perform private.require_dispatch();
  if p_id is null or cardinality(people) > 20 then
    raise exception 'A unit has at most 20 people.' using errcode = 'invalid_parameter_value';
  elsif exists (
    select from unnest(people) m (id)
    where not exists (select from public.profiles p where p.id = m.id and p.left_on is null)
  ) then
    raise exception 'One of these people no longer works here.' using errcode = 'PT409';
  end if;
  select private.name_of_person(m.user_id) || ' is in ' || o.call_sign into taken
  from public.unit_members m join public.response_units o on o.id = m.unit_id
  where m.user_id = any (people) and m.unit_id <> p_id order by 1 limit 1;
  if taken is not null then
    raise exception '%. Take them out of that unit first.', taken using errcode = 'PT409';
  end if;
  select * into unit from public.response_units u where u.id = p_id for update;
  if found and p_seen is not null and unit.updated_at <> p_seen then
    raise exception 'Someone else has just changed this unit. Check their changes, then save again.'
      using errcode = 'PT409';
  end if;
  insert into public.response_units as u (id, call_sign, vehicle, site_id, base_gps)
  values (p_id, p_call_sign, p_vehicle, p_site_id, p_base_gps)
  on conflict (id) do update set call_sign = excluded.call_sign, vehicle = excluded.vehicle,
    site_id = excluded.site_id, base_gps = excluded.base_gps
  returning u.* into unit;
  delete from public.unit_members m where m.unit_id = p_id and m.user_id <> all (people);
  insert into public.unit_members (unit_id, user_id)
  select distinct p_id, m.id from unnest(people) m (id)
  where not exists (select from public.unit_members o where o.unit_id = p_id and o.user_id = m.id) order by 2;
  return unit;
end
$$;
grant execute on function public.save_unit to authenticated;

-- Takes the unit out of service, off its call too, or back into service.
create function public.set_unit_service(p_id uuid, p_in_service boolean, p_note text default null)
returns public.response_units
language plpgsql security definer set search_path = '' as $$
declare
  unit public.response_units;
  wanted constant text := case when p_in_service then 'in_service' else 'out_of_service' end;
begin
  perform private.require_dispatch();
  select * into unit from public.response_units u where u.id = p_id;
  if not found or p_in_service is null then
    raise exception 'This unit no longer exists.' using errcode = 'PT404';
  elsif not p_in_service and unit.assigned_id is not null then
    perform public.take_off_unit(unit.assigned_id, coalesce(p_note, 'Out of service'));
  end if;
  perform from public.response_units u where u.id = p_id for update;
  if (unit.state = 'out_of_service') = p_in_service then
    insert into public.unit_events (unit_id, kind, user_id, note) values (p_id, wanted, auth.uid(), p_note);
  end if;
  return private.settle_unit(p_id);
end
$$;
grant execute on function public.set_unit_service to authenticated;

-- One that has answered calls stays, for their timelines.
create function public.delete_unit(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_dispatch();
  perform from public.response_units u where u.id = p_id for update;
  if exists (select from public.unit_events e where e.unit_id = p_id and e.call_id is not null) then
    raise exception 'This unit has calls on record. Set it out of service instead.' using errcode = 'PT409';
  end if;
  delete from public.response_units u where u.id = p_id;
end
$$;
grant execute on function public.delete_unit to authenticated;

-- Asks a unit, whose people get a notice at once. Pressed again, nothing changes.
create function public.assign_unit(p_call_id uuid, p_unit_id uuid) returns public.service_calls
language plpgsql security definer set search_path = '' as $$
declare
  call public.service_calls;
  unit public.response_units;
  assigned uuid;
begin
  perform private.require_dispatch();
  call := private.lock_open_call(p_call_id);
  select * into unit from public.response_units u where u.id = p_unit_id for update;
  if not found then
    raise exception 'This unit no longer exists.' using errcode = 'PT404';
  elsif unit.call_id = p_call_id and unit.state <> 'clear' then
    return call;
  elsif unit.state not in ('available', 'clear') then
    raise exception '% is %.', unit.call_sign,
      case unit.state when 'out_of_service' then 'out of service' else 'on another call. Take it off that first' end
      using errcode = 'PT409';
  end if;
  insert into public.unit_events (call_id, unit_id, kind, user_id)
  values (p_call_id, p_unit_id, 'assigned', auth.uid()) returning id into assigned;
  perform private.settle_unit(p_unit_id);
  perform private.tell_unit(p_unit_id, private.call_title(call),
    concat_ws('. ', call.address, call.details), assigned::text);
  return private.settle_call(p_call_id);
end
$$;
grant execute on function public.assign_unit to authenticated;

-- Adds a step to an assignment and settles its call and unit, which the caller has locked in this order.
create function private.add_step(
  p_id uuid, p_assigned public.unit_events, p_kind text, p_at timestamptz, p_device_at timestamptz, p_gps text,
  p_note text
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  unit public.response_units;
begin
  select * into unit from public.response_units u where u.id = p_assigned.unit_id for update;
  insert into public.unit_events (id, call_id, unit_id, assigned_id, kind, user_id, happened_at, device_at, gps, note,
    counts)
  values (coalesce(p_id, gen_random_uuid()), p_assigned.call_id, p_assigned.unit_id, p_assigned.id, p_kind, auth.uid(),
    greatest(p_at, p_assigned.happened_at), p_device_at, p_gps, p_note,
    -- Too late for an assignment that has ended, or after a colleague accepted: written down, and nothing else.
    unit.assigned_id is not distinct from p_assigned.id and not (p_kind = 'declined' and unit.accepted_at is not null))
  on conflict do nothing;
  perform private.settle_call(p_assigned.call_id);
  perform private.settle_unit(p_assigned.unit_id);
end
$$;

-- A step of a unit: from its people's phone, or by the dispatcher for what the radio says. Safe to repeat and to send
-- late; never refused, because what happened has happened. @returns the state of the unit
create function public.record_unit_step(
  p_id uuid, p_assigned_id uuid, p_kind text, p_device_at timestamptz default null, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null, p_gps text default null, p_note text default null
) returns text
language plpgsql security definer set search_path = '' as $$
declare
  assigned public.unit_events;
  call public.service_calls;
  unit public.response_units;
begin
  perform private.require_member();
  if p_id is null or p_kind is null or p_kind not in ('accepted', 'declined', 'en_route', 'on_scene', 'clear') then
    raise exception 'A step is accepted, declined, en_route, on_scene or clear.'
      using errcode = 'invalid_parameter_value';
  end if;
  select * into assigned from public.unit_events e where e.id = p_assigned_id and e.kind = 'assigned';
  if not found or not (private.has_role('admin', 'ops_manager', 'dispatcher')
    or assigned.unit_id = any (private.own_units()))
  then
    raise exception 'This call is not yours.' using errcode = 'PT404';
  end if;
  select * into call from public.service_calls c where c.id = assigned.call_id for update;
  perform private.add_step(p_id, assigned, p_kind,
    coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now()),
    case when isfinite(p_device_at) then p_device_at end,
    case when private.is_position(left(p_gps, 60)) then left(p_gps, 60) end, left(p_note, 500));
  select * into unit from public.response_units u where u.id = assigned.unit_id;
  if p_kind = 'declined' and unit.assigned_id is null then
    perform private.propose_next(call, unit, 'declined', assigned.id);
  end if;
  return unit.state;
end
$$;
grant execute on function public.record_unit_step to authenticated;

-- Takes a unit off its call. @param p_assigned_id the unit's assignment
create function public.take_off_unit(p_assigned_id uuid, p_note text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  assigned public.unit_events;
  call public.service_calls;
begin
  perform private.require_dispatch();
  select * into assigned from public.unit_events e where e.id = p_assigned_id and e.kind = 'assigned';
  if not found then
    raise exception 'This unit is no longer on the call.' using errcode = 'PT404';
  end if;
  call := private.lock_open_call(assigned.call_id);
  if private.assignment_step(assigned.id) < 4 then
    perform private.add_step(null, assigned, 'taken_off', now(), null, null, left(p_note, 500));
    perform private.tell_unit(assigned.unit_id, 'Stand down: ' || private.call_title(call), p_note,
      'off:' || assigned.id, assigned.id);
  end if;
end
$$;
grant execute on function public.take_off_unit to authenticated;

-- Ends a call, or opens it again. Its units are free, and those that were not clear yet are told.
create function private.end_call(p_call_id uuid, p_kind text, p_outcome text, p_note text) returns public.service_calls
language plpgsql security definer set search_path = '' as $$
declare
  call public.service_calls;
  settled public.service_calls;
begin
  perform private.require_dispatch();
  select * into call from public.service_calls c where c.id = p_call_id for update;
  if not found then
    raise exception 'This call no longer exists.' using errcode = 'PT404';
  elsif (call.closed_at is null) = (p_kind = 'reopened') then
    return call;
  end if;
  insert into public.unit_events (call_id, kind, user_id, outcome, note)
  values (p_call_id, p_kind, auth.uid(), p_outcome, p_note);
  settled := private.settle_call(p_call_id);
  perform private.tell_unit(u.id, 'Stand down: ' || private.call_title(call), 'The call was ' || p_kind || '.',
    'end:' || u.assigned_id, u.assigned_id)
  from public.response_units u where u.call_id = p_call_id and u.state <> 'clear';
  perform private.settle_unit(e.unit_id)
  from (select distinct a.unit_id from public.unit_events a where a.call_id = p_call_id and a.kind = 'assigned') e
  order by e.unit_id;
  return settled;
end
$$;

create function public.close_call(p_call_id uuid, p_outcome text, p_note text default null)
returns public.service_calls
language plpgsql security definer set search_path = '' as $$
begin
  if p_outcome is null then
    raise exception 'Choose the outcome.' using errcode = 'invalid_parameter_value';
  end if;
  return private.end_call(p_call_id, 'closed', p_outcome, p_note);
end
$$;
grant execute on function public.close_call to authenticated;

create function public.cancel_call(p_call_id uuid, p_note text) returns public.service_calls
language plpgsql security definer set search_path = '' as $$
begin
  if nullif(btrim(p_note), '') is null then
    raise exception 'Write why the call is cancelled.' using errcode = 'invalid_parameter_value';
  end if;
  return private.end_call(p_call_id, 'cancelled', null, p_note);
end
$$;
grant execute on function public.cancel_call to authenticated;

create function public.reopen_call(p_call_id uuid) returns public.service_calls
language sql security definer set search_path = '' as $$
  select private.end_call(p_call_id, 'reopened', null, null);
$$;
grant execute on function public.reopen_call to authenticated;

-- How long a position of a phone counts; then the unit is at its base.
create function private.position_span() returns interval
language sql immutable set search_path = '' return interval '30 minutes';

-- Units for a call, the best first: free ones that have not refused it, by distance; each call of the last 12 hours
-- counts like another kilometre. Reason in words.
create function private.ranked_units(p_call public.service_calls)
returns table (
  unit_id uuid, place integer, call_sign text, vehicle text, state text, is_free boolean, distance_m integer,
  recent_calls integer, reason text
)
language sql stable security definer set search_path = '' as $$
  with recent as materialized (
    select e.unit_id, count(*) filter (where e.kind = 'accepted' and e.counts)::integer as calls,
      (array_agg(e.gps order by e.sequence desc)
        filter (where e.gps is not null and e.happened_at > now() - private.position_span()))[1] as gps
    from public.unit_events e
    where e.happened_at > now() - interval '12 hours' and e.unit_id is not null group by e.unit_id
  ),
  refused as materialized (
    select e.unit_id, (array_agg(e.kind order by e.sequence desc))[1] as kind
    from public.unit_events e where e.call_id = p_call.id and e.kind in ('declined', 'no_answer') group by e.unit_id
  ),
  units as materialized (
    select u.*, f.gps is not null as is_live, coalesce(f.calls, 0) as calls, no.kind as refused,
      u.state in ('available', 'clear') and no.kind is null as is_free,
      private.distance_m(coalesce(f.gps, u.base_gps, private.gps_text(t.latitude, t.longitude)),
        (private.degrees_of(p_call.gps))[1], (private.degrees_of(p_call.gps))[2]) as distance
    from public.response_units u
    left join public.sites t on t.id = u.site_id
    left join recent f on f.unit_id = u.id
    left join refused no on no.unit_id = u.id
  )
  select u.id, (row_number() over (
      order by u.is_free desc, u.state in ('available', 'clear') desc, u.state <> 'out_of_service' desc,
        u.distance + u.calls * 1000 nulls last, u.calls, u.call_sign
    ))::integer, u.call_sign, u.vehicle, u.state, u.is_free, u.distance, u.calls,
    concat_ws(', ',
      case when u.distance is null then 'position unknown'
        else to_char(u.distance / 1000.0, 'FM999990.0') || case when u.is_live then ' km away' else ' km from base' end
      end,
      case u.state when 'available' then 'available' when 'clear' then 'clear of its call'
        when 'out_of_service' then 'out of service'
        else case when u.call_id = p_call.id then 'on this call' else 'on another call' end end,
      case u.calls when 0 then 'no call in 12 h' when 1 then '1 call in 12 h' else u.calls || ' calls in 12 h' end,
      case u.refused when 'declined' then 'declined this call' when 'no_answer' then 'did not answer' end)
  from units u;
$$;

create function public.rank_units(call_id uuid)
returns table (
  unit_id uuid, place integer, call_sign text, vehicle text, state text, is_free boolean, distance_m integer,
  recent_calls integer, reason text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_dispatch();
  return query
  select r.* from public.service_calls c cross join lateral private.ranked_units(c) r
  where c.id = rank_units.call_id order by r.place limit 500;
end
$$;
grant execute on function public.rank_units to authenticated;
comment on function public.rank_units is 'Nullable: vehicle, distance_m';

-- Tells the dispatchers that a unit is not coming, and who is next.
create function private.propose_next(
  p_call public.service_calls, p_unit public.response_units, p_why text, p_assigned uuid
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  next record;
begin
  select r.call_sign, r.reason into next from private.ranked_units(p_call) r where r.is_free order by r.place limit 1;
  perform private.tell_dispatchers(p_call,
    case p_why when 'declined' then format('%s declined: %s', p_unit.call_sign, private.call_title(p_call))
      else format('No answer from %s: %s', p_unit.call_sign, private.call_title(p_call)) end,
    case when next.call_sign is null then 'No other unit is free.'
      else format('Next: %s, %s', next.call_sign, next.reason) end, p_why || ':' || p_assigned);
end
$$;

-- Takes off units that have not answered in time, and tells of goals that are missed, once each. @returns how many
create function private.due_dispatch() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  found_one record;
  assigned public.unit_events;
  unit public.response_units;
  call public.service_calls;
  done integer := 0;
begin
  for found_one in
    select u.call_id, u.assigned_id from public.response_units u
    where u.reply_due_at <= now() and u.assigned_id is not null order by u.call_id, u.id limit 200
  loop
    select * into call from public.service_calls c where c.id = found_one.call_id for update skip locked;
    continue when not found;
    -- Answered since.
    select * into unit from public.response_units u
    where u.assigned_id = found_one.assigned_id and u.reply_due_at <= now() for update;
    continue when not found;
    select * into assigned from public.unit_events e where e.id = found_one.assigned_id;
    perform private.add_step(null, assigned, 'no_answer', now(), null, null, null);
    perform private.propose_next(call, unit, 'no_answer', assigned.id);
    done := done + 1;
  end loop;
  for found_one in
    select c as call, g.kind, g.words
    from public.service_calls c
    cross join lateral (values
      ('late_answer', c.answered_at is null and c.answer_due_at <= now(), 'No unit has accepted it in time.'),
      ('late_en_route', c.en_route_at is null and c.en_route_due_at <= now(), 'No unit is on the way in time.'),
      ('late_on_scene', c.on_scene_at is null and c.on_scene_due_at <= now(), 'No unit is on scene in time.')
    ) g (kind, is_late, words)
    where c.closed_at is null and c.state <> 'clear' and g.is_late and not exists (
      select from public.unit_events e where e.call_id = c.id and e.kind = g.kind
    )
    order by c.id, g.kind limit 200
  loop
    call := found_one.call;
    insert into public.unit_events (call_id, kind) values (call.id, found_one.kind) on conflict do nothing;
    continue when not found;
    perform private.tell_dispatchers(call, 'Late: ' || private.call_title(call), found_one.words,
      found_one.kind || ':' || call.id);
    done := done + 1;
  end loop;
  return done;
end
$$;

-- The call that the caller's unit answers, with what they need there: the way, the site's orders, and who is on duty.
-- Definer: members read neither sites nor orders of places where they don't work.
create function public.my_call()
returns table (
  call_id uuid, unit_id uuid, assigned_id uuid, call_sign text, state text, kind text, priority text, details text,
  site_name text, client_name text, address text, gps text, timezone text, caller_name text, caller_phone text,
  assigned_at timestamptz, reply_due_at timestamptz, accepted_at timestamptz, orders text, on_duty jsonb
)
language sql stable security definer set search_path = '' as $$
  select c.id, u.id, u.assigned_id, u.call_sign, u.state, c.kind, c.priority, c.details, t.name, c.client_name,
    c.address, c.gps, coalesce(t.timezone, 'Africa/Monrovia'), c.caller_name, c.caller_phone, e.happened_at,
    u.reply_due_at, u.accepted_at, (
      select o.body from public.post_orders o
      where o.site_id = t.id and o.post_id is null and o.valid_from <= private.company_date()
      order by o.version desc limit 1
    ), (
      select coalesce(jsonb_agg(jsonb_build_object('name', d.name, 'phone', d.phone) order by d.name), '[]')
      from (
        select private.name_of_person(a.user_id) as name, p.phone
        from public.assignments a join public.profiles p on p.id = a.user_id
        where a.site_id = t.id and a.attendance_state = 'in' and a.starts_at > now() - interval '3 days'
          and upper(a.period) > now() - interval '12 hours'
        order by 1 limit 10
      ) d
    )
  from public.response_units u
  join public.service_calls c on c.id = u.call_id
  join public.unit_events e on e.id = u.assigned_id
  left join public.sites t on t.id = c.site_id
  where u.id = any (private.own_units()) and u.state <> 'clear' limit 1;
$$;
grant execute on function public.my_call to authenticated;
comment on function public.my_call is 'Nullable: details, site_name, client_name, gps, caller_name, caller_phone, '
  'reply_due_at, accepted_at, orders';

-- How soon calls of a client's sites were answered, by priority; without those that were cancelled. In time and late
-- are judged by the goals that a call stores, answered when a unit accepts; what is neither has time left, or was
-- closed without it. Medians in minutes are of those that are done.
create function private.calls_of_client(p_client_id uuid, p_from timestamptz, p_until timestamptz)
returns table (
  priority text, calls integer, false_alarms integer, answered_in_time integer, answered_late integer,
  answer_minutes integer, on_scene_in_time integer, on_scene_late integer, on_scene_minutes integer
)
language sql stable security definer set search_path = '' as $$
  select p.priority, count(c.id)::integer,
    count(*) filter (where c.outcome = 'false_alarm')::integer,
    count(*) filter (where c.answered_at <= c.answer_due_at)::integer,
    count(*) filter (where coalesce(c.answered_at, k.still) > c.answer_due_at)::integer,
    round((percentile_cont(0.5) within group (order by extract(epoch from c.answered_at - c.received_at))
      / 60)::numeric)::integer,
    count(*) filter (where c.on_scene_at <= c.on_scene_due_at)::integer,
    count(*) filter (where coalesce(c.on_scene_at, k.still) > c.on_scene_due_at)::integer,
    round((percentile_cont(0.5) within group (order by extract(epoch from c.on_scene_at - c.received_at))
      / 60)::numeric)::integer
  from unnest(array['danger', 'urgent', 'routine']) with ordinality p (priority, place)
  left join public.service_calls c on c.client_id = p_client_id and c.priority = p.priority and c.state <> 'cancelled'
    and c.received_at >= p_from and c.received_at < p_until
  cross join lateral (select case when c.closed_at is null then now() end as still) k
  group by p.priority, p.place order by p.place;
$$;

-- The same of a month, for the office and for contacts of the client.
create function public.client_calls(p_client_id uuid, p_month date)
returns table (
  priority text, calls integer, false_alarms integer, answered_in_time integer, answered_late integer,
  answer_minutes integer, on_scene_in_time integer, on_scene_late integer, on_scene_minutes integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  first constant date := date_trunc('month', p_month)::date;
begin
  perform private.require_client_month(p_client_id, p_month);
  return query select * from private.calls_of_client(p_client_id, private.company_midnight(first),
    private.company_midnight((first + interval '1 month')::date));
end
$$;
comment on function public.client_calls is 'Nullable: answer_minutes, on_scene_minutes';
grant execute on function public.client_calls to authenticated;
