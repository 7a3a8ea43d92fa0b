-- The draft of a roster: differences from the assignments, which are what is published. Everything else reads only
-- assignments, so a draft changes nothing on any other screen.
create table public.roster_changes (
  id uuid primary key default gen_random_uuid(),
  shift_id uuid not null references public.shifts (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  change text not null check (change in ('assign', 'unassign')),
  override_reason text check (char_length(override_reason) <= 500),
  site_id uuid not null,
  period tstzrange not null,
  starts_at timestamptz generated always as (lower(period)) stored,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  unique (shift_id, user_id)
);
comment on column public.roster_changes.site_id is 'Derived: the site of the shift';
comment on column public.roster_changes.period is 'Derived: the time of the shift';
comment on column public.roster_changes.starts_at is 'Derived: when the shift starts';
create index roster_changes_user_id_idx on public.roster_changes (user_id, starts_at);
create index roster_changes_site_id_idx on public.roster_changes (site_id, starts_at);
create index roster_changes_starts_at_idx on public.roster_changes (starts_at);
create index roster_changes_created_by_idx on public.roster_changes (created_by);

-- Who works when, according to the draft: published assignments without those that the draft takes away, and those
-- that it adds.
create view private.drafted_duties with (security_invoker = true) as
  select a.user_id, a.shift_id, a.site_id, a.period, a.starts_at
  from public.assignments a
  where a.status <> 'cancelled' and not exists (
    select from public.roster_changes c
    where c.shift_id = a.shift_id and c.user_id = a.user_id and c.change = 'unassign'
  )
  union all
  select c.user_id, c.shift_id, c.site_id, c.period, c.starts_at
  from public.roster_changes c
  where c.change = 'assign';
revoke all on private.drafted_duties from anon, authenticated, service_role;

-- Guards whom Fill leaves where they are.
create table public.roster_pins (
  id uuid primary key default gen_random_uuid(),
  shift_id uuid not null references public.shifts (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  site_id uuid not null,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  unique (shift_id, user_id)
);
comment on column public.roster_pins.site_id is 'Derived: the site of the shift';
create index roster_pins_user_id_idx on public.roster_pins (user_id);
create index roster_pins_site_id_idx on public.roster_pins (site_id);
create index roster_pins_created_by_idx on public.roster_pins (created_by);

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
create trigger b_shift before insert or update on public.roster_changes
  for each row execute function private.derive_shift_site();
create trigger b_shift before insert or update on public.roster_pins
  for each row execute function private.derive_shift_site();

-- A shift that moves takes its draft along.
create function private.move_roster_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.roster_changes c set site_id = new.site_id, period = tstzrange(new.start_time, new.end_time)
  where c.shift_id = new.id;
  update public.roster_pins p set site_id = new.site_id where p.shift_id = new.id and p.site_id <> new.site_id;
  return null;
end
$$;
create trigger drafts_follow after update on public.shifts
  for each row when (
    (old.site_id, old.start_time, old.end_time) is distinct from (new.site_id, new.start_time, new.end_time)
  )
  execute function private.move_roster_changes();

select private.tidy_texts_of('public.roster_changes', 'override_reason');
create trigger b_author before insert or update on public.roster_changes
  for each row execute function private.stamp_author();
create trigger b_author before insert or update on public.roster_pins
  for each row execute function private.stamp_author();
select private.keep_history_of('public.roster_changes');
select private.keep_history_of('public.roster_pins');

alter table public.roster_changes enable row level security;
alter table public.roster_pins enable row level security;
revoke all on public.roster_changes, public.roster_pins from anon, authenticated;
-- Written by apply_roster and pin_roster alone, which check the rules.
grant select on public.roster_changes, public.roster_pins to authenticated;

create policy "Planners read the drafts of their sites" on public.roster_changes
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Planners read the pins of their sites" on public.roster_pins
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

alter publication supabase_realtime add table public.roster_changes;
alter publication supabase_realtime add table public.roster_pins;
create unique index roster_changes_old_rows_idx on public.roster_changes (id, site_id);
alter table public.roster_changes replica identity using index roster_changes_old_rows_idx;
alter table public.roster_pins replica identity full;

-- The weeks of the roster, from Monday, and when each was last published.
create table public.roster_periods (
  id uuid primary key default gen_random_uuid(),
  starts_on date not null unique
    check (starts_on between '1900-01-01' and '2199-12-31' and extract(isodow from starts_on) = 1),
  state text not null default 'draft' check (state in ('draft', 'published')),
  published_at timestamptz,
  published_by uuid references public.profiles (id) on delete set null,
  publications integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index roster_periods_published_by_idx on public.roster_periods (published_by);
create trigger d_touch before update on public.roster_periods
  for each row execute function private.touch();
select private.keep_history_of('public.roster_periods');

alter table public.roster_periods enable row level security;
revoke all on public.roster_periods from anon, authenticated;
grant select on public.roster_periods to authenticated;
create policy "Planners read the weeks of the roster" on public.roster_periods
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or cardinality((select private.supervised_sites())) > 0
  );
alter publication supabase_realtime add table public.roster_periods;

-- Messages of the portal to one person. Other ways of sending (push, mail, text) follow from these rows.
create table public.notices (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null check (char_length(kind) <= 50),
  title text not null check (char_length(title) <= 200),
  body text not null default '' check (char_length(body) <= 2000),
  -- A path of the app, such as /staff/shifts.
  link text check (link ~ '^/' and char_length(link) <= 300),
  -- A notice with this key is stored once.
  dedupe_key text unique check (char_length(dedupe_key) <= 200),
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notices_user_id_idx on public.notices (user_id, created_at desc);
select private.keep_history_of('public.notices');

alter table public.notices enable row level security;
revoke all on public.notices from anon, authenticated;
grant select, update (read_at) on public.notices to authenticated;
create policy "Members read their own notices" on public.notices
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members mark their own notices as read" on public.notices
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));
alter publication supabase_realtime add table public.notices;
alter table public.notices replica identity full;

-- Queues a notice once per key. @returns its id, or null if the key has been used
create function private.notify(
  p_user uuid, p_kind text, p_title text, p_body text, p_link text, p_key text
) returns uuid
language sql security definer set search_path = '' as $$
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  values (p_user, p_kind, left(p_title, 200), left(coalesce(p_body, ''), 2000), p_link, p_key)
  on conflict (dedupe_key) do nothing
  returning id;
$$;

revoke all on all functions in schema private from public;
