-- Changing, deleting and restoring many rows in one call: all of them or none. Everything runs as the caller, so the
-- policies, grants and triggers of each table decide about each row. A refusal names the rows and why; its `details`
-- are a JSON array of {id, name, reason}.

-- The columns that a call may change in many rows at once, by table. Null for other tables.
create function private.columns_of_many(p_table text) returns text[]
language sql immutable set search_path = ''
return case p_table
  when 'attendance' then array['clock_out_at', 'correction_reason', 'needs_review', 'resolution']
  when 'certifications' then array['issued_at', 'expires_at']
  when 'contact_messages' then array['state']
  when 'incidents' then array['status', 'notes']
  when 'leave_requests' then array['status', 'decision_note']
  when 'payroll' then array['payment_status', 'payment_date']
  when 'shifts' then array['site_id', 'start_time', 'end_time', 'required_headcount']
  when 'staff' then array['status']
end;

create function private.require_many(p_ids uuid[]) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_ids is null or cardinality(p_ids) not between 1 and 2000 or array_position(p_ids, null) is not null then
    raise exception 'Choose between 1 and 2000 rows.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

create function private.require_many_rows(p_rows jsonb) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 2000
    or exists (select from jsonb_array_elements(p_rows) e where jsonb_typeof(e) <> 'object' or e ->> 'id' is null)
  then
    raise exception 'Send between 1 and 2000 rows, each with its id.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- How a message names a row, as far as the caller may read what it needs.
create function private.name_of_row(p_table text, p_row jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  named text;
begin
  if p_row is null then
    return 'One row';
  end if;
  case p_table
    when 'payroll' then
      select s.full_name into named from public.staff s where s.id = (p_row ->> 'staff_id')::uuid;
    when 'shifts' then
      select concat_ws(', ', s.name, private.time_text((p_row ->> 'start_time')::timestamptz, s.timezone)) into named
      from public.sites s where s.id = (p_row ->> 'site_id')::uuid;
    when 'certifications' then
      select concat_ws(', ', coalesce(nullif(p.full_name, ''), p.email), c.title) into named
      from public.training_courses c
      left join public.profiles p on p.id = (p_row ->> 'user_id')::uuid
      where c.id = (p_row ->> 'course_id')::uuid;
    when 'attendance', 'leave_requests', 'user_roles' then
      select coalesce(nullif(p.full_name, ''), p.email) into named
      from public.profiles p where p.id = (p_row ->> 'user_id')::uuid;
    else
      named := coalesce(p_row ->> 'title', p_row ->> 'full_name', p_row ->> 'name', p_row ->> 'account_name');
  end case;
  return coalesce(named, 'One row');
end
$$;

-- The reason of a refusal in plain words, where PostgreSQL's own message names a constraint or a policy.
create function private.reason_of(p_state text, p_message text, p_constraint text) returns text
language sql immutable set search_path = ''
return case
  when p_constraint = 'attendance_one_open_per_person' then 'The guard has clocked in again since.'
  when p_constraint = 'attendance_out_after_in' then 'The clock-in is after the end of the shift.'
  when p_constraint = 'certifications_expire_after_issue' then 'It would expire before it was issued.'
  when p_message !~ 'violates|permission denied' then p_message
  when p_state = '42501' then 'You may not change it.'
  when p_state = '23505' then 'It exists already.'
  when p_state = '23503' then 'A record that it refers to no longer exists.'
  when p_state = '23P01' then 'It overlaps another record.'
  else 'A value is not allowed.'
end;

-- Raises the refusals of a call, if there are any, which undoes everything that the call did.
create function private.refuse_many(p_refused jsonb[], p_total integer, p_done text) returns void
language plpgsql immutable set search_path = '' as $$
declare
  refusals integer := coalesce(cardinality(p_refused), 0);
  listed text;
begin
  if refusals = 0 then
    return;
  end if;
  select string_agg(format('%s: %s', r ->> 'name', r ->> 'reason'), ' ' order by place) into listed
  from unnest(p_refused) with ordinality refused (r, place) where place <= 5;
  raise exception '%', case
      when p_total = 1 then listed
      else format('Nothing was %s: %s of %s rows can''t be. %s', p_done, refusals, p_total, listed)
        || case when refusals > 5 then format(' And %s more.', refusals - 5) else '' end
    end
    using errcode = 'PT409', detail = to_jsonb(p_refused[:200])::text;
end
$$;

-- Why a row can't be changed, as far as its values tell; null if nothing speaks against it.
create function private.obstacle_of(p_was jsonb, p_seen timestamptz, p_expected jsonb) returns text
language sql immutable set search_path = ''
return case
  when p_was is null then 'It no longer exists, or you may not change it.'
  when (p_was ->> 'updated_at')::timestamptz <> p_seen then 'It has been changed since.'
  when not p_was @> p_expected then (
    select format('It has been changed since: its %s is now %s.', replace(e.key, '_', ' '),
      coalesce(p_was ->> e.key, 'empty'))
    from jsonb_each(p_expected) e where p_was -> e.key is distinct from e.value order by e.key limit 1
  )
end;

-- Applies {id, set, seen} to rows of a table, all or none. With `seen`, the row must not have changed since that
-- `updated_at`; every row must still have the values in p_expected.
-- Returns {id, seen, was} of the rows that changed, for restore_values.
create function private.change_rows(p_table text, p_rows jsonb, p_expected jsonb default '{}') returns jsonb
language plpgsql set search_path = '' as $$
declare
  allowed text[] := private.columns_of_many(p_table);
  total integer := jsonb_array_length(p_rows);
  before jsonb;
  columns text;
  waiting jsonb[];
  again jsonb[];
  entry jsonb;
  updated integer;
  refused jsonb[];
  state text;
  message text;
  broken text;
begin
  if exists (
    select from jsonb_array_elements(p_rows) r
    where jsonb_typeof(r -> 'set') is distinct from 'object' or r -> 'set' = '{}'
      or exists (
        select from jsonb_each_text(r -> 'set') v
        where v.key <> all (allowed) or not p_rows -> 0 -> 'set' ? v.key
          or v.value ~* '^\s*[-+]?inf(inity)?\s*$'
      )
  ) then
    raise exception 'These values can''t be set in many rows at once.' using errcode = 'invalid_parameter_value';
  end if;
  select string_agg(format('%I', key), ', ' order by key) into columns
  from jsonb_object_keys(p_rows -> 0 -> 'set') key;
  -- In order of id, so that two calls about the same rows take turns and never deadlock.
  execute format(
    'select coalesce(jsonb_object_agg(l.id, to_jsonb(l)), ''{}'')
      from (select t.* from public.%I t where t.id = any ($1) order by t.id for update) l', p_table
  ) into before using array(select (r ->> 'id')::uuid from jsonb_array_elements(p_rows) r);

  select array_agg(jsonb_build_object('id', r.row -> 'id', 'reason', found.obstacle,
    'name', private.name_of_row(p_table, before -> (r.row ->> 'id'))) order by r.place)
  into refused
  from jsonb_array_elements(p_rows) with ordinality r (row, place)
  cross join lateral (
    select private.obstacle_of(before -> (r.row ->> 'id'), (r.row ->> 'seen')::timestamptz, p_expected) as obstacle
  ) found
  where found.obstacle is not null;
  perform private.refuse_many(refused, total, 'changed');

  waiting := array(
    select r.row from jsonb_array_elements(p_rows) with ordinality r (row, place)
    where not before -> (r.row ->> 'id') @> (r.row -> 'set') order by r.place
  );
  updated := private.update_rows(p_table, columns, waiting);
  -- One statement could not do it: row by row, to learn which rows are refused and why. A row may also have been in the
  -- way of another one, for example a guard's next shift when both move: those are tried again, as long as that helps.
  again := case when updated is distinct from cardinality(waiting) then waiting else '{}' end;
  while again <> '{}' loop
    total := cardinality(again);
    waiting := again;
    again := '{}';
    refused := '{}';
    foreach entry in array waiting loop
      begin
        execute private.update_statement(p_table, columns) using array[entry];
        get diagnostics updated = row_count;
        if updated = 0 then
          raise exception 'You may not change it.' using errcode = 'PT409';
        end if;
      exception when others then
        get stacked diagnostics state = returned_sqlstate, message = message_text, broken = constraint_name;
        -- A deadlock or a lost race is no reason of this row.
        if state like '40%' then
          raise;
        end if;
        again := again || entry;
        refused := refused || jsonb_build_object('id', entry -> 'id',
          'name', private.name_of_row(p_table, before -> (entry ->> 'id')),
          'reason', private.reason_of(state, message, broken));
      end;
    end loop;
    if cardinality(again) = total then
      perform private.refuse_many(refused, jsonb_array_length(p_rows), 'changed');
    end if;
  end loop;

  return (
    -- d_touch sets updated_at of every changed row to the time of the transaction.
    select coalesce(jsonb_agg(jsonb_build_object('id', r.row -> 'id', 'seen', now(), 'was', (
      select jsonb_object_agg(key, before -> (r.row ->> 'id') -> key) from jsonb_object_keys(r.row -> 'set') key
    )) order by r.place), '[]')
    from jsonb_array_elements(p_rows) with ordinality r (row, place)
    where not before -> (r.row ->> 'id') @> (r.row -> 'set')
  );
end
$$;

-- Updates these columns of the rows {id, set} in $1.
create function private.update_statement(p_table text, p_columns text) returns text
language sql immutable set search_path = ''
return format(
  'update public.%1$I t set (%2$s) = (select %2$s from jsonb_populate_record(t, w.row -> ''set''))
    from unnest($1) w (row) where t.id = (w.row ->> ''id'')::uuid', p_table, p_columns
);

-- Updates all rows in one statement. Returns how many, or null if one was refused.
create function private.update_rows(p_table text, p_columns text, p_rows jsonb[]) returns integer
language plpgsql set search_path = '' as $$
declare
  updated integer;
  state text;
begin
  execute private.update_statement(p_table, p_columns) using p_rows;
  get diagnostics updated = row_count;
  if updated < cardinality(p_rows) then
    raise exception 'Some rows were left out.' using errcode = 'PT409';
  end if;
  return updated;
exception when others then
  get stacked diagnostics state = returned_sqlstate;
  if state like '40%' then
    raise;
  end if;
  return null;
end
$$;

-- Sets the same values in many rows, if all of them still have the values in p_expected.
create function public.change_records(p_table text, p_ids uuid[], p_values jsonb, p_expected jsonb default '{}')
returns jsonb
language plpgsql set search_path = '' as $$
begin
  if private.columns_of_many(p_table) is null then
    raise exception 'Rows of this kind can''t be changed together.' using errcode = 'invalid_parameter_value';
  end if;
  perform private.require_many(p_ids);
  if jsonb_typeof(p_values) is distinct from 'object' or jsonb_typeof(p_expected) is distinct from 'object' then
    raise exception 'Send the values as an object.' using errcode = 'invalid_parameter_value';
  end if;
  return private.change_rows(
    p_table,
    (
      select jsonb_agg(jsonb_build_object('id', wanted.id, 'set', p_values))
      from (select distinct u.id from unnest(p_ids) u (id) order by 1) wanted
    ),
    p_expected
  );
end
$$;

-- Undo of a call that changed many rows: restores the earlier values, if no row has changed since.
-- p_rows is what that call returned.
create function public.restore_values(p_table text, p_rows jsonb) returns integer
language plpgsql set search_path = '' as $$
declare
  restored jsonb;
begin
  if private.columns_of_many(p_table) is null then
    raise exception 'Rows of this kind can''t be changed together.' using errcode = 'invalid_parameter_value';
  end if;
  perform private.require_many_rows(p_rows);
  if p_table = 'shifts' then
    perform private.lock_guards_of(array(select (r ->> 'id')::uuid from jsonb_array_elements(p_rows) r));
  end if;
  restored := private.change_rows(p_table, (
    select jsonb_agg(jsonb_build_object('id', r.row -> 'id', 'set', r.row -> 'was',
      'seen', coalesce(r.row ->> 'seen', '-infinity')) order by r.place)
    from jsonb_array_elements(p_rows) with ordinality r (row, place)
  ));
  -- Clocking out completed the assignment; reopening the record alone would leave it as confirmed.
  if p_table = 'attendance' then
    update public.assignments a set status = r.row ->> 'assignment_status'
    from public.attendance t, jsonb_array_elements(p_rows) r (row)
    where t.id = (r.row ->> 'id')::uuid and a.id = t.assignment_id and t.clock_out_at is null
      and a.status = 'confirmed' and r.row ->> 'assignment_status' = 'assigned';
  end if;
  return jsonb_array_length(restored);
end
$$;

-- Takes the locks of check_assignment in order of guard, so that two moves of many shifts never deadlock.
create function private.lock_guards_of(p_shifts uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(guards.user_id::text, 0))
  from (
    select distinct a.user_id from public.assignments a where a.shift_id = any (p_shifts) order by 1
  ) guards;
end
$$;

-- Clocks guards out who forgot it, each at the end of their shift. As for other corrections: not in the future, and
-- not the caller's own attendance.
create function public.clock_out_at_shift_end(p_ids uuid[], p_reason text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  statuses jsonb;
  changed jsonb;
  own jsonb;
begin
  perform private.require_many(p_ids);
  if coalesce(btrim(p_reason), '') = '' or char_length(p_reason) > 1000 then
    raise exception 'Give a reason of at most 1000 characters.' using errcode = 'check_violation';
  end if;
  select to_jsonb(r) into own from public.attendance r where r.id = any (p_ids) and r.user_id = auth.uid();
  if found then
    perform private.refuse_many(array[jsonb_build_object('id', own -> 'id',
      'name', private.name_of_row('attendance', own),
      'reason', 'This is your own attendance. Another supervisor has to correct it.')],
      cardinality(p_ids), 'changed');
  end if;
  select jsonb_object_agg(r.id, a.status) into statuses
  from public.attendance r join public.assignments a on a.id = r.assignment_id where r.id = any (p_ids);
  changed := private.change_rows('attendance', (
    select jsonb_agg(jsonb_build_object('id', wanted.id, 'set', jsonb_build_object(
      'clock_out_at', upper(a.period), 'correction_reason', btrim(p_reason))) order by wanted.id)
    from (select distinct u.id from unnest(p_ids) u (id)) wanted
    left join public.attendance r on r.id = wanted.id
    left join public.assignments a on a.id = r.assignment_id
  ), '{"clock_out_at": null}');
  return (
    select coalesce(jsonb_agg(c || jsonb_build_object('assignment_status', statuses -> (c ->> 'id'))), '[]')
    from jsonb_array_elements(changed) c
  );
end
$$;

-- Moves shifts by days, to another time of day, to another site, or several of these. Times are those of the site. With
-- an end that is not after the start, the shift ends on the next day.
create function public.move_shifts(
  p_ids uuid[], p_days integer default 0, p_start text default null, p_end text default null,
  p_site_id uuid default null
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  clock_time constant text := '^([01]\d|2[0-3]):[0-5]\d$';
  moved jsonb;
begin
  perform private.require_many(p_ids);
  if p_days is null or p_days not between -366 and 366 then
    raise exception 'Move by at most 366 days.' using errcode = 'invalid_parameter_value';
  end if;
  if (p_start is null) <> (p_end is null) or p_start !~ clock_time or p_end !~ clock_time then
    raise exception 'Give a start and an end as HH:MM.' using errcode = 'invalid_parameter_value';
  end if;
  if p_days = 0 and p_start is null and p_site_id is null then
    raise exception 'Choose what to change: the day, the time or the site.' using errcode = 'invalid_parameter_value';
  end if;
  if p_site_id is not null and not exists (select from public.sites s where s.id = p_site_id) then
    raise exception 'This site no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  -- Before their times are read, so that two moves of the same shifts add up.
  perform from public.shifts h where h.id = any (p_ids) order by h.id for update;
  select jsonb_agg(
    jsonb_build_object('id', w.id, 'set', jsonb_build_object(
      'site_id', w.site_id, 'start_time', w.new_start, 'end_time', w.new_end))
    -- The last one first when they move later, so that a guard's shifts don't meet on the way.
    order by w.new_start > w.start_time desc,
      case when w.new_start > w.start_time then - extract(epoch from w.start_time)
        else extract(epoch from w.start_time) end, w.id
  ) into moved
  from (
    select wanted.id, t.id as site_id, h.start_time,
      ((starts.day + p_days)::timestamp + coalesce(p_start, starts.clock)::time) at time zone t.timezone as new_start,
      (
        case when p_start is null then (ends.day + p_days)::timestamp
          else (starts.day + p_days + case when p_end <= p_start then 1 else 0 end)::timestamp end
        + coalesce(p_end, ends.clock)::time
      ) at time zone t.timezone as new_end
    from (select distinct u.id from unnest(p_ids) u (id)) wanted
    left join public.shifts h on h.id = wanted.id
    left join public.sites o on o.id = h.site_id
    left join public.sites t on t.id = coalesce(p_site_id, h.site_id)
    left join lateral (
      select (h.start_time at time zone o.timezone)::date as day, (h.start_time at time zone o.timezone)::time::text as clock
    ) starts on true
    left join lateral (
      select (h.end_time at time zone o.timezone)::date as day, (h.end_time at time zone o.timezone)::time::text as clock
    ) ends on true
  ) w;
  perform private.lock_guards_of(p_ids);
  return private.change_rows('shifts', moved);
end
$$;

-- Whether many rows of this table can be deleted, and restored, in one call.
create function private.require_deletable(p_table text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_table is null or p_table not in ('bank_accounts', 'certifications', 'deployments', 'expense_reports',
    'financial_statements', 'loans', 'payroll', 'shifts', 'user_roles')
  then
    raise exception 'Rows of this kind can''t be deleted together.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- Deletes rows in one statement. Returns whether all of them were deleted; if not, none was.
create function private.delete_rows(p_table text, p_ids uuid[]) returns boolean
language plpgsql set search_path = '' as $$
declare
  gone integer;
  state text;
begin
  execute format('delete from public.%I t where t.id = any ($1)', p_table) using p_ids;
  get diagnostics gone = row_count;
  if gone < cardinality(p_ids) then
    raise exception 'Some rows were left out.' using errcode = 'PT409';
  end if;
  return true;
exception when others then
  get stacked diagnostics state = returned_sqlstate;
  if state like '40%' then
    raise;
  end if;
  return false;
end
$$;

-- Deletes rows, all or none, and returns them for restore_records; shifts with their assignments.
create function public.delete_records(p_table text, p_ids uuid[]) returns jsonb
language plpgsql set search_path = '' as $$
declare
  chosen uuid[];
  wanted uuid;
  before jsonb;
  gone integer;
  refused jsonb[];
  state text;
  message text;
  broken text;
begin
  perform private.require_deletable(p_table);
  perform private.require_many(p_ids);
  chosen := array(select distinct u.id from unnest(p_ids) u (id) order by 1);
  execute format(
    'select coalesce(jsonb_object_agg(t.id, to_jsonb(t)), ''{}'') from public.%I t where t.id = any ($1)', p_table
  ) into before using chosen;
  if p_table = 'shifts' then
    select coalesce(jsonb_object_agg(h.key, h.value || jsonb_build_object('assignments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'user_id', a.user_id, 'status', a.status,
        'role_at_shift', a.role_at_shift, 'created_at', a.created_at)), '[]')
      from public.assignments a where a.shift_id = h.key::uuid
    ))), '{}') into before
    from jsonb_each(before) h;
  end if;
  select array_agg(jsonb_build_object('id', u.id, 'reason', found.obstacle,
    'name', private.name_of_row(p_table, before -> u.id::text)) order by u.id)
  into refused
  from unnest(chosen) u (id)
  cross join lateral (
    select case
      when not before ? u.id::text then 'It no longer exists, or you may not delete it.'
      when p_table = 'user_roles' and before -> u.id::text ->> 'user_id' = auth.uid()::text
        then 'You can''t change your own roles.'
    end as obstacle
  ) found
  where found.obstacle is not null;
  perform private.refuse_many(refused, cardinality(chosen), 'deleted');

  if not private.delete_rows(p_table, chosen) then
    -- Row by row, to learn which rows are refused and why.
    foreach wanted in array chosen loop
      begin
        execute format('delete from public.%I t where t.id = $1', p_table) using wanted;
        get diagnostics gone = row_count;
        if gone = 0 then
          raise exception 'You may not delete it.' using errcode = 'PT409';
        end if;
      exception when others then
        get stacked diagnostics state = returned_sqlstate, message = message_text, broken = constraint_name;
        if state like '40%' then
          raise;
        end if;
        refused := refused || jsonb_build_object('id', wanted,
          'name', private.name_of_row(p_table, before -> wanted::text),
          'reason', private.reason_of(state, message, broken));
      end;
    end loop;
    perform private.refuse_many(refused, cardinality(chosen), 'deleted');
  end if;
  return (select jsonb_agg(before -> u.id::text order by u.id) from unnest(chosen) u (id));
end
$$;

-- Inserts deleted rows again, in one statement.
create function private.insert_rows(p_table text, p_rows jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  columns text;
begin
  select string_agg(format('%I', a.attname), ', ') into columns
  from pg_catalog.pg_attribute a
  where a.attrelid = format('public.%I', p_table)::regclass and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and p_rows -> 0 ? a.attname::text;
  execute format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_recordset(null::public.%1$I, $1)',
    p_table, columns) using p_rows;
end
$$;

-- Inserts deleted rows again, shifts with their assignments. Returns false, and inserts none, if one is refused.
create function private.restore_rows(p_table text, p_rows jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  state text;
begin
  perform private.insert_rows(p_table, p_rows);
  if p_table = 'shifts' then
    insert into public.assignments (id, shift_id, user_id, status, role_at_shift, created_at)
    select a.id, (h.row ->> 'id')::uuid, a.user_id, a.status, a.role_at_shift, a.created_at
    from jsonb_array_elements(p_rows) h (row),
      jsonb_populate_recordset(null::public.assignments, h.row -> 'assignments') a
    -- In order of guard, so that two planners never deadlock.
    order by a.user_id;
  end if;
  return true;
exception when others then
  get stacked diagnostics state = returned_sqlstate;
  if state like '40%' then
    raise;
  end if;
  return false;
end
$$;

-- Undo of delete_records: inserts the rows again, all or none. Guards of a restored shift who work elsewhere by now are
-- left out, with the reason.
create function public.restore_records(p_table text, p_rows jsonb) returns table (restored integer, left_out text[])
language plpgsql set search_path = '' as $$
declare
  entry jsonb;
  missing text[];
  refused jsonb[] := '{}';
  state text;
  message text;
  broken text;
begin
  perform private.require_deletable(p_table);
  perform private.require_many_rows(p_rows);
  restored := jsonb_array_length(p_rows);
  left_out := '{}';
  if private.restore_rows(p_table, p_rows) then
    return next;
    return;
  end if;
  -- Row by row, to learn which rows are refused and why.
  for entry in select r from jsonb_array_elements(p_rows) r order by r ->> 'start_time', r ->> 'id' loop
    begin
      if p_table = 'shifts' then
        select r.left_out into missing
        from public.restore_shift(entry - 'assignments', coalesce(entry -> 'assignments', '[]')) r;
        left_out := left_out || missing;
      else
        perform private.insert_rows(p_table, jsonb_build_array(entry));
      end if;
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text, broken = constraint_name;
      if state like '40%' then
        raise;
      end if;
      refused := refused || jsonb_build_object('id', entry -> 'id', 'name', private.name_of_row(p_table, entry),
        'reason', private.reason_of(state, message, broken));
    end;
  end loop;
  perform private.refuse_many(refused, jsonb_array_length(p_rows), 'restored');
  return next;
end
$$;

-- Gives a role to many users, all or none. Users who have it already are left alone. Returns the added rows, whose ids
-- delete_records takes to undo it.
create function public.give_role(p_user_ids uuid[], p_role text, p_site_id uuid default null) returns jsonb
language plpgsql set search_path = '' as $$
declare
  given jsonb;
begin
  perform private.require_many(p_user_ids);
  if auth.uid() = any (p_user_ids) then
    raise exception 'You can''t change your own roles.' using errcode = 'insufficient_privilege';
  end if;
  with added as (
    insert into public.user_roles (user_id, role, site_id)
    select wanted.id, p_role, p_site_id
    from (select distinct u.id from unnest(p_user_ids) u (id) order by 1) wanted
    on conflict do nothing
    returning *
  )
  select coalesce(jsonb_agg(to_jsonb(added)), '[]') into given from added;
  return given;
end
$$;

-- Removes a role from many users, for every site, all or none. Returns the removed rows, for restore_records.
create function public.remove_role(p_user_ids uuid[], p_role text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  held uuid[];
begin
  perform private.require_many(p_user_ids);
  if auth.uid() = any (p_user_ids) then
    raise exception 'You can''t change your own roles.' using errcode = 'insufficient_privilege';
  end if;
  if not private.has_role('admin') then
    raise exception 'Only admins may do this.' using errcode = 'insufficient_privilege';
  end if;
  held := array(select r.id from public.user_roles r where r.user_id = any (p_user_ids) and r.role = p_role);
  return case when held = '{}' then '[]' else public.delete_records('user_roles', held) end;
end
$$;

-- Someone else corrects the record: the first version of each time is kept. A clock-out that no device sent leaves no
-- trace when it is removed again, and a record without a reason for a correction is not a corrected one: the activity
-- log has both changes.
create or replace function private.note_correction(record public.attendance, before public.attendance)
returns public.attendance
language plpgsql stable set search_path = '' as $$
declare
  is_withdrawn boolean := before.id is not null and before.clock_out_at is not null and record.clock_out_at is null
    and before.clock_out_received_at is null and before.original_clock_out_at is null
    and record.clock_in_at = before.clock_in_at;
begin
  if greatest(record.clock_in_at, record.clock_out_at) > now() + interval '5 minutes' then
    raise exception 'A clock time can''t be in the future.' using errcode = 'check_violation';
  end if;
  if is_withdrawn and record.correction_reason is null then
    record.corrected_by := null;
    record.corrected_at := null;
  elsif before.id is null or (record.clock_in_at, record.clock_out_at)
    is distinct from (before.clock_in_at, before.clock_out_at)
  then
    record.corrected_by := auth.uid();
    record.corrected_at := now();
  end if;
  if before.id is not null and not is_withdrawn then
    record.original_clock_in_at := coalesce(before.original_clock_in_at,
      case when record.clock_in_at <> before.clock_in_at then before.clock_in_at end);
    record.original_clock_out_at := coalesce(before.original_clock_out_at,
      case when record.clock_out_at is distinct from before.clock_out_at then before.clock_out_at end);
  end if;
  return record;
end
$$;

revoke all on function
  private.columns_of_many, private.require_many, private.require_many_rows, private.name_of_row, private.reason_of,
  private.refuse_many, private.obstacle_of, private.update_statement, private.update_rows, private.change_rows,
  private.lock_guards_of, private.require_deletable, private.delete_rows, private.insert_rows, private.restore_rows
from public;
grant execute on function
  private.columns_of_many, private.require_many, private.require_many_rows, private.name_of_row, private.reason_of,
  private.refuse_many, private.obstacle_of, private.update_statement, private.update_rows, private.change_rows,
  private.lock_guards_of, private.require_deletable, private.delete_rows, private.insert_rows, private.restore_rows,
  private.time_text
to authenticated;
revoke all on function
  public.change_records, public.restore_values, public.clock_out_at_shift_end, public.move_shifts,
  public.delete_records, public.restore_records, public.give_role, public.remove_role
from public, anon;
grant execute on function
  public.change_records, public.restore_values, public.clock_out_at_shift_end, public.move_shifts,
  public.delete_records, public.restore_records, public.give_role, public.remove_role
to authenticated;
