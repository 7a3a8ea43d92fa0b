-- Financial statements, and expense reports with their receipts, in USD; admins only.
create table public.financial_statements (
  id uuid primary key default gen_random_uuid(),
  title text not null check (char_length(title) between 3 and 200),
  period_start date not null,
  period_end date not null,
  total_revenue numeric(14, 2) check (total_revenue between 0 and 999999999999.99),
  total_expenses numeric(14, 2) check (total_expenses between 0 and 999999999999.99),
  net_profit numeric(14, 2),
  notes text check (char_length(notes) <= 1000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
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

create function private.derive_net_profit() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.net_profit := new.total_revenue - new.total_expenses;
  return new;
end
$$;

create trigger c_rules before insert or update on public.financial_statements
  for each row execute function private.derive_net_profit();
select private.tidy_texts_of('public.financial_statements', 'title', 'notes');
create trigger b_author before insert or update on public.financial_statements
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.financial_statements
  for each row execute function private.touch();
select private.keep_history_of('public.financial_statements');

alter table public.financial_statements enable row level security;
revoke all on public.financial_statements from anon, authenticated;
grant select, insert, update, delete on public.financial_statements to authenticated;

create policy "Admins read financial statements" on public.financial_statements
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add financial statements" on public.financial_statements
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change financial statements" on public.financial_statements
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete financial statements" on public.financial_statements
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.financial_statements;

create table public.expense_reports (
  id uuid primary key default gen_random_uuid(),
  title text not null check (char_length(title) between 3 and 200),
  amount numeric(14, 2) not null check (amount between 0.01 and 999999999999.99),
  category text not null
    check (category in ('operations', 'payroll', 'equipment', 'training', 'transport', 'utilities', 'other')),
  expense_date date not null,
  report_type text not null check (report_type in ('daily', 'monthly')),
  notes text check (char_length(notes) <= 1000),
  receipt_path text,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null would pass the check, so a path of another shape must not give null.
  constraint expense_reports_receipt_belongs_to_expense check (
    receipt_path is null
    or (char_length(receipt_path) <= 1000 and coalesce(private.record_of_file(receipt_path) = id, false))
  )
);
comment on column public.expense_reports.receipt_path is 'Path in bucket receipts: <expense id>/<file name>';

create index expense_reports_expense_date_idx on public.expense_reports (expense_date desc);
create index expense_reports_created_by_idx on public.expense_reports (created_by);

select private.tidy_texts_of('public.expense_reports', 'title', 'notes', 'receipt_path');
create trigger b_author before insert or update on public.expense_reports
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.expense_reports
  for each row execute function private.touch();
select private.keep_history_of('public.expense_reports');

alter table public.expense_reports enable row level security;
revoke all on public.expense_reports from anon, authenticated;
grant select, insert, update, delete on public.expense_reports to authenticated;

create policy "Admins read expense reports" on public.expense_reports
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add expense reports" on public.expense_reports
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change expense reports" on public.expense_reports
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete expense reports" on public.expense_reports
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.expense_reports;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('receipts', 'receipts', false, 10 * 1024 * 1024, array[
  'image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/heic', 'image/heif', 'image/avif', 'application/pdf',
  'text/plain', 'text/csv'
])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create policy "Admins read receipts" on storage.objects
  for select to authenticated
  using (bucket_id = 'receipts' and (select private.has_role('admin')));
create policy "Admins add receipts of expenses" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'receipts' and (select private.has_role('admin'))
    and exists (select from public.expense_reports e where e.id = private.record_of_file(objects.name))
  );
create policy "Admins replace receipts" on storage.objects
  for update to authenticated
  using (bucket_id = 'receipts' and (select private.has_role('admin')))
  with check (
    bucket_id = 'receipts' and (select private.has_role('admin'))
    and exists (select from public.expense_reports e where e.id = private.record_of_file(objects.name))
  );
create policy "Admins remove receipts" on storage.objects
  for delete to authenticated
  using (bucket_id = 'receipts' and (select private.has_role('admin')));

-- Expenses of a period by month (its first day) and category. Runs as the caller: the policies decide.
create function public.expense_totals(p_from date, p_to date)
returns table (month date, category text, total numeric)
language sql stable set search_path = '' as $$
  select private.require_day(p_from, 'first day'), private.require_day(p_to, 'last day');
  select private.require_period(private.company_midnight(p_from), private.company_midnight(p_to));
  select date_trunc('month', e.expense_date)::date, e.category, sum(e.amount)
  from public.expense_reports e
  where e.expense_date between p_from and p_to
  group by 1, 2
  order by 1, 2;
$$;

revoke all on all functions in schema private from public;
revoke all on function public.expense_totals from public, anon;
grant execute on function public.expense_totals to authenticated;
