-- Photos and documents of an incident, stored in bucket `evidence` as `<incident id>/<file name>`.

-- The record that a file belongs to: the folder of `<uuid>/<file name>`; null for any other path.
create function private.record_of_file(path text) returns uuid
language sql immutable strict parallel safe set search_path = ''
return case
  when path ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/[^/]+$' then substr(path, 1, 36)::uuid
end;
revoke all on all functions in schema private from public;
grant execute on function private.record_of_file to authenticated, service_role;

create table public.evidence (
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references public.incidents (id) on delete cascade,
  type text not null check (char_length(type) <= 200),
  url text not null check (char_length(url) <= 2000),
  taken_at timestamptz,
  gps text check (private.is_position(gps)),
  located_by text check (located_by in ('photo', 'device')),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A file of this incident, or a web address: never another incident's file, never a script.
  constraint evidence_url_belongs_to_incident
    check (url ~* '^https?://' or url like incident_id || '/%'),
  -- How reliable a position is depends on its source.
  constraint evidence_position_has_a_source check ((gps is null) = (located_by is null))
);
comment on column public.evidence.taken_at is 'From the photo''s metadata, else when it was attached';
comment on column public.evidence.gps is 'Text ''lat,lng'' in degrees';
comment on column public.evidence.located_by is
  'photo: the file''s metadata; device: the phone when the file was attached';

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

create policy "Readers of an incident read its evidence" on public.evidence
  for select to authenticated
  using (exists (select from public.incidents i where i.id = incident_id));
create policy "Reporters and overseers of an incident add evidence" on public.evidence
  for insert to authenticated
  with check (exists (
    select from public.incidents i
    where i.id = incident_id and (
      i.raised_by_user_id = (select auth.uid())
      or (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));
create policy "Overseers of an incident remove evidence" on public.evidence
  for delete to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));

alter publication supabase_realtime add table public.evidence;
alter table public.evidence replica identity full;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('evidence', 'evidence', false, 10 * 1024 * 1024, array[
  'image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/heic', 'image/heif', 'image/avif', 'image/bmp',
  'image/tiff',
  'application/pdf', 'application/rtf', 'text/rtf', 'text/plain', 'text/csv',
  'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'audio/*', 'video/*'
])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create policy "Readers of an incident read its files" on storage.objects
  for select to authenticated
  using (
    bucket_id = 'evidence'
    and exists (select from public.incidents i where i.id = private.record_of_file(objects.name))
  );
create policy "Reporters and overseers of an incident add files" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'evidence'
    and exists (
      select from public.incidents i
      where i.id = private.record_of_file(objects.name) and (
        i.raised_by_user_id = (select auth.uid())
        or (select private.has_role('admin', 'ops_manager', 'supervisor'))
        or i.site_id = any ((select private.supervised_sites())::uuid[])
      )
    )
  );
create policy "Overseers of an incident remove files" on storage.objects
  for delete to authenticated
  using (
    bucket_id = 'evidence'
    and exists (
      select from public.incidents i
      where i.id = private.record_of_file(objects.name) and (
        (select private.has_role('admin', 'ops_manager', 'supervisor'))
        or i.site_id = any ((select private.supervised_sites())::uuid[])
      )
    )
  );
