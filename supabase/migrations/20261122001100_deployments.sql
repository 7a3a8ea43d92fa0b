-- Guard deployments: every member adds and deletes them, portal users edit them.
create table public.deployments (
  id uuid primary key default gen_random_uuid(),
  guard_name text not null check (char_length(guard_name) <= 200),
  -- Set if the name was chosen from a list; the names stay as typed.
  guard_id uuid references public.profiles (id) on delete set null,
  location text not null check (char_length(location) <= 500),
  client_name text check (char_length(client_name) <= 200),
  client_id uuid references public.clients (id) on delete set null,
  shift_start timestamptz not null,
  shift_end timestamptz not null,
  status text not null default 'scheduled' check (status in ('scheduled', 'active', 'completed', 'cancelled')),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint deployments_end_after_start check (shift_end > shift_start)
);

create index deployments_shift_start_idx on public.deployments (shift_start desc);
create index deployments_created_by_idx on public.deployments (created_by);
create index deployments_guard_id_idx on public.deployments (guard_id);
create index deployments_client_id_idx on public.deployments (client_id);

select private.tidy_texts_of('public.deployments', 'guard_name', 'location', 'client_name', 'notes');
create trigger b_author before insert or update on public.deployments
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.deployments
  for each row execute function private.touch();
select private.keep_history_of('public.deployments');

alter table public.deployments enable row level security;
revoke all on public.deployments from anon, authenticated;
grant select, insert, update, delete on public.deployments to authenticated;

create policy "Members read deployments" on public.deployments
  for select to authenticated using ((select private.is_member()));
create policy "Members add deployments" on public.deployments
  for insert to authenticated with check ((select private.is_member()));
create policy "Portal users change deployments" on public.deployments
  for update to authenticated
  using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or cardinality((select private.supervised_sites())) > 0
  )
  with check ((select private.is_member()));
create policy "Members delete deployments" on public.deployments
  for delete to authenticated using ((select private.is_member()));

alter publication supabase_realtime add table public.deployments;
