-- Advances, loans, uniforms and other amounts that a person repays from pay: each issue, its repayments and what is
-- written off. An entry is never changed or deleted: a mistake is written off.
create table public.staff_ledger (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references public.staff (id),
  entry text not null check (entry in ('issue', 'repayment', 'write_off')),
  kind text not null check (kind in ('advance', 'loan', 'uniform', 'other')),
  -- The issue that is repaid or written off.
  loan_id uuid references public.staff_ledger (id),
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  amount numeric(14, 2) not null check (amount between 0.01 and 999999999999.99),
  -- Of an issue: what each pay run takes at most, and from which period on.
  repay_per_period numeric(14, 2) check (repay_per_period between 0.01 and 999999999999.99),
  repay_from date check (repay_from between '1900-01-01' and '2199-12-31'),
  note text check (char_length(note) <= 500),
  -- Of a repayment from pay.
  payslip_line_id uuid unique references public.payslip_lines (id),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint staff_ledger_issue check ((entry = 'issue') = (loan_id is null)),
  constraint staff_ledger_schedule check (entry = 'issue' or (repay_per_period is null and repay_from is null)),
  constraint staff_ledger_paid_from_pay check (payslip_line_id is null or entry = 'repayment')
);
comment on column public.staff_ledger.kind is 'Derived for a repayment or write-off: as the issue';
create index staff_ledger_staff_id_idx on public.staff_ledger (staff_id, created_at);
create index staff_ledger_loan_id_idx on public.staff_ledger (loan_id) where loan_id is not null;
create index staff_ledger_created_by_idx on public.staff_ledger (created_by);

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
      raise exception 'Of an entry in the ledger only the schedule and the note change.' using errcode = 'PT409';
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
    raise exception 'An amount in % is not repaid in %.', issue.currency, new.currency using errcode = 'check_violation';
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
create trigger c_rules before insert or update or delete on public.staff_ledger
  for each row execute function private.check_ledger();

select private.tidy_texts_of('public.staff_ledger', 'note');
create trigger b_author before insert or update on public.staff_ledger
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.staff_ledger
  for each row execute function private.touch();
select private.keep_history_of('public.staff_ledger');
create trigger c_has_ledger before delete on public.staff for each row
  execute function private.refuse_while_used('staff_ledger', 'staff_id',
    'This staff member has a ledger, so the record can''t be deleted. Set the status to inactive instead.');

alter table public.staff_ledger enable row level security;
revoke all on public.staff_ledger from anon, authenticated;
grant select, insert (id, staff_id, entry, kind, loan_id, currency, amount, repay_per_period, repay_from, note),
  update (repay_per_period, repay_from, note) on public.staff_ledger to authenticated;
create policy "Admins and finance read the ledger of staff" on public.staff_ledger
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add to the ledger of staff" on public.staff_ledger
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance change the schedule of repayments" on public.staff_ledger
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));
alter publication supabase_realtime add table public.staff_ledger;

-- What each person still owes, by issue; settled ones too. Runs as the caller: the policies decide.
create function public.ledger_balances(p_staff_id uuid default null) returns table (
  id uuid, staff_id uuid, kind text, currency text, amount numeric, repaid numeric, balance numeric,
  repay_per_period numeric, repay_from date, note text, created_at timestamptz
)
language sql stable set search_path = '' as $$
  select l.id, l.staff_id, l.kind, l.currency, l.amount, coalesce(r.amount, 0), l.amount - coalesce(r.amount, 0),
    l.repay_per_period, l.repay_from, l.note, l.created_at
  from public.staff_ledger l
  left join lateral (select sum(x.amount) as amount from public.staff_ledger x where x.loan_id = l.id) r on true
  where l.entry = 'issue' and (p_staff_id is null or l.staff_id = p_staff_id)
  order by l.repay_from, l.created_at, l.id;
$$;
comment on function public.ledger_balances is 'Nullable: note';

revoke all on all functions in schema private from public;
revoke all on function public.ledger_balances from public, anon;
grant execute on function public.ledger_balances to authenticated;
