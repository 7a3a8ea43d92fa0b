-- A search for shifts has at most 200 characters and a time that exists: others read every shift, for every row again.
create function private.is_search_within_limits(p_search text, p_at timestamptz) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  if char_length(p_search) > 200 then
    raise exception 'Search for at most 200 characters.' using errcode = 'string_data_right_truncation';
  elsif not isfinite(p_at) then
    raise exception 'Search from a date and time, not from infinity.' using errcode = 'datetime_field_overflow';
  end if;
  return true;
end
$$;
revoke all on function private.is_search_within_limits from public;
grant execute on function private.is_search_within_limits to authenticated, service_role;

create or replace function public.search_shifts(p_search text DEFAULT ''::text, p_ends_after timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS SETOF shift_board
 LANGUAGE sql
 STABLE
AS $function$
  select b.* from public.shift_board b
  where (select private.is_search_within_limits(p_search, p_ends_after))
    and b.end_time > coalesce(p_ends_after, '-infinity')
    and b.start_time >= (select private.first_start(coalesce(p_ends_after, '-infinity')))
    and (coalesce(p_search, '') = ''
      or b.site_id in (
        select t.id from public.sites t
        where concat_ws(' ', t.name, t.client_name) ilike all ((select private.search_patterns(p_search))::text[])
      )
      or b.notes is not null and public.search_text(b) ilike all ((select private.search_patterns(p_search))::text[])
      -- An asterisk may reach from the site to a guard; a word can't.
      or (position('*' in p_search) > 0 or b.id in (
        select a.shift_id from public.assignments a join public.profiles p on p.id = a.user_id
        where a.status <> 'cancelled'
          and a.starts_at >= (select private.first_start(coalesce(p_ends_after, '-infinity')))
          and coalesce(nullif(p.full_name, ''), p.email) ilike any ((select private.search_patterns(p_search))::text[])
      )) and concat_ws(' ', public.search_text(b), (
        select string_agg(coalesce(nullif(p.full_name, ''), p.email), ' ')
        from public.assignments a join public.profiles p on p.id = a.user_id
        where a.shift_id = b.id and a.status <> 'cancelled'
      )) ilike all ((select private.search_patterns(p_search))::text[]));
$function$;

create or replace function public.shift_totals(p_from timestamp with time zone DEFAULT NULL::timestamp with time zone, p_to timestamp with time zone DEFAULT NULL::timestamp with time zone, p_site_id uuid DEFAULT NULL::uuid, p_staffing text DEFAULT NULL::text, p_search text DEFAULT ''::text, p_ends_after timestamp with time zone DEFAULT NULL::timestamp with time zone, p_guard_id uuid DEFAULT NULL::uuid)
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
