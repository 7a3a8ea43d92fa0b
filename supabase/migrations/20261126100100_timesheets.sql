-- The timesheet of a person and a pay period, its days, and the segments into which the time was classified.
-- All three are derived by private.compute_time; people change the status alone, through functions.
create table public.timesheets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  period_start date not null,
  -- Inclusive.
  period_end date not null,
  status text not null default 'open' check (status in ('open', 'submitted', 'approved', 'locked')),
  regular_minutes integer not null default 0,
  overtime_1_minutes integer not null default 0,
  overtime_2_minutes integer not null default 0,
  night_minutes integer not null default 0,
  holiday_minutes integer not null default 0,
  leave_paid_minutes integer not null default 0,
  leave_unpaid_minutes integer not null default 0,
  unpaid_minutes integer not null default 0,
  credited_minutes integer not null default 0,
  planned_minutes integer not null default 0,
  missing_minutes integer not null default 0,
  open_issues integer not null default 0,
  issues text[] not null default '{}',
  site_ids uuid[] not null default '{}',
  -- Why an approved timesheet is open again.
  note text check (char_length(note) <= 500),
  submitted_at timestamptz,
  submitted_by uuid references public.profiles (id) on delete set null,
  approved_at timestamptz,
  approved_by uuid references public.profiles (id) on delete set null,
  locked_at timestamptz,
  pay_run_id uuid,
  computed_at timestamptz not null default now(),
  constraint timesheets_end_not_before_start check (period_end >= period_start),
  constraint timesheets_do_not_overlap
    exclude using gist (user_id with =, daterange(period_start, period_end, '[]') with &&)
);
comment on column public.timesheets.credited_minutes is
  'Grace and rounding of the days; negative where rounding down takes more';
comment on column public.timesheets.missing_minutes is 'Planned, but covered by neither attendance nor approved leave';
comment on column public.timesheets.open_issues is 'How many issues of its days somebody must still solve';
comment on column public.timesheets.site_ids is 'Derived: the sites of its shifts, which decide which supervisors see it';
comment on column public.timesheets.computed_at is 'When a figure, day or segment changed last';

create index timesheets_user_id_idx on public.timesheets (user_id, period_start desc);
create index timesheets_period_idx on public.timesheets (period_start, period_end);
create index timesheets_site_ids_idx on public.timesheets using gin (site_ids);
create index timesheets_submitted_by_idx on public.timesheets (submitted_by) where submitted_by is not null;
create index timesheets_approved_by_idx on public.timesheets (approved_by) where approved_by is not null;
create index timesheets_pay_run_id_idx on public.timesheets (pay_run_id) where pay_run_id is not null;

create table public.timesheet_days (
  id uuid primary key default gen_random_uuid(),
  timesheet_id uuid not null references public.timesheets (id) on delete cascade,
  user_id uuid not null,
  day date not null,
  planned_minutes integer not null,
  worked_minutes integer not null,
  paid_minutes integer not null,
  missing_minutes integer not null,
  credited_minutes integer not null,
  issues text[] not null,
  -- [{code, text}]: one sentence for each difference between planned, worked and paid.
  explanations jsonb not null,
  unique (timesheet_id, day)
);
comment on column public.timesheet_days.paid_minutes is 'Of every class but the unpaid ones, with credited minutes';

create table public.time_segments (
  id uuid primary key default gen_random_uuid(),
  timesheet_id uuid not null references public.timesheets (id) on delete cascade,
  user_id uuid not null,
  day date not null,
  -- No foreign keys to facts: a fact that is deleted takes its segments away when the time is computed again.
  attendance_id uuid,
  leave_request_id uuid,
  shift_id uuid,
  site_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  minutes integer not null generated always as (
    (extract(epoch from ends_at - starts_at) / 60)::integer
  ) stored,
  class text not null check (class in
    ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday', 'leave_paid', 'leave_unpaid', 'unpaid')),
  rule text not null check (rule in ('worked', 'early_arrival', 'break', 'not_approved', 'week_limit', 'day_limit',
    'rest_day', 'night', 'holiday', 'leave')),
  rate numeric(6, 4) not null,
  time_rule_id uuid not null references public.time_rules (id),
  constraint time_segments_end_after_start check (ends_at > starts_at),
  constraint time_segments_do_not_overlap
    exclude using gist (user_id with =, tstzrange(starts_at, ends_at) with &&)
);
create index time_segments_timesheet_id_idx on public.time_segments (timesheet_id, day);
create index time_segments_time_rule_id_idx on public.time_segments (time_rule_id);
create index time_segments_attendance_id_idx on public.time_segments (attendance_id) where attendance_id is not null;

-- Whether private.compute_time or draft_invoices is writing. What they write follows from recorded facts, so the activity
-- log, which would grow by every computed minute, leaves it out. Any other change of a computed row is recorded.
create function private.is_computing() returns boolean
language sql stable set search_path = ''
return coalesce(current_setting('app.computing_time', true), '') = 'on';

create function private.keep_history_of_computed(recorded regclass) returns void
language plpgsql set search_path = '' as $$
begin
  execute format('create trigger history_of_inserts after insert on %s
    referencing new table as new_rows for each statement when (not private.is_computing())
    execute function private.record_history()', recorded);
  execute format('create trigger history_of_updates after update on %s
    referencing old table as old_rows new table as new_rows for each statement when (not private.is_computing())
    execute function private.record_history()', recorded);
  execute format('create trigger history_of_deletes after delete on %s
    referencing old table as old_rows for each statement when (not private.is_computing())
    execute function private.record_history()', recorded);
end
$$;
select private.keep_history_of_computed('public.timesheets');
select private.keep_history_of_computed('public.timesheet_days');
select private.keep_history_of_computed('public.time_segments');

alter table public.timesheets enable row level security;
alter table public.timesheet_days enable row level security;
alter table public.time_segments enable row level security;
revoke all on public.timesheets, public.timesheet_days, public.time_segments from anon, authenticated, service_role;
grant select on public.timesheets, public.timesheet_days, public.time_segments to authenticated, service_role;

create policy "Overseers, HR and finance read every timesheet" on public.timesheets
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'hr', 'finance')));
create policy "Supervisors read timesheets of work at their own sites alone" on public.timesheets
  for select to authenticated
  using (site_ids <> '{}' and site_ids <@ (select private.supervised_sites())::uuid[]);
create policy "Members read their own timesheets" on public.timesheets
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
-- Through the policies of timesheets.
create policy "Readers of a timesheet read its days" on public.timesheet_days
  for select to authenticated
  using (exists (select from public.timesheets t where t.id = timesheet_id));
create policy "Readers of a timesheet read its segments" on public.time_segments
  for select to authenticated
  using (exists (select from public.timesheets t where t.id = timesheet_id));

-- Days and segments change only together with their timesheet, so lists follow that.
alter publication supabase_realtime add table public.timesheets;
alter table public.timesheets replica identity full;

revoke all on all functions in schema private from public;
grant execute on function private.is_computing to authenticated, service_role;
