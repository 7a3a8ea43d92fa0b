-- Dated prices of hours, and dated rates of tax.
create table public.rates (
  id uuid primary key default gen_random_uuid(),
  contract_id uuid not null references public.contracts (id) on delete cascade,
  -- Null: of every post of the contract without a rate of its own.
  contract_post_id uuid,
  kind text not null default 'regular' check (kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day')),
  -- Per hour, in the currency of the contract.
  amount numeric(14, 4) not null check (amount between 0 and 9999999999),
  effective_from date not null check (effective_from between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint rates_post_of_contract foreign key (contract_post_id, contract_id)
    references public.contract_posts (id, contract_id) on delete cascade,
  constraint rates_one_a_day unique nulls not distinct (contract_id, contract_post_id, kind, effective_from)
);
comment on table public.rates is 'An hour without a rate of its kind costs the regular rate. A rate counts until the next one begins.';
create index rates_contract_post_id_idx on public.rates (contract_post_id, contract_id) where contract_post_id is not null;
create index rates_created_by_idx on public.rates (created_by);

create table public.tax_rates (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) <= 100),
  -- A fraction: 0.1 is 10%.
  rate numeric(6, 4) not null check (rate between 0 and 1),
  effective_from date not null check (effective_from between '1900-01-01' and '2199-12-31'),
  -- Where the figure comes from.
  source text check (char_length(source) <= 500),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tax_rates_one_a_day unique (name, effective_from)
);
create index tax_rates_created_by_idx on public.tax_rates (created_by);

select private.tidy_texts_of('public.tax_rates', 'name', 'source');
create trigger b_author before insert or update on public.rates
  for each row execute function private.stamp_author();
create trigger b_author before insert or update on public.tax_rates
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.rates
  for each row execute function private.touch();
create trigger d_touch before update on public.tax_rates
  for each row execute function private.touch();
select private.keep_history_of('public.rates');
select private.keep_history_of('public.tax_rates');

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
create trigger c_tax_exists before insert or update of tax_name on public.contracts
  for each row when (new.tax_name is not null) execute function private.require_tax();

create function private.keep_used_tax() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.contracts c where c.tax_name = old.name)
    and not exists (select from public.tax_rates t where t.name = old.name and t.id <> old.id)
  then
    raise exception 'Contracts use this tax. Choose another tax on them first.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger c_in_use before delete on public.tax_rates
  for each row execute function private.keep_used_tax();
create trigger c_keep_name before update on public.tax_rates
  for each row when (old.name <> new.name) execute function private.keep_used_tax();

alter table public.rates enable row level security;
alter table public.tax_rates enable row level security;
revoke all on public.rates, public.tax_rates from anon, authenticated;
grant select, insert, update, delete on public.rates, public.tax_rates to authenticated;

create policy "Admins and finance read the rates of contracts" on public.rates
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance add rates to contracts" on public.rates
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change the rates of contracts" on public.rates
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance delete rates of contracts" on public.rates
  for delete to authenticated using ((select private.may_bill()));
create policy "Admins and finance read tax rates" on public.tax_rates
  for select to authenticated using ((select private.may_bill()));
create policy "Admins and finance add tax rates" on public.tax_rates
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change tax rates" on public.tax_rates
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance delete tax rates" on public.tax_rates
  for delete to authenticated using ((select private.may_bill()));

alter publication supabase_realtime add table public.rates, public.tax_rates;

revoke all on all functions in schema private from public;
