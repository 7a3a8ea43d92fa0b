-- Alerts: what raises one, who is told, how it escalates and closes.

-- ── Tables ────────────────────────────────────────────────────────────

create table public.alerts (
  id uuid default gen_random_uuid() primary key,
  -- Kind and id of what it is about, for example missing:<assignment>. A cause that ended by itself is renamed, because
  -- it can come back.
  cause text not null unique check (char_length(cause) <= 200),
  kind text not null check (kind in (
    'sos', 'welfare', 'missing', 'empty', 'cant_come', 'left_early', 'running_late', 'tour', 'no_signal'
  )),
  shift_id uuid references public.shifts on delete set null, -- Set null, because an alert outlives what it was about.
  assignment_id uuid references public.assignments on delete set null,
  user_id uuid references public.profiles on delete set null,
  site_id uuid not null references public.sites on delete cascade,
  -- The device that is silent.
  device_id uuid references public.devices on delete set null,
  detail text check (char_length(detail) <= 500),
  raised_at timestamptz not null default now(),
  escalated_at timestamptz,
  escalations integer not null default 0,
  acknowledged_at timestamptz,
  acknowledged_by uuid references public.profiles on delete set null,
  closed_at timestamptz,
  closed_by uuid references public.profiles on delete set null, -- Null if it closed by itself.
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
create index alerts_device_id_idx on public.alerts (device_id) where device_id is not null;
create index alerts_without_shift_idx on public.alerts (kind) where closed_at is null and shift_id is null;
alter table public.alerts replica identity full;
alter publication supabase_realtime add table public.alerts;
-- Triggers, in the order in which they fire:
create trigger d_touch before update on public.alerts for each row execute function private.touch();
select private.keep_history_of('public.alerts');
alter table public.alerts enable row level security;
grant select on public.alerts to authenticated;
create policy "Planners read every alert" on public.alerts
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read alerts at their own sites" on public.alerts
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));

-- ── Functions ─────────────────────────────────────────────────────────

-- @param p_after_end how long after its end a shift still counts
-- @param p_shifts of these alone, or of all; devices without a signal in any case
-- Planned once: both parts of a union are in the plan, and the one that doesn't apply is skipped.
create function private.alert_causes(p_after_end interval default '0', p_shifts uuid[] default null)
returns table ( cause text, kind text, shift_id uuid, assignment_id uuid, user_id uuid, site_id uuid, device_id uuid )
language sql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
  with wanted as (
    -- Three days back find every running shift by the index: hardly any is longer than one day. A few are found by
    -- their ids.
    select a.* from public.assignments a
    where (cardinality(p_shifts) <= 100) is not true and a.starts_at between now() - interval '3 days' and now()
      and (p_shifts is null or a.shift_id in (select unnest(p_shifts)))
    union all
    select a.* from public.assignments a
    where cardinality(p_shifts) <= 100 and a.shift_id = any (p_shifts)
      and a.starts_at between now() - interval '3 days' and now()
    union all
    -- Replacements on the way hold their seats before they join.
    select a.* from public.assignments a
    where a.joins_at is not null and a.starts_at > now() and a.starts_at < now() + interval '3 days'
      and (p_shifts is null or a.shift_id = any (p_shifts))
  ),
  duty as (
    select a.id, a.shift_id, a.user_id, a.site_id, a.starts_at, upper(a.period) as ends_at, a.status,
      a.attendance_state, a.created_at, count(*) filter (where a.attendance_state = 'in') over of_shift as present
    from wanted a
    where upper(a.period) > now() - p_after_end and a.counts_as_staffed
    window of_shift as (partition by a.shift_id)
  ),
  staff as (select d.shift_id, count(*) as guards from duty d group by d.shift_id)
  select 'missing:' || d.id, 'missing', d.shift_id, d.id, d.user_id, d.site_id, null::uuid
  from duty d
  join public.sites t on t.id = d.site_id
  where d.attendance_state = 'none' and d.status <> 'completed'
    and private.expected_at(d.starts_at, d.created_at) <= now() - make_interval(mins => t.alert_after_minutes)
  union all
  select 'empty:' || s.id, 'empty', s.id, null, null, s.site_id, null
  from (
    select s.* from public.shifts s
    where (cardinality(p_shifts) <= 100) is not true and s.start_time between now() - interval '3 days' and now()
      and (p_shifts is null or s.id in (select unnest(p_shifts)))
    union all
    select s.* from public.shifts s
    where cardinality(p_shifts) <= 100 and s.id = any (p_shifts) and s.start_time between now() - interval '3 days'
      and now()
  ) s
  left join staff c on c.shift_id = s.id
  where s.end_time > now() - p_after_end and coalesce(c.guards, 0) < s.required_headcount
  union all
  select 'left_early:' || d.id, 'left_early', d.shift_id, d.id, d.user_id, d.site_id, null
  from duty d
  join public.shifts s on s.id = d.shift_id
  where d.attendance_state = 'out' and d.present < s.required_headcount
    and not exists (
      select from public.attendance r
      where r.assignment_id = d.id and r.clock_out_at >= d.ends_at - private.early_leave_margin()
    )
    and exists (select from public.attendance r where r.assignment_id = d.id)
    and not exists (
      select from public.shifts relief
      join public.assignments o on o.shift_id = relief.id and o.attendance_state = 'in'
      where relief.post_id = s.post_id and relief.start_time between s.end_time - interval '1 hour' and s.end_time
    )
  union all
  select 'no_signal:' || d.id, 'no_signal', d.shift_id, d.id, d.user_id, d.site_id, null
  from duty d
  join public.sites t on t.id = d.site_id
  join public.shifts s on s.id = d.shift_id
  left join public.posts p on p.id = s.post_id
  join private.phone_signals h on h.user_id = d.user_id
  cross join lateral (select now() - make_interval(mins => t.no_signal_after_minutes) as since) silent
  where d.attendance_state = 'in' and not h.is_away and h.heard_at <= silent.since
    and private.welfare_minutes(t.welfare_every_minutes, p.lone_worker) is not null
    and (h.session_id is null or exists (select from auth.sessions x where x.id = h.session_id))
    and exists (
      select from public.attendance r
      where r.assignment_id = d.id and private.is_clocked_in(r)
        and r.clock_in_at <= h.heard_at
    )
    -- The guard may have answered by a text message.
    and not exists (select from public.welfare_checks c where c.assignment_id = d.id and c.received_at > silent.since)
  union all
  select n.kind || ':' || n.id, n.kind, n.shift_id, n.assignment_id, n.user_id, n.site_id, null
  from public.duty_notices n
  where n.ended_at is null and n.starts_at > now() - interval '3 days'
    and (p_shifts is null or n.shift_id = any (p_shifts)) and public.is_open(n)
  union all
  -- Of every site, whatever shifts are asked for: a device belongs to none of them.
  select 'no_signal:device:' || v.id, 'no_signal', null, null, null, v.site_id, v.id
  from public.devices v
  join public.sites t on t.id = v.site_id
  where v.revoked_at is null and v.away_at is null and 'device' = any (t.clock_ways)
    and v.last_seen_at <= now() - make_interval(mins => t.no_signal_after_minutes)
    and exists (
      select from public.shifts s
      where s.site_id = v.site_id and s.start_time between now() - interval '3 days' and now() + interval '1 hour'
        and s.end_time > now() - p_after_end
    );
$$;

-- Closes alerts whose cause has ended and notes how. Of some shifts, or of all; alerts of deleted shifts in any case.
-- Planned once, too. @returns how many
create function private.settle_alerts(p_shifts uuid[] default null) returns integer
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  settled integer;
  concerned uuid[];
  -- Causes are looked up for these alone, since most guards on duty have no alert. Those of devices belong to no shift.
  open_shifts uuid[];
begin
  select array_agg(a.id), coalesce(array_agg(distinct a.shift_id) filter (where a.shift_id is not null), '{}')
  into concerned, open_shifts
  from (
    select o.id, o.shift_id, o.kind from public.alerts o where p_shifts is null and o.closed_at is null
    union all
    select o.id, o.shift_id, o.kind from public.alerts o where o.shift_id = any (p_shifts) and o.closed_at is null
    union all
    select o.id, o.shift_id, o.kind from public.alerts o
    where p_shifts is not null and o.shift_id is null and o.closed_at is null
  ) a
  where a.kind in ('missing', 'empty', 'cant_come', 'left_early', 'running_late', 'no_signal');
  -- Usually there are none.
  if concerned is null then
    return 0;
  end if;
  with still as materialized (
    -- Twelve hours after the end of the shift nobody can act on it any more.
    select concat_ws(' ', c.cause, c.site_id, c.user_id) as reason
    from private.alert_causes(interval '12 hours', open_shifts) c
  ),
  ended as (
    select a.id, a.cause, a.kind, a.shift_id, a.assignment_id, a.user_id, a.site_id, a.device_id, a.raised_at,
      a.cause like 'no_signal:device:%' as is_device, a.kind in ('cant_come', 'running_late') as is_said
    from unnest(concerned) w (id)
    join public.alerts a on a.id = w.id
    where a.closed_at is null and concat_ws(' ', a.cause, a.site_id, a.user_id) not in (select s.reason from still s)
    -- Somebody is closing it right now: the next round checks again.
    for update of a skip locked
  ),
  reason as (
    select e.id, s.id as shift_id, mine.id as assignment_id, how.outcome, how.note
    from ended e
    left join public.shifts s on s.id = e.shift_id
    left join public.sites t on t.id = s.site_id
    left join public.assignments mine on mine.id = e.assignment_id
    left join public.devices v on v.id = e.device_id
    left join private.phone_signals h on h.user_id = e.user_id
    left join lateral (
      select private.clock_text(heard.at, (select z.timezone from public.sites z where z.id = e.site_id)) as clock
      from (select case when e.is_device then v.last_seen_at else h.heard_at end) heard (at)
      where e.kind = 'no_signal' and heard.at > e.raised_at
    ) again on true
    left join lateral (
      select to_char(r.clock_in_at at time zone t.timezone, 'FMHH12:MI AM') as clocked_in,
        case when r.clock_in_received_at >= r.clock_in_at + interval '1 minute'
          then to_char(r.clock_in_received_at at time zone t.timezone, ', "received" FMHH12:MI AM')
            else '' end as received
      from public.attendance r
      where r.assignment_id = e.assignment_id and e.kind = 'missing'
      order by r.clock_in_at limit 1
    ) work on true
    cross join lateral (
      select outcome, note from (values
        (1, work.clocked_in is not null, 'arrived', 'Clocked in at ' || work.clocked_in || work.received),
        (1, again.clock is not null, 'answered', 'Heard again at ' || again.clock),
        (2, e.is_device and (v.id is null or v.revoked_at is not null), 'closed', 'The device was removed'),
        (2, e.is_device, 'closed', 'The shift is over, or the limit of the site was changed'),
        (2, s.id is null, 'closed', 'The shift was deleted'),
        (3, s.start_time > now() and not e.is_said or s.site_id <> e.site_id, 'closed', 'The shift was moved'),
        (4, s.end_time < now() - interval '12 hours', 'closed', 'The shift is over'),
        (5, e.kind = 'empty', 'covered', 'All seats have a guard'),
        (6, mine.id is null, 'closed', 'The guard was taken off the shift'),
        (6, e.kind = 'cant_come' and mine.status = 'cancelled' and mine.declined_at is not null, 'covered',
          'Another guard has the seat'),
        (7, mine.status = 'cancelled', 'closed', 'The assignment was cancelled'),
        (8, mine.user_id is distinct from e.user_id, 'covered', 'The shift was given to another guard'),
        (9, mine.on_leave, 'closed', 'The guard is on leave'),
        (10, e.kind = 'no_signal' and mine.attendance_state = 'out', 'closed', 'The guard clocked out'),
        (10, e.kind = 'no_signal' and exists (
          select from public.welfare_checks c where c.assignment_id = mine.id and c.received_at >= e.raised_at
        ), 'answered', 'The guard answered a welfare check'),
        (11, e.kind = 'no_signal', 'closed', 'The guard signed out, or the limit of the site was changed'),
        (10, e.kind = 'left_early' and mine.attendance_state = 'in', 'arrived', 'The clock-out was undone'),
        (11, e.kind = 'left_early', 'covered', 'The post is staffed, or the times were changed'),
        (11, e.is_said and mine.attendance_state <> 'none', 'arrived', 'The guard clocked in'),
        (12, e.is_said and upper(mine.period) <= now(), 'closed', 'The shift is over'),
        (12, e.is_said and not exists (
          select from public.duty_notices n where e.cause = n.kind || ':' || n.id and n.ended_at is null
        ), 'closed', 'The guard took it back, or said something else since'),
        (12, mine.status = 'no_show', 'closed', 
          concat_ws(': ', 'The guard is a no-show', mine.no_show_reason)),
        (13, true, 'closed', 'The times or the limit of the site were changed')
      ) possible (rank, applies, outcome, note)
      where applies order by rank limit 1
    ) how
  )
  update public.alerts a set closed_at = now(), outcome = r.outcome, note = r.note,
    -- A shift that is being deleted takes its assignments with it before their references become null.
    shift_id = r.shift_id, assignment_id = r.assignment_id,
    -- A guard who has come is never missing from that shift again; any other cause can return.
    cause = a.cause || case when r.outcome = 'arrived' and a.kind = 'missing' then ''
      else '@' || extract(epoch from clock_timestamp())::text end
  from reason r where a.id = r.id;
  get diagnostics settled = row_count;
  return settled;
end
$$;

create function private.settle_alerts_of_assignments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Transition tables that an event does not have can't be named in its plan.
  if tg_op = 'DELETE' then
    perform private.settle_alerts(array(select distinct o.shift_id from old_rows o));
  else
    perform private.settle_alerts(array(select distinct n.shift_id from new_rows n));
  end if;
  return null;
end
$$;

create function private.settle_alerts_of_shifts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    perform private.settle_alerts('{}');
  else
    perform private.settle_alerts(array(select n.id from new_rows n));
  end if;
  return null;
end
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
  where a.id = alert.id and a.acknowledged_at is null and a.closed_at is null returning * into alert;
  if alert.id is null then
    select * into alert from public.alerts a where a.id = p_alert_id;
  end if;
  return alert;
end
$$;
grant execute on function public.acknowledge_alert to authenticated;

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
  where a.id = alert.id returning * into alert;
  return alert;
end
$$;
grant execute on function public.close_alert to authenticated;

-- The order in which a control room deals with alerts, for lists that can't show all. Lower is graver.
-- The check of `alerts.kind` has the same order, which screens follow.
create function public.danger(alert public.alerts) returns integer
language sql immutable
return array_position(array['sos', 'welfare', 'missing', 'empty', 'cant_come', 'left_early', 'running_late', 'tour',
  'no_signal'], alert.kind);
grant execute on function public.danger to authenticated;

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
  where a.id = alert.id returning * into alert;
  return alert;
end
$$;
grant execute on function public.reopen_alert to authenticated;

-- Adds an alert without telling anybody. Once per cause: a repeated call changes nothing. @returns its id, or null
create function private.add_alert(
  p_kind text, p_cause text, p_site uuid, p_shift uuid, p_assignment uuid, p_user uuid, p_detail text,
  p_at timestamptz default now()
) returns uuid
language sql security definer set search_path = '' as $$
  insert into public.alerts (kind, cause, site_id, shift_id, assignment_id, user_id, detail, raised_at)
  values (p_kind, p_cause, p_site, p_shift, p_assignment, p_user, left(p_detail, 500), p_at)
  on conflict (cause) do nothing returning id;
$$;

-- "Samuel Doe says: 20 min late, bus broke down".
create function private.said_about(mine public.assignments) returns text
language sql stable security definer set search_path = '' as $$
  select concat_ws(' ', private.name_of_person(mine.user_id), (
    select public.said(n) from public.duty_notices n where n.assignment_id = mine.id and n.ended_at is null
  ));
$$;

-- "Main Gate: Samuel Doe, 6:00 AM to 6:00 PM", in the site's zone.
create function private.alert_detail(p_kind text, p_shift uuid, p_assignment uuid) returns text
language sql stable security definer set search_path = '' as $$
  select concat_ws(': ', p.name, case p_kind
    when 'empty' then format('%s of %s seats empty', s.required_headcount - (
        select count(*) from public.assignments a where a.shift_id = s.id and a.counts_as_staffed
      ), s.required_headcount) || (
        select coalesce(string_agg(format(' (%s: %s)', private.name_of_person(a.user_id),
          coalesce(a.no_show_reason, 'did not come')), '' order by a.no_show_at), '')
        from public.assignments a where a.shift_id = s.id and a.status = 'no_show'
      )
    when 'cant_come' then private.said_about(mine)
    when 'running_late' then private.said_about(mine)
    when 'left_early' then format('%s left at %s', private.name_of_person(mine.user_id), (
        select to_char(max(r.clock_out_at) at time zone t.timezone, 'FMHH12:MI AM')
        from public.attendance r where r.assignment_id = mine.id
      ))
    else private.name_of_person(mine.user_id) end)
    || format(', %s to %s', to_char(s.start_time at time zone t.timezone, 'FMHH12:MI AM'),
      to_char(s.end_time at time zone t.timezone, 'FMHH12:MI AM'))
  from public.shifts s
  join public.sites t on t.id = s.site_id
  left join public.posts p on p.id = s.post_id
  left join public.assignments mine on mine.id = p_assignment where s.id = p_shift;
$$;

-- The words of a kind in notices. web/lib/vocabulary/kinds.ts has the same for the screens.
create function private.alert_title(p_kind text) returns text
language sql immutable set search_path = ''
return case p_kind
  when 'missing' then 'Guard missing'
  when 'empty' then 'Post empty'
  when 'cant_come' then 'Can''t come'
  when 'running_late' then 'Running late'
  when 'left_early' then 'Left early'
  when 'welfare' then 'No answer to a welfare check'
  when 'sos' then 'SOS'
  when 'tour' then 'Patrol missed'
  when 'no_signal' then 'No signal'
end;

-- By itself, when the cause ends. Does nothing if the alert is closed or was never raised.
create function private.close_alert(p_cause text, p_outcome text, p_note text) returns void
language sql security definer set search_path = '' as $$
  update public.alerts a set closed_at = now(), outcome = p_outcome, note = left(p_note, 1000)
  where a.cause = p_cause and a.closed_at is null;
$$;

-- One notice per site and reader, or one per reader for more than three sites at once. Unacknowledged alerts go to the
-- operations managers first and then to the admins, others to the planners of the site.
create function private.notify_of_alerts(p_alerts uuid[], p_is_late boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  most_sites constant integer := 3;
begin
  perform private.notify(n.user_id, 'alert', n.title, n.body, '/admin/operations', n.key || ':' || n.user_id)
  from (
    with news as materialized (
      select a.site_id, t.name, a.escalations, count(*) as alerts, min(private.alert_title(a.kind)) as title,
        'alert:' || min(a.id::text) || case when p_is_late then ':' || a.escalations else '' end as key,
        left(string_agg(coalesce(a.detail, private.alert_title(a.kind)), e'\n'
          order by a.raised_at, a.id), 2000) as details
      from public.alerts a join public.sites t on t.id = a.site_id
      where a.id = any (p_alerts) group by a.site_id, t.name, a.escalations
    ), readers as (
      select n.*, r.user_id from news n
      join (select distinct r.user_id, r.role from public.user_roles r where r.role in ('ops_manager', 'admin')) r
        on r.role = case n.escalations when 1 then 'ops_manager' else 'admin' end
      where p_is_late
      union all
      select n.*, p.user_id from news n
      join private.planners_of(case when p_is_late then '{}' else array(select w.site_id from news w) end) p
        on p.site_id = n.site_id
    ), told as (
      select r.*, count(*) over (partition by r.user_id, r.escalations) as sites from readers r
    )
    select t.user_id, t.details as body, t.key,
      case
        when p_is_late and t.alerts = 1 then format('Not acknowledged: %s, %s', t.title, t.name)
        when p_is_late then format('%s alerts not acknowledged: %s', t.alerts, t.name)
        when t.alerts = 1 then format('%s: %s', t.title, t.name)
        else format('%s new alerts: %s', t.alerts, t.name) end as title
    from told t where t.sites <= most_sites
    union all
    select t.user_id,
      left(string_agg(format('%s: %s', t.name, case when t.alerts = 1 then t.title else t.alerts || ' alerts' end),
        e'\n' order by t.name, t.site_id), 2000),
      min(t.key),
      format(case when p_is_late then '%s alerts not acknowledged at %s sites' else '%s new alerts at %s sites' end,
        sum(t.alerts), count(*))
    from told t where t.sites > most_sites group by t.user_id, t.escalations
    order by 1, 3
  ) n;
end
$$;

-- An alert that nobody acknowledges in the time set for its site: the operations managers get a notice, then the
-- admins.
-- The site's supervisors and the dispatchers got theirs when it was raised. @returns how many
create function private.escalate_alerts() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  late uuid[];
begin
  late := array(
    select a.id from public.alerts a join public.sites t on t.id = a.site_id
    where a.closed_at is null and a.acknowledged_at is null and a.escalations < 2
      and coalesce(a.escalated_at, a.raised_at) <= now() - make_interval(mins => t.escalate_after_minutes)
    for update of a skip locked
  );
  if late = '{}' then
    return 0;
  end if;
  update public.alerts a set escalations = a.escalations + 1, escalated_at = now() where a.id = any (late);
  perform private.notify_of_alerts(late, true);
  return cardinality(late);
end
$$;

-- Numbers that gateways send for callers who withhold theirs, as letters on a dial: ANONYMOUS, RESTRICTED, BLOCKED,
-- UNKNOWN, UNAVAILABLE (Twilio, "Why am I getting calls from these strange numbers?").
create function private.is_number_withheld(p_from text) returns boolean
language sql immutable set search_path = ''
return coalesce(btrim(p_from) = '' or regexp_replace(upper(p_from), '[^A-Z0-9]', '', 'g') in (
  'ANONYMOUS', 'RESTRICTED', 'BLOCKED', 'UNKNOWN', 'UNAVAILABLE', 'PRIVATE',
  '266696687', '7378742833', '2562533', '8656696', '86282452253'
), true);

-- Tells the planners of each site about new alerts: one notice a site, however many there are.
create function private.tell_of_alerts(p_alerts uuid[]) returns void
language sql security definer set search_path = '' as $$
  select private.notify_of_alerts(p_alerts, false);
$$;

-- Once per cause: a repeated call changes nothing. @returns the id of a new alert, or null
create function private.raise_alert(
  p_kind text, p_cause text, p_site uuid, p_shift uuid, p_assignment uuid, p_user uuid, p_detail text,
  p_at timestamptz default now()
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  raised uuid := private.add_alert(p_kind, p_cause, p_site, p_shift, p_assignment, p_user, p_detail, p_at);
begin
  if raised is not null then
    perform private.tell_of_alerts(array[raised]);
  end if;
  return raised;
end
$$;

-- "Main Gate: Samuel Doe, last heard 1:42 AM, 2 waiting to send", in the site's zone; of a guard's phone or of a
-- device.
create function private.silence_detail(p_assignment uuid, p_device uuid) returns text
language sql stable security definer set search_path = '' as $$
  select concat_ws(': ', p.name, private.name_of_person(a.user_id))
    || ', last heard ' || private.clock_text(h.heard_at, t.timezone)
    || case when h.waiting > 0 then format(', %s waiting to send', h.waiting) else '' end
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites t on t.id = a.site_id
  left join public.posts p on p.id = s.post_id
  join private.phone_signals h on h.user_id = a.user_id
  where a.id = p_assignment
  union all
  select v.name || ', last heard ' || private.clock_text(v.last_seen_at, t.timezone)
  from public.devices v join public.sites t on t.id = v.site_id where v.id = p_device;
$$;

-- Raises what is due. Servers that run it at once change nothing: a cause is stored once. @returns how many
create function private.raise_due_alerts() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  wanted text[];
  shifts uuid[];
  work uuid[];
  raised uuid[];
begin
  perform private.settle_alerts();
  select array_agg(c.cause), array_agg(distinct c.shift_id), array_agg(c.assignment_id)
  into wanted, shifts, work
  from private.alert_causes() c where not exists (select from public.alerts a where a.cause = c.cause);
  if wanted is null then
    return 0;
  end if;
  -- A clock-in or an assignment that is being written holds these rows, and the next round decides about them. One that
  -- comes later waits for this transaction, sees the alert and closes it. So nobody who has clocked in gets an alert.
  shifts := array(
    select s.id from public.shifts s join unnest(shifts) w (id) on w.id = s.id
    order by s.id for no key update of s skip locked
  );
  work := array(
    select a.id from public.assignments a join unnest(work) w (id) on w.id = a.id
    order by a.id for share of a skip locked
  );
  -- Looked for again: what was locked may have changed since.
  with made as (
    insert into public.alerts (cause, kind, shift_id, assignment_id, user_id, site_id, device_id, detail)
    select c.cause, c.kind, c.shift_id, c.assignment_id, c.user_id, c.site_id, c.device_id,
      left(case c.kind when 'no_signal' then private.silence_detail(c.assignment_id, c.device_id)
        else private.alert_detail(c.kind, c.shift_id, c.assignment_id) end, 500)
    from private.alert_causes('0', shifts) c
    where c.cause in (select unnest(wanted)) and (c.assignment_id is null or c.assignment_id in (select unnest(work)))
    order by c.cause
    on conflict (cause) do nothing
    returning id
  )
  select array_agg(m.id) into raised from made m;
  perform private.tell_of_alerts(raised);
  return coalesce(cardinality(raised), 0);
end
$$;

-- The caller's SOS until the control room closes its alert, with all presses that joined it and who has answered.
-- Definer: guards read no alerts.
create function public.my_open_sos()
returns table (
  id uuid, last_id uuid, raised_at timestamptz, last_at timestamptz, received_at timestamptz, site_name text,
  timezone text, gps text, is_false_alarm boolean, answered_at timestamptz, answered_by text
)
language sql stable security definer set search_path = '' as $$
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
$$;
grant execute on function public.my_open_sos to authenticated;
comment on function public.my_open_sos
  is 'Nullable: site_name, timezone, gps, answered_at, answered_by';
