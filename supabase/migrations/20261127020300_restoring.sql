-- Undo restores what was deleted as it was: with its first author, and a shift with its guards.

-- A signed-in person is the author of what they insert, whatever was sent; an update keeps the author. The one exception
-- is the exact row that the caller deleted last: putting it back keeps its author. Any other value makes it a new row, so
-- nobody signs in another name. Definer, because only admins read the log.
create or replace function private.stamp_author() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  deleted jsonb;
  generated_columns text[];
begin
  if tg_op = 'UPDATE' then
    -- A deleted account leaves its rows behind without an author.
    if new.created_by is not null then
      new.created_by := old.created_by;
    end if;
    return new;
  end if;
  if auth.uid() is null or new.created_by = auth.uid() then
    return new;
  end if;
  select l.old_values into deleted
  from (
    select h.actor_id, h.old_values from public.audit_log h
    where h.table_name = tg_table_name and h.row_id = new.id and h.action = 'delete'
    order by h.at desc limit 1
  ) l
  where l.actor_id = auth.uid();
  -- Not yet computed before the insert.
  generated_columns := array(
    select c.attname from pg_catalog.pg_attribute c where c.attrelid = tg_relid and c.attgenerated <> ''
  );
  if deleted is null
    or to_jsonb(jsonb_populate_record(new, deleted)) - generated_columns <> to_jsonb(new) - generated_columns
  then
    new.created_by := auth.uid();
  end if;
  return new;
end
$$;

-- Puts back a deleted shift and the guards that were on it. A guard who now works elsewhere, or whose account is
-- gone, is left out with the reason. Runs as the caller: the policies of shifts and assignments decide.
create function public.restore_shift(p_shift jsonb, p_assignments jsonb default '[]')
returns table (restored integer, left_out text[])
language plpgsql set search_path = '' as $$
declare
  guard public.assignments;
  reason text;
begin
  if jsonb_typeof(p_shift) is distinct from 'object' or jsonb_typeof(p_assignments) is distinct from 'array'
    or jsonb_array_length(p_assignments) > 2000
  then
    raise exception 'Send the shift as an object and its assignments as an array of at most 2000.'
      using errcode = 'invalid_parameter_value';
  end if;
  insert into public.shifts select (jsonb_populate_record(null::public.shifts, p_shift)).*;
  restored := 0;
  left_out := '{}';
  -- In order of person, as everywhere, so that two planners never wait for each other.
  for guard in select * from jsonb_populate_recordset(null::public.assignments, p_assignments) a order by a.user_id loop
    begin
      insert into public.assignments (id, shift_id, user_id, status, role_at_shift, created_at)
      values (guard.id, (p_shift ->> 'id')::uuid, guard.user_id, guard.status, guard.role_at_shift, guard.created_at);
      restored := restored + 1;
    exception
      when exclusion_violation then
        get stacked diagnostics reason = message_text;
        left_out := left_out || reason;
      when foreign_key_violation then
        left_out := left_out || 'The account of one guard no longer exists.'::text;
    end;
  end loop;
  return next;
end
$$;
revoke all on function public.restore_shift(jsonb, jsonb) from public, anon;
grant execute on function public.restore_shift(jsonb, jsonb) to authenticated;
