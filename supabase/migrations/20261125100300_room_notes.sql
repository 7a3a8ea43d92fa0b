-- The running log of the control room. What is pinned is for the next watch. A note stays as it was written.
create table public.room_notes (
  id uuid primary key default gen_random_uuid(),
  body text not null check (char_length(body) <= 2000),
  is_pinned boolean not null default false,
  -- Null: about no site, or about several.
  site_id uuid references public.sites (id) on delete set null,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index room_notes_created_at_idx on public.room_notes (created_at desc);
create index room_notes_pinned_idx on public.room_notes (created_at desc) where is_pinned;
create index room_notes_site_id_idx on public.room_notes (site_id, created_at desc);
create index room_notes_created_by_idx on public.room_notes (created_by);

select private.tidy_texts_of('public.room_notes', 'body');
create trigger b_author before insert or update on public.room_notes
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.room_notes
  for each row execute function private.touch();
select private.keep_history_of('public.room_notes');

alter table public.room_notes enable row level security;
revoke all on public.room_notes from anon, authenticated;
grant select, insert, update (is_pinned) on public.room_notes to authenticated;
create policy "Planners read every room note" on public.room_notes
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read room notes about their own sites" on public.room_notes
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Planners write room notes" on public.room_notes
  for insert to authenticated
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors write room notes about their own sites" on public.room_notes
  for insert to authenticated with check (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Planners pin room notes" on public.room_notes
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')))
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors pin room notes about their own sites" on public.room_notes
  for update to authenticated
  using (site_id = any ((select private.supervised_sites())::uuid[]))
  with check (site_id = any ((select private.supervised_sites())::uuid[]));

alter publication supabase_realtime add table public.room_notes;
alter table public.room_notes replica identity full;
