-- Repeating a shift and copying a week: a preview, and the same in one transaction.

-- One planned copy: a source shift, some days later at the same time on the site's clock.
create type private.shift_copy as (
  id uuid,
  site_id uuid,
  day date,
  start_time timestamptz,
  end_time timestamptz,
  required_headcount integer,
  notes text,
  -- The site already has this shift at that time.
  already_exists boolean,
  guards uuid[],
  roles text[],
  -- Guards of the source who can't work it, and those with a warning, each with the reason.
  left_out text[],
  warned text[]
);

-- Plans copies of every guard who is not cancelled: a no-show or leave in the source says nothing about the copy.
-- Definer, because a conflict counts at any site, and warnings come from leave and certificates, which not every
-- planner reads. It uses only sources whose site the caller plans. p_warn is off where the warnings are not shown.
create function private.plan_copies(p_sources uuid[], p_days integer[], p_with_guards boolean, p_warn boolean)
returns setof private.shift_copy
language sql stable security definer set search_path = '' as $$
  with source as (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount, s.notes,
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
    select gen_random_uuid() as id, s.id as source_id, s.site_id, s.site_name, s.zone, s.required_headcount, s.notes,
      s.parallel,
      (s.start_time at time zone s.zone + make_interval(days => d.days)) at time zone s.zone as start_time,
      (s.end_time at time zone s.zone + make_interval(days => d.days)) at time zone s.zone as end_time
    from source s cross join unnest(p_days) d (days)
  ),
  candidate as (
    select m.*, tstzrange(m.start_time, m.end_time) as period,
      -- Two posts may have the same times: then it exists if there are as many, or one with the same notes.
      (select count(*) >= m.parallel or coalesce(bool_or(o.notes is not distinct from m.notes), false)
        from public.shifts o
        where o.site_id = m.site_id and o.start_time = m.start_time and o.end_time = m.end_time) as already_exists
    from moved m
  ),
  wanted as (
    select c.id, c.start_time, c.end_time, c.period, a.user_id, a.role_at_shift,
      format('%s (%s, %s)', coalesce(nullif(p.full_name, ''), p.email), c.site_name,
        private.time_text(c.start_time, c.zone)) as who,
      (select format('already on a shift, %s to %s',
          private.time_text(lower(o.period), c.zone), private.time_text(upper(o.period), c.zone))
        from public.assignments o
        where o.user_id = a.user_id and o.status <> 'cancelled' and o.period && c.period
        limit 1) as busy
    from candidate c
    join public.assignments a on a.shift_id = c.source_id and a.status <> 'cancelled'
    join public.profiles p on p.id = a.user_id
    where p_with_guards and not c.already_exists
  ),
  judged as (
    select w.id, w.user_id, w.role_at_shift, w.who,
      -- Copies of one plan may overlap: a shift longer than a day, repeated daily.
      coalesce(w.busy, case when max(w.end_time) filter (where w.busy is null) over (
        partition by w.user_id order by w.start_time, w.id rows between unbounded preceding and 1 preceding
      ) > w.start_time then 'the copy before it has not ended by then' end) as conflict,
      case when p_warn then private.warnings_for(w.user_id, w.period) else '{}' end as warnings
    from wanted w
  ),
  crew as (
    select j.id,
      array_agg(j.user_id order by j.user_id) filter (where j.conflict is null) as guards,
      array_agg(j.role_at_shift order by j.user_id) filter (where j.conflict is null) as roles,
      array_agg(j.who || ': ' || j.conflict order by j.who) filter (where j.conflict is not null) as left_out,
      array_agg(j.who || ': ' || lower(array_to_string(j.warnings, ', ')) order by j.who)
        filter (where j.conflict is null and j.warnings <> '{}') as warned
    from judged j group by j.id
  )
  select c.id, c.site_id, (c.start_time at time zone c.zone)::date, c.start_time, c.end_time, c.required_headcount,
    c.notes, c.already_exists, coalesce(w.guards, '{}'), coalesce(w.roles, '{}'),
    coalesce(w.left_out, '{}'), coalesce(w.warned, '{}')
  from candidate c left join crew w on w.id = c.id;
$$;

-- Creates the planned shifts, or only returns what it would create, day by day. Writes as the caller.
create function private.copy_shifts(p_sources uuid[], p_days integer[], p_with_guards boolean, p_write boolean)
returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
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
  plan := array(select c from private.plan_copies(p_sources, p_days, p_with_guards, not p_write) c);
  if p_write then
    insert into public.shifts (id, site_id, start_time, end_time, required_headcount, notes)
    select c.id, c.site_id, c.start_time, c.end_time, c.required_headcount, c.notes
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

-- How many days ahead shifts can be copied. shared/time-limits.ts has the same number for the form;
-- tests/rules/time-limits.test.ts compares them.
create function private.copy_limit_days() returns integer
language sql immutable set search_path = ''
return 366;

-- How many days after the source a shift repeats: on these weekdays (ISO, 1 is Monday; none: every day) until a day.
create function private.repeat_days(p_shift_id uuid, p_weekdays integer[], p_until date)
returns integer[]
language plpgsql stable set search_path = '' as $$
declare
  first date;
  site uuid;
begin
  select (s.start_time at time zone t.timezone)::date, s.site_id into first, site
  from public.shifts s join public.sites t on t.id = s.site_id where s.id = p_shift_id;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  if not private.may_plan(site) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if p_until is null or p_until <= first then
    raise exception 'Choose a last day after the day of the shift.' using errcode = 'check_violation';
  end if;
  if p_until > first + private.copy_limit_days() then
    raise exception 'A shift can be repeated for a year at most.' using errcode = 'check_violation';
  end if;
  if not (coalesce(p_weekdays, '{}') <@ array[1, 2, 3, 4, 5, 6, 7]) then
    raise exception 'Weekdays are numbers from 1 (Monday) to 7 (Sunday).' using errcode = 'check_violation';
  end if;
  return array(
    select d.later from generate_series(1, p_until - first) d (later)
    where coalesce(p_weekdays, '{}') = '{}' or extract(isodow from first + d.later) = any (p_weekdays)
  );
end
$$;

-- The shifts that start in the seven days from p_from, at the sites that the caller plans.
create function private.week_shifts(p_from date, p_to date, p_site_id uuid)
returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  if p_from is null or p_to is null or p_from = p_to then
    raise exception 'Choose two different weeks.' using errcode = 'check_violation';
  end if;
  if abs(p_to - p_from) > private.copy_limit_days() then
    raise exception 'A week can be copied for a year at most.' using errcode = 'check_violation';
  end if;
  if p_site_id is not null and not private.may_plan(p_site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if p_site_id is null and not private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')
    and private.supervised_sites() = '{}'
  then
    raise exception 'You don''t plan shifts.' using errcode = 'insufficient_privilege';
  end if;
  return array(
    select s.id from public.shifts s
    where s.start_time >= private.company_midnight(p_from) and s.start_time < private.company_midnight(p_from + 7)
      and (p_site_id is null or s.site_id = p_site_id)
  );
end
$$;

create function public.preview_repeat(
  p_shift_id uuid, p_until date, p_weekdays integer[] default '{}', p_with_guards boolean default false
)
returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql stable set search_path = '' as $$
  select * from private.copy_shifts(
    array[p_shift_id], private.repeat_days(p_shift_id, p_weekdays, p_until), p_with_guards, false
  );
$$;

-- Repeats a shift at the same hours of the site's clock. Existing shifts are not created twice.
create function public.repeat_shift(
  p_shift_id uuid, p_until date, p_weekdays integer[] default '{}', p_with_guards boolean default false
)
returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql set search_path = '' as $$
  select * from private.copy_shifts(
    array[p_shift_id], private.repeat_days(p_shift_id, p_weekdays, p_until), p_with_guards, true
  );
$$;

create function public.preview_week_copy(
  p_from date, p_to date, p_site_id uuid default null, p_with_guards boolean default true
)
returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql stable set search_path = '' as $$
  select * from private.copy_shifts(
    private.week_shifts(p_from, p_to, p_site_id), array[p_to - p_from], p_with_guards, false
  );
$$;

-- Copies the seven days from p_from to those from p_to, at one site or all. Existing shifts are not created twice.
create function public.copy_week(
  p_from date, p_to date, p_site_id uuid default null, p_with_guards boolean default true
)
returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql set search_path = '' as $$
  select * from private.copy_shifts(
    private.week_shifts(p_from, p_to, p_site_id), array[p_to - p_from], p_with_guards, true
  );
$$;

revoke all on all functions in schema private from public;
grant execute on function
  private.copy_limit_days, private.plan_copies, private.copy_shifts, private.repeat_days, private.week_shifts
to authenticated;
revoke all on function
  public.preview_repeat, public.repeat_shift, public.preview_week_copy, public.copy_week
from public, anon;
grant execute on function
  public.preview_repeat, public.repeat_shift, public.preview_week_copy, public.copy_week
to authenticated;
