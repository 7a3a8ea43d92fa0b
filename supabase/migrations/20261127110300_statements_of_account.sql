-- What clients owe, by age, and their statements of account. Run as the caller: the policies decide.

-- One row for each client and currency with something open or on account. Age counts from the day on which it was due.
create function public.invoice_ageing(p_client_id uuid default null) returns table (
  client_id uuid, client_name text, currency text, not_due numeric, days_30 numeric, days_60 numeric, days_90 numeric,
  over_90 numeric, total numeric, on_account numeric
)
language sql stable set search_path = '' as $$
  with open as (
    select i.client_id, i.currency, i.open_amount as amount, private.company_date() - i.due_on as age, 0::numeric as on_account
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
  group by o.client_id, c.name, o.currency
  order by c.name, o.client_id, o.currency desc;
$$;

-- Invoices and voided receipts are charges, credit notes and receipts payments. The first row is the balance before p_from,
-- the last one the balance at the end of p_to.
create function public.client_statement(p_client_id uuid, p_currency text, p_from date, p_to date) returns table (
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
      format('%s to %s', to_char(i.period_start, 'Mon FMDD'), to_char(i.period_end, 'Mon FMDD, YYYY')) as text,
      i.total as charge, 0::numeric as payment
    from public.invoices i
    where i.client_id = p_client_id and i.currency = p_currency and i.status <> 'draft' and i.issued_on <= p_to
    union all
    select n.issued_on, 2, 'credit_note', n.id, n.number, format('%s: %s', i.number, n.reason), 0, n.amount
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id
    where n.client_id = p_client_id and n.currency = p_currency and n.issued_on <= p_to
    union all
    select r.received_on, 3, 'receipt', r.id, coalesce(r.reference, ''), private.receipt_method_text(r.method), 0, r.amount
    from public.receipts r
    where r.client_id = p_client_id and r.currency = p_currency and r.received_on <= p_to
    union all
    select private.company_date_of(r.voided_at), 4, 'void', r.id, coalesce(r.reference, ''), r.void_reason, r.amount, 0
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
  from listed l
  order by l.kind = 'closing', l.kind <> 'opening', l.day, l.place, l.document, l.id;
end
$$;
comment on function public.client_statement is 'Nullable: id';

-- The company's day of an instant.
create function private.company_date_of(at timestamptz) returns date
language sql stable security definer set search_path = '' as $$
  select (at at time zone s.time_zone)::date from private.settings s;
$$;

create function private.receipt_method_text(method text) returns text
language sql immutable set search_path = ''
return case method when 'bank' then 'Bank transfer' when 'cash' then 'Cash' when 'mobile_money' then 'Mobile money'
  when 'cheque' then 'Cheque' end;

revoke all on all functions in schema private from public;
grant execute on function private.company_date_of, private.receipt_method_text to authenticated;
revoke all on function public.invoice_ageing, public.client_statement from public, anon;
grant execute on function public.invoice_ageing, public.client_statement to authenticated, service_role;
grant execute on function private.company_date_of, private.receipt_method_text, private.require_day to service_role;
