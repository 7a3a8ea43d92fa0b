-- Issuing many invoices: whether they are still current is found by drawing them together, not one after the other.

-- Those of the drafts that would come out the same now. Draws them again to compare, and rolls that back. Of several drafts
-- of a contract only the first is looked at: issuing it may change the next.
create function private.current_drafts(p_ids uuid[]) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  period record;
  current_ones uuid[] := '{}';
begin
  if p_ids is null then
    return current_ones;
  end if;
  -- Before any row, as draft_invoices does: they take turns.
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  for period in
    select i.period_start as first, i.period_end as last, array_agg(i.contract_id) as contracts,
      jsonb_object_agg(i.id, private.draft_content(i.id)) as was
    from (
      select distinct on (d.contract_id) d.id, d.contract_id, d.period_start, d.period_end
      from unnest(p_ids) with ordinality n (id, place)
      join public.invoices d on d.id = n.id
      where d.status = 'draft'
      order by d.contract_id, n.place
    ) i
    group by i.period_start, i.period_end
  loop
    begin
      perform private.draw_drafts(period.first, period.last, array(
        select s from private.draft_scopes(period.first, period.last, null) s where s.contract_id = any (period.contracts)
      ));
      current_ones := current_ones || array(
        select w.key::uuid from jsonb_each_text(period.was) w where w.value = private.draft_content(w.key::uuid)
      );
      raise exception using errcode = 'PTUND';
    -- What can't be drawn together is looked at one by one.
    exception when sqlstate 'PTUND' or sqlstate 'PT404' or sqlstate 'PT409' then
      null;
    end;
  end loop;
  return current_ones;
end
$$;

-- Gives a draft its number, day, term and addressee. An issued one is returned as it is.
-- @param p_is_current whether the draft was compared with its hours and rates in this transaction, after taking the lock
create function private.issue_draft(p_id uuid, p_is_current boolean) returns public.invoices
language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  today date := private.company_date();
begin
  -- Before any row, as draft_invoices does: they take turns.
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  select * into invoice from public.invoices i where i.id = p_id for update;
  if not found then
    raise exception 'This invoice no longer exists.' using errcode = 'PT404';
  end if;
  if invoice.status <> 'draft' then
    return invoice;
  end if;
  if not exists (select from public.invoice_lines l where l.invoice_id = invoice.id) then
    raise exception 'This invoice has no lines.' using errcode = 'PT409';
  end if;
  if invoice.total < 0 then
    raise exception 'This invoice is below zero. Bill it together with the next period.' using errcode = 'PT409';
  end if;
  if p_is_current is not true then
    perform private.require_current_draft(invoice.id);
  end if;
  update public.invoices i set
    year = extract(year from today)::integer,
    sequence = private.next_number('invoice', extract(year from today)::integer),
    status = 'issued', issued_on = today, due_on = today + c.payment_terms_days,
    bill_to = private.bill_to_of(c.id), issued_by = auth.uid()
  from public.contracts c
  where i.id = invoice.id and c.id = i.contract_id
  returning i.* into strict invoice;
  return invoice;
end
$$;

create or replace function public.issue_invoice(id uuid) returns public.invoices
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  return private.issue_draft(issue_invoice.id, false);
end
$$;

-- Issues many drafts, in the order given. One that is refused stays a draft, and its row says why.
create or replace function public.issue_invoices(p_ids uuid[]) returns table (id uuid, number text, refusal text)
language plpgsql security definer set search_path = '' set jit = off set statement_timeout = '60s' as $$
declare
  current_ones uuid[];
begin
  perform private.require_billing_role();
  if p_ids is null or cardinality(p_ids) not between 1 and 500 then
    raise exception 'Choose 1 to 500 invoices.' using errcode = 'invalid_parameter_value';
  end if;
  current_ones := case when cardinality(p_ids) = 1 then '{}' else private.current_drafts(p_ids) end;
  foreach id in array p_ids loop
    number := null;
    refusal := null;
    begin
      select i.number into number from private.issue_draft(issue_invoices.id, issue_invoices.id = any (current_ones)) i;
    exception when sqlstate 'PT404' or sqlstate 'PT409' then
      get stacked diagnostics refusal = message_text;
    end;
    return next;
  end loop;
end
$$;

revoke all on all functions in schema private from public;
