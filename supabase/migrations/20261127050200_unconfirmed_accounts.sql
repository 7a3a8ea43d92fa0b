-- Admins see which accounts have not confirmed an address, and the list refreshes when one does.
create or replace view public.user_accounts with (security_barrier = true) as
select
  p.id,
  p.email,
  p.full_name,
  p.created_at,
  p.must_change_password,
  coalesce(u.banned_until > now(), false) as disabled,
  u.last_sign_in_at,
  u.email_confirmed_at is null and u.phone_confirmed_at is null as unconfirmed
from public.profiles p
join auth.users u on u.id = p.id
where (select private.has_role('admin')) and u.deleted_at is null
order by p.created_at desc, p.id;

drop trigger touch_profile_of_account on auth.users;
create trigger touch_profile_of_account after update on auth.users
  for each row
  when (
    old.banned_until is distinct from new.banned_until
    or old.email_confirmed_at is distinct from new.email_confirmed_at
    or old.phone_confirmed_at is distinct from new.phone_confirmed_at
  )
  execute function private.touch_profile_of_account();
