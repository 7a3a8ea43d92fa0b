-- One profile for each account, made and kept in step by triggers on auth.users.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  email text,
  full_name text check (char_length(full_name) <= 200),
  -- Set for invited people: every table but their own profile is closed until they choose a password of their own.
  must_change_password boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index profiles_created_at_idx on public.profiles (created_at desc);
create index profiles_full_name_idx on public.profiles (full_name);

select private.tidy_texts_of('public.profiles', 'full_name');
create trigger d_touch before update on public.profiles
  for each row execute function private.touch();
select private.keep_history_of('public.profiles');

alter table public.profiles enable row level security;
revoke all on public.profiles from anon, authenticated;
grant select, update (full_name) on public.profiles to authenticated;

create policy "Everyone reads their own profile" on public.profiles
  for select to authenticated using (id = (select auth.uid()));
create policy "Portal users read every profile, to know names" on public.profiles
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or cardinality((select private.supervised_sites())) > 0
  );
create policy "Everyone changes their own name" on public.profiles
  for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));
create policy "Admins change any name" on public.profiles
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));

-- The metadata is the account's own to write, so it gives a name and nothing else;
-- app_metadata is written by the service role only.
create function private.follow_account() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  name_sent text := left(new.raw_user_meta_data ->> 'full_name', 200);
begin
  if tg_op = 'INSERT' then
    insert into public.profiles (id, email, full_name, must_change_password, created_at)
    values (
      new.id, new.email, name_sent,
      coalesce(new.raw_app_meta_data ->> 'must_change_password' = 'true', false),
      coalesce(new.created_at, now())
    );
  else
    update public.profiles p set
      email = new.email,
      full_name = case
        when new.raw_user_meta_data ->> 'full_name' is distinct from old.raw_user_meta_data ->> 'full_name'
        then name_sent else p.full_name
      end,
      must_change_password = p.must_change_password
        and new.encrypted_password is not distinct from old.encrypted_password
    where p.id = new.id;
  end if;
  return null;
end
$$;
revoke all on function private.follow_account() from public;

create trigger profile_follows_new_account after insert on auth.users
  for each row execute function private.follow_account();
create trigger profile_follows_account after update on auth.users
  for each row
  when (
    old.email is distinct from new.email
    or old.encrypted_password is distinct from new.encrypted_password
    or old.raw_user_meta_data is distinct from new.raw_user_meta_data
  )
  execute function private.follow_account();

-- Accounts that were there before this migration.
insert into public.profiles (id, email, full_name, created_at)
select u.id, u.email, left(u.raw_user_meta_data ->> 'full_name', 200), coalesce(u.created_at, now())
from auth.users u;
