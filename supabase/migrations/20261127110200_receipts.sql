-- Receipts of clients and which invoices they pay. A receipt never changes; a wrong one is voided. Written by functions alone.

create function private.check_receipt() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  free text[] := array['allocated', 'unallocated', 'voided_at', 'voided_by', 'void_reason', 'created_by', 'updated_at'];
begin
  if tg_op = 'DELETE' then
    raise exception 'A receipt is kept. Void it instead.' using errcode = 'PT409';
  end if;
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - free <> to_jsonb(old) - free
      or old.voided_at is not null and (new.voided_at, new.void_reason) is distinct from (old.voided_at, old.void_reason)
    then
      raise exception 'A receipt can''t be changed. Void it and record it again.' using errcode = 'PT409';
    end if;
  end if;
  select coalesce(sum(a.amount), 0) into new.allocated from public.receipt_allocations a where a.receipt_id = new.id;
  return new;
end
$$;
create trigger c_rules before insert or update or delete on public.receipts
  for each row execute function private.check_receipt();

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
create trigger c_rules before insert or update on public.receipt_allocations
  for each row execute function private.check_allocation();

-- The sums of both sides follow, in the same statement; their constraints refuse to spend more than there is. Invoices are
-- locked before receipts, everywhere.
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
create trigger follow_inserts after insert on public.receipt_allocations referencing new table as new_rows
  for each statement execute function private.follow_allocations();
create trigger follow_updates after update on public.receipt_allocations referencing old table as old_rows new table as new_rows
  for each statement execute function private.follow_allocations();
create trigger follow_deletes after delete on public.receipt_allocations referencing old table as old_rows
  for each statement execute function private.follow_allocations();

select private.tidy_texts_of('public.receipts', 'reference', 'note', 'void_reason');
create trigger b_author before insert or update on public.receipts
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.receipts
  for each row execute function private.touch();
select private.keep_history_of('public.receipts');
select private.keep_history_of('public.receipt_allocations');
create trigger c_has_receipts before delete on public.clients for each row
  execute function private.refuse_while_used('receipts', 'client_id', 'This client has receipts, so it can''t be deleted.');
create trigger c_has_receipts before delete on public.bank_accounts for each row
  execute function private.refuse_while_used('receipts', 'bank_account_id',
    'Clients have paid to this bank account, so it can''t be deleted. Set the status to closed instead.');

alter table public.receipts enable row level security;
alter table public.receipt_allocations enable row level security;
revoke all on public.receipts, public.receipt_allocations from anon, authenticated;
revoke insert, update, delete, truncate on public.receipts, public.receipt_allocations from service_role;
grant select on public.receipts, public.receipt_allocations to authenticated;
create policy "Admins and finance read receipts of clients" on public.receipts
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance read allocations of receipts" on public.receipt_allocations
  for select to authenticated using ((select private.may_bill()));
alter publication supabase_realtime add table public.receipts, public.receipt_allocations;

-- Allocates a receipt: as given, [{invoice_id, amount}], or what is left of it to the oldest open invoices. The invoices
-- of its client are locked, so that two receipts at once can't pay the same amount.
create function private.allocate(p_receipt public.receipts, p_allocations jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if p_allocations is null then
    insert into public.receipt_allocations (receipt_id, invoice_id, amount)
    select p_receipt.id, o.id, least(o.open_amount, p_receipt.amount - p_receipt.allocated - o.before)
    from (
      select i.id, i.open_amount,
        coalesce(sum(i.open_amount) over (order by i.due_on, i.year, i.sequence
          rows between unbounded preceding and 1 preceding), 0) as before
      from public.invoices i
      where i.client_id = p_receipt.client_id and i.currency = p_receipt.currency and i.status in ('issued', 'part_paid')
        and i.open_amount > 0
        -- Allocated to it by hand already.
        and not exists (
          select from public.receipt_allocations a where a.receipt_id = p_receipt.id and a.invoice_id = i.id)
    ) o
    where o.before < p_receipt.amount - p_receipt.allocated;
    return;
  end if;
  if jsonb_typeof(p_allocations) <> 'array' or jsonb_array_length(p_allocations) > 500 or exists (
    select from jsonb_array_elements(p_allocations) e
    where jsonb_typeof(e) <> 'object'
      or coalesce(e ->> 'invoice_id', '') !~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
      or coalesce(e ->> 'amount', '') !~ '^[0-9]{1,12}([.][0-9]{1,2})?$'
  ) then
    raise exception 'Allocations are a list of at most 500 invoices, each with an amount.' using errcode = 'invalid_parameter_value';
  end if;
  if exists (
    select from jsonb_to_recordset(p_allocations) e (invoice_id uuid, amount numeric)
    left join public.invoices i on i.id = e.invoice_id
    where i.open_amount is null or e.amount > i.open_amount
  ) then
    raise exception 'An invoice has less open than this. Reload and allocate the receipt again.' using errcode = 'PT409';
  end if;
  if (select sum(e.amount) from jsonb_to_recordset(p_allocations) e (amount numeric)) > p_receipt.amount - p_receipt.allocated then
    raise exception 'The allocations are more than what is left of the receipt.' using errcode = 'check_violation';
  end if;
  insert into public.receipt_allocations (receipt_id, invoice_id, amount)
  select p_receipt.id, e.invoice_id, e.amount from jsonb_to_recordset(p_allocations) e (invoice_id uuid, amount numeric);
end
$$;

create function private.lock_invoices_of(p_client_id uuid, p_currency text) returns void
language sql set search_path = '' as $$
  select from public.invoices i where i.client_id = p_client_id and i.currency = p_currency and i.status <> 'draft'
  order by i.id for no key update;
$$;

-- Records money of a client. Without allocations it pays the oldest invoices first; with an empty list it stays on account.
-- The same p_id again returns the receipt as it was recorded.
create function public.record_receipt(
  p_client_id uuid, p_currency text, p_amount numeric, p_received_on date, p_method text, p_reference text default null,
  p_bank_account_id uuid default null, p_note text default null, p_allocations jsonb default null, p_id uuid default null
) returns public.receipts
language plpgsql security definer set search_path = '' as $$
declare
  receipt public.receipts;
begin
  perform private.require_billing_role();
  perform private.require_day(p_received_on, 'day of receipt');
  if p_received_on > private.company_date() then
    raise exception 'The day of receipt is in the future.' using errcode = 'invalid_parameter_value';
  end if;
  if p_amount is null or not p_amount between 0.01 and 999999999999.99 or p_amount <> round(p_amount, 2) then
    raise exception 'Enter an amount in whole cents.' using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from public.clients c where c.id = p_client_id) then
    raise exception 'This client no longer exists.' using errcode = 'PT404';
  end if;
  if p_bank_account_id is not null and not exists (
    select from public.bank_accounts b where b.id = p_bank_account_id and b.currency = p_currency
  ) then
    raise exception 'Choose a bank account in the currency of the receipt.' using errcode = 'check_violation';
  end if;
  perform private.lock_invoices_of(p_client_id, p_currency);
  insert into public.receipts (id, client_id, currency, amount, received_on, method, reference, bank_account_id, note)
  values (coalesce(p_id, gen_random_uuid()), p_client_id, p_currency, p_amount, p_received_on, p_method, p_reference,
    p_bank_account_id, p_note)
  on conflict (id) do nothing
  returning * into receipt;
  if receipt.id is null then
    select * into receipt from public.receipts r where r.id = p_id;
    if (receipt.client_id, receipt.currency, receipt.amount, receipt.received_on)
      is distinct from (p_client_id, p_currency, p_amount, p_received_on)
    then
      raise exception 'Another receipt has this id.' using errcode = 'PT409';
    end if;
    return receipt;
  end if;
  perform private.allocate(receipt, p_allocations);
  select * into receipt from public.receipts r where r.id = receipt.id;
  return receipt;
end
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

-- Allocates what is left of a receipt to the oldest invoices; with a list, allocates the whole receipt again.
create function public.allocate_receipt(p_receipt_id uuid, p_allocations jsonb default null) returns public.receipts
language plpgsql security definer set search_path = '' as $$
declare
  receipt public.receipts := private.receipt_to_change(p_receipt_id);
begin
  if p_allocations is not null then
    delete from public.receipt_allocations a where a.receipt_id = receipt.id;
    receipt.allocated := 0;
  end if;
  perform private.allocate(receipt, p_allocations);
  select * into receipt from public.receipts r where r.id = receipt.id;
  return receipt;
end
$$;

-- Takes a wrong receipt back, with a reason; what it paid is open again.
create function public.void_receipt(p_id uuid, p_reason text) returns public.receipts
language plpgsql security definer set search_path = '' as $$
declare
  why text := private.require_reason(p_reason);
  receipt public.receipts := private.receipt_to_change(p_id);
begin
  delete from public.receipt_allocations a where a.receipt_id = receipt.id;
  update public.receipts r set voided_at = now(), voided_by = auth.uid(), void_reason = why
  where r.id = receipt.id returning * into receipt;
  return receipt;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.record_receipt, public.allocate_receipt, public.void_receipt from public, anon;
grant execute on function public.record_receipt, public.allocate_receipt, public.void_receipt to authenticated, service_role;
