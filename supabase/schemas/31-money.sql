-- Expenses, statements, bank accounts, loans, the chart of accounts, closing dates, the dashboard.

-- ── Tables ────────────────────────────────────────────────────────────

-- Bank accounts of the company, each in its own currency; admins only.
create table public.bank_accounts (
  id uuid default gen_random_uuid() primary key,
  account_number text not null check (char_length(account_number) <= 100),
  account_title text not null check (char_length(account_title) <= 200),
  bank_name text not null check (char_length(bank_name) <= 200),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  current_balance numeric(14,2) check (current_balance between 0 and 999999999999.99),
  balance_type text not null default 'Dr' check (balance_type in ('Dr', 'Cr')),
  statement_period_start date,
  statement_period_end date,
  address text check (char_length(address) <= 500),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'INACTIVE', 'CLOSED')),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bank_accounts_period_end_not_before_start check (statement_period_end >= statement_period_start)
);
-- One record per statement of an account; refuses a repeated import.
create unique index bank_accounts_statement_key
  on public.bank_accounts (lower(bank_name), account_number, currency, statement_period_start,
    statement_period_end) nulls not distinct;
create index bank_accounts_created_at_idx on public.bank_accounts (created_at desc);
create index bank_accounts_bank_name_idx on public.bank_accounts (bank_name);
create index bank_accounts_created_by_idx on public.bank_accounts (created_by);
alter publication supabase_realtime add table public.bank_accounts;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.bank_accounts',
  'account_number', 'account_title', 'bank_name', 'address', 'notes');
create trigger b_author before insert or update on public.bank_accounts
  for each row execute function private.stamp_author();
create trigger c_has_receipts before delete on public.bank_accounts
  for each row
  execute function private.refuse_while_used('receipts', 'bank_account_id',
    'Clients have paid to this bank account, so it can''t be deleted. Set the status to closed instead.',
    'bank_imports', 'bank_account_id',
    'Statements of this bank account are imported, so it can''t be deleted. Set the status to closed instead.');
create trigger c_has_refunds before delete on public.bank_accounts
  for each row
  execute function private.refuse_while_used('refunds', 'bank_account_id',
    'Clients were refunded from this bank account, so it can''t be deleted. Set the status to closed instead.');
create trigger d_touch before update on public.bank_accounts for each row execute function private.touch();
create trigger z_currency after update on public.bank_accounts
  for each row when (old.currency <> new.currency) execute function private.keep_bank_currency();
select private.keep_history_of('public.bank_accounts');
alter table public.bank_accounts enable row level security;
grant select, insert, update, delete on public.bank_accounts to authenticated;
create policy "Admins and finance read bank accounts" on public.bank_accounts for select to authenticated
  using ((select private.has_role('admin', 'finance')));
create policy "Admins and finance add bank accounts" on public.bank_accounts for insert to authenticated
  with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance change bank accounts" on public.bank_accounts for update to authenticated
  using ((select private.has_role('admin', 'finance'))) with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance delete bank accounts" on public.bank_accounts for delete to authenticated
  using ((select private.has_role('admin', 'finance')));

-- The date in force. Every posting share-locks the row until it commits, so a closing waits for postings under way, and
-- a posting that waited for a closing sees it.
create table private.books (
  only_row boolean default true primary key check (only_row),
  closed_to date -- Null before the first closing.
);

insert into private.books default values;
alter table private.books enable row level security;

create table public.book_closings (
  id uuid default gen_random_uuid() primary key,
  kind text not null check (kind in ('close', 'reopen')),
  -- The last closed day once this is in force; null when every day is reopened.
  closed_to date check (closed_to between '1900-01-01' and '2199-12-31'),
  reason text check (char_length(reason) between 1 and 500), -- Why the books are reopened.
  status text not null default 'in_force' check (status in ('asked', 'in_force', 'declined')),
  requested_by uuid default auth.uid() references public.profiles on delete set null,
  requested_at timestamptz not null default now(),
  decided_by uuid references public.profiles on delete set null, -- The admin who approved or declined the reopening.
  decided_at timestamptz,
  constraint book_closings_reopening check ((kind = 'reopen') = (reason is not null)
    and (kind = 'reopen' or closed_to is not null and status = 'in_force')),
  constraint book_closings_decided check ((kind = 'reopen' and status <> 'asked') = (decided_at is not null)),
  constraint book_closings_two_people check (status <> 'in_force' or decided_by <> requested_by)
);
create unique index book_closings_one_asked on public.book_closings (status) where status = 'asked';
create index book_closings_requested_at_idx on public.book_closings (requested_at desc);
create index book_closings_requested_by_idx on public.book_closings (requested_by);
create index book_closings_decided_by_idx on public.book_closings (decided_by);
alter publication supabase_realtime add table public.book_closings;
-- Triggers, in the order in which they fire:
create trigger z_notify after insert on public.book_closings
  for each row when (new.status = 'asked') execute function private.notify_of_reopening();
select private.keep_history_of('public.book_closings');
alter table public.book_closings enable row level security;
revoke all on public.book_closings from service_role;
grant select on public.book_closings to authenticated, service_role;
create policy "Admins and finance read closings of the books" on public.book_closings for select to authenticated
  using ((select private.may_bill()));

-- Which account each kind of amount is booked to. The keys are fixed; codes and names are the company's.
create table public.chart_of_accounts (
  id uuid default gen_random_uuid() primary key,
  key text not null unique
    check (key in ('receivables', 'revenue', 'tax_payable', 'vat_input', 'bank', 'cash', 'mobile_money', 'wages',
      'employer_contributions', 'income_tax_payable', 'nasscorp_payable', 'wages_payable', 'staff_advances',
      'other_deductions', 'expense_operations', 'expense_payroll', 'expense_equipment', 'expense_training',
      'expense_transport', 'expense_utilities', 'expense_other', 'tax_withheld', 'written_off', 'equity',
      'loans_payable', 'interest', 'exchange', 'exchange_gains')),
  code text not null check (char_length(code) between 1 and 20),
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Which part of the statements it is in. What is not named costs something.
  kind text generated always as (case
    when key in ('bank', 'cash', 'mobile_money', 'receivables', 'staff_advances', 'vat_input', 'tax_withheld',
      'exchange') then 'asset'
    when key in ('tax_payable', 'income_tax_payable', 'nasscorp_payable', 'wages_payable', 'other_deductions',
      'loans_payable') then 'liability'
    when key = 'equity' then 'equity'
    when key in ('revenue', 'exchange_gains') then 'income'
    else 'expense' end) stored not null check (kind in ('asset', 'liability', 'equity', 'income', 'expense'))
);

insert into public.chart_of_accounts (key, code, name) values
  ('bank', '1000', 'Bank'),
  ('cash', '1010', 'Cash'),
  ('equity', '3000', 'Capital and opening balances'),
  ('exchange', '1900', 'Money exchanged'),
  ('exchange_gains', '4900', 'Gains and losses of exchange'),
  ('interest', '5210', 'Interest and bank charges'),
  ('loans_payable', '2300', 'Loans'),
  ('employer_contributions', '5010', 'Social security of the employer'),
  ('expense_equipment', '5120', 'Equipment'),
  ('expense_operations', '5100', 'Operations'),
  ('expense_other', '5190', 'Other expenses'),
  ('expense_payroll', '5110', 'Costs of staff'),
  ('expense_training', '5130', 'Training'),
  ('expense_transport', '5140', 'Transport'),
  ('expense_utilities', '5150', 'Utilities'),
  ('income_tax_payable', '2100', 'Income tax withheld'),
  ('mobile_money', '1020', 'Mobile money'),
  ('nasscorp_payable', '2110', 'NASSCORP payable'),
  ('other_deductions', '2210', 'Deductions from pay payable'),
  ('receivables', '1100', 'Accounts receivable'),
  ('revenue', '4000', 'Security services'),
  ('staff_advances', '1200', 'Advances and loans to staff'),
  ('tax_payable', '2120', 'Tax on sales payable'),
  ('tax_withheld', '1310', 'Tax withheld by clients'),
  ('vat_input', '1300', 'VAT on purchases'),
  ('wages_payable', '2200', 'Wages payable'), ('wages', '5000', 'Wages'),
  ('written_off', '5200', 'Differences written off');
alter publication supabase_realtime add table public.chart_of_accounts;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.chart_of_accounts', 'code', 'name');
create trigger c_rules before update or delete on public.chart_of_accounts
  for each row execute function private.keep_account_key();
create trigger d_touch before update on public.chart_of_accounts for each row execute function private.touch();
select private.keep_history_of('public.chart_of_accounts');
alter table public.chart_of_accounts enable row level security;
grant select, update (code, name) on public.chart_of_accounts to authenticated;
create policy "Admins and finance read the chart of accounts" on public.chart_of_accounts
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance change the chart of accounts" on public.chart_of_accounts
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));

create table public.expense_reports (
  id uuid default gen_random_uuid() primary key,
  title text not null check (char_length(title) between 3 and 200),
  amount numeric(14,2) not null check (amount between 0.01 and 999999999999.99),
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  category text not null
    check (category in ('operations', 'payroll', 'equipment', 'training', 'transport', 'utilities', 'other')),
  expense_date date not null,
  report_type text not null check (report_type in ('daily', 'monthly')),
  notes text check (char_length(notes) <= 1000),
  receipt_path text,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- An expense may belong to a site, for example uniforms or transport for its guards: a direct cost in the margin.
  site_id uuid references public.sites on delete set null,
  supplier text check (char_length(supplier) <= 200),
  supplier_tin text check (char_length(supplier_tin) <= 40),
  -- Part of the amount, and claimed from the tax office. Zero where it is not claimed.
  vat_amount numeric(14,2) not null default 0 check (vat_amount between 0 and 999999999999.99),
  paid_from text not null default 'bank' check (paid_from in ('bank', 'cash', 'mobile_money')),
  constraint expense_reports_vat_below_amount check (vat_amount < amount),
  constraint expense_reports_vat_has_supplier check (vat_amount = 0 or supplier is not null),
  -- Null would pass the check, so a path of another shape must not give null.
  constraint expense_reports_receipt_belongs_to_expense check (receipt_path is null
    or char_length(receipt_path) <= 1000 and coalesce(private.record_of_file(receipt_path) = id, false))
);
comment on column public.expense_reports.receipt_path is 'Path in bucket receipts: <expense id>/<file name>';
comment on column public.expense_reports.site_id is 'Site whose direct cost it is; null for the company''s';
create index expense_reports_expense_date_idx on public.expense_reports (expense_date desc);
create index expense_reports_created_by_idx on public.expense_reports (created_by);
create index expense_reports_site_id_idx on public.expense_reports (site_id, expense_date);
create index expense_reports_of_sites_idx on public.expense_reports (expense_date, site_id)
  include (amount, currency) where site_id is not null;
alter publication supabase_realtime add table public.expense_reports;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.expense_reports',
  'title', 'notes', 'receipt_path', 'supplier', 'supplier_tin');
create trigger b_author before insert or update on public.expense_reports
  for each row execute function private.stamp_author();
create trigger b_day before insert or update of expense_date on public.expense_reports
  for each row execute function private.check_money_day('expense_date', 'The date of an expense', '1');
create trigger c_vat before insert or update of vat_amount, expense_date on public.expense_reports
  for each row when (new.vat_amount > 0) execute function private.require_registered_expense();
create trigger c_vat_filed before update or delete on public.expense_reports
  for each row execute function private.keep_filed_expense();
create trigger d_touch before update on public.expense_reports for each row execute function private.touch();
-- Deleting a site clears site_id.
create trigger y_books after update on public.expense_reports
  for each row when ( (old.title, old.amount, old.category, old.expense_date, old.report_type, old.notes,
      old.receipt_path, old.supplier, old.supplier_tin, old.vat_amount, old.paid_from, old.currency)
      is distinct from (new.title, new.amount, new.category, new.expense_date, new.report_type, new.notes,
      new.receipt_path, new.supplier, new.supplier_tin, new.vat_amount, new.paid_from, new.currency)
      or new.site_id is not null and old.site_id is distinct from new.site_id)
  execute function private.keep_closed_books('expense_date');
create trigger y_books_of_deleted after delete on public.expense_reports
  for each row execute function private.keep_closed_books('expense_date');
create trigger y_books_of_new after insert on public.expense_reports
  for each row execute function private.keep_closed_books('expense_date');
select private.keep_history_of('public.expense_reports');
create trigger z_bank after update on public.expense_reports referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('expense');
create trigger z_bank_of_deleted after delete on public.expense_reports referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('expense');
alter table public.expense_reports enable row level security;
grant select, insert, update, delete on public.expense_reports to authenticated;
create policy "Admins and finance read expense reports" on public.expense_reports for select to authenticated
  using ((select private.has_role('admin', 'finance')));
create policy "Admins and finance add expense reports" on public.expense_reports for insert to authenticated
  with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance change expense reports" on public.expense_reports for update to authenticated
  using ((select private.has_role('admin', 'finance'))) with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance delete expense reports" on public.expense_reports for delete to authenticated
  using ((select private.has_role('admin', 'finance')));

-- Financial statements in USD; admins only.
create table public.financial_statements (
  id uuid default gen_random_uuid() primary key,
  title text not null check (char_length(title) between 3 and 200),
  period_start date not null,
  period_end date not null,
  total_revenue numeric(14,2) check (total_revenue between 0 and 999999999999.99),
  total_expenses numeric(14,2) check (total_expenses between 0 and 999999999999.99),
  net_profit numeric(14,2),
  notes text check (char_length(notes) <= 1000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint financial_statements_period_end_not_before_start check (period_end >= period_start)
);
comment on column public.financial_statements.net_profit is 'Derived: revenue minus expenses when both are present';
-- Refuses a repeated import.
create unique index financial_statements_title_period_key
  on public.financial_statements (lower(title), period_start, period_end);
create index financial_statements_period_start_idx on public.financial_statements (period_start desc);
create index financial_statements_created_by_idx on public.financial_statements (created_by);
alter publication supabase_realtime add table public.financial_statements;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.financial_statements', 'title', 'notes');
create trigger b_author before insert or update on public.financial_statements
  for each row execute function private.stamp_author();
create trigger b_first_day before insert or update of period_start on public.financial_statements
  for each row execute function private.check_money_day('period_start', 'The start date', '366');
-- Of the running year, which a statement can cover before it ends.
create trigger b_last_day before insert or update of period_end on public.financial_statements
  for each row execute function private.check_money_day('period_end', 'The end date', '366');
create trigger c_rules before insert or update on public.financial_statements
  for each row execute function private.derive_net_profit();
create trigger d_touch before update on public.financial_statements for each row execute function private.touch();
create trigger y_books after update on public.financial_statements
  for each row when ( (old.title, old.period_start, old.period_end, old.total_revenue, old.total_expenses,
      old.notes) is distinct from (new.title, new.period_start, new.period_end, new.total_revenue, new.total_expenses,
      new.notes))
  execute function private.keep_closed_books('period_end');
create trigger y_books_of_deleted after delete on public.financial_statements
  for each row execute function private.keep_closed_books('period_end');
create trigger y_books_of_new after insert on public.financial_statements
  for each row execute function private.keep_closed_books('period_end');
select private.keep_history_of('public.financial_statements');
alter table public.financial_statements enable row level security;
grant select, insert, update, delete on public.financial_statements to authenticated;
create policy "Admins and finance read financial statements" on public.financial_statements for select to authenticated
  using ((select private.has_role('admin', 'finance')));
create policy "Admins and finance add financial statements" on public.financial_statements for insert to authenticated
  with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance change financial statements" on public.financial_statements for update
  to authenticated
  using ((select private.has_role('admin', 'finance'))) with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance delete financial statements" on public.financial_statements for delete
  to authenticated
  using ((select private.has_role('admin', 'finance')));

create table public.loans (
  id uuid default gen_random_uuid() primary key,
  loan_account_number text not null check (char_length(loan_account_number) <= 100),
  account_title text not null check (char_length(account_title) <= 200),
  bank_name text not null check (char_length(bank_name) <= 200),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  opening_balance numeric(14,2) check (opening_balance between 0 and 999999999999.99),
  current_balance numeric(14,2) check (current_balance between 0 and 999999999999.99),
  total_debit numeric(14,2) check (total_debit between 0 and 999999999999.99),
  total_credit numeric(14,2) check (total_credit between 0 and 999999999999.99),
  statement_period_start date,
  statement_period_end date,
  account_type text default 'CURRENT' check (char_length(account_type) <= 100),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'CLOSED', 'PAID_OFF')),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint loans_period_end_not_before_start check (statement_period_end >= statement_period_start)
);
create unique index loans_statement_key
  on public.loans (lower(bank_name), loan_account_number, currency, statement_period_start,
    statement_period_end) nulls not distinct;
create index loans_created_at_idx on public.loans (created_at desc);
create index loans_created_by_idx on public.loans (created_by);
alter publication supabase_realtime add table public.loans;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.loans',
  'loan_account_number', 'account_title', 'bank_name', 'account_type', 'notes');
create trigger b_author before insert or update on public.loans for each row execute function private.stamp_author();
create trigger d_touch before update on public.loans for each row execute function private.touch();
select private.keep_history_of('public.loans');
alter table public.loans enable row level security;
grant select, insert, update, delete on public.loans to authenticated;
create policy "Admins and finance read loans" on public.loans for select to authenticated
  using ((select private.has_role('admin', 'finance')));
create policy "Admins and finance add loans" on public.loans for insert to authenticated
  with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance change loans" on public.loans for update to authenticated
  using ((select private.has_role('admin', 'finance'))) with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance delete loans" on public.loans for delete to authenticated
  using ((select private.has_role('admin', 'finance')));

-- ── Accounts and files of the services ────────────────────────────────

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('receipts', 'receipts', false, 10 * 1024 * 1024, array[
  'image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/heic', 'image/heif', 'image/avif', 'application/pdf',
  'text/plain', 'text/csv'
])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
create policy "Admins and finance read receipts" on storage.objects for select to authenticated
  using (bucket_id = 'receipts' and (select private.has_role('admin', 'finance')));
create policy "Admins and finance add receipts and documents of filings" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'receipts' and (select private.has_role('admin', 'finance'))
    and private.may_have_document(private.record_of_file(objects.name)));
create policy "Admins and finance replace receipts" on storage.objects for update to authenticated
  using (bucket_id = 'receipts' and (select private.has_role('admin', 'finance')))
  with check (bucket_id = 'receipts' and (select private.has_role('admin', 'finance'))
    and private.may_have_document(private.record_of_file(objects.name)));
create policy "Admins and finance remove receipts" on storage.objects for delete to authenticated
  using (bucket_id = 'receipts' and (select private.has_role('admin', 'finance')));

-- ── Functions ─────────────────────────────────────────────────────────

create function private.derive_net_profit() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.net_profit := new.total_revenue - new.total_expenses;
  return new;
end
$$;

-- Refuses rows of closed days. Its arguments are the columns that date a row in the books: days, or moments (…_at).
create function private.keep_closed_books() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  earliest date;
  closed date;
begin
  select min(case when d.name like '%\_at' then private.company_date_of((r.content ->> d.name)::timestamptz)
    else (r.content ->> d.name)::date end) into earliest
  from unnest(array[
    case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end
  ]) r (content), unnest(tg_argv) d (name);
  if earliest is null then
    return null;
  end if;
  select b.closed_to into closed from private.books b for share;
  if earliest <= closed then
    raise exception 'The books are closed up to %. Choose a later day, or ask to reopen them in Accounting.',
      private.day_name(closed) using errcode = 'PT409';
  end if;
  return null;
end
$$;

-- A text that explains a step that can't be undone.
create function private.require_reason(p_reason text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  why text := nullif(btrim(p_reason), '');
begin
  if why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  return why;
end
$$;

-- p_to: the last day that stays closed; null reopens every day.
create function public.ask_to_reopen_books(p_reason text, p_to date default null) returns public.book_closings
language plpgsql security definer set search_path = '' as $$
declare
  closed date;
  why text;
  closing public.book_closings;
begin
  perform private.require_billing_role();
  why := private.require_reason(p_reason);
  select b.closed_to into closed from private.books b for update;
  if closed is null then
    raise exception 'The books are not closed.' using errcode = 'PT409';
  end if;
  if p_to is not null then
    perform private.require_day(p_to, 'day');
    if p_to >= closed then
      raise exception 'The books are closed up to %. Choose an earlier day to reopen them.', private.day_name(closed)
        using errcode = 'check_violation';
    end if;
  end if;
  if exists (select from public.book_closings c where c.status = 'asked') then
    raise exception 'Someone has asked to reopen the books already.' using errcode = 'PT409';
  end if;
  insert into public.book_closings (kind, closed_to, reason, status) values ('reopen', p_to, why, 'asked')
  returning * into closing;
  return closing;
end
$$;
grant execute on function public.ask_to_reopen_books to authenticated;

-- As before; expenses are summed before they are added to accounts and loans.
create function public.cashflow()
returns table (
  currency text, inflows numeric, outflows numeric, net numeric, bank_balance numeric, loan_balance numeric
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
    select e.currency, 0, sum(e.amount), 0, 0 from public.expense_reports e group by e.currency
  )
  select m.currency, sum(m.inflow), sum(m.outflow), sum(m.inflow) - sum(m.outflow), sum(m.bank), sum(m.loan)
  from movement m group by m.currency order by m.currency;
$$;
grant execute on function public.cashflow to authenticated;

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
  from public.expense_reports e where e.currency = p_currency and p_figure = 'outflows';
$$;
grant execute on function public.cashflow_entries to authenticated;

create function public.close_books(p_to date) returns public.book_closings
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.company_date();
  closed date;
  closing public.book_closings;
begin
  perform private.require_billing_role();
  perform private.require_day(p_to, 'closing day');
  select b.closed_to into closed from private.books b for update;
  -- Today's documents are still to come.
  if p_to >= today then
    raise exception 'The books can be closed up to yesterday, % at the latest.', private.day_name(today - 1)
      using errcode = 'check_violation';
  end if;
  if p_to <= closed then
    raise exception 'The books are closed up to % already. Choose a later day, or ask to reopen them.',
      private.day_name(closed) using errcode = 'PT409';
  end if;
  if exists (select from public.book_closings c where c.status = 'asked') then
    raise exception 'Someone has asked to reopen the books. Decide that first.' using errcode = 'PT409';
  end if;
  update private.books b set closed_to = p_to where b.only_row;
  insert into public.book_closings (kind, closed_to) values ('close', p_to) returning * into closing;
  return closing;
end
$$;
grant execute on function public.close_books to authenticated;

-- p_approve false declines it, which also withdraws one's own request.
create function public.decide_reopening(p_id uuid, p_approve boolean) returns public.book_closings
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  closed date;
  closing public.book_closings;
begin
  perform private.require_billing_role();
  if p_approve is null then
    raise exception 'Approve or decline the request.' using errcode = 'invalid_parameter_value';
  end if;
  select b.closed_to into closed from private.books b for update;
  select c.* into closing from public.book_closings c where c.id = p_id;
  if not found then
    raise exception 'This request no longer exists.' using errcode = 'PT404';
  end if;
  if closing.status <> 'asked' then
    raise exception 'Someone has already decided this request.' using errcode = 'PT409';
  end if;
  if p_approve then
    if closing.requested_by is not distinct from me then
      raise exception 'Someone else must approve it: you asked to reopen the books.'
        using errcode = 'insufficient_privilege';
    end if;
    -- Of the days in question, since they were reopened last.
    if exists (
      select from public.book_closings c
      where c.kind = 'close' and c.requested_by is not distinct from me
        and (closing.closed_to is null or c.closed_to > closing.closed_to)
        and not exists (
          select from public.book_closings r
          where r.kind = 'reopen' and r.status = 'in_force' and r.decided_at >= c.requested_at
            and (r.closed_to is null or r.closed_to < c.closed_to)
        )
    ) then
      raise exception 'Someone else must approve it: you closed the books.' using errcode = 'insufficient_privilege';
    end if;
    update private.books b set closed_to = closing.closed_to where b.only_row;
  end if;
  update public.book_closings c
  set status = case when p_approve then 'in_force' else 'declined' end, decided_by = me, decided_at = now()
  where c.id = closing.id returning * into closing;
  return closing;
end
$$;
grant execute on function public.decide_reopening to authenticated;

-- Expenses of a period by currency, month (its first day) and category. Runs as the caller: the policies decide.
create function public.expense_totals(p_from date, p_to date)
returns table (month date, category text, total numeric, currency text)
language sql stable set search_path = '' as $$
  select private.require_day(p_from, 'first day'), private.require_day(p_to, 'last day');
  select private.require_period(private.company_midnight(p_from), private.company_midnight(p_to));
  select date_trunc('month', e.expense_date)::date, e.category, sum(e.amount), e.currency
  from public.expense_reports e where e.expense_date between p_from and p_to group by 1, 2, 4 order by 4 desc, 1, 2;
$$;
grant execute on function public.expense_totals to authenticated;

-- Every entry of the books. `opens` is what its document is opened by: an invoice, the client of a receipt, a pay run,
-- an expense, a return of VAT, the page of a person, an entry by hand.
create function private.journal_entries(p_from date, p_to date)
returns table (
  day date, kind text, document text, place integer, key text, amount numeric, currency text, text text, opens uuid
)
language sql stable security definer rows 10000 set search_path = '' as $function$
  with runs as materialized (
    -- A locked run that was voided is booked, and booked back on the day of voiding.
    select r.id, r.currency, b.day, b.sign, b.kind,
      format('PAY %s %s %s', r.period_end, r.pay_group, r.currency) as document,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from public.pay_runs r
    cross join lateral (values
      ('pay_run', r.period_end, 1), ('pay_run_void', private.company_date_of(r.voided_at), -1)
    ) b (kind, day, sign)
    where r.locked_at is not null and b.day between p_from and p_to
  ), sums as materialized (
    select s.* from private.run_sums(array(select distinct r.id from runs r)) s
  ), invoices as (
    select i.issued_on as day, 'invoice' as kind, i.number as document, i.currency, 1 as sign, i.total, i.tax,
      c.name as text, i.id as opens
    from public.invoices i join public.clients c on c.id = i.client_id
    where i.status <> 'draft' and i.issued_on between p_from and p_to
    union all
    select n.issued_on, 'credit_note', n.number, n.currency, -1, n.amount, n.tax,
      format('%s, %s: %s', c.name, i.number, n.reason), i.id
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id join public.clients c on c.id = n.client_id
    where n.issued_on between p_from and p_to
  ), booked as (
    select r.*, 'receipt' as kind, r.received_on as day, 1 as sign
    from public.receipts r where r.received_on between p_from and p_to
    union all
    select r.*, 'receipt_void', private.company_date_of(r.voided_at), -1
    from public.receipts r
    where r.voided_at is not null and private.company_date_of(r.voided_at) between p_from and p_to
  ), methods as materialized (
    select m.method, private.receipt_method_text(m.method) as text from (select distinct b.method from booked b) m
  ), receipts as (
    select b.day, b.kind, format('RCT %s', upper(left(b.id::text, 8))) as document, b.currency,
      b.sign * b.amount as amount, b.sign * b.withheld as withheld,
      case b.method when 'cash' then 'cash' when 'mobile_money' then 'mobile_money' when 'write_off' then 'written_off'
        else 'bank' end as key,
      concat_ws(', ', c.name, m.text, b.reference) as text, b.client_id as opens
    from booked b join public.clients c on c.id = b.client_id join methods m on m.method = b.method
  ), paid as (
    -- What the bank returned is booked on the day it was paid, and booked back on the day of the return.
    select p.day, p.kind, format('%s %s %s %s', case p.kind when 'payment' then 'PAID' else 'RETURNED' end,
        r.period_end, r.pay_group, r.currency) as document, p.currency, p.key, p.amount, p.pay_run_id as opens,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from (
      select b.day, b.kind, p.pay_run_id, p.currency,
        case p.channel when 'cash' then 'cash' when 'bank' then 'bank' else 'mobile_money' end as key,
        sum(b.sign * p.amount) as amount
      from public.payments p
      cross join lateral (values ('payment', p.paid_on, 1), ('payment_return', p.returned_on, -1)) b (kind, day, sign)
      where p.status in ('paid', 'returned') and b.day between p_from and p_to
      group by 1, 2, 3, 4, 5
    ) p
    join public.pay_runs r on r.id = p.pay_run_id
  ), expenses as (
    select e.expense_date as day, format('EXP %s', upper(left(e.id::text, 8))) as document, e.currency, e.amount,
      e.vat_amount,
      'expense_' || e.category as cost, e.paid_from, concat_ws(', ', e.title, e.supplier) as text,
      e.id as opens
    from public.expense_reports e where e.expense_date between p_from and p_to
  ), returns as (
    select b.day, b.kind, format('VAT %s', to_char(r.month, 'YYYY-MM')) as document, a.currency,
      case b.kind when 'vat_return' then a.input else a.paid end as amount,
      case b.kind when 'vat_return' then 'vat_input' else r.paid_from end as key,
      'VAT of ' || to_char(r.month, 'FMMonth YYYY') as text, 'tax_payable' as owed, r.id as opens
    from public.vat_returns r
    cross join lateral (values ('vat_return', r.filed_on), ('vat_payment', r.paid_on)) b (kind, day)
    cross join lateral (
      values ('USD', r.input_usd, r.paid_usd), ('LRD', r.input_lrd, r.paid_lrd)
    ) a (currency, input, paid)
    where b.day between p_from and p_to
    union all
    select r.paid_on, r.kind || '_payment', format('%s %s', upper(r.kind), to_char(r.month, 'YYYY-MM')), a.currency,
      a.paid, r.paid_from, format('%s of %s', upper(r.kind), to_char(r.month, 'FMMonth YYYY')),
      case r.kind when 'paye' then 'income_tax_payable' else 'nasscorp_payable' end, r.id
    from public.pay_returns r
    cross join lateral (values ('USD', r.paid_usd), ('LRD', r.paid_lrd)) a (currency, paid)
    where r.paid_on between p_from and p_to
  )
  select i.day, i.kind, i.document, e.place, e.key, i.sign * e.amount, i.currency, i.text, i.opens
  from invoices i
  cross join lateral (values
    (1, 'receivables', i.total), (2, 'revenue', i.tax - i.total), (3, 'tax_payable', -i.tax)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text, r.opens
  from receipts r cross join lateral (values
    (1, r.key, r.amount), (2, 'tax_withheld', r.withheld), (3, 'receivables', -(r.amount + r.withheld))
  ) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, r.sign * e.amount, r.currency, r.text, r.id
  from runs r join sums s on s.pay_run_id = r.id
  cross join lateral (values
    (1, 'wages', s.gross), (2, 'employer_contributions', s.employer_cost), (3, 'income_tax_payable', s.income_tax),
    (4, 'nasscorp_payable', s.nasscorp), (5, 'staff_advances', s.staff_advances),
    (6, 'other_deductions', s.other_deductions), (7, 'nasscorp_payable', -s.employer_cost),
    (9, 'wages_payable', -s.net)) e (place, key, amount)
  union all
  select p.day, p.kind, p.document, e.place, e.key, e.amount, p.currency, p.text, p.opens
  from paid p cross join lateral (values (1, 'wages_payable', p.amount), (2, p.key, -p.amount)) e (place, key, amount)
  union all
  select x.day, 'expense', x.document, e.place, e.key, e.amount, x.currency, x.text, x.opens
  from expenses x cross join lateral (values
    (1, x.cost, x.amount - x.vat_amount), (2, 'vat_input', x.vat_amount), (3, x.paid_from, -x.amount)
  ) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text, r.opens
  from returns r
  cross join lateral (values (1, r.owed, r.amount), (2, r.key, -r.amount)) e (place, key, amount)
  union all
  select s.* from private.staff_entries(p_from, p_to) s
  union all
  select f.* from private.refund_entries(p_from, p_to) f
  union all
  select h.* from private.entries_by_hand(p_from, p_to) h;
$function$;

-- [{day, kind, document, account_code, account_name, debit, credit, currency, text}] of at most 400 days, as one
-- document, so that no limit on rows cuts it short. Amounts are texts with two decimals.
create function public.journal_lines(p_from date, p_to date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_journal_days(p_from, p_to);
  return (
    select coalesce(jsonb_agg(jsonb_build_object('day', j.day, 'kind', j.kind, 'document', j.document,
      'account_code', a.code, 'account_name', a.name, 'debit', greatest(j.amount, 0)::text,
      'credit', greatest(-j.amount, 0)::text, 'currency', j.currency, 'text', j.text)
      order by j.day, j.kind, j.document, j.currency desc, j.place), '[]')
    from private.journal_entries(p_from, p_to) j join public.chart_of_accounts a on a.key = j.key
    where j.amount <> 0
  );
end
$$;
grant execute on function public.journal_lines to authenticated, service_role;

-- The period of journal_lines, checked.
create function private.require_journal_days(p_from date, p_to date) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'The period must be at most 400 days.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- As before, in memory, and texts are joined for the lines of the page alone.
create function public.journal_page(p_from date, p_to date, p_page integer default 1, p_size integer default 20)
returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '64MB' as $$
begin
  perform private.require_journal_days(p_from, p_to);
  if p_page is null or p_page not between 1 and 100000 or p_size is null or p_size not between 1 and 1000 then
    raise exception 'Choose a page, and a size of at most 1000.' using errcode = 'invalid_parameter_value';
  end if;
  return (
    with lines as materialized (
      select j.* from private.journal_entries(p_from, p_to) j where j.amount <> 0
    ), documents as materialized (
      select l.day, l.kind, l.document, l.currency, sum(l.amount) as difference,
        row_number() over (order by l.day, l.kind, l.document, l.currency desc) as place
      from lines l group by l.day, l.kind, l.document, l.currency
    ), placed as (
      select d.place as of_document, l.*
      from lines l
      join documents d on d.day = l.day and d.kind = l.kind and d.document = l.document and d.currency = l.currency
    )
    select jsonb_build_object(
      'documents', (select count(*) from documents),
      'lines', (select count(*) from lines),
      'totals', (
        select coalesce(jsonb_agg(jsonb_build_object('currency', t.currency, 'debit', t.debit::text, 'credit',
          t.credit::text)
          order by t.currency desc), '[]')
        from (
          select l.currency, sum(greatest(l.amount, 0)) as debit, sum(greatest(-l.amount, 0)) as credit
          from lines l group by l.currency
        ) t
      ),
      'unbalanced', (
        select coalesce(jsonb_agg(d.document order by d.place), '[]') from documents d where d.difference <> 0
      ),
      'rows', (
        select coalesce(jsonb_agg(jsonb_build_object('day', l.day, 'kind', l.kind, 'document', l.document,
          'account_code', a.code, 'account_name', a.name, 'debit', greatest(l.amount, 0)::text,
          'credit', greatest(-l.amount, 0)::text, 'currency', l.currency, 'text', l.text)
            order by l.of_document, l.place), '[]')
        from placed l
        join public.chart_of_accounts a on a.key = l.key
        where l.of_document > (p_page - 1) * p_size and l.of_document <= p_page * p_size
      )
    )
  );
end
$$;
grant execute on function public.journal_page to authenticated, service_role;

create function private.first_book_day() returns date
language sql immutable set search_path = '' return date '2021-01-01';
