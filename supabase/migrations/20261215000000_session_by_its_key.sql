-- As before, but the session is found by its primary key: comparing ids as text read all sessions of the account, so each
-- statement of somebody with ten thousand of them took 4 ms.
create or replace function private.rights() returns private.rights
language plpgsql stable security definer
set search_path = ''
as $$
declare
  asked text := statement_timestamp() || coalesce(current_setting('request.jwt.claims', true), '');
  claims jsonb;
  me uuid;
  session uuid;
  level_claimed text;
  found private.rights;
begin
  if current_setting('private.rights_asked', true) = asked then
    return current_setting('private.rights', true)::private.rights;
  end if;
  claims := auth.jwt();
  me := claims ->> 'sub';
  session := claims ->> 'session_id';
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
    and (session is null or exists (
      select from auth.sessions s
      where s.id = session and s.user_id = me and (s.not_after is null or s.not_after > now())
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
