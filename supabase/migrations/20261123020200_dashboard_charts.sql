-- The two charts of the dashboard. Both run with the rights of whoever asks: a supervisor scoped to a site counts
-- the shifts and incidents of that site.

-- A day of the company as an interval. Definer, because nobody reads the settings directly.
create function private.company_day_of(day date) returns tstzrange
language sql stable security definer set search_path = '' as $$
  select tstzrange(day::timestamp at time zone s.time_zone, (day + 1)::timestamp at time zone s.time_zone)
  from private.settings s;
$$;
revoke all on function private.company_day_of(date) from public;
grant execute on function private.company_day_of(date) to authenticated;

-- Shifts that go on now or later are found without reading years of past ones.
create index shifts_end_time_idx on public.shifts (end_time);

-- How many guards are required, assigned and clocked in, for each hour of a day of the company (null: today).
-- A shift counts in every hour that it is on for any part of, so one over midnight counts on both days. Clocked in are
-- those who were there for some of the hour within their shift; null for hours that have not begun.
create function public.coverage_by_hour(p_day date default null) returns table (
  hour timestamptz,
  required integer,
  assigned integer,
  clocked_in integer
)
language sql stable set search_path = '' as $$
  with day as (
    select private.company_day_of(coalesce(p_day, private.company_date())) as span
  ),
  on_duty as materialized (
    select s.id, s.start_time, s.end_time, s.required_headcount
    from public.shifts s, day d
    where s.start_time < upper(d.span) and s.end_time > lower(d.span)
  ),
  placed as materialized (
    select a.id, o.start_time, o.end_time
    from on_duty o
    join public.assignments a on a.shift_id = o.id and a.status <> 'cancelled'
  ),
  present as materialized (
    select p.id, greatest(r.clock_in_at, p.start_time) as since,
      least(coalesce(r.clock_out_at, now()), p.end_time) as until
    from placed p
    join public.attendance r on r.assignment_id = p.id
    where r.clock_in_at < p.end_time and coalesce(r.clock_out_at, now()) > p.start_time
  )
  select h.hour,
    coalesce((select sum(o.required_headcount) from on_duty o
      where o.start_time < h.hour + interval '1 hour' and o.end_time > h.hour), 0)::integer,
    (select count(*) from placed p
      where p.start_time < h.hour + interval '1 hour' and p.end_time > h.hour)::integer,
    case when h.hour <= now() then (select count(distinct p.id) from present p
      where p.since < h.hour + interval '1 hour' and p.until > h.hour) end::integer
  from day d
  cross join lateral generate_series(lower(d.span), upper(d.span) - interval '1 second', interval '1 hour') h (hour)
  order by h.hour;
$$;

-- Incidents reported on each of the last days of the company, today included, by severity. Days without one count 0.
create function public.incidents_by_day(p_days integer default 30) returns table (
  day date,
  low integer,
  medium integer,
  high integer,
  critical integer
)
language sql stable set search_path = '' as $$
  select d.day,
    count(*) filter (where i.severity = 'low')::integer,
    count(*) filter (where i.severity = 'medium')::integer,
    count(*) filter (where i.severity = 'high')::integer,
    count(*) filter (where i.severity = 'critical')::integer
  from (
    select private.company_date() - n as day from generate_series(0, least(greatest(p_days, 1), 366) - 1) n
  ) d
  cross join lateral private.company_day_of(d.day) span
  left join public.incidents i on i.created_at >= lower(span) and i.created_at < upper(span)
  group by d.day
  order by d.day;
$$;

revoke all on function public.coverage_by_hour(date), public.incidents_by_day(integer) from public, anon;
grant execute on function public.coverage_by_hour(date), public.incidents_by_day(integer) to authenticated;
