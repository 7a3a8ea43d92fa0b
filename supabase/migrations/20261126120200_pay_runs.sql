-- Pay runs, their payslips and the lines of which each payslip consists. Written by functions; once a run is locked, its
-- rows never change, for anybody.
create table public.pay_runs (
  id uuid primary key default gen_random_uuid(),
  pay_group text not null check (pay_group in ('weekly', 'bi-weekly', 'monthly')),
  currency text not null check (currency in ('USD', 'LRD')),
  period_start date not null,
  -- Inclusive.
  period_end date not null,
  status text not null default 'draft'
    check (status in ('draft', 'calculated', 'in_review', 'approved', 'locked', 'paid', 'void')),
  -- The rate of exchange that the run uses for tax bands and minimum wage, and since when it has been in force.
  lrd_per_usd numeric(14, 6) not null check (lrd_per_usd > 0 and lrd_per_usd < 'Infinity'),
  rate_date date not null,
  calculated_by uuid references public.profiles (id) on delete set null,
  calculated_at timestamptz,
  reviewed_by uuid references public.profiles (id) on delete set null,
  reviewed_at timestamptz,
  approved_by uuid references public.profiles (id) on delete set null,
  approved_at timestamptz,
  locked_by uuid references public.profiles (id) on delete set null,
  locked_at timestamptz,
  paid_at timestamptz,
  voided_by uuid references public.profiles (id) on delete set null,
  voided_at timestamptz,
  void_reason text check (char_length(void_reason) between 1 and 500),
  -- [{code, staff_id, name, text}]: what the calculation could not settle.
  problems jsonb not null default '[]' check (jsonb_typeof(problems) = 'array'),
  -- Derived by the calculation.
  people integer not null default 0,
  gross numeric(16, 2) not null default 0,
  deductions numeric(16, 2) not null default 0,
  net numeric(16, 2) not null default 0,
  employer_cost numeric(16, 2) not null default 0,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pay_runs_end_not_before_start check (period_end >= period_start),
  constraint pay_runs_void_has_reason check (status <> 'void' or void_reason is not null),
  constraint pay_runs_do_not_overlap
    exclude using gist (pay_group with =, currency with =, daterange(period_start, period_end, '[]') with &&)
    where (status <> 'void')
);
comment on column public.pay_runs.lrd_per_usd is 'Derived, unless it is given: the rate in force on the last day';
comment on column public.pay_runs.rate_date is 'Derived: the day from which the rate is in force';
create index pay_runs_period_idx on public.pay_runs (period_end desc, pay_group, currency);
create index pay_runs_calculated_by_idx on public.pay_runs (calculated_by) where calculated_by is not null;
create index pay_runs_reviewed_by_idx on public.pay_runs (reviewed_by) where reviewed_by is not null;
create index pay_runs_approved_by_idx on public.pay_runs (approved_by) where approved_by is not null;
create index pay_runs_locked_by_idx on public.pay_runs (locked_by) where locked_by is not null;
create index pay_runs_voided_by_idx on public.pay_runs (voided_by) where voided_by is not null;
create index pay_runs_created_by_idx on public.pay_runs (created_by);

create table public.payslips (
  id uuid primary key default gen_random_uuid(),
  pay_run_id uuid not null references public.pay_runs (id) on delete cascade,
  staff_id uuid not null references public.staff (id),
  -- Of the staff record when the run was calculated.
  user_id uuid references public.profiles (id) on delete set null,
  currency text not null check (currency in ('USD', 'LRD')),
  -- What was earned: all lines except taxes, deductions and repayments. Unpaid time is already left out.
  gross numeric(14, 2) not null check (gross >= 0),
  -- The part of gross on which income tax is computed.
  taxable numeric(14, 2) not null default 0 check (taxable >= 0),
  deductions numeric(14, 2) not null check (deductions >= 0),
  net numeric(14, 2) not null check (net >= 0),
  -- NASSCORP of the employer, on top of gross.
  employer_cost numeric(14, 2) not null default 0 check (employer_cost >= 0),
  -- A checksum of the approved hours in the period when the run was calculated: locking refuses if they have changed.
  hours_key bigint not null default 0,
  -- The specified payroll record, written when the run is locked.
  payroll_id uuid unique references public.payroll (id),
  -- From then on the person sees it.
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payslips_one_per_person unique (pay_run_id, staff_id),
  constraint payslips_add_up check (net = gross - deductions)
);
create index payslips_staff_id_idx on public.payslips (staff_id, created_at desc);
create index payslips_user_id_idx on public.payslips (user_id);
create index payslips_published_at_idx on public.payslips (published_at) where published_at is not null;

create table public.payslip_lines (
  id uuid primary key default gen_random_uuid(),
  payslip_id uuid not null references public.payslips (id) on delete cascade,
  position integer not null,
  kind text not null check (kind in (
    'salary', 'regular', 'overtime_1', 'overtime_2', 'night', 'holiday', 'leave_paid', 'leave_unpaid', 'absence',
    'allowance', 'adjustment', 'income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform', 'other'
  )),
  label text not null check (char_length(label) <= 200),
  quantity numeric(14, 4),
  unit text not null default '' check (unit in ('h', 'days', 'shifts', '')),
  rate numeric(20, 6),
  -- Rounded half up to the cent, by its magnitude; negative lines are taken from pay. 0: only shows hours.
  amount numeric(14, 2) not null,
  taxable boolean not null default false,
  -- {table, id} of the record behind it, and minutes where the quantity is in hours.
  source jsonb not null default '{}' check (jsonb_typeof(source) = 'object'),
  explanation text not null default '' check (char_length(explanation) <= 500),
  created_at timestamptz not null default now(),
  constraint payslip_lines_position_key unique (payslip_id, position)
);

-- A payslip equals its lines to the cent when the transaction ends, however it was written.
create function private.check_payslip() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  slip public.payslips;
  earned numeric;
  total numeric;
begin
  if tg_table_name = 'payslips' then
    select * into slip from public.payslips s where s.id = new.id;
  else
    select * into slip from public.payslips s where s.id = coalesce(new.payslip_id, old.payslip_id);
  end if;
  if not found then
    return null;
  end if;
  select coalesce(sum(l.amount), 0), coalesce(sum(l.amount) filter (where l.kind not in
    ('income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform', 'other')), 0)
  into total, earned from public.payslip_lines l where l.payslip_id = slip.id;
  if (slip.net, slip.gross) <> (total, earned) then
    raise exception 'Payslip %: net % and gross % differ from its lines, which sum to % and %.',
      slip.id, slip.net, slip.gross, total, earned using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger e_adds_up after insert or update of gross, net on public.payslips
  deferrable initially deferred for each row execute function private.check_payslip();
create constraint trigger e_adds_up after insert or update or delete on public.payslip_lines
  deferrable initially deferred for each row execute function private.check_payslip();

create trigger b_author before insert or update on public.pay_runs
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.pay_runs
  for each row execute function private.touch();
create trigger d_touch before update on public.payslips
  for each row execute function private.touch();
select private.keep_history_of('public.pay_runs');
select private.keep_history_of('public.payslips');
select private.keep_history_of('public.payslip_lines');
create trigger c_has_payslips before delete on public.staff for each row
  execute function private.refuse_while_used('payslips', 'staff_id',
    'This staff member has payslips, so the record can''t be deleted. Set the status to inactive instead.');

alter table public.pay_runs enable row level security;
alter table public.payslips enable row level security;
alter table public.payslip_lines enable row level security;
revoke all on public.pay_runs, public.payslips, public.payslip_lines from anon, authenticated;
grant select, insert (id, pay_group, currency, period_start, period_end, lrd_per_usd), update (lrd_per_usd)
  on public.pay_runs to authenticated;
grant select on public.payslips, public.payslip_lines to authenticated;
-- The service role also writes through functions alone.
revoke insert, update, delete, truncate on public.payslips, public.payslip_lines from service_role;

create policy "Admins and finance read pay runs" on public.pay_runs
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance begin pay runs" on public.pay_runs
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance set the rate of exchange of a run" on public.pay_runs
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));
create policy "Admins and finance read payslips" on public.payslips
  for select to authenticated using ((select private.may_pay()));
create policy "Members read their own payslips of locked runs" on public.payslips
  for select to authenticated
  using (user_id = (select auth.uid()) and published_at is not null and (select private.is_member()));
create policy "Admins and finance read the lines of payslips" on public.payslip_lines
  for select to authenticated using ((select private.may_pay()));
create policy "Members read the lines of their own payslips" on public.payslip_lines
  for select to authenticated
  using (payslip_id in (
    select s.id from public.payslips s where s.user_id = (select auth.uid()) and s.published_at is not null
  ) and (select private.is_member()));

alter publication supabase_realtime add table public.pay_runs, public.payslips, public.payslip_lines;
alter table public.payslips replica identity full;
alter table public.payslip_lines replica identity full;

revoke all on all functions in schema private from public;
