-- Assigning guards to a shift: who is free, what to warn of, and adding and removing several at once.

-- What to think twice about before this person works this period. Not a reason to refuse.
create function private.warnings_for(person uuid, work tstzrange, zone text) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  warnings text[] := '{}';
begin
  if exists (
    select from public.leave_requests l
    where l.user_id = person and l.status = 'approved'
      and l.start_date <= (upper(work) at time zone zone)::date
      and l.end_date >= (lower(work) at time zone zone)::date
  ) then
    warnings := warnings || 'On approved leave'::text;
  end if;
  -- Of each course only the newest certificate counts.
  if exists (
    select from (
      select max(c.expires_at) as expires_at from public.certifications c
      where c.user_id = person group by c.course_id
    ) newest
    where newest.expires_at < upper(work)
  ) then
    warnings := warnings || 'A certification will have expired'::text;
  end if;
  if exists (
    select from public.assignments a
    where a.user_id = person and a.status <> 'cancelled'
      and a.period && tstzrange(lower(work) - interval '8 hours', upper(work) + interval '8 hours')
      and not a.period && work
  ) then
    warnings := warnings || 'Less than 8 hours'' rest'::text;
  end if;
  return warnings;
end
$$;
revoke all on function private.warnings_for(uuid, tstzrange, text) from public;

-- Every guard, with why they can't work the period, if so, and what to warn of. For those who plan the site.
-- p_shift_id is the shift being edited, whose own assignments are no obstacle.
create function public.guard_availability(
  p_site_id uuid, p_start timestamptz, p_end timestamptz, p_shift_id uuid default null
) returns table (user_id uuid, full_name text, conflict text, warnings text[])
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := coalesce((select s.timezone from public.sites s where s.id = p_site_id), 'Africa/Monrovia');
begin
  if not private.may_plan(p_site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if p_end <= p_start then
    raise exception 'End must be after start.' using errcode = 'check_violation';
  end if;
  return query
  select p.id, coalesce(nullif(p.full_name, ''), p.email),
    (
      select format('Already on a shift, %s to %s',
        to_char(lower(a.period) at time zone zone, 'DD Mon HH24:MI'),
        to_char(upper(a.period) at time zone zone, 'DD Mon HH24:MI'))
      from public.assignments a
      where a.user_id = p.id and a.status <> 'cancelled' and a.period && tstzrange(p_start, p_end)
        and a.shift_id is distinct from p_shift_id
      limit 1
    ),
    private.warnings_for(p.id, tstzrange(p_start, p_end), zone)
  from public.profiles p
  where exists (select from public.user_roles r where r.user_id = p.id and r.role = 'guard')
  order by 2;
end
$$;

-- Adds and removes guards of a shift, all or none. Runs as the caller: the policies of assignments decide.
create function public.assign_guards(
  p_shift_id uuid, p_user_ids uuid[], p_remove_user_ids uuid[] default '{}'
) returns setof public.assignments
language plpgsql set search_path = '' as $$
declare
  site uuid;
  missing uuid;
begin
  select s.site_id into site from public.shifts s where s.id = p_shift_id;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  -- Said here, because a removal that the policies forbid would only find no rows.
  if not private.may_plan(site) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  select wanted.id into missing from unnest(p_user_ids) wanted (id)
  where not exists (select from public.profiles p where p.id = wanted.id);
  if found then
    raise exception 'There is no account %.', missing using errcode = 'foreign_key_violation';
  end if;
  delete from public.assignments a where a.shift_id = p_shift_id and a.user_id = any (p_remove_user_ids);
  -- In order of id, so that two planners never wait for each other.
  insert into public.assignments (shift_id, user_id)
  select p_shift_id, wanted.id
  from (select distinct u.id from unnest(p_user_ids) u (id)) wanted
  where not exists (
    select from public.assignments a
    where a.shift_id = p_shift_id and a.user_id = wanted.id and a.status <> 'cancelled'
  )
  order by wanted.id;
  return query select * from public.assignments a where a.shift_id = p_shift_id order by a.created_at, a.id;
end
$$;

revoke all on function
  public.guard_availability(uuid, timestamptz, timestamptz, uuid), public.assign_guards(uuid, uuid[], uuid[])
from public, anon;
grant execute on function
  public.guard_availability(uuid, timestamptz, timestamptz, uuid), public.assign_guards(uuid, uuid[], uuid[])
to authenticated;
comment on function public.guard_availability(uuid, timestamptz, timestamptz, uuid) is 'Nullable: conflict';
