-- Staff records: admins only, apart from the day of hire.
create table public.staff (
  id uuid primary key default gen_random_uuid(),
  full_name text not null check (char_length(full_name) <= 100),
  email text check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  phone text check (char_length(phone) <= 20),
  role text not null default 'guard' check (role in ('admin', 'guard')),
  hire_date date not null default private.company_date(),
  salary_amount numeric(14, 2) not null check (salary_amount between 0 and 999999999999.99),
  payment_frequency text not null default 'monthly'
    check (payment_frequency in ('weekly', 'bi-weekly', 'monthly')),
  status text not null default 'active' check (status in ('active', 'inactive')),
  -- Links pay to attendance.
  user_id uuid references public.profiles (id) on delete set null,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index staff_one_record_per_account on public.staff (user_id) where user_id is not null;
create index staff_created_at_idx on public.staff (created_at desc);
create index staff_status_idx on public.staff (status, full_name);
create index staff_created_by_idx on public.staff (created_by);

select private.tidy_texts_of('public.staff', 'full_name', 'email', 'phone');
create trigger b_author before insert or update on public.staff
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.staff
  for each row execute function private.touch();
select private.keep_history_of('public.staff');

alter table public.staff enable row level security;
revoke all on public.staff from anon, authenticated;
grant select, insert, update, delete on public.staff to authenticated;

create policy "Admins read staff" on public.staff
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add staff" on public.staff
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change staff" on public.staff
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete staff" on public.staff
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.staff;

-- The caller's own staff record, if an admin has linked one.
create function private.own_staff_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.id from public.staff s where s.user_id = auth.uid() and private.is_member());
end
$$;

-- The day of hire, from which leave balances are computed.
create function public.hired_on(p_user_id uuid default auth.uid()) returns date
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (p_user_id is not distinct from auth.uid() and private.is_member()
    or private.has_role('admin', 'ops_manager', 'hr'))
  then
    raise exception 'You can see only your own day of hire.' using errcode = 'insufficient_privilege';
  end if;
  return (select s.hire_date from public.staff s where s.user_id = p_user_id);
end
$$;

-- The text that a search looks in. The list filters by it as a computed column, and staff_totals uses it too.
-- No fixed search path, so that the planner can inline it.
create function public.search_text(person public.staff) returns text
language sql stable
return concat_ws(' ', person.full_name, person.email, person.phone);

-- Count and salaries (USD) of the staff in the list, by payment frequency: sums of different frequencies don't add up.
create function public.staff_totals(p_search text default null, p_status text default null)
returns table (payment_frequency text, people integer, salaries numeric)
language sql stable set search_path = '' as $$
  select s.payment_frequency, count(*)::integer, sum(s.salary_amount)
  from public.staff s
  where (p_status is null or s.status = p_status)
    and public.search_text(s) ilike all ((select private.search_patterns(p_search))::text[])
  group by s.payment_frequency
  order by 2 desc, 1;
$$;

revoke all on all functions in schema private from public;
grant execute on function private.own_staff_id to authenticated;
revoke all on function public.hired_on, public.search_text(public.staff), public.staff_totals from public, anon;
grant execute on function public.hired_on, public.search_text(public.staff), public.staff_totals to authenticated;
