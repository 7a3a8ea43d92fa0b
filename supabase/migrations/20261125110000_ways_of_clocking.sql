-- How a clock event was made: on the guard's own phone, on a shared device, at a supervisor's muster, by text message, or
-- entered in the office. One way is enough: a second event of the same assignment and kind joins the first's record.
alter table public.clock_events
  add column way text not null default 'phone' check (way in ('phone', 'device', 'muster', 'message', 'office')),
  add column device_id uuid,
  add column made_by uuid references public.profiles (id) on delete set null;
comment on column public.clock_events.way is 'Derived: how the event was made';
comment on column public.clock_events.device_id is 'The shared device that sent it';
comment on column public.clock_events.made_by is 'Who made it for the guard; null if the guard did';
create index clock_events_made_by_idx on public.clock_events (made_by) where made_by is not null;

alter table public.attendance
  add column clock_in_way text not null default 'phone'
    check (clock_in_way in ('phone', 'device', 'muster', 'message', 'office')),
  add column clock_out_way text check (clock_out_way in ('phone', 'device', 'muster', 'message', 'office')),
  drop constraint attendance_flags_known,
  add constraint attendance_flags_known check (
    flags <@ array['outside_fence', 'no_location', 'sent_late', 'entered_by_guard', 'device_clock', 'overlaps',
      'left_early', 'reopened', 'way_not_accepted', 'ways_differ']
  );
comment on column public.attendance.clock_in_way is 'Derived: how the guard was clocked in';
comment on column public.attendance.clock_out_way is 'Derived: how the guard was clocked out; null until then';

-- Not a change of these records, so neither their rules nor the activity log take part.
alter table public.attendance disable trigger user;
update public.attendance r set
  clock_in_way = case when r.corrected_at is not null and r.original_clock_in_at is null and not exists (
    select from public.clock_events e where e.attendance_id = r.id and e.kind = 'in'
  ) and r.clock_in_gps is null then 'office' else 'phone' end,
  clock_out_way = case when r.clock_out_at is null then null
    when r.clock_out_received_at is null then 'office' else 'phone' end;
alter table public.attendance enable trigger user;

-- The event that record_event_for is storing in this record; all null otherwise. Naming another event gains nothing:
-- only record_event_for can store one.
create function private.event_being_recorded(record_id uuid) returns public.clock_events
language sql stable security definer set search_path = '' as $$
  select e from public.clock_events e
  where e.id = nullif(current_setting('app.clock_event', true), '')::uuid and e.attendance_id = record_id;
$$;

-- Flags of one event. A time that the guard typed is always late and from another place. A shared device is at its
-- site, and a text message has no location.
create or replace function private.flags_of_event(
  at_time timestamptz, received timestamptz, gps text, distance_m integer, fence_m integer, event public.clock_events
) returns text[]
language sql immutable set search_path = ''
return array_remove(case when coalesce(event.entered_by_guard, false) then array['entered_by_guard'] else array[
  case when gps is null and event.way in ('device', 'message') then null
    when gps is null then 'no_location' when distance_m > fence_m then 'outside_fence' end,
  case when received > at_time + interval '15 minutes' then 'sent_late' end
] end || case when event.clock_off then 'device_clock' end, null);

-- Definer, because a guard can't read every table that it reads. It runs before the policies, so it reveals nothing to
-- callers who may not write the record.
create or replace function private.check_attendance() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- What record_event_for records for its guard; all null in a caller's own statement.
  recorded public.clock_events := private.event_being_recorded(new.id);
  me uuid := coalesce(recorded.user_id, auth.uid());
  way text := coalesce(recorded.way, 'phone');
  assignment public.assignments;
  shift public.shifts;
  site public.sites;
  event public.clock_events;
  raised text[] := '{}';
begin
  select * into assignment from public.assignments a where a.id = new.assignment_id;
  if not found then
    raise exception 'This assignment no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  select * into shift from public.shifts s where s.id = assignment.shift_id;
  select * into site from public.sites s where s.id = assignment.site_id;
  new.user_id := assignment.user_id;
  new.site_id := assignment.site_id;
  -- A caller can't choose the flags of a new record; a load without a caller sets them.
  if tg_op = 'INSERT' and me is not null then
    new.flags := '{}';
    new.reopened_at := null;
  end if;

  -- Depth 1 is the caller's own statement, not a shift that moved. Without a caller it is the service role.
  if me is not null and pg_trigger_depth() = 1 then
    if me = assignment.user_id then
      if tg_op = 'UPDATE' then
        new := private.check_own_clock_out(new, old);
      elsif not exists (select from public.attendance a where a.id = new.id and a.user_id = me) then
        -- The primary key refuses a repeat.
        new := private.check_own_clock_in(new, shift, assignment.status);
      end if;
    elsif private.may_oversee(assignment.site_id) or private.has_role('hr') then
      new := private.note_correction(new, case when tg_op = 'UPDATE' then old end);
    else
      return new;
    end if;
  end if;

  if me is distinct from assignment.user_id and me is not null then
    way := 'office';
  end if;
  if tg_op = 'INSERT' then
    new.clock_in_way := case when me is null then new.clock_in_way else way end;
  elsif me is not null then
    new.clock_in_way := old.clock_in_way;
  end if;
  if new.clock_out_at is null then
    new.clock_out_way := null;
  elsif tg_op = 'UPDATE' and old.clock_out_at is not null then
    new.clock_out_way := old.clock_out_way;
  else
    new.clock_out_way := case when me is null then coalesce(new.clock_out_way, way) else way end;
  end if;

  new.clock_in_distance_m := private.distance_m(new.clock_in_gps, site.latitude, site.longitude);
  new.clock_out_distance_m := private.distance_m(new.clock_out_gps, site.latitude, site.longitude);
  new.late_minutes := greatest(0, floor(extract(epoch from new.clock_in_at - shift.start_time) / 60));
  new.early_minutes := greatest(0, floor(extract(epoch from shift.end_time - new.clock_out_at) / 60));
  if me is null then
    return new;
  end if;
  if way <> all (site.clock_ways) and (
    recorded.id is not null or tg_op = 'INSERT' or new.clock_out_at is not null and old.clock_out_at is null
  ) then
    raised := array['way_not_accepted'];
  end if;

  if me <> assignment.user_id then
    null;
  elsif tg_op = 'INSERT' then
    select * into event from public.clock_events e where e.attendance_id = new.id and e.kind = 'in';
    raised := raised || private.flags_of_event(new.clock_in_at, new.clock_in_received_at, new.clock_in_gps,
      new.clock_in_distance_m, site.geofence_radius_m, event);
    new.needs_review := false;
  elsif new.clock_out_at is not null and old.clock_out_at is null then
    select * into event from public.clock_events e
    where e.attendance_id = new.id and e.kind = 'out' and e.received_at >= coalesce(new.reopened_at, '-infinity')
    order by e.received_at desc limit 1;
    raised := raised || private.flags_of_event(new.clock_out_at, new.clock_out_received_at, new.clock_out_gps,
      new.clock_out_distance_m, site.geofence_radius_m, event);
    if shift.end_time - new.clock_out_at > private.early_leave_margin() then
      raised := array_append(raised, 'left_early');
    end if;
  elsif new.reopened_at is distinct from old.reopened_at then
    select * into event from public.clock_events e
    where e.attendance_id = new.id and e.kind = 'reopen' order by e.received_at desc limit 1;
    new.flags := array_remove(new.flags, 'left_early');
    raised := raised || array_remove(array['reopened',
      case when event.received_at > event.effective_at + interval '15 minutes' then 'sent_late' end,
      case when event.clock_off then 'device_clock' end], null);
  -- A second event: a guard at post may press again, or be mustered, at any time of the shift.
  elsif recorded.kind = 'in' and recorded.effective_at < new.clock_in_at - interval '15 minutes'
    or recorded.kind = 'out' and abs(extract(epoch from recorded.effective_at - new.clock_out_at)) > 900
  then
    raised := array_append(raised, 'ways_differ');
  end if;
  if me = assignment.user_id and (tg_op = 'INSERT' or new.clock_out_at is not null and old.clock_out_at is null)
    and private.overlaps_own(new.user_id, new.id, new.clock_in_at, new.clock_out_at)
  then
    raised := array_append(raised, 'overlaps');
  end if;
  if raised <> '{}' then
    new.needs_review := true;
    new.flags := array(select distinct f from unnest(new.flags || raised) f order by f);
  end if;
  return new;
end
$$;

create or replace function private.note_resolution() returns trigger
language plpgsql set search_path = '' as $$
declare
  me uuid := coalesce((private.event_being_recorded(new.id)).user_id, auth.uid());
begin
  if me is null or pg_trigger_depth() > 1 then
    return new;
  end if;
  if tg_op = 'INSERT' then
    new.resolution := null;
    new.resolved_by := null;
    new.resolved_at := null;
    return new;
  end if;
  if me = new.user_id and new.resolution is distinct from old.resolution then
    raise exception 'You can''t resolve the exceptions of your own attendance.'
      using errcode = 'insufficient_privilege';
  end if;
  if new.needs_review and not old.needs_review then
    new.resolution := null;
    new.resolved_by := null;
    new.resolved_at := null;
  elsif new.needs_review and new.resolution is not null then
    raise exception 'Send a resolution together with needs_review = false.' using errcode = 'check_violation';
  elsif old.needs_review and not new.needs_review or new.resolution is distinct from old.resolution then
    if new.resolution is null then
      raise exception 'Describe how this was resolved.' using errcode = 'check_violation';
    end if;
    new.resolved_by := me;
    new.resolved_at := now();
  end if;
  return new;
end
$$;

-- Also how the guard clocked in and out, and why one did not come.
create or replace view public.attendance_overview with (security_invoker = true) as
  select a.id as assignment_id, r.id as attendance_id, a.user_id,
    coalesce(nullif(p.full_name, ''), p.email, '') as guard_name,
    a.role_at_shift, a.status, a.attendance_state, a.site_id, t.name as site_name, t.client_name, t.timezone,
    a.starts_at as start_time, upper(a.period) as end_time, r.clock_in_at, r.clock_out_at,
    coalesce(r.late_minutes, 0) as late_minutes, coalesce(r.early_minutes, 0) as early_minutes,
    nullif(greatest(
      case when r.clock_in_distance_m > t.geofence_radius_m then r.clock_in_distance_m else 0 end,
      case when r.clock_out_distance_m > t.geofence_radius_m then r.clock_out_distance_m else 0 end
    ), 0) as outside_m,
    coalesce(r.flags, '{}') as flags,
    coalesce(r.needs_review, false) as needs_review,
    r.corrected_at is not null as is_corrected,
    array_remove(array[
      case when state.is_open and upper(a.period) > now() then 'in' end,
      case when state.is_open and upper(a.period) <= now() then 'forgotten' end,
      case when r.late_minutes > 0 then 'late' end,
      case when state.is_issue and a.status <> 'no_show' and not (a.on_leave and r.clock_in_at is null)
        then 'missing' end,
      case when 'outside_fence' = any (r.flags) then 'outside' end,
      case when 'no_location' = any (r.flags) then 'no_location' end,
      case when 'sent_late' = any (r.flags) then 'late_sent' end,
      case when 'entered_by_guard' = any (r.flags) then 'by_guard' end,
      case when r.needs_review then 'review' end,
      case when state.is_issue then 'issues' end
    ], null) as states,
    a.on_leave, r.clock_in_way, r.clock_out_way, a.no_show_reason
  from public.assignments a
  join public.sites t on t.id = a.site_id
  left join public.profiles p on p.id = a.user_id
  left join public.attendance r on r.assignment_id = a.id
  cross join lateral (
    select r.clock_in_at is not null and r.clock_out_at is null as is_open,
      -- Of several records of one assignment, only the open one is the issue.
      private.is_attendance_issue(a)
        and (a.attendance_state = 'none' or r.clock_in_at is not null and r.clock_out_at is null) as is_issue
  ) state;

revoke all on function private.event_being_recorded from public;
grant execute on function private.event_being_recorded to authenticated, service_role;
