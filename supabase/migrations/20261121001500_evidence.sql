-- Photos and documents of an incident. A file lies in bucket `evidence` under `<incident id>/<file name>`.
create table public.evidence (
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references public.incidents (id) on delete cascade,
  type text not null check (char_length(type) <= 200),
  url text not null check (char_length(url) <= 2000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A file of this incident, or a web address: never another incident's file, never a script.
  constraint evidence_url_belongs_to_incident
    check (url ~* '^https?://' or url like incident_id || '/%')
);

create index evidence_incident_id_idx on public.evidence (incident_id, created_at);
create index evidence_created_by_idx on public.evidence (created_by);

select private.tidy_texts_of('public.evidence', 'type', 'url');
create trigger b_author before insert or update on public.evidence
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.evidence
  for each row execute function private.touch();
select private.keep_history_of('public.evidence');

alter table public.evidence enable row level security;
revoke all on public.evidence from anon, authenticated;
grant select, insert, delete on public.evidence to authenticated;

-- The policies of incidents apply inside these.
create policy "Whoever reads an incident reads its evidence" on public.evidence
  for select to authenticated
  using (exists (select from public.incidents i where i.id = incident_id));
create policy "Whoever raised or oversees an incident adds evidence" on public.evidence
  for insert to authenticated
  with check (exists (
    select from public.incidents i
    where i.id = incident_id and (
      i.raised_by_user_id = (select auth.uid())
      or (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));
create policy "Whoever oversees an incident removes evidence" on public.evidence
  for delete to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));

alter publication supabase_realtime add table public.evidence;
