-- Staff records, documents and photos of people, duplicates, certifications and courses.

-- ── Tables ────────────────────────────────────────────────────────────

-- Training courses, and how long a certificate of each is valid.
create table public.training_courses (
  id uuid default gen_random_uuid() primary key,
  title text not null check (char_length(title) <= 200),
  description text check (char_length(description) <= 5000),
  -- How long a certificate is valid; the form suggests the expiry from it.
  validity_months integer check (validity_months between 1 and 600),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index training_courses_title_key on public.training_courses (lower(title));
alter publication supabase_realtime add table public.training_courses;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.training_courses', 'title', 'description');
create trigger c_in_use before delete on public.training_courses
  for each row execute function private.refuse_while_used(
    'certifications', 'course_id', 'Certificates of this course exist, so it can''t be deleted.',
    'post_courses', 'course_id', 'Posts need this course, so it can''t be deleted.');
create trigger d_touch before update on public.training_courses for each row execute function private.touch();
select private.keep_history_of('public.training_courses');
alter table public.training_courses enable row level security;
grant select, insert, update, delete on public.training_courses to authenticated;
create policy "Members read training courses" on public.training_courses
  for select to authenticated using ((select private.is_member()));
create policy "People managers add training courses" on public.training_courses
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers change training courses" on public.training_courses
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'hr')))
  with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers delete training courses" on public.training_courses
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));

create table public.certifications (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references public.profiles on delete cascade,
  course_id uuid not null references public.training_courses,
  certificate_number text check (char_length(certificate_number) <= 100),
  issued_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint certifications_expire_after_issue check (expires_at > issued_at)
);
create index certifications_expires_at_idx on public.certifications (expires_at);
create index certifications_user_id_idx on public.certifications (user_id, expires_at desc);
create index certifications_course_id_idx on public.certifications (course_id);
alter table public.certifications replica identity full;
alter publication supabase_realtime add table public.certifications;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.certifications', 'certificate_number');
create trigger d_touch before update on public.certifications for each row execute function private.touch();
select private.keep_history_of('public.certifications');
alter table public.certifications enable row level security;
grant select, insert, update, delete on public.certifications to authenticated;
create policy "Overseers and HR read certifications" on public.certifications
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'hr')));
create policy "Guards read their own certifications" on public.certifications
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "People managers add certifications" on public.certifications
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers change certifications" on public.certifications
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'hr')))
  with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers delete certifications" on public.certifications
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));

-- Staff records: admins only, apart from the day of hire.
create table public.staff (
  id uuid default gen_random_uuid() primary key,
  full_name text not null check (char_length(full_name) <= 100),
  email text check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  phone text check (char_length(phone) <= 20),
  role text not null default 'guard' check (role in ('admin', 'guard')),
  hire_date date not null default private.company_date(),
  salary_amount numeric(14,2) not null check (salary_amount between 0 and 999999999999.99),
  payment_frequency text not null default 'monthly' check (payment_frequency in ('weekly', 'bi-weekly', 'monthly')),
  status text not null default 'active' check (status in ('active', 'inactive')),
  user_id uuid references public.profiles on delete set null, -- Links pay to attendance.
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  end_date date check (end_date between '2000-01-01' and '2100-01-01'),
  end_reason text check (char_length(end_reason) <= 1000),
  -- What salary_amount means: per payment, per hour or per shift.
  pay_basis text not null default 'salary' check (pay_basis in ('salary', 'hourly', 'shift')),
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  tax_resident boolean not null default true, -- Others pay a flat income tax.
  is_separate boolean not null default false,
  tin text check (char_length(tin) <= 40), -- Tax identification number.
  nasscorp_number text check (char_length(nasscorp_number) <= 40)
);
comment on column public.staff.is_separate is 'Somebody decided that this is another person than those with the same '
  'email or phone.';
create unique index staff_one_record_per_account on public.staff (user_id) where user_id is not null;
create index staff_created_at_idx on public.staff (created_at desc);
create index staff_status_idx on public.staff (status, full_name);
create index staff_created_by_idx on public.staff (created_by);
create index staff_search_idx on public.staff using gin (
  private.folded(full_name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')) extensions.gin_trgm_ops
) with (fastupdate = off);
-- Unique for writers at the same time; the trigger has the sentence.
create unique index staff_one_per_email on public.staff (lower(email)) where status = 'active' and not is_separate;
create unique index staff_one_per_phone on public.staff (private.e164(phone))
  where status = 'active' and not is_separate;
create unique index staff_one_per_tin on public.staff (tin) where status = 'active';
create unique index staff_one_per_nasscorp_number on public.staff (nasscorp_number) where status = 'active';
create index staff_email_idx on public.staff (lower(email));
create index staff_phone_idx on public.staff (private.e164(phone));
create index staff_name_idx on public.staff (lower(full_name));
alter publication supabase_realtime add table public.staff;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.staff', 'full_name', 'email', 'phone', 'tin', 'nasscorp_number');
create trigger b_author before insert or update on public.staff for each row execute function private.stamp_author();
create trigger c_duplicate_of_changes before update on public.staff
  for each row when ((new.email is not null or new.phone is not null)
      and (old.email, old.phone, old.status, old.is_separate) is distinct
      from (new.email, new.phone, new.status, new.is_separate))
  execute function private.refuse_duplicate_staff();
create trigger c_duplicate_of_new before insert on public.staff
  for each row when (new.email is not null or new.phone is not null) execute function private.refuse_duplicate_staff();
create trigger c_in_use before delete on public.staff
  for each row execute function private.refuse_while_used(
    'staff_ledger', 'staff_id',
      'This staff member has a ledger, so the record can''t be deleted. Set the status to inactive instead.',
    'payroll', 'staff_id',
      'This staff member has payroll records, so the record can''t be deleted. Set the status to inactive instead.',
    'payslips', 'staff_id',
      'This staff member has payslips, so the record can''t be deleted. Set the status to inactive instead.');
create trigger c_tax_numbers before insert or update on public.staff
  for each row when (new.tin is not null or new.nasscorp_number is not null)
  execute function private.check_tax_numbers('tin', 'tin', 'nasscorp_number', 'nasscorp_person');
create trigger d_touch before update on public.staff for each row execute function private.touch();
create trigger profile_follows_new_staff after insert on public.staff
  for each row when (new.user_id is not null and new.phone is not null) execute function private.follow_staff_phone();
create trigger profile_follows_staff after update on public.staff
  for each row when ( new.user_id is not null and new.phone is not null and (old.phone, old.user_id) is distinct
      from (new.phone, new.user_id) )
  execute function private.follow_staff_phone();
create trigger z_basis_of_new_staff after insert on public.staff
  for each row execute function private.store_basis_of_staff();
create trigger z_basis_of_staff after update on public.staff
  for each row when ( (old.salary_amount, old.payment_frequency, old.pay_basis, old.currency) is distinct
      from (new.salary_amount, new.payment_frequency, new.pay_basis, new.currency) )
  execute function private.store_basis_of_staff();
create trigger z_pay_items_follow after update on public.staff
  for each row when ((old.hire_date, old.end_date) is distinct from (new.hire_date, new.end_date))
  execute function private.supersede_pay_items();
create trigger z_timesheets_follow after update on public.staff
  for each row when ( (old.user_id, old.hire_date, old.end_date, old.status) is distinct
      from (new.user_id, new.hire_date, new.end_date, new.status))
  execute function private.follow_employment();
select private.keep_history_of('public.staff');
create trigger refuse_contacts_on_insert after insert on public.staff referencing new table as new_rows
  for each statement execute function private.refuse_contacts();
create trigger refuse_contacts_on_update after update on public.staff referencing new table as new_rows
  for each statement execute function private.refuse_contacts();
alter table public.staff enable row level security;
grant select, insert, update, delete on public.staff to authenticated;
create policy "Admins and finance read staff" on public.staff for select to authenticated
  using ((select private.has_role('admin', 'finance')));
create policy "Admins and finance add staff" on public.staff for insert to authenticated
  with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance change staff" on public.staff for update to authenticated
  using ((select private.has_role('admin', 'finance'))) with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance delete staff" on public.staff for delete to authenticated
  using ((select private.has_role('admin', 'finance')));

-- The day of hire of those whom HR hired, until their pay record has it. Read by hired_on.
create table private.hire_days (
  user_id uuid primary key references public.profiles on delete cascade,
  hired_on date not null check (hired_on between '1950-01-01' and '2100-01-01')
);
alter table private.hire_days enable row level security;

-- Everybody of the company, with what a list of people shows. Records of pay without an account for those alone who
-- read pay. Its columns are facts that people managers may know; of pay, only whether there is a record.
create view public.people_list with (security_barrier = true) as
select
  p.id,
  coalesce(nullif(p.full_name, ''), p.email, '') as name,
  p.email,
  p.phone,
  p.photo_path,
  p.left_on,
  case
    when p.left_on < today.day then 'left'
    when p.left_on is not null then 'leaving'
    when p.must_change_password then 'invited'
    else 'active'
  end as state,
  coalesce(held.roles, '{}') as roles,
  held.sites as supervised_sites,
  next.starts_at as next_start,
  next.ends_at as next_end,
  next.site_name as next_site,
  next.timezone as next_timezone,
  array_remove(array[
    case when held.roles is null then 'role' end,
    case when p.phone is null then 'phone' end,
    case when p.photo_path is null then 'photo' end,
    case when p.home_region is null and p.home_position is null and held.roles @> '{guard}' then 'home' end,
    case when p.must_change_password then 'sign_in' end,
    case when not exists (select from public.staff s where s.user_id = p.id) then 'pay' end,
    case when exists (
      -- Only the newest certificate of each course counts.
      select from public.certifications c where c.user_id = p.id group by c.course_id having max(c.expires_at) <= now()
    ) then 'certificate' end
  ], null) as missing
from public.profiles p
cross join (select private.company_date() as day) today
left join lateral (
  select array_agg(distinct r.role order by r.role) as roles, string_agg(t.name, ', ' order by t.name) as sites
  from public.user_roles r
  left join public.sites t on t.id = r.site_id
  where r.user_id = p.id
) held on true
left join lateral (
  select a.starts_at, upper(a.period) as ends_at, t.name as site_name, t.timezone
  from public.assignments a
  join public.sites t on t.id = a.site_id
  where a.user_id = p.id and a.counts_as_staffed and a.attendance_state <> 'out' and upper(a.period) > now()
  order by a.starts_at
  limit 1
) next on true
where (select private.has_role('admin', 'ops_manager', 'hr'))
  and not exists (select from private.client_accounts c where c.user_id = p.id)
union all
select
  s.id, s.full_name, s.email, coalesce(private.e164(s.phone), s.phone), null, s.end_date,
  case
    when s.status = 'inactive' or s.end_date < today.day then 'left'
    when s.end_date is not null then 'leaving'
    else 'active'
  end,
  '{}'::text[], null, null, null, null, null,
  array_remove(array['account', case when s.phone is null then 'phone' end], null)
from public.staff s
cross join (select private.company_date() as day) today
where s.user_id is null and (select private.has_role('admin'));
select private.mark_never_null('public.people_list', 'id', 'name', 'roles');
comment on column public.people_list.state is 'Never null: active; invited: has not chosen a password yet; leaving: '
  'the last day is set; left: the last day is over';
comment on column public.people_list.next_start
  is 'Of the duty that runs or comes next, unless the guard has clocked out of it';
comment on column public.people_list.missing
  is 'Never null: what a complete record has and this one lacks, or only in an expired form';
revoke all on public.people_list from service_role;
grant select on public.people_list to authenticated;

-- ── Accounts and files of the services ────────────────────────────────

-- Documents of a person (contract, ID, police clearance): files in a folder with the person's id. People managers only.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('people', 'people', false, 10 * 1024 * 1024, array[
  'image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'application/pdf'
])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('photos', 'photos', false, 300 * 1024, array['image/jpeg', 'image/webp'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
create policy "People managers read documents of people" on storage.objects
  for select to authenticated using (bucket_id = 'people' and (select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers add documents of people" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'people' and (select private.has_role('admin', 'ops_manager', 'hr'))
    and exists (select from public.profiles p where p.id = private.record_of_file(objects.name))
  );
create policy "People managers remove documents of people" on storage.objects
  for delete to authenticated using (bucket_id = 'people' and (select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Readers of a person see the photo" on storage.objects
  for select to authenticated
  using (bucket_id = 'photos' and exists (select from public.profiles p where p.photo_path = objects.name));
create policy "People managers read photos of people" on storage.objects
  for select to authenticated using (bucket_id = 'photos' and (select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers add photos of people" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'photos' and (select private.has_role('admin', 'ops_manager', 'hr')));
-- First from the person, then the file, so that no person has a photo that is gone.
create policy "People managers remove photos that no person has" on storage.objects
  for delete to authenticated
  using (
    bucket_id = 'photos' and (select private.has_role('admin', 'ops_manager', 'hr'))
    and not exists (select from public.profiles p where p.photo_path = objects.name)
  );

-- ── Functions ─────────────────────────────────────────────────────────

-- Until then it is the number of the staff record.
create function private.follow_staff_phone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles p set phone = private.e164(new.phone)
  where p.id = new.user_id and private.e164(new.phone) is not null
    and p.phone is distinct from private.e164(new.phone)
    and exists (select from auth.users u where u.id = p.id and coalesce(u.phone, '') = '');
  return null;
end
$$;

create function private.refuse_duplicate_staff()
returns trigger
-- Without the setting, an import that begins with few
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
declare
  other public.staff;
begin
  if new.status <> 'active' or new.is_separate or not (auth.uid() is null or private.has_role('admin', 'finance')) then
    return new;
  end if;
  -- `offset` keeps the status out of the choice of an index: one of all active staff would be read for every row.
  select * into other from (
    (select s.* from public.staff s where lower(s.email) = lower(new.email) offset 0)
    union all
    (select s.* from public.staff s where private.e164(s.phone) = private.e164(new.phone) offset 0)
  ) s
  where s.id <> new.id and s.status = 'active' order by s.created_at, s.id limit 1;
  if found then
    raise exception '% is on the staff with the same %. Change that record, or say that this is another person.',
      other.full_name,
      case when lower(other.email) = lower(new.email) then 'email' else 'phone number' end
      using errcode = 'unique_violation', constraint = 'staff_one_per_email', detail = other.id::text;
  end if;
  return new;
end
$$;

-- Per course, how many certifications are in which state, of those that the caller may read.
create function public.certification_totals()
returns table ( course_id uuid, valid integer, expiring integer, expired integer )
language sql stable set search_path = '' as $$
  select
    c.course_id,
    (count(*) filter (where public.validity(c) = 'valid'))::integer,
    (count(*) filter (where public.validity(c) = 'expiring'))::integer,
    (count(*) filter (where public.validity(c) = 'expired'))::integer
  from public.certifications c group by c.course_id;
$$;
grant execute on function public.certification_totals to authenticated;

-- Changes a person's name, addresses and home area, in the account, the profile and the staff record at once. The
-- addresses are also what the person signs in with. An empty text removes a value; an account keeps one address.
-- Keys of p_reach: home_region, home_position, max_distance_km; without it they stay.
create function public.edit_person(
  p_user_id uuid, p_full_name text, p_email text default null, p_phone text default null, p_home_area text default null,
  p_reach jsonb default null
) returns void
language plpgsql security definer set search_path = '' as $$
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
$$;
grant execute on function public.edit_person to authenticated;

-- Ends an employment: no access from now on, no roles, no shifts to come. Records of work, pay and training stay.
-- Enabling the account again takes the person back, without their roles.
create function public.end_employment(p_user_id uuid, p_last_day date, p_reason text default null) returns void
language plpgsql security definer set search_path = '' as $$
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
$$;
grant execute on function public.end_employment to authenticated;

-- An account with its identities, as the auth service stores them. Addresses that the admin enters count as confirmed.
-- The caller locks out duplicates with the unique constraints of auth.users.
create function private.create_account(person_name text, address text, number text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  person uuid := gen_random_uuid();
  providers text[] := array_remove(array[
    case when address is not null then 'email' end, case when number is not null then 'phone' end
  ], null);
  facts jsonb;
begin
  if exists (select from auth.users u where u.email = address and not u.is_sso_user) then
    raise exception 'There is already an account with this email address.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.phone = number) then
    raise exception 'There is already an account with this phone number.' using errcode = 'PT409';
  end if;
  insert into auth.users (
    instance_id, id, aud, role, email, phone, email_confirmed_at, phone_confirmed_at,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
    confirmation_token, recovery_token, email_change_token_new, email_change
  ) values (
    '00000000-0000-0000-0000-000000000000', person, 'authenticated', 'authenticated', address, number,
    case when address is not null then now() end, case when number is not null then now() end,
    jsonb_build_object('provider', providers[1], 'providers', providers, 'must_change_password', true),
    jsonb_build_object('full_name', person_name), now(), now(),
    -- GoTrue can't read nulls here.
    '', '', '', ''
  );
  facts := jsonb_strip_nulls(jsonb_build_object(
    'sub', person, 'email', address, 'phone', number,
    'email_verified', address is not null, 'phone_verified', number is not null
  ));
  insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
  select person::text, person, facts, provider, now(), now() from unnest(providers) provider;
  return person;
end
$$;

-- Hires one person: account, role, home area, staff record and certificates.
create function private.hire(entry jsonb) returns uuid
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

-- Hires everyone in the list or nobody; an error in a list names the row. Each person gets a start code, shown only
-- here.
-- Keys of a person: full_name, phone, email (one of both at least), role, site_id (of a supervisor), home_area,
-- staff_id
-- (a record that gets an account) or hire_date, salary_amount and payment_frequency (a new record), and certificates.
-- HR hires guards, whose pay record finance adds: see people_without_pay. Their day of hire is kept until then.
create function public.hire_people(p_people jsonb, p_lines integer[] DEFAULT NULL::integer[])
returns TABLE(user_id uuid, full_name text, code text, expires_at timestamp with time zone)
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $function$
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
grant execute on function public.hire_people to authenticated;

-- Who works for the company and has no pay record, longest first: HR hired them, or they were invited.
create function public.people_without_pay() returns table (id uuid, full_name text, since timestamptz)
language plpgsql stable security definer set search_path = '' as $$
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
$$;
grant execute on function public.people_without_pay to authenticated;

-- The day of hire, from which leave balances are computed: of the pay record, or as HR hired the person.
create function public.hired_on(p_user_id uuid default auth.uid()) returns date
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
grant execute on function public.hired_on to authenticated;

-- Who on the staff, or in an earlier one of these rows, is probably the same person. place and other_place count from
-- 1.
-- Saving a row with is_certain is refused. The same name and start date is a duplicate as long as no email and no phone
-- differs;
-- the same name of somebody who left, too.
create function public.likely_duplicates(p_rows jsonb, p_except uuid default null)
returns table (
  place integer, other_place integer, staff_id uuid, full_name text, status text, hire_date date, end_date date,
  reason text, is_certain boolean
)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
begin
  if not private.has_role('admin', 'finance') then
    raise exception 'Only admins and finance may do this.' using errcode = 'insufficient_privilege';
  end if;
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 5000
    or exists (select from jsonb_array_elements(p_rows) e where jsonb_typeof(e) <> 'object')
  then
    raise exception 'Between 1 and 5000 people can be compared at once.' using errcode = 'invalid_parameter_value';
  end if;
  return query
  with given as materialized (
    select g.place::integer as place, lower(nullif(btrim(g.entry ->> 'email'), '')) as email,
      private.e164(nullif(btrim(g.entry ->> 'phone'), '')) as phone,
      lower(nullif(regexp_replace(btrim(g.entry ->> 'full_name'), '\s+', ' ', 'g'), '')) as name,
      btrim(g.entry ->> 'full_name') as full_name, coalesce(g.entry ->> 'status', 'active') as status,
      coalesce((g.entry ->> 'is_separate')::boolean, false) as is_separate,
      coalesce(private.day_of_text(g.entry ->> 'hire_date'), private.company_date()) as hire_date
    from jsonb_array_elements(p_rows) with ordinality g (entry, place)
  ), found as (
    select g.place, null::integer as other_place, s.id, s.full_name, s.status, s.hire_date, s.end_date, m.reason,
      m.reason in ('email', 'phone') and s.status = 'active' and g.status = 'active' and not g.is_separate as is_certain
    from given g
    cross join lateral (
      select o.*, 'email' as reason from public.staff o where lower(o.email) = g.email
      union all
      select o.*, 'phone' from public.staff o where private.e164(o.phone) = g.phone
      union all
      select o.*, 'name' from public.staff o
      where lower(o.full_name) = g.name and (o.hire_date = g.hire_date or o.status = 'inactive')
        and (o.email is null or g.email is null or lower(o.email) = g.email)
        and (o.phone is null or g.phone is null or private.e164(o.phone) = g.phone)
    ) m
    join public.staff s on s.id = m.id
    where s.id is distinct from p_except
    union all
    select g.place, m.place, null, m.full_name, m.status, m.hire_date, null, m.reason,
      m.reason in ('email', 'phone') and m.status = 'active' and g.status = 'active' and not g.is_separate
    from (
      select a.place as later, b.*, 'email' as reason from given a
        join given b on b.email = a.email and b.place < a.place
      union all
      select a.place, b.*, 'phone' from given a join given b on b.phone = a.phone and b.place < a.place
      union all
      select a.place, b.*, 'name' from given a join given b on b.name = a.name and b.hire_date = a.hire_date
        and b.place < a.place and coalesce(b.email = a.email, true) and coalesce(b.phone = a.phone, true)
    ) m
    join given g on g.place = m.later
  )
  -- One line for each pair, the strongest reason first.
  select distinct on (f.place, f.other_place, f.id) f.place, f.other_place, f.id, f.full_name, f.status, f.hire_date,
    f.end_date,
    f.reason, f.is_certain
  from found f order by f.place, f.other_place, f.id, f.is_certain desc, f.reason;
end
$$;
comment on function public.likely_duplicates is 'Nullable: other_place, staff_id, end_date';
grant execute on function public.likely_duplicates to authenticated;

-- Sets the photo of a person to a file that was uploaded before; without a path it removes the photo. The caller
-- deletes the former file, whose name is returned.
create function public.set_person_photo(p_user_id uuid, p_path text default null) returns text
language plpgsql security definer set search_path = '' as $$
declare
  former text;
begin
  if not private.has_role('admin', 'ops_manager', 'hr') then
    raise exception 'Only admins, operations managers and HR may do this.' using errcode = 'insufficient_privilege';
  end if;
  select p.photo_path into former from public.profiles p
  where p.id = p_user_id and not exists (select from private.client_accounts c where c.user_id = p.id) for update;
  if not found then
    raise exception 'There is no such person.' using errcode = 'PT404';
  end if;
  if p_path is not null and not exists (
    select from storage.objects o where o.bucket_id = 'photos' and o.name = p_path
  ) then
    raise exception 'The photo was not stored. Choose it again.' using errcode = 'PT409';
  end if;
  update public.profiles p set photo_path = p_path where p.id = p_user_id and p.photo_path is distinct from p_path;
  return former;
end
$$;
comment on function public.set_person_photo is 'Nullable: result';
grant execute on function public.set_person_photo to authenticated;

-- No fixed search path, so that the planner can inline it.
create function public.search_staff(p_search text default '') returns setof public.staff
language sql stable as $$
  select s.* from public.staff s
  where cardinality(private.search_patterns(coalesce(p_search, ''))) = 0
    or s.id in (select private.found_staff(private.search_patterns(p_search)));
$$;
grant execute on function public.search_staff to authenticated;

-- Count and salaries (USD) of the staff in the list, by payment frequency: sums of different frequencies don't add up.
create function public.staff_totals(
  p_search text default null, p_status text default null, p_currency text default 'USD'
) returns table (payment_frequency text, people integer, salaries numeric)
language sql stable set search_path = '' as $$
  select s.payment_frequency, count(*)::integer,
    coalesce(sum(s.salary_amount) filter (where s.pay_basis = 'salary'), 0)
  from public.search_staff(p_search) s
  where s.currency = p_currency and (p_status is null or s.status = p_status)
  group by s.payment_frequency order by 2 desc, 1;
$$;
grant execute on function public.staff_totals to authenticated;

-- A certificate that ends within so many days is expiring.
create function private.expiring_days() returns integer language sql immutable set search_path = '' return 30;
grant execute on function private.expiring_days to authenticated;

-- Written so that the planner can inline it: the list filters and counts by it.
create function public.validity(certification public.certifications) returns text
language sql stable
return case
  when certification.expires_at < now() then 'expired'
  when certification.expires_at <= now() + make_interval(days => private.expiring_days()) then 'expiring'
  else 'valid'
end;
grant execute on function public.validity to authenticated;

-- Whether a shift of this person in the period has not ended. Never null.
create function private.has_shifts_to_come(p_user uuid, p_first date, p_last date) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.assignments a
    where a.user_id = p_user and a.status in ('assigned', 'confirmed') and upper(a.period) > now()
      and a.period && tstzrange(private.company_midnight(p_first), private.company_midnight(p_last + 1))
  );
$$;
grant execute on function private.has_shifts_to_come to authenticated;

create function private.name_of_person(p_person uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(p.full_name, ''), p.email, p.phone, 'A guard') from public.profiles p where p.id = p_person;
$$;

-- @param p_people names, phone numbers or email addresses
-- @returns the active member of staff that each of them names; null where nobody or several have it
create function private.staff_named(p_people text[]) returns uuid[]
language sql stable set search_path = ''
begin atomic
  with wanted as materialized (
    select w.place, lower(btrim(w.person)) as address, lower(regexp_replace(btrim(w.person), '\s+', ' ', 'g')) as name,
      private.e164(w.person) as number
    from unnest(p_people) with ordinality w (person, place)
  ), active as materialized (
    select s.id, lower(s.email) as address, lower(s.full_name) as name, private.e164(s.phone) as number
    from public.staff s where s.status = 'active'
  ), matches as (
    select w.place, a.id from wanted w join active a on a.address = w.address
    union select w.place, a.id from wanted w join active a on a.name = w.name
    union select w.place, a.id from wanted w join active a on a.number = w.number
  ), named as (
    select m.place, (array_agg(m.id))[1] as id from matches m group by m.place having count(*) = 1
  )
  select array_agg(n.id order by w.place) from wanted w left join named n on n.place = w.place;
end;
grant execute on function private.staff_named to authenticated;

-- The first p_limit of these timesheets, in order of id, whose guards have no shift to come in their periods.
-- `has_shifts_to_come` asks it of one guard.
create function private.without_shifts_to_come(p_sheets uuid[], p_users uuid[], p_periods tstzrange[], p_limit integer)
returns uuid[]
language plpgsql
  stable
  security definer
  set search_path = ''
  set work_mem = '32MB'
  set plan_cache_mode = force_custom_plan as $$
declare
  earliest constant timestamptz := private.first_start(now());
  ends constant timestamptz := (select max(upper(p)) from unnest(p_periods) p);
  -- Planning with an array of thousands takes longer than hashing the shifts of everybody.
  are_many constant boolean := cardinality(p_users) > 2000;
begin
  return array(
    select s.id from unnest(p_sheets, p_users, p_periods) s (id, user_id, period)
    where not exists (
      select from public.assignments a
      where a.user_id = s.user_id and (are_many or a.user_id = any (p_users)) and a.period && s.period
        and a.starts_at >= earliest and a.starts_at < ends and a.status in ('assigned', 'confirmed')
          and upper(a.period) > now()
    )
    order by s.id limit p_limit
  );
end
$$;
grant execute on function private.without_shifts_to_come to authenticated;
