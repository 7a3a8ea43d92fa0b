-- Photos that were stored but never became the photo of a person: the connection was lost between the two steps. They end
-- like other records about people. A day at least, so that a photo that is being set is never one of them.
insert into public.retention_rules (kind, min_days, default_days, max_days, days) values ('unused_photos', 1, 7, 365, 7);
insert into private.retention_parts (kind, position, target, key, age, due, blanked, is_quiet) values
  ('unused_photos', 1, 'storage.objects', 'id', 'r.created_at',
    'r.bucket_id = ''photos'' and r.created_at < $1
      and not exists (select from public.profiles p where p.photo_path = r.name)', null, false);
