-- What the office does for others: reports and leave of somebody who phones in, and who follows up an incident until
-- when.

-- Sets entered_by to the caller when the row is about somebody else. The argument is the column of that person.
create function private.stamp_entry() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- Without a caller, earlier rows are being loaded.
  if auth.uid() is not null then
    new.entered_by := case when to_jsonb(new) ->> tg_argv[0] is distinct from auth.uid()::text then auth.uid() end;
  end if;
  return new;
end
$$;

alter table public.incidents
  add column entered_by uuid references public.profiles (id) on delete set null,
  add column caller text check (char_length(caller) <= 200),
  add column owner_id uuid references public.profiles (id) on delete set null,
  add column due_at timestamptz check (isfinite(due_at));
comment on column public.incidents.entered_by is
  'Derived: who entered the report of somebody who phoned in; null if the reporter did';
comment on column public.incidents.caller is 'Name and number of a caller without an account';
comment on column public.incidents.owner_id is 'Who follows it up';
comment on column public.incidents.due_at is 'When the follow-up is due';

create index incidents_entered_by_idx on public.incidents (entered_by);
create index incidents_owner_id_idx on public.incidents (owner_id, created_at desc);
create index incidents_due_at_idx on public.incidents (due_at) where status in ('open', 'investigating');

drop trigger a_tidy_text on public.incidents;
select private.tidy_texts_of('public.incidents', 'title', 'description', 'notes', 'caller');
create trigger b_stamp_entry before insert on public.incidents
  for each row execute function private.stamp_entry('raised_by_user_id');

grant insert (caller) on public.incidents to authenticated;
grant update (owner_id, due_at) on public.incidents to authenticated;

create policy "Overseers enter reports of others, as open" on public.incidents
  for insert to authenticated
  with check (
    status = 'open' and entered_by = (select auth.uid())
    and (select private.has_role('admin', 'ops_manager', 'supervisor'))
  );
create policy "Supervisors enter reports of others at their own sites, as open" on public.incidents
  for insert to authenticated
  with check (
    status = 'open' and entered_by = (select auth.uid())
    and site_id = any ((select private.supervised_sites())::uuid[])
  );

-- Who may follow up incidents of a site; without a site, of any. Definer, because only admins read roles.
create function private.overseers_of(site uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct r.user_id from public.user_roles r
  where r.role in ('admin', 'ops_manager')
    or r.role = 'supervisor' and (r.site_id is null or site is null or r.site_id = site);
$$;

create function public.incident_owners(p_site_id uuid default null) returns table (id uuid, full_name text, email text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor') and private.supervised_sites() = '{}' then
    raise exception 'You don''t follow up incidents.' using errcode = 'insufficient_privilege';
  end if;
  return query
    select p.id, p.full_name, p.email from public.profiles p
    where p.id in (select private.overseers_of(p_site_id))
    order by p.full_name, p.email;
end
$$;

create function private.check_incident_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.owner_id not in (select private.overseers_of(new.site_id)) then
    raise exception 'Choose an owner who oversees this site.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create trigger b_owner before update of owner_id on public.incidents
  for each row when (new.owner_id is not null and new.owner_id is distinct from old.owner_id)
  execute function private.check_incident_owner();

-- The timeline also has a new owner and a new due time.
alter table public.incident_updates
  add column changed text[] not null default '{}' check (changed <@ array['owner', 'due']),
  add column owner_id uuid references public.profiles (id) on delete set null,
  add column due_at timestamptz;
comment on column public.incident_updates.changed is 'Whether the entry sets the owner or the due time';
create index incident_updates_owner_id_idx on public.incident_updates (owner_id);

create or replace function private.record_incident_update() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  entry uuid;
begin
  insert into public.incident_updates (incident_id, from_status, to_status, created_by, changed, owner_id, due_at)
  values (
    new.id, old.status, new.status, (select p.id from public.profiles p where p.id = auth.uid()),
    array_remove(array[
      case when new.owner_id is distinct from old.owner_id then 'owner' end,
      case when new.due_at is distinct from old.due_at then 'due' end
    ], null),
    case when new.owner_id is distinct from old.owner_id then new.owner_id end,
    case when new.due_at is distinct from old.due_at then new.due_at end
  )
  returning id into entry;
  if new.notes is not null then
    insert into public.incident_notes (id, incident_id, note) values (entry, new.id, new.notes);
    new.notes := null;
  end if;
  return new;
end
$$;

drop trigger c_timeline on public.incidents;
-- Runs after a_tidy_text, which turns an empty note into null. Deleting an account is no change of the owner.
create trigger c_timeline before update on public.incidents
  for each row when (
    new.status is distinct from old.status or new.notes is not null or new.due_at is distinct from old.due_at
    or new.owner_id is distinct from old.owner_id and pg_trigger_depth() = 0
  )
  execute function private.record_incident_update();

alter table public.leave_requests
  add column entered_by uuid references public.profiles (id) on delete set null;
comment on column public.leave_requests.entered_by is
  'Derived: who entered the request of somebody who phoned in; null if the requester did';
create index leave_requests_entered_by_idx on public.leave_requests (entered_by);
create trigger b_stamp_entry before insert on public.leave_requests
  for each row execute function private.stamp_entry('user_id');

create policy "People managers enter leave of others, which starts as pending" on public.leave_requests
  for insert to authenticated
  with check (
    status = 'pending' and entered_by = (select auth.uid())
    and (select private.has_role('admin', 'ops_manager', 'hr'))
  );

create or replace view public.leave_overview with (security_invoker = true) as
  select l.id, l.user_id, coalesce(nullif(p.full_name, ''), p.email, '') as person_name, l.type,
    l.start_date, l.end_date, l.end_date - l.start_date + 1 as days, l.reason, l.status, l.decision_note, l.decided_at,
    coalesce(nullif(d.full_name, ''), d.email) as decided_by_name, l.created_at, l.updated_at,
    case when l.status = 'pending' then l.start_date end as waits_for,
    coalesce(nullif(e.full_name, ''), e.email) as entered_by_name
  from public.leave_requests l
  left join public.profiles p on p.id = l.user_id
  left join public.profiles d on d.id = l.decided_by
  left join public.profiles e on e.id = l.entered_by;

-- Letters to clients about an incident: each version as it was sent, and to whom. Never changed afterwards.
create table public.incident_letters (
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references public.incidents (id) on delete cascade,
  version integer not null check (version > 0),
  addressee text not null check (char_length(addressee) between 2 and 200),
  address text check (char_length(address) <= 500),
  email text check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  subject text not null check (char_length(subject) between 5 and 200),
  summary text not null check (char_length(summary) between 20 and 5000),
  actions text check (char_length(actions) <= 5000),
  signatory text not null check (char_length(signatory) between 2 and 100),
  signatory_title text check (char_length(signatory_title) <= 100),
  names_included boolean not null default false,
  facts jsonb not null,
  sent_by uuid references public.profiles (id) on delete set null,
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (incident_id, version)
);
comment on column public.incident_letters.email is 'Where it was mailed; null if it was printed or handed over';
comment on column public.incident_letters.facts is
  'Derived: site, address, category, severity, status and times of the incident when the letter was written, and the '
  'reporter if names are included';
comment on column public.incident_letters.mailed_at is 'Derived: when the mail was handed to the mail server';

create index incident_letters_sent_by_idx on public.incident_letters (sent_by, created_at);

select private.tidy_texts_of('public.incident_letters',
  'addressee', 'address', 'email', 'subject', 'summary', 'actions', 'signatory', 'signatory_title');
select private.keep_history_of('public.incident_letters');

alter table public.incident_letters enable row level security;
revoke all on public.incident_letters from anon, authenticated, service_role;
grant select on public.incident_letters to authenticated, service_role;
grant insert (
  id, incident_id, addressee, address, email, subject, summary, actions, signatory, signatory_title, names_included
) on public.incident_letters to authenticated;

create policy "Overseers of an incident read its letters" on public.incident_letters
  for select to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));
create policy "Overseers of an incident write letters about it" on public.incident_letters
  for insert to authenticated
  with check (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));

alter publication supabase_realtime add table public.incident_letters;
alter table public.incident_letters replica identity full;

-- Letters to mail. The server sends the mail after the commit and deletes the row.
create table private.letter_mails (
  letter_id uuid primary key references public.incident_letters (id) on delete cascade,
  attempts integer not null default 0,
  -- Time of the next attempt; null after the last one failed.
  next_at timestamptz default now(),
  last_error text
);
create index letter_mails_next_at_idx on private.letter_mails (next_at);
alter table private.letter_mails enable row level security;
revoke all on private.letter_mails from public, anon, authenticated;

-- Numbers the letter and keeps what it says about the incident. Definer, because readers of one incident may not read
-- the reporter's profile.
create function private.prepare_letter() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is null then
    return new;
  end if;
  -- Two letters about one incident take turns, so that each has its own number.
  perform pg_advisory_xact_lock(hashtextextended('letters about ' || new.incident_id, 0));
  new.version := 1 + coalesce((
    select max(l.version) from public.incident_letters l where l.incident_id = new.incident_id
  ), 0);
  new.sent_by := auth.uid();
  new.mailed_at := null;
  select jsonb_strip_nulls(jsonb_build_object(
    'site', s.name, 'site_address', s.address, 'timezone', s.timezone, 'category', i.category, 'severity', i.severity,
    'status', i.status, 'reported_at', i.created_at,
    'reported_by', case when new.names_included then coalesce(nullif(p.full_name, ''), i.caller) end
  ))
  into new.facts
  from public.incidents i
  join public.sites s on s.id = i.site_id
  left join public.profiles p on p.id = i.raised_by_user_id
  where i.id = new.incident_id;
  if new.facts is null then
    raise exception 'This incident no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  if new.email is not null and (
    select count(*) from public.incident_letters l
    where l.sent_by = auth.uid() and l.email is not null and l.created_at > now() - interval '1 hour'
  ) >= 20 then
    raise exception 'You have mailed 20 letters within an hour. Please try again later.' using errcode = 'PT429';
  end if;
  return new;
end
$$;

create trigger b_prepare before insert on public.incident_letters
  for each row execute function private.prepare_letter();

create function private.queue_letter_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is not null then
    insert into private.letter_mails (letter_id) values (new.id);
  end if;
  return null;
end
$$;

-- Not for rows that the owner loads (demo data, a restored backup).
create trigger queue_letter_mail after insert on public.incident_letters
  for each row when (new.email is not null) execute function private.queue_letter_mail();

-- What the caller follows up: overdue, their own, and grave incidents that nobody owns.
create function public.incident_work() returns table (overdue integer, mine integer, unowned integer)
language sql stable set search_path = '' as $$
  select count(*) filter (where i.due_at < now())::integer,
    count(*) filter (where i.owner_id = auth.uid())::integer,
    count(*) filter (where i.owner_id is null and i.severity in ('high', 'critical'))::integer
  from public.incidents i
  where i.status in ('open', 'investigating');
$$;

create or replace function private.columns_of_many(p_table text) returns text[]
language sql immutable set search_path = ''
return case p_table
  when 'attendance' then array['clock_out_at', 'correction_reason', 'needs_review', 'resolution']
  when 'certifications' then array['issued_at', 'expires_at']
  when 'contact_messages' then array['state']
  when 'incidents' then array['status', 'notes', 'owner_id', 'due_at']
  when 'leave_requests' then array['status', 'decision_note']
  when 'payroll' then array['payment_status', 'payment_date']
  when 'shifts' then array['site_id', 'start_time', 'end_time', 'required_headcount']
  when 'staff' then array['status']
end;

revoke all on all functions in schema private from public;
revoke all on function public.incident_owners, public.incident_work from public, anon;
grant execute on function public.incident_owners, public.incident_work to authenticated;
