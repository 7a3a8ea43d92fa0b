-- Invoices, corrections, credit notes, receipts, what clients owe.

-- ── Tables ────────────────────────────────────────────────────────────

create table public.invoices (
  id uuid default gen_random_uuid() primary key,
  contract_id uuid not null references public.contracts,
  client_id uuid not null references public.clients,
  -- Null until issued; counted without gaps within the company's year of issued_on.
  year integer check (year between 1900 and 2199),
  sequence integer check (sequence > 0),
  number text generated always as (((('INV-' || (year)::text) || '-') || lpad((sequence)::text,
    greatest(4, length((sequence)::text)), '0'))) stored,
  status text not null default 'draft' check (status in ('draft', 'issued', 'part_paid', 'paid', 'credited')),
  period_start date not null check (period_start between '1900-01-01' and '2199-12-31'),
  period_end date not null check (period_end between '1900-01-01' and '2199-12-31'), -- Inclusive.
  currency text not null check (currency in ('USD', 'LRD')),
  subtotal numeric(16,2) not null default 0,
  tax numeric(16,2) not null default 0,
  total numeric(16,2) generated always as ((subtotal + tax)) stored not null,
  credited numeric(16,2) not null default 0 check (credited >= 0),
  paid numeric(16,2) not null default 0 check (paid >= 0),
  open_amount numeric(16,2) generated always as ((((subtotal + tax) - credited) - paid)) stored not null,
  issued_on date,
  due_on date,
  -- {name, address, email, tin, vat_certificate} when it was issued. The certificate is that of its last day.
  bill_to jsonb check (jsonb_typeof(bill_to) = 'object'),
  vat_number text check (char_length(vat_number) <= 40), -- Of the company, when it was issued.
  issued_by uuid references public.profiles on delete set null,
  mailed_at timestamptz,
  purchase_order text check (char_length(purchase_order) between 1 and 100), -- Of the client. Null: the contract's.
  -- {tin, address, terms, accounts}: where it is paid to, as public.pay_to_of said it when it was issued. Null on
  -- drafts, and on invoices from before there were such details.
  pay_to jsonb check (jsonb_typeof(pay_to) = 'object'),
  -- [{code, text}]: what the drafting could not settle.
  problems jsonb not null default '[]'::jsonb check (jsonb_typeof(problems) = 'array'),
  note text check (char_length(note) <= 1000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint invoices_end_not_before_start check (period_end >= period_start),
  constraint invoices_issued check ((status = 'draft') = (year is null) and (year is null) = (sequence is null)
    and (year is null) = (issued_on is null) and (year is null) = (due_on is null)
    and (year is null or bill_to is not null)),
  constraint invoices_settled_once_issued check (year is not null or (credited + paid) = 0 and mailed_at is null),
  constraint invoices_not_overpaid check (year is null or (subtotal + tax - credited - paid) >= 0),
  constraint invoices_due_after_issue check (due_on >= issued_on)
);
comment on column public.invoices.subtotal is 'Derived from the lines';
comment on column public.invoices.tax is 'Derived from the lines';
comment on column public.invoices.credited is 'Derived from the credit notes';
comment on column public.invoices.paid is 'Derived from the allocations of receipts';
create unique index invoices_number_key on public.invoices (year, sequence);
create index invoices_client_id_idx on public.invoices (client_id, period_start desc);
create index invoices_contract_id_idx on public.invoices (contract_id, period_start);
create index invoices_status_idx on public.invoices (status, due_on);
create index invoices_issued_by_idx on public.invoices (issued_by) where issued_by is not null;
create index invoices_created_by_idx on public.invoices (created_by);
create index invoices_issued_on_idx on public.invoices (issued_on);
alter publication supabase_realtime add table public.invoices;
-- When a row is written, in this order:
--   1 c_issued_truncate  nothing that is issued can be emptied
--   2 a_tidy_text
--   3 b_author
--   4 b_day              not issued ahead of time
--   5 c_rules            how an invoice moves on; once it has a number, only sums and mailing move
--   6 d_touch
--   7 y_books*           refuses closed days
--   8 history_of_*       activity log
--   9 e_adds_up          subtotal and tax equal the lines
create trigger c_issued_truncate before truncate on public.invoices
  for each statement execute function private.refuse_truncate_of_documents();
select private.tidy_texts_of('public.invoices', 'note', 'purchase_order');
create trigger b_author before insert or update on public.invoices for each row execute function private.stamp_author();
create trigger b_day before insert or update of issued_on on public.invoices
  for each row execute function private.check_money_day('issued_on', 'The day of issue', '1');
create trigger c_rules before insert or update or delete on public.invoices
  for each row execute function private.check_invoice();
create trigger d_touch before update on public.invoices for each row execute function private.touch();
create trigger y_books after update on public.invoices
  for each row when ( (old.client_id, old.currency, old.subtotal, old.tax, old.year, old.sequence,
      old.issued_on) is distinct from (new.client_id, new.currency, new.subtotal, new.tax, new.year, new.sequence,
      new.issued_on))
  execute function private.keep_closed_books('issued_on');
create trigger y_books_of_deleted after delete on public.invoices
  for each row when (old.issued_on is not null) execute function private.keep_closed_books('issued_on');
create trigger y_books_of_new after insert on public.invoices
  for each row when (new.issued_on is not null) execute function private.keep_closed_books('issued_on');
select private.keep_history_of('public.invoices');
-- When the transaction ends:
create constraint trigger e_adds_up after insert
  or update of subtotal, tax on public.invoices deferrable initially deferred
  for each row execute function private.check_invoice_sums();
alter table public.invoices enable row level security;
revoke insert, update, delete, truncate on public.invoices from service_role;
grant select, delete, update (note, purchase_order) on public.invoices to authenticated;
create policy "Admins and finance read invoices" on public.invoices
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance note on invoices" on public.invoices
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance discard drafts of invoices" on public.invoices
  for delete to authenticated using ((select private.may_bill()));

-- Days of a line of an issued invoice whose rate has become another. What is accepted is on the next draft of the
-- contract.
create table private.invoice_corrections (
  id uuid default gen_random_uuid() primary key,
  contract_id uuid not null references public.contracts on delete cascade,
  invoice_line_id uuid not null,
  days datemultirange not null check (not isempty(days)),
  minutes integer not null check (minutes > 0),
  billed_rate numeric(14,4) not null, -- What the client was billed an hour, with the corrections before.
  rate numeric(14,4) not null,
  amount numeric(14,2) generated always as (round((((minutes)::numeric * (rate - billed_rate)) / (60)::numeric),
    2)) stored not null,
  status text not null default 'proposed' check (status in ('proposed', 'accepted', 'waived')),
  reason text check (char_length(reason) between 1 and 500),
  decided_by uuid references public.profiles on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  constraint invoice_corrections_differ check (rate <> billed_rate),
  constraint invoice_corrections_decided check ((status = 'proposed') = (decided_at is null)),
  constraint invoice_corrections_waived_with_reason check (status <> 'waived' or reason is not null)
);
create index invoice_corrections_contract_id_idx on private.invoice_corrections (contract_id, status);
create index invoice_corrections_invoice_line_id_idx on private.invoice_corrections (invoice_line_id);
create index invoice_corrections_decided_by_idx on private.invoice_corrections (decided_by)
  where decided_by is not null;
create unique index invoice_corrections_proposed_once
  on private.invoice_corrections (invoice_line_id, billed_rate, rate, days) where status = 'proposed';

create table public.invoice_lines (
  id uuid default gen_random_uuid() primary key,
  invoice_id uuid not null references public.invoices on delete cascade,
  position integer not null,
  contract_post_id uuid references public.contract_posts,
  site_id uuid references public.sites,
  post_id uuid references public.posts,
  -- 'other' is entered by hand.
  kind text not null default 'other'
    check (kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day', 'fixed', 'minimum', 'gap_credit',
      'estimate', 'settlement', 'correction', 'other')),
  description text not null check (char_length(description) between 1 and 300),
  quantity numeric(14,4) not null default 1
    check (quantity >= '-9999999999'::bigint::numeric and quantity <= '9999999999'::bigint::numeric),
  unit text not null default '' check (unit in ('h', 'month', '')),
  rate numeric(14,4) not null check (rate >= '-9999999999'::bigint::numeric and rate <= '9999999999'::bigint::numeric),
  -- Rounded half up to the cent, by its magnitude.
  amount numeric(14,2) not null check (amount >= '-999999999999.99'::numeric and amount <= 999999999999.99),
  tax_name text check (char_length(tax_name) <= 100),
  tax_rate numeric(6,4) check (tax_rate between 0 and 1), -- A fraction: 0.1 is 10%.
  -- Null outside a registration for VAT.
  vat_treatment text check (vat_treatment in ('standard', 'zero', 'exempt')),
  -- Of a price that contains the tax: what is left of it is the amount.
  price_with_tax numeric(14,2),
  tax_amount numeric(14,2) generated always as (coalesce((price_with_tax - amount), round((amount * coalesce(tax_rate,
    (0)::numeric)), 2))) stored not null,
  minutes integer, -- Of presence behind the quantity.
  month date check (extract(day from month) = 1), -- The first day of the month of a fixed or minimum amount.
  settles_line_id uuid references public.invoice_lines, -- The estimate of an earlier invoice that this line takes back.
  explanation text not null default '' check (char_length(explanation) <= 500),
  credited_at timestamptz, -- Since then a credit note takes this line back, and what it bills can be billed again.
  created_at timestamptz not null default now(),
  days datemultirange,
  correction_id uuid references private.invoice_corrections,
  -- An uncovered day is credited once.
  constraint invoice_lines_gap_credited_once exclude
    using gist (contract_post_id with =, coalesce(post_id, '00000000-0000-0000-0000-000000000000'::uuid) with =,
    days with &&) where (kind = 'gap_credit' and credited_at is null),
  -- A line of a monthly amount or a minimum names its days, so that a month can have two prices, and a post that goes
  -- on after its last month was billed has the rest of it billed. Lines from before that stand for their whole month.
  constraint invoice_lines_month_billed_once exclude
    using gist (contract_post_id with =, kind with =,
    coalesce(days, datemultirange(daterange(month, (month + interval '1 mon')::date))) with &&)
    where ((kind in ('fixed', 'minimum')) and credited_at is null),
  constraint invoice_lines_settlement check ((kind = 'settlement') = (settles_line_id is not null)),
  constraint invoice_lines_month check ((kind <> all (array['fixed', 'minimum'])) or month is not null
    and contract_post_id is not null),
  constraint invoice_lines_correction check ((kind = 'correction') = (correction_id is not null)),
  constraint invoice_lines_vat check (vat_treatment is null or tax_rate is not null
    and (vat_treatment = 'standard' or tax_rate = 0)),
  -- Parts of a line that are taken back one after the other are rounded each.
  constraint invoice_lines_price_with_tax check (abs(price_with_tax - amount - amount * tax_rate) <= 0.05)
);
comment on column public.invoice_lines.position is 'Derived, unless it is given: after the last line';
comment on column public.invoice_lines.amount is 'Derived for a line by hand: quantity times rate';
comment on column public.invoice_lines.credited_at is 'Derived from the credit notes';
comment on column public.invoice_lines.days is 'Of a gap credit: the uncovered days; of an estimate: the days that it '
  'is for';
create index invoice_lines_invoice_id_idx on public.invoice_lines (invoice_id, position);
create index invoice_lines_site_id_idx on public.invoice_lines (site_id) where site_id is not null;
create index invoice_lines_post_id_idx on public.invoice_lines (post_id) where post_id is not null;
create index invoice_lines_settles_line_id_idx on public.invoice_lines (settles_line_id)
  where settles_line_id is not null;
create unique index invoice_lines_settled_once on public.invoice_lines (settles_line_id)
  where settles_line_id is not null and credited_at is null;
create index invoice_lines_contract_post_id_idx on public.invoice_lines (contract_post_id, kind)
  where contract_post_id is not null;
create unique index invoice_lines_corrected_once on public.invoice_lines (correction_id)
  where correction_id is not null and credited_at is null;
create index invoice_lines_correction_id_idx on public.invoice_lines (correction_id) where correction_id is not null;
alter publication supabase_realtime add table public.invoice_lines;
-- Triggers, in the order in which they fire:
create trigger c_issued_truncate before truncate on public.invoice_lines
  for each statement execute function private.refuse_truncate_of_documents();
select private.tidy_texts_of('public.invoice_lines', 'description', 'tax_name');
create trigger b_prepare before insert or update on public.invoice_lines
  for each row execute function private.prepare_invoice_line();
create trigger c_computed before update or delete on public.invoice_lines
  for each row execute function private.keep_computed_line();
create trigger c_keep_corrected before update of credited_at on public.invoice_lines
  for each row when (old.credited_at is null and new.credited_at is not null)
  execute function private.keep_corrected_line();
create trigger z_forget_billed_sums after update of credited_at on public.invoice_lines
  for each row when (old.credited_at is distinct from new.credited_at) execute function private.forget_billed_sums();
create trigger z_free_time after update of credited_at on public.invoice_lines
  for each row when (old.credited_at is null and new.credited_at is not null)
  execute function private.free_credited_time();
create trigger z_recheck_changed after update of kind, month, contract_post_id, credited_at on public.invoice_lines
  for each row when ((old.kind = 'fixed' or new.kind = 'fixed')
      and (old.kind, old.month, old.contract_post_id, old.credited_at) is distinct
      from (new.kind, new.month, new.contract_post_id, new.credited_at))
  execute function private.recheck_fixed_line();
create trigger z_recheck_deleted after delete on public.invoice_lines
  for each row when (old.kind = 'fixed') execute function private.recheck_fixed_line();
create trigger z_recheck_new after insert on public.invoice_lines
  for each row when (new.kind = 'fixed') execute function private.recheck_fixed_line();
create trigger c_issued_deletes after delete on public.invoice_lines referencing old table as old_rows
  for each statement execute function private.keep_issued_lines();
create trigger c_issued_inserts after insert on public.invoice_lines referencing new table as new_rows
  for each statement execute function private.keep_issued_lines();
create trigger c_issued_updates after update on public.invoice_lines
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.keep_issued_lines();
select private.keep_history_of('public.invoice_lines');
create trigger sum_deletes after delete on public.invoice_lines referencing old table as old_rows
  for each statement execute function private.sum_invoices();
create trigger sum_inserts after insert on public.invoice_lines referencing new table as new_rows
  for each statement execute function private.sum_invoices();
create trigger sum_updates after update on public.invoice_lines referencing old table as old_rows new table as new_rows
  for each statement execute function private.sum_invoices();
alter table public.invoice_lines enable row level security;
revoke insert, update, delete, truncate on public.invoice_lines from service_role;
grant
  select, delete,
  insert (id, invoice_id, site_id, description, quantity, unit, rate, tax_name, tax_rate, vat_treatment),
  update (site_id, description, quantity, unit, rate, tax_name, tax_rate, vat_treatment)
  on public.invoice_lines to authenticated;
create policy "Admins and finance read the lines of invoices" on public.invoice_lines
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance add lines to drafts of invoices" on public.invoice_lines
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change lines that they added to invoices" on public.invoice_lines
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance remove lines that they added to invoices" on public.invoice_lines
  for delete to authenticated using ((select private.may_bill()));

-- The last number of each kind and year. It is counted in the transaction that issues, so a failed one leaves no gap
-- and two at once take turns.
create table private.document_numbers (
  kind text not null check (kind in ('invoice', 'credit_note', 'quote')),
  year integer not null,
  last integer not null check (last > 0),
  primary key (kind, year)
);
alter table private.document_numbers enable row level security;

-- Which invoices were mailed, when and to whom. The server sends the mail after the commit.
create table public.invoice_mails (
  id uuid default gen_random_uuid() primary key,
  invoice_id uuid not null references public.invoices,
  email text not null check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  sent_by uuid references public.profiles on delete set null,
  mailed_at timestamptz,
  created_at timestamptz not null default now()
);
comment on column public.invoice_mails.mailed_at is 'Derived: when the mail was handed to the mail server';
create index invoice_mails_invoice_id_idx on public.invoice_mails (invoice_id, created_at);
create index invoice_mails_sent_by_idx on public.invoice_mails (sent_by, created_at);
alter publication supabase_realtime add table public.invoice_mails;
-- Triggers, in the order in which they fire:
create trigger z_marks_invoice after update of mailed_at on public.invoice_mails
  for each row when (new.mailed_at is not null) execute function private.mark_invoice_mailed();
select private.keep_history_of('public.invoice_mails');
alter table public.invoice_mails enable row level security;
grant select on public.invoice_mails to authenticated;
create policy "Admins and finance read where invoices were mailed" on public.invoice_mails
  for select to authenticated using ((select private.may_bill()));

-- Mails to send; a row is deleted once it is sent.
create table private.invoice_mail_queue (
  mail_id uuid primary key references public.invoice_mails on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz default now(), -- Time of the next attempt; null after the last one failed.
  last_error text
);
create index invoice_mail_queue_next_at_idx on private.invoice_mail_queue (next_at);
alter table private.invoice_mail_queue enable row level security;

create table public.credit_notes (
  id uuid default gen_random_uuid() primary key,
  invoice_id uuid not null references public.invoices,
  client_id uuid not null references public.clients,
  -- Counted without gaps within the company's year of issued_on.
  year integer not null check (year between 1900 and 2199),
  sequence integer not null check (sequence > 0),
  number text generated always as (((('CN-' || (year)::text) || '-') || lpad((sequence)::text,
    greatest(4, length((sequence)::text)), '0'))) stored not null,
  reason text not null check (char_length(reason) between 1 and 500),
  currency text not null check (currency in ('USD', 'LRD')),
  amount numeric(16,2) not null check (amount >= 0), -- With tax. What the client owes less.
  tax numeric(16,2) not null,
  issued_on date not null,
  issued_by uuid references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  constraint credit_notes_number_key unique (year, sequence)
);
create index credit_notes_invoice_id_idx on public.credit_notes (invoice_id);
create index credit_notes_client_id_idx on public.credit_notes (client_id, issued_on);
create index credit_notes_issued_by_idx on public.credit_notes (issued_by) where issued_by is not null;
alter publication supabase_realtime add table public.credit_notes;
-- Triggers, in the order in which they fire:
create trigger c_issued_truncate before truncate on public.credit_notes
  for each statement execute function private.refuse_truncate_of_documents();
create trigger b_day before insert or update of issued_on on public.credit_notes
  for each row execute function private.check_money_day('issued_on', 'The day of issue', '1');
create trigger c_rules before update or delete on public.credit_notes
  for each row execute function private.refuse_change_of_credit_note();
create trigger y_books after update on public.credit_notes
  for each row when ( (old.client_id, old.invoice_id, old.currency, old.amount, old.tax, old.year, old.sequence,
      old.issued_on, old.reason) is distinct from (new.client_id, new.invoice_id, new.currency, new.amount, new.tax,
      new.year, new.sequence, new.issued_on, new.reason))
  execute function private.keep_closed_books('issued_on');
create trigger y_books_of_deleted after delete on public.credit_notes
  for each row execute function private.keep_closed_books('issued_on');
create trigger y_books_of_new after insert on public.credit_notes
  for each row execute function private.keep_closed_books('issued_on');
select private.keep_history_of('public.credit_notes');
-- When the transaction ends:
create constraint trigger e_adds_up after insert on public.credit_notes deferrable initially deferred
  for each row execute function private.check_credit_note();
alter table public.credit_notes enable row level security;
revoke insert, update, delete, truncate on public.credit_notes from service_role;
grant select on public.credit_notes to authenticated;
create policy "Admins and finance read credit notes" on public.credit_notes
  for select to authenticated using ((select private.may_bill()));

create table public.credit_note_lines (
  id uuid default gen_random_uuid() primary key,
  credit_note_id uuid not null references public.credit_notes,
  invoice_line_id uuid not null references public.invoice_lines,
  amount numeric(14,2) not null, -- Of a whole line as on the invoice.
  tax_amount numeric(14,2) not null,
  created_at timestamptz not null default now(),
  -- What is printed of a part of a line; null for a whole one, which is printed as on the invoice.
  quantity numeric(14,4) check (quantity between 0 and 9999999999),
  unit text check (unit in ('h', 'month', '')),
  rate numeric(14,4),
  price_with_tax numeric(14,2), -- Where the rate contains the tax.
  constraint credit_note_lines_once_a_note unique (credit_note_id, invoice_line_id),
  constraint credit_note_lines_part check ((quantity is null) = (unit is null) and (quantity is null) = (rate is null)
    and (quantity is not null or price_with_tax is null))
);
create index credit_note_lines_invoice_line_id_idx on public.credit_note_lines (invoice_line_id);
alter publication supabase_realtime add table public.credit_note_lines;
-- Triggers, in the order in which they fire:
create trigger c_issued_truncate before truncate on public.credit_note_lines
  for each statement execute function private.refuse_truncate_of_documents();
create trigger c_rules before update or delete on public.credit_note_lines
  for each row execute function private.refuse_change_of_credit_note();
select private.keep_history_of('public.credit_note_lines');
create trigger z_forget_billed_sums after insert on public.credit_note_lines referencing new table as new_rows
  for each statement execute function private.forget_sums_of_credited();
-- When the transaction ends:
create constraint trigger e_adds_up after insert on public.credit_note_lines deferrable initially deferred
  for each row execute function private.check_credit_note();
alter table public.credit_note_lines enable row level security;
revoke insert, update, delete, truncate on public.credit_note_lines from service_role;
grant select on public.credit_note_lines to authenticated;
create policy "Admins and finance read the lines of credit notes" on public.credit_note_lines
  for select to authenticated using ((select private.may_bill()));

-- Money that a client paid.
create table public.receipts (
  id uuid default gen_random_uuid() primary key,
  client_id uuid not null references public.clients,
  currency text not null check (currency in ('USD', 'LRD')),
  amount numeric(14,2) not null check (amount between 0 and 999999999999.99), -- That reached us.
  -- Tax that the client kept and pays to the tax office in our name. It pays invoices, too.
  withheld numeric(14,2) not null default 0 check (withheld between 0 and 999999999999.99),
  withholding_certificate text check (char_length(withholding_certificate) between 1 and 60), -- Its number.
  certificate_on date check (certificate_on between '1900-01-01' and '2199-12-31'),
  certificate_path text, -- In bucket receipts, <id>/<file name>.
  allocated numeric(14,2) not null default 0,
  -- On account of the client.
  unallocated numeric(14,2) generated always as (((amount + withheld) - allocated)) stored not null,
  received_on date not null check (received_on between '1900-01-01' and '2199-12-31'),
  -- A small difference that is written off settles an invoice without money.
  method text not null check (method in ('bank', 'cash', 'mobile_money', 'cheque', 'write_off')),
  reference text check (char_length(reference) <= 100),
  bank_account_id uuid references public.bank_accounts,
  note text check (char_length(note) <= 500),
  voided_at timestamptz,
  voided_by uuid references public.profiles on delete set null,
  void_reason text check (char_length(void_reason) between 1 and 500),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint receipts_not_empty check (amount + withheld >= 0.01),
  constraint receipts_not_overspent check (allocated between 0 and amount + withheld),
  constraint receipts_certificate check ((withholding_certificate is null) = (certificate_on is null)
    and (withheld > 0 or withholding_certificate is null)),
  constraint receipts_certificate_file check (certificate_path is null or withholding_certificate is not null
    and char_length(certificate_path) <= 1000 and coalesce(private.record_of_file(certificate_path) = id, false)),
  constraint receipts_write_off check (method <> 'write_off' or withheld = 0 and note is not null),
  constraint receipts_void check ((voided_at is null) = (void_reason is null) and (voided_at is null or allocated = 0))
);
comment on column public.receipts.allocated is 'Derived from the allocations, and from refunds that are asked or paid';
create index receipts_client_id_idx on public.receipts (client_id, received_on desc);
create index receipts_received_on_idx on public.receipts (received_on desc);
create index receipts_bank_account_id_idx on public.receipts (bank_account_id) where bank_account_id is not null;
create index receipts_voided_by_idx on public.receipts (voided_by) where voided_by is not null;
create index receipts_created_by_idx on public.receipts (created_by);
create index receipts_voided_at_idx on public.receipts (voided_at) where voided_at is not null;
alter publication supabase_realtime add table public.receipts;
-- Triggers, in the order in which they fire:
create trigger c_issued_truncate before truncate on public.receipts
  for each statement execute function private.refuse_truncate_of_documents();
select private.tidy_texts_of('public.receipts',
  'reference', 'note', 'void_reason', 'withholding_certificate', 'certificate_path');
create trigger b_author before insert or update on public.receipts for each row execute function private.stamp_author();
create trigger b_day before insert or update of received_on on public.receipts
  for each row execute function private.check_money_day('received_on', 'The day of receipt', '1');
create trigger c_rules before insert or update or delete on public.receipts
  for each row execute function private.check_receipt();
create trigger d_touch before update on public.receipts for each row execute function private.touch();
create trigger y_books after update on public.receipts
  for each row when ( (old.client_id, old.currency, old.amount, old.received_on, old.method, old.reference) is distinct
      from (new.client_id, new.currency, new.amount, new.received_on, new.method, new.reference))
  execute function private.keep_closed_books('received_on');
create trigger y_books_of_deleted after delete on public.receipts
  for each row execute function private.keep_closed_books('received_on', 'voided_at');
-- Of each table: what the books are made of. A payment of an invoice of a closed month, for example, stays possible.
create trigger y_books_of_new after insert on public.receipts
  for each row execute function private.keep_closed_books('received_on', 'voided_at');
create trigger y_books_of_voided after update on public.receipts
  for each row when (old.voided_at is distinct from new.voided_at)
  execute function private.keep_closed_books('voided_at');
select private.keep_history_of('public.receipts');
create trigger z_bank after update on public.receipts referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('receipt');
create trigger z_bank_of_deleted after delete on public.receipts referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('receipt');
alter table public.receipts enable row level security;
revoke insert, update, delete, truncate on public.receipts from service_role;
grant select on public.receipts to authenticated;
create policy "Admins and finance read receipts of clients" on public.receipts
  for select to authenticated using ((select private.may_bill()));

-- Which invoices a receipt pays.
create table public.receipt_allocations (
  id uuid default gen_random_uuid() primary key,
  receipt_id uuid not null references public.receipts,
  invoice_id uuid not null references public.invoices,
  amount numeric(14,2) not null check (amount between 0.01 and 999999999999.99),
  created_at timestamptz not null default now(),
  constraint receipt_allocations_once unique (receipt_id, invoice_id)
);
create index receipt_allocations_invoice_id_idx on public.receipt_allocations (invoice_id);
alter publication supabase_realtime add table public.receipt_allocations;
-- Triggers, in the order in which they fire:
create trigger c_issued_truncate before truncate on public.receipt_allocations
  for each statement execute function private.refuse_truncate_of_documents();
create trigger c_rules before insert or update on public.receipt_allocations
  for each row execute function private.check_allocation();
create trigger y_books after update on public.receipt_allocations
  for each row when (old.created_at is distinct from new.created_at)
  execute function private.keep_closed_books('created_at');
-- An allocation is made on its own day. It ends with the voiding or the credit of today.
create trigger y_books_of_new after insert on public.receipt_allocations
  for each row execute function private.keep_closed_books('created_at');
create trigger follow_deletes after delete on public.receipt_allocations referencing old table as old_rows
  for each statement execute function private.follow_allocations();
create trigger follow_inserts after insert on public.receipt_allocations referencing new table as new_rows
  for each statement execute function private.follow_allocations();
create trigger follow_updates after update on public.receipt_allocations
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.follow_allocations();
select private.keep_history_of('public.receipt_allocations');
alter table public.receipt_allocations enable row level security;
revoke insert, update, delete, truncate on public.receipt_allocations from service_role;
grant select on public.receipt_allocations to authenticated;
create policy "Admins and finance read allocations of receipts" on public.receipt_allocations
  for select to authenticated using ((select private.may_bill()));

alter table private.invoice_corrections add constraint invoice_corrections_invoice_line_id_fkey
  foreign key (invoice_line_id) references public.invoice_lines on delete cascade;

-- ── Functions ─────────────────────────────────────────────────────────

-- Both sides exist, are in force, and of one client and currency.
create function private.check_allocation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.receipt_id, new.invoice_id) <> (old.receipt_id, old.invoice_id) then
    raise exception 'An allocation stays with its receipt and invoice.' using errcode = 'PT409';
  end if;
  if not exists (
    select from public.receipts r join public.invoices i on i.client_id = r.client_id and i.currency = r.currency
    where r.id = new.receipt_id and i.id = new.invoice_id and r.voided_at is null and i.status <> 'draft'
  ) then
    raise exception 'A receipt pays issued invoices of its client, in its currency.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- A credit note equals its lines, and no line of its invoice is credited beyond what it billed, when the transaction
-- ends.
create function private.check_credit_note() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  note public.credit_notes;
  is_wrong boolean := false;
begin
  if tg_table_name = 'credit_notes' then
    note := new;
  else
    select * into note from public.credit_notes n where n.id = new.credit_note_id;
    select l.invoice_id <> note.invoice_id or r.amount * l.amount < 0 or r.tax * l.tax_amount < 0
      or l.credited_at is not null and (r.amount, r.tax) <> (0, 0)
      or l.credited_at is null and r.amount = 0 and l.amount <> 0
    into is_wrong
    from public.invoice_lines l cross join lateral private.left_of_line(l) r where l.id = new.invoice_line_id;
  end if;
  if is_wrong or exists (
    select from public.credit_note_lines c where c.credit_note_id = note.id
    having (coalesce(sum(c.amount + c.tax_amount), 0), coalesce(sum(c.tax_amount), 0)) <> (note.amount, note.tax)
  ) then
    raise exception 'Credit note %: its sum differs from its lines.', note.number using errcode = 'check_violation';
  end if;
  return null;
end
$$;

-- An invoice begins as a draft; once it has a number only its sums and its mailing move, and the sums always come from
-- the credit notes and receipts themselves.
create function private.check_invoice() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- What may still change of an issued one.
  free text[] := array['status', 'credited', 'paid', 'open_amount', 'mailed_at', 'issued_by', 'created_by',
    'updated_at'];
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
    raise exception 'Invoice % is issued, so it can''t be changed. Credit it instead.', old.number
      using errcode = 'PT409';
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
    when new.paid > 0 then 'part_paid' else 'issued' end;
  return new;
end
$$;

-- An invoice equals its lines to the cent when the transaction ends, however it was written.
create function private.check_invoice_sums() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.invoices i
    left join lateral (
      select coalesce(sum(l.amount), 0) as subtotal, coalesce(sum(l.tax_amount), 0) as tax
      from public.invoice_lines l where l.invoice_id = i.id
    ) s on true
    where i.id = new.id and (i.subtotal, i.tax) <> (s.subtotal, s.tax)
  ) then
    raise exception 'The sums of invoice % differ from its lines.', new.id using errcode = 'check_violation';
  end if;
  return null;
end
$$;

create function private.check_receipt() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  free text[] := array['allocated', 'unallocated', 'voided_at', 'voided_by', 'void_reason', 'created_by', 'updated_at',
    'withholding_certificate', 'certificate_on', 'certificate_path'];
begin
  if tg_op = 'DELETE' then
    raise exception 'A receipt is kept. Void it instead.' using errcode = 'PT409';
  end if;
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - free <> to_jsonb(old) - free
      or old.voided_at is not null and (new.voided_at, new.void_reason) is distinct
        from (old.voided_at, old.void_reason)
    then
      raise exception 'A receipt can''t be changed. Void it and record it again.' using errcode = 'PT409';
    end if;
  end if;
  select coalesce(sum(s.amount), 0) into new.allocated
  from (
    select a.amount from public.receipt_allocations a where a.receipt_id = new.id
    union all
    select f.amount from public.refunds f where f.receipt_id = new.id and f.status in ('asked', 'paid')
  ) s;
  return new;
end
$$;

-- The sums of both sides follow, in the same statement; their constraints refuse to spend more than there is. Invoices
-- are locked before receipts, everywhere.
create function private.follow_allocations() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched_invoices uuid[];
  touched_receipts uuid[];
begin
  if tg_op = 'INSERT' then
    touched_invoices := array(select n.invoice_id from new_rows n);
    touched_receipts := array(select n.receipt_id from new_rows n);
  else
    touched_invoices := array(select o.invoice_id from old_rows o);
    touched_receipts := array(select o.receipt_id from old_rows o);
  end if;
  perform from public.invoices i where i.id = any (touched_invoices) order by i.id for no key update;
  update public.invoices i set paid = i.paid where i.id = any (touched_invoices);
  perform from public.receipts r where r.id = any (touched_receipts) order by r.id for no key update;
  update public.receipts r set allocated = r.allocated where r.id = any (touched_receipts);
  return null;
end
$$;

create function private.free_credited_time() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.billed_time b set freed_at = new.credited_at where b.invoice_line_id = new.id and b.freed_at is null;
  return null;
end
$$;

-- What an invoice says about a post stays true: its place and basis change by ending it and adding another.
create function private.keep_billed_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.invoice_lines l join public.invoices i on i.id = l.invoice_id
    where l.contract_post_id = old.id and i.status <> 'draft'
  ) then
    raise exception 'This post has been billed. Give it an end date, and add it again with the new terms.'
      using errcode = 'PT409';
  end if;
  -- Drafts are drawn again.
  delete from public.invoice_lines l where tg_op = 'DELETE' and l.contract_post_id = old.id;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create function private.keep_invoiced_contract() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.invoices i where i.contract_id = old.id) then
    raise exception 'This contract has invoices, so its client and currency stay. Add another contract instead.'
      using errcode = 'PT409';
  end if;
  return new;
end
$$;

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
      select distinct c.invoice_id
      from (
        select o.id, coalesce(o.invoice_id, n.invoice_id) as invoice_id, o.credited_at as was_credited,
          n.credited_at as is_credited, to_jsonb(o) - 'credited_at' as was, to_jsonb(n) - 'credited_at' as became
        from old_rows o full join new_rows n on n.id = o.id offset 0
      ) c
      where c.was is distinct from c.became or c.was_credited is distinct from c.is_credited
        and (c.was_credited is not null
          or not exists (select from public.credit_note_lines l where l.invoice_line_id = c.id))
    );
  end if;
  -- Waits for one who is issuing it now.
  perform from public.invoices i where i.id = any (touched) order by i.id for no key update;
  if exists (select from public.invoices i where i.id = any (touched) and i.status <> 'draft') then
    raise exception 'The invoice of this line is issued, so it can''t be changed. Credit it instead.'
      using errcode = 'PT409';
  end if;
  return null;
end
$$;

create function private.mark_invoice_mailed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.invoices i set mailed_at = new.mailed_at where i.id = new.invoice_id;
  return null;
end
$$;

create function private.prepare_invoice_line() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  tax record;
begin
  if new.position is null then
    new.position := 1 + coalesce((
      select max(l.position) from public.invoice_lines l where l.invoice_id = new.invoice_id), 0);
  end if;
  -- A line that is credited stays as it was issued, whatever has been agreed since.
  if new.kind = 'other' and (tg_op = 'INSERT'
    or (new.invoice_id, new.quantity, new.rate, new.tax_name, new.tax_rate, new.vat_treatment)
      is distinct from (old.invoice_id, old.quantity, old.rate, old.tax_name, old.tax_rate, old.vat_treatment))
  then
    new.amount := round(new.quantity * new.rate, 2);
    new.price_with_tax := null;
    select t.*, c.prices_include_tax into tax from public.invoices i
    join public.contracts c on c.id = i.contract_id
    cross join lateral private.tax_days(i.contract_id, null, i.period_end, i.period_end) t
    where i.id = new.invoice_id;
    if tax.vat_treatment is null then
      new.vat_treatment := null;
    else
      -- A line by hand may be without VAT where others have it, never the other way round.
      new.vat_treatment := case when tax.vat_treatment = 'exempt' then 'exempt'
        else coalesce(new.vat_treatment, 'standard') end;
      new.tax_name := tax.tax_name;
      new.tax_rate := case when new.vat_treatment = 'standard' then tax.tax_rate else 0 end;
    end if;
    if tax.prices_include_tax and new.tax_rate > 0 then
      new.price_with_tax := new.amount;
      new.amount := private.price_without_tax(new.price_with_tax, new.tax_rate);
    end if;
  end if;
  return new;
end
$$;

create function private.refuse_change_of_credit_note() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- Deleting an account sets issued_by to null.
  if tg_op = 'UPDATE' and to_jsonb(new) - 'issued_by' = to_jsonb(old) - 'issued_by'
    and (to_jsonb(new) ->> 'issued_by') is null
  then
    return new;
  end if;
  raise exception 'A credit note can''t be changed or deleted.' using errcode = 'PT409';
end
$$;

-- Keeps the sums of the invoices whose lines change; once per statement, because drafting writes thousands of lines.
create function private.sum_invoices() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct n.invoice_id from new_rows n);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct o.invoice_id from old_rows o);
  else
    touched := array(select o.invoice_id from old_rows o union select n.invoice_id from new_rows n);
  end if;
  -- Two writers of one invoice take turns, so that the second sums the lines of the first too.
  perform from public.invoices i where i.id = any (touched) order by i.id for no key update;
  update public.invoices i set subtotal = s.subtotal, tax = s.tax
  from (
    select t.id, coalesce(sum(l.amount), 0) as subtotal, coalesce(sum(l.tax_amount), 0) as tax
    from unnest(touched) t (id) left join public.invoice_lines l on l.invoice_id = t.id
    group by t.id
  ) s
  where i.id = s.id and (i.subtotal, i.tax) <> (s.subtotal, s.tax);
  return null;
end
$$;

create function private.lock_invoices_of(p_client_id uuid, p_currency text) returns void
language sql set search_path = '' as $$
  select from public.invoices i where i.client_id = p_client_id and i.currency = p_currency and i.status <> 'draft'
  order by i.id for no key update;
$$;

-- The receipt, locked after the invoices of its client.
create function private.receipt_to_change(p_id uuid) returns public.receipts
language plpgsql set search_path = '' as $$
declare
  receipt public.receipts;
begin
  perform private.require_billing_role();
  select * into receipt from public.receipts r where r.id = p_id;
  if not found then
    raise exception 'This receipt no longer exists.' using errcode = 'PT404';
  end if;
  perform private.lock_invoices_of(receipt.client_id, receipt.currency);
  select * into receipt from public.receipts r where r.id = p_id for update;
  if receipt.voided_at is not null then
    raise exception 'This receipt is void.' using errcode = 'PT409';
  end if;
  return receipt;
end
$$;

-- Allocates a receipt: as given, [{invoice_id, amount}], or what is left of it to the oldest open invoices. The
-- invoices
-- of its client are locked, so that two receipts at once can't pay the same amount.
create function private.allocate(p_receipt public.receipts, p_allocations jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  of_receipt constant numeric := p_receipt.amount + p_receipt.withheld - p_receipt.allocated;
begin
  if p_allocations is null then
    insert into public.receipt_allocations (receipt_id, invoice_id, amount)
    select p_receipt.id, o.id, least(o.open_amount, of_receipt - o.before)
    from (
      select i.id, i.open_amount,
        coalesce(sum(i.open_amount) over (order by i.due_on, i.year, i.sequence
          rows between unbounded preceding and 1 preceding), 0) as before
      from public.invoices i
      where i.client_id = p_receipt.client_id and i.currency = p_receipt.currency
        and i.status in ('issued', 'part_paid')
        and i.open_amount > 0
        -- Allocated to it by hand already.
        and not exists (
          select from public.receipt_allocations a where a.receipt_id = p_receipt.id and a.invoice_id = i.id)
    ) o
    where o.before < of_receipt;
    return;
  end if;
  if jsonb_typeof(p_allocations) <> 'array' or jsonb_array_length(p_allocations) > 500 or exists (
    select from jsonb_array_elements(p_allocations) e
    where jsonb_typeof(e) <> 'object'
      or coalesce(e ->> 'invoice_id', '') !~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
      or coalesce(e ->> 'amount', '') !~ '^[0-9]{1,12}([.][0-9]{1,2})?$'
  ) then
    raise exception 'Allocations are a list of at most 500 invoices, each with an amount.'
      using errcode = 'invalid_parameter_value';
  end if;
  if exists (
    select from jsonb_to_recordset(p_allocations) e (invoice_id uuid, amount numeric)
    left join public.invoices i on i.id = e.invoice_id
    where i.open_amount is null or e.amount > i.open_amount
  ) then
    raise exception 'An invoice has less open than this. Reload and allocate the receipt again.'
      using errcode = 'PT409';
  end if;
  if (select sum(e.amount) from jsonb_to_recordset(p_allocations) e (amount numeric)) > of_receipt then
    raise exception 'The allocations are more than what is left of the receipt.' using errcode = 'check_violation';
  end if;
  insert into public.receipt_allocations (receipt_id, invoice_id, amount)
  select p_receipt.id, e.invoice_id, e.amount
    from jsonb_to_recordset(p_allocations) e (invoice_id uuid, amount numeric);
end
$$;

-- Allocates what is left of a receipt to the oldest invoices; with a list, allocates the whole receipt again.
create function public.allocate_receipt(p_receipt_id uuid, p_allocations jsonb default null) returns public.receipts
language plpgsql security definer set search_path = '' as $$
declare
  receipt public.receipts := private.receipt_to_change(p_receipt_id);
begin
  if p_allocations is not null then
    delete from public.receipt_allocations a where a.receipt_id = receipt.id;
    select * into receipt from public.receipts r where r.id = receipt.id;
  end if;
  perform private.allocate(receipt, p_allocations);
  select * into receipt from public.receipts r where r.id = receipt.id;
  return receipt;
end
$$;
grant execute on function public.allocate_receipt to authenticated, service_role;

-- What each of the caller's clients owes, in each currency in which it was ever billed or has paid. Positive amounts.
create function public.client_balances()
returns table (
  client_id uuid, client_name text, currency text, open numeric, overdue numeric, on_account numeric, next_due date
)
language sql stable security definer set search_path = '' as $$
  with moves as (
    select i.client_id, i.currency, i.open_amount as open,
      case when i.due_on < private.company_date() then i.open_amount else 0 end as overdue, 0::numeric as on_account,
      case when i.open_amount > 0 then i.due_on end as due_on
    from public.invoices i
    where i.client_id = any ((select private.client_of_caller())::uuid[]) and i.status <> 'draft'
    union all
    select r.client_id, r.currency, 0, 0, r.unallocated, null
    from public.receipts r
    where r.client_id = any ((select private.client_of_caller())::uuid[]) and r.voided_at is null
  )
  select k.id, k.name, m.currency, sum(m.open), sum(m.overdue), sum(m.on_account), min(m.due_on)
  from moves m join public.clients k on k.id = m.client_id
  group by k.id, k.name, m.currency order by k.name, k.id, m.currency desc;
$$;
comment on function public.client_balances is 'Nullable: next_due';
grant execute on function public.client_balances to authenticated;

create function private.receipt_method_text(method text) returns text
language sql immutable set search_path = ''
return case method when 'bank' then 'Bank transfer' when 'cash' then 'Cash' when 'mobile_money' then 'Mobile money'
  when 'cheque' then 'Cheque' when 'write_off' then 'Small difference written off' end;
grant execute on function private.receipt_method_text to authenticated, service_role;

-- As before, but a credit note has its tax and lines: the client's portal makes the PDF of it, too.
create function public.client_invoice(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  select jsonb_build_object(
    'id', i.id, 'number', i.number, 'currency', i.currency, 'status', i.status, 'issued_on', i.issued_on, 'due_on',
      i.due_on,
    'period_start', i.period_start, 'period_end', i.period_end, 'bill_to', i.bill_to, 'subtotal', i.subtotal, 'tax',
      i.tax,
    'total', i.total, 'credited', i.credited, 'paid', i.paid, 'open_amount', i.open_amount,
    -- Printed on the PDF, too.
    'note', i.note, 'vat_number', i.vat_number, 'purchase_order', i.purchase_order,
    'pay_to', public.payment_details(i),
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', l.id, 'site', s.name, 'post', p.name, 'description', l.description, 'quantity', l.quantity, 'unit',
          l.unit,
        'rate', l.rate, 'amount', l.amount, 'price_with_tax', l.price_with_tax, 'tax_name', l.tax_name, 'tax_rate',
        l.tax_rate, 'tax_amount', l.tax_amount, 'vat_treatment', l.vat_treatment,
        'is_credited', l.credited_at is not null, 'has_days', l.kind = 'fixed'
          or exists (
          select from public.billed_time b where b.invoice_line_id = l.id)
      ) order by l.position, l.id)
      from public.invoice_lines l
      left join public.sites s on s.id = l.site_id
      left join public.posts p on p.id = l.post_id
      where l.invoice_id = i.id), '[]'),
    'credit_notes', coalesce((
      select jsonb_agg(jsonb_build_object('number', n.number, 'issued_on', n.issued_on, 'reason', n.reason, 'amount',
        n.amount,
        'tax', n.tax, 'lines', (
          select coalesce(jsonb_agg(jsonb_build_object('description', l.description,
            'quantity', coalesce(c.quantity, l.quantity), 'unit', coalesce(c.unit, l.unit),
            'rate', coalesce(c.rate, l.rate), 'amount', c.amount,
            'price_with_tax', coalesce(c.price_with_tax, l.price_with_tax), 'tax_name', l.tax_name, 'tax_rate',
            l.tax_rate, 'tax_amount', c.tax_amount, 'vat_treatment', l.vat_treatment) order by l.position, l.id), '[]')
          from public.credit_note_lines c
          join public.invoice_lines l on l.id = c.invoice_line_id
          where c.credit_note_id = n.id)
      ) order by n.year, n.sequence)
      from public.credit_notes n where n.invoice_id = i.id), '[]'),
    'receipts', coalesce((
      select jsonb_agg(jsonb_build_object('received_on', r.received_on, 'method', private.receipt_method_text(r.method),
        'reference', r.reference, 'amount', a.amount) order by r.received_on, r.id)
      from public.receipt_allocations a join public.receipts r on r.id = a.receipt_id
      where a.invoice_id = i.id), '[]')
  ) into answer
  from public.invoices i where i.id = p_id and i.client_id = any (private.client_of_caller()) and i.status <> 'draft';
  if answer is null then
    raise exception 'There is no such invoice.' using errcode = 'PT404';
  end if;
  return answer;
end
$$;
grant execute on function public.client_invoice to authenticated;

-- The issued invoices of the caller's clients: those with something open first, the one due first at the top; then the
-- newest.
create function public.client_invoices()
returns table (
  id uuid, client_id uuid, client_name text, number text, currency text, status text, period_start date,
  period_end date, issued_on date, due_on date, total numeric, credited numeric, paid numeric, open_amount numeric
)
language sql stable security definer set search_path = '' as $$
  select i.id, k.id, k.name, i.number, i.currency, i.status, i.period_start, i.period_end, i.issued_on, i.due_on,
    i.total,
    i.credited, i.paid, i.open_amount
  from public.invoices i join public.clients k on k.id = i.client_id
  where i.client_id = any ((select private.client_of_caller())::uuid[]) and i.status <> 'draft'
  order by i.open_amount <= 0, case when i.open_amount > 0 then i.due_on end, i.year desc, i.sequence desc limit 500;
$$;
grant execute on function public.client_invoices to authenticated;

-- Invoices, voided receipts and refunds are charges, credit notes and receipts payments. The first row is the balance
-- before p_from, the last one the balance at the end of p_to.
create function public.client_statement(p_client_id uuid, p_currency text, p_from date, p_to date)
returns table (
  day date, kind text, id uuid, document text, text text, charge numeric, payment numeric, balance numeric
)
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'The period must be at most 400 days.' using errcode = 'invalid_parameter_value';
  end if;
  return query
  with entries as (
    select i.issued_on as day, 1 as place, 'invoice' as kind, i.id, i.number as document,
      concat_ws(', ', format('%s to %s', to_char(i.period_start, 'Mon FMDD'), to_char(i.period_end, 'Mon FMDD, YYYY')),
        'tax in it: ' || private.money_text(nullif(i.tax, 0), i.currency)) as text,
      i.total as charge, 0::numeric as payment
    from public.invoices i
    where i.client_id = p_client_id and i.currency = p_currency and i.status <> 'draft' and i.issued_on <= p_to
    union all
    select n.issued_on, 2, 'credit_note', n.id, n.number, concat_ws(', ', format('%s: %s', i.number, n.reason),
      'tax in it: ' || private.money_text(nullif(n.tax, 0), n.currency)), 0, n.amount
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id
    where n.client_id = p_client_id and n.currency = p_currency and n.issued_on <= p_to
    union all
    select r.received_on, 3, 'receipt', r.id, coalesce(r.reference, ''),
      concat_ws(', ', private.receipt_method_text(r.method),
        'tax withheld in it: ' || private.money_text(nullif(r.withheld, 0), r.currency)), 0, r.amount + r.withheld
    from public.receipts r
    where r.client_id = p_client_id and r.currency = p_currency and r.received_on <= p_to
    union all
    select private.company_date_of(r.voided_at), 4, 'void', r.id, coalesce(r.reference, ''), r.void_reason,
      r.amount + r.withheld, 0
    from public.receipts r
    where r.client_id = p_client_id and r.currency = p_currency and private.company_date_of(r.voided_at) <= p_to
    union all
    select f.paid_on, 5, 'refund', f.id, coalesce(f.reference, ''), private.receipt_method_text(f.method), f.amount, 0
    from public.refunds f
    where f.client_id = p_client_id and f.currency = p_currency and f.paid_on <= p_to
    union all
    select f.returned_on, 6, 'refund_return', f.id, coalesce(f.reference, ''), f.return_reason, 0, f.amount
    from public.refunds f
    where f.client_id = p_client_id and f.currency = p_currency and f.returned_on <= p_to
  ), listed as (
    select p_from as day, 0 as place, 'opening' as kind, null::uuid as id, '' as document, '' as text,
      0::numeric as charge, 0::numeric as payment, coalesce(sum(e.charge - e.payment), 0) as moved
    from entries e where e.day < p_from
    union all
    select e.day, e.place, e.kind, e.id, e.document, e.text, e.charge, e.payment, e.charge - e.payment
    from entries e where e.day >= p_from
    union all
    select p_to, 5, 'closing', null, '', '', 0, 0, 0
  )
  select l.day, l.kind, l.id, l.document, l.text, l.charge, l.payment,
    sum(l.moved) over (order by l.kind = 'closing', l.kind <> 'opening', l.day, l.place, l.document, l.id)
  from listed l order by l.kind = 'closing', l.kind <> 'opening', l.day, l.place, l.document, l.id;
end
$$;
comment on function public.client_statement is 'Nullable: id';
grant execute on function public.client_statement to authenticated, service_role;

-- Takes back at most so much of what receipts pay of an invoice, latest first; it is on account of the client then.
create function private.release_allocations(p_invoice_id uuid, p_amount numeric) returns void
language plpgsql set search_path = '' as $$
declare
  rest numeric := p_amount;
  allocation record;
begin
  for allocation in
    select a.id, a.amount from public.receipt_allocations a join public.receipts r on r.id = a.receipt_id
    where a.invoice_id = p_invoice_id order by r.received_on desc, a.created_at desc, a.id
  loop
    exit when rest <= 0;
    if allocation.amount <= rest then
      delete from public.receipt_allocations a where a.id = allocation.id;
    else
      update public.receipt_allocations a set amount = a.amount - rest where a.id = allocation.id;
    end if;
    rest := rest - allocation.amount;
  end loop;
end
$$;

create function private.next_number(p_kind text, p_year integer) returns integer
language sql set search_path = '' as $$
  insert into private.document_numbers as n (kind, year, last) values (p_kind, p_year, 1)
  on conflict (kind, year) do update set last = n.last + 1 returning n.last;
$$;

-- Bills corrections with the next invoice ('accepted'), never ('waived', with a reason), or leaves them open again
-- ('proposed').
create function public.decide_billing_corrections(p_ids uuid[], p_status text, p_reason text default null)
returns integer
language plpgsql security definer set search_path = '' as $$
declare
  why text := nullif(btrim(p_reason), '');
  decided integer;
  billed text;
  contracts uuid[];
begin
  perform private.require_billing_role();
  if p_ids is null or cardinality(p_ids) not between 1 and 500 then
    raise exception 'Choose 1 to 500 corrections.' using errcode = 'invalid_parameter_value';
  end if;
  if p_status is null or p_status not in ('accepted', 'waived', 'proposed') then
    raise exception 'Accept, waive or reopen corrections.' using errcode = 'invalid_parameter_value';
  end if;
  if p_status = 'waived' and why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  select i.number into billed
  from public.invoice_lines l join public.invoices i on i.id = l.invoice_id
  where l.correction_id = any (p_ids) and l.credited_at is null and i.status <> 'draft' limit 1;
  if found and p_status <> 'accepted' then
    raise exception 'Invoice % has billed this correction. Credit it there instead.', billed using errcode = 'PT409';
  end if;
  if p_status <> 'accepted' and exists (
    select from private.invoice_corrections k
    join private.invoice_corrections o on o.invoice_line_id = k.invoice_line_id and o.days && k.days
      and o.decided_at > k.decided_at
    where k.id = any (p_ids) and k.status = 'accepted' and o.status = 'accepted' and o.id <> all (p_ids)
  ) then
    raise exception 'A later correction builds on this one. Undo that one first.' using errcode = 'PT409';
  end if;
  if p_status = 'accepted' then
    -- What was waived is accepted as if it were proposed now: other corrections may have come after it.
    with reopened as (
      update private.invoice_corrections k set status = 'proposed', reason = null, decided_by = null, decided_at = null
      where k.id = any (p_ids) and k.status = 'waived' returning k.contract_id
    )
    select array_agg(distinct r.contract_id) into contracts from reopened r;
    perform private.propose_rate_corrections(c, '-infinity') from unnest(contracts) c;
    if exists (select from unnest(p_ids) n where not exists (select from private.invoice_corrections k where k.id = n))
    then
      raise exception 'The rates have changed since. Reopen what was waived, and decide on what is proposed now.'
        using errcode = 'PT409';
    end if;
  end if;
  update private.invoice_corrections k set status = p_status, reason = case when p_status = 'proposed' then null
    else why end,
    decided_by = case when p_status = 'proposed' then null else auth.uid() end,
    decided_at = case when p_status = 'proposed' then null else clock_timestamp() end
  where k.id = any (p_ids) and k.status <> p_status;
  get diagnostics decided = row_count;
  -- What was open depends on what was decided.
  perform private.propose_rate_corrections(c.contract_id, '-infinity')
  from (select distinct k.contract_id from private.invoice_corrections k where k.id = any (p_ids)) c;
  return decided;
end
$$;
grant execute on function public.decide_billing_corrections to authenticated, service_role;

-- The time that a line bills, each piece with the clock events that it comes from; in the order of the days. Of a
-- monthly amount: what was worked at its post in its month, by record of attendance. Definer, because finance reads no
-- attendance beyond what is billed.
create function public.hours_of_line(p_line_id uuid)
returns table (
  full_name text, kind text, starts_at timestamptz, ends_at timestamptz, minutes integer, clock_in_at timestamptz,
  clock_out_at timestamptz, corrected boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare
  line public.invoice_lines;
begin
  perform private.require_billing_role();
  select * into line from public.invoice_lines l where l.id = p_line_id;
  return query
    with work as (
      select b.user_id, b.attendance_id, b.kind, lower(b.span) as starts, upper(b.span) as ends, b.minutes
      from public.billed_time b where b.invoice_line_id = line.id
      union all
      select s.user_id, s.attendance_id, line.kind, min(s.starts_at), max(s.ends_at), sum(s.minutes)::integer
      from public.contract_posts c
      join public.time_segments s on s.site_id = c.site_id and s.day >= line.month
        and s.day <= line.month + interval '1 month'
        and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
      left join public.shifts h on h.id = s.shift_id
      cross join lateral (select (private.contract_post_of_work(s.site_id, h.post_id, s.day,
        private.company_date_of(h.start_time))).id as id offset 0) p
      where line.kind = 'fixed' and c.id = line.contract_post_id and p.id = c.id
        -- Of the day after the month only the morning of the post's last night.
        and (s.day < line.month + interval '1 month' or c.ends_on = s.day - 1)
      group by s.user_id, s.attendance_id
    )
    select coalesce(nullif(p.full_name, ''), p.email, 'Former user'), w.kind, w.starts, w.ends, w.minutes,
      a.clock_in_at, a.clock_out_at, a.corrected_at is not null
    from work w
    join public.profiles p on p.id = w.user_id
    left join public.attendance a on a.id = w.attendance_id order by w.starts, 1;
end
$$;
comment on function public.hours_of_line is 'Nullable: clock_in_at, clock_out_at';
grant execute on function public.hours_of_line to authenticated, service_role;

-- One row for each client and currency with something open or on account. Age counts from the day on which it was due.
create function public.invoice_ageing(p_client_id uuid default null)
returns table (
  client_id uuid, client_name text, currency text, not_due numeric, days_30 numeric, days_60 numeric, days_90 numeric,
  over_90 numeric, total numeric, on_account numeric
)
language sql stable set search_path = '' as $$
  with open as (
    select i.client_id, i.currency, i.open_amount as amount, private.company_date() - i.due_on as age,
      0::numeric as on_account
    from public.invoices i
    where i.status in ('issued', 'part_paid') and (p_client_id is null or i.client_id = p_client_id)
    union all
    select r.client_id, r.currency, 0, 0, r.unallocated
    from public.receipts r
    where r.voided_at is null and r.unallocated > 0 and (p_client_id is null or r.client_id = p_client_id)
  )
  select o.client_id, coalesce(c.name, ''), o.currency,
    coalesce(sum(o.amount) filter (where o.age <= 0), 0),
    coalesce(sum(o.amount) filter (where o.age between 1 and 30), 0),
    coalesce(sum(o.amount) filter (where o.age between 31 and 60), 0),
    coalesce(sum(o.amount) filter (where o.age between 61 and 90), 0),
    coalesce(sum(o.amount) filter (where o.age > 90), 0),
    sum(o.amount), sum(o.on_account)
  from open o left join public.clients c on c.id = o.client_id
  group by o.client_id, c.name, o.currency order by c.name, o.client_id, o.currency desc;
$$;
grant execute on function public.invoice_ageing to authenticated, service_role;

-- {name, address, email, tin, vat_certificate} of a contract's invoices: its own, else those of the client's record.
-- @param p_day on which the certificate is valid that frees the client from VAT
create function private.bill_to_of(p_contract_id uuid, p_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_build_object('tin', k.tin,
      'vat_certificate', (private.vat_exemption_on(k.id, p_day)).certificate))
    || jsonb_build_object('name', coalesce(c.bill_to_name, k.name), 'address',
      coalesce(c.bill_to_address, k.location), 'email', c.bill_to_email)
  from public.contracts c join public.clients k on k.id = c.client_id where c.id = p_contract_id;
$$;

-- Gives a draft its number, day, term and addressee. An issued one is returned as it is.
-- @param p_is_current whether the draft was compared with its hours and rates in this transaction, after taking the
-- lock
create function private.issue_draft(p_id uuid, p_is_current boolean) returns public.invoices
language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  today date := private.company_date();
begin
  -- Before any row, as draft_invoices does: they take turns.
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  select * into invoice from public.invoices i where i.id = p_id for update;
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
  if p_is_current is not true then
    perform private.require_current_draft(invoice.id);
  end if;
  update public.invoices i set
    year = extract(year from today)::integer,
    sequence = private.next_number('invoice', extract(year from today)::integer),
    status = 'issued', issued_on = today, due_on = today + c.payment_terms_days,
    bill_to = private.bill_to_of(c.id, i.period_end), issued_by = auth.uid(),
    vat_number = (private.vat_registration_on(today)).number, pay_to = public.pay_to_of(i.currency),
    purchase_order = coalesce(i.purchase_order, c.purchase_order)
  from public.contracts c where i.id = invoice.id and c.id = i.contract_id returning i.* into strict invoice;
  return invoice;
end
$$;

-- Gives a draft its number, day, term and addressee. An issued one is returned as it is.
create function public.issue_invoice(id uuid) returns public.invoices
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  return private.issue_draft(issue_invoice.id, false);
end
$$;
grant execute on function public.issue_invoice to authenticated, service_role;

-- Issues many drafts, in the order given. One that is refused stays a draft, and its row says why.
create function public.issue_invoices(p_ids uuid[]) returns table (id uuid, number text, refusal text)
language plpgsql security definer set search_path = '' set jit = off set statement_timeout = '60s' as $$
declare
  current_ones uuid[];
begin
  perform private.require_billing_role();
  if p_ids is null or cardinality(p_ids) not between 1 and 500 then
    raise exception 'Choose 1 to 500 invoices.' using errcode = 'invalid_parameter_value';
  end if;
  current_ones := case when cardinality(p_ids) = 1 then '{}' else private.current_drafts(p_ids) end;
  foreach id in array p_ids loop
    number := null;
    refusal := null;
    begin
      select i.number into number from private.issue_draft(issue_invoices.id, issue_invoices.id = any (current_ones)) i;
    exception when sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics refusal = message_text;
    end;
    return next;
  end loop;
end
$$;
comment on function public.issue_invoices is 'Nullable: number, refusal';
grant execute on function public.issue_invoices to authenticated, service_role;

-- Mails issued invoices: to the address given, or to that of each invoice. One that can't be mailed has a row that says
-- why.
create function public.send_invoices(p_ids uuid[], p_email text default null)
returns table (id uuid, email text, refusal text)
language plpgsql security definer set search_path = '' as $$
declare
  chosen text := nullif(btrim(p_email), '');
begin
  perform private.require_billing_role();
  if p_ids is null or cardinality(p_ids) not between 1 and 500 then
    raise exception 'Choose 1 to 500 invoices.' using errcode = 'invalid_parameter_value';
  end if;
  if chosen is not null and (char_length(chosen) > 255 or chosen !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$') then
    raise exception 'Enter an e-mail address.' using errcode = 'invalid_parameter_value';
  end if;
  if (select count(*) from public.invoice_mails m
      where m.sent_by = auth.uid() and m.created_at > now() - interval '1 hour')
    + cardinality(p_ids) > 1000
  then
    raise exception 'You have mailed 1000 invoices within an hour. Please try again later.' using errcode = 'PT429';
  end if;
  for send_invoices.id, send_invoices.email, send_invoices.refusal in
    select x.id, coalesce(chosen, i.bill_to ->> 'email'), case
      when i.id is null then 'This invoice no longer exists.'
      when i.status = 'draft' then 'Issue this invoice first.'
      when coalesce(chosen, i.bill_to ->> 'email') is null then 'The contract has no e-mail address.'
      when exists (
        select from private.invoice_mail_queue q join public.invoice_mails m on m.id = q.mail_id
        where m.invoice_id = i.id and m.email = coalesce(chosen, i.bill_to ->> 'email') and q.next_at is not null
      ) then 'This mail is on its way already.'
      when coalesce(chosen, i.bill_to ->> 'email') !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'
        then 'The contract''s e-mail address is wrong.'
      end
    from (select u.id, min(u.place) as place from unnest(p_ids) with ordinality u (id, place) group by u.id) x
    left join public.invoices i on i.id = x.id
    order by x.place
  loop
    if refusal is null then
      with mail as (
        insert into public.invoice_mails (invoice_id, email, sent_by)
        values (send_invoices.id, send_invoices.email, auth.uid()) returning invoice_mails.id
      )
      insert into private.invoice_mail_queue (mail_id) select m.id from mail m;
    end if;
    return next;
  end loop;
end
$$;
comment on function public.send_invoices is 'Nullable: email, refusal';
grant execute on function public.send_invoices to authenticated, service_role;

-- A line by hours is shared over months by its minutes, any other belongs to its month or to that in which the
-- invoice's period ends. What is credited is left out. Tax is not income.
create function private.billed_by_invoice(p_invoices uuid[])
returns table (invoice_id uuid, site_id uuid, month date, amount numeric, minutes bigint)
language sql stable security definer set search_path = '' as $$
  with lines as materialized (
    select l.id, l.invoice_id, l.site_id, l.amount - coalesce((
        select sum(c.amount) from public.credit_note_lines c where c.invoice_line_id = l.id), 0) as amount,
      d.invoice_id is not null as is_summed,
      coalesce(l.month, date_trunc('month', i.period_end)::date) as month
    from public.invoices i
    join public.invoice_lines l on l.invoice_id = i.id
    left join private.summed_invoices d on d.invoice_id = i.id
    where i.id = any (p_invoices) and l.credited_at is null
  ), months as (
    select m.invoice_line_id, m.month, m.minutes
    from lines l join private.billed_minutes m on m.invoice_line_id = l.id where l.is_summed
    union all
    select b.invoice_line_id, date_trunc('month', lower(b.span) at time zone z.time_zone)::date, sum(b.minutes)::bigint
    from lines l join public.billed_time b on b.invoice_line_id = l.id cross join private.settings z
    where not l.is_summed and b.freed_at is null
    group by 1, 2
  ), spans as (
    select m.*, sum(m.minutes) over (partition by m.invoice_line_id) as of_line from months m
  )
  select l.invoice_id, l.site_id, coalesce(s.month, l.month), sum(l.amount * coalesce(s.minutes / s.of_line, 1)),
    coalesce(sum(s.minutes), 0)::bigint
  from lines l left join spans s on s.invoice_line_id = l.id
  group by l.invoice_id, l.site_id, coalesce(s.month, l.month);
$$;

-- Sums some of the invoices whose minutes are summed, the newest first.
create function private.settle_invoices() returns void
language plpgsql security definer set search_path = '' as $$
declare
  chosen uuid[] := array(
    select i.id from public.invoices i join private.summed_invoices m on m.invoice_id = i.id
    where i.status <> 'draft' and not exists (select from private.settled_invoices d where d.invoice_id = i.id)
    order by i.period_end desc, i.id limit 500
    -- A credit note waits, a receipt doesn't.
    for key share of i skip locked
  );
begin
  insert into private.settled_invoices (invoice_id) select unnest(chosen);
  insert into private.billed_sums (invoice_id, client_id, currency, issued_on, period_start, period_end, site_id,
    month, amount,
    minutes)
  select i.id, i.client_id, i.currency, i.issued_on, i.period_start, i.period_end, b.site_id, b.month, b.amount,
    b.minutes
  from private.billed_by_invoice(chosen) b join public.invoices i on i.id = b.invoice_id;
end
$$;
