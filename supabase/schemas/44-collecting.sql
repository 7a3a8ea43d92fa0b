-- How clients pay: details on invoices, credit notes, refunds of money on account, disputes, reminders by mail.

-- ── Tables ────────────────────────────────────────────────────────────

-- What invoices say about the company, the limit of small differences, and when reminders go. One row.
create table public.billing_settings (
  id uuid default gen_random_uuid() primary key,
  address text check (char_length(address) <= 300), -- Of the company, as on its registration.
  terms text check (char_length(terms) <= 500),
  write_off_usd numeric(14,2) not null default 5 check (write_off_usd between 0 and 1000),
  -- Days after an invoice was due on which its client is reminded; none: no reminders.
  reminder_days integer[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint billing_settings_reminder_days check (cardinality(reminder_days) <= 6 and 1 <= all (reminder_days)
    and 365 >= all (reminder_days) and array_position(reminder_days, null) is null)
);
create unique index billing_settings_one_row on public.billing_settings ((true));

insert into public.billing_settings default values;
alter publication supabase_realtime add table public.billing_settings;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.billing_settings', 'address', 'terms');
create trigger c_printable before update on public.billing_settings
  for each row execute function private.refuse_unprintable('address', 'terms');
create trigger d_touch before update on public.billing_settings for each row execute function private.touch();
select private.keep_history_of('public.billing_settings');
alter table public.billing_settings enable row level security;
revoke insert, delete, truncate on public.billing_settings from service_role;
grant select, update (address, terms, write_off_usd, reminder_days) on public.billing_settings to authenticated;
create policy "Admins and finance read the settings of billing" on public.billing_settings
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance change the settings of billing" on public.billing_settings
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));

-- Where clients pay to: those of its currency are on an invoice. An issued invoice keeps what it said.
create table public.payment_accounts (
  id uuid default gen_random_uuid() primary key,
  currency text not null check (currency in ('USD', 'LRD')),
  kind text not null check (kind in ('bank', 'mobile_money')),
  provider text not null check (char_length(provider) between 1 and 100), -- The bank, or the mobile-money service.
  title text not null check (char_length(title) between 1 and 100), -- In whose name.
  number text not null check (char_length(number) between 1 and 60),
  note text check (char_length(note) <= 200), -- Branch, SWIFT code.
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payment_accounts_once unique (currency, kind, provider, number)
);
create index payment_accounts_created_by_idx on public.payment_accounts (created_by);
alter publication supabase_realtime add table public.payment_accounts;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.payment_accounts', 'provider', 'title', 'number', 'note');
create trigger b_author before insert or update on public.payment_accounts
  for each row execute function private.stamp_author();
create trigger c_few before insert or update of currency on public.payment_accounts
  for each row execute function private.keep_payment_accounts_few();
create trigger c_printable before insert or update on public.payment_accounts
  for each row execute function private.refuse_unprintable('provider', 'title', 'number', 'note');
create trigger d_touch before update on public.payment_accounts for each row execute function private.touch();
create trigger z_notify after insert or delete or update of currency, kind, provider, title, number, note
  on public.payment_accounts for each row execute function private.notify_of_payment_account();
select private.keep_history_of('public.payment_accounts');
alter table public.payment_accounts enable row level security;
grant select, insert, update, delete on public.payment_accounts to authenticated;
create policy "Admins and finance read where clients pay to" on public.payment_accounts
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance add where clients pay to" on public.payment_accounts
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change where clients pay to" on public.payment_accounts
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance delete where clients pay to" on public.payment_accounts
  for delete to authenticated using ((select private.may_bill()));

-- Money on account that goes back to the client. From the moment it is asked for, it is no longer on account.
create table public.refunds (
  id uuid default gen_random_uuid() primary key,
  receipt_id uuid not null references public.receipts,
  client_id uuid not null references public.clients, -- These two are the receipt's.
  currency text not null check (currency in ('USD', 'LRD')),
  amount numeric(14,2) not null check (amount between 0.01 and 999999999999.99),
  method text not null check (method in ('bank', 'cash', 'mobile_money', 'cheque')),
  bank_account_id uuid references public.bank_accounts,
  reason text not null check (char_length(reason) between 1 and 500),
  status text not null default 'asked' check (status in ('asked', 'paid', 'declined', 'returned')),
  asked_by uuid default auth.uid() references public.profiles on delete set null,
  decided_by uuid references public.profiles on delete set null,
  decided_at timestamptz,
  paid_on date check (paid_on between '1900-01-01' and '2199-12-31'),
  reference text check (char_length(reference) <= 100),
  returned_on date check (returned_on between '1900-01-01' and '2199-12-31'),
  return_reason text check (char_length(return_reason) between 1 and 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint refunds_decided check ((status = 'asked') = (decided_at is null)),
  constraint refunds_paid check ((status in ('paid', 'returned')) = (paid_on is not null)),
  constraint refunds_returned check ((status = 'returned') = (returned_on is not null)
    and (returned_on is null) = (return_reason is null) and returned_on >= paid_on),
  constraint refunds_two_people check (status not in ('paid', 'returned') or decided_by <> asked_by)
);
create index refunds_receipt_id_idx on public.refunds (receipt_id);
create index refunds_client_id_idx on public.refunds (client_id, paid_on);
create index refunds_bank_account_id_idx on public.refunds (bank_account_id) where bank_account_id is not null;
create index refunds_asked_by_idx on public.refunds (asked_by) where asked_by is not null;
create index refunds_decided_by_idx on public.refunds (decided_by) where decided_by is not null;
create index refunds_paid_on_idx on public.refunds (paid_on);
create index refunds_status_idx on public.refunds (created_at) where status = 'asked';
alter publication supabase_realtime add table public.refunds;
-- Triggers, in the order in which they fire:
create trigger c_issued_truncate before truncate on public.refunds
  for each statement execute function private.refuse_truncate_of_documents();
select private.tidy_texts_of('public.refunds', 'reason', 'reference', 'return_reason');
create trigger c_rules before insert or update or delete on public.refunds
  for each row execute function private.check_refund();
create trigger d_touch before update on public.refunds for each row execute function private.touch();
create trigger f_receipt_follows after insert or update of status on public.refunds
  for each row execute function private.follow_refund();
create trigger y_books after update of paid_on on public.refunds
  for each row when (old.paid_on is distinct from new.paid_on)
  execute function private.keep_closed_books('paid_on');
-- A refund of a closed month can still be returned.
create trigger y_books_of_returned after update of returned_on on public.refunds
  for each row when (old.returned_on is distinct from new.returned_on)
  execute function private.keep_closed_books('returned_on');
create trigger z_notify after insert on public.refunds
  for each row when (new.status = 'asked') execute function private.notify_of_refund();
select private.keep_history_of('public.refunds');
alter table public.refunds enable row level security;
revoke insert, update, delete, truncate on public.refunds from service_role;
grant select on public.refunds to authenticated;
create policy "Admins and finance read refunds" on public.refunds
  for select to authenticated using ((select private.may_bill()));

-- What a client contests: all that it owes, or one invoice. Until it ends, the client gets no reminder.
create table public.disputes (
  id uuid default gen_random_uuid() primary key,
  client_id uuid not null references public.clients on delete cascade,
  invoice_id uuid references public.invoices, -- Null: the whole account.
  reason text not null check (char_length(reason) between 1 and 500),
  since date not null check (since between '1900-01-01' and '2199-12-31'),
  opened_by uuid default auth.uid() references public.profiles on delete set null,
  ended_at timestamptz,
  ended_by uuid references public.profiles on delete set null,
  outcome text check (char_length(outcome) between 1 and 500),
  created_at timestamptz not null default now(),
  constraint disputes_ended check ((ended_at is null) = (outcome is null))
);
create unique index disputes_one_open on public.disputes (client_id, invoice_id) nulls not distinct
  where ended_at is null;
create index disputes_client_id_idx on public.disputes (client_id, since desc);
create index disputes_invoice_id_idx on public.disputes (invoice_id) where invoice_id is not null;
create index disputes_opened_by_idx on public.disputes (opened_by) where opened_by is not null;
create index disputes_ended_by_idx on public.disputes (ended_by) where ended_by is not null;
alter publication supabase_realtime add table public.disputes;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.disputes', 'reason', 'outcome');
select private.keep_history_of('public.disputes');
alter table public.disputes enable row level security;
revoke insert, update, delete, truncate on public.disputes from service_role;
grant select on public.disputes to authenticated;
create policy "Admins and finance read disputes" on public.disputes
  for select to authenticated using ((select private.may_bill()));

-- Mails with what is overdue, and the statement. Written by the job; the server sends them after its commit.
create table public.payment_reminders (
  id uuid default gen_random_uuid() primary key,
  client_id uuid not null references public.clients on delete cascade,
  currency text not null check (currency in ('USD', 'LRD')),
  days_overdue integer not null check (days_overdue > 0), -- The step that the oldest of its invoices has reached.
  mailed_at timestamptz,
  created_at timestamptz not null default now()
);
comment on column public.payment_reminders.mailed_at is 'Derived: when the mail was handed to the mail server';
create index payment_reminders_client_id_idx on public.payment_reminders (client_id, created_at desc);
alter publication supabase_realtime add table public.payment_reminders;
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.payment_reminders');
alter table public.payment_reminders enable row level security;
revoke insert, update, delete, truncate on public.payment_reminders from service_role;
grant select on public.payment_reminders to authenticated;
create policy "Admins and finance read reminders of clients" on public.payment_reminders
  for select to authenticated using ((select private.may_bill()));

-- Up to which step the client was reminded of an invoice.
create table private.reminded_invoices (
  invoice_id uuid primary key references public.invoices on delete cascade,
  days_overdue integer not null
);
alter table private.reminded_invoices enable row level security;

-- Mails to send; a row is deleted once it is sent, or when there is nothing to ask for any more.
create table private.payment_reminder_queue (
  reminder_id uuid primary key references public.payment_reminders on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz default now(), -- Time of the next attempt; null after the last one failed.
  last_error text
);
create index payment_reminder_queue_next_at_idx on private.payment_reminder_queue (next_at);
alter table private.payment_reminder_queue enable row level security;

-- ── Functions ─────────────────────────────────────────────────────────

-- They fit beside the totals of an invoice.
create function private.keep_payment_accounts_few() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('payment accounts', 0));
  if (select count(*) from public.payment_accounts a where a.currency = new.currency and a.id <> new.id) >= 4 then
    raise exception 'An invoice has room for 4 accounts of a currency. Remove one first.' using errcode = 'PT409';
  end if;
  return new;
end
$$;

-- A wrong account is where money gets lost: others look at it at once.
create function private.notify_of_payment_account() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  account public.payment_accounts := case when tg_op = 'DELETE' then old else new end;
begin
  if auth.uid() is not null then
    perform private.notify_approvers(
      case tg_op when 'INSERT' then 'Clients can pay to another account' when 'UPDATE'
        then 'An account that clients pay to has changed' else 'An account is no longer on invoices' end,
      format('%s, %s, %s', account.provider, account.title, account.number), '/admin/invoices/settings',
      format('payment account:%s:%s', account.id, clock_timestamp()));
  end if;
  return null;
end
$$;

-- Where an invoice in a currency is paid to now: {tin, address, terms, accounts}. The policies decide who reads it.
create function public.pay_to_of(p_currency text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_build_object('tin', n.tin, 'address', s.address, 'terms', s.terms))
    || jsonb_build_object('accounts', coalesce((
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('kind', a.kind, 'provider', a.provider, 'title', a.title,
        'number', a.number, 'note', a.note)) order by a.kind, a.created_at, a.id)
      from public.payment_accounts a where a.currency = p_currency), '[]'))
  from public.billing_settings s cross join public.company_numbers n;
$$;
grant execute on function public.pay_to_of to authenticated, service_role;

-- What an invoice says about where it is paid to. One from before there were such details says those of today.
create function public.payment_details(i public.invoices) returns jsonb
language sql stable set search_path = '' return coalesce(i.pay_to, public.pay_to_of(i.currency));
grant execute on function public.payment_details to authenticated, service_role;

-- What no credit note has taken back of a line. All zero once it is credited.
create function private.left_of_line(
  p_line public.invoice_lines, out amount numeric, out tax numeric, out quantity numeric
)
language sql stable set search_path = '' as $$
  select p_line.amount - coalesce(sum(c.amount), 0), p_line.tax_amount - coalesce(sum(c.tax_amount), 0),
    -- Null once an amount was credited that is no number of its units.
    case when coalesce(bool_and(c.unit = p_line.unit and c.rate = p_line.rate), true)
      then p_line.quantity - coalesce(sum(c.quantity), 0) end
  from public.credit_note_lines c where c.invoice_line_id = p_line.id;
$$;

-- The lines that a credit note takes back, and how much of each; checked against what is left of them.
-- @param p_parts [{line_id, quantity or amount}]; a line without either is taken back as far as it is left. Null: all
create function private.credited_parts(p_invoice public.invoices, p_parts jsonb)
returns table (
  line_id uuid, place integer, is_rest boolean, amount numeric, tax numeric, quantity numeric, unit text, rate numeric,
  price_with_tax numeric
)
language plpgsql stable security definer set search_path = '' as $$
declare
  line public.invoice_lines;
  part record;
  rest record;
  price numeric; -- What is left of the price that its rate makes.
  asked numeric;
begin
  for part in
    select l.id, p.quantity, p.amount
    from public.invoice_lines l
    left join jsonb_to_recordset(p_parts) p (line_id uuid, quantity numeric, amount numeric) on p.line_id = l.id
    where l.invoice_id = p_invoice.id and l.credited_at is null and (p_parts is null or p.line_id is not null)
    order by l.position, l.id
  loop
    select * into line from public.invoice_lines l where l.id = part.id;
    rest := private.left_of_line(line);
    price := case when line.price_with_tax is null then rest.amount else rest.amount + rest.tax end;
    asked := coalesce(part.amount, round(part.quantity * line.rate, 2));
    is_rest := asked is null or asked = price or coalesce(part.quantity = rest.quantity, false);
    line_id := line.id;
    place := line.position;
    if asked is not null then
      if line.amount <= 0 or line.kind in ('estimate', 'minimum', 'gap_credit', 'settlement') then
        raise exception 'Credit the whole line "%": other lines follow from it.', line.description
          using errcode = 'PT409';
      end if;
      if asked <= 0 or asked <> round(asked, 2) or not is_rest and asked > price or part.quantity > line.quantity then
        raise exception 'Credit more than nothing and at most % of "%".',
          private.money_text(price, p_invoice.currency), line.description using errcode = 'PT409';
      end if;
    end if;
    -- Parts that are rounded each never add up to more than the line.
    amount := case when is_rest then rest.amount when line.price_with_tax is null then asked
      else greatest(asked - rest.tax, least(private.price_without_tax(asked, line.tax_rate), rest.amount)) end;
    tax := case when is_rest then rest.tax when line.price_with_tax is not null then asked - amount
      else least(round(asked * coalesce(line.tax_rate, 0), 2), rest.tax) end;
    quantity := null;
    unit := null;
    rate := null;
    price_with_tax := null;
    if not is_rest or (rest.amount, rest.tax) <> (line.amount, line.tax_amount) then
      -- A number of its units, or else an amount.
      quantity := case when is_rest then rest.quantity else part.quantity end;
      unit := case when quantity is null then '' else line.unit end;
      rate := case when quantity is not null then line.rate when line.price_with_tax is null then amount
        else amount + tax end;
      quantity := coalesce(quantity, 1);
      price_with_tax := case when line.price_with_tax is not null then amount + tax end;
    end if;
    return next;
  end loop;
end
$$;

-- Issues a credit note; what was paid beyond the rest is on account of the client.
create function private.issue_credit_note(p_invoice_id uuid, p_reason text, p_parts jsonb) returns public.credit_notes
language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  note public.credit_notes;
  parts jsonb; -- As private.credited_parts has them, which are computed once.
  chosen integer;
  whole uuid[];
  today date := private.company_date();
  why text;
begin
  perform private.require_billing_role();
  why := private.require_reason(p_reason);
  select * into invoice from public.invoices i where i.id = p_invoice_id for update;
  if not found then
    raise exception 'This invoice no longer exists.' using errcode = 'PT404';
  end if;
  if invoice.status = 'draft' then
    raise exception 'This is a draft. Change or discard it instead.' using errcode = 'PT409';
  end if;
  note.id := gen_random_uuid();
  select coalesce(sum(c.amount + c.tax), 0), coalesce(sum(c.tax), 0), count(*),
    coalesce(array_agg(c.line_id) filter (where c.is_rest), '{}'), coalesce(jsonb_agg(c), '[]')
  into note.amount, note.tax, chosen, whole, parts from private.credited_parts(invoice, p_parts) c;
  if chosen = 0 or chosen < jsonb_array_length(p_parts) then
    raise exception '%', case when p_parts is null then 'This invoice is credited already.'
      else 'Choose lines of this invoice that are not credited yet.' end using errcode = 'PT409';
  end if;
  if exists (
    select from public.invoice_lines s join public.invoices i on i.id = s.invoice_id
    where s.settles_line_id = any (whole) and s.credited_at is null and i.status <> 'draft'
  ) then
    raise exception 'A later invoice has settled these estimated hours already. Credit that invoice instead.'
      using errcode = 'PT409';
  end if;
  if note.amount < 0 or note.amount > invoice.total - invoice.credited then
    raise exception 'The credit would be %, of % that are left. Credit these lines together with the deductions from '
      'them.',
      private.money_text(note.amount, invoice.currency),
        private.money_text(invoice.total - invoice.credited, invoice.currency)
      using errcode = 'PT409';
  end if;
  perform private.release_allocations(invoice.id, invoice.paid - (invoice.total - invoice.credited - note.amount));
  insert into public.credit_notes (id, invoice_id, client_id, year, sequence, reason, currency, amount, tax, issued_on,
    issued_by)
  values (note.id, invoice.id, invoice.client_id, extract(year from today)::integer,
    private.next_number('credit_note', extract(year from today)::integer), why, invoice.currency, note.amount, note.tax,
    today, auth.uid())
  returning * into note;
  insert into public.credit_note_lines (credit_note_id, invoice_line_id, amount, tax_amount, quantity, unit, rate,
    price_with_tax)
  select note.id, c.line_id, c.amount, c.tax, c.quantity, c.unit, c.rate, c.price_with_tax
  from jsonb_to_recordset(parts) c (line_id uuid, place integer, amount numeric, tax numeric, quantity numeric,
    unit text, rate numeric, price_with_tax numeric)
  order by c.place, c.line_id;
  -- Their hours are freed with them.
  update public.invoice_lines l set credited_at = now() where l.id = any (whole);
  -- Its sums follow.
  update public.invoices i set credited = i.credited where i.id = invoice.id;
  return note;
end
$$;

-- Takes lines of an issued invoice back as far as they are left (null: all). Their hours, months and estimates can be
-- billed again.
create function public.credit_invoice(p_invoice_id uuid, p_reason text, p_line_ids uuid[] default null)
returns public.credit_notes
language plpgsql security definer set search_path = '' as $$
begin
  if cardinality(p_line_ids) > 10000 then
    raise exception 'Choose at most 10000 lines.' using errcode = 'invalid_parameter_value';
  end if;
  return private.issue_credit_note(p_invoice_id, p_reason, case when p_line_ids is not null then (
    select coalesce(jsonb_agg(jsonb_build_object('line_id', u.id)), '[]')
    from (select distinct unnest(p_line_ids) as id) u) end);
end
$$;
grant execute on function public.credit_invoice to authenticated, service_role;

-- Takes parts of lines of an issued invoice back, by quantity or by amount; tax follows. Hours of a line stay billed as
-- long as anything is left of it.
-- @param p_parts [{line_id, quantity or amount}]: the amount as its rate makes it; neither: what is left of the line
create function public.credit_invoice_parts(p_invoice_id uuid, p_reason text, p_parts jsonb)
returns public.credit_notes
language plpgsql security definer set search_path = '' as $$
begin
  if p_parts is null or jsonb_typeof(p_parts) <> 'array' or jsonb_array_length(p_parts) not between 1 and 10000
    or exists (
      select from jsonb_array_elements(p_parts) e
      where jsonb_typeof(e) <> 'object'
        or coalesce(e ->> 'line_id', '') !~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
        or coalesce(e ->> 'quantity', '0') !~ '^[0-9]{1,10}([.][0-9]{1,4})?$'
        or coalesce(e ->> 'amount', '0') !~ '^[0-9]{1,12}([.][0-9]{1,2})?$'
        or (e ->> 'quantity') is not null and (e ->> 'amount') is not null
    )
    or (select count(distinct lower(e ->> 'line_id')) from jsonb_array_elements(p_parts) e)
      < jsonb_array_length(p_parts)
  then
    raise exception 'Choose 1 to 10000 lines, each once, with a quantity or an amount.'
      using errcode = 'invalid_parameter_value';
  end if;
  return private.issue_credit_note(p_invoice_id, p_reason, p_parts);
end
$$;
grant execute on function public.credit_invoice_parts to authenticated;

-- What was asked for stays; only its course moves.
create function private.check_refund() returns trigger
language plpgsql set search_path = '' as $$
declare
  -- Deleting an account clears the people.
  free text[] := array['status', 'asked_by', 'decided_by', 'decided_at', 'paid_on', 'reference', 'returned_on',
    'return_reason', 'updated_at'];
begin
  if tg_op = 'DELETE' then
    raise exception 'A refund is kept. Decline it, or note that it was returned.' using errcode = 'PT409';
  end if;
  if tg_op = 'INSERT' then
    if new.status <> 'asked' then
      raise exception 'A refund is asked for first.' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if to_jsonb(new) - free <> to_jsonb(old) - free or old.paid_on is not null and new.paid_on <> old.paid_on
    or old.status <> new.status
      and (old.status, new.status) not in (('asked', 'paid'), ('asked', 'declined'), ('paid', 'returned'))
  then
    raise exception 'A refund can''t be changed. Decline it and ask again.' using errcode = 'PT409';
  end if;
  return new;
end
$$;

create function private.follow_refund() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.receipts r set allocated = r.allocated where r.id = new.receipt_id;
  return null;
end
$$;

create function private.notify_of_refund() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_approvers('A refund waits for a second person',
    format('%s to %s: %s', private.money_text(new.amount, new.currency),
      (select c.name from public.clients c where c.id = new.client_id), new.reason),
    format('/admin/invoices/statements?client=%s&currency=%s', new.client_id, new.currency), 'refund:' || new.id);
  return null;
end
$$;

-- Asks for money of a receipt that pays no invoice to go back to the client. Another person pays it.
-- The same p_id again returns the refund as it was asked for.
create function public.ask_refund(
  p_receipt_id uuid, p_amount numeric, p_method text, p_reason text, p_bank_account_id uuid default null,
  p_id uuid default null
) returns public.refunds
language plpgsql security definer set search_path = '' as $$
declare
  receipt public.receipts := private.receipt_to_change(p_receipt_id);
  why text := private.require_reason(p_reason);
  refund public.refunds;
begin
  select * into refund from public.refunds f where f.id = p_id;
  if found then
    if (refund.receipt_id, refund.amount, refund.method) is distinct from (p_receipt_id, p_amount, p_method) then
      raise exception 'Another refund has this id.' using errcode = 'PT409';
    end if;
    return refund;
  end if;
  if p_amount is null or p_amount <= 0 or p_amount <> round(p_amount, 2) then
    raise exception 'Enter an amount in whole cents.' using errcode = 'invalid_parameter_value';
  end if;
  if receipt.method = 'write_off' then
    raise exception 'A difference that was written off is no money.' using errcode = 'PT409';
  end if;
  -- The tax that was withheld never reached us.
  if p_amount > least(receipt.unallocated, receipt.amount - (
    select coalesce(sum(f.amount), 0) from public.refunds f
    where f.receipt_id = receipt.id and f.status in ('asked', 'paid')))
  then
    raise exception 'This receipt has less money on account than this. Reload it.' using errcode = 'PT409';
  end if;
  if p_bank_account_id is not null and not exists (
    select from public.bank_accounts b where b.id = p_bank_account_id and b.currency = receipt.currency
  ) then
    raise exception 'Choose a bank account in the currency of the receipt.' using errcode = 'check_violation';
  end if;
  insert into public.refunds (id, receipt_id, client_id, currency, amount, method, bank_account_id, reason)
  values (coalesce(p_id, gen_random_uuid()), receipt.id, receipt.client_id, receipt.currency, p_amount, p_method,
    p_bank_account_id, why)
  returning * into refund;
  return refund;
end
$$;
grant execute on function public.ask_refund to authenticated;

-- The refund, locked after the invoices of its client and its receipt. Refuses what has moved on.
create function private.refund_to_change(p_id uuid, p_status text) returns public.refunds
language plpgsql security definer set search_path = '' as $$
declare
  refund public.refunds;
begin
  perform private.require_billing_role();
  select * into refund from public.refunds f where f.id = p_id;
  if not found then
    raise exception 'This refund no longer exists.' using errcode = 'PT404';
  end if;
  perform private.receipt_to_change(refund.receipt_id);
  select * into refund from public.refunds f where f.id = p_id for update;
  if refund.status <> p_status then
    raise exception 'Someone has already changed this refund. Reload it.' using errcode = 'PT409';
  end if;
  return refund;
end
$$;

-- Notes that the money has left, or declines it: then it is on account again. Another person than who asked pays it;
-- who asked may withdraw.
create function public.decide_refund(
  p_id uuid, p_approve boolean, p_paid_on date default null, p_reference text default null
) returns public.refunds
language plpgsql security definer set search_path = '' as $$
declare
  refund public.refunds := private.refund_to_change(p_id, 'asked');
begin
  if p_approve is null then
    raise exception 'Pay or decline the refund.' using errcode = 'invalid_parameter_value';
  end if;
  if p_approve then
    if refund.asked_by is not distinct from auth.uid() then
      raise exception 'Someone else must pay it: you asked for this refund.' using errcode = 'insufficient_privilege';
    end if;
    perform private.require_day(p_paid_on, 'day of payment');
    if p_paid_on > private.company_date() or p_paid_on < (
      select r.received_on from public.receipts r where r.id = refund.receipt_id)
    then
      raise exception 'The day of payment is not before the receipt, and not in the future.'
        using errcode = 'invalid_parameter_value';
    end if;
  end if;
  update public.refunds f set status = case when p_approve then 'paid' else 'declined' end, decided_by = auth.uid(),
    decided_at = now(), paid_on = case when p_approve then p_paid_on end,
    reference = case when p_approve then p_reference end
  where f.id = refund.id returning f.* into refund;
  return refund;
end
$$;
grant execute on function public.decide_refund to authenticated;

-- Notes that money which was refunded has come back, or never left; it is on account of the client again.
create function public.return_refund(p_id uuid, p_returned_on date, p_reason text) returns public.refunds
language plpgsql security definer set search_path = '' as $$
declare
  refund public.refunds := private.refund_to_change(p_id, 'paid');
  why text := private.require_reason(p_reason);
begin
  perform private.require_day(p_returned_on, 'day of the return');
  if p_returned_on > private.company_date() or p_returned_on < refund.paid_on then
    raise exception 'The day of the return is not before the payment, and not in the future.'
      using errcode = 'invalid_parameter_value';
  end if;
  update public.refunds f set status = 'returned', returned_on = p_returned_on, return_reason = why
  where f.id = refund.id returning f.* into refund;
  return refund;
end
$$;
grant execute on function public.return_refund to authenticated;

-- Entries of the journal: a refund takes the money on account back, its return books that back.
create function private.refund_entries(p_from date, p_to date)
returns table (
  day date, kind text, document text, place integer, key text, amount numeric, currency text, text text, opens uuid
)
language sql stable security definer rows 100 set search_path = '' as $$
  select b.day, b.kind, format('RFD %s', upper(left(f.id::text, 8))), e.place, e.key, b.sign * e.amount, f.currency,
    concat_ws(', ', c.name, private.receipt_method_text(f.method), f.reference), f.client_id
  from public.refunds f
  join public.clients c on c.id = f.client_id
  cross join lateral (values ('refund', f.paid_on, 1), ('refund_return', f.returned_on, -1)) b (kind, day, sign)
  cross join lateral (values
    (1, 'receivables', f.amount),
    (2, case f.method when 'cash' then 'cash' when 'mobile_money' then 'mobile_money' else 'bank' end, -f.amount)
  ) e (place, key, amount)
  where b.day between p_from and p_to;
$$;

-- @param p_invoice_id null: the client contests the whole account
create function public.open_dispute(p_client_id uuid, p_reason text, p_invoice_id uuid default null)
returns public.disputes
language plpgsql security definer set search_path = '' as $$
declare
  why text;
  dispute public.disputes;
begin
  perform private.require_billing_role();
  why := private.require_reason(p_reason);
  if not exists (select from public.clients c where c.id = p_client_id)
    or p_invoice_id is not null and not exists (
      select from public.invoices i where i.id = p_invoice_id and i.client_id = p_client_id and i.status <> 'draft')
  then
    raise exception 'Choose a client, or one of its issued invoices.' using errcode = 'PT404';
  end if;
  -- The job that queues reminders takes its turn.
  perform pg_advisory_xact_lock(hashtextextended('payment reminders', 0));
  insert into public.disputes (client_id, invoice_id, reason, since)
  values (p_client_id, p_invoice_id, why, private.company_date())
  on conflict (client_id, invoice_id) where ended_at is null do nothing returning * into dispute;
  if not found then
    raise exception 'This is in dispute already.' using errcode = 'PT409';
  end if;
  delete from private.payment_reminder_queue q using public.payment_reminders r
  where r.id = q.reminder_id and r.client_id = p_client_id;
  return dispute;
end
$$;
grant execute on function public.open_dispute to authenticated;

create function public.end_dispute(p_id uuid, p_outcome text) returns public.disputes
language plpgsql security definer set search_path = '' as $$
declare
  how text;
  dispute public.disputes;
begin
  perform private.require_billing_role();
  how := private.require_reason(p_outcome);
  update public.disputes d set ended_at = now(), ended_by = auth.uid(), outcome = how
  where d.id = p_id and d.ended_at is null returning d.* into dispute;
  if not found then
    raise exception 'Someone has already ended this dispute.' using errcode = 'PT409';
  end if;
  return dispute;
end
$$;
grant execute on function public.end_dispute to authenticated;

-- Invoices that are overdue and asked for: not those of a client in dispute, whatever it contests.
create function private.invoices_to_remind(p_on date)
returns table (invoice_id uuid, client_id uuid, currency text, days integer)
language sql stable security definer set search_path = '' as $$
  select i.id, i.client_id, i.currency, p_on - i.due_on
  from public.invoices i
  where i.status in ('issued', 'part_paid') and i.open_amount > 0 and i.due_on < p_on
    and not exists (select from public.disputes d where d.client_id = i.client_id and d.ended_at is null);
$$;

-- Where a reminder goes: the address of the contract of the newest invoice that is overdue.
create function private.reminder_address(p_client_id uuid, p_currency text, p_on date) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(c.bill_to_email, i.bill_to ->> 'email')
  from private.invoices_to_remind(p_on) o
  join public.invoices i on i.id = o.invoice_id
  join public.contracts c on c.id = i.contract_id
  where o.client_id = p_client_id and o.currency = p_currency
    and coalesce(c.bill_to_email, i.bill_to ->> 'email') ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'
  order by i.issued_on desc, i.sequence desc limit 1;
$$;

-- Queues one mail for each client and currency with an invoice that has reached a day set for reminders. A job: a run
-- after days without a server sends what was missed, once.
-- @returns how many
create function private.queue_payment_reminders() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  steps constant integer[] := (select s.reminder_days from public.billing_settings s);
  today constant date := private.reminder_date();
  queued integer;
begin
  if coalesce(cardinality(steps), 0) = 0 then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('payment reminders', 0));
  with reached as materialized (
    select o.invoice_id, o.client_id, o.currency, max(s.day) as step
    from private.invoices_to_remind(today) o join unnest(steps) s (day) on s.day <= o.days
    group by 1, 2, 3
  ), due as materialized (
    select r.client_id, r.currency, max(r.step) as step
    from reached r left join private.reminded_invoices m on m.invoice_id = r.invoice_id
    group by 1, 2
    having bool_or(m.invoice_id is null or m.days_overdue < r.step)
      and private.reminder_address(r.client_id, r.currency, today) is not null
  ), marked as (
    insert into private.reminded_invoices as m (invoice_id, days_overdue)
    select r.invoice_id, r.step from reached r join due d on d.client_id = r.client_id and d.currency = r.currency
    on conflict (invoice_id) do update set days_overdue = greatest(m.days_overdue, excluded.days_overdue)
  ), mails as (
    insert into public.payment_reminders (client_id, currency, days_overdue)
    select d.client_id, d.currency, d.step from due d returning id
  ), waiting as (
    insert into private.payment_reminder_queue (reminder_id) select m.id from mails m returning reminder_id
  )
  select count(*) into queued from waiting;
  return queued;
end
$$;
grant execute on function private.queue_payment_reminders to service_role;

-- What the mail of a reminder says now, and its statement. Empty once nothing is overdue any more, or is contested, or
-- there is no address.
create function private.reminder_mail(p_reminder_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('email', private.reminder_address(r.client_id, r.currency, d.today), 'currency', r.currency,
    'client', jsonb_build_object('name', k.name, 'address', k.location),
    'pay_to', public.pay_to_of(r.currency), 'from', d.first, 'to', d.today, 'invoices', o.invoices,
    'entries', (
      select jsonb_agg(jsonb_build_object('day', s.day, 'kind', s.kind, 'document', s.document, 'text', s.text,
        'charge', s.charge::text, 'payment', s.payment::text, 'balance', s.balance::text) order by s.place)
      from public.client_statement(r.client_id, r.currency, d.first, d.today) with ordinality s (day, kind, id,
        document, text, charge, payment, balance, place)))
  from public.payment_reminders r
  join public.clients k on k.id = r.client_id
  cross join lateral (
    select private.company_date() as today,
      (date_trunc('month', private.company_date()::timestamp) - interval '3 months')::date as first
  ) d
  cross join lateral (
    select jsonb_agg(jsonb_build_object('number', i.number, 'due_on', i.due_on, 'open_amount', i.open_amount::text)
      order by i.due_on, i.year, i.sequence) as invoices
    from private.invoices_to_remind(d.today) t join public.invoices i on i.id = t.invoice_id
    where t.client_id = r.client_id and t.currency = r.currency
  ) o
  where r.id = p_reminder_id and o.invoices is not null
    and private.reminder_address(r.client_id, r.currency, d.today) is not null;
$$;
