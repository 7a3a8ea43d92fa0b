-- Invoices and their lines. A draft is written by draft_invoices and takes more lines by hand; an issued one never changes.

-- Whether the caller may see and change what clients are billed. Never null.
create function private.may_bill() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'finance');
end
$$;

-- For functions that bill. The service role passes: it is the company's own scripts.
create function private.require_billing_role() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.may_bill() or (auth.uid() is null and auth.role() is distinct from 'anon')) then
    raise exception 'Only admins and finance may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

create table public.invoices (
  id uuid primary key default gen_random_uuid(),
  contract_id uuid not null,
  client_id uuid not null references public.clients (id),
  -- Null until issued; counted without gaps within the company's year of issued_on.
  year integer check (year between 1900 and 2199),
  sequence integer check (sequence > 0),
  number text generated always as (
    'INV-' || year::text || '-' || lpad(sequence::text, greatest(4, length(sequence::text)), '0')) stored,
  status text not null default 'draft' check (status in ('draft', 'issued', 'part_paid', 'paid', 'credited')),
  period_start date not null check (period_start between '1900-01-01' and '2199-12-31'),
  -- Inclusive.
  period_end date not null check (period_end between '1900-01-01' and '2199-12-31'),
  currency text not null check (currency in ('USD', 'LRD')),
  subtotal numeric(16, 2) not null default 0,
  tax numeric(16, 2) not null default 0,
  total numeric(16, 2) not null generated always as (subtotal + tax) stored,
  credited numeric(16, 2) not null default 0 check (credited >= 0),
  paid numeric(16, 2) not null default 0 check (paid >= 0),
  open_amount numeric(16, 2) not null generated always as (subtotal + tax - credited - paid) stored,
  issued_on date,
  due_on date,
  -- {name, address, email} of the contract when it was issued.
  bill_to jsonb check (jsonb_typeof(bill_to) = 'object'),
  issued_by uuid references public.profiles (id) on delete set null,
  mailed_at timestamptz,
  -- [{code, text}]: what the drafting could not settle.
  problems jsonb not null default '[]' check (jsonb_typeof(problems) = 'array'),
  note text check (char_length(note) <= 1000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint invoices_end_not_before_start check (period_end >= period_start),
  constraint invoices_issued check (
    (status = 'draft') = (year is null) and (year is null) = (sequence is null)
    and (year is null) = (issued_on is null) and (year is null) = (due_on is null)
    and (year is null or bill_to is not null)),
  constraint invoices_settled_once_issued check (year is not null or credited + paid = 0 and mailed_at is null),
  constraint invoices_not_overpaid check (year is null or subtotal + tax - credited - paid >= 0),
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

create table public.invoice_lines (
  id uuid primary key default gen_random_uuid(),
  invoice_id uuid not null references public.invoices (id) on delete cascade,
  position integer not null,
  contract_post_id uuid,
  site_id uuid references public.sites (id),
  post_id uuid references public.posts (id),
  -- 'other' is entered by hand.
  kind text not null default 'other' check (kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day', 'fixed',
    'minimum', 'gap_credit', 'estimate', 'settlement', 'other')),
  description text not null check (char_length(description) between 1 and 300),
  quantity numeric(14, 4) not null default 1 check (quantity between -9999999999 and 9999999999),
  unit text not null default '' check (unit in ('h', 'month', '')),
  rate numeric(14, 4) not null check (rate between -9999999999 and 9999999999),
  -- Rounded half up to the cent, by its magnitude.
  amount numeric(14, 2) not null check (amount between -999999999999.99 and 999999999999.99),
  tax_name text check (char_length(tax_name) <= 100),
  -- A fraction: 0.1 is 10%.
  tax_rate numeric(6, 4) check (tax_rate between 0 and 1),
  tax_amount numeric(14, 2) not null generated always as (round(amount * coalesce(tax_rate, 0), 2)) stored,
  -- Of presence behind the quantity.
  minutes integer,
  -- The first day of the month of a fixed or minimum amount.
  month date check (extract(day from month) = 1),
  -- The estimate of an earlier invoice that this line takes back.
  settles_line_id uuid references public.invoice_lines (id),
  explanation text not null default '' check (char_length(explanation) <= 500),
  -- Since then a credit note takes this line back, and what it bills can be billed again.
  credited_at timestamptz,
  created_at timestamptz not null default now(),
  constraint invoice_lines_settlement check ((kind = 'settlement') = (settles_line_id is not null)),
  constraint invoice_lines_month check (kind not in ('fixed', 'minimum') or (month is not null and contract_post_id is not null))
);
comment on column public.invoice_lines.position is 'Derived, unless it is given: after the last line';
comment on column public.invoice_lines.amount is 'Derived for a line by hand: quantity times rate';
comment on column public.invoice_lines.credited_at is 'Derived from the credit notes';
create index invoice_lines_invoice_id_idx on public.invoice_lines (invoice_id, position);
create index invoice_lines_site_id_idx on public.invoice_lines (site_id) where site_id is not null;
create index invoice_lines_post_id_idx on public.invoice_lines (post_id) where post_id is not null;
create index invoice_lines_settles_line_id_idx on public.invoice_lines (settles_line_id) where settles_line_id is not null;
-- Neither a month of a post nor an estimate is billed or settled twice.
create unique index invoice_lines_month_key on public.invoice_lines (contract_post_id, month, kind)
  where kind in ('fixed', 'minimum') and credited_at is null;
create unique index invoice_lines_settled_once on public.invoice_lines (settles_line_id)
  where settles_line_id is not null and credited_at is null;

create function private.prepare_invoice_line() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.position is null then
    new.position := 1 + coalesce((
      select max(l.position) from public.invoice_lines l where l.invoice_id = new.invoice_id), 0);
  end if;
  if new.kind = 'other' then
    new.amount := round(new.quantity * new.rate, 2);
  end if;
  return new;
end
$$;
create trigger b_prepare before insert or update on public.invoice_lines
  for each row execute function private.prepare_invoice_line();

-- Functions of the database run as their owner; what the API sends runs as one of its roles.
create function private.keep_computed_line() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user in ('anon', 'authenticated', 'service_role') and old.kind <> 'other' then
    raise exception 'This line comes from hours and rates. Correct those, and draft the invoice again.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger c_computed before update or delete on public.invoice_lines
  for each row execute function private.keep_computed_line();

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
create trigger sum_inserts after insert on public.invoice_lines referencing new table as new_rows
  for each statement execute function private.sum_invoices();
create trigger sum_updates after update on public.invoice_lines referencing old table as old_rows new table as new_rows
  for each statement execute function private.sum_invoices();
create trigger sum_deletes after delete on public.invoice_lines referencing old table as old_rows
  for each statement execute function private.sum_invoices();

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
create constraint trigger e_adds_up after insert or update of subtotal, tax on public.invoices
  deferrable initially deferred for each row execute function private.check_invoice_sums();

select private.tidy_texts_of('public.invoices', 'note');
select private.tidy_texts_of('public.invoice_lines', 'description', 'tax_name');
create trigger b_author before insert or update on public.invoices
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.invoices
  for each row execute function private.touch();
select private.keep_history_of('public.invoices');
select private.keep_history_of('public.invoice_lines');
create trigger c_has_invoices before delete on public.clients for each row
  execute function private.refuse_while_used('invoices', 'client_id', 'This client has invoices, so it can''t be deleted.');
create trigger c_is_billed before delete on public.sites for each row
  execute function private.refuse_while_used('invoice_lines', 'site_id', 'This site is on invoices, so it can''t be deleted.');
create trigger c_is_billed before delete on public.posts for each row
  execute function private.refuse_while_used('invoice_lines', 'post_id', 'This post is on invoices, so it can''t be deleted.');

alter table public.invoices enable row level security;
alter table public.invoice_lines enable row level security;
revoke all on public.invoices, public.invoice_lines from anon, authenticated;
grant select, update (note), delete on public.invoices to authenticated;
grant select, delete,
  insert (id, invoice_id, site_id, description, quantity, unit, rate, tax_name, tax_rate),
  update (site_id, description, quantity, unit, rate, tax_name, tax_rate) on public.invoice_lines to authenticated;
-- The service role also writes through functions alone.
revoke insert, update, delete, truncate on public.invoices, public.invoice_lines from service_role;

create policy "Admins and finance read invoices" on public.invoices
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance note on invoices" on public.invoices
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance discard drafts of invoices" on public.invoices
  for delete to authenticated using ((select private.may_bill()));
create policy "Admins and finance read the lines of invoices" on public.invoice_lines
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance add lines to drafts of invoices" on public.invoice_lines
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change lines that they added to invoices" on public.invoice_lines
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance remove lines that they added to invoices" on public.invoice_lines
  for delete to authenticated using ((select private.may_bill()));

alter publication supabase_realtime add table public.invoices, public.invoice_lines;

revoke all on all functions in schema private from public;
grant execute on function private.may_bill, private.require_billing_role to authenticated;
