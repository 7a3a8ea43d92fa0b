-- The activity log has the documents of a person: who added and removed which file. The record is the person.
create function private.record_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- A transition table has the same name for both operations.
  file record;
  facts jsonb;
begin
  for file in select f.id, f.name, f.metadata from files f where f.bucket_id = 'people' loop
    facts := jsonb_strip_nulls(jsonb_build_object(
      'name', split_part(file.name, '/', 2), 'user_id', private.record_of_file(file.name),
      'type', file.metadata ->> 'mimetype', 'size', file.metadata -> 'size'
    ));
    insert into public.audit_log (actor_id, actor_email, action, table_name, row_id, old_values, new_values)
    values (
      auth.uid(),
      coalesce(
        nullif(auth.jwt() ->> 'email', ''),
        (select coalesce(p.email, p.phone) from public.profiles p where p.id = auth.uid())
      ),
      lower(tg_op), 'documents', coalesce(private.record_of_file(file.name), file.id),
      case when tg_op = 'DELETE' then facts end, case when tg_op = 'INSERT' then facts end
    );
  end loop;
  return null;
end
$$;

create trigger history_of_documents after insert on storage.objects
  referencing new table as files
  for each statement execute function private.record_documents();
create trigger history_of_removed_documents after delete on storage.objects
  referencing old table as files
  for each statement execute function private.record_documents();

revoke all on all functions in schema private from public;
