-- The board of a company with more than 200 sites: 100 at a time, and the guards who matter there.

-- As before, but a large company's guards are those who were at the chosen sites in the last 12 weeks, are planned or
-- inducted there, and of the others as many, by name, as make 1,000.
create or replace function private.roster_people(p_from date, p_to date, chosen uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  -- The planner knows these bounds, so it reads the weeks that count instead of all years.
  begins constant timestamptz := private.company_midnight(p_from);
  ends constant timestamptz := private.company_midnight(p_to + 1);
  zone constant text := (select s.time_zone from private.settings s);
begin
  return (
  with rules as materialized (
    select (private.rules_on(p_from)).night_at
  ),
  near as materialized (
    select a.user_id from public.assignments a
    where a.starts_at >= begins - interval '84 days' and a.starts_at < ends and a.site_id = any (chosen)
    union
    select c.user_id from public.roster_changes c
    where c.starts_at >= begins and c.starts_at < ends and c.site_id = any (chosen)
    union
    select i.user_id from public.site_inductions i where i.site_id = any (chosen)
  ),
  guards as materialized (
    select g.* from (
      select p.*, n.user_id is not null as is_near,
        row_number() over (order by n.user_id is not null desc, p.full_name, p.id) as place
      from public.profiles p
      left join near n on n.user_id = p.id
      where p.left_on is null and exists (
        select from public.user_roles r where r.user_id = p.id and r.role = 'guard'
      )
    ) g
    where g.is_near or g.place <= 1000
  ),
  earlier as materialized (
    select a.user_id, a.site_id, a.starts_at, a.period,
      lower(a.period) at time zone zone as starts, upper(a.period) at time zone zone as ends
    from public.assignments a
    where a.starts_at >= begins - interval '84 days' and a.starts_at < begins
      and a.user_id in (select g.id from guards g) and a.status in ('assigned', 'confirmed', 'completed') and not a.on_leave
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
    where e.starts_at >= begins - interval '28 days'
    group by e.user_id
  ),
  outside as (
    select d.user_id, jsonb_agg(
      jsonb_build_array(private.minutes(lower(d.period)), private.minutes(upper(d.period))) order by lower(d.period)
    ) as duties
    from private.drafted_duties d
    where d.starts_at >= begins - interval '15 days' and d.starts_at < ends + interval '15 days'
      and d.user_id in (select g.id from guards g)
      and not (d.site_id = any (chosen) and lower(d.period) >= begins and lower(d.period) < ends)
    group by d.user_id
  ),
  certificates as (
    select n.user_id, jsonb_object_agg(n.course_id, private.minutes(n.expires_at)) as courses
    from (
      select c.user_id, c.course_id, max(c.expires_at) as expires_at from public.certifications c
      where c.expires_at < '2200-01-01' and c.user_id in (select g.id from guards g) group by 1, 2
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
  left join outside o on o.user_id = g.id
  );
end
$$;

-- By the name that the board shows.
create view private.site_supervisors as
select r.site_id, p.id as user_id, coalesce(nullif(p.full_name, ''), p.email) as name
from public.user_roles r
join public.profiles p on p.id = r.user_id
where r.role = 'supervisor' and r.site_id is not null;

-- roster_input for a board. Callers who plan at most 200 sites get all of them, whatever the filters; others get page
-- p_page (from 1) of the sites that match, by name. p_q is searched in the names of site, client and posts.
create function public.roster_board(
  p_from date, p_to date, p_page integer default 1, p_site uuid default null, p_client text default null,
  p_supervisor text default null, p_q text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  per_page constant integer := 100;
  planned constant uuid[] := private.planned_sites(null);
  is_whole constant boolean := cardinality(planned) <= 200;
  matching uuid[];
  patterns text[];
  names jsonb;
begin
  if p_page is null or p_page not between 1 and 1000 then
    raise exception 'A page is a number from 1 to 1,000.' using errcode = 'invalid_parameter_value';
  end if;
  if greatest(length(p_client), length(p_supervisor), length(p_q)) > 300 then
    raise exception 'Search for at most 300 characters.' using errcode = 'invalid_parameter_value';
  end if;
  select jsonb_build_object(
    'clients', (
      select coalesce(jsonb_agg(distinct s.client_name order by s.client_name), '[]') from public.sites s
      where s.id = any (planned)
    ),
    'supervisors', (
      select coalesce(jsonb_agg(distinct b.name order by b.name), '[]') from private.site_supervisors b
      where b.site_id = any (planned)
    )
  ) into names;
  if is_whole then
    matching := planned;
  else
    patterns := private.search_patterns(coalesce(p_q, ''));
    matching := array(
      select s.id from public.sites s
      where s.id = any (planned) and (p_site is null or s.id = p_site) and (p_client is null or s.client_name = p_client)
        and (p_supervisor is null or exists (
          select from private.site_supervisors b where b.site_id = s.id and b.name = p_supervisor
        ))
        and (
          concat_ws(E'\n', s.name, s.client_name) ilike all (patterns)
          or exists (
            select from public.posts p
            where p.site_id = s.id and concat_ws(E'\n', s.name, s.client_name, p.name) ilike all (patterns)
          )
        )
      order by s.name, s.id
    );
  end if;
  return public.roster_input(
    p_from, p_to, case when is_whole then matching else matching[(p_page - 1) * per_page + 1:p_page * per_page] end
  ) || names || jsonb_build_object('sites_planned', cardinality(planned), 'sites_found', cardinality(matching));
end
$$;

revoke all on function public.roster_board, private.roster_people from public, anon;
grant execute on function public.roster_board to authenticated;
