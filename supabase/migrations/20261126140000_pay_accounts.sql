-- Where the pay of a person goes: one account each, that no one else uses, checked by a second person before money is
-- sent to it. Admins and finance only.
create table public.pay_accounts (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null unique references public.staff (id) on delete cascade,
  -- cash is paid against a signature.
  channel text not null check (channel in ('bank', 'mtn_momo', 'orange_money', 'cash')),
  -- As the bank or the network knows the holder. A spreadsheet would run a name that starts like a formula.
  account_name text not null check (char_length(account_name) <= 100 and account_name !~ '^[-=+@]'),
  -- Of a bank: letters and digits only. Of mobile money: E.164.
  account_number text,
  bank_name text check (char_length(bank_name) <= 100 and bank_name !~ '^[-=+@]'),
  -- Who last changed the account.
  changed_by uuid default auth.uid() references public.profiles (id) on delete set null,
  verified_by uuid references public.profiles (id) on delete set null,
  verified_at timestamptz,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pay_accounts_bank_has_name check ((channel = 'bank') = (bank_name is not null)),
  constraint pay_accounts_cash_has_no_number check ((channel = 'cash') = (account_number is null)),
  constraint pay_accounts_number check (case
    when channel = 'bank' then account_number ~ '^[A-Z0-9]{4,34}$'
    when channel in ('mtn_momo', 'orange_money') then account_number ~ '^\+[1-9][0-9]{6,14}$'
    else true
  end),
  constraint pay_accounts_second_person check (verified_by <> changed_by),
  constraint pay_accounts_verified_at check (verified_by is null or verified_at is not null)
);

create unique index pay_accounts_number_key on public.pay_accounts (channel, account_number);
create index pay_accounts_changed_by_idx on public.pay_accounts (changed_by);
create index pay_accounts_verified_by_idx on public.pay_accounts (verified_by);
create index pay_accounts_created_by_idx on public.pay_accounts (created_by);

select private.tidy_texts_of('public.pay_accounts', 'account_name', 'account_number', 'bank_name');
create trigger b_author before insert or update on public.pay_accounts
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.pay_accounts
  for each row execute function private.touch();
select private.keep_history_of('public.pay_accounts');

alter table public.pay_accounts enable row level security;
revoke all on public.pay_accounts from anon, authenticated;
-- Only verify_pay_account writes verified_by and verified_at.
grant select, delete,
  insert (id, staff_id, channel, account_name, account_number, bank_name, created_by),
  update (channel, account_name, account_number, bank_name)
on public.pay_accounts to authenticated;

create policy "Admins and finance read pay accounts" on public.pay_accounts
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add pay accounts" on public.pay_accounts
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance change pay accounts" on public.pay_accounts
  for update to authenticated
  using ((select private.may_pay())) with check ((select private.may_pay()));
create policy "Admins and finance delete pay accounts" on public.pay_accounts
  for delete to authenticated using ((select private.may_pay()));

alter publication supabase_realtime add table public.pay_accounts;

-- Writes numbers in one form, names the other user of a number, and asks for a new check of what has changed. Definer,
-- to read the other account. It runs before the policies, so it names no one to callers who may not read accounts.
create function private.check_pay_account() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  written text := new.account_number;
  other text;
begin
  if new.channel in ('mtn_momo', 'orange_money') then
    new.account_number := private.e164(written);
    if new.account_number is null and written is not null then
      raise exception '% is not a phone number.', left(written, 40) using errcode = 'check_violation';
    end if;
  elsif new.channel = 'bank' then
    new.account_number := upper(translate(written, ' -.', ''));
  end if;
  if new.account_number is not null and (auth.uid() is null or private.may_pay()) then
    select s.full_name into other
    from public.pay_accounts a join public.staff s on s.id = a.staff_id
    where a.channel = new.channel and a.account_number = new.account_number and a.id <> new.id;
    if found then
      raise exception 'This account number is already used by %.', other
        using errcode = 'unique_violation', constraint = 'pay_accounts_number_key';
    end if;
  end if;
  if tg_op = 'UPDATE' and (old.staff_id, old.channel, old.account_name, old.account_number, old.bank_name)
    is not distinct from (new.staff_id, new.channel, new.account_name, new.account_number, new.bank_name)
  then
    return new;
  end if;
  new.changed_by := auth.uid();
  new.verified_by := null;
  new.verified_at := null;
  return new;
end
$$;

create trigger c_rules before insert or update on public.pay_accounts
  for each row execute function private.check_pay_account();

-- Confirms an account as the caller has seen it, with the person's document in hand. Not for the one who entered it, and
-- not for its owner.
create function public.verify_pay_account(p_id uuid, p_number text default null) returns public.pay_accounts
language plpgsql security definer set search_path = '' as $$
declare
  account public.pay_accounts;
begin
  if not private.may_pay() then
    raise exception 'Only admins and finance verify pay accounts.' using errcode = 'insufficient_privilege';
  end if;
  select * into account from public.pay_accounts a where a.id = p_id for update;
  if not found then
    raise exception 'This pay account no longer exists.' using errcode = 'PT404';
  end if;
  if account.account_number is distinct from p_number then
    raise exception 'The account has been changed since. Check it again.' using errcode = 'PT409';
  end if;
  if account.verified_at is not null then
    return account;
  end if;
  if account.changed_by = auth.uid() then
    raise exception 'You entered this account. A second person has to verify it.' using errcode = 'insufficient_privilege';
  end if;
  if exists (select from public.staff s where s.id = account.staff_id and s.user_id = auth.uid()) then
    raise exception 'Your own account has to be verified by another person.' using errcode = 'insufficient_privilege';
  end if;
  update public.pay_accounts a set verified_by = auth.uid(), verified_at = now()
  where a.id = p_id returning * into account;
  return account;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.verify_pay_account from public, anon;
grant execute on function public.verify_pay_account to authenticated;
