-- The figures and charts of the dashboard.

-- The six cards. Definer, because it counts staff for callers who may not read staff records. A supervisor scoped to a
-- site gets the figures of that site.
create function public.dashboard_figures() returns table (
  todays_shifts integer,
  active_incidents integer,
  attendance_issues integer,
  expiring_certifications integer,
  active_staff integer,
  active_sites integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  everywhere boolean := private.has_role('admin', 'ops_manager', 'supervisor');
  own_sites uuid[] := private.supervised_sites();
  today tstzrange := private.company_day(private.company_date());
begin
  if not everywhere and own_sites = '{}' then
    raise exception 'The dashboard is for admins, operations managers and supervisors.'
      using errcode = 'insufficient_privilege';
  end if;
  return query select
    (select count(*)::integer from public.shifts s
      where s.start_time >= lower(today) and s.start_time < upper(today)
        and (everywhere or s.site_id = any (own_sites))),
    (select count(*)::integer from public.incidents i
      where i.status in ('open', 'investigating') and (everywhere or i.site_id = any (own_sites))),
    (select count(*)::integer from public.assignments a
      where private.is_attendance_issue(a) and (everywhere or a.site_id = any (own_sites))),
    (select count(*)::integer from public.certifications c
      where c.expires_at >= now() and c.expires_at <= now() + interval '30 days'
        and (everywhere or exists (
          select from public.assignments a where a.user_id = c.user_id and a.site_id = any (own_sites)
        ))),
    (select count(*)::integer from public.staff s where s.status = 'active'),
    (select count(*)::integer from public.sites s where everywhere or s.id = any (own_sites));
end
$$;

-- The guards at this moment: required and assigned on the running shifts, and the open records, which
-- attendance_counts() counts as in and forgotten. Runs as the caller, like the charts below.
create function public.coverage_now() returns table (
  required integer, assigned integer, clocked_in integer, forgotten integer
)
language sql stable set search_path = '' as $$
  select running.required, running.assigned, open.clocked_in, open.forgotten
  from (
    select coalesce(sum(b.required_headcount), 0)::integer as required,
      coalesce(sum(b.assigned), 0)::integer as assigned
    from public.shift_board b
    where b.start_time <= now() and b.end_time > now()
  ) running
  cross join (
    select count(*) filter (where upper(a.period) > now())::integer as clocked_in,
      count(*) filter (where upper(a.period) <= now())::integer as forgotten
    from public.attendance r join public.assignments a on a.id = r.assignment_id
    where r.clock_out_at is null
  ) open;
$$;

-- Guards required, assigned and clocked in for each hour of a day of the company (null: today). A shift counts in every
-- hour that it touches, so a night shift counts on both days. Clocked in are those present for part of the hour within
-- their shift, including a guard on leave who came; null for hours that have not begun.
create function public.coverage_by_hour(p_day date default null) returns table (
  hour timestamptz,
  required integer,
  assigned integer,
  clocked_in integer
)
language sql stable set search_path = '' as $$
  select private.require_day(coalesce(p_day, private.company_date()));
  with day as (
    select private.company_day(coalesce(p_day, private.company_date())) as span
  ),
  on_duty as materialized (
    select s.id, s.start_time, s.end_time, s.required_headcount
    from public.shifts s, day d
    where s.start_time < upper(d.span) and s.end_time > lower(d.span)
  ),
  placed as materialized (
    select a.id, a.counts_as_staffed, o.start_time, o.end_time
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
      where p.counts_as_staffed and p.start_time < h.hour + interval '1 hour' and p.end_time > h.hour)::integer,
    case when h.hour <= now() then (select count(distinct p.id) from present p
      where p.since < h.hour + interval '1 hour' and p.until > h.hour) end::integer
  from day d
  cross join lateral generate_series(lower(d.span), upper(d.span) - interval '1 second', interval '1 hour') h (hour)
  order by h.hour;
$$;
comment on function public.coverage_by_hour is 'Nullable: clocked_in';

-- Incidents reported on each of the last days, today included, by severity. Days without incidents count 0.
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
  cross join lateral private.company_day(d.day) span
  left join public.incidents i on i.created_at >= lower(span) and i.created_at < upper(span)
  group by d.day
  order by d.day;
$$;

revoke all on function
  public.dashboard_figures, public.coverage_now, public.coverage_by_hour, public.incidents_by_day
from public, anon;
grant execute on function
  public.dashboard_figures, public.coverage_now, public.coverage_by_hour, public.incidents_by_day
to authenticated;
