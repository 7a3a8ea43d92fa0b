-- The dashboards of money: cash of the next 13 weeks, debtors' days, margin by contract, overtime and uncovered hours.
-- Nothing here is stored. Only admins and finance read them.

-- ── Functions ─────────────────────────────────────────────────────────

-- How many weeks ahead cash is computed.
create function private.cash_weeks() returns integer language sql immutable set search_path = '' return 13;

-- How many days after the day of issue each client has paid in the last year, by amount. Write-offs are no payments.
create function private.payment_habits()
returns table (client_id uuid, currency text, days integer, invoices integer)
language sql stable security definer set search_path = '' as $$
  select i.client_id, i.currency, round(sum(a.amount * (r.received_on - i.issued_on)) / sum(a.amount))::integer,
    count(distinct i.id)::integer
  from public.receipt_allocations a
  join public.receipts r on r.id = a.receipt_id and r.voided_at is null and r.method <> 'write_off'
  join public.invoices i on i.id = a.invoice_id
  where r.received_on between private.company_date() - 365 and private.company_date()
  group by i.client_id, i.currency;
$$;

-- Money today by currency: the last statements of active bank accounts, moved on by the books, else the books alone;
-- cash and mobile money from the books.
create function private.money_today()
returns table (
  currency text, bank numeric, statements numeric, statements_on date, moved_since numeric, books numeric, cash numeric,
  mobile_money numeric
)
language sql stable security definer set search_path = '' as $$
  with stated as (
    select a.currency, sum(case a.balance_type when 'Cr' then 1 else -1 end * a.current_balance) as amount,
      max(a.statement_period_end) as day
    from (
      select distinct on (lower(b.bank_name), b.account_number, b.currency) b.*
      from public.bank_accounts b where b.statement_period_end <= private.company_date()
      order by lower(b.bank_name), b.account_number, b.currency, b.statement_period_end desc, b.id
    ) a
    where a.status = 'ACTIVE' and a.current_balance is not null and a.currency in ('USD', 'LRD')
    group by a.currency
  ), booked as materialized (
    select j.key, j.currency, j.day, j.amount from private.journal_entries('-infinity', private.company_date()) j
    where j.key in ('bank', 'cash', 'mobile_money')
  ), sums as (
    select b.currency, sum(b.amount) filter (where b.key = 'bank') as books,
      sum(b.amount) filter (where b.key = 'bank' and b.day > s.day) as since,
      sum(b.amount) filter (where b.key = 'cash') as cash,
      sum(b.amount) filter (where b.key = 'mobile_money') as mobile_money
    from booked b left join stated s on s.currency = b.currency group by b.currency
  )
  select c.currency, coalesce(s.amount + coalesce(b.since, 0), b.books, 0), s.amount, s.day,
    case when s.amount is not null then coalesce(b.since, 0) end, b.books, coalesce(b.cash, 0),
    coalesce(b.mobile_money, 0)
  from (select t.currency from stated t union select m.currency from sums m) c
  left join stated s on s.currency = c.currency
  left join sums b on b.currency = c.currency;
$$;

-- Issued invoices that are open, by the habit of their client, else on their due day. One that is late already is
-- expected as many days from now as it is late. And invoices still to come: of each period that a contract bills after
-- its last invoice, at the price of a day in its last three. What is billed on demand is not guessed.
create function private.receipts_ahead(p_until date)
returns table (source text, currency text, day date, amount numeric, document text, opens uuid, reason text)
language sql stable security definer set search_path = '' as $$
  with today as materialized (
    select private.company_date() as day
  ), habits as materialized (
    select h.* from private.payment_habits() h
  ), expected as (
    select i.id, i.number, i.currency, i.open_amount, c.name, h.days, coalesce(i.issued_on + h.days, i.due_on) as day
    from public.invoices i
    join public.clients c on c.id = i.client_id
    left join habits h on h.client_id = i.client_id and h.currency = i.currency
    where i.status in ('issued', 'part_paid') and i.open_amount > 0
  ), billed as (
    select i.contract_id, max(i.period_end) as billed_to,
      sum(i.total - i.credited) / sum(i.period_end - i.period_start + 1) as each_day,
      round(avg(greatest(i.issued_on - i.period_end, 0)))::integer as after, min(i.due_on - i.issued_on) as terms
    from (
      select x.*, row_number() over (partition by x.contract_id order by x.period_end desc, x.id) as place
      from public.invoices x where x.status <> 'draft' and x.total > x.credited
    ) i
    where i.place <= 3 group by i.contract_id
  ), to_bill as (
    select b.*, k.client_id, k.currency, p.first, p.last, round(b.each_day * (p.last - p.first + 1), 2) as amount
    from billed b cross join today t
    join public.contracts k on k.id = b.contract_id
    cross join lateral private.billing_periods(k, t.day - 92, p_until) p
    where p.first > b.billed_to
  )
  select 'invoices', e.currency, case when e.day < t.day then t.day + (t.day - e.day) else e.day end, e.open_amount,
    format('%s, %s', e.number, e.name), e.id,
    concat_ws(' ', case when e.days is null then 'By its due date: no payment of this client is known yet.'
      else format('The client pays %s after issue.', private.count_text(e.days, 'day')) end,
      case when e.day < t.day then format('Late by %s.', private.count_text(t.day - e.day, 'day')) end)
  from expected e cross join today t
  union all
  select 'invoices_to_come', b.currency, greatest(t.day, b.last + b.after + coalesce(h.days, b.terms)), b.amount,
    format('%s, %s', c.name, private.period_text(b.first, b.last)), b.contract_id,
    format('Like the last invoices of the contract: issued %s after the period, paid %s later.',
      private.count_text(b.after, 'day'), private.count_text(coalesce(h.days, b.terms), 'day'))
  from to_bill b cross join today t
  join public.clients c on c.id = b.client_id
  left join habits h on h.client_id = b.client_id and h.currency = b.currency;
$$;

-- Pay runs until p_until, those that exist and, by the last locked run of their group and currency, those to come.
-- The day is that of their payment, as many days after the period as were usual in the last four months.
create function private.runs_ahead(p_until date)
returns table (
  pay_run_id uuid, pay_group text, currency text, period_start date, period_end date, day date, net numeric,
  unpaid numeric, income_tax numeric, nasscorp numeric, is_estimate boolean
)
language sql stable security definer set search_path = '' as $$
  with lags as materialized (
    select r.pay_group, round(avg(p.paid_on - r.period_end))::integer as days
    from public.payments p join public.pay_runs r on r.id = p.pay_run_id
    where p.paid_on >= private.company_date() - 120 group by r.pay_group
  ), last as materialized (
    select distinct on (r.pay_group, r.currency) r.id, r.pay_group, r.currency, r.period_end, r.net,
      -coalesce(s.income_tax, 0) as income_tax, -coalesce(s.nasscorp, 0) + s.employer_cost as nasscorp
    from public.pay_runs r cross join lateral private.run_sums(array[r.id]) s
    where r.status in ('locked', 'paid') and r.period_end >= private.company_date() - 62
    order by r.pay_group, r.currency, r.period_end desc
  ), known as (
    select r.*, l.net as last_net, l.income_tax as last_tax, l.nasscorp as last_nasscorp
    from public.pay_runs r left join last l on l.pay_group = r.pay_group and l.currency = r.currency
    where r.status <> 'void' and r.period_end >= private.company_date() - 120
  ), periods as (
    select k.id, k.pay_group, k.currency, k.period_start, k.period_end, k.status,
      case when k.status = 'draft' then coalesce(k.last_net, 0) else k.net end as net,
      case when k.status in ('locked', 'paid') then -coalesce(s.income_tax, 0) else coalesce(k.last_tax, 0)
        end as income_tax,
      case when k.status in ('locked', 'paid') then -coalesce(s.nasscorp, 0) + s.employer_cost
        else coalesce(k.last_nasscorp, 0) end as nasscorp
    from known k
    left join private.run_sums(array(
      select r.id from public.pay_runs r
      where r.status in ('locked', 'paid') and r.period_end >= private.company_date() - 120)) s on s.pay_run_id = k.id
    union all
    select null, l.pay_group, l.currency, lower(p.period), upper(p.period) - 1, null, l.net, l.income_tax, l.nasscorp
    from last l
    cross join lateral (
      select distinct private.pay_period(l.pay_group, d.day::date) as period
      from generate_series((l.period_end + 1)::timestamp, p_until::timestamp, '1 day') d (day)
    ) p
    where not exists (
      select from public.pay_runs r
      where r.status <> 'void' and r.pay_group = l.pay_group and r.currency = l.currency
        and daterange(r.period_start, r.period_end, '[]') && p.period
    )
  )
  select p.id, p.pay_group, p.currency, p.period_start, p.period_end,
    greatest(private.company_date(), p.period_end + coalesce(g.days, 5)), p.net,
    case when p.status in ('locked', 'paid') then coalesce((
      select sum(y.amount) from public.payments y
      where y.pay_run_id = p.id and y.status in ('to_pay', 'in_file')), 0) else p.net end,
    p.income_tax, p.nasscorp, p.status is null or p.status = 'draft'
  from periods p left join lags g on g.pay_group = p.pay_group;
$$;

-- Wages, PAYE, NASSCORP, VAT, repayments of loans and expenses, as amounts that leave.
create function private.payments_ahead(p_until date)
returns table (source text, currency text, day date, amount numeric, document text, opens uuid, reason text)
language sql stable security definer set search_path = '' as $$
  with today as materialized (
    select private.company_date() as day, date_trunc('month', private.company_date()::timestamp)::date as month
  ), runs as materialized (
    select r.* from private.runs_ahead(p_until) r
  ), kinds as (
    select k.kind, coalesce(
      (select min(q.month) from public.pay_returns q where q.kind = k.kind and q.status <> 'prepared'),
      t.month - interval '1 month')::date as first
    from (values ('paye'), ('nasscorp')) k (kind) cross join today t
  ), withheld as (
    select k.kind, date_trunc('month', r.period_end::timestamp)::date as month, r.currency,
      sum(case k.kind when 'paye' then r.income_tax else r.nasscorp end) as amount,
      bool_or(r.is_estimate) as is_estimate
    from kinds k join runs r on r.period_end >= k.first
    where not exists (
      select from public.pay_returns q
      where q.kind = k.kind and q.month = date_trunc('month', r.period_end::timestamp)::date
    )
    group by 1, 2, 3
  ), spent as (
    select 'expenses' as source, e.currency, sum(e.amount) as amount
    from today t join public.expense_reports e on e.expense_date > t.day - 91 and e.expense_date <= t.day
    group by e.currency
    union all
    select 'loans', l.currency, -sum(l.amount)
    from today t
    join public.book_entries b on b.kind = 'loan' and b.voided_at is null and b.day > t.day - 91 and b.day <= t.day
    join public.book_entry_lines l on l.entry_id = b.id and l.amount < 0
      and l.account in ('bank', 'cash', 'mobile_money')
    group by l.currency
  )
  select 'pay_runs', r.currency, r.day, r.unpaid, format('%s pay, %s', initcap(r.pay_group),
      private.period_text(r.period_start, r.period_end)), r.pay_run_id,
    case when r.is_estimate then 'Like the last locked run.' else 'Net pay that is not paid yet.' end
  from runs r where r.unpaid > 0
  union all
  select w.kind, w.currency, greatest(t.day, private.pay_return_due_on(w.month)), w.amount,
    format('%s of %s', upper(w.kind), to_char(w.month, 'FMMonth YYYY')), null,
    case when w.is_estimate then 'Like the last locked run.' else 'From the pay runs of the month.' end
  from withheld w cross join today t where w.amount > 0
  union all
  select q.kind, a.currency, greatest(t.day, private.pay_return_due_on(q.month)), a.amount,
    format('%s of %s', upper(q.kind), to_char(q.month, 'FMMonth YYYY')), null, format('The return is %s.', q.status)
  from public.pay_returns q cross join today t
  cross join lateral (values ('USD', q.due_usd), ('LRD', q.due_lrd - q.brought_forward)) a (currency, amount)
  where q.status <> 'paid' and a.amount > 0
  union all
  -- No source names the day on which VAT is due: the 21st of the next month, as it was for GST.
  select 'vat', a.currency, greatest(t.day, (v.month + interval '1 month 20 days')::date), a.amount,
    'VAT of ' || to_char(v.month, 'FMMonth YYYY'), null, 'The return is filed.'
  from public.vat_returns v cross join today t
  cross join lateral (
    values ('USD', v.output_usd - v.input_usd), ('LRD', v.output_lrd - v.input_lrd - v.brought_forward)
  ) a (currency, amount)
  where v.status = 'filed' and a.amount > 0
  union all
  select 'vat', l.currency, greatest(t.day, (date_trunc('month', l.day::timestamp) + interval '1 month 20 days')::date),
    sum(case l.box when 'input' then -l.vat else l.vat end), 'VAT of ' || to_char(min(l.day), 'FMMonth YYYY'), null,
    'From documents that no filed return has.'
  from today t cross join lateral private.vat_lines_of(t.month) l
  group by t.day, l.currency, date_trunc('month', l.day::timestamp)
  having sum(case l.box when 'input' then -l.vat else l.vat end) > 0
  union all
  select s.source, s.currency, t.day + 7 * w.week - 1, round(s.amount / private.cash_weeks(), 2),
    case s.source when 'loans' then 'Repayments of loans' else 'Expenses' end, null,
    'An average week of the last 13, from the books.'
  from spent s cross join today t cross join generate_series(1, private.cash_weeks()) w (week)
  where s.amount > 0;
$$;

-- Cash by currency: what there is today, and what is expected to come and to go, document by document. Weeks begin
-- today. What is expected after the last week has no week.
-- @returns {today, money: [{currency, …}], rows: [{currency, source, week, day, amount, document, opens, reason}]};
-- amounts are texts, below zero if they leave
create function public.cash_ahead() returns jsonb
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '64MB' as $$
declare
  today constant date := private.company_date();
  until constant date := today + 7 * private.cash_weeks() - 1;
begin
  perform private.require_billing_role();
  return (
    with ahead as (
      select r.*, 1 as sign from private.receipts_ahead(until) r
      union all
      select p.*, -1 from private.payments_ahead(until) p
    )
    select jsonb_build_object('today', today, 'weeks', private.cash_weeks(), 'money', (
        select coalesce(jsonb_agg(jsonb_build_object('currency', m.currency, 'bank', m.bank::text,
          'statements', m.statements::text, 'statements_on', m.statements_on, 'moved_since', m.moved_since::text,
          'books', m.books::text, 'cash', m.cash::text, 'mobile_money', m.mobile_money::text)
          order by m.currency desc), '[]') from private.money_today() m
      ), 'rows', coalesce(jsonb_agg(jsonb_build_object('currency', a.currency, 'source', a.source,
        'week', case when a.day <= until then (a.day - today) / 7 + 1 end, 'day', a.day,
        'amount', (a.sign * a.amount)::text, 'document', a.document, 'opens', a.opens, 'reason', a.reason)
        order by a.currency desc, a.day, a.source, a.document), '[]'))
    from ahead a
    -- What is estimated for later is left out; an invoice that is open is not.
    where a.day <= until or a.source = 'invoices'
  );
end
$$;
grant execute on function public.cash_ahead to authenticated;

-- How long clients take to pay. Of the last twelve month ends: what was owed, what was billed in the three months
-- before, and the days of billing that are owed. Of each client: what is open today, and the habit.
create function public.debtors_days() returns jsonb
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '64MB' as $$
declare
  month constant date := date_trunc('month', private.company_date()::timestamp)::date;
begin
  perform private.require_billing_role();
  return (
    with moved as materialized (
      select m.currency, m.month, sum(m.debit - m.credit) as amount
      from private.account_movements('-infinity', month - 1) m where m.key = 'receivables' group by 1, 2
    ), billed as materialized (
      select i.currency, date_trunc('month', i.issued_on::timestamp)::date as month, i.total as amount
      from public.invoices i where i.status <> 'draft' and i.issued_on >= month - interval '15 months'
      union all
      select n.currency, date_trunc('month', n.issued_on::timestamp)::date, -n.amount
      from public.credit_notes n where n.issued_on >= month - interval '15 months'
    ), months as (
      select g.month::date as month, c.currency, (
          select coalesce(sum(m.amount), 0) from moved m where m.currency = c.currency and m.month <= g.month
        ) as owed, (
          select coalesce(sum(b.amount), 0) from billed b
          where b.currency = c.currency and b.month between g.month - interval '2 months' and g.month
        ) as billed, (g.month + interval '1 month')::date - (g.month - interval '2 months')::date as days
      from generate_series(month - interval '12 months', month - interval '1 month', '1 month') g (month)
      cross join (select distinct m.currency from moved m) c
    ), owing as (
      select i.client_id, i.currency, sum(i.open_amount) as open,
        coalesce(sum(i.open_amount) filter (where i.due_on < private.company_date()), 0) as overdue,
        round(avg(i.due_on - i.issued_on))::integer as terms
      from public.invoices i where i.status in ('issued', 'part_paid') and i.open_amount > 0 group by 1, 2
    )
    select jsonb_build_object('months', (
        select coalesce(jsonb_agg(jsonb_build_object('month', m.month, 'currency', m.currency, 'owed', m.owed::text,
          'billed', m.billed::text, 'days', case when m.billed > 0 then round(m.owed * m.days / m.billed) end)
          order by m.currency desc, m.month), '[]') from months m
      ), 'clients', (
        select coalesce(jsonb_agg(jsonb_build_object('client_id', c.id, 'client', c.name, 'currency', o.currency,
          'open', o.open::text, 'overdue', o.overdue::text, 'terms', o.terms, 'habit', h.days, 'invoices', h.invoices)
          order by o.currency desc, o.overdue desc, o.open desc, c.name), '[]')
        from owing o join public.clients c on c.id = o.client_id
        left join private.payment_habits() h on h.client_id = o.client_id and h.currency = o.currency
      ))
  );
end
$$;
grant execute on function public.debtors_days to authenticated;

-- Billed and cost of each contract by month, in US dollars as the margin converts them. What a site costs is shared by
-- what each contract billed there in the month; unbilled, equally by the contracts whose posts are there; without any
-- it is of no contract. Sums of sites are those of margin() to the cent.
create function private.margin_of_contracts(p_from date, p_to date)
returns table (contract_id uuid, client_id uuid, month date, billed numeric, cost numeric)
language sql stable security definer set search_path = '' set jit = off as $$
  with facts as materialized (
    select f.* from private.margin_facts(p_from, p_to, 'USD') f
  ), billed as materialized (
    select f.contract_id, f.client_id, f.site_id, f.month, round(sum(f.billed), 2) as amount
    from facts f where f.billed is not null group by 1, 2, 3, 4
  ), costs as materialized (
    select f.site_id, f.client_id, f.month, round(coalesce(sum(f.wages), 0), 2)
      + round(coalesce(sum(f.employer), 0), 2) + round(coalesce(sum(f.direct), 0), 2) as amount
    from facts f where f.billed is null group by 1, 2, 3
  ), shares as (
    select b.site_id, b.month, b.contract_id, b.amount as weight from billed b where b.amount > 0
    union all
    select distinct c.site_id, c.month, p.contract_id, 1::numeric
    from costs c
    join public.contract_posts p on p.site_id = c.site_id and p.starts_on < c.month + interval '1 month'
      and coalesce(p.ends_on, 'infinity') >= c.month
    where not exists (
      select from billed b where b.site_id = c.site_id and b.month = c.month and b.amount > 0)
  ), summed as (
    select c.*, s.contract_id, s.weight / sum(s.weight) over w as share,
      sum(s.weight) over (w order by s.contract_id rows unbounded preceding) / sum(s.weight) over w as upto
    from costs c left join shares s on s.site_id = c.site_id and s.month = c.month
    window w as (partition by c.site_id, c.client_id, c.month)
  ), parts as (
    select b.contract_id, b.client_id, b.month, b.amount as billed, 0::numeric as cost from billed b
    union all
    -- The cent that rounding leaves goes to the last of them.
    select s.contract_id, coalesce(k.client_id, s.client_id), s.month, 0,
      case when s.contract_id is null then s.amount
        else round(s.amount * s.upto, 2) - round(s.amount * (s.upto - s.share), 2) end
    from summed s left join public.contracts k on k.id = s.contract_id
  )
  select p.contract_id, p.client_id, p.month, sum(p.billed), sum(p.cost) from parts p group by 1, 2, 3;
$$;

-- Contracts that lose money: their newest month that is both billed and paid, of the last three whole ones, costs more
-- than it bills, and they still run. `since` is the first of the months in a row that lose, as far as p_from.
create function private.losing_contracts(p_from date)
returns table (contract_id uuid, newest date, since date)
language sql stable security definer set search_path = '' as $$
  with days as (
    select date_trunc('month', private.company_date()::timestamp)::date - 1 as last
  ), sums as materialized (
    select m.contract_id, m.month, m.billed, m.cost, m.billed - m.cost as margin
    from days d cross join lateral private.margin_of_contracts(p_from, d.last) m where m.contract_id is not null
  ), newest as (
    select distinct on (s.contract_id) s.* from days d
    join sums s on s.month > d.last - interval '3 months' and s.billed > 0 and s.cost > 0
    order by s.contract_id, s.month desc
  )
  select n.contract_id, n.month, (
    select min(o.month) from sums o
    where o.contract_id = n.contract_id and o.margin < 0 and o.month > coalesce((
      select max(g.month) from sums g
      where g.contract_id = n.contract_id and g.margin >= 0 and g.month < n.month), '-infinity'))
  from newest n
  join public.contracts k on k.id = n.contract_id
  where n.margin < 0 and (k.ends_on is null or k.ends_on >= private.company_date());
$$;

-- How many contracts lose money.
create function public.count_losing_contracts() returns integer
language plpgsql stable security definer set search_path = '' set jit = off as $$
begin
  perform private.require_billing_role();
  return (
    select count(*) from private.losing_contracts(
      (date_trunc('month', private.company_date()::timestamp) - interval '3 months')::date)
  );
end
$$;
grant execute on function public.count_losing_contracts to authenticated;

-- Margin by client and contract of the last six whole months.
-- @returns {currency, first, last, contracts: [{contract_id, contract, client_id, client, newest, since, months:
-- [{month, billed, cost, margin}]}]}, the worst first; newest and since of those that lose money
create function public.contract_margins() returns jsonb
language plpgsql stable security definer set search_path = '' set statement_timeout = '30s' set work_mem = '64MB'
  set jit = off as $$
declare
  last constant date := date_trunc('month', private.company_date()::timestamp)::date - 1;
  first constant date := (date_trunc('month', last::timestamp) - interval '5 months')::date;
begin
  perform private.require_billing_role();
  return (
    with sums as materialized (
      select m.*, m.billed - m.cost as margin from private.margin_of_contracts(first, last) m
    )
    select jsonb_build_object('currency', 'USD', 'first', first, 'last', last, 'contracts', coalesce((
      select jsonb_agg(jsonb_build_object('contract_id', c.contract_id, 'contract', k.title, 'client_id', c.client_id,
        'client', n.name, 'newest', l.newest, 'since', l.since, 'months', c.months)
        order by c.margin, n.name, k.title, c.contract_id)
      from (
        select s.contract_id, s.client_id, sum(s.margin) as margin, jsonb_agg(jsonb_build_object('month', s.month,
          'billed', s.billed::text, 'cost', s.cost::text, 'margin', s.margin::text) order by s.month) as months
        from sums s group by 1, 2
      ) c
      left join private.losing_contracts(first) l on l.contract_id = c.contract_id
      left join public.contracts k on k.id = c.contract_id left join public.clients n on n.id = c.client_id
    ), '[]'))
  );
end
$$;
grant execute on function public.contract_margins to authenticated;

-- What overtime cost in locked runs of the last six whole months, by the month in which their period ends; and what
-- uncovered hours of these months cost: hours that could not be billed, at the price of an hour, and what invoices gave
-- back or took off as penalties.
-- @returns {first, last, overtime: [{month, currency, minutes, amount, gross}], gaps: [{month, currency, minutes,
-- unbilled, credited}], clients: the gaps by client}; where no contract has a price the currency is null
create function public.overtime_and_gaps() returns jsonb
language plpgsql stable security definer set search_path = '' set statement_timeout = '30s' set work_mem = '64MB'
  set jit = off as $$
declare
  last constant date := date_trunc('month', private.company_date()::timestamp)::date - 1;
  first constant date := (date_trunc('month', last::timestamp) - interval '5 months')::date;
begin
  perform private.require_billing_role();
  return (
    with runs as materialized (
      select r.id, r.currency, date_trunc('month', r.period_end::timestamp)::date as month from public.pay_runs r
      where r.status in ('locked', 'paid') and r.period_end between first and last
    ), paid as (
      select r.month, r.currency, sum(s.gross) as gross
      from runs r join public.payslips s on s.pay_run_id = r.id group by 1, 2
    ), overtime as (
      select r.month, r.currency, sum(l.amount) as amount, sum((l.source ->> 'minutes')::numeric) as minutes
      from runs r join public.payslips s on s.pay_run_id = r.id
      join public.payslip_lines l on l.payslip_id = s.id and l.kind in ('overtime_1', 'overtime_2')
      group by 1, 2
    ), uncovered as materialized (
      select g.site_id, g.day, g.uncovered_minutes as minutes, c.post, k.currency,
        coalesce(k.client_id, s.client_id) as client_id,
        case when (c.post).basis <> 'fixed' then round(g.uncovered_minutes / 60.0 * coalesce(
          private.hour_rate(k.id, (c.post).id, 'regular', g.day), 0), 2) else 0 end as unbilled
      from private.coverage_of(array(select s.id from public.sites s), first, last) g
      join public.sites s on s.id = g.site_id
      cross join lateral (select private.contract_post_on(g.site_id, g.post_id, g.day) as post offset 0) c
      left join public.contracts k on k.id = (c.post).contract_id
      where g.uncovered_minutes > 0
    ), gaps as materialized (
      select date_trunc('month', u.day::timestamp)::date as month, u.currency, u.client_id, u.minutes, u.unbilled,
        0::numeric as credited
      from uncovered u
      union all
      select date_trunc('month', lower(l.days)::timestamp)::date, i.currency, i.client_id, 0, 0, -l.amount
      from public.invoice_lines l join public.invoices i on i.id = l.invoice_id and i.status <> 'draft'
      where l.kind = 'gap_credit' and l.credited_at is null and lower(l.days) between first and last
    )
    select jsonb_build_object('first', first, 'last', last, 'overtime', (
        select coalesce(jsonb_agg(jsonb_build_object('month', p.month, 'currency', p.currency,
          'minutes', coalesce(o.minutes, 0), 'amount', coalesce(o.amount, 0)::text, 'gross', p.gross::text)
          order by p.currency desc, p.month), '[]')
        from paid p left join overtime o on o.month = p.month and o.currency = p.currency
      ), 'gaps', (
        select coalesce(jsonb_agg(to_jsonb(g) order by g.currency desc nulls last, g.month), '[]')
        from (
          select g.month, g.currency, sum(g.minutes) as minutes, sum(g.unbilled)::text as unbilled,
            sum(g.credited)::text as credited
          from gaps g group by 1, 2
        ) g
      ), 'clients', (
        select coalesce(jsonb_agg(to_jsonb(g) order by g.currency desc nulls last, g.cost desc, g.minutes desc), '[]')
        from (
          select g.client_id, c.name as client, g.currency, sum(g.minutes) as minutes,
            sum(g.unbilled)::text as unbilled, sum(g.credited)::text as credited, sum(g.unbilled + g.credited) as cost
          from gaps g left join public.clients c on c.id = g.client_id group by g.client_id, c.name, g.currency
        ) g
      ))
  );
end
$$;
grant execute on function public.overtime_and_gaps to authenticated;
