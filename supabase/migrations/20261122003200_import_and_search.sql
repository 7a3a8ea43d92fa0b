-- Importing records from a file, and the command menu's search. Both run as the caller: the policies decide.

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

-- Clients, sites, guards and shifts by words in their name or in what is shown beside it. At most 21 of a kind: the
-- menu shows 20, and the last one means that there are more.
create function public.find_records(p_text text)
returns table (kind text, id uuid, title text, detail text, start_time timestamptz, timezone text)
language sql stable set search_path = '' as $$
  with words as (
    -- A text without words finds nothing.
    select nullif(private.search_patterns(p_text), '{}') as patterns
  )
  (
    select 'client', c.id, c.name, c.location, null::timestamptz, null::text
    from public.clients c, words w
    where public.search_text(c) ilike all (w.patterns)
    order by c.name, c.id limit 21
  )
  union all
  (
    select 'site', s.id, s.name, concat_ws(', ', s.client_name, s.address), null, null
    from public.sites s, words w
    where concat_ws(' ', s.name, s.client_name, s.address) ilike all (w.patterns)
    order by s.name, s.id limit 21
  )
  union all
  (
    select 'guard', p.id, coalesce(nullif(p.full_name, ''), p.email), p.email, null, null
    from public.profiles p, words w
    where concat_ws(' ', p.full_name, p.email) ilike all (w.patterns)
      and p.id <> (select auth.uid())
    order by 3, p.id limit 21
  )
  union all
  (
    -- Including the last twelve hours: a night shift is still running in the morning.
    select 'shift', h.id, s.name, s.client_name, h.start_time, s.timezone
    from public.shifts h join public.sites s on s.id = h.site_id, words w
    where h.start_time > now() - interval '12 hours'
      and concat_ws(' ', s.name, s.client_name, h.notes) ilike all (w.patterns)
    order by h.start_time, h.id limit 21
  );
$$;
comment on function public.find_records is 'Nullable: detail, start_time, timezone';

revoke all on function public.import_records, public.find_records from public, anon;
grant execute on function public.import_records, public.find_records to authenticated;
