-- The activity log: who changed what, written by triggers, and how it is searched.

-- ── Tables ────────────────────────────────────────────────────────────

-- The activity log: who changed what, when, from which values to which. Append-only; only admins read it.
create table public.audit_log (
  id uuid default private.time_ordered_id() primary key,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid, -- No foreign key: the history outlives the account. Null if no user did it.
  actor_email text,
  action text not null check (action in ('insert', 'update', 'delete')),
  table_name text not null,
  row_id uuid not null,
  old_values jsonb, -- The whole row for an insert or delete; for an update only what changed.
  new_values jsonb
);
create index audit_log_at_idx on public.audit_log (at desc, id desc);
create index audit_log_table_idx on public.audit_log (table_name, at desc);
create index audit_log_actor_idx on public.audit_log (actor_id, at desc);
-- The history of one record, found by its id.
create index audit_log_record_idx on public.audit_log (row_id, at desc, id desc);
-- Deletes are rare: without this index, a page of them reads most of the log.
create index audit_log_deletes_idx on public.audit_log (at desc, id desc) where action = 'delete';
create index audit_log_positions_idx
  on public.audit_log (at)
  where coalesce( new_values ->> 'clock_in_gps', new_values ->> 'clock_out_gps', new_values ->> 'gps',
    old_values ->> 'clock_in_gps', old_values ->> 'clock_out_gps', old_values ->> 'gps' ) is not null;
create trigger append_only before update or delete or truncate on public.audit_log
  for each statement execute function private.refuse_change_of_history();
alter table public.audit_log enable row level security;
revoke all on public.audit_log from service_role;
grant select on public.audit_log to authenticated, service_role;
create policy "Admins read the activity log" on public.audit_log
  for select to authenticated using ((select private.has_role('admin')));

-- The trail for admins: sign-ins and failures, passwords, factors, sessions, disabled accounts. A definer view, because
-- the tables of the auth service are closed to everyone; the condition is the permission.
create view public.security_events with (security_barrier = true) as
select
  e.id,
  e.created_at as at,
  case
    when e.payload ->> 'actor_id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then (e.payload ->> 'actor_id')::uuid
  end as actor_id,
  nullif(e.payload ->> 'actor_username', '') as actor_email,
  e.payload ->> 'action' as action,
  nullif(e.ip_address, '') as ip_address,
  coalesce((e.payload -> 'traits')::jsonb, '{}') as details
from auth.audit_log_entries e where (select private.has_role('admin')) order by e.created_at desc, e.id;
revoke all on public.security_events from service_role;
grant select on public.security_events to authenticated;

-- ── Accounts and files of the services ────────────────────────────────

create trigger history_of_documents after insert on storage.objects referencing new table as files
  for each statement execute function private.record_documents();
create trigger history_of_removed_documents after delete on storage.objects referencing old table as files
  for each statement execute function private.record_documents();

-- ── Functions ─────────────────────────────────────────────────────────

-- The record that a file belongs to: the folder of `<uuid>/<file name>`; null for any other path.
create function private.record_of_file(path text) returns uuid
language sql immutable strict parallel safe set search_path = ''
return case
  when path ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/[^/]+$' then substr(path, 1, 36)::uuid
end;
grant execute on function private.record_of_file to authenticated, service_role;

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

-- Calls of devices are not in the activity log.
create function private.without_secrets(record jsonb) returns jsonb
language sql immutable parallel safe
return record - array['password', 'encrypted_password', 'secret', 'token', 'updated_at', 'attendance_state',
  'on_leave', 'counts_as_staffed', 'rest_span', 'last_seen_at', 'away_at'];

-- As before, but without parsing all claims for two of them.
create function private.record_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  who uuid := auth.uid();
  whose_email text := nullif(auth.email(), '');
begin
  if whose_email is null and who is not null then
    select coalesce(p.email, p.phone) into whose_email from public.profiles p where p.id = who;
  end if;
  if tg_op = 'INSERT' then
    insert into public.audit_log (actor_id, actor_email, action, table_name, row_id, new_values)
    select who, whose_email, 'insert', tg_table_name, n.id, private.without_secrets(to_jsonb(n)) from new_rows n;
  elsif tg_op = 'DELETE' then
    insert into public.audit_log (actor_id, actor_email, action, table_name, row_id, old_values)
    select who, whose_email, 'delete', tg_table_name, o.id, private.without_secrets(to_jsonb(o)) from old_rows o;
  else
    insert into public.audit_log
      (actor_id, actor_email, action, table_name, row_id, old_values, new_values)
    select who, whose_email, 'update', tg_table_name, version.id, changed.was, changed.became
    from (
      select n.id, private.without_secrets(to_jsonb(o)) as was, private.without_secrets(to_jsonb(n)) as became
      from new_rows n
      full join old_rows o on o.id = n.id
      -- Without this, PostgreSQL also converts both rows again for each of their columns.
      offset 0
    ) version
    cross join lateral (
      select jsonb_object_agg(field.key, version.was -> field.key) as was,
        jsonb_object_agg(field.key, field.value) as became
      from jsonb_each(version.became) field
      where field.value is distinct from version.was -> field.key
    ) changed
    where version.was is not null and changed.became is not null;
  end if;
  return null;
end
$$;

create function private.refuse_change_of_history() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'The activity log can''t be changed or deleted.' using errcode = 'insufficient_privilege';
end
$$;

-- Whether private.compute_time or draft_invoices is writing. What they write follows from recorded facts, so the
-- activity
-- log, which would grow by every computed minute, leaves it out. Any other change of a computed row is recorded.
create function private.is_computing() returns boolean
language sql stable set search_path = '' return coalesce(current_setting('app.computing_time', true), '') = 'on';
grant execute on function private.is_computing to authenticated, service_role;

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

create function private.keep_history_of_computed(recorded regclass) returns void
language plpgsql set search_path = '' as $$
begin
  execute format('create trigger history_of_inserts after insert on %s
    referencing new table as new_rows for each statement when (not private.is_computing())
    execute function private.record_history()', recorded);
  execute format('create trigger history_of_updates after update on %s
    referencing old table as old_rows new table as new_rows for each statement when (not private.is_computing())
    execute function private.record_history()', recorded);
  execute format('create trigger history_of_deletes after delete on %s
    referencing old table as old_rows for each statement when (not private.is_computing())
    execute function private.record_history()', recorded);
end
$$;

-- Adds an event to the auth service's trail, in its own format.
create function private.record_security_event(action text, subject uuid, traits jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
  select '00000000-0000-0000-0000-000000000000', gen_random_uuid(),
    json_build_object(
      'action', action, 'actor_id', auth.uid(), 'actor_username', coalesce(auth.jwt() ->> 'email', ''),
      'actor_via_sso', false, 'log_type', case when subject = auth.uid() then 'account' else 'team' end,
      'traits', traits || case when subject = auth.uid() then '{}' else jsonb_build_object('user_id', subject) end
    ),
    now(),
    -- The session's last known address: the database doesn't know the address of the request.
    coalesce((select host(s.ip) from auth.sessions s where s.id::text = auth.jwt() ->> 'session_id'), '');
$$;
