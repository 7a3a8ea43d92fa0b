-- Clients, their contacts and sites, and enquiries from the public site.

-- ── Tables ────────────────────────────────────────────────────────────

-- The companies that the firm guards, and what they pay per month.
create table public.clients (
  id uuid default gen_random_uuid() primary key,
  name text not null check (char_length(name) <= 200),
  number_of_guards integer not null check (number_of_guards between 0 and 100000),
  -- USD. The upper bounds of amounts also keep 'NaN' out, which numeric would accept.
  monthly_rate numeric(14,2) not null check (monthly_rate between 0 and 999999999999.99),
  location text not null check (char_length(location) <= 300),
  payment_method text not null default 'monthly'
    check (payment_method in ('monthly', 'quarterly', 'annually', 'on-demand', 'cash')),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Mailed on the first day of the next month; null, as at first, is off.
  report_email text check (char_length(report_email) <= 255 and report_email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  tin text check (char_length(tin) <= 40) -- Tax identification number, on invoices and returns.
);
comment on column public.clients.report_email is 'Where the monthly report is mailed; null: nowhere';
-- Refuses a repeated import.
create unique index clients_name_location_key on public.clients (lower(name), lower(location));
create index clients_name_idx on public.clients (name);
create index clients_created_by_idx on public.clients (created_by);
create index clients_search_idx on public.clients
  using gin (private.folded(name || ' ' || coalesce(location, '')) extensions.gin_trgm_ops) with (fastupdate = off);
alter publication supabase_realtime add table public.clients;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.clients', 'name', 'location', 'tin');
create trigger b_author before insert or update on public.clients for each row execute function private.stamp_author();
create trigger c_has_contacts before delete on public.clients
  for each row execute function private.keep_clients_with_contacts();
create trigger c_in_use before delete on public.clients
  for each row execute function private.refuse_while_used(
    'contracts', 'client_id', 'This client has contracts, so it can''t be deleted. Give them an end date instead.',
    'invoices', 'client_id', 'This client has invoices, so it can''t be deleted.',
    'receipts', 'client_id', 'This client has receipts, so it can''t be deleted.');
create trigger c_printable before insert or update of name, location, tin on public.clients
  for each row execute function private.refuse_unprintable('name', 'location', 'tin');
create trigger c_tax_numbers before insert or update of tin on public.clients
  for each row when (new.tin is not null) execute function private.check_tax_numbers('tin', 'tin');
create trigger d_touch before update on public.clients for each row execute function private.touch();
select private.keep_history_of('public.clients');
alter table public.clients enable row level security;
grant select, insert, update, delete on public.clients to authenticated;
create policy "Admins and operations managers read clients" on public.clients
  for select to authenticated using ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers add clients" on public.clients
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers change clients" on public.clients
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers delete clients" on public.clients
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));
-- Who bills must be able to choose the client, the site and the post.
create policy "Finance reads clients" on public.clients
  for select to authenticated using ((select private.has_role('finance')));

-- The guarded places, their names for everyone who reports an incident, and distances from them.
create table public.sites (
  id uuid default gen_random_uuid() primary key,
  name text not null check (char_length(name) <= 200),
  client_name text not null check (char_length(client_name) <= 200),
  -- Set if the client was chosen from the list; client_name stays as typed.
  client_id uuid references public.clients on delete set null,
  address text not null check (char_length(address) <= 500),
  timezone text not null default 'Africa/Monrovia'
    check (timezone in ('Africa/Monrovia', 'Africa/Lagos', 'Africa/Accra')),
  latitude double precision check (latitude >= '-90'::integer::double precision and latitude <= 90::double precision),
  longitude double precision
    check (longitude >= '-180'::integer::double precision and longitude <= 180::double precision),
  -- Clock events further away are flagged, never refused.
  geofence_radius_m integer not null default 200 check (geofence_radius_m between 10 and 50000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- After the start of a shift: nobody clocked in.
  alert_after_minutes integer not null default 10 check (alert_after_minutes between 1 and 240),
  -- After an alert: nobody acknowledged it.
  escalate_after_minutes integer not null default 5 check (escalate_after_minutes between 1 and 240),
  -- Null: no welfare checks, except at posts where the guard is alone.
  welfare_every_minutes integer check (welfare_every_minutes between 10 and 480),
  -- Since a guard's phone or the site's device was last heard, if it should be; null: never an alert.
  no_signal_after_minutes integer default 15 check (no_signal_after_minutes between 10 and 240),
  -- How guards may clock in here. Events of another way are stored and flagged, never refused.
  clock_ways text[] not null default '{phone,device,muster,message,office}'::text[]
    check (cardinality(clock_ways) > 0 and clock_ways <@ array['phone', 'device', 'muster', 'message', 'office']
      and array_position(clock_ways, null::text) is null),
  -- For the filter of the board; optional.
  county text
    constraint sites_county_known check (county in ('Bomi', 'Bong', 'Gbarpolu', 'Grand Bassa', 'Grand Cape Mount',
      'Grand Gedeh', 'Grand Kru', 'Lofa', 'Margibi', 'Maryland', 'Montserrado', 'Nimba', 'River Cess', 'River Gee',
      'Sinoe')),
  -- How far away guards live at most; null: see private.distance_problem.
  max_distance_km integer check (max_distance_km between 1 and 2000),
  -- Kinds of lines of the book that its released pages leave out; visitors and vehicles are still counted.
  book_kinds_withheld text[] not null default '{handover}'::text[]
    check (book_kinds_withheld <@ array['check', 'observation', 'visitor', 'vehicle', 'key', 'delivery', 'lost_found',
      'instruction', 'handover', 'duty', 'patrol', 'incident']
      and array_position(book_kinds_withheld, null::text) is null),
  -- When the book of the day before is released to the client by itself, in the site's zone; null: by hand alone.
  book_release_hour integer check (book_release_hour between 0 and 23),
  -- How long visits are kept here; null: as long as the company keeps them.
  visits_days integer check (visits_days between 7 and 365),
  constraint sites_coordinates_come_in_pairs check ((latitude is null) = (longitude is null))
);
create index sites_name_idx on public.sites (name);
create index sites_client_id_idx on public.sites (client_id);
create index sites_search_idx on public.sites
  using gin (
    private.folded(name || ' ' || coalesce(client_name, '') || ' ' || coalesce(address, '')) extensions.gin_trgm_ops
  ) with (fastupdate = off);
alter publication supabase_realtime add table public.sites;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.sites', 'name', 'client_name', 'address');
create trigger c_in_use before delete on public.sites
  for each row execute function private.refuse_while_used(
    'incidents', 'site_id', 'This site has incidents on record, so it can''t be deleted.',
    'posts', 'site_id', 'This site still has posts, so it can''t be deleted.',
    'contract_posts', 'site_id', 'A contract bills this site, so it can''t be deleted.',
    'shifts', 'site_id', 'This site still has shifts, so it can''t be deleted.',
    'invoice_lines', 'site_id', 'This site is on invoices, so it can''t be deleted.');
-- Lines of invoices begin with it.
create trigger c_printable before insert or update of name on public.sites
  for each row execute function private.refuse_unprintable('name');
create trigger d_touch before update on public.sites for each row execute function private.touch();
create trigger welfare_checks_follow after update on public.sites
  for each row when (old.welfare_every_minutes is distinct from new.welfare_every_minutes)
  execute function private.remake_welfare_checks();
select private.keep_history_of('public.sites');
alter table public.sites enable row level security;
grant select, insert, update, delete on public.sites to authenticated;
create policy "Planners and HR read every site" on public.sites
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr')));
create policy "Supervisors read their own sites" on public.sites
  for select to authenticated using (id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read the sites of their own assignments" on public.sites
  for select to authenticated using (id = any ((select private.assigned_sites())::uuid[]));
create policy "Admins and operations managers add sites" on public.sites
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers change sites" on public.sites
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers delete sites" on public.sites
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));
create policy "Finance reads sites" on public.sites
  for select to authenticated using ((select private.has_role('finance')));

-- When enquiries arrived, and from which network. Deleted after an hour, and not linked to the enquiries.
create table private.enquiry_arrivals (
  id bigint generated always as identity primary key,
  network inet not null,
  at timestamptz not null default now()
);
create index enquiry_arrivals_network_idx on private.enquiry_arrivals (network, at);
create index enquiry_arrivals_at_idx on private.enquiry_arrivals (at);
alter table private.enquiry_arrivals enable row level security;

-- Enquiries from the public site: visitors send them, admins and operations managers answer; with a limit per sender
-- and a queue of the mails that announce them.
create table public.contact_messages (
  id uuid default gen_random_uuid() primary key,
  name text not null check (char_length(name) between 2 and 100),
  email text not null check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  company text check (char_length(company) <= 200),
  message text not null check (char_length(message) between 10 and 2000),
  state text not null default 'new' check (state in ('new', 'answered', 'closed')),
  note text check (char_length(note) <= 5000),
  handled_by uuid references public.profiles on delete set null,
  handled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- How far the sale is; the state says whether the message was answered. private.follow_stage moves both.
  stage text not null default 'new' check (stage in ('new', 'talks', 'quoted', 'won', 'lost')),
  lost_reason text check (char_length(lost_reason) between 1 and 500),
  owner_id uuid references public.profiles on delete set null, -- Who has the next step.
  next_action text check (char_length(next_action) between 1 and 200),
  -- A day of the company, on which the owner gets a notice.
  next_action_on date check (next_action_on between '2020-01-01' and '2199-12-31'),
  constraint contact_messages_lost_with_reason check ((stage = 'lost') = (lost_reason is not null)),
  constraint contact_messages_decided_is_closed check (stage not in ('won', 'lost') or state = 'closed'),
  constraint contact_messages_new_in_both check (state <> 'new' or stage = 'new'),
  constraint contact_messages_next_action_has_day check ((next_action is null) = (next_action_on is null))
);
comment on column public.contact_messages.handled_by is 'Derived: who last changed it';
comment on column public.contact_messages.handled_at is 'Derived: when it was last changed';
create index contact_messages_created_at_idx on public.contact_messages (created_at desc);
create index contact_messages_state_idx on public.contact_messages (state, created_at desc);
create index contact_messages_handled_by_idx on public.contact_messages (handled_by);
create index contact_messages_owner_id_idx on public.contact_messages (owner_id);
create index contact_messages_stage_idx on public.contact_messages (stage, created_at desc);
create index contact_messages_next_action_idx on public.contact_messages (next_action_on)
  where next_action_on is not null;
alter publication supabase_realtime add table public.contact_messages;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.contact_messages',
  'name', 'email', 'company', 'message', 'note', 'lost_reason', 'next_action');
create trigger b_limit_enquiries before insert on public.contact_messages
  for each row execute function private.limit_enquiries();
create trigger b_stage before update of state, stage, owner_id, next_action, next_action_on on public.contact_messages
  for each row execute function private.follow_stage();
create trigger c_stamp_handling before update on public.contact_messages
  for each row execute function private.stamp_handling();
create trigger d_touch before update on public.contact_messages for each row execute function private.touch();
create trigger queue_enquiry_mail after insert on public.contact_messages
  for each row execute function private.queue_enquiry_mail();
select private.keep_history_of('public.contact_messages');
alter table public.contact_messages enable row level security;
grant insert (id, name, email, company, message) on public.contact_messages to anon;
grant
  select, insert (id, name, email, company, message),
  update (state, note, stage, lost_reason, owner_id, next_action, next_action_on)
  on public.contact_messages to authenticated;
create policy "Admins and operations managers read enquiries" on public.contact_messages
  for select to authenticated using ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers answer enquiries" on public.contact_messages
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Visitors send enquiries, which arrive as new" on public.contact_messages
  for insert to anon with check (state = 'new' and note is null);
create policy "Signed-in users send enquiries, which arrive as new" on public.contact_messages
  for insert to authenticated with check (state = 'new' and note is null and (select private.is_proved()));

-- Enquiries to mail the company about. The server sends the mail after the commit and deletes the row.
create table private.enquiry_mails (
  enquiry_id uuid primary key references public.contact_messages on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz default now(), -- Time of the next attempt; null after the last one failed.
  last_error text
);
create index enquiry_mails_next_at_idx on private.enquiry_mails (next_at);
alter table private.enquiry_mails enable row level security;

-- The people of a client who look at the client's own sites at /client. They sign in by a link in a mail. A contact is
-- no
-- member: an account that was ever made for a contact reaches nothing of the company, also after its access has ended.
create table public.client_contacts (
  id uuid default gen_random_uuid() primary key,
  -- Only those whose access has ended: keep_clients_with_contacts refuses the others.
  client_id uuid not null references public.clients on delete cascade,
  full_name text not null check (char_length(full_name) <= 200),
  email text not null
    check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' and email = lower(email)),
  phone text check (char_length(phone) <= 50),
  user_id uuid references public.profiles on delete set null, -- Null until the account is made, which follows at once.
  -- The last day, of the company.
  access_until date not null default (private.company_date() + 365)
    check (access_until between '2020-01-01' and '2200-01-01'),
  revoked_at timestamptz,
  revoked_by uuid references public.profiles on delete set null,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint client_contacts_revoked_by_someone check (revoked_by is null or revoked_at is not null)
);
create unique index client_contacts_email_key on public.client_contacts (client_id, email) where revoked_at is null;
create index client_contacts_client_id_idx on public.client_contacts (client_id, created_at);
create index client_contacts_user_id_idx on public.client_contacts (user_id);
create index client_contacts_created_by_idx on public.client_contacts (created_by);
create index client_contacts_revoked_by_idx on public.client_contacts (revoked_by);
alter table public.client_contacts replica identity full;
alter publication supabase_realtime add table public.client_contacts;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.client_contacts', 'full_name', 'email', 'phone');
create trigger b_author before insert or update on public.client_contacts
  for each row execute function private.stamp_author();
create trigger c_keep_contacts_apart before insert on public.client_contacts
  for each row when (new.user_id is not null) execute function private.keep_contacts_apart();
create trigger c_keep_contacts_apart_on_change before update on public.client_contacts
  for each row when (new.user_id is not null and new.user_id is distinct from old.user_id)
  execute function private.keep_contacts_apart();
create trigger d_touch before update on public.client_contacts for each row execute function private.touch();
create trigger e_limit_access before insert or update of access_until on public.client_contacts
  for each row execute function private.limit_client_access();
select private.keep_history_of('public.client_contacts');
alter table public.client_contacts enable row level security;
grant
  select, insert (id, client_id, full_name, email, phone, access_until), update (full_name, phone, access_until)
  on public.client_contacts to authenticated;
create policy "Admins, operations managers and finance read contacts of client" on public.client_contacts for select
  to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'finance')));
create policy "Contacts of clients read their own record" on public.client_contacts
  for select to authenticated
  using (user_id = (select auth.uid()) and client_id = any ((select private.client_of_caller())::uuid[]));
create policy "Admins and operations managers add contacts of clients" on public.client_contacts
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers change contacts of clients" on public.client_contacts
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));

-- A definer view: id and name of every site, and nothing else, for every member.
create view public.site_options with (security_barrier = true) as
  select s.id, s.name from public.sites s where (select private.is_member());
select private.mark_never_null('public.site_options', 'id', 'name');
revoke all on public.site_options from service_role;
grant select on public.site_options to authenticated;

-- ── Accounts and files of the services ────────────────────────────────

create trigger contact_follows_account after update on auth.users
  for each row when (old.email is distinct from new.email) execute function private.follow_address_of_contact();

-- ── Functions ─────────────────────────────────────────────────────────

-- Contacts may change the address of their account. The office sees the one that is used.
create function private.follow_address_of_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.client_contacts c set email = lower(new.email)
  where c.user_id = new.id and c.revoked_at is null and new.email is not null;
  return null;
end
$$;

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

-- State and stage follow each other: who answers talks, what is won or lost is closed, what is opened again goes on.
-- The owner is, unless another is named, who takes the first step.
create function private.follow_stage() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.stage is distinct from old.stage then
    new.state := case when new.stage = 'new' then 'new' when new.stage in ('won', 'lost') then 'closed'
      else 'answered' end;
  elsif new.state is distinct from old.state then
    new.stage := case when new.state = 'new' then 'new'
      when new.state = 'answered' and old.stage in ('new', 'won', 'lost') then 'talks' else old.stage end;
  end if;
  if new.stage <> 'lost' then
    new.lost_reason := null;
  end if;
  if old.stage = 'won' and new.stage <> 'won' and exists (
    select from public.quotes q where q.enquiry_id = new.id and q.contract_id is not null
  ) then
    raise exception 'This enquiry has a contract. Take the contract back first.' using errcode = 'PT409';
  end if;
  if new.state = 'closed' then
    new.next_action := null;
    new.next_action_on := null;
  end if;
  if new.owner_id is null and auth.uid() is not null and old.owner_id is null
    and (new.stage <> 'new' or new.next_action is not null)
  then
    new.owner_id := auth.uid();
  end if;
  if new.owner_id is distinct from old.owner_id and new.owner_id is not null and not exists (
    select from public.user_roles r where r.user_id = new.owner_id and r.role in ('admin', 'ops_manager')
  ) then
    raise exception 'The owner must be an administrator or an operations manager.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

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

-- Counts only requests through the API: the owner and the service role have no limit.
create function private.limit_enquiries() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  sender inet;
  allowed integer := (select s.enquiries_per_hour from private.settings s);
  arrived integer;
  wait integer;
begin
  if coalesce(auth.role(), 'service_role') = 'service_role' then
    return new;
  end if;
  sender := private.caller_network();
  -- One at a time per sender, or two at once would both be the last one allowed.
  perform pg_advisory_xact_lock(hashtextextended('enquiries from ' || sender::text, 0));
  delete from private.enquiry_arrivals a where a.id in (
    select past.id from private.enquiry_arrivals past
    where past.at <= now() - interval '1 hour' limit 100 for update skip locked
  );
  select count(*), ceil(extract(epoch from min(a.at) + interval '1 hour' - now()))
  into arrived, wait from private.enquiry_arrivals a where a.network = sender and a.at > now() - interval '1 hour';
  if arrived >= allowed then
    wait := greatest(wait, 1);
    raise sqlstate 'PGRST' using
      message = json_build_object(
        'code', 'too_many_enquiries',
        'message', format(
          'You have sent many messages in a short time. Please try again in %s.',
          case when wait <= 60 then 'a minute' else ceil(wait / 60.0) || ' minutes' end
        ),
        'details', null,
        'hint', null
      )::text,
      detail = json_build_object('status', 429, 'headers', json_build_object('Retry-After', wait::text))::text;
  end if;
  insert into private.enquiry_arrivals (network) values (sender);
  return new;
end
$$;

-- Rows that the owner loads (demo data, a restored backup) are not new enquiries.
create function private.queue_enquiry_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is not null then
    insert into private.enquiry_mails (enquiry_id) values (new.id);
  end if;
  return null;
end
$$;

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

create function private.stamp_handling() returns trigger
language plpgsql set search_path = '' as $$
begin
  if auth.uid() is not null then
    if (new.state, new.note, new.stage, new.lost_reason, new.owner_id, new.next_action, new.next_action_on)
      is distinct
        from (old.state, old.note, old.stage, old.lost_reason, old.owner_id, old.next_action, old.next_action_on)
    then
      new.handled_by := auth.uid();
      new.handled_at := now();
    else
      new.handled_by := old.handled_by;
      new.handled_at := old.handled_at;
    end if;
  end if;
  return new;
end
$$;

-- Count, guards and monthly revenue (USD) of the clients that match a search.
create function public.client_totals(p_search text default null)
returns table (client_count integer, total_guards integer, monthly_revenue numeric)
language sql stable set search_path = '' as $$
  select count(*)::integer, coalesce(sum(c.number_of_guards), 0)::integer, coalesce(sum(c.monthly_rate), 0)
  from public.clients c where public.search_text(c) like all ((select private.search_patterns(p_search))::text[]);
$$;
grant execute on function public.client_totals to authenticated;

-- Ends a contact's access, and every session of an account that has no other.
create function public.revoke_client_access(p_contact_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  account uuid;
begin
  perform private.require_client_manager();
  update public.client_contacts c set revoked_at = now(), revoked_by = auth.uid()
  where c.id = p_contact_id and c.revoked_at is null returning c.user_id into account;
  if not found then
    raise exception 'There is no such contact, or the access has ended already.' using errcode = 'PT404';
  end if;
  if not exists (
    select from public.client_contacts c
    where c.user_id = account and c.revoked_at is null and c.access_until >= private.company_date()
  ) then
    delete from auth.sessions s where s.user_id = account;
    perform private.record_security_event('signed_out_everywhere', account, '{}');
  end if;
end
$$;
grant execute on function public.revoke_client_access to authenticated;
