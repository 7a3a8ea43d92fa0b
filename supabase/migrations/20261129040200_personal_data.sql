-- Where records about a person are, and what becomes of them when the person is erased; and the export of one person's data.
-- A migration that adds such a table adds its row here: tests/rules/personal-data.test.ts compares this with the foreign keys.
create table private.personal_data (
  target text not null,
  -- Condition on row r; $1 is the person's account, $2 their staff record. Either may be null.
  belongs text not null,
  on_erasure text not null check (on_erasure in ('delete', 'blank', 'keep')),
  -- Columns that become null when the person is erased.
  blanked text[] not null default '{}',
  -- Columns that an export leaves out; null if it leaves out the table.
  withheld text[] default '{}',
  -- Whether only admins, finance and the person read it.
  is_pay boolean not null default false,
  -- Newest first in an export.
  newest text not null default '1',
  primary key (target, belongs),
  constraint personal_data_blanks_columns check ((on_erasure = 'blank') = (blanked <> '{}'))
);
alter table private.personal_data enable row level security;
revoke all on private.personal_data from public, anon, authenticated, service_role;

insert into private.personal_data (target, belongs, on_erasure, blanked, withheld, newest) values
  ('public.profiles', 'r.id = $1', 'blank', array['email', 'phone', 'home_area', 'home_position', 'gender', 'photo_path'],
    '{}', '1'),
  ('public.user_roles', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at'),
  ('public.assignments', 'r.user_id = $1', 'keep', '{}', '{}', 'r.starts_at'),
  ('public.attendance', 'r.user_id = $1', 'blank', array['clock_in_gps', 'clock_out_gps'], '{}', 'r.clock_in_at'),
  ('public.clock_events', 'r.user_id = $1', 'blank', array['gps', 'accuracy_m', 'fix_age_s'],
    array['hash', 'previous_hash'], 'r.effective_at'),
  ('public.clock_exceptions', 'r.user_id = $1', 'keep', '{}', '{}', 'r.received_at'),
  ('public.checkpoint_scans', 'r.user_id = $1', 'blank', array['gps', 'accuracy_m'], array['code'], 'r.scanned_at'),
  ('public.sos_events', 'r.user_id = $1', 'blank', array['gps', 'accuracy_m', 'cancel_note'], '{}', 'r.happened_at'),
  ('public.welfare_checks', 'r.user_id = $1', 'delete', '{}', '{}', 'r.due_at'),
  ('public.inbound_messages', 'r.user_id = $1', 'delete', '{}', '{}', 'r.received_at'),
  ('public.incidents', 'r.raised_by_user_id = $1', 'keep', '{}', '{}', 'r.created_at'),
  ('public.report_notes', 'r.created_by = $1', 'keep', '{}', '{}', 'r.created_at'),
  ('public.evidence', 'r.created_by = $1', 'blank', array['gps', 'located_by'], '{}', 'r.created_at'),
  ('public.certifications', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at'),
  ('public.availability', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at'),
  ('public.leave_requests', 'r.user_id = $1', 'blank', array['reason', 'decision_note'], '{}', 'r.start_date'),
  ('public.offers', 'r.user_id = $1', 'blank', array['note', 'decision_note'], '{}', 'r.created_at'),
  ('public.replacement_calls', 'r.user_id = $1', 'blank', array['note'], '{}', 'r.created_at'),
  ('public.site_bans', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at'),
  ('public.site_inductions', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at'),
  ('public.handover_notes', 'r.user_id = $1', 'keep', '{}', '{}', 'r.written_at'),
  ('public.handovers', 'r.user_id = $1', 'keep', '{}', '{}', 'r.taken_at'),
  ('public.post_order_readings', 'r.user_id = $1', 'keep', '{}', '{}', 'r.read_at'),
  ('public.notices', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at'),
  ('public.alerts', 'r.user_id = $1', 'keep', '{}', '{}', 'r.raised_at'),
  ('public.deployments', 'r.guard_id = $1', 'keep', '{}', '{}', 'r.shift_start'),
  ('public.timesheets', 'r.user_id = $1', 'keep', '{}', '{}', 'r.period_start'),
  ('public.timesheet_days', 'r.user_id = $1', 'keep', '{}', '{}', 'r.day'),
  ('public.time_segments', 'r.user_id = $1', 'keep', '{}', '{}', 'r.starts_at'),
  ('public.time_decisions', 'r.user_id = $1', 'keep', '{}', '{}', 'r.decided_at'),
  ('public.timesheet_disputes', 'r.user_id = $1', 'keep', '{}', '{}', 'r.created_at'),
  ('private.assignment_answers', 'r.user_id = $1', 'keep', '{}', '{}', 'r.answered_at'),
  ('private.clock_photos', 'r.user_id = $1', 'delete', '{}', array['photo'], 'r.created_at'),
  ('private.phone_signals', 'r.user_id = $1', 'delete', '{}', '{}', 'r.heard_at'),
  ('private.notice_settings', 'r.user_id = $1', 'delete', '{}', '{}', '1'),
  ('private.notice_deliveries', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at'),
  ('public.client_contacts', 'r.user_id = $1', 'keep', '{}', '{}', 'r.created_at'),
  ('public.client_requests', 'exists (select from public.client_contacts c where c.id = r.contact_id and c.user_id = $1)',
    'keep', '{}', '{}', 'r.created_at'),
  ('storage.objects', 'r.bucket_id = ''people'' and private.record_of_file(r.name) = $1', 'delete', '{}',
    array['owner', 'owner_id', 'version', 'path_tokens', 'user_metadata'], 'r.created_at'),
  ('storage.objects', 'r.bucket_id = ''photos'' and r.name = (select p.photo_path from public.profiles p where p.id = $1)',
    'delete', '{}', array['owner', 'owner_id', 'version', 'path_tokens', 'user_metadata'], 'r.created_at'),
  ('auth.sessions', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at'),
  ('auth.identities', 'r.user_id = $1', 'delete', '{}', '{}', 'r.created_at'),
  ('auth.audit_log_entries', 'r.payload ->> ''actor_id'' = $1::text', 'keep', '{}', array['instance_id'], 'r.created_at'),
  -- Drafts, copies and secrets.
  ('public.roster_changes', 'r.user_id = $1', 'keep', '{}', null, '1'),
  ('public.roster_pins', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('public.billed_time', 'r.user_id = $1', 'keep', '{}', null, '1'),
  ('private.time_to_compute', 'r.user_id = $1', 'keep', '{}', null, '1'),
  ('private.client_accounts', 'r.user_id = $1', 'keep', '{}', null, '1'),
  ('private.calendar_feeds', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('private.guard_pins', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('private.push_subscriptions', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('private.daily_report_mails', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('private.recovery_codes', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('private.recovery_failures', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('private.start_codes', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('auth.refresh_tokens', 'r.user_id = $1::text', 'delete', '{}', null, '1'),
  ('auth.mfa_factors', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('auth.one_time_tokens', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('auth.flow_state', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('auth.webauthn_credentials', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('auth.webauthn_challenges', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('auth.known_networks', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('auth.seen_devices', 'r.user_id = $1', 'delete', '{}', null, '1'),
  ('auth.notices', 'r.user_id = $1', 'delete', '{}', null, '1');
insert into private.personal_data (target, belongs, on_erasure, blanked, is_pay, newest) values
  ('public.staff', 'r.id = $2', 'blank', array['email', 'phone', 'end_reason'], true, '1'),
  ('public.pay_accounts', 'r.staff_id = $2', 'delete', '{}', true, 'r.created_at'),
  ('public.pay_bases', 'r.staff_id = $2', 'keep', '{}', true, 'r.effective_from'),
  ('public.pay_items', 'r.staff_id = $2', 'keep', '{}', true, 'r.effective_from'),
  ('public.staff_ledger', 'r.staff_id = $2', 'keep', '{}', true, 'r.created_at'),
  ('public.payroll', 'r.staff_id = $2', 'keep', '{}', true, 'r.period_start'),
  ('public.payslips', 'r.staff_id = $2 and r.published_at is not null', 'keep', '{}', true, 'r.created_at'),
  ('public.payslip_lines', 'exists (
      select from public.payslips s where s.id = r.payslip_id and s.staff_id = $2 and s.published_at is not null
    )', 'keep', '{}', true, 'r.created_at'),
  ('public.payments', 'r.staff_id = $2', 'keep', '{}', true, 'r.created_at'),
  ('public.pay_adjustments', 'r.user_id = $1', 'keep', '{}', true, 'r.created_at');

create table private.person_exports (
  id uuid primary key default gen_random_uuid(),
  made_by uuid not null,
  person uuid not null,
  at timestamptz not null default now()
);
create index person_exports_made_by_idx on private.person_exports (made_by, at);
alter table private.person_exports enable row level security;
revoke all on private.person_exports from public, anon, authenticated, service_role;

-- The account and the staff record of a person, by the id of either.
create function private.person_of(p_id uuid, out account uuid, out staff_record uuid)
language sql stable security definer set search_path = '' as $$
  select coalesce(p.id, s.user_id), s.id
  from (select p_id as id) given
  left join public.profiles p on p.id = given.id
  left join public.staff s on s.id = given.id or s.user_id = given.id
  limit 1;
$$;

-- Everything about one person, by table: the caller, or for people managers anybody. At most 3,000 rows of a table, the
-- newest; `cut` names tables that have more. Five in an hour.
create function public.export_person(p_user_id uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 3000;
  me uuid := auth.uid();
  subject uuid := coalesce(p_user_id, auth.uid());
  person record;
  reads_pay boolean;
  part private.personal_data;
  rows_here jsonb;
  tables jsonb := '{}';
  cut text[] := '{}';
begin
  if not private.is_cleared() or subject <> me and not private.has_role('admin', 'hr') then
    raise exception 'You may download your own data only.' using errcode = 'insufficient_privilege';
  end if;
  select * into person from private.person_of(subject);
  if person.account is null and person.staff_record is null then
    raise exception 'There is no such person.' using errcode = 'PT404';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('exports of ' || me, 0));
  if (select count(*) from private.person_exports e where e.made_by = me and e.at > now() - interval '1 hour') >= 5 then
    raise exception 'You have downloaded data five times within an hour. Please try again later.' using errcode = 'PT429';
  end if;
  delete from private.person_exports e where e.at < now() - interval '1 day';
  insert into private.person_exports (made_by, person) values (me, subject);
  if subject <> me then
    perform private.record_security_event('data_exported', subject, '{}');
  end if;
  reads_pay := subject = me or private.has_role('admin', 'finance');
  for part in select * from private.personal_data p where p.withheld is not null order by p.target loop
    continue when part.is_pay and not reads_pay or to_regclass(part.target) is null;
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(r) - $3), ''[]'') from (select * from %s r where %s order by %s desc limit $4) r',
      part.target, part.belongs, part.newest
    ) into rows_here using person.account, person.staff_record, part.withheld, most + 1;
    if jsonb_array_length(rows_here) > most then
      cut := cut || part.target;
      rows_here := rows_here - most;
    end if;
    if rows_here <> '[]' then
      tables := tables || jsonb_build_object(split_part(part.target, '.', 2),
        coalesce(tables -> split_part(part.target, '.', 2), '[]') || rows_here);
    end if;
  end loop;
  return jsonb_build_object('made_at', now(), 'person', subject, 'cut', to_jsonb(cut), 'tables', tables);
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.export_person from public, anon;
grant execute on function public.export_person to authenticated;
