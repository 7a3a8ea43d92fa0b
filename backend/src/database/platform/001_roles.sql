-- Gives a plain PostgreSQL the roles that a Supabase project already has (PROTOCOL.md 0.1).
-- Roles belong to the whole cluster, so each is made only where it is missing.
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'login noinherit'),
      ('supabase_admin', 'nologin createrole bypassrls'),
      ('supabase_auth_admin', 'login noinherit'),
      ('supabase_storage_admin', 'nologin noinherit'),
      ('supabase_realtime_admin', 'nologin noinherit'),
      ('dashboard_user', 'nologin')
    ) as roles (name, attributes)
  loop
    if not exists (select from pg_roles where rolname = wanted.name) then
      execute format('create role %I %s', wanted.name, wanted.attributes);
    end if;
  end loop;
end
$$;

grant anon, authenticated, service_role to authenticator;
-- The owner acts as the services' roles when it creates their objects.
grant supabase_admin, supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin, anon, authenticated, service_role to current_user;

-- A Supabase project runs its migrations as `postgres`; policies there may name it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'postgres') then
    create role postgres nologin;
  end if;
end
$$;
