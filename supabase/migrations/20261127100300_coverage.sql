-- Coverage: the guards that the shifts of a post require against those who were there, by intervals. Two guards at noon
-- don't make up for nobody at six.

-- Of whole days of the company, up to now. A day's row belongs to the shifts that begin on it. Minutes are of guards:
-- required = worked - overstaffed + uncovered; late is a part of uncovered.
create function private.coverage_of(p_sites uuid[], p_from date, p_to date)
returns table (
  site_id uuid, post_id uuid, day date, required_minutes integer, worked_minutes integer, uncovered_minutes integer,
  late_minutes integer, overstaffed_minutes integer
)
-- Estimates of rows are far off, so compiling the plan or comparing each with each would cost more.
language plpgsql stable security definer set search_path = '' set jit = off set enable_nestloop = off set work_mem = '32MB'
as $$
declare
  zone text := (select s.time_zone from private.settings s);
  -- With the neighbours: who stayed on from the day before covers the first hour.
  first timestamptz := private.company_midnight(p_from - 1);
  last timestamptz := private.company_midnight(p_to + 2);
  until timestamptz := date_trunc('minute', now());
begin
  return query
  with duties as materialized (
    select s.id, s.site_id, s.post_id, (s.start_time at time zone zone)::date as day, s.start_time as due_from,
      least(s.end_time, until) as due_to, s.required_headcount as headcount
    from public.shifts s
    where s.site_id = any (p_sites) and s.start_time >= first and s.start_time < least(last, until)
  ), segments as materialized (
    select s.attendance_id, s.shift_id, s.user_id, s.starts_at, s.ends_at, s.class
    from public.time_segments s
    where s.site_id = any (p_sites) and s.starts_at >= first - interval '1 day' and s.starts_at < last + interval '1 day'
  ), presence as materialized (
    select s.shift_id, s.user_id, s.starts_at, s.ends_at
    from segments s where s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
    union all
    -- Not computed yet: within the shift. A record that is still open counts while its shift runs.
    select a.shift_id, a.user_id, greatest(date_trunc('minute', r.clock_in_at), lower(a.period)),
      least(date_trunc('minute', coalesce(r.clock_out_at, now())), upper(a.period))
    from public.attendance r
    join public.assignments a on a.id = r.assignment_id
    where r.site_id = any (p_sites) and r.clock_in_at >= first - interval '1 day' and r.clock_in_at < last
      and (r.clock_out_at is not null or upper(a.period) > now())
      and not exists (select from segments s where s.attendance_id = r.id)
      and least(coalesce(r.clock_out_at, now()), upper(a.period)) > greatest(r.clock_in_at, lower(a.period))
  ), late as (
    -- Guards who came, and not at the start: missing until then.
    select d.site_id, d.post_id, d.due_from, least(min(p.starts_at), d.due_to) as came
    from duties d join presence p on p.shift_id = d.id
    group by d.id, d.site_id, d.post_id, d.due_from, d.due_to, p.user_id
    having min(p.starts_at) > d.due_from
  ), changes as (
    select d.site_id, d.post_id, c.at, sum(c.required) as required, 0 as present, 0 as late, max(c.day) as day
    from duties d
    cross join lateral (values (d.due_from, d.headcount, d.day), (d.due_to, -d.headcount, null)) c (at, required, day)
    group by d.site_id, d.post_id, c.at
    union all
    select d.site_id, d.post_id, c.at, 0, sum(c.present), 0, null
    from presence p join duties d on d.id = p.shift_id
    cross join lateral (values (p.starts_at, 1), (p.ends_at, -1)) c (at, present)
    group by d.site_id, d.post_id, c.at
    union all
    select l.site_id, l.post_id, c.at, 0, 0, sum(c.late), null
    from late l
    cross join lateral (values (l.due_from, 1), (l.came, -1)) c (at, late)
    group by l.site_id, l.post_id, c.at
  ), instants as (
    select c.site_id, c.post_id, c.at, sum(c.required)::integer as required, sum(c.present)::integer as present,
      sum(c.late)::integer as late, max(c.day) as day
    from changes c group by c.site_id, c.post_id, c.at
  ), spans as (
    select i.site_id, i.post_id, max(i.day) over w as day, sum(i.required) over w as required,
      sum(i.present) over w as present, sum(i.late) over w as late,
      (extract(epoch from lead(i.at) over w - i.at) / 60)::integer as minutes
    from instants i
    window w as (partition by i.site_id, i.post_id order by i.at)
  )
  select s.site_id, s.post_id, s.day, sum(s.required * s.minutes)::integer, sum(s.present * s.minutes)::integer,
    sum(greatest(s.required - s.present, 0) * s.minutes)::integer,
    sum(least(greatest(s.required - s.present, 0), s.late) * s.minutes)::integer,
    sum(greatest(s.present - s.required, 0) * s.minutes)::integer
  from spans s
  where s.required > 0 and s.day between p_from and p_to and s.minutes > 0
  group by s.site_id, s.post_id, s.day;
end
$$;

-- Coverage of the sites that the caller oversees, of one client or, with null, of all. Days without a shift have no row;
-- post_id is null for shifts without a post.
create function public.coverage("from" date, "to" date, client_id uuid)
returns table (
  site_id uuid, site_name text, post_id uuid, post_name text, day date, required_minutes integer, worked_minutes integer,
  uncovered_minutes integer, late_minutes integer, overstaffed_minutes integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  sees_all boolean := (auth.uid() is null and auth.role() is distinct from 'anon')
    or private.has_role('admin', 'ops_manager', 'finance', 'supervisor');
  own uuid[] := private.supervised_sites();
begin
  if not sees_all and cardinality(own) = 0 then
    raise exception 'You may not see the coverage of sites.' using errcode = 'insufficient_privilege';
  end if;
  perform private.require_day(coverage."from", 'start');
  perform private.require_day(coverage."to", 'end');
  if coverage."to" < coverage."from" or coverage."to" - coverage."from" > 400 then
    raise exception 'Give a start before the end, at most 400 days apart.' using errcode = 'invalid_parameter_value';
  end if;
  return query
  select c.site_id, s.name, c.post_id, p.name, c.day, c.required_minutes, c.worked_minutes, c.uncovered_minutes,
    c.late_minutes, c.overstaffed_minutes
  from private.coverage_of(array(
    select t.id from public.sites t
    where (coverage.client_id is null or t.client_id = coverage.client_id) and (sees_all or t.id = any (own))
  ), coverage."from", coverage."to") c
  join public.sites s on s.id = c.site_id
  left join public.posts p on p.id = c.post_id
  order by c.day, s.name, c.site_id, p.name, c.post_id;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.coverage from public, anon;
grant execute on function public.coverage to authenticated, service_role;
