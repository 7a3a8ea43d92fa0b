-- Documents of a person (contract, ID, police clearance): files in a folder with the person's id. People managers only.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('people', 'people', false, 10 * 1024 * 1024, array[
  'image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'application/pdf'
])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create policy "People managers read documents of people" on storage.objects
  for select to authenticated
  using (bucket_id = 'people' and (select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers add documents of people" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'people' and (select private.has_role('admin', 'ops_manager', 'hr'))
    and exists (select from public.profiles p where p.id = private.record_of_file(objects.name))
  );
create policy "People managers remove documents of people" on storage.objects
  for delete to authenticated
  using (bucket_id = 'people' and (select private.has_role('admin', 'ops_manager', 'hr')));
