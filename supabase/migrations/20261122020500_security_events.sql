-- The trail of security events for admins: sign-ins and failures, passwords, factors, sessions, disabled accounts.

-- With its owner's rights, because nobody may read the auth service's tables; the condition is the permission.
create view public.security_events with (security_barrier = true) as
select
  e.id,
  e.created_at as at,
  case
    when e.payload ->> 'actor_id' ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then (e.payload ->> 'actor_id')::uuid
  end as actor_id,
  nullif(e.payload ->> 'actor_username', '') as actor_email,
  e.payload ->> 'action' as action,
  nullif(e.ip_address, '') as ip_address,
  coalesce((e.payload -> 'traits')::jsonb, '{}') as details
from auth.audit_log_entries e
where (select private.has_role('admin'))
order by e.created_at desc, e.id;

revoke all on public.security_events from public, anon, authenticated, service_role;
grant select on public.security_events to authenticated;
