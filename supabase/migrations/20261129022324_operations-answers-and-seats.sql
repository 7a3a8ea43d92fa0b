create or replace FUNCTION private.last_answers()
 RETURNS TABLE(user_id uuid, answer text)
 LANGUAGE sql
 STABLE
AS $function$
  select last.user_id, case
      when last.answer not in ('accepted', 'coming') then last.answer
      when seat.attendance_state <> 'none' then 'came'
      when seat.status = 'no_show' or seat.counts_as_staffed and upper(seat.period) < now() then 'did_not_come'
      else last.answer
    end
  from (
    select distinct on (given.user_id) given.user_id, given.shift_id, given.answer
    from (
      select o.user_id, o.shift_id, coalesce(o.answered_at, o.decided_at) as given_at, case
          when o.answer = 'yes' then 'accepted'
          when o.answer = 'no' then 'declined'
          -- Others were faster, or the planner changed their mind: not the guard's doing.
          when o.decided_at > o.created_at + interval '10 minutes' then 'no_answer'
        end as answer
      from public.offers o
      where o.kind = 'offer' and o.status in ('approved', 'declined', 'lapsed')
        and o.created_at > now() - interval '60 days'
      union all
      select c.user_id, c.shift_id, c.created_at, c.result from public.replacement_calls c
      where c.created_at > now() - interval '60 days'
    ) given
    where given.answer is not null
    order by given.user_id, given.given_at desc
  ) last
  left join lateral (
    select a.status, a.attendance_state, a.counts_as_staffed, a.period from public.assignments a
    where a.shift_id = last.shift_id and a.user_id = last.user_id and a.status <> 'cancelled'
    limit 1
  ) seat on true;
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
    select a.shift_id, a.id, a.attendance_state, a.status, greatest(a.starts_at, a.created_at) as expected
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at < soon and a.counts_as_staffed
      and upper(a.period) > now()
    union all
    select a.shift_id, a.id, a.attendance_state, a.status, greatest(a.starts_at, a.created_at)
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
    where cardinality(patterns) = 0 or concat_ws(E'\n', p.name, p.client_name,
        (select o.name from public.posts o where o.id = p.post_id), g.names
      ) ilike all (patterns)
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

create or replace FUNCTION private.gravity_of(p_seats integer[])
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when p_seats[1] > 0 then 1 when p_seats[2] > 0 then 2 when p_seats[3] > 0 then 3 when p_seats[4] > 0 then 4
    when p_seats[5] > 0 then 5 when p_seats[6] > 0 then 6 when p_seats[7] > 0 then 7 when p_seats[8] > 0 then 8
    when p_seats[9] > 0 then 9
    else 10
  end;
$function$;

create or replace FUNCTION public.rank_replacements(shift_id uuid)
 RETURNS TABLE(user_id uuid, full_name text, phone text, rank integer, distance_km numeric, week_hours numeric, hours_left numeric, overtime_hours numeric, knows_site integer, last_answer text, is_free_until timestamp with time zone, reasons text[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  shift public.shifts;
  site public.sites;
  rules public.rule_sets;
  zone text := (select s.time_zone from private.settings s);
  work tstzrange;
  days daterange;
  week tstzrange;
  own_hours numeric;
  rest interval;
  -- Duties outside it break no rule of this one: as in duty_problems.
  reach tstzrange;
begin
  perform private.require_member();
  select * into shift from public.shifts s where s.id = rank_replacements.shift_id;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  if not private.may_plan(shift.site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  shift.start_time := private.earliest_arrival(shift);
  if shift.end_time <= shift.start_time then
    return;
  end if;
  select * into site from public.sites t where t.id = shift.site_id;
  work := tstzrange(shift.start_time, shift.end_time);
  days := private.days_of(work);
  rules := private.rules_on(lower(days));
  week := tstzrange(date_trunc('week', lower(days)::timestamp) at time zone zone,
    (date_trunc('week', lower(days)::timestamp) + interval '7 days') at time zone zone);
  own_hours := extract(epoch from shift.end_time - shift.start_time) / 3600;
  rest := make_interval(secs => rules.min_rest_hours::double precision * 3600);
  reach := tstzrange(
    lower(work) - make_interval(days => greatest(8, rules.consecutive_days + 1, rules.consecutive_nights + 1)),
    upper(work) + make_interval(days => greatest(8, rules.consecutive_days + 1, rules.consecutive_nights + 1)));
  return query
  with duty as materialized (
    select d.user_id, array_agg(d.period) as periods,
      coalesce(sum(extract(epoch from upper(d.period) - lower(d.period)) / 3600)
        filter (where week @> lower(d.period)), 0) as hours,
      max(upper(d.period)) filter (where d.period << work) as last_end,
      min(lower(d.period)) filter (where d.period >> work) as next_start,
      -- The rule `rest`, and overlaps.
      bool_or(d.period && tstzrange(lower(work) - rest, upper(work) + rest)) as is_near,
      bool_or(d.is_on_duty and lower(work) < now() + interval '12 hours') as is_on_duty
    from private.duties_within(reach) d
    group by d.user_id
  ),
  known as materialized (
    select a.user_id, count(*)::integer as shifts
    from public.assignments a
    where a.site_id = shift.site_id and a.starts_at >= now() - interval '84 days' and a.starts_at < now()
      and a.status in ('assigned', 'confirmed', 'completed') and not a.on_leave
    group by a.user_id
  ),
  last as materialized (
    select g.user_id, g.answer from private.last_answers() g
  ),
  -- What is cheap to exclude, before the functions that hold the rules.
  candidate as materialized (
    select p.id, coalesce(nullif(p.full_name, ''), p.email, p.phone) as name, p.phone, d.periods,
      coalesce(d.hours, 0) as hours, d.next_start, coalesce(k.shifts, 0) as shifts, l.answer,
      round(private.distance_m(p.home_position, site.latitude, site.longitude) / 1000.0, 1) as km,
      greatest(0, coalesce(d.hours, 0) + own_hours - rules.week_hours)
        - greatest(0, coalesce(d.hours, 0) - rules.week_hours) as overtime,
      extract(epoch from lower(work) - d.last_end) / 3600 as hours_off
    from public.profiles p
    left join duty d on d.user_id = p.id
    left join known k on k.user_id = p.id
    left join last l on l.user_id = p.id
    where p.id in (select r.user_id from public.user_roles r where r.role = 'guard')
      and (p.left_on is null or p.left_on >= lower(days))
      and not coalesce(d.is_near or d.is_on_duty, false)
      and coalesce(d.hours, 0) + own_hours <= rules.week_hours + rules.week_overtime_hours
      and p.id not in (
        select l.user_id from public.leave_requests l
        where l.status = 'approved' and l.start_date < upper(days) and l.end_date >= lower(days)
      )
      and p.id not in (select b.user_id from public.site_bans b where b.site_id = shift.site_id)
  ),
  scored as (
    select f.*,
      rules.weight_known_post * (1 - least(1, f.shifts / 4.0))
      + rules.weight_distance * least(coalesce(f.km, 10), 40) / 10
      + rules.weight_overtime * f.overtime / 4
      + rules.weight_fair_hours * (f.hours + own_hours) / (rules.week_hours + rules.week_overtime_hours)
      + case when f.answer in ('accepted', 'coming', 'came') then -10
          when f.answer in ('declined', 'refused', 'no_answer') then 10
          when f.answer = 'did_not_come' then 20
          when f.answer = 'wrong_number' then 40 else 0 end
      + least(10, greatest(0, coalesce(24 - f.hours_off, 0))) as cost
    from candidate f
    order by cost, f.name, f.id
    -- Keeps this order apart from the filter below, which stops at its limit.
    offset 0
  ),
  lawful as (
    select s.* from scored s
    where not exists (select from private.eligibility_problems(s.id, shift))
      and not exists (select from private.duty_problems(s.id, shift.start_time, shift.end_time, s.periods, zone))
    limit 60
  )
  select s.id, s.name, s.phone, (row_number() over (order by s.cost, s.name, s.id))::integer, s.km, round(s.hours, 1),
    round(rules.week_hours + rules.week_overtime_hours - s.hours, 1), round(s.overtime, 1), s.shifts, s.answer,
    s.next_start,
    array_remove(array[
      case when s.shifts = 0 then 'New to this site'
        else format('Knows this site: %s %s', s.shifts, case s.shifts when 1 then 'shift' else 'shifts' end) end,
      s.km || ' km away',
      private.hours_text(rules.week_hours + rules.week_overtime_hours - s.hours) || ' h left this week',
      case when s.overtime > 0 then private.hours_text(s.overtime) || ' h overtime' end,
      case when s.hours_off < 24 then private.hours_text(floor(s.hours_off)) || ' h rest before' end
    ], null)
  from lawful s order by s.cost, s.name, s.id;
end
$function$;

CREATE OR REPLACE FUNCTION public.assign_replacement(p_shift_id uuid, p_user_id uuid, p_is_coming boolean DEFAULT false, p_note text DEFAULT NULL::text)
 RETURNS public.assignments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  shift public.shifts;
  arrival timestamptz;
  obstacle text;
  is_coming boolean;
  given public.assignments;
begin
  perform private.require_member();
  if not exists (select from public.shifts s where s.id = p_shift_id and private.may_plan(s.site_id)) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if p_is_coming then
    perform public.note_call(p_shift_id, p_user_id, 'coming', p_note);
  end if;
  perform private.lock_shifts_and_people(array[p_shift_id], array[p_user_id]);
  select * into shift from public.shifts s where s.id = p_shift_id;
  if private.free_seats(shift) < 1 then
    raise exception 'Every post of this shift has been given.' using errcode = 'PT409';
  end if;
  obstacle := private.obstacle_to_replace(p_user_id, shift);
  if obstacle is not null then
    raise exception '% can''t take this shift: %', private.name_of_person(p_user_id), obstacle using errcode = 'PT409';
  end if;
  arrival := private.earliest_arrival(shift);
  is_coming := coalesce((
    select c.result = 'coming' from public.replacement_calls c
    where c.shift_id = shift.id and c.user_id = p_user_id order by c.created_at desc limit 1
  ), false);
  insert into public.assignments (shift_id, user_id, status, confirmed_at, joins_at)
  values (shift.id, p_user_id, case when is_coming then 'confirmed' else 'assigned' end,
    case when is_coming then now() end, case when arrival > shift.start_time then arrival end)
  returning * into given;
  perform private.tell_guards(shift.id, 'assigned', array[given.id], array[p_user_id]);
  return given;
end
$function$;

grant execute on function public.assign_replacement(uuid,uuid,boolean,text) to authenticated;
