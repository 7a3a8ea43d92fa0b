-- Bank accounts and loan accounts, each in its own currency; admins only.
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

-- One record for each statement of an account; a repeated import is refused.
create unique index bank_accounts_statement_key on public.bank_accounts
  (lower(bank_name), account_number, currency, statement_period_start, statement_period_end) nulls not distinct;
create index bank_accounts_created_at_idx on public.bank_accounts (created_at desc);
create index bank_accounts_bank_name_idx on public.bank_accounts (bank_name);
create index bank_accounts_created_by_idx on public.bank_accounts (created_by);

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

select private.tidy_texts_of('public.bank_accounts', 'account_number', 'account_title', 'bank_name', 'address', 'notes');
create trigger b_author before insert or update on public.bank_accounts
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.bank_accounts
  for each row execute function private.touch();
select private.tidy_texts_of('public.loans', 'loan_account_number', 'account_title', 'bank_name', 'account_type', 'notes');
create trigger b_author before insert or update on public.loans
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.loans
  for each row execute function private.touch();
select private.keep_history_of('public.bank_accounts');
select private.keep_history_of('public.loans');

alter table public.bank_accounts enable row level security;
alter table public.loans enable row level security;
revoke all on public.bank_accounts, public.loans from anon, authenticated;
grant select, insert, update, delete on public.bank_accounts, public.loans to authenticated;

create policy "Admins read bank accounts" on public.bank_accounts
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add bank accounts" on public.bank_accounts
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change bank accounts" on public.bank_accounts
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete bank accounts" on public.bank_accounts
  for delete to authenticated using ((select private.has_role('admin')));

create policy "Admins read loans" on public.loans
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add loans" on public.loans
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change loans" on public.loans
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete loans" on public.loans
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.bank_accounts, public.loans;
