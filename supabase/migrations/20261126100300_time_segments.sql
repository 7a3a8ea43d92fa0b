-- From attendance and leave to classified segments, by intervals: each span of work is cut where a rule may change its
-- class, and the limits of days and weeks are running sums over the pieces.
create type private.time_piece as (
  user_id uuid, day date, attendance_id uuid, leave_request_id uuid, shift_id uuid, site_id uuid,
  starts_at timestamptz, ends_at timestamptz, class text, rule text, rate numeric, time_rule_id uuid
);

-- Closed records of attendance as spans of whole minutes that don't overlap: of two records of one person at once, the
-- first counts. p_extra are records that are not stored, or are to count instead of the stored ones:
-- [{attendance_id, assignment_id, clock_in_at, clock_out_at}].
create function private.worked_spans(p_users uuid[], p_from timestamptz, p_to timestamptz, p_extra jsonb default null)
returns table (
  attendance_id uuid, user_id uuid, site_id uuid, shift_id uuid, starts_at timestamptz, ends_at timestamptz,
  is_cut boolean, due_from timestamptz, due_to timestamptz, early boolean, stayed boolean, overtime boolean
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with records as (
    select r.id, r.user_id, r.assignment_id, date_trunc('minute', r.clock_in_at) as came,
      date_trunc('minute', r.clock_out_at) as went
    from public.attendance r
    where r.user_id = any (p_users) and r.clock_in_at > p_from - interval '31 days' and r.clock_in_at < p_to
      and r.clock_out_at > p_from - interval '2 days' and isfinite(r.clock_out_at)
      and (p_extra is null or not exists (
        select from jsonb_array_elements(p_extra) x where (x ->> 'attendance_id')::uuid = r.id))
    union all
    select coalesce(x.attendance_id, x.assignment_id), a.user_id, a.id, date_trunc('minute', x.clock_in_at),
      date_trunc('minute', x.clock_out_at)
    from jsonb_to_recordset(p_extra) x (
      attendance_id uuid, assignment_id uuid, clock_in_at timestamptz, clock_out_at timestamptz)
    join public.assignments a on a.id = x.assignment_id
    where a.user_id = any (p_users) and isfinite(x.clock_in_at) and isfinite(x.clock_out_at)
  ), apart as (
    select r.*, greatest(r.came, max(r.went) over (
      partition by r.user_id order by r.came, r.went, r.id rows between unbounded preceding and 1 preceding
    )) as free_from
    from records r
  )
  select r.id, r.user_id, a.site_id, a.shift_id, r.free_from, r.went, r.free_from > r.came,
    date_trunc('minute', lower(a.period)), date_trunc('minute', upper(a.period)),
    (select d.approved from public.time_decisions d where d.attendance_id = r.id and d.kind = 'early_arrival'),
    (select d.approved from public.time_decisions d where d.attendance_id = r.id and d.kind = 'stayed_on'),
    (select d.approved from public.time_decisions d where d.attendance_id = r.id and d.kind = 'overtime')
  from apart r join public.assignments a on a.id = r.assignment_id
  where r.went > r.free_from;
end
$$;

-- The segments of work of whole weeks, p_first a Monday and p_last a Sunday.
create function private.work_segments(p_users uuid[], p_first date, p_last date, p_extra jsonb default null)
returns setof private.time_piece
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with spans as (
    select w.*, (w.due_from at time zone zone)::date as start_day,
      case when w.early then w.starts_at else least(w.ends_at, greatest(w.starts_at, w.due_from)) end as paid_from
    from private.worked_spans(p_users, private.company_midnight(p_first), private.company_midnight(p_last + 1), p_extra) w
  ), paid as (
    select s.*, case when s.stayed is false then greatest(s.paid_from, least(s.ends_at, s.due_to)) else s.ends_at end as paid_to
    from spans s
  ), breaks as (
    select p.*, case when not (d.rule).break_paid then p.paid_from + make_interval(mins => (d.rule).break_after_minutes) end
        as break_from,
      make_interval(mins => (d.rule).break_minutes) as break_for,
      -- Counts the days of the week on which work began.
      dense_rank() over (
        partition by p.user_id, date_trunc('week', p.start_day::timestamp), p.paid_to > p.paid_from order by p.start_day
      ) as day_of_week
    from paid p
    join private.time_rule_days() d on p.start_day >= d.first and p.start_day < d.until
  ), days as (
    select b.*, least(b.paid_to, b.break_from + b.break_for) as break_to, day::date as day, (r.rule).id as rule_id,
      (r.rule).day_minutes as day_limit, (r.rule).week_minutes as week_limit,
      (r.rule).overtime_2_after_minutes as tier_2_after, (r.rule).rest_day_class as rest_class,
      greatest(b.starts_at, edge.begins) as day_from, least(b.ends_at, edge.ends) as day_to,
      (day::date + (r.rule).night_start) at time zone zone as night_from,
      (day::date + (r.rule).night_end) at time zone zone as night_to
    from breaks b
    cross join lateral generate_series(
      (b.starts_at at time zone zone)::date::timestamp,
      ((b.ends_at - interval '1 microsecond') at time zone zone)::date::timestamp, '1 day') day
    cross join lateral (
      select day at time zone zone as begins, (day + interval '1 day') at time zone zone as ends) edge
    join private.time_rule_days() r on day::date >= r.first and day::date < r.until
    where day::date between p_first and p_last
  ), points as (
    select distinct d.attendance_id, d.day, greatest(d.day_from, least(d.day_to, t)) as at
    from days d
    cross join lateral unnest(array[d.day_from, d.day_to, d.due_from, d.due_to, d.break_from, d.break_to,
      d.night_from, d.night_to]) t
    where t is not null
  ), pieces as (
    select p.attendance_id, p.day, p.at, lead(p.at) over (partition by p.attendance_id, p.day order by p.at) as until
    from points p
  ), sorted as (
    select d.user_id, d.day, d.attendance_id, d.shift_id, d.site_id, p.at, p.until, d.overtime,
      d.rule_id, d.day_limit, d.week_limit, d.tier_2_after, d.rest_class,
      (extract(epoch from p.until - p.at) / 60)::integer as minutes,
      case when p.at < d.paid_from then 'early_arrival' when p.at >= d.paid_to then 'not_approved'
        when p.at >= d.break_from and p.at < d.break_to then 'break' end as unpaid,
      case when d.night_from > d.night_to then p.at >= d.night_from or p.at < d.night_to
        else p.at >= d.night_from and p.at < d.night_to end as is_night,
      d.day_of_week = 7 and d.day = d.start_day and d.rest_class <> 'none' as is_rest_day,
      p.at < d.due_from or p.at >= d.due_to as is_extra,
      date_trunc('week', d.day::timestamp) as week
    from pieces p join days d on d.attendance_id = p.attendance_id and d.day = p.day
    where p.until is not null
  ), in_day as (
    select s.*, case when s.unpaid is null then s.minutes else 0 end as paid,
      coalesce(sum(case when s.unpaid is null then s.minutes else 0 end) over (
        partition by s.user_id, s.day order by s.at rows between unbounded preceding and 1 preceding), 0) as before
    from sorted s
  ), counted as (
    -- Minutes beyond the day's limit don't count again towards the week's.
    select d.*, least(d.before + d.paid, d.day_limit) - least(d.before, d.day_limit) as counts
    from in_day d
  ), in_week as (
    select c.*, least(c.counts, greatest(0, c.week_limit - coalesce(sum(c.counts) over (
      partition by c.user_id, c.week order by c.at rows between unbounded preceding and 1 preceding), 0))) as base
    from counted c
  ), tiers as (
    select w.*, case when w.tier_2_after is null then w.paid - w.base
      else least(w.paid - w.base, greatest(0, w.tier_2_after - coalesce(sum(w.paid - w.base) over (
        partition by w.user_id, w.week order by w.at rows between unbounded preceding and 1 preceding), 0))) end as tier_1,
      case when w.base < w.counts then 'week_limit' else 'day_limit' end as limit_rule
    from in_week w
  ), parts as (
    select t.user_id, t.day, t.attendance_id, t.shift_id, t.site_id, t.rule_id, t.rest_class, h.day is not null as is_holiday,
      t.is_night, t.is_rest_day, t.unpaid, part.tier, t.limit_rule,
      t.overtime is false and t.is_extra and part.tier > 0 as is_refused,
      t.at + make_interval(mins => part.first::integer) as at, t.at + make_interval(mins => part.past::integer) as until
    from tiers t
    left join private.holidays_between(p_first, p_last) h on h.day = t.day
    cross join lateral (values
      (0, 0::numeric, case when t.unpaid is null then t.base else t.minutes end),
      (1, t.base, t.base + t.tier_1),
      (2, t.base + t.tier_1, t.paid)
    ) part (tier, first, past)
    where part.past > part.first
  ), classed as (
    select p.*, c.class, c.rule
    from parts p
    cross join lateral (
      select case
          when p.unpaid is not null or p.is_refused then 'unpaid'
          when p.is_holiday then 'holiday'
          when p.tier = 2 or p.is_rest_day and p.rest_class = 'overtime_2' then 'overtime_2'
          when p.tier = 1 or p.is_rest_day then 'overtime_1'
          when p.is_night then 'night' else 'regular' end as class,
        case
          when p.unpaid is not null then p.unpaid when p.is_refused then 'not_approved'
          when p.is_holiday then 'holiday'
          when p.is_rest_day and (p.tier < 2 or p.rest_class = 'overtime_2') then 'rest_day'
          when p.tier > 0 then p.limit_rule when p.is_night then 'night' else 'worked' end as rule
    ) c
  ), runs as (
    select c.*, count(*) filter (where c.is_new) over (
      partition by c.attendance_id, c.day order by c.at rows unbounded preceding) as run
    from (
      select c.*, lag(c.class || ' ' || c.rule) over (partition by c.attendance_id, c.day order by c.at)
        is distinct from c.class || ' ' || c.rule as is_new
      from classed c
    ) c
  )
  select r.user_id, r.day, r.attendance_id, null::uuid, r.shift_id, r.site_id, min(r.at), max(r.until), r.class, r.rule,
    case r.class when 'regular' then 1 when 'night' then t.night_rate when 'overtime_1' then t.overtime_1_rate
      when 'overtime_2' then t.overtime_2_rate when 'holiday' then t.holiday_rate else 0 end, t.id
  from runs r join public.time_rules t on t.id = r.rule_id
  group by r.user_id, r.day, r.attendance_id, r.shift_id, r.site_id, r.class, r.rule, r.run, t.id;
end
$$;

-- The segments of approved leave: the planned shifts of its days, else a standard day on its weekdays; what was worked
-- on them after all is left out. Days of sick leave beyond the year's limit are unpaid.
create function private.leave_segments(p_users uuid[], p_first date, p_last date, p_extra jsonb default null)
returns setof private.time_piece
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  holidays date[] := array(
    select h.day from private.holidays_between(date_trunc('year', p_first::timestamp)::date, p_last) h);
begin
  return query
  with leave_days as (
    select distinct on (l.user_id, day) l.id, l.user_id, l.type, day::date as day, r.rule as by,
      day at time zone zone as begins, (day + interval '1 day') at time zone zone as ends
    from public.leave_requests l
    cross join lateral generate_series(
      greatest(l.start_date, p_first)::timestamp, least(l.end_date, p_last)::timestamp, '1 day') day
    join private.time_rule_days() r on day::date >= r.first and day::date < r.until
    where l.user_id = any (p_users) and l.status = 'approved' and l.start_date <= p_last and l.end_date >= p_first
    order by l.user_id, day, l.created_at, l.id
  ), wanted as (
    select d.*, coalesce(planned.times, case
      when extract(isodow from d.day)::integer = any ((d.by).leave_weekdays) and d.day <> all (holidays)
        and (d.by).standard_day_minutes > 0
      then tstzmultirange(tstzrange(
        d.begins + make_interval(mins => least(480, 1440 - (d.by).standard_day_minutes)),
        least(d.ends, d.begins + make_interval(mins => least(480, 1440 - (d.by).standard_day_minutes)
          + (d.by).standard_day_minutes)))) end) as times
    from leave_days d
    cross join lateral (
      select range_agg(tstzrange(date_trunc('minute', greatest(lower(a.period), d.begins)),
        date_trunc('minute', least(upper(a.period), d.ends)))) as times
      from public.assignments a
      where a.user_id = d.user_id and a.status <> 'cancelled' and a.period && tstzrange(d.begins, d.ends)
    ) planned
  ), free as (
    select w.*, unnest(w.times - coalesce((
      select range_agg(tstzrange(s.starts_at, s.ends_at))
      from private.worked_spans(array[w.user_id], w.begins, w.ends, p_extra) s
    ), '{}')) as at
    from wanted w where w.times is not null
  ), judged as (
    select f.*, f.type = any ((f.by).paid_leave_types) and (f.type <> 'sick' or (
      select count(distinct day) from public.leave_requests l
      cross join lateral generate_series(
        greatest(l.start_date, date_trunc('year', f.day::timestamp)::date)::timestamp,
        least(l.end_date, f.day)::timestamp, '1 day') day
      where l.user_id = f.user_id and l.status = 'approved' and l.type = 'sick' and l.start_date <= f.day
        and (
          extract(isodow from day)::integer = any ((f.by).leave_weekdays) and day::date <> all (holidays)
          or exists (
            select from public.assignments a where a.user_id = f.user_id and a.status <> 'cancelled'
              and a.period && tstzrange(day at time zone zone, (day + interval '1 day') at time zone zone)
          )
        )
    ) <= (f.by).sick_paid_days) as is_paid
    from free f
  )
  select j.user_id, j.day, null::uuid, j.id, null::uuid, null::uuid, lower(j.at), upper(j.at),
    case when j.is_paid then 'leave_paid' else 'leave_unpaid' end, 'leave',
    case when j.is_paid then (j.by).leave_rate else 0 end, (j.by).id
  from judged j
  where upper(j.at) > lower(j.at);
end
$$;

-- Every segment of these people in whole weeks, p_first a Monday and p_last a Sunday.
create function private.computed_segments(p_users uuid[], p_first date, p_last date, p_extra jsonb default null)
returns setof private.time_piece
language sql stable security definer set search_path = '' as $$
  select * from private.work_segments(p_users, p_first, p_last, p_extra)
  union all
  select * from private.leave_segments(p_users, p_first, p_last, p_extra);
$$;

revoke all on all functions in schema private from public;
