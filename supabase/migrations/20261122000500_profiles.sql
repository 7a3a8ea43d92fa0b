-- One profile per account, created and updated by triggers on auth.users; and the accounts as admins see them.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  email text,
  full_name text check (char_length(full_name) <= 200),
  -- Set for invited users: until they choose a password, they can read only their own profile.
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

create policy "Users read their own profile" on public.profiles
  for select to authenticated using (id = (select auth.uid()));
create policy "Portal users read every profile" on public.profiles
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or cardinality((select private.supervised_sites())) > 0
  );
create policy "Users change their own name" on public.profiles
  for update to authenticated
  using (id = (select auth.uid()) and (select private.is_proved()))
  with check (id = (select auth.uid()) and (select private.is_proved()));
create policy "Admins change any name" on public.profiles
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));

alter publication supabase_realtime add table public.profiles;

-- Users can write their own user metadata, so only the name is taken from it. app_metadata is written by the service
-- role only: with must_change_password the user must choose a password before anything else opens.
create function private.follow_account() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  name_sent text := left(new.raw_user_meta_data ->> 'full_name', 200);
  is_demanded boolean := coalesce(new.raw_app_meta_data ->> 'must_change_password' = 'true', false);
begin
  if tg_op = 'INSERT' then
    insert into public.profiles (id, email, full_name, must_change_password, created_at)
    values (new.id, new.email, name_sent, is_demanded, coalesce(new.created_at, now()));
  else
    update public.profiles p set
      email = new.email,
      full_name = case
        when new.raw_user_meta_data ->> 'full_name' is distinct from old.raw_user_meta_data ->> 'full_name'
        then name_sent else p.full_name
      end,
      must_change_password = case
        when old.raw_app_meta_data -> 'must_change_password'
          is distinct from new.raw_app_meta_data -> 'must_change_password'
        then is_demanded
        else p.must_change_password and new.encrypted_password is not distinct from old.encrypted_password
      end
    where p.id = new.id;
  end if;
  return null;
end
$$;

create trigger profile_follows_new_account after insert on auth.users
  for each row execute function private.follow_account();
create trigger profile_follows_account after update on auth.users
  for each row
  when (
    old.email is distinct from new.email
    or old.encrypted_password is distinct from new.encrypted_password
    or old.raw_user_meta_data is distinct from new.raw_user_meta_data
    or old.raw_app_meta_data -> 'must_change_password' is distinct from new.raw_app_meta_data -> 'must_change_password'
  )
  execute function private.follow_account();

-- Changing the password fulfils the demand. An admin who sets another temporary password demands it again afterwards.
create function private.meet_password_demand() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.raw_app_meta_data := new.raw_app_meta_data - 'must_change_password';
  return new;
end
$$;

create trigger meet_password_demand before update on auth.users
  for each row
  when (
    old.encrypted_password is distinct from new.encrypted_password
    and old.raw_app_meta_data -> 'must_change_password'
      is not distinct from new.raw_app_meta_data -> 'must_change_password'
    and new.raw_app_meta_data ? 'must_change_password'
  )
  execute function private.meet_password_demand();

-- The list of accounts refreshes on changes of profiles, but these values are not columns of a profile: updating it
-- triggers the refresh. The activity log ignores updated_at, so it records nothing.
create function private.touch_profile_of_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles p set updated_at = now() where p.id = new.id;
  return null;
end
$$;

create trigger touch_profile_of_account after update on auth.users
  for each row
  when (
    old.banned_until is distinct from new.banned_until
    or old.email_confirmed_at is distinct from new.email_confirmed_at
    or old.phone_confirmed_at is distinct from new.phone_confirmed_at
  )
  execute function private.touch_profile_of_account();

-- The profile with what only the auth service knows. A definer view, because its tables are closed to everyone; the
-- condition is the permission. Ordered as the list is, newest first, so that a page stops at its limit before the
-- roles of all others are read.
create view public.user_accounts with (security_barrier = true) as
select
  p.id,
  p.email,
  p.full_name,
  p.created_at,
  p.must_change_password,
  coalesce(u.banned_until > now(), false) as disabled,
  u.last_sign_in_at,
  u.email_confirmed_at is null and u.phone_confirmed_at is null as unconfirmed
from public.profiles p
join auth.users u on u.id = p.id
where (select private.has_role('admin')) and u.deleted_at is null
order by p.created_at desc, p.id;

revoke all on public.user_accounts from public, anon, authenticated, service_role;
grant select on public.user_accounts to authenticated;

revoke all on all functions in schema private from public;

-- Accounts of an existing project.
insert into public.profiles (id, email, full_name, created_at)
select u.id, u.email, left(u.raw_user_meta_data ->> 'full_name', 200), coalesce(u.created_at, now())
from auth.users u;
