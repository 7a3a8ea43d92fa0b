-- The companies that the firm guards, and what they pay per month.
create table public.clients (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) <= 200),
  number_of_guards integer not null check (number_of_guards between 0 and 100000),
  -- USD. The upper bounds of amounts also keep 'NaN' out, which numeric would accept.
  monthly_rate numeric(14, 2) not null check (monthly_rate between 0 and 999999999999.99),
  location text not null check (char_length(location) <= 300),
  payment_method text not null default 'monthly'
    check (payment_method in ('monthly', 'quarterly', 'annually', 'on-demand', 'cash')),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Refuses a repeated import.
create unique index clients_name_location_key on public.clients (lower(name), lower(location));
create index clients_name_idx on public.clients (name);
create index clients_created_by_idx on public.clients (created_by);

select private.tidy_texts_of('public.clients', 'name', 'location');
create trigger b_author before insert or update on public.clients
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.clients
  for each row execute function private.touch();
select private.keep_history_of('public.clients');

alter table public.clients enable row level security;
revoke all on public.clients from anon, authenticated;
grant select, insert, update, delete on public.clients to authenticated;

create policy "Admins and operations managers read clients" on public.clients
  for select to authenticated using ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers add clients" on public.clients
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers change clients" on public.clients
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers delete clients" on public.clients
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

alter publication supabase_realtime add table public.clients;

-- The text that a search looks in. The list filters by it as a computed column, and client_totals uses it too.
-- No fixed search path, so that the planner can inline it.
create function public.search_text(client public.clients) returns text
language sql stable
return concat_ws(' ', client.name, client.location);

-- Count, guards and monthly revenue (USD) of the clients that match a search.
create function public.client_totals(p_search text default null)
returns table (client_count integer, total_guards integer, monthly_revenue numeric)
language sql stable set search_path = '' as $$
  select count(*)::integer, coalesce(sum(c.number_of_guards), 0)::integer, coalesce(sum(c.monthly_rate), 0)
  from public.clients c
  where public.search_text(c) ilike all ((select private.search_patterns(p_search))::text[]);
$$;

revoke all on function public.search_text(public.clients), public.client_totals from public, anon;
grant execute on function public.search_text(public.clients), public.client_totals to authenticated;
