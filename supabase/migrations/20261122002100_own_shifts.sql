-- The caller's own shifts, for the guard's portal. Both functions run as the caller: the policies decide.

-- The caller's shift: the open attendance record first, then by time, so that night and double shifts work. Without
-- either, the next shift that starts today, which can't be clocked in on yet.
create function public.my_current_shift() returns table (
  assignment_id uuid,
  shift_id uuid,
  site_id uuid,
  site_name text,
  client_name text,
  address text,
  timezone text,
  start_time timestamptz,
  end_time timestamptz,
  role_at_shift text,
  attendance_id uuid,
  clock_in_at timestamptz,
  may_clock_in boolean
)
language sql stable set search_path = '' as $$
  select a.id, s.id, site.id, site.name, site.client_name, site.address, site.timezone,
    s.start_time, s.end_time, a.role_at_shift, open_record.id, open_record.clock_in_at,
    open_record.id is null and is_now.yes
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites site on site.id = s.site_id
  left join public.attendance open_record
    on open_record.assignment_id = a.id and open_record.clock_out_at is null
  cross join lateral (
    select now() between s.start_time - private.clock_in_lead() and s.end_time as yes
  ) is_now
  where a.user_id = (select auth.uid())
    and (
      open_record.id is not null
      or a.attendance_state = 'none' and a.status in ('assigned', 'confirmed', 'no_show') and (
        is_now.yes
        or s.start_time > now() and s.start_time < (select private.company_midnight(private.company_date() + 1))
      )
    )
  order by open_record.id is null, not is_now.yes, s.start_time
  limit 1;
$$;
comment on function public.my_current_shift is 'Nullable: role_at_shift, attendance_id, clock_in_at';

-- The shifts that a clock event may belong to, now or during some days offline: the open record first, then the
-- nearest.
create function public.my_clock_shifts() returns table (
  assignment_id uuid,
  site_id uuid,
  site_name text,
  client_name text,
  address text,
  timezone text,
  latitude double precision,
  longitude double precision,
  geofence_radius_m integer,
  start_time timestamptz,
  end_time timestamptz,
  role_at_shift text,
  attendance_id uuid,
  clock_in_at timestamptz,
  clock_out_at timestamptz,
  flags text[]
)
language sql stable set search_path = '' as $$
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
  )
  order by r.id is null or r.clock_out_at is not null, abs(extract(epoch from s.start_time - now()))
  limit 50;
$$;
comment on function public.my_clock_shifts is
  'Nullable: latitude, longitude, role_at_shift, attendance_id, clock_in_at, clock_out_at, flags';

revoke all on function public.my_current_shift, public.my_clock_shifts from public, anon;
grant execute on function public.my_current_shift, public.my_clock_shifts to authenticated;
