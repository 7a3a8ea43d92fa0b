-- Shifts at a site and who works them. A guard never has overlapping assignments, even if planners write at once.
create table public.shifts (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id),
  start_time timestamptz not null,
  end_time timestamptz not null,
  required_headcount integer not null default 1 check (required_headcount between 1 and 1000),
  notes text check (char_length(notes) <= 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint shifts_end_after_start check (end_time > start_time)
);

create index shifts_start_time_idx on public.shifts (start_time);
create index shifts_site_id_idx on public.shifts (site_id, start_time);
-- Finds shifts that are still running or upcoming without reading years of past ones.
create index shifts_end_time_idx on public.shifts (end_time);

select private.tidy_texts_of('public.shifts', 'notes');
create trigger d_touch before update on public.shifts
  for each row execute function private.touch();
select private.keep_history_of('public.shifts');
create trigger c_in_use before delete on public.sites for each row
  execute function private.refuse_while_used('shifts', 'site_id',
    'This site still has shifts, so it can''t be deleted.');

alter table public.shifts enable row level security;
revoke all on public.shifts from anon, authenticated;
grant select, insert, update, delete on public.shifts to authenticated;

create policy "Planners and HR read every shift" on public.shifts
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr')));
create policy "Supervisors read shifts at their own sites" on public.shifts
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read the shifts they are assigned to" on public.shifts
  for select to authenticated using (id in (select private.assigned_shifts()));
create policy "Planners add shifts" on public.shifts
  for insert to authenticated
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors add shifts at their own sites" on public.shifts
  for insert to authenticated with check (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Planners change shifts" on public.shifts
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')))
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors change shifts at their own sites" on public.shifts
  for update to authenticated
  using (site_id = any ((select private.supervised_sites())::uuid[]))
  with check (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Admins and operations managers delete shifts" on public.shifts
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

alter publication supabase_realtime add table public.shifts;
alter table public.shifts replica identity full;

create table public.assignments (
  id uuid primary key default gen_random_uuid(),
  shift_id uuid not null references public.shifts (id) on delete cascade,
  user_id uuid not null references public.profiles (id),
  status text not null default 'assigned'
    check (status in ('assigned', 'confirmed', 'completed', 'no_show', 'cancelled')),
  role_at_shift text default 'Guard' check (char_length(role_at_shift) <= 100),
  site_id uuid not null,
  period tstzrange not null,
  starts_at timestamptz generated always as (lower(period)) stored,
  attendance_state text not null default 'none' check (attendance_state in ('none', 'in', 'out')),
  -- Planners can't read leave requests, and a live list follows only its own tables, so the assignment stores it.
  on_leave boolean not null default false,
  counts_as_staffed boolean not null
    generated always as (status in ('assigned', 'confirmed', 'completed') and not on_leave) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint assignments_do_not_overlap
    exclude using gist (user_id with =, period with &&) where (status <> 'cancelled')
);
comment on column public.assignments.site_id is 'Derived: the site of the shift, so that policies need no join';
comment on column public.assignments.period is 'Derived: the time of the shift, so that overlaps can be excluded';
comment on column public.assignments.starts_at is
  'Derived: when the shift starts, so that lists and counts need no join';
comment on column public.assignments.attendance_state is 'Derived: whether the guard has clocked in (in) or out (out)';
comment on column public.assignments.on_leave is
  'Derived: the guard has approved leave on a day that the shift touches';
comment on column public.assignments.counts_as_staffed is
  'Derived: whether the guard counts towards the headcount of the shift';

create index assignments_shift_id_idx on public.assignments (shift_id);
create index assignments_user_id_idx on public.assignments (user_id, starts_at);
create index assignments_site_id_idx on public.assignments (site_id, starts_at);
create index assignments_starts_at_idx on public.assignments (starts_at);
-- Finds attendance issues without reading years of completed shifts.
create index assignments_unattended_idx on public.assignments (starts_at)
  where attendance_state <> 'out' and status <> 'cancelled';
-- The replica identity below.
create unique index assignments_old_rows_idx on public.assignments (id, site_id, user_id);

select private.tidy_texts_of('public.assignments', 'role_at_shift');
create trigger d_touch before update on public.assignments
  for each row execute function private.touch();
select private.keep_history_of('public.assignments');
create trigger c_has_history before delete on public.profiles for each row
  execute function private.refuse_while_used('assignments', 'user_id',
    'This person has worked shifts, so the account can''t be deleted. Remove its roles, or disable it.');

alter table public.assignments enable row level security;
revoke all on public.assignments from anon, authenticated;
grant select, insert, delete on public.assignments to authenticated;
grant update (shift_id, user_id, status, role_at_shift) on public.assignments to authenticated;

create policy "Planners and HR read every assignment" on public.assignments
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr')));
create policy "Supervisors read assignments at their own sites" on public.assignments
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read their own assignments" on public.assignments
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Planners assign guards" on public.assignments
  for insert to authenticated
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors assign guards at their own sites" on public.assignments
  for insert to authenticated with check (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Planners change assignments" on public.assignments
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')))
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors change assignments at their own sites" on public.assignments
  for update to authenticated
  using (site_id = any ((select private.supervised_sites())::uuid[]))
  with check (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Planners unassign guards" on public.assignments
  for delete to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors unassign guards at their own sites" on public.assignments
  for delete to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));

alter publication supabase_realtime add table public.assignments;
-- Not the whole row: PostgreSQL 18 refuses updates if the row has a generated column that is not published.
alter table public.assignments replica identity using index assignments_old_rows_idx;

-- Derives site, period and leave, and refuses overlaps. Definer, because planners can't read every table that it reads.
-- It runs before the policies, so it reveals nothing to callers who may not plan this site; the policy refuses them.
create function private.check_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts;
  other tstzrange;
  zone text;
begin
  -- The lock keeps the shift's times unchanged until this assignment is inserted.
  select * into shift from public.shifts s where s.id = new.shift_id for share;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  new.site_id := shift.site_id;
  new.period := tstzrange(shift.start_time, shift.end_time);
  -- A load without a caller sets it itself, which saves an update per attendance record.
  if tg_op = 'INSERT' and auth.role() is not null then
    new.attendance_state := 'none';
  end if;
  if tg_op = 'UPDATE' and old.attendance_state <> 'none'
    and (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id)
  then
    raise exception 'The guard has already clocked in, so this assignment can''t be given to someone else.'
      using errcode = 'PT409';
  end if;
  -- Two planners take turns here, so that the second gets the reason and not the name of a constraint. A decision
  -- about the guard's leave takes the same lock, so that neither misses the other.
  if new.status <> 'cancelled' and (auth.uid() is null or private.may_plan(shift.site_id)) then
    perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 0));
    select a.period into other from public.assignments a
    where a.user_id = new.user_id and a.id <> new.id and a.status <> 'cancelled' and a.period && new.period
    limit 1;
    if found then
      select s.timezone into zone from public.sites s where s.id = shift.site_id;
      raise exception '% is already on an overlapping shift, % to %.',
        coalesce((select nullif(p.full_name, '') from public.profiles p where p.id = new.user_id), 'This guard'),
        private.time_text(lower(other), zone), private.time_text(upper(other), zone)
        using errcode = 'exclusion_violation';
    end if;
  end if;
  new.on_leave := private.is_on_leave(new.user_id, new.period);
  return new;
end
$$;

create trigger c_rules before insert on public.assignments
  for each row execute function private.check_assignment();
create trigger c_rules_of_changes before update on public.assignments
  for each row when (
    (old.shift_id, old.user_id, old.status, old.site_id, old.period)
    is distinct from (new.shift_id, new.user_id, new.status, new.site_id, new.period)
  )
  execute function private.check_assignment();

-- A shift that moves takes its assignments along, and can't move if that would create an overlap.
create function private.move_assignments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.assignments a
  set site_id = new.site_id, period = tstzrange(new.start_time, new.end_time)
  where a.shift_id = new.id;
  return null;
end
$$;

create trigger assignments_follow after update on public.shifts
  for each row when (
    (old.site_id, old.start_time, old.end_time) is distinct from (new.site_id, new.start_time, new.end_time)
  )
  execute function private.move_assignments();

-- Approved leave that begins, ends, moves or is removed updates the guard's assignments of those days.
create function private.follow_leave() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
begin
  -- In order of id, so that two callers never deadlock.
  for person in
    select distinct p.id from unnest(array[old.user_id, new.user_id]) p (id) where p.id is not null order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended(person::text, 0));
    update public.assignments a set on_leave = not a.on_leave
    where a.user_id = person and a.on_leave <> private.is_on_leave(a.user_id, a.period);
  end loop;
  return null;
end
$$;

create trigger assignments_follow_new_leave after insert on public.leave_requests
  for each row when (new.status = 'approved') execute function private.follow_leave();
create trigger assignments_follow_leave after update on public.leave_requests
  for each row when (
    (old.status = 'approved' or new.status = 'approved')
    and (old.status, old.user_id, old.start_date, old.end_date)
      is distinct from (new.status, new.user_id, new.start_date, new.end_date)
  )
  execute function private.follow_leave();
create trigger assignments_follow_removed_leave after delete on public.leave_requests
  for each row when (old.status = 'approved') execute function private.follow_leave();

-- Days begin at another time when the company's zone changes.
create function private.follow_time_zone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.assignments a set on_leave = not a.on_leave
  where a.user_id in (select l.user_id from public.leave_requests l where l.status = 'approved')
    and a.on_leave <> private.is_on_leave(a.user_id, a.period);
  return null;
end
$$;

create trigger leave_follows_time_zone after update on private.settings
  for each row when (old.time_zone <> new.time_zone) execute function private.follow_time_zone();

revoke all on all functions in schema private from public;
