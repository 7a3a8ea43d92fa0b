-- Incidents from report to closing: updates, evidence, reviews, goals, letters.

-- ── Tables ────────────────────────────────────────────────────────────

-- Incidents: every member reports them, overseers of the site follow them up. Their timeline is append-only.
create table public.incidents (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites,
  raised_by_user_id uuid default auth.uid() references public.profiles on delete set null,
  title text not null check (char_length(title) between 5 and 200),
  category text not null
    check (category in ('security', 'safety', 'property', 'medical', 'fire', 'theft', 'vandalism', 'other')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  status text not null default 'open' check (status in ('open', 'investigating', 'resolved', 'closed')),
  description text not null check (char_length(description) between 20 and 5000),
  notes text check (char_length(notes) <= 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  entered_by uuid references public.profiles on delete set null,
  caller text check (char_length(caller) <= 200),
  owner_id uuid references public.profiles on delete set null,
  due_at timestamptz check (isfinite(due_at)),
  -- When a report was written that waited on the phone for a signal: `created_at` is when it arrived, from which goals
  -- count.
  written_at timestamptz,
  -- A minute of difference between clocks is no future.
  happened_at timestamptz check (isfinite(happened_at)),
  witnesses text check (char_length(witnesses) <= 1000),
  constraint incidents_happened_before_the_report check (happened_at <= created_at + interval '5 minutes')
);
comment on column public.incidents.happened_at
  is 'When it happened, if that was not when it was reported, for example by telephone in the morning';
comment on column public.incidents.notes is 'The internal note sent with an update. It is stored in incident_notes; '
  'here it is always null.';
comment on column public.incidents.entered_by
  is 'Derived: who entered the report of somebody who phoned in; null if the reporter did';
comment on column public.incidents.caller is 'Name and number of a caller without an account';
comment on column public.incidents.witnesses
  is 'Who saw it, and how to reach them. For the company alone: no letter and no client''s page has it';
comment on column public.incidents.owner_id is 'Who follows it up';
comment on column public.incidents.due_at is 'When the follow-up is due';
comment on column public.incidents.written_at
  is 'By the device''s clock, corrected, if the report was sent later; null if it was sent at once or the clock '
    'can''t be right';
create index incidents_created_at_idx on public.incidents (created_at desc);
create index incidents_status_idx on public.incidents (status, created_at desc);
create index incidents_severity_idx on public.incidents (severity, created_at desc);
create index incidents_site_id_idx on public.incidents (site_id, created_at desc);
create index incidents_raised_by_user_id_idx on public.incidents (raised_by_user_id, created_at desc);
create index incidents_entered_by_idx on public.incidents (entered_by);
create index incidents_owner_id_idx on public.incidents (owner_id, created_at desc);
create index incidents_search_idx on public.incidents
  using gin (private.folded(title || ' ' || description) extensions.gin_trgm_ops) with (fastupdate = off);
create index incidents_due_at_idx on public.incidents (due_at) where status in ('open', 'investigating');
alter table public.incidents replica identity full;
alter publication supabase_realtime add table public.incidents;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.incidents', 'title', 'description', 'notes', 'caller', 'witnesses');
-- Not for rows without a caller, which are being loaded.
create trigger b_keep_time_written before insert on public.incidents
  for each row when ((new.written_at is not null or new.happened_at is not null) and auth.uid() is not null)
  execute function private.clear_doubtful_writing_time();
create trigger b_owner before update of owner_id on public.incidents
  for each row when (new.owner_id is not null and new.owner_id is distinct from old.owner_id)
  execute function private.check_incident_owner();
create trigger b_stamp_entry before insert on public.incidents
  for each row execute function private.stamp_entry('raised_by_user_id');
-- Runs after a_tidy_text, which turns an empty note into null. Deleting an account is no change of the owner.
create trigger c_timeline before update on public.incidents
  for each row when ( new.status is distinct from old.status or new.notes is not null or new.due_at is distinct
      from old.due_at or new.owner_id is distinct from old.owner_id and pg_trigger_depth() = 0 )
  execute function private.record_incident_update();
create trigger d_touch before update on public.incidents for each row execute function private.touch();
create trigger notify_of_report after insert on public.incidents
  for each row when (auth.role() is not null) execute function private.notify_of_report();
-- Once per statement, because one request may bring hundreds of rows.
create trigger e_limit_incidents after insert on public.incidents
  for each statement execute function private.limit_incidents();
select private.keep_history_of('public.incidents');
alter table public.incidents enable row level security;
grant
  select, insert (id, site_id, raised_by_user_id, title, category, severity, status, description, caller, written_at,
    happened_at, witnesses),
  update (title, category, severity, status, description, notes, owner_id, due_at)
  on public.incidents to authenticated;
create policy "Overseers read every incident" on public.incidents
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor')));
create policy "Supervisors read incidents at their own sites" on public.incidents
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Members read the incidents they raised" on public.incidents
  for select to authenticated using (raised_by_user_id = (select auth.uid()) and (select private.is_member()));
create policy "Guards read incidents at sites they are assigned to" on public.incidents
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));
create policy "Members report incidents in their own name, as open" on public.incidents
  for insert to authenticated
  with check (raised_by_user_id = (select auth.uid()) and status = 'open' and (select private.is_member()));
create policy "Overseers follow up every incident" on public.incidents
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor')))
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor')));
create policy "Supervisors follow up incidents at their own sites" on public.incidents
  for update to authenticated
  using (site_id = any ((select private.supervised_sites())::uuid[]))
  with check (site_id = any ((select private.supervised_sites())::uuid[]));
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

-- What happens often at a site or at all of them: a guard taps one, and writes what is asked instead of an essay.
create table public.incident_templates (
  id uuid default gen_random_uuid() primary key,
  site_id uuid references public.sites on delete cascade,
  title text not null check (char_length(title) between 5 and 200),
  category text not null
    check (category in ('security', 'safety', 'property', 'medical', 'fire', 'theft', 'vandalism', 'other')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  questions text not null check (char_length(questions) between 5 and 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incident_templates_title_key unique nulls not distinct (site_id, title)
);
comment on column public.incident_templates.site_id is 'Null: offered at every site';
comment on column public.incident_templates.questions is 'The report''s description begins with them';
alter table public.incident_templates replica identity full;
alter publication supabase_realtime add table public.incident_templates;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.incident_templates', 'title', 'questions');
create trigger d_touch before update on public.incident_templates for each row execute function private.touch();
select private.keep_history_of('public.incident_templates');
alter table public.incident_templates enable row level security;
grant select, insert, update, delete on public.incident_templates to authenticated;
create policy "Members read templates of reports" on public.incident_templates
  for select to authenticated using ((select private.is_member()));
create policy "Managers add templates of reports" on public.incident_templates
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Managers change templates of reports" on public.incident_templates
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Managers delete templates of reports" on public.incident_templates
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

-- Letters to clients about an incident: each version as it was sent, and to whom. Never changed afterwards.
create table public.incident_letters (
  id uuid default gen_random_uuid() primary key,
  incident_id uuid not null references public.incidents on delete cascade,
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
  sent_by uuid references public.profiles on delete set null,
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  -- Photos that go to the client with a letter, chosen by its writer; like the letter, they never change.
  photo_ids uuid[] not null default '{}'
    check (cardinality(photo_ids) <= 12 and array_position(photo_ids, null::uuid) is null),
  -- A letter goes to the client when a version of it is approved: its report is reviewed and, for high and critical
  -- incidents, somebody other than its writer has approved it.
  approved_at timestamptz,
  approved_by uuid references public.profiles on delete set null,
  unique (incident_id, version),
  constraint incident_letters_approved_at_a_time check (approved_by is null or approved_at is not null)
);
comment on column public.incident_letters.version is 'Derived: counts the letters about an incident';
comment on column public.incident_letters.email is 'Where it was mailed; null if it was printed or handed over';
comment on column public.incident_letters.facts
  is 'Derived: site, address, category, severity, status and times of the incident when the letter was written, and '
    'the reporter if names are included';
comment on column public.incident_letters.sent_by is 'Derived: who wrote it';
comment on column public.incident_letters.mailed_at is 'Derived: when the mail was handed to the mail server';
comment on column public.incident_letters.photo_ids is 'Photos among the evidence of the incident';
comment on column public.incident_letters.approved_at
  is 'Derived: since when this version may go to the client; never taken back';
comment on column public.incident_letters.approved_by is 'Derived: who approved it, the writer if one person is enough';
create index incident_letters_sent_by_idx on public.incident_letters (sent_by, created_at);
create index incident_letters_approved_by_idx on public.incident_letters (approved_by);
alter table public.incident_letters replica identity full;
alter publication supabase_realtime add table public.incident_letters;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.incident_letters',
  'addressee', 'address', 'email', 'subject', 'summary', 'actions', 'signatory', 'signatory_title');
create trigger b_prepare before insert on public.incident_letters
  for each row execute function private.prepare_letter();
create trigger c_approve before insert on public.incident_letters
  for each row execute function private.approve_new_letter();
create trigger c_photos before insert on public.incident_letters
  for each row when (new.photo_ids <> '{}') execute function private.check_letter_photos();
create trigger notify_of_letter after insert on public.incident_letters
  for each row when (new.approved_at is null and auth.role() is not null) execute function private.notify_of_letter();
create trigger queue_approved_letter after update on public.incident_letters
  for each row when (new.email is not null and old.approved_at is null and new.approved_at is not null)
  execute function private.queue_letter_mail();
-- Not for rows that the owner loads (demo data, a restored backup).
create trigger queue_letter_mail after insert on public.incident_letters
  for each row when (new.email is not null and new.approved_at is not null)
  execute function private.queue_letter_mail();
select private.keep_history_of('public.incident_letters');
alter table public.incident_letters enable row level security;
revoke all on public.incident_letters from service_role;
grant
  select,
  insert (id, incident_id, addressee, address, email, subject, summary, actions, signatory, signatory_title,
    names_included, photo_ids)
  on public.incident_letters to authenticated;
grant select on public.incident_letters to service_role;
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

-- Letters to mail. The server sends the mail after the commit and deletes the row.
create table private.letter_mails (
  letter_id uuid primary key references public.incident_letters on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz default now(), -- Time of the next attempt; null after the last one failed.
  last_error text
);
create index letter_mails_next_at_idx on private.letter_mails (next_at);
alter table private.letter_mails enable row level security;

create table public.evidence (
  id uuid default gen_random_uuid() primary key,
  incident_id uuid not null references public.incidents on delete cascade,
  type text not null check (char_length(type) <= 200),
  url text not null check (char_length(url) <= 2000),
  taken_at timestamptz,
  gps text check (private.is_position(gps)),
  located_by text check (located_by in ('photo', 'device')),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A file of this incident, or a web address: never another incident's file, never a script.
  constraint evidence_url_belongs_to_incident check (url ~* '^https?://' or url ~~ (incident_id || '/%')),
  -- How reliable a position is depends on its source.
  constraint evidence_position_has_a_source check ((gps is null) = (located_by is null))
);
comment on column public.evidence.taken_at is 'From the photo''s metadata, else when it was attached';
comment on column public.evidence.gps is 'Text ''lat,lng'' in degrees';
comment on column public.evidence.located_by is 'photo: the file''s metadata; device: the phone when the file was '
  'attached';
create index evidence_incident_id_idx on public.evidence (incident_id, created_at);
create index evidence_created_by_idx on public.evidence (created_by);
create index evidence_positions_idx on public.evidence (created_at) where gps is not null;
create index evidence_created_at_idx on public.evidence (created_at);
alter table public.evidence replica identity full;
alter publication supabase_realtime add table public.evidence;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.evidence', 'type', 'url');
create trigger b_author before insert or update on public.evidence for each row execute function private.stamp_author();
create trigger d_touch before update on public.evidence for each row execute function private.touch();
select private.keep_history_of('public.evidence');
alter table public.evidence enable row level security;
grant select, insert, delete on public.evidence to authenticated;
create policy "Readers of an incident read its evidence" on public.evidence
  for select to authenticated using (exists (select from public.incidents i where i.id = incident_id));
create policy "Reporters and overseers of an incident add evidence" on public.evidence
  for insert to authenticated
  with check (exists (
    select from public.incidents i
    where i.id = incident_id and (
      i.raised_by_user_id = (select auth.uid())
      or (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));
create policy "Overseers of an incident remove evidence" on public.evidence
  for delete to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));

-- Reminders before the time of an incident is over, and escalation after it, as notices: one row for each step, so that
-- a step is taken once per deadline. The servers' list of jobs runs private.escalate_incidents.
create table public.incident_escalations (
  id uuid default gen_random_uuid() primary key,
  incident_id uuid not null references public.incidents on delete cascade,
  goal text not null check (goal in ('response', 'resolution')),
  -- 0: reminder; 1: supervisors; 2: operations managers; 3: admins.
  level smallint not null check (level between 0 and 3),
  deadline timestamptz not null,
  owner_id uuid references public.profiles on delete set null, -- Of a reminder: a new owner gets their own.
  created_at timestamptz not null default now(),
  constraint incident_escalations_once unique nulls not distinct (incident_id, goal, level, deadline, owner_id)
);
create index incident_escalations_owner_id_idx on public.incident_escalations (owner_id);
alter table public.incident_escalations replica identity full;
alter publication supabase_realtime add table public.incident_escalations;
select private.keep_history_of('public.incident_escalations');
alter table public.incident_escalations enable row level security;
grant select on public.incident_escalations to authenticated;
create policy "Overseers of an incident read its escalations" on public.incident_escalations
  for select to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));

-- How soon the company wants to respond to a report and to resolve it, by severity, in dated versions. The clock runs
-- at all hours and on all days, as the posts do.
create table public.incident_goals (
  id uuid default gen_random_uuid() primary key,
  name text not null check (char_length(name) between 1 and 100),
  -- The day of the report decides, in the company's zone. The first version also holds for the days before it.
  effective_from date not null unique check (effective_from between '1900-01-01' and '2199-12-31'),
  critical_response_minutes integer not null default 15 check (critical_response_minutes between 5 and 44640),
  critical_resolution_minutes integer not null default 1440 check (critical_resolution_minutes between 5 and 525600),
  high_response_minutes integer not null default 60 check (high_response_minutes between 5 and 44640),
  high_resolution_minutes integer not null default 2880 check (high_resolution_minutes between 5 and 525600),
  medium_response_minutes integer not null default 240 check (medium_response_minutes between 5 and 44640),
  medium_resolution_minutes integer not null default 7200 check (medium_resolution_minutes between 5 and 525600),
  low_response_minutes integer not null default 1440 check (low_response_minutes between 5 and 44640),
  low_resolution_minutes integer not null default 14400 check (low_resolution_minutes between 5 and 525600),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incident_goals_respond_first check (critical_response_minutes <= critical_resolution_minutes
    and high_response_minutes <= high_resolution_minutes and medium_response_minutes <= medium_resolution_minutes
    and low_response_minutes <= low_resolution_minutes)
);
create index incident_goals_created_by_idx on public.incident_goals (created_by);

insert into public.incident_goals (name, effective_from) values ('Company goals', '2020-01-01');
alter publication supabase_realtime add table public.incident_goals;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.incident_goals', 'name');
create trigger b_author before insert or update on public.incident_goals
  for each row execute function private.stamp_author();
create trigger c_keep_one before delete on public.incident_goals
  for each row execute function private.keep_one_incident_goal();
create trigger d_touch before update on public.incident_goals for each row execute function private.touch();
select private.keep_history_of('public.incident_goals');
alter table public.incident_goals enable row level security;
grant select, insert, update, delete on public.incident_goals to authenticated;
create policy "Overseers and supervisors read the goals for incidents" on public.incident_goals
  for select to authenticated
  using (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or cardinality((select private.supervised_sites())) > 0
  );
create policy "Managers add goals for incidents" on public.incident_goals
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Managers change goals for incidents" on public.incident_goals
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Managers delete goals for incidents" on public.incident_goals
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

-- The timeline: every change of status, and every update with a note.
create table public.incident_updates (
  id uuid default gen_random_uuid() primary key,
  incident_id uuid not null references public.incidents on delete cascade,
  from_status text not null check (from_status in ('open', 'investigating', 'resolved', 'closed')),
  -- Equal to from_status if there is only a note.
  to_status text not null check (to_status in ('open', 'investigating', 'resolved', 'closed')),
  created_by uuid references public.profiles on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  -- The timeline also has a new owner and a new due time.
  changed text[] not null default '{}' check (changed <@ array['owner', 'due']),
  owner_id uuid references public.profiles on delete set null,
  due_at timestamptz
);
comment on column public.incident_updates.changed is 'Whether the entry sets the owner or the due time';
create index incident_updates_incident_id_idx on public.incident_updates (incident_id, created_at);
create index incident_updates_created_by_idx on public.incident_updates (created_by);
create index incident_updates_owner_id_idx on public.incident_updates (owner_id);
alter table public.incident_updates replica identity full;
alter publication supabase_realtime add table public.incident_updates;
select private.keep_history_of('public.incident_updates');
alter table public.incident_updates enable row level security;
revoke all on public.incident_updates from service_role;
grant select on public.incident_updates to authenticated, service_role;
create policy "Readers of an incident read its timeline" on public.incident_updates
  for select to authenticated using (exists (select from public.incidents i where i.id = incident_id));

-- Internal notes have their own table: reporters and guards at the site read the timeline but not the notes.
create table public.incident_notes (
  -- The id of the update that the note belongs to.
  id uuid primary key references public.incident_updates on delete cascade,
  incident_id uuid not null references public.incidents on delete cascade,
  note text not null check (char_length(note) <= 5000)
);
create index incident_notes_incident_id_idx on public.incident_notes (incident_id);
select private.keep_history_of('public.incident_notes');
alter table public.incident_notes enable row level security;
revoke all on public.incident_notes from service_role;
grant select on public.incident_notes to authenticated, service_role;
create policy "Overseers of an incident read its internal notes" on public.incident_notes
  for select to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));

-- Reviews of reports: those who oversee the site accept a report, or send it back to its reporter with a question. A
-- note
-- that the reporter adds afterwards is the answer, and the report waits again. Beside the status, which is set freely.
create table public.incident_reviews (
  id uuid default gen_random_uuid() primary key,
  incident_id uuid not null references public.incidents on delete cascade,
  decision text not null check (decision in ('accepted', 'returned')),
  note text check (char_length(note) between 1 and 2000),
  reviewed_by uuid references public.profiles on delete set null,
  created_at timestamptz not null default clock_timestamp(), -- Compared with the times of report_notes.
  constraint incident_reviews_ask_something check (decision = 'accepted' or note is not null)
);
create index incident_reviews_incident_id_idx on public.incident_reviews (incident_id, created_at desc);
create index incident_reviews_reviewed_by_idx on public.incident_reviews (reviewed_by);
alter table public.incident_reviews replica identity full;
alter publication supabase_realtime add table public.incident_reviews;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.incident_reviews', 'note');
select private.keep_history_of('public.incident_reviews');
alter table public.incident_reviews enable row level security;
revoke all on public.incident_reviews from service_role;
grant select on public.incident_reviews to authenticated, service_role;
create policy "Overseers of an incident read its reviews" on public.incident_reviews
  for select to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));
create policy "Members read the reviews of their own reports" on public.incident_reviews
  for select to authenticated
  using (exists (
    select from public.incidents i where i.id = incident_id and i.raised_by_user_id = (select auth.uid())
  ));

create table public.letter_acknowledgements (
  id uuid default gen_random_uuid() primary key,
  letter_id uuid not null references public.incident_letters on delete cascade,
  contact_id uuid not null references public.client_contacts on delete cascade,
  -- As it was then: those who oversee incidents may not read the contacts of clients.
  contact_name text not null check (char_length(contact_name) <= 200),
  created_at timestamptz not null default now(),
  constraint letter_acknowledgements_once unique (letter_id, contact_id)
);
create index letter_acknowledgements_contact_id_idx on public.letter_acknowledgements (contact_id);
alter table public.letter_acknowledgements replica identity full;
alter publication supabase_realtime add table public.letter_acknowledgements;
select private.keep_history_of('public.letter_acknowledgements');
alter table public.letter_acknowledgements enable row level security;
grant select on public.letter_acknowledgements to authenticated;
create policy "Readers of a letter read who acknowledged it" on public.letter_acknowledgements
  for select to authenticated using (exists (select from public.incident_letters l where l.id = letter_id));

-- ── Accounts and files of the services ────────────────────────────────

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('evidence', 'evidence', false, 10 * 1024 * 1024, array[
  'image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/heic', 'image/heif', 'image/avif', 'image/bmp',
  'image/tiff',
  'application/pdf', 'application/rtf', 'text/rtf', 'text/plain', 'text/csv',
  'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'audio/*', 'video/*'
])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
create policy "Readers of an incident read its files" on storage.objects
  for select to authenticated
  using (
    bucket_id = 'evidence'
    and exists (select from public.incidents i where i.id = private.record_of_file(objects.name))
  );
create policy "Reporters and overseers of an incident add files" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'evidence'
    and exists (
      select from public.incidents i
      where i.id = private.record_of_file(objects.name) and (
        i.raised_by_user_id = (select auth.uid())
        or (select private.has_role('admin', 'ops_manager', 'supervisor'))
        or i.site_id = any ((select private.supervised_sites())::uuid[])
      )
    )
  );
create policy "Overseers of an incident remove files" on storage.objects
  for delete to authenticated
  using (
    bucket_id = 'evidence'
    and exists (
      select from public.incidents i
      where i.id = private.record_of_file(objects.name) and (
        (select private.has_role('admin', 'ops_manager', 'supervisor'))
        or i.site_id = any ((select private.supervised_sites())::uuid[])
      )
    )
  );

-- ── Functions ─────────────────────────────────────────────────────────

-- What a search of incidents looks in: the report, and the name of its site.
create function private.found_incidents(patterns text[]) returns setof uuid
language sql stable security definer rows 20 set search_path = '' as $$
  select i.id
  from (
    select r.id from public.incidents r
    where private.folded(r.title || ' ' || r.description) like private.longest(patterns)
    union
    select r.id from public.sites s join public.incidents r on r.site_id = s.id
    where private.folded(s.name) like private.longest(patterns)
  ) candidate
  join public.incidents i on i.id = candidate.id
  join public.sites t on t.id = i.site_id
  where private.folded(concat_ws(' ', i.title, i.description, t.name)) like all (patterns);
$$;
grant execute on function private.found_incidents to authenticated;

-- No fixed search path, so that the planner can inline it.
create function public.search_incidents(p_search text default '') returns setof public.incidents
language sql stable as $$
  select i.* from public.incidents i
  where cardinality(private.search_patterns(coalesce(p_search, ''))) = 0
    or i.id in (select private.found_incidents(private.search_patterns(p_search)));
$$;
grant execute on function public.search_incidents to authenticated;

-- A second pair of eyes looks at these before the client does. Never null.
create function private.is_grave(p_severity text) returns boolean
language sql immutable set search_path = '' return coalesce(p_severity in ('high', 'critical'), true);

-- Whether one person may both write and approve a letter about the incident, by its severity now
-- and when it was written. Never null.
create function private.needs_second_approver(p_letter public.incident_letters) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.is_grave(i.severity) or private.is_grave(coalesce(p_letter.facts ->> 'severity', i.severity))
    from public.incidents i where i.id = p_letter.incident_id
  ), true);
$$;

-- After b_prepare, which writes the facts. A letter that needs no second person is approved by its writer's saving.
create function private.approve_new_letter() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is null then
    return new;
  end if;
  new.approved_at := null;
  new.approved_by := null;
  if not private.needs_second_approver(new)
    and (select public.review_state(i) from public.incidents i where i.id = new.incident_id) = 'reviewed'
  then
    new.approved_at := now();
    new.approved_by := auth.uid();
  end if;
  return new;
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

-- Photos that every browser shows.
create function private.client_photo_types() returns text[]
language sql immutable set search_path = ''
return array['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'];

-- Only photos of this incident that browsers show, stored with us.
create function private.check_letter_photos() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from unnest(new.photo_ids) chosen (id)
    where not exists (
      select from public.evidence e
      where e.id = chosen.id and e.incident_id = new.incident_id and e.url like new.incident_id || '/%'
        and e.type = any (private.client_photo_types())
    )
  ) then
    raise exception 'A chosen photo was removed, or isn''t of this incident. Choose the photos again.'
      using errcode = 'PT409';
  end if;
  return new;
end
$$;

create function private.keep_one_incident_goal() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('incident goals', 0));
  if not exists (select from public.incident_goals g where g.id <> old.id) then
    raise exception 'The last goals can''t be deleted.' using errcode = 'PT409';
  end if;
  return old;
end
$$;

-- One user reports at most 500 incidents within 24 hours, so that no account can fill the database. Counts only
-- requests through the API: the owner and the service role have no limit.
create function private.limit_incidents() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 500;
  reporter uuid := auth.uid();
  reported integer;
  wait integer;
begin
  if reporter is null then
    return null;
  end if;
  -- One statement per reporter at a time, or two at once would both be within the limit.
  perform pg_advisory_xact_lock(hashtextextended('incidents of ' || reporter, 0));
  select count(*), ceil(extract(epoch from min(i.created_at) + interval '1 day' - now()))
  into reported, wait
  from public.incidents i where i.raised_by_user_id = reporter and i.created_at > now() - interval '1 day';
  if reported > most then
    raise sqlstate 'PGRST' using
      message = json_build_object(
        'code', 'too_many_incidents',
        'message', format(
          'You can report at most %s incidents within 24 hours. Please call your supervisor, or try again later.', most
        ),
        'details', null,
        'hint', null
      )::text,
      detail = json_build_object(
        'status', 429,
        'headers', json_build_object('Retry-After', greatest(wait, 1)::text)
      )::text;
  end if;
  return null;
end
$$;

-- A version that waits for approval: everybody who may approve it gets a notice.
create function private.notify_of_letter() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(o.id, 'incident', 'Letter waits for approval: ' || i.title,
    format('Version %s, to %s', new.version, new.addressee), '/admin/incidents?open=' || i.id,
    format('incident_letter:%s:%s', new.id, o.id))
  from public.incidents i cross join private.overseers_of(i.site_id) o (id)
  where i.id = new.incident_id and o.id <> auth.uid() order by o.id;
  return null;
end
$$;

-- As before, and when the report was written.
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
    'status', i.status, 'reported_at', i.created_at, 'written_at', i.written_at,
    'happened_at', i.happened_at,
    'reported_by', case when new.names_included then coalesce(nullif(p.full_name, ''), i.caller) end
  ))
  into new.facts
  from public.incidents i
  join public.sites s on s.id = i.site_id
  left join public.profiles p on p.id = i.raised_by_user_id where i.id = new.incident_id;
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

create function private.queue_letter_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is not null then
    insert into private.letter_mails (letter_id) values (new.id);
  end if;
  return null;
end
$$;

-- Writes the timeline in the transaction that changes the incident, and moves the note there, because reporters read
-- every column of an incident. Definer, because users can't write the timeline.
create function private.record_incident_update() returns trigger
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

-- Records that the caller has read a report. Again, it changes nothing.
create function public.acknowledge_letter(p_letter_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.letter_acknowledgements (letter_id, contact_id, contact_name)
  select l.id, c.id, c.full_name
  from private.client_letters() l
  join public.incidents i on i.id = l.incident_id
  join public.sites s on s.id = i.site_id
  join public.client_contacts c on c.client_id = s.client_id
  where l.id = p_letter_id and c.user_id = auth.uid() and c.revoked_at is null
    and c.access_until >= private.company_date()
  on conflict on constraint letter_acknowledgements_once do nothing;
  if not found and not exists (
    select from public.letter_acknowledgements a join public.client_contacts c on c.id = a.contact_id
    where a.letter_id = p_letter_id and c.user_id = auth.uid() and c.client_id = any (private.client_of_caller())
  ) then
    raise exception 'There is no such report, or a newer version has replaced it. Reload the page.'
      using errcode = 'PT404';
  end if;
end
$$;
grant execute on function public.acknowledge_letter to authenticated;

-- Locks an incident that the caller oversees.
create function private.overseen_incident(p_incident_id uuid) returns public.incidents
language plpgsql security definer set search_path = '' as $$
declare
  incident public.incidents;
begin
  select * into incident from public.incidents i where i.id = p_incident_id for no key update;
  if not found or not private.may_oversee(incident.site_id) then
    raise exception 'This incident does not exist, or it isn''t at one of your sites.' using errcode = 'PT404';
  end if;
  return incident;
end
$$;

-- Approves the newest version, which then may go to the client, and is mailed if it has an address. It can't be taken
-- back. Definer, because nobody changes letters.
create function public.approve_letter(p_letter_id uuid) returns public.incident_letters
language plpgsql security definer set search_path = '' as $$
declare
  letter public.incident_letters;
  incident public.incidents;
begin
  select * into letter from public.incident_letters l where l.id = p_letter_id;
  if not found then
    raise exception 'This letter does not exist, or it isn''t about one of your sites.' using errcode = 'PT404';
  end if;
  incident := private.overseen_incident(letter.incident_id);
  -- So that nobody writes a newer version before this one is approved.
  perform pg_advisory_xact_lock(hashtextextended('letters about ' || incident.id, 0));
  select * into letter from public.incident_letters l where l.id = p_letter_id for update;
  if letter.approved_at is not null then
    return letter;
  end if;
  if exists (
    select from public.incident_letters l where l.incident_id = incident.id and l.version > letter.version
  ) then
    raise exception 'There is a newer version of this letter. Approve that one.' using errcode = 'PT409';
  end if;
  if public.review_state(incident) <> 'reviewed' then
    raise exception 'Review the report first.' using errcode = 'PT409';
  end if;
  if letter.sent_by = auth.uid() and private.needs_second_approver(letter) then
    raise exception 'Someone else must approve a letter of yours about a high or critical incident.'
      using errcode = 'PT409';
  end if;
  update public.incident_letters l set approved_at = now(), approved_by = auth.uid()
  where l.id = letter.id returning * into letter;
  return letter;
end
$$;
grant execute on function public.approve_letter to authenticated;

-- Computed column: the newest letter waits for approval.
create function public.has_letter_to_approve(incident public.incidents) returns boolean
language sql stable parallel safe as $$
  select coalesce((
    select l.approved_at is null from public.incident_letters l
    where l.incident_id = incident.id order by l.version desc limit 1
  ), false);
$$;
grant execute on function public.has_letter_to_approve to authenticated;

create function public.incident_owners(p_site_id uuid default null) returns table (id uuid, full_name text, email text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor') and private.supervised_sites() = '{}' then
    raise exception 'You don''t follow up incidents.' using errcode = 'insufficient_privilege';
  end if;
  return query
    select p.id, p.full_name, p.email from public.profiles p
    where p.id in (select private.overseers_of(p_site_id)) order by p.full_name, p.email;
end
$$;
grant execute on function public.incident_owners to authenticated;

-- The goals by severity, and for which reports they hold: [first, until).
create function private.goal_spans()
returns table ( severity text, first timestamptz, until timestamptz, response interval, resolution interval )
language sql stable security definer rows 4 set search_path = '' as $$
  select f.severity, g.first, g.until, make_interval(mins => f.response), make_interval(mins => f.resolution)
  from (
    select v as goals,
      case when row_number() over w = 1 then '-infinity' else private.company_midnight(v.effective_from) end as first,
      coalesce(private.company_midnight(lead(v.effective_from) over w), 'infinity') as until
    from public.incident_goals v
    window w as (order by v.effective_from)
  ) g
  cross join lateral (values
    ('critical', (g.goals).critical_response_minutes, (g.goals).critical_resolution_minutes),
    ('high', (g.goals).high_response_minutes, (g.goals).high_resolution_minutes),
    ('medium', (g.goals).medium_response_minutes, (g.goals).medium_resolution_minutes),
    ('low', (g.goals).low_response_minutes, (g.goals).low_resolution_minutes)
  ) f (severity, response, resolution);
$$;

-- As before, with the last review, note and letter of all incidents read at once instead of one by one.
create function public.incident_queue()
returns table (to_review integer, returned integer, to_approve integer, late integer)
language sql stable security definer set search_path = '' as $$
  with own as materialized (
    select i.id, i.status in ('open', 'investigating') as is_active, i.due_at, i.created_at, s.response, s.resolution
    from public.incidents i
    join private.goal_spans() s on s.severity = i.severity and i.created_at >= s.first and i.created_at < s.until
    where i.status <> 'closed' and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ),
  review as materialized (
    select r.incident_id, max(r.created_at) as last, max(r.created_at)
      filter (where r.decision = 'accepted') as accepted
    from public.incident_reviews r where r.incident_id in (select o.id from own o)
    group by 1
  ),
  note as materialized (
    select n.incident_id, max(n.created_at) as last
    from public.report_notes n where n.incident_id in (select r.incident_id from review r)
    group by 1
  ),
  letter as materialized (
    select distinct on (l.incident_id) l.incident_id, l.approved_at is null as waits
    from public.incident_letters l where l.incident_id in (select o.id from own o)
    order by l.incident_id, l.version desc
  ),
  judged as (
    select case
        when r.last is null then 'waiting'
        when r.accepted = r.last then 'reviewed'
        when n.last > r.last then 'answered'
        else 'returned'
      end as state,
      l.waits,
      o.is_active and (
        coalesce(o.due_at, o.created_at + o.resolution) < now()
        or o.created_at + o.response < now() and r.last is null and not exists (
          select from public.incident_updates u where u.incident_id = o.id
        )
      ) as is_late
    from own o
    left join review r on r.incident_id = o.id
    left join note n on n.incident_id = o.id
    left join letter l on l.incident_id = o.id
  )
  select count(*) filter (where j.state in ('waiting', 'answered'))::integer,
    count(*) filter (where j.state = 'returned')::integer,
    count(*) filter (where j.waits)::integer,
    count(*) filter (where j.is_late)::integer
  from judged j;
$$;
grant execute on function public.incident_queue to authenticated;

-- What the caller follows up: overdue incidents, their own, and those that nobody owns.
create function public.incident_work()
returns table (overdue integer, mine integer, unowned integer, unowned_grave integer)
language sql stable set search_path = '' as $$
  select count(*) filter (where i.due_at < now())::integer,
    count(*) filter (where i.owner_id = auth.uid())::integer,
    count(*) filter (where i.owner_id is null)::integer,
    count(*) filter (where i.owner_id is null and i.severity in ('high', 'critical'))::integer
  from public.incidents i where i.status in ('open', 'investigating');
$$;
grant execute on function public.incident_work to authenticated;

-- Incidents reported on each of the last days, today included, by severity. Days without incidents count 0.
create function public.incidents_by_day(p_days integer default 30)
returns table ( day date, low integer, medium integer, high integer, critical integer )
language sql stable set search_path = '' as $$
  select d.day, f.low, f.medium, f.high, f.critical
  from (select private.company_date() - n as day from generate_series(0, least(greatest(p_days, 1), 366) - 1) n) d
  cross join lateral private.company_day(d.day) span
  -- Counted day by day, from the index of the times.
  cross join lateral (
    select count(*) filter (where i.severity = 'low')::integer as low,
      count(*) filter (where i.severity = 'medium')::integer as medium,
      count(*) filter (where i.severity = 'high')::integer as high,
      count(*) filter (where i.severity = 'critical')::integer as critical
    from public.incidents i
    where i.created_at >= lower(span) and i.created_at < upper(span)
  ) f
  order by d.day;
$$;
grant execute on function public.incidents_by_day to authenticated;

create function public.is_late(incident public.incidents) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(public.next_deadline(incident) < now(), false);
end
$$;
grant execute on function public.is_late to authenticated;

-- The first entry of the office: a review, or an update of status, owner, due time or notes. Null if there is none.
create function private.responded_at(p_incident_id uuid) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select least(
    (select min(u.created_at) from public.incident_updates u where u.incident_id = p_incident_id),
    (select min(r.created_at) from public.incident_reviews r where r.incident_id = p_incident_id)
  );
$$;

-- What is still to do for an active incident, and until when. A due time that the office has set replaces the goal for
-- the resolution.
create function private.pending_goals(p_incident public.incidents)
returns table (goal text, deadline timestamptz, response interval)
language sql stable security definer rows 2 set search_path = '' as $$
  select g.goal, g.deadline, s.response
  from private.goal_spans() s
  cross join lateral (values
    ('response', p_incident.created_at + s.response),
    ('resolution', coalesce(p_incident.due_at, p_incident.created_at + s.resolution))
  ) g (goal, deadline)
  where s.severity = p_incident.severity and p_incident.created_at >= s.first and p_incident.created_at < s.until
    and p_incident.status in ('open', 'investigating')
    and (g.goal = 'resolution' or private.responded_at(p_incident.id) is null);
$$;

-- Computed columns. Null and false for incidents that are resolved or closed, which most are.
create function public.next_deadline(incident public.incidents) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  if incident.status not in ('open', 'investigating') then
    return null;
  end if;
  return (select min(p.deadline) from private.pending_goals(incident) p);
end
$$;
grant execute on function public.next_deadline to authenticated;

-- Accepting what is accepted changes nothing. Definer, because nobody writes reviews directly.
create function public.review_incident(p_incident_id uuid, p_decision text, p_note text default null)
returns public.incident_reviews
language plpgsql security definer set search_path = '' as $$
declare
  incident public.incidents := private.overseen_incident(p_incident_id);
  remark text := nullif(btrim(p_note), '');
  review public.incident_reviews;
begin
  if p_decision is null or p_decision not in ('accepted', 'returned') then
    raise exception 'A report is accepted or returned.' using errcode = 'invalid_parameter_value';
  end if;
  if char_length(remark) > 2000 then
    raise exception 'The note must be at most 2,000 characters.' using errcode = 'invalid_parameter_value';
  end if;
  select * into review from public.incident_reviews r
  where r.incident_id = incident.id order by r.created_at desc limit 1;
  if p_decision = 'accepted' then
    if review.decision = 'accepted' then
      return review;
    end if;
    if private.is_grave(incident.severity) and auth.uid() in (incident.raised_by_user_id, incident.entered_by) then
      raise exception 'Someone else must review a high or critical report that you reported.' using errcode = 'PT409';
    end if;
  elsif remark is null then
    raise exception 'Enter a question for the guard.' using errcode = 'invalid_parameter_value';
  elsif incident.raised_by_user_id is null then
    raise exception 'No account reported this incident, so nobody would get the question.' using errcode = 'PT409';
  end if;
  insert into public.incident_reviews (incident_id, decision, note, reviewed_by)
  values (incident.id, p_decision, remark, auth.uid()) returning * into review;
  if p_decision = 'returned' and incident.raised_by_user_id <> auth.uid() then
    perform private.notify(incident.raised_by_user_id, 'incident', 'A question about your report',
      format(e'%s\n%s', incident.title, remark), '/staff/report', 'incident_review:' || review.id);
  end if;
  return review;
end
$$;
grant execute on function public.review_incident to authenticated;

-- Accepts many reports, all of them or none. A refusal names the rows and why. @returns how many
create function public.review_incidents(p_ids uuid[], p_note text default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  refused jsonb[];
  wanted record;
  state text;
  message text;
  reviewed integer := 0;
begin
  perform private.require_many(p_ids);
  for wanted in
    select u.id, i.title, coalesce(private.may_oversee(i.site_id), false) as is_own
    from (select distinct o.id from unnest(p_ids) o (id)) u
    left join public.incidents i on i.id = u.id
    order by u.id
  loop
    begin
      perform public.review_incident(wanted.id, 'accepted', p_note);
      reviewed := reviewed + 1;
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      -- A deadlock, and what is wrong with the call, are no reason of this row.
      if state like '40%' or state = '22023' then
        raise;
      end if;
      refused := refused || jsonb_build_object(
        'id', wanted.id, 'name', case when wanted.is_own then wanted.title else 'One row' end, 'reason', message
      );
    end;
  end loop;
  perform private.refuse_many(refused, cardinality(p_ids), 'reviewed');
  return reviewed;
end
$$;
grant execute on function public.review_incidents to authenticated;

-- Computed column: waiting, returned, answered or reviewed. No fixed search path, so that the planner can inline it.
create function public.review_state(incident public.incidents) returns text
language sql stable parallel safe as $$
  select coalesce((
    select case
      when r.decision = 'accepted' then 'reviewed'
      when exists (
        select from public.report_notes n where n.incident_id = r.incident_id and n.created_at > r.created_at
      ) then 'answered'
      else 'returned'
    end
    from public.incident_reviews r where r.incident_id = incident.id
    order by r.created_at desc limit 1
  ), 'waiting');
$$;
grant execute on function public.review_state to authenticated;

-- Computed columns that order lists by severity and status. No fixed search path, so that the planner can inline them.
create function public.severity_rank(incident public.incidents) returns integer
language sql immutable parallel safe
return array_position(array['low', 'medium', 'high', 'critical'], incident.severity);
grant execute on function public.severity_rank to authenticated;

create function public.status_rank(incident public.incidents) returns integer
language sql immutable parallel safe
return array_position(array['open', 'investigating', 'resolved', 'closed'], incident.status);
grant execute on function public.status_rank to authenticated;

-- The steps to take at p_at. A reminder comes when a quarter of the time is left, at most a day before. The supervisors
-- get a notice at the deadline, the operations managers when the response goal has passed once more, then the admins.
-- What was due more than a day ago, while no server ran, is left out: the list shows it as late.
create function private.due_escalations(p_at timestamptz)
returns table (incident_id uuid, goal text, level smallint, deadline timestamptz, owner_id uuid)
language sql stable security definer set search_path = '' as $$
  select i.id, g.goal, s.level::smallint, g.deadline, case s.level when 0 then i.owner_id end
  from public.incidents i
  cross join lateral private.pending_goals(i) g
  cross join lateral (values
    (0, g.deadline - greatest(least((g.deadline - i.created_at) / 4, interval '1 day'), interval '0')),
    (1, g.deadline),
    (2, g.deadline + g.response),
    (3, g.deadline + 2 * g.response)
  ) s (level, at)
  where i.status in ('open', 'investigating') and s.at <= p_at and s.at > p_at - interval '1 day'
    and (s.level > 0 or p_at < g.deadline)
    and not exists (
      select from public.incident_escalations e
      where e.incident_id = i.id and e.goal = g.goal and e.level = s.level and e.deadline = g.deadline
        and e.owner_id is not distinct from case s.level when 0 then i.owner_id end
    );
$$;

-- Who gets the notice of a step: the owner is reminded, and hears of the deadline with the supervisors.
create function private.escalation_recipients(p_step public.incident_escalations) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select i.owner_id from public.incidents i
  where i.id = p_step.incident_id and p_step.level in (0, 1) and i.owner_id is not null
  union
  select d.id from public.incidents i cross join private.deciders_of(i.site_id) d (id)
  where i.id = p_step.incident_id and (p_step.level = 1 or p_step.level = 0 and i.owner_id is null)
  union
  select r.user_id from public.user_roles r
  where p_step.level = 2 and r.role = 'ops_manager' or p_step.level = 3 and r.role = 'admin' order by 1;
$$;

-- Takes the steps that are due. @returns how many
create function private.escalate_incidents() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  steps uuid[];
begin
  with made as (
    insert into public.incident_escalations (incident_id, goal, level, deadline, owner_id)
    select d.incident_id, d.goal, d.level, d.deadline, d.owner_id from private.due_escalations(now()) d
    order by d.incident_id, d.goal, d.level
    on conflict do nothing
    returning id
  )
  select array_agg(m.id) into steps from made m;
  if steps is null then
    return 0;
  end if;
  perform private.notify(news.user_id, 'incident', format('%s: %s', news.words[(news.step).level + 1], i.title),
    format('%s, %s, due %s', t.name, i.severity, private.time_text((news.step).deadline, t.timezone)),
    '/admin/incidents?open=' || i.id, format('incident_step:%s:%s', (news.step).id, news.user_id))
  from (
    -- After downtime several steps are due at once: each person hears of the last.
    select distinct on (recipient.id, e.incident_id, e.goal) recipient.id as user_id, e as step,
      case e.goal
        when 'response' then array['Respond soon', 'No response in time', 'Still no response',
          'No response, escalated to admins']
        else array['Resolve soon', 'Not resolved in time', 'Still not resolved', 'Not resolved, escalated to admins']
      end as words
    from public.incident_escalations e cross join lateral private.escalation_recipients(e) recipient (id)
    where e.id = any (steps) order by recipient.id, e.incident_id, e.goal, e.level desc
  ) news
  join public.incidents i on i.id = (news.step).incident_id
  join public.sites t on t.id = i.site_id;
  return cardinality(steps);
end
$$;

-- Whether an incident was closed before p_cutoff, and no letter about it waits.
create function private.is_incident_over(p_incident uuid, p_cutoff timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.incidents i
    where i.id = p_incident and i.status in ('resolved', 'closed') and i.created_at < p_cutoff
      and not exists (select from public.incident_updates u where u.incident_id = i.id and u.created_at >= p_cutoff)
      and not exists (
        select from public.incident_letters l
        where l.incident_id = i.id and (l.approved_at is null or l.created_at >= p_cutoff)
      )
  );
$$;

-- When it was resolved or closed and not opened again since. Null while it is active.
create function private.resolved_at(p_incident public.incidents) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select max(u.created_at) from public.incident_updates u
  where p_incident.status in ('resolved', 'closed') and u.incident_id = p_incident.id
    and u.to_status in ('resolved', 'closed') and u.from_status in ('open', 'investigating');
$$;
