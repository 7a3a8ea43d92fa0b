-- Copies of shifts leave out guards whom the rules forbid.
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
