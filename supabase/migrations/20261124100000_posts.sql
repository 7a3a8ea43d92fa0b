-- Posts of a site and when they are manned. Shifts follow from the requirements; others are still made by hand.

-- Adds the policies of a table with a site_id whose rows overseers of the site add, change and delete, one per command.
create function private.overseers_write(target regclass, what text) returns void
language plpgsql set search_path = '' as $$
declare
  oversees text := '((select private.has_role(''admin'', ''ops_manager'', ''supervisor''))
    or site_id = any ((select private.supervised_sites())::uuid[]))';
begin
  execute format('create policy %I on %s for insert to authenticated with check %s',
    'Overseers add ' || what, target, oversees);
  execute format('create policy %I on %s for update to authenticated using %3$s with check %3$s',
    'Overseers change ' || what, target, oversees);
  execute format('create policy %I on %s for delete to authenticated using %s',
    'Overseers delete ' || what, target, oversees);
end
$$;

create table public.posts (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id),
  name text not null check (char_length(name) <= 100),
  headcount integer not null default 1 check (headcount between 1 and 100),
  gender text check (gender in ('female', 'male')),
  gender_reason text check (char_length(gender_reason) <= 500),
  lone_worker boolean not null default false,
  needs_induction boolean not null default false,
  valid_from date not null default private.company_date()
    check (valid_from between '1900-01-01' and '2199-12-31'),
  valid_to date check (valid_to between '1900-01-01' and '2199-12-31'),
  notes text check (char_length(notes) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint posts_end_not_before_start check (valid_to >= valid_from),
  constraint posts_name_a_lawful_reason check (gender is null or gender_reason is not null)
);
comment on column public.posts.gender_reason is 'Why the law allows a post for one gender only, such as searching visitors';
comment on column public.posts.valid_to is 'Last day, inclusive';

create unique index posts_name_key on public.posts (site_id, lower(name));

select private.tidy_texts_of('public.posts', 'name', 'gender_reason', 'notes');
create trigger d_touch before update on public.posts
  for each row execute function private.touch();
select private.keep_history_of('public.posts');
create trigger c_has_posts before delete on public.sites for each row
  execute function private.refuse_while_used('posts', 'site_id', 'This site still has posts, so it can''t be deleted.');

alter table public.posts enable row level security;
revoke all on public.posts from anon, authenticated;
grant select, insert, update, delete on public.posts to authenticated;

create policy "Planners and HR read the posts of their sites" on public.posts
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
select private.overseers_write('public.posts', 'posts');

alter publication supabase_realtime add table public.posts;
alter table public.posts replica identity full;

-- The site of a post, so that the policies of what belongs to a post need no join of their own.
create function private.derive_post_site() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select p.site_id into new.site_id from public.posts p where p.id = new.post_id;
  return new;
end
$$;

-- A post can't move to another site while it has requirements or shifts: their history belongs to the old one.
create function private.keep_post_site() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  raise exception 'A post stays at its site. Add a post at the other site instead.' using errcode = 'check_violation';
end
$$;
create trigger c_stays before update on public.posts
  for each row when (new.site_id is distinct from old.site_id) execute function private.keep_post_site();

-- The certificates that a guard needs at a post.
create table public.post_courses (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references public.posts (id) on delete cascade,
  course_id uuid not null references public.training_courses (id),
  site_id uuid not null references public.sites (id),
  unique (post_id, course_id)
);
comment on column public.post_courses.site_id is 'Derived: the site of the post';
create index post_courses_course_id_idx on public.post_courses (course_id);
create index post_courses_site_id_idx on public.post_courses (site_id);

create trigger b_site before insert or update on public.post_courses
  for each row execute function private.derive_post_site();
select private.keep_history_of('public.post_courses');
create trigger c_needed before delete on public.training_courses for each row
  execute function private.refuse_while_used('post_courses', 'course_id',
    'Posts need this course, so it can''t be deleted.');

alter table public.post_courses enable row level security;
revoke all on public.post_courses from anon, authenticated;
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

alter publication supabase_realtime add table public.post_courses;
alter table public.post_courses replica identity full;

-- A figure of a slot; null if it is no whole number.
create function private.slot_figure(slot jsonb, field text) returns integer
language sql immutable set search_path = ''
return case when jsonb_typeof(slot -> field) = 'number' and slot ->> field ~ '^\d{1,6}$' then (slot ->> field)::integer end;

-- Whether slots are a list of at most 200 objects such as {"slot": 1, "day": 0, "start": "18:00", "minutes": 720,
-- "headcount": 1}: `slot` is unique, `day` counts from 0 within the cycle, `start` is local time at the site.
create function private.are_slots(slots jsonb, cycle_days integer) returns boolean
language sql immutable set search_path = ''
return case when jsonb_typeof(slots) = 'array' and jsonb_array_length(slots) between 1 and 200 then (
  select count(distinct s.slot) = count(*) and bool_and(
    s.slot between 1 and 100000 and s.day between 0 and cycle_days - 1 and s.start ~ '^([01]\d|2[0-3]):[0-5]\d$'
    and s.minutes between 15 and 1440 and s.headcount between 1 and 100
  ) is true
  from (
    select private.slot_figure(e, 'slot') as slot, private.slot_figure(e, 'day') as day, e ->> 'start' as start,
      private.slot_figure(e, 'minutes') as minutes, private.slot_figure(e, 'headcount') as headcount
    from jsonb_array_elements(slots) e
  ) s
) else false end;

create table public.post_requirements (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references public.posts (id) on delete cascade,
  site_id uuid not null references public.sites (id),
  preset text check (char_length(preset) <= 50),
  cycle_days integer not null default 7 check (cycle_days between 1 and 56),
  valid_from date not null check (valid_from between '1900-01-01' and '2199-12-31'),
  valid_to date check (valid_to between '1900-01-01' and '2199-12-31'),
  slots jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint post_requirements_end_not_before_start check (valid_to >= valid_from),
  constraint post_requirements_have_slots check (private.are_slots(slots, cycle_days)),
  constraint post_requirements_follow_each_other
    exclude using gist (post_id with =, daterange(valid_from, valid_to, '[]') with &&)
);
comment on column public.post_requirements.site_id is 'Derived: the site of the post';
comment on column public.post_requirements.preset is 'The pattern that was chosen; null for a cycle drawn by hand';
comment on column public.post_requirements.valid_from is 'Day 0 of the cycle';
comment on column public.post_requirements.valid_to is 'Last day, inclusive';
create index post_requirements_site_id_idx on public.post_requirements (site_id);

create trigger b_site before insert or update on public.post_requirements
  for each row execute function private.derive_post_site();
create trigger d_touch before update on public.post_requirements
  for each row execute function private.touch();
select private.keep_history_of('public.post_requirements');

alter table public.post_requirements enable row level security;
revoke all on public.post_requirements from anon, authenticated;
grant select, insert, update, delete on public.post_requirements to authenticated;

create policy "Planners and HR read the requirements of their sites" on public.post_requirements
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
select private.overseers_write('public.post_requirements', 'requirements');

alter publication supabase_realtime add table public.post_requirements;
alter table public.post_requirements replica identity full;

alter table public.shifts
  add column post_id uuid references public.posts (id) on delete set null,
  add column requirement_id uuid references public.post_requirements (id) on delete set null,
  add column slot integer check (slot > 0),
  add column is_manual boolean not null default true;
comment on column public.shifts.slot is 'The slot of the requirement that the shift was made from';
comment on column public.shifts.is_manual is
  'Made by hand, or changed by hand since: no change of a requirement touches it';
create index shifts_post_id_idx on public.shifts (post_id, start_time);
create policy "Guards read the posts they are assigned to" on public.posts
  for select to authenticated
  using (id in (select s.post_id from public.shifts s where s.id in (select private.assigned_shifts())));
create unique index shifts_one_per_slot_and_start on public.shifts (requirement_id, slot, start_time)
  where requirement_id is not null;

-- A restored shift has the columns that its sender knows: a client of before sends no is_manual.
create function private.default_is_manual() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.is_manual := true;
  return new;
end
$$;
create trigger b_is_manual before insert on public.shifts
  for each row when (new.is_manual is null) execute function private.default_is_manual();

-- Shifts of a requirement that a planner deleted by hand: expansion does not make them again.
create table private.skipped_slots (
  requirement_id uuid not null references public.post_requirements (id) on delete cascade,
  slot integer not null,
  start_time timestamptz not null,
  primary key (requirement_id, slot, start_time)
);
alter table private.skipped_slots enable row level security;
revoke all on private.skipped_slots from anon, authenticated, service_role;

-- Public holidays of the country; the server writes them.
create table public.public_holidays (
  id uuid primary key default gen_random_uuid(),
  day date not null,
  name text not null check (char_length(name) <= 100),
  unique (day, name)
);
select private.keep_history_of('public.public_holidays');

alter table public.public_holidays enable row level security;
revoke all on public.public_holidays from anon, authenticated;
grant select on public.public_holidays to authenticated;
create policy "Members read public holidays" on public.public_holidays
  for select to authenticated using ((select private.is_member()));

revoke all on all functions in schema private from public;
grant execute on function private.are_slots, private.slot_figure to authenticated, service_role;
