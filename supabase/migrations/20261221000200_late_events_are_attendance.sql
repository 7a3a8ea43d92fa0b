-- An approved late clock event is attendance, for everything that reads attendance; its pay is an adjustment as long as
-- the timesheet of its days is locked. docs/decisions/0097 says what that means for each reader.

-- What approving a late event wrote, so that taking it back can undo it.
create table private.late_records (
  adjustment_id uuid primary key references public.pay_adjustments (id) on delete cascade,
  attendance_id uuid not null unique,
  assignment_id uuid not null,
  -- Otherwise it closed a record that was open.
  is_new boolean not null,
  duty_before jsonb not null,
  -- The locks of attendance, assignments and timesheets let this record through meanwhile.
  is_being_written boolean not null
);
create index late_records_writing_idx on private.late_records (assignment_id) where is_being_written;
alter table private.late_records enable row level security;
revoke all on private.late_records from public, anon, authenticated, service_role;

-- Locked timesheets whose figures do not contain the record. They have its segments, which are billed and not paid.
create table private.late_hours (
  timesheet_id uuid not null references public.timesheets (id) on delete cascade,
  attendance_id uuid not null,
  adjustment_id uuid not null references public.pay_adjustments (id) on delete cascade,
  primary key (timesheet_id, attendance_id)
);
create index late_hours_adjustment_id_idx on private.late_hours (adjustment_id);
alter table private.late_hours enable row level security;
revoke all on private.late_hours from public, anon, authenticated, service_role;

-- One adjustment takes one pair of clock-in and clock-out until it is decided: who clocks out and in again within a shift
-- has two records of it. What comes after a decision is another one.
drop index public.pay_adjustments_one_per_shift;
create unique index pay_adjustments_one_per_pair on public.pay_adjustments
  ((details ->> 'assignment_id'), (details ->> 'clock_in_at')) nulls not distinct
  where kind = 'late_event' and status = 'to_decide';

-- The undecided late events that this one belongs to, of which there may be none.
create function private.pair_of_late_event(event public.clock_events) returns public.pay_adjustments
language sql stable security definer set search_path = ''
as $$
  select (x.pair).* from (
    select p as pair, (p.details ->> 'clock_in_at')::timestamptz as came, (p.details ->> 'clock_out_at')::timestamptz as went,
      exists (
        select from public.clock_events e
        where e.id in (select jsonb_array_elements_text(p.details -> 'events')::uuid) and e.kind = event.kind
          and (e.way <> 'phone' or event.way <> 'phone')
      ) as is_by_another_way
    from public.pay_adjustments p
    where p.kind = 'late_event' and p.status = 'to_decide' and p.details ->> 'assignment_id' = event.assignment_id::text
      and (event.attendance_id is null or p.details ->> 'attendance_id' = event.attendance_id::text)
  ) x
  where case event.kind
    when 'in' then case
      when x.came is null then x.went >= event.effective_at
      when x.went is null then x.is_by_another_way
      else event.effective_at >= x.came and event.effective_at < x.went
    end
    -- Two readings of one wrong clock may differ slightly.
    else x.came is null or x.came <= event.effective_at + interval '5 minutes'
  end
  order by x.came desc nulls last limit 1;
$$;

create or replace function private.take_late_event(event clock_events, p_is_known boolean)
 returns boolean
 language plpgsql
 security definer
 set search_path = ''
as $$
declare
  record public.attendance;
  sheet public.timesheets;
  changed tstzrange := tstzrange(event.effective_at, event.effective_at + interval '1 minute');
  pair public.pay_adjustments;
  facts jsonb;
  is_confirmation boolean := false;
begin
  -- A clock-out without a record belongs to a clock-in that came too late.
  if event.attendance_id is not null and event.effective_at >= now() - interval '7 days'
    and not exists (select from public.timesheets t where t.user_id = event.user_id and t.status = 'locked')
  then
    return false;
  end if;
  select * into record from public.attendance r where r.id = event.attendance_id;
  if record.id is not null then
    if p_is_known then
      return false;
    end if;
    is_confirmation := event.kind = 'in' or record.clock_out_at is not null;
    changed := case when record.clock_out_at is null
      then tstzrange(record.clock_in_at, greatest(event.effective_at, record.clock_in_at + interval '1 minute'))
      else private.span_of(record) end;
  end if;
  select t.* into sheet from public.timesheets t
  where t.user_id = event.user_id and t.status = 'locked'
    and daterange(t.period_start, t.period_end, '[]') && private.days_of(changed)
  order by t.period_start limit 1;
  if sheet.id is null and event.kind = 'out' and event.attendance_id is null then
    -- The shift's clock-in lies in the locked period, its clock-out after it.
    select p.period_start, p.period_end, p.pay_run_id into sheet.period_start, sheet.period_end, sheet.pay_run_id
    from public.pay_adjustments p
    where p.kind = 'late_event' and p.status = 'to_decide' and p.details ->> 'assignment_id' = event.assignment_id::text
    order by p.period_start desc limit 1;
  elsif sheet.id is null and event.kind = 'in' and record.id is null and event.effective_at < now() - interval '7 days' then
    -- Too old for attendance, of somebody whom the run of these days did not pay.
    select r.period_start, r.period_end, r.id into sheet.period_start, sheet.period_end, sheet.pay_run_id
    from public.pay_runs r
    where r.status in ('locked', 'paid') and lower(private.days_of(changed)) between r.period_start and r.period_end
    order by r.period_end, r.id limit 1;
  end if;
  if sheet.period_start is null then
    return false;
  end if;
  event.attendance_id := record.id;
  insert into public.clock_events select event.*;
  if is_confirmation then
    -- As in an open period, a second way of clocking changes no times.
    return true;
  end if;
  pair := private.pair_of_late_event(event);
  if pair.id is null then
    facts := jsonb_strip_nulls(jsonb_build_object(
      'assignment_id', event.assignment_id, 'attendance_id', record.id,
      'clock_in_at', coalesce(record.clock_in_at, case when event.kind = 'in' then event.effective_at end),
      'clock_out_at', case when event.kind = 'out' then event.effective_at else record.clock_out_at end,
      'events', jsonb_build_array(event.id)));
    insert into public.pay_adjustments (staff_id, user_id, kind, period_start, period_end, pay_run_id, details, minutes,
      explanation)
    values ((select s.id from public.staff s where s.user_id = event.user_id), event.user_id, 'late_event',
      sheet.period_start, sheet.period_end, sheet.pay_run_id, facts, private.late_minutes(facts),
      format('Clock events of %s arrived after the period %s to %s was locked.',
        to_char(lower(private.days_of(changed)), 'FMMonth FMDD, YYYY'), to_char(sheet.period_start, 'FMMonth FMDD'),
        to_char(sheet.period_end, 'FMMonth FMDD')));
    return true;
  end if;
  facts := pair.details || jsonb_build_object('events', (pair.details -> 'events') || to_jsonb(event.id));
  if event.kind = 'in' and not facts ? 'clock_in_at' then
    facts := facts || jsonb_build_object('clock_in_at', event.effective_at);
  elsif event.kind = 'out' and (not facts ? 'clock_out_at' or event.way = 'phone' and not exists (
    select from public.clock_events e
    where e.id in (select jsonb_array_elements_text(pair.details -> 'events')::uuid) and e.kind = 'out' and e.way <> 'phone'))
  then
    facts := facts || jsonb_build_object('clock_out_at',
      greatest(event.effective_at, (facts ->> 'clock_in_at')::timestamptz));
  end if;
  update public.pay_adjustments p set details = facts, minutes = private.late_minutes(facts) where p.id = pair.id;
  return true;
end
$$;

create or replace function private.came_too_late(p_assignment public.assignments) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.clock_events e
    where e.assignment_id = p_assignment.id and e.kind = 'in' and e.attendance_id is null
  ) and not exists (select from public.attendance r where r.assignment_id = p_assignment.id)
  -- Clocked in a second time on a shift whose first record arrived late too.
  or exists (
    select from public.pay_adjustments a
    where a.kind = 'late_event' and a.status = 'to_decide' and a.details ->> 'assignment_id' = p_assignment.id::text
      and a.details ? 'clock_in_at' and not a.details ? 'clock_out_at' and not a.details ? 'attendance_id'
  );
$$;

-- A record whose clock-out is to be decided is not open: the next clock-in is that of another record.
create function private.is_closed_late(p_record_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.pay_adjustments a join public.attendance r on r.id = p_record_id
    where a.kind = 'late_event' and a.status = 'to_decide' and a.details ->> 'assignment_id' = r.assignment_id::text
      and a.details ->> 'attendance_id' = p_record_id::text and a.details ? 'clock_out_at'
  );
$$;

create or replace function private.record_to_open(me uuid, assignment uuid, wanted uuid)
 returns uuid
 language plpgsql
 stable security definer
 set search_path = ''
as $$
declare
  found_id uuid;
begin
  select r.id into found_id from public.attendance r
  where r.assignment_id = assignment and r.user_id = me
    and (r.id = wanted or r.clock_out_at is null and not private.is_closed_late(r.id))
  order by r.id = wanted desc limit 1;
  if exists (select from public.clock_events e where e.attendance_id = found_id and e.kind = 'in') then
    raise exception 'You are already clocked in.' using errcode = 'unique_violation';
  end if;
  return found_id;
end
$$;

create or replace function private.record_of_another_way(assignment uuid, kind text, way text, at_time timestamptz)
 returns uuid
 language plpgsql
 stable security definer
 set search_path = ''
as $$
begin
  if not exists (select from public.attendance r where r.assignment_id = record_of_another_way.assignment) then
    return null;
  end if;
  return (
    select r.id from public.attendance r
    where r.assignment_id = record_of_another_way.assignment and exists (
      select from public.clock_events e
      where e.attendance_id = r.id and e.kind = record_of_another_way.kind
        and (e.way <> 'phone' or record_of_another_way.way <> 'phone')
        and (e.kind = 'in' or e.received_at >= coalesce(r.reopened_at, '-infinity'))
    ) and case record_of_another_way.kind
      when 'in' then r.clock_out_at is null and not private.is_closed_late(r.id) or at_time < r.clock_out_at
      else r.clock_out_at is not null and not exists (
        select from public.attendance o
        where o.assignment_id = record_of_another_way.assignment and o.clock_out_at is null
      )
    end
    order by r.clock_in_at desc limit 1
  );
end
$$;

-- The locks hold for everybody but an approved late event while it is written or taken back.
create or replace function private.keep_locked_attendance()
 returns trigger
 language plpgsql
 security definer
 set search_path = ''
as $$
begin
  if exists (
    select from private.late_records r
    where r.is_being_written and r.attendance_id = case when tg_op = 'DELETE' then old.id else new.id end
  ) then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'INSERT' then
    perform private.refuse_locked(new.user_id, private.span_of(new));
    return new;
  elsif tg_op = 'DELETE' then
    perform private.refuse_locked(old.user_id, private.span_of(old));
    return old;
  end if;
  if (new.user_id, new.assignment_id) is distinct from (old.user_id, old.assignment_id) then
    perform private.refuse_locked(old.user_id, private.span_of(old));
    perform private.refuse_locked(new.user_id, private.span_of(new));
  else
    perform private.refuse_locked_difference(old.user_id, private.span_of(old), private.span_of(new));
    -- Other columns say something about the whole record. Deleted accounts leave it.
    if private.span_of(new) = private.span_of(old) and to_jsonb(new) - '{updated_at,resolved_by,corrected_by}'::text[]
      <> to_jsonb(old) - '{updated_at,resolved_by,corrected_by}'::text[]
    then
      perform private.refuse_locked(old.user_id, private.span_of(old));
    end if;
  end if;
  return new;
end
$$;

create or replace function private.keep_locked_assignment()
 returns trigger
 language plpgsql
 security definer
 set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.refuse_locked(new.user_id, new.period);
    return new;
  elsif tg_op = 'DELETE' then
    perform private.refuse_locked(old.user_id, old.period);
    return old;
  end if;
  if exists (select from private.late_records r where r.is_being_written and r.assignment_id = new.id)
    and (new.user_id, new.shift_id, new.site_id, new.on_leave, new.period)
      is not distinct from (old.user_id, old.shift_id, old.site_id, old.on_leave, old.period)
  then
    return new;
  end if;
  if (new.user_id, new.shift_id, new.site_id, new.on_leave, new.status = 'no_show', new.status = 'cancelled')
    is distinct from
    (old.user_id, old.shift_id, old.site_id, old.on_leave, old.status = 'no_show', old.status = 'cancelled')
  then
    perform private.refuse_locked(old.user_id, old.period);
    perform private.refuse_locked(new.user_id, new.period);
  else
    perform private.refuse_locked_difference(old.user_id, old.period, new.period);
  end if;
  return new;
end
$$;

create or replace function private.keep_locked_rows()
 returns trigger
 language plpgsql
 security definer
 set search_path = ''
as $$
declare
  locked public.timesheets;
begin
  -- Nearly always there is none, and nothing else is read.
  if tg_table_name = 'time_segments' and tg_op <> 'UPDATE' and exists (select from private.late_records r where r.is_being_written)
  then
    if tg_op = 'INSERT' then
      perform from new_rows n where not exists (
        select from private.late_hours h join private.late_records r on r.attendance_id = h.attendance_id and r.is_being_written
        where h.timesheet_id = n.timesheet_id and h.attendance_id = n.attendance_id);
    else
      perform from old_rows o where not exists (
        select from private.late_hours h join private.late_records r on r.attendance_id = h.attendance_id and r.is_being_written
        where h.timesheet_id = o.timesheet_id and h.attendance_id = o.attendance_id);
    end if;
    if not found then
      return null;
    end if;
  end if;
  if tg_op = 'INSERT' then
    select t.* into locked from public.timesheets t
    where t.status = 'locked' and t.id in (select n.timesheet_id from new_rows n) limit 1;
  else
    select t.* into locked from public.timesheets t
    where t.status = 'locked' and t.id in (select o.timesheet_id from old_rows o) limit 1;
  end if;
  if found then
    raise exception '%', private.locked_text(locked.period_start, locked.period_end) using errcode = 'PT409';
  end if;
  return null;
end
$$;

-- Of a record that is written from late events: as its phone sent it, and reviewed by who approved it.
create function private.describe_late_attendance() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  late private.late_records;
  site public.sites;
  event public.clock_events;
  raised text[] := new.flags;
begin
  select * into late from private.late_records r where r.attendance_id = new.id and r.is_being_written;
  if not found or new.clock_out_at is null then
    return new;
  end if;
  select * into site from public.sites s where s.id = new.site_id;
  select e.* into event from public.clock_events e
  where late.is_new and e.assignment_id = new.assignment_id and e.kind = 'in' and e.effective_at = new.clock_in_at
  order by e.received_at desc limit 1;
  if found then
    new.clock_in_way := event.way;
    raised := private.flags_of_event(new.clock_in_at, new.clock_in_received_at, new.clock_in_gps, new.clock_in_distance_m,
      site.geofence_radius_m, event);
  end if;
  select e.* into event from public.clock_events e
  where e.assignment_id = new.assignment_id and e.kind = 'out' and e.effective_at = new.clock_out_at
  order by e.received_at desc limit 1;
  if found then
    new.clock_out_way := event.way;
    raised := raised || private.flags_of_event(new.clock_out_at, new.clock_out_received_at, new.clock_out_gps,
      new.clock_out_distance_m, site.geofence_radius_m, event);
  end if;
  new.flags := array(select distinct f from unnest(raised) f order by f);
  new.needs_review := false;
  new.resolution := 'The late clock events were approved.';
  new.resolved_by := auth.uid();
  new.resolved_at := now();
  return new;
end
$$;
create trigger c_rules_of_late before insert or update on public.attendance
  for each row when (pg_trigger_depth() > 0) execute function private.describe_late_attendance();

-- The margin shares the pay of a period over its worked minutes, which are others now.
create function private.forget_minutes_of_sheets(p_sheets uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  runs uuid[] := array(select t.pay_run_id from public.timesheets t where t.id = any (p_sheets) and t.pay_run_id is not null);
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('private.payslips_apart', 0));
  delete from private.summed_pay_runs d where d.pay_run_id = any (runs);
  delete from private.paid_minutes m where m.pay_run_id = any (runs);
  delete from private.wage_sums w where w.pay_run_id = any (runs);
  update private.settled_runs d set is_summed = false where d.pay_run_id = any (runs);
end
$$;

-- The weeks that hours of a late event belong to, as days: their overtime depends on them. Null if half of it has not arrived.
create function private.weeks_of_late_event(p_details jsonb) returns daterange
language sql stable security definer set search_path = ''
as $$
  select daterange(date_trunc('week', lower(d.days)::timestamp)::date, date_trunc('week', (upper(d.days) - 1)::timestamp)::date + 7)
  from (
    select private.days_of(tstzrange(
      (p_details ->> 'clock_in_at')::timestamptz, (p_details ->> 'clock_out_at')::timestamptz, '[]')) as days
  ) d
  where p_details ? 'clock_in_at' and p_details ? 'clock_out_at';
$$;

-- Writes the attendance of a late event, and its segments into locked timesheets, whose figures stay.
create function private.count_late_event(p_adjustment public.pay_adjustments) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  a public.pay_adjustments := p_adjustment;
  duty public.assignments;
  came timestamptz := (a.details ->> 'clock_in_at')::timestamptz;
  went timestamptz := (a.details ->> 'clock_out_at')::timestamptz;
  record_id uuid := (a.details ->> 'attendance_id')::uuid;
  events uuid[] := array(select jsonb_array_elements_text(a.details -> 'events')::uuid);
  entered public.clock_events;
  left_at public.clock_events;
  weeks daterange := private.weeks_of_late_event(a.details);
  sheets uuid[];
  was_computing text := current_setting('app.computing_time', true);
begin
  -- As clock events do, which take turns with this.
  perform pg_advisory_xact_lock(hashtextextended(a.user_id::text, 0));
  select * into duty from public.assignments g where g.id = (a.details ->> 'assignment_id')::uuid for update;
  if not found then
    raise exception 'The shift of these clock events no longer exists. Reject them.' using errcode = 'PT409';
  end if;
  select e.* into entered from public.clock_events e where e.id = any (events) and e.kind = 'in'
  order by e.effective_at = came desc, e.received_at desc limit 1;
  select e.* into left_at from public.clock_events e where e.id = any (events) and e.kind = 'out'
  order by e.effective_at = went desc, e.received_at desc limit 1;
  if exists (
    select from public.attendance r
    where r.assignment_id = duty.id and r.id is distinct from record_id
      and tstzrange(r.clock_in_at, r.clock_out_at, '[]') && tstzrange(came, went)
    union all
    select from public.attendance r where r.id = record_id and r.clock_out_at is not null
  ) then
    raise exception 'This shift has attendance for these hours already. Reject these clock events.' using errcode = 'PT409';
  end if;
  insert into private.late_records as r (adjustment_id, attendance_id, assignment_id, is_new, duty_before, is_being_written)
  values (a.id, coalesce(record_id, gen_random_uuid()), duty.id, record_id is null,
    -- As it was before any of its pairs, in whichever order they are taken back.
    coalesce((
      select o.duty_before from private.late_records o join public.attendance r on r.id = o.attendance_id
      where o.assignment_id = duty.id and o.is_new and o.adjustment_id <> a.id limit 1
    ), jsonb_build_object('status', duty.status, 'attendance_state', duty.attendance_state,
      'no_show_reason', duty.no_show_reason)), true)
  on conflict (adjustment_id) do update set attendance_id = excluded.attendance_id, is_new = excluded.is_new,
    duty_before = excluded.duty_before, is_being_written = true
  returning r.attendance_id into record_id;
  if not a.details ? 'attendance_id' then
    insert into public.attendance (id, assignment_id, clock_in_at, clock_in_gps, clock_in_reason, clock_in_received_at,
      clock_out_at, clock_out_gps, clock_out_reason, clock_out_received_at)
    values (record_id, duty.id, came, entered.gps, entered.reason, coalesce(entered.received_at, a.created_at),
      went, left_at.gps, left_at.reason, coalesce(left_at.received_at, a.created_at));
    update public.clock_events e set attendance_id = record_id where e.id = any (events);
  else
    update public.attendance r set clock_out_at = went, clock_out_gps = left_at.gps, clock_out_reason = left_at.reason,
      clock_out_received_at = coalesce(left_at.received_at, a.created_at)
    where r.id = record_id;
  end if;

  insert into private.late_hours (timesheet_id, attendance_id, adjustment_id)
  select t.id, record_id, a.id from public.timesheets t
  where t.user_id = a.user_id and t.status = 'locked' and daterange(t.period_start, t.period_end, '[]') && weeks;
  sheets := array(select h.timesheet_id from private.late_hours h where h.attendance_id = record_id);
  perform set_config('app.computing_time', 'on', true);
  insert into public.time_segments (timesheet_id, user_id, day, attendance_id, shift_id, site_id, starts_at, ends_at, class,
    rule, rate, time_rule_id)
  select t.id, c.user_id, c.day, c.attendance_id, c.shift_id, c.site_id, lower(x.span), upper(x.span), c.class, c.rule, c.rate,
    c.time_rule_id
  from private.computed_segments(array[a.user_id], lower(weeks), upper(weeks) - 1) c
  join public.timesheets t on t.id = any (sheets) and c.day between t.period_start and t.period_end
  cross join lateral (
    select coalesce(range_agg(tstzrange(s.starts_at, s.ends_at)), '{}') as spans from public.time_segments s
    where s.user_id = c.user_id and tstzrange(s.starts_at, s.ends_at) && tstzrange(c.starts_at, c.ends_at)
  ) taken
  cross join lateral unnest(tstzmultirange(tstzrange(c.starts_at, c.ends_at)) - taken.spans) x (span)
  where c.attendance_id = record_id;
  perform set_config('app.computing_time', coalesce(was_computing, ''), true);
  perform private.forget_minutes_of_sheets(sheets);
  update private.late_records r set is_being_written = false where r.adjustment_id = a.id;
end
$$;

-- The segments of late events in these timesheets, which are theirs no more.
create function private.remove_late_hours(p_sheets uuid[], p_attendance_id uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  was_computing text := current_setting('app.computing_time', true);
begin
  perform set_config('app.computing_time', 'on', true);
  delete from public.time_segments s using private.late_hours h
  where h.timesheet_id = any (p_sheets) and (p_attendance_id is null or h.attendance_id = p_attendance_id)
    and s.timesheet_id = h.timesheet_id and s.attendance_id = h.attendance_id;
  perform set_config('app.computing_time', coalesce(was_computing, ''), true);
  delete from private.late_hours h
  where h.timesheet_id = any (p_sheets) and (p_attendance_id is null or h.attendance_id = p_attendance_id);
end
$$;

-- The approval of a late event is taken back: attendance and duty are as they were.
create function private.discount_late_event(p_adjustment public.pay_adjustments) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  late private.late_records;
  sheets uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended(p_adjustment.user_id::text, 0));
  update private.late_records r set is_being_written = true where r.adjustment_id = p_adjustment.id returning * into late;
  if not found then
    return;
  end if;
  if exists (
    select from public.billed_time b
    join public.invoice_lines l on l.id = b.invoice_line_id and l.credited_at is null
    join public.invoices i on i.id = l.invoice_id and i.status <> 'draft'
    where b.attendance_id = late.attendance_id and b.freed_at is null
  ) then
    raise exception 'An issued invoice bills these hours. Credit their line first.' using errcode = 'PT409';
  end if;
  sheets := array(select h.timesheet_id from private.late_hours h where h.attendance_id = late.attendance_id);
  perform private.remove_late_hours(sheets, late.attendance_id);
  if late.is_new then
    update public.clock_events e set attendance_id = null where e.attendance_id = late.attendance_id;
    delete from public.attendance r where r.id = late.attendance_id;
    update public.assignments g set attendance_state = late.duty_before ->> 'attendance_state',
      status = late.duty_before ->> 'status', no_show_reason = late.duty_before ->> 'no_show_reason'
    where g.id = late.assignment_id and not exists (
      select from private.late_records o join public.attendance r on r.id = o.attendance_id
      where o.assignment_id = late.assignment_id and o.is_new and o.adjustment_id <> late.adjustment_id);
  else
    begin
      update public.attendance r set clock_out_at = null, clock_out_gps = null, clock_out_reason = null,
        clock_out_received_at = null
      where r.id = late.attendance_id;
    exception when unique_violation then
      raise exception 'The guard has clocked in again since, so this record can''t be open again.' using errcode = 'PT409';
    end;
  end if;
  perform private.forget_minutes_of_sheets(sheets);
  delete from private.late_records r where r.adjustment_id = late.adjustment_id;
end
$$;

create function private.follow_late_event() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A void supersedes what was approved, whose attendance stays. Without a lock it is attendance and nothing else.
  if new.status = 'approved' or new.status = 'superseded' and old.status <> 'approved' then
    perform private.count_late_event(new);
  elsif new.status = 'rejected' and old.status = 'approved' then
    perform private.discount_late_event(new);
  end if;
  return null;
end
$$;
create trigger attendance_follows after update of status on public.pay_adjustments
  for each row when (new.kind = 'late_event' and old.status is distinct from new.status)
  execute function private.follow_late_event();

revoke all on function
  private.pair_of_late_event(public.clock_events), private.is_closed_late(uuid),
  private.describe_late_attendance(), private.forget_minutes_of_sheets(uuid[]), private.weeks_of_late_event(jsonb),
  private.count_late_event(public.pay_adjustments), private.remove_late_hours(uuid[], uuid),
  private.discount_late_event(public.pay_adjustments), private.follow_late_event()
from public;

-- Approved before this: the hours were paid and are attendance now, as far as all of their days are locked.
do $$
declare
  a public.pay_adjustments;
begin
  for a in
    select p.* from public.pay_adjustments p
    where p.kind = 'late_event' and p.status = 'approved' and p.details ? 'clock_in_at' and p.details ? 'clock_out_at'
      and not exists (
        select from generate_series(
          lower(private.days_of(tstzrange((p.details ->> 'clock_in_at')::timestamptz, (p.details ->> 'clock_out_at')::timestamptz, '[]'))),
          upper(private.days_of(tstzrange((p.details ->> 'clock_in_at')::timestamptz, (p.details ->> 'clock_out_at')::timestamptz, '[]'))) - 1,
          interval '1 day') d (day)
        where not exists (
          select from public.timesheets t
          where t.user_id = p.user_id and t.status = 'locked' and d.day::date between t.period_start and t.period_end)
      )
    order by p.id
  loop
    begin
      perform private.count_late_event(a);
    exception when sqlstate 'PT409' then
      raise notice 'Late event % stays an adjustment only: %', a.id, sqlerrm;
    end;
  end loop;
end
$$;
