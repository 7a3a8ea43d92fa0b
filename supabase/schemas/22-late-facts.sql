-- Facts that arrive after a timesheet was approved or paid.

-- ── Tables ────────────────────────────────────────────────────────────

-- Locked timesheets whose figures do not contain the record. They have its segments, which are billed and not paid.
create table private.late_hours (
  timesheet_id uuid not null references public.timesheets on delete cascade,
  attendance_id uuid not null,
  adjustment_id uuid not null references public.pay_adjustments on delete cascade,
  primary key (timesheet_id, attendance_id)
);
create index late_hours_adjustment_id_idx on private.late_hours (adjustment_id);
alter table private.late_hours enable row level security;

-- What approving a late event wrote, so that taking it back can undo it.
create table private.late_records (
  adjustment_id uuid primary key references public.pay_adjustments on delete cascade,
  attendance_id uuid not null unique,
  assignment_id uuid not null,
  is_new boolean not null, -- Otherwise it closed a record that was open.
  duty_before jsonb not null,
  -- The locks of attendance, assignments and timesheets let this record through while it is true.
  is_being_written boolean not null
);
create index late_records_writing_idx on private.late_records (assignment_id) where is_being_written;
alter table private.late_records enable row level security;

-- ── Functions ─────────────────────────────────────────────────────────

-- The weeks that hours of a late event belong to, as days: their overtime depends on them. Null if half of it has not
-- arrived.
create function private.weeks_of_late_event(p_details jsonb) returns daterange
language sql stable security definer set search_path = '' as $$
  select daterange(date_trunc('week', lower(d.days)::timestamp)::date,
    date_trunc('week', (upper(d.days) - 1)::timestamp)::date + 7)
  from (
    select private.days_of(tstzrange(
      (p_details ->> 'clock_in_at')::timestamptz, (p_details ->> 'clock_out_at')::timestamptz, '[]')) as days
  ) d
  where p_details ? 'clock_in_at' and p_details ? 'clock_out_at';
$$;

-- Writes the attendance of a late event, and its segments into locked timesheets, whose figures stay.
create function private.count_late_event(p_adjustment public.pay_adjustments) returns void
language plpgsql security definer set search_path = '' as $$
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
    raise exception 'This shift has attendance for these hours already. Reject these clock events.'
      using errcode = 'PT409';
  end if;
  insert into private.late_records as r (adjustment_id, attendance_id, assignment_id, is_new, duty_before,
    is_being_written)
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
  insert into public.time_segments (timesheet_id, user_id, day, attendance_id, shift_id, site_id, starts_at, ends_at,
    class,
    rule, rate, time_rule_id)
  select t.id, c.user_id, c.day, c.attendance_id, c.shift_id, c.site_id, lower(x.span), upper(x.span), c.class, c.rule,
    c.rate,
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
language plpgsql security definer set search_path = '' as $$
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
language plpgsql security definer set search_path = '' as $$
declare
  late private.late_records;
  sheets uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended(p_adjustment.user_id::text, 0));
  update private.late_records r set is_being_written = true where r.adjustment_id = p_adjustment.id
    returning * into late;
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
      raise exception 'The guard has clocked in again since, so this record can''t be open again.'
        using errcode = 'PT409';
    end;
  end if;
  perform private.forget_minutes_of_sheets(sheets);
  delete from private.late_records r where r.adjustment_id = late.adjustment_id;
end
$$;

create function private.follow_late_event() returns trigger
language plpgsql security definer set search_path = '' as $$
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

-- Whether the clock-in of this assignment became an adjustment. Never null.
create function private.is_clock_in_adjusted(p_assignment public.assignments) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.clock_events e
    where e.assignment_id = p_assignment.id and e.kind = 'in' and e.attendance_id is null
      and not exists (
        select from public.clock_events w
        where w.assignment_id = e.assignment_id and w.kind = 'withdraw' and w.received_at >= e.received_at
      )
  ) and not exists (select from public.attendance r where r.assignment_id = p_assignment.id)
  -- Clocked in a second time on a shift whose first record arrived late too.
  or exists (
    select from public.pay_adjustments a
    where a.kind = 'late_event' and a.status = 'to_decide' and a.details ->> 'assignment_id' = p_assignment.id::text
      and a.details ? 'clock_in_at' and not a.details ? 'clock_out_at' and not a.details ? 'attendance_id'
  );
$$;

-- The undecided late events that this one belongs to, of which there may be none.
create function private.pair_of_late_event(event public.clock_events) returns public.pay_adjustments
language sql stable security definer set search_path = '' as $$
  select (x.pair).* from (
    select p as pair, (p.details ->> 'clock_in_at')::timestamptz as came,
      (p.details ->> 'clock_out_at')::timestamptz as went,
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

-- Stores an event whose time lies in a locked timesheet and notes the adjustment. p_is_known: a record has it already.
-- @returns whether it did; else the event is recorded as usual
create function private.store_late_event(event clock_events, p_is_known boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
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
  elsif sheet.id is null and event.kind = 'in' and record.id is null and event.effective_at < now() - interval '7 days'
  then
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
      sheet.period_start, sheet.period_end, sheet.pay_run_id, facts,
      private.late_minutes(facts, sheet.period_start, sheet.period_end),
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
    where e.id in (select jsonb_array_elements_text(pair.details -> 'events')::uuid) and e.kind = 'out'
      and e.way <> 'phone'))
  then
    facts := facts || jsonb_build_object('clock_out_at',
      greatest(event.effective_at, (facts ->> 'clock_in_at')::timestamptz));
  end if;
  update public.pay_adjustments p
  set details = facts, minutes = private.late_minutes(facts, p.period_start, p.period_end)
  where p.id = pair.id;
  return true;
end
$$;

-- The moment of an event by two readings of the device's clock: by the offset at the last contact, unless that time is
-- impossible; then by the offset when the event was sent; never in the future. A clock that was set since the last
-- contact (an empty battery, by hand) makes an event that is flagged, not one that is refused.
create function private.time_of_event(known_at timestamptz, by_sending timestamptz, earliest timestamptz)
returns timestamptz
language sql stable set search_path = ''
return case
  when known_at between earliest and now() + interval '5 minutes' then known_at
  when by_sending between earliest and now() + interval '5 minutes' then by_sending
  else least(known_at, now())
end;

-- What late hours are worth: the period is paid again as if they had been known. @returns the staff record, run,
-- currency and both figures; nothing if no locked run paid the period
create function private.value_of_late_hours(p_adjustment pay_adjustments)
returns TABLE(staff_id uuid, pay_run_id uuid, currency text, figure_before numeric, figure_after numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  slip record;
  extra jsonb := jsonb_build_array(p_adjustment.details);
begin
  select s.id, s.staff_id as payee, r.id as run_id, r.currency as paid_in, r.pay_group, r.period_start, r.period_end,
    s.user_id
  into slip
  from public.payslips s join public.pay_runs r on r.id = s.pay_run_id
  where s.user_id = p_adjustment.user_id and r.status in ('locked', 'paid')
    and p_adjustment.period_end between r.period_start and r.period_end
  -- Of several currencies, that of the day.
  order by r.period_end, (private.basis_on(s.staff_id, lower(private.days_of(tstzrange(
    (p_adjustment.details ->> 'clock_in_at')::timestamptz, null))))).currency = r.currency desc
  limit 1;
  if not found then
    return;
  end if;
  staff_id := slip.payee;
  pay_run_id := slip.run_id;
  currency := slip.paid_in;
  figure_before := private.paid_before_tax(slip.id);
  -- These hours alone: a raise since then is a correction of its own. What they change in another period is pay of
  -- that.
  figure_after := figure_before
    + private.pay_with_records(
      slip.payee, slip.user_id, slip.pay_group, slip.paid_in, slip.period_start, slip.period_end, extra)
    - private.pay_with_records(
      slip.payee, slip.user_id, slip.pay_group, slip.paid_in, slip.period_start, slip.period_end, null);
  return next;
end
$$;

-- What a person earns in the period of a run by the late records that its locked timesheets do not contain.
create function private.earned_by_late_records(p_run public.pay_runs, p_staff_id uuid, p_user_id uuid) returns numeric
language plpgsql stable security definer set search_path = '' as $$
declare
  without jsonb := (
    select jsonb_agg(distinct jsonb_build_object('attendance_id', h.attendance_id))
    from private.late_hours h join public.timesheets t on t.id = h.timesheet_id
    where t.user_id = p_user_id and t.period_start <= p_run.period_end and t.period_end >= p_run.period_start
  );
begin
  if without is null then
    return 0;
  end if;
  return private.pay_with_records(p_staff_id, p_user_id, p_run.pay_group, p_run.currency, p_run.period_start,
      p_run.period_end, null)
    - private.pay_with_records(p_staff_id, p_user_id, p_run.pay_group, p_run.currency, p_run.period_start,
      p_run.period_end, without);
end
$$;
