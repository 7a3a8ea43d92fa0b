-- Schemas, search path and default privileges of a Supabase project.
create schema if not exists extensions;
create schema if not exists auth authorization supabase_auth_admin;
create schema if not exists storage authorization supabase_storage_admin;
create schema if not exists realtime authorization supabase_realtime_admin;

create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;

grant usage on schema public, extensions, auth, storage, realtime to anon, authenticated, service_role;
grant create, usage on schema auth to supabase_auth_admin;
grant usage on schema extensions, public to supabase_auth_admin;
revoke create on schema public from public;

-- Privileges are broad because row-level security decides.
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;

do $$
begin
  execute format('alter database %I set search_path to public, extensions', current_database());
end
$$;
set search_path to public, extensions;
