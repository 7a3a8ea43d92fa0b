-- Recording receipts of clients and taking them back, tax that clients withheld, small differences without money.

-- ── Functions ─────────────────────────────────────────────────────────

-- Records money of a client. Without allocations it pays the oldest invoices first; with an empty list it stays on
-- account.
-- The same p_id again returns the receipt as it was recorded.
create function public.record_receipt(
  p_client_id uuid, p_currency text, p_amount numeric, p_received_on date, p_method text, p_reference text default null,
  p_bank_account_id uuid default null, p_note text default null, p_allocations jsonb default null,
  p_id uuid default null, p_withheld numeric default 0
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
  if p_amount is null or not p_amount between 0 and 999999999999.99 or p_amount <> round(p_amount, 2)
    or p_withheld is null or not p_withheld between 0 and 999999999999.99 or p_withheld <> round(p_withheld, 2)
    or p_amount + p_withheld = 0
  then
    raise exception 'Enter an amount in whole cents.' using errcode = 'invalid_parameter_value';
  end if;
  if p_method = 'write_off' then
    raise exception 'A difference is written off on its invoice.' using errcode = 'invalid_parameter_value';
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
  select * into receipt from public.receipts r where r.id = p_id;
  if not found then
    insert into public.receipts (id, client_id, currency, amount, withheld, received_on, method, reference,
      bank_account_id, note)
    values (coalesce(p_id, gen_random_uuid()), p_client_id, p_currency, p_amount, p_withheld, p_received_on, p_method,
      p_reference, p_bank_account_id, p_note)
    on conflict (id) do nothing returning * into receipt;
    if found then
      perform private.allocate(receipt, p_allocations);
      select * into receipt from public.receipts r where r.id = receipt.id;
      return receipt;
    end if;
    -- Another call with this id was first.
    select * into receipt from public.receipts r where r.id = p_id;
  end if;
  if (receipt.client_id, receipt.currency, receipt.amount, receipt.withheld, receipt.received_on)
    is distinct from (p_client_id, p_currency, p_amount, p_withheld, p_received_on)
  then
    raise exception 'Another receipt has this id.' using errcode = 'PT409';
  end if;
  return receipt;
end
$$;
grant execute on function public.record_receipt to authenticated, service_role;

-- The certificate with which tax that a client withheld counts against ours. Null takes a wrong one back.
create function public.set_withholding_certificate(p_receipt_id uuid, p_number text, p_on date) returns public.receipts
language plpgsql security definer set search_path = '' as $$
declare
  receipt public.receipts := private.receipt_to_change(p_receipt_id);
begin
  if receipt.withheld = 0 then
    raise exception 'No tax was withheld from this receipt.' using errcode = 'PT409';
  end if;
  if nullif(btrim(p_number), '') is not null then
    perform private.require_day(p_on, 'day of the certificate');
    if char_length(p_number) > 60 or p_on > private.company_date() then
      raise exception 'A certificate has a number of at most 60 characters, and a day that is not in the future.'
        using errcode = 'invalid_parameter_value';
    end if;
  end if;
  update public.receipts r set withholding_certificate = nullif(btrim(p_number), ''),
    certificate_on = case when nullif(btrim(p_number), '') is not null then p_on end,
    certificate_path = case when nullif(btrim(p_number), '') is not null then r.certificate_path end
  where r.id = receipt.id returning * into receipt;
  return receipt;
end
$$;
grant execute on function public.set_withholding_certificate to authenticated;

-- What may be left of an invoice to be written off, as the company has set it; Liberian dollars at the rate of today.
create function public.write_off_limit(p_currency text) returns numeric
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  return (
    select case p_currency when 'USD' then s.write_off_usd
      when 'LRD' then round(s.write_off_usd * private.pay_rate('lrd_per_usd', private.company_date()), 2) end
    from public.billing_settings s
  );
end
$$;
comment on function public.write_off_limit is 'Nullable: write_off_limit';
grant execute on function public.write_off_limit to authenticated;

-- Settles what is left of an invoice without money: a small difference. Voiding the receipt takes it back.
create function public.write_off_invoice(p_invoice_id uuid, p_reason text) returns public.receipts
language plpgsql security definer set search_path = '' as $$
declare
  why text;
  invoice public.invoices;
  receipt public.receipts;
begin
  perform private.require_billing_role();
  why := private.require_reason(p_reason);
  select * into invoice from public.invoices i where i.id = p_invoice_id for update;
  if not found then
    raise exception 'This invoice no longer exists.' using errcode = 'PT404';
  end if;
  if invoice.status = 'draft' or invoice.open_amount = 0 then
    raise exception 'Nothing is open on this invoice.' using errcode = 'PT409';
  end if;
  if invoice.open_amount > public.write_off_limit(invoice.currency) then
    raise exception 'At most % can be written off. Credit the invoice instead.',
      private.money_text(public.write_off_limit(invoice.currency), invoice.currency) using errcode = 'PT409';
  end if;
  insert into public.receipts (client_id, currency, amount, received_on, method, reference, note)
  values (invoice.client_id, invoice.currency, invoice.open_amount, private.company_date(), 'write_off', invoice.number,
    why)
  returning * into receipt;
  insert into public.receipt_allocations (receipt_id, invoice_id, amount)
  values (receipt.id, invoice.id, invoice.open_amount);
  select * into receipt from public.receipts r where r.id = receipt.id;
  return receipt;
end
$$;
grant execute on function public.write_off_invoice to authenticated;

-- How many days apart two receipts of one amount look like one that was recorded twice.
create function private.similar_receipt_days() returns integer
language sql immutable set search_path = '' return 7;

-- Receipts of the client that may be the one that is recorded now: of its amount within days, or of its reference.
create function public.similar_receipts(
  p_client_id uuid, p_currency text, p_amount numeric, p_received_on date, p_reference text default null
)
returns table (id uuid, received_on date, amount numeric, method text, reference text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_day(p_received_on, 'day of receipt');
  return query
  select r.id, r.received_on, r.amount, r.method, r.reference
  from public.receipts r
  where r.client_id = p_client_id and r.currency = p_currency and r.voided_at is null and r.method <> 'write_off'
    and (r.amount = p_amount and r.amount > 0
        and abs(r.received_on - p_received_on) <= private.similar_receipt_days()
      or lower(r.reference) = nullif(lower(btrim(p_reference)), ''))
  order by r.received_on desc, r.id limit 5;
end
$$;
comment on function public.similar_receipts is 'Nullable: reference';
grant execute on function public.similar_receipts to authenticated;

-- Takes a wrong receipt back, with a reason; what it paid is open again.
create function public.void_receipt(p_id uuid, p_reason text) returns public.receipts
language plpgsql security definer set search_path = '' as $$
declare
  why text := private.require_reason(p_reason);
  receipt public.receipts := private.receipt_to_change(p_id);
begin
  if exists (select from public.refunds f where f.receipt_id = receipt.id and f.status in ('asked', 'paid')) then
    raise exception 'Money of this receipt was refunded, or is asked to be. Take the refund back first.'
      using errcode = 'PT409';
  end if;
  delete from public.receipt_allocations a where a.receipt_id = receipt.id;
  update public.receipts r set voided_at = now(), voided_by = auth.uid(), void_reason = why
  where r.id = receipt.id returning * into receipt;
  return receipt;
end
$$;
grant execute on function public.void_receipt to authenticated, service_role;
