-- Contracts, their posts, rates and taxes.

-- ── Tables ────────────────────────────────────────────────────────────

-- What was agreed with a client: currency, dates, billing, and which posts are billed how.
create table public.contracts (
  id uuid default gen_random_uuid() primary key,
  client_id uuid not null references public.clients,
  title text not null check (char_length(title) <= 200),
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  starts_on date not null check (starts_on between '1900-01-01' and '2199-12-31'),
  -- Last day, inclusive; null: until further notice.
  ends_on date check (ends_on between '1900-01-01' and '2199-12-31'),
  billing_cycle text not null default 'monthly'
    check (billing_cycle in ('monthly', 'quarterly', 'annually', 'on-demand')),
  billing_day integer not null default 1 check (billing_day between 1 and 28), -- Of the month in which a cycle ends.
  payment_terms_days integer not null default 30 check (payment_terms_days between 0 and 180),
  -- What an uncovered hour takes off: nothing; its price, at posts that are paid whether worked or not; or a penalty.
  gap_credit text not null default 'none' check (gap_credit in ('none', 'hours', 'penalty')),
  -- Of a penalty: 1 is the price of the uncovered hour.
  gap_factor numeric(6,4) not null default 1 check (gap_factor between 0 and 10),
  agreed_headcount integer check (agreed_headcount between 0 and 100000),
  -- A name of tax_rates; null: no tax. On days on which the company is registered for VAT, that counts instead.
  tax_name text check (char_length(tax_name) <= 100),
  prices_include_tax boolean not null default false, -- Whether tax is part of the agreed prices, or comes on top.
  bill_to_name text check (char_length(bill_to_name) <= 200), -- Null: as in the client's record.
  bill_to_address text check (char_length(bill_to_address) <= 500),
  bill_to_email text check (char_length(bill_to_email) <= 320 and bill_to_email ~~ '_%@_%'),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  purchase_order text check (char_length(purchase_order) between 1 and 100), -- Of the client; on each of its invoices.
  constraint contracts_end_not_before_start check (ends_on >= starts_on)
);
create index contracts_client_id_idx on public.contracts (client_id, starts_on desc);
create index contracts_created_by_idx on public.contracts (created_by);
alter publication supabase_realtime add table public.contracts;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.contracts',
  'title', 'tax_name', 'bill_to_name', 'bill_to_address', 'bill_to_email', 'notes', 'purchase_order');
create trigger b_author before insert or update on public.contracts
  for each row execute function private.stamp_author();
create trigger c_has_invoices before delete on public.contracts
  for each row
  execute function private.refuse_while_used('invoices', 'contract_id',
    'This contract has invoices, so it can''t be deleted. Give it an end date instead.');
create trigger c_keep_invoiced before update on public.contracts
  for each row when ((old.client_id, old.currency) is distinct from (new.client_id, new.currency))
  execute function private.keep_invoiced_contract();
create trigger c_printable before insert or update of bill_to_name, bill_to_address, purchase_order
  on public.contracts
  for each row execute function private.refuse_unprintable('bill_to_name', 'bill_to_address', 'purchase_order');
create trigger c_tax_exists before insert or update of tax_name on public.contracts
  for each row when (new.tax_name is not null) execute function private.require_tax();
create trigger d_touch before update on public.contracts for each row execute function private.touch();
create trigger z_posts_follow after update on public.contracts
  for each row when ((old.starts_on, old.ends_on) is distinct from (new.starts_on, new.ends_on))
  execute function private.move_posts_with_contract();
select private.keep_history_of('public.contracts');
alter table public.contracts enable row level security;
grant select, insert, update, delete on public.contracts to authenticated;
create policy "Admins, finance and operations managers read contracts" on public.contracts
  for select to authenticated using ((select private.has_role('admin', 'finance', 'ops_manager')));
create policy "Admins and finance add contracts" on public.contracts
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change contracts" on public.contracts
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance delete contracts" on public.contracts
  for delete to authenticated using ((select private.may_bill()));

create table public.contract_posts (
  id uuid default gen_random_uuid() primary key,
  contract_id uuid not null references public.contracts on delete cascade,
  site_id uuid not null references public.sites,
  post_id uuid references public.posts, -- Null: every shift at the site whose post is not named by a row of its own.
  basis text not null default 'worked' check (basis in ('worked', 'fixed', 'minimum')),
  monthly_amount numeric(14,2) check (monthly_amount between 0 and 999999999999.99),
  -- Of a calendar month; fewer worked hours are billed as this many.
  minimum_hours numeric(10,2) check (minimum_hours between 0 and 99999999),
  vat_treatment text not null default 'standard' check (vat_treatment in ('standard', 'zero', 'exempt')),
  -- Both days inclusive, and by default those of the contract.
  starts_on date not null check (starts_on between '1900-01-01' and '2199-12-31'),
  ends_on date check (ends_on between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint contract_posts_one_contract_at_a_time exclude
    using gist (site_id with =, coalesce(post_id, '00000000-0000-0000-0000-000000000000'::uuid) with =,
    daterange(starts_on, ends_on, '[]') with &&),
  constraint contract_posts_contract_key unique (id, contract_id),
  constraint contract_posts_end_not_before_start check (ends_on >= starts_on),
  constraint contract_posts_basis_has_its_figure check ((basis = 'fixed') = (monthly_amount is not null)
    and (basis = 'minimum') = (minimum_hours is not null))
);
comment on column public.contract_posts.monthly_amount
  is 'Of basis fixed: for a calendar month; a part of one by its days';
create index contract_posts_contract_id_idx on public.contract_posts (contract_id);
create index contract_posts_site_id_idx on public.contract_posts (site_id, post_id);
create index contract_posts_post_id_idx on public.contract_posts (post_id) where post_id is not null;
create index contract_posts_created_by_idx on public.contract_posts (created_by);
alter publication supabase_realtime add table public.contract_posts;
-- Triggers, in the order in which they fire:
create trigger b_author before insert or update on public.contract_posts
  for each row execute function private.stamp_author();
create trigger b_check before insert or update on public.contract_posts
  for each row execute function private.check_contract_post();
create trigger c_keep_billed before delete on public.contract_posts
  for each row execute function private.keep_billed_post();
create trigger c_keep_billed_terms before update on public.contract_posts
  for each row when ((old.site_id, old.post_id, old.basis) is distinct from (new.site_id, new.post_id, new.basis))
  execute function private.keep_billed_post();
create trigger d_touch before update on public.contract_posts for each row execute function private.touch();
create trigger z_recheck after insert or delete on public.contract_posts
  for each row execute function private.recheck_contract_post();
create trigger z_recheck_changed after update on public.contract_posts
  for each row when ((old.contract_id, old.site_id, old.post_id, old.basis, old.starts_on, old.ends_on) is distinct
      from (new.contract_id, new.site_id, new.post_id, new.basis, new.starts_on, new.ends_on))
  execute function private.recheck_contract_post();
select private.keep_history_of('public.contract_posts');
alter table public.contract_posts enable row level security;
grant select, insert, update, delete on public.contract_posts to authenticated;
create policy "Admins, finance and operations managers read the posts of contr" on public.contract_posts for select
  to authenticated
  using ((select private.has_role('admin', 'finance', 'ops_manager')));
create policy "Admins and finance add posts to contracts" on public.contract_posts
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change the posts of contracts" on public.contract_posts
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance remove posts from contracts" on public.contract_posts
  for delete to authenticated using ((select private.may_bill()));

-- Dated prices of hours.
create table public.rates (
  id uuid default gen_random_uuid() primary key,
  contract_id uuid not null references public.contracts on delete cascade,
  contract_post_id uuid, -- Null: of every post of the contract without a rate of its own.
  kind text not null default 'regular' check (kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day')),
  -- Per hour, in the currency of the contract.
  amount numeric(14,4) not null check (amount between 0 and '9999999999'::bigint::numeric),
  effective_from date not null check (effective_from between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint rates_one_a_day unique nulls not distinct (contract_id, contract_post_id, kind, effective_from),
  constraint rates_post_of_contract foreign key (contract_post_id, contract_id) references public.contract_posts (id,
    contract_id) on delete cascade
);
comment on table public.rates is 'An hour without a rate of its kind costs the regular rate. A rate counts until the '
  'next one begins.';
create index rates_contract_post_id_idx on public.rates (contract_post_id, contract_id)
  where contract_post_id is not null;
create index rates_created_by_idx on public.rates (created_by);
alter publication supabase_realtime add table public.rates;
-- Triggers, in the order in which they fire:
create trigger b_author before insert or update on public.rates for each row execute function private.stamp_author();
create trigger c_keep_billed before delete on public.rates for each row execute function private.keep_billed_rate();
create trigger c_keep_billed_terms before update on public.rates
  for each row when ((old.contract_id, old.contract_post_id, old.kind, old.amount, old.effective_from) is distinct
      from (new.contract_id, new.contract_post_id, new.kind, new.amount, new.effective_from))
  execute function private.keep_billed_rate();
create trigger d_touch before update on public.rates for each row execute function private.touch();
create trigger z_propose_corrections after insert or update or delete on public.rates
  for each row execute function private.follow_rate();
create trigger z_recheck after insert or delete on public.rates for each row execute function private.recheck_rates();
create trigger z_recheck_changed after update on public.rates
  for each row when ((old.contract_id, old.contract_post_id, old.kind, old.effective_from) is distinct
      from (new.contract_id, new.contract_post_id, new.kind, new.effective_from))
  execute function private.recheck_rates();
select private.keep_history_of('public.rates');
alter table public.rates enable row level security;
grant select, insert, update, delete on public.rates to authenticated;
create policy "Admins and finance read the rates of contracts" on public.rates
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance add rates to contracts" on public.rates
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change the rates of contracts" on public.rates
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance delete rates of contracts" on public.rates
  for delete to authenticated using ((select private.may_bill()));

create table public.tax_rates (
  id uuid default gen_random_uuid() primary key,
  name text not null check (char_length(name) <= 100),
  rate numeric(6,4) not null check (rate between 0 and 1), -- A fraction: 0.1 is 10%.
  effective_from date not null check (effective_from between '1900-01-01' and '2199-12-31'),
  source text check (char_length(source) <= 500), -- Where the figure comes from.
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  proposed_by uuid references public.profiles on delete set null,
  approved_by uuid references public.profiles on delete set null,
  approved_at timestamptz not null default now(),
  constraint tax_rates_one_a_day unique (name, effective_from)
);
insert into public.tax_rates (name, rate, effective_from, source) values
  ('Withholding by clients', 0.1, '2025-01-01', 'PwC tax summaries, corporate withholding (reviewed September 2025)');

create index tax_rates_created_by_idx on public.tax_rates (created_by);
create index tax_rates_proposed_by_idx on public.tax_rates (proposed_by);
create index tax_rates_approved_by_idx on public.tax_rates (approved_by);
alter publication supabase_realtime add table public.tax_rates;
-- Triggers, in the order in which they fire:
create trigger c_issued_truncate before truncate on public.tax_rates
  for each statement execute function private.refuse_truncate_of_documents();
select private.tidy_texts_of('public.tax_rates', 'name', 'source');
create trigger b_author before insert or update on public.tax_rates
  for each row execute function private.stamp_author();
create trigger c_in_use before delete on public.tax_rates for each row execute function private.keep_used_tax();
create trigger c_keep_name before update on public.tax_rates
  for each row when (old.name <> new.name) execute function private.keep_used_tax();
create trigger c_keep_used before insert or update or delete on public.tax_rates
  for each row execute function private.keep_used_tax_rate();
create trigger d_touch before update on public.tax_rates for each row execute function private.touch();
select private.keep_history_of('public.tax_rates');
alter table public.tax_rates enable row level security;
grant select, delete on public.tax_rates to authenticated;
create policy "Admins and finance read tax rates" on public.tax_rates
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance delete tax rates" on public.tax_rates
  for delete to authenticated using ((select private.may_bill()));

-- When the company is registered for VAT. On these days its sales have VAT, whatever tax a contract names.
create table public.vat_registrations (
  id uuid default gen_random_uuid() primary key,
  tax_name text not null default 'VAT' check (char_length(tax_name) <= 100), -- A name of tax_rates: the standard rate.
  -- Printed on invoices.
  number text not null check (char_length(number) <= 40 and number ~ '^[0-9A-Za-z][0-9A-Za-z /-]*$'),
  -- Both days inclusive; without the second until further notice.
  registered_from date not null check (registered_from between '1900-01-01' and '2199-12-31'),
  registered_to date check (registered_to between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint vat_registrations_one_at_a_time exclude
    using gist (daterange(registered_from, registered_to, '[]') with &&),
  constraint vat_registrations_end_not_before_start check (registered_to >= registered_from)
);
create index vat_registrations_created_by_idx on public.vat_registrations (created_by);
alter publication supabase_realtime add table public.vat_registrations;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.vat_registrations', 'tax_name', 'number');
create trigger b_author before insert or update on public.vat_registrations
  for each row execute function private.stamp_author();
create trigger c_has_rate before insert or update on public.vat_registrations
  for each row execute function private.require_rate_of_registration();
create trigger c_keep_used before update or delete on public.vat_registrations
  for each row execute function private.keep_used_registration();
create trigger d_touch before update on public.vat_registrations for each row execute function private.touch();
select private.keep_history_of('public.vat_registrations');
alter table public.vat_registrations enable row level security;
grant select, insert, update, delete on public.vat_registrations to authenticated;
create policy "Admins and finance read registrations for VAT" on public.vat_registrations
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance add registrations for VAT" on public.vat_registrations
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change registrations for VAT" on public.vat_registrations
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance delete registrations for VAT" on public.vat_registrations
  for delete to authenticated using ((select private.may_bill()));

-- Certificates with which clients buy without VAT, as embassies do.
create table public.vat_exemptions (
  id uuid default gen_random_uuid() primary key,
  client_id uuid not null references public.clients on delete cascade,
  certificate text not null check (char_length(certificate) between 1 and 60), -- Its number, printed on invoices.
  -- Both days inclusive; without the second until further notice.
  valid_from date not null check (valid_from between '1900-01-01' and '2199-12-31'),
  valid_to date check (valid_to between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint vat_exemptions_one_at_a_time exclude
    using gist (client_id with =, daterange(valid_from, valid_to, '[]') with &&),
  constraint vat_exemptions_end_not_before_start check (valid_to >= valid_from)
);
create index vat_exemptions_created_by_idx on public.vat_exemptions (created_by);
alter publication supabase_realtime add table public.vat_exemptions;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.vat_exemptions', 'certificate');
create trigger b_author before insert or update on public.vat_exemptions
  for each row execute function private.stamp_author();
create trigger c_printable before insert or update of certificate on public.vat_exemptions
  for each row execute function private.refuse_unprintable('certificate');
create trigger d_touch before update on public.vat_exemptions for each row execute function private.touch();
select private.keep_history_of('public.vat_exemptions');
alter table public.vat_exemptions enable row level security;
grant select, insert, update, delete on public.vat_exemptions to authenticated;
create policy "Admins and finance read exemptions from VAT" on public.vat_exemptions
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance add exemptions from VAT" on public.vat_exemptions
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change exemptions from VAT" on public.vat_exemptions
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance delete exemptions from VAT" on public.vat_exemptions
  for delete to authenticated using ((select private.may_bill()));

-- ── Functions ─────────────────────────────────────────────────────────

-- The site is one of the client's, the post one of the site's, and the days are within the contract.
create function private.check_contract_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  contract public.contracts;
begin
  if tg_op = 'UPDATE' then
    new.contract_id := old.contract_id;
  end if;
  -- Serializes with a change of the contract's dates.
  select * into contract from public.contracts c where c.id = new.contract_id for share;
  if contract.id is null then
    return new;
  end if;
  new.starts_on := coalesce(new.starts_on, contract.starts_on);
  if tg_op = 'INSERT' then
    new.ends_on := coalesce(new.ends_on, contract.ends_on);
  end if;
  if new.starts_on < contract.starts_on or coalesce(new.ends_on, 'infinity') > coalesce(contract.ends_on, 'infinity')
  then
    raise exception 'The days of a post must be within the contract.' using errcode = 'check_violation';
  end if;
  if (tg_op = 'INSERT' or new.site_id <> old.site_id) and not exists (
    select from public.sites s where s.id = new.site_id and s.client_id = contract.client_id
  ) then
    raise exception 'This site isn''t one of the client''s. Choose the client on the site first.'
      using errcode = 'check_violation';
  end if;
  if new.post_id is not null and not exists (
    select from public.posts p where p.id = new.post_id and p.site_id = new.site_id
  ) then
    raise exception 'This post is at another site.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

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
    when p_kind in ('income_tax', 'income_tax_non_resident', 'income_tax_no_tin') and p_rate > 0.6
      then 'Income tax can be 60 % at most.'
    when p_kind = 'tax' and p_rate > 0.5 then 'Tax on invoices can be 50 % at most.'
    when p_day not between '2000-01-01' and private.company_date() + 7305
      then 'A rate begins between January 1, 2000 and twenty years from now.'
  end;
$$;

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

-- p_rate null: whether any rate of this name that begins on the day would have been used.
create function private.require_unused_tax_rate(p_name text, p_day date, p_rate numeric) returns void
language plpgsql security definer set search_path = '' as $$
declare
  last_day date;
begin
  select max(i.period_end) into last_day
  from public.invoice_lines l join public.invoices i on i.id = l.invoice_id
  where l.tax_name = p_name and (p_rate is null or l.tax_rate = p_rate) and i.status <> 'draft'
    and i.period_end >= p_day;
  if last_day is not null then
    raise exception 'Issued invoices use % up to %. Add a rate that begins after it.', p_name,
      private.day_name(last_day)
      using errcode = 'PT409';
  end if;
end
$$;

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

-- The price of an hour: of its kind before the regular one, of the post before the contract; null if none has begun.
create function private.hour_rate(p_contract_id uuid, p_contract_post_id uuid, p_kind text, p_day date) returns numeric
language sql stable security definer set search_path = '' as $$
  select r.amount from public.rates r
  where r.contract_id = p_contract_id and (r.contract_post_id = p_contract_post_id or r.contract_post_id is null)
    and r.kind in (p_kind, 'regular') and r.effective_from <= p_day
  order by r.kind = p_kind desc, r.contract_post_id nulls last, r.effective_from desc limit 1;
$$;

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
    select l.id, d.day::date as day, sum(extract(epoch
      from least(upper(b.span), private.company_midnight(d.day::date + 1))
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
      cross join lateral unnest(coalesce(l.days,
        datemultirange(daterange(l.month, (l.month + interval '1 month')::date)))) r
      cross join lateral generate_series(lower(r)::timestamp, upper(r)::timestamp - interval '1 day',
        interval '1 day') d (day)
      where l.kind = 'minimum'
      window w as (partition by l.id order by d.day)
    ) s
  ), priced as (
    select d.id, d.day, d.minutes, coalesce((
        select k.rate from private.invoice_corrections k
        where k.invoice_line_id = d.id and k.status = 'accepted' and k.days @> d.day order by k.decided_at desc, k.id
          limit 1
      ), l.rate) as billed_rate,
      private.hour_rate(p_contract_id, l.contract_post_id, case l.kind when 'minimum' then 'regular'
        else l.kind end, d.day) as rate
    from by_day d join lines l on l.id = d.id
    where d.minutes > 0
  ), found as materialized (
    select p.id, p.billed_rate, p.rate, range_agg(daterange(p.day, p.day + 1)) as days,
      sum(p.minutes)::integer as minutes
    from priced p
    where p.rate <> p.billed_rate and not exists (
      select from private.invoice_corrections k
      where k.invoice_line_id = p.id and k.status = 'waived' and k.billed_rate = p.billed_rate and k.rate = p.rate
        and k.days @> p.day
    )
    group by p.id, p.billed_rate, p.rate
  ), gone as (
    delete from private.invoice_corrections k
    where k.contract_id = p_contract_id and k.status = 'proposed' and not exists (
      select from found f
      where f.id = k.invoice_line_id and f.billed_rate = k.billed_rate and f.rate = k.rate and f.days = k.days
        and f.minutes = k.minutes
    )
  )
  insert into private.invoice_corrections (contract_id, invoice_line_id, days, minutes, billed_rate, rate)
  select p_contract_id, f.id, f.days, f.minutes, f.billed_rate, f.rate from found f
  where not exists (
    select from private.invoice_corrections k
    where k.invoice_line_id = f.id and k.status = 'proposed' and k.billed_rate = f.billed_rate and k.rate = f.rate
      and k.days = f.days
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

-- An invoice has used this rate: its hours name the kind, the post and the days.
create function private.keep_billed_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.invoices i
    join public.invoice_lines l on l.invoice_id = i.id
      and (old.contract_post_id is null or l.contract_post_id = old.contract_post_id)
      and l.kind not in ('fixed', 'other') and l.rate = old.amount
    where i.contract_id = old.contract_id and i.status <> 'draft' and i.period_end >= old.effective_from
  ) then
    raise exception 'An issued invoice uses this rate. Add a rate with a later date instead.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create function private.keep_used_tax() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.contracts c where c.tax_name = old.name)
    and not exists (select from public.tax_rates t where t.name = old.name and t.id <> old.id)
  then
    raise exception 'Contracts use this tax. Choose another tax on them first.' using errcode = 'PT409';
  end if;
  if exists (
    select from public.vat_registrations r
    where r.tax_name = old.name and not exists (
      select from public.tax_rates t
      where t.name = old.name and t.id <> old.id and t.effective_from <= r.registered_from)
  ) then
    raise exception 'The registration for VAT needs this rate. Change the registration first.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

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

create function private.notify_of_proposed_rate() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- One notice for all bands of a day.
  perform private.notify_approvers('A rate waits for your approval',
    format('In force from %s. Open Pay Rates to approve it.', private.day_name(new.effective_from)), '/admin/payroll',
    concat_ws(':', 'rate', new.kind, new.name, new.effective_from, txid_current()));
  return null;
end
$$;

-- Posts that begin or end with the contract keep doing so when its dates change.
create function private.move_posts_with_contract() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.contract_posts p set
    starts_on = case when p.starts_on = old.starts_on then new.starts_on else p.starts_on end,
    ends_on = case when p.ends_on is not distinct from old.ends_on then new.ends_on else p.ends_on end
  where p.contract_id = new.id;
  return null;
end
$$;

-- A contract's row decides whether hours are billed one by one or by the month. Of an insert, old is null; of a delete,
-- new.
create function private.recheck_contract_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.recheck_timesheets_of_site(array[old.site_id, new.site_id], '-infinity', 'infinity');
  return null;
end
$$;

-- Whether an hour has a rate, not which.
create function private.recheck_rates() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (contract_id)
  select x.id from unnest(array[old.contract_id, new.contract_id]) x (id) where x.id is not null;
  return null;
end
$$;

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
    raise exception 'Rates have changed since the calculation. Return the run and calculate it again.'
      using errcode = 'PT409';
  end if;
  return new;
end
$$;

-- A contract names a tax that exists, and keeps it.
create function private.require_tax() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.tax_rates t where t.name = new.tax_name) then
    raise exception 'There is no tax named %.', new.tax_name using errcode = 'check_violation';
  end if;
  return new;
end
$$;

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
    raise exception 'The bands of a day begin at L$0. Propose that band and all others of the day first.'
      using errcode = 'PT409';
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
grant execute on function public.approve_rate to authenticated;

-- Which row of a contract counts for a place on a day: the one of the post, else that of the whole site.
create function private.contract_post_on(p_site_id uuid, p_post_id uuid, p_day date) returns public.contract_posts
language sql stable security definer set search_path = '' as $$
  select c from public.contract_posts c
  where c.site_id = p_site_id and (c.post_id = p_post_id or c.post_id is null)
    and p_day >= c.starts_on and (c.ends_on is null or p_day <= c.ends_on)
  order by c.post_id nulls last limit 1;
$$;

-- The same for work, of which the morning of a contract's last night is on the day after its end: unless another row
-- has that day, the row of the day on which the shift began counts.
-- @param p_began company day on which the shift began; null without a shift
create function private.contract_post_of_work(p_site_id uuid, p_post_id uuid, p_day date, p_began date)
returns public.contract_posts
language sql stable security definer set search_path = '' as $$
  select c from (
    select private.contract_post_on(p_site_id, p_post_id, p_day) as c, 1 as place
    union all
    select private.contract_post_on(p_site_id, p_post_id, p_began), 2 where p_began = p_day - 1
  ) x
  where (x.c).id is not null order by x.place limit 1;
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
    -- This one has no effect before its first day.
    and (p_kind <> 'income_tax_no_tin' or p_day <= r.period_end)
  order by r.period_end desc limit 1;
$$;

create function private.tax_rate_on(p_name text, p_day date) returns numeric
language sql stable security definer set search_path = '' as $$
  select t.rate from public.tax_rates t where t.name = p_name and t.effective_from <= p_day
  order by t.effective_from desc limit 1;
$$;

-- From its first day on, a registration has a rate that two people agreed on.
create function private.require_rate_of_registration() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.tax_rate_on(new.tax_name, new.registered_from) is null then
    raise exception 'There is no rate of % in force on %. Approve it in Pay Rates first.',
      new.tax_name, private.day_text(new.registered_from) using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- Issued invoices and expenses with VAT keep the days of the registration that they were made in.
create function private.keep_used_registration() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  days_lost datemultirange := datemultirange(daterange(old.registered_from, old.registered_to, '[]'));
  used text;
begin
  if tg_op = 'UPDATE' and new.tax_name = old.tax_name then
    days_lost := days_lost - datemultirange(daterange(new.registered_from, new.registered_to, '[]'));
  end if;
  -- An invoice has VAT for a part of its days if the registration began or ended within them.
  select i.number into used from public.invoices i
  where i.status not in ('draft', 'credited')
    and daterange(i.period_start, i.period_end, '[]') && days_lost
    and (tg_op = 'DELETE' or new.tax_name <> old.tax_name
      or not daterange(i.period_start, i.period_end, '[]') && daterange(new.registered_from, new.registered_to, '[]'))
    and exists (
      select from public.invoice_lines l
      where l.invoice_id = i.id and l.vat_treatment is not null and l.credited_at is null)
  order by i.issued_on, i.sequence limit 1;
  if used is null then
    select e.title into used from public.expense_reports e
    where e.vat_amount > 0 and e.expense_date <@ days_lost order by e.expense_date limit 1;
  end if;
  if used is not null then
    raise exception '"%" has VAT of these days, so they stay registered.', used using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- The spans of [p_first, p_last] over which a line of a contract has one tax.
-- @param p_contract_post_id null: a line of no post, at the standard rate
create function private.tax_days(p_contract_id uuid, p_contract_post_id uuid, p_first date, p_last date)
returns table (first date, last date, tax_name text, tax_rate numeric, vat_treatment text)
language sql stable security definer set search_path = '' as $$
  select t.* from public.contracts c
  left join public.contract_posts p on p.id = p_contract_post_id
  cross join lateral private.tax_days_of(c.client_id, c.tax_name, coalesce(p.vat_treatment, 'standard'), p_first,
    p_last) t
  where c.id = p_contract_id;
$$;

-- The spans over which something sold has one tax. On days of a registration that is VAT, by the treatment and the
-- client's certificates; on others the tax that is named.
-- @param p_client_id null: nobody's certificates
create function private.tax_days_of(
  p_client_id uuid, p_tax_name text, p_treatment text, p_first date, p_last date
) returns table (first date, last date, tax_name text, tax_rate numeric, vat_treatment text)
language sql stable security definer set search_path = '' as $$
  with changes as (
    select p_first as day
    union
    select d.day from public.vat_registrations r
    cross join lateral (values (r.registered_from), (r.registered_to + 1)) d (day)
    where d.day > p_first and d.day <= p_last
    union
    select d.day from public.vat_exemptions e
    cross join lateral (values (e.valid_from), (e.valid_to + 1)) d (day)
    where e.client_id = p_client_id and d.day > p_first and d.day <= p_last
    union
    select x.effective_from from public.tax_rates x where x.effective_from > p_first and x.effective_from <= p_last
  ), spans as (
    select c.day, coalesce(lead(c.day) over (order by c.day) - 1, p_last) as last, x.tax_name, x.tax_rate, x.treatment
    from changes c
    cross join lateral private.vat_registration_on(c.day) r
    cross join lateral private.vat_exemption_on(p_client_id, c.day) e
    cross join lateral (
      select coalesce(r.tax_name, p_tax_name) as tax_name,
        case when r.id is null then null when e.id is not null then 'exempt' else p_treatment end as treatment
    ) n
    cross join lateral (
      select n.tax_name, n.treatment,
        case when n.treatment in ('zero', 'exempt') then 0 else private.tax_rate_on(n.tax_name, c.day) end as tax_rate
    ) x
  ), islands as (
    -- A change of what doesn't apply here divides nothing.
    select s.*, row_number() over (order by s.day)
      - row_number() over (partition by s.tax_name, s.tax_rate, s.treatment order by s.day) as island
    from spans s
  )
  select min(i.day), max(i.last), case when i.tax_rate is not null then i.tax_name end, i.tax_rate, i.treatment
  from islands i group by i.tax_name, i.tax_rate, i.treatment, i.island;
$$;

-- What is left of a price that contains a tax, to the cent.
create function private.price_without_tax(p_price numeric, p_rate numeric) returns numeric
language sql immutable set search_path = '' return round(p_price / (1 + p_rate), 2);

-- The registration for VAT of a day; null on a day without.
create function private.vat_registration_on(p_day date) returns public.vat_registrations
language sql stable security definer set search_path = '' as $$
  select r from public.vat_registrations r
  where p_day >= r.registered_from and (r.registered_to is null or p_day <= r.registered_to);
$$;

-- The certificate with which a client buys without VAT on a day; null on a day without.
create function private.vat_exemption_on(p_client_id uuid, p_day date) returns public.vat_exemptions
language sql stable security definer set search_path = '' as $$
  select e from public.vat_exemptions e
  where e.client_id = p_client_id and p_day >= e.valid_from and (e.valid_to is null or p_day <= e.valid_to);
$$;

-- The name of VAT among the taxes, as it comes with the product.
create function private.vat_name() returns text language sql immutable set search_path = '' return 'VAT';
