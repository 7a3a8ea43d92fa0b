-- The list of accounts begins with the newest. A view that hands out its rows in that order lets a page stop at its limit
-- before the roles of all the others are read; asked for another order, the rows are sorted as before.
create or replace view public.user_accounts with (security_barrier = true) as
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
where (select private.has_role('admin')) and u.deleted_at is null
order by p.created_at desc, p.id;
