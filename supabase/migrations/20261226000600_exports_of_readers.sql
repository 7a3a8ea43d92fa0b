-- An export of another person is read as the caller: by the policies and column grants that their screens are read by. Of
-- the caller themselves it has everything of their own.

-- Checks who exports whom, and counts it.
create function private.begin_export(p_subject uuid, out account uuid, out staff_record uuid)
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
begin
  if not private.is_cleared() or p_subject <> me and not private.has_role('admin', 'hr') then
    raise exception 'You may download your own data only.' using errcode = 'insufficient_privilege';
  end if;
  select p.account, p.staff_record into account, staff_record from private.person_of(p_subject) p;
  if account is null and staff_record is null then
    raise exception 'There is no such person.' using errcode = 'PT404';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('exports of ' || me, 0));
  if (select count(*) from private.person_exports e where e.made_by = me and e.at > now() - interval '1 hour') >= 5 then
    raise exception 'You have downloaded data five times within an hour. Please try again later.' using errcode = 'PT429';
  end if;
  delete from private.person_exports e where e.at < now() - interval '1 day';
  insert into private.person_exports (made_by, person) values (me, p_subject);
  if p_subject <> me then
    perform private.record_security_event('data_exported', p_subject, '{}');
  end if;
end
$$;

-- Reads the parts with the rights of whoever runs it.
create function private.export_rows(p_parts private.personal_data[], p_account uuid, p_staff uuid) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
  most constant integer := 3000;
  part private.personal_data;
  listed text;
  rows_here jsonb;
  tables jsonb := '{}';
  cut text[] := '{}';
  name text;
begin
  foreach part in array p_parts loop
    continue when to_regclass(part.target) is null;
    select string_agg(format('r.%I', a.attname), ', ' order by a.attnum) into listed
    from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(part.target) and a.attnum > 0 and not a.attisdropped
      and a.attname <> all (part.withheld)
      and has_column_privilege(current_user, a.attrelid, a.attnum, 'select');
    continue when listed is null;
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from (select %s from %s r where %s order by %s desc limit $3) r',
      listed, part.target, part.belongs, part.newest
    ) into rows_here using p_account, p_staff, most + 1;
    if jsonb_array_length(rows_here) > most then
      cut := cut || part.target;
      rows_here := rows_here - most;
    end if;
    name := split_part(part.target, '.', 2);
    if rows_here <> '[]' then
      tables := tables || jsonb_build_object(name, coalesce(tables -> name, '[]') || rows_here);
    end if;
  end loop;
  return jsonb_build_object('cut', to_jsonb(cut), 'tables', tables);
end
$$;

-- With p_is_for_others, only what people read through policies: the tables of other services have none for them.
create function private.exported_parts(p_is_for_others boolean) returns private.personal_data[]
language sql stable security definer set search_path = '' as $$
  select array(
    select p from private.personal_data p
    where p.withheld is not null and (not p_is_for_others or p.target ~ '^(public|storage)\.') order by p.target
  );
$$;

-- All rows of the caller.
create function private.export_own_rows() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.export_rows(private.exported_parts(false), p.account, p.staff_record) from private.person_of(auth.uid()) p;
$$;

drop function public.export_person(uuid);
create function public.export_person(p_user_id uuid default null) returns jsonb
language plpgsql security invoker set search_path = '' as $$
declare
  subject uuid := coalesce(p_user_id, auth.uid());
  person record;
  exported jsonb;
begin
  select * into person from private.begin_export(subject);
  exported := case when subject = auth.uid() then private.export_own_rows()
    else private.export_rows(private.exported_parts(true), person.account, person.staff_record) end;
  return jsonb_build_object('made_at', now(), 'person', subject) || exported;
end
$$;

-- Policies decide it now.
alter table private.personal_data drop column is_pay;

revoke all on all functions in schema private from public;
grant execute on function private.begin_export, private.export_rows, private.exported_parts, private.export_own_rows
  to authenticated;
revoke all on function public.export_person from public, anon;
grant execute on function public.export_person to authenticated;
