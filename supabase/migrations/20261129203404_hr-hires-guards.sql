create or replace FUNCTION private.hire(entry jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person_name text := nullif(trim(entry ->> 'full_name'), '');
  address text := nullif(lower(trim(entry ->> 'email')), '');
  number_written text := nullif(trim(entry ->> 'phone'), '');
  number text := private.e164(number_written);
  wanted_role text := coalesce(nullif(entry ->> 'role', ''), 'guard');
  existing uuid := (entry ->> 'staff_id')::uuid;
  certificates jsonb := coalesce(nullif(entry -> 'certificates', 'null'), '[]');
  has_pay constant boolean := private.has_role('admin');
  person uuid;
begin
  if not has_pay and (wanted_role <> 'guard' or existing is not null or entry ->> 'salary_amount' is not null) then
    raise exception 'HR hires guards, without pay: finance adds it.' using errcode = 'insufficient_privilege';
  end if;
  if person_name is null then
    raise exception 'Full name is required' using errcode = 'check_violation';
  end if;
  if char_length(person_name) > 100 then
    raise exception 'Full name must be at most 100 characters' using errcode = 'check_violation';
  end if;
  if address is null and number_written is null then
    raise exception 'Enter a phone number or an email address' using errcode = 'check_violation';
  end if;
  if number_written is not null and number is null then
    raise exception 'Invalid phone number' using errcode = 'check_violation';
  end if;
  if address !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' or char_length(address) > 255 then
    raise exception 'Invalid email' using errcode = 'check_violation';
  end if;
  if jsonb_typeof(certificates) <> 'array' or jsonb_array_length(certificates) > 50 then
    raise exception 'Send at most 50 certificates as an array.' using errcode = 'invalid_parameter_value';
  end if;
  person := private.create_account(person_name, address, ltrim(number, '+'));
  update public.profiles p set home_area = entry ->> 'home_area'
  where p.id = person and entry ->> 'home_area' is not null;
  insert into public.user_roles (user_id, role, site_id)
  values (person, wanted_role, case when wanted_role = 'supervisor' then (entry ->> 'site_id')::uuid end);
  if existing is not null then
    update public.staff s set
      user_id = person, email = coalesce(s.email, address), phone = coalesce(s.phone, number)
    where s.id = existing and s.user_id is null;
    if not found then
      raise exception 'This staff record has an account already, or no longer exists.' using errcode = 'PT409';
    end if;
  elsif has_pay then
    insert into public.staff (full_name, email, phone, role, hire_date, salary_amount, payment_frequency, user_id)
    values (
      person_name, address, number, case when wanted_role = 'guard' then 'guard' else 'admin' end,
      coalesce((entry ->> 'hire_date')::date, private.company_date()), (entry ->> 'salary_amount')::numeric,
      coalesce(nullif(entry ->> 'payment_frequency', ''), 'monthly'), person
    );
  end if;
  insert into public.certifications (user_id, course_id, certificate_number, issued_at, expires_at)
  select person, c.course_id, c.certificate_number, c.issued_at, c.expires_at
  from jsonb_to_recordset(certificates)
    as c (course_id uuid, certificate_number text, issued_at timestamptz, expires_at timestamptz);
  return person;
end
$function$;

create or replace FUNCTION public.create_start_code(p_user_id uuid)
 RETURNS TABLE(code text, expires_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_people_manager(p_user_id);
  if p_user_id = auth.uid() then
    raise exception 'Change your own password on the Account screen.' using errcode = 'PT409';
  end if;
  perform from auth.users u where u.id = p_user_id and u.deleted_at is null;
  if not found then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  if exists (select from auth.users u where u.id = p_user_id and u.banned_until > now()) then
    raise exception 'This account is disabled. Enable it first.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.id = p_user_id and u.is_sso_user) then
    raise exception 'This person signs in with their company, so there is no password here.' using errcode = 'PT409';
  end if;
  return query select * from private.issue_start_code(p_user_id);
end
$function$;

create or replace FUNCTION public.set_account_disabled(user_id uuid, disabled boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  if disabled is null then
    raise exception 'Send whether the account is disabled.' using errcode = 'not_null_violation';
  end if;
  perform private.set_disabled(user_id, disabled);
end
$function$;

create or replace FUNCTION public.end_employment(p_user_id uuid, p_last_day date, p_reason text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_people_manager(p_user_id);
  if p_last_day is null or not p_last_day between '2000-01-01' and private.company_date() then
    raise exception 'The last day is today or earlier.' using errcode = 'check_violation';
  end if;
  if char_length(p_reason) > 1000 then
    raise exception 'Reason must be at most 1000 characters' using errcode = 'check_violation';
  end if;
  -- Sessions, access tokens and the last admin; refuses the caller's own account.
  perform private.set_disabled(p_user_id, true);
  delete from public.user_roles r where r.user_id = p_user_id;
  delete from private.start_codes c where c.user_id = p_user_id;
  update public.assignments a set status = 'cancelled'
  where a.user_id = p_user_id and a.status in ('assigned', 'confirmed')
    and a.attendance_state = 'none' and upper(a.period) > now();
  update public.leave_requests l set status = 'rejected', decision_note = 'Employment ended'
  where l.user_id = p_user_id and l.status = 'pending';
  update public.profiles p set left_on = p_last_day where p.id = p_user_id;
  update public.staff s set status = 'inactive', end_date = p_last_day, end_reason = nullif(trim(p_reason), '')
  where s.user_id = p_user_id;
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
  perform private.require_people_manager();
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

create or replace FUNCTION public.employment_ties(p_user_id uuid)
 RETURNS TABLE(shifts integer, next_shift timestamp with time zone, on_post boolean, roles integer, sessions integer, leave integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_people_manager(p_user_id);
  return query select
    (select count(*)::integer from public.assignments a
      where a.user_id = p_user_id and a.status in ('assigned', 'confirmed')
        and a.attendance_state = 'none' and upper(a.period) > now()),
    (select min(a.starts_at) from public.assignments a
      where a.user_id = p_user_id and a.status in ('assigned', 'confirmed')
        and a.attendance_state = 'none' and upper(a.period) > now()),
    exists (select from public.assignments a where a.user_id = p_user_id and a.attendance_state = 'in'
      and upper(a.period) > now() - interval '1 day'),
    (select count(*)::integer from public.user_roles r where r.user_id = p_user_id),
    (select count(*)::integer from auth.sessions s
      where s.user_id = p_user_id and (s.not_after is null or s.not_after > now())),
    (select count(*)::integer from public.leave_requests l where l.user_id = p_user_id and l.status = 'pending');
end
$function$;

create or replace FUNCTION public.edit_person(p_user_id uuid, p_full_name text, p_email text DEFAULT NULL::text, p_phone text DEFAULT NULL::text, p_home_area text DEFAULT NULL::text, p_reach jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person_name text := nullif(trim(left(p_full_name, 300)), '');
  address text := nullif(lower(trim(left(p_email, 300))), '');
  number text := ltrim(private.e164(p_phone), '+');
  before auth.users;
begin
  perform private.require_people_manager(p_user_id);
  select * into before from auth.users u where u.id = p_user_id and u.deleted_at is null for update;
  if not found then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  if person_name is null then
    raise exception 'Full name is required' using errcode = 'check_violation';
  end if;
  if nullif(trim(left(p_phone, 100)), '') is not null and number is null then
    raise exception 'Invalid phone number' using errcode = 'check_violation';
  end if;
  if address !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' or char_length(address) > 255 then
    raise exception 'Invalid email' using errcode = 'check_violation';
  end if;
  if address is null and number is null then
    raise exception 'Enter a phone number or an email address' using errcode = 'check_violation';
  end if;
  if before.is_sso_user and address is distinct from before.email then
    raise exception 'This address comes from the company''s own sign-in.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.email = address and not u.is_sso_user and u.id <> p_user_id) then
    raise exception 'There is already an account with this email address.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.phone = number and u.id <> p_user_id) then
    raise exception 'There is already an account with this phone number.' using errcode = 'PT409';
  end if;
  update auth.users u set
    email = address, phone = number, updated_at = now(),
    email_confirmed_at = case when address is not distinct from u.email then u.email_confirmed_at
      when address is not null then now() end,
    phone_confirmed_at = case when number is not distinct from u.phone then u.phone_confirmed_at
      when number is not null then now() end
  where u.id = p_user_id and (u.email is distinct from address or u.phone is distinct from number);
  delete from auth.identities i where i.user_id = p_user_id
    and (i.provider = 'email' and address is null or i.provider = 'phone' and number is null);
  insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
  select p_user_id::text, p_user_id, jsonb_build_object('sub', p_user_id) || given.facts, given.provider, now(), now()
  from (values
    ('email', address, jsonb_build_object('email', address, 'email_verified', true)),
    ('phone', number, jsonb_build_object('phone', number, 'phone_verified', true))
  ) given (provider, value, facts)
  where given.value is not null and not before.is_sso_user
  on conflict (provider_id, provider) do update
    set identity_data = auth.identities.identity_data || excluded.identity_data, updated_at = now();
  update public.profiles p set full_name = person_name, home_area = p_home_area where p.id = p_user_id;
  if p_reach is not null then
    if not private.is_position(nullif(p_reach ->> 'home_position', '')) then
      raise exception 'Home position must be a latitude and a longitude, such as 6.3005,-10.7969'
        using errcode = 'check_violation';
    end if;
    update public.profiles p set
      home_region = nullif(p_reach ->> 'home_region', ''), home_position = nullif(p_reach ->> 'home_position', ''),
      max_distance_km = (p_reach ->> 'max_distance_km')::integer
    where p.id = p_user_id;
  end if;
  update public.staff s set full_name = person_name, email = address, phone = '+' || number
  where s.user_id = p_user_id;
  if (before.email, before.phone) is distinct from (address, number) then
    perform private.record_security_event('addresses_changed_by_admin', p_user_id, '{}');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_people_manager(p_person uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.has_role('admin') then
    return;
  end if;
  if not private.has_role('hr') then
    raise exception 'Only admins and HR may do this.' using errcode = 'insufficient_privilege';
  end if;
  if p_person = auth.uid()
    or exists (select from public.user_roles r where r.user_id = p_person and r.role <> 'guard')
    or exists (select from private.client_accounts c where c.user_id = p_person)
  then
    raise exception 'Only admins may do this for people who work in the office, and for contacts of clients.'
      using errcode = 'insufficient_privilege';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.set_disabled(target uuid, disabled boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if disabled and target = auth.uid() then
    raise exception 'You can''t disable your own account.' using errcode = 'PT409';
  end if;
  -- A date, because other readers of this table can't parse infinity.
  update auth.users u set
    banned_until = case when disabled then now() + interval '100 years' end,
    updated_at = now()
  where u.id = target and u.deleted_at is null;
  if not found then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  if disabled then
    delete from auth.sessions s where s.user_id = target;
  end if;
  perform private.record_security_event(case when disabled then 'user_disabled' else 'user_enabled' end, target, '{}');
end
$function$;

CREATE OR REPLACE FUNCTION public.people_without_pay()
 RETURNS TABLE(id uuid, full_name text, since timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.has_role('admin', 'finance') then
    raise exception 'Only admins and finance may do this.' using errcode = 'insufficient_privilege';
  end if;
  return query
  select p.id, private.name_of_person(p.id), p.created_at from public.profiles p
  where p.left_on is null and exists (select from public.user_roles r where r.user_id = p.id)
    and not exists (select from public.staff s where s.user_id = p.id)
  order by p.created_at, p.id
  limit 100;
end
$function$;

grant execute on function public.people_without_pay() to authenticated;
