-- Staffing leaves out no-shows and guards on approved leave. One definition: assignments.counts_as_staffed.

-- 1. Checks of dates that callers send.

-- Refuses a day that no roster or timesheet can have, before it reaches date arithmetic or a series of days.
create function private.require_day(day date, label text default 'day') returns void
language plpgsql immutable set search_path = '' as $$
begin
  if day is null or not isfinite(day) or day not between '1900-01-01' and '2199-12-31' then
    raise exception 'The % must be a date from 1900 to 2199.', label using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- Refuses a period without an end or longer than 400 days: one call must not read years of shifts.
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

-- How a time reads in a message: "Nov 21, 6:00 PM", as on screens.
create function private.time_text(at timestamptz, zone text) returns text
language sql stable set search_path = ''
return to_char(at at time zone zone, 'Mon FMDD, FMHH12:MI AM');

-- 2. Who is on leave.

-- The days of the company that a period touches, both included.
create function private.days_of(work tstzrange) returns daterange
language sql stable security definer set search_path = '' as $$
  select daterange(
    (lower(work) at time zone s.time_zone)::date,
    ((upper(work) - interval '1 microsecond') at time zone s.time_zone)::date,
    '[]'
  )
  from private.settings s;
$$;

-- Whether this person has approved leave on a day of the company that the work touches: a night shift touches two.
create function private.is_on_leave(person uuid, work tstzrange) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.leave_requests l, private.days_of(work) worked
    where l.user_id = person and l.status = 'approved'
      and l.start_date < upper(worked) and l.end_date >= lower(worked)
  );
$$;

-- Also leaves out what follows from another recorded change.
create or replace function private.without_secrets(record jsonb) returns jsonb
language sql immutable parallel safe
return record - array['password', 'encrypted_password', 'secret', 'token', 'updated_at', 'attendance_state',
  'on_leave', 'counts_as_staffed'];

-- Planners can't read leave, and a live list only follows its own tables: so the assignment carries it.
alter table public.assignments add column on_leave boolean not null default false;
comment on column public.assignments.on_leave is 'Derived: the guard has approved leave on a day that the shift touches';
update public.assignments a set on_leave = true
where a.user_id in (select l.user_id from public.leave_requests l where l.status = 'approved')
  and private.is_on_leave(a.user_id, a.period);

alter table public.assignments add column counts_as_staffed boolean not null
  generated always as (status in ('assigned', 'confirmed', 'completed') and not on_leave) stored;
comment on column public.assignments.counts_as_staffed is
  'Derived: whether the guard counts towards the headcount of the shift';

create or replace function private.check_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts;
  other tstzrange;
  zone text;
begin
  -- The lock keeps the shift's times until this assignment is there.
  select * into shift from public.shifts s where s.id = new.shift_id for share;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  new.site_id := shift.site_id;
  new.period := tstzrange(shift.start_time, shift.end_time);
  -- A load without a caller states it beforehand, and so spares an update for each attendance that follows.
  if tg_op = 'INSERT' and auth.role() is not null then
    new.attendance_state := 'none';
  end if;
  if tg_op = 'UPDATE' and old.attendance_state <> 'none'
    and (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id)
  then
    raise exception 'Somebody has clocked in on this assignment, so it stays theirs.' using errcode = 'PT409';
  end if;
  -- Two planners take turns here, so that the second gets the reason and not the name of a constraint. A decision
  -- about the guard's leave takes the same lock, so that neither misses the other.
  if new.status <> 'cancelled' and (auth.uid() is null or private.may_plan(shift.site_id)) then
    perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 0));
    select a.period into other from public.assignments a
    where a.user_id = new.user_id and a.id <> new.id and a.status <> 'cancelled' and a.period && new.period
    limit 1;
    if found then
      select s.timezone into zone from public.sites s where s.id = shift.site_id;
      raise exception '% is already on an overlapping shift, % to %.',
        coalesce((select nullif(p.full_name, '') from public.profiles p where p.id = new.user_id), 'This guard'),
        private.time_text(lower(other), zone), private.time_text(upper(other), zone)
        using errcode = 'exclusion_violation';
    end if;
  end if;
  new.on_leave := private.is_on_leave(new.user_id, new.period);
  return new;
end
$$;

-- Approved leave that begins, ends, moves or goes marks the person's assignments of those days.
create function private.follow_leave() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
begin
  -- In order of id, as everywhere, so that two callers never wait for each other.
  for person in select distinct p.id from unnest(array[old.user_id, new.user_id]) p (id) where p.id is not null order by 1 loop
    perform pg_advisory_xact_lock(hashtextextended(person::text, 0));
    update public.assignments a set on_leave = not a.on_leave
    where a.user_id = person and a.on_leave <> private.is_on_leave(a.user_id, a.period);
  end loop;
  return null;
end
$$;

create trigger assignments_follow_new_leave after insert on public.leave_requests
  for each row when (new.status = 'approved') execute function private.follow_leave();
create trigger assignments_follow_leave after update on public.leave_requests
  for each row when (
    (old.status = 'approved' or new.status = 'approved')
    and (old.status, old.user_id, old.start_date, old.end_date)
      is distinct from (new.status, new.user_id, new.start_date, new.end_date)
  )
  execute function private.follow_leave();
create trigger assignments_follow_removed_leave after delete on public.leave_requests
  for each row when (old.status = 'approved') execute function private.follow_leave();

-- Days begin at another time when the company's zone changes.
create function private.follow_time_zone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.assignments a set on_leave = not a.on_leave
  where a.user_id in (select l.user_id from public.leave_requests l where l.status = 'approved')
    and a.on_leave <> private.is_on_leave(a.user_id, a.period);
  return null;
end
$$;
create trigger leave_follows_time_zone after update on private.settings
  for each row when (old.time_zone <> new.time_zone) execute function private.follow_time_zone();

-- 3. What is computed from it.

create or replace view public.shift_board with (security_invoker = true) as
  select s.id, s.site_id, t.name as site_name, t.client_name, t.timezone, s.start_time, s.end_time,
    s.required_headcount, s.notes, s.updated_at, work.assigned, work.attended,
    case
      when work.assigned >= s.required_headcount then 'full'
      when work.assigned > 0 then 'partial'
      else 'none'
    end as staffing,
    work.on_leave, work.no_shows
  from public.shifts s
  join public.sites t on t.id = s.site_id
  cross join lateral (
    select count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.attendance_state <> 'none')::integer as attended,
      count(*) filter (where a.on_leave and a.status <> 'no_show')::integer as on_leave,
      count(*) filter (where a.status = 'no_show')::integer as no_shows
    from public.assignments a
    where a.shift_id = s.id and a.status <> 'cancelled'
  ) work;
comment on column public.shift_board.assigned is
  'Never null: guards who count; cancelled assignments, no-shows and guards on approved leave do not';
comment on column public.shift_board.attended is 'Never null: guards who have clocked in';
comment on column public.shift_board.on_leave is 'Never null: guards who do not count because of approved leave';
comment on column public.shift_board.no_shows is 'Never null: guards who do not count because they did not come';

-- The totals of the list. p_ends_after narrows to shifts that are not over by then, so the upcoming ones begin with
-- those that are running.
drop function public.shift_totals(timestamptz, timestamptz, uuid, text, text);
create function public.shift_totals(
  p_from timestamptz default null, p_to timestamptz default null, p_site_id uuid default null,
  p_staffing text default null, p_search text default '', p_ends_after timestamptz default null
) returns table (shifts integer, assigned integer, required integer)
language sql stable set search_path = '' as $$
  select private.require_period(coalesce(p_from, p_ends_after, now()), coalesce(p_to, now()));
  select count(*)::integer, coalesce(sum(b.assigned), 0)::integer, coalesce(sum(b.required_headcount), 0)::integer
  from public.shift_board b
  where b.start_time >= coalesce(p_from, '-infinity') and b.start_time < coalesce(p_to, 'infinity')
    and b.end_time > coalesce(p_ends_after, case when p_from is null then now() else '-infinity' end)
    and (p_site_id is null or b.site_id = p_site_id)
    and (p_staffing is null or b.staffing = p_staffing)
    and (coalesce(p_search, '') = '' or not exists (
      select from regexp_split_to_table(lower(p_search), '\s+') word
      where strpos(lower(concat_ws(' ', b.site_name, b.client_name, b.notes)), word) = 0
    ));
$$;
revoke all on function public.shift_totals(timestamptz, timestamptz, uuid, text, text, timestamptz) from public, anon;
grant execute on function public.shift_totals(timestamptz, timestamptz, uuid, text, text, timestamptz) to authenticated;

-- Counts through shift_board, so it has the same staffing; only the check of the day is new.
create or replace function public.week_totals(p_from date, p_site_id uuid default null, p_search text default '')
returns table (day date, shifts integer, assigned integer, required integer)
language sql stable set search_path = '' as $$
  select private.require_day(p_from, 'first day');
  with days as materialized (
    select d.day::date as day, private.company_midnight(d.day::date) as begins,
      private.company_midnight(d.day::date + 1) as ends
    from generate_series(p_from, p_from + 6, interval '1 day') d (day)
  ),
  week as materialized (
    select b.start_time, b.assigned, b.required_headcount
    from public.shift_board b
    where b.start_time >= (select min(days.begins) from days) and b.start_time < (select max(days.ends) from days)
      and b.site_id = any (array(
        select s.id from public.sites s
        where (p_site_id is null or s.id = p_site_id) and private.holds_words(p_search, s.name, s.client_name)
      ))
  )
  select d.day, count(w.start_time)::integer, coalesce(sum(w.assigned), 0)::integer,
    coalesce(sum(w.required_headcount), 0)::integer
  from days d left join week w on w.start_time >= d.begins and w.start_time < d.ends
  group by d.day
  order by d.day;
$$;

-- How many guards are required, assigned and clocked in, for each hour of a day of the company (null: today).
-- A shift counts in every hour that it is on for any part of, so one over midnight counts on both days. Clocked in are
-- those who were there for some of the hour within their shift, also a guard on leave who came; null for hours that
-- have not begun.
create or replace function public.coverage_by_hour(p_day date default null) returns table (
  hour timestamptz,
  required integer,
  assigned integer,
  clocked_in integer
)
language sql stable set search_path = '' as $$
  select private.require_day(coalesce(p_day, private.company_date()));
  with day as (
    select private.company_day_of(coalesce(p_day, private.company_date())) as span
  ),
  on_duty as materialized (
    select s.id, s.start_time, s.end_time, s.required_headcount
    from public.shifts s, day d
    where s.start_time < upper(d.span) and s.end_time > lower(d.span)
  ),
  placed as materialized (
    select a.id, a.counts_as_staffed, o.start_time, o.end_time
    from on_duty o
    join public.assignments a on a.shift_id = o.id and a.status <> 'cancelled'
  ),
  present as materialized (
    select p.id, greatest(r.clock_in_at, p.start_time) as since,
      least(coalesce(r.clock_out_at, now()), p.end_time) as until
    from placed p
    join public.attendance r on r.assignment_id = p.id
    where r.clock_in_at < p.end_time and coalesce(r.clock_out_at, now()) > p.start_time
  )
  select h.hour,
    coalesce((select sum(o.required_headcount) from on_duty o
      where o.start_time < h.hour + interval '1 hour' and o.end_time > h.hour), 0)::integer,
    (select count(*) from placed p
      where p.counts_as_staffed and p.start_time < h.hour + interval '1 hour' and p.end_time > h.hour)::integer,
    case when h.hour <= now() then (select count(distinct p.id) from present p
      where p.since < h.hour + interval '1 hour' and p.until > h.hour) end::integer
  from day d
  cross join lateral generate_series(lower(d.span), upper(d.span) - interval '1 second', interval '1 hour') h (hour)
  order by h.hour;
$$;

-- 4. Assigning and copying.

-- What to think twice about before this person works this period. Not a reason to refuse.
drop function private.warnings_for(uuid, tstzrange, text);
create function private.warnings_for(person uuid, work tstzrange) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  warnings text[] := '{}';
begin
  if private.is_on_leave(person, work) then
    warnings := warnings || 'On approved leave'::text;
  end if;
  -- Of each course only the newest certificate counts.
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

-- Every guard, with why they can't work the period, if so, and what to warn of. For those who plan the site.
-- p_shift_id is the shift being edited, whose own assignments are no obstacle. A guard on leave can be assigned, but
-- would not count towards the headcount.
drop function public.guard_availability(uuid, timestamptz, timestamptz, uuid);
create function public.guard_availability(
  p_site_id uuid, p_start timestamptz, p_end timestamptz, p_shift_id uuid default null
) returns table (user_id uuid, full_name text, conflict text, warnings text[], on_leave boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := coalesce((select s.timezone from public.sites s where s.id = p_site_id), 'Africa/Monrovia');
begin
  if p_site_id is null or private.may_plan(p_site_id) is not true then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  perform private.require_period(p_start, p_end);
  if p_end <= p_start then
    raise exception 'End must be after start.' using errcode = 'check_violation';
  end if;
  return query
  select p.id, coalesce(nullif(p.full_name, ''), p.email),
    (
      select format('Already on a shift, %s to %s',
        private.time_text(lower(a.period), zone), private.time_text(upper(a.period), zone))
      from public.assignments a
      where a.user_id = p.id and a.status <> 'cancelled' and a.period && tstzrange(p_start, p_end)
        and a.shift_id is distinct from p_shift_id
      limit 1
    ),
    private.warnings_for(p.id, tstzrange(p_start, p_end)), private.is_on_leave(p.id, tstzrange(p_start, p_end))
  from public.profiles p
  where exists (select from public.user_roles r where r.user_id = p.id and r.role = 'guard')
  order by 2;
end
$$;
revoke all on function public.guard_availability(uuid, timestamptz, timestamptz, uuid) from public, anon;
grant execute on function public.guard_availability(uuid, timestamptz, timestamptz, uuid) to authenticated;
comment on function public.guard_availability(uuid, timestamptz, timestamptz, uuid) is 'Nullable: conflict';

-- Copies every guard but cancelled ones: a no-show or a leave of the copied week says nothing about the next.
create or replace function private.plan_copies(p_sources uuid[], p_days integer[], p_with_guards boolean, p_warn boolean)
returns setof private.shift_copy
language sql stable security definer set search_path = '' as $$
  with source as (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount, s.notes, t.name as site_name, t.timezone as zone,
      (select count(*) from public.shifts p
        where p.site_id = s.site_id and p.start_time = s.start_time and p.end_time = s.end_time) as parallel
    from public.shifts s join public.sites t on t.id = s.site_id
    where s.id = any (p_sources) and (
      (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
      or s.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ),
  moved as (
    select gen_random_uuid() as id, s.id as source_id, s.site_id, s.site_name, s.zone, s.required_headcount, s.notes, s.parallel,
      (s.start_time at time zone s.zone + make_interval(days => d.days)) at time zone s.zone as start_time,
      (s.end_time at time zone s.zone + make_interval(days => d.days)) at time zone s.zone as end_time
    from source s cross join unnest(p_days) d (days)
  ),
  candidate as (
    select m.*, tstzrange(m.start_time, m.end_time) as period,
      -- Two posts may have the same times: then there must be as many, or one with the same notes.
      (select count(*) >= m.parallel or coalesce(bool_or(o.notes is not distinct from m.notes), false)
        from public.shifts o
        where o.site_id = m.site_id and o.start_time = m.start_time and o.end_time = m.end_time) as is_there
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
    where p_with_guards and not c.is_there
  ),
  judged as (
    select w.id, w.user_id, w.role_at_shift, w.who,
      -- Another copy of the same plan may be in the way: a shift longer than a day, repeated daily.
      coalesce(w.busy, case when max(w.end_time) filter (where w.busy is null) over (
        partition by w.user_id order by w.start_time, w.id rows between unbounded preceding and 1 preceding
      ) > w.start_time then 'the copy before it is not over by then' end) as conflict,
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
  select c.id, c.site_id, (c.start_time at time zone c.zone)::date, c.start_time, c.end_time, c.required_headcount, c.notes,
    c.is_there, coalesce(w.guards, '{}'), coalesce(w.roles, '{}'), coalesce(w.left_out, '{}'), coalesce(w.warned, '{}')
  from candidate c left join crew w on w.id = c.id;
$$;

-- 5. What approving leave empties.

-- The assignments of the person that a leave touches, with the headcount of each shift without them.
drop function public.leave_shifts(uuid);
create function public.leave_shifts(p_id uuid) returns table (
  assignment_id uuid, shift_id uuid, site_name text, timezone text, start_time timestamptz, end_time timestamptz,
  required integer, staffed_without integer
)
language sql stable set search_path = '' as $$
  select a.id, b.id, b.site_name, b.timezone, b.start_time, b.end_time, b.required_headcount,
    b.assigned - case when a.counts_as_staffed then 1 else 0 end
  from public.leave_requests l
  join public.assignments a on a.user_id = l.user_id and a.status in ('assigned', 'confirmed', 'completed')
  cross join lateral private.days_of(a.period) worked
  join public.shift_board b on b.id = a.shift_id
  where l.id = p_id and l.start_date < upper(worked) and l.end_date >= lower(worked)
  order by b.start_time, b.id;
$$;
revoke all on function public.leave_shifts(uuid) from public, anon;
grant execute on function public.leave_shifts(uuid) to authenticated;

revoke all on function
  private.require_day(date, text), private.require_period(timestamptz, timestamptz), private.time_text(timestamptz, text),
  private.days_of(tstzrange), private.is_on_leave(uuid, tstzrange), private.follow_leave(), private.follow_time_zone(),
  private.warnings_for(uuid, tstzrange)
from public;
grant execute on function
  private.require_day(date, text), private.require_period(timestamptz, timestamptz), private.days_of(tstzrange)
to authenticated;
