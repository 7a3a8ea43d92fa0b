-- The attendance behind the issues of a page of timesheets.
create or replace function public.timesheet_issues(p_timesheet_ids uuid[]) returns table (
  timesheet_id uuid, user_id uuid, day date, kind text, sentence text, assignment_id uuid, attendance_id uuid,
  dispute_id uuid, site_name text, timezone text, start_time timestamptz, end_time timestamptz,
  clock_in_at timestamptz, clock_out_at timestamptz, outside_m integer, override_reason text, note text
)
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_many(p_timesheet_ids);
  return query
  select d.timesheet_id, d.user_id, d.day, i.kind, coalesce(told.sentence, ''), v.assignment_id, v.attendance_id, p.id,
    v.site_name, v.timezone, v.start_time, v.end_time, v.clock_in_at, v.clock_out_at, v.outside_m, a.override_reason,
    p.note
  from public.timesheet_days d
  cross join lateral (select distinct u.kind from unnest(d.issues) u (kind)) i
  left join lateral (
    select string_agg(e ->> 'text', ' ') as sentence from jsonb_array_elements(d.explanations) e
    where e ->> 'code' = case i.kind when 'overtime' then 'stayed_on' else i.kind end
  ) told on true
  left join public.timesheet_disputes p
    on i.kind = 'dispute' and p.timesheet_id = d.timesheet_id and p.day = d.day and p.status = 'open'
  cross join lateral (
    select make_interval(mins => max(r.stay_tolerance_minutes)) as stay from (
      select r.stay_tolerance_minutes from public.time_rules r where r.effective_from <= d.day
      order by r.effective_from desc limit 1
    ) r
  ) tolerance
  left join lateral (
    select o.* from public.attendance_overview o
    where i.kind <> 'dispute' and o.user_id = d.user_id and o.status <> 'cancelled'
      -- Staying on belongs to the day on which the guard left, everything else to the day on which the shift starts.
      and o.start_time >= lower(private.company_day(d.day)) - interval '2 days'
      and o.start_time < upper(private.company_day(d.day))
      and private.company_day(d.day) @> case when i.kind in ('stayed_on', 'overtime')
        then date_trunc('minute', o.clock_out_at) - interval '1 microsecond' else o.start_time end
      and case i.kind
        when 'missing_clock_in' then o.attendance_id is null and o.end_time <= now() and o.status <> 'no_show'
        when 'missing_clock_out' then o.clock_in_at is not null and o.clock_out_at is null
        when 'stayed_on' then o.clock_out_at > o.end_time + tolerance.stay
        when 'overtime' then o.clock_out_at > o.end_time + tolerance.stay
        when 'rest_override' then o.attendance_id is not null
        when 'review' then o.needs_review
        else o.needs_review and i.kind = any (o.flags) end
    -- The few days with an issue are looked up one by one; a hash of everybody's attendance would read years.
    offset 0
  ) v on true
  left join public.assignments a on i.kind = 'rest_override' and a.id = v.assignment_id
  where d.timesheet_id = any (p_timesheet_ids) and d.issues <> '{}'
    and (i.kind <> 'rest_override' or v.assignment_id is null or a.override_reason is not null)
  order by d.timesheet_id, d.day, i.kind, v.clock_in_at;
end
$$;
