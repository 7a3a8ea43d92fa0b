-- The margin of many sites: less is read, and rows are sorted by a site's id first, which compares faster than texts.

-- As before; the sums of settled invoices are not copied.
create or replace function private.billed_by_site(p_from date, p_to date)
returns table (site_id uuid, client_id uuid, month date, currency text, amount numeric, minutes bigint, lrd_per_usd numeric)
language sql stable as $$
  with apart as materialized (
    select b.site_id, i.client_id, b.month, i.currency, b.amount, b.minutes, i.issued_on
    from private.billed_by_invoice(array(
      select i.id from public.invoices i
      where i.status <> 'draft' and i.period_end >= p_from and i.period_start <= p_to
        and not exists (select from private.settled_invoices d where d.invoice_id = i.id)
    )) b
    join public.invoices i on i.id = b.invoice_id
    where b.month between p_from and p_to
  ), rates as materialized (
    select d.issued_on, private.pay_rate('lrd_per_usd', d.issued_on) as lrd_per_usd
    from (
      select distinct e.issued_on from (
        select b.issued_on from private.billed_sums b
        where b.month between p_from and p_to and b.period_end >= p_from and b.period_start <= p_to
        union all
        select a.issued_on from apart a
      ) e
    ) d
  )
  select b.site_id, b.client_id, b.month, b.currency, b.amount, b.minutes, r.lrd_per_usd
  from private.billed_sums b join rates r on r.issued_on = b.issued_on
  where b.month between p_from and p_to and b.period_end >= p_from and b.period_start <= p_to
  union all
  select a.site_id, a.client_id, a.month, a.currency, a.amount, a.minutes, r.lrd_per_usd
  from apart a join rates r on r.issued_on = a.issued_on;
$$;

-- As before; expenses of sites come from an index.
create or replace function private.margin_facts(p_from date, p_to date, p_currency text)
returns table (
  site_id uuid, client_id uuid, month date, currency text, billed numeric, wages numeric, employer numeric, direct numeric,
  billed_minutes bigint, worked_minutes bigint, rate numeric
)
language sql stable as $$
  with days as materialized (
    select d.day, private.pay_rate('lrd_per_usd', d.day) as lrd_per_usd
    from (
      select distinct e.expense_date as day from public.expense_reports e
      where e.site_id is not null and e.expense_date between p_from and p_to
    ) d
  ), facts as (
    select b.site_id, b.client_id, b.month, b.currency, b.amount as billed, null::numeric as wages, null::numeric as employer,
      null::numeric as direct, b.minutes as billed_minutes, null::bigint as worked_minutes, b.lrd_per_usd
    from private.billed_by_site(p_from, p_to) b
    union all
    select w.site_id, s.client_id, w.month, w.currency, null, w.wages, w.employer, null, null, w.minutes, w.lrd_per_usd
    from private.wages_by_site(p_from, p_to) w left join public.sites s on s.id = w.site_id
    union all
    select e.site_id, s.client_id, date_trunc('month', e.expense_date)::date, 'USD', null, null, null, e.amount, null, null,
      d.lrd_per_usd
    from public.expense_reports e
    join days d on d.day = e.expense_date
    join public.sites s on s.id = e.site_id
    where e.expense_date between p_from and p_to
  ), factors as (
    select f.*, case when p_currency is null or p_currency = f.currency then 1
      when p_currency = 'LRD' then f.lrd_per_usd else 1 / f.lrd_per_usd end as factor
    from facts f
  )
  select f.site_id, f.client_id, f.month, case when f.factor is null then f.currency else coalesce(p_currency, f.currency) end,
    f.billed * coalesce(f.factor, 1), f.wages * coalesce(f.factor, 1), f.employer * coalesce(f.factor, 1),
    f.direct * coalesce(f.factor, 1), f.billed_minutes, f.worked_minutes, case when f.factor <> 1 then f.lrd_per_usd end
  from factors f;
$$;

-- As before. The rows of margin() summed by currency: [{currency, billed, wages, employer, direct, margin, billed_minutes, worked_minutes,
-- rates, months, count, rows}]. `months` has the sums of each month, `rows` page p_page (from 1) of the sums by site, client or
-- month, those with the worst margin first, and `count` how many there are.
create or replace function public.margin_sums(
  p_from date, p_to date, p_currency text default null, p_by text default 'site', p_client_id uuid default null,
  p_is_without_client boolean default false, p_page integer default 1, p_size integer default 200
) returns jsonb
language plpgsql stable security definer set search_path = '' set statement_timeout = '30s' set work_mem = '64MB'
set jit = off as $$
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
    with cents as (
      -- Rounded as the rows of margin() are.
      select f.currency, f.month, f.site_id, f.client_id, round(coalesce(sum(f.billed), 0), 2) as billed,
        round(coalesce(sum(f.wages), 0), 2) as wages, round(coalesce(sum(f.employer), 0), 2) as employer,
        round(coalesce(sum(f.direct), 0), 2) as direct, coalesce(sum(f.billed_minutes), 0) as billed_minutes,
        coalesce(sum(f.worked_minutes), 0) as worked_minutes, string_agg(f.rate::text, ' ') as rates
      from private.margin_facts(lower(months), upper(months) - 1, p_currency) f
      where case when p_is_without_client then f.client_id is null else p_client_id is null or f.client_id = p_client_id end
      group by f.site_id, f.month, f.client_id, f.currency
    ), places as (
      select c.*, case when p_by = 'site' then c.site_id end as by_site,
        case when p_by <> 'month' then c.client_id end as by_client
      from cents c
    ), sums as materialized (
      select p.currency, p.month, p.by_site as site_id, p.by_client as client_id, grouping(p.month) = 0 as is_month,
        sum(p.billed) as billed, sum(p.wages) as wages, sum(p.employer) as employer, sum(p.direct) as direct,
        sum(p.billed) - sum(p.wages) - sum(p.employer) - sum(p.direct) as margin, sum(p.billed_minutes) as billed_minutes,
        sum(p.worked_minutes) as worked_minutes, string_agg(p.rates, ' ') as rates
      from places p
      group by grouping sets ((p.currency, p.month), (p.currency, p.by_site, p.by_client))
    ), placed as (
      select g.*, s.name as site_name, k.name as client_name, count(*) over (partition by g.currency) as of_currency,
        row_number() over (partition by g.currency order by g.month, g.margin,
          case p_by when 'site' then coalesce(s.name, 'No site') else coalesce(k.name, 'No client') end,
          g.site_id, g.client_id) as place
      from sums g left join public.sites s on s.id = g.site_id left join public.clients k on k.id = g.client_id
      where g.is_month = (p_by = 'month')
    ), pages as (
      select p.currency, max(p.of_currency) as count, coalesce(jsonb_agg(jsonb_build_object('site_id', p.site_id,
        'site_name', p.site_name, 'client_id', p.client_id, 'client_name', p.client_name, 'month', p.month,
        'billed', p.billed::text, 'wages', p.wages::text, 'employer', p.employer::text, 'direct', p.direct::text,
        'margin', p.margin::text, 'billed_minutes', p.billed_minutes, 'worked_minutes', p.worked_minutes) order by p.place)
        filter (where p.place > (p_page - 1) * p_size and p.place <= p_page * p_size), '[]') as rows
      from placed p group by p.currency
    ), totals as (
      select b.currency, sum(b.billed)::text as billed, sum(b.wages)::text as wages, sum(b.employer)::text as employer,
        sum(b.direct)::text as direct, sum(b.margin)::text as margin, sum(b.billed_minutes) as billed_minutes,
        sum(b.worked_minutes) as worked_minutes, string_agg(b.rates, ' ') as rates,
        jsonb_agg(jsonb_build_object('month', b.month, 'billed', b.billed::text, 'wages', b.wages::text,
          'employer', b.employer::text, 'direct', b.direct::text, 'margin', b.margin::text,
          'billed_minutes', b.billed_minutes, 'worked_minutes', b.worked_minutes) order by b.month) as months
      from sums b where b.is_month group by b.currency
    )
    select coalesce(jsonb_agg(to_jsonb(t) || jsonb_build_object('count', p.count, 'rows', p.rows, 'rates', (
      select coalesce(jsonb_agg(distinct r::numeric), '[]') from string_to_table(t.rates, ' ') r
    )) order by t.currency desc), '[]')
    from totals t join pages p on p.currency = t.currency
  );
end
$$;
