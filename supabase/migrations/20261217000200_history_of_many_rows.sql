-- As before, in time that grows with the rows of an update, not with their square. A session keeps the plan that it made for
-- its first, small update, and that compared each old row with each new one: 160 million times for 12,700 alerts, 57 s.
-- PostgreSQL can do a full join only by hashing or sorting; `offset 0` keeps it from becoming an inner join.
create or replace function private.record_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  who uuid := claims ->> 'sub';
  whose_email text := nullif(claims ->> 'email', '');
begin
  if whose_email is null and who is not null then
    select coalesce(p.email, p.phone) into whose_email from public.profiles p where p.id = who;
  end if;
  if tg_op = 'INSERT' then
    insert into public.audit_log (actor_id, actor_email, action, table_name, row_id, new_values)
    select who, whose_email, 'insert', tg_table_name, n.id, private.without_secrets(to_jsonb(n))
    from new_rows n;
  elsif tg_op = 'DELETE' then
    insert into public.audit_log (actor_id, actor_email, action, table_name, row_id, old_values)
    select who, whose_email, 'delete', tg_table_name, o.id, private.without_secrets(to_jsonb(o))
    from old_rows o;
  else
    insert into public.audit_log
      (actor_id, actor_email, action, table_name, row_id, old_values, new_values)
    select who, whose_email, 'update', tg_table_name, version.id, changed.was, changed.became
    from (
      select n.id, private.without_secrets(to_jsonb(o)) as was, private.without_secrets(to_jsonb(n)) as became
      from new_rows n
      full join old_rows o on o.id = n.id
      -- Without this, PostgreSQL also converts both rows again for each of their columns.
      offset 0
    ) version
    cross join lateral (
      select jsonb_object_agg(field.key, version.was -> field.key) as was,
        jsonb_object_agg(field.key, field.value) as became
      from jsonb_each(version.became) field
      where field.value is distinct from version.was -> field.key
    ) changed
    where version.was is not null and changed.became is not null;
  end if;
  return null;
end
$$;

create or replace function private.keep_issued_lines() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct n.invoice_id from new_rows n);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct o.invoice_id from old_rows o);
  else
    touched := array(
      select distinct coalesce((c.was).invoice_id, (c.became).invoice_id)
      from (select o as was, n as became from old_rows o full join new_rows n on n.id = o.id offset 0) c
      where to_jsonb(c.was) - 'credited_at' is distinct from to_jsonb(c.became) - 'credited_at'
        or (c.was).credited_at is distinct from (c.became).credited_at and ((c.was).credited_at is not null
          or not exists (select from public.credit_note_lines l where l.invoice_line_id = (c.was).id))
    );
  end if;
  -- Waits for one who is issuing it now.
  perform from public.invoices i where i.id = any (touched) order by i.id for no key update;
  if exists (select from public.invoices i where i.id = any (touched) and i.status <> 'draft') then
    raise exception 'The invoice of this line is issued, so it can''t be changed. Credit it instead.' using errcode = 'PT409';
  end if;
  return null;
end
$$;

create or replace function private.keep_issued_time() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong boolean;
begin
  if tg_op = 'UPDATE' then
    wrong := exists (
      select from (select o as was, n as became from new_rows n full join old_rows o on o.id = n.id offset 0) c
      left join public.invoice_lines l on l.id = (c.became).invoice_line_id
      where to_jsonb(c.became) - 'freed_at' - 'waived_by' is distinct from to_jsonb(c.was) - 'freed_at' - 'waived_by'
        or (c.became).waived_by is distinct from (c.was).waived_by and (c.became).waived_by is not null
        or (c.became).freed_at is distinct from (c.was).freed_at and (c.became).freed_at is distinct from l.credited_at
    );
  elsif tg_op = 'TRUNCATE' then
    wrong := exists (
      select from public.billed_time b join public.invoice_lines l on l.id = b.invoice_line_id
      join public.invoices i on i.id = l.invoice_id where i.status <> 'draft'
    );
  elsif tg_op = 'INSERT' then
    wrong := exists (
      select from new_rows n join public.invoice_lines l on l.id = n.invoice_line_id
      join public.invoices i on i.id = l.invoice_id where i.status <> 'draft'
    );
  else
    wrong := exists (
      select from old_rows o join public.invoice_lines l on l.id = o.invoice_line_id
      join public.invoices i on i.id = l.invoice_id where i.status <> 'draft'
    );
  end if;
  if wrong then
    raise exception 'These minutes are on an issued invoice. Only a credit note frees them.' using errcode = 'PT409';
  end if;
  return null;
end
$$;
