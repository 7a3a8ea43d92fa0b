-- The operations board of a company with more than 200 sites: the gravest 200 posts of those that match its filters.

-- Sites and shifts of a board, with guards, attendance and open alerts.
create function private.board_of_shifts(chosen uuid[]) returns table (sites json, shifts json)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select (
    select coalesce(json_agg(json_build_object(
      'id', t.id, 'name', t.name, 'client', t.client_name, 'timezone', t.timezone, 'county', t.county,
      'latitude', t.latitude, 'longitude', t.longitude, 'alert_after_minutes', t.alert_after_minutes,
      'supervisors', array(
        select coalesce(nullif(p.full_name, ''), p.email)
        from public.user_roles r join public.profiles p on p.id = r.user_id
        where r.role = 'supervisor' and r.site_id = t.id
        order by 1
      )
    )), '[]')
    from public.sites t where t.id in (select s.site_id from public.shifts s where s.id = any (chosen))
  ), (
    select coalesce(json_agg(json_build_object(
      'id', s.id, 'site_id', s.site_id, 'post_id', s.post_id, 'post', o.name,
      'starts', s.start_time, 'ends', s.end_time, 'needed', s.required_headcount,
      'empty', greatest(s.required_headcount - work.staffed, 0), 'guards', work.guards,
      'alerts', (
        select coalesce(json_agg(json_build_object(
          'id', l.id, 'kind', l.kind, 'assignment_id', l.assignment_id
        ) order by l.raised_at), '[]')
        from public.alerts l where l.shift_id = s.id and l.closed_at is null
      )
    )), '[]')
    from public.shifts s
    left join public.posts o on o.id = s.post_id
    cross join lateral (
      select count(*) filter (where a.counts_as_staffed) as staffed,
        coalesce(json_agg(json_build_object(
          'assignment_id', a.id, 'user_id', a.user_id, 'name', coalesce(nullif(p.full_name, ''), p.email, ''),
          'phone', p.phone, 'role', a.role_at_shift, 'status', a.status, 'on_leave', a.on_leave,
          'expected', greatest(s.start_time, a.created_at), 'clock_in', r.clock_in_at, 'clock_out', r.clock_out_at,
          'way', coalesce(r.clock_out_way, r.clock_in_way),
          'late_minutes', coalesce(r.late_minutes, 0), 'early_minutes', coalesce(r.early_minutes, 0),
          'left_early', coalesce(s.end_time - r.clock_out_at > private.early_leave_margin(), false),
          'distance_m', coalesce(r.clock_out_distance_m, r.clock_in_distance_m), 'flags', coalesce(r.flags, '{}'),
          'heard', h.heard_at, 'waiting', coalesce(h.waiting, 0)
        ) order by p.full_name, a.id), '[]') as guards
      from public.assignments a
      join public.profiles p on p.id = a.user_id
      -- A reopened or corrected assignment may have several records.
      left join lateral (
        select * from public.attendance r where r.assignment_id = a.id order by r.clock_in_at desc limit 1
      ) r on true
      left join private.phone_signals h
        on h.user_id = a.user_id and r.clock_out_at is null and h.heard_at >= r.clock_in_at
      where a.shift_id = s.id and a.status <> 'cancelled'
    ) work
    where s.id = any (chosen)
  );
end
$$;

-- The posts of a large company where something is expected now or within two hours, or an SOS is open: the shifts of the
-- gravest 200, how many seats are in each state, and how many posts match. What a seat's state is,
-- web/features/operations/seat-states.ts decides for what is shown; this is the same for seats that may not be.
create function private.gravest_posts(
  begins timestamptz, ends timestamptz, own_sites uuid[], wanted_state text, client text, supervisor text,
  counties text[], chosen_sites uuid[], words text
) returns table (shifts uuid[], counts jsonb, posts integer)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  shown constant integer := 200;
  -- By gravity, the gravest first.
  states constant text[] := array['sos', 'missing', 'empty', 'left_early', 'no_signal', 'late', 'due', 'on_post'];
  wanted constant integer := array_position(states, wanted_state);
  soon constant timestamptz := now() + interval '2 hours';
  earliest constant timestamptz := private.first_start(now());
  patterns constant text[] := private.search_patterns(coalesce(words, ''));
begin
  return query
  with alarm as materialized (
    select l.assignment_id, l.shift_id, bool_or(l.kind = 'sos') as is_sos,
      bool_or(l.kind in ('welfare', 'no_signal')) as is_silent
    from public.alerts l
    where l.closed_at is null and l.assignment_id is not null and l.kind in ('sos', 'welfare', 'no_signal')
    group by 1, 2
  ),
  site as materialized (
    select t.id, t.name, t.client_name, t.alert_after_minutes
    from public.sites t
    where (own_sites is null or t.id = any (own_sites)) and (chosen_sites is null or t.id = any (chosen_sites))
      and (client is null or t.client_name = client) and (counties is null or t.county = any (counties))
      and (supervisor is null or exists (
        select from private.site_supervisors b where b.site_id = t.id and b.name = supervisor
      ))
  ),
  shift as materialized (
    select s.id, s.site_id, s.post_id, s.end_time, s.required_headcount, true as is_current
    from public.shifts s
    where s.start_time >= earliest and s.start_time < soon and s.end_time > now()
    union all
    select s.id, s.site_id, s.post_id, s.end_time, s.required_headcount, false
    from public.shifts s
    where s.id in (select a.shift_id from alarm a where a.is_sos)
      and s.start_time < ends and s.end_time > begins and not (s.end_time > now() and s.start_time < soon)
  ),
  seat as materialized (
    select a.shift_id, a.id, a.attendance_state, greatest(a.starts_at, a.created_at) as expected
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at < soon and a.counts_as_staffed
      and upper(a.period) > now()
    union all
    select a.shift_id, a.id, a.attendance_state, greatest(a.starts_at, a.created_at)
    from public.assignments a
    where a.shift_id in (select s.id from shift s where not s.is_current) and a.counts_as_staffed
  ),
  judged as materialized (
    select s.id, s.site_id, s.post_id, s.is_current, s.required_headcount, t.name, t.client_name,
      case
        when l.is_sos then 1
        when e.id is null or not s.is_current then null
        when e.attendance_state = 'out' then case when (
            select s.end_time - r.clock_out_at > private.early_leave_margin()
            from public.attendance r where r.assignment_id = e.id order by r.clock_in_at desc limit 1
          ) and (
            select count(*) from public.assignments o where o.shift_id = s.id and o.attendance_state = 'in'
              and o.status <> 'cancelled'
          ) < s.required_headcount then 4 end
        when e.attendance_state = 'in' then case when l.is_silent then 5 else 8 end
        when e.expected > now() then 7
        when e.expected > now() - make_interval(mins => t.alert_after_minutes) then 6
        else 2
      end as state,
      e.id as seat_id
    from shift s
    join site t on t.id = s.site_id
    left join seat e on e.shift_id = s.id
    left join alarm l on l.assignment_id = e.id
  ),
  counted as materialized (
    select j.site_id, j.post_id, j.name, j.client_name, j.id,
      count(*) filter (where j.state = 1)::integer as s1, count(*) filter (where j.state = 2)::integer as s2,
      case when j.is_current then greatest(j.required_headcount - count(j.seat_id), 0) else 0 end::integer as s3,
      count(*) filter (where j.state = 4)::integer as s4, count(*) filter (where j.state = 5)::integer as s5,
      count(*) filter (where j.state = 6)::integer as s6, count(*) filter (where j.state = 7)::integer as s7,
      count(*) filter (where j.state = 8)::integer as s8
    from judged j
    group by j.id, j.site_id, j.post_id, j.name, j.client_name, j.is_current, j.required_headcount
  ),
  post as materialized (
    select c.site_id, c.post_id, c.name, c.client_name,
      array[sum(c.s1), sum(c.s2), sum(c.s3), sum(c.s4), sum(c.s5), sum(c.s6), sum(c.s7), sum(c.s8)]::integer[] as seats
    from counted c
    group by 1, 2, 3, 4
  ),
  guard as materialized (
    select s.site_id, s.post_id, string_agg(coalesce(nullif(f.full_name, ''), f.email), E'\n') as names
    from public.profiles f
    join public.assignments a on a.user_id = f.id
    join public.shifts s on s.id = a.shift_id
    where cardinality(patterns) > 0 and coalesce(nullif(f.full_name, ''), f.email) ilike any (patterns)
      and a.starts_at >= begins - interval '24 hours' and a.starts_at < ends and upper(a.period) > begins
      and a.status <> 'cancelled'
    group by 1, 2
  ),
  found as materialized (
    select p.site_id, p.post_id, p.name, p.seats
    from post p
    left join guard g on g.site_id = p.site_id and g.post_id is not distinct from p.post_id
    where cardinality(patterns) = 0 or concat_ws(E'\n', p.name, p.client_name,
        (select o.name from public.posts o where o.id = p.post_id), g.names
      ) ilike all (patterns)
  ),
  matching as materialized (
    select f.site_id, f.post_id, f.name, case
        when f.seats[1] > 0 then 1 when f.seats[2] > 0 then 2 when f.seats[3] > 0 then 3 when f.seats[4] > 0 then 4
        when f.seats[5] > 0 then 5 when f.seats[6] > 0 then 6 when f.seats[7] > 0 then 7 when f.seats[8] > 0 then 8
        else 9
      end as gravity
    from found f
    where wanted is null or f.seats[wanted] > 0
  ),
  gravest as materialized (
    select m.site_id, m.post_id from matching m order by m.gravity, m.name, m.site_id, m.post_id limit shown
  )
  select array(
      select s.id
      from gravest g
      join public.shifts s on s.site_id = g.site_id and s.post_id is not distinct from g.post_id
      where s.start_time >= least(begins - interval '24 hours', earliest) and s.start_time < ends and s.end_time > begins
    ),
    (
      select jsonb_build_object(
        'sos', coalesce(sum(f.seats[1]), 0), 'missing', coalesce(sum(f.seats[2]), 0),
        'empty', coalesce(sum(f.seats[3]), 0), 'left_early', coalesce(sum(f.seats[4]), 0),
        'no_signal', coalesce(sum(f.seats[5]), 0), 'late', coalesce(sum(f.seats[6]), 0),
        'due', coalesce(sum(f.seats[7]), 0), 'on_post', coalesce(sum(f.seats[8]), 0)
      )
      from found f
    ),
    (select count(*)::integer from matching m);
end
$$;

drop function public.operations_board(timestamptz, timestamptz, uuid[]);

-- The shifts that overlap a window, by default the last 12 and the next 2 hours, or the given ones: with post, site,
-- client, planned guards, their attendance and open alerts, in one answer. Callers who plan at most 200 sites get all
-- shifts of the window, whatever the filters; others get the gravest 200 posts that match, and `part`: the seats by state,
-- the posts that match, and what the filters can choose. p_q is searched in the names of site, client, post and guards.
-- Definer, because dispatchers can't read attendance and the roles are then checked once; it returns the sites that the
-- caller plans and nothing else.
create function public.operations_board(
  p_from timestamptz default null, p_to timestamptz default null, p_shift_ids uuid[] default null,
  p_state text default null, p_client text default null, p_supervisor text default null, p_counties text[] default null,
  p_sites uuid[] default null, p_q text default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  begins constant timestamptz := coalesce(p_from, now() - interval '12 hours');
  ends constant timestamptz := coalesce(p_to, now() + interval '2 hours');
  plans_all constant boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
  my_sites constant uuid[] := private.supervised_sites();
  most_sites constant integer := 200;
  chosen uuid[];
  part jsonb;
begin
  if not plans_all and my_sites = '{}' then
    raise exception 'The operations board is for planners.' using errcode = 'insufficient_privilege';
  end if;
  if not isfinite(begins) or not isfinite(ends) or ends - begins > interval '48 hours' then
    raise exception 'The window of the board must be at most 48 hours.' using errcode = 'invalid_parameter_value';
  end if;
  if cardinality(p_shift_ids) > 1000 then
    raise exception 'Ask for at most 1,000 shifts at once.' using errcode = 'invalid_parameter_value';
  end if;
  if greatest(cardinality(p_sites), cardinality(p_counties)) > 1000 then
    raise exception 'Choose at most 1,000 sites.' using errcode = 'invalid_parameter_value';
  end if;
  if greatest(length(p_client), length(p_supervisor), length(p_q)) > 300 then
    raise exception 'Search for at most 300 characters.' using errcode = 'invalid_parameter_value';
  end if;
  if p_shift_ids is not null then
    chosen := array(select s.id from public.shifts s where s.id = any (p_shift_ids));
  elsif cardinality(my_sites) > most_sites
    or plans_all and (select count(*) from (select from public.sites limit most_sites + 1) t) > most_sites
  then
    select g.shifts, jsonb_build_object('counts', g.counts, 'posts', g.posts) into chosen, part
    from private.gravest_posts(begins, ends, case when not plans_all then my_sites end, p_state, p_client, p_supervisor,
      p_counties, p_sites, p_q) g;
    part := part || (
      select jsonb_build_object(
        'clients', coalesce(jsonb_agg(distinct t.client_name) filter (where t.client_name is not null), '[]'),
        'counties', coalesce(jsonb_agg(distinct t.county) filter (where t.county is not null), '[]')
      )
      from public.sites t where plans_all or t.id = any (my_sites)
    ) || jsonb_build_object('supervisors', (
      select coalesce(jsonb_agg(distinct b.name), '[]') from private.site_supervisors b
      where plans_all or b.site_id = any (my_sites)
    ));
  else
    chosen := array(
      select s.id from public.shifts s
      where s.start_time >= begins - interval '24 hours' and s.start_time < ends and s.end_time > begins
      union all
      select s.id from public.shifts s
      where s.end_time - s.start_time > interval '24 hours' and s.end_time > begins
        and s.start_time < begins - interval '24 hours'
    );
  end if;
  if not plans_all then
    chosen := array(select s.id from public.shifts s where s.id = any (chosen) and s.site_id = any (my_sites));
  end if;
  return (
    select json_build_object('at', now(), 'sites', b.sites, 'shifts', b.shifts, 'part', part)
    from private.board_of_shifts(chosen) b
  );
end
$$;

revoke all on function private.board_of_shifts, private.gravest_posts, public.operations_board from public, anon;
grant execute on function public.operations_board to authenticated;
