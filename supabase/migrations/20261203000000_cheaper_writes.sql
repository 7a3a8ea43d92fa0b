-- Less work for each write: of an insert of one row, a tenth was the condition of a_tidy_text, which PostgreSQL reads and
-- compiles for every statement, and a tenth was the caller's claims, which the activity log read twice, and the query that
-- named the caller. Figures: docs/measurements/data-service.md.

-- Trims the columns; an empty text becomes null. One function for each table, because its plans stay in the session.
create or replace function private.tidy_texts_of(target regclass, variadic columns text[]) returns void
language plpgsql set search_path = '' as $$
declare
  -- What a form trims, including no-break and zero-width spaces.
  spaces text := E' \t\n\r\f\v\u00a0\u1680\u2000\u2001\u2002\u2003\u2007\u2009\u200b\u202f\u3000\ufeff';
  tidy text := 'tidy_' || (select c.relname from pg_catalog.pg_class c where c.oid = target);
begin
  execute format(
    E'create or replace function private.%I() returns trigger language plpgsql set search_path = \'\' as %L', tidy,
    E'begin\n' || (
      select string_agg(format(
        E'  if new.%1$I = \'\' or new.%1$I <> btrim(new.%1$I, %2$L) then\n'
          '    new.%1$I := nullif(btrim(new.%1$I, %2$L), \'\');\n  end if;\n',
        name, spaces
      ), '')
      from unnest(columns) name
    ) || E'  return new;\nend'
  );
  execute format('revoke all on function private.%I() from public', tidy);
  -- Replacing doesn't block readers, as dropping would.
  execute format(
    'create or replace trigger a_tidy_text before insert or update on %s for each row execute function private.%I()',
    target, tidy
  );
end
$$;

-- The first argument of the triggers before is the characters to trim, the others are the columns.
do $$
declare
  tidied record;
begin
  for tidied in
    select t.tgrelid::regclass as target,
      (string_to_array(encode(t.tgargs, 'escape'), '\000'))[2 : t.tgnargs] as columns
    from pg_trigger t
    where t.tgfoid = 'private.tidy_text()'::regprocedure
  loop
    perform private.tidy_texts_of(tidied.target, variadic tidied.columns);
  end loop;
end
$$;
drop function private.tidy_text();

-- Reads the claims once, and the profile only for users without an e-mail address. An update converts each row once.
create or replace function private.record_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  who uuid := claims ->> 'sub';
  whose_email text := nullif(claims ->> 'email', '');
begin
  if whose_email is null and who is not null then
    select coalesce(p.email, p.phone) into whose_email from public.profiles p where p.id = who;
  end if;
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
    select who, whose_email, 'update', tg_table_name, version.id, changed.was, changed.became
    from (
      select n.id, private.without_secrets(to_jsonb(o)) as was, private.without_secrets(to_jsonb(n)) as became
      from new_rows n
      join old_rows o on o.id = n.id
      -- Without this, PostgreSQL converts both rows again for each of their columns.
      offset 0
    ) version
    cross join lateral (
      select jsonb_object_agg(field.key, version.was -> field.key) as was,
        jsonb_object_agg(field.key, field.value) as became
      from jsonb_each(version.became) field
      where field.value is distinct from version.was -> field.key
    ) changed
    where changed.became is not null;
  end if;
  return null;
end
$$;

-- As before, with the caller's id read once.
create or replace function private.stamp_author() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  me uuid;
  deleted jsonb;
  generated_columns text[];
begin
  if tg_op = 'UPDATE' then
    -- Deleting an account sets created_by of its rows to null.
    if new.created_by is not null then
      new.created_by := old.created_by;
    end if;
    return new;
  end if;
  me := auth.uid();
  if me is null or new.created_by = me then
    return new;
  end if;
  select l.old_values into deleted
  from (
    select h.actor_id, h.old_values from public.audit_log h
    where h.table_name = tg_table_name and h.row_id = new.id and h.action = 'delete'
    order by h.at desc limit 1
  ) l
  where l.actor_id = me;
  -- Generated columns are not computed yet.
  generated_columns := array(
    select c.attname from pg_catalog.pg_attribute c where c.attrelid = tg_relid and c.attgenerated <> ''
  );
  if deleted is null
    or to_jsonb(jsonb_populate_record(new, deleted)) - generated_columns <> to_jsonb(new) - generated_columns
  then
    new.created_by := me;
  end if;
  return new;
end
$$;
