-- Who the caller is and what their roles allow: the helpers that the policies use.
--
-- The policies name groups of company-wide roles: planners are admin, ops_manager, supervisor and dispatcher; overseers
-- are admin, ops_manager and supervisor; people managers are admin, ops_manager and hr. A supervisor scoped to one site
-- is in none of them and has policies of their own.
--
-- All are definer functions, because the policies of user_roles and profiles use them too. Policies call them inside
-- `(select …)`, so that they run once per query. plpgsql, so that their plans stay cached in the session.

-- Whether the account and the session are valid and the caller has passed every factor that the account has.
-- A token without a session id was signed elsewhere and is valid until it expires.
create function private.is_proved() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  me uuid := auth.uid();
  session_claimed text := claims ->> 'session_id';
  level_claimed text := coalesce(claims ->> 'aal', 'aal1');
begin
  if me is null then
    return false;
  end if;
  -- One statement: this runs with every query of every screen.
  return exists (
    select from auth.users u
    where u.id = me and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      -- Signing out, by the user or by an admin, ends the session at once, although its token has not expired.
      and (session_claimed is null or exists (
        select from auth.sessions s
        where s.user_id = me and s.id::text = session_claimed and (s.not_after is null or s.not_after > now())
      ))
      and (level_claimed = 'aal2' or not exists (
        select from auth.mfa_factors f where f.user_id = me and f.status = 'verified'
      ))
  );
end
$$;

-- Whether the caller's account is open: proved, and with a password that the user chose.
create function private.is_cleared() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_proved()
    and exists (select from public.profiles p where p.id = auth.uid() and not p.must_change_password);
end
$$;

-- Whether the caller may use what is open to every signed-in user. Sign-up policy `approval` also requires a role.
create function private.is_member() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_cleared() and (
    (select s.signup_policy <> 'approval' from private.settings s)
    or exists (select from public.user_roles r where r.user_id = auth.uid())
  );
end
$$;

-- Whether the caller has one of these roles for the whole company. A supervisor scoped to a site does not.
create function private.has_role(variadic wanted text[]) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.user_roles r
    where r.user_id = auth.uid() and r.role = any (wanted) and r.site_id is null
  ) and private.is_cleared();
end
$$;

-- The sites that the caller supervises through a scoped role.
create function private.supervised_sites() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_cleared() then
    return '{}';
  end if;
  return array(
    select r.site_id from public.user_roles r
    where r.user_id = auth.uid() and r.role = 'supervisor' and r.site_id is not null
  );
end
$$;

-- The shifts of the caller's own assignments, cancelled ones included: the list shows them as cancelled.
create function private.assigned_shifts() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_member() then
    return query select a.shift_id from public.assignments a where a.user_id = auth.uid();
  end if;
end
$$;

-- The sites of the caller's own assignments.
create function private.assigned_sites() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_member() then
    return '{}';
  end if;
  return array(select distinct a.site_id from public.assignments a where a.user_id = auth.uid());
end
$$;

-- Whether the caller plans the shifts of a site. Never null: `if not null` would let the caller pass.
create function private.may_plan(site uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')
    or coalesce(site = any (private.supervised_sites()), false);
end
$$;

-- Whether the caller oversees attendance and incidents at a site. Never null.
create function private.may_oversee(site uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor')
    or coalesce(site = any (private.supervised_sites()), false);
end
$$;

create function private.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin') then
    raise exception 'Only admins may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

revoke all on all functions in schema private from public;
grant execute on function
  private.is_proved, private.is_cleared, private.is_member, private.has_role, private.supervised_sites,
  private.assigned_shifts, private.assigned_sites, private.may_plan, private.may_oversee
to authenticated;
