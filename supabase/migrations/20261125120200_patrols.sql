-- Patrols: the checkpoints of a site, the tours that visit them in order, and what was scanned.
--
-- A checkpoint's code is what its QR label, its NFC tag and the text below them say: two digits for its number at the
-- site, five random characters and a check character. The number lets a phone without a signal name the checkpoint; the
-- random part is known only where the label hangs, so guards' phones never receive it.

-- The 31 characters of codes, none of which looks like another. 31 is prime: the check character finds each wrong
-- character and each swap. web/features/patrols/guard/code.ts computes the same.
create function private.code_alphabet() returns text
language sql immutable set search_path = '' return '0123456789ABCDEFGHJKMNPQRTVWXYZ';

create function private.check_character(p_code text) returns text
language sql immutable set search_path = ''
return (
  select substr(private.code_alphabet(), 1 + (sum(n * (strpos(private.code_alphabet(), substr(p_code, n, 1)) - 1)) % 31)::integer, 1)
  from generate_series(1, 7) n
);

-- A code as it is stored: without spaces and hyphens, with look-alike letters replaced.
create function private.tidy_code(p_code text) returns text
language sql immutable set search_path = ''
return translate(upper(regexp_replace(left(p_code, 200), '[^0-9A-Za-z]', '', 'g')), 'OILSU', '0115V');

create table public.checkpoints (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id) on delete cascade,
  number integer not null check (number between 1 and 99),
  name text not null check (char_length(name) <= 100),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  code_secret text not null unique check (code_secret ~ '^\d\d[0-9A-Z]{6}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (site_id, number),
  constraint checkpoints_whole_position check ((latitude is null) = (longitude is null))
);
comment on column public.checkpoints.number is 'Derived: the next free number of the site';
comment on column public.checkpoints.code_secret is 'Derived: the printed code; guards never read it here';

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

select private.tidy_texts_of('public.checkpoints', 'name');
create trigger b_code before insert or update on public.checkpoints
  for each row execute function private.derive_checkpoint_code();
create trigger d_touch before update on public.checkpoints for each row execute function private.touch();
select private.keep_history_of('public.checkpoints');

alter table public.checkpoints enable row level security;
revoke all on public.checkpoints from anon, authenticated;
grant select, insert, update, delete on public.checkpoints to authenticated;

create policy "Planners read the checkpoints of their sites" on public.checkpoints
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
select private.overseers_write('public.checkpoints', 'checkpoints');
alter publication supabase_realtime add table public.checkpoints;
alter table public.checkpoints replica identity full;

create table public.tours (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id) on delete cascade,
  post_id uuid references public.posts (id) on delete cascade,
  name text not null check (char_length(name) <= 100),
  times time[],
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
  constraint tours_have_times check (cardinality(times) between 1 and 48 and array_position(times, null) is null),
  -- So that a scan belongs to one round.
  constraint tours_do_not_overlap check (every_minutes >= 2 * tolerance_minutes)
);
comment on column public.tours.post_id is 'Null: for every guard at the site';
comment on column public.tours.times is 'Local time at the site; null for a round every so many minutes of a shift';
comment on column public.tours.checkpoints is 'Ids, in the order in which they are visited';
comment on column public.tours.tolerance_minutes is 'A round may begin so long before its time and end so long after it';
comment on column public.tours.min_seconds is 'A scan sooner than this after the one before is flagged';
create index tours_site_id_idx on public.tours (site_id);
create index tours_post_id_idx on public.tours (post_id);

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
create function private.keep_toured_checkpoint() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Not when its site is deleted.
  if exists (select from public.tours t where t.site_id = old.site_id and old.id = any (t.checkpoints))
    and exists (select from public.sites s where s.id = old.site_id)
  then
    raise exception 'A tour visits this checkpoint. Take it out of the tour first.' using errcode = 'foreign_key_violation';
  end if;
  return old;
end
$$;

select private.tidy_texts_of('public.tours', 'name');
create trigger b_check before insert or update on public.tours
  for each row execute function private.check_tour();
create trigger d_touch before update on public.tours for each row execute function private.touch();
create trigger c_visited before delete on public.checkpoints
  for each row execute function private.keep_toured_checkpoint();
select private.keep_history_of('public.tours');

alter table public.tours enable row level security;
revoke all on public.tours from anon, authenticated;
grant select, insert, update, delete on public.tours to authenticated;

create policy "Planners read the tours of their sites" on public.tours
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
select private.overseers_write('public.tours', 'tours');
alter publication supabase_realtime add table public.tours;
alter table public.tours replica identity full;

-- What was scanned, whatever was wrong with it. Written by record_scans alone.
create table public.checkpoint_scans (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  checkpoint_id uuid references public.checkpoints (id) on delete set null,
  assignment_id uuid references public.assignments (id) on delete set null,
  tour_id uuid references public.tours (id) on delete set null,
  tour_at timestamptz,
  site_id uuid references public.sites (id) on delete cascade,
  code text not null check (char_length(code) <= 64),
  way text not null check (way in ('camera', 'nfc', 'typed')),
  scanned_at timestamptz not null,
  device_at timestamptz not null,
  received_at timestamptz not null default now(),
  gps text check (private.is_position(gps)),
  accuracy_m real check (accuracy_m >= 0),
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
select private.keep_history_of('public.checkpoint_scans');

alter table public.checkpoint_scans enable row level security;
revoke all on public.checkpoint_scans from anon, authenticated;
grant select on public.checkpoint_scans to authenticated;

create policy "Planners read the scans at their sites" on public.checkpoint_scans
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read their own scans" on public.checkpoint_scans
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
alter publication supabase_realtime add table public.checkpoint_scans;
alter table public.checkpoint_scans replica identity full;

revoke all on all functions in schema private from public;
