-- A rate that is dated back into issued invoices proposes what to correct, for finance to bill or to waive (decision 0098).

-- Days of a line of an issued invoice whose rate has become another. What is accepted is on the next draft of the contract.
create table private.invoice_corrections (
  id uuid primary key default gen_random_uuid(),
  contract_id uuid not null references public.contracts (id) on delete cascade,
  invoice_line_id uuid not null references public.invoice_lines (id) on delete cascade,
  days datemultirange not null check (not isempty(days)),
  minutes integer not null check (minutes > 0),
  -- What the client was billed an hour, with the corrections before.
  billed_rate numeric(14,4) not null,
  rate numeric(14,4) not null,
  amount numeric(14,2) not null generated always as (round(minutes * (rate - billed_rate) / 60, 2)) stored,
  status text not null default 'proposed' check (status in ('proposed', 'accepted', 'waived')),
  reason text check (char_length(reason) between 1 and 500),
  decided_by uuid references public.profiles (id) on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  constraint invoice_corrections_differ check (rate <> billed_rate),
  constraint invoice_corrections_decided check ((status = 'proposed') = (decided_at is null)),
  constraint invoice_corrections_waived_with_reason check (status <> 'waived' or reason is not null)
);
create index invoice_corrections_contract_id_idx on private.invoice_corrections (contract_id, status);
create index invoice_corrections_invoice_line_id_idx on private.invoice_corrections (invoice_line_id);
create index invoice_corrections_decided_by_idx on private.invoice_corrections (decided_by) where decided_by is not null;
create unique index invoice_corrections_proposed_once on private.invoice_corrections (invoice_line_id, billed_rate, rate, days)
  where status = 'proposed';

alter table public.invoice_lines
  add column correction_id uuid references private.invoice_corrections (id),
  drop constraint invoice_lines_kind_check,
  add constraint invoice_lines_kind_check check (kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day', 'fixed', 'minimum',
    'gap_credit', 'estimate', 'settlement', 'correction', 'other')),
  add constraint invoice_lines_correction check ((kind = 'correction') = (correction_id is not null));
create unique index invoice_lines_corrected_once on public.invoice_lines (correction_id)
  where correction_id is not null and credited_at is null;
create index invoice_lines_correction_id_idx on public.invoice_lines (correction_id) where correction_id is not null;

-- Proposes what differs now, and drops the proposals that no longer hold. Decided ones stay.
create function private.propose_rate_corrections(p_contract_id uuid, p_from date) returns void
language plpgsql security definer set search_path = '' set jit = off as $$
begin
  -- Issuing and rates take turns, so that no line is missed.
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  if not exists (
    select from public.invoices i where i.contract_id = p_contract_id and i.status <> 'draft' and i.period_end >= p_from
  ) then
    return;
  end if;
  with lines as materialized (
    select l.* from public.invoices i join public.invoice_lines l on l.invoice_id = i.id
    where i.contract_id = p_contract_id and i.status <> 'draft' and l.credited_at is null
      and l.kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day', 'minimum')
  ), by_day as (
    select l.id, d.day::date as day, sum(extract(epoch from least(upper(b.span), private.company_midnight(d.day::date + 1))
      - greatest(lower(b.span), private.company_midnight(d.day::date))) / 60)::integer as minutes
    from lines l
    join public.billed_time b on b.invoice_line_id = l.id and b.freed_at is null
    cross join private.settings z
    cross join lateral generate_series(
      date_trunc('day', lower(b.span) at time zone z.time_zone),
      date_trunc('day', (upper(b.span) - interval '1 second') at time zone z.time_zone), interval '1 day'
    ) d (day)
    group by l.id, d.day
    union all
    -- What filled a minimum up belongs to its days alike.
    select s.id, s.day, (round(s.minutes * s.place / s.days) - round(s.minutes * (s.place - 1) / s.days))::integer
    from (
      select l.id, d.day::date as day, round(l.quantity * 60) as minutes, row_number() over w::numeric as place,
        count(*) over (partition by l.id) as days
      from lines l
      cross join lateral unnest(coalesce(l.days, datemultirange(daterange(l.month, (l.month + interval '1 month')::date)))) r
      cross join lateral generate_series(lower(r)::timestamp, upper(r)::timestamp - interval '1 day', interval '1 day') d (day)
      where l.kind = 'minimum'
      window w as (partition by l.id order by d.day)
    ) s
  ), priced as (
    select d.id, d.day, d.minutes, coalesce((
        select k.rate from private.invoice_corrections k
        where k.invoice_line_id = d.id and k.status = 'accepted' and k.days @> d.day order by k.decided_at desc, k.id limit 1
      ), l.rate) as billed_rate,
      private.hour_rate(p_contract_id, l.contract_post_id, case l.kind when 'minimum' then 'regular' else l.kind end, d.day) as rate
    from by_day d join lines l on l.id = d.id
    where d.minutes > 0
  ), found as materialized (
    select p.id, p.billed_rate, p.rate, range_agg(daterange(p.day, p.day + 1)) as days, sum(p.minutes)::integer as minutes
    from priced p
    where p.rate <> p.billed_rate and not exists (
      select from private.invoice_corrections k
      where k.invoice_line_id = p.id and k.status = 'waived' and k.billed_rate = p.billed_rate and k.rate = p.rate and k.days @> p.day
    )
    group by p.id, p.billed_rate, p.rate
  ), gone as (
    delete from private.invoice_corrections k
    where k.contract_id = p_contract_id and k.status = 'proposed' and not exists (
      select from found f
      where f.id = k.invoice_line_id and f.billed_rate = k.billed_rate and f.rate = k.rate and f.days = k.days and f.minutes = k.minutes
    )
  )
  insert into private.invoice_corrections (contract_id, invoice_line_id, days, minutes, billed_rate, rate)
  select p_contract_id, f.id, f.days, f.minutes, f.billed_rate, f.rate from found f
  where not exists (
    select from private.invoice_corrections k
    where k.invoice_line_id = f.id and k.status = 'proposed' and k.billed_rate = f.billed_rate and k.rate = f.rate and k.days = f.days
      and k.minutes = f.minutes
  );
end
$$;

create function private.follow_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    perform private.propose_rate_corrections(old.contract_id, old.effective_from);
  end if;
  if tg_op <> 'DELETE' then
    perform private.propose_rate_corrections(new.contract_id, new.effective_from);
  end if;
  return null;
end
$$;
create trigger z_propose_corrections after insert or update or delete on public.rates
  for each row execute function private.follow_rate();

-- A line is not credited while a later invoice corrects it: billed again, it would have the new rate by itself.
create function private.keep_corrected_line() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  other text;
begin
  select i.number into other
  from private.invoice_corrections k
  join public.invoice_lines l on l.correction_id = k.id and l.credited_at is null
  join public.invoices i on i.id = l.invoice_id
  where k.invoice_line_id = new.id and i.status <> 'draft' and i.id <> new.invoice_id
  limit 1;
  if found then
    raise exception 'Invoice % corrects the rate of this line. Credit the correction there first.', other using errcode = 'PT409';
  end if;
  delete from private.invoice_corrections k where k.invoice_line_id = new.id and k.status = 'proposed';
  return new;
end
$$;
create trigger c_keep_corrected before update of credited_at on public.invoice_lines
  for each row when (old.credited_at is null and new.credited_at is not null)
  execute function private.keep_corrected_line();

-- The corrections of a contract or of all, with what became of them: those to decide first.
create function public.billing_corrections(p_contract_id uuid default null)
returns table (
  id uuid, contract_id uuid, client_name text, invoice_id uuid, number text, description text, first_day date, last_day date,
  minutes integer, billed_rate numeric, rate numeric, amount numeric, currency text, status text, reason text, decided_by_name text,
  decided_at timestamptz, billed_on uuid, billed_on_number text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  return query
  select k.id, k.contract_id, n.name, i.id, i.number, l.description, lower(k.days), upper(k.days) - 1, k.minutes, k.billed_rate,
    k.rate, k.amount, i.currency, k.status, k.reason, p.full_name, k.decided_at, b.id, b.number
  from private.invoice_corrections k
  join public.invoice_lines l on l.id = k.invoice_line_id
  join public.invoices i on i.id = l.invoice_id
  join public.clients n on n.id = i.client_id
  left join public.profiles p on p.id = k.decided_by
  left join lateral (
    select v.id, v.number from public.invoice_lines t join public.invoices v on v.id = t.invoice_id
    where t.correction_id = k.id and t.credited_at is null
  ) b on true
  where l.credited_at is null and (p_contract_id is null or k.contract_id = p_contract_id)
  order by k.status <> 'proposed', n.name, i.number, l.position, lower(k.days), k.id;
end
$$;

-- Bills corrections with the next invoice ('accepted'), never ('waived', with a reason), or leaves them open again ('proposed').
create function public.decide_billing_corrections(p_ids uuid[], p_status text, p_reason text default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  why text := nullif(btrim(p_reason), '');
  decided integer;
  billed text;
  contracts uuid[];
begin
  perform private.require_billing_role();
  if p_ids is null or cardinality(p_ids) not between 1 and 500 then
    raise exception 'Choose 1 to 500 corrections.' using errcode = 'invalid_parameter_value';
  end if;
  if p_status is null or p_status not in ('accepted', 'waived', 'proposed') then
    raise exception 'Accept, waive or reopen corrections.' using errcode = 'invalid_parameter_value';
  end if;
  if p_status = 'waived' and why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  select i.number into billed
  from public.invoice_lines l join public.invoices i on i.id = l.invoice_id
  where l.correction_id = any (p_ids) and l.credited_at is null and i.status <> 'draft' limit 1;
  if found and p_status <> 'accepted' then
    raise exception 'Invoice % has billed this correction. Credit it there instead.', billed using errcode = 'PT409';
  end if;
  if p_status <> 'accepted' and exists (
    select from private.invoice_corrections k
    join private.invoice_corrections o on o.invoice_line_id = k.invoice_line_id and o.days && k.days and o.decided_at > k.decided_at
    where k.id = any (p_ids) and k.status = 'accepted' and o.status = 'accepted' and o.id <> all (p_ids)
  ) then
    raise exception 'A later correction builds on this one. Take that one back first.' using errcode = 'PT409';
  end if;
  if p_status = 'accepted' then
    -- What was waived is accepted as if it were proposed now: other corrections may have come after it.
    with reopened as (
      update private.invoice_corrections k set status = 'proposed', reason = null, decided_by = null, decided_at = null
      where k.id = any (p_ids) and k.status = 'waived' returning k.contract_id
    )
    select array_agg(distinct r.contract_id) into contracts from reopened r;
    perform private.propose_rate_corrections(c, '-infinity') from unnest(contracts) c;
    if exists (select from unnest(p_ids) n where not exists (select from private.invoice_corrections k where k.id = n)) then
      raise exception 'The rates have changed since. Reopen what was waived, and decide on what is proposed now.' using errcode = 'PT409';
    end if;
  end if;
  update private.invoice_corrections k set status = p_status, reason = case when p_status = 'proposed' then null else why end,
    decided_by = case when p_status = 'proposed' then null else auth.uid() end,
    decided_at = case when p_status = 'proposed' then null else clock_timestamp() end
  where k.id = any (p_ids) and k.status <> p_status;
  get diagnostics decided = row_count;
  -- What was open depends on what was decided.
  perform private.propose_rate_corrections(c.contract_id, '-infinity')
  from (select distinct k.contract_id from private.invoice_corrections k where k.id = any (p_ids)) c;
  return decided;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.billing_corrections, public.decide_billing_corrections from public, anon;
grant execute on function public.billing_corrections, public.decide_billing_corrections to authenticated, service_role;
