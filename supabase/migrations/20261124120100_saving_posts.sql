-- Changing posts and requirements: several rows, one expansion.

-- The slots of a requirement whose day 0 moves some days later, so that every day keeps its slots.
create function private.rotate_slots(p_slots jsonb, p_cycle_days integer, p_days integer) returns jsonb
language sql immutable set search_path = ''
return (
  select jsonb_agg(e || jsonb_build_object('day', ((e ->> 'day')::integer - p_days % p_cycle_days + p_cycle_days) % p_cycle_days)
    order by n)
  from jsonb_array_elements(p_slots) with ordinality slots (e, n)
);

-- Makes room among the requirements of a post from a day to another (null: for good): what was valid before ends the day
-- before, and what was valid after goes on the day after.
create function private.clear_requirements(p_post uuid, p_from date, p_to date) returns void
language plpgsql set search_path = '' as $$
declare
  old public.post_requirements;
begin
  for old in
    select * from public.post_requirements r
    where r.post_id = p_post and daterange(r.valid_from, r.valid_to, '[]') && daterange(p_from, p_to, '[]')
    order by r.valid_from for update
  loop
    if old.valid_from < p_from then
      update public.post_requirements r set valid_to = p_from - 1 where r.id = old.id;
    elsif p_to is null or old.valid_to <= p_to then
      delete from public.post_requirements r where r.id = old.id;
    end if;
    if p_to is not null and (old.valid_to is null or old.valid_to > p_to) then
      old.slots := private.rotate_slots(old.slots, old.cycle_days, p_to + 1 - old.valid_from);
      if old.valid_from < p_from then
        insert into public.post_requirements (post_id, preset, cycle_days, valid_from, valid_to, slots)
        values (p_post, old.preset, old.cycle_days, p_to + 1, old.valid_to, old.slots);
      else
        update public.post_requirements r set valid_from = p_to + 1, slots = old.slots where r.id = old.id;
      end if;
    end if;
  end loop;
end
$$;

-- Definer, for callers who oversee the site: supervisors may change demand but not delete shifts themselves.
create function private.expand_own_post(p_post uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if not private.may_oversee((select p.site_id from public.posts p where p.id = p_post)) then
    raise exception 'You can''t change the posts of this site.' using errcode = 'insufficient_privilege';
  end if;
  return private.expand_to_horizon(array[p_post]);
end
$$;

create function private.require_overseen_post(p_post uuid) returns void
language plpgsql stable set search_path = '' as $$
declare
  site uuid;
begin
  select p.site_id into site from public.posts p where p.id = p_post;
  if not found then
    raise exception 'This post no longer exists.' using errcode = 'PT404';
  end if;
  if not private.may_oversee(site) then
    raise exception 'You can''t change the posts of this site.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- Writes a requirement that is valid from its first day. One with the same first day is replaced and keeps its shifts.
-- Without a requirement: from p_from the post is no longer manned.
create function private.write_requirement(p_post uuid, p_requirement jsonb, p_from date) returns void
language plpgsql set search_path = '' as $$
declare
  first date := coalesce((p_requirement ->> 'valid_from')::date, p_from);
  last date := (p_requirement ->> 'valid_to')::date;
begin
  perform private.require_day(first, 'first day');
  if last is not null then
    perform private.require_day(last, 'last day');
    if last < first then
      raise exception 'The last day must not be before the first.' using errcode = 'check_violation';
    end if;
  end if;
  if p_requirement is null then
    perform private.clear_requirements(p_post, first, null);
    return;
  end if;
  update public.post_requirements r
  set preset = p_requirement ->> 'preset', cycle_days = (p_requirement ->> 'cycle_days')::integer, valid_to = last,
    slots = p_requirement -> 'slots'
  where r.post_id = p_post and r.valid_from = first
    -- What it covers after the new last day goes on: see clear_requirements.
    and (last is null or r.valid_to <= last)
    and not exists (
      select from public.post_requirements o
      where o.post_id = p_post and o.id <> r.id
        and daterange(o.valid_from, o.valid_to, '[]') && daterange(first, last, '[]')
    );
  if not found then
    perform private.clear_requirements(p_post, first, last);
    insert into public.post_requirements (post_id, preset, cycle_days, valid_from, valid_to, slots)
    values (p_post, p_requirement ->> 'preset', (p_requirement ->> 'cycle_days')::integer, first, last,
      p_requirement -> 'slots');
  end if;
end
$$;

-- Saves a requirement. Returns how many future shifts it made, changed, kept and removed, and the removed ones that
-- had guards.
create function public.save_requirement(p_post_id uuid, p_requirement jsonb, p_from date default null) returns jsonb
language plpgsql set search_path = '' as $$
declare
  wanted jsonb := nullif(p_requirement, 'null');
  result jsonb;
begin
  if pg_column_size(p_requirement) > 100000 then
    raise exception 'This requirement is too large.' using errcode = 'invalid_parameter_value';
  end if;
  perform private.require_overseen_post(p_post_id);
  perform set_config('roster.expansion', 'held', true);
  perform private.write_requirement(p_post_id, wanted, p_from);
  result := private.expand_own_post(p_post_id);
  perform set_config('roster.expansion', '', true);
  return result;
end
$$;

-- What save_requirement would do: it saves and rolls back.
create function public.preview_requirement(p_post_id uuid, p_requirement jsonb, p_from date default null)
returns jsonb
language plpgsql set search_path = '' as $$
declare
  result jsonb;
begin
  begin
    result := public.save_requirement(p_post_id, p_requirement, p_from);
    raise exception 'preview' using errcode = 'RB001';
  exception when sqlstate 'RB001' then
    null;
  end;
  return result;
end
$$;

-- Saves a post with the certificates that it needs and, if given, its requirement. p_post has the columns of a post;
-- with an id it is changed, else added. Returns the post's id and what happens to its shifts. p_preview rolls it back.
create function public.save_post(
  p_post jsonb, p_courses uuid[] default '{}', p_requirement jsonb default null, p_preview boolean default false
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  given public.posts := jsonb_populate_record(null::public.posts, p_post);
  result jsonb;
begin
  if pg_column_size(p_post) > 20000 or pg_column_size(p_requirement) > 100000 or cardinality(p_courses) > 100 then
    raise exception 'This post is too large.' using errcode = 'invalid_parameter_value';
  end if;
  begin
    perform set_config('roster.expansion', 'held', true);
    if given.id is null then
      insert into public.posts
        (site_id, name, headcount, gender, gender_reason, lone_worker, needs_induction, valid_from, valid_to, notes)
      values (given.site_id, given.name, coalesce(given.headcount, 1), given.gender, given.gender_reason,
        coalesce(given.lone_worker, false), coalesce(given.needs_induction, false),
        coalesce(given.valid_from, private.company_date()), given.valid_to, given.notes)
      returning id into given.id;
    else
      perform private.require_overseen_post(given.id);
      update public.posts p
      set name = given.name, headcount = coalesce(given.headcount, 1), gender = given.gender,
        gender_reason = given.gender_reason, lone_worker = coalesce(given.lone_worker, false),
        needs_induction = coalesce(given.needs_induction, false),
        valid_from = coalesce(given.valid_from, p.valid_from), valid_to = given.valid_to, notes = given.notes
      where p.id = given.id;
    end if;
    delete from public.post_courses c
    where c.post_id = given.id and c.course_id <> all (coalesce(p_courses, '{}'));
    insert into public.post_courses (post_id, course_id)
    select given.id, course from unnest(p_courses) course where course is not null
    on conflict do nothing;
    if nullif(p_requirement, 'null') is not null then
      perform private.write_requirement(given.id, p_requirement, null);
    end if;
    result := private.expand_own_post(given.id) || jsonb_build_object('post_id', given.id);
    perform set_config('roster.expansion', '', true);
    if p_preview then
      raise exception 'preview' using errcode = 'RB001';
    end if;
  exception when sqlstate 'RB001' then
    null;
  end;
  return result;
end
$$;

-- Removes a post, its requirements and the future shifts that they asked for. Past shifts stay.
create function public.remove_post(p_post_id uuid, p_preview boolean default false) returns jsonb
language plpgsql set search_path = '' as $$
declare
  result jsonb;
begin
  begin
    perform private.require_overseen_post(p_post_id);
    perform set_config('roster.expansion', 'held', true);
    delete from public.post_requirements r where r.post_id = p_post_id;
    result := private.expand_own_post(p_post_id);
    delete from public.posts p where p.id = p_post_id;
    perform set_config('roster.expansion', '', true);
    if p_preview then
      raise exception 'preview' using errcode = 'RB001';
    end if;
  exception when sqlstate 'RB001' then
    null;
  end;
  return result;
end
$$;

revoke all on all functions in schema private from public;
grant execute on function
  private.rotate_slots, private.clear_requirements, private.expand_own_post, private.require_overseen_post,
  private.write_requirement
to authenticated;
revoke all on function
  public.save_requirement, public.preview_requirement, public.save_post, public.remove_post
from public, anon;
grant execute on function
  public.save_requirement, public.preview_requirement, public.save_post, public.remove_post
to authenticated;
