-- Counts and sums above lists, for companies of many thousand people: each table is read once, and names only for a search.

-- Count and amounts, in one currency, of the records in the list, without cancelled ones, which it counts separately. If the list
-- shows only cancelled records, the sums are theirs.
create or replace function public.payroll_sums(
  p_search text default null, p_status text default null, p_start date default null, p_end date default null,
  p_currency text default 'USD'
) returns table (
  records integer, base numeric, deductions numeric, bonuses numeric, net numeric, cancelled integer
)
language sql stable set search_path = '' as $$
  with named as materialized (
    select s.id from public.staff s
    where coalesce(p_search, '') <> ''
      and s.full_name ilike all ((select private.search_patterns(p_search))::text[])
  )
  select count(*) filter (where found.counts)::integer,
    coalesce(sum(found.base_amount) filter (where found.counts), 0),
    coalesce(sum(found.deductions) filter (where found.counts), 0),
    coalesce(sum(found.bonuses) filter (where found.counts), 0),
    coalesce(sum(found.net_amount) filter (where found.counts), 0),
    count(*) filter (where not found.counts)::integer
  from (
    select p.base_amount, p.deductions, p.bonuses, p.net_amount,
      p_status is not null or p.payment_status <> 'cancelled' as counts
    from public.payroll p
    where p.currency = p_currency and (p_status is null or p.payment_status = p_status)
      and (p_start is null or p.period_start = p_start)
      and (p_end is null or p.period_end = p_end)
      -- A hashed set of ids, read once. Without a search everybody is meant, and the names are not read.
      and (coalesce(p_search, '') = '' or p.staff_id in (select n.id from named n))
  ) found;
$$;

-- The assignments of these people that are still to be worked on company days [p_first, p_last]: what
-- `has_shifts_to_come` asks of one guard, read once for a list.
create function private.shifts_to_come(p_users uuid[], p_first date, p_last date)
returns table (user_id uuid, period tstzrange)
-- A few people are found by their index, thousands by the starts.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  begins constant timestamptz := private.company_midnight(p_first);
  ends constant timestamptz := private.company_midnight(p_last + 1);
  earliest constant timestamptz := private.first_start(now());
begin
  return query
  select a.user_id, a.period
  from public.assignments a
  where a.user_id = any (p_users) and a.starts_at >= earliest and a.starts_at < ends
    and a.status in ('assigned', 'confirmed') and upper(a.period) > now() and a.period && tstzrange(begins, ends);
end
$$;
revoke all on function private.shifts_to_come from public;
grant execute on function private.shifts_to_come to authenticated;

-- What the filters of the list count, and the timesheets that the caller can approve in one press: no issue is open, no
-- shift is to come, and none is their own. `issue_counts` has the number of timesheets by issue.
create or replace function public.timesheet_counts(
  p_from date, p_to date, p_search text default null, p_site uuid default null
) returns table (
  with_issues integer, without_issues integer, open integer, submitted integer, approved integer, locked integer,
  issue_counts jsonb, ready uuid[]
)
language sql stable set search_path = '' as $$
  with found as materialized (
    select (f.sheet).id, (f.sheet).user_id, (f.sheet).period_start, (f.sheet).period_end, (f.sheet).status,
      (f.sheet).open_issues, (f.sheet).issues
    from private.found_timesheets(p_from, p_to, p_search, null, null, p_site, null) f
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
  )
  select count(*) filter (where f.open_issues > 0)::integer, count(*) filter (where f.open_issues = 0)::integer,
    count(*) filter (where f.status = 'open')::integer, count(*) filter (where f.status = 'submitted')::integer,
    count(*) filter (where f.status = 'approved')::integer, count(*) filter (where f.status = 'locked')::integer,
    coalesce((select jsonb_object_agg(i.issue, i.sheets) from (
      select issue, count(*) as sheets from found x, unnest(x.issues) issue group by issue) i), '{}'),
    array(
      select r.id
      from ready r join periods p on p.period_start = r.period_start and p.period_end = r.period_end
      where not exists (select from to_come c where c.user_id = r.user_id and c.period && p.times)
      order by r.id limit 5000
    )
  from found f;
$$;
