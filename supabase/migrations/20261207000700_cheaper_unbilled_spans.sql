-- Unbilled hours without reading every timesheet, every billed minute between two timesheets of a guard, and rates that don't count.

drop function private.open_spans(uuid[], date, date, uuid[]);
drop function private.unbilled_spans(uuid[], date, date, uuid[]);

-- As before; without p_is_priced rates and taxes are only those of approved time.
create function private.unbilled_spans(
  p_sites uuid[], p_from date, p_to date, p_timesheets uuid[] default null, p_is_priced boolean default true
)
returns setof private.unbilled_span
-- Thousands of rows: estimates of their number are far off.
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '32MB'
set plan_cache_mode = 'force_custom_plan' as $$
declare
  first timestamptz := private.company_midnight(p_from);
  last timestamptz := private.company_midnight(p_to + 1);
begin
  return query
  with chosen as materialized (
    select s.* from public.time_segments s
    where p_timesheets is null and s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
    union all
    select s.*
    from unnest(p_timesheets) c (id)
    -- One look-up for each timesheet, whatever the planner expects of their number.
    cross join lateral (
      select s.* from public.time_segments s
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
    select s.user_id, s.attendance_id, s.shift_id, s.site_id, h.post_id, s.day, tstzrange(s.starts_at, s.ends_at) as span,
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
      where l.contract_id is not null and l.basis <> 'fixed' and (p_is_priced or f.is_approved)
    ) p
    left join lateral (
      select r.amount from public.rates r
      where r.contract_id = p.contract_id and (r.contract_post_id = p.contract_post_id or r.contract_post_id is null)
        and r.kind in (p.kind, 'regular') and r.effective_from <= p.day
      order by r.kind = p.kind desc, r.contract_post_id nulls last, r.effective_from desc
      limit 1
    ) x on true
  ), taxed as materialized (
    select c.id, c.tax_name from public.contracts c
    where c.tax_name is not null and c.id in (select p.contract_id from places p)
  ), taxes as materialized (
    select n.tax_name, d.day, private.tax_rate_on(n.tax_name, d.day) as rate
    from (select distinct c.tax_name from taxed c) n, (select distinct p.day from places p) d
  )
  select l.contract_id, l.contract_post_id, l.basis, f.site_id, f.post_id, f.user_id, f.attendance_id, f.shift_id, f.day,
    f.left_over, (extract(epoch from upper(f.left_over) - lower(f.left_over)) / 60)::integer, f.kind, f.is_approved, p.rate,
    c.tax_name, x.rate
  from free f
  join places l on l.site_id = f.site_id and l.day = f.day
    and coalesce(l.post_id, '00000000-0000-0000-0000-000000000000') = coalesce(f.post_id, '00000000-0000-0000-0000-000000000000')
  left join prices p on p.contract_post_id = l.contract_post_id and p.kind = f.kind and p.day = f.day
  left join taxed c on c.id = l.contract_id
  left join taxes x on x.tax_name = c.tax_name and x.day = f.day;
end
$$;

-- Without the hours of monthly amounts that are billed. Parameters as in unbilled_spans.
create function private.open_spans(
  p_sites uuid[], p_from date, p_to date, p_timesheets uuid[] default null, p_is_priced boolean default true
)
returns setof private.unbilled_span
language sql stable security definer set search_path = '' as $$
  with fixed as materialized (
    select l.contract_post_id, l.month from public.invoice_lines l
    where l.kind = 'fixed' and l.credited_at is null and l.contract_post_id is not null
      and l.month between date_trunc('month', p_from::timestamp)::date - 1 and p_to + 1
  )
  select u.* from private.unbilled_spans(p_sites, p_from, p_to, p_timesheets, p_is_priced) u
  where u.basis is distinct from 'fixed' or not exists (
    select from fixed l
    where l.contract_post_id = u.contract_post_id and l.month = date_trunc('month', u.day::timestamp)::date
  );
$$;

-- As before: what is not approved needs no rate.
create or replace function public.unbilled_time(p_from date, p_to date, p_client_id uuid default null)
returns table (
  client_id uuid, client_name text, contract_id uuid, site_id uuid, site_name text, post_id uuid, post_name text,
  user_id uuid, full_name text, attendance_id uuid, shift_id uuid, starts_at timestamptz, ends_at timestamptz,
  minutes integer, reason text
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  return query
  with spans as materialized (
    select u.*, case
        when u.contract_id is null then 'no_contract'
        when not u.is_approved then 'not_approved'
        when u.basis = 'fixed' then 'month_not_billed'
        when u.rate is null then 'no_rate'
        else 'not_drafted' end as why
    from private.open_spans(array(
      select s.id from public.sites s where p_client_id is null or s.client_id = p_client_id
    ), p_from, p_to, private.timesheets_to_bill(p_from, p_to), false) u
  )
  select t.client_id, k.name, o.contract_id, o.site_id, t.name, o.post_id, p.name, o.user_id, f.full_name, o.attendance_id,
    o.shift_id, min(lower(o.span)), max(upper(o.span)), sum(o.minutes)::integer, o.why
  from spans o
  join public.sites t on t.id = o.site_id
  left join public.clients k on k.id = t.client_id
  left join public.posts p on p.id = o.post_id
  left join public.profiles f on f.id = o.user_id
  group by t.client_id, k.name, o.contract_id, o.site_id, t.name, o.post_id, p.name, o.user_id, f.full_name,
    o.attendance_id, o.shift_id, o.why
  order by min(lower(o.span)), t.name, f.full_name, o.attendance_id, o.why;
end
$$;

revoke all on all functions in schema private from public;
