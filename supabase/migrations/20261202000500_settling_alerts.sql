-- As before, but the causes are looked up for the shifts of open alerts alone.

-- Closes alerts whose cause has ended and notes how. Of some shifts, or of all; alerts of deleted shifts in any case.
-- @returns how many
create or replace function private.settle_alerts(p_shifts uuid[] default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  settled integer;
  -- Causes are looked up for these alone, since most guards on duty have no alert. Those of devices belong to no shift.
  open_shifts uuid[] := array(
    select distinct a.shift_id from public.alerts a
    where a.closed_at is null and a.kind in ('missing', 'empty', 'left_early', 'no_signal') and a.shift_id is not null
      and (p_shifts is null or a.shift_id in (select unnest(p_shifts)))
  );
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
        select from private.alert_causes(interval '12 hours', open_shifts) c
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

revoke all on all functions in schema private from public;
