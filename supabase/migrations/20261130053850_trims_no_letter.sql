create or replace FUNCTION private.tidy_texts_of(target regclass, VARIADIC columns text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- What a form trims, including no-break and zero-width spaces. PostgreSQL 15 takes \v for the letter v.
  spaces text := E' \t\n\r\f\x0b\u00a0\u1680\u2000\u2001\u2002\u2003\u2007\u2009\u200b\u202f\u3000\ufeff';
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
$function$;

-- On PostgreSQL 15 the functions that it made trim the letter v.
do $do$
declare
  made text;
begin
  for made in
    select pg_get_functiondef(p.oid) from pg_catalog.pg_proc p
    where p.pronamespace = 'private'::regnamespace and p.proname like 'tidy\_%' and position(E'\fv\u00a0' in p.prosrc) > 0
  loop
    execute replace(made, E'\fv\u00a0', E'\f\x0b\u00a0');
  end loop;
end
$do$;
