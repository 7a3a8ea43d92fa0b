CREATE OR REPLACE FUNCTION public.my_relief()
 RETURNS TABLE(assignment_id uuid, side text, full_name text, phone text, start_time timestamp with time zone, end_time timestamp with time zone, timezone text, site_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with mine as (
    select s.* from public.assignments a join public.shifts s on s.id = a.shift_id
    where a.user_id = (select auth.uid()) and (select private.is_member()) and a.counts_as_staffed
      and (a.attendance_state = 'in' or a.attendance_state = 'none' and s.end_time > now()
        and s.start_time < now() + interval '12 hours')
    order by a.attendance_state = 'in' desc, s.start_time limit 1
  )
  select o.id, case when s.start_time < m.start_time then 'before' else 'after' end,
    private.name_of_person(o.user_id), p.phone, s.start_time, s.end_time, t.timezone, t.name
  from mine m
  join public.shifts s on s.site_id = m.site_id and s.post_id is not distinct from m.post_id and s.id <> m.id
    and s.start_time between m.start_time - interval '24 hours' and m.end_time + interval '1 hour'
    and (s.end_time between m.start_time - interval '1 hour' and m.start_time + interval '1 hour'
      or s.start_time between m.end_time - interval '1 hour' and m.end_time + interval '1 hour')
  join public.assignments o on o.shift_id = s.id and o.counts_as_staffed and o.user_id <> (select auth.uid())
  join public.profiles p on p.id = o.user_id
  join public.sites t on t.id = s.site_id
  order by s.start_time, 3, o.id limit 20;
$function$;

grant execute on function public.my_relief() to authenticated;

comment on function public.my_relief() is 'Nullable: phone';
