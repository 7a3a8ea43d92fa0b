-- Shifts at a site: from when to when, and how many guards.
create table public.shifts (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id),
  start_time timestamptz not null,
  end_time timestamptz not null,
  required_headcount integer not null default 1 check (required_headcount between 1 and 1000),
  notes text check (char_length(notes) <= 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint shifts_end_after_start check (end_time > start_time)
);

create index shifts_start_time_idx on public.shifts (start_time);
create index shifts_site_id_idx on public.shifts (site_id, start_time);

select private.tidy_texts_of('public.shifts', 'notes');
create trigger d_touch before update on public.shifts
  for each row execute function private.touch();
create trigger c_in_use before delete on public.sites for each row
  execute function private.refuse_while_used('shifts', 'site_id', 'This site still has shifts, so it can''t be deleted.');
select private.keep_history_of('public.shifts');

alter table public.shifts enable row level security;
revoke all on public.shifts from anon, authenticated;
grant select, insert, update, delete on public.shifts to authenticated;

create policy "Those who plan and oversee read every shift" on public.shifts
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr')));
create policy "Supervisors read shifts at their own sites" on public.shifts
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read the shifts they are assigned to" on public.shifts
  for select to authenticated using (id in (select private.assigned_shifts()));
create policy "Planners add shifts" on public.shifts
  for insert to authenticated
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors add shifts at their own sites" on public.shifts
  for insert to authenticated with check (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Planners change shifts" on public.shifts
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')))
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors change shifts at their own sites" on public.shifts
  for update to authenticated
  using (site_id = any ((select private.supervised_sites())::uuid[]))
  with check (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Admins and operations managers delete shifts" on public.shifts
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

alter publication supabase_realtime add table public.shifts;
