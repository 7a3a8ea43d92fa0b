create or replace FUNCTION private.require_deletable(p_table text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if not private.is_deletable(p_table) then
    raise exception 'Rows of this kind can''t be deleted together.' using errcode = 'invalid_parameter_value';
  end if;
end
$function$;

-- In two statements, because entries that exist have no cause.
alter table public.audit_log add column cause bigint;
alter table public.audit_log alter column cause set default ((pg_current_xact_id())::text)::bigint;

CREATE OR REPLACE FUNCTION private.is_deletable(p_table text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN COALESCE((p_table = ANY (ARRAY['bank_accounts'::text, 'certifications'::text, 'deployments'::text, 'expense_reports'::text, 'financial_statements'::text, 'loans'::text, 'payroll'::text, 'shifts'::text, 'user_roles'::text])), false);

CREATE OR REPLACE FUNCTION public.undo_entry(p_entry uuid)
 RETURNS text[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  entry public.audit_log;
  undone jsonb;
  left_out text[] := '{}';
begin
  select * into entry from public.audit_log a where a.id = p_entry;
  select jsonb_agg(private.undo_of(e) order by e.row_id) filter (where private.undo_of(e) is not null) into undone
  from private.entries_like(entry) e;
  if undone is null then
    raise exception 'This can''t be undone: it has changed since.' using errcode = 'PT409';
  end if;
  if entry.action = 'delete' then
    select r.left_out into left_out from public.restore_records(entry.table_name, undone) r;
  else
    perform public.restore_values(entry.table_name, undone);
  end if;
  return left_out;
end
$function$;

CREATE OR REPLACE FUNCTION private.undo_of(entry public.audit_log)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  columns constant text[] := private.columns_of_many(entry.table_name);
  current jsonb;
  was jsonb;
  became jsonb;
begin
  if entry.action = 'insert'
    or entry.action = 'update' and columns is null
    or entry.action = 'delete' and not private.is_deletable(entry.table_name)
  then
    return null;
  end if;
  execute format('select to_jsonb(t) from public.%I t where t.id = $1', entry.table_name)
    into current using entry.row_id;
  if entry.action = 'delete' then
    return case when current is null then entry.old_values || jsonb_build_object('assignments', (
      select coalesce(jsonb_agg(a.old_values), '[]') from public.audit_log a
      where entry.table_name = 'shifts' and a.cause = entry.cause and a.table_name = 'assignments'
        and a.action = 'delete' and a.old_values ->> 'shift_id' = entry.row_id::text
        and a.at between entry.at - interval '10 minutes' and entry.at + interval '10 minutes'
    )) end;
  end if;
  select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, entry.new_values -> o.key) into was, became
  from jsonb_each(entry.old_values) o where o.key = any (columns);
  return case when current @> became
    then jsonb_build_object('id', entry.row_id, 'was', was, 'seen', current -> 'updated_at') end;
end
$function$;

CREATE OR REPLACE FUNCTION private.entries_like(entry public.audit_log)
 RETURNS SETOF public.audit_log
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select a.* from public.audit_log a
  where a.at between entry.at - interval '10 minutes' and entry.at + interval '10 minutes'
    and (a.id = entry.id or a.cause = entry.cause)
    and a.table_name = entry.table_name and a.action = entry.action
    and array(select jsonb_object_keys(a.new_values) order by 1)
      = array(select jsonb_object_keys(entry.new_values) order by 1)
  order by a.id limit 500;
$function$;

CREATE OR REPLACE FUNCTION public.undoable(entry public.audit_log)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT (count(*))::integer AS count FROM private.entries_like(undoable.entry) e(id, at, actor_id, actor_email, action, table_name, row_id, old_values, new_values, cause) WHERE (private.undo_of(e.*) IS NOT NULL));

CREATE OR REPLACE FUNCTION public.entry_subjects(p_ids uuid[])
 RETURNS TABLE(id uuid, actor text, person text, site text, client text, starts_at timestamp with time zone, timezone text, name text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  current jsonb := '{}';
  found jsonb;
  kind text;
begin
  perform private.require_many(p_ids);
  for kind in
    select distinct a.table_name from public.audit_log a
    where a.id = any (p_ids) and a.action = 'update' and to_regclass('public.' || a.table_name) is not null
  loop
    execute format(
      'select coalesce(jsonb_object_agg(t.id, to_jsonb(t)), ''{}'') from public.%I t where t.id = any (
        select a.row_id from public.audit_log a where a.id = any ($1) and a.table_name = $2
      )', kind
    ) into found using p_ids, kind;
    current := current || found;
  end loop;
  return query
  select e.id, coalesce(nullif(w.full_name, ''), w.email, e.actor_email),
    coalesce(nullif(p.full_name, ''), p.email, s.full_name), t.name, c.name,
    coalesce(h.start_time, (e.facts ->> 'start_time')::timestamptz, (e.facts ->> 'clock_in_at')::timestamptz),
    t.timezone,
    coalesce(e.facts ->> 'title', e.facts ->> 'full_name', e.facts ->> 'name', e.facts ->> 'guard_name',
      e.facts ->> 'account_title', e.facts ->> 'number')
  from (
    select a.id, a.actor_id, a.actor_email,
      coalesce(current -> a.row_id::text, gone.old_values, '{}') || coalesce(a.new_values, '{}')
        || coalesce(a.old_values, '{}') as facts
    from public.audit_log a
    left join lateral (
      select d.old_values from public.audit_log d
      where a.action = 'update' and d.row_id = a.row_id and d.action = 'delete' order by d.at desc limit 1
    ) gone on true
    where a.id = any (p_ids)
  ) e
  left join public.profiles w on w.id = e.actor_id
  left join public.profiles p on p.id = (e.facts ->> 'user_id')::uuid
  left join public.staff s on s.id = (e.facts ->> 'staff_id')::uuid
  left join public.shifts h on h.id = (e.facts ->> 'shift_id')::uuid
  left join public.sites t on t.id = coalesce((e.facts ->> 'site_id')::uuid, h.site_id)
  left join public.clients c on c.id = (e.facts ->> 'client_id')::uuid;
end
$function$;

grant execute on function private.is_deletable(text) to authenticated;

grant execute on function public.undo_entry(uuid) to authenticated;

grant execute on function private.undo_of(public.audit_log) to authenticated;

grant execute on function private.entries_like(public.audit_log) to authenticated;

grant execute on function public.undoable(public.audit_log) to authenticated;

grant execute on function public.entry_subjects(uuid[]) to authenticated;

comment on function public.entry_subjects(uuid[]) is 'Nullable: actor, person, site, client, starts_at, timezone, name';
