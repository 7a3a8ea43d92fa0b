CREATE OR REPLACE FUNCTION public.seats_lost_to_leave(p_ids uuid[])
 RETURNS TABLE(seats integer, sites integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform private.require_many(p_ids);
  return query
  with lost as (
    select a.shift_id, count(distinct a.id) as guards
    from public.leave_requests l
    join public.assignments a on a.user_id = l.user_id and a.counts_as_staffed and a.starts_at > now()
    cross join lateral private.days_of(a.period) worked
    where l.id = any (p_ids) and l.start_date < upper(worked) and l.end_date >= lower(worked)
    group by a.shift_id
  ),
  shift as (
    select s.site_id, least(o.guards, s.required_headcount - (
        select count(*) from public.assignments a where a.shift_id = s.id and a.counts_as_staffed
      ) + o.guards) as empty
    from lost o join public.shifts s on s.id = o.shift_id
  )
  select coalesce(sum(s.empty), 0)::integer, count(distinct s.site_id)::integer from shift s where s.empty > 0;
end
$function$;

grant execute on function public.seats_lost_to_leave(uuid[]) to authenticated;
