-- What the roster knows of its guards, read from their own rows: a company of 52,000 guards asks for 1,000 of them.

-- The guards that a board shows: all up to 1,000. A larger company's are those who were at the chosen sites in the last 12
-- weeks, are planned or inducted there, and of the others as many, by name, as make 1,000.
create function private.roster_guards(begins timestamptz, ends timestamptz, chosen uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  most constant integer := 1000;
  guards uuid[];
  near uuid[];
begin
  guards := array(
    select p.id from public.profiles p
    where p.left_on is null and exists (
      select from public.user_roles r where r.user_id = p.id and r.role = 'guard'
    )
    limit most + 1
  );
  if cardinality(guards) <= most then
    return guards;
  end if;
  near := array(
    select a.user_id from public.assignments a
    where a.starts_at >= begins - interval '84 days' and a.starts_at < ends and a.site_id = any (chosen)
    union
    select c.user_id from public.roster_changes c
    where c.starts_at >= begins and c.starts_at < ends and c.site_id = any (chosen)
    union
    select i.user_id from public.site_inductions i where i.site_id = any (chosen)
  );
  near := array(
    select p.id from public.profiles p
    where p.id = any (near) and p.left_on is null and exists (
      select from public.user_roles r where r.user_id = p.id and r.role = 'guard'
    )
  );
  return near || array(
    select p.id from public.profiles p
    where p.left_on is null and p.id <> all (near) and exists (
      select from public.user_roles r where r.user_id = p.id and r.role = 'guard'
    )
    order by p.full_name, p.id
    limit greatest(most - cardinality(near), 0)
  );
end
$$;
revoke all on function private.roster_guards from public;

-- As before, but everything is looked for at the guards of the board, and of the weeks before the last four only the sites.
create or replace function private.roster_people(p_from date, p_to date, chosen uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  -- The planner knows these bounds, so it reads the weeks that count instead of all years.
  begins constant timestamptz := private.company_midnight(p_from);
  ends constant timestamptz := private.company_midnight(p_to + 1);
  zone constant text := (select s.time_zone from private.settings s);
  night_at constant time := (private.rules_on(p_from)).night_at;
  guards constant uuid[] := private.roster_guards(begins, ends, chosen);
begin
  return (
  with known as (
    select k.user_id, jsonb_object_agg(k.site_id, k.shifts) as sites
    from (
      select a.user_id, a.site_id, count(*) as shifts from public.assignments a
      where a.starts_at >= begins - interval '84 days' and a.starts_at < begins and a.site_id = any (chosen)
        and a.counts_as_staffed and a.user_id = any (guards)
      group by 1, 2
    ) k
    group by k.user_id
  ),
  earlier as materialized (
    select a.user_id, lower(a.period) at time zone zone as starts, upper(a.period) at time zone zone as ends
    from public.assignments a
    where a.starts_at >= begins - interval '28 days' and a.starts_at < begins
      and a.counts_as_staffed and a.user_id = any (guards)
  ),
  past as (
    select e.user_id, sum(extract(epoch from e.ends - e.starts) / 3600) as hours,
      count(*) filter (where e.starts <= n.at and e.ends > n.at
        or e.starts <= n.at + interval '1 day' and e.ends > n.at + interval '1 day') as nights,
      count(*) filter (where extract(isodow from e.starts) = 7) as sundays
    from earlier e
    cross join lateral (select date_trunc('day', e.starts) + night_at as at) n
    group by e.user_id
  ),
  outside as (
    select d.user_id, jsonb_agg(
      jsonb_build_array(private.minutes(lower(d.period)), private.minutes(upper(d.period))) order by lower(d.period)
    ) as duties
    from private.drafted_duties d
    where d.starts_at >= begins - interval '15 days' and d.starts_at < ends + interval '15 days'
      and d.user_id = any (guards)
      and not (d.site_id = any (chosen) and lower(d.period) >= begins and lower(d.period) < ends)
    group by d.user_id
  ),
  certificates as (
    select n.user_id, jsonb_object_agg(n.course_id, private.minutes(n.expires_at)) as courses
    from (
      select c.user_id, c.course_id, max(c.expires_at) as expires_at from public.certifications c
      where c.expires_at < '2200-01-01' and c.user_id = any (guards) group by 1, 2
    ) n
    group by n.user_id
  ),
  leave as (
    select l.user_id, jsonb_agg(jsonb_build_array(l.start_date, l.end_date) order by l.start_date) as days
    from public.leave_requests l
    where l.status = 'approved' and l.end_date >= p_from - 1 and l.start_date <= p_to + 2 and l.user_id = any (guards)
    group by l.user_id
  ),
  wishes as (
    select a.user_id, jsonb_agg(jsonb_build_object(
      'kind', a.kind, 'weekday', a.weekday, 'from', a.from_day, 'to', a.to_day, 'part', a.part
    ) order by a.created_at, a.id) as wishes
    from public.availability a
    where (a.from_day is null or a.from_day <= p_to + 1) and (a.to_day is null or a.to_day >= p_from)
      and a.user_id = any (guards)
    group by a.user_id
  ),
  bans as (
    select b.user_id, jsonb_agg(b.site_id) as sites from public.site_bans b
    where b.site_id = any (chosen) and b.user_id = any (guards) group by 1
  ),
  inductions as (
    select i.user_id, jsonb_agg(i.site_id) as sites
    from public.site_inductions i where i.site_id = any (chosen) and i.user_id = any (guards) group by 1
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
  from public.profiles g
  left join certificates c on c.user_id = g.id
  left join leave l on l.user_id = g.id
  left join wishes w on w.user_id = g.id
  left join bans b on b.user_id = g.id
  left join inductions i on i.user_id = g.id
  left join known k on k.user_id = g.id
  left join past p on p.user_id = g.id
  left join outside o on o.user_id = g.id
  where g.id = any (guards)
  );
end
$$;
