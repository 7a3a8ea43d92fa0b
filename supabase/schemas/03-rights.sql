-- Roles, what they allow, and how a right is looked up once per statement.

-- ── Tables ────────────────────────────────────────────────────────────

-- What the caller may do, read once per statement. Nearly every policy asks for it, several times in one request: that
-- took most of PostgreSQL's time.
create type private.rights as (
  is_proved boolean, is_cleared boolean, is_member boolean, roles text[], supervised_sites uuid[]
);

-- What each person may do, kept in one row by triggers in the transaction that changes it, so it is never older than
-- the tables that it comes from. Reading it from three of them was most of what `private.rights()` took, and each
-- request asks.
create table private.held_rights (
  user_id uuid primary key references public.profiles on delete cascade,
  is_cleared boolean not null, -- No password to change first, and not a contact of a client.
  roles text[] not null, -- Without those that are limited to one site.
  supervised_sites uuid[] not null
);
alter table private.held_rights enable row level security;

-- Who has which role. Admins give roles to others but not to themselves, and the last admin can't be removed.
create table public.user_roles (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references public.profiles on delete cascade,
  role text not null check (role in ('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'finance', 'guard')),
  -- Only for supervisors; null means all sites. Deleting the site deletes the role, because null would widen it.
  site_id uuid references public.sites on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_roles_given_once unique nulls not distinct (user_id, role, site_id),
  constraint user_roles_only_supervisors_have_a_site check (site_id is null or role = 'supervisor')
);
create index user_roles_site_id_idx on public.user_roles (site_id);
create index user_roles_role_idx on public.user_roles (role);
alter table public.user_roles replica identity full;
alter publication supabase_realtime add table public.user_roles;
-- Triggers, in the order in which they fire:
create trigger c_keep_an_admin before delete on public.user_roles
  for each row when (old.role = 'admin') execute function private.keep_an_admin();
create trigger c_keep_an_admin_on_change before update on public.user_roles
  for each row when (old.role = 'admin' and (new.role <> 'admin' or new.user_id <> old.user_id))
  execute function private.keep_an_admin();
create trigger d_touch before update on public.user_roles for each row execute function private.touch();
create trigger hold_rights after insert or update or delete on public.user_roles
  for each row execute function private.hold_rights_of_row();
create trigger z_timesheets_follow_new after insert on public.user_roles
  for each row when (new.role = 'guard') execute function private.follow_employment();
create trigger z_timesheets_follow_removed after delete on public.user_roles
  for each row when (old.role = 'guard') execute function private.follow_employment();
create trigger a_forget_rights after insert or update or delete on public.user_roles
  for each statement execute function private.forget_rights();
select private.keep_history_of('public.user_roles');
create trigger refuse_contacts_on_insert after insert on public.user_roles referencing new table as new_rows
  for each statement execute function private.refuse_contacts();
create trigger refuse_contacts_on_update after update on public.user_roles referencing new table as new_rows
  for each statement execute function private.refuse_contacts();
alter table public.user_roles enable row level security;
grant select, insert, delete on public.user_roles to authenticated;
create policy "Members read their own roles" on public.user_roles
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_cleared()));
create policy "Admins read every role" on public.user_roles
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins give roles to others" on public.user_roles
  for insert to authenticated with check ((select private.has_role('admin')) and user_id <> (select auth.uid()));
create policy "Admins remove roles" on public.user_roles
  for delete to authenticated using ((select private.has_role('admin')));

-- By the name that the board shows.
create view private.site_supervisors as
select r.site_id, p.id as user_id, coalesce(nullif(p.full_name, ''), p.email) as name
from public.user_roles r
join public.profiles p on p.id = r.user_id where r.role = 'supervisor' and r.site_id is not null;

-- ── Functions ─────────────────────────────────────────────────────────

-- A function that changes rights and then relies on them sees the change.
create function private.forget_rights() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform set_config('private.rights_asked', '', true);
  return null;
end
$$;

create function private.hold_rights(people uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
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
language plpgsql security definer set search_path = '' as $$
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

-- Refuses unless another admin is left. A banned or deleted account does not count. The lock makes two admins who
-- remove each other take turns.
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

-- Gives a role to many users, all or none. Users who have it already are left alone. Returns the added rows, whose ids
-- delete_records takes to undo it.
create function public.give_role(p_user_ids uuid[], p_role text, p_site_id uuid default null) returns jsonb
language plpgsql set search_path = '' as $$
declare
  given jsonb;
begin
  perform private.require_many(p_user_ids);
  if auth.uid() = any (p_user_ids) then
    raise exception 'You can''t change your own roles.' using errcode = 'insufficient_privilege';
  end if;
  with added as (
    insert into public.user_roles (user_id, role, site_id)
    select wanted.id, p_role, p_site_id
    from (select distinct u.id from unnest(p_user_ids) u (id) order by 1) wanted
    on conflict do nothing
    returning *
  )
  select coalesce(jsonb_agg(to_jsonb(added)), '[]') into given from added;
  return given;
end
$$;
grant execute on function public.give_role to authenticated;

-- As before, but of the company's tables only the one above is read.
create function private.rights() returns private.rights
language plpgsql stable security definer set search_path = '' as $$
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
grant execute on function private.rights to authenticated;

-- Without `security definer` and with a body that PostgreSQL can put into the statement itself.
create function private.is_proved() returns boolean language sql stable return (private.rights()).is_proved;
grant execute on function private.is_proved to authenticated;

-- The clients whose contact the caller is, while that access lasts.
create function private.client_of_caller() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_proved() then
    return '{}';
  end if;
  return array(
    select distinct c.client_id from public.client_contacts c
    where c.user_id = auth.uid() and c.revoked_at is null and c.access_until >= private.company_date()
  );
end
$$;
grant execute on function private.client_of_caller to authenticated;

-- What the portal greets the caller with: each client whose contact they are.
create function public.my_clients() returns table (client_id uuid, client_name text, full_name text, access_until date)
language sql stable security definer set search_path = '' as $$
  select k.id, k.name, c.full_name, c.access_until
  from public.client_contacts c
  join public.clients k on k.id = c.client_id
  where c.user_id = (select auth.uid()) and c.client_id = any ((select private.client_of_caller())::uuid[])
    and c.revoked_at is null
  order by k.name, k.id;
$$;
grant execute on function public.my_clients to authenticated;

-- Whether the caller has one of these roles for the whole company. A supervisor scoped to a site does not.
create function private.has_role(variadic wanted text[]) returns boolean
language sql stable return coalesce((private.rights()).roles && wanted, false);
grant execute on function private.has_role to authenticated;

-- Removes a role from many users, for every site, all or none. Returns the removed rows, for restore_records.
create function public.remove_role(p_user_ids uuid[], p_role text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  held uuid[];
begin
  perform private.require_many(p_user_ids);
  if auth.uid() = any (p_user_ids) then
    raise exception 'You can''t change your own roles.' using errcode = 'insufficient_privilege';
  end if;
  if not private.has_role('admin') then
    raise exception 'Only admins may do this.' using errcode = 'insufficient_privilege';
  end if;
  held := array(select r.id from public.user_roles r where r.user_id = any (p_user_ids) and r.role = p_role);
  return case when held = '{}' then '[]' else public.delete_records('user_roles', held) end;
end
$$;
grant execute on function public.remove_role to authenticated;

-- Whether the caller may use what is open to every signed-in user. Sign-up policy `approval` also requires a role.
create function private.is_member() returns boolean language sql stable return (private.rights()).is_member;
grant execute on function private.is_member to authenticated;

-- The shifts of the caller's own assignments, cancelled ones included: the list shows them as cancelled.
create function private.assigned_shifts() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_member() then
    return query select a.shift_id from public.assignments a where a.user_id = auth.uid();
  end if;
end
$$;
grant execute on function private.assigned_shifts to authenticated;

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
grant execute on function private.assigned_sites to authenticated;

create function private.client_sites() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select s.id from public.sites s where s.client_id = any (private.client_of_caller()));
end
$$;

-- Who decides about the records of a site: its supervisors and those of all sites; without any, the operations managers
-- and admins.
create function private.deciders_of(p_site uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct r.user_id
  from public.user_roles r
  cross join (
    select exists (
      select from public.user_roles o where o.role = 'supervisor' and coalesce(o.site_id = p_site, true)
    ) as has_supervisor
  ) site
  where case when site.has_supervisor then r.role = 'supervisor' and coalesce(r.site_id = p_site, true)
    else r.role in ('ops_manager', 'admin') end;
$$;

-- Whether the caller's account is open: proved, with a password that the user chose, and not of a client's contact.
create function private.is_cleared() returns boolean language sql stable return (private.rights()).is_cleared;
grant execute on function private.is_cleared to authenticated;

-- Whether the person has or had a shift at the site around now, also one that was moved or deleted since.
create function private.is_of_site(p_person uuid, p_assignment uuid, p_site uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.assignments a
    where a.user_id = p_person and a.site_id = p_site and a.starts_at between now() - interval '62 days'
      and now() + interval '3 days'
  ) or exists (
    select from public.audit_log h
    where h.row_id = p_assignment and h.table_name = 'assignments'
      and p_person::text in (h.old_values ->> 'user_id', h.new_values ->> 'user_id')
      and p_site::text in (h.old_values ->> 'site_id', h.new_values ->> 'site_id')
  );
$$;

-- The sites that the caller supervises through a scoped role.
create function private.supervised_sites() returns uuid[]
language sql stable return (private.rights()).supervised_sites;
grant execute on function private.supervised_sites to authenticated;

-- Whether the caller decides about hours worked at all of these sites. A server without a caller does. Never null.
create function private.may_approve_time(p_sites uuid[]) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return auth.role() is null or auth.role() = 'service_role'
    or private.has_role('admin', 'ops_manager', 'hr', 'supervisor')
    or coalesce(cardinality(p_sites) > 0 and p_sites <@ private.supervised_sites(), false);
end
$$;
grant execute on function private.may_approve_time to authenticated;

-- Whether the caller may see and change what clients are billed. Never null.
create function private.may_bill() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'finance');
end
$$;
grant execute on function private.may_bill to authenticated;

-- Whether the caller oversees attendance and incidents at a site. Never null.
create function private.may_oversee(site uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor')
    or coalesce(site = any (private.supervised_sites()), false);
end
$$;
grant execute on function private.may_oversee to authenticated;

-- Whether the caller may see and change everybody's pay. Never null.
create function private.may_pay() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'finance');
end
$$;
grant execute on function private.may_pay to authenticated;

-- Whether the caller plans the shifts of a site. Never null: `if not null` would let the caller pass.
create function private.may_plan(site uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')
    or coalesce(site = any (private.supervised_sites()), false);
end
$$;
grant execute on function private.may_plan to authenticated;

-- Who may follow up incidents of a site; without a site, of any. Definer, because only admins read roles.
create function private.overseers_of(site uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct r.user_id from public.user_roles r
  where r.role in ('admin', 'ops_manager')
    or r.role = 'supervisor' and (r.site_id is null or site is null or r.site_id = site);
$$;

-- Adds the policies of a table with a site_id whose rows overseers of the site add, change and delete, one per command.
create function private.add_overseer_policies(target regclass, what text) returns void
language plpgsql set search_path = '' as $$
declare
  oversees text := '((select private.has_role(''admin'', ''ops_manager'', ''supervisor''))
    or site_id = any ((select private.supervised_sites())::uuid[]))';
begin
  execute format('create policy %I on %s for insert to authenticated with check %s',
    'Overseers add ' || what, target, oversees);
  execute format('create policy %I on %s for update to authenticated using %3$s with check %3$s',
    'Overseers change ' || what, target, oversees);
  execute format('create policy %I on %s for delete to authenticated using %s',
    'Overseers delete ' || what, target, oversees);
end
$$;

-- The caller's own staff record, if an admin has linked one.
create function private.own_staff_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.id from public.staff s where s.user_id = auth.uid() and private.is_member());
end
$$;
grant execute on function private.own_staff_id to authenticated;

-- The sites that the caller plans, of those that are wanted; null wants all.
create function private.planned_sites(p_sites uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  plans_all boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
  own uuid[] := private.supervised_sites();
begin
  if not plans_all and own = '{}' then
    raise exception 'You don''t plan shifts.' using errcode = 'insufficient_privilege';
  end if;
  if cardinality(p_sites) > 1000 then
    raise exception 'Choose at most 1,000 sites.' using errcode = 'invalid_parameter_value';
  end if;
  return array(
    select s.id from public.sites s
    where (p_sites is null or s.id = any (p_sites)) and (plans_all or s.id = any (own))
  );
end
$$;

-- The planners who get a site's notices: dispatchers and its supervisors, or the managers if there are none. Never the
-- caller.
create function private.planners_of(p_sites uuid[]) returns table (site_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
  with near as materialized (
    select w.site_id, r.user_id from unnest(p_sites) w (site_id) cross join public.user_roles r
    where r.role = 'dispatcher' and r.user_id is distinct from auth.uid()
    union
    select r.site_id, r.user_id from public.user_roles r
    where r.role = 'supervisor' and r.site_id = any (p_sites) and r.user_id is distinct from auth.uid()
  )
  select n.site_id, n.user_id from near n
  union
  select w.site_id, r.user_id
  from unnest(p_sites) w (site_id)
  join public.user_roles r on r.role in ('ops_manager', 'admin')
  where r.user_id is distinct from auth.uid() and not exists (select from near n where n.site_id = w.site_id);
$$;

-- Who fills the empty seats of a site: its planners and the operations managers. Never the caller.
create function private.fillers_of(p_sites uuid[]) returns table (site_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
  select p.site_id, p.user_id from private.planners_of(p_sites) p
  union
  select w.site_id, r.user_id from unnest(p_sites) w (site_id)
  join public.user_roles r on r.role = 'ops_manager' and r.user_id is distinct from auth.uid();
$$;

create function private.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin') then
    raise exception 'Only admins may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- For functions that hire people, change their addresses, give start codes and end employments: admins for everybody,
-- HR for guards and people without a role, and not for themselves.
create function private.require_people_manager(p_person uuid default null) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.has_role('admin') then
    return;
  end if;
  if not private.has_role('hr') then
    raise exception 'Only admins and HR may do this.' using errcode = 'insufficient_privilege';
  end if;
  if p_person = auth.uid()
    or exists (select from public.user_roles r where r.user_id = p_person and r.role <> 'guard')
    or exists (select from private.client_accounts c where c.user_id = p_person)
  then
    raise exception 'Only admins may do this for people who work in the office, and for contacts of clients.'
      using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- For functions that bill. The service role passes: it is the company's own scripts.
create function private.require_billing_role() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.may_bill() or (auth.uid() is null and auth.role() is distinct from 'anon')) then
    raise exception 'Only admins and finance may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;
grant execute on function private.require_billing_role to authenticated;

create function private.require_client_manager() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager') then
    raise exception 'Only admins and operations managers may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

create function private.require_manager() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager') then
    raise exception 'Only admins and operations managers may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

create function private.require_member() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_member() then
    -- 401, so that the device keeps what it sends until the user has finished signing in.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
end
$$;

-- For functions that write pay. The service role passes: it is the company's own scripts.
create function private.require_pay_role() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.may_pay() or (auth.uid() is null and auth.role() is distinct from 'anon')) then
    raise exception 'Only admins and finance may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;
grant execute on function private.require_pay_role to authenticated;
