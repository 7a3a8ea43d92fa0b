create or replace FUNCTION private.issue_credit_note(p_invoice_id uuid, p_reason text, p_parts jsonb)
 RETURNS public.credit_notes
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
