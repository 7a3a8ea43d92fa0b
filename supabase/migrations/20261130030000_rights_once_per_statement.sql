-- What the caller may do, read once per statement. Nearly every policy asks for it, several times in one request: that
-- took most of PostgreSQL's time.
create type private.rights as (
  -- Signed in with a valid session, a second factor if the account has one, and neither deleted nor banned.
  is_proved boolean,
  -- Also has a profile of the company and no password to change first.
  is_cleared boolean,
  is_member boolean,
  -- Without those that are limited to one site.
  roles text[],
  supervised_sites uuid[]
);

-- The settings are as trustworthy as `request.jwt.claims`: they end with the transaction, and no function lets callers
-- make settings of their choice. Not safe for parallel workers, which can't make any.
create function private.rights() returns private.rights
language plpgsql stable security definer
set search_path = ''
as $$
declare
  asked text := statement_timestamp() || coalesce(current_setting('request.jwt.claims', true), '');
  claims jsonb;
  me uuid;
  session_claimed text;
  level_claimed text;
  found private.rights;
begin
  if current_setting('private.rights_asked', true) = asked then
    return current_setting('private.rights', true)::private.rights;
  end if;
  claims := auth.jwt();
  me := claims ->> 'sub';
  session_claimed := claims ->> 'session_id';
  level_claimed := coalesce(claims ->> 'aal', 'aal1');
  select
    true,
    not p.must_change_password and not exists (select from private.client_accounts c where c.user_id = p.id),
    (select s.signup_policy <> 'approval' from private.settings s) or held.has_any,
    coalesce(held.roles, '{}'),
    coalesce(held.supervised_sites, '{}')
  into found
  from auth.users u
  left join public.profiles p on p.id = u.id
  cross join lateral (
    select
      count(*) > 0 as has_any,
      array_agg(r.role) filter (where r.site_id is null) as roles,
      array_agg(r.site_id) filter (where r.role = 'supervisor' and r.site_id is not null) as supervised_sites
    from public.user_roles r
    where r.user_id = u.id
  ) held
  where u.id = me and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    -- Signing out, by the user or by an admin, ends the session at once, although its token has not expired.
    and (session_claimed is null or exists (
      select from auth.sessions s
      where s.user_id = me and s.id::text = session_claimed and (s.not_after is null or s.not_after > now())
    ))
    and (level_claimed = 'aal2' or not exists (
      select from auth.mfa_factors f where f.user_id = me and f.status = 'verified'
    ));
  if found.is_cleared is not true then
    found := (found.is_proved is true, false, false, '{}', '{}');
  end if;
  perform set_config('private.rights_asked', asked, true), set_config('private.rights', found::text, true);
  return found;
end
$$;

-- Without `security definer` and with a body that PostgreSQL can put into the statement itself.
create or replace function private.is_proved() returns boolean
language sql stable
return (private.rights()).is_proved;

create or replace function private.is_cleared() returns boolean
language sql stable
return (private.rights()).is_cleared;

create or replace function private.is_member() returns boolean
language sql stable
return (private.rights()).is_member;

create or replace function private.has_role(variadic wanted text[]) returns boolean
language sql stable
return coalesce((private.rights()).roles && wanted, false);

create or replace function private.supervised_sites() returns uuid[]
language sql stable
return (private.rights()).supervised_sites;

-- A function that changes rights and then relies on them sees the change.
create function private.forget_rights() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform set_config('private.rights_asked', '', true);
  return null;
end
$$;

create trigger a_forget_rights after insert or update or delete on public.profiles
  for each statement execute function private.forget_rights();
create trigger a_forget_rights after insert or update or delete on public.user_roles
  for each statement execute function private.forget_rights();
create trigger a_forget_rights after insert or update or delete on private.client_accounts
  for each statement execute function private.forget_rights();
create trigger a_forget_rights after insert or update or delete on private.settings
  for each statement execute function private.forget_rights();

revoke all on function private.rights(), private.forget_rights() from public;
grant execute on function private.rights() to authenticated;
