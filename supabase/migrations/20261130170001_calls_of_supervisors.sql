drop policy "Dispatchers and managers read calls for service" on public.service_calls;

drop policy "Dispatchers and managers read units" on public.response_units;

drop policy "Dispatchers and managers read what happened to calls and units" on public.unit_events;

CREATE OR REPLACE FUNCTION private.degrees_of(gps text)
 RETURNS double precision[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ARRAY[(split_part(gps, ','::text, 1))::double precision, (split_part(gps, ','::text, 2))::double precision];

create or replace FUNCTION private.distance_m(gps text, latitude double precision, longitude double precision)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE WHEN (private.is_position(gps) AND (gps IS NOT NULL) AND (latitude IS NOT NULL) AND (longitude IS NOT NULL)) THEN (round(((((2)::numeric * 6371008.8))::double precision * asin(sqrt(LEAST((1)::double precision, ((sind((((private.degrees_of(gps))[1] - latitude) / (2)::double precision)) ^ (2)::double precision) + ((cosd(latitude) * cosd((private.degrees_of(gps))[1])) * (sind((((private.degrees_of(gps))[2] - longitude) / (2)::double precision)) ^ (2)::double precision)))))))))::integer ELSE NULL::integer END;

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
    'home', case when g.home_position is not null then to_jsonb(private.degrees_of(g.home_position)) end,
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

create or replace FUNCTION private.is_position(gps text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ((gps IS NULL) OR CASE WHEN (gps ~ '^-?\d{1,2}(\.\d{1,15})?, ?-?\d{1,3}(\.\d{1,15})?$'::text) THEN ((abs((private.degrees_of(gps))[1]) <= (90)::double precision) AND (abs((private.degrees_of(gps))[2]) <= (180)::double precision)) ELSE false END);

create or replace FUNCTION private.watch_facts(p_from timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  shown constant integer := 100;
begin
  return jsonb_build_object(
    'seats', (
      select g.counts from private.gravest_posts(now() - interval '12 hours', now() + interval '2 hours', null, null,
        null, null, null, null, null) g
    ),
    'coverage', (
      select jsonb_build_object('required', s.required, 'uncovered', s.uncovered, 'gaps_now', s.gaps_now,
        'gaps_next', s.gaps_next, 'next_required', s.next_required, 'next_missing', s.next_missing, 'gaps', (
          select coalesce(jsonb_agg(g.gap - 'late_guards' order by g.place), '[]')
          from jsonb_array_elements(s.gaps) with ordinality g (gap, place)
        ))
      from public.dashboard_start() s
    ),
    'incidents', (
      select jsonb_build_object('open', count(*) filter (where i.status in ('open', 'investigating')),
        'grave', count(*) filter (where i.status in ('open', 'investigating') and i.severity in ('high', 'critical')),
        'reported', count(*) filter (where i.created_at >= p_from))
      from public.incidents i where i.status in ('open', 'investigating') or i.created_at >= p_from
    ),
    'alerts', jsonb_build_object(
      'raised', (select count(*) from public.alerts l where l.raised_at >= p_from),
      'closed', (select count(*) from public.alerts l where l.closed_at >= p_from),
      'open', (
        select coalesce(jsonb_agg(to_jsonb(o) - 'danger' order by o.danger, o.raised_at, o.id), '[]')
        from (
          select l.id, l.kind, l.shift_id, l.user_id, l.site_id, t.name as site, l.raised_at,
            l.acknowledged_at is not null as is_acknowledged, public.danger(l) as danger
          from public.alerts l join public.sites t on t.id = l.site_id
          where l.closed_at is null order by public.danger(l), l.raised_at, l.id limit shown
        ) o
      )
    ),
    'service_calls', (
      select coalesce(jsonb_agg(to_jsonb(c) - 'weight' order by c.weight, c.received_at, c.id), '[]')
      from (
        select r.id, r.kind, r.priority, r.state, r.site_id, coalesce(t.name, r.address) as site, r.received_at,
          array_position(array['danger', 'urgent', 'routine'], r.priority) as weight, array(
            select u.call_sign from public.response_units u where u.call_id = r.id order by u.call_sign
          ) as units
        from public.service_calls r left join public.sites t on t.id = r.site_id
        where r.closed_at is null order by weight, r.received_at, r.id limit shown
      ) c
    ),
    'notes', (
      select coalesce(jsonb_agg(to_jsonb(n) order by n.is_pinned desc, n.at desc, n.id), '[]')
      from (
        select r.id, r.created_at as at, r.body, r.is_pinned, r.site_id, t.name as site, r.created_by as user_id
        from public.room_notes r left join public.sites t on t.id = r.site_id
        where r.created_at >= p_from or r.is_pinned order by r.is_pinned desc, r.created_at desc limit shown
      ) n
    ),
    'calls', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.at desc, c.id), '[]')
      from (
        select r.id, r.created_at as at, r.shift_id, r.site_id, t.name as site, r.user_id, r.result, r.note
        from public.replacement_calls r join public.sites t on t.id = r.site_id
        where r.created_at >= p_from order by r.created_at desc limit shown
      ) c
    ),
    'replacements', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.at desc, c.id), '[]')
      from (
        select a.id, a.created_at as at, a.shift_id, a.site_id, t.name as site, a.user_id, a.joins_at
        from public.assignments a
        join public.shifts s on s.id = a.shift_id
        join public.sites t on t.id = a.site_id
        where a.starts_at >= p_from - interval '24 hours' and a.created_at >= p_from and a.status <> 'cancelled'
          and (a.joins_at is not null or a.created_at > s.start_time)
        order by a.created_at desc limit shown
      ) c
    )
  );
end
$function$;

create or replace FUNCTION private.tell_dispatchers(p_call public.service_calls, p_title text, p_body text, p_key text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  people constant uuid[] := private.dispatchers();
begin
  perform private.notify(person, 'dispatch', p_title, p_body, '/admin/dispatch?open=' || p_call.id,
    private.dispatch_key(p_key, person))
  from unnest(people) person;
  perform private.send_notices_now(people);
end
$function$;

create or replace FUNCTION public.take_off_unit(p_assigned_id uuid, p_note text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  assigned public.unit_events;
  call public.service_calls;
begin
  perform private.require_dispatch();
  select * into assigned from public.unit_events e where e.id = p_assigned_id and e.kind = 'assigned';
  if not found then
    raise exception 'This unit is no longer on the call.' using errcode = 'PT404';
  end if;
  call := private.lock_open_call(assigned.call_id);
  if private.assignment_step(assigned.id) < 4 then
    perform private.add_step(null, assigned, 'taken_off', now(), null, null, left(p_note, 500));
    perform private.tell_unit(assigned.unit_id, 'Stand down: ' || private.call_title(call), p_note,
      'off:' || assigned.id, assigned.id);
  end if;
end
$function$;

create or replace FUNCTION private.end_call(p_call_id uuid, p_kind text, p_outcome text, p_note text)
 RETURNS public.service_calls
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  call public.service_calls;
  settled public.service_calls;
begin
  perform private.require_dispatch();
  select * into call from public.service_calls c where c.id = p_call_id for update;
  if not found then
    raise exception 'This call no longer exists.' using errcode = 'PT404';
  elsif (call.closed_at is null) = (p_kind = 'reopened') then
    return call;
  end if;
  insert into public.unit_events (call_id, kind, user_id, outcome, note)
  values (p_call_id, p_kind, auth.uid(), p_outcome, p_note);
  settled := private.settle_call(p_call_id);
  perform private.tell_unit(u.id, 'Stand down: ' || private.call_title(call), 'The call was ' || p_kind || '.',
    'end:' || u.assigned_id, u.assigned_id)
  from public.response_units u where u.call_id = p_call_id and u.state <> 'clear';
  perform private.settle_unit(e.unit_id)
  from (select distinct a.unit_id from public.unit_events a where a.call_id = p_call_id and a.kind = 'assigned') e
  order by e.unit_id;
  return settled;
end
$function$;

create or replace FUNCTION private.ranked_units(p_call public.service_calls)
 RETURNS TABLE(unit_id uuid, place integer, call_sign text, vehicle text, state text, is_free boolean, distance_m integer, recent_calls integer, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with recent as materialized (
    select e.unit_id, count(*) filter (where e.kind = 'accepted' and e.counts)::integer as calls,
      (array_agg(e.gps order by e.sequence desc)
        filter (where e.gps is not null and e.happened_at > now() - private.position_span()))[1] as gps
    from public.unit_events e
    where e.happened_at > now() - interval '12 hours' and e.unit_id is not null group by e.unit_id
  ),
  refused as materialized (
    select e.unit_id, (array_agg(e.kind order by e.sequence desc))[1] as kind
    from public.unit_events e where e.call_id = p_call.id and e.kind in ('declined', 'no_answer') group by e.unit_id
  ),
  units as materialized (
    select u.*, f.gps is not null as is_live, coalesce(f.calls, 0) as calls, no.kind as refused,
      u.state in ('available', 'clear') and no.kind is null as is_free,
      private.distance_m(coalesce(f.gps, u.base_gps, private.gps_text(t.latitude, t.longitude)),
        (private.degrees_of(p_call.gps))[1], (private.degrees_of(p_call.gps))[2]) as distance
    from public.response_units u
    left join public.sites t on t.id = u.site_id
    left join recent f on f.unit_id = u.id
    left join refused no on no.unit_id = u.id
  )
  select u.id, (row_number() over (
      order by u.is_free desc, u.state in ('available', 'clear') desc, u.state <> 'out_of_service' desc,
        u.distance + u.calls * 1000 nulls last, u.calls, u.call_sign
    ))::integer, u.call_sign, u.vehicle, u.state, u.is_free, u.distance, u.calls,
    concat_ws(', ',
      case when u.distance is null then 'position unknown'
        else to_char(u.distance / 1000.0, 'FM999990.0') || case when u.is_live then ' km away' else ' km from base' end
      end,
      case u.state when 'available' then 'available' when 'clear' then 'clear of its call'
        when 'out_of_service' then 'out of service'
        else case when u.call_id = p_call.id then 'on this call' else 'on another call' end end,
      case u.calls when 0 then 'no call in 12 h' when 1 then '1 call in 12 h' else u.calls || ' calls in 12 h' end,
      case u.refused when 'declined' then 'declined this call' when 'no_answer' then 'did not answer' end)
  from units u;
$function$;

CREATE OR REPLACE FUNCTION private.tell_unit(p_unit uuid, p_title text, p_body text, p_key text, p_told uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  people constant uuid[] := private.unit_people(p_unit, p_told);
begin
  perform private.notify(person, 'dispatch', p_title, p_body, '/staff', private.dispatch_key(p_key, person))
  from unnest(people) person;
  perform private.send_notices_now(people);
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_key(p_key text, p_person uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN format('dispatch:%s:%s'::text, p_key, p_person);

CREATE OR REPLACE FUNCTION private.unit_people(p_unit uuid, p_told uuid DEFAULT NULL::uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with people as materialized (
    select m.user_id,
      private.is_on_duty(m.user_id) or exists (
        select from public.assignments a
        where a.user_id = m.user_id and a.counts_as_staffed and a.attendance_state <> 'out'
          and a.starts_at > now() - interval '2 days' and a.period @> now()
      ) as is_on,
      p_told is not null and exists (
        select from public.notices n where n.dedupe_key = private.dispatch_key(p_told::text, m.user_id)
      ) as is_told
    from public.unit_members m where m.unit_id = p_unit
  )
  select array(
    select p.user_id from people p
    where p.is_on or p.is_told or not exists (select from people o where o.is_on or o.is_told) order by 1
  );
$function$;


create policy "Planners of all sites read calls for service" on public.service_calls for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'supervisor'::text, 'dispatcher'::text]) AS has_role));

create policy "Supervisors read calls at their sites" on public.service_calls for select to authenticated using ((site_id = ANY (( SELECT private.supervised_sites() AS supervised_sites)::uuid[])));

create policy "Planners and supervisors read units" on public.response_units for select to authenticated using ((( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'supervisor'::text, 'dispatcher'::text]) AS has_role) OR (cardinality(( SELECT private.supervised_sites() AS supervised_sites)) > 0)));

create policy "Planners of all sites read what happened to calls and units" on public.unit_events for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'supervisor'::text, 'dispatcher'::text]) AS has_role));

create policy "Supervisors read the timelines of calls at their sites" on public.unit_events for select to authenticated using (((cardinality(( SELECT private.supervised_sites() AS supervised_sites)) > 0) AND (EXISTS ( SELECT
   FROM public.service_calls c
  WHERE ((c.id = unit_events.call_id) AND (c.site_id = ANY (( SELECT private.supervised_sites() AS supervised_sites)::uuid[])))))));

grant execute on function private.degrees_of(text) to authenticated;

grant execute on function private.degrees_of(text) to service_role;

drop function private.tell_unit(uuid,text,text,text);

alter table public.service_calls replica identity full;
