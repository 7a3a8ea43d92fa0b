-- An import of thousands of staff compared each row with all before it.

create or replace function private.refuse_duplicate_staff()
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
