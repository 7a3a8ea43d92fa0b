-- The second part of an erasure: name, addresses and numbers are replaced in every text and JSON column of the database.
-- The books stay as they are: no number, date or key changes, and no trigger runs.

create function private.redact(written text, e private.erasures, is_linked boolean, p_alias text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  result text := written;
begin
  if e.email_pattern is not null then
    result := regexp_replace(result, e.email_pattern, e.alias_email, 'gi');
  end if;
  if e.number_pattern is not null then
    result := regexp_replace(result, e.number_pattern, 'erased', 'gi');
  end if;
  if e.name_pattern is not null and is_linked then
    result := regexp_replace(result, e.name_pattern, p_alias, 'gi');
  end if;
  return result;
end
$$;

-- Columns of the names and addresses that people are reached and found by: those of others must never change.
create function private.is_identity_column(p_table text, p_column text) returns boolean
language sql immutable set search_path = ''
return coalesce(p_table = 'auth.identities'
  or p_table in ('public.profiles', 'public.staff', 'public.client_contacts', 'auth.users')
    and p_column in ('full_name', 'email', 'phone', 'raw_user_meta_data', 'raw_app_meta_data', 'encrypted_password')
  or p_table || '.' || p_column in ('public.clients.report_email', 'public.contracts.bill_to_email'), false);

-- Replaces in the pages [p_from, p_from + p_pages) of a table.
create function private.erase_texts(e private.erasures, p_table text, p_from bigint, p_pages integer) returns void
language plpgsql security definer set search_path = '' as $$
declare
  sets text;
  hits text;
  -- Without the checks of what is around a match, which make a search ten times slower.
  wanted text := regexp_replace(concat_ws('|', e.email_pattern, e.number_pattern, e.name_pattern),
    '\(\?<?!\[[^)]*\)', '', 'g');
  statement text;
begin
  if wanted = '' then
    return;
  end if;
  select
    string_agg(format('%1$I = private.redact(r.%1$I::text, $1, $2 is null or r::text ~* $2, $3)::%2$s', c.name, c.type), ', '),
    string_agg(format('r.%I::text ~* $4', c.name), ' or ')
  into sets, hits
  from (
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(p_table) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text[]'::regtype)
      and not private.is_identity_column(p_table, a.attname)
  ) c;
  if sets is null then
    return;
  end if;
  statement := format('update only %s r set %s where r.ctid >= %L::tid and r.ctid < %L::tid and (%s)', p_table, sets,
    format('(%s,0)', p_from), format('(%s,0)', p_from + p_pages), hits);
  set local session_replication_role = replica;
  begin
    execute statement using e, e.linked, e.alias, wanted;
  exception when check_violation or string_data_right_truncation then
    -- The alias is longer than the name, and the column is full.
    execute statement using e, e.linked, '-', wanted;
  end;
  set local session_replication_role = origin;
end
$$;

-- A job of the servers: goes on with the first erasure for about half a second.
create function private.continue_erasures() returns void
language plpgsql security definer set search_path = '' as $$
declare
  pages constant integer := 500;
  until constant timestamptz := clock_timestamp() + interval '500 milliseconds';
  e private.erasures;
  relation text;
begin
  select * into e from private.erasures x where x.finished_at is null order by x.number limit 1 for update skip locked;
  if not found then
    return;
  end if;
  while e.finished_at is null and clock_timestamp() < until loop
    select min(t.name) into relation from (
      select format('%I.%I', n.nspname, c.relname) as name
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'private', 'auth', 'storage', 'realtime') and c.relkind = 'r'
        and c.oid <> 'private.erasures'::regclass
    ) t
    where case when e.at_page > 0 then t.name >= e.at_table else t.name > e.at_table end;
    if relation is null and e.pass < 2 then
      e.pass := e.pass + 1;
      e.at_table := '';
      continue;
    elsif relation is null then
      e.finished_at := clock_timestamp();
      exit;
    end if;
    if relation <> e.at_table then
      e.at_page := 0;
    end if;
    begin
      perform private.erase_texts(e, relation, e.at_page, pages);
    -- Some services own their tables.
    exception when insufficient_privilege then
      e.skipped := array_append(array_remove(e.skipped, relation), relation);
    end;
    e.at_table := relation;
    e.at_page := case
      when (e.at_page + pages) * current_setting('block_size')::bigint < pg_relation_size(to_regclass(relation))
      then e.at_page + pages else 0 end;
  end loop;
  update private.erasures x set
    pass = e.pass, at_table = e.at_table, at_page = e.at_page, skipped = e.skipped, finished_at = e.finished_at,
    name_pattern = case when e.finished_at is null then e.name_pattern end,
    email_pattern = case when e.finished_at is null then e.email_pattern end,
    number_pattern = case when e.finished_at is null then e.number_pattern end
  where x.id = e.id;
end
$$;

revoke all on all functions in schema private from public;
