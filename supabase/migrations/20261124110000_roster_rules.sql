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

alter table public.assignments
  add column if not exists rest_span tstzrange,
  add constraint assignments_rest_contains_period check (rest_span @> period);
comment on column public.assignments.rest_span is
  'Derived: the period and half of the rest on each side, less where an override lets the neighbour come nearer';

-- What was assigned before keeps its places: where two are nearer than the rest, they share what is between them.
update public.assignments a set rest_span = near.span
from (
  select o.id, tstzrange(
    lower(o.period) - least(interval '6 hours', (lower(o.period) - lag(upper(o.period)) over work) / 2),
    upper(o.period) + least(interval '6 hours', (lead(lower(o.period)) over work - upper(o.period)) / 2)
  ) as span
  from public.assignments o where o.status <> 'cancelled'
  window work as (partition by o.user_id order by o.period)
) near
where near.id = a.id;

alter table public.assignments
  add constraint assignments_leave_rest
    exclude using gist (user_id with =, rest_span with &&) where (status <> 'cancelled');

-- Leaves out secrets, and values that follow from another recorded change.
create or replace function private.without_secrets(record jsonb) returns jsonb
language sql immutable parallel safe
return record - array['password', 'encrypted_password', 'secret', 'token', 'updated_at', 'attendance_state',
  'on_leave', 'counts_as_staffed', 'rest_span'];

-- Derives site, period, leave and rest, and refuses what the rules forbid, whoever writes. Definer, because planners
-- can't read every table that it reads. It runs before the policies: callers who don't plan the site learn only about
-- themselves. A changed status alone is not checked again; a new assignment, another guard or shift, a moved shift,
-- another reason and the end of a cancellation are.
create or replace function private.check_assignment() returns trigger
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
  refusal text;
begin
  -- The lock keeps the shift's times unchanged until this assignment is inserted.
  select * into shift from public.shifts s where s.id = new.shift_id for share;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  new.site_id := shift.site_id;
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
  if new.status = 'cancelled' then
    new.rest_span := null;
    return new;
  end if;
  if not is_checked then
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
      -- Whoever publishes, the draft's author overrides.
      select c.created_by into overrider
      from public.roster_changes c join public.user_roles r on r.user_id = c.created_by
      where c.shift_id = new.shift_id and c.user_id = new.user_id and c.change = 'assign'
        and c.override_reason = new.override_reason and (
          r.role in ('admin', 'ops_manager') and r.site_id is null
          or r.role = 'supervisor' and coalesce(r.site_id = shift.site_id, true)
        )
      limit 1;
      may_override := found;
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
    );
  elsif new.override_reason is not null and may_override and not broken @> '[{"can_override": false}]' then
    new.overridden_rules := array(select distinct p ->> 'rule' from jsonb_array_elements(broken) p order by 1);
    new.overridden_by := overrider;
    broken := null;
  end if;
  if broken is null then
    if rest_before > lower(new.period) or rest_after < upper(new.period) then
      -- Neighbours that are nearer than half of their rest give way.
      update public.assignments a set rest_span = tstzrange(
        case when a.period >> new.period then greatest(lower(a.rest_span), upper(new.period))
          else lower(a.rest_span) end,
        case when a.period << new.period then least(upper(a.rest_span), lower(new.period))
          else upper(a.rest_span) end
      )
      where a.user_id = new.user_id and a.id <> new.id and a.status <> 'cancelled' and a.rest_span && new.period;
    end if;
    return new;
  end if;
  if auth.uid() <> new.user_id and not private.may_plan(shift.site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  refusal := coalesce(
    (select nullif(p.full_name, '') from public.profiles p where p.id = new.user_id), 'This guard');
  if broken @> '[{"rule": "overlap"}]' then
    select format('%s is already on an overlapping shift, %s to %s.', refusal,
      private.time_text(lower(d), s.timezone), private.time_text(upper(d), s.timezone)) into refusal
    from unnest(duties) d, public.sites s where d && new.period and s.id = shift.site_id limit 1;
  else
    select format('%s can''t work this shift: %s.', refusal, string_agg(p ->> 'message', '; ')) into refusal
    from jsonb_array_elements(broken) p;
  end if;
  raise exception '%', refusal using
    errcode = case when broken @> '[{"rule": "overlap"}]' or broken @> '[{"rule": "rest"}]'
      then 'exclusion_violation' else 'check_violation' end,
    detail = broken::text,
    hint = case
      when broken @> '[{"can_override": false}]' then ''
      when may_override then 'Assign the guard with a reason to override this.'
      else 'A supervisor, an operations manager or an admin can override this with a reason.'
    end;
end
$$;

drop trigger c_rules_of_changes on public.assignments;
create trigger c_rules_of_changes before update on public.assignments
  for each row when (
    (old.shift_id, old.user_id, old.status, old.site_id, old.period, old.override_reason)
    is distinct from (new.shift_id, new.user_id, new.status, new.site_id, new.period, new.override_reason)
  )
  execute function private.check_assignment();

drop function public.guard_availability(uuid, timestamptz, timestamptz, uuid);

-- Every guard, with the reason if they can't work the period, warnings, and the rules that it would break; for callers
-- who plan the site. p_shift_id is the shift being edited: its own assignments are no conflict. A guard on leave can be
-- assigned to a shift without a post, but does not count towards the headcount.
create function public.guard_availability(
  p_site_id uuid, p_start timestamptz, p_end timestamptz, p_shift_id uuid default null
) returns table (
  user_id uuid, full_name text, conflict text, warnings text[], on_leave boolean, problems jsonb
)
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
  where exists (select from public.user_roles r where r.user_id = p.id and r.role = 'guard')
  order by 2;
end
$$;
comment on function public.guard_availability is 'Nullable: conflict';

drop function public.assign_guards(uuid, uuid[], uuid[]);

-- Adds and removes guards of a shift, all or none. p_override_reason lets a caller who oversees the site add guards
-- against rules that can be overridden. Runs as the caller: the policies of assignments decide.
create function public.assign_guards(
  p_shift_id uuid, p_user_ids uuid[], p_remove_user_ids uuid[] default '{}', p_override_reason text default null
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
  if char_length(p_override_reason) > 500 then
    raise exception 'Reason must be at most 500 characters' using errcode = 'check_violation';
  end if;
  select wanted.id into missing from unnest(p_user_ids) wanted (id)
  where not exists (select from public.profiles p where p.id = wanted.id);
  if found then
    raise exception 'There is no account %.', missing using errcode = 'foreign_key_violation';
  end if;
  delete from public.assignments a where a.shift_id = p_shift_id and a.user_id = any (p_remove_user_ids);
  -- In order of id, so that two planners never deadlock.
  insert into public.assignments (shift_id, user_id, override_reason)
  select p_shift_id, wanted.id, p_override_reason
  from (select distinct u.id from unnest(p_user_ids) u (id)) wanted
  where not exists (
    select from public.assignments a
    where a.shift_id = p_shift_id and a.user_id = wanted.id and a.status <> 'cancelled'
  )
  order by wanted.id;
  return query select * from public.assignments a where a.shift_id = p_shift_id order by a.created_at, a.id;
end
$$;

-- Restores a deleted shift with the guards that were on it. Guards whom the rules forbid by now, or whose account was
-- deleted, are left out with the reason. Runs as the caller: the policies of shifts and assignments decide.
create or replace function public.restore_shift(p_shift jsonb, p_assignments jsonb default '[]')
returns table (restored integer, left_out text[])
language plpgsql set search_path = '' as $$
declare
  guard public.assignments;
  reason text;
  broken text;
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
      insert into public.assignments (id, shift_id, user_id, status, role_at_shift, override_reason, created_at)
      values (guard.id, (p_shift ->> 'id')::uuid, guard.user_id, guard.status, guard.role_at_shift,
        guard.override_reason, guard.created_at);
      restored := restored + 1;
    exception
      when exclusion_violation or check_violation then
        get stacked diagnostics reason = message_text, broken = constraint_name;
        -- A rule names no constraint; a value that the table refuses does.
        if broken <> '' then
          raise;
        end if;
        left_out := left_out || reason;
      when foreign_key_violation then
        left_out := left_out || 'The account of one guard no longer exists.'::text;
    end;
  end loop;
  return next;
end
$$;

-- Inserts deleted rows again, shifts with their assignments. Returns false, and inserts none, if one is refused.
create or replace function private.restore_rows(p_table text, p_rows jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  state text;
begin
  perform private.insert_rows(p_table, p_rows);
  if p_table = 'shifts' then
    insert into public.assignments (id, shift_id, user_id, status, role_at_shift, override_reason, created_at)
    select a.id, (h.row ->> 'id')::uuid, a.user_id, a.status, a.role_at_shift, a.override_reason, a.created_at
    from jsonb_array_elements(p_rows) h (row),
      jsonb_populate_recordset(null::public.assignments, h.row -> 'assignments') a
    -- In order of guard, so that two planners never deadlock; those with a reason last, next to what they override.
    order by a.user_id, a.override_reason is not null;
  end if;
  return true;
exception when others then
  get stacked diagnostics state = returned_sqlstate;
  if state like '40%' then
    raise;
  end if;
  return false;
end
$$;

-- Deletes rows, all or none, and returns them for restore_records; shifts with their assignments.
create or replace function public.delete_records(p_table text, p_ids uuid[]) returns jsonb
language plpgsql set search_path = '' as $$
declare
  chosen uuid[];
  wanted uuid;
  before jsonb;
  gone integer;
  refused jsonb[];
  state text;
  message text;
  broken text;
begin
  perform private.require_deletable(p_table);
  perform private.require_many(p_ids);
  chosen := array(select distinct u.id from unnest(p_ids) u (id) order by 1);
  execute format(
    'select coalesce(jsonb_object_agg(t.id, to_jsonb(t)), ''{}'') from public.%I t where t.id = any ($1)', p_table
  ) into before using chosen;
  if p_table = 'shifts' then
    select coalesce(jsonb_object_agg(h.key, h.value || jsonb_build_object('assignments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'user_id', a.user_id, 'status', a.status,
        'role_at_shift', a.role_at_shift, 'override_reason', a.override_reason, 'created_at', a.created_at)), '[]')
      from public.assignments a where a.shift_id = h.key::uuid
    ))), '{}') into before
    from jsonb_each(before) h;
  end if;
  select array_agg(jsonb_build_object('id', u.id, 'reason', found.obstacle,
    'name', private.name_of_row(p_table, before -> u.id::text)) order by u.id)
  into refused
  from unnest(chosen) u (id)
  cross join lateral (
    select case
      when not before ? u.id::text then 'It no longer exists, or you may not delete it.'
      when p_table = 'user_roles' and before -> u.id::text ->> 'user_id' = auth.uid()::text
        then 'You can''t change your own roles.'
    end as obstacle
  ) found
  where found.obstacle is not null;
  perform private.refuse_many(refused, cardinality(chosen), 'deleted');

  if not private.delete_rows(p_table, chosen) then
    -- Row by row, to learn which rows are refused and why.
    foreach wanted in array chosen loop
      begin
        execute format('delete from public.%I t where t.id = $1', p_table) using wanted;
        get diagnostics gone = row_count;
        if gone = 0 then
          raise exception 'You may not delete it.' using errcode = 'PT409';
        end if;
      exception when others then
        get stacked diagnostics state = returned_sqlstate, message = message_text, broken = constraint_name;
        if state like '40%' then
          raise;
        end if;
        refused := refused || jsonb_build_object('id', wanted,
          'name', private.name_of_row(p_table, before -> wanted::text),
          'reason', private.reason_of(state, message, broken));
      end;
    end loop;
    perform private.refuse_many(refused, cardinality(chosen), 'deleted');
  end if;
  return (select jsonb_agg(before -> u.id::text order by u.id) from unnest(chosen) u (id));
end
$$;

alter type private.shift_copy add attribute post_id uuid;
drop function private.copied_shifts(uuid[], integer[]);

-- The copies of shifts some days later, at the same time on the site's clock; of the sites that the caller plans.
create function private.copied_shifts(p_sources uuid[], p_days integer[])
returns table (
  source_id uuid, days integer, site_id uuid, site_name text, zone text, start_time timestamptz, end_time timestamptz,
  required_headcount integer, notes text, already_exists boolean, post_id uuid
)
language sql stable security definer set search_path = '' as $$
  with source as (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount, s.notes, s.post_id,
      t.name as site_name, t.timezone as zone,
      (select count(*) from public.shifts p
        where p.site_id = s.site_id and p.start_time = s.start_time and p.end_time = s.end_time) as parallel
    from public.shifts s join public.sites t on t.id = s.site_id
    where s.id = any (p_sources) and (
      (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
      or s.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ),
  moved as (
    select s.id as source_id, d.days, s.site_id, s.site_name, s.zone, s.required_headcount, s.notes, s.parallel,
      s.post_id,
      (s.start_time at time zone s.zone + make_interval(days => d.days)) at time zone s.zone as start_time,
      (s.end_time at time zone s.zone + make_interval(days => d.days)) at time zone s.zone as end_time
    from source s cross join unnest(p_days) d (days)
  )
  select m.source_id, m.days, m.site_id, m.site_name, m.zone, m.start_time, m.end_time, m.required_headcount, m.notes,
    -- Two posts may have the same times: then it exists if there are as many, or one with the same notes.
    (select count(*) >= m.parallel or coalesce(bool_or(o.notes is not distinct from m.notes), false)
      from public.shifts o
      where o.site_id = m.site_id and o.start_time = m.start_time and o.end_time = m.end_time),
    m.post_id
  from moved m;
$$;

-- Each guard of the sources who is not cancelled, at each copy that does not exist yet: a no-show or leave in the
-- source says nothing about the copy. Definer, because a conflict counts at any site, and warnings come from leave and
-- certificates, which not every planner reads. p_without: assignments of the sources that are not copied. With
-- p_skips_leave, guards on leave are left out, but for the assignments in p_despite_leave. p_warn is off where the
-- warnings are not shown. A conflict is what check_assignment would refuse, with the guard's copies until then.
create or replace function private.copied_guards(
  p_sources uuid[], p_days integer[], p_warn boolean, p_skips_leave boolean, p_without uuid[], p_despite_leave uuid[]
) returns table (
  source_id uuid, days integer, assignment_id uuid, user_id uuid, role_at_shift text, person_name text, site_name text,
  zone text, start_time timestamptz, conflict text, is_on_leave boolean, is_left_out boolean, warnings text[]
)
language plpgsql stable security definer set search_path = '' as $$
declare
  company_zone text := (select s.time_zone from private.settings s);
  person uuid;
  copied tstzrange[];
  duties tstzrange[];
  period tstzrange;
  busy tstzrange;
  shift public.shifts;
  planned record;
begin
  for planned in
    select c.*, a.id as assignment, a.user_id as guard, a.role_at_shift as guard_role,
      coalesce(nullif(p.full_name, ''), p.email) as guard_name
    from private.copied_shifts(p_sources, p_days) c
    join public.assignments a on a.shift_id = c.source_id and a.status <> 'cancelled'
    join public.profiles p on p.id = a.user_id
    where not c.already_exists
    order by a.user_id, c.start_time, c.source_id, c.days
  loop
    if planned.guard is distinct from person then
      person := planned.guard;
      copied := '{}';
    end if;
    period := tstzrange(planned.start_time, planned.end_time);
    duties := array(
      select o.period from public.assignments o
      where o.user_id = person and o.status <> 'cancelled'
        and o.period && tstzrange(planned.start_time - interval '15 days', planned.end_time + interval '15 days')
    );
    duties := duties || array(
      select d from unnest(copied) d
      where d && tstzrange(planned.start_time - interval '15 days', planned.end_time + interval '15 days')
    );
    select d into busy from unnest(duties) d where d && period limit 1;
    if busy is not null then
      conflict := format('already on a shift, %s to %s',
        private.time_text(lower(busy), planned.zone), private.time_text(upper(busy), planned.zone));
    else
      shift.site_id := planned.site_id;
      shift.post_id := planned.post_id;
      shift.start_time := planned.start_time;
      shift.end_time := planned.end_time;
      select string_agg(lower(left(b.message, 1)) || substr(b.message, 2), '; ') into conflict from (
        select d.message
        from private.duty_problems(person, planned.start_time, planned.end_time, duties, company_zone) d
        union all
        select e.message from private.eligibility_problems(person, shift) e
      ) b;
    end if;
    is_on_leave := (p_warn or p_skips_leave) and private.is_on_leave(person, period);
    is_left_out := planned.assignment = any (coalesce(p_without, '{}'))
      or p_skips_leave and is_on_leave and planned.assignment <> all (coalesce(p_despite_leave, '{}'));
    if conflict is null and not is_left_out then
      copied := copied || period;
    end if;
    source_id := planned.source_id;
    days := planned.days;
    assignment_id := planned.assignment;
    user_id := person;
    role_at_shift := planned.guard_role;
    person_name := planned.guard_name;
    site_name := planned.site_name;
    zone := planned.zone;
    start_time := planned.start_time;
    warnings := case when p_warn then private.warnings_for(person, period) else '{}' end;
    return next;
  end loop;
end
$$;

-- Plans the copies with their guards.
create or replace function private.plan_copies(
  p_sources uuid[], p_days integer[], p_with_guards boolean, p_warn boolean, p_skips_leave boolean, p_without uuid[],
  p_despite_leave uuid[]
) returns setof private.shift_copy
language sql stable security definer set search_path = '' as $$
  with judged as (
    select g.*, format('%s (%s, %s)', g.person_name, g.site_name, private.time_text(g.start_time, g.zone)) as who
    from private.copied_guards(p_sources, p_days, p_warn, p_skips_leave, p_without, p_despite_leave) g
    where p_with_guards
  ),
  crew as (
    select j.source_id, j.days,
      array_agg(j.user_id order by j.user_id) filter (where j.conflict is null and not j.is_left_out) as guards,
      array_agg(j.role_at_shift order by j.user_id) filter (where j.conflict is null and not j.is_left_out) as roles,
      array_agg(j.who || ': ' || coalesce(j.conflict, case when j.is_on_leave then 'on approved leave' end, 'left out')
        order by j.who) filter (where j.conflict is not null or j.is_left_out) as left_out,
      array_agg(j.who || ': ' || lower(array_to_string(j.warnings, ', ')) order by j.who)
        filter (where j.conflict is null and not j.is_left_out and j.warnings <> '{}') as warned
    from judged j group by j.source_id, j.days
  )
  select gen_random_uuid(), c.site_id, (c.start_time at time zone c.zone)::date, c.start_time, c.end_time,
    c.required_headcount, c.notes, c.already_exists, coalesce(w.guards, '{}'), coalesce(w.roles, '{}'),
    coalesce(w.left_out, '{}'), coalesce(w.warned, '{}'), c.post_id
  from private.copied_shifts(p_sources, p_days) c
  left join crew w on w.source_id = c.source_id and w.days = c.days;
$$;

-- Creates the planned shifts, or only returns what it would create, day by day. Writes as the caller.
create or replace function private.copy_shifts(
  p_sources uuid[], p_days integer[], p_with_guards boolean, p_write boolean, p_skips_leave boolean default false,
  p_without uuid[] default '{}', p_despite_leave uuid[] default '{}'
) returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language plpgsql set search_path = '' as $$
declare
  plan private.shift_copy[];
begin
  if cardinality(p_sources)::bigint * cardinality(p_days) > 5000 then
    raise exception 'That would be more than 5,000 shifts. Choose a shorter time.' using errcode = 'check_violation';
  end if;
  if p_write then
    -- Two planners who copy at once take turns at each site, so that the second sees the shifts of the first.
    perform pg_advisory_xact_lock(hashtextextended('copy shifts ' || site.id, 0))
    from (select distinct s.site_id as id from public.shifts s where s.id = any (p_sources) order by 1) site;
  end if;
  plan := array(
    select c from private.plan_copies(
      p_sources, p_days, p_with_guards, not p_write, p_skips_leave, p_without, p_despite_leave
    ) c
  );
  if p_write then
    insert into public.shifts (id, site_id, start_time, end_time, required_headcount, notes, post_id)
    select c.id, c.site_id, c.start_time, c.end_time, c.required_headcount, c.notes, c.post_id
    from unnest(plan) c where not c.already_exists
    order by c.start_time, c.site_id;
    -- In order of guard, so that two planners never deadlock.
    insert into public.assignments (shift_id, user_id, role_at_shift)
    select c.id, work.person, work.role
    from unnest(plan) c cross join lateral unnest(c.guards, c.roles) work (person, role)
    order by work.person, c.start_time;
  end if;
  return query
  select c.day, count(*) filter (where not c.already_exists)::integer,
    count(*) filter (where c.already_exists)::integer,
    sum(cardinality(c.guards))::integer,
    array(select said from unnest(plan) o cross join unnest(o.left_out) said where o.day = c.day order by 1),
    array(select said from unnest(plan) w cross join unnest(w.warned) said where w.day = c.day order by 1)
  from unnest(plan) c
  group by c.day order by c.day;
end
$$;

revoke all on all functions in schema private from public;
grant execute on function private.copied_shifts to authenticated;
revoke all on function public.guard_availability, public.assign_guards from public, anon;
grant execute on function public.guard_availability, public.assign_guards to authenticated;
