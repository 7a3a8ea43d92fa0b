create or replace function private.pay_items_owed(p_on date)
returns table (
  staff_id uuid, kind text, rule_id uuid, first date, last date, year integer, amount numeric, currency text,
  taxable boolean, explanation text
)
language sql stable security definer set search_path = '' as $$
  select s.id, r.kind, r.id, s.hire_date, s.end_date, 0, round(p.pay * r.months * m.months / 12, 2), b.currency,
    r.taxable, format('%s of pay for each year of service: %s x %s x %s months / 12.',
      case when r.months = 1 then '1 month' else trim_scale(r.months) || ' months' end,
      private.money_text(p.pay, b.currency), trim_scale(r.months), m.months)
  from public.staff s
  cross join lateral private.pay_item_rule('severance', s.end_date) r
  cross join lateral private.basis_on(s.id, s.end_date) b
  cross join lateral private.month_of_pay(b, s.end_date) p (pay)
  cross join lateral private.months_of_service(s.hire_date, s.end_date) m (months)
  where s.end_date between s.hire_date and (date_trunc('month', p_on::timestamp) + interval '1 month - 1 day')::date
    and r.months > 0 and m.months > 0 and m.months >= r.least_service_months and p.pay > 0
  union all
  select s.id, 'thirteenth_month', (y.r).id, d.first, d.last, y.year,
    round(p.pay * (y.r).months * d.days / y.days, 2), b.currency, (y.r).taxable,
    format('%s for a year: %s x %s of %s days.',
      case when (y.r).months = 1 then 'A month of pay' else trim_scale((y.r).months) || ' months of pay' end,
      private.money_text(p.pay * (y.r).months, b.currency), d.days, y.days)
  from (
    -- One rule a year, the newest, should the month of payment have changed.
    select distinct on (extract(year from m.day)) r, extract(year from m.day)::integer as year,
      date_trunc('year', m.day)::date as first, (date_trunc('year', m.day) + interval '1 year - 1 day')::date as last,
      (date_trunc('year', m.day) + interval '1 year')::date - date_trunc('year', m.day)::date as days
    from generate_series(0, 11) k
    cross join lateral (select date_trunc('month', p_on::timestamp) - make_interval(months => k) as day) m
    cross join lateral private.pay_item_rule('thirteenth_month', (m.day + interval '1 month - 1 day')::date) r
    where r.months > 0 and r.paid_in = extract(month from m.day)
    order by extract(year from m.day), m.day desc
  ) y
  join public.staff s on s.hire_date <= y.last and coalesce(s.end_date, y.last) >= y.first
    and (s.status = 'active' or s.end_date is not null)
  cross join lateral (
    select greatest(s.hire_date, y.first) as first, least(s.end_date, y.last) as last,
      least(s.end_date, y.last) - greatest(s.hire_date, y.first) + 1 as days
  ) d
  cross join lateral private.basis_on(s.id, d.last) b
  cross join lateral private.month_of_pay(b, d.last) p (pay)
  where d.days > 0 and p.pay > 0
    and private.months_of_service(s.hire_date, d.last) >= (y.r).least_service_months;
$$;
