-- What the data service needs in the database: a way to refuse inside a statement, limits, and news of changed tables.
create schema rest;
grant usage on schema rest to public;

-- Raising inside the statement rolls back what it wrote, without a second round trip.
create function rest.refuse(reason text, affected bigint) returns text
language plpgsql volatile
as $$
begin
  raise exception using errcode = 'RS001', message = reason, detail = affected::text;
end
$$;
comment on function rest.refuse is 'Ends a request whose result may not stand, for example not exactly one row for a single object.';

-- A caller's statement may not hold a connection for longer. Whoever made the role keeps this right to themselves.
do $$
begin
  alter role authenticator set statement_timeout = '8s';
exception when insufficient_privilege then
  raise notice 'Set a statement_timeout for the role authenticator: callers have none.';
end
$$;
