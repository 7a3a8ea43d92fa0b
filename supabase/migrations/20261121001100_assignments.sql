-- Who works which shift. One person never has two overlapping ones, however many planners write at once.
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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint assignments_do_not_overlap
    exclude using gist (user_id with =, period with &&) where (status <> 'cancelled')
);
comment on column public.assignments.site_id is 'Derived: the site of the shift, so that policies need no join';
comment on column public.assignments.period is 'Derived: the time of the shift, so that overlaps can be excluded';
comment on column public.assignments.starts_at is 'Derived: when the shift starts, so that lists and counts need no join';
comment on column public.assignments.attendance_state is 'Derived: whether somebody has clocked in (in) and out (out)';

create index assignments_shift_id_idx on public.assignments (shift_id);
create index assignments_user_id_idx on public.assignments (user_id, starts_at);
create index assignments_site_id_idx on public.assignments (site_id, starts_at);
-- The dashboard's attendance issues are found here without reading years of orderly shifts.
create index assignments_unattended_idx on public.assignments (starts_at)
  where attendance_state <> 'out' and status <> 'cancelled';

-- Definer, because planners can't read every table that it looks at. It runs before the policies, so it tells
-- nothing to a caller who may not plan this site; the policy refuses them afterwards.
create function private.check_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts;
  other tstzrange;
  zone text;
begin
  -- The lock keeps the shift's times until this assignment is there.
  select * into shift from public.shifts s where s.id = new.shift_id for share;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  new.site_id := shift.site_id;
  new.period := tstzrange(shift.start_time, shift.end_time);
  -- A load without a caller states it beforehand, and so spares an update for each attendance that follows.
  if tg_op = 'INSERT' and auth.role() is not null then
    new.attendance_state := 'none';
  end if;
  if tg_op = 'UPDATE' and old.attendance_state <> 'none'
    and (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id)
  then
    raise exception 'Somebody has clocked in on this assignment, so it stays theirs.' using errcode = 'PT409';
  end if;
  if new.status = 'cancelled' or not (auth.uid() is null or private.may_plan(shift.site_id)) then
    return new;
  end if;
  -- Two planners take turns here, so that the second is told the reason and not the name of a constraint.
  perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 0));
  select a.period into other from public.assignments a
  where a.user_id = new.user_id and a.id <> new.id and a.status <> 'cancelled' and a.period && new.period
  limit 1;
  if found then
    select s.timezone into zone from public.sites s where s.id = shift.site_id;
    raise exception '% is already on an overlapping shift, % to %.',
      coalesce((select nullif(p.full_name, '') from public.profiles p where p.id = new.user_id), 'This guard'),
      to_char(lower(other) at time zone zone, 'DD Mon HH24:MI'),
      to_char(upper(other) at time zone zone, 'DD Mon HH24:MI')
      using errcode = 'exclusion_violation';
  end if;
  return new;
end
$$;
revoke all on function private.check_assignment() from public;

select private.tidy_texts_of('public.assignments', 'role_at_shift');
create trigger c_rules before insert on public.assignments
  for each row execute function private.check_assignment();
create trigger c_rules_of_changes before update on public.assignments
  for each row when (
    (old.shift_id, old.user_id, old.status, old.site_id, old.period)
    is distinct from (new.shift_id, new.user_id, new.status, new.site_id, new.period)
  )
  execute function private.check_assignment();
create trigger d_touch before update on public.assignments
  for each row execute function private.touch();
select private.keep_history_of('public.assignments');

-- A shift that moves takes its assignments along, and is refused where that would make an overlap.
create function private.move_assignments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.assignments a
  set site_id = new.site_id, period = tstzrange(new.start_time, new.end_time)
  where a.shift_id = new.id;
  return null;
end
$$;
revoke all on function private.move_assignments() from public;

create trigger assignments_follow after update on public.shifts
  for each row when (
    (old.site_id, old.start_time, old.end_time) is distinct from (new.site_id, new.start_time, new.end_time)
  )
  execute function private.move_assignments();

create trigger c_has_history before delete on public.profiles for each row
  execute function private.refuse_while_used('assignments', 'user_id',
    'This person has worked shifts, so the account can''t be deleted. Take away its roles, or ban it.');

alter table public.assignments enable row level security;
revoke all on public.assignments from anon, authenticated;
grant select, insert, delete on public.assignments to authenticated;
grant update (shift_id, user_id, status, role_at_shift) on public.assignments to authenticated;

create policy "Those who plan and oversee read every assignment" on public.assignments
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
