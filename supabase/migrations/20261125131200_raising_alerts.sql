-- Raises an alert for each cause, closes those whose cause has ended, and sends notices to the next managers.

-- Closes alerts whose cause has ended and notes how. Of some shifts, or of all; alerts of deleted shifts in any case.
-- @returns how many
create function private.settle_alerts(p_shifts uuid[] default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  settled integer;
begin
  -- Usually there are none.
  if not exists (
    select from public.alerts a
    where a.closed_at is null and a.kind in ('missing', 'empty', 'left_early', 'no_signal')
      and (p_shifts is null or a.shift_id is null or a.shift_id in (select unnest(p_shifts)))
  ) then
    return 0;
  end if;
  with ended as (
    select a.id, a.kind, a.shift_id, a.assignment_id, a.user_id, a.site_id, a.device_id, a.raised_at,
      a.cause like 'no_signal:device:%' as is_device
    from public.alerts a
    where a.closed_at is null and a.kind in ('missing', 'empty', 'left_early', 'no_signal')
      and (p_shifts is null or a.shift_id is null or a.shift_id in (select unnest(p_shifts)))
      -- Twelve hours after the end of the shift nobody can act on it any more.
      and not exists (
        select from private.alert_causes(interval '12 hours', p_shifts) c
        where c.cause = a.cause and c.site_id = a.site_id and c.user_id is not distinct from a.user_id
      )
    -- Somebody is closing it right now: the next round checks again.
    for update skip locked
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
          then to_char(r.clock_in_received_at at time zone t.timezone, ', "received" FMHH12:MI AM') else '' end as received
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
        (3, s.start_time > now() or s.site_id <> e.site_id, 'closed', 'The shift was moved'),
        (4, s.end_time < now() - interval '12 hours', 'closed', 'The shift is over'),
        (5, e.kind = 'empty', 'covered', 'All seats have a guard'),
        (6, mine.id is null, 'closed', 'The guard was taken off the shift'),
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
        (12, mine.status = 'no_show', 'covered', 'Another guard was assigned'),
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
  from private.alert_causes() c
  where not exists (select from public.alerts a where a.cause = c.cause);
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

-- An update also follows every clock event, through attendance_state.
create trigger alerts_follow_new_assignments after insert on public.assignments
  referencing new table as new_rows for each statement execute function private.settle_alerts_of_assignments();
create trigger alerts_follow_assignments after update on public.assignments
  referencing new table as new_rows for each statement execute function private.settle_alerts_of_assignments();
create trigger alerts_follow_lost_assignments after delete on public.assignments
  referencing old table as old_rows for each statement execute function private.settle_alerts_of_assignments();

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

create trigger alerts_follow_shifts after update on public.shifts
  referencing new table as new_rows for each statement execute function private.settle_alerts_of_shifts();
create trigger alerts_follow_lost_shifts after delete on public.shifts
  referencing old table as old_rows for each statement execute function private.settle_alerts_of_shifts();

-- An alert that nobody acknowledges in the time set for its site: the operations managers get a notice, then the admins.
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
  perform private.notify(r.user_id, 'alert',
    case when count(*) = 1 then format('Not acknowledged: %s, %s', min(private.alert_title(a.kind)), min(t.name))
      else format('%s alerts not acknowledged: %s', count(*), min(t.name)) end,
    left(string_agg(coalesce(a.detail, private.alert_title(a.kind)), e'\n' order by a.raised_at, a.id), 2000),
    '/admin/operations', format('alert:%s:%s:%s', min(a.id::text), a.escalations, r.user_id))
  from public.alerts a
  join public.sites t on t.id = a.site_id
  join public.user_roles r on r.role = case a.escalations when 1 then 'ops_manager' else 'admin' end
  where a.id = any (late)
  group by a.site_id, a.escalations, r.user_id
  order by r.user_id;
  return cardinality(late);
end
$$;

revoke all on all functions in schema private from public;
