-- Demand: the future shifts that the requirements of posts ask for. They are made for a horizon, on every change of a
-- requirement and every night. A shift that a guard has clocked in on, or that a planner has changed, is never touched.

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

-- A shift that requirements want, or have wanted: what expansion does with it.
create type private.demand_step as (
  step text,
  shift_id uuid,
  requirement_id uuid,
  post_id uuid,
  site_id uuid,
  slot integer,
  start_time timestamptz,
  end_time timestamptz,
  headcount integer
);

-- The shifts that requirements ask for and that begin after now, on days of the site's zone, both ends included.
-- Start and end are times on the site's clock: a night of 12 hours lasts 11 or 13 when the clock changes, and leaves
-- no gap.
create function private.wanted_shifts(p_posts uuid[], p_from date, p_to date)
returns table (
  requirement_id uuid, post_id uuid, site_id uuid, slot integer, start_time timestamptz, end_time timestamptz,
  headcount integer
)
language sql stable set search_path = '' as $$
  select r.id, r.post_id, p.site_id, s.slot, span.start_time,
    case when span.end_time > span.start_time then span.end_time
      else span.start_time + make_interval(mins => s.minutes) end,
    s.headcount
  from public.post_requirements r
  join public.posts p on p.id = r.post_id
  join public.sites t on t.id = p.site_id
  cross join lateral jsonb_to_recordset(r.slots)
    as s (slot integer, day integer, start time, minutes integer, headcount integer)
  cross join lateral (
    select greatest(p_from, r.valid_from, p.valid_from) as first, least(p_to, r.valid_to, p.valid_to) as last
  ) valid
  cross join lateral generate_series(
    (s.day - (valid.first - r.valid_from) % r.cycle_days + r.cycle_days) % r.cycle_days,
    valid.last - valid.first, r.cycle_days
  ) later (days)
  cross join lateral (
    select (valid.first + later.days + s.start) at time zone t.timezone as start_time,
      (valid.first + later.days + s.start + make_interval(mins => s.minutes)) at time zone t.timezone as end_time
  ) span
  where r.post_id = any (p_posts) and span.start_time > now();
$$;

-- What has to be done so that the shifts of these posts are those that their requirements ask for.
create function private.plan_demand(p_posts uuid[], p_from date, p_to date) returns setof private.demand_step
language sql stable set search_path = '' as $$
  with wanted as materialized (
    select * from private.wanted_shifts(p_posts, p_from, p_to)
  ),
  existing as materialized (
    select s.id, s.requirement_id, s.post_id, s.slot, s.start_time, s.end_time, s.required_headcount,
      not s.is_manual and not exists (
        select from public.assignments a where a.shift_id = s.id and a.attendance_state <> 'none'
      ) as is_untouched
    from public.shifts s join public.sites t on t.id = s.site_id
    where s.post_id = any (p_posts) and s.slot is not null
      and s.start_time > greatest(now(), (p_from - 1)::timestamptz) and s.start_time < (p_to + 2)::timestamptz
      and (s.start_time at time zone t.timezone)::date between p_from and p_to
  ),
  same_slot as (
    select w.requirement_id, w.slot, w.start_time, e.id
    from wanted w join existing e
      on e.requirement_id = w.requirement_id and e.slot = w.slot and e.start_time = w.start_time
      and (e.end_time = w.end_time or not e.is_untouched)
  ),
  -- A new version of a requirement takes over the shifts of the old one that have the same times.
  same_time as (
    select w.requirement_id, w.slot, w.start_time, e.id
    from (
      select w.*, row_number() over (partition by w.post_id, w.start_time, w.end_time order by w.slot) as place
      from wanted w left join same_slot m using (requirement_id, slot, start_time) where m.id is null
    ) w
    join (
      select e.*, row_number() over (
        partition by e.post_id, e.start_time, e.end_time order by e.is_untouched, e.slot, e.id
      ) as place
      from existing e left join same_slot m on m.id = e.id where m.id is null
    ) e on e.post_id = w.post_id and e.start_time = w.start_time and e.end_time = w.end_time and e.place = w.place
  ),
  matched as materialized (
    select * from same_slot union all select * from same_time
  )
  select case
      when e.id is null then 'make'
      when e.is_untouched and (e.requirement_id, e.slot, e.required_headcount)
        is distinct from (w.requirement_id, w.slot, w.headcount) then 'change'
      else 'keep'
    end,
    e.id, w.requirement_id, w.post_id, w.site_id, w.slot, w.start_time, w.end_time, w.headcount
  from wanted w
  left join matched m using (requirement_id, slot, start_time)
  left join existing e on e.id = m.id
  where e.id is not null or not exists (
    select from private.skipped_slots k join public.post_requirements r on r.id = k.requirement_id
    where r.post_id = w.post_id and k.start_time = w.start_time
      and (k.requirement_id <> w.requirement_id or k.slot = w.slot)
  )
  union all
  select case when e.is_untouched then 'remove' else 'protect' end, e.id, e.requirement_id, e.post_id, null, e.slot,
    e.start_time, e.end_time, e.required_headcount
  from existing e left join matched m on m.id = e.id
  where m.id is null;
$$;

-- The guards of a shift, published or drafted.
create function private.guards_of_shift(p_shift uuid) returns text[]
language sql stable set search_path = ''
return array(
  select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p
  where p.id in (
    select a.user_id from public.assignments a where a.shift_id = p_shift and a.status <> 'cancelled'
    union select c.user_id from public.roster_changes c where c.shift_id = p_shift and c.change = 'assign'
  )
  order by 1
);

-- Tells guards which of their published shifts are about to be removed: one notice a guard.
create function private.notify_of_removed(p_shifts uuid[]) returns void
language sql set search_path = '' as $$
  select private.notify(
    gone.user_id, 'roster',
    case gone.count when 1 then 'A shift of yours was removed' else gone.count || ' of your shifts were removed' end,
    gone.lines, '/staff/shifts', null
  )
  from (
    select a.user_id, count(*),
      string_agg(format('%s, %s', t.name, private.time_text(s.start_time, t.timezone)), e'\n' order by s.start_time)
        as lines
    from public.shifts s
    join public.sites t on t.id = s.site_id
    join public.assignments a on a.shift_id = s.id and a.status <> 'cancelled'
    where s.id = any (p_shifts)
    group by a.user_id
  ) gone;
$$;

-- Makes, changes and removes shifts. One expansion at a time: two would see the same gaps. Returns counts, and the
-- removed shifts that had guards (the first 200).
create function private.expand_posts(p_posts uuid[], p_from date, p_to date) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  plan private.demand_step[];
  gone uuid[];
  was text := private.expansion();
  result jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended('expand demand', 0));
  plan := array(select s from private.plan_demand(p_posts, p_from, p_to) s);
  gone := array(select s.shift_id from unnest(plan) s where s.step = 'remove');
  select jsonb_build_object(
    'made', count(*) filter (where s.step = 'make'),
    'changed', count(*) filter (where s.step = 'change'),
    'kept', count(*) filter (where s.step = 'keep'),
    'protected', count(*) filter (where s.step = 'protect'),
    'removed', count(*) filter (where s.step = 'remove')
  ) into result from unnest(plan) s;
  result := result || jsonb_build_object('removed_shifts', coalesce((
    select jsonb_agg(jsonb_build_object('start_time', r.start_time, 'end_time', r.end_time, 'guards', r.guards)
      order by r.start_time)
    from (
      select s.start_time, s.end_time, g.guards
      from unnest(plan) s cross join private.guards_of_shift(s.shift_id) g (guards)
      where s.step = 'remove' and g.guards <> '{}'
      order by s.start_time limit 200
    ) r
  ), '[]'), 'guards', (
    select count(distinct a.user_id)
    from (
      select a.user_id from public.assignments a where a.shift_id = any (gone) and a.status <> 'cancelled'
      union all
      select c.user_id from public.roster_changes c where c.shift_id = any (gone) and c.change = 'assign'
    ) a
  ));
  perform private.notify_of_removed(gone);
  perform set_config('roster.expansion', 'on', true);
  delete from public.shifts s where s.id = any (gone);
  update public.shifts s
  set requirement_id = w.requirement_id, slot = w.slot, required_headcount = w.headcount
  from unnest(plan) w where w.step = 'change' and s.id = w.shift_id;
  insert into public.shifts
    (site_id, post_id, requirement_id, slot, start_time, end_time, required_headcount, is_manual)
  select w.site_id, w.post_id, w.requirement_id, w.slot, w.start_time, w.end_time, w.headcount, false
  from unnest(plan) w where w.step = 'make'
  order by w.start_time, w.site_id
  on conflict do nothing;
  perform set_config('roster.expansion', was, true);
  return result;
end
$$;

-- Expands for the horizon, and for as long as shifts have been made already.
create function private.expand_to_horizon(p_posts uuid[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.company_date();
  last date;
begin
  select max((s.start_time at time zone t.timezone)::date) into last
  from public.shifts s join public.sites t on t.id = s.site_id
  where s.post_id = any (p_posts) and s.start_time > now() and not s.is_manual;
  -- A zone may be a day behind the company's.
  return private.expand_posts(p_posts, today - 1, greatest(today + private.demand_horizon_days(), last));
end
$$;

-- For planners, and for the server every night. Without sites: all that the caller plans.
create function public.expand_demand(p_from date, p_to date, p_sites uuid[] default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  sites uuid[] := p_sites;
  is_everywhere boolean := auth.uid() is null or private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
begin
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'The last day must be at most 400 days after the first.' using errcode = 'invalid_parameter_value';
  end if;
  if cardinality(sites) > 5000 then
    raise exception 'Choose at most 5,000 sites.' using errcode = 'invalid_parameter_value';
  end if;
  if not is_everywhere then
    sites := coalesce(sites, private.supervised_sites());
    if sites = '{}' or not sites <@ private.supervised_sites() then
      raise exception 'You don''t plan the shifts of these sites.' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return private.expand_posts(
    array(select p.id from public.posts p where sites is null or p.site_id = any (sites)), p_from, p_to
  ) - 'removed_shifts';
end
$$;

create function private.expand_changed_requirements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion() = '' then
    perform private.expand_to_horizon(array(select distinct c.post_id from changed c
      join public.posts p on p.id = c.post_id));
  end if;
  return null;
end
$$;
create trigger demand_follows_inserts after insert on public.post_requirements
  referencing new table as changed for each statement execute function private.expand_changed_requirements();
create trigger demand_follows_updates after update on public.post_requirements
  referencing new table as changed for each statement execute function private.expand_changed_requirements();
create trigger demand_follows_deletes after delete on public.post_requirements
  referencing old table as changed for each statement execute function private.expand_changed_requirements();

create function private.expand_changed_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion() = '' then
    perform private.expand_to_horizon(array[new.id]);
  end if;
  return null;
end
$$;
create trigger demand_follows after update on public.posts
  for each row when ((old.valid_from, old.valid_to) is distinct from (new.valid_from, new.valid_to))
  execute function private.expand_changed_post();

-- Without its post nothing asks for a shift any more. Requirements go first, so that their shifts are found by the post.
create function private.remove_demand_of_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.post_requirements r where r.post_id = old.id;
  return old;
end
$$;
create trigger c_demand before delete on public.posts
  for each row execute function private.remove_demand_of_post();

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

-- What save_requirement would do: it does it and takes it back.
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
-- with an id it is changed, else added. Returns the post's id and what happens to its shifts. p_preview takes it back.
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
  private.expansion, private.demand_horizon_days, private.rotate_slots, private.clear_requirements,
  private.expand_own_post, private.require_overseen_post, private.write_requirement
to authenticated;
revoke all on function
  public.expand_demand, public.save_requirement, public.preview_requirement, public.save_post, public.remove_post
from public, anon;
grant execute on function
  public.expand_demand, public.save_requirement, public.preview_requirement, public.save_post, public.remove_post
to authenticated;
grant execute on function public.expand_demand to service_role;
