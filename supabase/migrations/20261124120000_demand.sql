-- Demand: the future shifts that the requirements of posts ask for. They are made for a horizon, on every change of a
-- requirement and every night. A shift that a guard has clocked in on, or that a planner has changed, is never touched.

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

revoke all on all functions in schema private from public;
revoke all on function public.expand_demand from public, anon;
grant execute on function public.expand_demand to authenticated, service_role;
