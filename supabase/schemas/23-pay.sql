-- Pay bases, items, adjustments, loans of staff, rates of tax and social security, payroll by hand.

-- ── Tables ────────────────────────────────────────────────────────────

-- Payroll records: admins only, but everyone reads their own payslips. No one is paid twice for the same day.
create table public.payroll (
  id uuid default gen_random_uuid() primary key,
  staff_id uuid not null references public.staff,
  period_start date not null,
  period_end date not null,
  base_amount numeric(14,2) not null check (base_amount between 0 and 999999999999.99),
  deductions numeric(14,2) not null default 0 check (deductions between 0 and 999999999999.99),
  bonuses numeric(14,2) not null default 0 check (bonuses between 0 and 999999999999.99),
  net_amount numeric(14,2) not null,
  -- How the deductions were suggested: [{"name": …, "amount": …, "how": …}].
  calculation jsonb
    check (calculation is null or jsonb_typeof(calculation) = 'array' and pg_column_size(calculation) < 20000),
  payment_date date,
  payment_status text not null default 'pending' check (payment_status in ('pending', 'paid', 'cancelled')),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Payroll records in the currency of their pay run. Sums and totals never mix currencies.
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  returned_on date, -- What the person and the office see on the record until it is paid again.
  return_reason text check (char_length(return_reason) <= 500),
  constraint payroll_periods_do_not_overlap exclude
    using gist (staff_id with =, daterange(period_start, period_end, '[]') with &&)
    where (payment_status <> 'cancelled'),
  constraint payroll_period_end_not_before_start check (period_end >= period_start),
  constraint payroll_returned check ((returned_on is null) = (return_reason is null)),
  constraint payroll_returned_is_unpaid check (returned_on is null or payment_status <> 'paid')
);
comment on column public.payroll.net_amount is 'Derived: base amount minus deductions plus bonuses';
create index payroll_created_at_idx on public.payroll (created_at desc);
create index payroll_staff_id_idx on public.payroll (staff_id, period_start desc);
create index payroll_created_by_idx on public.payroll (created_by);
alter table public.payroll replica identity full;
alter publication supabase_realtime add table public.payroll;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.payroll', 'notes');
create trigger b_author before insert or update on public.payroll for each row execute function private.stamp_author();
create trigger c_of_pay_run before update or delete on public.payroll
  for each row execute function private.keep_payroll_of_run();
create trigger c_overlap before insert on public.payroll
  for each row when (new.payment_status is distinct from 'cancelled') execute function private.refuse_overlapping_pay();
create trigger c_overlap_of_changes before update on public.payroll
  for each row when ( new.payment_status is distinct
      from 'cancelled' and (old.staff_id, old.period_start, old.period_end,
      old.payment_status = 'cancelled') is distinct from (new.staff_id, new.period_start, new.period_end, false) )
  execute function private.refuse_overlapping_pay();
create trigger c_rules before insert or update on public.payroll
  for each row execute function private.derive_net_amount();
create trigger d_touch before update on public.payroll for each row execute function private.touch();
create trigger y_books after insert or update or delete on public.payroll
  for each row execute function private.keep_closed_payroll();
select private.keep_history_of('public.payroll');
create trigger z_bank after update on public.payroll referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('payroll');
create trigger z_bank_of_deleted after delete on public.payroll referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('payroll');
alter table public.payroll enable row level security;
grant select, insert, update, delete on public.payroll to authenticated;
create policy "Admins and finance read payroll" on public.payroll for select to authenticated
  using ((select private.has_role('admin', 'finance')));
create policy "Members read their own payslips" on public.payroll
  for select to authenticated using (staff_id = (select private.own_staff_id()));
create policy "Admins and finance add payroll" on public.payroll for insert to authenticated
  with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance change payroll" on public.payroll for update to authenticated
  using ((select private.has_role('admin', 'finance'))) with check ((select private.has_role('admin', 'finance')));
create policy "Admins and finance delete payroll" on public.payroll for delete to authenticated
  using ((select private.has_role('admin', 'finance')));

-- What a locked period learns too late. It is paid, once, with a later period.
create table public.pay_adjustments (
  id uuid default gen_random_uuid() primary key,
  staff_id uuid references public.staff on delete set null,
  user_id uuid references public.profiles on delete cascade,
  kind text not null
    check (kind in ('correction', 'late_event', 'manual', 'severance', 'thirteenth_month', 'income_tax')),
  period_start date not null,
  period_end date not null,
  pay_run_id uuid references public.pay_runs, -- The run that was locked.
  figure_before numeric(14,2),
  figure_after numeric(14,2),
  amount numeric(14,2),
  currency text check (currency in ('USD', 'LRD')),
  minutes integer,
  details jsonb not null default '{}'::jsonb
    check (jsonb_typeof(details) = 'object' and pg_column_size(details) <= 20000),
  explanation text not null check (char_length(explanation) <= 1000),
  status text not null default 'to_decide' check (status in ('to_decide', 'approved', 'rejected', 'superseded')),
  decided_by uuid references public.profiles on delete set null,
  decided_at timestamptz,
  note text check (char_length(note) <= 1000),
  payslip_line_id uuid unique references public.payslip_lines,
  created_at timestamptz not null default now(),
  converted_amount numeric(14,2),
  converted_currency text check (converted_currency in ('USD', 'LRD')),
  exchange_rate numeric(14,6),
  exchange_rate_on date,
  taxable boolean not null default true,
  item_rule_id uuid references public.pay_item_rules, -- Of severance and a thirteenth month.
  constraint pay_adjustments_of_someone check (num_nonnulls(staff_id, user_id) > 0),
  constraint pay_adjustments_end_not_before_start check (period_end >= period_start),
  constraint pay_adjustments_other_currency check (converted_currency <> currency),
  constraint pay_adjustments_conversion check (num_nonnulls(converted_amount, converted_currency, exchange_rate,
    exchange_rate_on) in (0, 4))
);
comment on column public.pay_adjustments.amount is 'Signed: what the person gets more, or less';
create index pay_adjustments_staff_id_idx on public.pay_adjustments (staff_id);
create index pay_adjustments_user_id_idx on public.pay_adjustments (user_id, period_start);
create index pay_adjustments_pay_run_id_idx on public.pay_adjustments (pay_run_id) where pay_run_id is not null;
create index pay_adjustments_decided_by_idx on public.pay_adjustments (decided_by) where decided_by is not null;
create index pay_adjustments_item_rule_id_idx on public.pay_adjustments (item_rule_id) where item_rule_id is not null;
create index pay_adjustments_to_decide_idx on public.pay_adjustments (created_at) where status = 'to_decide';
create unique index pay_adjustments_one_per_pair
  on public.pay_adjustments ((details ->> 'assignment_id'), (details ->> 'clock_in_at')) nulls not distinct
  where kind = 'late_event' and status = 'to_decide';
alter publication supabase_realtime add table public.pay_adjustments;
-- Triggers, in the order in which they fire:
create trigger c_conversion before update on public.pay_adjustments
  for each row when ((old.amount, old.currency) is distinct from (new.amount, new.currency))
  execute function private.drop_conversion();
create trigger attendance_follows after update of status on public.pay_adjustments
  for each row when (new.kind = 'late_event' and old.status is distinct from new.status)
  execute function private.follow_late_event();
select private.keep_history_of('public.pay_adjustments');
alter table public.pay_adjustments enable row level security;
grant select on public.pay_adjustments to authenticated;
create policy "Admins and finance read adjustments of pay" on public.pay_adjustments
  for select to authenticated using ((select private.has_role('admin', 'finance')));

create table public.pay_bases (
  id uuid default gen_random_uuid() primary key,
  staff_id uuid not null references public.staff on delete cascade,
  -- The first row also counts for the days before it.
  effective_from date not null check (effective_from between '1900-01-01' and '2199-12-31'),
  basis text not null default 'salary' check (basis in ('salary', 'hourly', 'shift')),
  payment_frequency text not null default 'monthly' check (payment_frequency in ('weekly', 'bi-weekly', 'monthly')),
  amount numeric(14,2) not null check (amount between 0 and 999999999999.99), -- Of one payment, one hour or one shift.
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pay_bases_one_a_day unique (staff_id, effective_from)
);
create index pay_bases_created_by_idx on public.pay_bases (created_by);
alter publication supabase_realtime add table public.pay_bases;
-- Triggers, in the order in which they fire:
create trigger b_author before insert or update on public.pay_bases
  for each row execute function private.stamp_author();
create trigger c_keep_staff before update on public.pay_bases
  for each row execute function private.keep_staff_of_basis();
create trigger d_touch before update on public.pay_bases for each row execute function private.touch();
create trigger z_staff_follows after insert or update or delete on public.pay_bases
  for each row execute function private.apply_basis_to_staff();
create trigger z_timesheets_follow after update on public.pay_bases
  for each row when ( (old.payment_frequency, old.effective_from) is distinct
      from (new.payment_frequency, new.effective_from))
  execute function private.follow_pay_group();
-- A new staff record gets its pay basis in the same statement, and that its timesheets.
create trigger z_timesheets_follow_new after insert on public.pay_bases
  for each row execute function private.follow_pay_group();
create trigger z_timesheets_follow_removed after delete on public.pay_bases
  for each row execute function private.follow_pay_group();
select private.keep_history_of('public.pay_bases');
alter table public.pay_bases enable row level security;
grant select, insert, update, delete on public.pay_bases to authenticated;
create policy "Admins and finance read pay bases" on public.pay_bases
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add pay bases" on public.pay_bases
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance change pay bases" on public.pay_bases
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));
create policy "Admins and finance delete pay bases" on public.pay_bases
  for delete to authenticated using ((select private.may_pay()));

-- Allowances and standing deductions.
create table public.pay_items (
  id uuid default gen_random_uuid() primary key,
  staff_id uuid not null references public.staff on delete cascade,
  kind text not null check (kind in ('allowance', 'deduction')),
  name text not null check (char_length(name) <= 100),
  amount numeric(14,2) not null check (amount between 0.01 and 999999999999.99),
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  -- Of a part of a period, its share by days. A day or shift is one that was worked.
  per text not null default 'period' check (per in ('period', 'day', 'shift')),
  taxable boolean not null default true, -- Of an allowance. Deductions are taken from pay after tax.
  effective_from date not null default private.company_date()
    check (effective_from between '1900-01-01' and '2199-12-31'),
  -- Inclusive; null: until further notice.
  effective_to date check (effective_to between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pay_items_end_not_before_start check (effective_to >= effective_from)
);
create index pay_items_staff_id_idx on public.pay_items (staff_id);
create index pay_items_created_by_idx on public.pay_items (created_by);
alter publication supabase_realtime add table public.pay_items;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.pay_items', 'name');
create trigger b_author before insert or update on public.pay_items
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.pay_items for each row execute function private.touch();
select private.keep_history_of('public.pay_items');
alter table public.pay_items enable row level security;
grant select, insert, update, delete on public.pay_items to authenticated;
create policy "Admins and finance read pay items" on public.pay_items
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add pay items" on public.pay_items
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance change pay items" on public.pay_items
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));
create policy "Admins and finance delete pay items" on public.pay_items
  for delete to authenticated using ((select private.may_pay()));

-- Rates from which payroll suggests deductions: dated, with their source, edited by admins. Not legal advice.
create table public.pay_rates (
  id uuid default gen_random_uuid() primary key,
  -- income_tax: a band of yearly income in LRD, from_amount is where it begins and rate the share of what lies above.
  -- income_tax_no_tin: the least share of people without a tax number, from its day on; without one there is none.
  -- nasscorp_employee, nasscorp_employer: the share of gross pay. lrd_per_usd: the exchange rate for the tax bands.
  -- minimum_wage: USD a day.
  kind text not null
    check (kind in ('income_tax', 'income_tax_non_resident', 'income_tax_no_tin', 'nasscorp_employee',
      'nasscorp_employer', 'lrd_per_usd', 'minimum_wage')),
  effective_from date not null,
  from_amount numeric(14,2) not null default 0 check (from_amount between 0 and 999999999999.99),
  rate numeric(14,6) not null check (rate between 0 and 99999999),
  source text not null check (char_length(source) between 1 and 500),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  proposed_by uuid references public.profiles on delete set null,
  approved_by uuid references public.profiles on delete set null,
  approved_at timestamptz not null default now(),
  constraint pay_rates_share check ((kind in ('lrd_per_usd', 'minimum_wage')) or rate <= 1),
  constraint pay_rates_band check (kind = 'income_tax' or from_amount = 0)
);
create unique index pay_rates_kind_date_key on public.pay_rates (kind, effective_from, from_amount);
create index pay_rates_created_by_idx on public.pay_rates (created_by);
create index pay_rates_proposed_by_idx on public.pay_rates (proposed_by);
create index pay_rates_approved_by_idx on public.pay_rates (approved_by);

insert into public.pay_rates (kind, effective_from, from_amount, rate, source, approved_at) values
  ('income_tax_non_resident', '2025-01-01', 0.00, 0.200000, 'PwC tax summaries, Liberia (reviewed September 2025)',
    '2026-11-28 19:24:37.80327+00'),
  ('income_tax', '2025-01-01', 70000.00, 0.050000, 'PwC tax summaries, Liberia (reviewed September 2025)',
    '2026-11-28 19:24:36.856922+00'),
  ('income_tax', '2025-01-01', 200000.00, 0.150000, 'PwC tax summaries, Liberia (reviewed September 2025)',
    '2026-11-28 19:24:36.856922+00'),
  ('income_tax', '2025-01-01', 800000.00, 0.250000, 'PwC tax summaries, Liberia (reviewed September 2025)',
    '2026-11-28 19:24:36.856922+00'),
  ('income_tax', '2025-01-01', 0.00, 0.000000, 'PwC tax summaries, Liberia (reviewed September 2025)',
    '2026-11-28 19:24:36.856922+00'),
  ('lrd_per_usd', '2025-01-01', 0.00, 184.000000,
    'About the middle of 2025-26 (L$181 to 197); set the rate of the day', '2026-11-28 19:24:36.856922+00'),
  ('minimum_wage', '2025-01-01', 0.00, 5.500000, 'Formal sector, US$5.50 a day (press and business hub, 2026)',
    '2026-11-28 19:24:36.856922+00'),
  ('nasscorp_employee', '2025-01-01', 0.00, 0.040000, 'PwC tax summaries; nasscorp.org.lr',
    '2026-11-28 19:24:36.856922+00'),
  ('nasscorp_employer', '2025-01-01', 0.00, 0.060000, 'PwC tax summaries; nasscorp.org.lr (4% pension, 2% injury)',
    '2026-11-28 19:24:36.856922+00');
alter publication supabase_realtime add table public.pay_rates;
-- Triggers, in the order in which they fire:
create trigger c_locked_truncate before truncate on public.pay_rates
  for each statement execute function private.refuse_truncate_of_locked_runs();
select private.tidy_texts_of('public.pay_rates', 'source');
create trigger b_author before insert or update on public.pay_rates
  for each row execute function private.stamp_author();
create trigger c_keep_used before insert or update or delete on public.pay_rates
  for each row execute function private.keep_used_pay_rate();
create trigger d_touch before update on public.pay_rates for each row execute function private.touch();
create trigger z_other_bands after delete on public.pay_rates
  for each row when (old.kind = 'income_tax' and pg_trigger_depth() = 0) execute function private.delete_other_bands();
select private.keep_history_of('public.pay_rates');
alter table public.pay_rates enable row level security;
grant select, delete on public.pay_rates to authenticated;
create policy "Admins and finance read pay rates" on public.pay_rates for select to authenticated
  using ((select private.has_role('admin', 'finance')));
create policy "Admins and finance delete pay rates" on public.pay_rates for delete to authenticated
  using ((select private.has_role('admin', 'finance')));

-- Rates that wait for a second person. Approving moves them to pay_rates or tax_rates.
create table public.rate_proposals (
  id uuid default gen_random_uuid() primary key,
  kind text not null
    check (kind in ('income_tax', 'income_tax_non_resident', 'income_tax_no_tin', 'nasscorp_employee',
      'nasscorp_employer', 'lrd_per_usd', 'minimum_wage', 'tax')),
  name text check (char_length(name) <= 100), -- Of a tax on invoices.
  effective_from date not null check (effective_from between '1900-01-01' and '2199-12-31'),
  -- Of a band of income tax: the yearly income in LRD above which it applies.
  from_amount numeric(14,2) not null default 0 check (from_amount between 0 and 999999999999.99),
  rate numeric(14,6) not null check (rate between 0 and 99999999), -- A share, an amount of money, or LRD for one USD.
  source text not null check (char_length(source) between 1 and 500),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  constraint rate_proposals_once unique nulls not distinct (kind, name, effective_from, from_amount),
  constraint rate_proposals_band check (kind = 'income_tax' or from_amount = 0),
  constraint rate_proposals_name check ((kind = 'tax') = (name is not null))
);

insert into public.rate_proposals (kind, name, effective_from, rate, source) values
  ('tax', 'VAT', '2027-01-01', 0.18, 'Ministry of Finance and Liberia Revenue Authority, November 2025 to 2026: VAT '
    'replaces GST. Confirm the rate and the registration before approving.');

create index rate_proposals_created_by_idx on public.rate_proposals (created_by);
alter publication supabase_realtime add table public.rate_proposals;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.rate_proposals', 'name', 'source');
create trigger b_author before insert on public.rate_proposals for each row execute function private.stamp_author();
create trigger c_rules before insert on public.rate_proposals
  for each row execute function private.check_proposed_rate();
create trigger z_notify after insert on public.rate_proposals
  for each row execute function private.notify_of_proposed_rate();
select private.keep_history_of('public.rate_proposals');
alter table public.rate_proposals enable row level security;
grant select, insert, delete on public.rate_proposals to authenticated;
create policy "Admins and finance read proposed rates" on public.rate_proposals for select to authenticated
  using ((select private.may_bill()));
create policy "Admins and finance propose rates" on public.rate_proposals for insert to authenticated
  with check ((select private.may_bill()));
create policy "Admins and finance withdraw proposed rates" on public.rate_proposals for delete to authenticated
  using ((select private.may_bill()));

-- Advances, loans, uniforms and other amounts that a person repays from pay: each issue, its repayments and what is
-- written off. An entry is never changed or deleted: a mistake is written off.
create table public.staff_ledger (
  id uuid default gen_random_uuid() primary key,
  staff_id uuid not null references public.staff,
  entry text not null check (entry in ('issue', 'repayment', 'write_off')),
  kind text not null check (kind in ('advance', 'loan', 'uniform', 'other')),
  loan_id uuid references public.staff_ledger, -- The issue that is repaid or written off.
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  amount numeric(14,2) not null check (amount between 0.01 and 999999999999.99),
  -- Of an issue: what each pay run takes at most, and from which period on.
  repay_per_period numeric(14,2) check (repay_per_period between 0.01 and 999999999999.99),
  repay_from date check (repay_from between '1900-01-01' and '2199-12-31'),
  note text check (char_length(note) <= 500),
  payslip_line_id uuid unique references public.payslip_lines, -- Of a repayment from pay.
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When it is booked. A repayment from pay is booked by its run.
  day date not null default private.company_date() check (day between '1900-01-01' and '2199-12-31'),
  -- Where the money of an advance or loan came from, or where a repayment by hand went. A uniform is no money.
  paid_from text not null default 'cash' check (paid_from in ('bank', 'cash', 'mobile_money')),
  constraint staff_ledger_issue check ((entry = 'issue') = (loan_id is null)),
  constraint staff_ledger_schedule check (entry = 'issue' or repay_per_period is null and repay_from is null),
  constraint staff_ledger_paid_from_pay check (payslip_line_id is null or entry = 'repayment')
);
comment on column public.staff_ledger.kind is 'Derived for a repayment or write-off: as the issue';
create index staff_ledger_staff_id_idx on public.staff_ledger (staff_id, created_at);
create index staff_ledger_loan_id_idx on public.staff_ledger (loan_id) where loan_id is not null;
create index staff_ledger_created_by_idx on public.staff_ledger (created_by);
create index staff_ledger_day_idx on public.staff_ledger (day);
alter publication supabase_realtime add table public.staff_ledger;
-- Triggers, in the order in which they fire:
create trigger c_locked_truncate before truncate on public.staff_ledger
  for each statement execute function private.refuse_truncate_of_locked_runs();
select private.tidy_texts_of('public.staff_ledger', 'note');
create trigger b_author before insert or update on public.staff_ledger
  for each row execute function private.stamp_author();
create trigger b_day before insert on public.staff_ledger
  for each row when (new.payslip_line_id is null)
  execute function private.check_money_day('day', 'The day of an entry', '1');
create trigger c_rules before insert or update or delete on public.staff_ledger
  for each row execute function private.check_ledger();
create trigger d_touch before update on public.staff_ledger for each row execute function private.touch();
-- No other day changes: entries are kept as they are.
create trigger y_books_of_new after insert on public.staff_ledger
  for each row when (new.payslip_line_id is null) execute function private.keep_closed_books('day');
select private.keep_history_of('public.staff_ledger');
create trigger z_bank after update on public.staff_ledger referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('staff');
create trigger z_bank_of_deleted after delete on public.staff_ledger referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('staff');
alter table public.staff_ledger enable row level security;
grant
  select,
  insert (id, staff_id, entry, kind, loan_id, currency, amount, repay_per_period, repay_from, note, day, paid_from),
  update (repay_per_period, repay_from, note) on public.staff_ledger to authenticated;
create policy "Admins and finance read the ledger of staff" on public.staff_ledger
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add to the ledger of staff" on public.staff_ledger
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance change the schedule of repayments" on public.staff_ledger
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));

-- ── Functions ─────────────────────────────────────────────────────────

-- The row that counts on a day: the last one that has begun, else the first.
create function private.basis_on(p_staff_id uuid, p_on date) returns public.pay_bases
language sql stable security definer set search_path = '' as $$
  select b from public.pay_bases b
  where b.staff_id = p_staff_id
  order by b.effective_from <= p_on desc,
    case when b.effective_from <= p_on then p_on - b.effective_from else b.effective_from - p_on end
  limit 1;
$$;

create function private.store_basis_of_staff() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.company_date();
  known public.pay_bases := private.basis_on(new.id, today);
begin
  if known.id is null then
    insert into public.pay_bases (staff_id, effective_from, basis, payment_frequency, amount, currency)
    values (new.id, new.hire_date, new.pay_basis, new.payment_frequency, new.salary_amount, new.currency);
  elsif (known.basis, known.payment_frequency, known.amount, known.currency)
    is distinct from (new.pay_basis, new.payment_frequency, new.salary_amount, new.currency)
  then
    -- A row that has not begun yet is changed; else the change counts from today.
    insert into public.pay_bases (staff_id, effective_from, basis, payment_frequency, amount, currency)
    values (new.id, greatest(today, known.effective_from), new.pay_basis, new.payment_frequency, new.salary_amount,
      new.currency)
    on conflict on constraint pay_bases_one_a_day do update set basis = excluded.basis,
      payment_frequency = excluded.payment_frequency, amount = excluded.amount, currency = excluded.currency;
  end if;
  return null;
end
$$;

-- What is still owed of an issue.
create function private.ledger_balance(p_issue_id uuid) returns numeric
language sql stable security definer set search_path = '' as $$
  select sum(case l.entry when 'issue' then l.amount else -l.amount end)
  from public.staff_ledger l where l.id = p_issue_id or l.loan_id = p_issue_id;
$$;

create function private.check_ledger() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  issue public.staff_ledger;
  owed numeric;
begin
  -- It runs before the policies refuse others, who must not learn balances from its messages.
  if auth.uid() is not null and not private.may_pay() then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' then
    -- Only voiding a pay run gives its repayments back.
    if old.payslip_line_id is not null and exists (
      select from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
      join public.pay_runs r on r.id = s.pay_run_id
      where l.id = old.payslip_line_id and r.status = 'void'
    ) then
      return old;
    end if;
    raise exception 'An entry of the ledger is kept. Write it off instead.' using errcode = 'PT409';
  end if;
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - array['repay_per_period', 'repay_from', 'note', 'created_by', 'updated_at']
      <> to_jsonb(old) - array['repay_per_period', 'repay_from', 'note', 'created_by', 'updated_at']
    then
      raise exception 'Only the schedule and the note of a ledger entry can be changed.' using errcode = 'PT409';
    end if;
    return new;
  end if;
  if new.entry = 'issue' then
    new.repay_per_period := coalesce(new.repay_per_period, new.amount);
    new.repay_from := coalesce(new.repay_from, private.company_date());
    return new;
  end if;
  -- Locked, so that two repayments at once can't take the balance below zero.
  select * into issue from public.staff_ledger l
  where l.id = new.loan_id and l.entry = 'issue' and l.staff_id = new.staff_id for no key update;
  if not found then
    raise exception 'This repays nothing that was issued to this person.' using errcode = 'check_violation';
  end if;
  if new.currency <> issue.currency then
    raise exception 'An amount in % is not repaid in %.', issue.currency, new.currency
      using errcode = 'check_violation';
  end if;
  new.kind := issue.kind;
  owed := private.ledger_balance(issue.id);
  if new.amount > owed then
    raise exception 'Only % % are still owed.', issue.currency, owed
      using errcode = 'check_violation', hint = 'Enter this amount at most.';
  end if;
  return new;
end
$$;

-- The bands of a day are one table of tax.
create function private.delete_other_bands() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.pay_rates r where r.kind = 'income_tax' and r.effective_from = old.effective_from;
  return null;
end
$$;

create function private.derive_net_amount() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.deductions := coalesce(new.deductions, 0);
  new.bonuses := coalesce(new.bonuses, 0);
  new.net_amount := new.base_amount - new.deductions + new.bonuses;
  return new;
end
$$;

-- Another amount, or another currency, is converted again by somebody.
create function private.drop_conversion() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.converted_amount is not distinct from old.converted_amount then
    new.converted_amount := null;
    new.converted_currency := null;
    new.exchange_rate := null;
    new.exchange_rate_on := null;
  end if;
  return new;
end
$$;

create function private.keep_staff_of_basis() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.staff_id := old.staff_id;
  return new;
end
$$;

-- Payroll by hand: earned on the last day of its period, and paid on its day of payment. Runs cover what they wrote.
create function private.keep_closed_payroll() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  days date[] := '{}';
  closed date;
begin
  if private.is_of_pay_run(case when tg_op = 'INSERT' then new.id else old.id end) then
    return null;
  end if;
  if tg_op = 'INSERT' or tg_op = 'DELETE'
    or (old.staff_id, old.currency, old.period_start, old.period_end, old.base_amount, old.deductions, old.bonuses,
      old.payment_status = 'cancelled')
    is distinct from (new.staff_id, new.currency, new.period_start, new.period_end, new.base_amount, new.deductions,
      new.bonuses, new.payment_status = 'cancelled')
  then
    if tg_op <> 'INSERT' then days := days || old.period_end; end if;
    if tg_op <> 'DELETE' then days := days || new.period_end; end if;
  end if;
  if tg_op = 'INSERT' or tg_op = 'DELETE'
    or (old.payment_status = 'paid', old.payment_date) is distinct from (new.payment_status = 'paid', new.payment_date)
  then
    if tg_op <> 'INSERT' and old.payment_status = 'paid' then days := days || old.payment_date; end if;
    if tg_op <> 'DELETE' and new.payment_status = 'paid' then days := days || new.payment_date; end if;
  end if;
  if cardinality(days) = 0 then
    return null;
  end if;
  select b.closed_to into closed from private.books b for share;
  if closed >= any (days) then
    raise exception 'The books are closed up to %. Choose a later day, or ask to reopen them in Accounting.',
      private.day_name(closed) using errcode = 'PT409';
  end if;
  return null;
end
$$;

-- The payroll records of a run follow it and its payments. Functions of the database run as their owner; what the API
-- sends, with the service key too, runs as one of its roles.
create function private.keep_payroll_of_run() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user in ('anon', 'authenticated', 'service_role') and private.is_of_pay_run(old.id) then
    raise exception 'A pay run wrote this record, so it changes only with the payments of the run.'
      using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create function private.require_unused_pay_rate(p_kind text, p_day date) returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs := private.run_of_rate(p_kind, p_day);
begin
  if run.id is not null then
    raise exception 'The pay run of % is locked with the rates of its time. Add a rate that begins after %.',
      private.period_text(run.period_start, run.period_end), private.day_name(run.period_end) using errcode = 'PT409';
  end if;
end
$$;

create function private.keep_used_pay_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  problem text;
begin
  if tg_op = 'UPDATE' and (old.kind, old.effective_from, old.from_amount, old.rate)
    = (new.kind, new.effective_from, new.from_amount, new.rate)
  then
    return new;
  end if;
  -- Rates and locking runs take turns.
  perform pg_advisory_xact_lock(hashtextextended('pay rates', 0));
  if tg_op <> 'DELETE' then
    problem := private.rate_problem(new.kind, new.rate, new.effective_from);
    if problem is not null then
      raise exception '%', problem using errcode = 'check_violation';
    end if;
    perform private.require_unused_pay_rate(new.kind, new.effective_from);
  end if;
  if tg_op <> 'INSERT' then
    perform private.require_unused_pay_rate(old.kind, old.effective_from);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create function private.pay_locked_run() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.make_payments(new.id);
  perform private.finish_pay_run(new.id);
  return null;
end
$$;

-- Names the overlapping record; the exclusion constraint would only name itself. Definer, to lock the staff record. It
-- runs before the policies, so it does nothing for callers who may not read payroll.
create function private.refuse_overlapping_pay() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person text;
  other public.payroll;
begin
  if not (auth.uid() is null or private.has_role('admin', 'finance')) then
    return new;
  end if;
  -- Writers of one person's pay take turns, so that the second sees the record of the first.
  select s.full_name into person from public.staff s where s.id = new.staff_id for no key update;
  select * into other from public.payroll p
  where p.staff_id = new.staff_id and p.id <> new.id and p.payment_status <> 'cancelled'
    and p.period_start <= new.period_end and p.period_end >= new.period_start and new.period_start <= new.period_end
  order by p.period_start limit 1;
  if found then
    raise exception '% already has a payroll record from % to % (%).', person,
      to_char(other.period_start, 'Mon FMDD, YYYY'), to_char(other.period_end, 'Mon FMDD, YYYY'), other.payment_status
      using errcode = 'exclusion_violation', constraint = 'payroll_periods_do_not_overlap',
        hint = 'Choose a period that does not overlap, or cancel that record first.';
  end if;
  return new;
end
$$;

-- Sets the fields of staff records that differ from today's row. Null: of everybody, which a job repeats, because a row
-- dated in the future begins without anybody's doing.
create function private.apply_pay_bases(p_staff_id uuid default null) returns void
language sql security definer set search_path = '' as $$
  update public.staff s set pay_basis = b.basis, payment_frequency = b.payment_frequency, salary_amount = b.amount,
    currency = b.currency
  from public.staff o
  cross join lateral private.basis_on(o.id, private.company_date()) b
  where s.id = o.id and (p_staff_id is null or o.id = p_staff_id) and b.id is not null
    and (o.pay_basis, o.payment_frequency, o.salary_amount, o.currency)
      is distinct from (b.basis, b.payment_frequency, b.amount, b.currency);
$$;

create function private.apply_basis_to_staff() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from public.staff s where s.id = old.staff_id)
      and not exists (select from public.pay_bases b where b.staff_id = old.staff_id)
    then
      raise exception 'A staff member needs one pay basis at least. Change this one instead.' using errcode = 'PT409';
    end if;
    perform private.apply_pay_bases(old.staff_id);
  else
    perform private.apply_pay_bases(new.staff_id);
  end if;
  return null;
end
$$;

-- An amount that a person gets more (or less, negative) for a period, entered by hand; somebody else decides it.
create function public.add_adjustment(
  p_staff_id uuid, p_period_start date, p_period_end date, p_amount numeric, p_currency text, p_explanation text
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  adjustment_id uuid;
begin
  perform private.require_pay_role();
  perform private.require_day(p_period_start, 'first day');
  perform private.require_day(p_period_end, 'last day');
  if p_amount is null or p_amount = 0 or abs(p_amount) > 999999999999.99 or p_amount = 'NaN' then
    raise exception 'Enter an amount other than 0.' using errcode = 'invalid_parameter_value';
  end if;
  if p_currency is null or p_currency not in ('USD', 'LRD') then
    raise exception 'Choose USD or LRD.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.pay_adjustments (staff_id, user_id, kind, period_start, period_end, amount, currency, details,
    explanation)
  select p.id, p.user_id, 'manual', p_period_start, p_period_end, round(p_amount, 2), p_currency,
    jsonb_build_object('entered_by', auth.uid()), nullif(btrim(p_explanation), '')
  from public.staff p where p.id = p_staff_id returning id into adjustment_id;
  if adjustment_id is null then
    raise exception 'This staff member no longer exists.' using errcode = 'PT404';
  end if;
  return adjustment_id;
end
$$;
grant execute on function public.add_adjustment to authenticated, service_role;

-- Pays an adjustment in the other currency, at the rate of today, or again in its own.
create function public.convert_adjustment(p_id uuid, p_currency text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  a public.pay_adjustments;
  r public.pay_rates;
begin
  perform private.require_pay_role();
  if p_currency is null or p_currency not in ('USD', 'LRD') then
    raise exception 'Choose USD or LRD.' using errcode = 'invalid_parameter_value';
  end if;
  select * into a from public.pay_adjustments x where x.id = p_id for update;
  if not found then
    raise exception 'This adjustment no longer exists.' using errcode = 'PT404';
  end if;
  if a.payslip_line_id is not null then
    raise exception 'A run has paid this adjustment.' using errcode = 'PT409';
  end if;
  if a.status <> 'approved' or a.amount is null then
    raise exception 'Only an approved adjustment is converted.' using errcode = 'PT409';
  end if;
  if auth.uid() is not null and (a.user_id = auth.uid() or a.details ->> 'entered_by' = auth.uid()::text) then
    raise exception 'Someone else must decide this adjustment.' using errcode = 'insufficient_privilege';
  end if;
  if p_currency = a.currency then
    update public.pay_adjustments x
    set converted_amount = null, converted_currency = null, exchange_rate = null, exchange_rate_on = null
      where x.id = a.id;
    return;
  end if;
  select t.* into r from public.pay_rates t
  where t.kind = 'lrd_per_usd' and t.effective_from <= private.company_date() and t.rate > 0
  order by t.effective_from desc limit 1;
  if not found then
    raise exception 'There is no exchange rate yet. Enter one under Pay Rates.' using errcode = 'PT409';
  end if;
  update public.pay_adjustments x set converted_currency = p_currency, exchange_rate = r.rate,
    exchange_rate_on = r.effective_from,
    converted_amount = round(case p_currency when 'LRD' then a.amount * r.rate else a.amount / r.rate end, 2)
  where x.id = a.id;
end
$$;
grant execute on function public.convert_adjustment to authenticated;

-- Proposes what a locked run paid too little or too much; of some people, or of all.
create function private.propose_corrections_of(run public.pay_runs, p_staff uuid[] default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  proposed integer;
begin
  with fresh as (
    select e.staff_id, sum(e.amount) as amount
    from private.earning_lines(run.pay_group, run.currency, run.period_start, run.period_end, p_staff) e
      group by e.staff_id
  ), known as (
    select s.staff_id, private.paid_before_tax(s.id) as amount from public.payslips s
      where s.pay_run_id = run.id and (p_staff is null or s.staff_id = any (p_staff))
  ), late as materialized (
    select p.id as staff_id, private.earned_by_late_records(run, p.id, p.user_id) as amount
    from public.staff p
    where (p_staff is null or p.id = any (p_staff)) and p.user_id in (
      select t.user_id from private.late_hours h join public.timesheets t on t.id = h.timesheet_id
      where t.period_start <= run.period_end and t.period_end >= run.period_start)
  ), figures as (
    select coalesce(f.staff_id, k.staff_id) as staff_id, coalesce(k.amount, 0) + coalesce((
        select sum(a.amount) from public.pay_adjustments a
        where a.pay_run_id = run.id and a.kind = 'correction' and a.staff_id = coalesce(f.staff_id, k.staff_id)
      ), 0) + coalesce((
        select sum(a.amount) from public.pay_adjustments a
        where a.staff_id = coalesce(f.staff_id, k.staff_id) and a.kind = 'late_event' and a.status = 'approved'
          and a.currency = run.currency and a.period_end between run.period_start and run.period_end
      ), 0) as before,
      coalesce(f.amount, 0) + coalesce((select l.amount from late l
        where l.staff_id = coalesce(f.staff_id, k.staff_id)), 0)
        as after
    from fresh f full join known k on k.staff_id = f.staff_id
  ), added as (
    insert into public.pay_adjustments (staff_id, user_id, kind, period_start, period_end, pay_run_id, figure_before,
      figure_after, amount, currency, explanation)
    select g.staff_id, p.user_id, 'correction', run.period_start, run.period_end, run.id, g.before, g.after,
      g.after - g.before, run.currency,
      format('Pay of %s recomputed from the records of today.', private.period_text(run.period_start, run.period_end))
    from figures g join public.staff p on p.id = g.staff_id
    where g.after <> g.before
    returning 1
  )
  select count(*) into proposed from added;
  return proposed;
end
$$;

-- Decides an adjustment. Nobody decides one of their own, or one that they entered. Late hours that are approved are
-- valued here, unless an amount is given. A decision can change until a run has paid it.
create function public.decide_adjustment(
  p_id uuid, p_approve boolean, p_note text default NULL::text, p_amount numeric default NULL::numeric
) returns pay_adjustments
language plpgsql security definer set search_path = '' as $$
declare
  a public.pay_adjustments;
  v record;
  outcome text := case when p_approve then 'approved' else 'rejected' end;
  previous text;
  weeks daterange;
begin
  perform private.require_pay_role();
  -- First the runs of its days, as voiding does, and the turn of the guard, as clock events do: neither changes
  -- until this ends.
  perform from public.pay_runs r
  where r.id in (
    select x.pay_run_id from public.pay_adjustments x where x.id = p_id
    union
    select s.pay_run_id from public.pay_adjustments x
    join public.payslips s on s.user_id = x.user_id
    join public.pay_runs o on o.id = s.pay_run_id and o.status in ('locked', 'paid')
      and o.period_start <= x.period_end + 7 and o.period_end >= x.period_start
    where x.id = p_id and x.kind = 'late_event'
  )
  order by r.id for share;
  perform pg_advisory_xact_lock(hashtextextended(x.user_id::text, 0)) from public.pay_adjustments x
  where x.id = p_id and x.kind = 'late_event';
  select * into a from public.pay_adjustments x where x.id = p_id for update;
  if not found then
    raise exception 'This adjustment no longer exists.' using errcode = 'PT404';
  end if;
  if p_approve is null or char_length(p_note) > 1000 or p_amount = 'NaN' or abs(p_amount) > 999999999999.99 then
    raise exception 'Approve or reject, with a note of at most 1000 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
  if a.payslip_line_id is not null then
    raise exception 'A run has paid this adjustment.' using errcode = 'PT409';
  end if;
  if a.status = 'superseded' and a.kind = 'late_event' then
    raise exception 'These hours are attendance, and the pay run of their period pays them.' using errcode = 'PT409';
  elsif a.status = 'superseded' and a.kind in ('severance', 'thirteenth_month') then
    raise exception 'The employment has changed since. Enter what is due now.' using errcode = 'PT409';
  elsif a.status = 'superseded' or a.kind = 'correction'
    and exists (select from public.pay_runs r where r.id = a.pay_run_id and r.status = 'void')
  then
    raise exception 'The pay run that this corrects was voided, so there is nothing to decide.' using errcode = 'PT409';
  end if;
  if auth.uid() is not null and (a.user_id = auth.uid() or a.details ->> 'entered_by' = auth.uid()::text) then
    raise exception 'Someone else must decide this adjustment.' using errcode = 'insufficient_privilege';
  end if;
  if a.kind = 'income_tax' and p_approve then
    perform private.check_tax_back(a, coalesce(round(p_amount, 2), a.amount));
  elsif a.kind = 'late_event' then
    weeks := private.weeks_of_late_event(a.details);
    if not p_approve then
      outcome := 'rejected';
    elsif weeks is null then
      raise exception 'The clock-in and the clock-out of this shift have not both arrived. Reject this, and enter an '
        'adjustment by hand.'
        using errcode = 'PT409';
    elsif not exists (
      select from public.timesheets t
      where t.user_id = a.user_id and t.status = 'locked' and a.period_end between t.period_start and t.period_end
    ) then
      -- Nothing is locked any more: the hours are in the timesheet, which the run of the period pays.
      outcome := 'superseded';
    elsif a.status <> 'approved' then
      select * into v from private.value_of_late_hours(a);
      if v.staff_id is null then
        raise exception 'No locked pay run paid these days.' using errcode = 'PT409';
      end if;
      a.staff_id := v.staff_id;
      a.pay_run_id := v.pay_run_id;
      a.currency := v.currency;
      a.figure_before := v.figure_before;
      a.figure_after := v.figure_after;
      a.amount := v.figure_after - v.figure_before;
    end if;
  end if;
  previous := a.status;
  update public.pay_adjustments x set status = outcome,
    staff_id = a.staff_id, pay_run_id = a.pay_run_id, currency = a.currency, figure_before = a.figure_before,
    figure_after = a.figure_after, amount = case when outcome <> 'superseded'
      then coalesce(round(p_amount, 2), a.amount) end, note = nullif(btrim(p_note), ''),
    decided_by = auth.uid(), decided_at = now()
  where x.id = a.id returning * into a;
  if a.kind = 'late_event' and 'approved' in (previous, outcome) and previous <> outcome then
    -- The rest of a night, and the overtime of a week that continues in another locked period.
    perform private.propose_corrections_of(r, array[a.staff_id])
    from public.pay_runs r join public.payslips s on s.pay_run_id = r.id and s.staff_id = a.staff_id
    where r.status in ('locked', 'paid') and r.id <> a.pay_run_id
      and daterange(r.period_start, r.period_end, '[]') && weeks
    order by r.id;
  end if;
  return a;
end
$$;
grant execute on function public.decide_adjustment to authenticated, service_role;

-- Decides many adjustments, all of them or none. A refusal names the rows and why. @returns how many it decided
create function public.decide_adjustments(p_ids uuid[], p_approve boolean, p_note text default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  refused jsonb[];
  wanted record;
  state text;
  message text;
  decided integer := 0;
begin
  perform private.require_pay_role();
  if p_ids is null or cardinality(p_ids) not between 1 and 500 then
    raise exception 'Choose between 1 and 500 adjustments.' using errcode = 'invalid_parameter_value';
  end if;
  -- In order of id, so that two calls about the same rows take turns.
  for wanted in
    select u.id, coalesce(s.full_name, p.full_name, 'One row') as name
    from (select distinct i.id from unnest(p_ids) i (id)) u
    left join public.pay_adjustments a on a.id = u.id
    left join public.staff s on s.id = a.staff_id
    left join public.profiles p on p.id = a.user_id
    order by u.id
  loop
    begin
      perform public.decide_adjustment(wanted.id, p_approve, p_note);
      decided := decided + 1;
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      -- A deadlock, and what is wrong with the call, are no reason of this row.
      if state like '40%' or state = '22023' then
        raise;
      end if;
      refused := refused || jsonb_build_object('id', wanted.id, 'name', wanted.name, 'reason', message);
    end;
  end loop;
  perform private.refuse_many(refused, cardinality(p_ids), 'decided');
  return decided;
end
$$;
grant execute on function public.decide_adjustments to authenticated, service_role;

create function private.periods_a_year(p_frequency text) returns integer
language sql immutable set search_path = '' as $$
  select case p_frequency when 'weekly' then 52 when 'bi-weekly' then 26 when 'monthly' then 12 end;
$$;
grant execute on function private.periods_a_year to authenticated;

-- Pay of a period: the salary if the period is one pay interval, else its share by days.
create function private.base_amount(p_salary numeric, p_frequency text, p_start date, p_end date) returns numeric
language sql immutable set search_path = '' as $$
  select case
    when p_frequency = 'weekly' and p_end - p_start = 6 then p_salary
    when p_frequency = 'bi-weekly' and p_end - p_start = 13 then p_salary
    when p_frequency = 'monthly' and p_end = (p_start + interval '1 month - 1 day')::date then p_salary
    else round(p_salary * private.periods_a_year(p_frequency) * (p_end - p_start + 1) / 365, 2)
  end;
$$;
grant execute on function private.base_amount to authenticated;

-- Payroll is drafted by hand, or a pay run writes it: never both for one person and period.
create function public.draft_payroll(p_start date, p_end date)
returns TABLE(added integer, skipped integer, overlapping jsonb)
language plpgsql set search_path = '' as $function$
declare
  run public.pay_runs;
begin
  if not (select private.has_role('admin', 'finance')) then
    raise exception 'Only admins and finance draft payroll.' using errcode = 'insufficient_privilege';
  end if;
  if p_start is null or p_end is null or p_end < p_start or p_end - p_start > 366 then
    raise exception 'A pay period ends on or after its first day, and lasts a year at most.'
      using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_payroll', 0));
  -- Locked, so that no record is added between this check and the inserts.
  perform from public.staff s where s.status = 'active' order by s.id for no key update;
  -- A run that is not locked has no records yet, and could not write them beside these.
  select r.* into run from public.pay_runs r
  where r.status in ('draft', 'calculated', 'in_review', 'approved') and r.currency = 'USD'
    and r.period_start <= p_end and r.period_end >= p_start
    and exists (
      select from public.staff s
      where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD'
        and (s.payment_frequency = r.pay_group
          or exists (select from public.payslips x where x.pay_run_id = r.id and x.staff_id = s.id))
        and not exists (
          select from public.payroll p where p.staff_id = s.id and p.payment_status <> 'cancelled'
            and p.period_start <= p_end and p.period_end >= p_start))
  order by r.period_start limit 1;
  if found then
    raise exception 'The % pay run from % to % pays these people already. Continue with it, or void it first.',
      run.pay_group,
      to_char(run.period_start, 'Mon FMDD, YYYY'), to_char(run.period_end, 'Mon FMDD, YYYY')
      using errcode = 'PT409', detail = run.id::text;
  end if;
  select coalesce(jsonb_agg(to_jsonb(o) order by o.full_name, o.period_start), '[]') into overlapping
  from (
    select distinct on (s.id) s.full_name, p.period_start, p.period_end, p.payment_status,
      count(*) over (partition by s.id) as records
    from public.staff s join public.payroll p on p.staff_id = s.id
    where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD' and p.payment_status <> 'cancelled'
      and p.period_start <= p_end and p.period_end >= p_start
      and (p.period_start, p.period_end) <> (p_start, p_end)
    order by s.id, p.period_start
  ) o;
  with due as (
    select s.id, s.payment_frequency,
      private.base_amount(s.salary_amount, s.payment_frequency, p_start, p_end) as base
    from public.staff s
    where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD' and not exists (
      select from public.payroll p
      where p.staff_id = s.id and p.payment_status <> 'cancelled'
        and p.period_start <= p_end and p.period_end >= p_start)
  ), lines as materialized (
    -- One calculation per wage. Inlined, it would run for each person and each use.
    select d.base, d.payment_frequency,
      (select jsonb_agg(to_jsonb(line))
        from public.suggest_deductions(d.base, d.payment_frequency, p_end) line) as calculation
    from (select distinct base, payment_frequency from due) d
  ), drafted as (
    insert into public.payroll (staff_id, period_start, period_end, base_amount, deductions, net_amount, calculation)
    select d.id, p_start, p_end, d.base,
      least(d.base, coalesce((
        select sum((line ->> 'amount')::numeric) from jsonb_array_elements(l.calculation) line
      ), 0)),
      0, l.calculation
    from due d join lines l using (base, payment_frequency)
    returning 1
  )
  select count(*)::integer, (
      select count(*)::integer from public.staff s
      where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD'
    ) - count(*)::integer
  into added, skipped from drafted;
  return next;
end
$function$;
grant execute on function public.draft_payroll to authenticated;

-- What each person still owes, by issue; settled ones too. Runs as the caller: the policies decide.
create function public.ledger_balances(p_staff_id uuid default null)
returns table (
  id uuid, staff_id uuid, kind text, currency text, amount numeric, repaid numeric, balance numeric,
  repay_per_period numeric, repay_from date, note text, created_at timestamptz, day date
)
language sql stable set search_path = '' as $$
  select l.id, l.staff_id, l.kind, l.currency, l.amount, coalesce(r.amount, 0), l.amount - coalesce(r.amount, 0),
    l.repay_per_period, l.repay_from, l.note, l.created_at, l.day
  from public.staff_ledger l
  left join lateral (select sum(x.amount) as amount from public.staff_ledger x where x.loan_id = l.id) r on true
  where l.entry = 'issue' and (p_staff_id is null or l.staff_id = p_staff_id)
  order by l.repay_from, l.created_at, l.id;
$$;
comment on function public.ledger_balances is 'Nullable: note';
grant execute on function public.ledger_balances to authenticated;

-- Count and amounts, in one currency, of the records in the list, without cancelled ones, which it counts separately.
-- If the list shows only cancelled records, the sums are theirs.
create function public.payroll_sums(
  p_search text default null, p_status text default null, p_start date default null, p_end date default null,
  p_currency text default 'USD'
) returns table ( records integer, base numeric, deductions numeric, bonuses numeric, net numeric, cancelled integer )
language sql stable set search_path = '' as $$
  with named as materialized (
    select s.id from public.staff s
    where coalesce(p_search, '') <> ''
      and public.search_name(s) like all ((select private.search_patterns(p_search))::text[])
  ), found as (
    select p.payment_status, p.base_amount as base, p.deductions, p.bonuses, p.net_amount as net
    from public.payroll p
    where p.currency = p_currency
      and (p_start is null or p.period_start = p_start) and (p_end is null or p.period_end = p_end)
      -- A hashed set of ids, read once. Without a search everybody is meant, and the names are not read.
      and (coalesce(p_search, '') = '' or p.staff_id in (select n.id from named n))
  ), counted as (
    select f.*, p_status is not null or f.payment_status <> 'cancelled' as counts
    from found f where p_status is null or f.payment_status = p_status
  )
  select (count(*) filter (where c.counts))::integer,
    coalesce(sum(c.base) filter (where c.counts), 0), coalesce(sum(c.deductions) filter (where c.counts), 0),
    coalesce(sum(c.bonuses) filter (where c.counts), 0), coalesce(sum(c.net) filter (where c.counts), 0),
    (count(*) filter (where not c.counts))::integer
  from counted c;
$$;
grant execute on function public.payroll_sums to authenticated;

-- Totals per pay period, newest first, without cancelled records.
create function public.payroll_totals(p_currency text default 'USD')
returns table (
  period_start date, period_end date, records bigint, base numeric, deductions numeric, bonuses numeric, net numeric,
  unpaid numeric
)
language sql stable set search_path = '' as $$
  select p.period_start, p.period_end, count(*), sum(p.base_amount), sum(p.deductions), sum(p.bonuses),
    sum(p.net_amount), sum(p.net_amount) filter (where p.payment_status = 'pending')
  from public.payroll p
  -- No rows unless the caller may read every record.
  where p.currency = p_currency and p.payment_status <> 'cancelled' and (select private.has_role('admin', 'finance'))
  group by p.period_start, p.period_end order by p.period_start desc, p.period_end desc;
$$;
grant execute on function public.payroll_totals to authenticated;

-- The rate of a kind on a day; before the first known rate, that one.
create function private.pay_rate(p_kind text, p_on date) returns numeric
language sql stable set search_path = '' as $$
  select r.rate from public.pay_rates r
  where r.kind = p_kind
  order by r.effective_from <= p_on desc,
    case when r.effective_from <= p_on then p_on - r.effective_from else r.effective_from - p_on end
  limit 1;
$$;
grant execute on function private.pay_rate to authenticated;

-- Deductions suggested for gross pay in USD of one pay interval. Progressive tax is on the year's income in LRD.
create function public.suggest_deductions(p_gross numeric, p_frequency text, p_on date)
returns table (name text, amount numeric, how text)
language plpgsql stable set search_path = '' as $$
declare
  periods integer := private.periods_a_year(p_frequency);
  exchange numeric := private.pay_rate('lrd_per_usd', p_on);
  share numeric := private.pay_rate('nasscorp_employee', p_on);
  bands date;
  income numeric;
  tax numeric;
begin
  if p_gross is null or p_gross < 0 or p_gross > 999999999999.99 then
    raise exception 'Gross pay is an amount of at least 0.' using errcode = 'invalid_parameter_value';
  end if;
  if periods is null then
    raise exception 'Pay is weekly, bi-weekly or monthly.' using errcode = 'invalid_parameter_value';
  end if;
  -- The bands of the day; before the first known bands, those.
  select coalesce(max(r.effective_from) filter (where r.effective_from <= p_on), min(r.effective_from))
  into bands from public.pay_rates r where r.kind = 'income_tax';
  if bands is not null and exchange > 0 then
    income := p_gross * periods * exchange;
    select coalesce(sum((least(income, b.upper) - b.from_amount) * b.rate), 0) into tax
    from (
      select r.from_amount, r.rate,
        coalesce(lead(r.from_amount) over (order by r.from_amount), 'Infinity'::numeric) as upper
      from public.pay_rates r where r.kind = 'income_tax' and r.effective_from = bands
    ) b
    where income > b.from_amount;
    name := 'Income tax';
    amount := round(tax / periods / exchange, 2);
    how := format('US$%s x %s = L$%s a year at L$%s per US$; tax L$%s a year',
      to_char(p_gross, 'FM999,999,999,990.00'), periods, to_char(income, 'FM999,999,999,999,990.00'),
      trim_scale(exchange), to_char(tax, 'FM999,999,999,990.00'));
    return next;
  end if;
  if share is not null then
    name := 'NASSCORP';
    amount := round(p_gross * share, 2);
    how := format('%s%% of US$%s', trim_scale(share * 100), to_char(p_gross, 'FM999,999,999,990.00'));
    return next;
  end if;
end
$$;
grant execute on function public.suggest_deductions to authenticated;

-- What approving the adjustment would pay: late hours are valued now, all others have their figures. No row if there is
-- no such adjustment; figures are null if no locked run paid the days.
create function public.value_adjustment(p_id uuid)
returns TABLE(figure_before numeric, figure_after numeric, amount numeric, currency text)
language plpgsql stable security definer set search_path = '' as $$
declare
  a public.pay_adjustments;
begin
  perform private.require_pay_role();
  select * into a from public.pay_adjustments x where x.id = p_id;
  if not found then
    return;
  end if;
  if a.kind <> 'late_event' or a.status in ('approved', 'superseded') then
    return query select a.figure_before, a.figure_after, a.amount, a.currency;
    return;
  end if;
  return query select v.figure_before, v.figure_after, v.figure_after - v.figure_before, v.currency
    from (select 1) one left join lateral private.value_of_late_hours(a) v on true;
end
$$;
comment on function public.value_adjustment is 'Nullable: figure_before, figure_after, amount, currency';
grant execute on function public.value_adjustment to authenticated, service_role;

-- Which basis counts on which days of [p_from, p_to]: first to last, both inclusive, within the employment.
create function private.basis_days(p_from date, p_to date, p_staff uuid[] default null)
returns table (
  staff_id uuid, user_id uuid, full_name text, tax_resident boolean, basis_id uuid, basis text, payment_frequency text,
  amount numeric, currency text, first date, last date
)
language sql stable security definer set search_path = '' as $$
  with dated as (
    select b.*, case when row_number() over w = 1 then p_from else b.effective_from end as begins,
      coalesce(lead(b.effective_from) over w - 1, p_to) as ends
    from public.pay_bases b
    where p_staff is null or b.staff_id = any (p_staff)
    window w as (partition by b.staff_id order by b.effective_from)
  )
  select s.id, s.user_id, s.full_name, s.tax_resident, d.id, d.basis, d.payment_frequency, d.amount, d.currency,
    greatest(d.begins, s.hire_date, p_from), least(d.ends, s.end_date, p_to)
  from dated d join public.staff s on s.id = d.staff_id
  where (s.status = 'active' or s.end_date is not null)
    and greatest(d.begins, s.hire_date, p_from) <= least(d.ends, s.end_date, p_to);
$$;

-- The pay period that a day belongs to: a calendar month, a week from Monday, or a fortnight from Monday 2026-01-05.
create function private.pay_period(frequency text, day date) returns daterange
language sql immutable set search_path = ''
return case frequency
  when 'weekly' then daterange(date_trunc('week', day::timestamp)::date, date_trunc('week', day::timestamp)::date + 7)
  when 'bi-weekly' then daterange(
    day - mod(mod(day - date '2026-01-05', 14) + 14, 14), day - mod(mod(day - date '2026-01-05', 14) + 14, 14) + 14)
  else daterange(
    date_trunc('month', day::timestamp)::date, (date_trunc('month', day::timestamp) + interval '1 month')::date)
end;
grant execute on function private.pay_period to authenticated;

-- The pay periods around these days, cut where the pay group of the person changes.
create function private.pay_periods(p_users uuid[], p_first date[], p_last date[])
returns table (user_id uuid, period daterange)
language sql stable security definer set search_path = '' as $$
  with asked as (
    select distinct u.user_id, u.first, least(u.last, u.first + 400) as last
    from unnest(p_users, p_first, p_last) u (user_id, first, last)
    where u.user_id is not null and u.last >= u.first and isfinite(u.first) and isfinite(u.last)
  ), groups as (
    select c.user_id, c.frequency, case when c.before is not null then c.effective_from end as begins,
      lead(c.effective_from) over (partition by c.user_id order by c.effective_from) as ends
    from (
      select s.user_id, b.payment_frequency as frequency, b.effective_from,
        lag(b.payment_frequency) over (partition by b.staff_id order by b.effective_from) as before
      from public.staff s join public.pay_bases b on b.staff_id = s.id
      where s.user_id = any (p_users)
    ) c
    where c.frequency is distinct from c.before
  )
  select distinct a.user_id,
    private.pay_period(coalesce(g.frequency, 'monthly'), d.day::date) * daterange(g.begins, g.ends)
  from asked a
  left join groups g on g.user_id = a.user_id and daterange(g.begins, g.ends) && daterange(a.first, a.last, '[]')
  cross join lateral generate_series(
    greatest(a.first, g.begins)::timestamp, least(a.last, g.ends - 1)::timestamp, '1 day') d (day);
$$;

-- What follows for payments that were just marked as returned.
create function private.pay_returned_again(p_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  update public.payroll r set payment_status = 'pending', payment_date = null, returned_on = p.returned_on,
    return_reason = p.failure
  from public.payments p join public.payslips s on s.id = p.payslip_id
  where p.id = any (p_ids) and r.id = s.payroll_id;
  insert into public.payments (payslip_id, pay_run_id, staff_id, currency, amount)
  select p.payslip_id, p.pay_run_id, p.staff_id, p.currency, p.amount from public.payments p where p.id = any (p_ids);
  perform private.route_payments(array(select p.staff_id from public.payments p where p.id = any (p_ids)));
  update public.pay_runs r set status = 'locked', paid_at = null
  where r.status = 'paid' and r.id in (select p.pay_run_id from public.payments p where p.id = any (p_ids));
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Your pay for ' || private.period_text(u.period_start, u.period_end) || ' came back',
    left(format('%s was returned on %s: %s. It will be paid again.', private.money_text(p.amount, p.currency),
      to_char(p.returned_on, 'Mon FMDD'), p.failure), 500),
    '/staff/payslips?open=' || s.payroll_id, 'payment returned:' || p.id
  from public.payments p join public.payslips s on s.id = p.payslip_id join public.pay_runs u on u.id = p.pay_run_id
  where p.id = any (p_ids) and s.user_id is not null on conflict (dedupe_key) do nothing;
end
$$;

-- People of a run who have a payroll record of its period that the run did not write.
create function private.payroll_beside_run(p_run public.pay_runs)
returns table (
  staff_id uuid, full_name text, payroll_id uuid, first date, last date, status text, net numeric, currency text
)
language sql stable security definer set search_path = '' as $$
  select p.id, p.full_name, r.id, r.period_start, r.period_end, r.payment_status, r.net_amount, r.currency
  from public.payslips s
  join public.staff p on p.id = s.staff_id
  join public.payroll r on r.staff_id = s.staff_id and r.payment_status <> 'cancelled'
    and r.period_start <= p_run.period_end and r.period_end >= p_run.period_start
  where s.pay_run_id = p_run.id and p_run.status in ('calculated', 'in_review', 'approved')
    -- The other currency of somebody who is paid in two has records of its own days.
    and not exists (select from public.payslips o where o.payroll_id = r.id);
$$;

-- What a run took of an adjustment is settled; the rest waits beside it. Before the adjustments get their lines.
create function private.split_adjustments(p_run public.pay_runs) returns void
language plpgsql set search_path = '' as $$
declare
  part record;
  share numeric;
begin
  for part in
    select a as whole, l.amount as takes, (l.source ->> 'of')::numeric as due
    from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    join public.pay_adjustments a on a.id = (l.source ->> 'id')::uuid
    where s.pay_run_id = p_run.id and l.kind = 'adjustment' and l.amount <> (l.source ->> 'of')::numeric
    order by a.id
  loop
    share := case when (part.whole).converted_amount is null then part.takes
      else round((part.whole).amount * part.takes / part.due, 2) end;
    insert into public.pay_adjustments (staff_id, user_id, kind, period_start, period_end, pay_run_id, amount, currency,
      details, explanation, status, decided_by, decided_at, note, converted_amount, converted_currency, exchange_rate,
      exchange_rate_on, taxable, item_rule_id)
    values ((part.whole).staff_id, (part.whole).user_id,
      -- Late events of an assignment have one row.
      case (part.whole).kind when 'late_event' then 'manual'
        else (part.whole).kind end, (part.whole).period_start, (part.whole).period_end,
      (part.whole).pay_run_id, (part.whole).amount - share, (part.whole).currency,
      (part.whole).details - array['assignment_id', 'events'] || jsonb_build_object('rest_of', (part.whole).id),
        (part.whole).explanation, 'approved',
      (part.whole).decided_by, (part.whole).decided_at, (part.whole).note, (part.whole).converted_amount - part.takes,
      (part.whole).converted_currency, (part.whole).exchange_rate, (part.whole).exchange_rate_on,
      (part.whole).taxable, (part.whole).item_rule_id);
    update public.pay_adjustments a set amount = share,
      converted_amount = case when a.converted_amount is not null then part.takes end
    where a.id = (part.whole).id;
  end loop;
end
$$;

-- The specified payroll records: base is salary, hours and shifts; bonuses are the other amounts that are added;
-- deductions are all that is taken.
create function private.write_payroll(p_run public.pay_runs) returns void
language sql set search_path = '' as $$
  with days as materialized (
    select b.staff_id, bool_or((b.payment_frequency, b.currency) <> (p_run.pay_group, p_run.currency)) as is_mixed,
      daterange(min(b.first) filter (where (b.payment_frequency, b.currency) = (p_run.pay_group, p_run.currency)),
        max(b.last) filter (where (b.payment_frequency, b.currency) = (p_run.pay_group, p_run.currency)), '[]') as own
    from private.basis_days(p_run.period_start, p_run.period_end,
      array(select s.staff_id from public.payslips s where s.pay_run_id = p_run.id)) b
    group by b.staff_id
  ), sums as (
    select s.id, s.staff_id, s.net,
      coalesce(sum(l.amount) filter (where l.amount > 0 and l.kind in ('salary', 'regular', 'leave_paid')), 0) as base,
      coalesce(sum(l.amount) filter (where l.amount > 0 and l.kind not in ('salary', 'regular', 'leave_paid')),
        0) as bonuses,
      coalesce(-sum(l.amount) filter (where l.amount < 0), 0) as deductions,
      (select jsonb_agg(jsonb_build_object('name', d.label, 'amount', -d.amount, 'how', d.explanation)
        order by d.position)
        from public.payslip_lines d where d.payslip_id = s.id and d.amount < 0) as calculation,
      -- A person who is paid in two currencies has a record for the days of each.
      case when d.is_mixed then d.own else daterange(p_run.period_start, p_run.period_end, '[]') end as days
    from public.payslips s
    left join public.payslip_lines l on l.payslip_id = s.id
    left join days d on d.staff_id = s.staff_id
    where s.pay_run_id = p_run.id
    group by s.id, d.is_mixed, d.own
  ), written as (
    insert into public.payroll (staff_id, period_start, period_end, base_amount, deductions, bonuses, net_amount,
      currency,
      calculation)
    select s.staff_id, lower(s.days), upper(s.days) - 1, s.base, s.deductions, s.bonuses, s.net, p_run.currency,
      s.calculation
    from sums s
    order by s.staff_id
    returning id, staff_id
  )
  update public.payslips s set payroll_id = w.id, published_at = now()
  from written w where s.pay_run_id = p_run.id and s.staff_id = w.staff_id;
$$;
