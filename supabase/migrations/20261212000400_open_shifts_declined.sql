-- Shifts that a guard of a large company could take, read from indexes. Shifts that the guard has declined are left out.
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
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' as $$
declare
  me uuid := auth.uid();
  home text;
  published tstzmultirange := (
    select coalesce(range_agg(tstzrange(private.company_midnight(r.starts_on), private.company_midnight(r.starts_on + 7))), '{}')
    from public.roster_periods r
    where r.state = 'published' and r.starts_on >= private.company_date() - 7
  );
  -- The published part of the next two weeks.
  planned tstzrange := range_merge(published * tstzmultirange(tstzrange(now(), now() + interval '14 days')));
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
  with staffed as (
    -- An assignment starts with its shift.
    select a.shift_id, count(*) as guards from public.assignments a
    where a.starts_at > now() and a.starts_at < now() + interval '14 days' and a.counts_as_staffed
    group by 1
  ),
  -- As is_offered, which would read the weeks for each shift.
  offered as (
    select s.id, s.required_headcount
    from public.shifts s
    where s.start_time > now() and s.start_time >= lower(planned) and s.start_time < upper(planned)
      and s.start_time <@ published and not s.is_manual
    union all
    select s.id, s.required_headcount
    from public.shifts s
    where s.start_time > now() and s.start_time < now() + interval '14 days' and s.is_manual
  ),
  unfilled as materialized (
    select o.id, o.required_headcount - coalesce(w.guards, 0) as seats
    from offered o left join staffed w on w.shift_id = o.id
    where o.required_headcount > coalesce(w.guards, 0)
  ),
  open as materialized (
    select f.s, (f.s).site_id, d.seats::integer
    from unfilled u
    -- Look-ups: the planner expects thousands where a few are unfilled.
    cross join lateral (select s from public.shifts s where s.id = u.id offset 0) f
    cross join lateral (
      select u.seats - count(*) as seats from public.roster_changes c where c.shift_id = u.id and c.change = 'assign'
    ) d
    where d.seats > 0 and not own && tstzrange((f.s).start_time, (f.s).end_time)
      -- What the guard has declined is not offered again, unless somebody has assigned the guard since.
      and not exists (
        select from public.assignments a
        where a.shift_id = u.id and a.user_id = me and a.status = 'cancelled' and a.declined_at is not null
          and not exists (
            select from public.assignments later
            where later.shift_id = u.id and later.user_id = me and later.id <> a.id and later.created_at >= a.declined_at
          )
      )
  ),
  places as materialized (
    select t.id, t.name, t.client_name, t.address, t.timezone,
      round(private.distance_m(home, t.latitude, t.longitude) / 1000.0, 1) as km
    from public.sites t
    where t.id in (select o.site_id from open o)
  ),
  near as (
    select o.s, o.seats, p.name, p.client_name, p.address, p.timezone, p.km, (o.s).start_time as starts
    from open o join places p on p.id = o.site_id
    order by p.km nulls last, starts, (o.s).id
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
