create or replace FUNCTION public.import_records(p_table text, p_rows jsonb, p_lines integer[] DEFAULT NULL::integer[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  row_number integer := 0;
  entry jsonb;
  columns text;
  added integer;
  reason text;
  state text;
begin
  if p_table is null or p_table not in
    ('clients', 'sites', 'staff', 'financial_statements', 'expense_reports', 'bank_accounts', 'loans')
  then
    raise exception 'Records of this kind can''t be imported.' using errcode = 'invalid_parameter_value';
  end if;
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 5000 then
    raise exception 'An import has between 1 and 5000 rows.' using errcode = 'invalid_parameter_value';
  end if;
  -- All in one statement, whose triggers run once; row by row only to name the one that is refused.
  begin
    select string_agg(format('%I', key), ', ' order by key) into columns from jsonb_object_keys(p_rows -> 0) key;
    if not exists (
      select from jsonb_array_elements(p_rows) e
      where array(select jsonb_object_keys(e) order by 1) <> array(select jsonb_object_keys(p_rows -> 0) order by 1)
    ) then
      execute format(
        'insert into public.%I (%s) select %s from jsonb_populate_recordset(null::public.%I, $1)',
        p_table, columns, columns, p_table
      ) using p_rows;
      get diagnostics added = row_count;
      return added;
    end if;
  exception when others then
    get stacked diagnostics state = returned_sqlstate;
    if state like '40%' then
      raise;
    end if;
  end;
  for entry in select value from jsonb_array_elements(p_rows) loop
    row_number := row_number + 1;
    begin
      if jsonb_typeof(entry) <> 'object' or entry = '{}' then
        raise exception 'it is not a record' using errcode = 'invalid_parameter_value';
      end if;
      select string_agg(format('%I', key), ', ' order by key) into columns from jsonb_object_keys(entry) key;
      execute format(
        'insert into public.%I (%s) select %s from jsonb_populate_record(null::public.%I, $1)',
        p_table, columns, columns, p_table
      ) using entry;
    exception when others then
      get stacked diagnostics reason = message_text, state = returned_sqlstate;
      raise exception '%: %', 'Row ' || coalesce(p_lines[row_number], row_number), reason
        using errcode = state;
    end;
  end loop;
  return row_number;
end
$function$;

create or replace FUNCTION public.hire_people(p_people jsonb, p_lines integer[] DEFAULT NULL::integer[])
 RETURNS TABLE(user_id uuid, full_name text, code text, expires_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  row_number integer := 0;
  entry jsonb;
  reason text;
  state text;
begin
  perform private.require_admin();
  if jsonb_typeof(p_people) is distinct from 'array' or jsonb_array_length(p_people) not between 1 and 200 then
    raise exception 'Between 1 and 200 people can be hired at once.' using errcode = 'invalid_parameter_value';
  end if;
  for entry in select value from jsonb_array_elements(p_people) loop
    row_number := row_number + 1;
    begin
      if jsonb_typeof(entry) <> 'object' then
        raise exception 'it is not a record' using errcode = 'invalid_parameter_value';
      end if;
      user_id := private.hire(entry);
    exception when others then
      get stacked diagnostics reason = message_text, state = returned_sqlstate;
      raise exception '%', case when jsonb_array_length(p_people) = 1 then reason
        else format('%s: %s', 'Row ' || coalesce(p_lines[row_number], row_number), reason) end
          using errcode = state;
    end;
    full_name := entry ->> 'full_name';
    select c.code, c.expires_at into code, expires_at from private.issue_start_code(user_id) c;
    return next;
  end loop;
end
$function$;

create or replace FUNCTION public.import_pay_accounts(p_rows jsonb, p_is_trial boolean DEFAULT false, p_lines integer[] DEFAULT NULL::integer[])
 RETURNS TABLE(line integer, full_name text, problem text)
 LANGUAGE plpgsql
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  entry jsonb;
  people uuid[];
  person uuid;
  found_rows jsonb[] := '{}';
  refused jsonb[] := '{}';
  named text;
  reason text;
  state text;
  broken text;
begin
  perform private.require_pay_role();
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 2000 then
    raise exception 'An import has between 1 and 2000 rows.' using errcode = 'invalid_parameter_value';
  end if;
  people := private.staff_named(array(
    select left(r.row ->> 'person', 255) from jsonb_array_elements(p_rows) with ordinality r (row, place)
      order by r.place));
  begin
    for line, entry in select r.place, r.row from jsonb_array_elements(p_rows) with ordinality r (row, place) loop
      named := null;
      reason := null;
      begin
        person := people[line];
        select s.full_name into named from public.staff s where s.id = person;
        if person is null then
          raise exception 'No active staff member, or more than one, has this name, phone number or email address.'
            using errcode = 'PT404';
        end if;
        if exists (select from public.pay_accounts a where a.staff_id = person) then
          raise exception '% has a pay account already, or is in the file twice.', named using errcode = 'PT409';
        end if;
        insert into public.pay_accounts (staff_id, channel, account_name, account_number, bank_name)
        values (person, coalesce(entry ->> 'channel', ''), coalesce(nullif(btrim(entry ->> 'account_name'), ''), named),
          nullif(btrim(entry ->> 'account_number'), ''), nullif(btrim(entry ->> 'bank_name'), ''));
      exception when others then
        get stacked diagnostics reason = message_text, state = returned_sqlstate, broken = constraint_name;
        if state like '40%' then
          raise;
        end if;
        reason := case broken
          when 'pay_accounts_number' then 'This is not a number of an account.'
          when 'pay_accounts_bank_has_name' then 'A bank account needs the name of the bank, all others have none.'
          when 'pay_accounts_cash_has_no_number' then 'Cash has no number, all others need one.'
          when 'pay_accounts_channel_check' then 'Choose Bank, MTN MoMo, Orange Money or Cash.'
          else private.reason_of(state, reason, broken) end;
        refused := refused || jsonb_build_object('id', line, 'name',
          'Row ' || coalesce(p_lines[line], line + 1), 'reason', reason);
      end;
      found_rows := found_rows || jsonb_build_object('line', line, 'full_name', named, 'problem', reason);
    end loop;
    if p_is_trial is not false or refused <> '{}' then
      -- Takes the rows back; the variables keep what was found.
      raise exception 'Nothing is stored' using errcode = 'PT000';
    end if;
  exception when sqlstate 'PT000' then
    null;
  end;
  if p_is_trial is false then
    perform private.refuse_many(refused, jsonb_array_length(p_rows), 'imported');
  end if;
  return query select (f ->> 'line')::integer, f ->> 'full_name', f ->> 'problem' from unnest(found_rows) f;
end
$function$;
