-- Tells the data service that tables, views or functions changed, so that it reads them anew.
create function rest.tell_of_change() returns event_trigger
language plpgsql
as $$
begin
  if tg_event = 'sql_drop' and not exists (select from pg_event_trigger_dropped_objects() where not is_temporary) then
    return;
  end if;
  notify pgrst, 'reload schema';
end
$$;

-- Only a superuser may create event triggers. Without them `notify pgrst` after a change does the same;
-- migrations of the start are read anyway, since the service starts after them.
do $$
begin
  create event trigger rest_watch_changes on ddl_command_end
    when tag in (
      'CREATE SCHEMA', 'ALTER SCHEMA', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
      'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE', 'CREATE VIEW', 'ALTER VIEW',
      'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW', 'CREATE FUNCTION', 'ALTER FUNCTION',
      'CREATE TRIGGER', 'CREATE TYPE', 'ALTER TYPE', 'CREATE RULE', 'CREATE POLICY', 'ALTER POLICY', 'COMMENT'
    )
    execute function rest.tell_of_change();
  create event trigger rest_watch_drops on sql_drop execute function rest.tell_of_change();
exception when insufficient_privilege then
  raise notice 'Event triggers need a superuser: after a change of tables run "notify pgrst, ''reload schema''".';
end
$$;
