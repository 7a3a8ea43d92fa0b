-- Shifts and assignments: who works when, and what refuses it.

-- ── Tables ────────────────────────────────────────────────────────────

-- Shifts at a site and who works them. A guard never has overlapping assignments, even if planners write at once.
create table public.shifts (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites,
  start_time timestamptz not null,
  end_time timestamptz not null,
  required_headcount integer not null default 1 check (required_headcount between 1 and 1000),
  notes text check (char_length(notes) <= 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  post_id uuid references public.posts on delete set null,
  requirement_id uuid references public.post_requirements on delete set null,
  slot integer check (slot > 0),
  is_manual boolean not null default true,
  constraint shifts_end_after_start check (end_time > start_time)
);
comment on column public.shifts.slot is 'The slot of the requirement that the shift was made from';
comment on column public.shifts.is_manual is 'Made by hand, or changed by hand since: no change of a requirement '
  'touches it';
create index shifts_start_time_idx on public.shifts (start_time);
create index shifts_site_id_idx on public.shifts (site_id, start_time);
create index shifts_post_id_idx on public.shifts (post_id, start_time);
create unique index shifts_one_per_slot_and_start on public.shifts (requirement_id, slot, start_time)
  where requirement_id is not null;
-- Finds shifts over 24 hours, of which there are few; the others begin at most a day before the window.
create index shifts_long_idx on public.shifts (end_time) where end_time - start_time > interval '24 hours';
create index shifts_upcoming_idx on public.shifts (end_time) include (start_time, id, site_id, required_headcount);
create index shifts_manual_idx on public.shifts (start_time) where is_manual;
alter table public.shifts replica identity full;
alter publication supabase_realtime add table public.shifts;
-- When a row is written, in this order:
--   1 a_tidy_text
--   2 b_by_hand              a shift that is moved by hand leaves its slot of the demand, which stays empty
--   3 b_is_manual            a client of the release before sends no is_manual
--   4 c_post*                the post is at the site
--   5 c_skipped              the slot of a deleted shift stays empty
--   6 d_touch
--   7 notify_of_removal      its guards learn that a coming shift is cancelled
--   8 offers_are_lost        guards who were asked learn that the shift is cancelled
--   9 assignments_follow     seats and drafts move with the shift, or refuse the move
--  10 guards_fit_post        a new post is checked against its guards
--  11 notify_of_move         its guards learn the new time or site
--  12 offers_close           a smaller shift closes its offers
--  13 offers_follow          offers and calls belong to the new site
--  14 welfare_checks_follow  open welfare checks belong to the new site
--  15 z_recheck*             unbilled hours of the site are summed again
--  16 alerts_follow_*        alerts of the shift open or close
--  17 history_of_*           activity log
select private.tidy_texts_of('public.shifts', 'notes');
create trigger b_by_hand before update on public.shifts
  for each row when ( old.post_id is not null
      and (old.site_id, old.start_time, old.end_time, old.required_headcount) is distinct
      from (new.site_id, new.start_time, new.end_time, new.required_headcount) )
  execute function private.mark_shift_manual();
create trigger b_is_manual before insert on public.shifts
  for each row when (new.is_manual is null) execute function private.default_is_manual();
create trigger c_post before insert on public.shifts
  for each row when (new.post_id is not null) execute function private.check_shift_post();
create trigger c_post_of_changes before update on public.shifts
  for each row when ( new.post_id is not null and (old.post_id, old.site_id) is distinct
      from (new.post_id, new.site_id) )
  execute function private.check_shift_post();
create trigger c_skipped before delete on public.shifts
  for each row when (old.requirement_id is not null and old.slot is not null)
  execute function private.skip_slot_of_deleted_shift();
create trigger d_touch before update on public.shifts for each row execute function private.touch();
create trigger notify_of_removal before delete on public.shifts
  for each row when (old.end_time > now()) execute function private.tell_of_changed_shift();
create trigger offers_are_lost before delete on public.shifts
  for each row execute function private.notify_of_lost_offers();
create trigger assignments_follow after update on public.shifts
  for each row when ( (old.site_id, old.start_time, old.end_time) is distinct
      from (new.site_id, new.start_time, new.end_time) )
  execute function private.move_assignments();
create trigger guards_fit_post after update on public.shifts
  for each row when ( new.post_id is not null and old.post_id is distinct
      from new.post_id and (old.site_id, old.start_time, old.end_time) is not distinct
      from (new.site_id, new.start_time, new.end_time) )
  execute function private.check_guards_of_post();
create trigger notify_of_move after update on public.shifts
  for each row when ( (old.site_id, old.start_time, old.end_time) is distinct
      from (new.site_id, new.start_time, new.end_time) and greatest(old.end_time, new.end_time) > now() )
  execute function private.tell_of_changed_shift();
create trigger offers_close after update on public.shifts
  for each row when (new.required_headcount < old.required_headcount)
  execute function private.close_offers_of_smaller_shift();
create trigger offers_follow after update on public.shifts
  for each row when (old.site_id <> new.site_id) execute function private.move_offers();
create trigger welfare_checks_follow after update on public.shifts
  for each row when (old.site_id <> new.site_id) execute function private.move_welfare_checks();
create trigger z_recheck after update of site_id, post_id on public.shifts
  for each row when (old.start_time < now() and (old.site_id, old.post_id) is distinct from (new.site_id, new.post_id))
  execute function private.recheck_shift();
create trigger z_recheck_deleted after delete on public.shifts
  for each row when (old.start_time < now()) execute function private.recheck_shift();
create trigger alerts_follow_lost_shifts after delete on public.shifts referencing old table as old_rows
  for each statement execute function private.settle_alerts_of_shifts();
create trigger alerts_follow_shifts after update on public.shifts referencing new table as new_rows
  for each statement execute function private.settle_alerts_of_shifts();
select private.keep_history_of('public.shifts');
alter table public.shifts enable row level security;
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

create table public.assignments (
  id uuid default gen_random_uuid() primary key,
  shift_id uuid not null references public.shifts on delete cascade,
  user_id uuid not null references public.profiles,
  status text not null default 'assigned'
    check (status in ('assigned', 'confirmed', 'completed', 'no_show', 'cancelled')),
  role_at_shift text default 'Guard' check (char_length(role_at_shift) <= 100),
  site_id uuid not null,
  period tstzrange not null,
  starts_at timestamptz generated always as (lower(period)) stored,
  attendance_state text not null default 'none' check (attendance_state in ('none', 'in', 'out')),
  -- Planners can't read leave requests, and a live list follows only its own tables, so the assignment stores it.
  on_leave boolean not null default false,
  counts_as_staffed boolean generated always as (((status in ('assigned', 'confirmed', 'completed'))
    and (not on_leave))) stored not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  override_reason text check (char_length(override_reason) <= 500),
  overridden_rules text[] not null default '{}',
  overridden_by uuid, -- No foreign key: a second one to profiles would make every embedding of the guard ambiguous.
  confirmed_at timestamptz,
  declined_at timestamptz,
  declined_reason text check (char_length(declined_reason) <= 500),
  joins_at timestamptz check (isfinite(joins_at)),
  no_show_reason text check (char_length(no_show_reason) <= 500),
  no_show_at timestamptz,
  no_show_by uuid,
  rest_span tstzrange,
  constraint assignments_do_not_overlap exclude using gist (user_id with =, period with &&)
    where (status <> 'cancelled'),
  constraint assignments_leave_rest exclude using gist (user_id with =, rest_span with &&)
    where (status <> 'cancelled'),
  constraint assignments_no_show_has_status check (status = 'no_show' or no_show_reason is null and no_show_at is null
    and no_show_by is null),
  constraint assignments_rest_contains_period check (rest_span @> period)
);
comment on column public.assignments.site_id is 'Derived: the site of the shift, so that policies need no join';
comment on column public.assignments.period
  is 'Derived: the time of the shift, from joins_at on, so that overlaps can be excluded';
comment on column public.assignments.starts_at
  is 'Derived: when the guard starts: with the shift, or later, when a replacement joins';
comment on column public.assignments.attendance_state is 'Derived: whether the guard has clocked in (in) or out (out)';
comment on column public.assignments.on_leave
  is 'Derived: the guard has approved leave on a day that the shift touches';
comment on column public.assignments.counts_as_staffed
  is 'Derived: whether the guard counts towards the headcount of the shift';
comment on column public.assignments.overridden_rules is 'Derived: the rules that were broken on purpose';
comment on column public.assignments.overridden_by is 'Derived: who broke them';
comment on column public.assignments.joins_at
  is 'When a guard who replaces another can be there; null or outside the shift: at its start';
comment on column public.assignments.no_show_at is 'Derived: when the guard was marked as a no-show';
comment on column public.assignments.no_show_by is 'Derived: who marked it';
comment on column public.assignments.rest_span
  is 'Derived: the period and half of the rest on each side, less where an override lets the neighbour come nearer';
create index assignments_shift_id_idx on public.assignments (shift_id);
create index assignments_user_id_idx on public.assignments (user_id, starts_at);
create index assignments_site_id_idx on public.assignments (site_id, starts_at);
create index assignments_starts_at_idx on public.assignments (starts_at);
-- Finds attendance issues without reading years of completed shifts.
create index assignments_unattended_idx on public.assignments (starts_at)
  where attendance_state <> 'out' and status <> 'cancelled';
-- The replica identity below.
create unique index assignments_old_rows_idx on public.assignments (id, site_id, user_id);
create index assignments_to_come_idx on public.assignments (starts_at)
  include (user_id, period) where status in ('assigned', 'confirmed');
create index assignments_staffing_idx on public.assignments (starts_at)
  include (site_id, shift_id) where counts_as_staffed;
create index assignments_joining_idx on public.assignments (starts_at) where joins_at is not null;
alter table public.assignments replica identity using index assignments_old_rows_idx;
alter publication supabase_realtime add table public.assignments;
-- When a row is written, in this order:
--   1 y_locked_truncate   nothing of a locked timesheet can be emptied
--   2 a_tidy_text
--   3 b_no_show*          stamps a no-show, and clears it when the guard comes after all
--   4 c_has_attendance    a seat with a clock-in is not deleted
--   5 c_rules*            derives site, period, leave and rest; refuses what the rules forbid
--   6 d_touch
--   7 y_locked*           refuses what changes a locked timesheet; after c_rules, which derives the days
--   8 attendance_follows  a shift that moves changes how late and how far away its clock events were
--   9 offers_lapse        a cancelled seat ends the offers that came of it
--  10 alerts_follow_*     alerts of the seat open or close; also after a clock event, through attendance_state
--  11 drafts_settle_*     a drafted change that has happened is none any more
--  12 history_of_*        activity log
--  13 offers_close*       a full shift closes its offers
--  14 refuse_contacts_*   a client's contact never gets a shift
--  15 seats_empty*        notes published seats that lost their guards, for one notice about all of the transaction
--  16 time_follows_*      hours of these days are computed again
create trigger y_locked_truncate before truncate on public.assignments
  for each statement execute function private.refuse_truncate_while_locked();
select private.tidy_texts_of('public.assignments',
  'role_at_shift', 'override_reason', 'declined_reason', 'no_show_reason');
create trigger b_no_show before insert on public.assignments
  for each row when ( new.status = 'no_show' or num_nonnulls(new.no_show_reason, new.no_show_at, new.no_show_by) > 0 )
  execute function private.keep_no_show();
create trigger b_no_show_of_changes before update on public.assignments
  for each row when ('no_show' in (old.status, new.status)) execute function private.keep_no_show();
create trigger c_has_attendance before delete on public.assignments
  for each row
  execute function private.refuse_while_used('attendance', 'assignment_id',
    'A guard has clocked in on this shift, so it can''t be deleted or unassigned.');
create trigger c_rules before insert on public.assignments for each row execute function private.check_assignment();
create trigger c_rules_of_changes before update on public.assignments
  for each row when ( (old.shift_id, old.user_id, old.status, old.site_id, old.period, old.override_reason) is distinct
      from (new.shift_id, new.user_id, new.status, new.site_id, new.period, new.override_reason) )
  execute function private.check_assignment();
create trigger d_touch before update on public.assignments for each row execute function private.touch();
create trigger y_locked before insert on public.assignments
  for each row when (new.status <> 'cancelled') execute function private.keep_locked_assignment();
create trigger y_locked_changes before update on public.assignments
  for each row when (old.status <> 'cancelled' or new.status <> 'cancelled')
  execute function private.keep_locked_assignment();
create trigger y_locked_removals before delete on public.assignments
  for each row when (old.status <> 'cancelled') execute function private.keep_locked_assignment();
create trigger attendance_follows after update on public.assignments
  for each row when (old.period <> new.period or old.site_id <> new.site_id)
  execute function private.recompute_attendance();
create trigger offers_lapse after update on public.assignments
  for each row when (new.status = 'cancelled' and old.status <> 'cancelled')
  execute function private.lapse_offers_of_assignment();
create trigger alerts_follow_assignments after update on public.assignments referencing new table as new_rows
  for each statement execute function private.settle_alerts_of_assignments();
create trigger alerts_follow_lost_assignments after delete on public.assignments referencing old table as old_rows
  for each statement execute function private.settle_alerts_of_assignments();
create trigger alerts_follow_new_assignments after insert on public.assignments referencing new table as new_rows
  for each statement execute function private.settle_alerts_of_assignments();
create trigger drafts_settle_on_delete after delete on public.assignments referencing old table as old_rows
  for each statement execute function private.settle_drafts();
create trigger drafts_settle_on_insert after insert on public.assignments referencing new table as new_rows
  for each statement execute function private.settle_drafts();
create trigger drafts_settle_on_update after update on public.assignments referencing new table as new_rows
  for each statement execute function private.settle_drafts();
select private.keep_history_of('public.assignments');
create trigger offers_close after insert on public.assignments referencing new table as new_rows
  for each statement execute function private.close_offers_of_staffed_shifts();
create trigger offers_close_of_changes after update on public.assignments referencing new table as new_rows
  for each statement execute function private.close_offers_of_staffed_shifts();
create trigger refuse_contacts_on_insert after insert on public.assignments referencing new table as new_rows
  for each statement execute function private.refuse_contacts();
create trigger refuse_contacts_on_update after update on public.assignments referencing new table as new_rows
  for each statement execute function private.refuse_contacts();
create trigger seats_empty after update on public.assignments
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.note_empty_seats();
create trigger seats_empty_of_removals after delete on public.assignments referencing old table as old_rows
  for each statement execute function private.note_removed_seats();
create trigger time_follows_deletes after delete on public.assignments referencing old table as old_rows
  for each statement
  execute function private.follow_fact('id, shift_id, user_id, site_id, period, on_leave, overridden_rules,
    status = ''no_show'' as absent, no_show_reason, status = ''cancelled'' as is_off', 'case when not r.is_off
      then r.user_id end, lower(private.days_of(r.period)), upper(private.days_of(r.period)) - 1');
create trigger time_follows_inserts after insert on public.assignments referencing new table as new_rows
  for each statement
  execute function private.follow_fact('id, shift_id, user_id, site_id, period, on_leave, overridden_rules,
    status = ''no_show'' as absent, no_show_reason, status = ''cancelled'' as is_off', 'case when not r.is_off
      then r.user_id end, lower(private.days_of(r.period)), upper(private.days_of(r.period)) - 1');
create trigger time_follows_updates after update on public.assignments
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.follow_assignment_fact();
alter table public.assignments enable row level security;
grant
  select, insert, delete, update (shift_id, user_id, status, role_at_shift, override_reason)
  on public.assignments to authenticated;
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
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors unassign guards at their own sites" on public.assignments
  for delete to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));

-- What guards say about a shift before they are on it: that they will be late, or that they can't come. It opens no
-- seat. is_open says whether it still counts.
create table public.duty_notices (
  id uuid default gen_random_uuid() primary key, -- Made on the phone, so that a repeat is the same notice.
  assignment_id uuid references public.assignments on delete set null, -- Set null: it outlives the assignment.
  shift_id uuid references public.shifts on delete set null,
  user_id uuid not null references public.profiles on delete cascade,
  site_id uuid not null references public.sites on delete cascade,
  kind text not null check (kind in ('running_late', 'cant_come')),
  minutes integer check (minutes between 1 and 240),
  reason text check (char_length(reason) between 1 and 300), -- Null when its time to be kept is over.
  starts_at timestamptz not null,
  device_at timestamptz not null check (isfinite(device_at)),
  said_at timestamptz not null,
  received_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint duty_notices_minutes_of_late check ((kind = 'running_late') = (minutes is not null))
);
comment on column public.duty_notices.site_id is 'Derived: the site of the shift, so that policies need no join';
comment on column public.duty_notices.minutes is 'How late, after starts_at';
comment on column public.duty_notices.starts_at
  is 'When the guard was expected; it no longer counts for a shift that has moved since';
comment on column public.duty_notices.device_at is 'By the clock of the phone, as it was';
comment on column public.duty_notices.said_at is 'device_at by the clock of the server, never after received_at';
comment on column public.duty_notices.ended_at is 'When the guard took it back, or replaced it by a newer one';
create unique index duty_notices_one_per_assignment on public.duty_notices (assignment_id) where ended_at is null;
create index duty_notices_assignment_id_idx on public.duty_notices (assignment_id);
create index duty_notices_shift_id_idx on public.duty_notices (shift_id);
create index duty_notices_user_id_idx on public.duty_notices (user_id);
create index duty_notices_site_id_idx on public.duty_notices (site_id);
-- Alerts look for those of the shifts around now.
create index duty_notices_starts_at_idx on public.duty_notices (starts_at) where ended_at is null;
create index duty_notices_to_blank_idx on public.duty_notices (received_at) where reason is not null;
alter table public.duty_notices replica identity full;
alter publication supabase_realtime add table public.duty_notices;
select private.keep_history_of('public.duty_notices');
alter table public.duty_notices enable row level security;
grant select on public.duty_notices to authenticated;
create policy "Planners and HR read what every guard says about a shift" on public.duty_notices
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr')));
create policy "Supervisors read what guards say about their own sites" on public.duty_notices
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read what they said about their own shifts" on public.duty_notices
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- ── Functions ─────────────────────────────────────────────────────────

-- When a guard is expected at post: at the start, or when they were assigned, if that was later. No fixed search path,
-- so that the planner can inline it.
create function private.expected_at(starts_at timestamptz, assigned_at timestamptz) returns timestamptz
language sql immutable return greatest(starts_at, assigned_at);
grant execute on function private.expected_at to authenticated, service_role;

-- A restored shift has the columns that its sender knows: a client of before sends no is_manual.
create function private.default_is_manual() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.is_manual := true;
  return new;
end
$$;

create function private.derive_shift_site() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select s.site_id into new.site_id from public.shifts s where s.id = new.shift_id for share;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  if tg_table_name = 'roster_changes' then
    select tstzrange(s.start_time, s.end_time) into new.period from public.shifts s where s.id = new.shift_id;
  end if;
  return new;
end
$$;

-- Where and when a shift is, as notices name it.
create function private.shift_text(p_shift uuid) returns text
language sql stable security definer set search_path = '' as $$
  select format('%s, %s', t.name, private.time_text(s.start_time, t.timezone))
  from public.shifts s join public.sites t on t.id = s.site_id where s.id = p_shift;
$$;

-- Stamps and clears the facts of a no-show. A guard who clocks in after all is no no-show, and the planners get a
-- notice.
-- Any other change back is refused once the seat has been given to somebody else. A planner who undoes a deletion gets
-- back when and by whom; no other caller can sign for somebody else.
create function private.keep_no_show() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  seats integer;
  staffed integer;
  successors text;
begin
  if tg_op = 'UPDATE' and old.status = 'no_show' and old.attendance_state = 'none' and new.attendance_state <> 'none'
  then
    new.status := case new.attendance_state when 'out' then 'completed' else 'confirmed' end;
    select s.required_headcount into seats from public.shifts s where s.id = new.shift_id;
    select count(*) into staffed from public.assignments a
    where a.shift_id = new.shift_id and a.id <> new.id and a.counts_as_staffed;
    perform private.notify_planners(new.site_id, 'came_after_all',
      format('%s has come after all', private.name_of_person(new.user_id)),
      concat_ws('. ', private.shift_text(new.shift_id), 'The no-show is cleared',
        case when staffed >= seats and not new.on_leave then 'The shift now has a guard too many' end),
      '/admin/shifts?open=' || new.shift_id, 'came:' || new.id);
  elsif tg_op = 'UPDATE' and old.status = 'no_show' and new.shift_id = old.shift_id and not new.on_leave
    and new.status in ('assigned', 'confirmed', 'completed')
  then
    select s.required_headcount into seats from public.shifts s where s.id = new.shift_id;
    select count(*), string_agg(private.name_of_person(a.user_id), ', ' order by a.created_at, a.id)
      filter (where a.created_at >= old.no_show_at)
    into staffed, successors
    from public.assignments a where a.shift_id = new.shift_id and a.id <> new.id and a.counts_as_staffed;
    if staffed >= seats and successors is not null then
      raise exception '% has this post now. Unassign them first, or raise the number of guards.', successors
        using errcode = 'PT409';
    end if;
  end if;
  if new.status <> 'no_show' then
    new.no_show_reason := null;
    new.no_show_at := null;
    new.no_show_by := null;
  elsif tg_op = 'INSERT' or old.status <> 'no_show' then
    if tg_op = 'UPDATE' or auth.uid() is not null and not exists (
      select from (
        select h.actor_id, h.old_values from public.audit_log h
        where h.table_name = 'assignments' and h.row_id = new.id and h.action = 'delete'
        order by h.at desc, h.id desc limit 1
      ) l
      cross join jsonb_populate_record(null::public.assignments, l.old_values) deleted
      where l.actor_id = auth.uid()
        and (deleted.user_id, deleted.shift_id, deleted.no_show_reason, deleted.no_show_at, deleted.no_show_by)
          is not distinct from (new.user_id, new.shift_id, new.no_show_reason, new.no_show_at, new.no_show_by)
    ) then
      new.no_show_at := now();
      new.no_show_by := auth.uid();
    end if;
    new.no_show_at := coalesce(new.no_show_at, now());
  end if;
  return new;
end
$$;

-- A shift that moves takes its assignments and the draft of the roster along, and can't move if that would create an
-- overlap.
create function private.move_assignments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.assignments a
  set site_id = new.site_id, period = tstzrange(new.start_time, new.end_time) where a.shift_id = new.id;
  update public.roster_changes c set site_id = new.site_id, period = tstzrange(new.start_time, new.end_time)
  where c.shift_id = new.id;
  update public.roster_pins p set site_id = new.site_id where p.shift_id = new.id and p.site_id <> new.site_id;
  return null;
end
$$;

create function private.recheck_shift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.recheck_timesheets_of_site(array[old.site_id], old.start_time, old.end_time);
  if tg_op = 'UPDATE' then
    perform private.recheck_timesheets_of_site(array[new.site_id], new.start_time, new.end_time);
  end if;
  return null;
end
$$;

-- Queues a notice, or adds lines to the one of this transaction. Callers get none of what they do themselves, and
-- rows that are loaded without a caller send none.
create function private.tell_of_shifts(p_person uuid, p_change text, p_lines text[]) returns void
language sql set search_path = '' as $$
  insert into public.notices as n (user_id, kind, title, body, link, dedupe_key)
  select p_person, 'roster',
    case p_change when 'assigned' then 'New shift' when 'moved' then 'Shift moved' else 'Shift removed' end,
    left(array_to_string(p_lines, e'\n'), 2000), '/staff/shifts',
    format('%s %s %s', p_change, p_person, pg_current_xact_id())
  where auth.role() is not null and p_person is distinct from auth.uid()
  on conflict (dedupe_key) do update set body = left(n.body || e'\n' || excluded.body, 2000);
$$;

-- By the clock of the site: "Freeport Gate, Tue, Jan 2, 6:00 PM to 6:00 AM".
create function private.duty_text(p_site uuid, p_start timestamptz, p_end timestamptz) returns text
language sql stable security definer set search_path = '' as $$
  select format('%s, %s to %s', s.name, to_char(p_start at time zone s.timezone, 'Dy, Mon FMDD, FMHH12:MI AM'),
    to_char(p_end at time zone s.timezone, 'FMHH12:MI AM'))
  from public.sites s where s.id = p_site;
$$;

-- Definer, because planners write no notices.
create function private.tell_of_changed_shift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A change of the post sends its own notices.
  if private.expansion_state() = 'on' then
    return old;
  end if;
  perform private.tell_of_shifts(a.user_id, case tg_op when 'UPDATE' then 'moved' else 'removed' end, array[
    concat_ws(', before: ',
      case tg_op when 'UPDATE' then private.duty_text(new.site_id, new.start_time, new.end_time) end,
      private.duty_text(old.site_id, old.start_time, old.end_time))
  ])
  from public.assignments a where a.shift_id = old.id and a.status in ('assigned', 'confirmed') order by a.user_id;
  return old;
end
$$;

-- Confirms, declines or (undo) withdraws the confirmation of an own assignment. Safe to repeat: an event id counts
-- once. Declining opens the seat again, so it can't be undone. Returns the status of the assignment.
-- Definer, because guards can't change assignments.
create function public.answer_assignment(
  p_assignment_id uuid, p_answer text, p_reason text default null, p_event_id uuid default gen_random_uuid()
) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  reason text := left(nullif(btrim(p_reason), ''), 500);
  known private.assignment_answers;
  mine public.assignments;
begin
  perform private.require_member();
  if p_assignment_id is null or p_event_id is null or p_answer is null
    or p_answer not in ('confirm', 'decline', 'undo')
  then
    raise exception 'An answer is confirm, decline or undo.' using errcode = 'invalid_parameter_value';
  end if;
  if p_answer = 'decline' and reason is null then
    raise exception 'Give a reason, so that your supervisor can find another guard.' using errcode = 'check_violation';
  end if;
  -- Shift before person: the order in which an assignment is written.
  perform from public.shifts s
  where s.id = (select a.shift_id from public.assignments a where a.id = p_assignment_id and a.user_id = me) for share;
  perform pg_advisory_xact_lock(hashtextextended(me::text, 0));
  select * into mine from public.assignments a where a.id = p_assignment_id and a.user_id = me;
  select * into known from private.assignment_answers w where w.event_id = p_event_id;
  if found then
    if (known.user_id, known.assignment_id, known.answer) is distinct from (me, p_assignment_id, p_answer) then
      raise exception 'This id belongs to another answer.' using errcode = 'unique_violation';
    end if;
    return coalesce(mine.status, 'cancelled');
  end if;
  if mine.id is null then
    raise exception 'This shift is no longer yours.' using errcode = 'PT404';
  end if;
  insert into private.assignment_answers (event_id, assignment_id, user_id, answer)
  values (p_event_id, p_assignment_id, me, p_answer);

  if mine.starts_at <= now() or mine.attendance_state <> 'none' or mine.status in ('completed', 'no_show') then
    if p_answer = 'confirm' then
      -- Sent late by a phone without a signal; clocking in has answered it.
      return mine.status;
    end if;
    raise exception 'This shift has already started. Call the control room.' using errcode = 'PT409';
  end if;
  if mine.status = 'cancelled' then
    if p_answer = 'decline' then
      return mine.status;
    end if;
    raise exception 'This shift has been cancelled.' using errcode = 'PT409';
  end if;

  if p_answer = 'confirm' then
    update public.assignments a set status = 'confirmed', confirmed_at = coalesce(a.confirmed_at, now())
    where a.id = mine.id;
    return 'confirmed';
  elsif p_answer = 'undo' then
    update public.assignments a set status = 'assigned', confirmed_at = null where a.id = mine.id;
    return 'assigned';
  end if;
  update public.assignments a
  set status = 'cancelled', declined_at = now(), declined_reason = reason, confirmed_at = null where a.id = mine.id;
  perform private.notify(f.user_id, 'declined', format('%s declined a shift', private.name_of_person(me)),
    format('%s. Reason: %s', private.shift_text(mine.shift_id), reason),
    '/admin/shifts?open=' || mine.shift_id || '&tab=replacement', 'declined:' || p_event_id || ':' || f.user_id)
  from (select p.user_id from private.fillers_of(array[mine.site_id]) p order by 1) f;
  return 'cancelled';
end
$$;
grant execute on function public.answer_assignment to authenticated;

-- How long before the start a guard can say that they will be late or can't come. Earlier they decline.
create function private.duty_notice_lead() returns interval
language sql immutable set search_path = '' return interval '24 hours';
grant execute on function private.duty_notice_lead to authenticated;

-- Whether a notice still counts: not taken back, the guard still holds the seat, at the time that they spoke of, and
-- has not come, and the shift is not over. A computed column of duty_notices.
create function public.is_open(notice public.duty_notices) returns boolean
language sql stable set search_path = ''
return notice.ended_at is null and exists (
  select from public.assignments a
  where a.id = notice.assignment_id and a.user_id = notice.user_id and a.shift_id = notice.shift_id
    and a.starts_at = notice.starts_at and a.status in ('assigned', 'confirmed') and a.counts_as_staffed
    and a.attendance_state = 'none' and upper(a.period) > now()
);
grant execute on function public.is_open(public.duty_notices) to authenticated, service_role;

-- In words for the office: "says: 20 min late, bus broke down", "can't come: ill". A computed column of duty_notices.
create function public.said(notice public.duty_notices) returns text
language sql immutable set search_path = ''
return case notice.kind
  when 'running_late' then concat_ws(', ', format('says: %s min late', notice.minutes), notice.reason)
  else concat_ws(': ', 'can''t come', notice.reason) end;
grant execute on function public.said(public.duty_notices) to authenticated, service_role;
comment on function public.said(public.duty_notices) is 'Never null';

-- Stores what a guard says about an own shift, and ends what they said before. Safe to repeat: an id is stored once.
-- One that arrives late from a phone without a signal is stored whatever the time, and counts by the time of the
-- server. Returns whether it counts. Definer, like withdraw_duty_notice: nobody writes notices directly.
create function public.report_duty_notice(
  p_id uuid, p_assignment_id uuid, p_kind text, p_reason text, p_device_at timestamptz, p_minutes integer default null,
  p_server_offset_ms bigint default null
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  mine public.assignments;
  known public.duty_notices;
  reason text := nullif(btrim(p_reason), '');
  said timestamptz := p_device_at + make_interval(secs => coalesce(p_server_offset_ms, 0) / 1000.0);
begin
  if not private.is_member() then
    -- 401, so that the phone keeps the notice until the user has signed in fully.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  if p_id is null or p_assignment_id is null or p_device_at is null or not isfinite(p_device_at)
    or p_kind is null or p_kind not in ('running_late', 'cant_come')
    or (p_kind = 'running_late') is distinct from (p_minutes is not null)
  then
    raise exception 'Say that you are running late, and by how many minutes, or that you can''t come.'
      using errcode = 'invalid_parameter_value';
  end if;
  if p_minutes not between 1 and 240 then
    raise exception 'Enter 1 to 240 minutes.' using errcode = 'check_violation';
  end if;
  if reason is null or char_length(reason) > 300 then
    raise exception 'Give a reason of at most 300 characters.' using errcode = 'check_violation';
  end if;
  select * into mine from public.assignments a where a.id = p_assignment_id and a.user_id = me;
  perform private.lock_shifts_and_people(array_remove(array[mine.shift_id], null), array[me]);
  select * into known from public.duty_notices n where n.id = p_id;
  if found then
    if known.user_id <> me then
      raise exception 'This id belongs to another notice.' using errcode = 'unique_violation';
    end if;
    return public.is_open(known);
  end if;
  select * into mine from public.assignments a where a.id = p_assignment_id and a.user_id = me;
  if not found or mine.status = 'cancelled' then
    raise exception 'This shift is no longer yours.' using errcode = 'PT404';
  end if;
  if mine.starts_at > now() + private.duty_notice_lead() then
    raise exception 'This shift begins in more than 24 hours. Decline it, and another guard is found.'
      using errcode = 'PT409';
  end if;
  update public.duty_notices n set ended_at = now() where n.assignment_id = mine.id and n.ended_at is null;
  insert into public.duty_notices (id, assignment_id, shift_id, user_id, site_id, kind, minutes, reason, starts_at,
    device_at, said_at)
  values (p_id, mine.id, mine.shift_id, me, mine.site_id, p_kind, p_minutes, reason, mine.starts_at, p_device_at,
    greatest(timestamptz '2000-01-01', least(now(), said)))
  returning * into known;
  perform private.settle_alerts(array[mine.shift_id]);
  perform private.close_offers(array[mine.shift_id]);
  return public.is_open(known);
end
$$;
grant execute on function public.report_duty_notice to authenticated;

-- "I can come after all", or "I'll be on time". Safe to repeat. Refused when another guard has the seat.
create function public.withdraw_duty_notice(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  notice public.duty_notices;
  mine public.assignments;
begin
  if not private.is_member() then
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  select * into notice from public.duty_notices n where n.id = p_id and n.user_id = me;
  perform private.lock_shifts_and_people(array_remove(array[notice.shift_id], null), array[me]);
  select * into notice from public.duty_notices n where n.id = p_id and n.user_id = me;
  if not found then
    raise exception 'There is nothing to take back: this notice was not accepted.' using errcode = 'PT404';
  end if;
  if notice.ended_at is not null then
    return;
  end if;
  select * into mine from public.assignments a where a.id = notice.assignment_id and a.user_id = me;
  if mine.id is null or mine.status = 'cancelled' then
    raise exception 'This shift is no longer yours: another guard has it, or it was cancelled.' using errcode = 'PT409';
  end if;
  update public.duty_notices n set ended_at = now() where n.id = notice.id;
  perform private.settle_alerts(array[notice.shift_id]);
  perform private.close_offers(array[notice.shift_id]);
end
$$;
grant execute on function public.withdraw_duty_notice to authenticated;

-- Tells guards of shifts to come that they were assigned to them ('assigned') or taken off them ('removed').
create function private.tell_guards_of(p_change text, p_shifts uuid[], p_users uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.tell_of_shifts(told.person, p_change, told.lines)
  from (
    select w.person, array_agg(private.duty_text(h.site_id, h.start_time, h.end_time) order by h.start_time) as lines
    from unnest(p_shifts, p_users) w (shift, person)
    join public.shifts h on h.id = w.shift and h.end_time > now()
    where private.may_plan(h.site_id)
    group by w.person
    -- In order, so that two planners never deadlock.
    order by w.person
  ) told;
end
$$;
grant execute on function private.tell_guards_of to authenticated, service_role;

-- Tells guards of a shift to come that they were assigned to it ('assigned') or taken off it ('removed'). Once an
-- assignment, and not the caller.
create function private.tell_guards(p_shift_id uuid, p_change text, p_ids uuid[], p_users uuid[]) returns void
language sql set search_path = '' as $$
  select private.tell_guards_of(p_change, array(select p_shift_id from unnest(p_users)), p_users);
$$;
grant execute on function private.tell_guards to authenticated, service_role;

-- Adds and removes guards of a shift, all or none. p_override_reason lets a caller who oversees the site add guards
-- against rules that can be overridden. Runs as the caller: the policies of assignments decide.
create function public.assign_guards(
  p_shift_id uuid, p_user_ids uuid[], p_remove_user_ids uuid[] default '{}', p_override_reason text default null
) returns setof public.assignments
language plpgsql set search_path = '' as $$
declare
  site uuid;
  missing uuid;
  ids uuid[];
  users uuid[];
begin
  select s.site_id into site from public.shifts s where s.id = p_shift_id;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  -- Checked here, because a delete that the policies forbid just finds no rows.
  if not private.may_plan(site) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if char_length(p_override_reason) > 500 then
    raise exception 'Reason must be at most 500 characters' using errcode = 'check_violation';
  end if;
  select wanted.id into missing from unnest(p_user_ids) wanted (id)
  where not exists (select from public.profiles p where p.id = wanted.id);
  if found then
    raise exception 'There is no account %.', missing using errcode = 'foreign_key_violation';
  end if;
  with gone as (
    delete from public.assignments a where a.shift_id = p_shift_id and a.user_id = any (p_remove_user_ids)
    returning a.id, a.user_id, a.status
  )
  select array_agg(g.id), array_agg(g.user_id) into ids, users from gone g where g.status <> 'cancelled';
  perform private.tell_guards(p_shift_id, 'removed', ids, users);
  with added as (
    -- In order of id, so that two planners never deadlock.
    insert into public.assignments (shift_id, user_id, override_reason)
    select p_shift_id, wanted.id, p_override_reason
    from (select distinct u.id from unnest(p_user_ids) u (id)) wanted
    where not exists (
      select from public.assignments a
      where a.shift_id = p_shift_id and a.user_id = wanted.id and a.status <> 'cancelled'
    )
    order by wanted.id
    returning id, user_id
  )
  select array_agg(n.id), array_agg(n.user_id) into ids, users from added n;
  perform private.tell_guards(p_shift_id, 'assigned', ids, users);
  return query select * from public.assignments a where a.shift_id = p_shift_id order by a.created_at, a.id;
end
$$;
grant execute on function public.assign_guards to authenticated;

-- Locks shifts, then people, each in order of id: the order in which assignments are written.
create function private.lock_shifts_and_people(p_shifts uuid[], p_people uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
begin
  perform from public.shifts s where s.id = any (p_shifts) order by s.id for no key update;
  for person in select distinct p.id from unnest(p_people) p (id) where p.id is not null order by 1 loop
    perform pg_advisory_xact_lock(hashtextextended(person::text, 0));
  end loop;
end
$$;

-- The assignment, locked with its shift and guard, for a caller who plans the site.
create function private.planned_assignment(p_assignment_id uuid) returns public.assignments
language plpgsql security definer set search_path = '' as $$
declare
  planned public.assignments;
begin
  perform private.require_member();
  select * into planned from public.assignments a where a.id = p_assignment_id;
  if not found then
    raise exception 'This guard is no longer on the shift.' using errcode = 'PT404';
  end if;
  if not private.may_plan(planned.site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  perform private.lock_shifts_and_people(array[planned.shift_id], array[planned.user_id]);
  select * into planned from public.assignments a where a.id = p_assignment_id;
  if not found then
    raise exception 'This guard is no longer on the shift.' using errcode = 'PT404';
  end if;
  return planned;
end
$$;

-- Notes that a guard did not come, which frees the seat. Repeating it changes the reason.
create function public.mark_no_show(p_assignment_id uuid, p_reason text) returns public.assignments
language plpgsql security definer set search_path = '' as $$
declare
  absent public.assignments := private.planned_assignment(p_assignment_id);
  reason text := nullif(btrim(p_reason), '');
begin
  if reason is null or char_length(reason) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  if absent.attendance_state <> 'none' then
    raise exception 'The guard has already clocked in on this shift.' using errcode = 'PT409';
  end if;
  if absent.status not in ('assigned', 'confirmed', 'no_show') then
    raise exception 'This guard is no longer on the shift.' using errcode = 'PT409';
  end if;
  if absent.starts_at > now() + private.clock_in_lead() then
    raise exception 'The shift has not begun. Unassign the guard instead.' using errcode = 'PT409';
  end if;
  update public.assignments a set status = 'no_show', no_show_reason = reason
  where a.id = absent.id returning * into absent;
  return absent;
end
$$;
grant execute on function public.mark_no_show to authenticated;

-- Takes the locks of check_assignment in order of guard, so that two moves of many shifts never deadlock.
create function private.lock_guards_of(p_shifts uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(guards.user_id::text, 0))
  from (select distinct a.user_id from public.assignments a where a.shift_id = any (p_shifts) order by 1) guards;
end
$$;
grant execute on function private.lock_guards_of to authenticated;

-- Moves shifts by days, to another time of day, to another site, or several of these. Times are those of the site. With
-- an end that is not after the start, the shift ends on the next day.
create function public.move_shifts(
  p_ids uuid[], p_days integer default 0, p_start text default null, p_end text default null,
  p_site_id uuid default null
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  clock_time constant text := '^([01]\d|2[0-3]):[0-5]\d$';
  moved jsonb;
begin
  perform private.require_many(p_ids);
  if p_days is null or p_days not between -366 and 366 then
    raise exception 'Move by at most 366 days.' using errcode = 'invalid_parameter_value';
  end if;
  if (p_start is null) <> (p_end is null) or p_start !~ clock_time or p_end !~ clock_time then
    raise exception 'Give a start and an end as HH:MM.' using errcode = 'invalid_parameter_value';
  end if;
  if p_days = 0 and p_start is null and p_site_id is null then
    raise exception 'Choose what to change: the day, the time or the site.' using errcode = 'invalid_parameter_value';
  end if;
  if p_site_id is not null and not exists (select from public.sites s where s.id = p_site_id) then
    raise exception 'This site no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  -- Before their times are read, so that two moves of the same shifts add up.
  perform from public.shifts h where h.id = any (p_ids) order by h.id for update;
  select jsonb_agg(
    jsonb_build_object('id', w.id, 'set', jsonb_build_object(
      'site_id', w.site_id, 'start_time', w.new_start, 'end_time', w.new_end))
    -- The last one first when they move later, so that a guard's shifts don't meet on the way.
    order by w.new_start > w.start_time desc,
      case when w.new_start > w.start_time then - extract(epoch from w.start_time)
        else extract(epoch from w.start_time) end, w.id
  ) into moved
  from (
    select wanted.id, t.id as site_id, h.start_time,
      ((starts.day + p_days)::timestamp + coalesce(p_start, starts.clock)::time) at time zone t.timezone as new_start,
      (
        case when p_start is null then (ends.day + p_days)::timestamp
          else (starts.day + p_days + case when p_end <= p_start then 1 else 0 end)::timestamp end
        + coalesce(p_end, ends.clock)::time
      ) at time zone t.timezone as new_end
    from (select distinct u.id from unnest(p_ids) u (id)) wanted
    left join public.shifts h on h.id = wanted.id
    left join public.sites o on o.id = h.site_id
    left join public.sites t on t.id = coalesce(p_site_id, h.site_id)
    left join lateral (
      select (h.start_time at time zone o.timezone)::date as day,
        (h.start_time at time zone o.timezone)::time::text as clock
    ) starts on true
    left join lateral (
      select (h.end_time at time zone o.timezone)::date as day,
        (h.end_time at time zone o.timezone)::time::text as clock
    ) ends on true
  ) w;
  perform private.lock_guards_of(p_ids);
  return private.change_rows('shifts', moved);
end
$$;
grant execute on function public.move_shifts to authenticated;

-- The shifts that a clock event may belong to, now or during some days offline: the open record first, then the
-- nearest.
create function public.my_clock_shifts()
returns table (
  assignment_id uuid, site_id uuid, site_name text, client_name text, address text, timezone text,
  latitude double precision, longitude double precision, geofence_radius_m integer, start_time timestamptz,
  end_time timestamptz, role_at_shift text, attendance_id uuid, clock_in_at timestamptz, clock_out_at timestamptz,
  flags text[]
)
language sql stable set search_path = '' as $$
  select a.id, site.id, site.name, site.client_name, site.address, site.timezone, site.latitude, site.longitude,
    site.geofence_radius_m, s.start_time, s.end_time, a.role_at_shift, r.id, r.clock_in_at, r.clock_out_at, r.flags
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites site on site.id = s.site_id
  left join lateral (
    select * from public.attendance r where r.assignment_id = a.id
    order by r.clock_out_at is null desc, r.clock_in_at desc limit 1
  ) r on true
  where a.user_id = (select auth.uid()) and a.status <> 'cancelled' and (
    a.attendance_state = 'in'
    or a.starts_at > now() - interval '3 days' and a.starts_at < now() + interval '4 days'
      and s.end_time > now() - interval '16 hours'
    -- What comes next, however far ahead.
    or a.id = (
      select n.id from public.assignments n
      where n.user_id = (select auth.uid()) and n.status in ('assigned', 'confirmed') and not n.on_leave
        and n.starts_at > now()
      order by n.starts_at limit 1
    )
  )
  order by r.id is null or r.clock_out_at is not null or 'overtaken' = any (r.flags),
    abs(extract(epoch from s.start_time - now())) limit 50;
$$;
comment on function public.my_clock_shifts is 'Nullable: latitude, longitude, role_at_shift, attendance_id, '
  'clock_in_at, clock_out_at, flags';
grant execute on function public.my_clock_shifts to authenticated;

-- The caller's shift: the open attendance record first, then by time, so that night and double shifts work. Without
-- either, the next shift that starts today, which can't be clocked in on yet.
create function public.my_current_shift()
returns table (
  assignment_id uuid, shift_id uuid, site_id uuid, site_name text, client_name text, address text, timezone text,
  start_time timestamptz, end_time timestamptz, role_at_shift text, attendance_id uuid, clock_in_at timestamptz,
  may_clock_in boolean
)
language sql stable set search_path = '' as $$
  select a.id, s.id, site.id, site.name, site.client_name, site.address, site.timezone,
    s.start_time, s.end_time, a.role_at_shift, open_record.id, open_record.clock_in_at,
    open_record.id is null and is_now.yes
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites site on site.id = s.site_id
  left join public.attendance open_record
    on open_record.assignment_id = a.id and open_record.clock_out_at is null
  cross join lateral (select now() between s.start_time - private.clock_in_lead() and s.end_time as yes) is_now
  where a.user_id = (select auth.uid())
    and (
      open_record.id is not null
      or a.attendance_state = 'none' and a.status in ('assigned', 'confirmed', 'no_show') and (
        is_now.yes
        or s.start_time > now() and s.start_time < (select private.company_midnight(private.company_date() + 1))
      )
    )
  order by open_record.id is null, 'overtaken' = any (open_record.flags), not is_now.yes, s.start_time limit 1;
$$;
comment on function public.my_current_shift is 'Nullable: role_at_shift, attendance_id, clock_in_at';
grant execute on function public.my_current_shift to authenticated;

-- Who is at the post of the caller before and after them, with the number to call: of the shift that they are on, or of
-- the next one from 12 hours before its start. Of others a guard learns no number. Definer, because guards read neither
-- profiles nor assignments of colleagues.
create function public.my_relief()
returns table (
  assignment_id uuid, side text, full_name text, phone text, start_time timestamptz, end_time timestamptz,
  timezone text, site_name text
)
language sql stable security definer set search_path = '' as $$
  with mine as (
    select s.* from public.assignments a join public.shifts s on s.id = a.shift_id
    where a.user_id = (select auth.uid()) and (select private.is_member()) and a.counts_as_staffed
      and (a.attendance_state = 'in' or a.attendance_state = 'none' and s.end_time > now()
        and s.start_time < now() + interval '12 hours')
    order by a.attendance_state = 'in' desc, s.start_time limit 1
  )
  select o.id, case when s.start_time < m.start_time then 'before' else 'after' end,
    private.name_of_person(o.user_id), p.phone, s.start_time, s.end_time, t.timezone, t.name
  from mine m
  join public.shifts s on s.site_id = m.site_id and s.post_id is not distinct from m.post_id and s.id <> m.id
    and s.start_time between m.start_time - interval '24 hours' and m.end_time + interval '1 hour'
    and (s.end_time between m.start_time - interval '1 hour' and m.start_time + interval '1 hour'
      or s.start_time between m.end_time - interval '1 hour' and m.end_time + interval '1 hour')
  join public.assignments o on o.shift_id = s.id and o.counts_as_staffed and o.user_id <> (select auth.uid())
  join public.profiles p on p.id = o.user_id
  join public.sites t on t.id = s.site_id
  order by s.start_time, 3, o.id limit 20;
$$;
comment on function public.my_relief is 'Nullable: phone';
grant execute on function public.my_relief to authenticated;

-- As before, and tells them.
create function private.insert_assignments(p_rows public.assignments[]) returns void
language sql set search_path = '' as $$
  insert into public.assignments (id, shift_id, user_id, status, role_at_shift, override_reason, confirmed_at,
    declined_at, declined_reason, joins_at, no_show_reason, no_show_at, no_show_by, created_at)
  select a.id, a.shift_id, a.user_id, a.status, a.role_at_shift, a.override_reason, a.confirmed_at,
    a.declined_at, a.declined_reason, a.joins_at, a.no_show_reason, a.no_show_at, a.no_show_by, a.created_at
  from unnest(p_rows) a
  -- In order of guard, so that two planners never deadlock; those with a reason last, next to what they override.
  order by a.user_id, a.override_reason is not null;
  select private.tell_guards_of('assigned', array_agg(a.shift_id), array_agg(a.user_id))
  from unnest(p_rows) a where a.status in ('assigned', 'confirmed');
$$;
grant execute on function private.insert_assignments to authenticated, service_role;

-- Restores a deleted shift with the guards that were on it. Guards whom the rules forbid by now, or whose account was
-- deleted, are left out with the reason. Runs as the caller: the policies of shifts and assignments decide.
create function public.restore_shift(p_shift jsonb, p_assignments jsonb default '[]')
returns table (restored integer, left_out text[])
language plpgsql set search_path = '' as $$
declare
  guard public.assignments;
  reason text;
  broken text;
begin
  if jsonb_typeof(p_shift) is distinct from 'object' or jsonb_typeof(p_assignments) is distinct from 'array'
    or jsonb_array_length(p_assignments) > 2000
  then
    raise exception 'Send the shift as an object and its assignments as an array of at most 2000.'
      using errcode = 'invalid_parameter_value';
  end if;
  insert into public.shifts select (jsonb_populate_record(null::public.shifts, p_shift)).*;
  restored := 0;
  left_out := '{}';
  -- In order of guard, so that two planners never deadlock.
  for guard in select * from jsonb_populate_recordset(null::public.assignments, p_assignments) a order by a.user_id loop
    begin
      guard.shift_id := (p_shift ->> 'id')::uuid;
      perform private.insert_assignments(array[guard]);
      restored := restored + 1;
    exception
      when exclusion_violation or check_violation then
        get stacked diagnostics reason = message_text, broken = constraint_name;
        -- A rule names no constraint; a value that the table refuses does.
        if broken <> '' then
          raise;
        end if;
        left_out := left_out || reason;
      when foreign_key_violation then
        left_out := left_out || 'The account of one guard no longer exists.'::text;
    end;
  end loop;
  return next;
end
$$;
grant execute on function public.restore_shift to authenticated;

-- Undoes a no-show: the guard is expected again. Refused once the seat has been given to somebody else.
create function public.undo_no_show(p_assignment_id uuid) returns public.assignments
language plpgsql security definer set search_path = '' as $$
declare
  absent public.assignments := private.planned_assignment(p_assignment_id);
begin
  if absent.status = 'no_show' then
    update public.assignments a
    set status = case when a.confirmed_at is null then 'assigned' else 'confirmed' end
    where a.id = absent.id returning * into absent;
  end if;
  return absent;
end
$$;
grant execute on function public.undo_no_show to authenticated;

-- The assignment that an event of this person belongs to: where they are clocked in, unless that is forgotten since
-- yesterday, else the nearest within p_hours.
create function private.assignment_around(p_person uuid, p_at timestamptz, p_hours integer) returns public.assignments
language sql stable security definer set search_path = '' as $$
  select a.* from public.assignments a
  where a.user_id = p_person and a.status <> 'cancelled' and (
    a.attendance_state = 'in' and upper(a.period) > p_at - interval '16 hours'
    or a.period && tstzrange(p_at - make_interval(hours => p_hours), p_at + make_interval(hours => p_hours))
  )
  order by a.attendance_state = 'in' desc,
    greatest(extract(epoch from a.starts_at - p_at), extract(epoch from p_at - upper(a.period)))
  limit 1;
$$;

-- Shifts that are no longer to be planned, whichever change is asked for.
create function private.closed_shifts(p_shifts uuid[], p_users uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'shift_id', w.shift, 'user_id', w.person, 'rule', refusal.rule, 'message', refusal.message, 'can_override', false
  )), '[]')
  from unnest(p_shifts, p_users) w (shift, person)
  left join public.shifts s on s.id = w.shift
  cross join lateral (
    select 'gone' as rule, 'This shift no longer exists' as message where s.id is null
    union all
    select 'past', 'This shift has ended' where s.end_time <= now()
    union all
    select 'clocked', 'The guard has already clocked in'
    where exists (
      select from public.assignments a
      where a.shift_id = w.shift and a.user_id = w.person and a.attendance_state <> 'none' and a.status <> 'cancelled'
    )
    union all
    select 'nobody', 'There is no such account'
    where not exists (select from public.profiles p where p.id = w.person)
  ) refusal;
$$;

-- No shift that ends after this time starts earlier. Most last at most a day; the index has the others.
create function private.first_start(ends_after timestamptz) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select least(ends_after - interval '24 hours', (
    -- The offset keeps the planner from looking for the minimum in the index of all starts.
    select min(l.start_time) from (
      select s.start_time from public.shifts s
      where s.end_time - s.start_time > interval '24 hours' and s.end_time > ends_after
      offset 0
    ) l
  ));
$$;
grant execute on function private.first_start to authenticated;

-- No seat of a shift that starts before this time starts at it or later: a replacement joins before the shift ends.
create function private.last_join(starts_before timestamptz) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select greatest(starts_before + interval '24 hours', (
    select max(s.end_time) from public.shifts s
    where s.end_time - s.start_time > interval '24 hours' and s.end_time > starts_before
      and s.start_time < starts_before
  ));
$$;
grant execute on function private.last_join to authenticated;

-- The guards of a shift, published or drafted.
create function private.guards_of_shift(p_shift uuid) returns text[]
language sql stable set search_path = ''
return array(
  select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p
  where p.id in (
    select a.user_id from public.assignments a where a.shift_id = p_shift and a.status <> 'cancelled'
    union select c.user_id from public.roster_changes c where c.shift_id = p_shift and c.change = 'assign'
  )
  order by 1
);

-- Tells guards which of their published shifts are about to be removed: one notice a guard.
create function private.notify_of_removed(p_shifts uuid[]) returns void
language sql set search_path = '' as $$
  select private.notify(
    gone.user_id, 'roster',
    case gone.count when 1 then 'A shift of yours was removed' else gone.count || ' of your shifts were removed' end,
    gone.lines, '/staff/shifts', null
  )
  from (
    select a.user_id, count(*),
      string_agg(format('%s, %s', t.name, private.time_text(s.start_time, t.timezone)), e'\n' order by s.start_time)
        as lines
    from public.shifts s
    join public.sites t on t.id = s.site_id
    join public.assignments a on a.shift_id = s.id and a.status <> 'cancelled'
    where s.id = any (p_shifts)
    group by a.user_id
  ) gone;
$$;

-- What keeps this person from the shift, as one sentence; null if nothing does. Duties that the person gives away in
-- return don't count.
create function private.obstacle_to_shift(p_person uuid, p_shift public.shifts, p_without uuid[] default '{}')
returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  around tstzrange := tstzrange(p_shift.start_time - interval '15 days', p_shift.end_time + interval '15 days');
  duties tstzrange[];
  found_message text;
begin
  if p_shift.start_time <= now() then
    return 'The shift has already started';
  end if;
  if not exists (select from public.user_roles r where r.user_id = p_person and r.role = 'guard') then
    return 'Only guards take shifts';
  end if;
  if private.is_on_leave(p_person, tstzrange(p_shift.start_time, p_shift.end_time)) then
    return 'On approved leave';
  end if;
  select e.message into found_message from private.eligibility_problems(p_person, p_shift) e limit 1;
  if found then
    return found_message;
  end if;
  duties := array(
    select a.period from public.assignments a
    where a.user_id = p_person and a.status <> 'cancelled' and a.period && around and a.id <> all (p_without)
    union
    select c.period from public.roster_changes c
    where c.user_id = p_person and c.change = 'assign' and c.period && around
  );
  select d.message into found_message
  from private.duty_problems(p_person, p_shift.start_time, p_shift.end_time, duties,
    (select s.time_zone from private.settings s)) d
  limit 1;
  return found_message;
end
$$;

-- The guard's assignment that the phone means: the one with this id; if it was removed or cancelled, the assignment of
-- the same shift, or of the same hours at the same site. All null if there is none.
create function private.own_assignment(me uuid, wanted uuid) returns public.assignments
language plpgsql stable security definer set search_path = '' as $$
declare
  known public.assignments;
  instead public.assignments;
  was jsonb;
begin
  select * into known from public.assignments a where a.id = wanted and a.user_id = me;
  if known.status <> 'cancelled' then
    return known;
  end if;
  was := case when known.id is not null then to_jsonb(known) else (
    select h.old_values from public.audit_log h
    where h.row_id = wanted and h.table_name = 'assignments' and h.action = 'delete'
      and h.old_values ->> 'user_id' = me::text
    order by h.at desc limit 1
  ) end;
  select * into instead from public.assignments a
  where a.user_id = me and a.status <> 'cancelled' and (
    a.shift_id::text = was ->> 'shift_id'
    or a.site_id::text = was ->> 'site_id' and a.period && (was ->> 'period')::tstzrange
  )
  order by a.shift_id::text = was ->> 'shift_id' desc limit 1;
  if instead.id is null then
    return known;
  end if;
  return instead;
end
$$;
