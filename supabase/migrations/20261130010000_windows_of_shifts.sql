-- Lists and counts of shifts read the window that they show, however many years lie before it.

-- No shift that ends after this time starts earlier. Most last at most a day; the index has the others.
create function private.first_start(ends_after timestamptz) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select least(ends_after - interval '24 hours', (
    -- The offset keeps the planner from looking for the minimum in the index of all starts.
    select min(l.start_time) from (
      select s.start_time from public.shifts s
      where s.end_time - s.start_time > interval '24 hours' and s.end_time > ends_after
      offset 0
    ) l
  ));
$$;

-- shift_totals of the same search needs the new function, so both are replaced.
drop function public.shift_totals(timestamptz, timestamptz, uuid, text, text, timestamptz, uuid);
drop function public.search_shifts(text);

-- The shifts that end after a time, and whose site, client, notes or assigned guards match a search. The list and
-- shift_totals read them here. No fixed search path, so that the planner can inline it.
create function public.search_shifts(p_search text default '', p_ends_after timestamptz default null)
returns setof public.shift_board
language sql stable as $$
  select b.* from public.shift_board b
  where b.end_time > coalesce(p_ends_after, '-infinity')
    and b.start_time >= (select private.first_start(coalesce(p_ends_after, '-infinity')))
    and (coalesce(p_search, '') = '' or concat_ws(' ', public.search_text(b), (
      select string_agg(coalesce(nullif(p.full_name, ''), p.email), ' ')
      from public.assignments a join public.profiles p on p.id = a.user_id
      where a.shift_id = b.id and a.status <> 'cancelled'
    )) ilike all ((select private.search_patterns(p_search))::text[]));
$$;

-- Count and headcount of the shifts in the list. Without p_from and p_ends_after: the shifts that are not over.
-- p_staffing may also be `open`: fewer guards than required.
create function public.shift_totals(
  p_from timestamptz default null, p_to timestamptz default null, p_site_id uuid default null,
  p_staffing text default null, p_search text default '', p_ends_after timestamptz default null,
  p_guard_id uuid default null
) returns table (shifts integer, assigned integer, required integer)
language plpgsql stable set search_path = '' as $$
declare
  starts constant timestamptz := coalesce(p_from, '-infinity');
  ends constant timestamptz := coalesce(p_to, 'infinity');
  ends_after constant timestamptz := coalesce(p_ends_after, case when p_from is null then now() else '-infinity' end);
  earliest constant timestamptz := greatest(starts, private.first_start(ends_after));
begin
  perform private.require_period(coalesce(p_from, p_ends_after, now()), coalesce(p_to, now()));
  if coalesce(p_search, '') = '' and p_staffing is null and p_guard_id is null then
    -- Without a search it counts the guards of all the shifts at once, which takes a fraction of the time.
    return query
    with found as materialized (
      select s.id, s.required_headcount
      from public.shifts s join public.sites t on t.id = s.site_id
      where s.start_time >= earliest and s.start_time < ends
        and s.end_time > ends_after and (p_site_id is null or s.site_id = p_site_id)
    )
    select count(*)::integer, (
      -- An assignment starts with its shift.
      select count(*)::integer from public.assignments a
      where a.starts_at >= earliest and a.starts_at < ends and a.counts_as_staffed
        and (p_site_id is null or a.site_id = p_site_id) and a.shift_id in (select f.id from found f)
    ), coalesce(sum(f.required_headcount), 0)::integer
    from found f;
    return;
  end if;
  return query
  select count(*)::integer, coalesce(sum(b.assigned), 0)::integer, coalesce(sum(b.required_headcount), 0)::integer
  from public.search_shifts(p_search, ends_after) b
  where b.start_time >= starts and b.start_time < ends
    and (p_site_id is null or b.site_id = p_site_id)
    and (p_staffing is null or b.staffing = p_staffing or p_staffing = 'open' and b.staffing <> 'full')
    and (p_guard_id is null or exists (
      select from public.assignments a
      where a.shift_id = b.id and a.user_id = p_guard_id and a.status <> 'cancelled'
    ));
end
$$;

revoke all on function private.first_start from public;
grant execute on function private.first_start to authenticated;
revoke all on function public.search_shifts, public.shift_totals from public, anon;
grant execute on function public.search_shifts, public.shift_totals to authenticated;

create or replace function public.coverage_by_hour(p_day date default null) returns table (
  hour timestamptz,
  required integer,
  assigned integer,
  clocked_in integer
)
language plpgsql stable set search_path = '' as $$
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
    select a.id, a.counts_as_staffed, o.start_time, o.end_time
    from on_duty o
    -- One look-up for each shift, whatever the planner expects of a view of years.
    cross join lateral (
      select a.id, a.counts_as_staffed from public.assignments a
      where a.shift_id = o.id and a.status <> 'cancelled'
      offset 0
    ) a
  ),
  present as materialized (
    select p.id, greatest(r.clock_in_at, p.start_time) as since,
      least(coalesce(r.clock_out_at, now()), p.end_time) as until
    from placed p
    cross join lateral (
      select r.clock_in_at, r.clock_out_at from public.attendance r
      where r.assignment_id = p.id
      offset 0
    ) r
    where r.clock_in_at < p.end_time and coalesce(r.clock_out_at, now()) > p.start_time
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
    case when h.hour <= now() then (select count(distinct p.id) from present p
      where p.since < h.hour + interval '1 hour' and p.until > h.hour) end::integer
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
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor') and private.supervised_sites() = '{}' then
    raise exception 'The dashboard is for admins, operations managers and supervisors.'
      using errcode = 'insufficient_privilege';
  end if;

  with post as (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount as needed, s.start_time <= now() as is_running,
      work.assigned, work.present, work.late,
      greatest(s.required_headcount - case when s.start_time <= now() then work.present + work.late else work.assigned end, 0)
        as missing
    from public.shifts s
    cross join lateral (
      select count(*) filter (where a.counts_as_staffed)::integer as assigned,
        count(*) filter (where a.attendance_state = 'in')::integer as present,
        count(*) filter (where a.counts_as_staffed and a.attendance_state = 'none')::integer as late
      from public.assignments a
      where a.shift_id = s.id and a.status <> 'cancelled'
    ) work
    where s.start_time >= earliest and s.start_time <= now() + ahead and s.end_time > now()
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

  select count(*) filter (where r.needs_review), count(*) filter (where r.clock_out_at is null and upper(a.period) <= now())
  into attendance_to_review, forgotten_clock_outs
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.needs_review or r.clock_out_at is null;

  if private.has_role('admin', 'ops_manager') then
    select count(*), count(*) filter (where l.start_date <= private.company_date() + 3)
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
