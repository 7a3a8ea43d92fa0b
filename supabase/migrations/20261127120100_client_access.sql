-- How contacts of clients get in, and how the office ends it.

create function private.require_client_manager() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager') then
    raise exception 'Only admins and operations managers may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- Ends a contact's access, and every session of an account that has no other.
create function public.revoke_client_access(p_contact_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  account uuid;
begin
  perform private.require_client_manager();
  update public.client_contacts c set revoked_at = now(), revoked_by = auth.uid()
  where c.id = p_contact_id and c.revoked_at is null
  returning c.user_id into account;
  if not found then
    raise exception 'There is no such contact, or the access has ended already.' using errcode = 'PT404';
  end if;
  if not exists (
    select from public.client_contacts c
    where c.user_id = account and c.revoked_at is null and c.access_until >= private.company_date()
  ) then
    delete from auth.sessions s where s.user_id = account;
    perform private.record_security_event('signed_out_everywhere', account, '{}');
  end if;
end
$$;

-- When the contacts of a client last used their account; null if never.
create function public.client_contact_visits(p_client_id uuid)
returns table (contact_id uuid, last_seen_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager', 'finance') then
    raise exception 'Only admins, operations managers and finance may see this.'
      using errcode = 'insufficient_privilege';
  end if;
  return query
    select c.id, greatest(u.last_sign_in_at, (
      select max(coalesce(s.refreshed_at at time zone 'UTC', s.created_at)) from auth.sessions s where s.user_id = u.id
    ))
    from public.client_contacts c
    left join auth.users u on u.id = c.user_id
    where c.client_id = p_client_id;
end
$$;
comment on function public.client_contact_visits is 'Nullable: last_seen_at';

-- The account with this address, and whether it may be used for a contact. For the service role alone.
create function public.account_for_contact(p_email text) returns table (user_id uuid, is_contact boolean)
language sql stable security definer set search_path = '' as $$
  select u.id, exists (select from private.client_accounts c where c.user_id = u.id)
  from auth.users u
  where lower(u.email) = lower(btrim(p_email)) and u.deleted_at is null;
$$;

-- Requests for links, by network, of the last quarter of an hour.
create table private.client_link_requests (
  id bigint generated always as identity primary key,
  network text not null,
  at timestamptz not null default now()
);
create index client_link_requests_network_idx on private.client_link_requests (network, at);
create index client_link_requests_at_idx on private.client_link_requests (at);
alter table private.client_link_requests enable row level security;
revoke all on private.client_link_requests from public, anon, authenticated;

-- Whether a link may be mailed to this address: 'yes', 'no' or 'blocked' after 20 requests of one network in 15 minutes.
-- For the service role alone.
create function public.take_client_link(p_email text, p_network text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  sender constant text := left(coalesce(p_network, ''), 100);
begin
  perform pg_advisory_xact_lock(hashtextextended('links for ' || sender, 0));
  delete from private.client_link_requests r where r.at < now() - interval '15 minutes';
  if (select count(*) from private.client_link_requests r where r.network = sender) >= 20 then
    return 'blocked';
  end if;
  insert into private.client_link_requests (network) values (sender);
  return case when exists (
    select from public.client_contacts c
    join auth.users u on u.id = c.user_id
    where lower(u.email) = lower(btrim(p_email)) and u.deleted_at is null
      and c.revoked_at is null and c.access_until >= private.company_date()
  ) then 'yes' else 'no' end;
end
$$;

-- What the portal greets the caller with: each client whose contact they are.
create function public.my_clients() returns table (client_id uuid, client_name text, full_name text, access_until date)
language sql stable security definer set search_path = '' as $$
  select k.id, k.name, c.full_name, c.access_until
  from public.client_contacts c
  join public.clients k on k.id = c.client_id
  where c.user_id = (select auth.uid()) and c.client_id = any ((select private.client_of_caller())::uuid[])
    and c.revoked_at is null
  order by k.name, k.id;
$$;

-- The list of accounts is of the company's people.
create or replace view public.user_accounts with (security_barrier = true) as
select
  p.id,
  p.email,
  p.full_name,
  p.created_at,
  p.must_change_password,
  coalesce(u.banned_until > now(), false) as disabled,
  u.last_sign_in_at,
  u.email_confirmed_at is null and u.phone_confirmed_at is null as unconfirmed,
  '+' || nullif(u.phone, '') as phone,
  p.left_on
from public.profiles p
join auth.users u on u.id = p.id
where (select private.has_role('admin')) and u.deleted_at is null
  and not exists (select from private.client_accounts c where c.user_id = p.id)
order by p.created_at desc, p.id;

revoke all on all functions in schema private from public;
revoke all on function
  public.revoke_client_access, public.client_contact_visits, public.account_for_contact, public.take_client_link,
  public.my_clients
from public, anon, authenticated;
grant execute on function
  public.revoke_client_access, public.client_contact_visits, public.my_clients
to authenticated;
grant execute on function public.account_for_contact, public.take_client_link to service_role;
