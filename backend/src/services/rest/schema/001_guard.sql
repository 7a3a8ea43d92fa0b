create schema rest;
grant usage on schema rest to public;

-- Raising inside the statement rolls back its writes without a second round trip.
create function rest.refuse(reason text, affected bigint) returns text
language plpgsql volatile
as $$
begin
  raise exception using errcode = 'RS001', message = reason, detail = affected::text;
end
$$;
comment on function rest.refuse is 'Fails a request whose result is not allowed, for example several rows for a single object.';

-- The maximum duration of a caller's statement. Only a superuser or the creator of the role may set it.
do $$
begin
  alter role authenticator set statement_timeout = '8s';
exception when insufficient_privilege then
  raise notice 'Set a statement_timeout for the role authenticator: callers have none.';
end
$$;
