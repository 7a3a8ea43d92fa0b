-- What waits in timesheets for a decision, and deciding it: one by one, and equal cases at once.

-- The attendance behind the issues of a page of timesheets.
create function public.timesheet_issues(p_timesheet_ids uuid[])
returns table (
  timesheet_id uuid, user_id uuid, day date, kind text, sentence text, assignment_id uuid, attendance_id uuid,
  dispute_id uuid, site_name text, timezone text, start_time timestamptz, end_time timestamptz, clock_in_at timestamptz,
  clock_out_at timestamptz, outside_m integer, override_reason text, note text
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
grant execute on function public.timesheet_issues to authenticated;

-- What is paid or not, or taken note of; other kinds are records to correct or to review.
create function private.decision_kinds() returns text[]
language sql immutable set search_path = ''
return array['early_arrival', 'stayed_on', 'overtime', 'rest_override'];
grant execute on function private.decision_kinds to authenticated;

-- Cases of the same kind and size in the timesheets that touch [p_from, p_to]: by minutes after the end of the shift,
-- or metres outside the fence, more than `above` and up to `up_to` (null: no bound, or nothing to measure). A record
-- with several flags is looked at by itself, and own records by others. At most as many as one action may change.
create function public.equal_issues(p_from date, p_to date, p_search text default null, p_site uuid default null)
returns table (kind text, above integer, up_to integer, amount integer, attendance_ids uuid[])
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  decisions constant text[] := private.decision_kinds();
  sheets constant uuid[] := array(
    select (f.sheet).id from private.find_timesheets(p_from, p_to, p_search, null, null, p_site, 'issues') f
    where (f.sheet).user_id is distinct from auth.uid() limit private.most_rows()
  );
begin
  if cardinality(sheets) = 0 then
    return;
  end if;
  return query
  with cases as (
    select distinct i.kind, i.attendance_id, case
        when i.kind in ('stayed_on', 'overtime') then ceil(extract(epoch from i.clock_out_at - i.end_time) / 60)
        when i.kind = 'outside_fence' then i.outside_m end as size
    from public.timesheet_issues(sheets) i
    where i.attendance_id is not null and i.kind not in ('missing_clock_in', 'missing_clock_out', 'dispute')
  ), counted as (
    select c.*, count(*) filter (where c.kind <> all (decisions)) over (partition by c.attendance_id) as flags
    from cases c
  )
  select c.kind, bound.above, bound.up_to, least(count(*), private.most_rows())::integer,
    (array_agg(c.attendance_id order by c.attendance_id))[1:private.most_rows()]
  from counted c
  cross join lateral (
    select max(b.metres_or_minutes) filter (where b.metres_or_minutes < c.size),
      min(b.metres_or_minutes) filter (where b.metres_or_minutes >= c.size)
    from unnest(
      case when c.kind = 'outside_fence' then array[100, 300, 1000] else array[15, 30, 60] end
    ) b (metres_or_minutes)
  ) bound (above, up_to)
  where c.kind = any (decisions) or c.flags = 1
  group by c.kind, bound.above, bound.up_to having count(*) > 1
  order by count(*) desc, c.kind, bound.up_to;
end
$$;
comment on function public.equal_issues is 'Nullable: above, up_to';
grant execute on function public.equal_issues to authenticated;

-- Decides about minutes outside the plan of one record, or about a shift with too little rest; null takes the decision
-- back. @returns the decision, all null after it was taken back
create function public.decide_time(
  p_attendance_id uuid, p_kind text, p_approved boolean default null, p_note text default null
) returns public.time_decisions
language plpgsql security definer set search_path = '' as $$
declare
  record public.attendance;
  decision public.time_decisions;
begin
  if p_kind is null or p_kind <> all (private.decision_kinds()) then
    raise exception 'Decide about an early arrival, staying on, overtime or a short rest.'
      using errcode = 'invalid_parameter_value';
  end if;
  if char_length(p_note) > 1000 then
    raise exception 'Give a note of at most 1000 characters.' using errcode = 'check_violation';
  end if;
  select * into record from public.attendance r where r.id = p_attendance_id;
  if not found or not private.may_approve_time(array[record.site_id]) then
    raise exception 'There is no such record of attendance, or it is not yours to decide.' using errcode = 'PT404';
  end if;
  if record.user_id = auth.uid() then
    raise exception 'You can decide about hours of others only.' using errcode = 'insufficient_privilege';
  end if;
  if p_approved is null then
    delete from public.time_decisions d where d.attendance_id = record.id and d.kind = p_kind;
    return null;
  end if;
  insert into public.time_decisions as d (attendance_id, user_id, site_id, kind, approved, note, decided_by)
  values (record.id, record.user_id, record.site_id, p_kind, p_approved, p_note, auth.uid())
  on conflict (attendance_id, kind) do update set approved = excluded.approved, note = excluded.note,
    decided_by = excluded.decided_by, decided_at = now()
  returning * into decision;
  return decision;
end
$$;
grant execute on function public.decide_time to authenticated, service_role;

-- Decides many at once, all or none; what somebody has decided in the meantime stays as it is. Null takes decisions
-- back. Returns the records that were decided.
create function public.decide_times(p_attendance_ids uuid[], p_kind text, p_approved boolean default null)
returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  undecided uuid[];
begin
  perform private.require_many(p_attendance_ids);
  undecided := array(
    select distinct r.id from unnest(p_attendance_ids) r (id)
    where p_approved is null
      or not exists (select from public.time_decisions d where d.attendance_id = r.id and d.kind = p_kind)
    order by r.id
  );
  perform public.decide_time(r.id, p_kind, p_approved) from unnest(undecided) r (id);
  return undecided;
end
$$;
grant execute on function public.decide_times to authenticated;
