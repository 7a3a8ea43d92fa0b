-- The closing date of the books: nothing dated on or before it is added, changed or taken back. Whoever reopens them is
-- neither the person who asks for it nor one who closed the days.

-- The date in force. Every posting share-locks the row until it commits, so a closing waits for postings under way, and a
-- posting that waited for a closing sees it.
create table private.books (
  only_row boolean primary key default true check (only_row),
  -- Null before the first closing.
  closed_to date
);
alter table private.books enable row level security;
revoke all on private.books from public, anon, authenticated;
insert into private.books default values;

create table public.book_closings (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('close', 'reopen')),
  -- The last closed day once this is in force; null when every day is reopened.
  closed_to date check (closed_to between '1900-01-01' and '2199-12-31'),
  -- Why the books are reopened.
  reason text check (char_length(reason) between 1 and 500),
  status text not null default 'in_force' check (status in ('asked', 'in_force', 'declined')),
  requested_by uuid default auth.uid() references public.profiles (id) on delete set null,
  requested_at timestamptz not null default now(),
  -- Whoever approved or declined the reopening.
  decided_by uuid references public.profiles (id) on delete set null,
  decided_at timestamptz,
  constraint book_closings_reopening check (
    (kind = 'reopen') = (reason is not null) and (kind = 'reopen' or closed_to is not null and status = 'in_force')
  ),
  constraint book_closings_decided check ((kind = 'reopen' and status <> 'asked') = (decided_at is not null)),
  constraint book_closings_two_people check (status <> 'in_force' or decided_by <> requested_by)
);
create unique index book_closings_one_asked on public.book_closings (status) where status = 'asked';
create index book_closings_requested_at_idx on public.book_closings (requested_at desc);
create index book_closings_requested_by_idx on public.book_closings (requested_by);
create index book_closings_decided_by_idx on public.book_closings (decided_by);

alter table public.book_closings enable row level security;
revoke all on public.book_closings from public, anon, authenticated, service_role;
grant select on public.book_closings to authenticated, service_role;
create policy "Admins and finance read closings of the books" on public.book_closings for select to authenticated
  using ((select private.may_bill()));
select private.keep_history_of('public.book_closings');
alter publication supabase_realtime add table public.book_closings;

create function private.day_name(p_day date) returns text
language sql immutable set search_path = '' return to_char(p_day, 'FMMonth FMDD, YYYY');

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
      raise exception 'Someone else must approve it: you asked to reopen the books.' using errcode = 'insufficient_privilege';
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

revoke execute on function public.close_books(date), public.ask_to_reopen_books(text, date),
  public.decide_reopening(uuid, boolean), private.day_name(date) from public, anon;
grant execute on function public.close_books(date), public.ask_to_reopen_books(text, date),
  public.decide_reopening(uuid, boolean) to authenticated;

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

-- Of each table: what the books are made of. A payment of an invoice of a closed month, for example, stays possible.
create trigger y_books_of_new after insert on public.receipts
  for each row execute function private.keep_closed_books('received_on', 'voided_at');
create trigger y_books after update on public.receipts for each row when (
  (old.client_id, old.currency, old.amount, old.received_on, old.method, old.reference)
    is distinct from (new.client_id, new.currency, new.amount, new.received_on, new.method, new.reference))
  execute function private.keep_closed_books('received_on');
create trigger y_books_of_voided after update on public.receipts for each row
  when (old.voided_at is distinct from new.voided_at) execute function private.keep_closed_books('voided_at');
create trigger y_books_of_deleted after delete on public.receipts
  for each row execute function private.keep_closed_books('received_on', 'voided_at');

-- An allocation is made on its own day. It ends with the voiding or the credit of today.
create trigger y_books_of_new after insert on public.receipt_allocations
  for each row execute function private.keep_closed_books('created_at');
create trigger y_books after update on public.receipt_allocations for each row
  when (old.created_at is distinct from new.created_at) execute function private.keep_closed_books('created_at');

create trigger y_books_of_new after insert on public.invoices
  for each row when (new.issued_on is not null) execute function private.keep_closed_books('issued_on');
create trigger y_books after update on public.invoices for each row when (
  (old.client_id, old.currency, old.subtotal, old.tax, old.year, old.sequence, old.issued_on)
    is distinct from (new.client_id, new.currency, new.subtotal, new.tax, new.year, new.sequence, new.issued_on))
  execute function private.keep_closed_books('issued_on');
create trigger y_books_of_deleted after delete on public.invoices
  for each row when (old.issued_on is not null) execute function private.keep_closed_books('issued_on');

create trigger y_books_of_new after insert on public.credit_notes
  for each row execute function private.keep_closed_books('issued_on');
create trigger y_books after update on public.credit_notes for each row when (
  (old.client_id, old.invoice_id, old.currency, old.amount, old.tax, old.year, old.sequence, old.issued_on, old.reason)
    is distinct from
  (new.client_id, new.invoice_id, new.currency, new.amount, new.tax, new.year, new.sequence, new.issued_on, new.reason))
  execute function private.keep_closed_books('issued_on');
create trigger y_books_of_deleted after delete on public.credit_notes
  for each row execute function private.keep_closed_books('issued_on');

create trigger y_books_of_new after insert on public.payments
  for each row when (new.paid_on is not null) execute function private.keep_closed_books('paid_on');
create trigger y_books after update on public.payments for each row when (
  (old.pay_run_id, old.currency, old.amount, old.channel, old.paid_on)
    is distinct from (new.pay_run_id, new.currency, new.amount, new.channel, new.paid_on))
  execute function private.keep_closed_books('paid_on');
create trigger y_books_of_deleted after delete on public.payments
  for each row when (old.paid_on is not null) execute function private.keep_closed_books('paid_on');

-- A run is booked on its last day once it is locked, and booked back on the day of voiding.
create trigger y_books_of_new after insert on public.pay_runs
  for each row when (new.locked_at is not null) execute function private.keep_closed_books('period_end', 'voided_at');
create trigger y_books after update on public.pay_runs for each row when (
  coalesce(old.locked_at, new.locked_at) is not null
  and (old.locked_at, old.period_end, old.currency) is distinct from (new.locked_at, new.period_end, new.currency))
  execute function private.keep_closed_books('period_end');
create trigger y_books_of_voided after update on public.pay_runs for each row
  when (new.locked_at is not null and old.voided_at is distinct from new.voided_at)
  execute function private.keep_closed_books('voided_at');
create trigger y_books_of_deleted after delete on public.pay_runs
  for each row when (old.locked_at is not null) execute function private.keep_closed_books('period_end', 'voided_at');

create trigger y_books_of_new after insert on public.expense_reports
  for each row execute function private.keep_closed_books('expense_date');
-- Deleting a site clears site_id.
create trigger y_books after update on public.expense_reports for each row when (
  (old.title, old.amount, old.category, old.expense_date, old.report_type, old.notes, old.receipt_path)
    is distinct from
  (new.title, new.amount, new.category, new.expense_date, new.report_type, new.notes, new.receipt_path)
  or new.site_id is not null and old.site_id is distinct from new.site_id)
  execute function private.keep_closed_books('expense_date');
create trigger y_books_of_deleted after delete on public.expense_reports
  for each row execute function private.keep_closed_books('expense_date');

create trigger y_books_of_new after insert on public.financial_statements
  for each row execute function private.keep_closed_books('period_end');
create trigger y_books after update on public.financial_statements for each row when (
  (old.title, old.period_start, old.period_end, old.total_revenue, old.total_expenses, old.notes)
    is distinct from
  (new.title, new.period_start, new.period_end, new.total_revenue, new.total_expenses, new.notes))
  execute function private.keep_closed_books('period_end');
create trigger y_books_of_deleted after delete on public.financial_statements
  for each row execute function private.keep_closed_books('period_end');

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
revoke execute on function private.keep_closed_books(), private.keep_closed_payroll() from public, anon, authenticated;
create trigger y_books after insert or update or delete on public.payroll
  for each row execute function private.keep_closed_payroll();
