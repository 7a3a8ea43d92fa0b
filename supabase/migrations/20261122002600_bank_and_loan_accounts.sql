-- Bank accounts and loan accounts, each in its own currency, and the cashflow; admins only.
create table public.bank_accounts (
  id uuid primary key default gen_random_uuid(),
  account_number text not null check (char_length(account_number) <= 100),
  account_title text not null check (char_length(account_title) <= 200),
  bank_name text not null check (char_length(bank_name) <= 200),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  current_balance numeric(14, 2) check (current_balance between -999999999999.99 and 999999999999.99),
  balance_type text not null default 'Dr' check (balance_type in ('Dr', 'Cr')),
  statement_period_start date,
  statement_period_end date,
  address text check (char_length(address) <= 500),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'INACTIVE', 'CLOSED')),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bank_accounts_period_end_not_before_start check (statement_period_end >= statement_period_start)
);

-- One record per statement of an account; refuses a repeated import.
create unique index bank_accounts_statement_key on public.bank_accounts
  (lower(bank_name), account_number, currency, statement_period_start, statement_period_end) nulls not distinct;
create index bank_accounts_created_at_idx on public.bank_accounts (created_at desc);
create index bank_accounts_bank_name_idx on public.bank_accounts (bank_name);
create index bank_accounts_created_by_idx on public.bank_accounts (created_by);

select private.tidy_texts_of('public.bank_accounts',
  'account_number', 'account_title', 'bank_name', 'address', 'notes');
create trigger b_author before insert or update on public.bank_accounts
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.bank_accounts
  for each row execute function private.touch();
select private.keep_history_of('public.bank_accounts');

alter table public.bank_accounts enable row level security;
revoke all on public.bank_accounts from anon, authenticated;
grant select, insert, update, delete on public.bank_accounts to authenticated;

create policy "Admins read bank accounts" on public.bank_accounts
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add bank accounts" on public.bank_accounts
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change bank accounts" on public.bank_accounts
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete bank accounts" on public.bank_accounts
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.bank_accounts;

create table public.loans (
  id uuid primary key default gen_random_uuid(),
  loan_account_number text not null check (char_length(loan_account_number) <= 100),
  account_title text not null check (char_length(account_title) <= 200),
  bank_name text not null check (char_length(bank_name) <= 200),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  opening_balance numeric(14, 2) check (opening_balance between -999999999999.99 and 999999999999.99),
  current_balance numeric(14, 2) check (current_balance between -999999999999.99 and 999999999999.99),
  total_debit numeric(14, 2) check (total_debit between -999999999999.99 and 999999999999.99),
  total_credit numeric(14, 2) check (total_credit between -999999999999.99 and 999999999999.99),
  statement_period_start date,
  statement_period_end date,
  account_type text default 'CURRENT' check (char_length(account_type) <= 100),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'CLOSED', 'PAID_OFF')),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint loans_period_end_not_before_start check (statement_period_end >= statement_period_start)
);

create unique index loans_statement_key on public.loans
  (lower(bank_name), loan_account_number, currency, statement_period_start, statement_period_end) nulls not distinct;
create index loans_created_at_idx on public.loans (created_at desc);
create index loans_created_by_idx on public.loans (created_by);

select private.tidy_texts_of('public.loans',
  'loan_account_number', 'account_title', 'bank_name', 'account_type', 'notes');
create trigger b_author before insert or update on public.loans
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.loans
  for each row execute function private.touch();
select private.keep_history_of('public.loans');

alter table public.loans enable row level security;
revoke all on public.loans from anon, authenticated;
grant select, insert, update, delete on public.loans to authenticated;

create policy "Admins read loans" on public.loans
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add loans" on public.loans
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change loans" on public.loans
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete loans" on public.loans
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.loans;

-- Inflows, outflows and balances per currency. Statements and expenses count as USD. Runs as the caller: without access
-- to the accounts it returns no rows.
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

revoke all on function public.cashflow, public.cashflow_entries from public, anon;
grant execute on function public.cashflow, public.cashflow_entries to authenticated;
