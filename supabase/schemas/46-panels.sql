-- Alarm panels of sites: what they send, signed, becomes calls for service.

-- ── Tables ────────────────────────────────────────────────────────────

-- Written by save_panel and delete_panel alone.
create table public.alarm_panels (
  id uuid default gen_random_uuid() primary key, -- In the address to which it sends.
  name text not null check (char_length(name) between 1 and 100),
  site_id uuid not null references public.sites on delete cascade,
  account text check (account ~ '^[0-9A-F]{3,16}$'), -- Of Contact ID; with it, events of other accounts are refused.
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index alarm_panels_site_id_idx on public.alarm_panels (site_id);
create index alarm_panels_created_by_idx on public.alarm_panels (created_by);
alter publication supabase_realtime add table public.alarm_panels;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.alarm_panels', 'name', 'account');
create trigger d_touch before update on public.alarm_panels for each row execute function private.touch();
select private.keep_history_of('public.alarm_panels');
alter table public.alarm_panels enable row level security;
revoke insert, update, delete, truncate on public.alarm_panels from service_role;
grant select on public.alarm_panels to authenticated;
create policy "Dispatchers and managers read the alarm panels" on public.alarm_panels
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'dispatcher')));

-- The secret itself, since a signature can't be checked with its hash. Random, for this alone, read by the server.
create table private.panel_secrets (
  panel_id uuid primary key references public.alarm_panels on delete cascade,
  secret text not null,
  made_at timestamptz not null default now(),
  minute_began timestamptz not null default now(),
  requests integer not null default 0
);
alter table private.panel_secrets enable row level security;

-- What a panel sent, each once. Written by take_panel_event alone.
create table public.panel_events (
  id uuid default gen_random_uuid() primary key,
  panel_id uuid not null references public.alarm_panels on delete cascade,
  event_key text not null check (char_length(event_key) between 1 and 150), -- The panel's own id of it.
  signal text not null check (signal in ('alarm', 'restore', 'note')),
  kind text check (kind in ('alarm', 'intruder', 'escort', 'medical', 'fire', 'other')),
  body text not null check (char_length(body) between 1 and 500),
  call_id uuid references public.service_calls on delete set null,
  received_at timestamptz not null default now(),
  constraint panel_events_alarm_has_kind check (signal <> 'alarm' or kind is not null),
  constraint panel_events_once unique (panel_id, event_key)
);
comment on column public.panel_events.call_id is 'Derived: the call that it made, or in whose timeline it is a note';
create index panel_events_panel_id_idx on public.panel_events (panel_id, received_at desc);
create index panel_events_call_id_idx on public.panel_events (call_id) where call_id is not null;
create index panel_events_received_at_idx on public.panel_events (received_at);
alter publication supabase_realtime add table public.panel_events;
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.panel_events');
alter table public.panel_events enable row level security;
revoke insert, update, delete, truncate on public.panel_events from service_role;
grant select on public.panel_events to authenticated;
create policy "Dispatchers and managers read what panels sent" on public.panel_events
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'dispatcher')));

-- ── Functions ─────────────────────────────────────────────────────────

-- How many requests of a panel are taken in a minute; the rest is refused, so that none delays the others.
create function private.panel_rate() returns integer language sql immutable set search_path = '' return 60;

-- @param p_seen updated_at of the version on screen; null for a new one, whose repeat is the same panel
create function public.save_panel(
  p_id uuid, p_name text, p_site_id uuid, p_account text default null, p_seen timestamptz default null
) returns public.alarm_panels
language plpgsql security definer set search_path = '' as $$
declare
  panel public.alarm_panels;
begin
  perform private.require_manager();
  if p_id is null or not exists (select from public.sites t where t.id = p_site_id) then
    raise exception 'Choose the site of the panel.' using errcode = 'invalid_parameter_value';
  end if;
  select * into panel from public.alarm_panels a where a.id = p_id for update;
  if p_seen is not null and panel.updated_at is distinct from p_seen then
    raise exception 'Someone else has just changed this panel. Check their changes, then save again.'
      using errcode = 'PT409';
  end if;
  insert into public.alarm_panels as a (id, name, site_id, account)
  values (p_id, p_name, p_site_id, upper(nullif(btrim(p_account), '')))
  on conflict (id) do update set name = excluded.name, site_id = excluded.site_id, account = excluded.account
  returning a.* into panel;
  return panel;
end
$$;
grant execute on function public.save_panel to authenticated;

-- From now on the panel signs with the secret that is returned, this once.
create function public.new_panel_secret(p_panel_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  made constant text := encode(extensions.gen_random_bytes(32), 'hex');
begin
  perform private.require_manager();
  if not exists (select from public.alarm_panels a where a.id = p_panel_id) then
    raise exception 'This panel no longer exists.' using errcode = 'PT404';
  end if;
  insert into private.panel_secrets as s (panel_id, secret) values (p_panel_id, made)
  on conflict (panel_id) do update set secret = excluded.secret, made_at = now();
  return made;
end
$$;
grant execute on function public.new_panel_secret to authenticated;

-- Its calls stay; what it sends from now on is refused.
create function public.delete_panel(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_manager();
  delete from public.alarm_panels a where a.id = p_id;
end
$$;
grant execute on function public.delete_panel to authenticated;

-- What a panel signed, once per key. An alarm makes a call at its site, or is a note in the open call of the same
-- kind that this panel made; a restore and anything else is a note in an open call, and closes nothing.
-- @returns outcome: call, noted, stored, repeated, too_many or no_panel
create function private.take_panel_event(
  p_panel uuid, p_key text, p_signal text, p_kind text, p_priority text, p_body text
) returns table (outcome text, call_id uuid)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  panel public.alarm_panels;
  call public.service_calls;
  asked integer;
begin
  -- Locked, so that two alarms at once are one call.
  update private.panel_secrets s set
    minute_began = case when s.minute_began > now() - interval '1 minute' then s.minute_began else now() end,
    requests = case when s.minute_began > now() - interval '1 minute' then s.requests + 1 else 1 end
  where s.panel_id = p_panel returning s.requests into asked;
  select * into panel from public.alarm_panels a where a.id = p_panel;
  if asked is null or panel.id is null then
    return query select 'no_panel', null::uuid;
    return;
  elsif asked > private.panel_rate() then
    return query select 'too_many', null::uuid;
    return;
  end if;
  return query select 'repeated', e.call_id from public.panel_events e
  where e.panel_id = p_panel and e.event_key = p_key;
  if found then
    return;
  end if;
  select c.* into call from public.service_calls c
  where c.closed_at is null and (p_kind is null or c.kind = p_kind)
    and c.id in (select e.call_id from public.panel_events e where e.panel_id = p_panel)
  order by c.received_at desc limit 1 for update;
  outcome := case when call.id is not null then 'noted' when p_signal = 'alarm' then 'call' else 'stored' end;
  if outcome = 'call' then
    call.source := 'panel';
    call.source_key := format('panel:%s:%s', p_panel, p_key);
    call.site_id := panel.site_id;
    call.kind := p_kind;
    call.priority := p_priority;
    call.caller_name := panel.name;
    call.details := p_body;
    call := private.add_call(call);
    perform private.tell_dispatchers(call, private.call_title(call), p_body, 'panel:' || call.id);
  elsif outcome = 'noted' then
    insert into public.unit_events (call_id, kind, note) values (call.id, 'note', p_body);
  end if;
  insert into public.panel_events (panel_id, event_key, signal, kind, body, call_id)
  values (p_panel, p_key, p_signal, p_kind, p_body, call.id);
  call_id := call.id;
  return next;
end
$$;
