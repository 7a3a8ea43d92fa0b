-- The people of a client who look at the client's own sites at /client. They sign in by a link in a mail. A contact is no
-- member: an account that was ever made for a contact reaches nothing of the company, also after its access has ended.
create table public.client_contacts (
  id uuid primary key default gen_random_uuid(),
  -- Only those whose access has ended: keep_clients_with_contacts refuses the others.
  client_id uuid not null references public.clients (id) on delete cascade,
  full_name text not null check (char_length(full_name) <= 200),
  email text not null check (
    char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' and email = lower(email)
  ),
  phone text check (char_length(phone) <= 50),
  -- Null until the account is made, which follows at once.
  user_id uuid references public.profiles (id) on delete set null,
  -- The last day, of the company.
  access_until date not null default (private.company_date() + 365)
    check (access_until between date '2020-01-01' and date '2200-01-01'),
  revoked_at timestamptz,
  revoked_by uuid references public.profiles (id) on delete set null,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint client_contacts_revoked_by_someone check (revoked_by is null or revoked_at is not null)
);

create unique index client_contacts_email_key on public.client_contacts (client_id, email) where revoked_at is null;
create index client_contacts_client_id_idx on public.client_contacts (client_id, created_at);
create index client_contacts_user_id_idx on public.client_contacts (user_id);
create index client_contacts_created_by_idx on public.client_contacts (created_by);
create index client_contacts_revoked_by_idx on public.client_contacts (revoked_by);

select private.tidy_texts_of('public.client_contacts', 'full_name', 'email', 'phone');
create trigger b_author before insert or update on public.client_contacts
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.client_contacts
  for each row execute function private.touch();
select private.keep_history_of('public.client_contacts');

-- Accounts that were made for contacts. Rows stay as long as the account: without one, an account whose contact is gone
-- would become a member.
create table private.client_accounts (
  user_id uuid primary key references auth.users (id) on delete cascade
);
alter table private.client_accounts enable row level security;
revoke all on private.client_accounts from public, anon, authenticated;

-- Whether the caller's account is open: proved, with a password that the user chose, and not of a client's contact.
create or replace function private.is_cleared() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_proved()
    and exists (select from public.profiles p where p.id = auth.uid() and not p.must_change_password)
    and not exists (select from private.client_accounts c where c.user_id = auth.uid());
end
$$;

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

alter table public.client_contacts enable row level security;
revoke all on public.client_contacts from anon, authenticated;
grant select, insert (id, client_id, full_name, email, phone, access_until) on public.client_contacts to authenticated;
grant update (full_name, phone, access_until) on public.client_contacts to authenticated;

create policy "Admins, operations managers and finance read contacts of clients" on public.client_contacts
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'finance')));
create policy "Contacts of clients read their own record" on public.client_contacts
  for select to authenticated
  using (user_id = (select auth.uid()) and client_id = any ((select private.client_of_caller())::uuid[]));
create policy "Admins and operations managers add contacts of clients" on public.client_contacts
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers change contacts of clients" on public.client_contacts
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));

alter publication supabase_realtime add table public.client_contacts;
alter table public.client_contacts replica identity full;

-- Staff records, roles and assignments are for the company's people; contacts are not among them, and the reverse.
create function private.keep_contacts_apart() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.user_roles r where r.user_id = new.user_id)
    or exists (select from public.assignments a where a.user_id = new.user_id)
    or exists (select from public.staff s where s.user_id = new.user_id)
  then
    raise exception 'This account belongs to someone who works for the company, so it can''t be a client''s contact.'
      using errcode = 'PT409';
  end if;
  insert into private.client_accounts (user_id) values (new.user_id) on conflict do nothing;
  return new;
end
$$;

create trigger c_keep_contacts_apart before insert on public.client_contacts
  for each row when (new.user_id is not null) execute function private.keep_contacts_apart();
create trigger c_keep_contacts_apart_on_change before update on public.client_contacts
  for each row when (new.user_id is not null and new.user_id is distinct from old.user_id)
  execute function private.keep_contacts_apart();

create function private.refuse_contacts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from new_rows n join private.client_accounts c on c.user_id = n.user_id) then
    raise exception 'This account belongs to a contact of a client, so it can''t get a role, a shift or a staff record.'
      using errcode = 'PT409';
  end if;
  return null;
end
$$;

do $$
declare
  target text;
  operation text;
begin
  foreach target in array array['user_roles', 'assignments', 'staff'] loop
    foreach operation in array array['insert', 'update'] loop
      execute format(
        'create trigger refuse_contacts_on_%2$s after %2$s on public.%1$I referencing new table as new_rows
          for each statement execute function private.refuse_contacts()', target, operation
      );
    end loop;
  end loop;
end
$$;

-- Limits what is asked for; a longer access is given again when it ends.
create function private.limit_client_access() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.access_until > private.company_date() + 731 then
    raise exception 'Access lasts at most two years at a time.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create trigger e_limit_access before insert or update of access_until on public.client_contacts
  for each row execute function private.limit_client_access();

create function private.keep_clients_with_contacts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.client_contacts c
    where c.client_id = old.id and c.revoked_at is null and c.access_until >= private.company_date()
  ) then
    raise exception 'This client has contacts who can sign in, so it can''t be deleted. End their access first.'
      using errcode = 'foreign_key_violation';
  end if;
  return old;
end
$$;

create trigger c_has_contacts before delete on public.clients
  for each row execute function private.keep_clients_with_contacts();

-- Contacts may change the address of their account. The office sees the one that is used.
create function private.follow_address_of_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.client_contacts c set email = lower(new.email)
  where c.user_id = new.id and c.revoked_at is null and new.email is not null;
  return null;
end
$$;

create trigger contact_follows_account after update on auth.users
  for each row when (old.email is distinct from new.email)
  execute function private.follow_address_of_contact();

revoke all on all functions in schema private from public;
grant execute on function private.client_of_caller to authenticated;
