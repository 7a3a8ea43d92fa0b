-- Assigning guards to a shift: who is free, what to warn about, several at once, and restoring a deleted shift.

-- What to consider before this guard works this period. None of it is a reason to refuse.
create function private.warnings_for(person uuid, work tstzrange) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  warnings text[] := '{}';
begin
  if private.is_on_leave(person, work) then
    warnings := warnings || 'On approved leave'::text;
  end if;
  -- Only the newest certificate of each course counts.
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

-- Every guard, with the reason if they can't work the period, and warnings; for callers who plan the site.
-- p_shift_id is the shift being edited: its own assignments are no conflict. A guard on leave can be assigned, but
-- does not count towards the headcount.
create function public.guard_availability(
  p_site_id uuid, p_start timestamptz, p_end timestamptz, p_shift_id uuid default null
) returns table (user_id uuid, full_name text, conflict text, warnings text[], on_leave boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := coalesce((select s.timezone from public.sites s where s.id = p_site_id), 'Africa/Monrovia');
begin
  if p_site_id is null or private.may_plan(p_site_id) is not true then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  perform private.require_period(p_start, p_end);
  if p_end <= p_start then
    raise exception 'End must be after start.' using errcode = 'check_violation';
  end if;
  return query
  select p.id, coalesce(nullif(p.full_name, ''), p.email),
    (
      select format('Already on a shift, %s to %s',
        private.time_text(lower(a.period), zone), private.time_text(upper(a.period), zone))
      from public.assignments a
      where a.user_id = p.id and a.status <> 'cancelled' and a.period && tstzrange(p_start, p_end)
        and a.shift_id is distinct from p_shift_id
      limit 1
    ),
    private.warnings_for(p.id, tstzrange(p_start, p_end)), private.is_on_leave(p.id, tstzrange(p_start, p_end))
  from public.profiles p
  where exists (select from public.user_roles r where r.user_id = p.id and r.role = 'guard')
  order by 2;
end
$$;
comment on function public.guard_availability is 'Nullable: conflict';

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
  -- Checked here, because a delete that the policies forbid just finds no rows.
  if not private.may_plan(site) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  select wanted.id into missing from unnest(p_user_ids) wanted (id)
  where not exists (select from public.profiles p where p.id = wanted.id);
  if found then
    raise exception 'There is no account %.', missing using errcode = 'foreign_key_violation';
  end if;
  delete from public.assignments a where a.shift_id = p_shift_id and a.user_id = any (p_remove_user_ids);
  -- In order of id, so that two planners never deadlock.
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

-- Restores a deleted shift with the guards that were on it. Guards who work elsewhere by now, or whose account was
-- deleted, are left out with the reason. Runs as the caller: the policies of shifts and assignments decide.
create function public.restore_shift(p_shift jsonb, p_assignments jsonb default '[]')
returns table (restored integer, left_out text[])
language plpgsql set search_path = '' as $$
declare
  guard public.assignments;
  reason text;
begin
  if jsonb_typeof(p_shift) is distinct from 'object' or jsonb_typeof(p_assignments) is distinct from 'array'
    or jsonb_array_length(p_assignments) > 2000
  then
    raise exception 'Send the shift as an object and its assignments as an array of at most 2000.'
      using errcode = 'invalid_parameter_value';
  end if;
  insert into public.shifts select (jsonb_populate_record(null::public.shifts, p_shift)).*;
  restored := 0;
  left_out := '{}';
  -- In order of guard, so that two planners never deadlock.
  for guard in select * from jsonb_populate_recordset(null::public.assignments, p_assignments) a order by a.user_id loop
    begin
      insert into public.assignments (id, shift_id, user_id, status, role_at_shift, created_at)
      values (guard.id, (p_shift ->> 'id')::uuid, guard.user_id, guard.status, guard.role_at_shift, guard.created_at);
      restored := restored + 1;
    exception
      when exclusion_violation then
        get stacked diagnostics reason = message_text;
        left_out := left_out || reason;
      when foreign_key_violation then
        left_out := left_out || 'The account of one guard no longer exists.'::text;
    end;
  end loop;
  return next;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.guard_availability, public.assign_guards, public.restore_shift from public, anon;
grant execute on function public.guard_availability, public.assign_guards, public.restore_shift to authenticated;
