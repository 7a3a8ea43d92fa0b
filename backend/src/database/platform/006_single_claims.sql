-- The service sets these two claims for a transaction by themselves, too, because parsing all of them takes longer than the
-- rest of a small policy. As a Supabase project's functions do, these read them first. SQL that sets other claims within the
-- same transaction must set or empty them as well.
create or replace function auth.uid() returns uuid
language sql stable
return coalesce(
  nullif(current_setting('request.jwt.claim.sub', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
)::uuid;

create or replace function auth.email() returns text
language sql stable
return coalesce(
  nullif(current_setting('request.jwt.claim.email', true), ''),
  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
);
