-- Each day has its own price and tax: in estimates, monthly amounts and minimums, too (decision 0098).

-- The spans of [p_first, p_last] over which the regular rate and the tax stay the same.
create function private.price_days(p_contract_id uuid, p_contract_post_id uuid, p_tax_name text, p_first date, p_last date)
returns table (first date, last date, rate numeric, tax numeric)
language sql stable security definer set search_path = '' as $$
  with changes as (
    select p_first as day
    union
    select r.effective_from from public.rates r
    where r.contract_id = p_contract_id and (r.contract_post_id = p_contract_post_id or r.contract_post_id is null)
      and r.kind = 'regular' and r.effective_from > p_first and r.effective_from <= p_last
    union
    select t.effective_from from public.tax_rates t
    where t.name = p_tax_name and t.effective_from > p_first and t.effective_from <= p_last
  ), spans as (
    select c.day, coalesce(lead(c.day) over (order by c.day) - 1, p_last) as last,
      private.hour_rate(p_contract_id, p_contract_post_id, 'regular', c.day) as rate, private.tax_rate_on(p_tax_name, c.day) as tax
    from changes c
  ), islands as (
    -- A change of what doesn't apply here divides nothing.
    select s.*, row_number() over (order by s.day) - row_number() over (partition by s.rate, s.tax order by s.day) as island from spans s
  )
  select min(i.day), max(i.last), i.rate, i.tax from islands i group by i.rate, i.tax, i.island;
$$;

-- A line of a monthly amount or a minimum names its days, so that a month can have two prices, and a post that goes on after its
-- last month was billed has the rest of it billed. Lines from before that stand for their whole month.
alter table public.invoice_lines
  add constraint invoice_lines_month_billed_once exclude using gist (
    contract_post_id with =, kind with =,
    (coalesce(days, datemultirange(daterange(month, (month + interval '1 month')::date)))) with &&
  ) where (kind in ('fixed', 'minimum') and credited_at is null);
drop index public.invoice_lines_month_key;

-- The months of posts with a monthly amount or minimum whose last day is within the days of the draft, with the days that are
-- not billed yet. A month in which the post begins or ends counts by its days.
drop function private.months_to_bill(private.draft_scope[]);
create function private.months_to_bill(p_scopes private.draft_scope[])
returns table (
  contract_id uuid, contract_post_id uuid, site_id uuid, post_id uuid, basis text, month date, first_day date,
  last_day date, days integer, month_days integer, monthly_amount numeric, minimum_minutes integer, tax_name text,
  open_days datemultirange
)
language sql stable security definer set search_path = '' as $$
  select s.contract_id, c.id, c.site_id, c.post_id, c.basis, m.first::date, lower(o.days), upper(o.days) - 1,
    n.days, m.last - m.first::date + 1, c.monthly_amount, round(c.minimum_hours * 60 * n.days / (m.last - m.first::date + 1))::integer,
    s.tax_name, o.days
  from unnest(p_scopes) s
  join public.contract_posts c on c.contract_id = s.contract_id and c.basis in ('fixed', 'minimum')
  cross join lateral generate_series(date_trunc('month', s.first::timestamp), s.last::timestamp, '1 month') g (first)
  cross join lateral (select g.first, (g.first + interval '1 month - 1 day')::date as last) m
  cross join lateral (
    select greatest(m.first::date, c.starts_on) as first_day, least(m.last, c.ends_on) as last_day
  ) d
  cross join lateral (
    select datemultirange(daterange(d.first_day, d.last_day + 1)) - coalesce((
      select range_agg(coalesce(l.days, datemultirange(daterange(m.first::date, m.last + 1)))) from public.invoice_lines l
      where l.contract_post_id = c.id and l.kind = c.basis and l.month = m.first::date and l.credited_at is null
    ), '{}') as days
    where d.last_day >= d.first_day
  ) o
  cross join lateral (select sum(upper(r) - lower(r))::integer as days from unnest(o.days) r) n
  where d.last_day between s.first and s.last and not isempty(o.days);
$$;

-- The open days of a month to bill by price, with the share of the month's figure that earlier spans have (before) and that
-- they have together with this one (until), so that rounded shares add up.
create function private.month_prices(
  p_contract_id uuid, p_contract_post_id uuid, p_tax_name text, p_open_days datemultirange
)
returns table (span_days datemultirange, rate numeric, tax numeric, days integer, before integer, until integer)
language sql stable security definer set search_path = '' as $$
  select p.span_days, p.rate, p.tax, p.days, (sum(p.days) over w)::integer - p.days, (sum(p.days) over w)::integer
  from (
    select range_agg(daterange(d.first, d.last + 1)) as span_days, d.rate, d.tax, sum(d.last - d.first + 1)::integer as days
    from unnest(p_open_days) r
    cross join lateral private.price_days(p_contract_id, p_contract_post_id, p_tax_name, lower(r), upper(r) - 1) d
    group by d.rate, d.tax
  ) p
  window w as (order by lower(p.span_days));
$$;

create or replace function private.fixed_lines(p_scopes private.draft_scope[]) returns setof private.draft_line
language sql stable security definer set search_path = '' as $$
  select gen_random_uuid(), m.contract_id, m.contract_post_id, m.site_id, m.post_id, 'fixed',
    to_char(m.month, 'FMMonth YYYY'), round(t.days::numeric / m.month_days, 4), 'month', m.monthly_amount,
    round(m.monthly_amount * t.until / m.month_days, 2) - round(m.monthly_amount * t.before / m.month_days, 2),
    case when t.tax is not null then m.tax_name end, t.tax, null::integer, m.month, null::uuid, t.span_days,
    case when t.days < m.month_days then format('%s of %s days, %s.', t.days, m.month_days,
      private.days_text(lower(t.span_days), upper(t.span_days) - 1)) else '' end
  from private.months_to_bill(p_scopes) m
  -- The amount is the post's; only its tax changes by day.
  cross join lateral private.month_prices(null, null, m.tax_name, m.open_days) t
  where m.basis = 'fixed' and m.monthly_amount > 0;
$$;

-- What a post was worked less than its minimum, spread over its days. A month that is not over is part of the estimate.
create or replace function private.minimum_lines(p_scopes private.draft_scope[]) returns setof private.draft_line
language sql stable security definer set search_path = '' as $$
  select gen_random_uuid(), m.contract_id, m.contract_post_id, m.site_id, m.post_id, 'minimum',
    'up to the minimum of ' || to_char(m.month, 'FMMonth YYYY'), round(y.minutes / 60.0, 4), 'h', p.rate,
    round(y.minutes * p.rate / 60, 2), case when p.tax is not null then m.tax_name end, p.tax, null::integer, m.month, null::uuid, p.span_days,
    format('%s h of %s h were worked%s.', trim_scale(round((m.minimum_minutes - x.missing) / 60.0, 2)),
      trim_scale(round(m.minimum_minutes / 60.0, 2)), case when p.days < m.days then format(': the share of %s of %s days', p.days, m.days) else '' end)
  from private.months_to_bill(p_scopes) m
  left join private.minimum_minutes(p_scopes) b on b.contract_post_id = m.contract_post_id and b.month = m.month
  cross join lateral (select m.minimum_minutes - coalesce(b.minutes, 0) as missing) x
  cross join lateral private.month_prices(m.contract_id, m.contract_post_id, m.tax_name, m.open_days) p
  cross join lateral (
    select round(x.missing * p.until / m.days::numeric) - round(x.missing * p.before / m.days::numeric) as minutes
  ) y
  where m.basis = 'minimum' and m.last_day < private.company_date() and y.minutes > 0 and p.rate is not null;
$$;

-- What an invoice expects that is drawn before its days are over, by place, month and price.
create or replace function private.estimate_lines(p_scopes private.draft_scope[], p_left private.unbilled_span[])
returns setof private.draft_line
language plpgsql stable security definer set search_path = '' set jit = off as $$
declare
  today date := private.company_date();
  scopes private.draft_scope[] := array(select s from unnest(p_scopes) s where s.last >= today);
  sites uuid[] := array(
    select distinct c.site_id from unnest(scopes) s join public.contract_posts c on c.contract_id = s.contract_id
    where c.basis <> 'fixed'
  );
  zone text := (select s.time_zone from private.settings s);
begin
  if cardinality(sites) = 0 then
    return;
  end if;
  return query
  with planned as materialized (
    select h.site_id, h.post_id, (a.starts_at at time zone zone)::date as day,
      (extract(epoch from upper(a.period) - lower(a.period)) / 60)::integer as minutes
    from public.assignments a join public.shifts h on h.id = a.shift_id
    where a.site_id = any (sites) and a.counts_as_staffed and a.attendance_state <> 'out' and upper(a.period) > now()
      and a.starts_at < private.company_midnight((select max(s.last) from unnest(scopes) s) + 1)
  ), places as materialized (
    select d.site_id, d.post_id, d.day, (c.post).id as contract_post_id, (c.post).contract_id as contract_id, (c.post).basis as basis
    from (select distinct p.site_id, p.post_id, p.day from planned p) d
    cross join lateral (select private.contract_post_on(d.site_id, d.post_id, d.day) as post offset 0) c
  ), expected as (
    select l.contract_id, l.contract_post_id, l.basis, p.site_id, p.post_id, p.day, p.minutes, p.minutes as to_come
    from planned p
    join places l on l.site_id = p.site_id and l.day = p.day and l.post_id is not distinct from p.post_id
    where l.basis <> 'fixed'
    union all
    select u.contract_id, u.contract_post_id, u.basis, u.site_id, u.post_id, u.day, u.minutes, 0
    from unnest(p_left) u
    where u.basis <> 'fixed' and not u.is_approved
  ), by_day as materialized (
    select e.contract_id, e.contract_post_id, e.site_id, e.post_id, e.day, date_trunc('month', e.day::timestamp)::date as month,
      sum(e.minutes)::integer as minutes, sum(e.to_come) as to_come
    from expected e join unnest(scopes) s on s.contract_id = e.contract_id and e.day between s.first and s.last
    group by e.contract_id, e.contract_post_id, e.site_id, e.post_id, e.day
  ), prices as materialized (
    select d.contract_post_id, p.*
    from (select distinct b.contract_id, b.contract_post_id from by_day b) d
    join unnest(scopes) s on s.contract_id = d.contract_id
    cross join lateral private.price_days(d.contract_id, d.contract_post_id, s.tax_name, s.first, s.last) p
  ), estimated as (
    select b.contract_id, b.contract_post_id, b.site_id, b.post_id, b.month, min(b.day) as first, max(p.last) as until,
      sum(b.minutes)::integer as minutes, 'hours expected' as label, p.rate, p.tax
    from by_day b join prices p on p.contract_post_id = b.contract_post_id and b.day between p.first and p.last
    group by b.contract_id, b.contract_post_id, b.site_id, b.post_id, b.month, p.rate, p.tax
    union all
    -- Up to the minimum of a month that is not over.
    select m.contract_id, m.contract_post_id, m.site_id, m.post_id, m.month, least(today, m.last_day), m.last_day,
      round(x.missing * p.until / m.days::numeric)::integer - round(x.missing * p.before / m.days::numeric)::integer,
      'up to the minimum', p.rate, p.tax
    from private.months_to_bill(scopes) m
    left join private.minimum_minutes(scopes) b on b.contract_post_id = m.contract_post_id and b.month = m.month
    cross join lateral (
      select m.minimum_minutes - coalesce(b.minutes, 0) - coalesce((
        select sum(h.to_come) from by_day h where h.contract_post_id = m.contract_post_id and h.month = m.month), 0)::integer as missing
    ) x
    cross join lateral private.month_prices(m.contract_id, m.contract_post_id, m.tax_name, m.open_days) p
    where m.basis = 'minimum' and m.last_day >= today
  )
  select gen_random_uuid(), e.contract_id, e.contract_post_id, e.site_id, e.post_id, 'estimate', e.label || ', ' || to_char(e.month, 'FMMonth YYYY'),
    round(e.minutes / 60.0, 4), 'h', e.rate, round(e.minutes * e.rate / 60, 2),
    case when e.tax is not null then s.tax_name end, e.tax, e.minutes, e.month, null::uuid,
    -- Up to the end, whatever the days of this price: the draft that reaches it settles all of them.
    datemultirange(daterange(e.first, d.last + 1)),
    format('Not worked or not approved yet, %s. The next invoice settles it.', private.days_text(e.first, least(e.until, d.last)))
  from estimated e
  join unnest(scopes) s on s.contract_id = e.contract_id
  cross join lateral (select least(s.last, (e.month + interval '1 month - 1 day')::date) as last) d
  where e.minutes > 0 and e.rate is not null;
end
$$;

-- A month that is billed in part leaves the hours of its other days open.
create or replace function private.open_spans(
  p_sites uuid[], p_from date, p_to date, p_timesheets uuid[] default null, p_is_priced boolean default true
)
returns setof private.unbilled_span
language sql stable security definer set search_path = '' as $$
  with fixed as materialized (
    select l.contract_post_id, l.month, l.days from public.invoice_lines l
    where l.kind = 'fixed' and l.credited_at is null and l.contract_post_id is not null
      and l.month between date_trunc('month', p_from::timestamp)::date - 1 and p_to + 1
  )
  select u.* from private.unbilled_spans(p_sites, p_from, p_to, p_timesheets, p_is_priced) u
  where u.basis is distinct from 'fixed' or not exists (
    select from fixed l
    where l.contract_post_id = u.contract_post_id and l.month = date_trunc('month', u.day::timestamp)::date
      and (l.days is null or l.days @> u.day)
  );
$$;

revoke all on all functions in schema private from public;
