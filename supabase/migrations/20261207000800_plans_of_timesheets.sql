-- Lists of timesheets: a plan that is made for any arguments compares names that nobody asked for, from the sixth call of a connection
-- on.
alter function private.found_timesheets(date, date, text, text, text, uuid, text) set plan_cache_mode = 'force_custom_plan';

-- As before; without a search the names are not read.
create or replace function public.timesheet_counts(
  p_from date, p_to date, p_search text default null, p_site uuid default null
) returns table (
  with_issues integer, without_issues integer, open integer, submitted integer, approved integer, locked integer,
  issue_counts jsonb, ready uuid[]
)
language plpgsql stable set search_path = '' set work_mem = '32MB' set plan_cache_mode = 'force_custom_plan' as $$
#variable_conflict use_column
declare
  -- As private.found_timesheets has them.
  named constant uuid[] := case when coalesce(p_search, '') <> '' then array(
    select (f.sheet).id from private.found_timesheets(p_from, p_to, p_search, null, null, p_site, null) f
  ) end;
begin
  perform private.require_day(p_from, 'start');
  perform private.require_day(p_to, 'end');
  return query
  with found as materialized (
    select t.id, t.user_id, t.period_start, t.period_end, t.status, t.open_issues, t.issues
    from public.timesheets t
    where t.period_start <= p_to and t.period_end >= p_from and (p_site is null or p_site = any (t.site_ids))
      and (named is null or t.id = any (named))
  ), ready as materialized (
    select f.id, f.user_id, f.period_start, f.period_end
    from found f
    where f.open_issues = 0 and f.status in ('open', 'submitted') and f.user_id is distinct from (select auth.uid())
      and (select private.may_approve_time(private.supervised_sites()))
  ), periods as materialized (
    select p.period_start, p.period_end,
      tstzrange(private.company_midnight(p.period_start), private.company_midnight(p.period_end + 1)) as times
    from (select distinct r.period_start, r.period_end from ready r) p
  ), to_come as materialized (
    select c.user_id, c.period
    from private.shifts_to_come(array(select r.user_id from ready r), (select min(r.period_start) from ready r),
      (select max(r.period_end) from ready r)) c
  ), issues as (
    select i.issue, count(*) as sheets from found f cross join lateral unnest(f.issues) i (issue) group by i.issue
  )
  select count(*) filter (where f.open_issues > 0)::integer, count(*) filter (where f.open_issues = 0)::integer,
    count(*) filter (where f.status = 'open')::integer, count(*) filter (where f.status = 'submitted')::integer,
    count(*) filter (where f.status = 'approved')::integer, count(*) filter (where f.status = 'locked')::integer,
    coalesce((select jsonb_object_agg(i.issue, i.sheets) from issues i), '{}'),
    array(
      select r.id
      from ready r join periods p on p.period_start = r.period_start and p.period_end = r.period_end
      where not exists (select from to_come c where c.user_id = r.user_id and c.period && p.times)
      order by r.id limit 5000
    )
  from found f;
end
$$;
