-- What a caller must have shown before anything of the company opens: an account in force, a session in force, and the
-- second factor where there is one. One place, which every helper of every policy goes through.

-- Whether the account and the session are in force and the caller has shown all the factors it has.
-- A token that names no session was signed outside and is believed until it expires.
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
      -- Ended here and now by signing out, by its owner or by an admin, though its token is still good for a while.
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

-- Whether the caller's account is open: proved, and with a password of its own.
create or replace function private.is_cleared() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_proved()
    and exists (select from public.profiles p where p.id = auth.uid() and not p.must_change_password);
end
$$;

revoke all on function private.is_proved() from public;
