-- Ground for every table: a schema the API never shows, the company's settings, and triggers all tables share.
create extension if not exists btree_gist with schema extensions;

create schema private;
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

-- What a table or function may be used for is granted by name, never by default.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

-- One row, written by the server when it starts.
create table private.settings (
  only_row boolean primary key default true check (only_row),
  signup_policy text not null default 'open' check (signup_policy in ('open', 'approval', 'closed')),
  -- IANA zone in which a business day begins and ends.
  time_zone text not null default 'Africa/Monrovia'
);
insert into private.settings default values;

-- Today in the company's zone, never the server's. Definer, because nobody reads the settings directly.
create function private.company_date() returns date
language sql stable security definer set search_path = '' as $$
  select (now() at time zone s.time_zone)::date from private.settings s;
$$;

-- Trims the texts named as arguments, after the characters to trim; an empty one becomes null.
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

-- Has these columns tidied. The condition spares every row that is tidy already the call.
create function private.tidy_texts_of(target regclass, variadic columns text[]) returns void
language plpgsql set search_path = '' as $$
declare
  -- What a form trims, no-break and zero-width spaces included.
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

-- A row keeps its id and its time of creation, and remembers its last change.
create function private.touch() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.updated_at := now();
  return new;
end
$$;

-- A signed-in person is the author of what they insert, whatever was sent; an update keeps the author.
create function private.stamp_author() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    -- A deleted account leaves its rows behind without an author.
    if new.created_by is not null then
      new.created_by := old.created_by;
    end if;
  elsif auth.uid() is not null then
    new.created_by := auth.uid();
  end if;
  return new;
end
$$;

-- Arguments: table, column, message. A plain sentence where the foreign key alone would name a constraint.
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

revoke all on all functions in schema private from public;
-- A column's default runs with the rights of whoever inserts the row.
grant execute on function private.company_date() to authenticated, service_role;
