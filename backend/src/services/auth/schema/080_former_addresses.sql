-- A database function may change the e-mail address of an account, for example for an administrator. The former address gets
-- the notice that the service sends when it changes an address itself.
set local role supabase_auth_admin;

alter table auth.notices add column email text;
comment on column auth.notices.email is 'Where the notice goes, if not to the address of the account';

create function auth.notify_former_address() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Without a caller it is the service.
  if auth.uid() is not null then
    insert into auth.notices (user_id, kind, user_agent, ip, email)
    select new.id, 'email_changed', coalesce(max(s.user_agent), ''), max(s.ip), old.email
    from auth.sessions s where s.id::text = auth.jwt() ->> 'session_id';
  end if;
  return null;
end
$$;
revoke all on function auth.notify_former_address() from public;

-- An address that was never confirmed may belong to someone else.
create trigger notify_former_address after update of email on auth.users
  for each row when (old.email_confirmed_at is not null and old.email <> '' and new.email is distinct from old.email)
  execute function auth.notify_former_address();

reset role;
