-- Rates of pay, exchange and tax count once a second person has approved them, and those that a locked run or an issued
-- invoice used never change. Proposals are in a table of their own, so every reader of rates sees approved ones alone.

alter table public.pay_rates
  add column proposed_by uuid references public.profiles (id) on delete set null,
  add column approved_by uuid references public.profiles (id) on delete set null,
  add column approved_at timestamptz not null default now();
alter table public.tax_rates
  add column proposed_by uuid references public.profiles (id) on delete set null,
  add column approved_by uuid references public.profiles (id) on delete set null,
  add column approved_at timestamptz not null default now();
create index pay_rates_proposed_by_idx on public.pay_rates (proposed_by);
create index pay_rates_approved_by_idx on public.pay_rates (approved_by);
create index tax_rates_proposed_by_idx on public.tax_rates (proposed_by);
create index tax_rates_approved_by_idx on public.tax_rates (approved_by);
-- What is in force already counts as approved then.
update public.pay_rates set approved_at = created_at;
update public.tax_rates set approved_at = created_at;

-- @returns why a rate can't be right, null if it can
create function private.rate_problem(p_kind text, p_rate numeric, p_day date) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when p_rate < 0 then 'A rate can''t be negative.'
    when p_kind = 'lrd_per_usd' and p_rate not between 50 and 1000
      then 'The exchange rate must be from L$50 to L$1,000 for one US$.'
    when p_kind = 'minimum_wage' and p_rate not between 0.5 and 100
      then 'The minimum wage must be from US$0.50 to US$100 a day.'
    when p_kind in ('nasscorp_employee', 'nasscorp_employer') and (p_rate = 0 or p_rate > 0.3)
      then 'A share of NASSCORP must be above 0 % and at most 30 %.'
    when p_kind in ('income_tax', 'income_tax_non_resident') and p_rate > 0.6 then 'Income tax can be 60 % at most.'
    when p_kind = 'tax' and p_rate > 0.5 then 'Tax on invoices can be 50 % at most.'
    when p_day not between '2000-01-01' and private.company_date() + 7305
      then 'A rate begins between January 1, 2000 and twenty years from now.'
  end;
$$;

-- The locked run that has, or would have, the rate that begins on a day: the latest one.
create function private.run_of_rate(p_kind text, p_day date) returns public.pay_runs
language sql stable security definer set search_path = '' as $$
  select r from public.pay_runs r
  where r.locked_at is not null and r.status <> 'void' and p_day = (
    -- As private.pay_rate chooses.
    select d.day
    from (select p.effective_from as day from public.pay_rates p where p.kind = p_kind union select p_day) d
    order by d.day <= r.period_end desc,
      case when d.day <= r.period_end then r.period_end - d.day else d.day - r.period_end end
    limit 1
  )
  order by r.period_end desc limit 1;
$$;

create function private.require_unused_pay_rate(p_kind text, p_day date) returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs := private.run_of_rate(p_kind, p_day);
begin
  if run.id is not null then
    raise exception 'The pay run of % is locked with the rates of its time. Add a rate that begins after %.',
      private.period_text(run.period_start, run.period_end), private.day_name(run.period_end) using errcode = 'PT409';
  end if;
end
$$;

-- p_rate null: whether any rate of this name that begins on the day would have been used.
create function private.require_unused_tax_rate(p_name text, p_day date, p_rate numeric) returns void
language plpgsql security definer set search_path = '' as $$
declare
  last_day date;
begin
  select max(i.period_end) into last_day
  from public.invoice_lines l join public.invoices i on i.id = l.invoice_id
  where l.tax_name = p_name and (p_rate is null or l.tax_rate = p_rate) and i.status <> 'draft' and i.period_end >= p_day;
  if last_day is not null then
    raise exception 'Issued invoices use % up to %. Add a rate that begins after it.', p_name, private.day_name(last_day)
      using errcode = 'PT409';
  end if;
end
$$;

create function private.keep_used_pay_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  problem text;
begin
  if tg_op = 'UPDATE' and (old.kind, old.effective_from, old.from_amount, old.rate)
    = (new.kind, new.effective_from, new.from_amount, new.rate)
  then
    return new;
  end if;
  -- Rates and locking runs take turns.
  perform pg_advisory_xact_lock(hashtextextended('pay rates', 0));
  if tg_op <> 'DELETE' then
    problem := private.rate_problem(new.kind, new.rate, new.effective_from);
    if problem is not null then
      raise exception '%', problem using errcode = 'check_violation';
    end if;
    perform private.require_unused_pay_rate(new.kind, new.effective_from);
  end if;
  if tg_op <> 'INSERT' then
    perform private.require_unused_pay_rate(old.kind, old.effective_from);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger c_keep_used before insert or update or delete on public.pay_rates
  for each row execute function private.keep_used_pay_rate();
create trigger c_locked_truncate before truncate on public.pay_rates
  for each statement execute function private.refuse_truncate_of_locked_runs();

-- The bands of a day are one table of tax.
create function private.delete_other_bands() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.pay_rates r where r.kind = 'income_tax' and r.effective_from = old.effective_from;
  return null;
end
$$;
create trigger z_other_bands after delete on public.pay_rates
  for each row when (old.kind = 'income_tax' and pg_trigger_depth() = 0) execute function private.delete_other_bands();

create function private.keep_used_tax_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  problem text;
begin
  if tg_op = 'UPDATE' and (old.name, old.effective_from, old.rate) = (new.name, new.effective_from, new.rate) then
    return new;
  end if;
  if tg_op <> 'DELETE' then
    problem := private.rate_problem('tax', new.rate, new.effective_from);
    if problem is not null then
      raise exception '%', problem using errcode = 'check_violation';
    end if;
    perform private.require_unused_tax_rate(new.name, new.effective_from, null);
  end if;
  if tg_op <> 'INSERT' then
    perform private.require_unused_tax_rate(old.name, old.effective_from, old.rate);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger c_keep_used before insert or update or delete on public.tax_rates
  for each row execute function private.keep_used_tax_rate();
create trigger c_issued_truncate before truncate on public.tax_rates
  for each statement execute function private.refuse_truncate_of_documents();

-- The rate of exchange of a run, from the rates or by hand.
create function private.check_exchange_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.lrd_per_usd is null then
    raise exception 'There is no exchange rate. Add one under Pay Rates first.' using errcode = 'PT409';
  end if;
  if private.rate_problem('lrd_per_usd', new.lrd_per_usd, null) is not null then
    raise exception '%', private.rate_problem('lrd_per_usd', new.lrd_per_usd, null) using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger d_exchange_rate before insert or update of lrd_per_usd on public.pay_runs
  for each row execute function private.check_exchange_rate();

-- A run is locked with the rates that it was calculated with.
create function private.refuse_changed_rates() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('pay rates', 0));
  if exists (
    select from public.pay_rates p
    where p.approved_at > new.calculated_at and p.effective_from = (
      select q.effective_from from public.pay_rates q where q.kind = p.kind
      order by q.effective_from <= new.period_end desc,
        case when q.effective_from <= new.period_end then new.period_end - q.effective_from
          else q.effective_from - new.period_end end
      limit 1)
  ) then
    raise exception 'Rates have changed since the calculation. Return the run and calculate it again.' using errcode = 'PT409';
  end if;
  return new;
end
$$;
create trigger c_rates before update of status on public.pay_runs
  for each row when (new.status = 'locked' and old.status is distinct from 'locked')
  execute function private.refuse_changed_rates();

-- Rates that wait for a second person. Approving moves them to pay_rates or tax_rates.
create table public.rate_proposals (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in (
    'income_tax', 'income_tax_non_resident', 'nasscorp_employee', 'nasscorp_employer', 'lrd_per_usd', 'minimum_wage', 'tax')),
  -- Of a tax on invoices.
  name text check (char_length(name) <= 100),
  effective_from date not null check (effective_from between '1900-01-01' and '2199-12-31'),
  -- Of a band of income tax: the yearly income in LRD above which it applies.
  from_amount numeric(14, 2) not null default 0 check (from_amount between 0 and 999999999999.99),
  -- A share, an amount of money, or LRD for one USD.
  rate numeric(14, 6) not null check (rate between 0 and 99999999),
  source text not null check (char_length(source) between 1 and 500),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint rate_proposals_band check (kind = 'income_tax' or from_amount = 0),
  constraint rate_proposals_name check ((kind = 'tax') = (name is not null)),
  constraint rate_proposals_once unique nulls not distinct (kind, name, effective_from, from_amount)
);
create index rate_proposals_created_by_idx on public.rate_proposals (created_by);
select private.tidy_texts_of('public.rate_proposals', 'name', 'source');
create trigger b_author before insert on public.rate_proposals for each row execute function private.stamp_author();
select private.keep_history_of('public.rate_proposals');

create function private.check_proposed_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  problem text := private.rate_problem(new.kind, new.rate, new.effective_from);
begin
  if problem is not null then
    raise exception '%', problem using errcode = 'check_violation';
  end if;
  if new.kind = 'tax' then
    perform private.require_unused_tax_rate(new.name, new.effective_from, null);
  else
    perform private.require_unused_pay_rate(new.kind, new.effective_from);
  end if;
  if exists (
    select from public.pay_rates r
    where r.kind = new.kind and r.effective_from = new.effective_from and r.from_amount = new.from_amount
  ) or exists (select from public.tax_rates t where t.name = new.name and t.effective_from = new.effective_from) then
    raise exception 'A rate of this kind begins on that day already. Delete it first.' using errcode = 'PT409';
  end if;
  return new;
end
$$;
create trigger c_rules before insert on public.rate_proposals
  for each row execute function private.check_proposed_rate();

alter table public.rate_proposals enable row level security;
revoke all on public.rate_proposals from public, anon, authenticated;
grant select, insert, delete on public.rate_proposals to authenticated;
create policy "Admins and finance read proposed rates" on public.rate_proposals for select to authenticated
  using ((select private.may_bill()));
create policy "Admins and finance propose rates" on public.rate_proposals for insert to authenticated
  with check ((select private.may_bill()));
create policy "Admins and finance withdraw proposed rates" on public.rate_proposals for delete to authenticated
  using ((select private.may_bill()));
alter publication supabase_realtime add table public.rate_proposals;

drop policy "Admins and finance add pay rates" on public.pay_rates;
drop policy "Admins and finance change pay rates" on public.pay_rates;
drop policy "Admins and finance add tax rates" on public.tax_rates;
drop policy "Admins and finance change tax rates" on public.tax_rates;
revoke insert, update on public.pay_rates, public.tax_rates from authenticated;

-- Bands of income tax that begin on one day are approved together. @returns how many rates are in force now
create function public.approve_rate(p_id uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  chosen public.rate_proposals;
  approved public.rate_proposals[];
begin
  perform private.require_billing_role();
  select * into chosen from public.rate_proposals p where p.id = p_id;
  if not found then
    raise exception 'This proposal no longer exists.' using errcode = 'PT404';
  end if;
  with taken as (
    delete from public.rate_proposals p
    where p.kind = chosen.kind and p.effective_from = chosen.effective_from and (p.id = p_id or p.kind = 'income_tax')
    returning p.*
  )
  select array_agg(t::public.rate_proposals) into approved from taken t;
  if approved is null then
    raise exception 'Someone has already decided this proposal.' using errcode = 'PT409';
  end if;
  if exists (select from unnest(approved) a where a.created_by is not distinct from auth.uid()) then
    raise exception 'Someone else must approve it: you proposed it.' using errcode = 'insufficient_privilege';
  end if;
  if chosen.kind = 'income_tax' and not exists (select from unnest(approved) a where a.from_amount = 0)
    and not exists (select from public.pay_rates r
      where r.kind = 'income_tax' and r.effective_from = chosen.effective_from and r.from_amount = 0)
  then
    raise exception 'The bands of a day begin at L$0. Propose that band and all others of the day first.' using errcode = 'PT409';
  end if;
  insert into public.pay_rates (id, kind, effective_from, from_amount, rate, source, proposed_by, approved_by)
  select a.id, a.kind, a.effective_from, a.from_amount, a.rate, a.source, a.created_by, auth.uid()
  from unnest(approved) a where a.kind <> 'tax' order by a.from_amount;
  insert into public.tax_rates (id, name, rate, effective_from, source, proposed_by, approved_by)
  select a.id, a.name, a.rate, a.effective_from, a.source, a.created_by, auth.uid()
  from unnest(approved) a where a.kind = 'tax';
  return cardinality(approved);
end
$$;

revoke execute on function public.approve_rate(uuid), private.rate_problem(text, numeric, date),
  private.run_of_rate(text, date), private.require_unused_pay_rate(text, date),
  private.require_unused_tax_rate(text, date, numeric), private.keep_used_pay_rate(), private.delete_other_bands(),
  private.keep_used_tax_rate(), private.check_exchange_rate(), private.refuse_changed_rates(),
  private.check_proposed_rate() from public, anon, authenticated;
grant execute on function public.approve_rate(uuid) to authenticated;
