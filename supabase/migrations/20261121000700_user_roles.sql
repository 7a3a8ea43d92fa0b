-- Who holds which role. Admins give roles to others, nobody to themselves, and the last admin stays.
create table public.user_roles (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  role text not null check (role in ('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'guard')),
  -- Only of a supervisor; blank means all sites. A site that goes takes the role along: blank would widen it.
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

-- Also met when an account is deleted, by the cascade. The lock makes two admins who remove each other take turns.
create function private.keep_an_admin() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('private.keep_an_admin'));
  -- A banned or deleted account is no admin to rely on.
  if not exists (
    select from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role = 'admin' and r.user_id <> old.user_id
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  ) then
    raise exception 'The last admin can''t be removed.'
      using errcode = 'PT409', hint = 'Give the admin role to somebody else first.';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
revoke all on function private.keep_an_admin() from public;

create trigger c_keep_an_admin before delete on public.user_roles
  for each row when (old.role = 'admin') execute function private.keep_an_admin();
create trigger c_keep_an_admin_on_change before update on public.user_roles
  for each row when (old.role = 'admin' and (new.role <> 'admin' or new.user_id <> old.user_id))
  execute function private.keep_an_admin();

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
create policy "Admins take roles away" on public.user_roles
  for delete to authenticated using ((select private.has_role('admin')));

alter publication supabase_realtime add table public.user_roles;
