-- Personal data: retention, exports of a person, erasure.

-- ── Tables ────────────────────────────────────────────────────────────

-- Erasing one person while the books stay whole: what is only about them goes at once (private.personal_data), then
-- their name, addresses and numbers are replaced in every text of the database, in small steps of the servers' job.
create table private.erasures (
  id uuid default gen_random_uuid() primary key,
  number integer generated always as identity,
  kind text not null check (kind in ('person', 'contact', 'enquiry')),
  alias text not null, -- What replaces the name and the email address.
  alias_email text not null,
  account uuid,
  -- Regular expressions of what is replaced; null once that is done. An ambiguous name is replaced only in rows that
  -- contain one of `linked`.
  name_pattern text,
  email_pattern text,
  number_pattern text,
  at_table text not null default '',
  made_by uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  staff_record uuid,
  -- Another person has the name: it is replaced only in records whose subject is the erased person.
  has_namesake boolean not null default false,
  refused text[] not null default '{}', -- What no text loses, with the reasons.
  -- Messages by step; a failed step is tried again, and holds up nothing else.
  failures jsonb not null default '{}'::jsonb,
  attempts integer not null default 0,
  next_at timestamptz default now(),
  constraint erasures_match_something check (coalesce('' !~* name_pattern and 'a' !~* name_pattern, true)
    and coalesce('' !~* email_pattern, true) and coalesce('' !~* number_pattern and '0' !~* number_pattern
    and '1' !~* number_pattern, true))
);
comment on column private.erasures.at_table is 'The last step of this attempt: table and condition of '
  'private.personal_data.';
create index erasures_open_idx on private.erasures (next_at, number) where finished_at is null;
alter table private.erasures enable row level security;

create table private.person_exports (
  id uuid default gen_random_uuid() primary key,
  made_by uuid not null,
  person uuid not null,
  at timestamptz not null default now()
);
create index person_exports_made_by_idx on private.person_exports (made_by, at);
alter table private.person_exports enable row level security;

-- Where records about a person are, and what becomes of them when the person is erased; and the export of one person's
-- data. A migration that adds such a table adds its row here: tests/rules/privacy/personal-data.test.ts compares this
-- with the foreign keys.
create table private.personal_data (
  target text not null,
  belongs text not null, -- Condition on row r; $1 is the person's account, $2 their staff record. Either may be null.
  on_erasure text not null check (on_erasure in ('delete', 'blank', 'keep')),
  blanked text[] not null default '{}', -- Columns that become null when the person is erased.
  withheld text[] default '{}', -- Columns that an export leaves out; null if it leaves out the table.
  newest text not null default '1', -- Newest first in an export.
  texts text[] not null default '{}', -- Columns with free text, in which the person is replaced when they are erased.
  -- The person is not the subject, for example they wrote it: a name that others have as well stays.
  is_shared boolean not null default false,
  primary key (target, belongs),
  constraint personal_data_blanks_columns check ((on_erasure = 'blank') = (blanked <> '{}'))
);

insert into private.personal_data (target, belongs, on_erasure, blanked, withheld, newest, texts, is_shared) values
  ('auth.audit_log_entries', 'r.payload -> ''traits'' ->> ''user_id'' = $1::text', 'keep', '{}', NULL, '1',
    '{payload}', false),
  ('auth.audit_log_entries', 'r.payload ->> ''actor_id'' = $1::text', 'keep', '{}', '{instance_id}', 'r.created_at',
    '{payload}', false),
  ('auth.flow_state', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('auth.identities', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('auth.known_networks', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('auth.mfa_factors', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('auth.notices', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('auth.one_time_tokens', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('auth.refresh_tokens', 'r.user_id = $1::text', 'delete', '{}', NULL, '1', '{}', false),
  ('auth.seen_devices', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('auth.sessions', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('auth.webauthn_challenges', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('auth.webauthn_credentials', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('private.assignment_answers', 'r.user_id = $1', 'keep', '{}', '{}', 'r.answered_at', '{}', false),
  ('private.calendar_feeds', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('private.client_accounts', 'r.user_id = $1', 'keep', '{}', NULL, '1', '{}', false),
  ('private.clock_photos', 'r.user_id = $1', 'delete', '{}', '{photo}', 'r.created_at', '{}', false),
  ('private.daily_report_mails', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  -- Of every record: the product writes names into it that no key leads to.
  ('private.daily_reports', 'true', 'keep', '{}', NULL, '1', '{facts}', true),
  ('private.delivery_tokens', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('private.guard_pins', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('private.held_rights', 'r.user_id = $1', 'keep', '{}', NULL, '1', '{}', false),
  ('private.hire_days', 'r.user_id = $1', 'delete', '{}', '{}', 'r.hired_on', '{}', false),
  ('private.notice_deliveries', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('private.notice_settings', 'r.user_id = $1', 'delete', '{}', '{}', '1', '{}', false),
  ('private.phone_signals', 'r.user_id = $1', 'delete', '{}', '{}', 'r.heard_at', '{}', false),
  ('private.push_subscriptions', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('private.recovery_codes', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('private.recovery_failures', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('private.start_codes', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('private.time_to_compute', 'r.user_id = $1', 'keep', '{}', NULL, '1', '{error}', false),
  ('public.alerts', 'r.user_id = $1', 'keep', '{}', '{}', 'r.raised_at', '{detail,note}', false),
  -- That a seat is empty names who did not come.
  ('public.alerts', 'true', 'keep', '{}', NULL, '1', '{detail,note}', true),
  ('public.announcement_readings', 'r.user_id = $1', 'keep', '{}', '{}', 'r.read_at', '{}', false),
  ('public.announcements', '$1 in (r.created_by, r.withdrawn_by)', 'keep', '{}', NULL, '1', '{title,body}', true),
  ('public.assignments', 'r.user_id = $1', 'keep', '{}', '{}', 'r.starts_at',
    '{override_reason,declined_reason,no_show_reason}', false),
  ('public.attendance', 'r.user_id = $1', 'blank', '{clock_in_gps,clock_out_gps}', '{}', 'r.clock_in_at',
    '{clock_in_reason,clock_out_reason,resolution,correction_reason}', false),
  ('public.audit_log', 'r.actor_id = $1', 'keep', '{}', NULL, '1', '{actor_email}', true),
  ('public.availability', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('public.billed_time', 'r.user_id = $1', 'keep', '{}', NULL, '1', '{waived_reason}', false),
  ('public.certifications', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('public.checkpoint_scans', 'r.user_id = $1', 'blank', '{gps,accuracy_m}', '{code}', 'r.scanned_at', '{}', false),
  ('public.client_contacts', 'r.user_id = $1', 'keep', '{}', '{}', 'r.created_at', '{}', false),
  ('public.client_requests',
    'exists (select from public.client_contacts c where c.id = r.contact_id and c.user_id = $1)', 'keep', '{}', '{}',
    'r.created_at', '{body,answer}', false),
  ('public.client_requests', 'r.answered_by = $1', 'keep', '{}', NULL, '1', '{answer}', true),
  ('public.clock_events', 'r.user_id = $1', 'blank', '{gps,accuracy_m,fix_age_s}', '{hash,previous_hash}',
    'r.effective_at', '{reason}', false),
  ('public.clock_exceptions', 'r.closed_by = $1', 'keep', '{}', NULL, '1', '{reason,detail}', true),
  ('public.clock_exceptions', 'r.user_id = $1', 'keep', '{}', '{}', 'r.received_at', '{reason,detail}', false),
  ('public.deployments', 'r.guard_id = $1', 'keep', '{}', '{}', 'r.shift_start', '{notes}', false),
  ('public.deployments', 'r.created_by = $1', 'keep', '{}', NULL, '1', '{notes}', true),
  ('public.duty_notices', 'r.user_id = $1', 'blank', '{reason}', '{}', 'r.received_at', '{}', false),
  ('public.evidence', 'r.created_by = $1', 'blank', '{gps,located_by}', '{}', 'r.created_at', '{}', false),
  ('public.handover_notes', 'r.user_id = $1', 'keep', '{}', '{}', 'r.written_at', '{note}', false),
  ('public.handovers', 'r.user_id = $1', 'keep', '{}', '{}', 'r.taken_at', '{ticks,missing,damaged}', false),
  ('public.inbound_messages', 'r.user_id = $1', 'delete', '{}', '{}', 'r.received_at', '{}', false),
  ('public.inbound_messages', 'r.handled_by = $1', 'keep', '{}', NULL, '1', '{outcome,reply}', true),
  ('public.incident_notes', 'exists (select from public.incidents i
      where i.id = r.incident_id and $1 in (i.raised_by_user_id, i.owner_id, i.entered_by))
      or exists (select from public.incident_updates u
        where u.id = r.id and u.created_by = $1)', 'keep', '{}', NULL, '1', '{note}', true),
  ('public.incident_reviews', 'r.reviewed_by = $1
      or exists (select from public.incidents i
        where i.id = r.incident_id and i.raised_by_user_id = $1)', 'keep', '{}', NULL, '1', '{note}', true),
  ('public.incidents', 'r.raised_by_user_id = $1', 'keep', '{}', '{}', 'r.created_at',
    '{title,description,notes,caller,witnesses}', false),
  ('public.incidents', '$1 in (r.owner_id, r.entered_by)', 'keep', '{}', NULL, '1',
    '{title,description,notes,caller,witnesses}', true),
  ('public.key_movements', '$1 in (r.out_by, r.in_by, r.struck_by)', 'keep', '{}', NULL, '1',
    '{key_name,taken_by,strike_reason}', true),
  ('public.leave_requests', '$1 in (r.decided_by, r.entered_by)', 'keep', '{}', NULL, '1', '{reason,decision_note}',
    true),
  ('public.leave_requests', 'r.user_id = $1', 'blank', '{reason,decision_note}', '{}', 'r.start_date', '{}', false),
  ('public.notices', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('public.offers', 'r.user_id = $1', 'blank', '{note,decision_note}', '{}', 'r.created_at', '{}', false),
  ('public.offers', '$1 in (r.asked_by, r.decided_by, r.partner_id)', 'keep', '{}', NULL, '1', '{note,decision_note}',
    true),
  ('public.pay_accounts', 'r.staff_id = $2', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('public.pay_adjustments', 'r.user_id = $1', 'keep', '{}', '{}', 'r.created_at', '{explanation,note,details}', false),
  ('public.pay_bases', 'r.staff_id = $2', 'keep', '{}', '{}', 'r.effective_from', '{}', false),
  ('public.pay_items', 'r.staff_id = $2', 'keep', '{}', '{}', 'r.effective_from', '{}', false),
  ('public.pay_return_lines', 'r.staff_id = $2', 'blank', '{tin,nasscorp_number}', '{}', 'r.month', '{}', false),
  ('public.pay_runs', 'true', 'keep', '{}', NULL, '1', '{problems}', true),
  ('public.payments', 'r.staff_id = $2', 'keep', '{}', '{}', 'r.created_at', '{failure,reference}', false),
  ('public.payroll', 'r.staff_id = $2', 'keep', '{}', '{}', 'r.period_start', '{notes,return_reason}', false),
  ('public.payslip_lines', 'exists (
      select from public.payslips s where s.id = r.payslip_id and s.staff_id = $2 and s.published_at is not null
    )', 'keep', '{}', '{}', 'r.created_at', '{}', false),
  ('public.payslips', 'r.staff_id = $2 and r.published_at is not null', 'keep', '{}', '{}', 'r.created_at', '{}',
    false),
  ('public.post_entries', 'r.user_id = $1', 'keep', '{}', '{}', 'r.written_at', '{text,strike_reason}', false),
  ('public.post_entries', 'r.struck_by = $1', 'keep', '{}', NULL, '1', '{strike_reason}', true),
  ('public.post_order_readings', 'r.user_id = $1', 'keep', '{}', '{}', 'r.read_at', '{}', false),
  ('public.post_pages', '$1 in (r.released_by, r.withdrawn_by)', 'keep', '{}', NULL, '1',
    '{lines,visits,facts,withdraw_reason}', true),
  ('public.profiles', 'r.id = $1', 'blank',
    '{email,phone,home_area,home_position,home_region,max_distance_km,gender,photo_path}', '{}', '1', '{}', false),
  ('public.replacement_calls', 'r.created_by = $1', 'keep', '{}', NULL, '1', '{note}', true),
  ('public.replacement_calls', 'r.user_id = $1', 'blank', '{note}', '{}', 'r.created_at', '{}', false),
  ('public.report_notes',
    'exists (select from public.incidents i where i.id = r.incident_id and i.raised_by_user_id = $1)', 'keep', '{}',
    NULL, '1', '{note}', true),
  ('public.report_notes', 'r.created_by = $1', 'keep', '{}', '{}', 'r.created_at', '{note}', false),
  ('public.room_notes', 'r.created_by = $1', 'keep', '{}', NULL, '1', '{body}', true),
  ('public.roster_changes', 'r.user_id = $1', 'keep', '{}', NULL, '1', '{override_reason}', false),
  ('public.roster_pins', 'r.user_id = $1', 'delete', '{}', NULL, '1', '{}', false),
  ('public.saved_views', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  -- Searches for the person, of others.
  ('public.saved_views', 'true', 'keep', '{}', NULL, '1', '{name,search}', true),
  ('public.service_calls', 'r.source = ''sos'' and exists (select from public.alerts a
      where a.id = r.alert_id and a.user_id = $1)', 'blank', '{gps}', NULL, '1', '{caller_name,caller_phone,details}',
    false),
  -- Calls that were made from a report have the name of who reported.
  ('public.service_calls', 'true', 'keep', '{}', NULL, '1', '{caller_name,caller_phone,details}', true),
  ('public.shifts', 'exists (select from public.assignments a where a.shift_id = r.id and a.user_id = $1)', 'keep',
    '{}', NULL, '1', '{notes}', true),
  ('public.site_bans', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('public.site_inductions', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('public.sos_events', 'r.user_id = $1', 'blank', '{gps,accuracy_m,cancel_note}', '{}', 'r.happened_at', '{}', false),
  ('public.staff_ledger', 'r.staff_id = $2', 'keep', '{}', '{}', 'r.created_at', '{note}', false),
  ('public.staff', 'r.id = $2', 'blank', '{email,phone,end_reason,tin,nasscorp_number}', '{}', '1', '{}', false),
  ('public.time_decisions', 'r.user_id = $1', 'keep', '{}', '{}', 'r.decided_at', '{note}', false),
  ('public.time_decisions', 'r.decided_by = $1', 'keep', '{}', NULL, '1', '{note}', true),
  ('public.time_segments', 'r.user_id = $1', 'keep', '{}', '{}', 'r.starts_at', '{}', false),
  ('public.timesheet_days', 'r.user_id = $1', 'keep', '{}', '{}', 'r.day', '{explanations}', false),
  ('public.timesheet_disputes', 'r.user_id = $1', 'keep', '{}', '{}', 'r.created_at', '{note,answer}', false),
  ('public.timesheet_disputes', 'r.answered_by = $1', 'keep', '{}', NULL, '1', '{answer}', true),
  ('public.timesheets', 'r.user_id = $1', 'keep', '{}', '{}', 'r.period_start', '{note}', false),
  ('public.unit_events', 'r.user_id = $1', 'blank', '{gps}', '{}', 'r.happened_at', '{note}', false),
  ('public.unit_members', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('public.user_roles', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at', '{}', false),
  ('public.visits', '$1 in (r.in_by, r.out_by, r.struck_by)', 'keep', '{}', NULL, '1',
    '{name,company,host,strike_reason}', true),
  ('public.withheld_lines', 'r.withheld_by = $1', 'keep', '{}', NULL, '1', '{}', true),
  ('public.watch_corrections', 'r.created_by = $1', 'keep', '{}', NULL, '1', '{body}', true),
  ('public.watch_handovers', 'true', 'keep', '{}', NULL, '1', '{remarks,facts}', true),
  ('public.welfare_checks', 'r.user_id = $1', 'delete', '{}', '{}', 'r.due_at', '{}', false),
  ('storage.objects',
    'r.bucket_id = ''photos'' and r.name = (select p.photo_path from public.profiles p where p.id = $1)', 'delete',
    '{}', '{owner,owner_id,version,path_tokens,user_metadata}', 'r.created_at', '{}', false),
  ('storage.objects', 'r.bucket_id = ''people'' and private.record_of_file(r.name) = $1', 'delete', '{}',
    '{owner,owner_id,version,path_tokens,user_metadata}', 'r.created_at', '{}', false);
alter table private.personal_data enable row level security;

-- How long records about people are kept, by kind, and the nightly work that ends them. docs/privacy.md has the
-- inventory.
create table public.retention_rules (
  id uuid default gen_random_uuid() primary key,
  kind text not null unique check (char_length(kind) between 1 and 50),
  days integer not null,
  -- Below it, what the law, the books or the specification need would vanish.
  min_days integer not null check (min_days > 0),
  max_days integer not null check (max_days <= 7300),
  default_days integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint retention_rules_within_limits check (days between min_days and max_days),
  constraint retention_rules_default_within_limits check (default_days between min_days and max_days)
);

insert into public.retention_rules (kind, days, min_days, max_days, default_days) values
  ('activity', 2555, 1825, 7300, 2555),
  ('calls', 1825, 365, 3650, 1825),
  ('client_messages', 1825, 365, 3650, 1825),
  ('clock_photos', 90, 30, 730, 90),
  ('documents', 1825, 1825, 7300, 1825),
  ('duty_notes', 1095, 365, 3650, 1095),
  ('enquiries', 730, 90, 3650, 730),
  ('evidence', 1825, 365, 3650, 1825),
  ('leave_reasons', 1825, 1095, 3650, 1825),
  ('messages', 365, 90, 1825, 365),
  ('notices', 365, 30, 1825, 365),
  ('positions', 365, 90, 3650, 365),
  ('sign_ins', 365, 90, 1825, 365), ('unused_photos', 7, 1, 365, 7), ('visits', 30, 7, 365, 30),
  ('welfare_checks', 730, 180, 3650, 730);
-- Triggers, in the order in which they fire:
create trigger d_touch before update on public.retention_rules for each row execute function private.touch();
select private.keep_history_of('public.retention_rules');
alter table public.retention_rules enable row level security;
grant select, update (days) on public.retention_rules to authenticated;
-- The people concerned are guards, the office and contacts of clients.
create policy "Everyone with an account reads how long records are kept" on public.retention_rules
  for select to authenticated using ((select auth.uid()) is not null);
create policy "Admins change how long records are kept" on public.retention_rules
  for update to authenticated using ((select private.has_role('admin')));

-- What ends with a kind: rows of a table, or some of their columns. In the order of `position`.
create table private.retention_parts (
  kind text not null references public.retention_rules (kind),
  position integer not null,
  target text not null, -- A table that this project lacks is skipped: some belong to our own auth service.
  key text not null default 'id',
  due text not null, -- Condition on row r; $1 is the time before which a record has ended.
  age text not null,
  blanked text[], -- Columns that become null while the row stays; null if the row is deleted.
  stripped text[], -- Keys that are removed from the copies in the activity log, which is the target.
  -- Whether deletes leave out the triggers. Never where other tables reference the target.
  is_quiet boolean not null default false,
  primary key (kind, "position")
);

insert into private.retention_parts (kind, position, target, key, due, age, blanked, stripped, is_quiet) values
  ('activity', 1, 'public.audit_log', 'id', 'r.at < $1', 'r.at', NULL, NULL, true),
  ('calls', 1, 'public.service_calls', 'id', 'r.closed_at < $1', 'r.closed_at', NULL, NULL, false),
  ('calls', 2, 'public.panel_events', 'id', 'r.received_at < $1', 'r.received_at', NULL, NULL, false),
  ('client_messages', 1, 'public.client_requests', 'id',
    'r.created_at < $1 and r.status <> ''open'' and r.answered_at < $1', 'r.created_at', NULL, NULL, false),
  ('clock_photos', 1, 'private.clock_photos', 'event_id', 'r.created_at < $1 and not private.is_time_open(r.user_id,
      (select e.attendance_id from public.clock_events e
        where e.id = r.event_id), r.created_at, r.created_at)', 'r.created_at', NULL, NULL, true),
  ('documents', 1, 'storage.objects', 'id', 'r.bucket_id = ''people'' and exists (
      select from public.profiles p
      where p.id = private.record_of_file(r.name) and private.company_midnight(p.left_on + 1) <= $1
    )', 'r.created_at', NULL, NULL, false),
  ('duty_notes', 4, 'public.announcements', 'id', 'private.company_midnight(r.last_day + 1) <= $1', 'r.last_day', NULL,
    NULL, false),
  ('duty_notes', 3, 'private.daily_reports', 'day', 'private.company_midnight(r.day + 1) <= $1', 'r.day', NULL, NULL,
    false),
  ('duty_notes', 2, 'public.handover_notes', 'id', 'r.written_at < $1', 'r.written_at', NULL, NULL, true),
  ('duty_notes', 5, 'public.watch_handovers', 'id', 'r.signed_at < $1', 'r.signed_at', NULL, NULL, false),
  ('duty_notes', 1, 'public.room_notes', 'id', 'r.created_at < $1 and not r.is_pinned', 'r.created_at', NULL, NULL,
    true),
  ('duty_notes', 6, 'public.post_entries', 'id', 'r.written_at < $1', 'r.written_at', NULL, NULL, true),
  ('duty_notes', 7, 'public.key_movements', 'id', 'coalesce(r.in_at, r.struck_at) < $1', 'r.out_at', NULL, NULL, true),
  ('duty_notes', 8, 'public.post_pages', 'id', 'r.released_at < $1', 'r.released_at', NULL, NULL, true),
  ('duty_notes', 9, 'public.withheld_lines', 'id', 'r.withheld_at < $1', 'r.withheld_at', NULL, NULL, true),
  ('enquiries', 1, 'public.contact_messages', 'id',
    'r.created_at < $1 and r.state <> ''new'' and coalesce(r.handled_at, r.created_at) < $1', 'r.created_at', NULL,
    NULL, false),
  ('enquiries', 2, 'public.quote_mails', 'id', 'r.created_at < $1', 'r.created_at', NULL, NULL, false),
  ('enquiries', 3, 'public.quotes', 'id', 'r.created_at < $1 and r.enquiry_id is null and r.contract_id is null',
    'r.created_at', NULL, NULL, false),
  ('enquiries', 4, 'public.quotes', 'id',
    'r.created_at < $1 and r.enquiry_id is null and coalesce(r.contact_name, r.email) is not null', 'r.created_at',
    '{contact_name,email}', NULL, false),
  ('evidence', 2, 'public.evidence', 'id', 'r.created_at < $1 and private.is_incident_over(r.incident_id, $1)',
    'r.created_at', NULL, NULL, false),
  ('evidence', 1, 'storage.objects', 'id',
    'r.bucket_id = ''evidence'' and r.created_at < $1 and private.is_incident_over(private.record_of_file(r.name), '
    '$1)', 'r.created_at', NULL, NULL, false),
  ('leave_reasons', 1, 'public.leave_requests', 'id',
    'coalesce(nullif(r.reason, ''''), r.decision_note) is not null and r.status <> ''pending''
      and private.company_midnight(r.end_date + 1) <= $1
      and not private.is_time_open(r.user_id, null, private.company_midnight(r.start_date),
        private.company_midnight(r.end_date))', 'r.end_date', '{reason,decision_note}', NULL, false),
  ('leave_reasons', 2, 'public.duty_notices', 'id', 'r.reason is not null and r.received_at < $1', 'r.received_at',
    '{reason}', NULL, false),
  ('messages', 1, 'public.inbound_messages', 'id', 'r.received_at < $1 and not (r.is_exception and r.handled_at is null)
      and not (r.user_id is not null and private.is_time_open(r.user_id, null, r.received_at,
        r.received_at))', 'r.received_at', NULL, NULL, true),
  ('notices', 1, 'public.notices', 'id', 'r.created_at < $1', 'r.created_at', NULL, NULL, true),
  ('notices', 2, 'private.notice_deliveries', 'id', 'r.created_at < $1 and r.state in (''sent'', ''failed'')',
    'r.created_at', NULL, NULL, true),
  ('positions', 1, 'public.attendance', 'id',
    'coalesce(r.clock_in_gps, r.clock_out_gps) is not null and r.clock_in_at < $1 and r.clock_out_at < $1
      and not r.needs_review and not private.is_time_open(r.user_id, r.id, r.clock_in_at,
        r.clock_out_at)', 'r.clock_in_at', '{clock_in_gps,clock_out_gps}', NULL, false),
  ('positions', 2, 'public.clock_events', 'id', 'r.gps is not null and r.effective_at < $1
      and not private.is_time_open(r.user_id, r.attendance_id, r.effective_at,
        r.effective_at)', 'r.effective_at', '{gps,accuracy_m,fix_age_s}', NULL, false),
  ('positions', 3, 'public.checkpoint_scans', 'id', 'r.gps is not null and r.scanned_at < $1', 'r.scanned_at',
    '{gps,accuracy_m}', NULL, false),
  ('positions', 4, 'public.sos_events', 'id', 'r.gps is not null and r.happened_at < $1
      and not exists (select from public.alerts l
        where l.cause = ''sos:'' || r.id and l.closed_at is null)', 'r.happened_at', '{gps,accuracy_m}', NULL, false),
  ('positions', 5, 'public.evidence', 'id',
    'r.gps is not null and r.created_at < $1 and private.is_incident_over(r.incident_id, $1)', 'r.created_at',
    '{gps,located_by}', NULL, false),
  ('positions', 6, 'public.audit_log', 'id', 'r.at < $1 and coalesce(
      r.new_values ->> ''clock_in_gps'', r.new_values ->> ''clock_out_gps'', r.new_values ->> ''gps'',
      r.old_values ->> ''clock_in_gps'', r.old_values ->> ''clock_out_gps'', r.old_values ->> ''gps''
    ) is not null and not private.record_has_position(r.table_name,
      r.row_id)', 'r.at', NULL, '{clock_in_gps,clock_out_gps,gps,accuracy_m,fix_age_s}', false),
  ('positions', 7, 'public.unit_events', 'id', 'r.gps is not null and r.happened_at < $1', 'r.happened_at', '{gps}',
    NULL, false),
  ('positions', 8, 'public.service_calls', 'id', 'r.gps is not null and r.source = ''sos'' and r.closed_at < $1',
    'r.closed_at', '{gps}', NULL, false),
  ('sign_ins', 1, 'auth.audit_log_entries', 'id', 'r.created_at < $1', 'r.created_at', NULL, NULL, true),
  ('unused_photos', 1, 'storage.objects', 'id', 'r.bucket_id = ''photos'' and r.created_at < $1
      and not exists (select from public.profiles p where p.photo_path = r.name)', 'r.created_at', NULL, NULL, false),
  ('visits', 1, 'public.visits', 'id', 'coalesce(r.out_at, r.in_at) < $1
      and (select s.visits_days from public.sites s where s.id = r.site_id) is null', 'r.in_at', NULL, NULL, true),
  ('visits', 2, 'public.visits', 'id',
    'r.site_id in (select s.id from public.sites s where s.visits_days is not null)
      and coalesce(r.out_at, r.in_at) < private.visits_cutoff(r.site_id, $1)', 'r.in_at', NULL, NULL, true),
  ('visits', 3, 'public.post_pages', 'id',
    'r.visits is not null and private.are_visits_due(r.site_id, r.day, $1)', 'r.day', '{visits}', NULL, false),
  ('welfare_checks', 1, 'public.welfare_checks', 'id', 'r.due_at < $1 and coalesce(r.answered_at, r.ended_at) < $1',
    'r.due_at', NULL, NULL, true);
alter table private.retention_parts enable row level security;

-- One row for each kind and night.
create table private.retention_runs (
  kind text not null references public.retention_rules (kind),
  night date not null,
  position integer not null default 1,
  ended bigint not null default 0,
  error text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (kind, night)
);
create index retention_runs_night_idx on private.retention_runs (night);
alter table private.retention_runs enable row level security;

-- ── Functions ─────────────────────────────────────────────────────────

create function private.require_typed_name(p_typed text, p_name text) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_typed is null or lower(btrim(left(p_typed, 300))) is distinct from lower(btrim(p_name)) then
    raise exception 'Type the name exactly as it is shown.' using errcode = 'check_violation';
  end if;
end
$$;

-- The records of one contact: of the same address or account, at every client.
create function private.records_of_contact(known public.client_contacts) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select array(
    select c.id from public.client_contacts c
    where c.id = known.id or c.email = known.email or c.user_id = known.user_id
  );
$$;

-- Stores what the job replaces from now on.
create function private.begin_erasure(plan private.erasures, p_words text) returns private.erasures
language plpgsql security definer set search_path = '' as $$
declare
  begun private.erasures;
begin
  insert into private.erasures (kind, account, staff_record, alias, alias_email, made_by, has_namesake, refused,
    name_pattern, email_pattern, number_pattern, finished_at)
  values (plan.kind, plan.account, plan.staff_record, '', '', auth.uid(), plan.has_namesake, plan.refused,
    plan.name_pattern, plan.email_pattern, plan.number_pattern,
    case when coalesce(plan.name_pattern, plan.email_pattern, plan.number_pattern) is null then now() end)
  returning * into begun;
  update private.erasures e set
    alias = p_words || ' ' || lpad(begun.number::text, 4, '0'),
    alias_email = 'erased-' || lpad(begun.number::text, 4, '0') || '@erased.invalid'
  where e.id = begun.id returning * into begun;
  return begun;
end
$$;

create function private.escape_pattern(written text) returns text
language sql immutable strict set search_path = '' return regexp_replace(written, '([^[:alnum:] ])', '\\\1', 'g');

-- At least two words of two letters or more: one word may be any word ("Will"), one letter any letter.
create function private.name_pattern(written text) returns text
language sql immutable strict set search_path = ''
return case when (
  select count(*) from regexp_split_to_table(btrim(written), '\s+') w where w ~ '[[:alpha:]].*[[:alpha:]]'
) >= 2 and written !~ '[^[:alnum:][:space:].,''’()-]' then
  '(?<![[:alnum:]])' || regexp_replace(private.escape_pattern(btrim(written)), '\s+', '\\s+', 'g') || '(?![[:alnum:]])'
end;

-- Whether other people have the name, or one that contains it.
create function private.is_ambiguous(p_name text, p_account uuid, p_staff uuid, p_contacts uuid[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.name_pattern(p_name) is null
    or exists (
      select from public.profiles p
      where p.full_name ~* private.name_pattern(p_name) and p.id is distinct from p_account
    ) or exists (
      select from public.staff s
      where s.full_name ~* private.name_pattern(p_name) and s.id is distinct from p_staff
        and (p_account is null or s.user_id is distinct from p_account)
    ) or exists (
      select from public.client_contacts c
      where c.full_name ~* private.name_pattern(p_name) and c.id <> all (coalesce(p_contacts, '{}'))
        and (p_account is null or c.user_id is distinct from p_account)
    );
$$;

create function private.email_pattern(written text) returns text
language sql immutable strict set search_path = ''
return case when btrim(written) ~ '^[^@\s]+@[^@\s]+\.[^@\s]{2,}$' then
  '(?<![[:alnum:]._%+-])' || private.escape_pattern(btrim(written)) || '(?![[:alnum:]_-]|\.[[:alnum:]])' end;

-- A phone number in any notation, with or without the country, or the number of an account. Never from fewer than seven
-- digits after the leading zeros, and never part of a decimal or of an id.
create function private.number_pattern(written text) returns text
language sql immutable strict set search_path = ''
return (
  select case
    when char_length(significant) < 7 then null
    when written ~ '^[+0-9 ().-]+$' and digits ~ '^(?:(?:00)?231\d{7,9}|0\d{8,9})$' then
      '(?<![[:alnum:]-]|\d[.,])(?:(?:\+|00)?231[ .()/-]*)?0?'
        || regexp_replace(significant, '(\d)(?=\d)', '\1[ .()/-]*', 'g') || '(?![[:alnum:]]|[.,]\d|-[0-9a-f]{4}-)'
    when written ~ '^[+0-9 ().-]+$' then
      '(?<![[:alnum:]-]|\d[.,])(?:\+|00)?0*' || significant || '(?![[:alnum:]]|[.,]\d|-[0-9a-f]{4}-)'
    else '(?<![[:alnum:]-])' || private.escape_pattern(btrim(written)) || '(?![[:alnum:]])'
  end
  from (select regexp_replace(written, '\D', '', 'g') as digits) d
  cross join lateral (
    select case when digits ~ '^(00)?231\d{7,9}$' then ltrim(regexp_replace(digits, '^(00)?231', ''), '0')
      else ltrim(digits, '0') end as significant
  ) s
);

-- Why a name, address or number is not replaced in texts; null if it may be. The sentence is kept, so it quotes
-- nothing.
create function private.refusal_of_pattern(p_sort text, p_written text, p_account uuid, p_staff uuid, p_contacts uuid[])
returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  pattern text := case p_sort when 'name' then private.name_pattern(p_written)
    when 'email' then private.email_pattern(p_written) else private.number_pattern(p_written) end;
  owner_of text;
begin
  if pattern is null then
    return case p_sort
      when 'name' then 'The name stays in texts: with fewer than two words it could be any word.'
      when 'email' then 'An address stays in texts: it is no email address.'
      else 'A number stays in texts: with fewer than seven digits after the zeros it could be any number.' end;
  end if;
  select o.words into owner_of from (
    select 'the company' as words from private.settings s, unnest(s.own_words) w where w ~* pattern
    union all select 'a client' from public.clients c
      where p_sort = 'name' and c.name ~* pattern or p_sort <> 'name' and c.report_email ~* pattern
        and p_contacts is null
    union all select 'a site' from public.sites s where p_sort = 'name' and s.name ~* pattern
    union all select 'a post' from public.posts s where p_sort = 'name' and s.name ~* pattern
    union all select 'a tour' from public.tours s where p_sort = 'name' and s.name ~* pattern
    union all select 'a checkpoint' from public.checkpoints s where p_sort = 'name' and s.name ~* pattern
    union all select 'a device' from public.devices s where p_sort = 'name' and s.name ~* pattern
    union all select 'an invoice address' from public.contracts c
      where c.bill_to_name ~* pattern and p_sort = 'name'
        or c.bill_to_email ~* pattern and p_sort = 'email' and p_contacts is null
    union all select 'another person' from public.profiles p
      where p_sort <> 'name' and (p.email ~* pattern or p.phone ~* pattern) and p.id is distinct from p_account
    union all select 'another person' from public.staff s
      where p_sort <> 'name' and (s.email ~* pattern or s.phone ~* pattern) and s.id is distinct from p_staff
        and (p_account is null or s.user_id is distinct from p_account)
    union all select 'another person' from public.pay_accounts a
      where p_sort = 'number' and a.account_number ~* pattern and a.staff_id is distinct from p_staff
    union all select 'another contact' from public.client_contacts c
      where p_sort <> 'name' and (c.email ~* pattern or c.phone ~* pattern) and c.id <> all (coalesce(p_contacts, '{}'))
        and (p_account is null or c.user_id is distinct from p_account)
  ) o limit 1;
  return case when owner_of is not null then format('%s stays in texts: %s has it as well.',
    case p_sort when 'name' then 'The name' when 'email' then 'An address' else 'A number' end, owner_of) end;
end
$$;

-- The patterns of an erasure that has not begun, and what is refused.
create function private.plan_erasure(
  p_kind text, p_account uuid, p_staff uuid, p_contacts uuid[], p_names text[], p_emails text[], p_numbers text[]
) returns private.erasures
language plpgsql stable security definer set search_path = '' as $$
declare
  plan private.erasures;
  part record;
begin
  plan.kind := p_kind;
  plan.account := p_account;
  plan.staff_record := p_staff;
  plan.refused := '{}';
  plan.failures := '{}';
  plan.alias := 'Former person';
  plan.alias_email := 'erased@erased.invalid';
  plan.has_namesake := exists (
    select from unnest(p_names) n where private.is_ambiguous(n, p_account, p_staff, p_contacts)
  );
  for part in
    select w.sort, w.written, private.refusal_of_pattern(w.sort, w.written, p_account, p_staff, p_contacts) as refusal
    from (
      select distinct on (u.sort, lower(btrim(u.written))) u.sort, btrim(u.written) as written from (
        select 'name' as sort, n as written from unnest(p_names) n
        union all select 'email', n from unnest(p_emails) n
        union all select 'number', n from unnest(p_numbers) n
      ) u
      where btrim(u.written) <> ''
    ) w
  loop
    if part.refusal is not null then
      plan.refused := array_append(array_remove(plan.refused, part.refusal), part.refusal);
    elsif part.sort = 'name' then
      plan.name_pattern := concat_ws('|', plan.name_pattern, private.name_pattern(part.written));
    elsif part.sort = 'email' then
      plan.email_pattern := concat_ws('|', plan.email_pattern, private.email_pattern(part.written));
    else
      plan.number_pattern := concat_ws('|', plan.number_pattern, private.number_pattern(part.written));
    end if;
  end loop;
  return plan;
end
$$;

create function private.plan_contact_erasure(known public.client_contacts) returns private.erasures
language sql stable security definer set search_path = '' as $$
  select private.plan_erasure('contact', known.user_id, null, r.contacts,
    array(select c.full_name from public.client_contacts c where c.id = any (r.contacts)), array[known.email],
    array(select c.phone from public.client_contacts c where c.id = any (r.contacts)))
  from (select private.records_of_contact(known) as contacts) r;
$$;

-- A column that can't be null is blanked with an empty text: the reason of a leave request.
create function private.blanking_sql(target text, columns text[]) returns text
language sql stable set search_path = '' as $$
  select string_agg(format(case when a.attnotnull then '%I = ''''' else '%I = null' end, a.attname), ', ')
  from pg_catalog.pg_attribute a where a.attrelid = to_regclass(target) and a.attname = any (columns);
$$;

-- Removes rows or columns without triggers, together with their copies in the activity log.
create function private.erase_part(part private.personal_data, p_account uuid, p_staff uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  keys text[] := '{}';
  has_id boolean;
begin
  if to_regclass(part.target) is null or part.on_erasure = 'keep' then
    return;
  end if;
  if part.target ~ '^(auth|storage)\.' then
    perform set_config('storage.allow_delete_query', 'true', true);
    execute format('delete from %s r where %s', part.target, part.belongs) using p_account, p_staff;
    return;
  end if;
  has_id := exists (
    select from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(part.target) and a.attname = 'id' and a.atttypid = 'uuid'::regtype
  );
  if has_id then
    execute format('select array(select r.id::text from %s r where %s)', part.target, part.belongs)
      into keys using p_account, p_staff;
  end if;
  set local session_replication_role = replica;
  if part.on_erasure = 'delete' then
    execute format('delete from %s r where %s', part.target, part.belongs) using p_account, p_staff;
    update public.audit_log a set
      old_values = case when a.old_values is not null then '{}'::jsonb end,
      new_values = case when a.new_values is not null then '{}'::jsonb end
    where a.row_id = any (keys::uuid[]) and a.table_name = split_part(part.target, '.', 2);
  else
    execute format('update %s r set %s where %s', part.target,
      private.blanking_sql(part.target, part.blanked), part.belongs)
      using p_account, p_staff;
    update public.audit_log a set old_values = a.old_values - part.blanked, new_values = a.new_values - part.blanked
    where a.row_id = any (keys::uuid[]) and a.table_name = split_part(part.target, '.', 2);
  end if;
  set local session_replication_role = origin;
end
$$;

-- Empties an account for good: nobody signs in with it again, and the rows that point to it stay.
create function private.erase_account(p_account uuid, p_alias text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  set local session_replication_role = replica;
  update auth.users u set
    email = null, phone = null, encrypted_password = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}',
    confirmation_token = '', recovery_token = '', email_change = '', email_change_token_new = '',
    email_change_token_current = '', phone_change = '', phone_change_token = '', reauthentication_token = '',
    email_confirmed_at = null, phone_confirmed_at = null, last_sign_in_at = null, is_sso_user = false,
    banned_until = now() + interval '100 years', deleted_at = coalesce(u.deleted_at, now()), updated_at = now()
  where u.id = p_account;
  update public.profiles p set full_name = p_alias, updated_at = now() where p.id = p_account;
  update public.deployments d set guard_name = p_alias where d.guard_id = p_account;
  update public.audit_log a set
    old_values = a.old_values - '{full_name,name,guard_name}'::text[],
    new_values = a.new_values - '{full_name,name,guard_name}'::text[]
  where a.row_id = p_account and a.table_name in ('profiles', 'documents');
  update auth.audit_log_entries e set ip_address = '' where e.payload ->> 'actor_id' = p_account::text;
  set local session_replication_role = origin;
end
$$;

-- Everything that is only about a person, and their account. Either id may be null. Files first: where they are is in
-- the rows.
create function private.erase_parts(p_account uuid, p_staff uuid, p_alias text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  part private.personal_data;
begin
  for part in select * from private.personal_data p order by p.target !~ '^storage', p.target loop
    perform private.erase_part(part, p_account, p_staff);
  end loop;
  if p_account is not null then
    perform private.erase_account(p_account, p_alias);
  end if;
end
$$;

-- Erases a contact of a client with their access, at every client that they are a contact of; their messages stay until
-- their own period is over. @returns the name that replaces theirs
create function public.erase_contact(p_contact_id uuid, p_name text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  known public.client_contacts;
  contacts uuid[];
  begun private.erasures;
begin
  perform private.require_admin();
  select * into known from public.client_contacts c where c.id = p_contact_id for update;
  if not found then
    raise exception 'There is no such contact.' using errcode = 'PT404';
  end if;
  if exists (select from private.erasures e where e.kind = 'contact' and e.alias_email = known.email) then
    raise exception 'This contact has been erased already.' using errcode = 'PT409';
  end if;
  perform private.require_typed_name(p_name, known.full_name);
  contacts := private.records_of_contact(known);
  begun := private.begin_erasure(private.plan_contact_erasure(known), 'Former contact');
  perform private.erase_parts(known.user_id, null, begun.alias);
  -- Mails to the address end; the client needs another.
  update public.clients c set report_email = null where lower(c.report_email) = known.email;
  update public.contracts c set bill_to_email = null where lower(c.bill_to_email) = known.email;
  set local session_replication_role = replica;
  update public.client_contacts c set
    full_name = begun.alias, email = begun.alias_email, phone = null,
    revoked_at = coalesce(c.revoked_at, now()), updated_at = now()
  where c.id = any (contacts);
  update public.letter_acknowledgements l set contact_name = begun.alias where l.contact_id = any (contacts);
  update public.audit_log a set
    old_values = a.old_values - '{full_name,email,phone}'::text[],
      new_values = a.new_values - '{full_name,email,phone}'::text[]
  where a.row_id = any (contacts) and a.table_name = 'client_contacts';
  update public.audit_log a set
    old_values = a.old_values - 'contact_name', new_values = a.new_values - 'contact_name'
  from public.letter_acknowledgements l
  where l.contact_id = any (contacts) and a.row_id = l.id and a.table_name = 'letter_acknowledgements';
  -- The copies of the address that have just ended.
  update public.audit_log a set
    old_values = case when lower(a.old_values ->> f.name) = known.email then a.old_values - f.name
      else a.old_values end,
    new_values = case when lower(a.new_values ->> f.name) = known.email then a.new_values - f.name else a.new_values end
  from (values ('clients', 'report_email'), ('contracts', 'bill_to_email')) f (table_name, name)
  where a.table_name = f.table_name and known.email in (lower(a.old_values ->> f.name), lower(a.new_values ->> f.name));
  set local session_replication_role = origin;
  perform private.record_security_event('person_erased', coalesce(known.user_id, known.id), '{}');
  return begun.alias;
end
$$;
grant execute on function public.erase_contact to authenticated;

-- An enquirer is known by their messages and quotes: these go, except a quote that a contract was made of, which loses
-- the person. No other text is touched.
create function public.erase_enquirer(p_enquiry_id uuid, p_name text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  known public.contact_messages;
  enquiries uuid[];
  papers uuid[];
begin
  perform private.require_admin();
  select * into known from public.contact_messages m where m.id = p_enquiry_id;
  if not found then
    raise exception 'There is no such enquiry.' using errcode = 'PT404';
  end if;
  perform private.require_typed_name(p_name, known.name);
  enquiries := array(select m.id from public.contact_messages m where lower(m.email) = lower(known.email));
  perform private.begin_erasure(private.plan_erasure('enquiry', null, null, null, '{}', '{}', '{}'), 'Former enquirer');
  papers := private.forget_addressee(enquiries);
  delete from public.contact_messages m where m.id = any (enquiries);
  set local session_replication_role = replica;
  update public.audit_log a set
    old_values = case when a.old_values is not null then '{}'::jsonb end,
    new_values = case when a.new_values is not null then '{}'::jsonb end
  where a.row_id = any (enquiries) and a.table_name = 'contact_messages';
  update public.audit_log a set
    old_values = a.old_values - '{client_name,contact_name,email}'::text[],
    new_values = a.new_values - '{client_name,contact_name,email}'::text[]
  where a.row_id = any (papers) and a.table_name in ('quotes', 'quote_mails');
  set local session_replication_role = origin;
  perform private.record_security_event('person_erased', p_enquiry_id, '{}');
  return cardinality(enquiries);
end
$$;
grant execute on function public.erase_enquirer to authenticated;

-- The account and the staff record of a person, by the id of either.
create function private.person_of(p_id uuid, out account uuid, out staff_record uuid)
language sql stable security definer set search_path = '' as $$
  select coalesce(p.id, s.user_id), s.id
  from (select p_id as id) given
  left join public.profiles p on p.id = given.id
  left join public.staff s on s.id = given.id or s.user_id = given.id limit 1;
$$;

-- What keeps a person from being erased now, as sentences.
create function private.erasure_obstacles(p_account uuid, p_staff uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select array_remove(array[
    case when exists (select from public.profiles p where p.id = p_account and p.left_on is null)
      or exists (select from public.staff s where s.id = p_staff and s.status <> 'inactive')
      then 'The employment has not ended.' end,
    case when p_account = auth.uid() then 'Nobody erases themselves.' end,
    case when exists (
      select from public.timesheets t
      where t.user_id = p_account and t.status <> 'locked' and t.period_end > private.company_date() - 365
        and t.regular_minutes + t.overtime_1_minutes + t.overtime_2_minutes + t.night_minutes + t.holiday_minutes
          + t.leave_paid_minutes > 0
    ) then 'Hours of the last year are not locked by a pay run.' end,
    case when exists (
      select from public.timesheet_disputes d join public.timesheets t on t.id = d.timesheet_id
      where t.user_id = p_account and d.status = 'open'
    ) then 'A dispute about hours is open.' end,
    case when exists (select from public.pay_adjustments a where a.user_id = p_account and a.status = 'to_decide')
      then 'An adjustment of pay waits for a decision.' end,
    case when exists (select from public.payments p where p.staff_id = p_staff and p.status in ('to_pay', 'in_file'))
      or exists (
        select from public.payslips s join public.pay_runs r on r.id = s.pay_run_id
        where s.staff_id = p_staff and r.status not in ('locked', 'paid', 'void')
      ) then 'Pay is not settled.' end,
    case when exists (
      select from public.staff_ledger l
      where l.staff_id = p_staff and l.entry = 'issue' and private.ledger_balance(l.id) > 0
    ) then 'An advance or loan is not repaid or written off.' end,
    case when exists (
      select from public.incidents i
      where (i.raised_by_user_id = p_account or i.owner_id = p_account) and i.status in ('open', 'investigating')
    ) then 'An incident that they reported or own is open.' end
  ], null);
$$;

create function private.plan_person_erasure(p_account uuid, p_staff uuid) returns private.erasures
language sql stable security definer set search_path = '' as $$
  select private.plan_erasure('person', p_account, p_staff, null,
    array[known.full_name, record.full_name],
    array[known.email, record.email] || array(select u.email::text from auth.users u where u.id = p_account),
    array[known.phone, record.phone] || array(select u.phone from auth.users u where u.id = p_account)
      || array(select a.account_number from public.pay_accounts a where a.staff_id = p_staff)
      || array(select p.account_number from public.payments p
        where p.staff_id = p_staff and p.account_number <> 'erased'))
  from (select 1) one
  left join public.profiles known on known.id = p_account left join public.staff record on record.id = p_staff;
$$;

-- Erases a person whose employment has ended. It can't be undone. @returns the name that replaces theirs
create function public.erase_person(p_user_id uuid, p_name text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  person record;
  known public.profiles;
  record public.staff;
  obstacles text[];
  begun private.erasures;
begin
  perform private.require_admin();
  select * into person from private.person_of(p_user_id);
  if person.account is null and person.staff_record is null then
    raise exception 'There is no such person.' using errcode = 'PT404';
  end if;
  perform from public.profiles p where p.id = person.account for update;
  select * into known from public.profiles p where p.id = person.account;
  select * into record from public.staff s where s.id = person.staff_record for update;
  if exists (select from private.erasures e where e.account = person.account) then
    raise exception 'This person has been erased already.' using errcode = 'PT409';
  end if;
  perform private.require_typed_name(p_name,
    coalesce(nullif(known.full_name, ''), record.full_name, known.email, known.phone));
  if exists (select from private.client_accounts c where c.user_id = person.account) then
    raise exception 'This is a contact of a client. Erase them in the list of clients.' using errcode = 'PT409';
  end if;
  obstacles := private.erasure_obstacles(person.account, person.staff_record);
  if cardinality(obstacles) > 0 then
    raise exception '%', array_to_string(obstacles, ' ') using errcode = 'PT409';
  end if;
  begun := private.begin_erasure(private.plan_person_erasure(person.account, person.staff_record),
    case when coalesce(record.role, 'guard') = 'guard' then 'Former guard' else 'Former employee' end);
  perform private.erase_parts(person.account, person.staff_record, begun.alias);
  set local session_replication_role = replica;
  update public.staff s set full_name = begun.alias, updated_at = now() where s.id = person.staff_record;
  update public.payments p set
    account_name = case when p.account_name is not null then begun.alias end,
    account_number = case when p.account_number is not null then 'erased' end
  where p.staff_id = person.staff_record;
  update public.audit_log a set
    old_values = a.old_values - '{account_name,account_number}'::text[],
    new_values = a.new_values - '{account_name,account_number}'::text[]
  from public.payments p where p.staff_id = person.staff_record and a.row_id = p.id and a.table_name = 'payments';
  update public.audit_log a set old_values = a.old_values - 'full_name', new_values = a.new_values - 'full_name'
  where a.row_id = person.staff_record and a.table_name = 'staff';
  update public.audit_log a set old_values = a.old_values - 'guard_name', new_values = a.new_values - 'guard_name'
  from public.deployments d where d.guard_id = person.account and a.row_id = d.id and a.table_name = 'deployments';
  set local session_replication_role = origin;
  perform private.record_security_event('person_erased', coalesce(person.account, person.staff_record), '{}');
  return begun.alias;
end
$$;
grant execute on function public.erase_person to authenticated;

create function private.redact(written text, e private.erasures, p_alias text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  result text := written;
begin
  if e.email_pattern is not null then
    result := regexp_replace(result, e.email_pattern, e.alias_email, 'gi');
  end if;
  if e.number_pattern is not null then
    result := regexp_replace(result, e.number_pattern, 'erased', 'gi');
  end if;
  if e.name_pattern is not null then
    result := regexp_replace(result, e.name_pattern, p_alias, 'gi');
  end if;
  return result;
end
$$;

-- In strings alone, never in keys or figures. With p_keys, of an object's fields only in these.
create function private.redact_json(written jsonb, e private.erasures, p_alias text, p_keys text[] default null)
returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  case jsonb_typeof(written) when 'string' then return to_jsonb(private.redact(written #>> '{}', e, p_alias));
    when 'array' then return (
      select coalesce(jsonb_agg(private.redact_json(a.value, e, p_alias) order by a.ordinality), '[]')
      from jsonb_array_elements(written) with ordinality a
    );
    when 'object' then return (
      select coalesce(jsonb_object_agg(f.key,
        case when p_keys is null or f.key = any (p_keys) then private.redact_json(f.value, e, p_alias)
          else f.value end), '{}')
      from jsonb_each(written) f
    );
    else return written;
  end case;
end
$$;

-- Replaces the person in the texts of a part, and in their copies in the activity log. Counts records, and with
-- p_only_count changes none.
create function private.erase_texts(e private.erasures, part private.personal_data, p_only_count boolean) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  sets text;
  hits text;
  alias text := e.alias;
  found bigint;
  copies text;
  has_log boolean;
  -- Of any of them: a text is looked at once, and replaced in three steps only where there is something.
  pattern text;
begin
  if part.is_shared and e.has_namesake then
    e.name_pattern := null;
  end if;
  pattern := concat_ws('|', e.name_pattern, e.email_pattern, e.number_pattern);
  if to_regclass(part.target) is null or coalesce(e.name_pattern, e.email_pattern, e.number_pattern) is null then
    return 0;
  end if;
  select
    string_agg(format('%I = (%s)::%s', c.name, c.became, c.type), ', '),
    string_agg(case when c.type ~ '^json' then format('%s is distinct from %s', c.was, c.became)
      else format('%s ~* $6', c.was) end, ' or ')
  into sets, hits
  from (
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      format(case when a.atttypid = 'json'::regtype then 'r.%I::jsonb' else 'r.%I' end, a.attname) as was,
      format(case a.atttypid when 'json'::regtype then 'private.redact_json(r.%I::jsonb, $3, $4)'
        when 'jsonb'::regtype then 'private.redact_json(r.%I, $3, $4)' else 'private.redact(r.%I, $3, $4)' end,
        a.attname) as became
    from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(part.target) and a.attname = any (part.texts) and not a.attisdropped
  ) c;
  if sets is null then
    return 0;
  end if;
  if p_only_count then
    execute format('select count(*) from %s r where (%s) and (%s)', part.target, part.belongs, hits)
      into found using e.account, e.staff_record, e, alias, part.texts, pattern;
    return found;
  end if;
  has_log := part.target ~ '^public\.' and part.target <> 'public.audit_log' and exists (
    select from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(part.target) and a.attname = 'id' and a.atttypid = 'uuid'::regtype
  );
  copies := format('with logged as materialized (
      select a.id, private.redact_json(a.old_values, $3, $4, $5) as was,
        private.redact_json(a.new_values, $3, $4, $5) as became
      from %s r join public.audit_log a on a.row_id = r.id and a.table_name = %L
      where (%s) and regexp_replace(concat(a.old_values, a.new_values), ''\\[bfnrt]'', '' '', ''g'') ~* $6
    )
    update public.audit_log a set old_values = l.was, new_values = l.became
    from logged l where l.id = a.id and (a.old_values, a.new_values) is distinct from (l.was, l.became)',
    part.target, split_part(part.target, '.', 2), part.belongs);
  set local session_replication_role = replica;
  loop
    begin
      execute format('update only %s r set %s where (%s) and (%s)', part.target, sets, part.belongs, hits)
        using e.account, e.staff_record, e, alias, part.texts, pattern;
      get diagnostics found = row_count;
      exit;
    -- The alias is longer than the name, and the column is full.
    exception when check_violation or string_data_right_truncation then
      if alias = '-' then
        raise;
      end if;
      alias := '-';
    end;
  end loop;
  if has_log then
    execute copies using e.account, e.staff_record, e, alias, part.texts, pattern;
  end if;
  set local session_replication_role = origin;
  return found;
end
$$;

-- What an erasure would do, and to how many records: `deleted`, `blanked` (columns of the person's own records),
-- `replaced`
-- (name, address or number in a text), or `refused` (a sentence).
create function public.erasure_changes(p_kind text, p_id uuid)
returns table (change text, record text, records bigint, reason text)
language plpgsql stable security definer set search_path = '' as $$
declare
  person record;
  contact public.client_contacts;
  contacts uuid[];
  plan private.erasures;
  part private.personal_data;
  found_here bigint;
begin
  perform private.require_admin();
  if p_kind = 'enquiry' then
    return query
    with sent as materialized (
      select m.id from public.contact_messages m
      where lower(m.email) = (select lower(k.email) from public.contact_messages k where k.id = p_id)
    )
    select 'deleted', 'contact_messages', count(*), null::text from sent
    union all
    select 'deleted', 'quotes', count(*), null from public.quotes q
    where q.enquiry_id in (select s.id from sent s) and q.contract_id is null having count(*) > 0
    union all
    select 'blanked', 'quotes', count(*), null from public.quotes q
    where q.enquiry_id in (select s.id from sent s) and q.contract_id is not null having count(*) > 0;
    return;
  elsif p_kind = 'contact' then
    select * into contact from public.client_contacts c where c.id = p_id;
    contacts := private.records_of_contact(contact);
    plan := private.plan_contact_erasure(contact);
    return query
    select * from (
      select 'blanked', 'client_contacts', cardinality(contacts)::bigint, null::text
      union all select 'blanked', 'clients', count(*), null from public.clients c
        where lower(c.report_email) = contact.email
      union all select 'blanked', 'contracts', count(*), null from public.contracts c
        where lower(c.bill_to_email) = contact.email
      union all select 'replaced', 'letter_acknowledgements', count(*), null from public.letter_acknowledgements l
        where l.contact_id = any (contacts)
    ) c (change, record, records, reason)
    where c.records > 0;
  elsif p_kind = 'person' then
    select * into person from private.person_of(p_id);
    plan := private.plan_person_erasure(person.account, person.staff_record);
  else
    raise exception 'The kind is person, contact or enquiry.' using errcode = 'invalid_parameter_value';
  end if;
  for part in select * from private.personal_data p where to_regclass(p.target) is not null
      order by p.target, p.belongs loop
    if part.on_erasure <> 'keep' then
      execute format('select count(*) from %s r where (%s) and %s', part.target, part.belongs,
        case when part.on_erasure = 'delete' then 'true' else format('num_nonnulls(%s) > 0', (
          select string_agg(format('r.%I', c), ', ') from unnest(part.blanked) c)) end)
        into found_here using plan.account, plan.staff_record;
      if found_here > 0 then
        change := case part.on_erasure when 'delete' then 'deleted' else 'blanked' end;
        record := split_part(part.target, '.', 2);
        records := found_here;
        return next;
      end if;
    end if;
    found_here := case when part.texts = '{}' then 0 else private.erase_texts(plan, part, true) end;
    if found_here > 0 then
      change := 'replaced';
      record := split_part(part.target, '.', 2);
      records := found_here;
      return next;
    end if;
  end loop;
  return query select 'refused', null::text, null::bigint, r from unnest(plan.refused) r;
end
$$;
grant execute on function public.erasure_changes to authenticated;

-- Erasures of the last year, and those that are not finished, for the screen of retention.
create function public.erasure_overview()
returns table (
  id uuid, alias text, kind text, created_at timestamptz, finished_at timestamptz, attempts integer,
  next_at timestamptz, failures jsonb, refused text[]
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
  select e.id, e.alias, e.kind, e.created_at, e.finished_at, e.attempts, e.next_at, e.failures,
    -- The sentences quote what was refused, until the work is done.
    e.refused
  from private.erasures e
  where e.finished_at is null or e.created_at > now() - interval '1 year'
  order by e.finished_at is not null, e.created_at desc limit 100;
end
$$;
grant execute on function public.erasure_overview to authenticated;

-- What erasing would remove and what stays, for the question before it.
create function public.erasure_preview(p_user_id uuid)
returns table (full_name text, obstacles text[], shifts bigint, payslips bigint, incidents bigint)
language plpgsql stable security definer set search_path = '' as $$
declare
  person record;
begin
  perform private.require_admin();
  select * into person from private.person_of(p_user_id);
  if person.account is null and person.staff_record is null then
    raise exception 'There is no such person.' using errcode = 'PT404';
  end if;
  return query
  select
    coalesce(
      (select nullif(p.full_name, '') from public.profiles p where p.id = person.account),
      (select s.full_name from public.staff s where s.id = person.staff_record),
      (select coalesce(p.email, p.phone) from public.profiles p where p.id = person.account), ''),
    private.erasure_obstacles(person.account, person.staff_record),
    (select count(*) from public.attendance r where r.user_id = person.account),
    (select count(*) from public.payslips s where s.staff_id = person.staff_record)
      + (select count(*) from public.payroll y where y.staff_id = person.staff_record),
    (select count(*) from public.incidents i where i.raised_by_user_id = person.account);
end
$$;
grant execute on function public.erasure_preview to authenticated;

-- Checks who exports whom, and counts it.
create function private.begin_export(p_subject uuid, out account uuid, out staff_record uuid)
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
begin
  if not private.is_cleared() or p_subject <> me and not private.has_role('admin', 'hr') then
    raise exception 'You may download your own data only.' using errcode = 'insufficient_privilege';
  end if;
  select p.account, p.staff_record into account, staff_record from private.person_of(p_subject) p;
  if account is null and staff_record is null then
    raise exception 'There is no such person.' using errcode = 'PT404';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('exports of ' || me, 0));
  if (select count(*) from private.person_exports e where e.made_by = me and e.at > now() - interval '1 hour') >= 5 then
    raise exception 'You have downloaded data five times within an hour. Please try again later.'
      using errcode = 'PT429';
  end if;
  delete from private.person_exports e where e.at < now() - interval '1 day';
  insert into private.person_exports (made_by, person) values (me, p_subject);
  if p_subject <> me then
    perform private.record_security_event('data_exported', p_subject, '{}');
  end if;
end
$$;
grant execute on function private.begin_export to authenticated;

-- Reads the parts with the rights of its caller.
create function private.export_rows(p_parts private.personal_data[], p_account uuid, p_staff uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  most constant integer := 3000;
  part private.personal_data;
  listed text;
  rows_here jsonb;
  tables jsonb := '{}';
  cut text[] := '{}';
  name text;
begin
  foreach part in array p_parts loop
    continue when to_regclass(part.target) is null;
    select string_agg(format('r.%I', a.attname), ', ' order by a.attnum) into listed
    from pg_catalog.pg_attribute a
    where a.attrelid = to_regclass(part.target) and a.attnum > 0 and not a.attisdropped
      and a.attname <> all (part.withheld) and has_column_privilege(current_user, a.attrelid, a.attnum, 'select');
    continue when listed is null;
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(r)), ''[]'') from (select %s from %s r where %s order by %s desc limit $3) r',
      listed, part.target, part.belongs, part.newest
    ) into rows_here using p_account, p_staff, most + 1;
    if jsonb_array_length(rows_here) > most then
      cut := cut || part.target;
      rows_here := rows_here - most;
    end if;
    name := split_part(part.target, '.', 2);
    if rows_here <> '[]' then
      tables := tables || jsonb_build_object(name, coalesce(tables -> name, '[]') || rows_here);
    end if;
  end loop;
  return jsonb_build_object('cut', to_jsonb(cut), 'tables', tables);
end
$$;
grant execute on function private.export_rows to authenticated;

-- With p_is_for_others, only what people read through policies: the tables of other services have none for them.
create function private.exported_parts(p_is_for_others boolean) returns private.personal_data[]
language sql stable security definer set search_path = '' as $$
  select array(
    select p from private.personal_data p
    where p.withheld is not null and (not p_is_for_others or p.target ~ '^(public|storage)\.') order by p.target
  );
$$;
grant execute on function private.exported_parts to authenticated;

-- All rows of the caller.
create function private.export_own_rows() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.export_rows(private.exported_parts(false), p.account, p.staff_record)
    from private.person_of(auth.uid()) p;
$$;
grant execute on function private.export_own_rows to authenticated;

-- Everything about one person, by table: the caller, or for people managers anybody. At most 3,000 rows of a table, the
-- newest; `cut` names tables that have more. Five in an hour.
create function public.export_person(p_user_id uuid default null) returns jsonb
language plpgsql set search_path = '' as $$
declare
  subject uuid := coalesce(p_user_id, auth.uid());
  person record;
  exported jsonb;
begin
  select * into person from private.begin_export(subject);
  exported := case when subject = auth.uid() then private.export_own_rows()
    else private.export_rows(private.exported_parts(true), person.account, person.staff_record) end;
  return jsonb_build_object('made_at', now(), 'person', subject) || exported;
end
$$;
grant execute on function public.export_person to authenticated;

-- How many records of a kind are older than p_cutoff and not needed; counted to 10,000 per table.
create function private.count_due(p_kind text, p_cutoff timestamptz) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  part private.retention_parts;
  found_here bigint;
  total bigint := 0;
begin
  for part in
    select * from private.retention_parts p where p.kind = p_kind and p.stripped is null
      and to_regclass(p.target) is not null
  loop
    execute format('select count(*) from (select from %s r where %s limit 10000) r', part.target, part.due)
      into found_here using p_cutoff;
    total := total + found_here;
  end loop;
  return total;
end
$$;

-- How many records a period of p_days would end, for the question before a shorter one is saved.
create function public.retention_loss(p_kind text, p_days integer) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if p_kind is null or p_days is null or p_days not between 1 and 7300 then
    raise exception 'Send a kind and a number of days from 1 to 7300.' using errcode = 'invalid_parameter_value';
  end if;
  return private.count_due(p_kind, now() - make_interval(days => p_days));
end
$$;
grant execute on function public.retention_loss to authenticated;

-- The night that a time belongs to: nights begin at 2 in the company's zone, when few shifts begin.
create function private.retention_night(at timestamptz) returns date
language sql stable set search_path = ''
return ((at at time zone (select s.time_zone from private.settings s)) - interval '2 hours')::date;

-- For the screen of admins: the periods with their limits, what ends next night, and the last run.
create function public.retention_overview()
returns table (
  id uuid, kind text, days integer, min_days integer, max_days integer, default_days integer, due bigint,
  last_run_at timestamptz, last_ended bigint, last_error text, ended_in_30_days bigint
)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  next_night timestamptz := (private.retention_night(now()) + 1 + time '02:00') at time zone zone;
begin
  perform private.require_admin();
  return query
  select r.id, r.kind, r.days, r.min_days, r.max_days, r.default_days,
    private.count_due(r.kind, next_night - make_interval(days => r.days)),
    last.finished_at, last.ended, last.error,
    coalesce((
      select sum(n.ended) from private.retention_runs n
      where n.kind = r.kind and n.night > private.retention_night(now()) - 30
    ), 0)::bigint
  from public.retention_rules r
  left join lateral (
    select n.* from private.retention_runs n where n.kind = r.kind and n.finished_at is not null
    order by n.night desc limit 1
  ) last on true
  order by r.kind;
end
$$;
comment on function public.retention_overview is 'Nullable: last_run_at, last_ended, last_error';
grant execute on function public.retention_overview to authenticated;

-- Ends up to p_limit records of a part. Blanking skips triggers: no hours are computed again, a locked period stays
-- locked,
-- and no copy of the blanked value enters the activity log.
-- @returns how many records ended
create function private.end_records(part private.retention_parts, p_cutoff timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  keys text[];
  key_type text;
  source text := split_part(part.target, '.', 2);
begin
  if part.kind is null or p_cutoff is null or p_limit is null or to_regclass(part.target) is null then
    return 0;
  end if;
  select format_type(a.atttypid, null) into key_type from pg_catalog.pg_attribute a
  where a.attrelid = to_regclass(part.target) and a.attname = part.key;
  execute format(
    'select array(select r.%I::text from %s r where %s order by %s limit $2 for update of r skip locked)',
    part.key, part.target, part.due, part.age
  ) into keys using p_cutoff, p_limit;
  if cardinality(keys) = 0 then
    return 0;
  end if;
  if part.stripped is not null then
    set local session_replication_role = replica;
    update public.audit_log a
    set old_values = a.old_values - part.stripped, new_values = a.new_values - part.stripped
    where a.id = any (keys::uuid[]);
  elsif part.blanked is not null then
    set local session_replication_role = replica;
    execute format('update %s r set %s where r.%I = any ($1::%s[])', part.target,
      private.blanking_sql(part.target, part.blanked), part.key, key_type) using keys;
    update public.audit_log a
    set old_values = a.old_values - part.blanked, new_values = a.new_values - part.blanked
    where a.row_id = any (case when key_type = 'uuid' then keys::uuid[] end) and a.table_name = source;
  else
    -- A hosted project asks for this before files are deleted with SQL.
    perform set_config('storage.allow_delete_query', 'true', true);
    if part.is_quiet then
      set local session_replication_role = replica;
    end if;
    execute format('delete from %s r where r.%I = any ($1::%s[])', part.target, part.key, key_type) using keys;
    set local session_replication_role = replica;
    -- Who did what and when stays, without the content.
    update public.audit_log a set
      old_values = case when a.old_values is not null then '{}'::jsonb end,
      new_values = case when a.new_values is not null then '{}'::jsonb end
    where a.row_id = any (case when key_type = 'uuid' then keys::uuid[] end) and a.table_name = source
      and part.target <> 'public.audit_log';
  end if;
  set local session_replication_role = origin;
  return cardinality(keys);
end
$$;

-- A job of the servers: the next batch of tonight's work. A batch that ends early is continued by the next call.
create function private.apply_retention() returns void
language plpgsql security definer set search_path = '' as $$
declare
  batch constant integer := 1000;
  tonight date := private.retention_night(now());
  run private.retention_runs;
  part private.retention_parts;
  days integer;
  count_ended integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('retention', 0)) then
    return;
  end if;
  if not exists (select from private.retention_runs r where r.night = tonight) then
    insert into private.retention_runs (kind, night) select k.kind, tonight from public.retention_rules k;
    delete from private.retention_runs r where r.night < tonight - 400;
  end if;
  select * into run from private.retention_runs r
  where r.night = tonight and r.finished_at is null order by r.kind limit 1;
  if not found then
    return;
  end if;
  select k.days into days from public.retention_rules k where k.kind = run.kind;
  select * into part from private.retention_parts p
  where p.kind = run.kind and p.position >= run.position order by p.position limit 1;
  if not found then
    update private.retention_runs r set finished_at = clock_timestamp() where r.kind = run.kind and r.night = tonight;
    return;
  end if;
  begin
    count_ended := private.end_records(part, now() - make_interval(days => days), batch);
    update private.retention_runs r set
      ended = r.ended + count_ended,
      position = case when count_ended < batch then part.position + 1 else part.position end
    where r.kind = run.kind and r.night = tonight;
  -- One kind that fails must not stop the others; its error is shown, and the next night tries again.
  exception when others then
    update private.retention_runs r set finished_at = clock_timestamp(), error = left(sqlerrm, 500)
    where r.kind = run.kind and r.night = tonight;
    raise warning 'records of kind % were not ended: %', run.kind, sqlerrm;
  end;
end
$$;

-- Deleted records of the person have only their copy in the activity log.
create function private.erase_deleted_texts(e private.erasures) returns void
language plpgsql security definer set search_path = '' as $$
begin
  set local session_replication_role = replica;
  update public.audit_log a set old_values = d.became
  from (
    select l.id, private.redact_json(l.old_values, e, e.alias, t.texts) as became
    from public.audit_log l
    cross join lateral (
      select array_agg(distinct c) as texts from private.personal_data p, unnest(p.texts) c
      where p.target = 'public.' || l.table_name
    ) t
    where l.action = 'delete' and t.texts is not null
      and (e.account::text in (l.old_values ->> 'user_id', l.old_values ->> 'guard_id',
        l.old_values ->> 'raised_by_user_id')
        or e.staff_record::text = l.old_values ->> 'staff_id')
  ) d
  where d.id = a.id and d.became is distinct from a.old_values;
  set local session_replication_role = origin;
end
$$;

-- One erasure that fails is reported and stops no other: each step keeps its own error, the others go on, and the
-- erasure is tried again after an hour.
create function private.continue_erasures() returns void
language plpgsql security definer set search_path = '' as $$
declare
  until constant timestamptz := clock_timestamp() + interval '500 milliseconds';
  e private.erasures;
  part private.personal_data;
  was_failing boolean;
begin
  select * into e from private.erasures x
  where x.finished_at is null and x.next_at <= now() order by x.next_at, x.number limit 1 for update skip locked;
  if not found then
    return;
  end if;
  was_failing := e.attempts > 0;
  if e.at_table = '' then
    e.failures := '{}';
  end if;
  while clock_timestamp() < until loop
    select p.* into part from private.personal_data p
    where p.texts <> '{}' and p.target || ' ' || p.belongs > e.at_table order by p.target || ' ' || p.belongs limit 1;
    exit when not found;
    begin
      perform private.erase_texts(e, part, false);
    exception when others then
      e.failures := e.failures || jsonb_build_object(part.target, sqlerrm);
    end;
    e.at_table := part.target || ' ' || part.belongs;
  end loop;
  if part.target is null then
    begin
      perform private.erase_deleted_texts(e);
    exception when others then
      e.failures := e.failures || jsonb_build_object('public.audit_log', sqlerrm);
    end;
    e.at_table := '';
    if e.failures = '{}' then
      e.finished_at := clock_timestamp();
    else
      e.attempts := e.attempts + 1;
      e.next_at := now() + interval '1 hour';
    end if;
  end if;
  update private.erasures x set
    at_table = e.at_table, failures = e.failures, attempts = e.attempts, next_at = e.next_at,
      finished_at = e.finished_at,
    name_pattern = case when e.finished_at is null then e.name_pattern end,
    email_pattern = case when e.finished_at is null then e.email_pattern end,
    number_pattern = case when e.finished_at is null then e.number_pattern end
  where x.id = e.id;
  if e.attempts > 0 and not was_failing then
    insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
    select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), json_build_object(
      'action', 'erasure_failed', 'actor_id', e.made_by, 'actor_username', coalesce(p.email, ''), 'actor_via_sso',
        false,
      'log_type', 'team', 'traits', jsonb_build_object('user_id', e.account, 'alias', e.alias)), now(), ''
    from (select 1) one left join public.profiles p on p.id = e.made_by;
  end if;
end
$$;
