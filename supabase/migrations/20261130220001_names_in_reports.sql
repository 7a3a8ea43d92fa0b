-- What the product wrote about a person for others, and what is made of a report or an SOS, loses who is erased.
delete from private.personal_data p where (p.target, p.belongs) in (
  ('public.alerts', '$1 in (r.acknowledged_by, r.closed_by)'),
  ('public.service_calls', 'r.created_by = $1'),
  ('public.watch_handovers', '$1 in (r.signed_by, r.accepted_by)')
);
update private.personal_data p set texts = '{ticks,missing,damaged}' where p.target = 'public.handovers';
insert into private.personal_data (target, belongs, on_erasure, blanked, withheld, newest, texts, is_shared) values
  ('private.daily_reports', 'true', 'keep', '{}', NULL, '1', '{facts}', true),
  ('public.alerts', 'true', 'keep', '{}', NULL, '1', '{detail,note}', true),
  ('public.pay_runs', 'true', 'keep', '{}', NULL, '1', '{problems}', true),
  ('public.saved_views', 'true', 'keep', '{}', NULL, '1', '{name,search}', true),
  ('public.service_calls', 'r.source = ''sos'' and exists (select from public.alerts a
      where a.id = r.alert_id and a.user_id = $1)', 'blank', '{gps}', NULL, '1', '{caller_name,caller_phone,details}',
    false),
  ('public.service_calls', 'true', 'keep', '{}', NULL, '1', '{caller_name,caller_phone,details}', true),
  ('public.watch_handovers', 'true', 'keep', '{}', NULL, '1', '{remarks,facts}', true);

create or replace function private.erase_texts(e private.erasures, part private.personal_data, p_only_count boolean)
returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  sets text;
  hits text;
  alias text := e.alias;
  found bigint;
  copies text;
  has_log boolean;
  -- Of any of them: a text is looked at once, and replaced in three steps only where there is something.
  pattern text;
begin
  if part.is_shared and e.has_namesake then
    e.name_pattern := null;
  end if;
  pattern := concat_ws('|', e.name_pattern, e.email_pattern, e.number_pattern);
  if to_regclass(part.target) is null or coalesce(e.name_pattern, e.email_pattern, e.number_pattern) is null then
    return 0;
  end if;
  select
    string_agg(format('%I = (%s)::%s', c.name, c.became, c.type), ', '),
    string_agg(case when c.type ~ '^json' then format('%s is distinct from %s', c.was, c.became)
      else format('%s ~* $6', c.was) end, ' or ')
  into sets, hits
  from (
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      format(case when a.atttypid = 'json'::regtype then 'r.%I::jsonb' else 'r.%I' end, a.attname) as was,
      format(case a.atttypid when 'json'::regtype then 'private.redact_json(r.%I::jsonb, $3, $4)'
        when 'jsonb'::regtype then 'private.redact_json(r.%I, $3, $4)' else 'private.redact(r.%I, $3, $4)' end,
        a.attname) as became
    from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(part.target) and a.attname = any (part.texts) and not a.attisdropped
  ) c;
  if sets is null then
    return 0;
  end if;
  if p_only_count then
    execute format('select count(*) from %s r where (%s) and (%s)', part.target, part.belongs, hits)
      into found using e.account, e.staff_record, e, alias, part.texts, pattern;
    return found;
  end if;
  has_log := part.target ~ '^public\.' and part.target <> 'public.audit_log' and exists (
    select from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(part.target) and a.attname = 'id' and a.atttypid = 'uuid'::regtype
  );
  copies := format('with logged as materialized (
      select a.id, private.redact_json(a.old_values, $3, $4, $5) as was,
        private.redact_json(a.new_values, $3, $4, $5) as became
      from %s r join public.audit_log a on a.row_id = r.id and a.table_name = %L
      where (%s) and regexp_replace(concat(a.old_values, a.new_values), ''\\[bfnrt]'', '' '', ''g'') ~* $6
    )
    update public.audit_log a set old_values = l.was, new_values = l.became
    from logged l where l.id = a.id and (a.old_values, a.new_values) is distinct from (l.was, l.became)',
    part.target, split_part(part.target, '.', 2), part.belongs);
  set local session_replication_role = replica;
  loop
    begin
      execute format('update only %s r set %s where (%s) and (%s)', part.target, sets, part.belongs, hits)
        using e.account, e.staff_record, e, alias, part.texts, pattern;
      get diagnostics found = row_count;
      exit;
    -- The alias is longer than the name, and the column is full.
    exception when check_violation or string_data_right_truncation then
      if alias = '-' then
        raise;
      end if;
      alias := '-';
    end;
  end loop;
  if has_log then
    execute copies using e.account, e.staff_record, e, alias, part.texts, pattern;
  end if;
  set local session_replication_role = origin;
  return found;
end
$$;
