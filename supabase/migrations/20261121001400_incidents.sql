-- Incidents: anyone signed in reports one; those who oversee the site follow it up.
create table public.incidents (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id),
  raised_by_user_id uuid default auth.uid() references public.profiles (id) on delete set null,
  title text not null check (char_length(title) between 5 and 200),
  category text not null
    check (category in ('security', 'safety', 'property', 'medical', 'fire', 'theft', 'vandalism', 'other')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  status text not null default 'open' check (status in ('open', 'investigating', 'resolved', 'closed')),
  description text not null check (char_length(description) between 20 and 5000),
  -- Of those who follow it up.
  notes text check (char_length(notes) <= 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index incidents_created_at_idx on public.incidents (created_at desc);
create index incidents_status_idx on public.incidents (status, created_at desc);
create index incidents_severity_idx on public.incidents (severity, created_at desc);
create index incidents_site_id_idx on public.incidents (site_id, created_at desc);
create index incidents_raised_by_user_id_idx on public.incidents (raised_by_user_id, created_at desc);

select private.tidy_texts_of('public.incidents', 'title', 'description', 'notes');
create trigger d_touch before update on public.incidents
  for each row execute function private.touch();
create trigger c_has_incidents before delete on public.sites for each row
  execute function private.refuse_while_used('incidents', 'site_id', 'This site has incidents on record, so it can''t be deleted.');
select private.keep_history_of('public.incidents');

alter table public.incidents enable row level security;
revoke all on public.incidents from anon, authenticated;
grant select on public.incidents to authenticated;
-- Neither the time of the report nor the follow-up is the reporter's to write; site and reporter stay as reported.
grant insert (id, site_id, raised_by_user_id, title, category, severity, status, description)
  on public.incidents to authenticated;
grant update (title, category, severity, status, description, notes) on public.incidents to authenticated;

create policy "Those who oversee read every incident" on public.incidents
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor')));
create policy "Supervisors read incidents at their own sites" on public.incidents
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Members read the incidents they raised" on public.incidents
  for select to authenticated
  using (raised_by_user_id = (select auth.uid()) and (select private.is_member()));
create policy "Guards read incidents at sites they are assigned to" on public.incidents
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));
create policy "Members report incidents in their own name, as open" on public.incidents
  for insert to authenticated
  with check (raised_by_user_id = (select auth.uid()) and status = 'open' and (select private.is_member()));
create policy "Those who oversee follow up every incident" on public.incidents
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor')))
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor')));
create policy "Supervisors follow up incidents at their own sites" on public.incidents
  for update to authenticated
  using (site_id = any ((select private.supervised_sites())::uuid[]))
  with check (site_id = any ((select private.supervised_sites())::uuid[]));

alter publication supabase_realtime add table public.incidents;
