-- A password that an admin gives is a temporary one: with app_metadata.must_change_password the person must choose
-- their own before anything opens, and may choose it once. app_metadata is written by the service role only.

-- Whoever changes the password meets the demand; an admin who sets another temporary one writes it again afterwards.
create function private.meet_password_demand() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.raw_app_meta_data := new.raw_app_meta_data - 'must_change_password';
  return new;
end
$$;
revoke all on function private.meet_password_demand() from public;

-- Demands that were met before this migration.
update auth.users u set raw_app_meta_data = u.raw_app_meta_data - 'must_change_password'
from public.profiles p
where p.id = u.id and not p.must_change_password and u.raw_app_meta_data ? 'must_change_password';

create trigger meet_password_demand before update on auth.users
  for each row
  when (
    old.encrypted_password is distinct from new.encrypted_password
    and old.raw_app_meta_data -> 'must_change_password' is not distinct from new.raw_app_meta_data -> 'must_change_password'
    and new.raw_app_meta_data ? 'must_change_password'
  )
  execute function private.meet_password_demand();

create or replace function private.follow_account() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  name_sent text := left(new.raw_user_meta_data ->> 'full_name', 200);
  is_demanded boolean := coalesce(new.raw_app_meta_data ->> 'must_change_password' = 'true', false);
begin
  if tg_op = 'INSERT' then
    insert into public.profiles (id, email, full_name, must_change_password, created_at)
    values (new.id, new.email, name_sent, is_demanded, coalesce(new.created_at, now()));
  else
    update public.profiles p set
      email = new.email,
      full_name = case
        when new.raw_user_meta_data ->> 'full_name' is distinct from old.raw_user_meta_data ->> 'full_name'
        then name_sent else p.full_name
      end,
      must_change_password = case
        when old.raw_app_meta_data -> 'must_change_password' is distinct from new.raw_app_meta_data -> 'must_change_password'
        then is_demanded
        else p.must_change_password and new.encrypted_password is not distinct from old.encrypted_password
      end
    where p.id = new.id;
  end if;
  return null;
end
$$;

drop trigger profile_follows_account on auth.users;
create trigger profile_follows_account after update on auth.users
  for each row
  when (
    old.email is distinct from new.email
    or old.encrypted_password is distinct from new.encrypted_password
    or old.raw_user_meta_data is distinct from new.raw_user_meta_data
    or old.raw_app_meta_data -> 'must_change_password' is distinct from new.raw_app_meta_data -> 'must_change_password'
  )
  execute function private.follow_account();
