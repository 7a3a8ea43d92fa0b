-- The same person twice on the staff is paid twice. An email or a phone number of somebody who is on the staff is not used again,
-- unless the record says that it is another person's. Who left may come back: their old record is named, and stops nobody.

alter table public.staff add column is_separate boolean not null default false;
comment on column public.staff.is_separate is 'Somebody decided that this is another person than those with the same email or phone.';

-- Records of before, from the second one on: they were accepted as they are.
update public.staff s set is_separate = true
where s.status = 'active' and exists (
  select from public.staff o
  where o.status = 'active' and (o.created_at, o.id) < (s.created_at, s.id)
    and (lower(o.email) = lower(s.email) or private.e164(o.phone) = private.e164(s.phone)));

-- Unique for writers at the same time; the trigger has the sentence.
create unique index staff_one_per_email on public.staff (lower(email)) where status = 'active' and not is_separate;
create unique index staff_one_per_phone on public.staff (private.e164(phone)) where status = 'active' and not is_separate;
create index staff_email_idx on public.staff (lower(email));
create index staff_phone_idx on public.staff (private.e164(phone));
create index staff_name_idx on public.staff (lower(full_name));
grant execute on function private.e164 to authenticated, service_role;

create function private.refuse_duplicate_staff() returns trigger
-- Without the setting, an import that begins with few rows would plan to read all of them each time.
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
declare
  other public.staff;
begin
  if new.status <> 'active' or new.is_separate or not (auth.uid() is null or private.has_role('admin', 'finance')) then
    return new;
  end if;
  select * into other from (
    select s.* from public.staff s where lower(s.email) = lower(new.email)
    union all
    select s.* from public.staff s where private.e164(s.phone) = private.e164(new.phone)
  ) s
  where s.id <> new.id and s.status = 'active'
  order by s.created_at, s.id limit 1;
  if found then
    raise exception '% is on the staff with the same %. Change that record, or say that this is another person.', other.full_name,
      case when lower(other.email) = lower(new.email) then 'email' else 'phone number' end
      using errcode = 'unique_violation', constraint = 'staff_one_per_email', detail = other.id::text;
  end if;
  return new;
end
$$;
create trigger c_duplicate_of_new before insert on public.staff
  for each row when (new.email is not null or new.phone is not null) execute function private.refuse_duplicate_staff();
create trigger c_duplicate_of_changes before update on public.staff
  for each row when ((new.email is not null or new.phone is not null)
    and (old.email, old.phone, old.status, old.is_separate) is distinct from (new.email, new.phone, new.status, new.is_separate))
  execute function private.refuse_duplicate_staff();

-- Who on the staff, or in an earlier one of these rows, is probably the same person. place and other_place count from 1.
-- Saving a row with is_certain is refused. The same name and start date is a duplicate as long as no email and no phone differs;
-- the same name of somebody who left, too.
create function public.likely_duplicates(p_rows jsonb, p_except uuid default null) returns table (
  place integer, other_place integer, staff_id uuid, full_name text, status text, hire_date date, end_date date, reason text,
  is_certain boolean
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
      select a.place as later, b.*, 'email' as reason from given a join given b on b.email = a.email and b.place < a.place
      union all
      select a.place, b.*, 'phone' from given a join given b on b.phone = a.phone and b.place < a.place
      union all
      select a.place, b.*, 'name' from given a join given b on b.name = a.name and b.hire_date = a.hire_date
        and b.place < a.place and coalesce(b.email = a.email, true) and coalesce(b.phone = a.phone, true)
    ) m
    join given g on g.place = m.later
  )
  -- One line for each pair, the strongest reason first.
  select distinct on (f.place, f.other_place, f.id) f.place, f.other_place, f.id, f.full_name, f.status, f.hire_date, f.end_date,
    f.reason, f.is_certain
  from found f
  order by f.place, f.other_place, f.id, f.is_certain desc, f.reason;
end
$$;
comment on function public.likely_duplicates is 'Nullable: other_place, staff_id, end_date';
revoke all on function public.likely_duplicates from public, anon;
grant execute on function public.likely_duplicates to authenticated;
revoke all on all functions in schema private from public;
