-- Shared by every table: a schema that the API does not expose, the company's settings, and common triggers.
create extension if not exists btree_gist with schema extensions;

create schema private;
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

-- Nothing is granted by default: each file grants what its tables and functions need.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

-- One row; the server writes its configuration here at start.
create table private.settings (
  only_row boolean primary key default true check (only_row),
  signup_policy text not null default 'open' check (signup_policy in ('open', 'approval', 'closed')),
  -- IANA zone in which a business day begins and ends.
  time_zone text not null default 'Africa/Monrovia',
  -- Enquiries accepted from one network in an hour.
  enquiries_per_hour integer not null default 20 check (enquiries_per_hour > 0)
);
insert into private.settings default values;

-- Trims the columns named after the first argument, which lists the characters to trim. An empty text becomes null.
create function private.tidy_text() returns trigger
language plpgsql set search_path = '' as $$
declare
  row_values jsonb := to_jsonb(new);
  tidied jsonb := '{}';
begin
  for i in 1 .. tg_nargs - 1 loop
    tidied := tidied
      || jsonb_build_object(tg_argv[i], nullif(btrim(row_values ->> tg_argv[i], tg_argv[0]), ''));
  end loop;
  new := jsonb_populate_record(new, tidied);
  return new;
end
$$;

-- Adds the tidy_text trigger to a table. Its condition skips the call for rows that are already tidy.
create function private.tidy_texts_of(target regclass, variadic columns text[]) returns void
language plpgsql set search_path = '' as $$
declare
  -- What a form trims, including no-break and zero-width spaces.
  spaces text := E' \t\n\r\f\v\u00a0\u1680\u2000\u2001\u2002\u2003\u2007\u2009\u200b\u202f\u3000\ufeff';
begin
  execute (
    select format(
      'create trigger a_tidy_text before insert or update on %s for each row when (%s)
        execute function private.tidy_text(%L, %s)',
      target,
      string_agg(format('new.%1$I = %2$L or new.%1$I <> btrim(new.%1$I, %3$L)', name, '', spaces), ' or '),
      spaces,
      string_agg(quote_literal(name), ', ')
    )
    from unnest(columns) name
  );
end
$$;

-- Keeps id and created_at, and sets updated_at.
create function private.touch() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.updated_at := now();
  return new;
end
$$;

-- Sets created_by to the caller on insert and keeps it on update. The one exception restores a row: when the caller
-- inserts exactly the row that they deleted last, it keeps its first author. Any other value makes it a new row, so
-- no caller can sign as someone else. Definer, because only admins read the log.
create function private.stamp_author() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
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
  if auth.uid() is null or new.created_by = auth.uid() then
    return new;
  end if;
  select l.old_values into deleted
  from (
    select h.actor_id, h.old_values from public.audit_log h
    where h.table_name = tg_table_name and h.row_id = new.id and h.action = 'delete'
    order by h.at desc limit 1
  ) l
  where l.actor_id = auth.uid();
  -- Generated columns are not computed yet.
  generated_columns := array(
    select c.attname from pg_catalog.pg_attribute c where c.attrelid = tg_relid and c.attgenerated <> ''
  );
  if deleted is null
    or to_jsonb(jsonb_populate_record(new, deleted)) - generated_columns <> to_jsonb(new) - generated_columns
  then
    new.created_by := auth.uid();
  end if;
  return new;
end
$$;

-- Refuses to delete a row that another table still refers to. Arguments: table, column, message. The foreign key alone
-- would refuse too, but its message names a constraint.
create function private.refuse_while_used() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_used boolean;
begin
  execute format('select exists (select from public.%I where %I = $1)', tg_argv[0], tg_argv[1])
    into is_used using old.id;
  if is_used then
    raise exception '%', tg_argv[2] using errcode = 'foreign_key_violation';
  end if;
  return old;
end
$$;

-- Tells the generated types which columns of a view are never null, which PostgreSQL can't infer.
create function private.mark_never_null(view regclass, variadic columns text[]) returns void
language plpgsql set search_path = '' as $$
declare
  name text;
begin
  foreach name in array columns loop
    execute format('comment on column %s.%I is %L', view, name, 'Never null');
  end loop;
end
$$;

revoke all on all functions in schema private from public;
