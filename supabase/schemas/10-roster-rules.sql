-- Rules of rostering: rest, hours, nights, eligibility, bans, inductions, availability.

-- ── Tables ────────────────────────────────────────────────────────────

-- When guards would like to work and when they can't. Wishes, unlike approved leave.
create table public.availability (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  kind text not null check (kind in ('unavailable', 'avoid', 'prefer')),
  weekday integer check (weekday between 0 and 6), -- 0 is Monday; null for every day from from_day to to_day.
  from_day date check (from_day between '1900-01-01' and '2199-12-31'),
  to_day date check (to_day between '1900-01-01' and '2199-12-31'),
  part text check (part in ('day', 'night')), -- Null for the whole day.
  note text check (char_length(note) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint availability_ends_not_before_start check (to_day >= from_day),
  constraint availability_names_days check (weekday is not null or from_day is not null and to_day is not null)
);
create index availability_user_id_idx on public.availability (user_id);
alter table public.availability replica identity full;
alter publication supabase_realtime add table public.availability;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.availability', 'note');
create trigger c_limit before insert on public.availability for each row execute function private.limit_availability();
create trigger d_touch before update on public.availability for each row execute function private.touch();
select private.keep_history_of('public.availability');
alter table public.availability enable row level security;
grant select, insert, update, delete on public.availability to authenticated;
create policy "Planners and HR read when guards can work" on public.availability
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or cardinality((select private.supervised_sites())) > 0
  );
create policy "Members read when they can work" on public.availability
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members add when they can work" on public.availability
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members change when they can work" on public.availability
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members remove when they can work" on public.availability
  for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- The rules of rosters from a day on, and the weight of each wish. shared/roster reads the same columns.
create table public.rule_sets (
  id uuid default gen_random_uuid() primary key,
  name text not null check (char_length(name) <= 100),
  effective_from date not null unique check (effective_from between '1900-01-01' and '2199-12-31'),
  min_rest_hours numeric(4,2) not null default 12 check (min_rest_hours between 0 and 24),
  min_rest_override_hours numeric(4,2) not null default 8, -- Rest that an override can't go below.
  weekly_rest_hours numeric(5,2) not null default 36 check (weekly_rest_hours between 0 and 120),
  week_hours numeric(5,2) not null default 48 check (week_hours between 1 and 168),
  week_overtime_hours numeric(5,2) not null default 5 check (week_overtime_hours between 0 and 120),
  shift_hours numeric(4,2) not null default 12 check (shift_hours between 1 and 24),
  consecutive_days integer not null default 6 check (consecutive_days between 1 and 31),
  consecutive_nights integer not null default 4 check (consecutive_nights between 1 and 31),
  -- A shift that is under way at this local time is a night.
  night_at time without time zone not null default '02:00:00'::time without time zone,
  weight_known_post integer not null default 20 check (weight_known_post between 0 and 100),
  weight_fair_nights integer not null default 10 check (weight_fair_nights between 0 and 100),
  weight_fair_sundays integer not null default 10 check (weight_fair_sundays between 0 and 100),
  weight_fair_hours integer not null default 10 check (weight_fair_hours between 0 and 100),
  weight_distance integer not null default 10 check (weight_distance between 0 and 100),
  weight_overtime integer not null default 30 check (weight_overtime between 0 and 100),
  weight_preference integer not null default 10 check (weight_preference between 0 and 100),
  weight_change integer not null default 20 check (weight_change between 0 and 100),
  bids_approve_themselves boolean not null default false,
  swaps_approve_themselves boolean not null default false,
  -- By column: where the figure comes from.
  sources jsonb not null default '{}'::jsonb
    check (jsonb_typeof(sources) = 'object' and pg_column_size(sources) <= 8000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint rule_sets_override_is_shorter check (min_rest_override_hours between 0 and min_rest_hours)
);
create index rule_sets_created_by_idx on public.rule_sets (created_by);

insert into public.rule_sets (name, effective_from, sources) values
  ('Liberia', '2020-01-01',
    '{"week_hours": "mywage.org/liberia: 48 h a week (medium to high confidence)", "shift_hours": '
    '"mywage.org/liberia: up to 12 h a day while the week stays within 48 h (medium to high confidence)", '
    '"min_rest_hours": "WageIndicator: 12 h of rest a day (medium confidence)", "consecutive_days": "Follows from one '
    'rest of 36 h a week", "weekly_rest_hours": "WageIndicator: 36 h of rest a week (medium confidence)", '
    '"consecutive_nights": "Company policy", "week_overtime_hours": "mywage.org/liberia: about 5 h of overtime a week '
    '(medium to high confidence)", "min_rest_override_hours": "Company policy"}');
alter publication supabase_realtime add table public.rule_sets;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.rule_sets', 'name');
create trigger b_author before insert or update on public.rule_sets
  for each row execute function private.stamp_author();
create trigger c_keep_one before delete on public.rule_sets for each row execute function private.keep_one_rule_set();
create trigger d_touch before update on public.rule_sets for each row execute function private.touch();
select private.keep_history_of('public.rule_sets');
alter table public.rule_sets enable row level security;
grant select, insert, update, delete on public.rule_sets to authenticated;
create policy "Planners and HR read the rules" on public.rule_sets
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or cardinality((select private.supervised_sites())) > 0
  );
create policy "Admins and operations managers add rules" on public.rule_sets
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers change rules" on public.rule_sets
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers delete rules" on public.rule_sets
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

-- Guards whom a site or its client does not want.
create table public.site_bans (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  reason text not null check (char_length(reason) <= 500),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (site_id, user_id)
);
create index site_bans_user_id_idx on public.site_bans (user_id);
create index site_bans_created_by_idx on public.site_bans (created_by);
alter table public.site_bans replica identity full;
alter publication supabase_realtime add table public.site_bans;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.site_bans', 'reason');
create trigger b_author before insert or update on public.site_bans
  for each row execute function private.stamp_author();
select private.keep_history_of('public.site_bans');
alter table public.site_bans enable row level security;
grant select, insert, delete on public.site_bans to authenticated;
create policy "Planners and HR read who is banned from their sites" on public.site_bans
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers ban guards from their sites" on public.site_bans
  for insert to authenticated with check (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers lift bans at their sites" on public.site_bans
  for delete to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

-- Guards who have been shown a site.
create table public.site_inductions (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  inducted_on date not null default private.company_date() check (inducted_on between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (site_id, user_id)
);
create index site_inductions_user_id_idx on public.site_inductions (user_id);
create index site_inductions_created_by_idx on public.site_inductions (created_by);
alter table public.site_inductions replica identity full;
alter publication supabase_realtime add table public.site_inductions;
-- Triggers, in the order in which they fire:
create trigger b_author before insert or update on public.site_inductions
  for each row execute function private.stamp_author();
select private.keep_history_of('public.site_inductions');
alter table public.site_inductions enable row level security;
grant select, insert, delete on public.site_inductions to authenticated;
create policy "Planners and HR read who knows their sites" on public.site_inductions
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers record inductions at their sites" on public.site_inductions
  for insert to authenticated with check (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers remove inductions at their sites" on public.site_inductions
  for delete to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

-- ── Functions ─────────────────────────────────────────────────────────

-- The rules in force on a day; before the first rule set, the first one. plpgsql, so that its plan stays cached.
create function private.rules_on(p_day date) returns public.rule_sets
language plpgsql stable security definer set search_path = '' as $$
declare
  rules public.rule_sets;
begin
  select * into rules from public.rule_sets r
  order by r.effective_from <= p_day desc, abs(r.effective_from - p_day) limit 1;
  return rules;
end
$$;

-- Refuses a period without an end or longer than 400 days, so that one call can't read years of shifts.
create function private.require_period(from_at timestamptz, to_at timestamptz) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if from_at is null or to_at is null or not isfinite(from_at) or not isfinite(to_at) then
    raise exception 'The period needs a start and an end.' using errcode = 'invalid_parameter_value';
  end if;
  if to_at - from_at > interval '400 days' then
    raise exception 'The period must be at most 400 days.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;
grant execute on function private.require_period to authenticated;

-- The local days on which a duty is under way at p_at, in order.
create function private.nights_of(p_start timestamptz, p_end timestamptz, p_at time, p_zone text) returns date[]
language plpgsql immutable set search_path = '' as $$
declare
  begins timestamp := p_start at time zone p_zone - p_at::interval;
  ends timestamp := p_end at time zone p_zone - p_at::interval;
  night date := begins::date;
  nights date[] := '{}';
begin
  if night < begins then
    night := night + 1;
  end if;
  while night < ends loop
    nights := nights || night;
    night := night + 1;
  end loop;
  return nights;
end
$$;

-- Counts the days that lie in a row with p_first to p_last: those just before and just after it.
create function private.count_days_beside(p_days date[], p_first date, p_last date) returns integer
language plpgsql immutable set search_path = '' as $$
declare
  counted integer := 0;
  edge date := p_first - 1;
begin
  while edge = any (p_days) loop
    counted := counted + 1;
    edge := edge - 1;
  end loop;
  edge := p_last + 1;
  while edge = any (p_days) loop
    counted := counted + 1;
    edge := edge + 1;
  end loop;
  return counted;
end
$$;

-- Measures the longest free block of a week, in hours. p_duties are in order.
create function private.measure_weekly_rest(p_duties tstzrange[], p_week tstzrange) returns numeric
language plpgsql immutable set search_path = '' as $$
declare
  duty tstzrange;
  free_from timestamptz := lower(p_week);
  longest interval := '0';
begin
  foreach duty in array p_duties loop
    exit when lower(duty) >= upper(p_week);
    longest := greatest(longest, lower(duty) - free_from);
    free_from := greatest(free_from, upper(duty));
  end loop;
  return extract(epoch from greatest(longest, upper(p_week) - free_from)) / 3600;
end
$$;

-- Which rules a duty from p_start to p_end breaks, next to p_duties: the other duties of the person within 15 days
-- before and after. p_zone is the company's: a duty belongs to the day and to the week (from Monday) in which it starts
-- there. Overlapping duties break no further rule.
create function private.duty_problems(
  p_person uuid, p_start timestamptz, p_end timestamptz, p_duties tstzrange[], p_zone text
) returns table (rule text, message text, can_override boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  work tstzrange;
  rules public.rule_sets;
  reach interval;
  first_day date;
  week_begins timestamptz;
  week_ends timestamptz;
  -- In order, with this one.
  near tstzrange[];
  busy tstzrange;
  rest interval;
  days date[];
  nights date[];
  own_nights date[];
  counted integer;
  edge date;
  week_hours numeric;
  own_hours numeric;
  figure numeric;
begin
  perform private.require_period(p_start, p_end);
  if p_end <= p_start or p_zone is null or cardinality(p_duties) > 1000 then
    raise exception 'Give a start before the end, a zone, and at most 1000 duties.'
      using errcode = 'invalid_parameter_value';
  end if;
  work := tstzrange(p_start, p_end);
  first_day := (p_start at time zone p_zone)::date;
  rules := private.rules_on(first_day);
  reach := make_interval(days => greatest(8, rules.consecutive_days + 1, rules.consecutive_nights + 1));
  edge := date_trunc('week', first_day::timestamp)::date;
  week_begins := edge::timestamp at time zone p_zone;
  week_ends := (edge + 7)::timestamp at time zone p_zone;
  own_hours := extract(epoch from p_end - p_start) / 3600;
  own_nights := private.nights_of(p_start, p_end, rules.night_at, p_zone);

  select array_agg(d order by d), (array_agg(d) filter (where d && work and d <> work))[1],
    least(p_start - max(upper(d)) filter (where d << work), min(lower(d)) filter (where d >> work) - p_end),
    sum(extract(epoch from upper(d) - lower(d)) / 3600) filter (where lower(d) >= week_begins and lower(d) < week_ends),
    array_agg((lower(d) at time zone p_zone)::date)
  into near, busy, rest, week_hours, days
  from unnest(p_duties || work) d
  where d && tstzrange(p_start - reach, p_end + reach) and isfinite(lower(d)) and isfinite(upper(d));
  if busy is not null or work = any (p_duties) then
    busy := coalesce(busy, work);
    rule := 'overlap';
    message := format('Already on a shift, %s to %s',
      private.time_text(lower(busy), p_zone), private.time_text(upper(busy), p_zone));
    can_override := false;
    return next;
    return;
  end if;

  figure := extract(epoch from rest) / 3600;
  if figure < rules.min_rest_hours then
    rule := 'rest';
    -- Rounded down, so that 11 h 59 min is not shown as the 12 h that are needed.
    message := format('%s h rest, %s needed', private.hours_text(floor(figure * 10) / 10),
      private.hours_text(rules.min_rest_hours));
    can_override := figure >= rules.min_rest_override_hours;
    return next;
  end if;
  can_override := true;
  if own_hours > rules.shift_hours then
    rule := 'shift_hours';
    message := format('%s h a shift at most, this one has %s h', private.hours_text(rules.shift_hours),
      private.hours_text(ceil(own_hours * 10) / 10));
    return next;
  end if;
  if week_hours > rules.week_hours + rules.week_overtime_hours then
    rule := 'week_hours';
    message := format('%s h a week at most, this would make %s h',
      private.hours_text(rules.week_hours + rules.week_overtime_hours),
      private.hours_text(ceil(week_hours * 10) / 10));
    return next;
  end if;

  -- Each week that the duty touches needs one free block; a night from Sunday to Monday takes from both.
  while week_begins < p_end loop
    figure := private.measure_weekly_rest(near, tstzrange(week_begins, week_ends));
    if figure < rules.weekly_rest_hours then
      rule := 'weekly_rest';
      message := format('%s h weekly rest needed, the longest would be %s h',
        private.hours_text(rules.weekly_rest_hours), private.hours_text(floor(figure * 10) / 10));
      return next;
      exit;
    end if;
    edge := edge + 7;
    week_begins := week_ends;
    week_ends := (edge + 7)::timestamp at time zone p_zone;
  end loop;

  counted := 1 + private.count_days_beside(days, first_day, first_day);
  if counted > rules.consecutive_days then
    rule := 'consecutive_days';
    message := format('%s days in a row at most, this would make %s', rules.consecutive_days, counted);
    return next;
  end if;

  -- Fewer duties than the limit can't be too many nights, but for one that spans several.
  if own_nights <> '{}' and (cardinality(near) > rules.consecutive_nights or own_hours > 24) then
    nights := array(
      select night from unnest(near) d
      cross join lateral unnest(private.nights_of(lower(d), upper(d), rules.night_at, p_zone)) night
    );
    counted := cardinality(own_nights)
      + private.count_days_beside(nights, own_nights[1], own_nights[cardinality(own_nights)]);
    if counted > rules.consecutive_nights then
      rule := 'consecutive_nights';
      message := format('%s nights in a row at most, this would make %s', rules.consecutive_nights, counted);
      return next;
    end if;
  end if;
end
$$;

-- How far from home guards work where neither the person nor the site has a limit, outside the person's region.
create function private.reach_km() returns integer language sql immutable set search_path = '' return 60;

-- The county of a place in Liberia, or its country; 'Liberia' where the county is not known.
create function private.region_of(p_county text, p_zone text) returns text
language sql immutable set search_path = ''
return coalesce(p_county, case p_zone when 'Africa/Lagos' then 'Nigeria' when 'Africa/Accra' then 'Ghana'
  else 'Liberia' end);

-- Whether two places are in the same region, or may be as far as is known. Never null: an unknown one is in none.
create function private.is_same_region(one text, other text) returns boolean
language sql immutable set search_path = ''
return coalesce(
  one = other or 'Liberia' in (one, other) and not ('Nigeria' in (one, other) or 'Ghana' in (one, other)), false
);

-- Why a person lives too far from a site; null if near enough. A limit of the person or the site counts where both
-- positions are known. Otherwise people work in their own region, and as far as reach_km; people without a known home
-- work anywhere. plpgsql, so that its plan stays cached.
create function private.distance_problem(p_person uuid, p_site uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  person public.profiles;
  site public.sites;
  region text;
  metres integer;
  most integer;
begin
  select * into person from public.profiles p where p.id = p_person;
  select * into site from public.sites s where s.id = p_site;
  metres := private.distance_m(person.home_position, site.latitude, site.longitude);
  most := least(person.max_distance_km, site.max_distance_km);
  if metres is null or most is null then
    region := private.region_of(site.county, site.timezone);
    if private.is_same_region(person.home_region, region) or metres is null and person.home_region is null then
      return null;
    end if;
    if metres is null then
      return format('Lives in %s, not in %s', person.home_region, region);
    end if;
    most := private.reach_km();
  end if;
  if metres > most * 1000 then
    return format('Lives %s km away, %s km at most', ceil(metres / 1000.0), most);
  end if;
  return null;
end
$$;

-- What speaks against this guard on this shift besides the other duties. A shift without a post needs no certificate or
-- induction, and leave on it is a warning: see warnings_for. Distance is one for any shift.
create function private.eligibility_problems(p_person uuid, p_shift public.shifts)
returns table (rule text, message text, can_override boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  last_day date;
  person_gender text;
  post public.posts;
  missing text;
  too_far text := private.distance_problem(p_person, p_shift.site_id);
begin
  select p.left_on, p.gender into last_day, person_gender from public.profiles p where p.id = p_person;
  if last_day is not null and last_day < lower(private.days_of(tstzrange(p_shift.start_time, p_shift.end_time))) then
    return query values ('inactive', 'Employment has ended', false);
  end if;
  if exists (select from public.site_bans b where b.user_id = p_person and b.site_id = p_shift.site_id) then
    return query values ('ban', 'Banned from this site', false);
  end if;
  if too_far is not null then
    return query values ('distance', too_far, true);
  end if;
  if p_shift.post_id is null then
    return;
  end if;
  select * into post from public.posts p where p.id = p_shift.post_id;
  if post.gender is not null and post.gender is distinct from person_gender then
    return query values ('gender', format('The post is for %s guards', post.gender), false);
  end if;
  if private.is_on_leave(p_person, tstzrange(p_shift.start_time, p_shift.end_time)) then
    return query values ('leave', 'On approved leave', true);
  end if;
  -- Only the newest certificate of each course counts.
  select string_agg(c.title, ', ' order by c.title) into missing
  from public.post_courses needed join public.training_courses c on c.id = needed.course_id
  where needed.post_id = p_shift.post_id and coalesce((
    select max(held.expires_at) < p_shift.end_time from public.certifications held
    where held.user_id = p_person and held.course_id = needed.course_id
  ), true);
  if missing is not null then
    return query values ('certificate', format('No valid certificate: %s', missing), true);
  end if;
  if post.needs_induction and not exists (
    select from public.site_inductions i where i.user_id = p_person and i.site_id = p_shift.site_id
  ) then
    return query values ('induction', 'Not inducted at this site', true);
  end if;
end
$$;

-- Finds who drafted this assignment with the same reason, if it is somebody who may override the rules of its site.
create function private.find_drafting_overseer(p_assignment public.assignments) returns uuid
language sql stable security definer set search_path = '' as $$
  select c.created_by
  from public.roster_changes c join public.user_roles r on r.user_id = c.created_by
  where c.shift_id = p_assignment.shift_id and c.user_id = p_assignment.user_id and c.change = 'assign'
    and c.override_reason = p_assignment.override_reason and (
      r.role in ('admin', 'ops_manager') and r.site_id is null
      or r.role = 'supervisor' and coalesce(r.site_id = p_assignment.site_id, true)
    )
  limit 1;
$$;

-- Takes rest from the guard's neighbouring duties that are nearer than half of theirs.
create function private.shorten_rest_of_neighbours(p_assignment public.assignments) returns void
language sql security definer set search_path = '' as $$
  update public.assignments a set rest_span = tstzrange(
    case when a.period >> p_assignment.period then greatest(lower(a.rest_span), upper(p_assignment.period))
      else lower(a.rest_span) end,
    case when a.period << p_assignment.period then least(upper(a.rest_span), lower(p_assignment.period))
      else upper(a.rest_span) end
  )
  where a.user_id = p_assignment.user_id and a.id <> p_assignment.id and a.status <> 'cancelled'
    and a.rest_span && p_assignment.period;
$$;

-- Says why a guard can't work a shift: the duty that overlaps, or the rules that are broken and who may override them.
create function private.refuse_assignment(
  p_assignment public.assignments, p_duties tstzrange[], p_broken jsonb, p_may_override boolean
) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  refusal text;
begin
  if auth.uid() <> p_assignment.user_id and not private.may_plan(p_assignment.site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  refusal := coalesce(
    (select nullif(p.full_name, '') from public.profiles p where p.id = p_assignment.user_id), 'This guard');
  if p_broken @> '[{"rule": "overlap"}]' then
    select format('%s is already on an overlapping shift, %s to %s.', refusal,
      private.time_text(lower(d), s.timezone), private.time_text(upper(d), s.timezone)) into refusal
    from unnest(p_duties) d, public.sites s where d && p_assignment.period and s.id = p_assignment.site_id limit 1;
  else
    select format('%s can''t work this shift: %s.', refusal, string_agg(p ->> 'message', '; ')) into refusal
    from jsonb_array_elements(p_broken) p;
  end if;
  raise exception '%', refusal using
    errcode = case when p_broken @> '[{"rule": "overlap"}]' or p_broken @> '[{"rule": "rest"}]'
      then 'exclusion_violation' else 'check_violation' end,
    detail = p_broken::text,
    hint = case
      when p_broken @> '[{"can_override": false}]' then ''
      when p_may_override then 'Assign the guard with a reason to override this.'
      else 'A supervisor, an operations manager or an admin can override this with a reason.'
    end;
end
$$;

-- Derives site, period, leave and rest, and refuses every writer what the rules forbid. Definer, because planners
-- can't read every table that it reads. It runs before the policies: callers who don't plan the site learn only about
-- themselves. A changed status alone is not checked again; a new assignment, another guard or shift, a moved shift,
-- another reason and the end of a cancellation are.
create function private.check_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts;
  zone text;
  duties tstzrange[];
  rest_before timestamptz;
  rest_after timestamptz;
  half interval;
  broken jsonb;
  is_checked boolean := true;
  is_moved boolean := false;
  may_override boolean;
  overrider uuid;
begin
  -- The lock keeps the shift's times unchanged until this assignment is inserted.
  select * into shift from public.shifts s where s.id = new.shift_id for share;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  new.site_id := shift.site_id;
  -- A guard who joins later is on duty from then on, under every rule below.
  if new.joins_at > shift.start_time and new.joins_at < shift.end_time then
    shift.start_time := new.joins_at;
  end if;
  new.period := tstzrange(shift.start_time, shift.end_time);
  new.override_reason := nullif(btrim(new.override_reason), '');
  if tg_op = 'INSERT' then
    -- A load without a caller sets it itself, which saves an update per attendance record.
    if auth.role() is not null then
      new.attendance_state := 'none';
    end if;
    new.overridden_rules := '{}';
    new.overridden_by := null;
  else
    if old.attendance_state <> 'none' and (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id) then
      raise exception 'The guard has already clocked in, so this assignment can''t be given to someone else.'
        using errcode = 'PT409';
    end if;
    is_moved := (new.shift_id, new.user_id, new.override_reason)
      is not distinct from (old.shift_id, old.user_id, old.override_reason);
    is_checked := not is_moved or old.status = 'cancelled' or (new.site_id, new.period) <> (old.site_id, old.period);
    -- A reason belongs to one guard on one shift.
    if (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id)
      and new.override_reason = old.override_reason
    then
      new.override_reason := null;
    end if;
  end if;
  -- Two planners take turns here, so that the second gets the reason and not the name of a constraint. A decision
  -- about the guard's leave takes the same lock, so that neither misses the other.
  if new.status <> 'cancelled' then
    perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 0));
  end if;
  new.on_leave := private.is_on_leave(new.user_id, new.period);
  new.rest_span := case when new.status <> 'cancelled' then new.rest_span end;
  if new.status = 'cancelled' or not is_checked then
    return new;
  end if;

  select s.time_zone into zone from private.settings s;
  select array_agg(a.period), max(upper(coalesce(a.rest_span, a.period))) filter (where a.period << new.period),
    min(lower(coalesce(a.rest_span, a.period))) filter (where a.period >> new.period)
  into duties, rest_before, rest_after
  from public.assignments a
  where a.user_id = new.user_id and a.id <> new.id and a.status <> 'cancelled'
    and a.period && tstzrange(shift.start_time - interval '15 days', shift.end_time + interval '15 days');
  half := make_interval(secs => (
    private.rules_on((shift.start_time at time zone zone)::date)).min_rest_hours::double precision * 1800);
  new.rest_span := tstzrange(
    least(lower(new.period), greatest(lower(new.period) - half, rest_before)),
    greatest(upper(new.period), least(upper(new.period) + half, rest_after))
  );

  select jsonb_agg(to_jsonb(p)) into broken from (
    select d.* from private.duty_problems(new.user_id, shift.start_time, shift.end_time, duties, zone) d
    union all
    select e.* from private.eligibility_problems(new.user_id, shift) e
  ) p;
  if broken is not null then
    overrider := auth.uid();
    may_override := overrider is null or private.may_oversee(shift.site_id);
    if not may_override and new.override_reason is not null then
      -- The draft's author overrides, even if somebody else publishes.
      overrider := private.find_drafting_overseer(new);
      may_override := overrider is not null;
    end if;
  end if;
  if broken is null then
    new.override_reason := null;
    new.overridden_rules := '{}';
    new.overridden_by := null;
  elsif is_moved then
    -- An override goes along with its shift, and what was broken before and is no worse now stays as it is.
    new.overridden_rules := array(
      select r from unnest(old.overridden_rules) r
      where broken @> jsonb_build_array(jsonb_build_object('rule', r))
    );
    select jsonb_agg(p) into broken from jsonb_array_elements(broken) p
    where not (p -> 'can_override')::boolean or not (
      p ->> 'rule' = any (old.overridden_rules)
      or old.status <> 'cancelled' and exists (
        select from private.duty_problems(new.user_id, lower(old.period), upper(old.period), duties, zone) d
        where d.rule = p ->> 'rule' and d.message = p ->> 'message'
      )
      -- The guard was put there before the home or the limit changed.
      or p ->> 'rule' = 'distance' and old.status <> 'cancelled' and new.site_id = old.site_id
    );
  elsif new.override_reason is not null and may_override and not broken @> '[{"can_override": false}]' then
    new.overridden_rules := array(select distinct p ->> 'rule' from jsonb_array_elements(broken) p order by 1);
    new.overridden_by := overrider;
    broken := null;
  end if;
  if broken is null then
    if rest_before > lower(new.period) or rest_after < upper(new.period) then
      perform private.shorten_rest_of_neighbours(new);
    end if;
    return new;
  end if;
  perform private.refuse_assignment(new, duties, broken, may_override);
end
$$;

create function private.keep_one_rule_set() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('rule sets', 0));
  if not exists (select from public.rule_sets r where r.id <> old.id) then
    raise exception 'The last rule set can''t be deleted.' using errcode = 'PT409';
  end if;
  return old;
end
$$;

-- So that one account can't fill the table.
create function private.limit_availability() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('availability of ' || new.user_id, 0));
  if (select count(*) from public.availability a where a.user_id = new.user_id) >= 60 then
    raise exception 'There are 60 entries already. Remove one first.' using errcode = 'PT409';
  end if;
  return new;
end
$$;

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

-- Every guard, with the reason if they can't work the period, warnings, and the rules that it would break; for callers
-- who plan the site. p_shift_id is the shift being edited: its own assignments are no conflict. A guard on leave can be
-- assigned to a shift without a post, but does not count towards the headcount.
create function public.guard_availability(
  p_site_id uuid, p_start timestamptz, p_end timestamptz, p_shift_id uuid default null
) returns table ( user_id uuid, full_name text, conflict text, warnings text[], on_leave boolean, problems jsonb )
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := coalesce((select s.timezone from public.sites s where s.id = p_site_id), 'Africa/Monrovia');
  company_zone text := (select s.time_zone from private.settings s);
  shift public.shifts;
begin
  if p_site_id is null or private.may_plan(p_site_id) is not true then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  perform private.require_period(p_start, p_end);
  if p_end <= p_start then
    raise exception 'End must be after start.' using errcode = 'check_violation';
  end if;
  select s.post_id into shift.post_id from public.shifts s where s.id = p_shift_id and s.site_id = p_site_id;
  shift.site_id := p_site_id;
  shift.start_time := p_start;
  shift.end_time := p_end;
  return query
  with duty as materialized (
    select a.user_id, array_agg(a.period) as periods
    from public.assignments a
    where a.starts_at > p_start - interval '16 days' and a.starts_at < p_end + interval '15 days'
      and a.status <> 'cancelled' and a.shift_id is distinct from p_shift_id
    group by a.user_id
  )
  select p.id, coalesce(nullif(p.full_name, ''), p.email),
    (
      select format('Already on a shift, %s to %s',
        private.time_text(lower(a.period), zone), private.time_text(upper(a.period), zone))
      from public.assignments a
      where a.user_id = p.id and a.status <> 'cancelled' and a.period && tstzrange(p_start, p_end)
        and a.shift_id is distinct from p_shift_id
      limit 1
    ),
    private.warnings_for(p.id, tstzrange(p_start, p_end)), private.is_on_leave(p.id, tstzrange(p_start, p_end)),
    coalesce((
      select jsonb_agg(to_jsonb(b)) from (
        select d.* from private.duty_problems(p.id, p_start, p_end, duty.periods, company_zone) d
        union all
        select e.* from private.eligibility_problems(p.id, shift) e
      ) b
    ), '[]')
  from public.profiles p left join duty on duty.user_id = p.id
  where exists (select from public.user_roles r where r.user_id = p.id and r.role = 'guard') order by 2;
end
$$;
comment on function public.guard_availability is 'Nullable: conflict';
grant execute on function public.guard_availability to authenticated;
