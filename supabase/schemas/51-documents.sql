-- Files in bucket receipts that prove what was filed or withheld: of returns, and certificates of clients.

-- ── Functions ─────────────────────────────────────────────────────────

-- Records whose files are in bucket receipts, each in a folder that is named by its id. As the caller reads them.
create function private.may_have_document(p_id uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.expense_reports e where e.id = p_id)
    or exists (select from public.vat_returns r where r.id = p_id)
    or exists (select from public.pay_returns r where r.id = p_id)
    or exists (select from public.receipts r where r.id = p_id);
$$;
grant execute on function private.may_have_document to authenticated, service_role;

-- The file of a filed return, or of the certificate of a receipt. Null takes it away. Expenses have their own column
-- that the form writes.
-- @param p_of vat_return, pay_return or receipt
create function public.set_document(p_of text, p_id uuid, p_path text default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  if p_of is null or p_of not in ('vat_return', 'pay_return', 'receipt') then
    raise exception 'A document is of a return or of a receipt.' using errcode = 'invalid_parameter_value';
  end if;
  if char_length(p_path) > 1000 or p_path is not null and private.record_of_file(p_path) is distinct from p_id then
    raise exception 'This file belongs to another record.' using errcode = 'invalid_parameter_value';
  end if;
  if p_of = 'receipt' then
    update public.receipts r set certificate_path = p_path
    where r.id = p_id and (p_path is null or r.withholding_certificate is not null);
  elsif p_of = 'vat_return' then
    update public.vat_returns r set document_path = p_path
    where r.id = p_id and (p_path is null or r.status <> 'prepared');
  else
    update public.pay_returns r set document_path = p_path
    where r.id = p_id and (p_path is null or r.status <> 'prepared');
  end if;
  if not found then
    raise exception '%', case p_of when 'receipt' then 'Note the number of the certificate first.'
      else 'Someone has reopened this return. Reload it.' end using errcode = 'PT409';
  end if;
end
$$;
grant execute on function public.set_document to authenticated, service_role;
