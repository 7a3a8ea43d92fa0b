-- Leave as those who decide it look at it: with the person, and what a request collides with.

-- Runs with the caller's rights: the policies of leave_requests and profiles decide.
create view public.leave_overview with (security_invoker = true) as
  select l.id, l.user_id, coalesce(nullif(p.full_name, ''), p.email, '') as person_name, l.type,
    l.start_date, l.end_date, l.end_date - l.start_date + 1 as days, l.reason, l.status, l.decision_note, l.decided_at,
    coalesce(nullif(d.full_name, ''), d.email) as decided_by_name, l.created_at, l.updated_at,
    case when l.status = 'pending' then l.start_date end as waits_for
  from public.leave_requests l
  left join public.profiles p on p.id = l.user_id
  left join public.profiles d on d.id = l.decided_by;

comment on column public.leave_overview.id is 'Never null';
comment on column public.leave_overview.user_id is 'Never null';
comment on column public.leave_overview.person_name is 'Never null';
comment on column public.leave_overview.type is 'Never null';
comment on column public.leave_overview.start_date is 'Never null';
comment on column public.leave_overview.end_date is 'Never null';
comment on column public.leave_overview.days is 'Never null: of the calendar, both ends included';
comment on column public.leave_overview.reason is 'Never null';
comment on column public.leave_overview.status is 'Never null';
comment on column public.leave_overview.created_at is 'Never null';
comment on column public.leave_overview.updated_at is 'Never null';
comment on column public.leave_overview.waits_for is 'First day of a request that is still to be decided, so that a list can begin with the most urgent';
revoke all on public.leave_overview from anon, authenticated, service_role;
grant select on public.leave_overview to authenticated;

-- A day of the company as an interval. Definer: the company's zone is in a table that callers don't read.
create function private.bounds_of_day(day date) returns tstzrange
language sql stable security definer set search_path = '' as $$
  select tstzrange(day::timestamp at time zone s.time_zone, (day + 1)::timestamp at time zone s.time_zone)
  from private.settings s;
$$;
revoke all on function private.bounds_of_day(date) from public;
grant execute on function private.bounds_of_day(date) to authenticated;

-- The shifts that the person is assigned to during a leave; days are those of the company.
create function public.leave_shifts(p_id uuid) returns table (
  assignment_id uuid, shift_id uuid, site_name text, timezone text, start_time timestamptz, end_time timestamptz
)
language sql stable set search_path = '' as $$
  select a.id, a.shift_id, s.name, s.timezone, a.starts_at, upper(a.period)
  from public.leave_requests l
  join public.assignments a on a.user_id = l.user_id and a.status <> 'cancelled'
    and a.period && tstzrange(lower(private.bounds_of_day(l.start_date)), upper(private.bounds_of_day(l.end_date)))
  join public.sites s on s.id = a.site_id
  where l.id = p_id
  order by a.starts_at;
$$;

-- Who else is away then, or has asked to be, of those who work at the same sites: in the four weeks before, or during it.
create function public.leave_colleagues(p_id uuid) returns table (
  leave_id uuid, person_name text, type text, status text, start_date date, end_date date, site_names text[]
)
language sql stable set search_path = '' as $$
  with asked as materialized (
    select l.user_id, l.start_date, l.end_date,
      lower(private.bounds_of_day(l.start_date - 28)) as since, upper(private.bounds_of_day(l.end_date)) as until
    from public.leave_requests l where l.id = p_id
  ), own_sites as materialized (
    select distinct a.site_id
    from asked join public.assignments a
      on a.user_id = asked.user_id and a.status <> 'cancelled' and a.starts_at >= asked.since and a.starts_at < asked.until
  )
  select l.id, coalesce(nullif(p.full_name, ''), p.email, ''), l.type, l.status, l.start_date, l.end_date, shared.names
  from asked
  join public.leave_requests l on l.user_id <> asked.user_id and l.status in ('approved', 'pending')
    and l.start_date <= asked.end_date and l.end_date >= asked.start_date
  left join public.profiles p on p.id = l.user_id
  cross join lateral (
    select array_agg(distinct s.name order by s.name) as names
    from public.assignments a
    join own_sites o on o.site_id = a.site_id
    join public.sites s on s.id = a.site_id
    where a.user_id = l.user_id and a.status <> 'cancelled' and a.starts_at >= asked.since and a.starts_at < asked.until
  ) shared
  where shared.names is not null
  order by l.status, l.start_date, 2;
$$;

revoke all on function public.leave_shifts(uuid), public.leave_colleagues(uuid) from public, anon;
grant execute on function public.leave_shifts(uuid), public.leave_colleagues(uuid) to authenticated;
