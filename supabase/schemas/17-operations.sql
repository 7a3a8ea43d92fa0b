-- The operations room: board, log, handovers, patrols, daily report.

-- ── Tables ────────────────────────────────────────────────────────────

-- The report of the last 24 hours, every day at 6 AM of the company's zone: coverage, incidents, and alerts with how
-- long each took. The server mails it; a row a day makes it once, however many servers there are.
create table private.daily_reports (
  day date primary key,
  facts jsonb, -- Null on the first day of a database: nothing was watched before.
  created_at timestamptz not null default now()
);
alter table private.daily_reports enable row level security;

create table private.daily_report_mails (
  id uuid default gen_random_uuid() primary key,
  day date not null references private.daily_reports (day) on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz default now(), -- Time of the next attempt; null after the last one failed.
  last_error text,
  unique (day, user_id)
);
create index daily_report_mails_user_id_idx on private.daily_report_mails (user_id);
create index daily_report_mails_next_at_idx on private.daily_report_mails (next_at);
alter table private.daily_report_mails enable row level security;

create table public.checkpoints (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  number integer not null check (number between 1 and 99),
  name text not null check (char_length(name) <= 100),
  latitude double precision check (latitude >= '-90'::integer::double precision and latitude <= 90::double precision),
  longitude double precision
    check (longitude >= '-180'::integer::double precision and longitude <= 180::double precision),
  code_secret text not null unique check (code_secret ~ '^\d\d[0-9A-Z]{6}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (site_id, number),
  constraint checkpoints_whole_position check ((latitude is null) = (longitude is null))
);
comment on column public.checkpoints.number is 'Derived: the next free number of the site';
comment on column public.checkpoints.code_secret is 'Derived: the printed code; guards never read it here';
alter table public.checkpoints replica identity full;
alter publication supabase_realtime add table public.checkpoints;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.checkpoints', 'name');
create trigger b_code before insert or update on public.checkpoints
  for each row execute function private.derive_checkpoint_code();
create trigger c_visited before delete on public.checkpoints
  for each row execute function private.keep_toured_checkpoint();
create trigger d_touch before update on public.checkpoints for each row execute function private.touch();
select private.keep_history_of('public.checkpoints');
alter table public.checkpoints enable row level security;
grant select, insert, update, delete on public.checkpoints to authenticated;
create policy "Planners read the checkpoints of their sites" on public.checkpoints
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
select private.add_overseer_policies('public.checkpoints', 'checkpoints');

create table public.tours (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  post_id uuid references public.posts on delete cascade,
  name text not null check (char_length(name) <= 100),
  times time without time zone[]
    constraint tours_have_times check (cardinality(times) between 1 and 48
      and array_position(times, null::time without time zone) is null),
  every_minutes integer check (every_minutes between 30 and 1440),
  checkpoints uuid[] not null check (cardinality(checkpoints) between 1 and 99),
  tolerance_minutes integer not null default 15 check (tolerance_minutes between 5 and 240),
  min_seconds integer not null default 20 check (min_seconds between 0 and 3600),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tours_times_or_interval check (num_nonnulls(times, every_minutes) = 1),
  -- Shifts of other posts begin at other times.
  constraint tours_intervals_are_of_a_post check (every_minutes is null or post_id is not null),
  -- So that a scan belongs to one round.
  constraint tours_do_not_overlap check (every_minutes >= (2 * tolerance_minutes))
);
comment on column public.tours.post_id is 'Null: for every guard at the site';
comment on column public.tours.times is 'Local time at the site; null for a round every so many minutes of a shift';
comment on column public.tours.checkpoints is 'Ids, in the order in which they are visited';
comment on column public.tours.tolerance_minutes
  is 'A round may begin so long before its time and end so long after it';
comment on column public.tours.min_seconds is 'A scan sooner than this after the one before is flagged';
create index tours_site_id_idx on public.tours (site_id);
create index tours_post_id_idx on public.tours (post_id);
alter table public.tours replica identity full;
alter publication supabase_realtime add table public.tours;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.tours', 'name');
create trigger b_check before insert or update on public.tours for each row execute function private.check_tour();
create trigger d_touch before update on public.tours for each row execute function private.touch();
select private.keep_history_of('public.tours');
alter table public.tours enable row level security;
grant select, insert, update, delete on public.tours to authenticated;
create policy "Planners read the tours of their sites" on public.tours
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
select private.add_overseer_policies('public.tours', 'tours');

-- What was scanned, whatever was wrong with it. Written by record_scans alone.
create table public.checkpoint_scans (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references public.profiles on delete cascade,
  checkpoint_id uuid references public.checkpoints on delete set null,
  assignment_id uuid references public.assignments on delete set null,
  tour_id uuid references public.tours on delete set null,
  tour_at timestamptz,
  site_id uuid references public.sites on delete cascade,
  code text not null check (char_length(code) <= 64),
  way text not null check (way in ('camera', 'nfc', 'typed')),
  scanned_at timestamptz not null,
  device_at timestamptz not null,
  received_at timestamptz not null default now(),
  gps text check (private.is_position(gps)),
  accuracy_m real check (accuracy_m >= 0::double precision),
  distance_m integer,
  flags text[] not null default '{}'
    check (flags <@ array['too_far', 'too_early', 'out_of_order', 'unknown_code', 'no_shift'])
);
comment on column public.checkpoint_scans.checkpoint_id is 'Null for an unknown code';
comment on column public.checkpoint_scans.tour_at is 'The planned time of the round that the scan belongs to';
comment on column public.checkpoint_scans.site_id is 'Of the checkpoint, or of the guard''s shift';
comment on column public.checkpoint_scans.code is 'As it was read';
comment on column public.checkpoint_scans.scanned_at is 'By the device''s clock, corrected; never in the future';
create index checkpoint_scans_site_id_idx on public.checkpoint_scans (site_id, scanned_at);
create index checkpoint_scans_tour_id_idx on public.checkpoint_scans (tour_id, tour_at);
create index checkpoint_scans_user_id_idx on public.checkpoint_scans (user_id, scanned_at);
create index checkpoint_scans_checkpoint_id_idx on public.checkpoint_scans (checkpoint_id);
create index checkpoint_scans_assignment_id_idx on public.checkpoint_scans (assignment_id);
create index checkpoint_scans_positions_idx on public.checkpoint_scans (scanned_at) where gps is not null;
alter table public.checkpoint_scans replica identity full;
alter publication supabase_realtime add table public.checkpoint_scans;
select private.keep_history_of('public.checkpoint_scans');
alter table public.checkpoint_scans enable row level security;
grant select on public.checkpoint_scans to authenticated;
create policy "Planners read the scans at their sites" on public.checkpoint_scans
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read their own scans" on public.checkpoint_scans
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- What one guard leaves for the next at a post: notes, and the equipment that is handed over.
create table public.handover_notes (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  post_id uuid references public.posts on delete set null,
  assignment_id uuid references public.assignments on delete set null,
  user_id uuid not null references public.profiles on delete cascade,
  note text not null check (char_length(note) <= 1000),
  written_at timestamptz not null,
  received_at timestamptz not null default now()
);
comment on column public.handover_notes.written_at is 'By the device''s clock, corrected; never in the future';
create index handover_notes_site_id_idx on public.handover_notes (site_id, written_at);
create index handover_notes_post_id_idx on public.handover_notes (post_id);
create index handover_notes_assignment_id_idx on public.handover_notes (assignment_id);
create index handover_notes_user_id_idx on public.handover_notes (user_id);
create index handover_notes_written_at_idx on public.handover_notes (written_at);
alter table public.handover_notes replica identity full;
alter publication supabase_realtime add table public.handover_notes;
select private.keep_history_of('public.handover_notes');
alter table public.handover_notes enable row level security;
grant select on public.handover_notes to authenticated;
create policy "Planners read the handover notes of their sites" on public.handover_notes
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the handover notes of sites they are assigned to" on public.handover_notes
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));

-- A guard took over what belongs to the post, or left it at the end, and what of it was missing or damaged.
create table public.handovers (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  post_id uuid references public.posts on delete set null,
  assignment_id uuid references public.assignments on delete set null,
  user_id uuid not null references public.profiles on delete cascade,
  ticks jsonb not null check (private.are_ticks(ticks)),
  missing text check (char_length(missing) <= 1000),
  taken_at timestamptz not null,
  received_at timestamptz not null default now(),
  side text not null default 'taken' check (side in ('taken', 'left')),
  damaged text check (char_length(damaged) <= 1000)
);
comment on column public.handovers.side is 'Taken over from the guard before, or left for the next one';
comment on column public.handovers.taken_at is 'When it was counted';
comment on column public.handovers.damaged is 'Derived: the names of what was damaged, and how';
comment on column public.handovers.missing is 'Derived: the names of what was missing';
create index handovers_site_id_idx on public.handovers (site_id, taken_at);
create index handovers_post_id_idx on public.handovers (post_id);
create index handovers_assignment_id_idx on public.handovers (assignment_id);
create index handovers_user_id_idx on public.handovers (user_id);
alter table public.handovers replica identity full;
alter publication supabase_realtime add table public.handovers;
select private.keep_history_of('public.handovers');
alter table public.handovers enable row level security;
grant select on public.handovers to authenticated;
create policy "Planners read the handovers at their sites" on public.handovers
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the handovers at sites they are assigned to" on public.handovers
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));

-- The running log of the control room. What is pinned is for the next watch. A note stays as it was written.
create table public.room_notes (
  id uuid default gen_random_uuid() primary key,
  body text not null check (char_length(body) <= 2000),
  is_pinned boolean not null default false,
  site_id uuid references public.sites on delete set null, -- Null: about no site, or about several.
  created_by uuid references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index room_notes_created_at_idx on public.room_notes (created_at desc);
create index room_notes_pinned_idx on public.room_notes (created_at desc) where is_pinned;
create index room_notes_site_id_idx on public.room_notes (site_id, created_at desc);
create index room_notes_created_by_idx on public.room_notes (created_by);
alter table public.room_notes replica identity full;
alter publication supabase_realtime add table public.room_notes;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.room_notes', 'body');
create trigger b_author before insert or update on public.room_notes
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.room_notes for each row execute function private.touch();
select private.keep_history_of('public.room_notes');
alter table public.room_notes enable row level security;
grant select, insert, update (is_pinned) on public.room_notes to authenticated;
create policy "Planners read every room note" on public.room_notes
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read room notes about their own sites" on public.room_notes
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Planners write room notes" on public.room_notes
  for insert to authenticated
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors write room notes about their own sites" on public.room_notes
  for insert to authenticated with check (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Planners pin room notes" on public.room_notes
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')))
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors pin room notes about their own sites" on public.room_notes
  for update to authenticated
  using (site_id = any ((select private.supervised_sites())::uuid[]))
  with check (site_id = any ((select private.supervised_sites())::uuid[]));

-- ── Functions ─────────────────────────────────────────────────────────

create function private.check_tour() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.post_id is not null then
    select p.site_id into new.site_id from public.posts p where p.id = new.post_id;
  end if;
  if (select count(distinct c.id) from public.checkpoints c
      where c.id = any (new.checkpoints) and c.site_id = new.site_id) <> cardinality(new.checkpoints) then
    raise exception 'A tour visits checkpoints of its own site, each once.' using errcode = 'check_violation';
  end if;
  if exists (
    select from unnest(new.times) with ordinality a (at, n), unnest(new.times) with ordinality b (at, n)
    where a.n <> b.n and abs(extract(epoch from a.at - b.at)) < new.tolerance_minutes * 120
  ) then
    raise exception 'The times of a tour must be at least twice its tolerance apart.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- The 31 characters of codes, none of which looks like another. 31 is prime: the check character finds each wrong
-- character and each swap. web/features/operations/patrols/guard/code.ts computes the same.
create function private.code_alphabet() returns text
language sql immutable set search_path = '' return '0123456789ABCDEFGHJKMNPQRTVWXYZ';

create function private.check_character(p_code text) returns text
language sql immutable set search_path = ''
return (
  select substr(private.code_alphabet(),
    1 + (sum(n * (strpos(private.code_alphabet(), substr(p_code, n, 1)) - 1)) % 31)::integer, 1)
  from generate_series(1, 7) n
);

create function private.derive_checkpoint_code() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    new.site_id := old.site_id;
    new.number := old.number;
    new.code_secret := old.code_secret;
    return new;
  end if;
  -- A deleted checkpoint that is restored keeps the code of its label.
  if new.code_secret = left(new.code_secret, 7) || private.check_character(new.code_secret)
    and left(new.code_secret, 2) = lpad(new.number::text, 2, '0')
  then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('checkpoints ' || new.site_id::text, 0));
  select min(n) into new.number from generate_series(1, 99) n
  where not exists (select from public.checkpoints c where c.site_id = new.site_id and c.number = n);
  if new.number is null then
    raise exception 'A site has at most 99 checkpoints.' using errcode = 'check_violation';
  end if;
  new.code_secret := lpad(new.number::text, 2, '0') || (
    select string_agg(substr(private.code_alphabet(), 1 + get_byte(b.bytes, n) % 31, 1), '')
    from (select extensions.gen_random_bytes(5) as bytes) b, generate_series(0, 4) n
  );
  new.code_secret := new.code_secret || private.check_character(new.code_secret);
  return new;
end
$$;

create function private.keep_toured_checkpoint() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Not when its site is deleted.
  if exists (select from public.tours t where t.site_id = old.site_id and old.id = any (t.checkpoints))
    and exists (select from public.sites s where s.id = old.site_id)
  then
    raise exception 'A tour visits this checkpoint. Take it out of the tour first.'
      using errcode = 'foreign_key_violation';
  end if;
  return old;
end
$$;

-- The six cards. Definer, because it counts staff for callers who may not read staff records. A supervisor scoped to a
-- site gets the figures of that site.
create function public.dashboard_figures()
returns table (
  todays_shifts integer, active_incidents integer, attendance_issues integer, expiring_certifications integer,
  active_staff integer, active_sites integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  everywhere boolean := private.has_role('admin', 'ops_manager', 'supervisor');
  own_sites uuid[] := private.supervised_sites();
  today tstzrange := private.company_day(private.company_date());
begin
  if not everywhere and own_sites = '{}' then
    raise exception 'The dashboard is for admins, operations managers and supervisors.'
      using errcode = 'insufficient_privilege';
  end if;
  return query select
    (select count(*)::integer from public.shifts s
      where s.start_time >= lower(today) and s.start_time < upper(today)
        and (everywhere or s.site_id = any (own_sites))),
    (select count(*)::integer from public.incidents i
      where i.status in ('open', 'investigating') and (everywhere or i.site_id = any (own_sites))),
    (select count(*)::integer from public.assignments a
      where private.is_attendance_issue(a) and (everywhere or a.site_id = any (own_sites))),
    (select count(*)::integer from public.certifications c
      where c.expires_at >= now() and c.expires_at <= now() + make_interval(days => private.expiring_days())
        and (everywhere or exists (
          select from public.assignments a where a.user_id = c.user_id and a.site_id = any (own_sites)
        ))),
    (select count(*)::integer from public.staff s where s.status = 'active'),
    (select count(*)::integer from public.sites s where everywhere or s.id = any (own_sites));
end
$$;
grant execute on function public.dashboard_figures to authenticated;

-- The top of the dashboard in one call: coverage now and in the next hours. Runs as the caller, so a supervisor scoped
-- to a site gets that site. What waits for a decision is read from public.office_work; the columns about it are for the
-- pages of the release before, null if the caller's role does not decide it. The words are those of the operations
-- board (docs/glossary.md): each seat of a running shift is on post, late, missing, on the way, or uncovered. In gaps,
-- `missing` is what is uncovered, and `late` who is late or missing.
create function public.dashboard_start(p_hours integer default 12)
returns table (
  required integer, on_post integer, late integer, missing integer, uncovered integer, next_required integer,
  next_missing integer,
  gaps_now integer, gaps_next integer, gaps jsonb, leave_pending integer, leave_soon integer,
  attendance_to_review integer, forgotten_clock_outs integer, new_enquiries integer, expired_certificates integer,
  expiring_certificates integer, setup text
)
language plpgsql stable set search_path = '' as $$
declare
  ahead constant interval := make_interval(hours => least(greatest(coalesce(p_hours, 12), 1), 72));
  -- Rows of each list; the counts tell how many there are in all.
  shown constant integer := 6;
  earliest constant timestamptz := private.first_start(now());
  last_join constant timestamptz := private.last_join(now() + ahead);
  today constant date := private.company_date();
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher') and private.supervised_sites() = '{}' then
    raise exception 'Coverage is for those who plan shifts.' using errcode = 'insufficient_privilege';
  end if;

  with shift as materialized (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount as needed,
      s.start_time <= now() as is_running
    from public.shifts s
    where s.start_time >= earliest and s.start_time <= now() + ahead and s.end_time > now()
  ),
  work as materialized (
    -- An assignment starts with its shift, or later in it, when a replacement joins.
    select a.shift_id, count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.attendance_state = 'in')::integer as present,
      count(*) filter (where e.awaited <= now())::integer as late,
      count(*) filter (where e.awaited <= now() - make_interval(mins => t.alert_after_minutes))::integer as gone,
      -- On the way: replacements who join later.
      count(*) filter (where e.awaited > now())::integer as coming
    from public.assignments a
    join public.sites t on t.id = a.site_id
    cross join lateral (
      select case when a.counts_as_staffed and a.attendance_state = 'none'
        then private.expected_at(a.starts_at, a.created_at) end as awaited
    ) e
    where a.starts_at >= earliest and a.starts_at < last_join and upper(a.period) > now()
      and a.status <> 'cancelled'
    group by a.shift_id
  ),
  post as materialized (
    select s.*, coalesce(w.assigned, 0) as assigned, coalesce(w.present, 0) as present, coalesce(w.late, 0) as late,
      coalesce(w.gone, 0) as gone,
      greatest(s.needed - case when s.is_running then coalesce(w.present + w.late + w.coming, 0)
        else coalesce(w.assigned, 0) end, 0)
        as missing
    from shift s
    left join work w on w.shift_id = s.id
  ),
  gap as (
    select p.*, row_number() over (
      partition by p.is_running order by (p.missing > 0) desc, p.start_time, p.missing desc, p.id
    ) as place
    from post p
    where p.missing > 0 or p.is_running and p.late > 0
  ),
  listed as (
    select g.*, t.name as site_name, t.client_name, t.timezone, (
      select coalesce(jsonb_agg(coalesce(nullif(p.full_name, ''), p.email) order by p.full_name), '[]')
      from public.assignments a join public.profiles p on p.id = a.user_id
      where a.shift_id = g.id and g.is_running and a.counts_as_staffed and a.attendance_state = 'none'
        and private.expected_at(a.starts_at, a.created_at) <= now()
    ) as late_guards
    from gap g join public.sites t on t.id = g.site_id
    where g.place <= shown
  )
  select coalesce(sum(p.needed) filter (where p.is_running), 0),
    coalesce(sum(p.present) filter (where p.is_running), 0),
    coalesce(sum(p.late - p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.missing) filter (where p.is_running), 0),
    coalesce(sum(p.needed) filter (where not p.is_running), 0),
    coalesce(sum(p.missing) filter (where not p.is_running), 0),
    (select count(*) from gap g where g.is_running),
    (select count(*) from gap g where not g.is_running),
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'site_name', l.site_name, 'client_name', l.client_name, 'timezone', l.timezone,
        'start_time', l.start_time, 'end_time', l.end_time, 'is_running', l.is_running,
        'required', l.needed, 'missing', l.missing, 'late', l.late, 'late_guards', l.late_guards
      ) order by l.is_running desc, l.place), '[]')
      from listed l)
  into required, on_post, late, missing, uncovered, next_required, next_missing, gaps_now, gaps_next, gaps from post p;

  select count(*) into attendance_to_review from public.attendance r where r.needs_review;
  select count(*) into forgotten_clock_outs
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.clock_out_at is null and upper(a.period) <= now() - private.clock_out_grace();

  if private.has_role('admin', 'ops_manager') then
    select count(*), count(*) filter (where l.start_date <= today + 3)
    into leave_pending, leave_soon from public.leave_requests l where l.status = 'pending';
    select count(*) into new_enquiries from public.contact_messages m where m.state = 'new';
    select count(*) filter (where c.expires_at < now()), count(*) filter (where c.expires_at >= now())
    into expired_certificates, expiring_certificates
    from public.certifications c where c.expires_at <= now() + make_interval(days => private.expiring_days());
  end if;
  setup := private.setup_phase();
  return next;
end
$$;
comment on function public.dashboard_start is 'Nullable: leave_pending, leave_soon, new_enquiries, '
  'expired_certificates, expiring_certificates, setup';
grant execute on function public.dashboard_start to authenticated;

-- The guards of running shifts, and those that begin within an hour, at the sites that the caller oversees.
create function public.muster_list()
returns table (
  assignment_id uuid, user_id uuid, guard_name text, role_at_shift text, site_id uuid, site_name text, timezone text,
  start_time timestamptz, end_time timestamptz, attendance_state text, clock_in_at timestamptz, clock_in_way text,
  is_absent boolean, shift_id uuid, post_name text
)
language sql stable security definer set search_path = '' as $$
  select a.id, a.user_id, coalesce(nullif(p.full_name, ''), p.email, ''), a.role_at_shift, s.id, s.name, s.timezone,
    a.starts_at, upper(a.period), a.attendance_state, r.clock_in_at, r.clock_in_way, a.status = 'no_show', a.shift_id,
    o.name
  from public.assignments a
  join public.sites s on s.id = a.site_id
  join public.shifts d on d.id = a.shift_id
  left join public.posts o on o.id = d.post_id
  join public.profiles p on p.id = a.user_id
  left join lateral (
    select * from public.attendance r where r.assignment_id = a.id order by r.clock_in_at desc limit 1
  ) r on true
  where a.status <> 'cancelled' and a.user_id <> auth.uid()
    and a.starts_at between now() - interval '24 hours' and now() + interval '1 hour' and upper(a.period) > now()
    and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or a.site_id = any ((select private.supervised_sites())::uuid[])
    )
  order by s.name, s.id, 3, a.id limit 1000;
$$;
comment on function public.muster_list is 'Nullable: role_at_shift, clock_in_at, clock_in_way, post_name';
grant execute on function public.muster_list to authenticated;

-- For the caller's running or next shift, and for two hours after a clock-out that waits for its handover: notes of
-- the last three days at the post, its equipment, how the guard before left it, and whether the caller has taken it
-- over or left it.
create function public.my_handover()
returns table (
  assignment_id uuid, site_name text, post_name text, notes jsonb, equipment jsonb, taken_at timestamptz,
  left_at timestamptz, is_over boolean, found jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  return query
    select a.id, t.name, p.name, coalesce((
        select jsonb_agg(jsonb_build_object('id', n.id, 'note', n.note, 'written_at', n.written_at,
          'guard', private.name_of_person(n.user_id)) order by n.written_at desc)
        from (
          select * from public.handover_notes w
          where w.site_id = s.site_id and (w.post_id is null or s.post_id is null or w.post_id = s.post_id)
            and w.written_at > now() - interval '3 days'
          order by w.written_at desc limit 30
        ) n
      ), '[]'), coalesce((
        select jsonb_agg(jsonb_build_object('id', e.id, 'name', e.name, 'serial', e.serial, 'quantity', e.quantity)
          order by e.name, e.id)
        from (
          select * from public.equipment w
          where w.site_id = s.site_id and (w.post_id is null or w.post_id = s.post_id)
          order by w.name, w.id limit 200
        ) e
      ), '[]'), (select max(h.taken_at) from public.handovers h where h.assignment_id = a.id and h.side = 'taken'),
      own.left_at, a.attendance_state = 'out', (
        select jsonb_build_object('guard', private.name_of_person(h.user_id), 'at', h.taken_at, 'ticks', h.ticks)
        from public.handovers h
        where h.site_id = s.site_id and h.post_id is not distinct from s.post_id and h.side = 'left'
          and h.user_id <> auth.uid() and h.taken_at > now() - interval '3 days'
        order by h.taken_at desc limit 1
      )
    from public.assignments a
    join public.shifts s on s.id = a.shift_id
    join public.sites t on t.id = s.site_id
    left join public.posts p on p.id = s.post_id
    cross join lateral (
      select max(h.taken_at) from public.handovers h where h.assignment_id = a.id and h.side = 'left'
    ) own (left_at)
    where a.user_id = auth.uid() and a.status not in ('cancelled', 'no_show') and case a.attendance_state
      when 'in' then true
      when 'out' then own.left_at is null and exists (
        select from public.attendance t where t.assignment_id = a.id and t.clock_out_at > now() - interval '2 hours'
      )
      else s.end_time > now() and s.start_time < now() + interval '14 hours' end
    order by a.attendance_state = 'in' desc, a.attendance_state = 'out' desc, s.start_time limit 1;
end
$$;
comment on function public.my_handover is 'Nullable: post_name, taken_at, left_at, found';
grant execute on function public.my_handover to authenticated;

-- The rounds due in a period, within shifts that have a guard. Half open: p_to is not included.
create function private.tour_rounds(p_from timestamptz, p_to timestamptz, p_sites uuid[] default null)
returns table (
  tour_id uuid, site_id uuid, shift_id uuid, due_at timestamptz, opens_at timestamptz, finish_by timestamptz
)
language sql stable security definer set search_path = '' as $$
  select distinct on (t.id, round.at) t.id, t.site_id, s.id, round.at,
    round.at - make_interval(mins => t.tolerance_minutes), round.at + make_interval(mins => t.tolerance_minutes)
  from public.tours t
  join public.sites place on place.id = t.site_id
  join public.shifts s on s.site_id = t.site_id and (t.post_id is null or s.post_id = t.post_id)
    and s.start_time < p_to and s.end_time > p_from
  cross join lateral (
    select s.start_time + n * make_interval(mins => t.every_minutes)
    from generate_series(1, 48) n where t.every_minutes is not null
    union all
    select (d.day::date + o.at) at time zone place.timezone
    from generate_series(
      (s.start_time at time zone place.timezone)::date, (s.end_time at time zone place.timezone)::date, interval '1 day'
    ) d (day), unnest(t.times) o (at)
  ) round (at)
  where t.is_active and (p_sites is null or t.site_id = any (p_sites))
    and round.at >= s.start_time and round.at < s.end_time and round.at >= p_from and round.at < p_to
    and exists (select from public.assignments a where a.shift_id = s.id and a.status not in ('cancelled', 'no_show'))
  order by t.id, round.at, s.start_time, s.id;
$$;

-- The rounds of the caller's running and next shift. Phones never receive the codes.
create function public.my_tours()
returns table (
  tour_id uuid, name text, site_name text, timezone text, due_at timestamptz, opens_at timestamptz,
  finish_by timestamptz, points jsonb
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  perform private.require_member();
  return query
    select r.tour_id, t.name, place.name, place.timezone, r.due_at, r.opens_at, r.finish_by, (
      select jsonb_agg(jsonb_build_object('id', c.id, 'number', c.number, 'name', c.name, 'scanned_at', (
        select min(done.scanned_at) from public.checkpoint_scans done
        where done.tour_id = r.tour_id and done.tour_at = r.due_at and done.checkpoint_id = c.id
      )) order by o.place)
      from unnest(t.checkpoints) with ordinality o (id, place) join public.checkpoints c on c.id = o.id
    )
    from private.tour_rounds(now() - interval '4 hours', now() + interval '16 hours', private.assigned_sites()) r
    join public.tours t on t.id = r.tour_id
    join public.sites place on place.id = r.site_id
    where exists (
      select from public.assignments a join public.shifts s on s.id = a.shift_id
      where a.user_id = auth.uid() and a.status not in ('cancelled', 'no_show') and s.site_id = r.site_id
        and (t.post_id is null or s.post_id = t.post_id) and r.due_at >= s.start_time and r.due_at < s.end_time
        -- A guard who has clocked out walks no more rounds.
        and a.attendance_state <> 'out' and (s.end_time > now() or a.attendance_state = 'in')
    )
    order by r.due_at, t.name limit 60;
end
$$;
grant execute on function public.my_tours to authenticated;

-- The seats with an open SOS, or whose guard is silent. No fixed search path, so that the planner can inline it.
create function private.alarmed_seats()
returns table (assignment_id uuid, shift_id uuid, is_sos boolean, is_silent boolean)
language sql stable as $$
  select l.assignment_id, l.shift_id, bool_or(l.kind = 'sos') as is_sos,
    bool_or(l.kind in ('welfare', 'no_signal')) as is_silent
  from public.alerts l
  where l.closed_at is null and l.assignment_id is not null and l.kind in ('sos', 'welfare', 'no_signal')
  group by 1, 2;
$$;

-- The posts whose guards' names match one of the patterns, with these names. No fixed search path: as alarmed_seats.
create function private.posts_of_named_guards(p_begins timestamptz, p_ends timestamptz, p_patterns text[])
returns table (site_id uuid, post_id uuid, names text)
language sql stable as $$
  select s.site_id, s.post_id, string_agg(coalesce(nullif(f.full_name, ''), f.email), E'\n') as names
  from public.profiles f
  join public.assignments a on a.user_id = f.id
  join public.shifts s on s.id = a.shift_id
  where cardinality(p_patterns) > 0 and private.folded(coalesce(nullif(f.full_name, ''), f.email)) like any (p_patterns)
    and a.starts_at >= p_begins - interval '24 hours' and s.start_time < p_ends and upper(a.period) > p_begins
    and a.status <> 'cancelled'
  group by 1, 2;
$$;

-- The gravest state in which a post has seats; 10 without any. p_seats are counted by state, the gravest first.
create function private.gravity_of(p_seats integer[]) returns integer
language sql immutable as $$
  select case
    when p_seats[1] > 0 then 1 when p_seats[2] > 0 then 2 when p_seats[3] > 0 then 3 when p_seats[4] > 0 then 4
    when p_seats[5] > 0 then 5 when p_seats[6] > 0 then 6 when p_seats[7] > 0 then 7 when p_seats[8] > 0 then 8
    when p_seats[9] > 0 then 9
    else 10
  end;
$$;

-- The posts of a large company where something is expected now or within two hours, or an SOS is open: the shifts of
-- the gravest 200, how many seats are in each state, and how many posts match. What a seat's state is,
-- web/features/operations/board/seat-states.ts decides for what is shown; this is the same for seats that may not be.
create function private.gravest_posts(
  begins timestamptz, ends timestamptz, own_sites uuid[], wanted_state text, client text, supervisor text,
  counties text[], chosen_sites uuid[], words text
) returns table (shifts uuid[], counts jsonb, posts integer)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  shown constant integer := 200;
  -- By gravity, the gravest first.
  states constant text[] := '{sos,missing,empty,left_early,no_signal,late,unconfirmed,due,on_post}';
  wanted constant integer := array_position(states, wanted_state);
  soon constant timestamptz := now() + interval '2 hours';
  earliest constant timestamptz := private.first_start(now());
  last_join constant timestamptz := private.last_join(soon);
  patterns constant text[] := private.search_patterns(coalesce(words, ''));
begin
  return query
  with alarm as materialized (
    select l.assignment_id, l.shift_id, l.is_sos, l.is_silent from private.alarmed_seats() l
  ),
  site as materialized (
    select t.id, t.name, t.client_name, t.alert_after_minutes
    from public.sites t
    where (own_sites is null or t.id = any (own_sites)) and (chosen_sites is null or t.id = any (chosen_sites))
      and (client is null or t.client_name = client) and (counties is null or t.county = any (counties))
      and (supervisor is null or exists (
        select from private.site_supervisors b where b.site_id = t.id and b.name = supervisor
      ))
  ),
  shift as materialized (
    select s.id, s.site_id, s.post_id, s.end_time, s.required_headcount, true as is_current
    from public.shifts s
    where s.start_time >= earliest and s.start_time < soon and s.end_time > now()
    union all
    select s.id, s.site_id, s.post_id, s.end_time, s.required_headcount, false
    from public.shifts s
    where s.id in (select a.shift_id from alarm a where a.is_sos)
      and s.start_time < ends and s.end_time > begins and not (s.end_time > now() and s.start_time < soon)
  ),
  seat as materialized (
    select a.shift_id, a.id, a.attendance_state, a.status, private.expected_at(a.starts_at, a.created_at) as expected
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at < last_join and a.counts_as_staffed and upper(a.period) > now()
    union all
    select a.shift_id, a.id, a.attendance_state, a.status, private.expected_at(a.starts_at, a.created_at)
    from public.assignments a
    where a.shift_id in (select s.id from shift s where not s.is_current) and a.counts_as_staffed
  ),
  judged as materialized (
    select s.id, s.site_id, s.post_id, s.is_current, s.required_headcount, t.name, t.client_name,
      case
        when l.is_sos then 1
        when e.id is null or not s.is_current then null
        when e.attendance_state = 'out' then case when (
            select s.end_time - r.clock_out_at > private.early_leave_margin()
            from public.attendance r where r.assignment_id = e.id order by r.clock_in_at desc limit 1
          ) and (
            select count(*) from public.assignments o where o.shift_id = s.id and o.attendance_state = 'in'
              and o.status <> 'cancelled'
          ) < s.required_headcount then 4 end
        when e.attendance_state = 'in' then case when l.is_silent then 5 else 9 end
        when e.expected > now() then case when e.status = 'assigned' then 7 else 8 end
        when e.expected > now() - make_interval(mins => t.alert_after_minutes) then 6
        else 2
      end as state,
      s.is_current and e.attendance_state = 'in' as is_on_post,
      e.id as seat_id
    from shift s
    join site t on t.id = s.site_id
    left join seat e on e.shift_id = s.id
    left join alarm l on l.assignment_id = e.id
  ),
  counted as materialized (
    select j.site_id, j.post_id, j.name, j.client_name, j.id,
      count(*) filter (where j.state = 1)::integer as s1, count(*) filter (where j.state = 2)::integer as s2,
      case when j.is_current then greatest(j.required_headcount - count(j.seat_id), 0) else 0 end::integer as s3,
      count(*) filter (where j.state = 4)::integer as s4, count(*) filter (where j.state = 5)::integer as s5,
      count(*) filter (where j.state = 6)::integer as s6, count(*) filter (where j.state = 7)::integer as s7,
      count(*) filter (where j.state = 8)::integer as s8, count(*) filter (where j.is_on_post)::integer as s9
    from judged j
    group by j.id, j.site_id, j.post_id, j.name, j.client_name, j.is_current, j.required_headcount
  ),
  post as materialized (
    select c.site_id, c.post_id, c.name, c.client_name,
      array[sum(s1), sum(s2), sum(s3), sum(s4), sum(s5), sum(s6), sum(s7), sum(s8), sum(s9)]::integer[] as seats
    from counted c
    group by 1, 2, 3, 4
  ),
  guard as materialized (
    select g.site_id, g.post_id, g.names from private.posts_of_named_guards(begins, ends, patterns) g
  ),
  found as materialized (
    select p.site_id, p.post_id, p.name, p.seats
    from post p
    left join guard g on g.site_id = p.site_id and g.post_id is not distinct from p.post_id
    where cardinality(patterns) = 0 or private.folded(concat_ws(E'\n', p.name, p.client_name,
        (select o.name from public.posts o where o.id = p.post_id), g.names
      )) like all (patterns)
  ),
  matching as materialized (
    select f.site_id, f.post_id, f.name, private.gravity_of(f.seats) as gravity
    from found f
    where wanted is null or f.seats[wanted] > 0
  ),
  gravest as materialized (
    select m.site_id, m.post_id from matching m order by m.gravity, m.name, m.site_id, m.post_id limit shown
  )
  select array(
      select s.id
      from gravest g
      join public.shifts s on s.site_id = g.site_id and s.post_id is not distinct from g.post_id
      where s.start_time >= least(begins - interval '24 hours', earliest) and s.start_time < ends
        and s.end_time > begins
    ),
    (
      select jsonb_build_object(
        'sos', coalesce(sum(f.seats[1]), 0), 'missing', coalesce(sum(f.seats[2]), 0),
        'empty', coalesce(sum(f.seats[3]), 0), 'left_early', coalesce(sum(f.seats[4]), 0),
        'no_signal', coalesce(sum(f.seats[5]), 0), 'late', coalesce(sum(f.seats[6]), 0),
        'unconfirmed', coalesce(sum(f.seats[7]), 0), 'due', coalesce(sum(f.seats[8]), 0),
        'on_post', coalesce(sum(f.seats[9]), 0)
      )
      from found f
    ),
    (select count(*)::integer from matching m);
end
$$;

-- Sites and shifts of a board, with guards, attendance and open alerts.
create function private.board_of_shifts(chosen uuid[]) returns table (sites json, shifts json)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select (
    select coalesce(json_agg(json_build_object(
      'id', t.id, 'name', t.name, 'client', t.client_name, 'timezone', t.timezone, 'county', t.county,
      'latitude', t.latitude, 'longitude', t.longitude, 'alert_after_minutes', t.alert_after_minutes,
      'supervisors', array(
        select coalesce(nullif(p.full_name, ''), p.email)
        from public.user_roles r join public.profiles p on p.id = r.user_id
        where r.role = 'supervisor' and r.site_id = t.id
        order by 1
      )
    )), '[]')
    from public.sites t where t.id in (select s.site_id from public.shifts s where s.id = any (chosen))
  ), (
    select coalesce(json_agg(json_build_object(
      'id', s.id, 'site_id', s.site_id, 'post_id', s.post_id, 'post', o.name,
      'starts', s.start_time, 'ends', s.end_time, 'needed', s.required_headcount,
      'empty', greatest(s.required_headcount - work.staffed, 0), 'guards', work.guards,
      'alerts', (
        select coalesce(json_agg(json_build_object(
          'id', l.id, 'kind', l.kind, 'assignment_id', l.assignment_id
        ) order by l.raised_at), '[]')
        from public.alerts l where l.shift_id = s.id and l.closed_at is null
      )
    )), '[]')
    from public.shifts s
    left join public.posts o on o.id = s.post_id
    cross join lateral (
      select count(*) filter (where a.counts_as_staffed) as staffed,
        coalesce(json_agg(json_build_object(
          'assignment_id', a.id, 'user_id', a.user_id, 'name', coalesce(nullif(p.full_name, ''), p.email, ''),
          'phone', p.phone, 'role', a.role_at_shift, 'status', a.status, 'on_leave', a.on_leave,
          'expected', private.expected_at(a.starts_at, a.created_at),
          'joins', case when a.starts_at > s.start_time then a.starts_at end,
          'clock_in', r.clock_in_at, 'clock_out', r.clock_out_at,
          'way', coalesce(r.clock_out_way, r.clock_in_way),
          'late_minutes', coalesce(r.late_minutes, 0), 'early_minutes', coalesce(r.early_minutes, 0),
          'left_early', coalesce(s.end_time - r.clock_out_at > private.early_leave_margin(), false),
          'distance_m', coalesce(r.clock_out_distance_m, r.clock_in_distance_m), 'flags', coalesce(r.flags, '{}'),
          'heard', h.heard_at, 'waiting', coalesce(h.waiting, 0),
          'notice', (
            select json_build_object('kind', n.kind, 'said', public.said(n), 'at', n.said_at)
            from public.duty_notices n where n.assignment_id = a.id and public.is_open(n)
          )
        ) order by p.full_name, a.id), '[]') as guards
      from public.assignments a
      join public.profiles p on p.id = a.user_id
      -- A reopened or corrected assignment may have several records.
      left join lateral (
        select * from public.attendance r where r.assignment_id = a.id order by r.clock_in_at desc limit 1
      ) r on true
      left join private.phone_signals h
        on h.user_id = a.user_id and r.clock_out_at is null and h.heard_at >= r.clock_in_at
      where a.shift_id = s.id and a.status <> 'cancelled'
    ) work
    where s.id = any (chosen)
  );
end
$$;

-- The shifts that overlap a window, by default the last 12 and the next 2 hours, or the given ones: with post, site,
-- client, planned guards, their attendance and open alerts, in one answer. Callers who plan at most 200 sites get all
-- shifts of the window, whatever the filters; others get the gravest 200 posts that match, and `part`: the seats by
-- state, the posts that match, and what the filters can choose. p_q is searched in the names of site, client, post and
-- guards. Definer, because dispatchers can't read attendance and the roles are then checked once; it returns the sites
-- that the caller plans and nothing else.
create function public.operations_board(
  p_from timestamptz default null, p_to timestamptz default null, p_shift_ids uuid[] default null,
  p_state text default null, p_client text default null, p_supervisor text default null, p_counties text[] default null,
  p_sites uuid[] default null, p_q text default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  begins constant timestamptz := coalesce(p_from, now() - interval '12 hours');
  ends constant timestamptz := coalesce(p_to, now() + interval '2 hours');
  plans_all constant boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
  my_sites constant uuid[] := private.supervised_sites();
  most_sites constant integer := 200;
  chosen uuid[];
  part jsonb;
begin
  if not plans_all and my_sites = '{}' then
    raise exception 'The operations board is for planners.' using errcode = 'insufficient_privilege';
  end if;
  if not isfinite(begins) or not isfinite(ends) or ends - begins > interval '48 hours' then
    raise exception 'The window of the board must be at most 48 hours.' using errcode = 'invalid_parameter_value';
  end if;
  if cardinality(p_shift_ids) > 1000 then
    raise exception 'Ask for at most 1,000 shifts at once.' using errcode = 'invalid_parameter_value';
  end if;
  if greatest(cardinality(p_sites), cardinality(p_counties)) > 1000 then
    raise exception 'Choose at most 1,000 sites.' using errcode = 'invalid_parameter_value';
  end if;
  if greatest(length(p_client), length(p_supervisor), length(p_q)) > 300 then
    raise exception 'Search for at most 300 characters.' using errcode = 'invalid_parameter_value';
  end if;
  if p_shift_ids is not null then
    chosen := array(select s.id from public.shifts s where s.id = any (p_shift_ids));
  elsif cardinality(my_sites) > most_sites
    or plans_all and (select count(*) from (select from public.sites limit most_sites + 1) t) > most_sites
  then
    select g.shifts, jsonb_build_object('counts', g.counts, 'posts', g.posts) into chosen, part
    from private.gravest_posts(begins, ends, case when not plans_all then my_sites end, p_state, p_client, p_supervisor,
      p_counties, p_sites, p_q) g;
    part := part || (
      select jsonb_build_object(
        'clients', coalesce(jsonb_agg(distinct t.client_name) filter (where t.client_name is not null), '[]'),
        'counties', coalesce(jsonb_agg(distinct t.county) filter (where t.county is not null), '[]')
      )
      from public.sites t where plans_all or t.id = any (my_sites)
    ) || jsonb_build_object('supervisors', (
      select coalesce(jsonb_agg(distinct b.name), '[]') from private.site_supervisors b
      where plans_all or b.site_id = any (my_sites)
    ));
  else
    chosen := array(
      select s.id from public.shifts s
      where s.start_time >= begins - interval '24 hours' and s.start_time < ends and s.end_time > begins
      union all
      select s.id from public.shifts s
      where s.end_time - s.start_time > interval '24 hours' and s.end_time > begins
        and s.start_time < begins - interval '24 hours'
    );
  end if;
  if not plans_all then
    chosen := array(select s.id from public.shifts s where s.id = any (chosen) and s.site_id = any (my_sites));
  end if;
  return (
    select json_build_object('at', now(), 'sites', b.sites, 'shifts', b.shifts, 'part', part)
    from private.board_of_shifts(chosen) b
  );
end
$$;
grant execute on function public.operations_board to authenticated;

-- Clocks in a guard whom the caller sees at post. Safe to repeat. A guard who is clocked in already stays so.
create function public.record_muster(
  p_id uuid, p_assignment_id uuid, p_device_at timestamptz, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null, p_gps text default null, p_accuracy_m real default null,
  p_fix_age_s integer default null, p_photo text default null, p_kind text default 'in'
) returns public.clock_events
language plpgsql security definer set search_path = '' as $$
declare
  event public.clock_events;
  assignment public.assignments;
begin
  if p_kind is null or p_kind not in ('in', 'withdraw') then
    raise exception 'A muster is in or withdraw.' using errcode = 'invalid_parameter_value';
  end if;
  if not private.is_member() then
    -- 401, so that the phone keeps the event until the user has signed in fully.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  select * into assignment from public.assignments a where a.id = p_assignment_id;
  if assignment.id is null or not private.may_oversee(assignment.site_id) then
    raise exception 'You can muster only guards at your own sites.' using errcode = 'insufficient_privilege';
  end if;
  if assignment.user_id = auth.uid() then
    raise exception 'You can''t muster yourself.' using errcode = 'insufficient_privilege';
  end if;
  begin
    event := private.record_event_for(assignment.user_id, 'muster', auth.uid(), null, p_id, p_kind, p_assignment_id,
      p_device_at, null, p_sent_at, p_server_offset_ms, null, p_gps, p_accuracy_m, p_fix_age_s,
      case when p_kind = 'in' and p_gps is null then 'Mustered without a location' end);
  exception when unique_violation then
    if sqlerrm <> 'You are already clocked in.' then
      raise;
    end if;
    raise exception 'This guard is still clocked in on another shift.' using errcode = 'unique_violation';
  end;
  perform private.store_clock_photo(event.id, assignment.site_id, assignment.user_id, p_photo);
  return event;
end
$$;
grant execute on function public.record_muster to authenticated;

-- A number of a scan; null if it is none or out of range.
create function private.scan_number(entry jsonb, field text, lowest numeric, highest numeric) returns numeric
language sql immutable set search_path = ''
return case when jsonb_typeof(entry -> field) = 'number'
  and (entry ->> field)::numeric between lowest and highest then (entry ->> field)::numeric end;

-- A code as it is stored: without spaces and hyphens, with look-alike letters replaced.
create function private.tidy_code(p_code text) returns text
language sql immutable set search_path = ''
return translate(upper(regexp_replace(left(p_code, 200), '[^0-9A-Za-z]', '', 'g')), 'OILSU', '0115V');

-- The round that a scan belongs to: of the tour that the guard had open, else the nearest.
create function private.round_of_scan(p_checkpoint uuid, p_site uuid, p_at timestamptz, p_tour text)
returns table (tour_id uuid, due_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.tour_id, r.due_at
  from private.tour_rounds(p_at - interval '4 hours', p_at + interval '4 hours', array[p_site]) r
  join public.tours t on t.id = r.tour_id and p_checkpoint = any (t.checkpoints)
  where p_at between r.opens_at and r.finish_by
  order by r.tour_id::text = p_tour desc nulls last, abs(extract(epoch from r.due_at - p_at)), r.tour_id limit 1;
$$;

-- How many checkpoints of a round were scanned by somebody on a shift.
create function private.count_scanned_checkpoints(p_tour uuid, p_at timestamptz) returns integer
language sql stable security definer set search_path = '' as $$
  select count(distinct c.id)::integer
  from public.tours t
  join public.checkpoint_scans c on c.tour_id = t.id and c.tour_at = p_at
    and c.checkpoint_id = any (t.checkpoints) and not c.flags && array['unknown_code', 'no_shift']
  where t.id = p_tour;
$$;

create function private.tour_cause(p_tour uuid, p_at timestamptz) returns text
language sql immutable set search_path = '' return format('tour:%s:%s', p_tour, floor(extract(epoch from p_at)));

-- Stores scans in the order of the list, each once: {"id", "code", "way", "device_at", "offset_ms", "gps",
-- "accuracy_m",
-- "tour_id"}. None is refused for its content; what is wrong becomes a flag. Returns each with its flags.
create function public.record_scans(p_scans jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  entry jsonb;
  scan public.checkpoint_scans;
  point public.checkpoints;
  tour public.tours;
  result jsonb := '[]';
begin
  perform private.require_member();
  if p_scans is null or jsonb_typeof(p_scans) <> 'array' or jsonb_array_length(p_scans) not between 1 and 500 then
    raise exception 'Send a list of 1 to 500 scans.' using errcode = 'invalid_parameter_value';
  end if;
  -- One list per guard at a time, so that a repeat finds the first.
  perform pg_advisory_xact_lock(hashtextextended(me::text, 0));
  for entry in select e.value from jsonb_array_elements(p_scans) with ordinality e (value, place) order by e.place loop
    if jsonb_typeof(entry) <> 'object' or coalesce(entry ->> 'id', '') !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      or coalesce(entry ->> 'way', '') not in ('camera', 'nfc', 'typed') or coalesce(entry ->> 'code', '') = ''
      or entry ->> 'device_at' is null or isfinite((entry ->> 'device_at')::timestamptz) is false
    then
      raise exception 'A scan has an id, a code, a way and a time.' using errcode = 'invalid_parameter_value';
    end if;
    select * into scan from public.checkpoint_scans c where c.id = (entry ->> 'id')::uuid;
    if found then
      if scan.user_id <> me then
        raise exception 'This id belongs to another scan.' using errcode = 'unique_violation';
      end if;
      result := result || jsonb_build_object('id', scan.id, 'flags', scan.flags);
      continue;
    end if;
    tour := null;
    scan := null;
    scan.id := (entry ->> 'id')::uuid;
    scan.user_id := me;
    scan.code := left(entry ->> 'code', 64);
    scan.way := entry ->> 'way';
    scan.device_at := (entry ->> 'device_at')::timestamptz;
    scan.scanned_at := greatest(timestamptz '2000-01-01', least(now(), scan.device_at + make_interval(
      secs => coalesce(private.scan_number(entry, 'offset_ms', -1e12, 1e12), 0)::double precision / 1000)));
    scan.received_at := clock_timestamp();
    scan.gps := case when private.is_position(entry ->> 'gps') then entry ->> 'gps' end;
    scan.accuracy_m := private.scan_number(entry, 'accuracy_m', 0, 1e6);
    scan.flags := '{}';
    select * into point from public.checkpoints c where c.code_secret = private.tidy_code(entry ->> 'code');
    scan.checkpoint_id := point.id;
    select a.id, coalesce(point.site_id, a.site_id) into scan.assignment_id, scan.site_id
    from public.assignments a
    where a.user_id = me and a.status <> 'cancelled' and (point.id is null or a.site_id = point.site_id)
      and a.period && tstzrange(scan.scanned_at - interval '2 hours', scan.scanned_at + interval '1 hour', '[]')
    order by a.period @> scan.scanned_at desc, a.starts_at limit 1;
    scan.site_id := coalesce(scan.site_id, point.site_id);
    if scan.assignment_id is null then
      scan.flags := scan.flags || 'no_shift'::text;
    end if;
    if point.id is null then
      scan.flags := scan.flags || 'unknown_code'::text;
    else
      scan.distance_m := private.distance_m(scan.gps, point.latitude, point.longitude);
      -- Labels hang indoors, where positions are off.
      if scan.distance_m > 100 + coalesce(scan.accuracy_m, 0) then
        scan.flags := scan.flags || 'too_far'::text;
      end if;
      select r.tour_id, r.due_at into scan.tour_id, scan.tour_at
      from private.round_of_scan(point.id, point.site_id, scan.scanned_at, entry ->> 'tour_id') r;
      select * into tour from public.tours t where t.id = scan.tour_id;
      if exists (
        select from public.checkpoint_scans c where c.user_id = me and c.checkpoint_id <> point.id
          and c.scanned_at > scan.scanned_at - make_interval(secs => coalesce(tour.min_seconds, 5))
          and c.scanned_at <= scan.scanned_at
      ) then
        scan.flags := scan.flags || 'too_early'::text;
      end if;
      if exists (
        select from unnest(tour.checkpoints) with ordinality before (id, place)
        where before.place < array_position(tour.checkpoints, point.id) and not exists (
          select from public.checkpoint_scans c where c.tour_id = tour.id and c.tour_at = scan.tour_at
            and c.checkpoint_id = before.id and c.scanned_at <= scan.scanned_at
        )
      ) then
        scan.flags := scan.flags || 'out_of_order'::text;
      end if;
    end if;
    insert into public.checkpoint_scans select scan.*;
    if tour.id is not null
      and private.count_scanned_checkpoints(tour.id, scan.tour_at) = cardinality(tour.checkpoints)
    then
      perform private.close_alert(private.tour_cause(tour.id, scan.tour_at), 'answered',
        'All checkpoints were scanned in time. The scans arrived late.');
    end if;
    result := result || jsonb_build_object('id', scan.id, 'flags', scan.flags);
  end loop;
  return result;
end
$$;
grant execute on function public.record_scans to authenticated;

-- What was scanned on a day and belongs to no round that tours_of_day lists: between two rounds, with an unknown code,
-- or of a round whose tour or shift was changed since. Scans without a site are for planners of all sites.
create function public.scans_outside_rounds(p_day date, p_site_id uuid default null)
returns table (
  id uuid, checkpoint text, code text, guard text, site_name text, timezone text, scanned_at timestamptz,
  distance_m integer, flags text[]
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  plans_all constant boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
  sites uuid[];
  begins timestamptz;
  ends timestamptz;
begin
  if p_day is null or p_day not between '2000-01-01' and '2199-12-31' then
    raise exception 'Choose a day.' using errcode = 'invalid_parameter_value';
  end if;
  begins := private.company_midnight(p_day);
  ends := private.company_midnight(p_day + 1);
  sites := array(
    select t.id from public.sites t
    where (p_site_id is null or t.id = p_site_id) and (plans_all or private.may_plan(t.id))
  );
  return query
    with rounds as (
      -- A round is open for at most four hours before and after its time.
      select r.tour_id, r.due_at
      from private.tour_rounds(begins - interval '4 hours', ends + interval '4 hours', sites) r
    )
    select c.id, p.name, case when p.id is null then c.code end, private.name_of_person(c.user_id), t.name, t.timezone,
      c.scanned_at, c.distance_m, c.flags
    from public.checkpoint_scans c
    left join public.checkpoints p on p.id = c.checkpoint_id
    left join public.sites t on t.id = c.site_id
    where c.scanned_at >= begins and c.scanned_at < ends
      and (c.site_id = any (sites) or c.site_id is null and p_site_id is null and plans_all)
      and not exists (select from rounds r where r.tour_id = c.tour_id and r.due_at = c.tour_at)
    order by c.scanned_at, c.received_at limit 400;
end
$$;
comment on function public.scans_outside_rounds is 'Nullable: checkpoint, code, site_name, timezone, distance_m';
grant execute on function public.scans_outside_rounds to authenticated;

-- The caller's assignment, also a cancelled one: what a guard noted there must not get lost.
create function private.own_handover_place(p_assignment_id uuid) returns public.shifts
language plpgsql stable security definer set search_path = '' as $$
declare
  shift public.shifts;
begin
  perform private.require_member();
  select s.* into shift from public.assignments a join public.shifts s on s.id = a.shift_id
  where a.id = p_assignment_id and a.user_id = auth.uid();
  if not found then
    raise exception 'This shift is no longer yours.' using errcode = 'PT404';
  end if;
  return shift;
end
$$;

-- Whether ticks are a list of at most 200 objects such as {"equipment_id": "…", "name": "Radio", "has": true}, with how
-- many are there ("count") and what is broken ("damage") if that is known.
create function private.are_ticks(ticks jsonb) returns boolean
language sql immutable set search_path = ''
return case when jsonb_typeof(ticks) = 'array' and jsonb_array_length(ticks) between 1 and 200 then (
  select bool_and(
    jsonb_typeof(e) = 'object' and coalesce(e ->> 'equipment_id', '') ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    and jsonb_typeof(e -> 'name') = 'string' and char_length(e ->> 'name') between 1 and 250
    and jsonb_typeof(e -> 'has') = 'boolean'
    and (not e ? 'count' or jsonb_typeof(e -> 'count') = 'number' and e -> 'count' between '0' and '9999')
    and (not e ? 'damage' or jsonb_typeof(e -> 'damage') = 'string' and char_length(e ->> 'damage') between 1 and 200)
  ) is true
  from jsonb_array_elements(ticks) e
) else false end;

-- Stores what the caller took over or left at the end of the shift, once per id, and tells the site's planners what is
-- missing or damaged.
create function public.take_over(
  p_id uuid, p_assignment_id uuid, p_ticks jsonb, p_taken_at timestamptz default now(), p_side text default 'taken'
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts := private.own_handover_place(p_assignment_id);
  absent text;
  broken text;
begin
  if p_id is null or p_ticks is null or not private.are_ticks(p_ticks) or isfinite(p_taken_at) is false then
    raise exception 'A handover has a list of ticks and a time.' using errcode = 'invalid_parameter_value';
  end if;
  if p_side is null or p_side not in ('taken', 'left') then
    raise exception 'Equipment is taken or left.' using errcode = 'invalid_parameter_value';
  end if;
  select left(string_agg(concat(e.value ->> 'name', ' (' || (e.value ->> 'count') || ' there)'), ', ' order by e.place)
      filter (where not (e.value ->> 'has')::boolean), 1000),
    left(string_agg(concat_ws(': ', e.value ->> 'name', e.value ->> 'damage'), ', ' order by e.place)
      filter (where e.value ? 'damage'), 1000) into absent, broken
  from jsonb_array_elements(p_ticks) with ordinality e (value, place);
  insert into public.handovers (id, site_id, post_id, assignment_id, user_id, ticks, missing, taken_at, side, damaged)
  values (p_id, shift.site_id, shift.post_id, p_assignment_id, auth.uid(), p_ticks, absent,
    least(coalesce(p_taken_at, now()), now()), p_side, broken)
  on conflict (id) do nothing;
  if not exists (select from public.handovers h where h.id = p_id and h.user_id = auth.uid()) then
    raise exception 'This id belongs to another handover.' using errcode = 'unique_violation';
  end if;
  if absent is not null or broken is not null then
    perform private.notify_planners(shift.site_id, 'equipment',
      format('Equipment %s: %s', case when absent is null then 'damaged' else 'missing' end,
        (select t.name from public.sites t where t.id = shift.site_id)),
      concat_ws('. ',
        format('%s %s: ', private.name_of_person(auth.uid()),
          case p_side when 'taken' then 'did not find' else 'did not leave' end) || absent,
        case when absent is null then format('%s reports damage: ', private.name_of_person(auth.uid()))
          else 'Damaged: ' end || broken),
      '/admin/roster/posts/handovers?site=' || shift.site_id, 'equipment:' || p_id);
  end if;
  return p_id;
end
$$;
grant execute on function public.take_over to authenticated;

-- The rounds of a day at a site, or at all sites that the caller plans, with what was scanned.
create function public.tours_of_day(p_day date, p_site_id uuid default null)
returns table (
  tour_id uuid, name text, site_id uuid, site_name text, timezone text, due_at timestamptz, finish_by timestamptz,
  points integer, points_done integer, scans jsonb
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  sites uuid[];
begin
  if p_day is null or p_day not between '2000-01-01' and '2199-12-31' then
    raise exception 'Choose a day.' using errcode = 'invalid_parameter_value';
  end if;
  sites := array(
    select distinct t.site_id from public.tours t
    where (p_site_id is null or t.site_id = p_site_id) and private.may_plan(t.site_id)
  );
  return query
    select r.tour_id, t.name, t.site_id, place.name, place.timezone, r.due_at, r.finish_by,
      cardinality(t.checkpoints), private.count_scanned_checkpoints(t.id, r.due_at), coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'checkpoint', p.name, 'number', p.number,
          'guard', private.name_of_person(c.user_id), 'scanned_at', c.scanned_at, 'way', c.way,
          'distance_m', c.distance_m, 'flags', c.flags) order by c.scanned_at, c.received_at)
        from public.checkpoint_scans c left join public.checkpoints p on p.id = c.checkpoint_id
        where c.tour_id = r.tour_id and c.tour_at = r.due_at
      ), '[]')
    from private.tour_rounds(private.company_midnight(p_day), private.company_midnight(p_day + 1), sites) r
    join public.tours t on t.id = r.tour_id
    join public.sites place on place.id = r.site_id order by r.due_at, place.name, t.name limit 400;
end
$$;
grant execute on function public.tours_of_day to authenticated;

-- Alerts of rounds that were not finished in time. @returns how many are new
create function private.due_tours() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  raised uuid[] := array(
    select private.add_alert('tour', private.tour_cause(r.tour_id, r.due_at), r.site_id, r.shift_id, null, null,
      format('%s, due %s: %s of %s checkpoints scanned', t.name, private.time_text(r.due_at, place.timezone),
        private.count_scanned_checkpoints(t.id, r.due_at), cardinality(t.checkpoints)),
      r.finish_by)
    from private.tour_rounds(now() - interval '12 hours', now()) r
    join public.tours t on t.id = r.tour_id
    join public.sites place on place.id = r.site_id
    -- Not for rounds that were due before the tour was planned like this.
    where r.finish_by < now() and r.opens_at >= t.updated_at
      and not exists (select from public.alerts known where known.cause = private.tour_cause(r.tour_id, r.due_at))
      and private.count_scanned_checkpoints(t.id, r.due_at) < cardinality(t.checkpoints)
  );
begin
  raised := array_remove(raised, null);
  perform private.tell_of_alerts(raised);
  return cardinality(raised);
end
$$;

-- The caller's choices, and what is possible for them.
-- Whether the daily report is for this person.
create function private.gets_daily_report(p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.user_roles r where r.user_id = p_user and r.role in ('admin', 'ops_manager'));
$$;

-- Of shifts, incidents and alerts that began in the period.
create function private.report_facts(p_from timestamptz, p_to timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'from', p_from, 'to', p_to,
    'shifts', coverage.shifts, 'seats', coverage.seats, 'assigned', coverage.assigned, 'attended', coverage.attended,
    'late', coverage.late,
    'incidents', (
      select coalesce(jsonb_agg(jsonb_build_object('title', i.title, 'severity', i.severity, 'site', t.name,
        'at', i.created_at) order by i.created_at), '[]')
      from public.incidents i join public.sites t on t.id = i.site_id
      where i.created_at >= p_from and i.created_at < p_to
    ),
    'alerts', (
      select coalesce(jsonb_agg(jsonb_build_object('title', private.alert_title(a.kind), 'detail', a.detail,
        'site', t.name, 'at', a.raised_at, 'outcome', a.outcome,
        'acknowledged_after', private.minutes_between(a.raised_at, a.acknowledged_at),
        'closed_after', private.minutes_between(a.raised_at, a.closed_at)) order by a.raised_at, a.id), '[]')
      from public.alerts a join public.sites t on t.id = a.site_id
      where a.raised_at >= p_from and a.raised_at < p_to
    )
  )
  from (
    select count(*) as shifts, coalesce(sum(s.required_headcount), 0) as seats,
      coalesce(sum(work.assigned), 0) as assigned, coalesce(sum(work.attended), 0) as attended,
      coalesce(sum(work.late), 0) as late
    from public.shifts s
    cross join lateral (
      select count(*) filter (where a.counts_as_staffed) as assigned,
        count(*) filter (where a.attendance_state <> 'none') as attended,
        count(*) filter (where exists (
          select from public.attendance r where r.assignment_id = a.id and r.late_minutes > 0
        )) as late
      from public.assignments a where a.shift_id = s.id and a.status <> 'cancelled'
    ) work
    where s.start_time >= p_from and s.start_time < p_to
  ) coverage;
$$;

-- Queues the report of today for admins and operations managers who have not turned it off. @returns how many mails
create function private.queue_daily_report() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := private.company_date();
  until constant timestamptz := private.company_midnight(today) + interval '6 hours';
  mails integer;
begin
  if now() < until or exists (select from private.daily_reports r where r.day = today) then
    return 0;
  end if;
  insert into private.daily_reports (day, facts)
  select today, case when exists (select from private.daily_reports)
    then private.report_facts(until - interval '24 hours', until) end
  on conflict (day) do nothing;
  -- Without this, a server that lost the race would queue the mails too.
  if not found then
    return 0;
  end if;
  insert into private.daily_report_mails (day, user_id)
  select today, p.id
  from public.profiles p
  join auth.users a on a.id = p.id and a.deleted_at is null and (a.banned_until is null or a.banned_until <= now())
  left join private.notice_settings w on w.user_id = p.id
  join private.daily_reports d on d.day = today and d.facts is not null
  where private.gets_daily_report(p.id) and p.email is not null and coalesce(w.daily_report, true);
  get diagnostics mails = row_count;
  return mails;
end
$$;
