create table private.hire_days (
  user_id uuid primary key references public.profiles on delete cascade,
  hired_on date not null check (hired_on between '1950-01-01' and '2100-01-01')
);
alter table private.hire_days enable row level security;

create or replace function private.hire(entry jsonb) returns uuid
language plpgsql security definer set search_path = '' as $$
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
  else
    insert into private.hire_days (user_id, hired_on)
    values (person, coalesce((entry ->> 'hire_date')::date, private.company_date()));
  end if;
  insert into public.certifications (user_id, course_id, certificate_number, issued_at, expires_at)
  select person, c.course_id, c.certificate_number, c.issued_at, c.expires_at
  from jsonb_to_recordset(certificates)
    as c (course_id uuid, certificate_number text, issued_at timestamptz, expires_at timestamptz);
  return person;
end
$$;

create or replace function public.hired_on(p_user_id uuid default auth.uid()) returns date
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (p_user_id is not distinct from auth.uid() and private.is_member()
    or private.has_role('admin', 'ops_manager', 'hr', 'finance'))
  then
    raise exception 'You can see only your own day of hire.' using errcode = 'insufficient_privilege';
  end if;
  return coalesce(
    (select s.hire_date from public.staff s where s.user_id = p_user_id),
    (select h.hired_on from private.hire_days h where h.user_id = p_user_id)
  );
end
$$;

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": [], "newest": "r.hired_on", "target": "private.hire_days", "belongs": "r.user_id = $1", "blanked": [], "withheld": [], "is_shared": false, "on_erasure": "delete"}');
