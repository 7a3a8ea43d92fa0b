-- The totals of the staffing filter are counted by hashes, so that a wrong estimate can't make the planner compare each shift with the
-- guards of all: there is no index on the counted guards.
create function private.totals_of_staffing(
  earliest timestamptz, ends timestamptz, ends_after timestamptz, sites uuid[], staffing text
) returns table (shifts integer, assigned integer, required integer)
language plpgsql stable security definer set search_path = '' set jit = off set enable_nestloop = off
set plan_cache_mode = 'force_custom_plan' as $$
begin
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
end
$$;

-- As before.
create or replace function private.totals_of_shifts(
  starts timestamptz, ends timestamptz, ends_after timestamptz, sites uuid[], staffing text
) returns table (shifts integer, assigned integer, required integer)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  earliest constant timestamptz := greatest(starts, private.first_start(ends_after));
  -- What starts later ends later, too.
  whole_from constant timestamptz := greatest(starts, ends_after);
begin
  if staffing is not null then
    return query select t.* from private.totals_of_staffing(earliest, ends, ends_after, sites, staffing) t;
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

revoke all on function private.totals_of_staffing from public;
