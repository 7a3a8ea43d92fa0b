-- The list of timesheets: those with something to decide first. As the caller: the policies decide which they see.

-- The timesheets that touch [p_from, p_to], by name, status, an issue, a site, and whether issues are open (`issues`,
-- `clean`; null: both).
create function private.found_timesheets(
  p_from date, p_to date, p_search text, p_status text, p_issue text, p_site uuid, p_show text
) returns table (sheet public.timesheets, full_name text)
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_day(p_from, 'start');
  perform private.require_day(p_to, 'end');
  return query
  select t, coalesce(nullif(p.full_name, ''), p.email, '')
  from public.timesheets t
  left join public.profiles p on p.id = t.user_id
  where t.period_start <= p_to and t.period_end >= p_from
    and (p_status is null or t.status = p_status)
    and (p_issue is null or p_issue = any (t.issues))
    and (p_site is null or p_site = any (t.site_ids))
    and (p_show is null or (p_show = 'issues') = (t.open_issues > 0))
    and coalesce(nullif(p.full_name, ''), p.email, '') ilike all (private.search_patterns(p_search));
end
$$;

-- One page of the list, with the number of all that match.
create function public.timesheet_overview(
  p_from date, p_to date, p_search text default null, p_status text default null, p_issue text default null,
  p_site uuid default null, p_show text default null, p_offset integer default 0, p_limit integer default 50
) returns table (
  id uuid, user_id uuid, full_name text, period_start date, period_end date, status text, paid_minutes integer,
  regular_minutes integer, overtime_1_minutes integer, overtime_2_minutes integer, night_minutes integer,
  holiday_minutes integer, leave_paid_minutes integer, leave_unpaid_minutes integer, unpaid_minutes integer,
  credited_minutes integer, planned_minutes integer, missing_minutes integer, open_issues integer, issues text[],
  note text, submitted_at timestamptz, approved_at timestamptz, approved_by uuid, total bigint
)
language sql stable set search_path = '' as $$
  select (f.sheet).id, (f.sheet).user_id, f.full_name, (f.sheet).period_start, (f.sheet).period_end, (f.sheet).status,
    (f.sheet).regular_minutes + (f.sheet).overtime_1_minutes + (f.sheet).overtime_2_minutes + (f.sheet).night_minutes
      + (f.sheet).holiday_minutes + (f.sheet).leave_paid_minutes + (f.sheet).credited_minutes,
    (f.sheet).regular_minutes, (f.sheet).overtime_1_minutes, (f.sheet).overtime_2_minutes, (f.sheet).night_minutes,
    (f.sheet).holiday_minutes, (f.sheet).leave_paid_minutes, (f.sheet).leave_unpaid_minutes, (f.sheet).unpaid_minutes,
    (f.sheet).credited_minutes, (f.sheet).planned_minutes, (f.sheet).missing_minutes, (f.sheet).open_issues,
    (f.sheet).issues, (f.sheet).note, (f.sheet).submitted_at, (f.sheet).approved_at, (f.sheet).approved_by, count(*) over ()
  from private.found_timesheets(p_from, p_to, p_search, p_status, p_issue, p_site, p_show) f
  order by (f.sheet).open_issues > 0 desc, (f.sheet).status in ('open', 'submitted') desc, f.full_name,
    (f.sheet).period_start, (f.sheet).id
  limit greatest(0, least(coalesce(p_limit, 50), 1000)) offset greatest(0, coalesce(p_offset, 0));
$$;
comment on function public.timesheet_overview is 'Nullable: note, submitted_at, approved_at, approved_by';

-- What the filters of the list count, and the timesheets that the caller can approve in one press: no issue is open, no
-- shift is to come, and none is their own. `issue_counts` has the number of timesheets by issue.
create function public.timesheet_counts(
  p_from date, p_to date, p_search text default null, p_site uuid default null
) returns table (
  with_issues integer, without_issues integer, open integer, submitted integer, approved integer, locked integer,
  issue_counts jsonb, ready uuid[]
)
language sql stable set search_path = '' as $$
  with found as materialized (
    select (f.sheet).*, (f.sheet).open_issues = 0 and (f.sheet).status in ('open', 'submitted')
      and (f.sheet).user_id is distinct from (select auth.uid()) as may_be_ready
    from private.found_timesheets(p_from, p_to, p_search, null, null, p_site, null) f
  )
  select count(*) filter (where f.open_issues > 0)::integer, count(*) filter (where f.open_issues = 0)::integer,
    count(*) filter (where f.status = 'open')::integer, count(*) filter (where f.status = 'submitted')::integer,
    count(*) filter (where f.status = 'approved')::integer, count(*) filter (where f.status = 'locked')::integer,
    coalesce((select jsonb_object_agg(i.issue, i.sheets) from (
      select issue, count(*) as sheets from found x, unnest(x.issues) issue group by issue) i), '{}'),
    case when private.may_approve_time(private.supervised_sites()) then array(
      select x.id from found x
      where x.may_be_ready and not private.has_shifts_to_come(x.user_id, x.period_start, x.period_end)
      order by x.id limit 5000
    ) else '{}' end
  from found f;
$$;

revoke all on all functions in schema private from public;
grant execute on function
  private.found_timesheets, private.may_approve_time, private.has_shifts_to_come
to authenticated;
revoke all on function public.timesheet_overview, public.timesheet_counts from public, anon;
grant execute on function public.timesheet_overview, public.timesheet_counts to authenticated;
