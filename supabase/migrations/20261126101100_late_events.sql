-- A clock event that arrives after its period was locked is never refused: it is stored without a record of attendance,
-- and somebody decides how it is paid with a later period. The events of one shift are one adjustment.
alter table public.clock_events alter column attendance_id drop not null;
comment on column public.clock_events.attendance_id is
  'Null if the period was locked when the event arrived: see pay_adjustments';

-- Whether the clock-in of this assignment became an adjustment. Never null.
create function private.came_too_late(p_assignment public.assignments) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.clock_events e
    where e.assignment_id = p_assignment.id and e.kind = 'in' and e.attendance_id is null
  ) and not exists (select from public.attendance r where r.assignment_id = p_assignment.id);
$$;

-- The minutes between clock-in and clock-out of an adjustment's shift, without those before the shift.
create function private.late_minutes(p_details jsonb) returns integer
language sql stable security definer set search_path = ''
return (
  select (extract(epoch from date_trunc('minute', (p_details ->> 'clock_out_at')::timestamptz)
    - greatest(date_trunc('minute', (p_details ->> 'clock_in_at')::timestamptz), date_trunc('minute', a.starts_at))) / 60)::integer
  from public.assignments a where a.id = (p_details ->> 'assignment_id')::uuid
);

-- Stores an event whose time lies in a locked timesheet and notes the adjustment. p_is_known: a record has it already.
-- @returns whether it did; else the event is recorded as usual
create function private.take_late_event(event public.clock_events, p_is_known boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  record public.attendance;
  sheet public.timesheets;
  changed tstzrange := tstzrange(event.effective_at, event.effective_at + interval '1 minute');
  facts jsonb;
begin
  if not exists (select from public.timesheets t where t.user_id = event.user_id and t.status = 'locked') then
    return false;
  end if;
  select * into record from public.attendance r where r.id = event.attendance_id;
  if record.id is not null then
    if p_is_known then
      return false;
    end if;
    changed := case when record.clock_out_at is null
      then tstzrange(record.clock_in_at, greatest(event.effective_at, record.clock_in_at + interval '1 minute'))
      else private.span_of(record) end;
  end if;
  select t.* into sheet from public.timesheets t
  where t.user_id = event.user_id and t.status = 'locked'
    and daterange(t.period_start, t.period_end, '[]') && private.days_of(changed)
  order by t.period_start limit 1;
  if not found and not (event.kind = 'out' and event.attendance_id is null) then
    return false;
  end if;
  if sheet.id is null then
    -- The shift's clock-in lies in the locked period, its clock-out after it.
    select t.* into sheet from public.timesheets t
    join public.pay_adjustments p on p.user_id = t.user_id and p.period_start = t.period_start
    where p.kind = 'late_event' and p.details ->> 'assignment_id' = event.assignment_id::text;
  end if;
  event.attendance_id := record.id;
  insert into public.clock_events select event.*;
  facts := jsonb_strip_nulls(jsonb_build_object(
    'assignment_id', event.assignment_id, 'attendance_id', record.id,
    'clock_in_at', coalesce(record.clock_in_at, case when event.kind = 'in' then event.effective_at end),
    'clock_out_at', case when event.kind = 'out' then event.effective_at else record.clock_out_at end));
  insert into public.pay_adjustments as p (staff_id, user_id, kind, period_start, period_end, pay_run_id, details, explanation)
  values ((select s.id from public.staff s where s.user_id = event.user_id), event.user_id, 'late_event',
    sheet.period_start, sheet.period_end, sheet.pay_run_id, facts || jsonb_build_object('events', jsonb_build_array(event.id)),
    format('Clock events of %s arrived after the period %s to %s was locked.',
      to_char(lower(private.days_of(changed)), 'FMMonth FMDD, YYYY'), to_char(sheet.period_start, 'FMMonth FMDD'),
      to_char(sheet.period_end, 'FMMonth FMDD')))
  on conflict ((details ->> 'assignment_id')) where kind = 'late_event' do update
  set details = p.details || facts || jsonb_build_object('events', (p.details -> 'events') || to_jsonb(event.id))
  where p.status = 'to_decide';
  update public.pay_adjustments p set minutes = private.late_minutes(p.details)
  where p.kind = 'late_event' and p.details ->> 'assignment_id' = event.assignment_id::text and p.status = 'to_decide';
  return true;
end
$$;

revoke all on all functions in schema private from public;
