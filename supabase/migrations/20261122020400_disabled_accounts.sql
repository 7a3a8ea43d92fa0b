-- Admins disable accounts and sign people out everywhere. The last admin stays, whoever tries and by whatever way.

-- Beside the trigger on user_roles, which minds the role: here the account behind it is banned or softly deleted.
create function private.keep_an_admin_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.user_roles r where r.user_id = old.id and r.role = 'admin') then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtext('private.keep_an_admin'));
  if not exists (
    select from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role = 'admin' and r.user_id <> old.id
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  ) then
    raise exception 'The last admin can''t be removed.'
      using errcode = 'PT409', hint = 'Give the admin role to somebody else first.';
  end if;
  return new;
end
$$;
revoke all on function private.keep_an_admin_account() from public;

create trigger keep_an_admin_account before update on auth.users
  for each row
  when (
    (new.deleted_at is not null and old.deleted_at is null)
    or (new.banned_until > now() and (old.banned_until is null or old.banned_until <= now()))
  )
  execute function private.keep_an_admin_account();

create function private.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin') then
    raise exception 'Only admins may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;
revoke all on function private.require_admin() from public;

-- Disabled: can't sign in, every session ends, and open tokens give nothing from now on. Enabling lets them sign in anew.
create function public.set_account_disabled(user_id uuid, disabled boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  target uuid := set_account_disabled.user_id;
begin
  perform private.require_admin();
  if disabled is null then
    raise exception 'Say whether the account is disabled.' using errcode = 'not_null_violation';
  end if;
  if disabled and target = auth.uid() then
    raise exception 'You can''t disable your own account.' using errcode = 'PT409';
  end if;
  -- A date, not infinity, which other readers of this table can't hold.
  update auth.users u set
    banned_until = case when disabled then now() + interval '100 years' end,
    updated_at = now()
  where u.id = target and u.deleted_at is null;
  if not found then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  if disabled then
    delete from auth.sessions s where s.user_id = target;
  end if;
  perform private.record_security_event(
    case when disabled then 'user_disabled' else 'user_enabled' end, target, '{}'
  );
end
$$;

-- Ends every session of an account: its refresh tokens are gone, its open access tokens give nothing from now on.
create function public.sign_out_everywhere(user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  target uuid := sign_out_everywhere.user_id;
begin
  perform private.require_admin();
  if not exists (select from auth.users u where u.id = target and u.deleted_at is null) then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  delete from auth.sessions s where s.user_id = target;
  perform private.record_security_event('signed_out_everywhere', target, '{}');
end
$$;

revoke all on function public.set_account_disabled(uuid, boolean), public.sign_out_everywhere(uuid) from public, anon;
grant execute on function public.set_account_disabled(uuid, boolean), public.sign_out_everywhere(uuid) to authenticated;
