-- Each unbilled span names its timesheet.
alter type private.unbilled_span add attribute timesheet_id uuid;

-- As before, with the timesheet. The planner expected few prices and merged them by the day alone, so all of a day were compared with
-- each other, which was most of the time; and contracts and rates were looked up for each post and day instead of each row of theirs.
create or replace function private.unbilled_spans(
  p_sites uuid[], p_from date, p_to date, p_timesheets uuid[] default null, p_is_priced boolean default true
)
returns setof private.unbilled_span
-- Thousands of rows: estimates of their number are far off.
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '32MB'
set plan_cache_mode = 'force_custom_plan' set enable_mergejoin = off as $$
declare
  first timestamptz := private.company_midnight(p_from);
  last timestamptz := private.company_midnight(p_to + 1);
begin
  return query
  with chosen as materialized (
    select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, s.day, s.starts_at, s.ends_at, s.class, s.rule
    from public.time_segments s
    where p_timesheets is null and s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
    union all
    select s.*
    from unnest(p_timesheets) c (id)
    -- One look-up for each timesheet, whatever the planner expects of their number.
    cross join lateral (
      select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, s.day, s.starts_at, s.ends_at, s.class,
        s.rule
      from public.time_segments s
      where s.timesheet_id = c.id and s.day between p_from - 1 and p_to + 1
      offset 0
    ) s
    where s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
  ), billed as materialized (
    select b.user_id, b.span
    from (
      select c.user_id, min(c.starts_at) as first, max(c.ends_at) as last from chosen c group by c.user_id, c.timesheet_id
    ) u
    cross join lateral (
      select b.user_id, b.span from public.billed_time b
      where b.user_id = u.user_id and b.freed_at is null and b.span && tstzrange(u.first, u.last)
      offset 0
    ) b
  ), unbilled as materialized (
    select c.* from chosen c
    -- Most of the past is billed as it was computed, and left out before anything is joined.
    where not exists (
      select from billed b where b.user_id = c.user_id and b.span = tstzrange(c.starts_at, c.ends_at)
    )
  ), posts as materialized (
    select u.shift_id, h.post_id
    from (select distinct n.shift_id from unbilled n) u
    cross join lateral (select h.post_id from public.shifts h where h.id = u.shift_id offset 0) h
  ), sheets as materialized (
    select u.timesheet_id, t.status in ('approved', 'locked') as is_approved
    from (select distinct n.timesheet_id from unbilled n) u
    cross join lateral (select t.status from public.timesheets t where t.id = u.timesheet_id offset 0) t
  ), work as materialized (
    select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, h.post_id, s.day, tstzrange(s.starts_at, s.ends_at) as span,
      t.is_approved,
      case when s.rule = 'rest_day' then 'rest_day' when s.class in ('overtime_1', 'overtime_2') then 'overtime'
        else s.class end as kind
    from unbilled s
    join sheets t on t.timesheet_id = s.timesheet_id
    left join posts h on h.shift_id = s.shift_id
  ), taken as materialized (
    select b.user_id, range_agg(b.span) as spans from billed b group by b.user_id
  ), free as materialized (
    select w.*, x.span as left_over
    from work w left join taken t on t.user_id = w.user_id
    cross join lateral (
      select w.span where t.spans is null or not t.spans && w.span
      union all
      select unnest(tstzmultirange(w.span) - t.spans) where t.spans && w.span
    ) x
  ), terms as materialized (
    select c.id, c.contract_id, c.basis, c.site_id, c.post_id, c.starts_on, c.ends_on from public.contract_posts c
    where c.site_id in (select f.site_id from free f)
  ), placed as materialized (
    -- As contract_post_on: the row of the post before that of the site. Rows of the same do not overlap.
    select f.*, coalesce(p.id, s.id) as contract_post_id, coalesce(p.contract_id, s.contract_id) as contract_id,
      case when p.id is null then s.basis else p.basis end as basis
    from free f
    left join terms p on p.site_id = f.site_id and p.post_id = f.post_id and f.day >= p.starts_on
      and (p.ends_on is null or f.day <= p.ends_on)
    left join (select t.* from terms t where t.post_id is null) s on s.site_id = f.site_id and f.day >= s.starts_on
      and (s.ends_on is null or f.day <= s.ends_on)
  ), priced as materialized (
    select distinct l.contract_id, l.contract_post_id, l.kind from placed l
    where l.contract_id is not null and l.basis <> 'fixed' and (p_is_priced or l.is_approved)
  ), prices as materialized (
    -- As hour_rate, which can only change on a day on which a rate begins.
    select d.contract_post_id, d.kind, d.day as first,
      coalesce(lead(d.day) over (partition by d.contract_post_id, d.kind order by d.day), 'infinity') as before, x.amount as rate
    from (
      select distinct p.contract_id, p.contract_post_id, p.kind, r.effective_from as day
      from priced p
      join public.rates r on r.contract_id = p.contract_id
        and (r.contract_post_id = p.contract_post_id or r.contract_post_id is null) and r.kind in (p.kind, 'regular')
    ) d
    cross join lateral (
      select r.amount from public.rates r
      where r.contract_id = d.contract_id and (r.contract_post_id = d.contract_post_id or r.contract_post_id is null)
        and r.kind in (d.kind, 'regular') and r.effective_from <= d.day
      order by r.kind = d.kind desc, r.contract_post_id nulls last, r.effective_from desc
      limit 1
    ) x
  ), taxed as materialized (
    select c.id, c.tax_name from public.contracts c
    where c.tax_name is not null and c.id in (select t.contract_id from terms t)
  ), taxes as materialized (
    select n.tax_name, d.day, private.tax_rate_on(n.tax_name, d.day) as rate
    from (select distinct c.tax_name from taxed c) n, (select distinct l.day from placed l where l.contract_id is not null) d
  )
  select l.contract_id, l.contract_post_id, l.basis, l.site_id, l.post_id, l.user_id, l.attendance_id, l.shift_id, l.day,
    l.left_over, (extract(epoch from upper(l.left_over) - lower(l.left_over)) / 60)::integer, l.kind, l.is_approved, p.rate,
    c.tax_name, x.rate, l.timesheet_id
  from placed l
  left join prices p on p.contract_post_id = l.contract_post_id and p.kind = l.kind and l.day >= p.first and l.day < p.before
  left join taxed c on c.id = l.contract_id
  left join taxes x on x.tax_name = c.tax_name and x.day = l.day;
end
$$;
