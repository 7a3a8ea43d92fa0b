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
  new_values jsonb,
  -- The transaction, which the rows that one action caused share; null before it was recorded. A restored database can
  -- use a number again, so readers compare the time too.
  cause bigint default pg_current_xact_id()::text::bigint
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

-- The rows to restore if the entry is undone, as restore_values or restore_records takes them; null if it can't be: an
-- added row, a table without undo, or a row that has changed since.
create function private.undo_of(entry public.audit_log) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  columns constant text[] := private.columns_of_many(entry.table_name);
  current jsonb;
  was jsonb;
  became jsonb;
begin
  if entry.action = 'insert'
    or entry.action = 'update' and columns is null
    or entry.action = 'delete' and not private.is_deletable(entry.table_name)
  then
    return null;
  end if;
  execute format('select to_jsonb(t) from public.%I t where t.id = $1', entry.table_name)
    into current using entry.row_id;
  if entry.action = 'delete' then
    return case when current is null then entry.old_values || jsonb_build_object('assignments', (
      select coalesce(jsonb_agg(a.old_values), '[]') from public.audit_log a
      where entry.table_name = 'shifts' and a.cause = entry.cause and a.table_name = 'assignments'
        and a.action = 'delete' and a.old_values ->> 'shift_id' = entry.row_id::text
        and a.at between entry.at - interval '10 minutes' and entry.at + interval '10 minutes'
    )) end;
  end if;
  select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, entry.new_values -> o.key) into was, became
  from jsonb_each(entry.old_values) o where o.key = any (columns);
  return case when current @> became
    then jsonb_build_object('id', entry.row_id, 'was', was, 'seen', current -> 'updated_at', 'assignment_status', (
      select a.old_values ->> 'status' from public.audit_log a
      where entry.table_name = 'attendance' and a.cause = entry.cause and a.table_name = 'assignments'
        and a.new_values ->> 'status' = 'completed' and a.row_id = (current ->> 'assignment_id')::uuid
        and a.at between entry.at - interval '10 minutes' and entry.at + interval '10 minutes'
      order by a.id limit 1
    )) end;
end
$$;
grant execute on function private.undo_of to authenticated;

-- The entries that one action made in one table, with the same fields.
create function private.entries_like(entry public.audit_log) returns setof public.audit_log
language sql stable set search_path = '' as $$
  select a.* from public.audit_log a
  where a.at between entry.at - interval '10 minutes' and entry.at + interval '10 minutes'
    and (a.id = entry.id or a.cause = entry.cause)
    and a.table_name = entry.table_name and a.action = entry.action
    and array(select jsonb_object_keys(a.new_values) order by 1)
      = array(select jsonb_object_keys(entry.new_values) order by 1)
  order by a.id limit private.most_rows();
$$;
grant execute on function private.entries_like to authenticated;

-- How many rows undo_entry would restore.
create function public.undoable(entry public.audit_log) returns integer
language sql stable set search_path = ''
return (select count(*)::integer from private.entries_like(entry) e where private.undo_of(e) is not null);
grant execute on function public.undoable to authenticated;

-- Undoes what one action did in one table, under the same rules as any change. Returns what was left out, as
-- restore_records.
create function public.undo_entry(p_entry uuid) returns text[]
language plpgsql set search_path = '' as $$
declare
  entry public.audit_log;
  undone jsonb;
  left_out text[] := '{}';
begin
  select * into entry from public.audit_log a where a.id = p_entry;
  -- Materialized, so that each entry is judged once.
  with judged as materialized (select e.row_id, private.undo_of(e) as undo from private.entries_like(entry) e)
  select jsonb_agg(j.undo order by j.row_id) into undone from judged j where j.undo is not null;
  if undone is null then
    raise exception 'This can''t be undone: it has changed since.' using errcode = 'PT409';
  end if;
  if entry.action = 'delete' then
    select r.left_out into left_out from public.restore_records(entry.table_name, undone) r;
  else
    perform public.restore_values(entry.table_name, undone);
  end if;
  return left_out;
end
$$;
grant execute on function public.undo_entry to authenticated;

-- What entries are about, for sentences: who did it, and the person, site, client, time and name that the record has or
-- refers to. An entry of a change has only what changed, so the rest is read from the record as it is now, or was when
-- it was deleted.
create function public.entry_subjects(p_ids uuid[]) returns table (
  id uuid, actor text, person text, site text, client text, starts_at timestamptz, timezone text, name text
)
language plpgsql stable set search_path = '' as $$
declare
  current jsonb := '{}';
  found jsonb;
  kind text;
begin
  perform private.require_many(p_ids);
  for kind in
    select distinct a.table_name from public.audit_log a
    where a.id = any (p_ids) and a.action = 'update' and to_regclass('public.' || a.table_name) is not null
  loop
    execute format(
      'select coalesce(jsonb_object_agg(t.id, to_jsonb(t)), ''{}'') from public.%I t where t.id = any (
        select a.row_id from public.audit_log a where a.id = any ($1) and a.table_name = $2
      )', kind
    ) into found using p_ids, kind;
    current := current || found;
  end loop;
  return query
  select e.id, coalesce(nullif(w.full_name, ''), w.email, e.actor_email),
    coalesce(nullif(p.full_name, ''), p.email, s.full_name), t.name, c.name,
    coalesce(h.start_time, (e.facts ->> 'start_time')::timestamptz, (e.facts ->> 'clock_in_at')::timestamptz),
    t.timezone,
    coalesce(e.facts ->> 'title', e.facts ->> 'full_name', e.facts ->> 'name', e.facts ->> 'guard_name',
      e.facts ->> 'account_title', e.facts ->> 'number')
  from (
    select a.id, a.actor_id, a.actor_email,
      coalesce(current -> a.row_id::text, gone.old_values, '{}') || coalesce(a.new_values, '{}')
        || coalesce(a.old_values, '{}') as facts
    from public.audit_log a
    left join lateral (
      select d.old_values from public.audit_log d
      where a.action = 'update' and d.row_id = a.row_id and d.action = 'delete' order by d.at desc limit 1
    ) gone on true
    where a.id = any (p_ids)
  ) e
  left join public.profiles w on w.id = e.actor_id
  left join public.profiles p on p.id = (e.facts ->> 'user_id')::uuid
  left join public.staff s on s.id = (e.facts ->> 'staff_id')::uuid
  left join public.shifts h on h.id = (e.facts ->> 'shift_id')::uuid
  left join public.sites t on t.id = coalesce((e.facts ->> 'site_id')::uuid, h.site_id)
  left join public.clients c on c.id = (e.facts ->> 'client_id')::uuid;
end
$$;
comment on function public.entry_subjects is 'Nullable: actor, person, site, client, starts_at, timezone, name';
grant execute on function public.entry_subjects to authenticated;

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
