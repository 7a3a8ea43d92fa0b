-- Counts beside lists, and a guard's own lists, whose time must not grow with the years behind them.

-- Days and windows differ in size, so a plan made for none of them reads whole tables.
alter function public.shift_totals set plan_cache_mode = 'force_custom_plan';
alter function public.coverage_by_hour set plan_cache_mode = 'force_custom_plan';
alter function public.tours_of_day set plan_cache_mode = 'force_custom_plan';
alter function public.scans_outside_rounds set plan_cache_mode = 'force_custom_plan';
alter function public.my_tours set plan_cache_mode = 'force_custom_plan';

-- As before, written so that the planner can inline it: the list filters and counts by it.
create or replace function public.validity(certification public.certifications) returns text
language sql stable
return case
  when certification.expires_at < now() then 'expired'
  when certification.expires_at <= now() + interval '30 days' then 'expiring'
  else 'valid'
end;

-- Starts from the guard's own assignments; the planner started from all shifts.
create or replace function public.my_post_orders() returns table (
  assignment_id uuid,
  order_id uuid,
  site_name text,
  post_name text,
  version integer,
  title text,
  body text,
  valid_from date,
  read_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare
  earliest constant timestamptz := private.first_start(now());
begin
  perform private.require_member();
  return query
    with own as materialized (
      select a.* from public.assignments a
      where a.user_id = auth.uid() and a.status <> 'cancelled' and a.starts_at < now() + interval '4 days'
        and (a.starts_at >= earliest or a.attendance_state = 'in')
    )
    select a.id, o.id, t.name, p.name, o.version, o.title, o.body, o.valid_from, r.read_at
    from own a
    join public.shifts s on s.id = a.shift_id
    join public.sites t on t.id = s.site_id
    cross join lateral private.orders_in_force(
      s.site_id, s.post_id, (greatest(s.start_time, now()) at time zone t.timezone)::date) o
    left join public.posts p on p.id = o.post_id
    left join public.post_order_readings r on r.order_id = o.id and r.user_id = a.user_id
    where s.end_time > now() or a.attendance_state = 'in'
    order by s.start_time, o.post_id is not null
    limit 20;
end
$$;

create or replace function public.attendance_counts(p_day date default null, p_site_id uuid default null)
returns table (state text, rows integer)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select s.state, count(*)::integer
    from public.attendance_of(coalesce(p_day, private.company_date())) o
    cross join lateral unnest(o.states || array['all']) as s (state)
    where (p_site_id is null or o.site_id = p_site_id)
      and (p_day is not null or s.state not in ('issues', 'review'))
    group by s.state;
  if p_day is null then
    -- The two states of attendance_of without a day, counted without the rows that it makes for the list.
    return query
      select 'issues', count(*)::integer
      from public.assignments a
      join public.sites t on t.id = a.site_id
      left join public.attendance r on r.assignment_id = a.id
      where private.is_attendance_issue(a)
        and (a.attendance_state = 'none' or r.clock_in_at is not null and r.clock_out_at is null)
        and (p_site_id is null or a.site_id = p_site_id)
      having count(*) > 0
      union all
      select 'review', count(*)::integer
      from public.attendance r
      join public.assignments a on a.id = r.assignment_id
      join public.sites t on t.id = a.site_id
      where r.needs_review and (p_site_id is null or a.site_id = p_site_id)
      having count(*) > 0;
  end if;
end
$$;
