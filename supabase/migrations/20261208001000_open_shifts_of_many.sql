-- Shifts that a guard of a large company could take. Results as before; the guards of all shifts are counted at once.
create or replace function public.open_shifts() returns table (
  shift_id uuid,
  site_name text,
  client_name text,
  address text,
  timezone text,
  post_name text,
  start_time timestamptz,
  end_time timestamptz,
  seats integer,
  distance_km numeric,
  bid_id uuid
)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  home text;
  published tstzmultirange := (
    select coalesce(range_agg(tstzrange(private.company_midnight(r.starts_on), private.company_midnight(r.starts_on + 7))), '{}')
    from public.roster_periods r
    where r.state = 'published' and r.starts_on >= private.company_date() - 7
  );
  own tstzmultirange := (
    select coalesce(range_agg(a.period), '{}') from public.assignments a
    where a.user_id = me and a.status <> 'cancelled' and a.period && tstzrange(now(), now() + interval '28 days')
  );
begin
  perform private.require_member();
  if not exists (select from public.user_roles r where r.user_id = me and r.role = 'guard') then
    return;
  end if;
  select p.home_position into home from public.profiles p where p.id = me;
  return query
  with staffed as materialized (
    -- An assignment starts with its shift.
    select a.shift_id, count(*) as guards from public.assignments a
    where a.starts_at > now() and a.starts_at < now() + interval '14 days' and a.counts_as_staffed
    group by 1
  ),
  unfilled as materialized (
    select s.id
    from public.shifts s
    left join staffed w on w.shift_id = s.id
    where s.start_time > now() and s.start_time < now() + interval '14 days'
      -- As is_offered, which would read the weeks for each shift.
      and (s.is_manual or s.start_time <@ published)
      and s.required_headcount > coalesce(w.guards, 0)
  ),
  open as materialized (
    select s, private.free_seats(s) as seats
    from unfilled u
    join public.shifts s on s.id = u.id
    where not own && tstzrange(s.start_time, s.end_time)
  ),
  near as (
    select o.s, o.seats, t.name, t.client_name, t.address, t.timezone, (o.s).start_time as starts,
      round(private.distance_m(home, t.latitude, t.longitude) / 1000.0, 1) as km
    from open o join public.sites t on t.id = (o.s).site_id
    where o.seats > 0
    order by km nulls last, starts
    limit 200
  )
  select (n.s).id, n.name, n.client_name, n.address, n.timezone,
    (select p.name from public.posts p where p.id = (n.s).post_id),
    (n.s).start_time, (n.s).end_time, n.seats, n.km,
    (select b.id from public.offers b
      where b.shift_id = (n.s).id and b.user_id = me and b.kind = 'bid' and b.status = 'open')
  from near n
  where private.obstacle_to_shift(me, n.s) is null
  order by n.km nulls last, n.starts, (n.s).id
  limit 60;
end
$$;
