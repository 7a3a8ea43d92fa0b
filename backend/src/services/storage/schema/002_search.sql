-- Both functions run with the caller's rights. They use ranges of names instead of patterns, because only leakproof
-- operators can use an index under row-level security.
set local role supabase_storage_admin;

-- Lists one level below `prefix` (empty, or ending in a slash), with names relative to it; folders come first and have no
-- id. `levels` is unused; it is part of the signature in a Supabase project.
create function storage.search(
  prefix text, bucketname text, limits int default 100, levels int default 1, offsets int default 0,
  search text default '', sortcolumn text default 'name', sortorder text default 'asc'
) returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
language plpgsql stable set search_path = '' as $$
declare
  direction text := case when lower(sortorder) = 'desc' then 'desc' else 'asc' end;
  chosen text := case when sortcolumn in ('updated_at', 'created_at', 'last_accessed_at') then sortcolumn else 'name' end;
begin
  return query execute format(
    $query$
      with found as (
        select substr(o.name, length($1) + 1) as rest, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
        from storage.objects o
        where o.bucket_id = $2 and o.name >= $1 collate "C" and o.name < $1 || chr(1114111) collate "C"
      ),
      entries as (
        select distinct split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
          null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
        from found where strpos(rest, '/') > 0
        union all
        select rest, f.id, f.updated_at, f.created_at, f.last_accessed_at, f.metadata
        from found f where rest <> '' and strpos(rest, '/') = 0
      )
      select e.* from entries e
      where starts_with(lower(e.name), lower($3))
      order by e.id is not null, e.%1$I %2$s, e.name collate "C" %2$s
      limit $4 offset $5
    $query$, chosen, direction)
    using prefix, bucketname, search, limits, offsets;
end
$$;

-- Keyset pagination: the page starts after the entry (`sort_column_after`, `start_after`). With `delimited`, deeper objects
-- are grouped into folders, whose names end in a slash. Folders have no timestamps and come first.
create function storage.search_v2(
  prefix text, bucket_name text, limits int default 100, levels int default 1, start_after text default '',
  sort_order text default 'asc', sort_column text default 'name', sort_column_after text default '',
  delimited boolean default true
) returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz,
  metadata jsonb, sorted_by text
)
language plpgsql stable set search_path = '' as $$
declare
  goes_down boolean := lower(sort_order) = 'desc';
  by_name boolean := coalesce(sort_column, 'name') not in ('updated_at', 'created_at');
begin
  return query execute format(
    $query$
      with found as (
        select o.*, substr(o.name, length($1) + 1) as rest
        from storage.objects o
        where o.bucket_id = $2 and o.name >= $1 collate "C" and o.name < $1 || chr(1114111) collate "C" and %1$s
      ),
      entries as (
        select distinct $1 || split_part(rest, '/', 1) || '/' as name, null::uuid as id,
          null::timestamptz as updated_at, null::timestamptz as created_at, null::timestamptz as last_accessed_at,
          null::jsonb as metadata, '' as sorted_by
        from found where $6 and strpos(rest, '/') > 0
        union all
        select f.name, f.id, f.updated_at, f.created_at, f.last_accessed_at, f.metadata, %2$s
        from found f where not $6 or strpos(rest, '/') = 0
      )
      select case when $6 then substring(e.name from '([^/]*)/?$') else e.name end, e.name, e.id, e.updated_at,
        e.created_at, e.last_accessed_at, e.metadata, e.sorted_by
      from entries e
      where $4 = '' or (e.sorted_by collate "C", e.name collate "C") %3$s ($5 collate "C", $4 collate "C")
      order by e.sorted_by collate "C" %4$s, e.name collate "C" %4$s
      limit $3
    $query$,
    -- Skips earlier rows. Not in descending order, because the next entry may be the folder of the last object.
    case when by_name and not goes_down then 'o.name > $4 collate "C"' else 'true' end,
    case when by_name then quote_literal('')
      else format($time$to_char(f.%I at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US')$time$, sort_column) end,
    case when goes_down then '<' else '>' end,
    case when goes_down then 'desc' else 'asc' end)
    using prefix, bucket_name, limits, start_after, sort_column_after, delimited;
end
$$;

grant execute on all functions in schema storage to anon, authenticated, service_role;
revoke all on function storage.note_blob() from anon, authenticated, service_role;

reset role;
