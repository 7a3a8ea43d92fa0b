-- Alerts: what the control room must act on now. Raised once per cause by the database, acknowledged by a person, closed
-- by a person or, when the cause ends, by themselves. The next file finds the causes.
alter table public.sites
  -- After the start of a shift: nobody clocked in.
  add column alert_after_minutes integer not null default 10 check (alert_after_minutes between 1 and 240),
  -- After an alert: nobody acknowledged it.
  add column escalate_after_minutes integer not null default 5 check (escalate_after_minutes between 1 and 240),
  -- Null: no welfare checks, except at posts where the guard is alone.
  add column welfare_every_minutes integer check (welfare_every_minutes between 10 and 480),
  -- Since a guard's phone or the site's device was last heard, if it should be; null: never an alert.
  add column no_signal_after_minutes integer default 15 check (no_signal_after_minutes between 10 and 240),
  -- How guards may clock in here. Events of another way are stored and flagged, never refused.
  add column clock_ways text[] not null default '{phone,device,muster,message,office}'
    check (cardinality(clock_ways) > 0 and clock_ways <@ array['phone', 'device', 'muster', 'message', 'office']
      and array_position(clock_ways, null) is null);

create table public.alerts (
  id uuid primary key default gen_random_uuid(),
  -- Kind and id of what it is about, for example missing:<assignment>. A cause that ended by itself is renamed, because
  -- it can come back.
  cause text not null unique check (char_length(cause) <= 200),
  kind text not null check (kind in ('missing', 'empty', 'left_early', 'welfare', 'sos', 'tour', 'no_signal')),
  -- Set null, because an alert outlives what it was about.
  shift_id uuid references public.shifts (id) on delete set null,
  assignment_id uuid references public.assignments (id) on delete set null,
  user_id uuid references public.profiles (id) on delete set null,
  site_id uuid not null references public.sites (id) on delete cascade,
  -- Of a device that is silent; its reference is made with the table of devices.
  device_id uuid,
  detail text check (char_length(detail) <= 500),
  raised_at timestamptz not null default now(),
  escalated_at timestamptz,
  escalations integer not null default 0,
  acknowledged_at timestamptz,
  acknowledged_by uuid references public.profiles (id) on delete set null,
  closed_at timestamptz,
  -- Null if it closed by itself.
  closed_by uuid references public.profiles (id) on delete set null,
  outcome text check (outcome in ('covered', 'excused', 'closed', 'arrived', 'answered')),
  note text check (char_length(note) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint alerts_closed_with_outcome check ((closed_at is null) = (outcome is null))
);
create index alerts_shift_id_idx on public.alerts (shift_id) where shift_id is not null;
create index alerts_assignment_id_idx on public.alerts (assignment_id) where assignment_id is not null;
create index alerts_user_id_idx on public.alerts (user_id) where user_id is not null;
create index alerts_site_id_idx on public.alerts (site_id, raised_at desc);
create index alerts_raised_at_idx on public.alerts (raised_at desc);
create index alerts_open_idx on public.alerts (raised_at) where closed_at is null;
create index alerts_closed_at_idx on public.alerts (closed_at desc) where closed_at is not null;
create index alerts_acknowledged_by_idx on public.alerts (acknowledged_by) where acknowledged_by is not null;
create index alerts_closed_by_idx on public.alerts (closed_by) where closed_by is not null;

create trigger d_touch before update on public.alerts
  for each row execute function private.touch();
select private.keep_history_of('public.alerts');

alter table public.alerts enable row level security;
revoke all on public.alerts from anon, authenticated;
-- Written by functions alone.
grant select on public.alerts to authenticated;
create policy "Planners read every alert" on public.alerts
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read alerts at their own sites" on public.alerts
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));

alter publication supabase_realtime add table public.alerts;
alter table public.alerts replica identity full;

-- The words of a kind in notices. web/lib/vocabulary/kinds.ts has the same for the screens.
create function private.alert_title(p_kind text) returns text
language sql immutable set search_path = ''
return case p_kind
  when 'missing' then 'Guard missing'
  when 'empty' then 'Post empty'
  when 'left_early' then 'Left early'
  when 'welfare' then 'No answer to a welfare check'
  when 'sos' then 'SOS'
  when 'tour' then 'Patrol missed'
  when 'no_signal' then 'No signal'
end;

-- Tells the planners of each site about new alerts: one notice a site, however many there are.
create function private.tell_of_alerts(p_alerts uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_planners(news.site_id, 'alert',
    case when news.alerts = 1 then format('%s: %s', news.title, t.name)
      else format('%s new alerts: %s', news.alerts, t.name) end,
    news.details, '/admin/operations', 'alert:' || news.first_id)
  from (
    select a.site_id, count(*) as alerts, min(private.alert_title(a.kind)) as title, min(a.id::text) as first_id,
      left(string_agg(coalesce(a.detail, private.alert_title(a.kind)), e'\n' order by a.raised_at, a.id), 2000)
        as details
    from public.alerts a where a.id = any (p_alerts) group by a.site_id
  ) news
  join public.sites t on t.id = news.site_id
  order by news.site_id;
end
$$;

-- Once per cause: a repeated call changes nothing. @returns the id of a new alert, or null
create function private.raise_alert(
  p_kind text, p_cause text, p_site uuid, p_shift uuid, p_assignment uuid, p_user uuid, p_detail text,
  p_at timestamptz default now()
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  raised uuid;
begin
  insert into public.alerts (kind, cause, site_id, shift_id, assignment_id, user_id, detail, raised_at)
  values (p_kind, p_cause, p_site, p_shift, p_assignment, p_user, left(p_detail, 500), p_at)
  on conflict (cause) do nothing
  returning id into raised;
  if raised is not null then
    perform private.tell_of_alerts(array[raised]);
  end if;
  return raised;
end
$$;

-- By itself, when the cause ends. Does nothing if the alert is closed or was never raised.
create function private.close_alert(p_cause text, p_outcome text, p_note text) returns void
language sql security definer set search_path = '' as $$
  update public.alerts a set closed_at = now(), outcome = p_outcome, note = left(p_note, 1000)
  where a.cause = p_cause and a.closed_at is null;
$$;

-- Locks an alert that the caller may act on.
create function private.own_alert(p_alert_id uuid) returns public.alerts
language plpgsql security definer set search_path = '' as $$
declare
  alert public.alerts;
begin
  select * into alert from public.alerts a where a.id = p_alert_id for update;
  if not found or not private.may_plan(alert.site_id) then
    raise exception 'This alert doesn''t exist, or it isn''t at one of your sites.' using errcode = 'PT404';
  end if;
  return alert;
end
$$;

-- Ends the escalation. The first to acknowledge counts. Definer, like the two below: nobody writes alerts directly.
create function public.acknowledge_alert(p_alert_id uuid) returns public.alerts
language plpgsql security definer set search_path = '' as $$
declare
  alert public.alerts := private.own_alert(p_alert_id);
begin
  update public.alerts a set acknowledged_at = now(), acknowledged_by = auth.uid()
  where a.id = alert.id and a.acknowledged_at is null and a.closed_at is null
  returning * into alert;
  if alert.id is null then
    select * into alert from public.alerts a where a.id = p_alert_id;
  end if;
  return alert;
end
$$;

create function public.close_alert(p_alert_id uuid, p_outcome text, p_note text default null) returns public.alerts
language plpgsql security definer set search_path = '' as $$
declare
  alert public.alerts := private.own_alert(p_alert_id);
begin
  if p_outcome is null or p_outcome not in ('covered', 'excused', 'closed') then
    raise exception 'An alert is closed as covered, excused or closed.' using errcode = 'invalid_parameter_value';
  end if;
  if char_length(p_note) > 1000 then
    raise exception 'The note must be at most 1,000 characters.' using errcode = 'invalid_parameter_value';
  end if;
  if alert.closed_at is not null then
    raise exception 'This alert is already closed.' using errcode = 'PT409';
  end if;
  update public.alerts a set closed_at = now(), closed_by = auth.uid(), outcome = p_outcome,
    note = nullif(btrim(p_note), ''), acknowledged_at = coalesce(a.acknowledged_at, now()),
    acknowledged_by = coalesce(a.acknowledged_by, auth.uid())
  where a.id = alert.id
  returning * into alert;
  return alert;
end
$$;

-- Undo: takes back the last step of a person, closing or acknowledging, for 10 minutes.
create function public.reopen_alert(p_alert_id uuid) returns public.alerts
language plpgsql security definer set search_path = '' as $$
declare
  alert public.alerts := private.own_alert(p_alert_id);
begin
  if alert.closed_at is not null and alert.closed_by is null then
    raise exception 'This alert closed by itself: its cause has ended.' using errcode = 'PT409';
  end if;
  if coalesce(alert.closed_at, alert.acknowledged_at) is null then
    return alert;
  end if;
  if coalesce(alert.closed_at, alert.acknowledged_at) < now() - interval '10 minutes' then
    raise exception 'This can be undone for 10 minutes only.' using errcode = 'PT409';
  end if;
  update public.alerts a set
    -- Closing also acknowledges what nobody had acknowledged.
    acknowledged_at = case when a.acknowledged_at < a.closed_at then a.acknowledged_at end,
    acknowledged_by = case when a.acknowledged_at < a.closed_at then a.acknowledged_by end,
    closed_at = null, closed_by = null, outcome = null, note = null
  where a.id = alert.id
  returning * into alert;
  return alert;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.acknowledge_alert, public.close_alert, public.reopen_alert from public, anon;
grant execute on function public.acknowledge_alert, public.close_alert, public.reopen_alert to authenticated;
