CREATE OR REPLACE FUNCTION private.last_join(starts_before timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select greatest(starts_before + interval '24 hours', (
    select max(s.end_time) from public.shifts s
    where s.end_time - s.start_time > interval '24 hours' and s.end_time > starts_before
      and s.start_time < starts_before
  ));
$function$;

create or replace FUNCTION private.totals_of_staffing(earliest timestamp with time zone, ends timestamp with time zone, ends_after timestamp with time zone, sites uuid[], staffing text)
 RETURNS TABLE(shifts integer, assigned integer, required integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET enable_nestloop TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
$function$;

create or replace FUNCTION private.roster_state_of(p_from date, p_to date, span tstzrange, chosen uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'assignments', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', a.shift_id, 'user_id', a.user_id,
        'absence', case when a.counts_as_staffed then null when a.status = 'no_show' then 'no_show' else 'leave' end,
        'clocked', a.attendance_state <> 'none', 'override', a.override_reason is not null
      ) order by a.starts_at, a.id)
      from public.assignments a join public.shifts s on s.id = a.shift_id
      where a.starts_at >= lower(span) and a.starts_at < (select private.last_join(upper(span)))
        and a.site_id = any (chosen) and a.status <> 'cancelled'
        and s.start_time >= lower(span) and s.start_time < upper(span)
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
$function$;

create or replace FUNCTION private.roster_guards(begins timestamp with time zone, ends timestamp with time zone, chosen uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  most constant integer := 1000;
  last_join constant timestamptz := private.last_join(ends);
  guards uuid[];
  near uuid[];
begin
  guards := array(
    select p.id from public.profiles p
    where p.left_on is null and exists (select from public.user_roles r where r.user_id = p.id and r.role = 'guard')
    limit most + 1
  );
  if cardinality(guards) <= most then
    return guards;
  end if;
  near := array(
    select a.user_id from public.assignments a
    where a.starts_at >= begins - interval '84 days' and a.starts_at < last_join and a.site_id = any (chosen)
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
$function$;

create or replace FUNCTION private.roster_people(p_from date, p_to date, chosen uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
      jsonb_build_array(private.epoch_minutes(lower(d.period)), private.epoch_minutes(upper(d.period)))
      order by lower(d.period)
    ) as duties
    from private.drafted_duties d join public.shifts s on s.id = d.shift_id
    where d.starts_at >= begins - interval '15 days' and d.starts_at < ends + interval '15 days'
      and d.user_id = any (guards)
      and not (d.site_id = any (chosen) and s.start_time >= begins and s.start_time < ends)
    group by d.user_id
  ),
  certificates as (
    select n.user_id, jsonb_object_agg(n.course_id, private.epoch_minutes(n.expires_at)) as courses
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
    'home_region', g.home_region, 'max_distance_km', g.max_distance_km,
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
$function$;

create or replace FUNCTION private.gravest_posts(begins timestamp with time zone, ends timestamp with time zone, own_sites uuid[], wanted_state text, client text, supervisor text, counties text[], chosen_sites uuid[], words text)
 RETURNS TABLE(shifts uuid[], counts jsonb, posts integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  shown constant integer := 200;
  -- By gravity, the gravest first.
  states constant text[] := '{sos,missing,empty,left_early,no_signal,late,unconfirmed,due,on_post}';
  wanted constant integer := array_position(states, wanted_state);
  soon constant timestamptz := now() + interval '2 hours';
  earliest constant timestamptz := private.first_start(now());
  last_join constant timestamptz := private.last_join(soon);
  patterns constant text[] := private.search_patterns(coalesce(words, ''));
begin
  return query
  with alarm as materialized (
    select l.assignment_id, l.shift_id, l.is_sos, l.is_silent from private.alarmed_seats() l
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
    select a.shift_id, a.id, a.attendance_state, a.status, private.expected_at(a.starts_at, a.created_at) as expected
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at < last_join and a.counts_as_staffed and upper(a.period) > now()
    union all
    select a.shift_id, a.id, a.attendance_state, a.status, private.expected_at(a.starts_at, a.created_at)
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
        when e.attendance_state = 'in' then case when l.is_silent then 5 else 9 end
        when e.expected > now() then case when e.status = 'assigned' then 7 else 8 end
        when e.expected > now() - make_interval(mins => t.alert_after_minutes) then 6
        else 2
      end as state,
      s.is_current and e.attendance_state = 'in' as is_on_post,
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
      count(*) filter (where j.state = 8)::integer as s8, count(*) filter (where j.is_on_post)::integer as s9
    from judged j
    group by j.id, j.site_id, j.post_id, j.name, j.client_name, j.is_current, j.required_headcount
  ),
  post as materialized (
    select c.site_id, c.post_id, c.name, c.client_name,
      array[sum(s1), sum(s2), sum(s3), sum(s4), sum(s5), sum(s6), sum(s7), sum(s8), sum(s9)]::integer[] as seats
    from counted c
    group by 1, 2, 3, 4
  ),
  guard as materialized (
    select g.site_id, g.post_id, g.names from private.posts_of_named_guards(begins, ends, patterns) g
  ),
  found as materialized (
    select p.site_id, p.post_id, p.name, p.seats
    from post p
    left join guard g on g.site_id = p.site_id and g.post_id is not distinct from p.post_id
    where cardinality(patterns) = 0 or private.folded(concat_ws(E'\n', p.name, p.client_name,
        (select o.name from public.posts o where o.id = p.post_id), g.names
      )) like all (patterns)
  ),
  matching as materialized (
    select f.site_id, f.post_id, f.name, private.gravity_of(f.seats) as gravity
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
      where s.start_time >= least(begins - interval '24 hours', earliest) and s.start_time < ends
        and s.end_time > begins
    ),
    (
      select jsonb_build_object(
        'sos', coalesce(sum(f.seats[1]), 0), 'missing', coalesce(sum(f.seats[2]), 0),
        'empty', coalesce(sum(f.seats[3]), 0), 'left_early', coalesce(sum(f.seats[4]), 0),
        'no_signal', coalesce(sum(f.seats[5]), 0), 'late', coalesce(sum(f.seats[6]), 0),
        'unconfirmed', coalesce(sum(f.seats[7]), 0), 'due', coalesce(sum(f.seats[8]), 0),
        'on_post', coalesce(sum(f.seats[9]), 0)
      )
      from found f
    ),
    (select count(*)::integer from matching m);
end
$function$;

create or replace FUNCTION public.coverage_by_hour(p_day date DEFAULT NULL::date)
 RETURNS TABLE(hour timestamp with time zone, required integer, assigned integer, clocked_in integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
$function$;

create or replace FUNCTION private.totals_of_shifts(starts timestamp with time zone, ends timestamp with time zone, ends_after timestamp with time zone, sites uuid[], staffing text)
 RETURNS TABLE(shifts integer, assigned integer, required integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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
$function$;

create or replace FUNCTION public.shift_totals(p_from timestamp with time zone DEFAULT NULL::timestamp with time zone, p_to timestamp with time zone DEFAULT NULL::timestamp with time zone, p_site_id uuid DEFAULT NULL::uuid, p_staffing text DEFAULT NULL::text, p_search text DEFAULT ''::text, p_ends_after timestamp with time zone DEFAULT NULL::timestamp with time zone, p_guard_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(shifts integer, assigned integer, required integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
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

create or replace FUNCTION public.open_shifts()
 RETURNS TABLE(shift_id uuid, site_name text, client_name text, address text, timezone text, post_name text, start_time timestamp with time zone, end_time timestamp with time zone, seats integer, distance_km numeric, bid_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET work_mem TO '32MB'
AS $function$
declare
  me uuid := auth.uid();
  home text;
  published tstzmultirange := (
    select coalesce(range_agg(tstzrange(private.company_midnight(r.starts_on),
      private.company_midnight(r.starts_on + 7))), '{}')
    from public.roster_periods r
    where r.state = 'published' and r.starts_on >= private.company_date() - 7
  );
  -- The published part of the next two weeks.
  planned tstzrange := range_merge(published * tstzmultirange(tstzrange(now(), now() + interval '14 days')));
  own tstzmultirange := (
    select coalesce(range_agg(a.period), '{}') from public.assignments a
    where a.user_id = me and a.status <> 'cancelled' and a.period && tstzrange(now(), now() + interval '28 days')
  );
  last_join constant timestamptz := private.last_join(now() + interval '14 days');
begin
  perform private.require_member();
  if not exists (select from public.user_roles r where r.user_id = me and r.role = 'guard') then
    return;
  end if;
  select p.home_position into home from public.profiles p where p.id = me;
  return query
  with staffed as (
    select a.shift_id, count(*) as guards from public.assignments a
    where a.starts_at > now() and a.starts_at < last_join and a.counts_as_staffed
    group by 1
  ),
  -- As is_offered, which would read the weeks for each shift.
  offered as (
    select s.id, s.required_headcount
    from public.shifts s
    where s.start_time > now() and s.start_time >= lower(planned) and s.start_time < upper(planned)
      and s.start_time <@ published and not s.is_manual
    union all
    select s.id, s.required_headcount
    from public.shifts s
    where s.start_time > now() and s.start_time < now() + interval '14 days' and s.is_manual
  ),
  unfilled as materialized (
    select o.id, o.required_headcount - coalesce(w.guards, 0) as seats
    from offered o left join staffed w on w.shift_id = o.id
    where o.required_headcount > coalesce(w.guards, 0)
  ),
  open as materialized (
    select f.s, (f.s).site_id, d.seats::integer
    from unfilled u
    -- Look-ups: the planner expects thousands where a few are unfilled.
    cross join lateral (select s from public.shifts s where s.id = u.id offset 0) f
    cross join lateral (
      select u.seats - count(*) as seats from public.roster_changes c where c.shift_id = u.id and c.change = 'assign'
    ) d
    where d.seats > 0 and not own && tstzrange((f.s).start_time, (f.s).end_time)
      -- What the guard has declined is not offered again, unless somebody has assigned the guard since.
      and not exists (
        select from public.assignments a
        where a.shift_id = u.id and a.user_id = me and a.status = 'cancelled' and a.declined_at is not null
          and not exists (
            select from public.assignments later
            where later.shift_id = u.id and later.user_id = me and later.id <> a.id
              and later.created_at >= a.declined_at
          )
      )
  ),
  places as materialized (
    select t.id, t.name, t.client_name, t.address, t.timezone,
      round(private.distance_m(home, t.latitude, t.longitude) / 1000.0, 1) as km
    from public.sites t
    where t.id in (select o.site_id from open o)
  ),
  near as (
    select o.s, o.seats, p.name, p.client_name, p.address, p.timezone, p.km, (o.s).start_time as starts
    from open o join places p on p.id = o.site_id
    order by p.km nulls last, starts, (o.s).id
    limit 200
  )
  select (n.s).id, n.name, n.client_name, n.address, n.timezone,
    (select p.name from public.posts p where p.id = (n.s).post_id),
    (n.s).start_time, (n.s).end_time, n.seats, n.km,
    (select b.id from public.offers b
      where b.shift_id = (n.s).id and b.user_id = me and b.kind = 'bid' and b.status = 'open')
  from near n where private.obstacle_to_shift(me, n.s) is null order by n.km nulls last, n.starts, (n.s).id limit 60;
end
$function$;

create or replace FUNCTION private.posts_of_named_guards(p_begins timestamp with time zone, p_ends timestamp with time zone, p_patterns text[])
 RETURNS TABLE(site_id uuid, post_id uuid, names text)
 LANGUAGE sql
 STABLE
AS $function$
  select s.site_id, s.post_id, string_agg(coalesce(nullif(f.full_name, ''), f.email), E'\n') as names
  from public.profiles f
  join public.assignments a on a.user_id = f.id
  join public.shifts s on s.id = a.shift_id
  where cardinality(p_patterns) > 0 and private.folded(coalesce(nullif(f.full_name, ''), f.email)) like any (p_patterns)
    and a.starts_at >= p_begins - interval '24 hours' and s.start_time < p_ends and upper(a.period) > p_begins
    and a.status <> 'cancelled'
  group by 1, 2;
$function$;

create or replace FUNCTION public.week_guards(p_from date, p_site_id uuid DEFAULT NULL::uuid, p_search text DEFAULT ''::text)
 RETURNS TABLE(id uuid, name text, hours numeric, shifts integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION public.dashboard_start(p_hours integer DEFAULT 12)
 RETURNS TABLE(required integer, on_post integer, late integer, missing integer, uncovered integer, next_required integer, next_missing integer, gaps_now integer, gaps_next integer, gaps jsonb, leave_pending integer, leave_soon integer, attendance_to_review integer, forgotten_clock_outs integer, new_enquiries integer, expired_certificates integer, expiring_certificates integer, setup text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  ahead constant interval := make_interval(hours => least(greatest(coalesce(p_hours, 12), 1), 72));
  -- Rows of each list; the counts tell how many there are in all.
  shown constant integer := 6;
  earliest constant timestamptz := private.first_start(now());
  last_join constant timestamptz := private.last_join(now() + ahead);
  today constant date := private.company_date();
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor') and private.supervised_sites() = '{}' then
    raise exception 'The dashboard is for admins, operations managers and supervisors.'
      using errcode = 'insufficient_privilege';
  end if;

  with shift as materialized (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount as needed,
      s.start_time <= now() as is_running
    from public.shifts s
    where s.start_time >= earliest and s.start_time <= now() + ahead and s.end_time > now()
  ),
  work as materialized (
    -- An assignment starts with its shift, or later in it, when a replacement joins.
    select a.shift_id, count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.attendance_state = 'in')::integer as present,
      count(*) filter (where e.awaited <= now())::integer as late,
      count(*) filter (where e.awaited <= now() - make_interval(mins => t.alert_after_minutes))::integer as gone,
      -- On the way: replacements who join later.
      count(*) filter (where e.awaited > now())::integer as coming
    from public.assignments a
    join public.sites t on t.id = a.site_id
    cross join lateral (
      select case when a.counts_as_staffed and a.attendance_state = 'none'
        then private.expected_at(a.starts_at, a.created_at) end as awaited
    ) e
    where a.starts_at >= earliest and a.starts_at < last_join and upper(a.period) > now()
      and a.status <> 'cancelled'
    group by a.shift_id
  ),
  post as materialized (
    select s.*, coalesce(w.assigned, 0) as assigned, coalesce(w.present, 0) as present, coalesce(w.late, 0) as late,
      coalesce(w.gone, 0) as gone,
      greatest(s.needed - case when s.is_running then coalesce(w.present + w.late + w.coming, 0)
        else coalesce(w.assigned, 0) end, 0)
        as missing
    from shift s
    left join work w on w.shift_id = s.id
  ),
  gap as (
    select p.*, row_number() over (
      partition by p.is_running order by (p.missing > 0) desc, p.start_time, p.missing desc, p.id
    ) as place
    from post p
    where p.missing > 0 or p.is_running and p.late > 0
  ),
  listed as (
    select g.*, t.name as site_name, t.client_name, t.timezone, (
      select coalesce(jsonb_agg(coalesce(nullif(p.full_name, ''), p.email) order by p.full_name), '[]')
      from public.assignments a join public.profiles p on p.id = a.user_id
      where a.shift_id = g.id and g.is_running and a.counts_as_staffed and a.attendance_state = 'none'
        and private.expected_at(a.starts_at, a.created_at) <= now()
    ) as late_guards
    from gap g join public.sites t on t.id = g.site_id
    where g.place <= shown
  )
  select coalesce(sum(p.needed) filter (where p.is_running), 0),
    coalesce(sum(p.present) filter (where p.is_running), 0),
    coalesce(sum(p.late - p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.missing) filter (where p.is_running), 0),
    coalesce(sum(p.needed) filter (where not p.is_running), 0),
    coalesce(sum(p.missing) filter (where not p.is_running), 0),
    (select count(*) from gap g where g.is_running),
    (select count(*) from gap g where not g.is_running),
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'site_name', l.site_name, 'client_name', l.client_name, 'timezone', l.timezone,
        'start_time', l.start_time, 'end_time', l.end_time, 'is_running', l.is_running,
        'required', l.needed, 'missing', l.missing, 'late', l.late, 'late_guards', l.late_guards
      ) order by l.is_running desc, l.place), '[]')
      from listed l)
  into required, on_post, late, missing, uncovered, next_required, next_missing, gaps_now, gaps_next, gaps from post p;

  select count(*) into attendance_to_review from public.attendance r where r.needs_review;
  select count(*) into forgotten_clock_outs
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.clock_out_at is null and upper(a.period) <= now() - private.clock_out_grace();

  if private.has_role('admin', 'ops_manager') then
    select count(*), count(*) filter (where l.start_date <= today + 3)
    into leave_pending, leave_soon from public.leave_requests l where l.status = 'pending';
    select count(*) into new_enquiries from public.contact_messages m where m.state = 'new';
    select count(*) filter (where c.expires_at < now()), count(*) filter (where c.expires_at >= now())
    into expired_certificates, expiring_certificates
    from public.certifications c where c.expires_at <= now() + make_interval(days => private.expiring_days());
  end if;
  setup := private.setup_phase();
  return next;
end
$function$;

comment on column public.assignments.period is 'Derived: the time of the shift, from joins_at on, so that overlaps can be excluded';

comment on column public.assignments.starts_at is 'Derived: when the guard starts: with the shift, or later, when a replacement joins';

grant execute on function private.last_join(timestamp with time zone) to authenticated;
