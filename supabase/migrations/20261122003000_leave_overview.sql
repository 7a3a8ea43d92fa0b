-- Leave as people managers see it: with the requester, and the shifts and colleagues that a request affects.

-- Runs with the caller's rights: the policies of leave_requests and profiles decide.
create view public.leave_overview with (security_invoker = true) as
  select l.id, l.user_id, coalesce(nullif(p.full_name, ''), p.email, '') as person_name, l.type,
    l.start_date, l.end_date, l.end_date - l.start_date + 1 as days, l.reason, l.status, l.decision_note, l.decided_at,
    coalesce(nullif(d.full_name, ''), d.email) as decided_by_name, l.created_at, l.updated_at,
    case when l.status = 'pending' then l.start_date end as waits_for
  from public.leave_requests l
  left join public.profiles p on p.id = l.user_id
  left join public.profiles d on d.id = l.decided_by;
select private.mark_never_null('public.leave_overview',
  'id', 'user_id', 'person_name', 'type', 'start_date', 'end_date', 'reason', 'status', 'created_at', 'updated_at');
comment on column public.leave_overview.days is 'Never null: calendar days, both ends included';
comment on column public.leave_overview.waits_for is
  'First day of a pending request, so that a list can start with the most urgent';
revoke all on public.leave_overview from anon, authenticated, service_role;
grant select on public.leave_overview to authenticated;

-- The requester's assignments during the leave, with the headcount of each shift without them.
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

-- Colleagues who are on leave at the same time, or have requested it: those who work at the same sites during the leave
-- or in the four weeks before.
create function public.leave_colleagues(p_id uuid) returns table (
  leave_id uuid, person_name text, type text, status text, start_date date, end_date date, site_names text[]
)
language sql stable set search_path = '' as $$
  with asked as materialized (
    select l.user_id, l.start_date, l.end_date,
      private.company_midnight(l.start_date - 28) as since, private.company_midnight(l.end_date + 1) as until
    from public.leave_requests l where l.id = p_id
  ), own_sites as materialized (
    select distinct a.site_id
    from asked join public.assignments a
      on a.user_id = asked.user_id and a.status <> 'cancelled'
        and a.starts_at >= asked.since and a.starts_at < asked.until
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

revoke all on function public.leave_shifts, public.leave_colleagues from public, anon;
grant execute on function public.leave_shifts, public.leave_colleagues to authenticated;
