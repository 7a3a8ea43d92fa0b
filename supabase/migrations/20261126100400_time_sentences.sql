-- What a day's figures mean in words: one sentence for each difference between planned, worked and paid.

-- Minutes as people say them: "38 min", "1 h 5 min".
create function private.minutes_text(p_minutes numeric) returns text
language sql immutable set search_path = ''
return case when abs(p_minutes) < 60 then round(p_minutes) || ' min'
  else trunc(p_minutes / 60) || ' h' || case when mod(round(abs(p_minutes)), 60) > 0
    then ' ' || mod(round(abs(p_minutes)), 60) || ' min' else '' end end;

-- A person's name; somebody, if it is unknown.
create function private.someone(p_id uuid) returns text
language sql stable security definer set search_path = ''
return coalesce((select nullif(p.full_name, '') from public.profiles p where p.id = p_id), 'somebody');

-- The sentences about computed segments, by day: what a rule made of worked time, and leave.
create function private.segment_sentences(p_segments private.time_piece[])
returns table (user_id uuid, day date, place integer, code text, sentence text)
language sql stable security definer set search_path = '' as $$
  select s.user_id, s.day, 50, s.rule || case when s.class = 'overtime_2' then '_2' else '' end,
    case s.rule
      when 'break' then format('%s of break are not paid.', private.minutes_text(s.minutes))
      when 'day_limit' then format('%s beyond %s a day are overtime at %s times the rate.',
        private.minutes_text(s.minutes), private.minutes_text(r.day_minutes), s.rate)
      when 'week_limit' then format('%s beyond %s this week are overtime at %s times the rate.',
        private.minutes_text(s.minutes), private.minutes_text(r.week_minutes), s.rate)
      when 'rest_day' then format('The seventh day of work this week: %s at %s times the rate.',
        private.minutes_text(s.minutes), s.rate)
      when 'night' then format('%s between %s and %s are paid at %s times the rate.', private.minutes_text(s.minutes),
        to_char(r.night_start, 'FMHH12:MI AM'), to_char(r.night_end, 'FMHH12:MI AM'), s.rate)
      when 'holiday' then format('%s: %s at %s times the rate.', coalesce(h.name, 'Holiday'),
        private.minutes_text(s.minutes), s.rate)
    end
  from (
    select p.user_id, p.day, p.class, p.rule, trim_scale(p.rate) as rate, p.time_rule_id,
      sum(extract(epoch from p.ends_at - p.starts_at)) / 60 as minutes
    from unnest(p_segments) p
    where p.rule in ('break', 'day_limit', 'week_limit', 'rest_day', 'holiday') or p.rule = 'night' and p.rate <> 1
    group by p.user_id, p.day, p.class, p.rule, p.rate, p.time_rule_id
  ) s
  join public.time_rules r on r.id = s.time_rule_id
  left join private.holidays_between(
    (select min(p.day) from unnest(p_segments) p), (select max(p.day) from unnest(p_segments) p)) h on h.day = s.day
  union all
  select s.user_id, s.day, 60, 'leave', format('%s leave: %s %s%s.', initcap(l.type), private.minutes_text(s.minutes),
    case when s.class = 'leave_paid' then 'paid' else 'unpaid' end,
    case when s.class = 'leave_unpaid' and l.type = 'sick' and l.type = any (r.paid_leave_types)
      then format(', because %s days a year are paid', r.sick_paid_days) else '' end)
  from (
    select p.user_id, p.day, p.class, p.leave_request_id, p.time_rule_id,
      sum(extract(epoch from p.ends_at - p.starts_at)) / 60 as minutes
    from unnest(p_segments) p where p.leave_request_id is not null
    group by p.user_id, p.day, p.class, p.leave_request_id, p.time_rule_id
  ) s
  join public.leave_requests l on l.id = s.leave_request_id
  join public.time_rules r on r.id = s.time_rule_id;
$$;

-- What each closed record of attendance is beside its shift, on the day of which it is said: minutes credited as grace,
-- what somebody must decide, and the sentences. p_extra are records as private.worked_spans has them.
create function private.compared_spans(
  p_users uuid[], p_first date, p_last date, p_segments private.time_piece[], p_extra jsonb default null
)
returns table (user_id uuid, day date, place integer, code text, sentence text, issue text, grace integer)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with extra as (
    -- Overtime outside the plan.
    select p.attendance_id, count(*) filter (where p.class in ('overtime_1', 'overtime_2')) > 0 as is_overtime
    from unnest(p_segments) p
    join public.attendance a on a.id = p.attendance_id
    join public.assignments g on g.id = a.assignment_id
    where p.starts_at >= date_trunc('minute', upper(g.period)) or p.ends_at <= date_trunc('minute', lower(g.period))
    group by p.attendance_id
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
      p_users, private.company_midnight(p_first), private.company_midnight(p_last + 1), p_extra) w
    join private.time_rule_days() r
      on (w.due_from at time zone zone)::date >= r.first and (w.due_from at time zone zone)::date < r.until
    left join extra e on e.attendance_id = w.attendance_id
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
