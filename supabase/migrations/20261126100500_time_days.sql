-- The days of a timesheet: planned beside worked beside paid, what is missing, and what somebody must still solve.

-- The planned shifts of these people in [p_first, p_last], with what their attendance leaves uncovered. Shifts count
-- from their start to their end, whole minutes; a shift that has not ended leaves nothing uncovered yet. p_extra are
-- records as private.worked_spans has them.
create function private.planned_duties(p_users uuid[], p_first date, p_last date, p_extra jsonb default null)
returns table (
  assignment_id uuid, user_id uuid, site_id uuid, due_from timestamptz, due_to timestamptz, status text,
  is_on_leave boolean, has_ended boolean, is_open boolean, has_come boolean, rest_overridden boolean,
  needs_review boolean, flags text[], attended_id uuid, no_show_reason text, uncovered tstzmultirange
)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  select a.id, a.user_id, a.site_id, d.due_from, d.due_to, a.status, a.on_leave, d.due_to <= now(),
    coalesce(own.is_open, false), own.records > 0, a.overridden_rules && array['rest', 'weekly_rest'],
    coalesce(own.needs_review, false), own.flags, own.id, a.no_show_reason,
    case when a.on_leave or d.due_to > now() then '{}' else tstzmultirange(tstzrange(d.due_from, d.due_to))
      - coalesce(here.times, '{}') end
  from public.assignments a
  cross join lateral (
    select date_trunc('minute', lower(a.period)) as due_from, date_trunc('minute', upper(a.period)) as due_to
  ) d
  cross join lateral (
    select count(*) as records, bool_or(r.clock_out_at is null) as is_open,
      bool_or(r.needs_review) as needs_review, array_agg(distinct f) filter (where r.needs_review and f is not null) as flags,
      (array_agg(r.id order by r.clock_in_at))[1] as id
    from public.attendance r left join lateral unnest(r.flags) f on true
    where r.assignment_id = a.id
  ) own
  left join lateral (
    -- Any attendance of the person: who stays on from the shift before is there.
    select range_agg(tstzrange(
      case when r.clock_in_at > d.due_from and r.clock_in_at < d.due_from + make_interval(mins => t.grace + 1)
        then d.due_from else date_trunc('minute', r.clock_in_at) end,
      date_trunc('minute', coalesce(r.clock_out_at, 'infinity')))) as times
    from (
      select o.user_id, o.clock_in_at, o.clock_out_at from public.attendance o
      where o.user_id = a.user_id and (p_extra is null or not exists (
        select from jsonb_array_elements(p_extra) x where (x ->> 'attendance_id')::uuid = o.id))
      union all
      select o.user_id, x.clock_in_at, x.clock_out_at
      from jsonb_to_recordset(p_extra) x (assignment_id uuid, clock_in_at timestamptz, clock_out_at timestamptz)
      join public.assignments o on o.id = x.assignment_id
      where p_extra is not null
    ) r
    cross join lateral (
      select (x.rule).grace_minutes as grace from private.time_rule_days() x
      where (d.due_from at time zone zone)::date >= x.first and (d.due_from at time zone zone)::date < x.until
    ) t
    where r.user_id = a.user_id and r.clock_in_at > d.due_from - interval '2 days' and r.clock_in_at < d.due_to
      and (r.clock_out_at is null or r.clock_out_at > d.due_from)
  ) here on d.due_to <= now() and not a.on_leave
  where a.user_id = any (p_users) and a.status <> 'cancelled'
    and a.period && tstzrange(private.company_midnight(p_first), private.company_midnight(p_last + 1));
end
$$;

-- One row for each day of [p_first, p_last] on which a person was planned, worked, or was on leave.
create function private.computed_days(
  p_users uuid[], p_first date, p_last date, p_segments private.time_piece[], p_extra jsonb default null
)
returns table (
  user_id uuid, day date, planned integer, worked integer, paid integer, missing integer, credited integer,
  issues text[], explanations jsonb
)
language plpgsql stable security definer set search_path = '' as $$
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
      least(upper(u), (g + interval '1 day') at time zone zone) - greatest(lower(u), g at time zone zone)) / 60)::integer as minutes
    from duties d
    cross join lateral unnest(d.uncovered) u
    cross join lateral generate_series((lower(u) at time zone zone)::date::timestamp,
      ((upper(u) - interval '1 microsecond') at time zone zone)::date::timestamp, '1 day') g
  ), figures as (
    select d.user_id, g::date as day, (extract(epoch from
        least(d.due_to, (g + interval '1 day') at time zone zone) - greatest(d.due_from, g at time zone zone)) / 60)::integer as planned,
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
    select a.user_id, a.day, 40, 'missing', format('%s of the plan are covered by neither attendance nor leave.',
      private.minutes_text(sum(a.minutes))), null
    from absent a group by a.user_id, a.day
    union all
    select d.user_id, d.day, x.place, x.code, x.sentence, x.issue
    from duties d
    cross join lateral (
      select 0 as place, 'no_show' as code, 'Did not come' || coalesce(': ' || rtrim(d.no_show_reason, '.') || '.', '.') as sentence, null as issue
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
    select n.user_id, n.day, coalesce(array_agg(n.issue order by n.place, n.issue) filter (where n.issue is not null), '{}') as issues,
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
$$;

revoke all on all functions in schema private from public;
