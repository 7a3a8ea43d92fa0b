-- Posts of a site, what they require, post orders, and the demand that they make.

-- ── Tables ────────────────────────────────────────────────────────────

-- What a guard may text instead of IN or OUT: the post's code, on a sign at the post. Numbered so that neighbours
-- don't have similar codes: 7919 has no common factor with 9000, so the first 9,000 differ.
create sequence private.post_codes;

-- A shift that requirements want, or have wanted: what expansion does with it.
create type private.demand_step as (
  step text, shift_id uuid, requirement_id uuid, post_id uuid, site_id uuid, slot integer, start_time timestamptz,
  end_time timestamptz, headcount integer
);

create table public.posts (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites,
  name text not null check (char_length(name) <= 100),
  headcount integer not null default 1 check (headcount between 1 and 100),
  gender text check (gender in ('female', 'male')),
  gender_reason text check (char_length(gender_reason) <= 500),
  lone_worker boolean not null default false,
  needs_induction boolean not null default false,
  valid_from date not null default private.company_date() check (valid_from between '1900-01-01' and '2199-12-31'),
  valid_to date check (valid_to between '1900-01-01' and '2199-12-31'),
  notes text check (char_length(notes) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  code text not null default private.next_post_code() unique check (code ~ '^P[0-9]{4,6}$'),
  constraint posts_end_not_before_start check (valid_to >= valid_from),
  constraint posts_name_a_lawful_reason check (gender is null or gender_reason is not null)
);
comment on column public.posts.gender_reason is 'Why the law allows a post for one gender only, such as searching '
  'visitors';
comment on column public.posts.valid_to is 'Last day, inclusive';
comment on column public.posts.code is 'What guards text to clock in or out at the post';
create unique index posts_name_key on public.posts (site_id, lower(name));
alter table public.posts replica identity full;
alter publication supabase_realtime add table public.posts;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.posts', 'name', 'gender_reason', 'notes');
create trigger c_demand before delete on public.posts for each row execute function private.remove_demand_of_post();
create trigger c_in_use before delete on public.posts
  for each row execute function private.refuse_while_used(
    'contract_posts', 'post_id', 'A contract bills this post, so it can''t be deleted. Give it an end date instead.',
    'invoice_lines', 'post_id', 'This post is on invoices, so it can''t be deleted.');
-- Lines of invoices have it after the site's.
create trigger c_printable before insert or update of name on public.posts
  for each row execute function private.refuse_unprintable('name');
create trigger c_stays before update on public.posts
  for each row when (new.site_id is distinct from old.site_id) execute function private.keep_post_site();
create trigger d_touch before update on public.posts for each row execute function private.touch();
create trigger demand_follows after update on public.posts
  for each row when ((old.valid_from, old.valid_to) is distinct from (new.valid_from, new.valid_to))
  execute function private.expand_changed_post();
create trigger welfare_checks_follow after update on public.posts
  for each row when (old.lone_worker <> new.lone_worker) execute function private.remake_welfare_checks();
select private.keep_history_of('public.posts');
alter table public.posts enable row level security;
grant select, insert, update, delete on public.posts to authenticated;
create policy "Planners and HR read the posts of their sites" on public.posts
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
select private.add_overseer_policies('public.posts', 'posts');
create policy "Guards read the posts they are assigned to" on public.posts
  for select to authenticated
  using (id in (select s.post_id from public.shifts s where s.id in (select private.assigned_shifts())));
create policy "Finance reads posts" on public.posts
  for select to authenticated using ((select private.has_role('finance')));

create table public.post_requirements (
  id uuid default gen_random_uuid() primary key,
  post_id uuid not null references public.posts on delete cascade,
  site_id uuid not null references public.sites,
  preset text check (char_length(preset) <= 50),
  cycle_days integer not null default 7 check (cycle_days between 1 and 56),
  valid_from date not null check (valid_from between '1900-01-01' and '2199-12-31'),
  valid_to date check (valid_to between '1900-01-01' and '2199-12-31'),
  slots jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint post_requirements_follow_each_other exclude
    using gist (post_id with =, daterange(valid_from, valid_to, '[]') with &&),
  constraint post_requirements_end_not_before_start check (valid_to >= valid_from),
  constraint post_requirements_have_slots check (private.are_slots(slots, cycle_days))
);
comment on column public.post_requirements.site_id is 'Derived: the site of the post';
comment on column public.post_requirements.preset is 'The pattern that was chosen; null for a cycle drawn by hand';
comment on column public.post_requirements.valid_from is 'Day 0 of the cycle';
comment on column public.post_requirements.valid_to is 'Last day, inclusive';
create index post_requirements_site_id_idx on public.post_requirements (site_id);
alter table public.post_requirements replica identity full;
alter publication supabase_realtime add table public.post_requirements;
-- Triggers, in the order in which they fire:
create trigger b_site before insert or update on public.post_requirements
  for each row execute function private.derive_post_site();
create trigger d_touch before update on public.post_requirements for each row execute function private.touch();
create trigger demand_follows_deletes after delete on public.post_requirements referencing old table as changed
  for each statement execute function private.expand_changed_requirements();
create trigger demand_follows_inserts after insert on public.post_requirements referencing new table as changed
  for each statement execute function private.expand_changed_requirements();
create trigger demand_follows_updates after update on public.post_requirements referencing new table as changed
  for each statement execute function private.expand_changed_requirements();
select private.keep_history_of('public.post_requirements');
alter table public.post_requirements enable row level security;
grant select, insert, update, delete on public.post_requirements to authenticated;
create policy "Planners and HR read the requirements of their sites" on public.post_requirements
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
select private.add_overseer_policies('public.post_requirements', 'requirements');

-- Shifts of a requirement that a planner deleted by hand: expansion does not make them again.
create table private.skipped_slots (
  requirement_id uuid not null references public.post_requirements on delete cascade,
  slot integer not null,
  start_time timestamptz not null,
  primary key (requirement_id, slot, start_time)
);
alter table private.skipped_slots enable row level security;

-- The company's calendar over the public holidays: a further holiday, or a public one on which work is as on any day.
create table public.company_holidays (
  id uuid default gen_random_uuid() primary key,
  day date not null unique check (day between '1900-01-01' and '2199-12-31'),
  name text not null check (char_length(name) <= 100),
  works boolean not null default false,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column public.company_holidays.works is 'A normal working day, although it is a public holiday';
create index company_holidays_created_by_idx on public.company_holidays (created_by);
alter publication supabase_realtime add table public.company_holidays;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.company_holidays', 'name');
create trigger b_author before insert or update on public.company_holidays
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.company_holidays for each row execute function private.touch();
create trigger y_locked before insert or update or delete on public.company_holidays
  for each row execute function private.keep_locked_holidays();
select private.keep_history_of('public.company_holidays');
create trigger time_follows after insert or update or delete on public.company_holidays
  for each statement execute function private.recompute_open_timesheets();
alter table public.company_holidays enable row level security;
grant select, insert, update, delete on public.company_holidays to authenticated;
create policy "Members read the company's holidays" on public.company_holidays
  for select to authenticated using ((select private.is_member()));
create policy "Admins and HR add holidays" on public.company_holidays
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Admins and HR change holidays" on public.company_holidays
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'hr')))
  with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Admins and HR delete holidays" on public.company_holidays
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));

-- What belongs to a site or a post: radios, torches, keys.
create table public.equipment (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  post_id uuid references public.posts on delete cascade,
  name text not null check (char_length(name) <= 100),
  serial text check (char_length(serial) <= 100),
  quantity integer not null default 1 check (quantity between 1 and 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column public.equipment.post_id is 'Null: for every post of the site';
create index equipment_site_id_idx on public.equipment (site_id);
create index equipment_post_id_idx on public.equipment (post_id);
alter table public.equipment replica identity full;
alter publication supabase_realtime add table public.equipment;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.equipment', 'name', 'serial');
create trigger b_site before insert or update on public.equipment
  for each row when (new.post_id is not null) execute function private.check_equipment_post();
create trigger d_touch before update on public.equipment for each row execute function private.touch();
select private.keep_history_of('public.equipment');
alter table public.equipment enable row level security;
grant select, insert, update, delete on public.equipment to authenticated;
create policy "Planners read the equipment of their sites" on public.equipment
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the equipment of sites they are assigned to" on public.equipment
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));
select private.add_overseer_policies('public.equipment', 'equipment');

-- The certificates that a guard needs at a post.
create table public.post_courses (
  id uuid default gen_random_uuid() primary key,
  post_id uuid not null references public.posts on delete cascade,
  course_id uuid not null references public.training_courses,
  site_id uuid not null references public.sites,
  unique (post_id, course_id)
);
comment on column public.post_courses.site_id is 'Derived: the site of the post';
create index post_courses_course_id_idx on public.post_courses (course_id);
create index post_courses_site_id_idx on public.post_courses (site_id);
alter table public.post_courses replica identity full;
alter publication supabase_realtime add table public.post_courses;
-- Triggers, in the order in which they fire:
create trigger b_site before insert or update on public.post_courses
  for each row execute function private.derive_post_site();
select private.keep_history_of('public.post_courses');
alter table public.post_courses enable row level security;
grant select, insert, delete on public.post_courses to authenticated;
create policy "Planners and HR read what posts of their sites need" on public.post_courses
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers add what posts need" on public.post_courses
  for insert to authenticated with check (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Overseers remove what posts need" on public.post_courses
  for delete to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

-- Post orders: what a guard has to know and do at a site, or at one post of it. A new version is a new row and the old
-- one stays, so that it is always known what a guard had confirmed.
create table public.post_orders (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  post_id uuid references public.posts on delete cascade,
  version integer not null default 1 check (version > 0),
  title text not null check (char_length(title) <= 100),
  body text not null check (char_length(body) <= 20000),
  valid_from date not null default private.company_date() check (valid_from between '1900-01-01' and '2199-12-31'),
  created_by uuid references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  constraint post_orders_versions unique nulls not distinct (site_id, post_id, version)
);
comment on column public.post_orders.post_id is 'Null for the orders of the whole site';
comment on column public.post_orders.version is 'Derived: one more than the newest of the same site and post';
comment on column public.post_orders.body is 'Plain text; lines that start with "# " are headings, with "- " points';
create index post_orders_post_id_idx on public.post_orders (post_id);
create index post_orders_created_by_idx on public.post_orders (created_by);
alter table public.post_orders replica identity full;
alter publication supabase_realtime add table public.post_orders;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.post_orders', 'title', 'body');
create trigger b_author before insert or update on public.post_orders
  for each row execute function private.stamp_author();
create trigger b_version before insert on public.post_orders
  for each row execute function private.derive_order_version();
select private.keep_history_of('public.post_orders');
alter table public.post_orders enable row level security;
grant select, insert on public.post_orders to authenticated;
create policy "Planners read the post orders of their sites" on public.post_orders
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the post orders of the sites they are assigned to" on public.post_orders
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));
create policy "Overseers write post orders" on public.post_orders
  for insert to authenticated with check (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

-- Who has confirmed that they read a version. Written by confirm_post_orders alone.
create table public.post_order_readings (
  id uuid default gen_random_uuid() primary key,
  order_id uuid not null references public.post_orders on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  site_id uuid not null references public.sites on delete cascade,
  read_at timestamptz not null check (isfinite(read_at)),
  received_at timestamptz not null default now(),
  unique (order_id, user_id)
);
comment on column public.post_order_readings.site_id is 'The site of the orders';
comment on column public.post_order_readings.read_at is 'By the device''s clock, corrected; never in the future';
create index post_order_readings_user_id_idx on public.post_order_readings (user_id);
create index post_order_readings_site_id_idx on public.post_order_readings (site_id);
alter table public.post_order_readings replica identity full;
alter publication supabase_realtime add table public.post_order_readings;
select private.keep_history_of('public.post_order_readings');
alter table public.post_order_readings enable row level security;
grant select on public.post_order_readings to authenticated;
create policy "Planners read who has read the orders of their sites" on public.post_order_readings
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read what they have confirmed" on public.post_order_readings
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- Public holidays of the country; the server writes them.
create table public.public_holidays (
  id uuid default gen_random_uuid() primary key,
  day date not null,
  name text not null check (char_length(name) <= 100),
  unique (day, name)
);
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.public_holidays');
create trigger time_follows after insert on public.public_holidays
  for each statement execute function private.recompute_open_timesheets();
alter table public.public_holidays enable row level security;
grant select on public.public_holidays to authenticated;
create policy "Members read public holidays" on public.public_holidays
  for select to authenticated using ((select private.is_member()));

-- The newest version of each site's and each post's orders, which may begin later.
create view public.newest_post_orders with (security_invoker = true) as
select distinct on (o.site_id, o.post_id) o.id, o.site_id, o.post_id, t.name as site_name, p.name as post_name,
  o.version, o.title, o.valid_from, o.created_at
from public.post_orders o
join public.sites t on t.id = o.site_id
left join public.posts p on p.id = o.post_id order by o.site_id, o.post_id, o.version desc;
select private.mark_never_null('public.newest_post_orders',
  'id', 'site_id', 'site_name', 'version', 'title', 'valid_from', 'created_at');
grant select on public.newest_post_orders to authenticated;

-- ── Functions ─────────────────────────────────────────────────────────

create function private.check_equipment_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select p.site_id into new.site_id from public.posts p where p.id = new.post_id;
  return new;
end
$$;

-- A shift that gets another post is checked like one that moves: each guard must fit what the new post asks for, but
-- for what was overridden or broken before.
create function private.check_guards_of_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  guard record;
  broken jsonb;
begin
  for guard in
    select a.user_id, a.overridden_rules, coalesce(nullif(p.full_name, ''), 'This guard') as name
    from public.assignments a join public.profiles p on p.id = a.user_id
    where a.shift_id = new.id and a.status <> 'cancelled'
    order by a.user_id
  loop
    select jsonb_agg(to_jsonb(e)) into broken from private.eligibility_problems(guard.user_id, new) e
    where not (e.can_override and e.rule = any (guard.overridden_rules)) and not exists (
      select from private.eligibility_problems(guard.user_id, old) o where o.rule = e.rule and o.message = e.message
    );
    if broken is not null then
      raise exception '% can''t work this shift: %.', guard.name,
        (select string_agg(b ->> 'message', '; ') from jsonb_array_elements(broken) b)
        using errcode = 'check_violation', detail = broken::text;
    end if;
  end loop;
  return null;
end
$$;

-- 'on' while expansion writes shifts: its changes are not changes by hand. 'held' while a function changes several
-- requirements and expands once at its end, so that shifts which both versions want are kept with their guards.
create function private.expansion_state() returns text
language sql stable set search_path = '' return coalesce(current_setting('roster.expansion', true), '');
grant execute on function private.expansion_state to authenticated;

-- The post of a shift is at its site. A restored shift takes its slot back, if the requirement still exists.
create function private.check_shift_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion_state() = 'on' then
    return new;
  end if;
  if not exists (select from public.posts p where p.id = new.post_id and p.site_id = new.site_id) then
    raise exception 'This post is not at the site of the shift.' using errcode = 'foreign_key_violation';
  end if;
  if new.requirement_id is not null and not exists (
    select from public.post_requirements r where r.id = new.requirement_id and r.post_id = new.post_id
  ) then
    new.requirement_id := null;
  end if;
  delete from private.skipped_slots k
  where k.requirement_id = new.requirement_id and k.slot = new.slot and k.start_time = new.start_time;
  return new;
end
$$;

create function private.derive_order_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.post_id is not null then
    select p.site_id into new.site_id from public.posts p where p.id = new.post_id;
  end if;
  -- Two planners who save at once get two versions.
  perform pg_advisory_xact_lock(hashtextextended('orders ' || coalesce(new.post_id, new.site_id)::text, 0));
  select coalesce(max(o.version), 0) + 1 into new.version from public.post_orders o
  where o.site_id = new.site_id and o.post_id is not distinct from new.post_id;
  return new;
end
$$;

-- The site of a post, so that the policies of what belongs to a post need no join of their own.
create function private.derive_post_site() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select p.site_id into new.site_id from public.posts p where p.id = new.post_id;
  return new;
end
$$;

-- What has to be done so that the shifts of these posts are those that their requirements ask for.
create function private.plan_demand(p_posts uuid[], p_from date, p_to date) returns setof private.demand_step
language sql stable set search_path = '' as $$
  with wanted as materialized (select * from private.wanted_shifts(p_posts, p_from, p_to)),
  existing as materialized (
    select s.id, s.requirement_id, s.post_id, s.slot, s.start_time, s.end_time, s.required_headcount,
      not s.is_manual and not exists (
        select from public.assignments a where a.shift_id = s.id and a.attendance_state <> 'none'
      ) as is_untouched
    from public.shifts s join public.sites t on t.id = s.site_id
    where s.post_id = any (p_posts) and s.slot is not null
      and s.start_time > greatest(now(), (p_from - 1)::timestamptz) and s.start_time < (p_to + 2)::timestamptz
      and (s.start_time at time zone t.timezone)::date between p_from and p_to
  ),
  same_slot as (
    select w.requirement_id, w.slot, w.start_time, e.id
    from wanted w join existing e
      on e.requirement_id = w.requirement_id and e.slot = w.slot and e.start_time = w.start_time
      and (e.end_time = w.end_time or not e.is_untouched)
  ),
  -- A new version of a requirement takes over the shifts of the old one that have the same times.
  same_time as (
    select w.requirement_id, w.slot, w.start_time, e.id
    from (
      select w.*, row_number() over (partition by w.post_id, w.start_time, w.end_time order by w.slot) as place
      from wanted w left join same_slot m using (requirement_id, slot, start_time) where m.id is null
    ) w
    join (
      select e.*, row_number() over (
        partition by e.post_id, e.start_time, e.end_time order by e.is_untouched, e.slot, e.id
      ) as place
      from existing e left join same_slot m on m.id = e.id where m.id is null
    ) e on e.post_id = w.post_id and e.start_time = w.start_time and e.end_time = w.end_time and e.place = w.place
  ),
  matched as materialized (select * from same_slot union all select * from same_time)
  select case
      when e.id is null then 'make'
      when e.is_untouched and (e.requirement_id, e.slot, e.required_headcount)
        is distinct from (w.requirement_id, w.slot, w.headcount) then 'change'
      else 'keep'
    end,
    e.id, w.requirement_id, w.post_id, w.site_id, w.slot, w.start_time, w.end_time, w.headcount
  from wanted w
  left join matched m using (requirement_id, slot, start_time)
  left join existing e on e.id = m.id
  where e.id is not null or not exists (
    select from private.skipped_slots k join public.post_requirements r on r.id = k.requirement_id
    where r.post_id = w.post_id and k.start_time = w.start_time
      and (k.requirement_id <> w.requirement_id or k.slot = w.slot)
  )
  union all
  select case when e.is_untouched then 'remove' else 'protect' end, e.id, e.requirement_id, e.post_id, null, e.slot,
    e.start_time, e.end_time, e.required_headcount
  from existing e left join matched m on m.id = e.id where m.id is null;
$$;

-- Makes, changes and removes shifts. One expansion at a time: two would see the same gaps. Returns counts, and the
-- removed shifts that had guards (the first 200).
create function private.expand_posts(p_posts uuid[], p_from date, p_to date) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  plan private.demand_step[];
  gone uuid[];
  was text := private.expansion_state();
  result jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended('expand demand', 0));
  plan := array(select s from private.plan_demand(p_posts, p_from, p_to) s);
  gone := array(select s.shift_id from unnest(plan) s where s.step = 'remove');
  select jsonb_build_object(
    'made', count(*) filter (where s.step = 'make'),
    'changed', count(*) filter (where s.step = 'change'),
    'kept', count(*) filter (where s.step = 'keep'),
    'protected', count(*) filter (where s.step = 'protect'),
    'removed', count(*) filter (where s.step = 'remove')
  ) into result from unnest(plan) s;
  result := result || jsonb_build_object('removed_shifts', coalesce((
    select jsonb_agg(jsonb_build_object('start_time', r.start_time, 'end_time', r.end_time, 'guards', r.guards)
      order by r.start_time)
    from (
      select s.start_time, s.end_time, g.guards
      from unnest(plan) s cross join private.guards_of_shift(s.shift_id) g (guards)
      where s.step = 'remove' and g.guards <> '{}'
      order by s.start_time limit 200
    ) r
  ), '[]'), 'guards', (
    select count(distinct a.user_id)
    from (
      select a.user_id from public.assignments a where a.shift_id = any (gone) and a.status <> 'cancelled'
      union all
      select c.user_id from public.roster_changes c where c.shift_id = any (gone) and c.change = 'assign'
    ) a
  ));
  perform private.notify_of_removed(gone);
  perform set_config('roster.expansion', 'on', true);
  delete from public.shifts s where s.id = any (gone);
  update public.shifts s
  set requirement_id = w.requirement_id, slot = w.slot, required_headcount = w.headcount
  from unnest(plan) w where w.step = 'change' and s.id = w.shift_id;
  insert into public.shifts
    (site_id, post_id, requirement_id, slot, start_time, end_time, required_headcount, is_manual)
  select w.site_id, w.post_id, w.requirement_id, w.slot, w.start_time, w.end_time, w.headcount, false
  from unnest(plan) w where w.step = 'make' order by w.start_time, w.site_id on conflict do nothing;
  perform set_config('roster.expansion', was, true);
  return result;
end
$$;

-- Days ahead for which shifts are made.
create function private.demand_horizon_days() returns integer language sql immutable set search_path = '' return 42;
grant execute on function private.demand_horizon_days to authenticated;

-- Expands for the horizon, and for as long as shifts have been made already.
create function private.expand_to_horizon(p_posts uuid[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.company_date();
  last date;
begin
  select max((s.start_time at time zone t.timezone)::date) into last
  from public.shifts s join public.sites t on t.id = s.site_id
  where s.post_id = any (p_posts) and s.start_time > now() and not s.is_manual;
  -- A zone may be a day behind the company's.
  return private.expand_posts(p_posts, today - 1, greatest(today + private.demand_horizon_days(), last));
end
$$;

create function private.expand_changed_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion_state() = '' then
    perform private.expand_to_horizon(array[new.id]);
  end if;
  return null;
end
$$;

create function private.expand_changed_requirements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion_state() = '' then
    perform private.expand_to_horizon(array(select distinct c.post_id from changed c
      join public.posts p on p.id = c.post_id));
  end if;
  return null;
end
$$;

-- A post can't move to another site while it has requirements or shifts: their history belongs to the old one.
create function private.keep_post_site() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  raise exception 'A post stays at its site. Add a post at the other site instead.' using errcode = 'check_violation';
end
$$;

-- A shift that a planner moves no longer belongs to its slot, and its slot stays empty.
create function private.mark_shift_manual() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion_state() = 'on' then
    return new;
  end if;
  new.is_manual := true;
  if (new.start_time, new.site_id) is distinct from (old.start_time, old.site_id) then
    insert into private.skipped_slots (requirement_id, slot, start_time)
    select old.requirement_id, old.slot, old.start_time where old.requirement_id is not null and old.slot is not null
    on conflict do nothing;
    new.requirement_id := null;
    if new.site_id <> old.site_id and new.post_id is not distinct from old.post_id then
      new.post_id := null;
      new.slot := null;
    end if;
  end if;
  return new;
end
$$;

create function private.skip_slot_of_deleted_shift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.expansion_state() <> 'on' then
    insert into private.skipped_slots (requirement_id, slot, start_time)
    select r.id, old.slot, old.start_time from public.post_requirements r where r.id = old.requirement_id
    on conflict do nothing;
  end if;
  return old;
end
$$;

-- Without its post nothing asks for a shift any more. Requirements go first, so that their shifts are found by the
-- post.
create function private.remove_demand_of_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.post_requirements r where r.post_id = old.id;
  return old;
end
$$;

-- Stores that the caller has read these orders, once each, whenever it arrives. Orders that are not theirs, or no
-- longer exist, are left out: a guard's phone must never get stuck on them. Returns how many are confirmed.
create function public.confirm_post_orders(p_order_ids uuid[], p_read_at timestamptz default now()) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  confirmed integer;
begin
  perform private.require_member();
  if p_order_ids is null or cardinality(p_order_ids) not between 1 and 100 or isfinite(p_read_at) is false then
    raise exception 'Name 1 to 100 orders and when they were read.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.post_order_readings (order_id, user_id, site_id, read_at)
  select o.id, auth.uid(), o.site_id, least(coalesce(p_read_at, now()), now())
  from public.post_orders o
  where o.id = any (p_order_ids) and o.site_id = any (private.assigned_sites())
  on conflict (order_id, user_id) do nothing;
  select count(*) into confirmed from public.post_order_readings r
  where r.order_id = any (p_order_ids) and r.user_id = auth.uid();
  return confirmed;
end
$$;
grant execute on function public.confirm_post_orders to authenticated;

-- For planners, and for the server every night. Without sites: all that the caller plans.
create function public.expand_demand(p_from date, p_to date, p_sites uuid[] default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  sites uuid[] := p_sites;
  is_everywhere boolean := auth.uid() is null or private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
begin
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'The last day must be at most 400 days after the first.' using errcode = 'invalid_parameter_value';
  end if;
  if cardinality(sites) > 5000 then
    raise exception 'Choose at most 5,000 sites.' using errcode = 'invalid_parameter_value';
  end if;
  if not is_everywhere then
    sites := coalesce(sites, private.supervised_sites());
    if sites = '{}' or not sites <@ private.supervised_sites() then
      raise exception 'You don''t plan the shifts of these sites.' using errcode = 'insufficient_privilege';
    end if;
  end if;
  return private.expand_posts(
    array(select p.id from public.posts p where sites is null or p.site_id = any (sites)), p_from, p_to
  ) - 'removed_shifts';
end
$$;
grant execute on function public.expand_demand to authenticated, service_role;

-- The orders in force on a day: of the whole site and of the post.
create function private.orders_in_force(p_site uuid, p_post uuid, p_day date) returns setof public.post_orders
language sql stable security definer set search_path = '' as $$
  select o.* from public.post_orders o
  where o.site_id = p_site and (o.post_id is null or o.post_id = p_post) and o.valid_from <= p_day
    and not exists (
      select from public.post_orders later
      where later.site_id = o.site_id and later.post_id is not distinct from o.post_id
        and later.version > o.version and later.valid_from <= p_day
    );
$$;

-- Starts from the guard's own assignments; the planner started from all shifts.
create function public.my_post_orders()
returns table (
  assignment_id uuid, order_id uuid, site_name text, post_name text, version integer, title text, body text,
  valid_from date, read_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare
  earliest constant timestamptz := private.first_start(now());
begin
  perform private.require_member();
  return query
    with own as materialized (
      select a.* from public.assignments a
      where a.user_id = auth.uid() and a.status <> 'cancelled' and a.starts_at < now() + interval '4 days'
        and (a.starts_at >= earliest or a.attendance_state = 'in')
    )
    select a.id, o.id, t.name, p.name, o.version, o.title, o.body, o.valid_from, r.read_at
    from own a
    join public.shifts s on s.id = a.shift_id
    join public.sites t on t.id = s.site_id
    cross join lateral private.orders_in_force(
      s.site_id, s.post_id, (greatest(s.start_time, now()) at time zone t.timezone)::date) o
    left join public.posts p on p.id = o.post_id
    left join public.post_order_readings r on r.order_id = o.id and r.user_id = a.user_id
    where s.end_time > now() or a.attendance_state = 'in' order by s.start_time, o.post_id is not null limit 20;
end
$$;
comment on function public.my_post_orders is 'Nullable: post_name, read_at';
grant execute on function public.my_post_orders to authenticated;

-- The guards who have had or will have a shift under this version, from 14 days ago to 14 days ahead, and who confirmed
-- it. `clocked_in_unread`: they clocked in at a time when they had not, on a shift that began under it.
create function public.post_order_readers(p_order_id uuid)
returns table ( user_id uuid, full_name text, read_at timestamptz, next_shift timestamptz, clocked_in_unread boolean )
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted public.post_orders;
begin
  select * into wanted from public.post_orders o where o.id = p_order_id;
  if not private.may_plan(wanted.site_id) then
    return;
  end if;
  return query
    select people.id, private.name_of_person(people.id), r.read_at, duty.next_shift,
      coalesce(duty.first_in < coalesce(r.read_at, 'infinity'), false)
    from (
      select a.user_id,
        min(s.start_time) filter (where s.end_time > now()) as next_shift,
        min(d.clock_in_at) as first_in
      from public.shifts s
      join public.sites t on t.id = s.site_id
      join public.assignments a on a.shift_id = s.id and a.status <> 'cancelled'
      left join public.attendance d on d.assignment_id = a.id and d.clock_in_at >= wanted.created_at
        and (s.start_time at time zone t.timezone)::date >= wanted.valid_from
      where s.site_id = wanted.site_id and (wanted.post_id is null or s.post_id = wanted.post_id)
        and s.start_time between now() - interval '14 days' and now() + interval '14 days'
        and exists (
          select from unnest(array[s.start_time, case when s.end_time > now()
            then greatest(s.start_time, now()) end]) at
          cross join lateral private.orders_in_force(s.site_id, s.post_id, (at at time zone t.timezone)::date) o
          where o.id = wanted.id
        )
      group by a.user_id
    ) duty
    full join (select * from public.post_order_readings known where known.order_id = wanted.id) r
      on r.user_id = duty.user_id
    join public.profiles people on people.id = coalesce(duty.user_id, r.user_id)
    order by r.read_at is not null, 2 limit 500;
end
$$;
comment on function public.post_order_readers is 'Nullable: read_at, next_shift';
grant execute on function public.post_order_readers to authenticated;

create function private.require_overseen_post(p_post uuid) returns void
language plpgsql stable set search_path = '' as $$
declare
  site uuid;
begin
  select p.site_id into site from public.posts p where p.id = p_post;
  if not found then
    raise exception 'This post no longer exists.' using errcode = 'PT404';
  end if;
  if not private.may_oversee(site) then
    raise exception 'You can''t change the posts of this site.' using errcode = 'insufficient_privilege';
  end if;
end
$$;
grant execute on function private.require_overseen_post to authenticated;

-- Definer, for callers who oversee the site: supervisors may change demand but not delete shifts themselves.
create function private.expand_own_post(p_post uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if not private.may_oversee((select p.site_id from public.posts p where p.id = p_post)) then
    raise exception 'You can''t change the posts of this site.' using errcode = 'insufficient_privilege';
  end if;
  return private.expand_to_horizon(array[p_post]);
end
$$;
grant execute on function private.expand_own_post to authenticated;

-- Removes a post, its requirements and the future shifts that they asked for. Past shifts stay.
create function public.remove_post(p_post_id uuid, p_preview boolean default false) returns jsonb
language plpgsql set search_path = '' as $$
declare
  result jsonb;
begin
  begin
    perform private.require_overseen_post(p_post_id);
    perform set_config('roster.expansion', 'held', true);
    delete from public.post_requirements r where r.post_id = p_post_id;
    result := private.expand_own_post(p_post_id);
    delete from public.posts p where p.id = p_post_id;
    perform set_config('roster.expansion', '', true);
    if p_preview then
      raise exception 'preview' using errcode = 'RB001';
    end if;
  exception when sqlstate 'RB001' then
    null;
  end;
  return result;
end
$$;
grant execute on function public.remove_post to authenticated;

-- The slots of a requirement whose day 0 moves some days later, so that every day keeps its slots.
create function private.rotate_slots(p_slots jsonb, p_cycle_days integer, p_days integer) returns jsonb
language sql immutable set search_path = ''
return (
  select jsonb_agg(e || jsonb_build_object('day',
    ((e ->> 'day')::integer - p_days % p_cycle_days + p_cycle_days) % p_cycle_days)
    order by n)
  from jsonb_array_elements(p_slots) with ordinality slots (e, n)
);
grant execute on function private.rotate_slots to authenticated;

-- Makes room among the requirements of a post from a day to another (null: for good): what was valid before ends the
-- day before, and what was valid after goes on the day after.
create function private.clear_requirements(p_post uuid, p_from date, p_to date) returns void
language plpgsql set search_path = '' as $$
declare
  old public.post_requirements;
begin
  for old in
    select * from public.post_requirements r
    where r.post_id = p_post and daterange(r.valid_from, r.valid_to, '[]') && daterange(p_from, p_to, '[]')
    order by r.valid_from for update
  loop
    if old.valid_from < p_from then
      update public.post_requirements r set valid_to = p_from - 1 where r.id = old.id;
    elsif p_to is null or old.valid_to <= p_to then
      delete from public.post_requirements r where r.id = old.id;
    end if;
    if p_to is not null and (old.valid_to is null or old.valid_to > p_to) then
      old.slots := private.rotate_slots(old.slots, old.cycle_days, p_to + 1 - old.valid_from);
      if old.valid_from < p_from then
        insert into public.post_requirements (post_id, preset, cycle_days, valid_from, valid_to, slots)
        values (p_post, old.preset, old.cycle_days, p_to + 1, old.valid_to, old.slots);
      else
        update public.post_requirements r set valid_from = p_to + 1, slots = old.slots where r.id = old.id;
      end if;
    end if;
  end loop;
end
$$;
grant execute on function private.clear_requirements to authenticated;

-- Writes a requirement that is valid from its first day. One with the same first day is replaced and keeps its shifts.
-- Without a requirement: from p_from the post is no longer manned.
create function private.write_requirement(p_post uuid, p_requirement jsonb, p_from date) returns void
language plpgsql set search_path = '' as $$
declare
  first date := coalesce((p_requirement ->> 'valid_from')::date, p_from);
  last date := (p_requirement ->> 'valid_to')::date;
begin
  perform private.require_day(first, 'first day');
  if last is not null then
    perform private.require_day(last, 'last day');
    if last < first then
      raise exception 'The last day must not be before the first.' using errcode = 'check_violation';
    end if;
  end if;
  if p_requirement is null then
    perform private.clear_requirements(p_post, first, null);
    return;
  end if;
  update public.post_requirements r
  set preset = p_requirement ->> 'preset', cycle_days = (p_requirement ->> 'cycle_days')::integer, valid_to = last,
    slots = p_requirement -> 'slots'
  where r.post_id = p_post and r.valid_from = first
    -- What it covers after the new last day goes on: see clear_requirements.
    and (last is null or r.valid_to <= last)
    and not exists (
      select from public.post_requirements o
      where o.post_id = p_post and o.id <> r.id
        and daterange(o.valid_from, o.valid_to, '[]') && daterange(first, last, '[]')
    );
  if not found then
    perform private.clear_requirements(p_post, first, last);
    insert into public.post_requirements (post_id, preset, cycle_days, valid_from, valid_to, slots)
    values (p_post, p_requirement ->> 'preset', (p_requirement ->> 'cycle_days')::integer, first, last,
      p_requirement -> 'slots');
  end if;
end
$$;
grant execute on function private.write_requirement to authenticated;

-- Saves a post with the certificates that it needs and, if given, its requirement. p_post has the columns of a post;
-- with an id it is changed, else added. Returns the post's id and what happens to its shifts. p_preview rolls it back.
create function public.save_post(
  p_post jsonb, p_courses uuid[] default '{}', p_requirement jsonb default null, p_preview boolean default false
) returns jsonb
language plpgsql set search_path = '' as $$
declare
  given public.posts := jsonb_populate_record(null::public.posts, p_post);
  result jsonb;
begin
  if pg_column_size(p_post) > 20000 or pg_column_size(p_requirement) > 100000 or cardinality(p_courses) > 100 then
    raise exception 'This post is too large.' using errcode = 'invalid_parameter_value';
  end if;
  begin
    perform set_config('roster.expansion', 'held', true);
    if given.id is null then
      insert into public.posts
        (site_id, name, headcount, gender, gender_reason, lone_worker, needs_induction, valid_from, valid_to, notes)
      values (given.site_id, given.name, coalesce(given.headcount, 1), given.gender, given.gender_reason,
        coalesce(given.lone_worker, false), coalesce(given.needs_induction, false),
        coalesce(given.valid_from, private.company_date()), given.valid_to, given.notes)
      returning id into given.id;
    else
      perform private.require_overseen_post(given.id);
      update public.posts p
      set name = given.name, headcount = coalesce(given.headcount, 1), gender = given.gender,
        gender_reason = given.gender_reason, lone_worker = coalesce(given.lone_worker, false),
        needs_induction = coalesce(given.needs_induction, false),
        valid_from = coalesce(given.valid_from, p.valid_from), valid_to = given.valid_to, notes = given.notes
      where p.id = given.id;
    end if;
    delete from public.post_courses c where c.post_id = given.id and c.course_id <> all (coalesce(p_courses, '{}'));
    insert into public.post_courses (post_id, course_id)
    select given.id, course from unnest(p_courses) course where course is not null on conflict do nothing;
    if nullif(p_requirement, 'null') is not null then
      perform private.write_requirement(given.id, p_requirement, null);
    end if;
    result := private.expand_own_post(given.id) || jsonb_build_object('post_id', given.id);
    perform set_config('roster.expansion', '', true);
    if p_preview then
      raise exception 'preview' using errcode = 'RB001';
    end if;
  exception when sqlstate 'RB001' then
    null;
  end;
  return result;
end
$$;
grant execute on function public.save_post to authenticated;

-- Saves a requirement. Returns how many future shifts it made, changed, kept and removed, and the removed ones that
-- had guards.
create function public.save_requirement(p_post_id uuid, p_requirement jsonb, p_from date default null) returns jsonb
language plpgsql set search_path = '' as $$
declare
  wanted jsonb := nullif(p_requirement, 'null');
  result jsonb;
begin
  if pg_column_size(p_requirement) > 100000 then
    raise exception 'This requirement is too large.' using errcode = 'invalid_parameter_value';
  end if;
  perform private.require_overseen_post(p_post_id);
  perform set_config('roster.expansion', 'held', true);
  perform private.write_requirement(p_post_id, wanted, p_from);
  result := private.expand_own_post(p_post_id);
  perform set_config('roster.expansion', '', true);
  return result;
end
$$;
grant execute on function public.save_requirement to authenticated;

-- A figure of a slot; null if it is no whole number.
create function private.slot_figure(slot jsonb, field text) returns integer
language sql immutable set search_path = ''
return case when jsonb_typeof(slot -> field) = 'number' and slot ->> field ~ '^\d{1,6}$'
  then (slot ->> field)::integer end;
grant execute on function private.slot_figure to authenticated, service_role;

create function private.most_slots() returns integer language sql immutable set search_path = '' return 200;
create function private.shortest_slot_minutes() returns integer
language sql immutable set search_path = '' return 15;
grant execute on function private.most_slots, private.shortest_slot_minutes to authenticated, service_role;

-- Whether slots are a list of at most `most_slots` objects such as {"slot": 1, "day": 0, "start": "18:00", "minutes":
-- 720, "headcount": 1}: `slot` is unique, `day` counts from 0 within the cycle, `start` is local time at the site.
create function private.are_slots(slots jsonb, cycle_days integer) returns boolean
language sql immutable set search_path = ''
return case when jsonb_typeof(slots) = 'array' and jsonb_array_length(slots) between 1 and private.most_slots() then (
  select count(distinct s.slot) = count(*) and bool_and(
    s.slot between 1 and 100000 and s.day between 0 and cycle_days - 1 and s.start ~ '^([01]\d|2[0-3]):[0-5]\d$'
    and s.minutes between private.shortest_slot_minutes() and 1440 and s.headcount between 1 and 100
  ) is true
  from (
    select private.slot_figure(e, 'slot') as slot, private.slot_figure(e, 'day') as day, e ->> 'start' as start,
      private.slot_figure(e, 'minutes') as minutes, private.slot_figure(e, 'headcount') as headcount
    from jsonb_array_elements(slots) e
  ) s
) else false end;
grant execute on function private.are_slots to authenticated, service_role;

-- The holidays of [p_from, p_to], by the company's calendar over the public one.
create function private.holidays_between(p_from date, p_to date) returns table (day date, name text)
language sql stable security definer rows 5 set search_path = '' as $$
  select h.day, min(h.name) from public.public_holidays h
  where h.day between p_from and p_to
    and not exists (select from public.company_holidays c where c.day = h.day)
  group by h.day
  union all select c.day, c.name from public.company_holidays c where c.day between p_from and p_to and not c.works;
$$;

create function private.next_post_code() returns text
language sql security definer set search_path = '' as $$
  select 'P' || case when n <= 9000 then 1000 + n * 7919 % 9000 else 1000 + n end from nextval('private.post_codes') n;
$$;
grant execute on function private.next_post_code to authenticated, service_role;
