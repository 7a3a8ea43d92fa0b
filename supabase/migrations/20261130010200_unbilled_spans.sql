-- Unbilled hours of months: as before, with less work for each hour.
create or replace function private.unbilled_spans(p_sites uuid[], p_from date, p_to date) returns setof private.unbilled_span
-- Thousands of rows: estimates of their number are far off.
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '32MB' as $$
declare
  first timestamptz := private.company_midnight(p_from);
  last timestamptz := private.company_midnight(p_to + 1);
begin
  return query
  with billed as materialized (
    select b.user_id, b.span
    from public.billed_time b
    where b.freed_at is null and lower(b.span) >= first - interval '31 days' and lower(b.span) < last and upper(b.span) > first
  ), work as materialized (
    select s.user_id, s.attendance_id, s.shift_id, s.site_id, h.post_id, s.day, tstzrange(s.starts_at, s.ends_at) as span,
      t.status in ('approved', 'locked') as is_approved,
      case when s.rule = 'rest_day' then 'rest_day' when s.class in ('overtime_1', 'overtime_2') then 'overtime'
        else s.class end as kind
    from public.time_segments s
    join public.timesheets t on t.id = s.timesheet_id
    left join public.shifts h on h.id = s.shift_id
    where s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
      -- Most of the past is billed as it was computed, and left out before anything is joined.
      and not exists (
        select from billed b where b.user_id = s.user_id and b.span = tstzrange(s.starts_at, s.ends_at)
      )
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
  ), places as materialized (
    select p.site_id, p.post_id, p.day, c.id as contract_post_id, c.contract_id, c.basis
    from (select distinct f.site_id, f.post_id, f.day from free f) p
    -- The rows of contract_post_on and hour_rate, without thousands of calls.
    left join lateral (
      select c.id, c.contract_id, c.basis from public.contract_posts c
      where c.site_id = p.site_id and (c.post_id = p.post_id or c.post_id is null)
        and p.day >= c.starts_on and (c.ends_on is null or p.day <= c.ends_on)
      order by c.post_id nulls last
      limit 1
    ) c on true
  ), prices as materialized (
    select p.contract_id, p.contract_post_id, p.kind, p.day, x.amount as rate
    from (
      select distinct l.contract_id, l.contract_post_id, f.kind, f.day
      from free f join places l on l.site_id = f.site_id and l.day = f.day and l.post_id is not distinct from f.post_id
      where l.contract_id is not null and l.basis <> 'fixed'
    ) p
    left join lateral (
      select r.amount from public.rates r
      where r.contract_id = p.contract_id and (r.contract_post_id = p.contract_post_id or r.contract_post_id is null)
        and r.kind in (p.kind, 'regular') and r.effective_from <= p.day
      order by r.kind = p.kind desc, r.contract_post_id nulls last, r.effective_from desc
      limit 1
    ) x on true
  ), taxes as materialized (
    select c.id, c.tax_name, d.day, private.tax_rate_on(c.tax_name, d.day) as rate
    from public.contracts c, (select distinct p.day from places p) d
    where c.tax_name is not null and c.id in (select p.contract_id from places p)
  )
  select l.contract_id, l.contract_post_id, l.basis, f.site_id, f.post_id, f.user_id, f.attendance_id, f.shift_id, f.day,
    f.left_over, (extract(epoch from upper(f.left_over) - lower(f.left_over)) / 60)::integer, f.kind, f.is_approved, p.rate,
    x.tax_name, x.rate
  from free f
  join places l on l.site_id = f.site_id and l.day = f.day
    and coalesce(l.post_id, '00000000-0000-0000-0000-000000000000') = coalesce(f.post_id, '00000000-0000-0000-0000-000000000000')
  left join prices p on p.contract_post_id = l.contract_post_id and p.kind = f.kind and p.day = f.day
  left join taxes x on x.id = l.contract_id and x.day = f.day;
end
$$;
