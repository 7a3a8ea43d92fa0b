-- An erasure replaces name, addresses and numbers only in listed columns of records that are linked to the person.
-- Issued invoices and letters, payslips, files sent to banks, names of clients and sites and the product's own
-- configuration are in no list.

alter table private.personal_data
  -- Columns with free text, in which the person is replaced when they are erased.
  add column texts text[] not null default '{}',
  -- The person is not the subject, for example they wrote it: a name that others have as well stays.
  add column is_shared boolean not null default false;

update private.personal_data p set texts = t.texts
from (values
  ('public.assignments', '{override_reason,declined_reason,no_show_reason}'::text[]),
  ('public.attendance', '{clock_in_reason,clock_out_reason,resolution,correction_reason}'),
  ('public.clock_events', '{reason}'),
  ('public.clock_exceptions', '{reason,detail}'),
  ('public.incidents', '{title,description,notes,caller}'),
  ('public.report_notes', '{note}'),
  ('public.handover_notes', '{note}'),
  ('public.handovers', '{ticks,missing}'),
  ('public.alerts', '{detail,note}'),
  ('public.deployments', '{notes}'),
  ('public.timesheets', '{note}'),
  ('public.timesheet_days', '{explanations}'),
  ('public.time_decisions', '{note}'),
  ('public.timesheet_disputes', '{note,answer}'),
  ('public.client_requests', '{body,answer}'),
  ('public.roster_changes', '{override_reason}'),
  ('public.billed_time', '{waived_reason}'),
  ('public.staff_ledger', '{note}'),
  ('public.payroll', '{notes,return_reason}'),
  ('public.payments', '{failure,reference}'),
  ('public.pay_adjustments', '{explanation,note,details}'),
  ('private.time_to_compute', '{error}'),
  ('auth.audit_log_entries', '{payload}')
) t (target, texts)
where p.target = t.target;

insert into private.personal_data (target, belongs, on_erasure, withheld, texts, is_shared) values
  ('public.shifts', 'exists (select from public.assignments a where a.shift_id = r.id and a.user_id = $1)', 'keep', null,
    '{notes}', true),
  ('public.incidents', '$1 in (r.owner_id, r.entered_by)', 'keep', null, '{title,description,notes,caller}', true),
  -- The internal notes sent with updates of incidents.
  ('public.incident_notes', 'exists (select from public.incidents i
      where i.id = r.incident_id and $1 in (i.raised_by_user_id, i.owner_id, i.entered_by))
      or exists (select from public.incident_updates u where u.id = r.id and u.created_by = $1)',
    'keep', null, '{note}', true),
  ('public.report_notes', 'exists (select from public.incidents i where i.id = r.incident_id and i.raised_by_user_id = $1)',
    'keep', null, '{note}', true),
  ('public.incident_reviews', 'r.reviewed_by = $1
      or exists (select from public.incidents i where i.id = r.incident_id and i.raised_by_user_id = $1)',
    'keep', null, '{note}', true),
  ('public.alerts', '$1 in (r.acknowledged_by, r.closed_by)', 'keep', null, '{detail,note}', true),
  ('public.room_notes', 'r.created_by = $1', 'keep', null, '{body}', true),
  ('public.deployments', 'r.created_by = $1', 'keep', null, '{notes}', true),
  ('public.clock_exceptions', 'r.closed_by = $1', 'keep', null, '{reason,detail}', true),
  ('public.leave_requests', '$1 in (r.decided_by, r.entered_by)', 'keep', null, '{reason,decision_note}', true),
  ('public.offers', '$1 in (r.asked_by, r.decided_by, r.partner_id)', 'keep', null, '{note,decision_note}', true),
  ('public.replacement_calls', 'r.created_by = $1', 'keep', null, '{note}', true),
  ('public.time_decisions', 'r.decided_by = $1', 'keep', null, '{note}', true),
  ('public.timesheet_disputes', 'r.answered_by = $1', 'keep', null, '{answer}', true),
  ('public.client_requests', 'r.answered_by = $1', 'keep', null, '{answer}', true),
  ('public.inbound_messages', 'r.handled_by = $1', 'keep', null, '{outcome,reply}', true),
  ('public.audit_log', 'r.actor_id = $1', 'keep', null, '{actor_email}', true),
  ('auth.audit_log_entries', 'r.payload -> ''traits'' ->> ''user_id'' = $1::text', 'keep', null, '{payload}', false);

create or replace function private.redact(written text, e private.erasures, p_alias text) returns text
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
  if e.name_pattern is not null then
    result := regexp_replace(result, e.name_pattern, p_alias, 'gi');
  end if;
  return result;
end
$$;

-- In strings alone, never in keys or figures. With p_keys, of an object's fields only in these.
create function private.redact_json(written jsonb, e private.erasures, p_alias text, p_keys text[] default null) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  case jsonb_typeof(written)
    when 'string' then return to_jsonb(private.redact(written #>> '{}', e, p_alias));
    when 'array' then return (
      select coalesce(jsonb_agg(private.redact_json(a.value, e, p_alias) order by a.ordinality), '[]')
      from jsonb_array_elements(written) with ordinality a
    );
    when 'object' then return (
      select coalesce(jsonb_object_agg(f.key,
        case when p_keys is null or f.key = any (p_keys) then private.redact_json(f.value, e, p_alias) else f.value end), '{}')
      from jsonb_each(written) f
    );
    else return written;
  end case;
end
$$;

drop function private.erase_texts(private.erasures, text, bigint, integer);
drop function private.redact(text, private.erasures, boolean, text);
drop function private.is_identity_column(text, text);

-- Replaces the person in the texts of a part, and in their copies in the activity log. Counts records, and with p_only_count
-- changes none.
create function private.erase_texts(e private.erasures, part private.personal_data, p_only_count boolean) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  sets text;
  hits text;
  alias text := e.alias;
  found bigint;
  copies text;
  has_log boolean;
begin
  if part.is_shared and e.has_namesake then
    e.name_pattern := null;
  end if;
  if to_regclass(part.target) is null or coalesce(e.name_pattern, e.email_pattern, e.number_pattern) is null then
    return 0;
  end if;
  select
    string_agg(format('%I = (%s)::%s', c.name, c.became, c.type), ', '),
    string_agg(format('%s is distinct from %s', c.was, c.became), ' or ')
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
      into found using e.account, e.staff_record, e, alias;
    return found;
  end if;
  has_log := part.target ~ '^public\.' and part.target <> 'public.audit_log' and exists (
    select from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(part.target) and a.attname = 'id' and a.atttypid = 'uuid'::regtype
  );
  copies := format('with logged as materialized (
      select a.id, private.redact_json(a.old_values, $3, $4, $5) as was, private.redact_json(a.new_values, $3, $4, $5) as became
      from %s r join public.audit_log a on a.row_id = r.id and a.table_name = %L where %s
    )
    update public.audit_log a set old_values = l.was, new_values = l.became
    from logged l where l.id = a.id and (a.old_values, a.new_values) is distinct from (l.was, l.became)',
    part.target, split_part(part.target, '.', 2), part.belongs);
  set local session_replication_role = replica;
  loop
    begin
      execute format('update only %s r set %s where (%s) and (%s)', part.target, sets, part.belongs, hits)
        using e.account, e.staff_record, e, alias;
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
    execute copies using e.account, e.staff_record, e, alias, part.texts;
  end if;
  set local session_replication_role = origin;
  return found;
end
$$;

-- Deleted records of the person have only their copy in the activity log.
create function private.erase_deleted_texts(e private.erasures) returns void
language plpgsql security definer set search_path = '' as $$
begin
  set local session_replication_role = replica;
  update public.audit_log a set old_values = d.became
  from (
    select l.id, private.redact_json(l.old_values, e, e.alias, t.texts) as became
    from public.audit_log l
    cross join lateral (
      select array_agg(distinct c) as texts from private.personal_data p, unnest(p.texts) c
      where p.target = 'public.' || l.table_name
    ) t
    where l.action = 'delete' and t.texts is not null
      and (e.account::text in (l.old_values ->> 'user_id', l.old_values ->> 'guard_id', l.old_values ->> 'raised_by_user_id')
        or e.staff_record::text = l.old_values ->> 'staff_id')
  ) d
  where d.id = a.id and d.became is distinct from a.old_values;
  set local session_replication_role = origin;
end
$$;

revoke all on all functions in schema private from public;
