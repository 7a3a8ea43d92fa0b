create table public.saved_views (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null default auth.uid() references public.profiles on delete cascade,
  -- The address of the list's screen.
  list text not null check (char_length(list) <= 100 and list ~ '^/admin(/[a-z-]+)*$'),
  name text check (char_length(name) between 1 and 60),
  -- Parameters of the address.
  search jsonb not null default '{}' check (jsonb_typeof(search) = 'object' and octet_length(search::text) <= 4000),
  -- Headers of columns.
  hidden_columns text[] not null default '{}' check (cardinality(hidden_columns) <= 40
    and array_position(hidden_columns, null) is null and octet_length(array_to_string(hidden_columns, '')) <= 2000),
  layout text check (layout in ('cards', 'table')), -- Null: the list has only one.
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint saved_views_name_key unique nulls not distinct (user_id, list, name)
);
comment on table public.saved_views is 'Read and written by their owners alone.';
create function private.limit_saved_views() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Two at once would both be the last one.
  perform pg_advisory_xact_lock(hashtextextended('saved_views ' || new.user_id, 0));
  if (select count(*) from public.saved_views v where v.user_id = new.user_id) >= 200 then
    raise exception 'You have 200 saved views. Delete one first.' using errcode = 'program_limit_exceeded';
  end if;
  return new;
end
$$;

select private.tidy_texts_of('public.saved_views', 'name');
create trigger c_most before insert on public.saved_views for each row execute function private.limit_saved_views();
create trigger d_touch before update on public.saved_views for each row execute function private.touch();
select private.keep_history_of('public.saved_views');
alter table public.saved_views enable row level security;
grant select, insert, update, delete on public.saved_views to authenticated;
create policy "Members read their own views" on public.saved_views
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members save views of their own" on public.saved_views
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members change their own views" on public.saved_views
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members delete their own views" on public.saved_views
  for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": [], "newest": "r.created_at", "target": "public.saved_views", "belongs": "r.user_id = $1", "blanked": [], "withheld": [], "is_shared": false, "on_erasure": "delete"}');
