-- Erasing one person while the books stay whole: what is only about them goes at once (private.personal_data), then their
-- name, addresses and numbers are replaced in every text of the database, in small steps of the servers' job.
create table private.erasures (
  id uuid primary key default gen_random_uuid(),
  number integer generated always as identity,
  kind text not null check (kind in ('person', 'contact', 'enquiry')),
  -- What replaces the name and the email address.
  alias text not null,
  alias_email text not null,
  account uuid,
  -- Regular expressions of what is replaced; null once that is done. An ambiguous name is replaced only in rows that
  -- contain one of `linked`.
  name_pattern text,
  email_pattern text,
  number_pattern text,
  linked text,
  -- Two passes: a row that changes during the first may move to a page that it has left behind.
  pass integer not null default 1,
  at_table text not null default '',
  at_page bigint not null default 0,
  skipped text[] not null default '{}',
  made_by uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index erasures_open_idx on private.erasures (number) where finished_at is null;
alter table private.erasures enable row level security;
revoke all on private.erasures from public, anon, authenticated, service_role;

create function private.escape_pattern(written text) returns text
language sql immutable strict set search_path = ''
return regexp_replace(written, '([^[:alnum:] ])', '\\\1', 'g');

-- A name with any spaces between its words.
create function private.name_pattern(written text) returns text
language sql immutable strict set search_path = ''
return case when char_length(btrim(written)) >= 2 then
  '(?<![[:alnum:]])(?:' || concat_ws('|',
    regexp_replace(private.escape_pattern(btrim(written)), '\s+', '\\s+', 'g'),
    -- As JSON writes it.
    nullif(regexp_replace(private.escape_pattern(btrim(to_json(btrim(written))::text, '"')), '\s+', '\\s+', 'g'),
      regexp_replace(private.escape_pattern(btrim(written)), '\s+', '\\s+', 'g'))
  ) || ')(?![[:alnum:]])'
end;

create function private.email_pattern(written text) returns text
language sql immutable strict set search_path = ''
return case when written like '_%@_%' then
  '(?<![[:alnum:]._%+-])' || private.escape_pattern(btrim(written)) || '(?![[:alnum:]-])' end;

-- A telephone number in any notation, with or without the country, or the number of an account.
create function private.number_pattern(written text) returns text
language sql immutable strict set search_path = ''
return case
  when regexp_replace(written, '\D', '', 'g') ~ '^231\d{7,9}$' then
    '(?<![[:alnum:]-])(?:(?:\+|00)?231[ .()/-]*)?0?'
      || regexp_replace(substr(regexp_replace(written, '\D', '', 'g'), 4), '(\d)(?=\d)', '\1[ .()/-]*', 'g') || '(?![[:alnum:]])'
  when written ~ '^[+0-9 ().-]+$' and char_length(regexp_replace(written, '\D', '', 'g')) >= 7 then
    '(?<![[:alnum:]-])(?:\+|00)?'
      || regexp_replace(ltrim(regexp_replace(written, '\D', '', 'g'), '0'), '^', '0*') || '(?![[:alnum:]])'
  when char_length(written) >= 6 then
    '(?<![[:alnum:]-])' || private.escape_pattern(btrim(written)) || '(?![[:alnum:]])'
end;

-- Whether a name may mean another person in a text: it is one word, or others have it, or one that contains it.
create function private.is_ambiguous(p_name text, p_account uuid, p_staff uuid, p_contacts uuid[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(p_name !~ '\S\s+\S', false)
    or exists (
      select from public.profiles p
      where p.full_name ~* private.name_pattern(p_name) and p.id is distinct from p_account
    ) or exists (
      select from public.staff s
      where s.full_name ~* private.name_pattern(p_name) and s.id is distinct from p_staff
        and (p_account is null or s.user_id is distinct from p_account)
    ) or exists (
      select from public.client_contacts c
      where c.full_name ~* private.name_pattern(p_name) and c.id <> all (coalesce(p_contacts, '{}'))
        and (p_account is null or c.user_id is distinct from p_account)
    );
$$;

-- Removes rows or columns without triggers, together with their copies in the activity log.
create function private.erase_part(part private.personal_data, p_account uuid, p_staff uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  keys text[] := '{}';
  has_id boolean;
begin
  if to_regclass(part.target) is null or part.on_erasure = 'keep' then
    return;
  end if;
  if part.target ~ '^(auth|storage)\.' then
    perform set_config('storage.allow_delete_query', 'true', true);
    execute format('delete from %s r where %s', part.target, part.belongs) using p_account, p_staff;
    return;
  end if;
  has_id := exists (
    select from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(part.target) and a.attname = 'id' and a.atttypid = 'uuid'::regtype
  );
  if has_id then
    execute format('select array(select r.id::text from %s r where %s)', part.target, part.belongs)
      into keys using p_account, p_staff;
  end if;
  set local session_replication_role = replica;
  if part.on_erasure = 'delete' then
    execute format('delete from %s r where %s', part.target, part.belongs) using p_account, p_staff;
    update public.audit_log a set
      old_values = case when a.old_values is not null then '{}'::jsonb end,
      new_values = case when a.new_values is not null then '{}'::jsonb end
    where a.row_id = any (keys::uuid[]) and a.table_name = split_part(part.target, '.', 2);
  else
    execute format('update %s r set %s where %s', part.target,
      private.blanking(part.target, part.blanked), part.belongs)
      using p_account, p_staff;
    update public.audit_log a set old_values = a.old_values - part.blanked, new_values = a.new_values - part.blanked
    where a.row_id = any (keys::uuid[]) and a.table_name = split_part(part.target, '.', 2);
  end if;
  set local session_replication_role = origin;
end
$$;

-- Empties an account for good: nobody signs in with it again, and the rows that point to it stay.
create function private.erase_account(p_account uuid, p_alias text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  set local session_replication_role = replica;
  update auth.users u set
    email = null, phone = null, encrypted_password = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}',
    confirmation_token = '', recovery_token = '', email_change = '', email_change_token_new = '',
    email_change_token_current = '', phone_change = '', phone_change_token = '', reauthentication_token = '',
    email_confirmed_at = null, phone_confirmed_at = null, last_sign_in_at = null, is_sso_user = false,
    banned_until = now() + interval '100 years', deleted_at = coalesce(u.deleted_at, now()), updated_at = now()
  where u.id = p_account;
  update public.profiles p set full_name = p_alias, updated_at = now() where p.id = p_account;
  update public.deployments d set guard_name = p_alias where d.guard_id = p_account;
  update public.audit_log a set
    old_values = a.old_values - '{full_name,name,guard_name}'::text[],
    new_values = a.new_values - '{full_name,name,guard_name}'::text[]
  where a.row_id = p_account and a.table_name in ('profiles', 'documents');
  update auth.audit_log_entries e set ip_address = '' where e.payload ->> 'actor_id' = p_account::text;
  set local session_replication_role = origin;
end
$$;

-- Everything that is only about a person, and their account. Either id may be null. Files first: where they are is in the rows.
create function private.erase_parts(p_account uuid, p_staff uuid, p_alias text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  part private.personal_data;
begin
  for part in select * from private.personal_data p order by p.target !~ '^storage', p.target loop
    perform private.erase_part(part, p_account, p_staff);
  end loop;
  if p_account is not null then
    perform private.erase_account(p_account, p_alias);
  end if;
end
$$;

-- What keeps a person from being erased now, as sentences.
create function private.erasure_obstacles(p_account uuid, p_staff uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select array_remove(array[
    case when exists (select from public.profiles p where p.id = p_account and p.left_on is null)
      or exists (select from public.staff s where s.id = p_staff and s.status <> 'inactive')
      then 'The employment has not ended.' end,
    case when p_account = auth.uid() then 'Nobody erases themselves.' end,
    case when exists (
      select from public.timesheets t
      where t.user_id = p_account and t.status <> 'locked' and t.period_end > private.company_date() - 365
        and t.regular_minutes + t.overtime_1_minutes + t.overtime_2_minutes + t.night_minutes + t.holiday_minutes
          + t.leave_paid_minutes > 0
    ) then 'Hours of the last year are not locked by a pay run.' end,
    case when exists (
      select from public.timesheet_disputes d join public.timesheets t on t.id = d.timesheet_id
      where t.user_id = p_account and d.status = 'open'
    ) then 'A dispute about hours is open.' end,
    case when exists (select from public.pay_adjustments a where a.user_id = p_account and a.status = 'to_decide')
      then 'An adjustment of pay waits for a decision.' end,
    case when exists (select from public.payments p where p.staff_id = p_staff and p.status in ('to_pay', 'in_file'))
      or exists (
        select from public.payslips s join public.pay_runs r on r.id = s.pay_run_id
        where s.staff_id = p_staff and r.status not in ('locked', 'paid', 'void')
      ) then 'Pay is not settled.' end,
    case when exists (
      select from public.staff_ledger l
      where l.staff_id = p_staff and l.entry = 'issue' and private.ledger_balance(l.id) > 0
    ) then 'An advance or loan is not repaid or written off.' end,
    case when exists (
      select from public.incidents i
      where (i.raised_by_user_id = p_account or i.owner_id = p_account) and i.status in ('open', 'investigating')
    ) then 'An incident that they reported or own is open.' end
  ], null);
$$;

-- What erasing would remove and what stays, for the question before it.
create function public.erasure_preview(p_user_id uuid)
returns table (
  full_name text, obstacles text[], is_ambiguous boolean, documents bigint, positions bigint, pictures bigint,
  notices bigint, messages bigint, certificates bigint, shifts bigint, payslips bigint, incidents bigint
)
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
  select known.name, private.erasure_obstacles(person.account, person.staff_record),
    private.is_ambiguous(known.name, person.account, person.staff_record, '{}'),
    (select count(*) from storage.objects o where o.bucket_id = 'people' and private.record_of_file(o.name) = person.account),
    (select count(*) from public.clock_events e where e.user_id = person.account and e.gps is not null)
      + (select count(*) from public.checkpoint_scans e where e.user_id = person.account and e.gps is not null),
    (select count(*) from private.clock_photos f where f.user_id = person.account),
    (select count(*) from public.notices n where n.user_id = person.account),
    (select count(*) from public.inbound_messages m where m.user_id = person.account),
    (select count(*) from public.certifications c where c.user_id = person.account),
    (select count(*) from public.attendance r where r.user_id = person.account),
    (select count(*) from public.payslips s where s.staff_id = person.staff_record)
      + (select count(*) from public.payroll y where y.staff_id = person.staff_record),
    (select count(*) from public.incidents i where i.raised_by_user_id = person.account)
  from (
    select coalesce(
      (select nullif(p.full_name, '') from public.profiles p where p.id = person.account),
      (select s.full_name from public.staff s where s.id = person.staff_record),
      (select coalesce(p.email, p.phone) from public.profiles p where p.id = person.account), '') as name
  ) known;
end
$$;

-- Stores what the job replaces from now on.
create function private.begin_erasure(
  p_kind text, p_account uuid, p_words text, p_names text[], p_emails text[], p_numbers text[], p_linked uuid[],
  p_is_ambiguous boolean
) returns private.erasures
language plpgsql security definer set search_path = '' as $$
declare
  begun private.erasures;
begin
  insert into private.erasures (kind, account, alias, alias_email, made_by) values (p_kind, p_account, '', '', auth.uid())
  returning * into begun;
  update private.erasures e set
    alias = p_words || ' ' || lpad(begun.number::text, 4, '0'),
    alias_email = 'erased-' || lpad(begun.number::text, 4, '0') || '@erased.invalid',
    name_pattern = (select string_agg(private.name_pattern(n), '|') from (select distinct n from unnest(p_names) n) u),
    email_pattern = (select string_agg(private.email_pattern(n), '|') from (select distinct n from unnest(p_emails) n) u),
    number_pattern = (select string_agg(private.number_pattern(n), '|') from (select distinct n from unnest(p_numbers) n) u),
    linked = case when p_is_ambiguous then array_to_string(p_linked, '|', null) end
  where e.id = begun.id returning * into begun;
  return begun;
end
$$;

create function private.require_typed_name(p_typed text, p_name text) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_typed is null or lower(btrim(left(p_typed, 300))) is distinct from lower(btrim(p_name)) then
    raise exception 'Type the name exactly as it is shown.' using errcode = 'check_violation';
  end if;
end
$$;

-- Erases a person whose employment has ended. It can't be undone. @returns the name that replaces theirs
create function public.erase_person(p_user_id uuid, p_name text) returns text
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
  begun := private.begin_erasure('person', person.account,
    case when coalesce(record.role, 'guard') = 'guard' then 'Former guard' else 'Former employee' end,
    array[known.full_name, record.full_name],
    array[known.email, record.email] || array(select u.email::text from auth.users u where u.id = person.account),
    array[known.phone, record.phone] || array(select u.phone from auth.users u where u.id = person.account)
      || array(select a.account_number from public.pay_accounts a where a.staff_id = person.staff_record)
      || array(select p.account_number from public.payments p where p.staff_id = person.staff_record),
    array[person.account, person.staff_record],
    exists (
      select from unnest(array[known.full_name, record.full_name]) n
      where private.is_ambiguous(n, person.account, person.staff_record, '{}')
    ));
  perform private.erase_parts(person.account, person.staff_record, begun.alias);
  set local session_replication_role = replica;
  update public.staff s set full_name = begun.alias, updated_at = now() where s.id = person.staff_record;
  update public.payments p set
    account_name = case when p.account_name is not null then begun.alias end,
    account_number = case when p.account_number is not null then 'erased' end
  where p.staff_id = person.staff_record;
  update public.audit_log a set old_values = a.old_values - 'full_name', new_values = a.new_values - 'full_name'
  where a.row_id = person.staff_record and a.table_name = 'staff';
  set local session_replication_role = origin;
  perform private.record_security_event('person_erased', coalesce(person.account, person.staff_record), '{}');
  return begun.alias;
end
$$;

-- Erases a contact of a client with their access, at every client that they are a contact of; their messages stay until
-- their own period is over. @returns the name that replaces theirs
create function public.erase_contact(p_contact_id uuid, p_name text) returns text
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
  perform private.require_typed_name(p_name, known.full_name);
  contacts := array(select c.id from public.client_contacts c where c.id = known.id or c.email = known.email or c.user_id = known.user_id);
  begun := private.begin_erasure('contact', known.user_id, 'Former contact',
    array(select c.full_name from public.client_contacts c where c.id = any (contacts)), array[known.email],
    array(select c.phone from public.client_contacts c where c.id = any (contacts)), contacts || known.user_id,
    private.is_ambiguous(known.full_name, known.user_id, null, contacts));
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
  set local session_replication_role = origin;
  perform private.record_security_event('person_erased', coalesce(known.user_id, known.id), '{}');
  return begun.alias;
end
$$;

-- Erases the sender of an enquiry with all their enquiries.
create function public.erase_enquirer(p_enquiry_id uuid, p_name text) returns integer
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
  perform private.begin_erasure('enquiry', null, 'Former enquirer', array[known.name],
    -- An address of staff or of a contact is theirs.
    case when not exists (select from public.profiles p where lower(p.email) = lower(known.email))
      and not exists (select from public.client_contacts c where c.email = lower(known.email)) then array[known.email] end,
    '{}', enquiries, private.is_ambiguous(known.name, null, null, '{}'));
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

revoke all on all functions in schema private from public;
revoke all on function public.erasure_preview, public.erase_person, public.erase_contact, public.erase_enquirer
from public, anon;
grant execute on function public.erasure_preview, public.erase_person, public.erase_contact, public.erase_enquirer
to authenticated;
