-- The places that are guarded, and their names for anyone who reports an incident.
create table public.sites (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) <= 200),
  client_name text not null check (char_length(client_name) <= 200),
  -- Kept when a client was chosen from the list; client_name stays as written.
  client_id uuid references public.clients (id) on delete set null,
  address text not null check (char_length(address) <= 500),
  timezone text not null default 'Africa/Monrovia'
    check (timezone in ('Africa/Monrovia', 'Africa/Lagos', 'Africa/Accra')),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- Clock events further away than this are marked, never refused.
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

create policy "Those who plan and oversee read every site" on public.sites
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

-- Runs with its owner's rights: id and name of every site, for any member, and nothing else of it.
create view public.site_options with (security_barrier = true) as
  select s.id, s.name from public.sites s where (select private.is_member());
comment on column public.site_options.id is 'Never null';
comment on column public.site_options.name is 'Never null';
revoke all on public.site_options from anon, authenticated, service_role;
grant select on public.site_options to authenticated;

alter publication supabase_realtime add table public.sites;
