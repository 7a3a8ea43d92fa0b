-- Pay accounts of many people: imported from a file, and verified by a second person.

-- The staff record that a line of a file means: by email address, phone number, or name. Runs as the caller. @returns
-- null if there is none, or more than one has the name
create function private.staff_named(p_person text) returns uuid
language sql stable set search_path = '' as $$
  select case when count(*) = 1 then (array_agg(s.id))[1] end
  from public.staff s
  where s.status = 'active' and (
    lower(s.email) = lower(btrim(p_person))
    or private.e164(s.phone) = private.e164(p_person)
    or lower(s.full_name) = lower(regexp_replace(btrim(p_person), '\s+', ' ', 'g')));
$$;

-- Adds an account for each row {person, channel, account_name, account_number, bank_name}: all of them, or none if a row
-- is refused. With p_is_trial it only looks. New accounts are not verified.
-- @returns each row, from 1, with the person that it means, and what is wrong with it
create function public.import_pay_accounts(p_rows jsonb, p_is_trial boolean default false)
returns table (line integer, full_name text, problem text)
language plpgsql set search_path = '' as $$
declare
  entry jsonb;
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
  begin
    for line, entry in select r.place, r.row from jsonb_array_elements(p_rows) with ordinality r (row, place) loop
      named := null;
      reason := null;
      begin
        person := private.staff_named(left(entry ->> 'person', 255));
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
        -- Row 1 of the file has the headings.
        refused := refused || jsonb_build_object('id', line, 'name', format('Row %s', line + 1), 'reason', reason);
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
$$;
comment on function public.import_pay_accounts is 'Nullable: full_name, problem';

-- Verifies many accounts {id, number} as the caller has seen them, all or none. A refusal names the rows and why.
-- @returns how many it verified
create function public.verify_pay_accounts(p_accounts jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  refused jsonb[];
  wanted record;
  state text;
  message text;
  verified integer := 0;
begin
  perform private.require_pay_role();
  if jsonb_typeof(p_accounts) is distinct from 'array' or jsonb_array_length(p_accounts) not between 1 and 2000
    or exists (select from jsonb_array_elements(p_accounts) e
      where jsonb_typeof(e) <> 'object' or coalesce(e ->> 'id', '') !~ '^[0-9a-f-]{36}$')
  then
    raise exception 'Choose between 1 and 2000 pay accounts.' using errcode = 'invalid_parameter_value';
  end if;
  for wanted in
    select (e ->> 'id')::uuid as id, min(e ->> 'number') as number, coalesce(min(s.full_name), 'One row') as name
    from jsonb_array_elements(p_accounts) e
    left join public.pay_accounts a on a.id = (e ->> 'id')::uuid
    left join public.staff s on s.id = a.staff_id
    group by 1 order by 1
  loop
    begin
      perform public.verify_pay_account(wanted.id, wanted.number);
      verified := verified + 1;
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      if state like '40%' then
        raise;
      end if;
      refused := refused || jsonb_build_object('id', wanted.id, 'name', wanted.name, 'reason', message);
    end;
  end loop;
  perform private.refuse_many(refused, jsonb_array_length(p_accounts), 'verified');
  return verified;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.import_pay_accounts, public.verify_pay_accounts from public, anon;
grant execute on function private.staff_named, private.e164 to authenticated;
grant execute on function public.import_pay_accounts, public.verify_pay_accounts to authenticated;
