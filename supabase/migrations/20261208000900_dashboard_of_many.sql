-- The dashboard of tens of thousands of shifts a day. Results as before; assignments are found by their times, not shift by shift.
create or replace function public.coverage_by_hour(p_day date default null) returns table (
  hour timestamptz,
  required integer,
  assigned integer,
  clocked_in integer
)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  day constant date := coalesce(p_day, private.company_date());
  span tstzrange;
  earliest timestamptz;
begin
  perform private.require_day(day);
  span := private.company_day(day);
  earliest := private.first_start(lower(span));
  return query
  with on_duty as materialized (
    select s.id, s.start_time, s.end_time, s.required_headcount
    from public.shifts s
    where s.start_time >= earliest and s.start_time < upper(span) and s.end_time > lower(span)
  ),
  placed as materialized (
    -- The period of an assignment is the time of its shift.
    select a.id, a.counts_as_staffed, a.starts_at as start_time, upper(a.period) as end_time
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at < upper(span) and upper(a.period) > lower(span)
      and a.status <> 'cancelled' and a.shift_id in (select o.id from on_duty o)
  ),
  present as materialized (
    select p.id, greatest(r.clock_in_at, p.start_time) as since,
      least(coalesce(r.clock_out_at, now()), p.end_time) as until
    from placed p
    -- One look-up for each, whatever the planner expects.
    cross join lateral (
      select r.clock_in_at, r.clock_out_at from public.attendance r
      where r.assignment_id = p.id
      offset 0
    ) r
    where r.clock_in_at < p.end_time and coalesce(r.clock_out_at, now()) > p.start_time
  ),
  -- A reopened or corrected assignment may have several records, and counts once an hour.
  repeated as materialized (
    -- An array, because there are few or none, and the planner would compare all with all.
    select p.* from present p
    where p.id = any (array(select d.id from present d group by d.id having count(*) > 1))
  ),
  -- The others by their first and last hour of the day.
  once as materialized (
    select date_bin('1 hour', greatest(p.since, lower(span)), lower(span)) as first,
      date_bin('1 hour', p.until - interval '1 microsecond', lower(span)) as last, count(*) as guards
    from present p
    where p.until > lower(span) and p.id not in (select r.id from repeated r)
    group by 1, 2
  ),
  -- Shifts start and end at a few times a day.
  needed as materialized (
    select o.start_time, o.end_time, sum(o.required_headcount) as guards from on_duty o group by 1, 2
  ),
  planned as materialized (
    select p.start_time, p.end_time, count(*) as guards from placed p where p.counts_as_staffed group by 1, 2
  )
  select h.hour,
    coalesce((select sum(n.guards) from needed n
      where n.start_time < h.hour + interval '1 hour' and n.end_time > h.hour), 0)::integer,
    coalesce((select sum(p.guards) from planned p
      where p.start_time < h.hour + interval '1 hour' and p.end_time > h.hour), 0)::integer,
    case when h.hour <= now() then (
        select coalesce(sum(o.guards), 0) from once o
        where h.hour between o.first and o.last
      ) + (
        select count(distinct p.id) from repeated p
        where p.since < h.hour + interval '1 hour' and p.until > h.hour
      ) end::integer
  from generate_series(lower(span), upper(span) - interval '1 second', interval '1 hour') h (hour)
  order by h.hour;
end
$$;

create or replace function public.dashboard_start(p_hours integer default 12) returns table (
  required integer,
  on_post integer,
  late integer,
  uncovered integer,
  next_required integer,
  next_missing integer,
  gaps_now integer,
  gaps_next integer,
  gaps jsonb,
  leave_pending integer,
  leave_soon integer,
  attendance_to_review integer,
  forgotten_clock_outs integer,
  new_enquiries integer,
  expired_certificates integer,
  expiring_certificates integer
)
language plpgsql stable set search_path = '' as $$
declare
  ahead constant interval := make_interval(hours => least(greatest(coalesce(p_hours, 12), 1), 72));
  -- Rows of each list; the counts tell how many there are in all.
  shown constant integer := 6;
  earliest constant timestamptz := private.first_start(now());
  today constant date := private.company_date();
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor') and private.supervised_sites() = '{}' then
    raise exception 'The dashboard is for admins, operations managers and supervisors.'
      using errcode = 'insufficient_privilege';
  end if;

  with shift as materialized (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount as needed, s.start_time <= now() as is_running
    from public.shifts s
    where s.start_time >= earliest and s.start_time <= now() + ahead and s.end_time > now()
  ),
  work as materialized (
    -- The period of an assignment is the time of its shift.
    select a.shift_id, count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.attendance_state = 'in')::integer as present,
      count(*) filter (where a.counts_as_staffed and a.attendance_state = 'none')::integer as late
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at <= now() + ahead and upper(a.period) > now() and a.status <> 'cancelled'
    group by a.shift_id
  ),
  post as materialized (
    select s.*, coalesce(w.assigned, 0) as assigned, coalesce(w.present, 0) as present, coalesce(w.late, 0) as late,
      greatest(s.needed - case when s.is_running then coalesce(w.present + w.late, 0) else coalesce(w.assigned, 0) end, 0)
        as missing
    from shift s
    left join work w on w.shift_id = s.id
  ),
  gap as (
    select p.*, row_number() over (
      partition by p.is_running order by (p.missing > 0) desc, p.start_time, p.missing desc, p.id
    ) as place
    from post p
    where p.missing > 0 or p.is_running and p.late > 0
  ),
  listed as (
    select g.*, t.name as site_name, t.client_name, t.timezone, (
      select coalesce(jsonb_agg(coalesce(nullif(p.full_name, ''), p.email) order by p.full_name), '[]')
      from public.assignments a join public.profiles p on p.id = a.user_id
      where a.shift_id = g.id and g.is_running and a.counts_as_staffed and a.attendance_state = 'none'
    ) as late_guards
    from gap g join public.sites t on t.id = g.site_id
    where g.place <= shown
  )
  select coalesce(sum(p.needed) filter (where p.is_running), 0),
    coalesce(sum(p.present) filter (where p.is_running), 0),
    coalesce(sum(p.late) filter (where p.is_running), 0),
    coalesce(sum(p.missing) filter (where p.is_running), 0),
    coalesce(sum(p.needed) filter (where not p.is_running), 0),
    coalesce(sum(p.missing) filter (where not p.is_running), 0),
    (select count(*) from gap g where g.is_running),
    (select count(*) from gap g where not g.is_running),
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'site_name', l.site_name, 'client_name', l.client_name, 'timezone', l.timezone,
        'start_time', l.start_time, 'end_time', l.end_time, 'is_running', l.is_running,
        'required', l.needed, 'missing', l.missing, 'late', l.late, 'late_guards', l.late_guards
      ) order by l.is_running desc, l.place), '[]')
      from listed l)
  into required, on_post, late, uncovered, next_required, next_missing, gaps_now, gaps_next, gaps
  from post p;

  select count(*) into attendance_to_review from public.attendance r where r.needs_review;
  select count(*) into forgotten_clock_outs
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.clock_out_at is null and upper(a.period) <= now();

  if private.has_role('admin', 'ops_manager') then
    select count(*), count(*) filter (where l.start_date <= today + 3)
    into leave_pending, leave_soon
    from public.leave_requests l where l.status = 'pending';
    select count(*) into new_enquiries from public.contact_messages m where m.state = 'new';
    select count(*) filter (where c.expires_at < now()), count(*) filter (where c.expires_at >= now())
    into expired_certificates, expiring_certificates
    from public.certifications c where c.expires_at <= now() + interval '30 days';
  end if;
  return next;
end
$$;

create or replace function public.incidents_by_day(p_days integer default 30) returns table (
  day date,
  low integer,
  medium integer,
  high integer,
  critical integer
)
language sql stable set search_path = '' as $$
  select d.day, f.low, f.medium, f.high, f.critical
  from (
    select private.company_date() - n as day from generate_series(0, least(greatest(p_days, 1), 366) - 1) n
  ) d
  cross join lateral private.company_day(d.day) span
  -- Counted day by day, from the index of the times.
  cross join lateral (
    select count(*) filter (where i.severity = 'low')::integer as low,
      count(*) filter (where i.severity = 'medium')::integer as medium,
      count(*) filter (where i.severity = 'high')::integer as high,
      count(*) filter (where i.severity = 'critical')::integer as critical
    from public.incidents i
    where i.created_at >= lower(span) and i.created_at < upper(span)
  ) f
  order by d.day;
$$;
