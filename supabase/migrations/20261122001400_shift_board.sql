-- Shifts as planners see them, with site and staffing, and the totals of the list and of the week.

-- Runs with the caller's rights: the policies of shifts, sites and assignments decide.
create view public.shift_board with (security_invoker = true) as
  select s.id, s.site_id, t.name as site_name, t.client_name, t.timezone, s.start_time, s.end_time,
    s.required_headcount, s.notes, s.updated_at, work.assigned, work.attended, work.on_leave, work.no_shows,
    case
      when work.assigned >= s.required_headcount then 'full'
      when work.assigned > 0 then 'partial'
      else 'none'
    end as staffing
  from public.shifts s
  join public.sites t on t.id = s.site_id
  cross join lateral (
    select count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.attendance_state <> 'none')::integer as attended,
      count(*) filter (where a.on_leave and a.status <> 'no_show')::integer as on_leave,
      count(*) filter (where a.status = 'no_show')::integer as no_shows
    from public.assignments a
    where a.shift_id = s.id and a.status <> 'cancelled'
  ) work;
select private.mark_never_null('public.shift_board', 'id', 'site_id', 'site_name', 'client_name', 'timezone',
  'start_time', 'end_time', 'required_headcount', 'updated_at');
comment on column public.shift_board.assigned is
  'Never null: guards who count; cancelled assignments, no-shows and guards on approved leave do not';
comment on column public.shift_board.attended is 'Never null: guards who have clocked in';
comment on column public.shift_board.on_leave is 'Never null: guards who do not count because of approved leave';
comment on column public.shift_board.no_shows is 'Never null: guards who do not count because they did not come';
comment on column public.shift_board.staffing is 'Never null: full, partial or none';
revoke all on public.shift_board from anon, authenticated, service_role;
grant select on public.shift_board to authenticated;

-- The text that a search looks in. The list filters by it as a computed column, and shift_totals uses it too.
-- No fixed search path, so that the planner can inline it.
create function public.search_text(shift public.shift_board) returns text
language sql stable
return concat_ws(' ', shift.site_name, shift.client_name, shift.notes);

-- Count and headcount of the shifts in the list. Without p_from and p_ends_after: the shifts that are not over.
create function public.shift_totals(
  p_from timestamptz default null, p_to timestamptz default null, p_site_id uuid default null,
  p_staffing text default null, p_search text default '', p_ends_after timestamptz default null
) returns table (shifts integer, assigned integer, required integer)
language sql stable set search_path = '' as $$
  select private.require_period(coalesce(p_from, p_ends_after, now()), coalesce(p_to, now()));
  select count(*)::integer, coalesce(sum(b.assigned), 0)::integer, coalesce(sum(b.required_headcount), 0)::integer
  from public.shift_board b
  where b.start_time >= coalesce(p_from, '-infinity') and b.start_time < coalesce(p_to, 'infinity')
    and b.end_time > coalesce(p_ends_after, case when p_from is null then now() else '-infinity' end)
    and (p_site_id is null or b.site_id = p_site_id)
    and (p_staffing is null or b.staffing = p_staffing)
    and public.search_text(b) ilike all ((select private.search_patterns(p_search))::text[]);
$$;

-- For each of the seven days from p_from: the shifts that start then, and the guards that they have and need.
create function public.week_totals(p_from date, p_site_id uuid default null, p_search text default '')
returns table (day date, shifts integer, assigned integer, required integer)
language sql stable set search_path = '' as $$
  select private.require_day(p_from, 'first day');
  with days as materialized (
    select d.day::date as day, private.company_midnight(d.day::date) as begins,
      private.company_midnight(d.day::date + 1) as ends
    from generate_series(p_from, p_from + 6, interval '1 day') d (day)
  ),
  -- By range of time, which the index finds; one join per day would read every shift.
  week as materialized (
    select b.start_time, b.assigned, b.required_headcount
    from public.shift_board b
    where b.start_time >= (select min(days.begins) from days) and b.start_time < (select max(days.ends) from days)
      and b.site_id = any (array(select s.id from public.week_sites(p_site_id, p_search) s))
  )
  select d.day, count(w.start_time)::integer, coalesce(sum(w.assigned), 0)::integer,
    coalesce(sum(w.required_headcount), 0)::integer
  from days d left join week w on w.start_time >= d.begins and w.start_time < d.ends
  group by d.day
  order by d.day;
$$;

revoke all on function
  public.search_text(public.shift_board), public.shift_totals, public.week_totals
from public, anon;
grant execute on function
  public.search_text(public.shift_board), public.shift_totals, public.week_totals
to authenticated;
