-- Issuing: an invoice gets the next number of its year, and never changes again. For everybody, the service role included.

-- The last number of each kind and year. It is counted in the transaction that issues, so a failed one leaves no gap and
-- two at once take turns.
create table private.document_numbers (
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  last integer not null check (last > 0),
  primary key (kind, year)
);
alter table private.document_numbers enable row level security;
revoke all on private.document_numbers from public, anon, authenticated;

create function private.next_number(p_kind text, p_year integer) returns integer
language sql set search_path = '' as $$
  insert into private.document_numbers as n (kind, year, last) values (p_kind, p_year, 1)
  on conflict (kind, year) do update set last = n.last + 1
  returning n.last;
$$;

create table public.credit_notes (
  id uuid primary key default gen_random_uuid(),
  invoice_id uuid not null references public.invoices (id),
  client_id uuid not null references public.clients (id),
  -- Counted without gaps within the company's year of issued_on.
  year integer not null check (year between 1900 and 2199),
  sequence integer not null check (sequence > 0),
  number text not null generated always as (
    'CN-' || year::text || '-' || lpad(sequence::text, greatest(4, length(sequence::text)), '0')) stored,
  reason text not null check (char_length(reason) between 1 and 500),
  currency text not null check (currency in ('USD', 'LRD')),
  -- With tax. What the client owes less.
  amount numeric(16, 2) not null check (amount >= 0),
  tax numeric(16, 2) not null,
  issued_on date not null,
  issued_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint credit_notes_number_key unique (year, sequence)
);
create index credit_notes_invoice_id_idx on public.credit_notes (invoice_id);
create index credit_notes_client_id_idx on public.credit_notes (client_id, issued_on);
create index credit_notes_issued_by_idx on public.credit_notes (issued_by) where issued_by is not null;

create table public.credit_note_lines (
  id uuid primary key default gen_random_uuid(),
  credit_note_id uuid not null references public.credit_notes (id),
  -- A line is credited once, and whole.
  invoice_line_id uuid not null unique references public.invoice_lines (id),
  -- As on the invoice.
  amount numeric(14, 2) not null,
  tax_amount numeric(14, 2) not null,
  created_at timestamptz not null default now()
);
create index credit_note_lines_credit_note_id_idx on public.credit_note_lines (credit_note_id);

-- Money that a client paid.
create table public.receipts (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references public.clients (id),
  currency text not null check (currency in ('USD', 'LRD')),
  amount numeric(14, 2) not null check (amount between 0.01 and 999999999999.99),
  allocated numeric(14, 2) not null default 0,
  -- On account of the client.
  unallocated numeric(14, 2) not null generated always as (amount - allocated) stored,
  received_on date not null check (received_on between '1900-01-01' and '2199-12-31'),
  method text not null check (method in ('bank', 'cash', 'mobile_money', 'cheque')),
  reference text check (char_length(reference) <= 100),
  bank_account_id uuid references public.bank_accounts (id),
  note text check (char_length(note) <= 500),
  voided_at timestamptz,
  voided_by uuid references public.profiles (id) on delete set null,
  void_reason text check (char_length(void_reason) between 1 and 500),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint receipts_not_overspent check (allocated between 0 and amount),
  constraint receipts_void check ((voided_at is null) = (void_reason is null) and (voided_at is null or allocated = 0))
);
comment on column public.receipts.allocated is 'Derived from the allocations';
create index receipts_client_id_idx on public.receipts (client_id, received_on desc);
create index receipts_received_on_idx on public.receipts (received_on desc);
create index receipts_bank_account_id_idx on public.receipts (bank_account_id) where bank_account_id is not null;
create index receipts_voided_by_idx on public.receipts (voided_by) where voided_by is not null;
create index receipts_created_by_idx on public.receipts (created_by);

-- Which invoices a receipt pays.
create table public.receipt_allocations (
  id uuid primary key default gen_random_uuid(),
  receipt_id uuid not null references public.receipts (id),
  invoice_id uuid not null references public.invoices (id),
  amount numeric(14, 2) not null check (amount between 0.01 and 999999999999.99),
  created_at timestamptz not null default now(),
  constraint receipt_allocations_once unique (receipt_id, invoice_id)
);
create index receipt_allocations_invoice_id_idx on public.receipt_allocations (invoice_id);

-- An invoice begins as a draft; once it has a number only its sums and its mailing move, and the sums always come from
-- the credit notes and receipts themselves.
create function private.check_invoice() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- What may still change of an issued one.
  free text[] := array['status', 'credited', 'paid', 'open_amount', 'mailed_at', 'issued_by', 'created_by', 'updated_at'];
begin
  if tg_op = 'DELETE' then
    if old.status <> 'draft' then
      raise exception 'Invoice % is issued, so it is kept. Credit it instead.', old.number using errcode = 'PT409';
    end if;
    return old;
  end if;
  if tg_op = 'INSERT' then
    if new.status <> 'draft' then
      raise exception 'An invoice begins as a draft.' using errcode = 'check_violation';
    end if;
    return new;
  end if;
  -- Generated columns are computed after this trigger.
  if old.status <> 'draft' and (
    to_jsonb(new) - free - array['number', 'total'] <> to_jsonb(old) - free - array['number', 'total']
    or new.issued_by is not null and new.issued_by is distinct from old.issued_by
  ) then
    raise exception 'Invoice % is issued, so it can''t be changed. Credit it instead.', old.number using errcode = 'PT409';
  end if;
  if new.year is null then
    return new;
  end if;
  select coalesce(sum(n.amount), 0) into new.credited from public.credit_notes n where n.invoice_id = new.id;
  select coalesce(sum(a.amount), 0) into new.paid from public.receipt_allocations a where a.invoice_id = new.id;
  new.status := case
    when new.credited = new.subtotal + new.tax
      and exists (select from public.credit_notes n where n.invoice_id = new.id) then 'credited'
    when new.credited + new.paid = new.subtotal + new.tax then 'paid'
    when new.paid > 0 then 'part_paid'
    else 'issued' end;
  return new;
end
$$;
create trigger c_rules before insert or update or delete on public.invoices
  for each row execute function private.check_invoice();

-- Lines of issued invoices stay, but for the mark of a credit note. Once per statement: drafting writes thousands.
create function private.keep_issued_lines() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct n.invoice_id from new_rows n);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct o.invoice_id from old_rows o);
  else
    touched := array(
      select o.invoice_id from old_rows o left join new_rows n on n.id = o.id
      where to_jsonb(o) - 'credited_at' is distinct from to_jsonb(n) - 'credited_at'
        or o.credited_at is distinct from n.credited_at and (o.credited_at is not null
          or not exists (select from public.credit_note_lines c where c.invoice_line_id = o.id))
      union
      select n.invoice_id from new_rows n where not exists (select from old_rows o where o.id = n.id)
    );
  end if;
  -- Waits for one who is issuing it now.
  perform from public.invoices i where i.id = any (touched) order by i.id for no key update;
  if exists (select from public.invoices i where i.id = any (touched) and i.status <> 'draft') then
    raise exception 'The invoice of this line is issued, so it can''t be changed. Credit it instead.' using errcode = 'PT409';
  end if;
  return null;
end
$$;
create trigger c_issued_inserts after insert on public.invoice_lines referencing new table as new_rows
  for each statement execute function private.keep_issued_lines();
create trigger c_issued_updates after update on public.invoice_lines referencing old table as old_rows new table as new_rows
  for each statement execute function private.keep_issued_lines();
create trigger c_issued_deletes after delete on public.invoice_lines referencing old table as old_rows
  for each statement execute function private.keep_issued_lines();

-- Emptying a table whole would pass by the triggers of its rows.
create function private.refuse_truncate_of_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.invoices i where i.status <> 'draft') then
    raise exception 'Invoices are issued, so this table can''t be emptied.' using errcode = 'PT409';
  end if;
  return null;
end
$$;
do $$
declare
  target text;
begin
  foreach target in array array['invoices', 'invoice_lines', 'credit_notes', 'credit_note_lines', 'receipts',
    'receipt_allocations']
  loop
    execute format('create trigger c_issued_truncate before truncate on public.%I
      for each statement execute function private.refuse_truncate_of_documents()', target);
  end loop;
end
$$;

-- Gives a draft its number, day, term and addressee. An issued one is returned as it is.
create function public.issue_invoice(id uuid) returns public.invoices
language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  today date := private.company_date();
begin
  perform private.require_billing_role();
  -- Before any row, as draft_invoices does: they take turns.
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  select * into invoice from public.invoices i where i.id = issue_invoice.id for update;
  if not found then
    raise exception 'This invoice no longer exists.' using errcode = 'PT404';
  end if;
  if invoice.status <> 'draft' then
    return invoice;
  end if;
  if not exists (select from public.invoice_lines l where l.invoice_id = invoice.id) then
    raise exception 'This invoice has no lines.' using errcode = 'PT409';
  end if;
  if invoice.total < 0 then
    raise exception 'This invoice is below zero. Bill it together with the next period.' using errcode = 'PT409';
  end if;
  perform private.require_current_draft(invoice.id);
  update public.invoices i set
    year = extract(year from today)::integer,
    sequence = private.next_number('invoice', extract(year from today)::integer),
    status = 'issued', issued_on = today, due_on = today + c.payment_terms_days,
    bill_to = private.bill_to_of(c.id), issued_by = auth.uid()
  from public.contracts c
  where i.id = invoice.id and c.id = i.contract_id
  returning i.* into strict invoice;
  return invoice;
end
$$;

-- Issues many drafts, in the order given. One that is refused stays a draft, and its row says why. Each is drawn again.
create function public.issue_invoices(p_ids uuid[]) returns table (id uuid, number text, refusal text)
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
begin
  perform private.require_billing_role();
  if p_ids is null or cardinality(p_ids) not between 1 and 500 then
    raise exception 'Choose 1 to 500 invoices.' using errcode = 'invalid_parameter_value';
  end if;
  foreach id in array p_ids loop
    number := null;
    refusal := null;
    begin
      select i.number into number from public.issue_invoice(issue_invoices.id) i;
    exception when sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics refusal = message_text;
    end;
    return next;
  end loop;
end
$$;
comment on function public.issue_invoices is 'Nullable: number, refusal';

revoke all on all functions in schema private from public;
revoke all on function public.issue_invoice, public.issue_invoices from public, anon;
grant execute on function public.issue_invoice, public.issue_invoices to authenticated, service_role;
