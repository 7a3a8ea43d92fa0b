set local check_function_bodies = off;

alter table public.vat_returns add column document_path text;

alter table public.pay_returns add column document_path text;

alter table public.receipts add column certificate_path text;

drop policy "Admins and finance add receipts of expenses" on storage.objects;

create or replace FUNCTION public.reopen_vat_return(p_month date, p_reason text)
 RETURNS public.vat_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  why text := private.require_reason(p_reason);
  reopened public.vat_returns;
begin
  perform private.require_vat_month(p_month);
  perform pg_advisory_xact_lock(hashtextextended('vat returns', 0));
  select * into reopened from public.vat_returns r where r.month = p_month for update;
  if reopened.status is null or reopened.status = 'prepared' then
    raise exception 'This return is not filed.' using errcode = 'PT409';
  end if;
  if exists (select from public.vat_returns r where r.month > p_month and r.status <> 'prepared') then
    raise exception 'A later return is filed. Reopen that one first.' using errcode = 'PT409';
  end if;
  if reopened.filed_by is not distinct from auth.uid() then
    raise exception 'Someone else must reopen it: you filed it.' using errcode = 'insufficient_privilege';
  end if;
  if reopened.status = 'paid' then
    update public.vat_returns r set status = 'filed', paid_on = null, paid_usd = 0, paid_lrd = 0, paid_from = null,
      paid_reference = null, reopened_reason = why
    where r.id = reopened.id returning r.* into reopened;
  else
    update public.vat_returns r set status = 'prepared', filed_on = null, filed_reference = null, filed_by = null,
      document_path = null, reopened_reason = why
    where r.id = reopened.id returning r.* into reopened;
  end if;
  return reopened;
end
$function$;

create or replace FUNCTION private.check_receipt()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION public.set_withholding_certificate(p_receipt_id uuid, p_number text, p_on date)
 RETURNS public.receipts
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION public.reopen_pay_return(p_kind text, p_month date, p_reason text)
 RETURNS public.pay_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  why text := private.require_reason(p_reason);
  reopened public.pay_returns;
begin
  perform private.require_pay_return(p_kind, p_month);
  perform pg_advisory_xact_lock(hashtextextended('pay returns', 0));
  select * into reopened from public.pay_returns r where r.kind = p_kind and r.month = p_month for update;
  if reopened.status is null or reopened.status = 'prepared' then
    raise exception 'This return is not filed.' using errcode = 'PT409';
  end if;
  if exists (
    select from public.pay_returns r where r.kind = p_kind and r.month > p_month and r.status <> 'prepared'
  ) then
    raise exception 'A later return is filed. Reopen that one first.' using errcode = 'PT409';
  end if;
  if reopened.filed_by is not distinct from auth.uid() then
    raise exception 'Someone else must reopen it: you filed it.' using errcode = 'insufficient_privilege';
  end if;
  if reopened.status = 'paid' then
    update public.pay_returns r set status = 'filed', paid_on = null, paid_usd = 0, paid_lrd = 0, paid_from = null,
      paid_reference = null, reopened_reason = why
    where r.id = reopened.id returning r.* into reopened;
  else
    update public.pay_returns r set status = 'prepared', filed_on = null, filed_reference = null, filed_by = null,
      document_path = null, reopened_reason = why
    where r.id = reopened.id returning r.* into reopened;
  end if;
  return reopened;
end
$function$;

drop policy "Admins and finance replace receipts" on storage.objects;

CREATE OR REPLACE FUNCTION private.may_have_document(p_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select from public.expense_reports e where e.id = p_id)
    or exists (select from public.vat_returns r where r.id = p_id)
    or exists (select from public.pay_returns r where r.id = p_id)
    or exists (select from public.receipts r where r.id = p_id);
$function$;

CREATE OR REPLACE FUNCTION public.set_document(p_of text, p_id uuid, p_path text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

alter table public.vat_returns add constraint vat_returns_document CHECK (((document_path IS NULL) OR ((status <> 'prepared'::text) AND (char_length(document_path) <= 1000) AND COALESCE((private.record_of_file(document_path) = id), false))));

alter table public.pay_returns add constraint pay_returns_document CHECK (((document_path IS NULL) OR ((status <> 'prepared'::text) AND (char_length(document_path) <= 1000) AND COALESCE((private.record_of_file(document_path) = id), false))));

alter table public.receipts add constraint receipts_certificate_file CHECK (((certificate_path IS NULL) OR ((withholding_certificate IS NOT NULL) AND (char_length(certificate_path) <= 1000) AND COALESCE((private.record_of_file(certificate_path) = id), false))));

grant execute on function private.may_have_document(uuid) to authenticated;

grant execute on function private.may_have_document(uuid) to service_role;

grant execute on function public.set_document(text,uuid,text) to authenticated;

grant execute on function public.set_document(text,uuid,text) to service_role;

select private.tidy_texts_of('public.vat_returns',
  'filed_reference', 'paid_reference', 'reopened_reason', 'document_path');

select private.tidy_texts_of('public.pay_returns',
  'filed_reference', 'paid_reference', 'reopened_reason', 'document_path');

select private.tidy_texts_of('public.receipts',
  'reference', 'note', 'void_reason', 'withholding_certificate', 'certificate_path');

create policy "Admins and finance replace receipts" on storage.objects for update to authenticated using (((bucket_id = 'receipts'::text) AND ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'finance'::text]) AS has_role))) with check (((bucket_id = 'receipts'::text) AND ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'finance'::text]) AS has_role) AND private.may_have_document(private.record_of_file(name))));

create policy "Admins and finance add receipts and documents of filings" on storage.objects for insert to authenticated with check (((bucket_id = 'receipts'::text) AND ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'finance'::text]) AS has_role) AND private.may_have_document(private.record_of_file(name))));
