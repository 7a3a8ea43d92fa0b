-- The three erasures with checked patterns, and what each would change, and how often, before it does.

create function private.plan_person_erasure(p_account uuid, p_staff uuid) returns private.erasures
language sql stable security definer set search_path = '' as $$
  select private.plan_erasure('person', p_account, p_staff, null,
    array[known.full_name, record.full_name],
    array[known.email, record.email] || array(select u.email::text from auth.users u where u.id = p_account),
    array[known.phone, record.phone] || array(select u.phone from auth.users u where u.id = p_account)
      || array(select a.account_number from public.pay_accounts a where a.staff_id = p_staff)
      || array(select p.account_number from public.payments p where p.staff_id = p_staff and p.account_number <> 'erased'))
  from (select 1) one
  left join public.profiles known on known.id = p_account
  left join public.staff record on record.id = p_staff;
$$;

-- The records of one contact: of the same address or account, at every client.
create function private.records_of_contact(known public.client_contacts) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array(
    select c.id from public.client_contacts c
    where c.id = known.id or c.email = known.email or c.user_id = known.user_id
  );
$$;

create function private.plan_contact_erasure(known public.client_contacts) returns private.erasures
language sql stable security definer set search_path = '' as $$
  select private.plan_erasure('contact', known.user_id, null, r.contacts,
    array(select c.full_name from public.client_contacts c where c.id = any (r.contacts)), array[known.email],
    array(select c.phone from public.client_contacts c where c.id = any (r.contacts)))
  from (select private.records_of_contact(known) as contacts) r;
$$;

create or replace function public.erase_person(p_user_id uuid, p_name text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  person record;
  known public.profiles;
  record public.staff;
  obstacles text[];
  begun private.erasures;
begin
  perform private.require_admin();
  select * into person from private.person_of(p_user_id);
  if person.account is null and person.staff_record is null then
    raise exception 'There is no such person.' using errcode = 'PT404';
  end if;
  perform from public.profiles p where p.id = person.account for update;
  select * into known from public.profiles p where p.id = person.account;
  select * into record from public.staff s where s.id = person.staff_record for update;
  if exists (select from private.erasures e where e.account = person.account) then
    raise exception 'This person has been erased already.' using errcode = 'PT409';
  end if;
  perform private.require_typed_name(p_name,
    coalesce(nullif(known.full_name, ''), record.full_name, known.email, known.phone));
  if exists (select from private.client_accounts c where c.user_id = person.account) then
    raise exception 'This is a contact of a client. Erase them in the list of clients.' using errcode = 'PT409';
  end if;
  obstacles := private.erasure_obstacles(person.account, person.staff_record);
  if cardinality(obstacles) > 0 then
    raise exception '%', array_to_string(obstacles, ' ') using errcode = 'PT409';
  end if;
  begun := private.begin_erasure(private.plan_person_erasure(person.account, person.staff_record),
    case when coalesce(record.role, 'guard') = 'guard' then 'Former guard' else 'Former employee' end);
  perform private.erase_parts(person.account, person.staff_record, begun.alias);
  set local session_replication_role = replica;
  update public.staff s set full_name = begun.alias, updated_at = now() where s.id = person.staff_record;
  update public.payments p set
    account_name = case when p.account_name is not null then begun.alias end,
    account_number = case when p.account_number is not null then 'erased' end
  where p.staff_id = person.staff_record;
  update public.audit_log a set
    old_values = a.old_values - '{account_name,account_number}'::text[],
    new_values = a.new_values - '{account_name,account_number}'::text[]
  from public.payments p
  where p.staff_id = person.staff_record and a.row_id = p.id and a.table_name = 'payments';
  update public.audit_log a set old_values = a.old_values - 'full_name', new_values = a.new_values - 'full_name'
  where a.row_id = person.staff_record and a.table_name = 'staff';
  update public.audit_log a set old_values = a.old_values - 'guard_name', new_values = a.new_values - 'guard_name'
  from public.deployments d
  where d.guard_id = person.account and a.row_id = d.id and a.table_name = 'deployments';
  set local session_replication_role = origin;
  perform private.record_security_event('person_erased', coalesce(person.account, person.staff_record), '{}');
  return begun.alias;
end
$$;

create or replace function public.erase_contact(p_contact_id uuid, p_name text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  known public.client_contacts;
  contacts uuid[];
  begun private.erasures;
begin
  perform private.require_admin();
  select * into known from public.client_contacts c where c.id = p_contact_id for update;
  if not found then
    raise exception 'There is no such contact.' using errcode = 'PT404';
  end if;
  if exists (select from private.erasures e where e.kind = 'contact' and e.alias_email = known.email) then
    raise exception 'This contact has been erased already.' using errcode = 'PT409';
  end if;
  perform private.require_typed_name(p_name, known.full_name);
  contacts := private.records_of_contact(known);
  begun := private.begin_erasure(private.plan_contact_erasure(known), 'Former contact');
  perform private.erase_parts(known.user_id, null, begun.alias);
  -- Mails to the address end; the client needs another.
  update public.clients c set report_email = null where lower(c.report_email) = known.email;
  update public.contracts c set bill_to_email = null where lower(c.bill_to_email) = known.email;
  set local session_replication_role = replica;
  update public.client_contacts c set
    full_name = begun.alias, email = begun.alias_email, phone = null,
    revoked_at = coalesce(c.revoked_at, now()), updated_at = now()
  where c.id = any (contacts);
  update public.letter_acknowledgements l set contact_name = begun.alias where l.contact_id = any (contacts);
  update public.audit_log a set
    old_values = a.old_values - '{full_name,email,phone}'::text[], new_values = a.new_values - '{full_name,email,phone}'::text[]
  where a.row_id = any (contacts) and a.table_name = 'client_contacts';
  update public.audit_log a set
    old_values = a.old_values - 'contact_name', new_values = a.new_values - 'contact_name'
  from public.letter_acknowledgements l
  where l.contact_id = any (contacts) and a.row_id = l.id and a.table_name = 'letter_acknowledgements';
  -- The copies of the address that have just ended.
  update public.audit_log a set
    old_values = case when lower(a.old_values ->> f.name) = known.email then a.old_values - f.name else a.old_values end,
    new_values = case when lower(a.new_values ->> f.name) = known.email then a.new_values - f.name else a.new_values end
  from (values ('clients', 'report_email'), ('contracts', 'bill_to_email')) f (table_name, name)
  where a.table_name = f.table_name and known.email in (lower(a.old_values ->> f.name), lower(a.new_values ->> f.name));
  set local session_replication_role = origin;
  perform private.record_security_event('person_erased', coalesce(known.user_id, known.id), '{}');
  return begun.alias;
end
$$;

-- An enquirer is known by their messages alone: these go, and no other text is touched.
create or replace function public.erase_enquirer(p_enquiry_id uuid, p_name text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  known public.contact_messages;
  enquiries uuid[];
begin
  perform private.require_admin();
  select * into known from public.contact_messages m where m.id = p_enquiry_id;
  if not found then
    raise exception 'There is no such enquiry.' using errcode = 'PT404';
  end if;
  perform private.require_typed_name(p_name, known.name);
  enquiries := array(select m.id from public.contact_messages m where lower(m.email) = lower(known.email));
  perform private.begin_erasure(private.plan_erasure('enquiry', null, null, null, '{}', '{}', '{}'), 'Former enquirer');
  delete from public.contact_messages m where m.id = any (enquiries);
  set local session_replication_role = replica;
  update public.audit_log a set
    old_values = case when a.old_values is not null then '{}'::jsonb end,
    new_values = case when a.new_values is not null then '{}'::jsonb end
  where a.row_id = any (enquiries) and a.table_name = 'contact_messages';
  set local session_replication_role = origin;
  perform private.record_security_event('person_erased', p_enquiry_id, '{}');
  return cardinality(enquiries);
end
$$;

-- What an erasure would do, and to how many records: `deleted`, `blanked` (columns of the person's own records), `replaced`
-- (name, address or number in a text), or `refused` (a sentence).
create function public.erasure_changes(p_kind text, p_id uuid)
returns table (change text, record text, records bigint, reason text)
language plpgsql stable security definer set search_path = '' as $$
declare
  person record;
  contact public.client_contacts;
  contacts uuid[];
  plan private.erasures;
  part private.personal_data;
  found_here bigint;
begin
  perform private.require_admin();
  if p_kind = 'enquiry' then
    return query
    select 'deleted', 'contact_messages', count(*), null::text from public.contact_messages m
    where lower(m.email) = (select lower(k.email) from public.contact_messages k where k.id = p_id);
    return;
  elsif p_kind = 'contact' then
    select * into contact from public.client_contacts c where c.id = p_id;
    contacts := private.records_of_contact(contact);
    plan := private.plan_contact_erasure(contact);
    return query
    select * from (
      select 'blanked', 'client_contacts', cardinality(contacts)::bigint, null::text
      union all select 'blanked', 'clients', count(*), null from public.clients c where lower(c.report_email) = contact.email
      union all select 'blanked', 'contracts', count(*), null from public.contracts c where lower(c.bill_to_email) = contact.email
      union all select 'replaced', 'letter_acknowledgements', count(*), null from public.letter_acknowledgements l
        where l.contact_id = any (contacts)
    ) c (change, record, records, reason)
    where c.records > 0;
  elsif p_kind = 'person' then
    select * into person from private.person_of(p_id);
    plan := private.plan_person_erasure(person.account, person.staff_record);
  else
    raise exception 'The kind is person, contact or enquiry.' using errcode = 'invalid_parameter_value';
  end if;
  for part in select * from private.personal_data p where to_regclass(p.target) is not null order by p.target, p.belongs loop
    if part.on_erasure <> 'keep' then
      execute format('select count(*) from %s r where (%s) and %s', part.target, part.belongs,
        case when part.on_erasure = 'delete' then 'true' else format('num_nonnulls(%s) > 0', (
          select string_agg(format('r.%I', c), ', ') from unnest(part.blanked) c)) end)
        into found_here using plan.account, plan.staff_record;
      if found_here > 0 then
        change := case part.on_erasure when 'delete' then 'deleted' else 'blanked' end;
        record := split_part(part.target, '.', 2);
        records := found_here;
        return next;
      end if;
    end if;
    found_here := case when part.texts = '{}' then 0 else private.erase_texts(plan, part, true) end;
    if found_here > 0 then
      change := 'replaced';
      record := split_part(part.target, '.', 2);
      records := found_here;
      return next;
    end if;
  end loop;
  return query select 'refused', null::text, null::bigint, r from unnest(plan.refused) r;
end
$$;
-- Without the counts that erasure_changes has now for every kind of record.
drop function public.erasure_preview(uuid);
create function public.erasure_preview(p_user_id uuid)
returns table (full_name text, obstacles text[], shifts bigint, payslips bigint, incidents bigint)
language plpgsql stable security definer set search_path = '' as $$
declare
  person record;
begin
  perform private.require_admin();
  select * into person from private.person_of(p_user_id);
  if person.account is null and person.staff_record is null then
    raise exception 'There is no such person.' using errcode = 'PT404';
  end if;
  return query
  select
    coalesce(
      (select nullif(p.full_name, '') from public.profiles p where p.id = person.account),
      (select s.full_name from public.staff s where s.id = person.staff_record),
      (select coalesce(p.email, p.phone) from public.profiles p where p.id = person.account), ''),
    private.erasure_obstacles(person.account, person.staff_record),
    (select count(*) from public.attendance r where r.user_id = person.account),
    (select count(*) from public.payslips s where s.staff_id = person.staff_record)
      + (select count(*) from public.payroll y where y.staff_id = person.staff_record),
    (select count(*) from public.incidents i where i.raised_by_user_id = person.account);
end
$$;
revoke all on function public.erasure_preview from public, anon;
grant execute on function public.erasure_preview to authenticated;
revoke all on function public.erasure_changes from public, anon;
grant execute on function public.erasure_changes to authenticated;
revoke all on all functions in schema private from public;
