-- Checks for many callers in one round trip which of some changed rows each may read now.
-- Switches to one caller after the other, as for a request: only `authenticator`, which has no privileges of its own, may
-- call it, and both settings end with its transaction. Not a security definer, because those can't change the role.
--   question: a query that returns one text, as a template for format(); keys are its parameters
--   roles, claims: one caller each, sorted by role
-- Returns the snapshot before the first check; for each distinct role its rights on the table ({"role", "columns",
-- "secured", "active"}: whether row-level security is enabled, and applies to the role); and for each caller the result of
-- the query, `*` if no policy restricts the role, or the SQLSTATE of an error.
create function realtime.visible_to(
  relation oid, question text, keys text[], roles text[], claims text[],
  out snapshot text, out rights json, out answers text[]
)
language plpgsql
as $$
declare
  caller record;
  known jsonb[] := '{}';
  current text;
  is_active boolean;
  is_prepared boolean := false;
  answer text;
begin
  snapshot := pg_current_snapshot();
  answers := array_fill(null::text, array[cardinality(roles)]);
  -- A query that hit its timeout leaves its prepared statement behind.
  if exists (select from pg_prepared_statements where name = 'realtime_question') then
    deallocate realtime_question;
  end if;
  -- Not by array subscripts, which are linear for variable-length elements.
  for caller in select * from unnest(roles, claims) with ordinality as c (role, claims, at) loop
    begin
      perform set_config('role', caller.role, true), set_config('request.jwt.claims', caller.claims, true);
      if current is distinct from caller.role then
        is_active := row_security_active(relation);
        known := known || (
          select jsonb_build_object(
            'role', caller.role, 'secured', c.relrowsecurity, 'active', is_active,
            'columns', array(
              select a.attname from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                and has_schema_privilege(c.relnamespace, 'USAGE') and has_column_privilege(c.oid, a.attnum, 'SELECT')
              order by a.attnum
            )
          ) from pg_class c where c.oid = relation
        );
        current := caller.role;
      end if;
      if not is_active then
        answers[caller.at] := '*';
        continue;
      end if;
      if not is_prepared then
        execute 'prepare realtime_question as ' || format(question, variadic keys);
        is_prepared := true;
      end if;
      execute 'execute realtime_question' into answer;
      answers[caller.at] := answer;
    exception
      when others then
        answers[caller.at] := sqlstate;
    end;
  end loop;
  if is_prepared then
    deallocate realtime_question;
  end if;
  rights := to_json(known);
end
$$;

revoke execute on function realtime.visible_to(oid, text, text[], text[], text[]) from public;
grant execute on function realtime.visible_to(oid, text, text[], text[], text[]) to authenticator;
grant usage on schema realtime to authenticator;
