-- Everything that the board and the engine need for some days, in one call: shared/roster/input.ts is its schema. Times
-- are minutes since 1970 (UTC).

create function private.minutes(at timestamptz) returns bigint
language sql immutable set search_path = ''
return (extract(epoch from at) / 60)::bigint;

-- Refuses days that a roster can't span, and returns their instants.
create function private.roster_span(p_from date, p_to date) returns tstzrange
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from or p_to - p_from >= 35 then
    raise exception 'A roster spans 1 to 35 days.' using errcode = 'invalid_parameter_value';
  end if;
  return tstzrange(private.company_midnight(p_from), private.company_midnight(p_to + 1));
end
$$;

-- The sites that the caller plans, of those that are wanted; null wants all.
create function private.planned_sites(p_sites uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  plans_all boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
  own uuid[] := private.supervised_sites();
begin
  if not plans_all and own = '{}' then
    raise exception 'You don''t plan shifts.' using errcode = 'insufficient_privilege';
  end if;
  if cardinality(p_sites) > 1000 then
    raise exception 'Choose at most 1,000 sites.' using errcode = 'invalid_parameter_value';
  end if;
  return array(
    select s.id from public.sites s
    where (p_sites is null or s.id = any (p_sites)) and (plans_all or s.id = any (own))
  );
end
$$;

-- What the engine knows of every active guard. Facts without their reasons: planners can't read leave requests.
create function private.roster_people(p_from date, p_to date, chosen uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  with span as materialized (
    select private.company_midnight(p_from) as begins, private.company_midnight(p_to + 1) as ends, s.time_zone as zone
    from private.settings s
  ),
  rules as materialized (
    select (private.rules_on(p_from)).night_at
  ),
  guards as materialized (
    select p.* from public.profiles p
    where p.left_on is null and exists (
      select from public.user_roles r where r.user_id = p.id and r.role = 'guard'
    )
  ),
  earlier as materialized (
    select a.user_id, a.site_id, a.starts_at, a.period,
      lower(a.period) at time zone w.zone as starts, upper(a.period) at time zone w.zone as ends
    from span w
    join public.assignments a on a.starts_at >= w.begins - interval '84 days' and a.starts_at < w.begins
    where a.status in ('assigned', 'confirmed', 'completed') and not a.on_leave
  ),
  known as (
    select k.user_id, jsonb_object_agg(k.site_id, k.shifts) as sites
    from (
      select e.user_id, e.site_id, count(*) as shifts from earlier e where e.site_id = any (chosen) group by 1, 2
    ) k
    group by k.user_id
  ),
  past as (
    select e.user_id, sum(extract(epoch from e.ends - e.starts) / 3600) as hours,
      count(*) filter (where e.starts <= n.at and e.ends > n.at
        or e.starts <= n.at + interval '1 day' and e.ends > n.at + interval '1 day') as nights,
      count(*) filter (where extract(isodow from e.starts) = 7) as sundays
    from earlier e
    cross join lateral (
      select date_trunc('day', e.starts) + (select r.night_at from rules r) as at
    ) n
    where e.starts_at >= (select w.begins from span w) - interval '28 days'
    group by e.user_id
  ),
  outside as (
    select d.user_id, jsonb_agg(
      jsonb_build_array(private.minutes(lower(d.period)), private.minutes(upper(d.period))) order by lower(d.period)
    ) as duties
    from span w
    join private.drafted_duties d
      on d.starts_at >= w.begins - interval '15 days' and d.starts_at < w.ends + interval '15 days'
    where not (d.site_id = any (chosen) and lower(d.period) >= w.begins and lower(d.period) < w.ends)
    group by d.user_id
  ),
  certificates as (
    select n.user_id, jsonb_object_agg(n.course_id, private.minutes(n.expires_at)) as courses
    from (
      select c.user_id, c.course_id, max(c.expires_at) as expires_at from public.certifications c
      where c.expires_at < '2200-01-01' group by 1, 2
    ) n
    group by n.user_id
  ),
  leave as (
    select l.user_id, jsonb_agg(jsonb_build_array(l.start_date, l.end_date) order by l.start_date) as days
    from public.leave_requests l
    where l.status = 'approved' and l.end_date >= p_from - 1 and l.start_date <= p_to + 2
    group by l.user_id
  ),
  wishes as (
    select a.user_id, jsonb_agg(jsonb_build_object(
      'kind', a.kind, 'weekday', a.weekday, 'from', a.from_day, 'to', a.to_day, 'part', a.part
    ) order by a.created_at, a.id) as wishes
    from public.availability a
    where (a.from_day is null or a.from_day <= p_to + 1) and (a.to_day is null or a.to_day >= p_from)
    group by a.user_id
  ),
  bans as (
    select b.user_id, jsonb_agg(b.site_id) as sites from public.site_bans b where b.site_id = any (chosen) group by 1
  ),
  inductions as (
    select i.user_id, jsonb_agg(i.site_id) as sites
    from public.site_inductions i where i.site_id = any (chosen) group by 1
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', g.id, 'name', coalesce(nullif(g.full_name, ''), g.email, g.phone, ''), 'gender', g.gender, 'phone', g.phone,
    'home', case when g.home_position is not null then jsonb_build_array(
      split_part(g.home_position, ',', 1)::double precision, split_part(g.home_position, ',', 2)::double precision
    ) end,
    'certificates', coalesce(c.courses, '{}'), 'leave', coalesce(l.days, '[]'), 'wishes', coalesce(w.wishes, '[]'),
    'banned', coalesce(b.sites, '[]'), 'inducted', coalesce(i.sites, '[]'), 'known', coalesce(k.sites, '{}'),
    'past', jsonb_build_object(
      'hours', coalesce(round(p.hours, 2), 0), 'nights', coalesce(p.nights, 0), 'sundays', coalesce(p.sundays, 0)
    ),
    'outside', coalesce(o.duties, '[]')
  ) order by g.full_name, g.id), '[]')
  from guards g
  left join certificates c on c.user_id = g.id
  left join leave l on l.user_id = g.id
  left join wishes w on w.user_id = g.id
  left join bans b on b.user_id = g.id
  left join inductions i on i.user_id = g.id
  left join known k on k.user_id = g.id
  left join past p on p.user_id = g.id
  left join outside o on o.user_id = g.id;
$$;

-- Posts and sites of the chosen sites, with what they need.
create function private.roster_places(chosen uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'sites', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', s.id, 'name', s.name, 'client', s.client_name, 'zone', s.timezone,
        'latitude', s.latitude, 'longitude', s.longitude,
        'supervisors', coalesce((
          select jsonb_agg(coalesce(nullif(p.full_name, ''), p.email) order by p.full_name)
          from public.user_roles r join public.profiles p on p.id = r.user_id
          where r.role = 'supervisor' and r.site_id = s.id
        ), '[]')
      ) order by s.name, s.id)
      from public.sites s where s.id = any (chosen)
    ), '[]'),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title) order by c.title) from public.training_courses c
    ), '[]'),
    'posts', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', p.id, 'site_id', p.site_id, 'name', p.name, 'gender', p.gender, 'lone_worker', p.lone_worker,
        'needs_induction', p.needs_induction,
        'courses', coalesce((
          select jsonb_agg(n.course_id order by n.course_id) from public.post_courses n where n.post_id = p.id
        ), '[]')
      ) order by p.name, p.id)
      from public.posts p where p.site_id = any (chosen)
    ), '[]')
  );
$$;

-- What changes while a board is open.
create function private.roster_state_of(p_from date, p_to date, span tstzrange, chosen uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'assignments', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', a.shift_id, 'user_id', a.user_id, 'status', a.status, 'clocked', a.attendance_state <> 'none',
        'override', a.override_reason is not null
      ) order by a.starts_at, a.id)
      from public.assignments a
      where a.starts_at >= lower(span) and a.starts_at < upper(span) and a.site_id = any (chosen)
        and a.status <> 'cancelled'
    ), '[]'),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', c.shift_id, 'user_id', c.user_id, 'change', c.change, 'override_reason', c.override_reason
      ) order by c.starts_at, c.id)
      from public.roster_changes c
      where c.starts_at >= lower(span) and c.starts_at < upper(span) and c.site_id = any (chosen)
    ), '[]'),
    'pins', coalesce((
      select jsonb_agg(jsonb_build_object('shift_id', n.shift_id, 'user_id', n.user_id) order by n.created_at, n.id)
      from public.roster_pins n join public.shifts s on s.id = n.shift_id
      where s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
    ), '[]'),
    'periods', coalesce((
      select jsonb_agg(jsonb_build_object(
        'starts_on', w.starts_on, 'state', w.state, 'published_at', w.published_at
      ) order by w.starts_on)
      from public.roster_periods w where w.starts_on between p_from - 6 and p_to
    ), '[]')
  );
$$;

-- Definer, because it tells planners facts from tables that they can't read, such as the days of approved leave.
create function public.roster_input("from" date, "to" date, sites uuid[] default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  span tstzrange := private.roster_span("from", "to");
  chosen uuid[] := private.planned_sites(sites);
begin
  return private.roster_places(chosen) || private.roster_state_of("from", "to", span, chosen) || jsonb_build_object(
    'from', "from", 'to', "to", 'zone', (select s.time_zone from private.settings s),
    'rules', to_jsonb(private.rules_on("from")),
    'holidays', coalesce((
      select jsonb_agg(jsonb_build_object('day', h.day, 'name', h.name) order by h.day, h.name)
      from public.public_holidays h where h.day between "from" and "to" + 1
    ), '[]'),
    'people', private.roster_people("from", "to", chosen),
    'shifts', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', s.id, 'site_id', s.site_id, 'post_id', s.post_id, 'start', private.minutes(s.start_time),
        'end', private.minutes(s.end_time), 'headcount', s.required_headcount, 'notes', s.notes,
        'is_manual', s.is_manual
      ) order by s.start_time, s.site_id, s.id)
      from public.shifts s
      where s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
    ), '[]')
  );
end
$$;

-- The part of roster_input that other planners and the clock change, for boards that are open.
create function public.roster_state(p_from date, p_to date, p_sites uuid[] default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.roster_state_of(p_from, p_to, private.roster_span(p_from, p_to), private.planned_sites(p_sites));
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.roster_input, public.roster_state from public, anon;
grant execute on function public.roster_input, public.roster_state to authenticated;
