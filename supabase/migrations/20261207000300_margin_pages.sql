-- The margin of thousands of sites is summed in the database and comes in pages.

-- What is billed, paid and spent at sites in the months that begin in [p_from, p_to], converted. `rate`: what converted it.
create function private.margin_facts(p_from date, p_to date, p_currency text)
returns table (
  site_id uuid, client_id uuid, month date, currency text, billed numeric, wages numeric, employer numeric, direct numeric,
  billed_minutes bigint, worked_minutes bigint, rate numeric
)
language sql stable rows 10000 security definer set search_path = '' set work_mem = '32MB' as $$
  with expenses as materialized (
    select e.site_id, e.expense_date, sum(e.amount) as amount from public.expense_reports e
    where e.expense_date between p_from and p_to and e.site_id is not null
    group by e.site_id, e.expense_date
  ), rates as materialized (
    select d.expense_date, private.pay_rate('lrd_per_usd', d.expense_date) as lrd_per_usd
    from (select distinct e.expense_date from expenses e) d
  ), facts as (
    select b.site_id, b.client_id, b.month, b.currency, b.amount as billed, 0::numeric as wages, 0::numeric as employer,
      0::numeric as direct, b.minutes as billed_minutes, 0::bigint as worked_minutes, b.lrd_per_usd
    from private.billed_by_site(p_from, p_to) b
    union all
    select w.site_id, s.client_id, w.month, w.currency, 0, w.wages, w.employer, 0, 0, w.minutes, w.lrd_per_usd
    from private.wages_by_site(p_from, p_to) w left join public.sites s on s.id = w.site_id
    union all
    select e.site_id, s.client_id, date_trunc('month', e.expense_date)::date, 'USD', 0, 0, 0, e.amount, 0, 0, r.lrd_per_usd
    from expenses e
    join public.sites s on s.id = e.site_id
    join rates r on r.expense_date = e.expense_date
  )
  select f.site_id, f.client_id, f.month, case when x.factor is null then f.currency else coalesce(p_currency, f.currency) end,
    f.billed * coalesce(x.factor, 1), f.wages * coalesce(x.factor, 1), f.employer * coalesce(x.factor, 1),
    f.direct * coalesce(x.factor, 1), f.billed_minutes, f.worked_minutes, case when x.factor <> 1 then f.lrd_per_usd end
  from facts f
  cross join lateral (select case when p_currency is null or p_currency = f.currency then 1
    when p_currency = 'LRD' then f.lrd_per_usd else 1 / f.lrd_per_usd end as factor) x;
$$;

-- The months of margin(), checked.
create function private.margin_months(p_from date, p_to date, p_currency text) returns daterange
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_day(p_from, 'first month');
  perform private.require_day(p_to, 'last month');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'The period must be at most 400 days.' using errcode = 'invalid_parameter_value';
  end if;
  if p_currency not in ('USD', 'LRD') then
    raise exception 'Choose USD or LRD.' using errcode = 'invalid_parameter_value';
  end if;
  return daterange(date_trunc('month', p_from)::date, (date_trunc('month', p_to) + interval '1 month')::date);
end
$$;

-- As before.
create or replace function public.margin(p_from date, p_to date, p_currency text default null) returns jsonb
language plpgsql stable security definer set search_path = '' set statement_timeout = '30s' as $$
declare
  months daterange := private.margin_months(p_from, p_to, p_currency);
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('site_id', m.site_id, 'site_name', s.name, 'client_id', m.client_id,
      'client_name', c.name, 'month', m.month, 'currency', m.currency, 'billed', m.billed::text, 'wages', m.wages::text,
      'employer', m.employer::text, 'direct', m.direct::text,
      'margin', (m.billed - m.wages - m.employer - m.direct)::text,
      'billed_minutes', m.billed_minutes, 'worked_minutes', m.worked_minutes, 'rates', coalesce(to_jsonb(m.rates), '[]'))
      order by m.month, c.name, s.name, m.site_id, m.currency desc), '[]')
    from (
      select f.site_id, f.client_id, f.month, f.currency, round(sum(f.billed), 2) as billed, round(sum(f.wages), 2) as wages,
        round(sum(f.employer), 2) as employer, round(sum(f.direct), 2) as direct, sum(f.billed_minutes) as billed_minutes,
        sum(f.worked_minutes) as worked_minutes, array_agg(distinct f.rate) filter (where f.rate is not null) as rates
      from private.margin_facts(lower(months), upper(months) - 1, p_currency) f
      group by f.site_id, f.client_id, f.month, f.currency
    ) m
    left join public.sites s on s.id = m.site_id
    left join public.clients c on c.id = m.client_id
  );
end
$$;

-- The rows of margin() summed by currency: [{currency, billed, wages, employer, direct, margin, billed_minutes, worked_minutes,
-- rates, months, count, rows}]. `months` has the sums of each month, `rows` page p_page (from 1) of the sums by site, client or
-- month, those with the worst margin first, and `count` how many there are.
create function public.margin_sums(
  p_from date, p_to date, p_currency text default null, p_by text default 'site', p_client_id uuid default null,
  p_is_without_client boolean default false, p_page integer default 1, p_size integer default 200
) returns jsonb
language plpgsql stable security definer set search_path = '' set statement_timeout = '30s' set work_mem = '32MB' as $$
declare
  months daterange := private.margin_months(p_from, p_to, p_currency);
begin
  if p_by is null or p_by not in ('site', 'client', 'month') then
    raise exception 'Sum by site, client or month.' using errcode = 'invalid_parameter_value';
  end if;
  if p_page is null or p_page not between 1 and 100000 or p_size is null or p_size not between 1 and 1000 then
    raise exception 'Choose a page, and a size of at most 1000.' using errcode = 'invalid_parameter_value';
  end if;
  return (
    with facts as materialized (
      select f.* from private.margin_facts(lower(months), upper(months) - 1, p_currency) f
      where case when p_is_without_client then f.client_id is null else p_client_id is null or f.client_id = p_client_id end
    ), cents as (
      -- Rounded as the rows of margin() are.
      select f.site_id, f.client_id, f.month, f.currency, round(sum(f.billed), 2) as billed, round(sum(f.wages), 2) as wages,
        round(sum(f.employer), 2) as employer, round(sum(f.direct), 2) as direct, sum(f.billed_minutes) as billed_minutes,
        sum(f.worked_minutes) as worked_minutes
      from facts f group by f.site_id, f.client_id, f.month, f.currency
    ), chosen as materialized (
      select c.*, c.billed - c.wages - c.employer - c.direct as margin from cents c
    ), groups as (
      select c.currency, case when p_by = 'site' then c.site_id end as site_id,
        case when p_by <> 'month' then c.client_id end as client_id, case when p_by = 'month' then c.month end as month,
        sum(c.billed) as billed, sum(c.wages) as wages, sum(c.employer) as employer, sum(c.direct) as direct,
        sum(c.margin) as margin, sum(c.billed_minutes) as billed_minutes, sum(c.worked_minutes) as worked_minutes
      from chosen c group by 1, 2, 3, 4
    ), placed as (
      select g.*, s.name as site_name, k.name as client_name, count(*) over (partition by g.currency) as of_currency,
        row_number() over (partition by g.currency order by g.month, g.margin,
          case p_by when 'site' then coalesce(s.name, 'No site') else coalesce(k.name, 'No client') end,
          g.site_id, g.client_id) as place
      from groups g left join public.sites s on s.id = g.site_id left join public.clients k on k.id = g.client_id
    ), pages as (
      select p.currency, max(p.of_currency) as count, coalesce(jsonb_agg(jsonb_build_object('site_id', p.site_id,
        'site_name', p.site_name, 'client_id', p.client_id, 'client_name', p.client_name, 'month', p.month,
        'billed', p.billed::text, 'wages', p.wages::text, 'employer', p.employer::text, 'direct', p.direct::text,
        'margin', p.margin::text, 'billed_minutes', p.billed_minutes, 'worked_minutes', p.worked_minutes) order by p.place)
        filter (where p.place > (p_page - 1) * p_size and p.place <= p_page * p_size), '[]') as rows
      from placed p group by p.currency
    ), by_month as (
      select c.currency, c.month, sum(c.billed) as billed, sum(c.wages) as wages, sum(c.employer) as employer,
        sum(c.direct) as direct, sum(c.margin) as margin, sum(c.billed_minutes) as billed_minutes,
        sum(c.worked_minutes) as worked_minutes
      from chosen c group by c.currency, c.month
    ), totals as (
      select b.currency, sum(b.billed)::text as billed, sum(b.wages)::text as wages, sum(b.employer)::text as employer,
        sum(b.direct)::text as direct, sum(b.margin)::text as margin, sum(b.billed_minutes) as billed_minutes,
        sum(b.worked_minutes) as worked_minutes, jsonb_agg(jsonb_build_object('month', b.month, 'billed', b.billed::text,
          'wages', b.wages::text, 'employer', b.employer::text, 'direct', b.direct::text, 'margin', b.margin::text,
          'billed_minutes', b.billed_minutes, 'worked_minutes', b.worked_minutes) order by b.month) as months
      from by_month b group by b.currency
    )
    select coalesce(jsonb_agg(to_jsonb(t) || jsonb_build_object('count', p.count, 'rows', p.rows, 'rates', (
      select coalesce(jsonb_agg(distinct f.rate), '[]') from facts f where f.currency = t.currency and f.rate is not null
    )) order by t.currency desc), '[]')
    from totals t join pages p on p.currency = t.currency
  );
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.margin_sums from public, anon;
grant execute on function public.margin_sums to authenticated, service_role;
