-- The attendance of a day with tens of thousands of shifts. Results as before; a day is found by its times, so the planner
-- joins sites and people once instead of looking each one up.

-- What today's list has besides the shifts that start today: those of earlier days that are still running, and every open record.
create function private.attendance_besides(bounds tstzrange) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    (
      select a.id from public.assignments a
      where a.attendance_state <> 'out' and a.status <> 'cancelled' and a.starts_at < lower(bounds)
        and upper(a.period) > now()
      union select r.assignment_id from public.attendance r where r.clock_out_at is null
    )
    except
    select a.id from public.assignments a where a.starts_at >= lower(bounds) and a.starts_at < upper(bounds)
  );
end
$$;
revoke all on function private.attendance_besides from public;
grant execute on function private.attendance_besides to authenticated;

create or replace function public.attendance_of(p_day date default null) returns setof public.attendance_overview
language plpgsql stable set search_path = '' as $$
declare
  bounds tstzrange;
  chosen uuid[];
begin
  if p_day is null then
    chosen := array(
      select a.id from public.assignments a where private.is_attendance_issue(a)
      union select r.assignment_id from public.attendance r where r.needs_review
    );
    -- The inner query keeps the planner from choosing a full scan because the array might be long.
    return query select * from public.attendance_overview o
      where o.assignment_id = any (array(select distinct unnest(chosen))) and o.states && array['issues', 'review'];
    return;
  end if;
  perform private.require_day(p_day);
  bounds := private.company_day(p_day);
  return query select * from public.attendance_overview o
    where o.start_time >= lower(bounds) and o.start_time < upper(bounds);
  if p_day = private.company_date() then
    chosen := private.attendance_besides(bounds);
    return query select * from public.attendance_overview o
      where o.assignment_id = any (array(select distinct unnest(chosen)));
  end if;
end
$$;

-- As before, without the columns of the list.
create or replace function public.attendance_counts(p_day date default null, p_site_id uuid default null)
returns table (state text, rows integer)
language plpgsql stable set search_path = '' as $$
declare
  day constant date := coalesce(p_day, private.company_date());
  bounds tstzrange;
  besides uuid[] := '{}';
begin
  perform private.require_day(day);
  bounds := private.company_day(day);
  if day = private.company_date() then
    besides := private.attendance_besides(bounds);
  end if;
  return query
    select s.state, sum(o.rows)::integer
    from (
      select d.states, count(*) as rows
      from (
        select v.states from public.attendance_overview v
        where v.start_time >= lower(bounds) and v.start_time < upper(bounds)
          and (p_site_id is null or v.site_id = p_site_id)
        union all
        select v.states from public.attendance_overview v
        where v.assignment_id = any (array(select distinct unnest(besides)))
          and (p_site_id is null or v.site_id = p_site_id)
      ) d
      group by d.states
    ) o
    cross join lateral unnest(o.states || array['all']) as s (state)
    where p_day is not null or s.state not in ('issues', 'review')
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
