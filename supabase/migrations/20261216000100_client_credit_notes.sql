-- As before, but a credit note has its tax and lines: the client's portal makes the PDF of it, too.
create or replace function public.client_invoice(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  select jsonb_build_object(
    'id', i.id, 'number', i.number, 'currency', i.currency, 'status', i.status, 'issued_on', i.issued_on, 'due_on', i.due_on,
    'period_start', i.period_start, 'period_end', i.period_end, 'bill_to', i.bill_to, 'subtotal', i.subtotal, 'tax', i.tax,
    'total', i.total, 'credited', i.credited, 'paid', i.paid, 'open_amount', i.open_amount,
    -- Printed on the PDF, too.
    'note', i.note,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', l.id, 'site', s.name, 'post', p.name, 'description', l.description, 'quantity', l.quantity, 'unit', l.unit,
        'rate', l.rate, 'amount', l.amount, 'is_credited', l.credited_at is not null, 'has_days', l.kind = 'fixed' or exists (
          select from public.billed_time b where b.invoice_line_id = l.id)
      ) order by l.position, l.id)
      from public.invoice_lines l
      left join public.sites s on s.id = l.site_id
      left join public.posts p on p.id = l.post_id
      where l.invoice_id = i.id), '[]'),
    'credit_notes', coalesce((
      select jsonb_agg(jsonb_build_object('number', n.number, 'issued_on', n.issued_on, 'reason', n.reason, 'amount', n.amount,
        'tax', n.tax, 'lines', (
          select coalesce(jsonb_agg(jsonb_build_object('description', l.description, 'quantity', l.quantity, 'unit', l.unit,
            'rate', l.rate, 'amount', c.amount) order by l.position, l.id), '[]')
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
  from public.invoices i
  where i.id = p_id and i.client_id = any (private.client_of_caller()) and i.status <> 'draft';
  if answer is null then
    raise exception 'There is no such invoice.' using errcode = 'PT404';
  end if;
  return answer;
end
$$;
