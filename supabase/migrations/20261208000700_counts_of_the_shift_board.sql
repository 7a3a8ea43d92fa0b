-- As before. Left joins, because PostgreSQL leaves them out of a count: every shift has a site, and a caller who may read the
-- shift may read its site.
create or replace view public.shift_board with (security_invoker = true) as
  select s.id, s.site_id, t.name as site_name, t.client_name, t.timezone, s.start_time, s.end_time,
    s.required_headcount, s.notes, s.updated_at, work.assigned, work.attended, work.on_leave, work.no_shows,
    case
      when work.assigned >= s.required_headcount then 'full'
      when work.assigned > 0 then 'partial'
      else 'none'
    end as staffing
  from public.shifts s
  left join public.sites t on t.id = s.site_id
  left join lateral (
    select count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.attendance_state <> 'none')::integer as attended,
      count(*) filter (where a.on_leave and a.status <> 'no_show')::integer as on_leave,
      count(*) filter (where a.status = 'no_show')::integer as no_shows
    from public.assignments a
    where a.shift_id = s.id and a.status <> 'cancelled'
  ) work on true;
