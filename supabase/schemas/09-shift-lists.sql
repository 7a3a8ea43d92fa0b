-- The list of shifts, the week, counts of staffing, and deployments.

-- ── Tables ────────────────────────────────────────────────────────────

-- One planned copy: a source shift, some days later at the same time on the site's clock.
create type private.shift_copy as (
  id uuid, site_id uuid, day date, start_time timestamptz, end_time timestamptz, required_headcount integer, notes text,
  already_exists boolean, guards uuid[], roles text[], left_out text[], warned text[], post_id uuid
);

-- Guard deployments: every member adds and deletes them, portal users edit them.
create table public.deployments (
  id uuid default gen_random_uuid() primary key,
  guard_name text not null check (char_length(guard_name) <= 200),
  -- Set if the name was chosen from a list; the names stay as typed.
  guard_id uuid references public.profiles on delete set null,
  location text not null check (char_length(location) <= 500),
  client_name text check (char_length(client_name) <= 200),
  client_id uuid references public.clients on delete set null,
  shift_start timestamptz not null,
  shift_end timestamptz not null,
  status text not null default 'scheduled' check (status in ('scheduled', 'active', 'completed', 'cancelled')),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint deployments_end_after_start check (shift_end > shift_start)
);
create index deployments_shift_start_idx on public.deployments (shift_start desc);
create index deployments_created_by_idx on public.deployments (created_by);
create index deployments_guard_id_idx on public.deployments (guard_id);
create index deployments_client_id_idx on public.deployments (client_id);
alter publication supabase_realtime add table public.deployments;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.deployments', 'guard_name', 'location', 'client_name', 'notes');
create trigger b_author before insert or update on public.deployments
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.deployments for each row execute function private.touch();
select private.keep_history_of('public.deployments');
alter table public.deployments enable row level security;
grant select, insert, update, delete on public.deployments to authenticated;
create policy "Members read deployments" on public.deployments
  for select to authenticated using ((select private.is_member()));
create policy "Members add deployments" on public.deployments
  for insert to authenticated with check ((select private.is_member()));
create policy "Portal users change deployments" on public.deployments
  for update to authenticated
  using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or cardinality((select private.supervised_sites())) > 0
  )
  with check ((select private.is_member()));
create policy "Members delete deployments" on public.deployments
  for delete to authenticated using ((select private.is_member()));

-- As before. Left joins, because PostgreSQL leaves them out of a count: every shift has a site, and a caller who may
-- read the shift may read its site.
create view public.shift_board with (security_invoker = true) as
  select s.id, s.site_id, t.name as site_name, t.client_name, t.timezone, s.start_time, s.end_time,
    s.required_headcount, s.notes, s.updated_at, work.assigned, work.attended, work.on_leave, work.no_shows,
    case
      when work.assigned >= s.required_headcount then 'full'
      when work.assigned > 0 then 'partial'
      else 'none'
    end as staffing
  from public.shifts s
  left join public.sites t on t.id = s.site_id
  left join lateral (
    select count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.attendance_state <> 'none')::integer as attended,
      count(*) filter (where a.on_leave and a.status <> 'no_show')::integer as on_leave,
      count(*) filter (where a.status = 'no_show')::integer as no_shows
    from public.assignments a
    where a.shift_id = s.id and a.status <> 'cancelled'
  ) work on true;
select private.mark_never_null('public.shift_board',
  'id', 'site_id', 'site_name', 'client_name', 'timezone', 'start_time', 'end_time', 'required_headcount',
    'updated_at');
comment on column public.shift_board.assigned
  is 'Never null: guards who count; cancelled assignments, no-shows and guards on approved leave do not';
comment on column public.shift_board.attended is 'Never null: guards who have clocked in';
comment on column public.shift_board.on_leave is 'Never null: guards who do not count because of approved leave';
comment on column public.shift_board.no_shows is 'Never null: guards who do not count because they did not come';
comment on column public.shift_board.staffing is 'Never null: full, partial or none';
revoke all on public.shift_board from service_role;
grant select on public.shift_board to authenticated;

-- ── Functions ─────────────────────────────────────────────────────────

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
grant execute on function private.copied_shifts to authenticated;

-- Each guard of the sources who is not cancelled, at each copy that does not exist yet: a no-show or leave in the
-- source says nothing about the copy. Definer, because a conflict counts at any site, and warnings come from leave and
-- certificates, which not every planner reads. p_without: assignments of the sources that are not copied. With
-- p_skips_leave, guards on leave are left out, but for the assignments in p_despite_leave. p_warn is off where the
-- warnings are not shown. A conflict is what check_assignment would refuse, with the guard's copies until then.
create function private.copied_guards(
  p_sources uuid[], p_days integer[], p_warn boolean, p_skips_leave boolean, p_without uuid[], p_despite_leave uuid[]
)
returns table (
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
grant execute on function private.copied_guards to authenticated;

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
    coalesce(w.left_out, '{}'), coalesce(w.warned, '{}'), c.post_id
  from private.copied_shifts(p_sources, p_days) c left join crew w on w.source_id = c.source_id and w.days = c.days;
$$;
grant execute on function private.plan_copies to authenticated;

-- As before, and tells the guards.
create function private.copy_shifts(
  p_sources uuid[], p_days integer[], p_with_guards boolean, p_write boolean, p_skips_leave boolean default false,
  p_without uuid[] default '{}', p_despite_leave uuid[] default '{}'
) returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language plpgsql set search_path = '' as $$
declare
  plan private.shift_copy[];
  shifts uuid[];
  users uuid[];
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
    from unnest(plan) c where not c.already_exists order by c.start_time, c.site_id;
    with added as (
      -- In order of guard, so that two planners never deadlock.
      insert into public.assignments (shift_id, user_id, role_at_shift)
      select c.id, work.person, work.role
      from unnest(plan) c cross join lateral unnest(c.guards, c.roles) work (person, role)
      order by work.person, c.start_time
      returning shift_id, user_id
    )
    select array_agg(n.shift_id), array_agg(n.user_id) into shifts, users from added n;
    perform private.tell_guards_of('assigned', shifts, users);
  end if;
  return query
  select c.day, count(*) filter (where not c.already_exists)::integer,
    count(*) filter (where c.already_exists)::integer,
    sum(cardinality(c.guards))::integer,
    array(select said from unnest(plan) o cross join unnest(o.left_out) said where o.day = c.day order by 1),
    array(select said from unnest(plan) w cross join unnest(w.warned) said where w.day = c.day order by 1)
  from unnest(plan) c group by c.day order by c.day;
end
$$;
grant execute on function private.copy_shifts to authenticated;

-- How many days ahead shifts can be copied.
create function private.copy_limit_days() returns integer language sql immutable set search_path = '' return 366;
grant execute on function private.copy_limit_days to authenticated;

-- The shifts that start in the seven days from p_from, at the sites that the caller plans.
create function private.week_shifts(p_from date, p_to date, p_site_id uuid) returns uuid[]
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
grant execute on function private.week_shifts to authenticated;

-- Copies the seven days from p_from to those from p_to, at one site or all. Existing shifts are not created twice.
create function public.copy_week(
  p_from date, p_to date, p_site_id uuid default null, p_with_guards boolean default true,
  p_without uuid[] default '{}', p_despite_leave uuid[] default '{}'
) returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql set search_path = '' as $$
  select * from private.copy_shifts(
    private.week_shifts(p_from, p_to, p_site_id), array[p_to - p_from], p_with_guards, true, true, p_without,
    p_despite_leave
  );
$$;
grant execute on function public.copy_week to authenticated;

-- Of whole days of the company, up to now. A day's row belongs to the shifts that begin on it. Minutes are of guards:
-- required = worked - overstaffed + uncovered; late is a part of uncovered.
create function private.coverage_of(p_sites uuid[], p_from date, p_to date)
returns table (
  site_id uuid, post_id uuid, day date, required_minutes integer, worked_minutes integer, uncovered_minutes integer,
  late_minutes integer, overstaffed_minutes integer
)
language plpgsql
  stable
  security definer
  set search_path = ''
  set jit = off
  set enable_nestloop = off
  set work_mem = '32MB' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  -- With the neighbours: who stayed on from the day before covers the first hour.
  first timestamptz := private.company_midnight(p_from - 1);
  last timestamptz := private.company_midnight(p_to + 2);
  until timestamptz := date_trunc('minute', now());
begin
  return query
  with duties as materialized (
    select s.id, s.site_id, s.post_id, (s.start_time at time zone zone)::date as day, s.start_time as due_from,
      least(s.end_time, until) as due_to, s.required_headcount as headcount
    from public.shifts s
    where s.site_id = any (p_sites) and s.start_time >= first and s.start_time < least(last, until)
  ), segments as materialized (
    select s.attendance_id, s.shift_id, s.user_id, s.starts_at, s.ends_at, s.class
    from public.time_segments s
    where s.site_id = any (p_sites) and s.starts_at >= first - interval '1 day'
      and s.starts_at < last + interval '1 day'
  ), presence as materialized (
    select s.shift_id, s.user_id, s.starts_at, s.ends_at
    from segments s where s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
    union all
    -- Not computed yet: within the shift. A record that is still open counts while its shift runs.
    select a.shift_id, a.user_id, greatest(date_trunc('minute', r.clock_in_at), lower(a.period)),
      least(date_trunc('minute', coalesce(r.clock_out_at, now())), upper(a.period))
    from public.attendance r
    join public.assignments a on a.id = r.assignment_id
    where r.site_id = any (p_sites) and r.clock_in_at >= first - interval '1 day' and r.clock_in_at < last
      and (r.clock_out_at is not null or upper(a.period) > now())
      and not exists (select from segments s where s.attendance_id = r.id)
      and least(coalesce(r.clock_out_at, now()), upper(a.period)) > greatest(r.clock_in_at, lower(a.period))
  ), late as (
    -- Guards who came, and not at the start: missing until then.
    select d.site_id, d.post_id, d.due_from, least(min(p.starts_at), d.due_to) as came
    from duties d join presence p on p.shift_id = d.id
    group by d.id, d.site_id, d.post_id, d.due_from, d.due_to, p.user_id
    having min(p.starts_at) > d.due_from
  ), changes as (
    select d.site_id, d.post_id, c.at, sum(c.required) as required, 0 as present, 0 as late, max(c.day) as day
    from duties d
    cross join lateral (values (d.due_from, d.headcount, d.day), (d.due_to, -d.headcount, null)) c (at, required, day)
    group by d.site_id, d.post_id, c.at
    union all
    select d.site_id, d.post_id, c.at, 0, sum(c.present), 0, null
    from presence p join duties d on d.id = p.shift_id
    cross join lateral (values (p.starts_at, 1), (p.ends_at, -1)) c (at, present)
    group by d.site_id, d.post_id, c.at
    union all
    select l.site_id, l.post_id, c.at, 0, 0, sum(c.late), null
    from late l
    cross join lateral (values (l.due_from, 1), (l.came, -1)) c (at, late)
    group by l.site_id, l.post_id, c.at
  ), instants as (
    select c.site_id, c.post_id, c.at, sum(c.required)::integer as required, sum(c.present)::integer as present,
      sum(c.late)::integer as late, max(c.day) as day
    from changes c group by c.site_id, c.post_id, c.at
  ), spans as (
    select i.site_id, i.post_id, max(i.day) over w as day, sum(i.required) over w as required,
      sum(i.present) over w as present, sum(i.late) over w as late,
      (extract(epoch from lead(i.at) over w - i.at) / 60)::integer as minutes
    from instants i
    window w as (partition by i.site_id, i.post_id order by i.at)
  )
  select s.site_id, s.post_id, s.day, sum(s.required * s.minutes)::integer, sum(s.present * s.minutes)::integer,
    sum(greatest(s.required - s.present, 0) * s.minutes)::integer,
    sum(least(greatest(s.required - s.present, 0), s.late) * s.minutes)::integer,
    sum(greatest(s.present - s.required, 0) * s.minutes)::integer
  from spans s
  where s.required > 0 and s.day between p_from and p_to and s.minutes > 0 group by s.site_id, s.post_id, s.day;
end
$$;

-- Coverage of the sites that the caller oversees, of one client or, with null, of all. Days without a shift have no
-- row;
-- post_id is null for shifts without a post.
create function public.coverage("from" date, "to" date, client_id uuid)
returns table (
  site_id uuid, site_name text, post_id uuid, post_name text, day date, required_minutes integer,
  worked_minutes integer, uncovered_minutes integer, late_minutes integer, overstaffed_minutes integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  sees_all boolean := (auth.uid() is null and auth.role() is distinct from 'anon')
    or private.has_role('admin', 'ops_manager', 'finance', 'supervisor');
  own uuid[] := private.supervised_sites();
begin
  if not sees_all and cardinality(own) = 0 then
    raise exception 'You may not see the coverage of sites.' using errcode = 'insufficient_privilege';
  end if;
  perform private.require_day(coverage."from", 'start');
  perform private.require_day(coverage."to", 'end');
  if coverage."to" < coverage."from" or coverage."to" - coverage."from" > 400 then
    raise exception 'Give a start before the end, at most 400 days apart.' using errcode = 'invalid_parameter_value';
  end if;
  return query
  select c.site_id, s.name, c.post_id, p.name, c.day, c.required_minutes, c.worked_minutes, c.uncovered_minutes,
    c.late_minutes, c.overstaffed_minutes
  from private.coverage_of(array(
    select t.id from public.sites t
    where (coverage.client_id is null or t.client_id = coverage.client_id) and (sees_all or t.id = any (own))
  ), coverage."from", coverage."to") c
  join public.sites s on s.id = c.site_id
  left join public.posts p on p.id = c.post_id order by c.day, s.name, c.site_id, p.name, c.post_id;
end
$$;
grant execute on function public.coverage to authenticated, service_role;

-- The dashboard of tens of thousands of shifts a day. Results as before; assignments are found by their times, not
-- shift by shift.
create function public.coverage_by_hour(p_day date default null)
returns table ( hour timestamptz, required integer, assigned integer, clocked_in integer )
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  day constant date := coalesce(p_day, private.company_date());
  span tstzrange;
  earliest timestamptz;
begin
  perform private.require_day(day);
  span := private.company_day(day);
  earliest := private.first_start(lower(span));
  return query
  with on_duty as materialized (
    select s.id, s.start_time, s.end_time, s.required_headcount
    from public.shifts s
    where s.start_time >= earliest and s.start_time < upper(span) and s.end_time > lower(span)
  ),
  placed as materialized (
    -- A replacement counts from the hour of joining.
    select a.id, a.counts_as_staffed, a.starts_at as start_time, upper(a.period) as end_time
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at < upper(span) and upper(a.period) > lower(span)
      and a.status <> 'cancelled' and a.shift_id in (select o.id from on_duty o)
  ),
  present as materialized (
    select p.id, greatest(r.clock_in_at, p.start_time) as since,
      least(coalesce(r.clock_out_at, now()), p.end_time) as until
    from placed p
    -- One look-up for each, whatever the planner expects.
    cross join lateral (
      select r.clock_in_at, r.clock_out_at from public.attendance r
      where r.assignment_id = p.id
      offset 0
    ) r
    where r.clock_in_at < p.end_time and coalesce(r.clock_out_at, now()) > p.start_time
  ),
  -- A reopened or corrected assignment may have several records, and counts once an hour.
  repeated as materialized (
    -- An array, because there are few or none, and the planner would compare all with all.
    select p.* from present p
    where p.id = any (array(select d.id from present d group by d.id having count(*) > 1))
  ),
  -- The others by their first and last hour of the day.
  once as materialized (
    select date_bin('1 hour', greatest(p.since, lower(span)), lower(span)) as first,
      date_bin('1 hour', p.until - interval '1 microsecond', lower(span)) as last, count(*) as guards
    from present p
    where p.until > lower(span) and p.id not in (select r.id from repeated r)
    group by 1, 2
  ),
  -- Shifts start and end at a few times a day.
  needed as materialized (
    select o.start_time, o.end_time, sum(o.required_headcount) as guards from on_duty o group by 1, 2
  ),
  planned as materialized (
    select p.start_time, p.end_time, count(*) as guards from placed p where p.counts_as_staffed group by 1, 2
  )
  select h.hour,
    coalesce((select sum(n.guards) from needed n
      where n.start_time < h.hour + interval '1 hour' and n.end_time > h.hour), 0)::integer,
    coalesce((select sum(p.guards) from planned p
      where p.start_time < h.hour + interval '1 hour' and p.end_time > h.hour), 0)::integer,
    case when h.hour <= now() then (
        select coalesce(sum(o.guards), 0) from once o
        where h.hour between o.first and o.last
      ) + (
        select count(distinct p.id) from repeated p
        where p.since < h.hour + interval '1 hour' and p.until > h.hour
      ) end::integer
  from generate_series(lower(span), upper(span) - interval '1 second', interval '1 hour') h (hour) order by h.hour;
end
$$;
comment on function public.coverage_by_hour is 'Nullable: clocked_in';
grant execute on function public.coverage_by_hour to authenticated;

-- How many days after the source a shift repeats: on these weekdays (ISO, 1 is Monday; none: every day) until a day.
create function private.repeat_days(p_shift_id uuid, p_weekdays integer[], p_until date) returns integer[]
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
grant execute on function private.repeat_days to authenticated;

create function public.preview_repeat(
  p_shift_id uuid, p_until date, p_weekdays integer[] default '{}', p_with_guards boolean default false
) returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql stable set search_path = '' as $$
  select * from private.copy_shifts(
    array[p_shift_id], private.repeat_days(p_shift_id, p_weekdays, p_until), p_with_guards, false
  );
$$;
grant execute on function public.preview_repeat to authenticated;

create function public.preview_week_copy(
  p_from date, p_to date, p_site_id uuid default null, p_with_guards boolean default true,
  p_without uuid[] default '{}', p_despite_leave uuid[] default '{}'
) returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql stable set search_path = '' as $$
  select * from private.copy_shifts(
    private.week_shifts(p_from, p_to, p_site_id), array[p_to - p_from], p_with_guards, false, true, p_without,
    p_despite_leave
  );
$$;
grant execute on function public.preview_week_copy to authenticated;

-- Repeats a shift at the same hours of the site's clock. Existing shifts are not created twice.
create function public.repeat_shift(
  p_shift_id uuid, p_until date, p_weekdays integer[] default '{}', p_with_guards boolean default false
) returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language sql set search_path = '' as $$
  select * from private.copy_shifts(
    array[p_shift_id], private.repeat_days(p_shift_id, p_weekdays, p_until), p_with_guards, true
  );
$$;
grant execute on function public.repeat_shift to authenticated;

-- A search for shifts has at most 200 characters and a time that exists: others read every shift, for every row again.
create function private.is_search_within_limits(p_search text, p_at timestamptz) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  if char_length(p_search) > 200 then
    raise exception 'Search for at most 200 characters.' using errcode = 'string_data_right_truncation';
  elsif not isfinite(p_at) then
    raise exception 'Search from a date and time, not from infinity.' using errcode = 'datetime_field_overflow';
  end if;
  return true;
end
$$;
grant execute on function private.is_search_within_limits to authenticated, service_role;

-- A search by words, as before, but it compares each site once, and the names of guards only where one of them has a
-- word.
create function public.search_shifts(
  p_search text DEFAULT ''::text, p_ends_after timestamp with time zone DEFAULT NULL::timestamp with time zone
) returns SETOF shift_board
language sql stable as $function$
  select b.* from public.shift_board b
  where (select private.is_search_within_limits(p_search, p_ends_after))
    and b.end_time > coalesce(p_ends_after, '-infinity')
    and b.start_time >= (select private.first_start(coalesce(p_ends_after, '-infinity')))
    and (coalesce(p_search, '') = ''
      or b.site_id in (
        select t.id from public.sites t
        where private.folded(concat_ws(' ', t.name, t.client_name))
          like all ((select private.search_patterns(p_search))::text[])
      )
      or b.notes is not null and public.search_text(b) like all ((select private.search_patterns(p_search))::text[])
      -- An asterisk may reach from the site to a guard; a word can't.
      or (position('*' in p_search) > 0 or b.id in (
        select a.shift_id from public.assignments a join public.profiles p on p.id = a.user_id
        where a.status <> 'cancelled'
          and a.starts_at >= (select private.first_start(coalesce(p_ends_after, '-infinity')))
          and private.folded(coalesce(nullif(p.full_name, ''), p.email))
            like any ((select private.search_patterns(p_search))::text[])
      )) and concat_ws(' ', public.search_text(b), (
        select private.folded(string_agg(coalesce(nullif(p.full_name, ''), p.email), ' '))
        from public.assignments a join public.profiles p on p.id = a.user_id
        where a.shift_id = b.id and a.status <> 'cancelled'
      )) like all ((select private.search_patterns(p_search))::text[]));
$function$;
grant execute on function public.search_shifts to authenticated;

-- The totals of the staffing filter are counted by hashes, so that a wrong estimate can't make the planner compare each
-- shift with the guards of all: there is no index on the counted guards.
create function private.totals_of_staffing(
  earliest timestamptz, ends timestamptz, ends_after timestamptz, sites uuid[], staffing text
) returns table (shifts integer, assigned integer, required integer)
language plpgsql
  stable
  security definer
  set search_path = ''
  set jit = off
  set enable_nestloop = off
  set plan_cache_mode = force_custom_plan as $$
declare
  last_join constant timestamptz := private.last_join(ends);
begin
  return query
  with staffed as materialized (
    select a.shift_id, count(*)::integer as guards from public.assignments a
    where a.starts_at >= earliest and a.starts_at < last_join and a.counts_as_staffed
      and (sites is null or a.site_id = any (sites))
    group by 1
  ),
  found as (
    select s.required_headcount as needed, coalesce(w.guards, 0) as guards
    from public.shifts s left join staffed w on w.shift_id = s.id
    where s.start_time >= earliest and s.start_time < ends and s.end_time > ends_after
      and (sites is null or s.site_id = any (sites))
  )
  select count(*)::integer, coalesce(sum(f.guards), 0)::integer, coalesce(sum(f.needed), 0)::integer
  from found f
  -- As shift_board computes it.
  where case
    when f.guards >= f.needed then staffing = 'full'
    when f.guards > 0 then staffing in ('partial', 'open')
    else staffing in ('none', 'open')
  end;
end
$$;

-- Totals of shifts that start in [starts, ends) and end after ends_after, of all sites or of some.
create function private.totals_of_shifts(
  starts timestamptz, ends timestamptz, ends_after timestamptz, sites uuid[], staffing text
) returns table (shifts integer, assigned integer, required integer)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  earliest constant timestamptz := greatest(starts, private.first_start(ends_after));
  -- What starts later ends later, too.
  whole_from constant timestamptz := greatest(starts, ends_after);
begin
  if staffing is not null then
    return query select t.* from private.totals_of_staffing(earliest, ends, ends_after, sites, staffing) t;
    return;
  end if;
  return query
  with counted as (
    select count(*) as shifts, coalesce(sum(s.required_headcount), 0) as required
    from public.shifts s
    where s.start_time >= earliest and s.start_time < ends and s.end_time > ends_after
      and (sites is null or s.site_id = any (sites))
  ), seats as (
    select count(*) as assigned from public.assignments a
    where a.starts_at >= whole_from and a.starts_at < ends and a.counts_as_staffed
      and (sites is null or a.site_id = any (sites))
  ), joined as (
    -- A replacement counts where the shift starts.
    select coalesce(sum((s.start_time >= whole_from and s.start_time < ends)::integer
      - (a.starts_at < ends)::integer), 0) as assigned
    from public.assignments a join public.shifts s on s.id = a.shift_id
    where a.joins_at is not null and a.starts_at >= whole_from and a.counts_as_staffed
      and (sites is null or a.site_id = any (sites))
  ), begun as (
    select count(*) as assigned from public.shifts s join public.assignments a on a.shift_id = s.id
    where s.start_time >= earliest and s.start_time < least(ends, ends_after) and s.end_time > ends_after
      and a.counts_as_staffed and (sites is null or s.site_id = any (sites))
  )
  select c.shifts::integer, (s.assigned + j.assigned + b.assigned)::integer, c.required::integer
  from counted c, seats s, joined j, begun b;
end
$$;
grant execute on function private.totals_of_shifts to authenticated;

-- Count and headcount of the shifts in the list. Without p_from and p_ends_after: the shifts that are not over.
-- p_staffing may also be `open`: fewer guards than required.
create function public.shift_totals(
  p_from timestamp with time zone DEFAULT NULL::timestamp with time zone,
  p_to timestamp with time zone DEFAULT NULL::timestamp with time zone, p_site_id uuid DEFAULT NULL::uuid,
  p_staffing text DEFAULT NULL::text, p_search text DEFAULT ''::text,
  p_ends_after timestamp with time zone DEFAULT NULL::timestamp with time zone, p_guard_id uuid DEFAULT NULL::uuid
) returns TABLE(shifts integer, assigned integer, required integer)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $function$
declare
  starts constant timestamptz := coalesce(p_from, '-infinity');
  ends constant timestamptz := coalesce(p_to, 'infinity');
  ends_after constant timestamptz := coalesce(p_ends_after, case when p_from is null then now() else '-infinity' end);
  own_sites constant uuid[] := private.supervised_sites();
  reads_all constant boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr');
  earliest timestamptz;
  last_join timestamptz;
begin
  perform private.require_period(coalesce(p_from, p_ends_after, now()), coalesce(p_to, now()));
  if coalesce(p_search, '') = '' and p_guard_id is null then
    if reads_all or p_site_id = any (own_sites) then
      return query select t.* from private.totals_of_shifts(
        starts, ends, ends_after, case when p_site_id is not null then array[p_site_id] end, p_staffing) t;
      return;
    elsif p_site_id is null and own_sites <> '{}' and not exists (
      select from public.assignments a where a.user_id = auth.uid() and a.site_id <> all (own_sites)
    ) then
      return query select t.* from private.totals_of_shifts(starts, ends, ends_after, own_sites, p_staffing) t;
      return;
    end if;
  end if;
  if coalesce(p_search, '') = '' and p_staffing is null and p_guard_id is null then
    -- Guards see the shifts that they are assigned to.
    earliest := greatest(starts, private.first_start(ends_after));
    last_join := private.last_join(ends);
    return query
    with found as materialized (
      select s.id, s.required_headcount
      from public.shifts s join public.sites t on t.id = s.site_id
      where s.start_time >= earliest and s.start_time < ends
        and s.end_time > ends_after and (p_site_id is null or s.site_id = p_site_id)
    )
    select count(*)::integer, (
      select count(*)::integer from public.assignments a
      where a.starts_at >= earliest and a.starts_at < last_join and a.counts_as_staffed
        and (p_site_id is null or a.site_id = p_site_id) and a.shift_id in (select f.id from found f)
    ), coalesce(sum(f.required_headcount), 0)::integer
    from found f;
    return;
  end if;
  return query
  select count(*)::integer, coalesce(sum(b.assigned), 0)::integer, coalesce(sum(b.required_headcount), 0)::integer
  from public.search_shifts(p_search, nullif(ends_after, '-infinity')) b
  where b.start_time >= starts and b.start_time < ends
    and (p_site_id is null or b.site_id = p_site_id)
    and (p_staffing is null or b.staffing = p_staffing or p_staffing = 'open' and b.staffing <> 'full')
    and (p_guard_id is null or exists (
      select from public.assignments a
      where a.shift_id = b.id and a.user_id = p_guard_id and a.status <> 'cancelled'
    ));
end
$function$;
grant execute on function public.shift_totals to authenticated;

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
grant execute on function public.week_copy_guards to authenticated;

-- Adds up the assignments before it joins the names: the search then looks at hundreds of rows, not at thousands. The
-- hours of a replacement who joins later belong to the week in which the shift starts.
create function public.week_guards(p_from date, p_site_id uuid default null, p_search text default '')
returns table (id uuid, name text, hours numeric, shifts integer)
language sql stable set search_path = '' as $$
  select private.require_day(p_from, 'first day');
  with week as materialized (
    select private.company_midnight(p_from) as begins, private.company_midnight(p_from + 7) as ends
  ),
  work as materialized (
    select a.user_id,
      coalesce(sum(extract(epoch from upper(a.period) - lower(a.period)) / 3600)
        filter (where t.starts >= (select w.begins from week w) and a.counts_as_staffed), 0) as hours,
      (count(*) filter (where t.starts >= (select w.begins from week w) and a.counts_as_staffed))::integer as shifts
    from public.assignments a
    cross join lateral (
      select case when a.joins_at is null then a.starts_at
        else (select s.start_time from public.shifts s where s.id = a.shift_id) end as starts
    ) t
    where a.starts_at >= (select w.begins from week w) - interval '28 days'
      and a.starts_at < (select private.last_join(w.ends) from week w) and t.starts < (select w.ends from week w)
      and a.status <> 'cancelled' and (p_site_id is null or a.site_id = p_site_id)
    group by a.user_id
  )
  select p.id, coalesce(nullif(p.full_name, ''), p.email, ''), round(w.hours, 1), w.shifts
  from work w join public.profiles p on p.id = w.user_id
  where private.folded(concat_ws(' ', p.full_name, p.email))
    like all ((select private.search_patterns(p_search))::text[]);
$$;
grant execute on function public.week_guards to authenticated;

-- The sites whose shifts the week shows: one site, or those whose name or client matches a search. The list of the
-- week and week_totals both read them here. No fixed search path, so that the planner can inline it.
create function public.week_sites(p_site_id uuid default null, p_search text default '') returns setof public.sites
language sql stable as $$
  select s.* from public.sites s
  where (p_site_id is null or s.id = p_site_id)
    and private.folded(concat_ws(' ', s.name, s.client_name))
      like all ((select private.search_patterns(p_search))::text[]);
$$;
grant execute on function public.week_sites to authenticated;

-- For each of the seven days from p_from: the shifts that start then, and the guards that they have and need.
create function public.week_totals(p_from date, p_site_id uuid default null, p_search text default '')
returns table (day date, shifts integer, assigned integer, required integer)
language sql stable set search_path = '' as $$
  select private.require_day(p_from, 'first day');
  with days as materialized (
    select d.day::date as day, private.company_midnight(d.day::date) as begins,
      private.company_midnight(d.day::date + 1) as ends
    from generate_series(p_from, p_from + 6, interval '1 day') d (day)
  ),
  -- By range of time, which the index finds; one join per day would read every shift.
  week as materialized (
    select b.start_time, b.assigned, b.required_headcount
    from public.shift_board b
    where b.start_time >= (select min(days.begins) from days) and b.start_time < (select max(days.ends) from days)
      and b.site_id = any (array(select s.id from public.week_sites(p_site_id, p_search) s))
  )
  select d.day, count(w.start_time)::integer, coalesce(sum(w.assigned), 0)::integer,
    coalesce(sum(w.required_headcount), 0)::integer
  from days d left join week w on w.start_time >= d.begins and w.start_time < d.ends group by d.day order by d.day;
$$;
grant execute on function public.week_totals to authenticated;

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
