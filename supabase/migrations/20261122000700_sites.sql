-- The guarded places, their names for everyone who reports an incident, and distances from them.
create table public.sites (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) <= 200),
  client_name text not null check (char_length(client_name) <= 200),
  -- Set if the client was chosen from the list; client_name stays as typed.
  client_id uuid references public.clients (id) on delete set null,
  address text not null check (char_length(address) <= 500),
  timezone text not null default 'Africa/Monrovia'
    check (timezone in ('Africa/Monrovia', 'Africa/Lagos', 'Africa/Accra')),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- Clock events further away are flagged, never refused.
  geofence_radius_m integer not null default 200 check (geofence_radius_m between 10 and 50000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sites_coordinates_come_in_pairs check ((latitude is null) = (longitude is null))
);

create index sites_name_idx on public.sites (name);
create index sites_client_id_idx on public.sites (client_id);

select private.tidy_texts_of('public.sites', 'name', 'client_name', 'address');
create trigger d_touch before update on public.sites
  for each row execute function private.touch();
select private.keep_history_of('public.sites');

alter table public.sites enable row level security;
revoke all on public.sites from anon, authenticated;
grant select, insert, update, delete on public.sites to authenticated;

create policy "Planners and HR read every site" on public.sites
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr')));
create policy "Supervisors read their own sites" on public.sites
  for select to authenticated using (id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read the sites of their own assignments" on public.sites
  for select to authenticated using (id = any ((select private.assigned_sites())::uuid[]));
create policy "Admins and operations managers add sites" on public.sites
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers change sites" on public.sites
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers delete sites" on public.sites
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

alter publication supabase_realtime add table public.sites;

-- A definer view: id and name of every site, and nothing else, for every member.
create view public.site_options with (security_barrier = true) as
  select s.id, s.name from public.sites s where (select private.is_member());
select private.mark_never_null('public.site_options', 'id', 'name');
revoke all on public.site_options from anon, authenticated, service_role;
grant select on public.site_options to authenticated;

-- Whether a text is a position: 'lat,lng' in degrees, as the clock dialog sends it. Null is an unknown position.
create function private.is_position(gps text) returns boolean
language sql immutable set search_path = ''
return gps is null or case
  when gps ~ '^-?\d{1,2}(\.\d{1,15})?, ?-?\d{1,3}(\.\d{1,15})?$'
  then abs(split_part(gps, ',', 1)::double precision) <= 90
    and abs(split_part(gps, ',', 2)::double precision) <= 180
  else false
end;

-- Metres along the great circle (haversine, mean radius of the earth); null if either position is unknown.
create function private.distance_m(gps text, latitude double precision, longitude double precision)
returns integer language sql immutable set search_path = ''
return case when private.is_position(gps) and gps is not null and latitude is not null and longitude is not null then
  round(2 * 6371008.8 * asin(sqrt(least(1,
    sind((split_part(gps, ',', 1)::double precision - latitude) / 2) ^ 2
    + cosd(latitude) * cosd(split_part(gps, ',', 1)::double precision)
      * sind((split_part(gps, ',', 2)::double precision - longitude) / 2) ^ 2
  ))))::integer
end;

-- The sites whose shifts the week shows: one site, or those whose name or client matches a search. The list of the
-- week and week_totals both read them here. No fixed search path, so that the planner can inline it.
create function public.week_sites(p_site_id uuid default null, p_search text default '') returns setof public.sites
language sql stable as $$
  select s.* from public.sites s
  where (p_site_id is null or s.id = p_site_id)
    and concat_ws(' ', s.name, s.client_name) ilike all ((select private.search_patterns(p_search))::text[]);
$$;

revoke all on function public.week_sites from public, anon;
grant execute on function public.week_sites to authenticated;
revoke all on all functions in schema private from public;
-- Check constraints run it with the rights of the caller.
grant execute on function private.is_position to authenticated, service_role;
