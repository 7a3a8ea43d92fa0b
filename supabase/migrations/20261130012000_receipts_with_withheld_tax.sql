-- Functions name columns that come below.
set local check_function_bodies = off;

create or replace FUNCTION private.check_receipt()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  free text[] := array['allocated', 'unallocated', 'voided_at', 'voided_by', 'void_reason', 'created_by', 'updated_at',
    'withholding_certificate', 'certificate_on'];
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
  select coalesce(sum(a.amount), 0) into new.allocated from public.receipt_allocations a where a.receipt_id = new.id;
  return new;
end
$function$;

create or replace FUNCTION private.allocate(p_receipt public.receipts, p_allocations jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

select private.tidy_texts_of('public.receipts', 'reference', 'note', 'void_reason', 'withholding_certificate');

create or replace FUNCTION private.receipt_method_text(method text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE method WHEN 'bank'::text THEN 'Bank transfer'::text WHEN 'cash'::text THEN 'Cash'::text WHEN 'mobile_money'::text THEN 'Mobile money'::text WHEN 'cheque'::text THEN 'Cheque'::text WHEN 'write_off'::text THEN 'Small difference written off'::text ELSE NULL::text END;

create or replace FUNCTION private.journal_entries(p_from date, p_to date)
 RETURNS TABLE(day date, kind text, document text, place integer, key text, amount numeric, currency text, text text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 10000
 SET search_path TO ''
AS $function$
  with runs as materialized (
    -- A locked run that was voided is booked, and booked back on the day of voiding.
    select r.id, r.currency, b.day, b.sign, b.kind,
      format('PAY %s %s %s', r.period_end, r.pay_group, r.currency) as document,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from public.pay_runs r
    cross join lateral (values
      ('pay_run', r.period_end, 1), ('pay_run_void', private.company_date_of(r.voided_at), -1)
    ) b (kind, day, sign)
    where r.locked_at is not null and b.day between p_from and p_to
  ), sums as materialized (
    select s.* from private.run_sums(array(select distinct r.id from runs r)) s
  ), invoices as (
    select i.issued_on as day, 'invoice' as kind, i.number as document, i.currency, 1 as sign, i.total, i.tax,
      c.name as text
    from public.invoices i join public.clients c on c.id = i.client_id
    where i.status <> 'draft' and i.issued_on between p_from and p_to
    union all
    select n.issued_on, 'credit_note', n.number, n.currency, -1, n.amount, n.tax,
      format('%s, %s: %s', c.name, i.number, n.reason)
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id join public.clients c on c.id = n.client_id
    where n.issued_on between p_from and p_to
  ), booked as (
    select r.*, 'receipt' as kind, r.received_on as day, 1 as sign
    from public.receipts r where r.received_on between p_from and p_to
    union all
    select r.*, 'receipt_void', private.company_date_of(r.voided_at), -1
    from public.receipts r
    where r.voided_at is not null and private.company_date_of(r.voided_at) between p_from and p_to
  ), methods as materialized (
    select m.method, private.receipt_method_text(m.method) as text from (select distinct b.method from booked b) m
  ), receipts as (
    select b.day, b.kind, format('RCT %s', upper(left(b.id::text, 8))) as document, b.currency,
      b.sign * b.amount as amount, b.sign * b.withheld as withheld,
      case b.method when 'cash' then 'cash' when 'mobile_money' then 'mobile_money' when 'write_off' then 'written_off'
        else 'bank' end as key,
      concat_ws(', ', c.name, m.text, b.reference) as text
    from booked b join public.clients c on c.id = b.client_id join methods m on m.method = b.method
  ), paid as (
    -- What the bank returned is booked on the day it was paid, and booked back on the day of the return.
    select p.day, p.kind, format('%s %s %s %s', case p.kind when 'payment' then 'PAID'
      else 'RETURNED' end, r.period_end,
        r.pay_group, r.currency) as document, p.currency, p.key,
      p.amount, format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from (
      select b.day, b.kind, p.pay_run_id, p.currency,
        case p.channel when 'cash' then 'cash' when 'bank' then 'bank' else 'mobile_money' end as key,
        sum(b.sign * p.amount) as amount
      from public.payments p
      cross join lateral (values ('payment', p.paid_on, 1), ('payment_return', p.returned_on, -1)) b (kind, day, sign)
      where p.status in ('paid', 'returned') and b.day between p_from and p_to
      group by 1, 2, 3, 4, 5
    ) p
    join public.pay_runs r on r.id = p.pay_run_id
  ), expenses as (
    -- In US dollars, like the list of expenses.
    select e.expense_date as day, format('EXP %s', upper(left(e.id::text, 8))) as document, e.amount, e.vat_amount,
      'expense_' || e.category as cost, e.paid_from, concat_ws(', ', e.title, e.supplier) as text
    from public.expense_reports e where e.expense_date between p_from and p_to
  ), returns as (
    select b.day, b.kind, format('VAT %s', to_char(r.month, 'YYYY-MM')) as document, a.currency,
      case b.kind when 'vat_return' then a.input else a.paid end as amount,
      case b.kind when 'vat_return' then 'vat_input' else r.paid_from end as key,
      'VAT of ' || to_char(r.month, 'FMMonth YYYY') as text
    from public.vat_returns r
    cross join lateral (values ('vat_return', r.filed_on), ('vat_payment', r.paid_on)) b (kind, day)
    cross join lateral (
      values ('USD', r.input_usd, r.paid_usd), ('LRD', r.input_lrd, r.paid_lrd)
    ) a (currency, input, paid)
    where b.day between p_from and p_to
  )
  select i.day, i.kind, i.document, e.place, e.key, i.sign * e.amount, i.currency, i.text
  from invoices i
  cross join lateral (values
    (1, 'receivables', i.total), (2, 'revenue', i.tax - i.total), (3, 'tax_payable', -i.tax)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text
  from receipts r cross join lateral (values
    (1, r.key, r.amount), (2, 'tax_withheld', r.withheld), (3, 'receivables', -(r.amount + r.withheld))
  ) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, r.sign * e.amount, r.currency, r.text
  from runs r join sums s on s.pay_run_id = r.id
  cross join lateral (values
    (1, 'wages', s.gross), (2, 'employer_contributions', s.employer_cost), (3, 'income_tax_payable', s.income_tax),
    (4, 'nasscorp_payable', s.nasscorp), (5, 'staff_advances', s.staff_advances),
    (6, 'other_deductions', s.other_deductions), (7, 'nasscorp_payable', -s.employer_cost),
    (9, 'wages_payable', -s.net)) e (place, key, amount)
  union all
  select p.day, p.kind, p.document, e.place, e.key, e.amount, p.currency, p.text
  from paid p cross join lateral (values (1, 'wages_payable', p.amount), (2, p.key, -p.amount)) e (place, key, amount)
  union all
  select x.day, 'expense', x.document, e.place, e.key, e.amount, 'USD', x.text
  from expenses x cross join lateral (values
    (1, x.cost, x.amount - x.vat_amount), (2, 'vat_input', x.vat_amount), (3, x.paid_from, -x.amount)
  ) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text
  from returns r
  cross join lateral (values (1, 'tax_payable', r.amount), (2, r.key, -r.amount)) e (place, key, amount);
$function$;

create or replace FUNCTION public.client_statement(p_client_id uuid, p_currency text, p_from date, p_to date)
 RETURNS TABLE(day date, kind text, id uuid, document text, text text, charge numeric, payment numeric, balance numeric)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

alter table public.receipts drop constraint receipts_amount_check;

alter table public.receipts add constraint receipts_amount_check CHECK (((amount >= (0)::numeric) AND (amount <= 999999999999.99)));

alter table public.receipts drop constraint receipts_method_check;

alter table public.receipts add constraint receipts_method_check CHECK ((method = ANY (ARRAY['bank'::text, 'cash'::text, 'mobile_money'::text, 'cheque'::text, 'write_off'::text])));

alter table public.chart_of_accounts drop constraint chart_of_accounts_key_check;

alter table public.chart_of_accounts add constraint chart_of_accounts_key_check CHECK ((key = ANY (ARRAY['receivables'::text, 'revenue'::text, 'tax_payable'::text, 'vat_input'::text, 'bank'::text, 'cash'::text, 'mobile_money'::text, 'wages'::text, 'employer_contributions'::text, 'income_tax_payable'::text, 'nasscorp_payable'::text, 'wages_payable'::text, 'staff_advances'::text, 'other_deductions'::text, 'expense_operations'::text, 'expense_payroll'::text, 'expense_equipment'::text, 'expense_training'::text, 'expense_transport'::text, 'expense_utilities'::text, 'expense_other'::text, 'tax_withheld'::text, 'written_off'::text])));

alter table public.receipts add column withholding_certificate text;

alter table public.receipts add column certificate_on date;

alter table public.receipts add column withheld numeric(14,2) default 0 not null;

alter table public.receipts drop column unallocated;

alter table public.receipts add column unallocated numeric(14,2) generated always as (((amount + withheld) - allocated)) stored not null;

alter table public.receipts drop constraint receipts_not_overspent;

alter table public.receipts add constraint receipts_not_overspent CHECK (((allocated >= (0)::numeric) AND (allocated <= (amount + withheld))));

CREATE OR REPLACE FUNCTION private.withholding_name()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN 'Withholding by clients'::text;

create or replace FUNCTION public.record_receipt(p_client_id uuid, p_currency text, p_amount numeric, p_received_on date, p_method text, p_reference text DEFAULT NULL::text, p_bank_account_id uuid DEFAULT NULL::uuid, p_note text DEFAULT NULL::text, p_allocations jsonb DEFAULT NULL::jsonb, p_id uuid DEFAULT NULL::uuid, p_withheld numeric DEFAULT 0)
 RETURNS public.receipts
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.set_withholding_certificate(p_receipt_id uuid, p_number text, p_on date)
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
    certificate_on = case when nullif(btrim(p_number), '') is not null then p_on end
  where r.id = receipt.id returning * into receipt;
  return receipt;
end
$function$;

create or replace FUNCTION public.write_off_invoice(p_invoice_id uuid, p_reason text)
 RETURNS public.receipts
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

alter table public.receipts add constraint receipts_withheld_check CHECK (((withheld >= (0)::numeric) AND (withheld <= 999999999999.99)));

alter table public.receipts add constraint receipts_withholding_certificate_check CHECK (((char_length(withholding_certificate) >= 1) AND (char_length(withholding_certificate) <= 60)));

alter table public.receipts add constraint receipts_certificate_on_check CHECK (((certificate_on >= '1900-01-01'::date) AND (certificate_on <= '2199-12-31'::date)));

alter table public.receipts add constraint receipts_not_empty CHECK (((amount + withheld) >= 0.01));

alter table public.receipts add constraint receipts_certificate CHECK ((((withholding_certificate IS NULL) = (certificate_on IS NULL)) AND ((withheld > (0)::numeric) OR (withholding_certificate IS NULL))));

alter table public.receipts add constraint receipts_write_off CHECK (((method <> 'write_off'::text) OR ((withheld = (0)::numeric) AND (note IS NOT NULL))));

grant execute on function public.record_receipt(uuid,text,numeric,date,text,text,uuid,text,jsonb,uuid,numeric) to authenticated;

grant execute on function public.record_receipt(uuid,text,numeric,date,text,text,uuid,text,jsonb,uuid,numeric) to service_role;

grant execute on function public.set_withholding_certificate(uuid,text,date) to authenticated;

grant execute on function public.write_off_invoice(uuid,text) to authenticated;

insert into public.tax_rates ("name","rate","source","created_by","approved_by","proposed_by","effective_from") select "name","rate","source","created_by","approved_by","proposed_by","effective_from" from jsonb_populate_record(null::public.tax_rates, '{"name": "Withholding by clients", "rate": 0.1000, "source": "PwC tax summaries, corporate withholding (reviewed September 2025)", "created_by": null, "approved_by": null, "proposed_by": null, "effective_from": "2025-01-01"}');

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "tax_withheld", "code": "1310", "name": "Tax withheld by clients"}');

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "written_off", "code": "5200", "name": "Differences written off"}');

drop function public.record_receipt(uuid,text,numeric,date,text,text,uuid,text,jsonb,uuid);

CREATE OR REPLACE FUNCTION public.write_off_limit(p_currency text)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_billing_role();
  return case p_currency when 'USD' then 5
    when 'LRD' then round(5 * private.pay_rate('lrd_per_usd', private.company_date()), 2) end;
end
$function$;

grant execute on function public.write_off_limit(text) to authenticated;

comment on function public.write_off_limit(text) is 'Nullable: write_off_limit';
