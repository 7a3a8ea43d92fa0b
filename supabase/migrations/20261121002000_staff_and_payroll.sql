-- Staff records and what they are paid. Admins only, except that a person reads their own payslips.
create table public.staff (
  id uuid primary key default gen_random_uuid(),
  full_name text not null check (char_length(full_name) <= 100),
  email text check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  phone text check (char_length(phone) <= 20),
  role text not null default 'guard' check (role in ('admin', 'guard')),
  hire_date date not null default private.company_date(),
  salary_amount numeric(14, 2) not null check (salary_amount between 0 and 999999999999.99),
  payment_frequency text not null default 'monthly'
    check (payment_frequency in ('weekly', 'bi-weekly', 'monthly')),
  status text not null default 'active' check (status in ('active', 'inactive')),
  -- The account of this person, which connects pay to attendance.
  user_id uuid references public.profiles (id) on delete set null,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index staff_one_record_per_account on public.staff (user_id) where user_id is not null;
create index staff_created_at_idx on public.staff (created_at desc);
create index staff_status_idx on public.staff (status, full_name);
create index staff_created_by_idx on public.staff (created_by);

create table public.payroll (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references public.staff (id),
  period_start date not null,
  period_end date not null,
  base_amount numeric(14, 2) not null check (base_amount between 0 and 999999999999.99),
  deductions numeric(14, 2) not null default 0 check (deductions between 0 and 999999999999.99),
  bonuses numeric(14, 2) not null default 0 check (bonuses between 0 and 999999999999.99),
  net_amount numeric(14, 2) not null,
  payment_date date,
  payment_status text not null default 'pending' check (payment_status in ('pending', 'paid', 'cancelled')),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payroll_period_end_not_before_start check (period_end >= period_start)
);
comment on column public.payroll.net_amount is 'Derived: base amount minus deductions plus bonuses';

create index payroll_created_at_idx on public.payroll (created_at desc);
create index payroll_staff_id_idx on public.payroll (staff_id, period_start desc);
create index payroll_created_by_idx on public.payroll (created_by);

create function private.derive_net_amount() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.deductions := coalesce(new.deductions, 0);
  new.bonuses := coalesce(new.bonuses, 0);
  new.net_amount := new.base_amount - new.deductions + new.bonuses;
  return new;
end
$$;

-- The caller's own staff record, if an admin has linked one. Staff itself is closed to them.
create function private.own_staff_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.id from public.staff s where s.user_id = auth.uid() and private.is_member());
end
$$;
revoke all on function private.derive_net_amount(), private.own_staff_id() from public;
grant execute on function private.own_staff_id() to authenticated;

select private.tidy_texts_of('public.staff', 'full_name', 'email', 'phone');
create trigger b_author before insert or update on public.staff
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.staff
  for each row execute function private.touch();
create trigger c_has_payroll before delete on public.staff for each row
  execute function private.refuse_while_used('payroll', 'staff_id',
    'This staff member has payroll records, so the record can''t be deleted. Set the status to inactive instead.');
select private.tidy_texts_of('public.payroll', 'notes');
create trigger b_author before insert or update on public.payroll
  for each row execute function private.stamp_author();
create trigger c_rules before insert or update on public.payroll
  for each row execute function private.derive_net_amount();
create trigger d_touch before update on public.payroll
  for each row execute function private.touch();
select private.keep_history_of('public.staff');
select private.keep_history_of('public.payroll');

alter table public.staff enable row level security;
alter table public.payroll enable row level security;
revoke all on public.staff, public.payroll from anon, authenticated;
grant select, insert, update, delete on public.staff, public.payroll to authenticated;

create policy "Admins read staff" on public.staff
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add staff" on public.staff
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change staff" on public.staff
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete staff" on public.staff
  for delete to authenticated using ((select private.has_role('admin')));

create policy "Admins read payroll" on public.payroll
  for select to authenticated using ((select private.has_role('admin')));
create policy "Members read their own payslips" on public.payroll
  for select to authenticated using (staff_id = (select private.own_staff_id()));
create policy "Admins add payroll" on public.payroll
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change payroll" on public.payroll
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete payroll" on public.payroll
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.staff, public.payroll;
