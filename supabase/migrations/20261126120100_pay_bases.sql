-- What a person is paid, dated: a salary, an hourly wage or an amount per shift, in one currency; and what is added to or
-- taken from every pay. The fields on the staff record are the values of today's row, in step in both directions.
alter table public.staff
  -- What salary_amount means: per payment, per hour or per shift.
  add column pay_basis text not null default 'salary' check (pay_basis in ('salary', 'hourly', 'shift')),
  add column currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  -- Others pay a flat income tax.
  add column tax_resident boolean not null default true;

create table public.pay_bases (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references public.staff (id) on delete cascade,
  -- The first row also counts for the days before it.
  effective_from date not null check (effective_from between '1900-01-01' and '2199-12-31'),
  basis text not null default 'salary' check (basis in ('salary', 'hourly', 'shift')),
  payment_frequency text not null default 'monthly'
    check (payment_frequency in ('weekly', 'bi-weekly', 'monthly')),
  -- Of one payment, one hour or one shift.
  amount numeric(14, 2) not null check (amount between 0 and 999999999999.99),
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pay_bases_one_a_day unique (staff_id, effective_from)
);
create index pay_bases_created_by_idx on public.pay_bases (created_by);

create trigger b_author before insert or update on public.pay_bases
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.pay_bases
  for each row execute function private.touch();
select private.keep_history_of('public.pay_bases');

alter table public.pay_bases enable row level security;
revoke all on public.pay_bases from anon, authenticated;
grant select, insert, update, delete on public.pay_bases to authenticated;
create policy "Admins and finance read pay bases" on public.pay_bases
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add pay bases" on public.pay_bases
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance change pay bases" on public.pay_bases
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));
create policy "Admins and finance delete pay bases" on public.pay_bases
  for delete to authenticated using ((select private.may_pay()));
alter publication supabase_realtime add table public.pay_bases;

-- The row that counts on a day: the last one that has begun, else the first.
create function private.basis_on(p_staff_id uuid, p_on date) returns public.pay_bases
language sql stable security definer set search_path = '' as $$
  select b from public.pay_bases b
  where b.staff_id = p_staff_id
  order by b.effective_from <= p_on desc,
    case when b.effective_from <= p_on then p_on - b.effective_from else b.effective_from - p_on end
  limit 1;
$$;

create function private.basis_follows_staff() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.company_date();
  known public.pay_bases := private.basis_on(new.id, today);
begin
  if known.id is null then
    insert into public.pay_bases (staff_id, effective_from, basis, payment_frequency, amount, currency)
    values (new.id, new.hire_date, new.pay_basis, new.payment_frequency, new.salary_amount, new.currency);
  elsif (known.basis, known.payment_frequency, known.amount, known.currency)
    is distinct from (new.pay_basis, new.payment_frequency, new.salary_amount, new.currency)
  then
    -- A row that has not begun yet is changed; else the change counts from today.
    insert into public.pay_bases (staff_id, effective_from, basis, payment_frequency, amount, currency)
    values (new.id, greatest(today, known.effective_from), new.pay_basis, new.payment_frequency, new.salary_amount,
      new.currency)
    on conflict on constraint pay_bases_one_a_day do update set basis = excluded.basis,
      payment_frequency = excluded.payment_frequency, amount = excluded.amount, currency = excluded.currency;
  end if;
  return null;
end
$$;
create trigger z_basis_of_new_staff after insert on public.staff
  for each row execute function private.basis_follows_staff();
create trigger z_basis_of_staff after update on public.staff
  for each row when (
    (old.salary_amount, old.payment_frequency, old.pay_basis, old.currency)
    is distinct from (new.salary_amount, new.payment_frequency, new.pay_basis, new.currency)
  )
  execute function private.basis_follows_staff();

-- Sets the fields of staff records that differ from today's row. Null: of everybody, which a job repeats, because a row
-- dated in the future begins without anybody's doing.
create function private.apply_pay_bases(p_staff_id uuid default null) returns void
language sql security definer set search_path = '' as $$
  update public.staff s set pay_basis = b.basis, payment_frequency = b.payment_frequency, salary_amount = b.amount,
    currency = b.currency
  from public.staff o
  cross join lateral private.basis_on(o.id, private.company_date()) b
  where s.id = o.id and (p_staff_id is null or o.id = p_staff_id) and b.id is not null
    and (o.pay_basis, o.payment_frequency, o.salary_amount, o.currency)
      is distinct from (b.basis, b.payment_frequency, b.amount, b.currency);
$$;

create function private.staff_follows_basis() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from public.staff s where s.id = old.staff_id)
      and not exists (select from public.pay_bases b where b.staff_id = old.staff_id)
    then
      raise exception 'A staff member needs one pay basis at least. Change this one instead.' using errcode = 'PT409';
    end if;
    perform private.apply_pay_bases(old.staff_id);
  else
    perform private.apply_pay_bases(new.staff_id);
  end if;
  return null;
end
$$;
create trigger z_staff_follows after insert or update or delete on public.pay_bases
  for each row execute function private.staff_follows_basis();

create function private.keep_basis_of_staff() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.staff_id := old.staff_id;
  return new;
end
$$;
create trigger c_keep_staff before update on public.pay_bases
  for each row execute function private.keep_basis_of_staff();

insert into public.pay_bases (staff_id, effective_from, payment_frequency, amount)
select s.id, s.hire_date, s.payment_frequency, s.salary_amount from public.staff s;

-- Which basis counts on which days of [p_from, p_to]: first to last, both inclusive, within the employment.
create function private.basis_days(p_from date, p_to date, p_staff uuid[] default null)
returns table (
  staff_id uuid, user_id uuid, full_name text, tax_resident boolean, basis_id uuid, basis text, payment_frequency text,
  amount numeric, currency text, first date, last date
)
language sql stable security definer set search_path = '' as $$
  with dated as (
    select b.*, case when row_number() over w = 1 then p_from else b.effective_from end as begins,
      coalesce(lead(b.effective_from) over w - 1, p_to) as ends
    from public.pay_bases b
    where p_staff is null or b.staff_id = any (p_staff)
    window w as (partition by b.staff_id order by b.effective_from)
  )
  select s.id, s.user_id, s.full_name, s.tax_resident, d.id, d.basis, d.payment_frequency, d.amount, d.currency,
    greatest(d.begins, s.hire_date, p_from), least(d.ends, s.end_date, p_to)
  from dated d join public.staff s on s.id = d.staff_id
  where (s.status = 'active' or s.end_date is not null)
    and greatest(d.begins, s.hire_date, p_from) <= least(d.ends, s.end_date, p_to);
$$;

-- Allowances and standing deductions.
create table public.pay_items (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references public.staff (id) on delete cascade,
  kind text not null check (kind in ('allowance', 'deduction')),
  name text not null check (char_length(name) <= 100),
  amount numeric(14, 2) not null check (amount between 0.01 and 999999999999.99),
  currency text not null default 'USD' check (currency in ('USD', 'LRD')),
  -- Of a part of a period, its share by days. A day or shift is one that was worked.
  per text not null default 'period' check (per in ('period', 'day', 'shift')),
  -- Of an allowance. Deductions are taken from pay after tax.
  taxable boolean not null default true,
  effective_from date not null default private.company_date()
    check (effective_from between '1900-01-01' and '2199-12-31'),
  -- Inclusive; null: until further notice.
  effective_to date check (effective_to between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pay_items_end_not_before_start check (effective_to >= effective_from)
);
create index pay_items_staff_id_idx on public.pay_items (staff_id);
create index pay_items_created_by_idx on public.pay_items (created_by);

select private.tidy_texts_of('public.pay_items', 'name');
create trigger b_author before insert or update on public.pay_items
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.pay_items
  for each row execute function private.touch();
select private.keep_history_of('public.pay_items');

alter table public.pay_items enable row level security;
revoke all on public.pay_items from anon, authenticated;
grant select, insert, update, delete on public.pay_items to authenticated;
create policy "Admins and finance read pay items" on public.pay_items
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add pay items" on public.pay_items
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance change pay items" on public.pay_items
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));
create policy "Admins and finance delete pay items" on public.pay_items
  for delete to authenticated using ((select private.may_pay()));
alter publication supabase_realtime add table public.pay_items;

-- The staff paid in one currency. Hours and shifts don't add up: the sum is of salaries.
drop function public.staff_totals(text, text);
create function public.staff_totals(
  p_search text default null, p_status text default null, p_currency text default 'USD'
)
returns table (payment_frequency text, people integer, salaries numeric)
language sql stable set search_path = '' as $$
  select s.payment_frequency, count(*)::integer,
    coalesce(sum(s.salary_amount) filter (where s.pay_basis = 'salary'), 0)
  from public.staff s
  where s.currency = p_currency and (p_status is null or s.status = p_status)
    and public.search_text(s) ilike all ((select private.search_patterns(p_search))::text[])
  group by s.payment_frequency
  order by 2 desc, 1;
$$;

revoke all on all functions in schema private from public;
revoke all on function public.staff_totals from public, anon;
grant execute on function public.staff_totals to authenticated;
