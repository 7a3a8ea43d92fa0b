-- The accounts as admins look after them: the profile, and what only the auth service knows of it.

-- With its owner's rights, because nobody may read the auth service's tables; the condition is the permission.
create view public.user_accounts with (security_barrier = true) as
select
  p.id,
  p.email,
  p.full_name,
  p.created_at,
  p.must_change_password,
  coalesce(u.banned_until > now(), false) as disabled,
  u.last_sign_in_at
from public.profiles p
join auth.users u on u.id = p.id
where (select private.has_role('admin')) and u.deleted_at is null;

revoke all on public.user_accounts from public, anon, authenticated, service_role;
grant select on public.user_accounts to authenticated;

-- The list refreshes live, and whether an account is disabled is no column of its profile: a change of it touches
-- the profile. The activity log leaves updated_at out, so nothing is recorded there.
create function private.touch_profile_of_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles p set updated_at = now() where p.id = new.id;
  return null;
end
$$;
revoke all on function private.touch_profile_of_account() from public;

create trigger touch_profile_of_account after update on auth.users
  for each row when (old.banned_until is distinct from new.banned_until)
  execute function private.touch_profile_of_account();

alter publication supabase_realtime add table public.profiles;
