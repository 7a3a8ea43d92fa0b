create or replace FUNCTION public.my_clock_shifts()
 RETURNS TABLE(assignment_id uuid, site_id uuid, site_name text, client_name text, address text, timezone text, latitude double precision, longitude double precision, geofence_radius_m integer, start_time timestamp with time zone, end_time timestamp with time zone, role_at_shift text, attendance_id uuid, clock_in_at timestamp with time zone, clock_out_at timestamp with time zone, flags text[])
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select a.id, site.id, site.name, site.client_name, site.address, site.timezone, site.latitude, site.longitude,
    site.geofence_radius_m, s.start_time, s.end_time, a.role_at_shift, r.id, r.clock_in_at, r.clock_out_at, r.flags
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites site on site.id = s.site_id
  left join lateral (
    select * from public.attendance r where r.assignment_id = a.id
    order by r.clock_out_at is null desc, r.clock_in_at desc limit 1
  ) r on true
  where a.user_id = (select auth.uid()) and a.status <> 'cancelled' and (
    a.attendance_state = 'in'
    or a.starts_at > now() - interval '3 days' and a.starts_at < now() + interval '4 days'
      and s.end_time > now() - interval '16 hours'
    -- What comes next, however far ahead.
    or a.id = (
      select n.id from public.assignments n
      where n.user_id = (select auth.uid()) and n.status in ('assigned', 'confirmed') and not n.on_leave
        and n.starts_at > now()
      order by n.starts_at limit 1
    )
  )
  order by r.id is null or r.clock_out_at is not null, abs(extract(epoch from s.start_time - now())) limit 50;
$function$;
