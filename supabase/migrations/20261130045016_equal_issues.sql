create or replace FUNCTION public.equal_issues(p_from date, p_to date, p_search text DEFAULT NULL::text, p_site uuid DEFAULT NULL::uuid)
 RETURNS TABLE(kind text, above integer, up_to integer, amount integer, attendance_ids uuid[])
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.decide_times(p_attendance_ids uuid[], p_kind text, p_approved boolean DEFAULT NULL::boolean)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

grant execute on function public.equal_issues(date,date,text,uuid) to authenticated;

grant execute on function public.decide_times(uuid[],text,boolean) to authenticated;

comment on function public.equal_issues(date,date,text,uuid) is 'Nullable: above, up_to';

create or replace FUNCTION public.decide_time(p_attendance_id uuid, p_kind text, p_approved boolean DEFAULT NULL::boolean, p_note text DEFAULT NULL::text)
 RETURNS public.time_decisions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;


CREATE OR REPLACE FUNCTION private.decision_kinds()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ARRAY['early_arrival'::text, 'stayed_on'::text, 'overtime'::text, 'rest_override'::text];

grant execute on function private.decision_kinds() to authenticated;
