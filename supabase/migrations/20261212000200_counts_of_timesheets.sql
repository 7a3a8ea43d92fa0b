-- The counts above the timesheets of a large company: one pass over the timesheets, and shifts to come from an index alone.

-- Periods, statuses and issues go together. Without this the planner expects so many groups that it sorts the timesheets.
create statistics private.timesheets_groups (ndistinct)
  on period_start, period_end, status, open_issues, issues from public.timesheets;
analyze public.timesheets (period_start, period_end, status, open_issues, issues);

-- The first p_limit of these timesheets, in order of id, whose guards have no shift to come in their periods.
-- `has_shifts_to_come` asks it of one guard.
create function private.without_shifts_to_come(p_sheets uuid[], p_users uuid[], p_periods tstzrange[], p_limit integer)
returns uuid[]
language plpgsql stable security definer set search_path = '' set work_mem = '32MB'
set plan_cache_mode = 'force_custom_plan' as $$
declare
  earliest constant timestamptz := private.first_start(now());
  ends constant timestamptz := (select max(upper(p)) from unnest(p_periods) p);
  -- Planning with an array of thousands takes longer than hashing the shifts of everybody.
  are_many constant boolean := cardinality(p_users) > 2000;
begin
  return array(
    select s.id from unnest(p_sheets, p_users, p_periods) s (id, user_id, period)
    where not exists (
      select from public.assignments a
      where a.user_id = s.user_id and (are_many or a.user_id = any (p_users)) and a.period && s.period
        and a.starts_at >= earliest and a.starts_at < ends and a.status in ('assigned', 'confirmed') and upper(a.period) > now()
    )
    order by s.id limit p_limit
  );
end
$$;
revoke all on function private.without_shifts_to_come from public;
grant execute on function private.without_shifts_to_come to authenticated;

-- As before; the timesheets are read once, in groups.
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
  me constant uuid := auth.uid();
  may_approve constant boolean := private.may_approve_time(private.supervised_sites());
begin
  perform private.require_day(p_from, 'start');
  perform private.require_day(p_to, 'end');
  return query
  with groups as materialized (
    select t.period_start, t.period_end, t.status, t.open_issues, t.issues, count(*) as sheets,
      array_agg(t.id) filter (where t.open_issues = 0 and t.status in ('open', 'submitted')) as ids,
      array_agg(t.user_id) filter (where t.open_issues = 0 and t.status in ('open', 'submitted')) as users
    from public.timesheets t
    where t.period_start <= p_to and t.period_end >= p_from and (p_site is null or p_site = any (t.site_ids))
      and (named is null or t.id = any (named))
    group by t.period_start, t.period_end, t.status, t.open_issues, t.issues
  ), decided as materialized (
    select g.ids, g.users,
      tstzrange(private.company_midnight(g.period_start), private.company_midnight(g.period_end + 1)) as period
    from groups g where may_approve and g.ids is not null
  ), ready as (
    select array_agg(u.id) as ids, array_agg(u.user_id) as users, array_agg(d.period) as periods
    from decided d cross join lateral unnest(d.ids, d.users) u (id, user_id)
    where u.user_id is distinct from me
  ), issues as (
    select i.issue, sum(g.sheets) as sheets from groups g cross join lateral unnest(g.issues) i (issue) group by i.issue
  )
  select coalesce(sum(g.sheets) filter (where g.open_issues > 0), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.open_issues = 0), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.status = 'open'), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.status = 'submitted'), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.status = 'approved'), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.status = 'locked'), 0)::integer,
    coalesce((select jsonb_object_agg(i.issue, i.sheets) from issues i), '{}'),
    (select private.without_shifts_to_come(r.ids, r.users, r.periods, 5000) from ready r)
  from groups g;
end
$$;

drop function private.shifts_to_come(uuid[], date, date);
