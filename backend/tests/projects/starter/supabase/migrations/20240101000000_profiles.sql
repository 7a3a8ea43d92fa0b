-- A profile for each account, and a bucket. After Supabase's "User Management Starter".
-- New tables and functions are closed to callers until a test grants rights.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  email text
);
alter table public.profiles enable row level security;
grant select on public.profiles to anon, authenticated;
create policy "Users read their own profile" on public.profiles for select to authenticated
  using (id = (select auth.uid()));

create function public.save_profile() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id, full_name, email)
  values (new.id, new.raw_user_meta_data ->> 'full_name', new.email)
  on conflict (id) do update set email = excluded.email;
  return new;
end $$;
create trigger save_profile after insert or update of email on auth.users
  for each row execute function public.save_profile();

-- A temporary password is replaced: its flag goes with it.
create function public.clear_temporary_password() returns trigger language plpgsql as $$
begin
  new.raw_app_meta_data := new.raw_app_meta_data - 'must_change_password';
  return new;
end $$;
create trigger clear_temporary_password before update of encrypted_password on auth.users for each row
  when (old.encrypted_password is distinct from new.encrypted_password
    and old.raw_app_meta_data ->> 'must_change_password' = 'true'
    and new.raw_app_meta_data ->> 'must_change_password' = 'true')
  execute function public.clear_temporary_password();

create function public.count_profiles() returns bigint language sql stable as $$ select count(*) from public.profiles $$;
grant execute on function public.count_profiles() to authenticated;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('documents', 'documents', false, 10 * 1024 * 1024, array['image/png', 'text/plain']);
