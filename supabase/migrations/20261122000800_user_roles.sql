-- Who has which role. Admins give roles to others but not to themselves, and the last admin can't be removed.
create table public.user_roles (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  role text not null check (role in ('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'guard')),
  -- Only for supervisors; null means all sites. Deleting the site deletes the role, because null would widen it.
  site_id uuid references public.sites (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_roles_only_supervisors_have_a_site check (site_id is null or role = 'supervisor'),
  constraint user_roles_given_once unique nulls not distinct (user_id, role, site_id)
);

create index user_roles_site_id_idx on public.user_roles (site_id);
create index user_roles_role_idx on public.user_roles (role);

create trigger d_touch before update on public.user_roles
  for each row execute function private.touch();
select private.keep_history_of('public.user_roles');

alter table public.user_roles enable row level security;
revoke all on public.user_roles from anon, authenticated;
grant select, insert, delete on public.user_roles to authenticated;

create policy "Members read their own roles" on public.user_roles
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_cleared()));
create policy "Admins read every role" on public.user_roles
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins give roles to others" on public.user_roles
  for insert to authenticated
  with check ((select private.has_role('admin')) and user_id <> (select auth.uid()));
create policy "Admins remove roles" on public.user_roles
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.user_roles;
-- Realtime sends a deleted row only to users who could read it. Where the policies look at more than the key, as here
-- and in several files below, the replication log must contain the whole old row.
alter table public.user_roles replica identity full;

-- Refuses unless another admin is left. A banned or deleted account does not count. The lock makes two admins who remove
-- each other take turns.
create function private.require_another_admin(leaving uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('private.require_another_admin'));
  if not exists (
    select from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role = 'admin' and r.user_id <> leaving
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  ) then
    raise exception 'The last admin can''t be removed.'
      using errcode = 'PT409', hint = 'Give the admin role to someone else first.';
  end if;
end
$$;

-- The role is removed or changed; also when deleting an account removes its roles.
create function private.keep_an_admin() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_another_admin(old.user_id);
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create trigger c_keep_an_admin before delete on public.user_roles
  for each row when (old.role = 'admin') execute function private.keep_an_admin();
create trigger c_keep_an_admin_on_change before update on public.user_roles
  for each row when (old.role = 'admin' and (new.role <> 'admin' or new.user_id <> old.user_id))
  execute function private.keep_an_admin();

-- The account behind the role is banned or softly deleted.
create function private.keep_an_admin_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.user_roles r where r.user_id = old.id and r.role = 'admin') then
    perform private.require_another_admin(old.id);
  end if;
  return new;
end
$$;

create trigger keep_an_admin_account before update on auth.users
  for each row
  when (
    (new.deleted_at is not null and old.deleted_at is null)
    or (new.banned_until > now() and (old.banned_until is null or old.banned_until <= now()))
  )
  execute function private.keep_an_admin_account();

revoke all on all functions in schema private from public;
