-- Files: photos and documents of incidents (bucket `evidence`), receipts of expenses (bucket `receipts`). Who may read,
-- add or remove a file is who may do so with the record that it belongs to.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
select name, name, false, 10 * 1024 * 1024, types
from (values
  ('evidence', array[
    'image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/heic', 'image/heif', 'image/avif', 'image/bmp', 'image/tiff',
    'application/pdf', 'application/rtf', 'text/rtf', 'text/plain', 'text/csv',
    'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.spreadsheet',
    'application/vnd.oasis.opendocument.presentation',
    'audio/*', 'video/*'
  ]),
  ('receipts', array[
    'image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/heic', 'image/heif', 'image/avif', 'application/pdf',
    'text/plain', 'text/csv'
  ])
) as wanted (name, types)
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

-- The record that a file belongs to: the folder of `<uuid>/<file name>`, null for any other place.
create function private.record_of_file(path text) returns uuid
language sql immutable strict parallel safe set search_path = ''
return case
  when path ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/[^/]+$' then substr(path, 1, 36)::uuid
end;
revoke all on function private.record_of_file(text) from public;
grant execute on function private.record_of_file(text) to authenticated, service_role;

-- The policies of incidents and of evidence apply inside these.
create policy "Whoever reads an incident reads its files" on storage.objects
  for select to authenticated
  using (
    bucket_id = 'evidence'
    and exists (select from public.incidents i where i.id = private.record_of_file(objects.name))
  );
create policy "Whoever raised or oversees an incident adds files" on storage.objects
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
create policy "Whoever oversees an incident removes files" on storage.objects
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

create policy "Admins read receipts" on storage.objects
  for select to authenticated
  using (bucket_id = 'receipts' and (select private.has_role('admin')));
create policy "Admins add receipts of expenses" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'receipts' and (select private.has_role('admin'))
    and exists (select from public.expense_reports e where e.id = private.record_of_file(objects.name))
  );
create policy "Admins replace receipts" on storage.objects
  for update to authenticated
  using (bucket_id = 'receipts' and (select private.has_role('admin')))
  with check (
    bucket_id = 'receipts' and (select private.has_role('admin'))
    and exists (select from public.expense_reports e where e.id = private.record_of_file(objects.name))
  );
create policy "Admins remove receipts" on storage.objects
  for delete to authenticated
  using (bucket_id = 'receipts' and (select private.has_role('admin')));

alter table public.expense_reports
  add column receipt_path text,
  add constraint expense_reports_receipt_belongs_to_expense
    check (char_length(receipt_path) <= 1000 and private.record_of_file(receipt_path) = id);
comment on column public.expense_reports.receipt_path is 'Path in bucket receipts: <expense id>/<file name>';

drop trigger a_tidy_text on public.expense_reports;
select private.tidy_texts_of('public.expense_reports', 'title', 'notes', 'receipt_path');
