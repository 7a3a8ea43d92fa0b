-- Returns of VAT: what a month is made of, and whether it is prepared, filed, paid.

-- ── Tables ────────────────────────────────────────────────────────────

-- One for each month of a registration, in order. Sums are derived from the lines; amounts of LRD and USD stay apart,
-- and the tax office is owed their sum in LRD at the rate of the month's last day.
create table public.vat_returns (
  id uuid default gen_random_uuid() primary key,
  month date not null unique check (extract(day from month) = 1),
  status text not null default 'prepared' check (status in ('prepared', 'filed', 'paid')),
  lrd_per_usd numeric(14,4) not null check (lrd_per_usd > 0),
  output_usd numeric(16,2) not null default 0,
  output_lrd numeric(16,2) not null default 0,
  input_usd numeric(16,2) not null default 0,
  input_lrd numeric(16,2) not null default 0,
  brought_forward numeric(16,2) not null default 0 check (brought_forward >= 0), -- Credit of the month before, LRD.
  -- LRD. Below zero: a credit that the next return brings forward.
  due numeric(16,2) generated always as (round((((output_usd - input_usd) * lrd_per_usd) + output_lrd) - input_lrd, 2)
    - brought_forward) stored not null,
  prepared_by uuid default auth.uid() references public.profiles on delete set null,
  prepared_at timestamptz not null default now(),
  filed_on date check (filed_on between '1900-01-01' and '2199-12-31'),
  filed_reference text check (char_length(filed_reference) between 1 and 100), -- The receipt of the tax office.
  filed_by uuid references public.profiles on delete set null,
  document_path text, -- In bucket receipts, <id>/<file name>: the receipt of the tax office, or the form.
  paid_on date check (paid_on between '1900-01-01' and '2199-12-31'),
  paid_usd numeric(16,2) not null default 0 check (paid_usd between 0 and 999999999999.99),
  paid_lrd numeric(16,2) not null default 0 check (paid_lrd between 0 and 999999999999.99),
  paid_from text check (paid_from in ('bank', 'cash', 'mobile_money')),
  paid_reference text check (char_length(paid_reference) <= 100),
  reopened_reason text check (char_length(reopened_reason) between 1 and 500), -- Of the last step that was taken back.
  constraint vat_returns_document check (document_path is null or status <> 'prepared'
    and char_length(document_path) <= 1000 and coalesce(private.record_of_file(document_path) = id, false)),
  constraint vat_returns_filed check ((status = 'prepared') = (filed_on is null)
    and (filed_on is null) = (filed_reference is null)),
  constraint vat_returns_paid check ((status = 'paid') = (paid_on is not null)
    and (paid_on is null) = (paid_from is null) and (paid_on is not null or paid_usd + paid_lrd = 0)),
  constraint vat_returns_after_month check (filed_on >= month + interval '1 month' and paid_on >= filed_on)
);
create index vat_returns_prepared_by_idx on public.vat_returns (prepared_by);
create index vat_returns_filed_by_idx on public.vat_returns (filed_by);
alter publication supabase_realtime add table public.vat_returns;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.vat_returns',
  'filed_reference', 'paid_reference', 'reopened_reason', 'document_path');
create trigger y_books after update on public.vat_returns
  for each row when ((old.filed_on, old.paid_on, old.input_usd, old.input_lrd, old.paid_usd, old.paid_lrd,
      old.paid_from) is distinct from (new.filed_on, new.paid_on, new.input_usd, new.input_lrd, new.paid_usd,
      new.paid_lrd, new.paid_from))
  execute function private.keep_closed_books('filed_on', 'paid_on');
create trigger y_books_of_deleted after delete on public.vat_returns
  for each row execute function private.keep_closed_books('filed_on', 'paid_on');
create trigger y_books_of_new after insert on public.vat_returns
  for each row execute function private.keep_closed_books('filed_on', 'paid_on');
select private.keep_history_of('public.vat_returns');
create trigger z_bank after update on public.vat_returns referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('vat_return');
create trigger z_bank_of_deleted after delete on public.vat_returns referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('vat_return');
alter table public.vat_returns enable row level security;
revoke insert, update, delete, truncate on public.vat_returns from service_role;
grant select on public.vat_returns to authenticated;
create policy "Admins and finance read returns of VAT" on public.vat_returns
  for select to authenticated using ((select private.may_bill()));

-- The documents behind a return, as they were when it was prepared. A document is in one return.
create table public.vat_return_lines (
  id uuid default gen_random_uuid() primary key,
  return_id uuid not null references public.vat_returns on delete cascade,
  box text not null check (box in ('standard', 'zero', 'exempt', 'input')),
  kind text not null check (kind in ('invoice', 'credit_note', 'expense')),
  document_id uuid not null,
  document text not null, -- Its number, or the title of an expense.
  day date not null,
  party text not null, -- Client or supplier.
  tin text,
  currency text not null check (currency in ('USD', 'LRD')),
  net numeric(16,2) not null, -- A credit note's is negative.
  rate numeric(6,4), -- A fraction: 0.18 is 18%. Null for an expense.
  vat numeric(16,2) not null,
  constraint vat_return_lines_once unique nulls not distinct (kind, document_id, box, rate)
);
create index vat_return_lines_return_id_idx on public.vat_return_lines (return_id, box, day);
alter publication supabase_realtime add table public.vat_return_lines;
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.vat_return_lines');
alter table public.vat_return_lines enable row level security;
revoke insert, update, delete, truncate on public.vat_return_lines from service_role;
grant select on public.vat_return_lines to authenticated;
create policy "Admins and finance read the lines of returns of VAT" on public.vat_return_lines
  for select to authenticated using ((select private.may_bill()));

-- ── Functions ─────────────────────────────────────────────────────────

-- VAT is claimed for what was bought while the company was registered.
create function private.require_registered_expense() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if (private.vat_registration_on(new.expense_date)).id is null then
    raise exception 'The company is not registered for VAT on %, so its VAT is part of the cost.',
      private.day_text(new.expense_date) using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- An expense keeps what a filed return says about it.
create function private.keep_filed_expense() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  filed date := (
    select r.month from public.vat_return_lines l join public.vat_returns r on r.id = l.return_id
    where l.kind = 'expense' and l.document_id = old.id and r.status <> 'prepared'
  );
begin
  if filed is not null and (tg_op = 'DELETE'
    or (old.amount, old.currency, old.vat_amount, old.expense_date, old.supplier, old.supplier_tin) is distinct from
      (new.amount, new.currency, new.vat_amount, new.expense_date, new.supplier, new.supplier_tin))
  then
    raise exception 'The VAT return of % names this expense. Reopen the return first.',
      to_char(filed, 'FMMonth YYYY') using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- What the return of a month is made of: documents up to its last day that no filed return has. So what is entered late
-- is in the next return.
create function private.vat_lines_of(p_month date)
returns table (
  box text, kind text, document_id uuid, document text, day date, party text, tin text, currency text, net numeric,
  rate numeric, vat numeric
)
language sql stable security definer set search_path = '' as $$
  with span as (
    select (select min(r.registered_from) from public.vat_registrations r) as first,
      (p_month + interval '1 month - 1 day')::date as last
  ), filed as materialized (
    select l.kind, l.document_id from public.vat_return_lines l join public.vat_returns r on r.id = l.return_id
    where r.status <> 'prepared'
  )
  select l.vat_treatment, 'invoice', i.id, i.number, i.issued_on, i.bill_to ->> 'name', i.bill_to ->> 'tin', i.currency,
    sum(l.amount), l.tax_rate, sum(l.tax_amount)
  from span s
  join public.invoices i on i.status <> 'draft' and i.period_end >= s.first and i.issued_on <= s.last
  join public.invoice_lines l on l.invoice_id = i.id and l.vat_treatment is not null
  where not exists (select from filed f where f.kind = 'invoice' and f.document_id = i.id)
  group by i.id, l.vat_treatment, l.tax_rate
  union all
  select l.vat_treatment, 'credit_note', n.id, n.number, n.issued_on, i.bill_to ->> 'name', i.bill_to ->> 'tin',
    n.currency, -sum(c.amount), l.tax_rate, -sum(c.tax_amount)
  from span s
  join public.credit_notes n on n.issued_on between s.first and s.last
  join public.invoices i on i.id = n.invoice_id
  join public.credit_note_lines c on c.credit_note_id = n.id
  join public.invoice_lines l on l.id = c.invoice_line_id and l.vat_treatment is not null
  where not exists (select from filed f where f.kind = 'credit_note' and f.document_id = n.id)
  group by n.id, i.bill_to, l.vat_treatment, l.tax_rate
  union all
  select 'input', 'expense', e.id, e.title, e.expense_date, e.supplier, e.supplier_tin, e.currency,
    e.amount - e.vat_amount, null, e.vat_amount
  from span s join public.expense_reports e on e.expense_date between s.first and s.last and e.vat_amount > 0
  where not exists (select from filed f where f.kind = 'expense' and f.document_id = e.id);
$$;

-- The months with a return, the newest first: from the registration to the running month, and as far as documents of a
-- registration that has ended reach.
create function public.vat_months()
returns table (
  month date, status text, output_usd numeric, output_lrd numeric, input_usd numeric, input_lrd numeric, due numeric,
  filed_on date, paid_on date
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  return query
  select g.month::date, coalesce(r.status, case when g.month > private.company_date() - interval '1 month'
      then 'running' else 'open' end),
    r.output_usd, r.output_lrd, r.input_usd, r.input_lrd, r.due, r.filed_on, r.paid_on
  from (select min(v.registered_from) as first from public.vat_registrations v) v
  cross join lateral generate_series(date_trunc('month', v.first::timestamp), private.company_date(), '1 month')
    g (month)
  left join public.vat_returns r on r.month = g.month::date
  where exists (
    select from public.vat_registrations x
    -- A return for documents that come within a quarter after the end.
    where x.registered_from < g.month + interval '1 month'
      and coalesce(x.registered_to, 'infinity'::date) > g.month - interval '3 months'
  )
  order by 1 desc;
end
$$;
comment on function public.vat_months is
  'Nullable: output_usd, output_lrd, input_usd, input_lrd, due, filed_on, paid_on';
grant execute on function public.vat_months to authenticated;

-- A month with a return, checked.
create function private.require_vat_month(p_month date) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_day(p_month, 'month');
  if not exists (select from public.vat_months() m where m.month = p_month) then
    raise exception 'There is no return of VAT for this month.' using errcode = 'PT404';
  end if;
end
$$;

-- Collects what the return of a month is made of; again, as long as it is not filed. The running month can be looked
-- at, too.
create function public.prepare_vat_return(p_month date) returns public.vat_returns
language plpgsql security definer set search_path = '' as $$
declare
  prepared public.vat_returns;
begin
  perform private.require_vat_month(p_month);
  -- Two at once take turns, so that a document is in one return.
  perform pg_advisory_xact_lock(hashtextextended('vat returns', 0));
  if exists (select from public.vat_returns r where r.month = p_month and r.status <> 'prepared') then
    raise exception 'This return is filed. Reopen it first.' using errcode = 'PT409';
  end if;
  if exists (
    select from public.vat_months() m where m.month < p_month and m.status not in ('filed', 'paid')
  ) then
    raise exception 'Returns are made in order: file the return of the month before first.' using errcode = 'PT409';
  end if;
  -- A later one was prepared before this one was reopened.
  delete from public.vat_returns r where r.status = 'prepared' and r.month <> p_month;
  insert into public.vat_returns as r (month, lrd_per_usd, brought_forward)
  values (p_month, private.pay_rate('lrd_per_usd', (p_month + interval '1 month - 1 day')::date), coalesce((
    select greatest(-o.due, 0) from public.vat_returns o where o.month < p_month order by o.month desc limit 1), 0))
  on conflict (month) do update set lrd_per_usd = excluded.lrd_per_usd, brought_forward = excluded.brought_forward,
    prepared_by = excluded.prepared_by, prepared_at = now()
  returning * into prepared;
  delete from public.vat_return_lines l where l.return_id = prepared.id;
  insert into public.vat_return_lines (return_id, box, kind, document_id, document, day, party, tin, currency, net,
    rate, vat)
  select prepared.id, d.* from private.vat_lines_of(p_month) d;
  update public.vat_returns r set output_usd = s.output_usd, output_lrd = s.output_lrd, input_usd = s.input_usd,
    input_lrd = s.input_lrd
  from (
    select coalesce(sum(l.vat) filter (where l.box <> 'input' and l.currency = 'USD'), 0) as output_usd,
      coalesce(sum(l.vat) filter (where l.box <> 'input' and l.currency = 'LRD'), 0) as output_lrd,
      coalesce(sum(l.vat) filter (where l.box = 'input' and l.currency = 'USD'), 0) as input_usd,
      coalesce(sum(l.vat) filter (where l.box = 'input' and l.currency = 'LRD'), 0) as input_lrd
    from public.vat_return_lines l where l.return_id = prepared.id
  ) s
  where r.id = prepared.id returning r.* into prepared;
  return prepared;
end
$$;
grant execute on function public.prepare_vat_return to authenticated;

-- The return of a month to change, locked. Refuses what has not got this far.
create function private.vat_return_to_change(p_month date, p_status text) returns public.vat_returns
language plpgsql security definer set search_path = '' as $$
declare
  found_one public.vat_returns;
begin
  perform private.require_vat_month(p_month);
  perform pg_advisory_xact_lock(hashtextextended('vat returns', 0));
  select * into found_one from public.vat_returns r where r.month = p_month for update;
  if found_one.status is distinct from p_status then
    raise exception 'Someone has already changed this return. Reload it.' using errcode = 'PT409';
  end if;
  return found_one;
end
$$;

-- Of a return to an authority: it is handed in after its month, and has a reference.
create function private.check_filing(p_month date, p_filed_on date, p_reference text) returns void
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_day(p_filed_on, 'day of filing');
  if p_filed_on > private.company_date() or p_filed_on < p_month + interval '1 month' then
    raise exception 'The day of filing is after the month, and not in the future.'
      using errcode = 'invalid_parameter_value';
  end if;
  if nullif(btrim(p_reference), '') is null or char_length(p_reference) > 100 then
    raise exception 'Enter the reference of the authority, of at most 100 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- Of a filed return: what is paid in each currency is together what is due, to a dollar.
-- @param p_due LRD; nothing is due of a credit
create function private.check_tax_payment(
  p_due numeric, p_lrd_per_usd numeric, p_filed_on date, p_paid_on date, p_usd numeric, p_lrd numeric, p_reference text
) returns void
language plpgsql stable set search_path = '' as $$
declare
  missing numeric;
begin
  perform private.require_day(p_paid_on, 'day of payment');
  if p_paid_on > private.company_date() or p_paid_on < p_filed_on then
    raise exception 'The day of payment is not before the filing, and not in the future.'
      using errcode = 'invalid_parameter_value';
  end if;
  if p_usd is null or p_lrd is null or not p_usd between 0 and 999999999999.99 or p_usd <> round(p_usd, 2)
    or not p_lrd between 0 and 999999999999.99 or p_lrd <> round(p_lrd, 2)
  then
    raise exception 'Enter amounts in whole cents.' using errcode = 'invalid_parameter_value';
  end if;
  if char_length(p_reference) > 100 then
    raise exception 'A reference has at most 100 characters.' using errcode = 'invalid_parameter_value';
  end if;
  missing := greatest(p_due, 0) - p_lrd - round(p_usd * p_lrd_per_usd, 2);
  if abs(missing) > p_lrd_per_usd then
    raise exception '% is due, at % LRD for one US$. This is % too %.',
      private.money_text(greatest(p_due, 0), 'LRD'),
      trim_scale(p_lrd_per_usd), private.money_text(abs(missing), 'LRD'),
      case when missing > 0 then 'little' else 'much' end using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- Notes that a prepared return was handed in. Refuses one that would come out differently now.
create function public.file_vat_return(p_month date, p_filed_on date, p_reference text) returns public.vat_returns
language plpgsql security definer set search_path = '' as $$
declare
  filed public.vat_returns := private.vat_return_to_change(p_month, 'prepared');
begin
  perform private.check_filing(p_month, p_filed_on, p_reference);
  if exists (
    with stored as materialized (
      select l.box, l.kind, l.document_id, l.document, l.day, l.party, l.tin, l.currency, l.net, l.rate, l.vat
      from public.vat_return_lines l where l.return_id = filed.id
    ), present as materialized (
      select d.* from private.vat_lines_of(p_month) d
    )
    (table stored except all table present) union all (table present except all table stored)
  ) then
    raise exception 'Documents have changed since this return was prepared. Prepare it again.' using errcode = 'PT409';
  end if;
  update public.vat_returns r set status = 'filed', filed_on = p_filed_on, filed_reference = p_reference,
    filed_by = auth.uid()
  where r.id = filed.id returning r.* into filed;
  return filed;
end
$$;
grant execute on function public.file_vat_return to authenticated;

-- Notes what was paid for a filed return, in each currency. Together it is what is due, to a dollar.
create function public.pay_vat_return(
  p_month date, p_paid_on date, p_usd numeric, p_lrd numeric, p_paid_from text, p_reference text default null
) returns public.vat_returns
language plpgsql security definer set search_path = '' as $$
declare
  paid public.vat_returns := private.vat_return_to_change(p_month, 'filed');
begin
  perform private.check_tax_payment(paid.due, paid.lrd_per_usd, paid.filed_on, p_paid_on, p_usd, p_lrd, p_reference);
  update public.vat_returns r set status = 'paid', paid_on = p_paid_on, paid_usd = p_usd, paid_lrd = p_lrd,
    paid_from = p_paid_from, paid_reference = p_reference
  where r.id = paid.id returning r.* into paid;
  return paid;
end
$$;
grant execute on function public.pay_vat_return to authenticated;

-- Takes the last step of the latest return back: its payment, else its filing. Somebody else than who filed it.
create function public.reopen_vat_return(p_month date, p_reason text) returns public.vat_returns
language plpgsql security definer set search_path = '' as $$
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
$$;
grant execute on function public.reopen_vat_return to authenticated;

-- Lines of issued invoices whose VAT is not what is agreed for their days now: a registration, certificate or treatment
-- came later. They are credited and billed again.
create function public.vat_differences()
returns table (invoice_id uuid, number text, client_name text, lines bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  return query
  select i.id, i.number, k.name, count(*)
  from public.invoices i
  join public.clients k on k.id = i.client_id
  join public.invoice_lines l on l.invoice_id = i.id and l.credited_at is null
    and l.kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day', 'fixed', 'minimum')
  cross join private.settings z
  cross join lateral (
    select coalesce(lower(l.days), min((lower(b.span) at time zone z.time_zone)::date), l.month, i.period_start)
        as first,
      coalesce(upper(l.days) - 1, max((lower(b.span) at time zone z.time_zone)::date),
        (l.month + interval '1 month - 1 day')::date, i.period_end) as last
    from public.billed_time b where b.invoice_line_id = l.id and b.freed_at is null
  ) d
  where i.status not in ('draft', 'credited')
    and i.period_end >= (select min(r.registered_from) from public.vat_registrations r) and exists (
      select from private.tax_days(i.contract_id, l.contract_post_id, d.first, d.last) t
      where (t.tax_name, t.tax_rate, t.vat_treatment) is distinct from (l.tax_name, l.tax_rate, l.vat_treatment)
    )
  group by i.id, k.name order by i.number desc;
end
$$;
grant execute on function public.vat_differences to authenticated;

-- What is known about a client's taxes: its number (null: not known), and a certificate with which it buys without VAT.
-- @param p_exemption_id the certificate to change, or to delete where p_certificate is null; null for a new one
create function public.set_client_tax(
  p_client_id uuid, p_tin text default null, p_exemption_id uuid default null, p_certificate text default null,
  p_valid_from date default null, p_valid_to date default null
) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  if p_certificate is not null then
    perform private.require_day(p_valid_from, 'first day of the certificate');
    perform private.require_day(coalesce(p_valid_to, p_valid_from), 'last day of the certificate');
  end if;
  update public.clients c set tin = p_tin where c.id = p_client_id;
  if not found then
    raise exception 'This client no longer exists.' using errcode = 'PT404';
  end if;
  if p_exemption_id is not null and p_certificate is null then
    delete from public.vat_exemptions e where e.id = p_exemption_id and e.client_id = p_client_id;
  elsif p_exemption_id is not null then
    update public.vat_exemptions e set certificate = p_certificate, valid_from = p_valid_from, valid_to = p_valid_to
    where e.id = p_exemption_id and e.client_id = p_client_id;
    if not found then
      raise exception 'This certificate no longer exists.' using errcode = 'PT404';
    end if;
  elsif p_certificate is not null then
    insert into public.vat_exemptions (client_id, certificate, valid_from, valid_to)
    values (p_client_id, p_certificate, p_valid_from, p_valid_to);
  end if;
end
$$;
grant execute on function public.set_client_tax to authenticated;
