-- What sites earn: billed by issued invoices less wages, the employer's share and direct costs, with the hours behind them.

-- What is billed by site and month: a line by hours is shared over months by its minutes, any other belongs to its month or
-- to that in which the invoice's period ends. Credited lines are left out. Tax is not income.
create function private.billed_by_site(p_from date, p_to date)
returns table (site_id uuid, client_id uuid, month date, currency text, amount numeric, minutes bigint, lrd_per_usd numeric)
language sql stable security definer set search_path = '' as $$
  with documents as materialized (
    select i.id, i.client_id, i.currency, i.period_end, private.pay_rate('lrd_per_usd', i.issued_on) as lrd_per_usd
    from public.invoices i
    where i.status <> 'draft' and i.period_end >= p_from and i.period_start <= p_to
  ), lines as materialized (
    select l.id, l.site_id, d.client_id, d.currency, l.amount, d.lrd_per_usd,
      coalesce(l.month, date_trunc('month', d.period_end)::date) as month
    from documents d join public.invoice_lines l on l.invoice_id = d.id
    where l.credited_at is null
  ), spans as (
    select b.invoice_line_id, date_trunc('month', lower(b.span) at time zone z.time_zone)::date as month,
      sum(b.minutes)::bigint as minutes, sum(sum(b.minutes)) over (partition by b.invoice_line_id) as of_line
    from public.billed_time b cross join private.settings z
    where b.freed_at is null and b.invoice_line_id in (select l.id from lines l)
    group by 1, 2
  )
  select l.site_id, l.client_id, coalesce(s.month, l.month), l.currency,
    sum(l.amount * coalesce(s.minutes / s.of_line, 1)), coalesce(sum(s.minutes), 0)::bigint, l.lrd_per_usd
  from lines l left join spans s on s.invoice_line_id = l.id
  where coalesce(s.month, l.month) between p_from and p_to
  group by l.site_id, l.client_id, coalesce(s.month, l.month), l.currency, l.lrd_per_usd;
$$;

-- Wages of locked runs by site and month: each payslip is shared over the worked minutes of its period. Without any (an
-- office) it belongs to no site and to the month in which the period ends.
create function private.wages_by_site(p_from date, p_to date)
returns table (
  site_id uuid, month date, currency text, wages numeric, employer numeric, minutes bigint, lrd_per_usd numeric
)
language sql stable security definer set search_path = '' as $$
  with slips as materialized (
    select s.id, s.user_id, s.gross, s.employer_cost, r.currency, r.period_start, r.period_end, r.lrd_per_usd
    from public.pay_runs r join public.payslips s on s.pay_run_id = r.id
    where r.status in ('locked', 'paid') and r.period_end >= p_from and r.period_start <= p_to
  ), worked as (
    select s.id, t.site_id, date_trunc('month', t.day)::date as month, sum(t.minutes)::bigint as minutes,
      sum(sum(t.minutes)) over (partition by s.id) as of_slip
    from slips s
    join public.time_segments t on t.user_id = s.user_id and t.day between s.period_start and s.period_end
    where t.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
    group by 1, 2, 3
  )
  select w.site_id, coalesce(w.month, date_trunc('month', s.period_end)::date), s.currency,
    sum(s.gross * coalesce(w.minutes / w.of_slip, 1)), sum(s.employer_cost * coalesce(w.minutes / w.of_slip, 1)),
    coalesce(sum(w.minutes), 0)::bigint, s.lrd_per_usd
  from slips s left join worked w on w.id = s.id
  where coalesce(w.month, date_trunc('month', s.period_end)::date) between p_from and p_to
  group by w.site_id, coalesce(w.month, date_trunc('month', s.period_end)::date), s.currency, s.lrd_per_usd;
$$;

-- By site and month, of the months from p_from to p_to. Without p_currency amounts of each currency have rows of their own.
-- With it all are converted: wages with the rate of their run, invoices and expenses with the rate in force on their day; `rates` lists
-- those used. What has no rate stays in its own currency. Expenses are in US dollars. [{site_id, site_name, client_id, client_name,
-- month, currency, billed, wages, employer, direct, margin, billed_minutes, worked_minutes, rates}], as one document, so that no
-- limit on rows cuts it short.
create function public.margin(p_from date, p_to date, p_currency text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  first_month date;
  last_month date;
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
  first_month := date_trunc('month', p_from)::date;
  last_month := (date_trunc('month', p_to) + interval '1 month - 1 day')::date;
  return (
    with facts as (
      select b.site_id, b.client_id, b.month, b.currency, b.amount as billed, 0::numeric as wages, 0::numeric as employer,
        0::numeric as direct, b.minutes as billed_minutes, 0::bigint as worked_minutes, b.lrd_per_usd
      from private.billed_by_site(first_month, last_month) b
      union all
      select w.site_id, s.client_id, w.month, w.currency, 0, w.wages, w.employer, 0, 0, w.minutes, w.lrd_per_usd
      from private.wages_by_site(first_month, last_month) w left join public.sites s on s.id = w.site_id
      union all
      select e.site_id, s.client_id, date_trunc('month', e.expense_date)::date, 'USD', 0, 0, 0, e.amount, 0, 0,
        private.pay_rate('lrd_per_usd', e.expense_date)
      from public.expense_reports e join public.sites s on s.id = e.site_id
      where e.expense_date between first_month and last_month
    ), converted as (
      select f.*, case when x.factor is null then f.currency else coalesce(p_currency, f.currency) end as target,
        coalesce(x.factor, 1) as factor, case when x.factor <> 1 then f.lrd_per_usd end as used
      from facts f
      cross join lateral (select case when p_currency is null or p_currency = f.currency then 1
        when p_currency = 'LRD' then f.lrd_per_usd else 1 / f.lrd_per_usd end as factor) x
    ), sums as (
      select c.site_id, c.client_id, c.month, c.target as currency, round(sum(c.billed * c.factor), 2) as billed,
        round(sum(c.wages * c.factor), 2) as wages, round(sum(c.employer * c.factor), 2) as employer,
        round(sum(c.direct * c.factor), 2) as direct, sum(c.billed_minutes) as billed_minutes, sum(c.worked_minutes) as worked_minutes,
        array_agg(distinct c.used) filter (where c.used is not null) as rates
      from converted c group by c.site_id, c.client_id, c.month, c.target
    )
    select coalesce(jsonb_agg(jsonb_build_object('site_id', m.site_id, 'site_name', s.name, 'client_id', m.client_id,
      'client_name', c.name, 'month', m.month, 'currency', m.currency, 'billed', m.billed::text, 'wages', m.wages::text,
      'employer', m.employer::text, 'direct', m.direct::text,
      'margin', (m.billed - m.wages - m.employer - m.direct)::text,
      'billed_minutes', m.billed_minutes, 'worked_minutes', m.worked_minutes, 'rates', coalesce(to_jsonb(m.rates), '[]'))
      order by m.month, c.name, s.name, m.site_id, m.currency desc), '[]')
    from sums m
    left join public.sites s on s.id = m.site_id
    left join public.clients c on c.id = m.client_id
  );
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.margin from public, anon;
grant execute on function public.margin to authenticated, service_role;
