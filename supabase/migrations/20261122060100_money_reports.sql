-- What the money screens add up: expenses by month and category, and the rows behind each figure of the cashflow.
-- Both run as the caller: the policies of the tables decide.

-- One row for each month (its first day) and category that has an expense in the period.
create function public.expense_totals(p_from date, p_to date)
returns table (month date, category text, total numeric)
language sql stable set search_path = '' as $$
  select date_trunc('month', e.expense_date)::date, e.category, sum(e.amount)
  from public.expense_reports e
  where e.expense_date between p_from and p_to
  group by 1, 2
  order by 1, 2;
$$;

-- The rows that make up one figure of cashflow(): inflows, outflows, bank_balance or loan_balance.
create function public.cashflow_entries(p_currency text, p_figure text)
returns table (source text, id uuid, title text, at date, amount numeric)
language sql stable set search_path = '' as $$
  select 'Bank account', b.id, b.bank_name || ', ' || b.account_title, b.statement_period_end,
    case when p_figure = 'bank_balance' and b.balance_type = 'Dr' then -1 else 1 end * coalesce(b.current_balance, 0)
  from public.bank_accounts b
  where b.currency = p_currency
    and (p_figure = 'bank_balance'
      or (p_figure = 'inflows' and b.balance_type = 'Cr')
      or (p_figure = 'outflows' and b.balance_type = 'Dr'))
  union all
  select 'Loan account', l.id, l.bank_name || ', ' || l.account_title, l.statement_period_end,
    case p_figure
      when 'inflows' then coalesce(l.total_credit, 0)
      when 'outflows' then coalesce(l.total_debit, 0)
      else coalesce(l.current_balance, 0)
    end
  from public.loans l
  where l.currency = p_currency and p_figure in ('inflows', 'outflows', 'loan_balance')
  union all
  select 'Financial statement', f.id, f.title, f.period_end,
    case p_figure when 'inflows' then coalesce(f.total_revenue, 0) else coalesce(f.total_expenses, 0) end
  from public.financial_statements f
  where p_currency = 'USD' and p_figure in ('inflows', 'outflows')
  union all
  select 'Expense', e.id, e.title, e.expense_date, e.amount
  from public.expense_reports e
  where p_currency = 'USD' and p_figure = 'outflows';
$$;

revoke all on function public.expense_totals(date, date), public.cashflow_entries(text, text) from public, anon;
grant execute on function public.expense_totals(date, date), public.cashflow_entries(text, text) to authenticated;
