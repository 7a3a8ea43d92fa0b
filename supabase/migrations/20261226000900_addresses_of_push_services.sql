-- An address of a push subscription is a URL of a known service: scheme, host and path, without user, port or spaces.
create or replace function private.is_push_service(p_endpoint text) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(bool_or(given.origin ~ (
    '^' || replace(replace(known.pattern, '.', '\.'), '*', '[a-z0-9-]+(?:\.[a-z0-9-]+)*') || '$'
  )), false)
  from private.settings s
  cross join unnest(s.push_services) known (pattern)
  cross join lateral (
    select (regexp_match(p_endpoint, '^(https?://[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?)'
      '/[A-Za-z0-9._~!$&''()*+,;=:@%/?-]*$'))[1] as origin
  ) given
  where char_length(p_endpoint) <= 1000;
$$;

-- What is no address could never be sent to.
delete from private.push_subscriptions u where u.endpoint !~ '^https?://[a-z0-9.-]+(:\d{1,5})?/[A-Za-z0-9._~!$&''()*+,;=:@%/?-]*$';
alter table private.push_subscriptions add constraint push_subscriptions_endpoint_is_url
  check (endpoint ~ '^https?://[a-z0-9.-]+(:\d{1,5})?/[A-Za-z0-9._~!$&''()*+,;=:@%/?-]*$');
