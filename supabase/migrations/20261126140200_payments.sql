-- Payments of locked pay runs: one line per payslip and attempt, in files that never change. Written by functions alone.
create table public.payment_files (
  id uuid primary key default gen_random_uuid(),
  pay_run_id uuid not null references public.pay_runs (id),
  -- Counted within the run.
  number integer not null,
  channel text not null check (channel in ('bank', 'mtn_momo', 'orange_money', 'cash')),
  currency text not null check (currency in ('USD', 'LRD')),
  -- CSV, UTF-8, as sent to the bank or the network.
  content text not null,
  line_count integer not null check (line_count > 0),
  control_total numeric(16, 2) not null check (control_total > 0),
  -- Of the content, hexadecimal.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  unique (pay_run_id, number)
);
create index payment_files_created_by_idx on public.payment_files (created_by);

create table public.payments (
  id uuid primary key default gen_random_uuid(),
  payslip_id uuid not null references public.payslips (id),
  pay_run_id uuid not null references public.pay_runs (id),
  staff_id uuid not null references public.staff (id),
  currency text not null check (currency in ('USD', 'LRD')),
  amount numeric(14, 2) not null check (amount > 0),
  -- Our reference in the file. A second attempt has another one, so that no bank takes it for a repetition.
  code text not null generated always as (upper(translate(left(id::text, 13), '-', ''))) stored,
  -- The person's account: follows pay_accounts while the payment is still to be made, then stays as it was used.
  channel text check (channel in ('bank', 'mtn_momo', 'orange_money', 'cash')),
  account_name text,
  account_number text,
  bank_name text,
  -- Why it can't be paid yet.
  blocked text,
  status text not null default 'to_pay' check (status in ('to_pay', 'in_file', 'paid', 'failed')),
  payment_file_id uuid references public.payment_files (id),
  line integer,
  -- The provider's.
  reference text check (char_length(reference) <= 100),
  failure text check (char_length(failure) <= 500),
  paid_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payments_file check (
    (status = 'to_pay') = (payment_file_id is null) and (payment_file_id is null) = (line is null)),
  constraint payments_usable check (status = 'to_pay' or (channel is not null and blocked is null)),
  constraint payments_paid check ((status = 'paid') = (paid_on is not null)),
  constraint payments_failed check ((status = 'failed') = (failure is not null))
);

-- Nobody is paid twice.
create unique index payments_one_per_payslip on public.payments (payslip_id) where status <> 'failed';
create unique index payments_code_key on public.payments (code);
create unique index payments_line_key on public.payments (payment_file_id, line) where payment_file_id is not null;
create index payments_payslip_id_idx on public.payments (payslip_id);
create index payments_pay_run_id_idx on public.payments (pay_run_id, status);
create index payments_staff_id_idx on public.payments (staff_id, status);

create trigger d_touch before update on public.payments
  for each row execute function private.touch();
select private.keep_history_of('public.payments');
select private.keep_history_of('public.payment_files');

alter table public.payments enable row level security;
alter table public.payment_files enable row level security;
revoke all on public.payments, public.payment_files from anon, authenticated;
grant select on public.payments, public.payment_files to authenticated;

create policy "Admins and finance read payments" on public.payments
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance read payment files" on public.payment_files
  for select to authenticated using ((select private.may_pay()));

-- The files of a run change only together with its payments, and are too large to send with each change.
alter publication supabase_realtime add table public.payments;

-- For everybody, the service role included.
create function private.refuse_change_of_payment() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if old.status = 'to_pay' then
      return old;
    end if;
    raise exception 'A payment in a file is kept.' using errcode = 'PT409';
  end if;
  if old.status in ('paid', 'failed')
    or (old.payslip_id, old.pay_run_id, old.staff_id, old.currency, old.amount)
      is distinct from (new.payslip_id, new.pay_run_id, new.staff_id, new.currency, new.amount)
    or old.status = 'in_file' and (new.status = 'to_pay'
      or (old.channel, old.account_name, old.account_number, old.bank_name, old.payment_file_id, old.line)
        is distinct from (new.channel, new.account_name, new.account_number, new.bank_name, new.payment_file_id, new.line))
  then
    raise exception 'A payment in a file can''t be changed.' using errcode = 'PT409';
  end if;
  return new;
end
$$;

create trigger c_rules before update or delete on public.payments
  for each row execute function private.refuse_change_of_payment();

create function private.refuse_change_of_payment_file() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- Deleting an account sets created_by to null.
  if tg_op = 'UPDATE' and to_jsonb(new) - 'created_by' = to_jsonb(old) - 'created_by' then
    return new;
  end if;
  raise exception 'A payment file can''t be changed or deleted.' using errcode = 'PT409';
end
$$;

create trigger c_rules before update or delete on public.payment_files
  for each row execute function private.refuse_change_of_payment_file();

-- Copies the accounts of these people to their payments that are still to be made, and says which can't be.
create function private.route_payments(p_staff uuid[]) returns void
language sql set search_path = '' as $$
  update public.payments p set
    channel = a.channel, account_name = a.account_name, account_number = a.account_number, bank_name = a.bank_name,
    blocked = case when a.id is null then 'No pay account'
      when a.verified_at is null then 'The pay account is not verified yet' end
  from public.staff s
  left join public.pay_accounts a on a.staff_id = s.id
  where p.status = 'to_pay' and p.staff_id = s.id and s.id = any (p_staff);
$$;

create function private.follow_pay_accounts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    perform private.route_payments(array(select distinct o.staff_id from old_rows o));
  else
    perform private.route_payments(array(select distinct n.staff_id from new_rows n));
  end if;
  return null;
end
$$;

create trigger routes_payments_of_inserts after insert on public.pay_accounts referencing new table as new_rows
  for each statement execute function private.follow_pay_accounts();
create trigger routes_payments_of_updates after update on public.pay_accounts referencing new table as new_rows
  for each statement execute function private.follow_pay_accounts();
create trigger routes_payments_of_deletes after delete on public.pay_accounts referencing old table as old_rows
  for each statement execute function private.follow_pay_accounts();

revoke all on all functions in schema private from public;
