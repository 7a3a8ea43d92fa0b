-- Deciding leave, and importing a batch of records. Both run as the caller: the policies decide.

create function public.decide_leave(p_id uuid, p_status text, p_note text default null)
returns public.leave_requests
language plpgsql set search_path = '' as $$
declare
  decided public.leave_requests;
begin
  if p_status not in ('approved', 'rejected') then
    raise exception 'Leave is approved or rejected.' using errcode = 'check_violation';
  end if;
  update public.leave_requests l set status = p_status, decision_note = p_note
  where l.id = p_id and l.status = 'pending'
  returning * into decided;
  if found then
    return decided;
  end if;
  select * into decided from public.leave_requests l where l.id = p_id;
  if not found then
    raise exception 'There is no such leave request.' using errcode = 'PT404';
  end if;
  if decided.status = 'pending' then
    raise exception 'You don''t decide leave requests.' using errcode = 'insufficient_privilege';
  end if;
  raise exception 'This request was already %.', decided.status using errcode = 'PT409';
end
$$;

-- Inserts every row or none; the error names the row. Missing keys get the table's defaults.
create function public.import_records(p_table text, p_rows jsonb) returns integer
language plpgsql set search_path = '' as $$
declare
  row_number integer := 0;
  entry jsonb;
  columns text;
  reason text;
  state text;
begin
  if p_table is null or p_table not in
    ('clients', 'staff', 'financial_statements', 'expense_reports', 'bank_accounts', 'loans')
  then
    raise exception 'Records of this kind can''t be imported.' using errcode = 'invalid_parameter_value';
  end if;
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 5000 then
    raise exception 'An import has between 1 and 5000 rows.' using errcode = 'invalid_parameter_value';
  end if;
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
      raise exception 'Row %: %', row_number, reason using errcode = state;
    end;
  end loop;
  return row_number;
end
$$;

revoke all on function public.decide_leave(uuid, text, text), public.import_records(text, jsonb) from public, anon;
grant execute on function public.decide_leave(uuid, text, text), public.import_records(text, jsonb) to authenticated;
