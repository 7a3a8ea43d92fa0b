-- The roles of a Supabase project (Supabase docs, "Postgres Roles"). Roles are shared by all databases of a cluster, so
-- existing ones are kept.
do $$
declare
  missing record;
begin
  for missing in
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
    if not exists (select from pg_roles where rolname = missing.name) then
      execute format('create role %I %s', missing.name, missing.attributes);
    end if;
  end loop;
end
$$;

grant anon, authenticated, service_role to authenticator;
-- The owner creates objects as the services' roles.
grant supabase_admin, supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin, anon, authenticated, service_role to current_user;

-- A Supabase project runs migrations as `postgres`, and its policies may name that role.
do $$
begin
  if not exists (select from pg_roles where rolname = 'postgres') then
    create role postgres nologin;
  end if;
end
$$;
