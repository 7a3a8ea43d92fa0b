-- Counts of hundreds of thousands of shifts to come, from two indexes alone.

-- What shift_totals counts without a search or a guard, at these sites or at all. For callers who may read all shifts
-- there.
create function private.totals_of_shifts(
  starts timestamptz, ends timestamptz, ends_after timestamptz, sites uuid[], staffing text
) returns table (shifts integer, assigned integer, required integer)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  earliest constant timestamptz := greatest(starts, private.first_start(ends_after));
  -- What starts later ends later, too.
  whole_from constant timestamptz := greatest(starts, ends_after);
begin
  if staffing is not null then
    return query
    with staffed as materialized (
      select a.shift_id, count(*)::integer as guards from public.assignments a
      where a.starts_at >= earliest and a.starts_at < ends and a.counts_as_staffed
        and (sites is null or a.site_id = any (sites))
      group by 1
    ),
    found as (
      select s.required_headcount as needed, coalesce(w.guards, 0) as guards
      from public.shifts s left join staffed w on w.shift_id = s.id
      where s.start_time >= earliest and s.start_time < ends and s.end_time > ends_after
        and (sites is null or s.site_id = any (sites))
    )
    select count(*)::integer, coalesce(sum(f.guards), 0)::integer, coalesce(sum(f.needed), 0)::integer
    from found f
    -- As shift_board computes it.
    where case
      when f.guards >= f.needed then staffing = 'full'
      when f.guards > 0 then staffing in ('partial', 'open')
      else staffing in ('none', 'open')
    end;
    return;
  end if;
  return query
  select count(*)::integer, (
    -- An assignment starts with its shift.
    (
      select count(*) from public.assignments a
      where a.starts_at >= whole_from and a.starts_at < ends and a.counts_as_staffed
        and (sites is null or a.site_id = any (sites))
    ) + (
      select count(*) from public.shifts s join public.assignments a on a.shift_id = s.id
      where s.start_time >= earliest and s.start_time < least(ends, ends_after) and s.end_time > ends_after
        and a.counts_as_staffed and (sites is null or s.site_id = any (sites))
    )
  )::integer, coalesce(sum(s.required_headcount), 0)::integer
  from public.shifts s
  where s.start_time >= earliest and s.start_time < ends and s.end_time > ends_after
    and (sites is null or s.site_id = any (sites));
end
$$;
revoke all on function private.totals_of_shifts from public;
grant execute on function private.totals_of_shifts to authenticated;

-- Count and headcount of the shifts in the list. Without p_from and p_ends_after: the shifts that are not over.
-- p_staffing may also be `open`: fewer guards than required.
create or replace function public.shift_totals(
  p_from timestamptz default null, p_to timestamptz default null, p_site_id uuid default null,
  p_staffing text default null, p_search text default '', p_ends_after timestamptz default null,
  p_guard_id uuid default null
) returns table (shifts integer, assigned integer, required integer)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  starts constant timestamptz := coalesce(p_from, '-infinity');
  ends constant timestamptz := coalesce(p_to, 'infinity');
  ends_after constant timestamptz := coalesce(p_ends_after, case when p_from is null then now() else '-infinity' end);
  own_sites constant uuid[] := private.supervised_sites();
  reads_all constant boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr');
  earliest timestamptz;
begin
  perform private.require_period(coalesce(p_from, p_ends_after, now()), coalesce(p_to, now()));
  if coalesce(p_search, '') = '' and p_guard_id is null then
    if reads_all or p_site_id = any (own_sites) then
      return query select t.* from private.totals_of_shifts(
        starts, ends, ends_after, case when p_site_id is not null then array[p_site_id] end, p_staffing) t;
      return;
    elsif p_site_id is null and own_sites <> '{}' and not exists (
      select from public.assignments a where a.user_id = auth.uid() and a.site_id <> all (own_sites)
    ) then
      return query select t.* from private.totals_of_shifts(starts, ends, ends_after, own_sites, p_staffing) t;
      return;
    end if;
  end if;
  if coalesce(p_search, '') = '' and p_staffing is null and p_guard_id is null then
    -- Guards see the shifts that they are assigned to.
    earliest := greatest(starts, private.first_start(ends_after));
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
