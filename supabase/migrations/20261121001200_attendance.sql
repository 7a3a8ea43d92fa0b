-- Clock-in and clock-out of an assignment: the table, and who reads and writes it. The rules follow in the next migration.
create table public.attendance (
  -- Made by the client, so that a repeat from a bad line is the same record.
  id uuid primary key default gen_random_uuid(),
  assignment_id uuid not null references public.assignments (id),
  user_id uuid not null,
  site_id uuid not null,
  clock_in_at timestamptz not null default now(),
  clock_in_gps text,
  -- Why there is no location.
  clock_in_reason text check (char_length(clock_in_reason) <= 500),
  clock_out_at timestamptz,
  clock_out_gps text,
  clock_out_reason text check (char_length(clock_out_reason) <= 500),
  clock_in_received_at timestamptz not null default now(),
  clock_out_received_at timestamptz,
  clock_in_distance_m integer,
  clock_out_distance_m integer,
  late_minutes integer not null default 0,
  early_minutes integer not null default 0,
  needs_review boolean not null default false,
  -- What the person's own device had sent, kept when somebody corrects it.
  original_clock_in_at timestamptz,
  original_clock_out_at timestamptz,
  corrected_by uuid references public.profiles (id) on delete set null,
  corrected_at timestamptz,
  correction_reason text check (char_length(correction_reason) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint attendance_out_after_in check (clock_out_at >= clock_in_at),
  constraint attendance_gps_is_lat_lng check (
    private.is_position(clock_in_gps) and private.is_position(clock_out_gps)
  )
);
comment on column public.attendance.user_id is 'Derived: whose assignment it is';
comment on column public.attendance.site_id is 'Derived: the site of the shift';
comment on column public.attendance.clock_in_received_at is 'Derived: when the server got the event, which a phone without a network sends late';
comment on column public.attendance.clock_out_received_at is 'Derived: when the server got the event';
comment on column public.attendance.clock_in_distance_m is 'Derived: metres from the site; null where either position is unknown';
comment on column public.attendance.clock_out_distance_m is 'Derived: metres from the site; null where either position is unknown';
comment on column public.attendance.late_minutes is 'Derived: whole minutes between the start of the shift and a later clock-in';
comment on column public.attendance.early_minutes is 'Derived: whole minutes between an earlier clock-out and the end of the shift';

create index attendance_assignment_id_idx on public.attendance (assignment_id);
create index attendance_user_id_idx on public.attendance (user_id, clock_in_at desc);
create index attendance_site_id_idx on public.attendance (site_id, clock_in_at desc);
create index attendance_clock_in_at_idx on public.attendance (clock_in_at desc);
create index attendance_corrected_by_idx on public.attendance (corrected_by);
-- Nobody is clocked in twice, neither on one assignment nor on two.
create unique index attendance_one_open_per_assignment on public.attendance (assignment_id)
  where clock_out_at is null;
create unique index attendance_one_open_per_person on public.attendance (user_id)
  where clock_out_at is null;

select private.tidy_texts_of('public.attendance', 'clock_in_gps', 'clock_in_reason', 'clock_out_gps', 'clock_out_reason', 'correction_reason');
create trigger d_touch before update on public.attendance
  for each row execute function private.touch();
create trigger c_has_attendance before delete on public.assignments for each row
  execute function private.refuse_while_used('attendance', 'assignment_id',
    'Somebody has clocked in on this shift, so it can''t be deleted or unassigned.');
select private.keep_history_of('public.attendance');

alter table public.attendance enable row level security;
revoke all on public.attendance from anon, authenticated;
grant select, insert on public.attendance to authenticated;
grant update (clock_in_at, clock_out_at, clock_out_gps, clock_out_reason, needs_review, correction_reason)
  on public.attendance to authenticated;

create policy "Those who oversee, and hr, read all attendance" on public.attendance
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'hr')));
create policy "Supervisors read attendance at their own sites" on public.attendance
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read their own attendance" on public.attendance
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Guards clock in on their own assignments" on public.attendance
  for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Overseers add a missing clock-in" on public.attendance
  for insert to authenticated
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor')));
create policy "Supervisors add a missing clock-in at their own sites" on public.attendance
  for insert to authenticated with check (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards clock out on their own record" on public.attendance
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Overseers correct attendance" on public.attendance
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor')))
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor')));
create policy "Supervisors correct attendance at their own sites" on public.attendance
  for update to authenticated
  using (site_id = any ((select private.supervised_sites())::uuid[]))
  with check (site_id = any ((select private.supervised_sites())::uuid[]));

alter publication supabase_realtime add table public.attendance;
