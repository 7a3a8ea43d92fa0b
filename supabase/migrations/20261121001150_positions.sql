-- Positions as the clock dialog sends them, text 'lat,lng' in degrees, and their distance from a site.

-- A null is a position that is not known, which other rules deal with.
create function private.is_position(gps text) returns boolean
language sql immutable set search_path = ''
return gps is null or case
  when gps ~ '^-?\d{1,2}(\.\d{1,15})?, ?-?\d{1,3}(\.\d{1,15})?$'
  then abs(split_part(gps, ',', 1)::double precision) <= 90
    and abs(split_part(gps, ',', 2)::double precision) <= 180
  else false
end;

-- Metres along the great circle (haversine, mean radius of the earth); null where a position is unknown.
create function private.distance_m(gps text, latitude double precision, longitude double precision)
returns integer language sql immutable set search_path = ''
return case when gps is not null and private.is_position(gps) then
  round(2 * 6371008.8 * asin(sqrt(least(1,
    sind((split_part(gps, ',', 1)::double precision - latitude) / 2) ^ 2
    + cosd(latitude) * cosd(split_part(gps, ',', 1)::double precision)
      * sind((split_part(gps, ',', 2)::double precision - longitude) / 2) ^ 2
  ))))::integer
end;

revoke all on function private.is_position(text), private.distance_m(text, double precision, double precision) from public;
-- A check constraint runs with the rights of whoever writes the row.
grant execute on function private.is_position(text) to authenticated, service_role;
