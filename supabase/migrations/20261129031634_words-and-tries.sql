create or replace FUNCTION private.check_pin(person uuid, pin text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  known private.guard_pins;
begin
  select * into known from private.guard_pins p where p.user_id = person for update;
  if not found then
    return 'none';
  elsif known.locked_at is not null then
    return 'locked';
  elsif extensions.crypt(left(coalesce(pin, ''), 6), known.pin_hash) = known.pin_hash and char_length(pin) <= 6 then
    update private.guard_pins p set failures = 0 where p.user_id = person and p.failures > 0;
    return 'right';
  end if;
  update private.guard_pins p set
    failures = p.failures + 1, locked_at = case when p.failures + 1 >= private.pin_tries() then now() end
  where p.user_id = person;
  if known.failures + 1 >= private.pin_tries() then
    perform private.record_security_event('pin_locked', person, '{}');
    return 'locked';
  end if;
  return 'wrong';
end
$function$;

create or replace FUNCTION private.pay_hours_text(p_minutes numeric)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN private.minutes_text(round(p_minutes));

create or replace FUNCTION private.computed_days(p_users uuid[], p_first date, p_last date, p_segments private.time_piece[], p_extra jsonb DEFAULT NULL::jsonb)
 RETURNS TABLE(user_id uuid, day date, planned integer, worked integer, paid integer, missing integer, credited integer, issues text[], explanations jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with duties as materialized (
    select d.*, (d.due_from at time zone zone)::date as day
    from private.planned_duties(p_users, p_first, p_last, p_extra) d
  ), compared as materialized (
    select * from private.compared_spans(p_users, p_first, p_last, p_segments, p_extra)
  ), absent as (
    -- By the day on which it is missing.
    select d.user_id, g::date as day, (extract(epoch from
      least(upper(u), (g + interval '1 day') at time zone zone) - greatest(lower(u),
        g at time zone zone)) / 60)::integer as minutes
    from duties d
    cross join lateral unnest(d.uncovered) u
    cross join lateral generate_series((lower(u) at time zone zone)::date::timestamp,
      ((upper(u) - interval '1 microsecond') at time zone zone)::date::timestamp, '1 day') g
  ), figures as (
    select d.user_id, g::date as day, (extract(epoch from
        least(d.due_to, (g + interval '1 day') at time zone zone) - greatest(d.due_from,
          g at time zone zone)) / 60)::integer as planned,
      0 as worked, 0 as worked_paid, 0 as leave_paid, 0 as missing, 0 as grace
    from duties d
    cross join lateral generate_series((d.due_from at time zone zone)::date::timestamp,
      ((d.due_to - interval '1 microsecond') at time zone zone)::date::timestamp, '1 day') g
    union all
    select s.user_id, s.day, 0, case when s.leave_request_id is null then m.minutes else 0 end,
      case when s.leave_request_id is null and s.class <> 'unpaid' then m.minutes else 0 end,
      case when s.class = 'leave_paid' then m.minutes else 0 end, 0, 0
    from unnest(p_segments) s
    cross join lateral (select (extract(epoch from s.ends_at - s.starts_at) / 60)::integer as minutes) m
    union all
    select a.user_id, a.day, 0, 0, 0, 0, a.minutes, 0 from absent a
    union all
    select c.user_id, c.day, 0, 0, 0, 0, 0, c.grace from compared c where c.grace > 0
  ), sums as (
    select f.user_id, f.day, sum(f.planned)::integer as planned, sum(f.worked)::integer as worked,
      sum(f.worked_paid)::integer as worked_paid, sum(f.leave_paid)::integer as leave_paid,
      sum(f.missing)::integer as missing, sum(f.grace)::integer as grace
    from figures f where f.day between p_first and p_last
    group by f.user_id, f.day
  ), rounded as (
    select s.*, r.rule as by, case (r.rule).round_mode
        when 'up' then ceil((s.worked_paid + s.grace)::numeric / (r.rule).round_to_minutes)
        when 'down' then floor((s.worked_paid + s.grace)::numeric / (r.rule).round_to_minutes)
        else round((s.worked_paid + s.grace)::numeric / (r.rule).round_to_minutes) end::integer
      * (r.rule).round_to_minutes - s.worked_paid as credited
    from sums s join private.time_rule_days() r on s.day >= r.first and s.day < r.until
  ), notes as (
    select c.user_id, c.day, c.place, c.code, c.sentence, c.issue from compared c
    union all
    select s.user_id, s.day, s.place, s.code, s.sentence, null from private.segment_sentences(p_segments) s
    union all
    select r.user_id, r.day, 70, 'rounded', format('Paid work is rounded to %s: %s%s min.',
      private.minutes_text((r.by).round_to_minutes), case when r.credited >= r.grace then '+' else '−' end,
      abs(r.credited - r.grace)), null
    from rounded r where r.credited <> r.grace
    union all
    select a.user_id, a.day, 40, 'missing', format('%s were planned, but not worked and not on leave.',
      private.minutes_text(sum(a.minutes))), null
    from absent a group by a.user_id, a.day
    union all
    select d.user_id, d.day, x.place, x.code, x.sentence, x.issue
    from duties d
    cross join lateral (
      select 0 as place, 'no_show' as code, 'Did not come' || coalesce(': ' || rtrim(d.no_show_reason, '.') || '.',
        '.') as sentence, null as issue
      where d.status = 'no_show'
      union all
      select 0, 'missing_clock_in', format('Nobody clocked in for the shift from %s to %s.',
        private.clock_text(d.due_from, zone), private.clock_text(d.due_to, zone)), 'missing_clock_in'
      where d.has_ended and not d.has_come and not d.is_on_leave and d.status <> 'no_show'
      union all
      select 0, 'missing_clock_out', format('Clocked in for the shift until %s, and not out.',
        private.clock_text(d.due_to, zone)), 'missing_clock_out'
      where d.has_ended and d.is_open
      union all
      select 5, 'on_leave', 'The shift touches approved leave, so nobody expected this guard.', null
      where d.is_on_leave
      union all
      select 80, f, null, f from unnest(d.flags) f
      union all
      select 80, 'review', null, 'review' where d.needs_review and coalesce(cardinality(d.flags), 0) = 0
      union all
      select 80, 'rest_override', null, 'rest_override'
      where d.rest_overridden and d.has_come and not exists (
        select from public.time_decisions t where t.attendance_id = d.attended_id and t.kind = 'rest_override'
      )
    ) x
    union all
    select p.user_id, p.day, 90, 'dispute', null, 'dispute'
    from public.timesheet_disputes p
    where p.user_id = any (p_users) and p.day between p_first and p_last and p.status = 'open'
  ), told as (
    select n.user_id, n.day, coalesce(array_agg(n.issue order by n.place, n.issue)
      filter (where n.issue is not null), '{}') as issues,
      coalesce(jsonb_agg(jsonb_build_object('code', n.code, 'text', n.sentence) order by n.place, n.code, n.sentence)
        filter (where n.sentence is not null), '[]') as explanations
    from notes n where n.day between p_first and p_last
    group by n.user_id, n.day
  )
  select coalesce(r.user_id, t.user_id), coalesce(r.day, t.day), coalesce(r.planned, 0), coalesce(r.worked, 0),
    coalesce(r.worked_paid + r.leave_paid + r.credited, 0), coalesce(r.missing, 0), coalesce(r.credited, 0),
    coalesce(t.issues, '{}'), coalesce(t.explanations, '[]')
  from rounded r full join told t on t.user_id = r.user_id and t.day = r.day;
end
$function$;

create or replace FUNCTION public.device_clock(p_secret text, p_id uuid, p_assignment_id uuid, p_user_id uuid, p_kind text, p_pin text, p_device_at timestamp with time zone, p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_server_offset_ms bigint DEFAULT NULL::bigint, p_gps text DEFAULT NULL::text, p_accuracy_m real DEFAULT NULL::real, p_fix_age_s integer DEFAULT NULL::integer, p_photo text DEFAULT NULL::text, p_queued boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  device public.devices := private.device_of(p_secret);
  event public.clock_events;
  verdict text;
  message text;
begin
  if p_id is null or p_user_id is null or p_device_at is null or p_kind is null or p_kind not in ('in', 'out')
    or not isfinite(p_device_at)
  then
    raise exception 'A clock event needs an id, a guard, a time, and in or out.'
      using errcode = 'invalid_parameter_value';
  end if;
  -- A lost response is asked for again.
  select * into event from public.clock_events e where e.id = p_id and e.device_id = device.id;
  if found then
    return jsonb_build_object('outcome', 'recorded', 'at', event.effective_at);
  end if;
  if exists (select from public.clock_exceptions e where e.id = p_id) then
    return jsonb_build_object('outcome', 'exception');
  end if;
  if not exists (
    select from public.assignments a
    where a.id = (private.own_assignment(p_user_id, p_assignment_id)).id and a.site_id = device.site_id
  ) then
    verdict := 'refused';
    message := 'This shift is no longer at this site. Ask your supervisor.';
  else
    verdict := private.check_pin(p_user_id, p_pin);
  end if;
  if verdict = 'right' then
    begin
      event := private.record_event_for(p_user_id, 'device', null, device.id, p_id, p_kind, p_assignment_id,
        p_device_at, null, p_sent_at, p_server_offset_ms, null, p_gps, p_accuracy_m, p_fix_age_s,
        case when p_gps is null then 'On the shared device ' || device.name end);
      perform private.store_clock_photo(event.id, device.site_id, p_user_id, p_photo);
      return jsonb_build_object('outcome', 'recorded', 'at', event.effective_at);
    exception when check_violation or unique_violation or sqlstate 'PT404' then
      verdict := 'refused';
      message := sqlerrm;
    end;
  end if;
  -- Also when the guard is at the device: with a locked PIN they can't clock in without help.
  if p_queued or verdict = 'locked' and not exists (
    select from public.clock_exceptions e
    where e.user_id = p_user_id and e.reason = 'locked' and e.received_at > now() - interval '1 hour'
  ) then
    if not private.is_of_site(p_user_id, p_assignment_id, device.site_id) then
      return jsonb_build_object('outcome', 'refused', 'message', 'This guard has no shift at this site.');
    end if;
    perform private.limit_clock_exceptions(device.id, p_user_id);
    insert into public.clock_exceptions (id, device_id, site_id, user_id, assignment_id, kind, device_at, reason,
      detail)
    select p_id, device.id, device.site_id, p.id, (select a.id from public.assignments a where a.id = p_assignment_id),
      p_kind, p_device_at,
      case verdict when 'wrong' then 'wrong_pin' when 'none' then 'no_pin' else verdict end, left(message, 500)
    from public.profiles p where p.id = p_user_id;
    perform private.store_clock_photo(p_id, device.site_id, p_user_id, p_photo);
  end if;
  return jsonb_build_object('outcome', case when p_queued then 'exception' else verdict end, 'message', message,
    'tries_left', (
      select private.pin_tries() - p.failures from private.guard_pins p where p.user_id = p_user_id and verdict = 'wrong'
    ));
end
$function$;

CREATE OR REPLACE FUNCTION private.pin_tries()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN 5;
