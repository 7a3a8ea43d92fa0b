-- A column that can't be null is blanked with an empty text: the reason of a leave request.
create function private.blanking(target text, columns text[]) returns text
language sql stable set search_path = '' as $$
  select string_agg(format(case when a.attnotnull then '%I = ''''' else '%I = null' end, a.attname), ', ')
  from pg_catalog.pg_attribute a where a.attrelid = to_regclass(target) and a.attname = any (columns);
$$;

-- Ends up to p_limit records of a part. Blanking skips triggers: no hours are computed again, a locked period stays locked,
-- and no copy of the blanked value enters the activity log.
-- @returns how many records ended
create or replace function private.end_records(part private.retention_parts, p_cutoff timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  keys text[];
  key_type text;
  source text := split_part(part.target, '.', 2);
begin
  if part.kind is null or p_cutoff is null or p_limit is null or to_regclass(part.target) is null then
    return 0;
  end if;
  select format_type(a.atttypid, null) into key_type from pg_catalog.pg_attribute a
  where a.attrelid = to_regclass(part.target) and a.attname = part.key;
  execute format(
    'select array(select r.%I::text from %s r where %s order by %s limit $2 for update of r skip locked)',
    part.key, part.target, part.due, part.age
  ) into keys using p_cutoff, p_limit;
  if cardinality(keys) = 0 then
    return 0;
  end if;
  if part.stripped is not null then
    set local session_replication_role = replica;
    update public.audit_log a
    set old_values = a.old_values - part.stripped, new_values = a.new_values - part.stripped
    where a.id = any (keys::uuid[]);
  elsif part.blanked is not null then
    set local session_replication_role = replica;
    execute format('update %s r set %s where r.%I = any ($1::%s[])', part.target,
      private.blanking(part.target, part.blanked), part.key, key_type) using keys;
    update public.audit_log a
    set old_values = a.old_values - part.blanked, new_values = a.new_values - part.blanked
    where a.row_id = any (case when key_type = 'uuid' then keys::uuid[] end) and a.table_name = source;
  else
    -- A hosted project asks for this before files are deleted with SQL.
    perform set_config('storage.allow_delete_query', 'true', true);
    if part.is_quiet then
      set local session_replication_role = replica;
    end if;
    execute format('delete from %s r where r.%I = any ($1::%s[])', part.target, part.key, key_type) using keys;
    set local session_replication_role = replica;
    -- Who did what and when stays, without the content.
    update public.audit_log a set
      old_values = case when a.old_values is not null then '{}'::jsonb end,
      new_values = case when a.new_values is not null then '{}'::jsonb end
    where a.row_id = any (case when key_type = 'uuid' then keys::uuid[] end) and a.table_name = source
      and part.target <> 'public.audit_log';
  end if;
  set local session_replication_role = origin;
  return cardinality(keys);
end
$$;

drop index public.leave_requests_reasons_idx;
create index leave_requests_reasons_idx on public.leave_requests (end_date)
  where coalesce(nullif(reason, ''), decision_note) is not null;
update private.retention_parts p
set due = replace(p.due, 'coalesce(r.reason, r.decision_note)', 'coalesce(nullif(r.reason, ''''), r.decision_note)')
where p.kind = 'leave_reasons';

revoke all on all functions in schema private from public;
