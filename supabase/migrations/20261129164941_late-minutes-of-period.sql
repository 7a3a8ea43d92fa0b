create or replace FUNCTION private.store_late_event(event public.clock_events, p_is_known boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.late_minutes(p_details jsonb, p_first date, p_last date)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (SELECT CASE WHEN (late_minutes.p_details ? 'clock_out_at'::text) THEN (GREATEST((0)::numeric, (EXTRACT(epoch FROM (LEAST(date_trunc('minute'::text, ((late_minutes.p_details ->> 'clock_out_at'::text))::timestamp with time zone), private.company_midnight((late_minutes.p_last + 1))) - GREATEST(date_trunc('minute'::text, ((late_minutes.p_details ->> 'clock_in_at'::text))::timestamp with time zone), date_trunc('minute'::text, a.starts_at), private.company_midnight(late_minutes.p_first)))) / (60)::numeric)))::integer ELSE NULL::integer END AS "case" FROM public.assignments a WHERE (a.id = ((late_minutes.p_details ->> 'assignment_id'::text))::uuid));

drop function private.late_minutes(jsonb);

-- Those that wait for a decision show the minutes of their period, too.
update public.pay_adjustments p set minutes = private.late_minutes(p.details, p.period_start, p.period_end)
where p.kind = 'late_event' and p.status = 'to_decide' and p.minutes is not null;
