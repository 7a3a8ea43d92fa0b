-- Copying a week with a choice for each guard: guards on leave are left out unless chosen, others can be left out.

drop function public.preview_week_copy(date, date, uuid, boolean);
drop function public.copy_week(date, date, uuid, boolean);
drop function public.preview_repeat(uuid, date, integer[], boolean);
drop function public.repeat_shift(uuid, date, integer[], boolean);
drop function private.copy_shifts(uuid[], integer[], boolean, boolean);
drop function private.plan_copies(uuid[], integer[], boolean, boolean);

-- The copies of shifts some days later, at the same time on the site's clock; of the sites that the caller plans.
create function private.copied_shifts(p_sources uuid[], p_days integer[])
returns table (
  source_id uuid, days integer, site_id uuid, site_name text, zone text, start_time timestamptz, end_time timestamptz,
  required_headcount integer, notes text, already_exists boolean
)
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
    select s.id as source_id, d.days, s.site_id, s.site_name, s.zone, s.required_headcount, s.notes, s.parallel,
      (s.start_time at time zone s.zone + make_interval(days => d.days)) at time zone s.zone as start_time,
      (s.end_time at time zone s.zone + make_interval(days => d.days)) at time zone s.zone as end_time
    from source s cross join unnest(p_days) d (days)
  )
  select m.source_id, m.days, m.site_id, m.site_name, m.zone, m.start_time, m.end_time, m.required_headcount, m.notes,
    -- Two posts may have the same times: then it exists if there are as many, or one with the same notes.
    (select count(*) >= m.parallel or coalesce(bool_or(o.notes is not distinct from m.notes), false)
      from public.shifts o
      where o.site_id = m.site_id and o.start_time = m.start_time and o.end_time = m.end_time)
  from moved m;
$$;

-- Each guard of the sources who is not cancelled, at each copy that does not exist yet: a no-show or leave in the
-- source says nothing about the copy. Definer, because a conflict counts at any site, and warnings come from leave and
-- certificates, which not every planner reads. p_without: assignments of the sources that are not copied. With
-- p_skips_leave, guards on leave are left out, but for the assignments in p_despite_leave. p_warn is off where the
-- warnings are not shown.
create function private.copied_guards(
  p_sources uuid[], p_days integer[], p_warn boolean, p_skips_leave boolean, p_without uuid[], p_despite_leave uuid[]
) returns table (
  source_id uuid, days integer, assignment_id uuid, user_id uuid, role_at_shift text, person_name text, site_name text,
  zone text, start_time timestamptz, conflict text, is_on_leave boolean, is_left_out boolean, warnings text[]
)
language sql stable security definer set search_path = '' as $$
  with wanted as (
    select c.source_id, c.days, c.site_name, c.zone, c.start_time, c.end_time,
      tstzrange(c.start_time, c.end_time) as period, a.id as assignment_id, a.user_id, a.role_at_shift,
      coalesce(nullif(p.full_name, ''), p.email) as person_name,
      (select format('already on a shift, %s to %s',
          private.time_text(lower(o.period), c.zone), private.time_text(upper(o.period), c.zone))
        from public.assignments o
        where o.user_id = a.user_id and o.status <> 'cancelled' and o.period && tstzrange(c.start_time, c.end_time)
        limit 1) as busy
    from private.copied_shifts(p_sources, p_days) c
    join public.assignments a on a.shift_id = c.source_id and a.status <> 'cancelled'
    join public.profiles p on p.id = a.user_id
    where not c.already_exists
  ),
  chosen as (
    select w.*, leave.is_on_leave,
      w.assignment_id = any (coalesce(p_without, '{}'))
        or p_skips_leave and leave.is_on_leave and w.assignment_id <> all (coalesce(p_despite_leave, '{}'))
        as is_left_out
    from wanted w
    cross join lateral (
      select case when p_warn or p_skips_leave then private.is_on_leave(w.user_id, w.period) else false end as is_on_leave
    ) leave
  )
  select c.source_id, c.days, c.assignment_id, c.user_id, c.role_at_shift, c.person_name, c.site_name, c.zone,
    c.start_time,
    -- Copies of one plan may overlap: a shift longer than a day, repeated daily.
    coalesce(c.busy, case when max(c.end_time) filter (where c.busy is null and not c.is_left_out) over (
      partition by c.user_id order by c.start_time, c.source_id, c.days
      rows between unbounded preceding and 1 preceding
    ) > c.start_time then 'the copy before it has not ended by then' end),
    c.is_on_leave, c.is_left_out,
    case when p_warn then private.warnings_for(c.user_id, c.period) else '{}' end
  from chosen c;
$$;

-- Plans the copies with their guards.
create function private.plan_copies(
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
    coalesce(w.left_out, '{}'), coalesce(w.warned, '{}')
  from private.copied_shifts(p_sources, p_days) c
  left join crew w on w.source_id = c.source_id and w.days = c.days;
$$;

-- Creates the planned shifts, or only returns what it would create, day by day. Writes as the caller.
create function private.copy_shifts(
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
  p_from date, p_to date, p_site_id uuid default null, p_with_guards boolean default true,
  p_without uuid[] default '{}', p_despite_leave uuid[] default '{}'
)
returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql stable set search_path = '' as $$
  select * from private.copy_shifts(
    private.week_shifts(p_from, p_to, p_site_id), array[p_to - p_from], p_with_guards, false, true, p_without,
    p_despite_leave
  );
$$;

-- Copies the seven days from p_from to those from p_to, at one site or all. Existing shifts are not created twice.
create function public.copy_week(
  p_from date, p_to date, p_site_id uuid default null, p_with_guards boolean default true,
  p_without uuid[] default '{}', p_despite_leave uuid[] default '{}'
)
returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql set search_path = '' as $$
  select * from private.copy_shifts(
    private.week_shifts(p_from, p_to, p_site_id), array[p_to - p_from], p_with_guards, true, true, p_without,
    p_despite_leave
  );
$$;

-- The guards of a week copy who need a decision: on leave, with a warning, or already on a shift then.
create function public.week_copy_guards(p_from date, p_to date, p_site_id uuid default null)
returns table (
  assignment_id uuid, user_id uuid, person_name text, site_name text, timezone text, start_time timestamptz,
  conflict text, is_on_leave boolean, warnings text[]
)
language sql stable set search_path = '' as $$
  select g.assignment_id, g.user_id, g.person_name, g.site_name, g.zone, g.start_time, g.conflict, g.is_on_leave,
    g.warnings
  from private.copied_guards(
    private.week_shifts(p_from, p_to, p_site_id), array[p_to - p_from], true, false, '{}', '{}'
  ) g
  where g.conflict is not null or g.warnings <> '{}'
  order by g.conflict is not null, not g.is_on_leave, g.person_name, g.start_time, g.assignment_id;
$$;
comment on function public.week_copy_guards is 'Nullable: conflict';

-- The guards of a week by name: those with a shift in it, or in the four weeks before. Hours and shifts count the
-- assignments of the week that are not cancelled and count as staffed.
create function public.week_guards(p_from date, p_site_id uuid default null, p_search text default '')
returns table (id uuid, name text, hours numeric, shifts integer)
language sql stable set search_path = '' as $$
  select private.require_day(p_from, 'first day');
  select p.id, coalesce(nullif(p.full_name, ''), p.email, ''),
    round(coalesce(sum(extract(epoch from upper(a.period) - lower(a.period)) / 3600)
      filter (where a.starts_at >= week.begins and a.counts_as_staffed), 0), 1),
    (count(*) filter (where a.starts_at >= week.begins and a.counts_as_staffed))::integer
  from (
    select private.company_midnight(p_from) as begins, private.company_midnight(p_from + 7) as ends
  ) week
  join public.assignments a
    on a.starts_at >= week.begins - interval '28 days' and a.starts_at < week.ends and a.status <> 'cancelled'
      and (p_site_id is null or a.site_id = p_site_id)
  join public.profiles p on p.id = a.user_id
  where concat_ws(' ', p.full_name, p.email) ilike all ((select private.search_patterns(p_search))::text[])
  group by p.id;
$$;

drop function public.incident_work();

-- What the caller follows up: overdue incidents, their own, and those that nobody owns.
create function public.incident_work()
returns table (overdue integer, mine integer, unowned integer, unowned_grave integer)
language sql stable set search_path = '' as $$
  select count(*) filter (where i.due_at < now())::integer,
    count(*) filter (where i.owner_id = auth.uid())::integer,
    count(*) filter (where i.owner_id is null)::integer,
    count(*) filter (where i.owner_id is null and i.severity in ('high', 'critical'))::integer
  from public.incidents i
  where i.status in ('open', 'investigating');
$$;

revoke all on all functions in schema private from public;
grant execute on function private.copied_shifts, private.copied_guards, private.plan_copies, private.copy_shifts
to authenticated;
revoke all on function
  public.preview_repeat, public.repeat_shift, public.preview_week_copy, public.copy_week, public.week_copy_guards,
  public.week_guards, public.incident_work
from public, anon;
grant execute on function
  public.preview_repeat, public.repeat_shift, public.preview_week_copy, public.copy_week, public.week_copy_guards,
  public.week_guards, public.incident_work
to authenticated;
