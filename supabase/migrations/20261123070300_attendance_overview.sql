-- Attendance as those who oversee it look at it: who is in, late, missing or to be looked at, by day;
-- and what was decided about an exception.

-- 1. Decisions about exceptions.
alter table public.attendance
  add column resolution text check (char_length(resolution) <= 1000),
  add column resolved_by uuid references public.profiles (id) on delete set null,
  add column resolved_at timestamptz;
comment on column public.attendance.resolved_by is 'Derived: who looked at the exceptions and decided';
comment on column public.attendance.resolved_at is 'Derived: when that was';
create index attendance_resolved_by_idx on public.attendance (resolved_by) where resolved_by is not null;
create index attendance_to_review_idx on public.attendance (assignment_id) where needs_review;
grant update (resolution) on public.attendance to authenticated;

drop trigger a_tidy_text on public.attendance;
select private.tidy_texts_of('public.attendance', 'clock_in_gps', 'clock_in_reason', 'clock_out_gps',
  'clock_out_reason', 'correction_reason', 'resolution');

-- Runs after c_rules, which says whether a record needs a review.
create function private.note_resolution() returns trigger
language plpgsql set search_path = '' as $$
declare
  me uuid := auth.uid();
begin
  if me is null or pg_trigger_depth() > 1 then
    return new;
  end if;
  if tg_op = 'INSERT' then
    new.resolution := null;
    new.resolved_by := null;
    new.resolved_at := null;
    return new;
  end if;
  if me = new.user_id and new.resolution is distinct from old.resolution then
    raise exception 'Nobody resolves the exceptions of their own attendance.' using errcode = 'insufficient_privilege';
  end if;
  if new.needs_review and not old.needs_review then
    new.resolution := null;
    new.resolved_by := null;
    new.resolved_at := null;
  elsif new.needs_review and new.resolution is not null then
    raise exception 'A resolution is given together with needs_review = false.' using errcode = 'check_violation';
  elsif old.needs_review and not new.needs_review or new.resolution is distinct from old.resolution then
    if new.resolution is null then
      raise exception 'Say how this was resolved.' using errcode = 'check_violation';
    end if;
    new.resolved_by := me;
    new.resolved_at := now();
  end if;
  return new;
end
$$;
revoke all on function private.note_resolution() from public;
create trigger c_rules_of_resolution before insert or update on public.attendance
  for each row execute function private.note_resolution();

-- 2. The overview. Runs with the caller's rights: the policies of assignments, sites, profiles and attendance decide.
create index assignments_starts_at_idx on public.assignments (starts_at);

create view public.attendance_overview with (security_invoker = true) as
  select a.id as assignment_id, r.id as attendance_id, a.user_id,
    coalesce(nullif(p.full_name, ''), p.email, '') as guard_name,
    a.role_at_shift, a.status, a.attendance_state, a.site_id, t.name as site_name, t.client_name, t.timezone,
    a.starts_at as start_time, upper(a.period) as end_time, r.clock_in_at, r.clock_out_at,
    coalesce(r.late_minutes, 0) as late_minutes, coalesce(r.early_minutes, 0) as early_minutes,
    nullif(greatest(
      case when r.clock_in_distance_m > t.geofence_radius_m then r.clock_in_distance_m else 0 end,
      case when r.clock_out_distance_m > t.geofence_radius_m then r.clock_out_distance_m else 0 end
    ), 0) as outside_m,
    coalesce(r.flags, '{}') as flags,
    coalesce(r.needs_review, false) as needs_review,
    r.corrected_at is not null as is_corrected,
    array_remove(array[
      case when r.clock_in_at is not null and r.clock_out_at is null then 'in' end,
      case when r.late_minutes > 0 then 'late' end,
      case when state.is_issue and a.status <> 'no_show' then 'missing' end,
      case when 'outside_fence' = any (r.flags) then 'outside' end,
      case when 'no_location' = any (r.flags) then 'no_location' end,
      case when 'sent_late' = any (r.flags) then 'late_sent' end,
      case when 'entered_by_guard' = any (r.flags) then 'by_guard' end,
      case when r.needs_review then 'review' end,
      case when state.is_issue then 'issues' end
    ], null) as states
  from public.assignments a
  join public.sites t on t.id = a.site_id
  left join public.profiles p on p.id = a.user_id
  left join public.attendance r on r.assignment_id = a.id
  -- As dashboard_figures counts them.
  cross join lateral (
    select a.status <> 'cancelled' and a.starts_at <= now() and (
      a.attendance_state = 'none'
      or a.attendance_state = 'in' and r.clock_in_at is not null and r.clock_out_at is null
        and upper(a.period) <= now()
    ) as is_issue
  ) state;

comment on column public.attendance_overview.assignment_id is 'Never null';
comment on column public.attendance_overview.user_id is 'Never null';
comment on column public.attendance_overview.guard_name is 'Never null';
comment on column public.attendance_overview.status is 'Never null';
comment on column public.attendance_overview.attendance_state is 'Never null';
comment on column public.attendance_overview.site_id is 'Never null';
comment on column public.attendance_overview.site_name is 'Never null';
comment on column public.attendance_overview.client_name is 'Never null';
comment on column public.attendance_overview.timezone is 'Never null';
comment on column public.attendance_overview.start_time is 'Never null';
comment on column public.attendance_overview.end_time is 'Never null';
comment on column public.attendance_overview.late_minutes is 'Never null';
comment on column public.attendance_overview.early_minutes is 'Never null';
comment on column public.attendance_overview.outside_m is 'Metres from the site, of the farther clock event outside its fence';
comment on column public.attendance_overview.flags is 'Never null';
comment on column public.attendance_overview.needs_review is 'Never null';
comment on column public.attendance_overview.is_corrected is 'Never null';
comment on column public.attendance_overview.states is
  'Never null: in, late, missing, outside, no_location, late_sent, by_guard, review, issues';
revoke all on public.attendance_overview from anon, authenticated, service_role;
grant select on public.attendance_overview to authenticated;

-- A shift belongs to the day on which it starts, in the company's zone, also when it ends the next morning. Today has
-- besides its own shifts those of days before that are not over: still running, or with somebody still clocked in.
-- Without a day: what is to be done, of every day, which is every attendance issue and every record to review.
create function public.attendance_of(p_day date default null) returns setof public.attendance_overview
language plpgsql stable set search_path = '' as $$
declare
  bounds tstzrange := private.bounds_of_day(p_day);
  chosen uuid[];
begin
  if p_day is null then
    chosen := array(
      select a.id from public.assignments a
      where a.attendance_state <> 'out' and a.status <> 'cancelled' and a.starts_at <= now()
        and (a.attendance_state = 'none' or upper(a.period) <= now())
      union select r.assignment_id from public.attendance r where r.needs_review
    );
  else
    chosen := array(
      select a.id from public.assignments a where a.starts_at >= lower(bounds) and a.starts_at < upper(bounds)
    );
    if p_day = private.company_date() then
      chosen := chosen || array(
        select a.id from public.assignments a
        where a.attendance_state <> 'out' and a.status <> 'cancelled' and a.starts_at < lower(bounds)
          and (a.attendance_state = 'in' or upper(a.period) > now())
      );
    end if;
  end if;
  -- The inner query keeps the planner from reading all attendance there ever was, for fear of a long list.
  return query select * from public.attendance_overview o
    where o.assignment_id = any (array(select unnest(chosen)))
      and (p_day is not null or o.states && array['issues', 'review']);
end
$$;

-- How many rows there are in each state, in one call: of a day; without one, of today, and to be done of every day.
create function public.attendance_counts(p_day date default null, p_site_id uuid default null)
returns table (state text, rows integer)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select s.state, count(*)::integer
    from public.attendance_of(coalesce(p_day, private.company_date())) o
    cross join lateral unnest(o.states || array['all']) as s (state)
    where (p_site_id is null or o.site_id = p_site_id)
      and (p_day is not null or s.state not in ('issues', 'review'))
    group by s.state;
  if p_day is null then
    return query
      select s.state, count(*)::integer
      from public.attendance_of() o
      cross join lateral unnest(o.states) as s (state)
      where (p_site_id is null or o.site_id = p_site_id) and s.state in ('issues', 'review')
      group by s.state;
  end if;
end
$$;

revoke all on function public.attendance_of(date), public.attendance_counts(date, uuid) from public, anon;
grant execute on function public.attendance_of(date), public.attendance_counts(date, uuid) to authenticated;
