-- Reloads the schema cache after DDL (PostgREST docs, "Automatic Schema Cache Reloading").
create function rest.reload_schema_cache() returns event_trigger
language plpgsql
as $$
begin
  if tg_event = 'sql_drop' and not exists (select from pg_event_trigger_dropped_objects() where not is_temporary) then
    return;
  end if;
  notify pgrst, 'reload schema';
end
$$;

-- Only a superuser may create event triggers. Without them run `notify pgrst` after a change. Migrations at start need
-- neither, because the service starts after them.
do $$
begin
  create event trigger rest_watch_changes on ddl_command_end
    when tag in (
      'CREATE SCHEMA', 'ALTER SCHEMA', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
      'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE', 'CREATE VIEW', 'ALTER VIEW',
      'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW', 'CREATE FUNCTION', 'ALTER FUNCTION',
      'CREATE TRIGGER', 'CREATE TYPE', 'ALTER TYPE', 'CREATE RULE', 'CREATE POLICY', 'ALTER POLICY', 'COMMENT'
    )
    execute function rest.reload_schema_cache();
  create event trigger rest_watch_drops on sql_drop execute function rest.reload_schema_cache();
exception when insufficient_privilege then
  raise notice 'Event triggers need a superuser: after a change of tables run "notify pgrst, ''reload schema''".';
end
$$;
