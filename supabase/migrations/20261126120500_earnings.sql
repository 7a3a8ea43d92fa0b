-- From approved hours and pay bases to the lines of what was earned. docs/decisions has the rules and a worked example.
--
-- Rounding: an hourly value and each multiple of it are rounded to 6 decimals; every line to the cent, from whole
-- minutes; both half up by magnitude. Nothing else is rounded, and sums are sums of lines.
create type private.pay_line as (
  staff_id uuid, place integer, kind text, label text, quantity numeric, unit text, rate numeric, amount numeric,
  taxable boolean, source jsonb, explanation text
);

-- "US$1,234.50", "L$45,000.00"
create function private.money_text(p_amount numeric, p_currency text) returns text
language sql immutable set search_path = ''
return case p_currency when 'USD' then 'US$' else 'L$' end
  || to_char(p_amount, 'FM999,999,999,990.00' || case when p_amount <> round(p_amount, 2) then '9999' else '' end);

-- "104 h", "7.5 h", "2 h 7 min" is 2.1167 h
create function private.pay_hours_text(p_minutes numeric) returns text
language sql immutable set search_path = ''
return trim_scale(round(p_minutes / 60, 4)) || ' h';

-- The hours that pay runs pay: segments of approved and locked timesheets on [p_from - 7, p_to]. The days before p_from
-- are needed for weeks and night shifts that began there. p_segments replaces them, to answer what would have been paid.
create function private.paid_segments(
  p_users uuid[], p_from date, p_to date, p_segments private.time_piece[] default null
) returns table (
  user_id uuid, day date, shift_key uuid, starts_at timestamptz, minutes integer, class text, rate numeric,
  covered integer, shift_day date
)
language sql stable security definer set search_path = '' as $$
  with found as (
    -- Who clocks out and in again within a shift has two records of one shift.
    select s.user_id, s.day, coalesce(s.shift_id, s.attendance_id) as shift_key, s.starts_at, s.minutes, s.class, s.rate,
      s.time_rule_id
    from public.time_segments s join public.timesheets t on t.id = s.timesheet_id
    where p_segments is null and s.user_id = any (p_users) and s.day between p_from - 7 and p_to
      and (s.day < p_from or t.status in ('approved', 'locked'))
    union all
    select s.user_id, s.day, coalesce(s.shift_id, s.attendance_id), s.starts_at,
      (extract(epoch from s.ends_at - s.starts_at) / 60)::integer, s.class, s.rate, s.time_rule_id
    from unnest(p_segments) s
    where s.user_id = any (p_users) and s.day between p_from - 7 and p_to
  ), in_day as (
    select f.*, r.week_minutes, r.day_minutes, f.class in ('regular', 'night', 'holiday') as is_counted,
      coalesce(sum(f.minutes) filter (where f.class in ('regular', 'night', 'holiday')) over (
        partition by f.user_id, f.day order by f.starts_at rows between unbounded preceding and 1 preceding), 0) as before
    from found f join public.time_rules r on r.id = f.time_rule_id
  ), counted as (
    -- Minutes beyond the day's limit don't count again towards the week's.
    select d.*, case when d.is_counted then
      least(d.before + d.minutes, d.day_minutes) - least(d.before, d.day_minutes) else 0 end as counts
    from in_day d
  )
  select f.user_id, f.day, f.shift_key, f.starts_at, f.minutes, f.class, f.rate,
    -- Of work on a holiday, the minutes within the limits of its day and week: a salary contains them once.
    case when f.class = 'holiday' then greatest(0, least(f.counts,
      f.week_minutes - coalesce(sum(f.counts) over (
        partition by f.user_id, date_trunc('week', f.day::timestamp) order by f.starts_at
        rows between unbounded preceding and 1 preceding), 0)
    ))::integer else 0 end,
    -- A shift counts on the day on which its paid work began.
    min(f.day) filter (where f.class not in ('unpaid', 'leave_paid', 'leave_unpaid')) over (
      partition by f.user_id, f.shift_key)
  from counted f;
$$;

-- Missing and credited minutes of approved and locked timesheets. p_days replaces them, to answer what would have been
-- paid.
create function private.paid_days(
  p_users uuid[], p_from date, p_to date, p_days public.timesheet_days[] default null
) returns table (user_id uuid, day date, missing_minutes integer, credited_minutes integer)
language sql stable security definer set search_path = '' as $$
  select d.user_id, d.day, d.missing_minutes, d.credited_minutes
  from public.timesheet_days d join public.timesheets t on t.id = d.timesheet_id
  where p_days is null and d.user_id = any (p_users) and d.day between p_from and p_to
    and t.status in ('approved', 'locked')
  union all
  select d.user_id, d.day, d.missing_minutes, d.credited_minutes from unnest(p_days) d
  where d.user_id = any (p_users) and d.day between p_from and p_to;
$$;

-- Who is paid in a run, and by which basis on which of its days. A shift that begins on the last day of an employment is
-- paid to its end, so its hours after midnight have that day's basis: until hours_last. If the employment ended on the
-- day before the run, those hours are a piece without days.
create function private.run_pieces(p_pay_group text, p_currency text, p_from date, p_to date, p_staff uuid[] default null)
returns table (
  staff_id uuid, user_id uuid, full_name text, basis_id uuid, basis text, amount numeric, first date, last date,
  hour_value numeric, rule public.time_rules, piece integer, hours_last date
)
language sql stable security definer set search_path = '' as $$
  select d.staff_id, d.user_id, d.full_name, d.basis_id, d.basis, d.amount, d.first, d.last,
    case d.basis when 'hourly' then d.amount
      -- A year of pay over 52 weeks of the regular hours: 143 a month is 0.6875 an hour.
      when 'salary' then round(
        d.amount * private.periods_a_year(d.payment_frequency) * 60 / (52 * (r.rule).week_minutes), 6) end,
    r.rule, row_number() over (partition by d.staff_id order by d.first)::integer,
    case when d.last = s.end_date then d.last + 1 else d.last end
  from (
    select b.* from private.basis_days(p_from, p_to, p_staff) b
    union all
    select b.staff_id, b.user_id, b.full_name, b.tax_resident, b.basis_id, b.basis, b.payment_frequency, b.amount,
      b.currency, p_from, b.last
    from private.basis_days(p_from - 1, p_from - 1, p_staff) b
    join public.staff e on e.id = b.staff_id and e.end_date = b.last
  ) d
  join public.staff s on s.id = d.staff_id
  join private.time_rule_days() r on d.last >= r.first and d.last < r.until
  where d.payment_frequency = p_pay_group and d.currency = p_currency;
$$;

-- Planned time that a salary does not pay: of each week (or its part in the period) the missing and unpaid leave
-- minutes, as far as the week's paid minutes stay below the hours that the salary covers.
create function private.unpaid_time(
  p_pay_group text, p_currency text, p_from date, p_to date, p_staff uuid[], p_segments private.time_piece[] default null,
  p_days public.timesheet_days[] default null
) returns table (staff_id uuid, piece integer, leave_unpaid integer, missing integer)
language sql stable security definer set search_path = '' as $$
  with pieces as materialized (
    select p.staff_id, p.piece, p.user_id, p.first, p.last, p.rule
    from private.run_pieces(p_pay_group, p_currency, p_from, p_to, p_staff) p
    where p.basis = 'salary' and p.user_id is not null
  ), facts as (
    select p.staff_id, p.piece, date_trunc('week', d.day::timestamp)::date as week, d.missing_minutes as missing,
      0 as leave_unpaid, d.credited_minutes as paid
    from private.paid_days(array(select x.user_id from pieces x), p_from, p_to, p_days) d
    join pieces p on p.user_id = d.user_id and d.day between p.first and p.last
    union all
    select p.staff_id, p.piece, date_trunc('week', s.day::timestamp)::date, 0,
      case when s.class = 'leave_unpaid' then s.minutes else 0 end,
      case s.class when 'holiday' then s.covered when 'regular' then s.minutes when 'night' then s.minutes
        when 'leave_paid' then s.minutes else 0 end
    from private.paid_segments(array(select x.user_id from pieces x), p_from, p_to, p_segments) s
    join pieces p on p.user_id = s.user_id and s.day between p.first and p.last
  ), weeks as (
    select f.staff_id, f.piece, f.week, sum(f.missing)::integer as missing, sum(f.leave_unpaid)::integer as leave_unpaid,
      sum(f.paid) as paid
    from facts f group by f.staff_id, f.piece, f.week
  ), judged as (
    select w.*, least(w.missing + w.leave_unpaid, greatest(0, round(
      (p.rule).week_minutes * case when cardinality((p.rule).leave_weekdays) = 0 then 1 else (
        select count(*) from generate_series(greatest(w.week, p.first), least(w.week + 6, p.last), interval '1 day') g
        where extract(isodow from g)::integer = any ((p.rule).leave_weekdays)
      )::numeric / cardinality((p.rule).leave_weekdays) end) - w.paid))::integer as unpaid
    from weeks w join pieces p on p.staff_id = w.staff_id and p.piece = w.piece
    where w.missing + w.leave_unpaid > 0
  )
  select j.staff_id, j.piece, sum(least(j.leave_unpaid, j.unpaid))::integer,
    sum(j.unpaid - least(j.leave_unpaid, j.unpaid))::integer
  from judged j where j.unpaid > 0 group by j.staff_id, j.piece;
$$;

-- One line for each basis, class and rate: hours from whole minutes, times a multiple of the hourly value.
create function private.hour_lines(
  p_currency text, p_from date, p_to date, p_pieces_of uuid[], p_pay_group text,
  p_segments private.time_piece[] default null, p_days public.timesheet_days[] default null
) returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with pieces as materialized (
    select * from private.run_pieces(p_pay_group, p_currency, p_from, p_to, p_pieces_of)
  ), segments as materialized (
    select s.* from private.paid_segments(
      array(select distinct p.user_id from pieces p where p.user_id is not null), p_from, p_to, p_segments) s
    where s.day >= p_from
  ), credits as materialized (
    select d.* from private.paid_days(
      array(select distinct p.user_id from pieces p where p.basis = 'hourly' and p.user_id is not null), p_from, p_to, p_days) d
    where d.credited_minutes <> 0
  ), worked as (
    select p.staff_id, p.piece, count(distinct s.shift_key) filter (where s.shift_day between p.first and p.last) as shifts,
      coalesce(sum(s.minutes) filter (where s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')), 0) as minutes,
      count(distinct s.day) filter (where s.class = 'leave_paid') as leave_days
    from pieces p join segments s on s.user_id = p.user_id and s.day between p.first and p.hours_last
      and (s.day <= p.last or s.shift_day <= p.last)
    where p.basis = 'shift' group by p.staff_id, p.piece
  ), classes as (
    -- What a salary covers, and what comes on top of it, are lines of their own.
    select p.staff_id, p.piece, p.basis, p.basis_id, p.amount, p.hour_value, s.class, s.rate, part.covered,
      p.last < p.first as is_after, sum(part.minutes) as minutes
    from pieces p
    join segments s on s.user_id = p.user_id and s.day between p.first and p.hours_last
      and (s.day <= p.last or s.shift_day <= p.last)
    cross join lateral (values
      (true, case when s.class = 'holiday' then s.covered
        when s.class in ('regular', 'night', 'leave_paid') then s.minutes else 0 end),
      (false, case when s.class = 'holiday' then s.minutes - s.covered
        when s.class in ('overtime_1', 'overtime_2') then s.minutes else 0 end)
    ) part (covered, minutes)
    where s.class not in ('unpaid', 'leave_unpaid') and part.minutes > 0
    group by p.staff_id, p.piece, p.basis, p.basis_id, p.amount, p.hour_value, s.class, s.rate, part.covered, is_after
  ), valued as (
    select c.staff_id, c.piece, c.basis_id, c.class, c.rate, sum(c.minutes) as minutes, v.multiple, v.hour_value
    from classes c
    left join worked w on w.staff_id = c.staff_id and w.piece = c.piece
    cross join lateral (select
      case c.basis when 'hourly' then c.rate
        when 'salary' then case when c.covered then c.rate - 1 else c.rate end
        else case when c.class in ('regular', 'leave_paid') then 0 else greatest(c.rate - 1, 0) end end as multiple,
      case when c.basis = 'shift' then coalesce(round(c.amount * w.shifts * 60 / nullif(w.minutes, 0), 6), 0)
        else c.hour_value end as hour_value
    ) v
    where (c.basis <> 'shift' or c.class not in ('regular', 'leave_paid'))
      -- The run before has paid what a salary or a shift contains.
      and not (c.is_after and v.multiple * v.hour_value = 0)
    group by c.staff_id, c.piece, c.basis_id, c.class, c.rate, v.multiple, v.hour_value
  )
  select v.staff_id, v.piece * 100 + case v.class when 'regular' then 10 when 'night' then 20 when 'overtime_1' then 30
      when 'overtime_2' then 40 when 'holiday' then 50 else 60 end, v.class,
    case v.class when 'regular' then 'Regular hours' when 'night' then 'Night hours' when 'overtime_1' then 'Overtime'
      when 'overtime_2' then 'Overtime, second tier' when 'holiday' then 'Holiday hours' else 'Paid leave' end,
    round(v.minutes::numeric / 60, 4), 'h', round(v.hour_value * v.multiple, 6),
    round(v.minutes * round(v.hour_value * v.multiple, 6) / 60, 2), true,
    jsonb_build_object('table', 'pay_bases', 'id', v.basis_id, 'minutes', v.minutes),
    case when v.multiple = 0 then format('%s are in the pay.', private.pay_hours_text(v.minutes))
      when v.multiple = v.rate then format('%s x %s x %s an hour.', private.pay_hours_text(v.minutes), trim_scale(v.rate),
        private.money_text(v.hour_value, p_currency))
      else format('%s at %s times; the pay contains them once, so %s x %s an hour come on top.',
        private.pay_hours_text(v.minutes), trim_scale(v.rate), trim_scale(v.multiple),
        private.money_text(v.hour_value, p_currency)) end
  from valued v
  union all
  select p.staff_id, p.piece * 100 + 10, 'regular', 'Shifts', w.shifts, 'shifts', p.amount, w.shifts * p.amount, true,
    jsonb_build_object('table', 'pay_bases', 'id', p.basis_id),
    format('%s shifts at %s.', w.shifts, private.money_text(p.amount, p_currency))
  from pieces p join worked w on w.staff_id = p.staff_id and w.piece = p.piece where w.shifts > 0
  union all
  select p.staff_id, p.piece * 100 + 60, 'leave_paid', 'Paid leave', w.leave_days, 'days',
    round(p.amount * (p.rule).leave_rate, 6), round(w.leave_days * round(p.amount * (p.rule).leave_rate, 6), 2), true,
    jsonb_build_object('table', 'pay_bases', 'id', p.basis_id),
    format('%s days of paid leave, each as one shift.', w.leave_days)
  from pieces p join worked w on w.staff_id = p.staff_id and w.piece = p.piece where w.leave_days > 0
  union all
  -- Grace and rounding of the days, which are no segments.
  select p.staff_id, p.piece * 100 + 15, 'regular', 'Grace and rounding', round(c.minutes::numeric / 60, 4), 'h', p.amount,
    round(c.minutes * p.amount / 60, 2), true,
    jsonb_build_object('table', 'pay_bases', 'id', p.basis_id, 'minutes', c.minutes),
    format('%s min of grace and rounding.', c.minutes)
  from pieces p
  join lateral (
    select sum(d.credited_minutes) as minutes from credits d where d.user_id = p.user_id and d.day between p.first and p.last
  ) c on true
  where p.basis = 'hourly' and c.minutes <> 0;
$$;

revoke all on all functions in schema private from public;
