-- The hard rules of rosters: which rule set is in force, what speaks against a guard on a shift, and the triggers that
-- refuse it. shared/roster has the same rules for the engine and the board, with the same messages.
insert into public.rule_sets (name, effective_from, sources) values (
  'Liberia', '2020-01-01', jsonb_build_object(
    'min_rest_hours', 'WageIndicator: 12 h of rest a day (medium confidence)',
    'min_rest_override_hours', 'Company policy',
    'weekly_rest_hours', 'WageIndicator: 36 h of rest a week (medium confidence)',
    'week_hours', 'mywage.org/liberia: 48 h a week (medium to high confidence)',
    'week_overtime_hours', 'mywage.org/liberia: about 5 h of overtime a week (medium to high confidence)',
    'shift_hours', 'mywage.org/liberia: up to 12 h a day while the week stays within 48 h (medium to high confidence)',
    'consecutive_days', 'Follows from one rest of 36 h a week',
    'consecutive_nights', 'Company policy'
  )
);

-- The rules in force on a day; before the first rule set, the first one. plpgsql, so that its plan stays cached.
create function private.rules_on(p_day date) returns public.rule_sets
language plpgsql stable security definer set search_path = '' as $$
declare
  rules public.rule_sets;
begin
  select * into rules from public.rule_sets r
  order by r.effective_from <= p_day desc, abs(r.effective_from - p_day)
  limit 1;
  return rules;
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
create trigger c_keep_one before delete on public.rule_sets
  for each row execute function private.keep_one_rule_set();

-- Hours in a message, with one decimal at most.
create function private.hours_text(p_hours numeric) returns text
language sql immutable set search_path = ''
return trim_scale(round(p_hours, 1))::text;

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
  duty tstzrange;
  rest interval;
  free_from timestamptz;
  longest interval;
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
    free_from := week_begins;
    longest := '0';
    foreach duty in array near loop
      exit when lower(duty) >= week_ends;
      longest := greatest(longest, lower(duty) - free_from);
      free_from := greatest(free_from, upper(duty));
    end loop;
    figure := extract(epoch from greatest(longest, week_ends - free_from)) / 3600;
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

  counted := 1;
  edge := first_day - 1;
  while edge = any (days) loop
    counted := counted + 1;
    edge := edge - 1;
  end loop;
  edge := first_day + 1;
  while edge = any (days) loop
    counted := counted + 1;
    edge := edge + 1;
  end loop;
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
    counted := cardinality(own_nights);
    edge := own_nights[1] - 1;
    while edge = any (nights) loop
      counted := counted + 1;
      edge := edge - 1;
    end loop;
    edge := own_nights[cardinality(own_nights)] + 1;
    while edge = any (nights) loop
      counted := counted + 1;
      edge := edge + 1;
    end loop;
    if counted > rules.consecutive_nights then
      rule := 'consecutive_nights';
      message := format('%s nights in a row at most, this would make %s', rules.consecutive_nights, counted);
      return next;
    end if;
  end if;
end
$$;

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

-- What speaks against this guard on this shift besides the other duties. A shift without a post needs no certificate or
-- induction, and leave on it is a warning: see warnings_for.
create function private.eligibility_problems(p_person uuid, p_shift public.shifts)
returns table (rule text, message text, can_override boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  last_day date;
  person_gender text;
  post public.posts;
  missing text;
begin
  select p.left_on, p.gender into last_day, person_gender from public.profiles p where p.id = p_person;
  if last_day is not null
    and last_day < lower(private.days_of(tstzrange(p_shift.start_time, p_shift.end_time)))
  then
    return query values ('inactive', 'Employment has ended', false);
  end if;
  if exists (select from public.site_bans b where b.user_id = p_person and b.site_id = p_shift.site_id) then
    return query values ('ban', 'Banned from this site', false);
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

revoke all on all functions in schema private from public;
