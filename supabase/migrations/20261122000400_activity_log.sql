-- The activity log: who changed what, when, from which values to which. Append-only; only admins read it.
create table public.audit_log (
  id uuid primary key default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  -- No foreign key: the history outlives the account. Null if no user did it.
  actor_id uuid,
  actor_email text,
  action text not null check (action in ('insert', 'update', 'delete')),
  table_name text not null,
  row_id uuid not null,
  -- The whole row for an insert or delete; for an update only what changed.
  old_values jsonb,
  new_values jsonb
);

create index audit_log_at_idx on public.audit_log (at desc, id desc);
create index audit_log_table_idx on public.audit_log (table_name, at desc);
create index audit_log_actor_idx on public.audit_log (actor_id, at desc);
-- The history of one record, found by its id.
create index audit_log_record_idx on public.audit_log (row_id, at desc, id desc);
-- Deletes are rare: without this index, a page of them reads most of the log.
create index audit_log_deletes_idx on public.audit_log (at desc, id desc) where action = 'delete';

alter table public.audit_log enable row level security;
revoke all on public.audit_log from anon, authenticated, service_role;
grant select on public.audit_log to authenticated, service_role;

create policy "Admins read the activity log" on public.audit_log
  for select to authenticated using ((select private.has_role('admin')));

-- Leaves out secrets, and values that follow from another recorded change.
create function private.without_secrets(record jsonb) returns jsonb
language sql immutable parallel safe
return record - array['password', 'encrypted_password', 'secret', 'token', 'updated_at', 'attendance_state',
  'on_leave', 'counts_as_staffed'];

-- Runs once per statement, so that a batch of thousands costs one insert. Definer: users can't write to the log.
create function private.record_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  who uuid := auth.uid();
  whose_email text := coalesce(
    nullif(auth.jwt() ->> 'email', ''),
    (select p.email from public.profiles p where p.id = who)
  );
begin
  if tg_op = 'INSERT' then
    insert into public.audit_log (actor_id, actor_email, action, table_name, row_id, new_values)
    select who, whose_email, 'insert', tg_table_name, n.id, private.without_secrets(to_jsonb(n))
    from new_rows n;
  elsif tg_op = 'DELETE' then
    insert into public.audit_log (actor_id, actor_email, action, table_name, row_id, old_values)
    select who, whose_email, 'delete', tg_table_name, o.id, private.without_secrets(to_jsonb(o))
    from old_rows o;
  else
    insert into public.audit_log
      (actor_id, actor_email, action, table_name, row_id, old_values, new_values)
    select who, whose_email, 'update', tg_table_name, changed.id, changed.was, changed.became
    from (
      select
        version.id,
        jsonb_object_agg(field.key, version.was -> field.key) as was,
        jsonb_object_agg(field.key, field.value) as became
      from (
        select
          n.id,
          private.without_secrets(to_jsonb(o)) as was,
          private.without_secrets(to_jsonb(n)) as became
        from new_rows n
        join old_rows o on o.id = n.id
      ) version
      cross join lateral jsonb_each(version.became) field
      where version.was <> version.became and field.value is distinct from version.was -> field.key
      group by version.id
    ) changed;
  end if;
  return null;
end
$$;

-- Starts the history of a table, which needs a uuid column `id`.
create function private.keep_history_of(recorded regclass) returns void
language plpgsql set search_path = '' as $$
begin
  execute format('create trigger history_of_inserts after insert on %s
    referencing new table as new_rows
    for each statement execute function private.record_history()', recorded);
  execute format('create trigger history_of_updates after update on %s
    referencing old table as old_rows new table as new_rows
    for each statement execute function private.record_history()', recorded);
  execute format('create trigger history_of_deletes after delete on %s
    referencing old table as old_rows
    for each statement execute function private.record_history()', recorded);
end
$$;

create function private.refuse_change_of_history() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'The activity log can''t be changed or deleted.' using errcode = 'insufficient_privilege';
end
$$;

create trigger append_only before update or delete or truncate on public.audit_log
  for each statement execute function private.refuse_change_of_history();

revoke all on all functions in schema private from public;
