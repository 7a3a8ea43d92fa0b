-- Counts and totals that a screen needs in one call.

-- A day of the company as an interval; the zone is the company's, never the browser's or the server's.
create function private.company_day(at timestamptz) returns tstzrange
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  day timestamp := date_trunc('day', at at time zone zone);
begin
  return tstzrange(day at time zone zone, (day + interval '1 day') at time zone zone);
end
$$;
revoke all on function private.company_day(timestamptz) from public;
grant execute on function private.company_day(timestamptz) to authenticated;

-- The six cards of the dashboard. Definer, because it counts staff for people who may not read staff records;
-- a supervisor scoped to a site gets the figures of that site.
create function public.dashboard_figures() returns table (
  todays_shifts integer,
  active_incidents integer,
  attendance_issues integer,
  expiring_certifications integer,
  active_staff integer,
  active_sites integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  everywhere boolean := private.has_role('admin', 'ops_manager', 'supervisor');
  own_sites uuid[] := private.supervised_sites();
  today tstzrange := private.company_day(now());
begin
  if not everywhere and own_sites = '{}' then
    raise exception 'The dashboard is for admins, operations managers and supervisors.'
      using errcode = 'insufficient_privilege';
  end if;
  return query select
    (select count(*)::integer from public.shifts s
      where s.start_time >= lower(today) and s.start_time < upper(today)
        and (everywhere or s.site_id = any (own_sites))),
    (select count(*)::integer from public.incidents i
      where i.status in ('open', 'investigating') and (everywhere or i.site_id = any (own_sites))),
    (select count(*)::integer from public.assignments a
      where a.attendance_state <> 'out' and a.status <> 'cancelled' and a.starts_at <= now()
        and (a.attendance_state = 'none' or upper(a.period) <= now())
        and (everywhere or a.site_id = any (own_sites))),
    (select count(*)::integer from public.certifications c
      where c.expires_at >= now() and c.expires_at <= now() + interval '30 days'
        and (everywhere or exists (
          select from public.assignments a where a.user_id = c.user_id and a.site_id = any (own_sites)
        ))),
    (select count(*)::integer from public.staff s where s.status = 'active'),
    (select count(*)::integer from public.sites s where everywhere or s.id = any (own_sites));
end
$$;

-- Inflows, outflows and balances by currency, over every currency seen. Statements and expenses count as USD.
-- Callers without access to the accounts get no rows: row-level security decides.
create function public.cashflow() returns table (
  currency text,
  inflows numeric,
  outflows numeric,
  net numeric,
  bank_balance numeric,
  loan_balance numeric
)
language sql stable set search_path = '' as $$
  with movement as (
    select b.currency,
      case when b.balance_type = 'Cr' then coalesce(b.current_balance, 0) else 0 end as inflow,
      case when b.balance_type = 'Dr' then coalesce(b.current_balance, 0) else 0 end as outflow,
      case b.balance_type when 'Cr' then 1 else -1 end * coalesce(b.current_balance, 0) as bank,
      0::numeric as loan
    from public.bank_accounts b
    union all
    select l.currency, coalesce(l.total_credit, 0), coalesce(l.total_debit, 0), 0, coalesce(l.current_balance, 0)
    from public.loans l
    union all
    select 'USD', coalesce(f.total_revenue, 0), coalesce(f.total_expenses, 0), 0, 0
    from public.financial_statements f
    union all
    select 'USD', 0, e.amount, 0, 0 from public.expense_reports e
  )
  select m.currency, sum(m.inflow), sum(m.outflow), sum(m.inflow) - sum(m.outflow), sum(m.bank), sum(m.loan)
  from movement m
  group by m.currency
  order by m.currency;
$$;

-- Count, guards and monthly revenue of all clients.
create function public.client_totals() returns table (
  client_count integer,
  total_guards integer,
  monthly_revenue numeric
)
language sql stable set search_path = '' as $$
  select count(*)::integer, coalesce(sum(c.number_of_guards), 0)::integer, coalesce(sum(c.monthly_rate), 0)
  from public.clients c;
$$;

revoke all on function public.dashboard_figures(), public.cashflow(), public.client_totals() from public, anon;
grant execute on function public.dashboard_figures(), public.cashflow(), public.client_totals() to authenticated;
