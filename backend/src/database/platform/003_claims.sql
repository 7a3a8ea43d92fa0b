-- The caller's claims, which are set for the transaction. Afterwards the setting is an empty string, not null: hence nullif.
create or replace function auth.jwt() returns jsonb
language sql stable
return coalesce(
  nullif(current_setting('request.jwt.claim', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')
)::jsonb;

create or replace function auth.uid() returns uuid
language sql stable
return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid;

create or replace function auth.role() returns text
language sql stable
return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role';

create or replace function auth.email() returns text
language sql stable
return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email';

grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to public;

do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;
