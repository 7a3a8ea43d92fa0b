-- What a roster must know about people besides leave and certificates, and the dated rules that it follows.
alter table public.profiles
  add column home_position text check (private.is_position(home_position)),
  add column gender text check (gender in ('female', 'male'));
comment on column public.profiles.home_position is '''lat,lng'' in degrees: about where the person lives';

-- The rules of rosters from a day on, and the weight of each wish. shared/roster reads the same columns.
create table public.rule_sets (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) <= 100),
  effective_from date not null unique check (effective_from between '1900-01-01' and '2199-12-31'),
  min_rest_hours numeric(4, 2) not null default 12 check (min_rest_hours between 0 and 24),
  -- Rest that an override can't go below.
  min_rest_override_hours numeric(4, 2) not null default 8,
  weekly_rest_hours numeric(5, 2) not null default 36 check (weekly_rest_hours between 0 and 120),
  week_hours numeric(5, 2) not null default 48 check (week_hours between 1 and 168),
  week_overtime_hours numeric(5, 2) not null default 5 check (week_overtime_hours between 0 and 120),
  shift_hours numeric(4, 2) not null default 12 check (shift_hours between 1 and 24),
  consecutive_days integer not null default 6 check (consecutive_days between 1 and 31),
  consecutive_nights integer not null default 4 check (consecutive_nights between 1 and 31),
  -- A shift that is under way at this local time is a night.
  night_at time not null default '02:00',
  weight_known_post integer not null default 20 check (weight_known_post between 0 and 100),
  weight_fair_nights integer not null default 10 check (weight_fair_nights between 0 and 100),
  weight_fair_sundays integer not null default 10 check (weight_fair_sundays between 0 and 100),
  weight_fair_hours integer not null default 10 check (weight_fair_hours between 0 and 100),
  weight_distance integer not null default 10 check (weight_distance between 0 and 100),
  weight_overtime integer not null default 30 check (weight_overtime between 0 and 100),
  weight_preference integer not null default 10 check (weight_preference between 0 and 100),
  weight_change integer not null default 20 check (weight_change between 0 and 100),
  bids_approve_themselves boolean not null default false,
  swaps_approve_themselves boolean not null default false,
  -- By column: where the figure comes from.
  sources jsonb not null default '{}' check (jsonb_typeof(sources) = 'object' and pg_column_size(sources) <= 8000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint rule_sets_override_is_shorter check (min_rest_override_hours between 0 and min_rest_hours)
);
create index rule_sets_created_by_idx on public.rule_sets (created_by);

select private.tidy_texts_of('public.rule_sets', 'name');
create trigger b_author before insert or update on public.rule_sets
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.rule_sets
  for each row execute function private.touch();
select private.keep_history_of('public.rule_sets');

alter table public.rule_sets enable row level security;
revoke all on public.rule_sets from anon, authenticated;
grant select, insert, update, delete on public.rule_sets to authenticated;

create policy "Planners and HR read the rules" on public.rule_sets
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or cardinality((select private.supervised_sites())) > 0
  );
create policy "Admins and operations managers add rules" on public.rule_sets
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers change rules" on public.rule_sets
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers delete rules" on public.rule_sets
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

alter publication supabase_realtime add table public.rule_sets;

-- Guards whom a site or its client does not want.
create table public.site_bans (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  reason text not null check (char_length(reason) <= 500),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  unique (site_id, user_id)
);
create index site_bans_user_id_idx on public.site_bans (user_id);
create index site_bans_created_by_idx on public.site_bans (created_by);

-- Guards who have been shown a site.
create table public.site_inductions (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  inducted_on date not null default private.company_date()
    check (inducted_on between '1900-01-01' and '2199-12-31'),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  unique (site_id, user_id)
);
create index site_inductions_user_id_idx on public.site_inductions (user_id);
create index site_inductions_created_by_idx on public.site_inductions (created_by);

select private.tidy_texts_of('public.site_bans', 'reason');
create trigger b_author before insert or update on public.site_bans
  for each row execute function private.stamp_author();
create trigger b_author before insert or update on public.site_inductions
  for each row execute function private.stamp_author();
select private.keep_history_of('public.site_bans');
select private.keep_history_of('public.site_inductions');

alter table public.site_bans enable row level security;
alter table public.site_inductions enable row level security;
revoke all on public.site_bans, public.site_inductions from anon, authenticated;
grant select, insert, delete on public.site_bans, public.site_inductions to authenticated;

create policy "Planners and HR read who is banned from their sites" on public.site_bans
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers ban guards from their sites" on public.site_bans
  for insert to authenticated with check (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers lift bans at their sites" on public.site_bans
  for delete to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Planners and HR read who knows their sites" on public.site_inductions
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers record inductions at their sites" on public.site_inductions
  for insert to authenticated with check (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers remove inductions at their sites" on public.site_inductions
  for delete to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

alter publication supabase_realtime add table public.site_bans, public.site_inductions;
alter table public.site_bans replica identity full;
alter table public.site_inductions replica identity full;

-- When guards would like to work and when they can't. Wishes, unlike approved leave.
create table public.availability (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  kind text not null check (kind in ('unavailable', 'prefer', 'avoid')),
  -- 0 is Monday; null for every day from from_day to to_day.
  weekday integer check (weekday between 0 and 6),
  from_day date check (from_day between '1900-01-01' and '2199-12-31'),
  to_day date check (to_day between '1900-01-01' and '2199-12-31'),
  -- Null for the whole day.
  part text check (part in ('day', 'night')),
  note text check (char_length(note) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint availability_ends_not_before_start check (to_day >= from_day),
  constraint availability_names_days check (weekday is not null or from_day is not null and to_day is not null)
);
create index availability_user_id_idx on public.availability (user_id);

select private.tidy_texts_of('public.availability', 'note');
create trigger d_touch before update on public.availability
  for each row execute function private.touch();
select private.keep_history_of('public.availability');

-- So that one account can't fill the table.
create function private.limit_availability() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('availability of ' || new.user_id, 0));
  if (select count(*) from public.availability a where a.user_id = new.user_id) >= 60 then
    raise exception 'There are 60 entries already. Remove one first.' using errcode = 'PT409';
  end if;
  return new;
end
$$;
create trigger c_limit before insert on public.availability
  for each row execute function private.limit_availability();

alter table public.availability enable row level security;
revoke all on public.availability from anon, authenticated;
grant select, insert, update, delete on public.availability to authenticated;

create policy "Planners and HR read when guards can work" on public.availability
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or cardinality((select private.supervised_sites())) > 0
  );
create policy "Members read when they can work" on public.availability
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members add when they can work" on public.availability
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members change when they can work" on public.availability
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members remove when they can work" on public.availability
  for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

alter publication supabase_realtime add table public.availability;
alter table public.availability replica identity full;

-- What a planner may override with a reason, what the guard answered, and what came of it on the day.
alter table public.assignments
  add column override_reason text check (char_length(override_reason) <= 500),
  add column overridden_rules text[] not null default '{}',
  -- No foreign key: a second one to profiles would make every embedding of the guard ambiguous.
  add column overridden_by uuid,
  add column confirmed_at timestamptz,
  add column declined_at timestamptz,
  add column declined_reason text check (char_length(declined_reason) <= 500),
  add column joins_at timestamptz check (isfinite(joins_at)),
  add column no_show_reason text check (char_length(no_show_reason) <= 500),
  add column no_show_at timestamptz,
  add column no_show_by uuid,
  add constraint assignments_no_show_has_status check (
    status = 'no_show' or no_show_reason is null and no_show_at is null and no_show_by is null
  );
comment on column public.assignments.overridden_rules is 'Derived: the rules that were broken on purpose';
comment on column public.assignments.overridden_by is 'Derived: who broke them';
comment on column public.assignments.joins_at is
  'When a guard who replaces another can be there; null or outside the shift: at its start';
comment on column public.assignments.no_show_at is 'Derived: when the guard was marked as a no-show';
comment on column public.assignments.no_show_by is 'Derived: who marked it';
drop trigger a_tidy_text on public.assignments;
select private.tidy_texts_of('public.assignments', 'role_at_shift', 'override_reason', 'declined_reason', 'no_show_reason');
grant update (override_reason) on public.assignments to authenticated;

revoke all on all functions in schema private from public;
