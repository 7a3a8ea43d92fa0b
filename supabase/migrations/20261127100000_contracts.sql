-- What was agreed with a client: currency, dates, billing, and which posts are billed how.
create table public.contracts (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references public.clients (id),
  title text not null check (char_length(title) <= 200),
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  starts_on date not null check (starts_on between '1900-01-01' and '2199-12-31'),
  -- Last day, inclusive; null: until further notice.
  ends_on date check (ends_on between '1900-01-01' and '2199-12-31'),
  billing_cycle text not null default 'monthly'
    check (billing_cycle in ('monthly', 'quarterly', 'annually', 'on-demand')),
  -- Of the month in which a cycle ends.
  billing_day integer not null default 1 check (billing_day between 1 and 28),
  payment_terms_days integer not null default 30 check (payment_terms_days between 0 and 180),
  -- What an uncovered hour takes off: nothing; its price, at posts that are paid whether worked or not; or a penalty.
  gap_credit text not null default 'none' check (gap_credit in ('none', 'hours', 'penalty')),
  -- Of a penalty: 1 is the price of the uncovered hour.
  gap_factor numeric(6, 4) not null default 1 check (gap_factor between 0 and 10),
  agreed_headcount integer check (agreed_headcount between 0 and 100000),
  -- A name of tax_rates; null: no tax.
  tax_name text check (char_length(tax_name) <= 100),
  -- Null: as in the client's record.
  bill_to_name text check (char_length(bill_to_name) <= 200),
  bill_to_address text check (char_length(bill_to_address) <= 500),
  bill_to_email text check (char_length(bill_to_email) <= 320 and bill_to_email like '_%@_%'),
  notes text check (char_length(notes) <= 5000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint contracts_end_not_before_start check (ends_on >= starts_on)
);
create index contracts_client_id_idx on public.contracts (client_id, starts_on desc);
create index contracts_created_by_idx on public.contracts (created_by);

create table public.contract_posts (
  id uuid primary key default gen_random_uuid(),
  contract_id uuid not null references public.contracts (id) on delete cascade,
  site_id uuid not null references public.sites (id),
  -- Null: every shift at the site whose post is not named by a row of its own.
  post_id uuid references public.posts (id),
  basis text not null default 'worked' check (basis in ('worked', 'fixed', 'minimum')),
  monthly_amount numeric(14, 2) check (monthly_amount between 0 and 999999999999.99),
  -- Of a calendar month; fewer worked hours are billed as this many.
  minimum_hours numeric(10, 2) check (minimum_hours between 0 and 99999999),
  -- Both days inclusive, and by default those of the contract.
  starts_on date not null check (starts_on between '1900-01-01' and '2199-12-31'),
  ends_on date check (ends_on between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint contract_posts_contract_key unique (id, contract_id),
  constraint contract_posts_end_not_before_start check (ends_on >= starts_on),
  constraint contract_posts_basis_has_its_figure check (
    (basis = 'fixed') = (monthly_amount is not null) and (basis = 'minimum') = (minimum_hours is not null)),
  constraint contract_posts_one_contract_at_a_time exclude using gist (
    site_id with =, (coalesce(post_id, '00000000-0000-0000-0000-000000000000')) with =,
    daterange(starts_on, ends_on, '[]') with &&
  )
);
comment on column public.contract_posts.monthly_amount is 'Of basis fixed: for a calendar month; a part of one by its days';
create index contract_posts_contract_id_idx on public.contract_posts (contract_id);
create index contract_posts_site_id_idx on public.contract_posts (site_id, post_id);
create index contract_posts_post_id_idx on public.contract_posts (post_id) where post_id is not null;
create index contract_posts_created_by_idx on public.contract_posts (created_by);

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
  if new.starts_on < contract.starts_on or coalesce(new.ends_on, 'infinity') > coalesce(contract.ends_on, 'infinity') then
    raise exception 'The days of a post must be within the contract.' using errcode = 'check_violation';
  end if;
  if (tg_op = 'INSERT' or new.site_id <> old.site_id) and not exists (
    select from public.sites s where s.id = new.site_id and s.client_id = contract.client_id
  ) then
    raise exception 'This site isn''t one of the client''s. Choose the client on the site first.' using errcode = 'check_violation';
  end if;
  if new.post_id is not null and not exists (
    select from public.posts p where p.id = new.post_id and p.site_id = new.site_id
  ) then
    raise exception 'This post is at another site.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger b_check before insert or update on public.contract_posts
  for each row execute function private.check_contract_post();

-- Posts that begin or end with the contract keep doing so when its dates change.
create function private.posts_follow_contract() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.contract_posts p set
    starts_on = case when p.starts_on = old.starts_on then new.starts_on else p.starts_on end,
    ends_on = case when p.ends_on is not distinct from old.ends_on then new.ends_on else p.ends_on end
  where p.contract_id = new.id;
  return null;
end
$$;
create trigger z_posts_follow after update on public.contracts
  for each row when ((old.starts_on, old.ends_on) is distinct from (new.starts_on, new.ends_on))
  execute function private.posts_follow_contract();

select private.tidy_texts_of('public.contracts', 'title', 'tax_name', 'bill_to_name', 'bill_to_address', 'bill_to_email',
  'notes');
create trigger b_author before insert or update on public.contracts
  for each row execute function private.stamp_author();
create trigger b_author before insert or update on public.contract_posts
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.contracts
  for each row execute function private.touch();
create trigger d_touch before update on public.contract_posts
  for each row execute function private.touch();
select private.keep_history_of('public.contracts');
select private.keep_history_of('public.contract_posts');
create trigger c_has_contracts before delete on public.clients for each row
  execute function private.refuse_while_used('contracts', 'client_id',
    'This client has contracts, so it can''t be deleted. Give them an end date instead.');
create trigger c_in_contract before delete on public.sites for each row
  execute function private.refuse_while_used('contract_posts', 'site_id',
    'A contract bills this site, so it can''t be deleted.');
create trigger c_in_contract before delete on public.posts for each row
  execute function private.refuse_while_used('contract_posts', 'post_id',
    'A contract bills this post, so it can''t be deleted. Give it an end date instead.');

alter table public.contracts enable row level security;
alter table public.contract_posts enable row level security;
revoke all on public.contracts, public.contract_posts from anon, authenticated;
grant select, insert, update, delete on public.contracts, public.contract_posts to authenticated;

create policy "Admins, finance and operations managers read contracts" on public.contracts
  for select to authenticated using ((select private.has_role('admin', 'finance', 'ops_manager')));
create policy "Admins and finance add contracts" on public.contracts
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change contracts" on public.contracts
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance delete contracts" on public.contracts
  for delete to authenticated using ((select private.may_bill()));
create policy "Admins, finance and operations managers read the posts of contracts" on public.contract_posts
  for select to authenticated using ((select private.has_role('admin', 'finance', 'ops_manager')));
create policy "Admins and finance add posts to contracts" on public.contract_posts
  for insert to authenticated with check ((select private.may_bill()));
create policy "Admins and finance change the posts of contracts" on public.contract_posts
  for update to authenticated using ((select private.may_bill())) with check ((select private.may_bill()));
create policy "Admins and finance remove posts from contracts" on public.contract_posts
  for delete to authenticated using ((select private.may_bill()));

-- Who bills must be able to choose the client, the site and the post.
create policy "Finance reads clients" on public.clients
  for select to authenticated using ((select private.has_role('finance')));
create policy "Finance reads sites" on public.sites
  for select to authenticated using ((select private.has_role('finance')));
create policy "Finance reads posts" on public.posts
  for select to authenticated using ((select private.has_role('finance')));

alter publication supabase_realtime add table public.contracts, public.contract_posts;

-- {name, address, email} of a contract's invoices: its own, else those of the client's record.
create function private.bill_to_of(p_contract_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('name', coalesce(c.bill_to_name, k.name), 'address', coalesce(c.bill_to_address, k.location),
    'email', c.bill_to_email)
  from public.contracts c join public.clients k on k.id = c.client_id
  where c.id = p_contract_id;
$$;

-- A draft or an invoice keeps the client and the currency of its contract.
alter table public.invoices add constraint invoices_contract_id_fkey foreign key (contract_id) references public.contracts (id);
create trigger c_has_invoices before delete on public.contracts for each row
  execute function private.refuse_while_used('invoices', 'contract_id',
    'This contract has invoices, so it can''t be deleted. Give it an end date instead.');

create function private.keep_invoiced_contract() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.invoices i where i.contract_id = old.id) then
    raise exception 'This contract has invoices, so its client and currency stay. Add another contract instead.'
      using errcode = 'PT409';
  end if;
  return new;
end
$$;
create trigger c_keep_invoiced before update on public.contracts for each row
  when ((old.client_id, old.currency) is distinct from (new.client_id, new.currency))
  execute function private.keep_invoiced_contract();

alter table public.invoice_lines
  add column days datemultirange,
  add constraint invoice_lines_contract_post_id_fkey foreign key (contract_post_id) references public.contract_posts (id),
  -- An uncovered day is credited once.
  add constraint invoice_lines_gap_credited_once exclude using gist (
    contract_post_id with =, (coalesce(post_id, '00000000-0000-0000-0000-000000000000')) with =, days with &&
  ) where (kind = 'gap_credit' and credited_at is null);
comment on column public.invoice_lines.days is 'Of a gap credit: the uncovered days; of an estimate: the days that it is for';
create index invoice_lines_contract_post_id_idx on public.invoice_lines (contract_post_id, kind) where contract_post_id is not null;

-- What an invoice says about a post stays true: its place and basis change by ending it and adding another.
create function private.keep_billed_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.invoice_lines l join public.invoices i on i.id = l.invoice_id
    where l.contract_post_id = old.id and i.status <> 'draft'
  ) then
    raise exception 'This post has been billed. Give it an end date, and add it again with the new terms.'
      using errcode = 'PT409';
  end if;
  -- Drafts are drawn again.
  delete from public.invoice_lines l where tg_op = 'DELETE' and l.contract_post_id = old.id;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger c_keep_billed before delete on public.contract_posts
  for each row execute function private.keep_billed_post();
create trigger c_keep_billed_terms before update on public.contract_posts for each row
  when ((old.site_id, old.post_id, old.basis) is distinct from (new.site_id, new.post_id, new.basis))
  execute function private.keep_billed_post();

revoke all on all functions in schema private from public;
