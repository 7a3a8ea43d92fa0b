-- What each person may do, kept in one row by triggers in the transaction that changes it, so it is never older than the
-- tables that it comes from. Reading it from three of them was most of what `private.rights()` took, and each request asks.
create table private.held_rights (
  user_id uuid primary key references public.profiles on delete cascade,
  -- No password to change first, and not a contact of a client.
  is_cleared boolean not null,
  -- Without those that are limited to one site.
  roles text[] not null,
  supervised_sites uuid[] not null
);
alter table private.held_rights enable row level security;

create function private.hold_rights(people uuid[]) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  -- Changes of one person's rights take turns: the query below has a new snapshot, with what the other one did.
  perform from auth.users u where u.id = any (people) order by u.id for no key update;
  insert into private.held_rights as h (user_id, is_cleared, roles, supervised_sites)
  select
    p.id,
    not p.must_change_password and not exists (select from private.client_accounts c where c.user_id = p.id),
    array(select r.role from public.user_roles r where r.user_id = p.id and r.site_id is null order by r.role),
    array(
      select r.site_id from public.user_roles r
      where r.user_id = p.id and r.role = 'supervisor' and r.site_id is not null order by r.site_id
    )
  from public.profiles p
  where p.id = any (people)
  on conflict (user_id) do update
  set is_cleared = excluded.is_cleared, roles = excluded.roles, supervised_sites = excluded.supervised_sites
  where (h.is_cleared, h.roles, h.supervised_sites)
    is distinct from (excluded.is_cleared, excluded.roles, excluded.supervised_sites);
end
$$;

create function private.hold_rights_of_row() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_table_name = 'profiles' then
    perform private.hold_rights(array[new.id]);
  else
    -- One of them is null unless this is an update.
    perform private.hold_rights(array[old.user_id, new.user_id]);
  end if;
  return null;
end
$$;
revoke all on function private.hold_rights(uuid[]), private.hold_rights_of_row() from public;

-- Row-level triggers come before those of the statement, which forget what the statement has read before.
create trigger hold_rights after insert on public.profiles
  for each row execute function private.hold_rights_of_row();
create trigger hold_rights_on_update after update on public.profiles
  for each row when (old.must_change_password <> new.must_change_password)
  execute function private.hold_rights_of_row();
create trigger hold_rights after insert or update or delete on public.user_roles
  for each row execute function private.hold_rights_of_row();
create trigger hold_rights after insert or update or delete on private.client_accounts
  for each row execute function private.hold_rights_of_row();

select private.hold_rights(array(select p.id from public.profiles p));

-- An erasure takes the roles away, and the triggers empty the row. An export has the roles themselves.
insert into private.personal_data (target, belongs, on_erasure, blanked, withheld, newest) values
  ('private.held_rights', 'r.user_id = $1', 'keep', '{}', null, '1');

-- As before, but of the company's tables only the one above is read.
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
  select true, h.is_cleared, h.roles <> '{}' or h.supervised_sites <> '{}', h.roles, h.supervised_sites
  into found
  from auth.users u
  left join private.held_rights h on h.user_id = u.id
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
  elsif not found.is_member then
    select s.signup_policy <> 'approval' into found.is_member from private.settings s;
  end if;
  perform set_config('private.rights_asked', asked, true), set_config('private.rights', found::text, true);
  return found;
end
$$;
