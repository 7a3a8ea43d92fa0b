-- Shifts of requirements that planners change or delete by hand: demand leaves them alone from then on.

-- Days ahead for which shifts are made.
create function private.demand_horizon_days() returns integer
language sql immutable set search_path = ''
return 42;

-- 'on' while expansion writes shifts: its changes are not changes by hand. 'held' while a function changes several
-- requirements and expands once at its end, so that shifts which both versions want are kept with their guards.
create function private.expansion() returns text
language sql stable set search_path = ''
return coalesce(current_setting('roster.expansion', true), '');

-- A shift that a planner moves no longer belongs to its slot, and its slot stays empty.
create function private.note_change_by_hand() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion() = 'on' then
    return new;
  end if;
  new.is_manual := true;
  if (new.start_time, new.site_id) is distinct from (old.start_time, old.site_id) then
    insert into private.skipped_slots (requirement_id, slot, start_time)
    select old.requirement_id, old.slot, old.start_time where old.requirement_id is not null and old.slot is not null
    on conflict do nothing;
    new.requirement_id := null;
    if new.site_id <> old.site_id and new.post_id is not distinct from old.post_id then
      new.post_id := null;
      new.slot := null;
    end if;
  end if;
  return new;
end
$$;
create trigger b_by_hand before update on public.shifts
  for each row when (
    old.post_id is not null and (old.site_id, old.start_time, old.end_time, old.required_headcount)
      is distinct from (new.site_id, new.start_time, new.end_time, new.required_headcount)
  )
  execute function private.note_change_by_hand();

create function private.note_deletion_by_hand() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion() <> 'on' then
    insert into private.skipped_slots (requirement_id, slot, start_time)
    select r.id, old.slot, old.start_time from public.post_requirements r where r.id = old.requirement_id
    on conflict do nothing;
  end if;
  return old;
end
$$;
create trigger c_skipped before delete on public.shifts
  for each row when (old.requirement_id is not null and old.slot is not null)
  execute function private.note_deletion_by_hand();

-- The post of a shift is at its site. A restored shift takes its slot back, if the requirement still exists.
create function private.check_shift_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion() = 'on' then
    return new;
  end if;
  if not exists (select from public.posts p where p.id = new.post_id and p.site_id = new.site_id) then
    raise exception 'This post is not at the site of the shift.' using errcode = 'foreign_key_violation';
  end if;
  if new.requirement_id is not null and not exists (
    select from public.post_requirements r where r.id = new.requirement_id and r.post_id = new.post_id
  ) then
    new.requirement_id := null;
  end if;
  delete from private.skipped_slots k
  where k.requirement_id = new.requirement_id and k.slot = new.slot and k.start_time = new.start_time;
  return new;
end
$$;
create trigger c_post before insert on public.shifts
  for each row when (new.post_id is not null) execute function private.check_shift_post();
create trigger c_post_of_changes before update on public.shifts
  for each row when (
    new.post_id is not null and (old.post_id, old.site_id) is distinct from (new.post_id, new.site_id)
  )
  execute function private.check_shift_post();

-- A shift that gets another post is checked like one that moves: each guard must fit what the new post asks for, but for
-- what was overridden or broken before.
create function private.check_guards_of_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  guard record;
  broken jsonb;
begin
  for guard in
    select a.user_id, a.overridden_rules, coalesce(nullif(p.full_name, ''), 'This guard') as name
    from public.assignments a join public.profiles p on p.id = a.user_id
    where a.shift_id = new.id and a.status <> 'cancelled'
    order by a.user_id
  loop
    select jsonb_agg(to_jsonb(e)) into broken from private.eligibility_problems(guard.user_id, new) e
    where not (e.can_override and e.rule = any (guard.overridden_rules)) and not exists (
      select from private.eligibility_problems(guard.user_id, old) o where o.rule = e.rule and o.message = e.message
    );
    if broken is not null then
      raise exception '% can''t work this shift: %.', guard.name,
        (select string_agg(b ->> 'message', '; ') from jsonb_array_elements(broken) b)
        using errcode = 'check_violation', detail = broken::text;
    end if;
  end loop;
  return null;
end
$$;
create trigger guards_fit_post after update on public.shifts
  for each row when (
    new.post_id is not null and old.post_id is distinct from new.post_id
    and (old.site_id, old.start_time, old.end_time) is not distinct from (new.site_id, new.start_time, new.end_time)
  )
  execute function private.check_guards_of_post();

revoke all on all functions in schema private from public;
grant execute on function private.expansion, private.demand_horizon_days to authenticated;
