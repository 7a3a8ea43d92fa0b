-- Credit notes take lines of issued invoices back; receipts and their allocations. Written by functions alone.

create function private.refuse_change_of_credit_note() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- Deleting an account sets issued_by to null.
  if tg_op = 'UPDATE' and to_jsonb(new) - 'issued_by' = to_jsonb(old) - 'issued_by'
    and (to_jsonb(new) ->> 'issued_by') is null
  then
    return new;
  end if;
  raise exception 'A credit note can''t be changed or deleted.' using errcode = 'PT409';
end
$$;
create trigger c_rules before update or delete on public.credit_notes
  for each row execute function private.refuse_change_of_credit_note();
create trigger c_rules before update or delete on public.credit_note_lines
  for each row execute function private.refuse_change_of_credit_note();

-- A credit note equals its lines, and these the lines of its invoice, when the transaction ends.
create function private.check_credit_note() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  note public.credit_notes;
  total numeric;
  taxes numeric;
begin
  if tg_table_name = 'credit_notes' then
    note := new;
  else
    select * into note from public.credit_notes n where n.id = new.credit_note_id;
  end if;
  select coalesce(sum(c.amount + c.tax_amount), 0), coalesce(sum(c.tax_amount), 0) into total, taxes
  from public.credit_note_lines c where c.credit_note_id = note.id;
  if (note.amount, note.tax) <> (total, taxes)
    or exists (
      select from public.credit_note_lines c join public.invoice_lines l on l.id = c.invoice_line_id
      where c.credit_note_id = note.id
        and (l.invoice_id <> note.invoice_id or (l.amount, l.tax_amount) <> (c.amount, c.tax_amount)))
  then
    raise exception 'Credit note %: its sum differs from its lines.', note.number using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger e_adds_up after insert on public.credit_notes
  deferrable initially deferred for each row execute function private.check_credit_note();
create constraint trigger e_adds_up after insert on public.credit_note_lines
  deferrable initially deferred for each row execute function private.check_credit_note();

select private.keep_history_of('public.credit_notes');
select private.keep_history_of('public.credit_note_lines');

alter table public.credit_notes enable row level security;
alter table public.credit_note_lines enable row level security;
revoke all on public.credit_notes, public.credit_note_lines from anon, authenticated;
revoke insert, update, delete, truncate on public.credit_notes, public.credit_note_lines from service_role;
grant select on public.credit_notes, public.credit_note_lines to authenticated;
create policy "Admins and finance read credit notes" on public.credit_notes
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance read the lines of credit notes" on public.credit_note_lines
  for select to authenticated using ((select private.may_bill()));
alter publication supabase_realtime add table public.credit_notes, public.credit_note_lines;

-- A text that explains a step that can't be undone.
create function private.require_reason(p_reason text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  why text := nullif(btrim(p_reason), '');
begin
  if why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  return why;
end
$$;

-- Takes back at most so much of what receipts pay of an invoice, latest first; it is on account of the client then.
create function private.release_allocations(p_invoice_id uuid, p_amount numeric) returns void
language plpgsql set search_path = '' as $$
declare
  rest numeric := p_amount;
  allocation record;
begin
  for allocation in
    select a.id, a.amount from public.receipt_allocations a join public.receipts r on r.id = a.receipt_id
    where a.invoice_id = p_invoice_id order by r.received_on desc, a.created_at desc, a.id
  loop
    exit when rest <= 0;
    if allocation.amount <= rest then
      delete from public.receipt_allocations a where a.id = allocation.id;
    else
      update public.receipt_allocations a set amount = a.amount - rest where a.id = allocation.id;
    end if;
    rest := rest - allocation.amount;
  end loop;
end
$$;

-- Takes lines of an issued invoice back (null: all that are left). Their hours, months and estimates can be billed again,
-- and what was paid beyond the rest is on account of the client.
create function public.credit_invoice(p_invoice_id uuid, p_reason text, p_line_ids uuid[] default null)
returns public.credit_notes
language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  note public.credit_notes;
  chosen uuid[];
  today date := private.company_date();
  why text;
begin
  perform private.require_billing_role();
  why := private.require_reason(p_reason);
  if cardinality(p_line_ids) > 10000 then
    raise exception 'Choose at most 10000 lines.' using errcode = 'invalid_parameter_value';
  end if;
  select * into invoice from public.invoices i where i.id = p_invoice_id for update;
  if not found then
    raise exception 'This invoice no longer exists.' using errcode = 'PT404';
  end if;
  if invoice.status = 'draft' then
    raise exception 'This is a draft. Change or discard it instead.' using errcode = 'PT409';
  end if;
  chosen := array(
    select l.id from public.invoice_lines l
    where l.invoice_id = invoice.id and l.credited_at is null and (p_line_ids is null or l.id = any (p_line_ids)));
  if cardinality(chosen) = 0 or cardinality(chosen) < (select count(distinct x) from unnest(p_line_ids) x) then
    raise exception '%', case when p_line_ids is null then 'This invoice is credited already.'
      else 'Choose lines of this invoice that are not credited yet.' end using errcode = 'PT409';
  end if;
  if exists (
    select from public.invoice_lines s join public.invoices i on i.id = s.invoice_id
    where s.settles_line_id = any (chosen) and s.credited_at is null and i.status <> 'draft'
  ) then
    raise exception 'A later invoice has settled these estimated hours already. Credit that invoice instead.'
      using errcode = 'PT409';
  end if;

  note.id := gen_random_uuid();
  select coalesce(sum(l.amount + l.tax_amount), 0), coalesce(sum(l.tax_amount), 0) into note.amount, note.tax
  from public.invoice_lines l where l.id = any (chosen);
  if note.amount < 0 or note.amount > invoice.total - invoice.credited then
    raise exception 'The credit would be %, of % that are left. Credit these lines together with the deductions from them.',
      private.money_text(note.amount, invoice.currency), private.money_text(invoice.total - invoice.credited, invoice.currency)
      using errcode = 'PT409';
  end if;
  perform private.release_allocations(invoice.id, invoice.paid - (invoice.total - invoice.credited - note.amount));
  insert into public.credit_notes (id, invoice_id, client_id, year, sequence, reason, currency, amount, tax, issued_on, issued_by)
  values (note.id, invoice.id, invoice.client_id, extract(year from today)::integer,
    private.next_number('credit_note', extract(year from today)::integer), why, invoice.currency, note.amount, note.tax,
    today, auth.uid())
  returning * into note;
  insert into public.credit_note_lines (credit_note_id, invoice_line_id, amount, tax_amount)
  select note.id, l.id, l.amount, l.tax_amount from public.invoice_lines l where l.id = any (chosen) order by l.position, l.id;
  -- Their hours are freed with them.
  update public.invoice_lines l set credited_at = now() where l.id = any (chosen);
  -- Its sums follow.
  update public.invoices i set credited = i.credited where i.id = invoice.id;
  return note;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.credit_invoice from public, anon;
grant execute on function public.credit_invoice to authenticated, service_role;
