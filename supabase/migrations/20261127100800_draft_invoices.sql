-- Drafting on request, and the check before an invoice is issued.

-- Drafts an invoice for each contract with something to bill within [from, to], company days, of one client or all.
-- @returns each draft with its sums and what it leaves out; invoice_id is null where there are problems alone
create function public.draft_invoices(
  "from" date, "to" date, inout client_id uuid default null, out invoice_id uuid, out contract_id uuid, out currency text,
  out total numeric, out line_count integer, out problems jsonb
) returns setof record
language plpgsql security definer set search_path = '' set jit = off set statement_timeout = '60s' as $$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(draft_invoices."from", draft_invoices."to");
  -- Two callers at once take turns: the second draws the first one's drafts again.
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  return query
  select d.* from private.draw_drafts(draft_invoices."from", draft_invoices."to", array(
    select s from private.draft_scopes(draft_invoices."from", draft_invoices."to", draft_invoices.client_id) s
  )) d
  left join public.clients k on k.id = d.client_id
  order by k.name, d.client_id, d.contract_id;
end
$$;
comment on function public.draft_invoices is 'Nullable: invoice_id, contract_id, currency';

-- What a draft takes from hours, rates and coverage, as one text to compare.
create function private.draft_content(p_invoice_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(string_agg(concat_ws('|', l.kind, l.contract_post_id, l.post_id, l.quantity, l.rate, l.amount, l.tax_rate,
    l.month, l.settles_line_id, l.days), ';' order by l.kind, l.contract_post_id, l.post_id, l.rate, l.tax_rate, l.month, l.quantity, l.settles_line_id), '')
    || (
      select coalesce(md5(string_agg(concat_ws('|', b.user_id, b.span, b.kind), ';' order by b.user_id, b.span)), '')
      from public.invoice_lines t join public.billed_time b on b.invoice_line_id = t.id where t.invoice_id = p_invoice_id
    )
  from public.invoice_lines l where l.invoice_id = p_invoice_id and l.kind <> 'other';
$$;

-- Refuses a draft that would come out differently now: hours, rates or the roster have changed since it was drawn.
create function private.require_current_draft(p_invoice_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  was text;
  now_is text;
begin
  select * into invoice from public.invoices i where i.id = p_invoice_id and i.status = 'draft';
  if not found then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  was := private.draft_content(p_invoice_id);
  -- Draws it again to compare, and rolls that back.
  begin
    perform private.draw_drafts(invoice.period_start, invoice.period_end, array(
      select s from private.draft_scopes(invoice.period_start, invoice.period_end, invoice.client_id) s
      where s.contract_id = invoice.contract_id
    ));
    now_is := private.draft_content(p_invoice_id);
    raise exception using errcode = 'PTUND';
  exception when sqlstate 'PTUND' then
    null;
  end;
  if was is distinct from now_is then
    raise exception 'Hours, rates or the roster have changed since this draft was drawn. Draft it again.'
      using errcode = 'PT409';
  end if;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.draft_invoices from public, anon;
grant execute on function public.draft_invoices to authenticated, service_role;
