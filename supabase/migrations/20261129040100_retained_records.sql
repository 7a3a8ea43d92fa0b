-- Which records end with each kind of retention, and what keeps a record longer: a dispute about it.

-- Whether the hours of a person in a span are still open: not locked, disputed, to be adjusted, or not billed.
create function private.is_time_open(p_user uuid, p_attendance uuid, p_from timestamptz, p_to timestamptz) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  days daterange := daterange((p_from at time zone zone)::date, (greatest(p_to, p_from) at time zone zone)::date, '[]');
begin
  return exists (
      select from public.timesheets t
      where t.user_id = p_user and daterange(t.period_start, t.period_end, '[]') && days
        and (t.status <> 'locked'
          or exists (select from public.timesheet_disputes d where d.timesheet_id = t.id and d.status = 'open'))
    ) or exists (
      select from public.pay_adjustments a
      where a.user_id = p_user and a.status = 'to_decide' and daterange(a.period_start, a.period_end, '[]') && days
    ) or exists (
      select from (
        select s.site_id, s.shift_id, s.day from public.time_segments s
        where s.attendance_id = p_attendance and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
          and not exists (
            select from public.billed_time b
            where b.user_id = s.user_id and b.freed_at is null and b.span && tstzrange(s.starts_at, s.ends_at)
          )
        -- Contracts are read for unbilled hours alone.
        offset 0
      ) s
      left join public.shifts h on h.id = s.shift_id
      cross join lateral (select private.contract_post_on(s.site_id, h.post_id, s.day) as post offset 0) c
      where (c.post).basis <> 'fixed'
    );
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

-- Whether the record that an entry of the activity log is about still has coordinates.
create function private.record_has_position(p_table text, p_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select case p_table
    when 'attendance' then exists (
      select from public.attendance r where r.id = p_id and coalesce(r.clock_in_gps, r.clock_out_gps) is not null)
    when 'clock_events' then exists (select from public.clock_events r where r.id = p_id and r.gps is not null)
    when 'checkpoint_scans' then exists (select from public.checkpoint_scans r where r.id = p_id and r.gps is not null)
    when 'sos_events' then exists (select from public.sos_events r where r.id = p_id and r.gps is not null)
    when 'evidence' then exists (select from public.evidence r where r.id = p_id and r.gps is not null)
    else false
  end;
$$;

-- Of what still has coordinates, so that a night reads what is due and no more.
create index attendance_positions_idx on public.attendance (clock_in_at)
  where coalesce(clock_in_gps, clock_out_gps) is not null;
create index clock_events_positions_idx on public.clock_events (effective_at) where gps is not null;
create index checkpoint_scans_positions_idx on public.checkpoint_scans (scanned_at) where gps is not null;
create index sos_events_positions_idx on public.sos_events (happened_at) where gps is not null;
create index evidence_positions_idx on public.evidence (created_at) where gps is not null;
create index audit_log_positions_idx on public.audit_log (at) where coalesce(
  new_values ->> 'clock_in_gps', new_values ->> 'clock_out_gps', new_values ->> 'gps',
  old_values ->> 'clock_in_gps', old_values ->> 'clock_out_gps', old_values ->> 'gps'
) is not null;
create index leave_requests_reasons_idx on public.leave_requests (end_date)
  where coalesce(nullif(reason, ''), decision_note) is not null;
create index evidence_created_at_idx on public.evidence (created_at);
create index inbound_messages_received_at_idx on public.inbound_messages (received_at);
create index notices_created_at_idx on public.notices (created_at);
create index welfare_checks_due_at_idx on public.welfare_checks (due_at);
create index handover_notes_written_at_idx on public.handover_notes (written_at);
create index client_requests_created_at_idx on public.client_requests (created_at);

insert into private.retention_parts (kind, position, target, key, age, due, blanked, is_quiet) values
  ('positions', 1, 'public.attendance', 'id', 'r.clock_in_at',
    'coalesce(r.clock_in_gps, r.clock_out_gps) is not null and r.clock_in_at < $1 and r.clock_out_at < $1
      and not r.needs_review and not private.is_time_open(r.user_id, r.id, r.clock_in_at, r.clock_out_at)',
    array['clock_in_gps', 'clock_out_gps'], false),
  ('positions', 2, 'public.clock_events', 'id', 'r.effective_at',
    'r.gps is not null and r.effective_at < $1
      and not private.is_time_open(r.user_id, r.attendance_id, r.effective_at, r.effective_at)',
    array['gps', 'accuracy_m', 'fix_age_s'], false),
  ('positions', 3, 'public.checkpoint_scans', 'id', 'r.scanned_at',
    'r.gps is not null and r.scanned_at < $1', array['gps', 'accuracy_m'], false),
  ('positions', 4, 'public.sos_events', 'id', 'r.happened_at',
    'r.gps is not null and r.happened_at < $1
      and not exists (select from public.alerts l where l.cause = ''sos:'' || r.id and l.closed_at is null)',
    array['gps', 'accuracy_m'], false),
  ('positions', 5, 'public.evidence', 'id', 'r.created_at',
    'r.gps is not null and r.created_at < $1 and private.is_incident_over(r.incident_id, $1)',
    array['gps', 'located_by'], false),
  ('clock_photos', 1, 'private.clock_photos', 'event_id', 'r.created_at',
    'r.created_at < $1 and not private.is_time_open(r.user_id,
      (select e.attendance_id from public.clock_events e where e.id = r.event_id), r.created_at, r.created_at)',
    null, true),
  -- The file first: the condition needs only the incident, which stays.
  ('evidence', 1, 'storage.objects', 'id', 'r.created_at',
    'r.bucket_id = ''evidence'' and r.created_at < $1 and private.is_incident_over(private.record_of_file(r.name), $1)',
    null, false),
  ('evidence', 2, 'public.evidence', 'id', 'r.created_at',
    'r.created_at < $1 and private.is_incident_over(r.incident_id, $1)', null, false),
  ('documents', 1, 'storage.objects', 'id', 'r.created_at',
    'r.bucket_id = ''people'' and exists (
      select from public.profiles p
      where p.id = private.record_of_file(r.name) and private.company_midnight(p.left_on + 1) <= $1
    )', null, false),
  ('leave_reasons', 1, 'public.leave_requests', 'id', 'r.end_date',
    'coalesce(nullif(r.reason, ''''), r.decision_note) is not null and r.status <> ''pending''
      and private.company_midnight(r.end_date + 1) <= $1
      and not private.is_time_open(r.user_id, null, private.company_midnight(r.start_date), private.company_midnight(r.end_date))',
    array['reason', 'decision_note'], false),
  ('welfare_checks', 1, 'public.welfare_checks', 'id', 'r.due_at',
    'r.due_at < $1 and coalesce(r.answered_at, r.ended_at) < $1', null, true),
  ('messages', 1, 'public.inbound_messages', 'id', 'r.received_at',
    'r.received_at < $1 and not (r.is_exception and r.handled_at is null)
      and not (r.user_id is not null and private.is_time_open(r.user_id, null, r.received_at, r.received_at))',
    null, true),
  ('notices', 1, 'public.notices', 'id', 'r.created_at', 'r.created_at < $1', null, true),
  ('notices', 2, 'private.notice_deliveries', 'id', 'r.created_at',
    'r.created_at < $1 and r.state in (''sent'', ''failed'')', null, true),
  ('duty_notes', 1, 'public.room_notes', 'id', 'r.created_at', 'r.created_at < $1 and not r.is_pinned', null, true),
  ('duty_notes', 2, 'public.handover_notes', 'id', 'r.written_at', 'r.written_at < $1', null, true),
  ('duty_notes', 3, 'private.daily_reports', 'day', 'r.day', 'private.company_midnight(r.day + 1) <= $1', null, false),
  ('enquiries', 1, 'public.contact_messages', 'id', 'r.created_at',
    'r.created_at < $1 and r.state <> ''new'' and coalesce(r.handled_at, r.created_at) < $1', null, false),
  ('client_messages', 1, 'public.client_requests', 'id', 'r.created_at',
    'r.created_at < $1 and r.status <> ''open'' and r.answered_at < $1', null, false),
  ('sign_ins', 1, 'auth.audit_log_entries', 'id', 'r.created_at', 'r.created_at < $1', null, true),
  ('activity', 1, 'public.audit_log', 'id', 'r.at', 'r.at < $1', null, true);
-- After the records: a copy stays as long as its record has coordinates.
insert into private.retention_parts (kind, position, target, age, due, stripped) values
  ('positions', 6, 'public.audit_log', 'r.at', 'r.at < $1 and coalesce(
      r.new_values ->> ''clock_in_gps'', r.new_values ->> ''clock_out_gps'', r.new_values ->> ''gps'',
      r.old_values ->> ''clock_in_gps'', r.old_values ->> ''clock_out_gps'', r.old_values ->> ''gps''
    ) is not null and not private.record_has_position(r.table_name, r.row_id)',
    array['clock_in_gps', 'clock_out_gps', 'gps', 'accuracy_m', 'fix_age_s']);

-- Ends by the period that is set, no longer after fixed 90 days.
create or replace function private.store_clock_photo(event_id uuid, site uuid, person uuid, photo text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  picture bytea;
begin
  if photo is null or char_length(photo) > 60000 then
    return;
  end if;
  begin
    picture := decode(photo, 'base64');
  exception when invalid_parameter_value then
    return;
  end;
  if octet_length(picture) > 40960 or substr(picture, 1, 3) is distinct from '\xffd8ff' then
    return;
  end if;
  insert into private.clock_photos (event_id, site_id, user_id, photo) values (event_id, site, person, picture)
  on conflict do nothing;
end
$$;

revoke all on all functions in schema private from public;
