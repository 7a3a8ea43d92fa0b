create or replace FUNCTION private.totals_of_staffing(earliest timestamp with time zone, ends timestamp with time zone, ends_after timestamp with time zone, sites uuid[], staffing text)
 RETURNS TABLE(shifts integer, assigned integer, required integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET enable_nestloop TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  return query
  with staffed as materialized (
    select a.shift_id, count(*)::integer as guards
    from (
      select a.shift_id from public.assignments a
      where a.starts_at >= earliest and a.starts_at < ends and a.counts_as_staffed
        and (sites is null or a.site_id = any (sites))
      union all
      -- Replacements who join after that.
      select a.shift_id from public.assignments a
      where a.starts_at >= ends and a.joins_at is not null and a.counts_as_staffed
        and (sites is null or a.site_id = any (sites))
    ) a
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
$function$;

create or replace FUNCTION private.totals_of_shifts(starts timestamp with time zone, ends timestamp with time zone, ends_after timestamp with time zone, sites uuid[], staffing text)
 RETURNS TABLE(shifts integer, assigned integer, required integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
  with counted as (
    select count(*) as shifts, coalesce(sum(s.required_headcount), 0) as required
    from public.shifts s
    where s.start_time >= earliest and s.start_time < ends and s.end_time > ends_after
      and (sites is null or s.site_id = any (sites))
  ), seats as (
    -- An assignment starts with its shift, or later in it, when a replacement joins.
    select count(*) as assigned from public.assignments a
    where a.starts_at >= whole_from and a.starts_at < ends and a.counts_as_staffed
      and (sites is null or a.site_id = any (sites))
  ), joining as (
    -- Those who were counted although their shift starts before, and who were not although it starts in time.
    select count(*) filter (where s.start_time >= whole_from and s.start_time < ends)
      - count(*) filter (where a.starts_at < ends) as assigned
    from public.assignments a join public.shifts s on s.id = a.shift_id
    where a.joins_at is not null and a.starts_at >= whole_from and a.counts_as_staffed
      and (sites is null or a.site_id = any (sites))
  ), begun as (
    select count(*) as assigned from public.shifts s join public.assignments a on a.shift_id = s.id
    where s.start_time >= earliest and s.start_time < least(ends, ends_after) and s.end_time > ends_after
      and a.counts_as_staffed and (sites is null or s.site_id = any (sites))
  )
  select c.shifts::integer, (s.assigned + j.assigned + b.assigned)::integer, c.required::integer
  from counted c, seats s, joining j, begun b;
end
$function$;

create or replace FUNCTION public.shift_totals(p_from timestamp with time zone DEFAULT NULL::timestamp with time zone, p_to timestamp with time zone DEFAULT NULL::timestamp with time zone, p_site_id uuid DEFAULT NULL::uuid, p_staffing text DEFAULT NULL::text, p_search text DEFAULT ''::text, p_ends_after timestamp with time zone DEFAULT NULL::timestamp with time zone, p_guard_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(shifts integer, assigned integer, required integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
      -- An assignment starts with its shift, or later in it, when a replacement joins.
      select count(*)::integer from public.assignments a
      where a.starts_at >= earliest and (a.starts_at < ends or a.joins_at is not null) and a.counts_as_staffed
        and (p_site_id is null or a.site_id = p_site_id) and a.shift_id in (select f.id from found f)
    ), coalesce(sum(f.required_headcount), 0)::integer
    from found f;
    return;
  end if;
  return query
  select count(*)::integer, coalesce(sum(b.assigned), 0)::integer, coalesce(sum(b.required_headcount), 0)::integer
  from public.search_shifts(p_search, nullif(ends_after, '-infinity')) b
  where b.start_time >= starts and b.start_time < ends
    and (p_site_id is null or b.site_id = p_site_id)
    and (p_staffing is null or b.staffing = p_staffing or p_staffing = 'open' and b.staffing <> 'full')
    and (p_guard_id is null or exists (
      select from public.assignments a
      where a.shift_id = b.id and a.user_id = p_guard_id and a.status <> 'cancelled'
    ));
end
$function$;
