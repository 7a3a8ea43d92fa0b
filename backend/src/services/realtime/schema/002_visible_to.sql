-- One question for many callers: which of some changed rows may each of them read now? Asked by the change feed for
-- all its subscribers at once, because a round trip for each would be most of the cost.

-- The function becomes one caller after the other, as the door does for a request: only `authenticator`, which has no
-- right of its own, may call it, and both settings end with its transaction. It is no security definer: the role could
-- not be changed in one.
--   question: a query for one text, a template for format(); keys are its values
--   roles, claims: a caller each; equal roles should stand together
-- Returns the snapshot before the first look, for each distinct role what it may read of the table at all
-- ({"role", "columns", "secured", "active"}: row-level security is enabled, and holds for the role), and for each caller
-- what the question answered, `*` where no policy limits the role, or an SQLSTATE where the database refused.
create function realtime.visible_to(
  relation oid, question text, keys text[], roles text[], claims text[],
  out snapshot text, out rights json, out answers text[]
)
language plpgsql
as $$
declare
  caller record;
  known jsonb[] := '{}';
  present text;
  is_active boolean;
  is_prepared boolean := false;
  answer text;
begin
  snapshot := pg_current_snapshot();
  answers := array_fill(null::text, array[cardinality(roles)]);
  -- A question that was cut off by its time limit leaves its statement behind.
  if exists (select from pg_prepared_statements where name = 'realtime_question') then
    deallocate realtime_question;
  end if;
  -- Not by subscripts: each would walk through all claims before it.
  for caller in select * from unnest(roles, claims) with ordinality as c (role, claims, at) loop
    begin
      perform set_config('role', caller.role, true), set_config('request.jwt.claims', caller.claims, true);
      if present is distinct from caller.role then
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
        present := caller.role;
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
