-- Who is asking and what their roles give: the helpers that every policy uses.
-- All are definer functions, because policies of user_roles and profiles use them too, and run once per query
-- inside `(select …)`. plpgsql, so that their plans stay cached in the session.

-- Whether the caller's account is open: it exists, is not banned or deleted, has a password of its own,
-- and has shown its second factor if it has one.
create function private.is_cleared() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
begin
  if me is null then
    return false;
  end if;
  return exists (select from public.profiles p where p.id = me and not p.must_change_password)
    and not exists (
      select from auth.users u where u.id = me and (u.banned_until > now() or u.deleted_at is not null)
    )
    and (
      auth.jwt() ->> 'aal' = 'aal2'
      or not exists (select from auth.mfa_factors f where f.user_id = me and f.status = 'verified')
    );
end
$$;

-- Whether the caller may use what is open to anyone signed in. Under `approval` that takes a role.
create function private.is_member() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_cleared() and (
    (select s.signup_policy <> 'approval' from private.settings s)
    or exists (select from public.user_roles r where r.user_id = auth.uid())
  );
end
$$;

-- Whether the caller holds one of these roles everywhere. A supervisor scoped to a site does not.
create function private.has_role(variadic wanted text[]) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.user_roles r
    where r.user_id = auth.uid() and r.role = any (wanted) and r.site_id is null
  ) and private.is_cleared();
end
$$;

-- The sites that the caller supervises by a scoped role.
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

-- Whether the caller plans the shifts of a site. For triggers, which run before a policy has had its say.
create function private.may_plan(site uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')
    or site = any (private.supervised_sites());
end
$$;

-- Whether the caller oversees attendance and incidents at a site.
create function private.may_oversee(site uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor') or site = any (private.supervised_sites());
end
$$;

revoke all on all functions in schema private from public;
grant execute on function
  private.is_cleared(), private.is_member(), private.has_role(text[]),
  private.supervised_sites(), private.assigned_shifts(), private.assigned_sites(),
  private.may_plan(uuid), private.may_oversee(uuid)
to authenticated;

create policy "Admins read the activity log" on public.audit_log
  for select to authenticated using ((select private.has_role('admin')));
