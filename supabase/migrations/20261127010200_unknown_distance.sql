-- A site without coordinates has no distance and no fence. least() ignores nulls, so the earlier version returned half the
-- circumference of the earth.
create or replace function private.distance_m(gps text, latitude double precision, longitude double precision)
returns integer language sql immutable set search_path = ''
return case when private.is_position(gps) and gps is not null and latitude is not null and longitude is not null then
  round(2 * 6371008.8 * asin(sqrt(least(1,
    sind((split_part(gps, ',', 1)::double precision - latitude) / 2) ^ 2
    + cosd(latitude) * cosd(split_part(gps, ',', 1)::double precision)
      * sind((split_part(gps, ',', 2)::double precision - longitude) / 2) ^ 2
  ))))::integer
end;

-- Records that have the wrong distance: no site is within 15 km of the antipode of a guard.
alter table public.attendance disable trigger user;
with corrected as (
  select r.id, s.geofence_radius_m as radius,
    private.distance_m(r.clock_in_gps, s.latitude, s.longitude) as way_in,
    private.distance_m(r.clock_out_gps, s.latitude, s.longitude) as way_out
  from public.attendance r
  join public.sites s on s.id = r.site_id
  where greatest(r.clock_in_distance_m, r.clock_out_distance_m) > 20000000
)
update public.attendance r set
  clock_in_distance_m = c.way_in,
  clock_out_distance_m = c.way_out,
  flags = case when greatest(c.way_in, c.way_out) > c.radius then r.flags else array_remove(r.flags, 'outside_fence') end,
  needs_review = r.needs_review
    and (coalesce(greatest(c.way_in, c.way_out) > c.radius, false) or r.flags <> array['outside_fence'])
from corrected c
where c.id = r.id;
alter table public.attendance enable trigger user;
