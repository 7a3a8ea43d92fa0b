-- Who stays on past midnight on Sunday has stayed on in the new week. Whether that was overtime depended on the week before,
-- but only when both weeks were computed together: the same hours gave "overtime" one time and "stayed_on" another.

-- What each closed record of attendance is beside its shift, on the day of which it is said: minutes credited as grace,
-- what somebody must decide, and the sentences. p_extra are records as private.worked_spans has them. Who is due just before
-- midnight and comes just after it is late on the day before, so the records of the day after p_last count too. Staying on is
-- overtime if any minute outside the plan is overtime in the week in which the guard left.
create or replace function private.compared_spans(
  p_users uuid[], p_first date, p_last date, p_segments private.time_piece[], p_extra jsonb default null
)
returns table (user_id uuid, day date, place integer, code text, sentence text, issue text, grace integer)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with extra as (
    -- Overtime outside the plan, in each week.
    select p.attendance_id, date_trunc('week', p.day::timestamp) as week,
      count(*) filter (where p.class in ('overtime_1', 'overtime_2')) > 0 as is_overtime
    from unnest(p_segments) p
    join public.attendance a on a.id = p.attendance_id
    join public.assignments g on g.id = a.assignment_id
    where p.starts_at >= date_trunc('minute', upper(g.period)) or p.ends_at <= date_trunc('minute', lower(g.period))
    group by 1, 2
  ), spans as (
    select w.*, (w.due_from at time zone zone)::date as first_day,
      ((w.due_to - interval '1 microsecond') at time zone zone)::date as last_day,
      ((w.ends_at - interval '1 microsecond') at time zone zone)::date as went_day,
      extract(epoch from w.starts_at - w.due_from)::integer / 60 as late,
      extract(epoch from w.ends_at - w.due_to)::integer / 60 as over,
      r.rule as by, coalesce(e.is_overtime, false) as is_overtime,
      row_number() over (partition by w.shift_id, w.user_id order by w.starts_at) = 1 as is_first,
      row_number() over (partition by w.shift_id, w.user_id order by w.starts_at desc) = 1 as is_last
    from private.worked_spans(
      p_users, private.company_midnight(p_first), private.company_midnight(p_last + 2), p_extra) w
    join private.time_rule_days() r
      on (w.due_from at time zone zone)::date >= r.first and (w.due_from at time zone zone)::date < r.until
    left join extra e on e.attendance_id = w.attendance_id
      and e.week = date_trunc('week', (w.ends_at - interval '1 microsecond') at time zone zone)
  )
  select s.user_id, x.day, x.place, x.code, x.sentence, x.issue, x.grace
  from spans s
  cross join lateral (
    select s.first_day as day, 10 as place, case when s.early then 'early_approved' else 'early_arrival' end as code,
      format('Clocked in %s before the shift; %s', private.minutes_text(-s.late), case
        when s.early then 'the early arrival was approved.'
        when not s.early then 'paying for it was refused.'
        else 'early arrival is not paid unless approved.' end) as sentence,
      null as issue, 0 as grace
    where s.is_first and s.late < 0
    union all
    select s.first_day, 10, 'late_in_grace', format('Clocked in %s late, within the %s that count as on time.',
      private.minutes_text(s.late), private.minutes_text((s.by).grace_minutes)), null, s.late
    where s.is_first and s.late between 1 and (s.by).grace_minutes
    union all
    select s.first_day, 10, 'late', format('Clocked in %s late.', private.minutes_text(s.late)), null, 0
    where s.is_first and s.late > (s.by).grace_minutes
    union all
    select s.last_day, 20, 'left_early', format('Clocked out %s before the end of the shift.', private.minutes_text(-s.over)), null, 0
    where s.is_last and s.over < 0
    union all
    select s.went_day, 20, 'stayed_on', format('Stayed %s after the shift; %s', private.minutes_text(s.over), case
        when s.stayed or s.overtime then 'this was approved.'
        when not s.stayed then 'this was not approved and is not paid.'
        when not s.overtime then 'the overtime in it was not approved and is not paid.'
        when s.over <= (s.by).stay_tolerance_minutes then format('up to %s need no decision.',
          private.minutes_text((s.by).stay_tolerance_minutes))
        else 'it is paid unless somebody refuses it.' end),
      case when s.stayed is null and s.overtime is null and s.over > (s.by).stay_tolerance_minutes
        then case when s.is_overtime then 'overtime' else 'stayed_on' end end, 0
    where s.over > 0
    union all
    select s.first_day, 30, 'overlaps', 'Another record covers part of this time, which counts once.', null, 0
    where s.is_cut
    union all
    select s.first_day, 30, 'corrected', format('Corrected by %s%s', private.someone(r.corrected_by),
      coalesce(': ' || rtrim(r.correction_reason, '.') || '.', '.')), null, 0
    from public.attendance r where r.id = s.attendance_id and r.corrected_at is not null
  ) x
  where x.day between p_first and p_last;
end
$$;

revoke all on all functions in schema private from public;
