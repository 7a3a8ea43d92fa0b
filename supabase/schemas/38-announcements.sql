-- Announcements: what the office writes to everybody, a region, a site or a role, and who has read it.

-- ── Tables ────────────────────────────────────────────────────────────

-- Written by publish_announcement, edit_announcement and withdraw_announcement alone. Whom it addresses is asked each
-- time (private.addressees_of): people who join the audience later see it as well, people who leave it don't any more.
create table public.announcements (
  id uuid default gen_random_uuid() primary key,
  title text not null check (char_length(title) <= 100),
  body text not null check (char_length(body) <= 4000),
  must_read boolean not null default false, -- Stays at the top of the reader's home until it is read.
  audience text not null check (audience in ('everybody', 'region', 'site', 'role')),
  region text check (char_length(region) <= 100), -- As the writer chose it: a region of the company, or a county.
  counties text[] check (cardinality(counties) between 1 and 20),
  site_id uuid references public.sites on delete cascade,
  role text check (role in ('admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'finance', 'guard')),
  last_day date not null check (last_day between '2000-01-01' and '2199-12-31'),
  version integer not null default 1 check (version between 1 and 20),
  created_by uuid references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  withdrawn_by uuid references public.profiles on delete set null,
  constraint announcements_name_their_audience check (
    (audience = 'region') = (region is not null) and (audience = 'region') = (counties is not null)
    and (audience = 'site') = (site_id is not null) and (audience = 'role') = (role is not null)
  )
);
comment on column public.announcements.version is 'Counts the texts that had to be read again; smaller edits keep it';
comment on column public.announcements.last_day is 'Inclusive, by the company''s calendar';
create index announcements_site_id_idx on public.announcements (site_id);
create index announcements_created_by_idx on public.announcements (created_by, created_at);
create index announcements_withdrawn_by_idx on public.announcements (withdrawn_by);
create index announcements_last_day_idx on public.announcements (last_day);
alter table public.announcements replica identity full;
alter publication supabase_realtime add table public.announcements;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.announcements', 'title', 'body');
create trigger d_touch before update on public.announcements for each row execute function private.touch();
select private.keep_history_of('public.announcements');
alter table public.announcements enable row level security;
grant select on public.announcements to authenticated;
create policy "People managers read every announcement" on public.announcements
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Members read what is addressed to them while it lasts" on public.announcements
  for select to authenticated using (id = any ((select private.own_announcements())::uuid[]));

-- Who has confirmed that they read a version. Written by confirm_announcement alone.
create table public.announcement_readings (
  id uuid default gen_random_uuid() primary key,
  announcement_id uuid not null references public.announcements on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  version integer not null check (version between 1 and 20),
  read_at timestamptz not null check (isfinite(read_at)),
  received_at timestamptz not null default now(),
  unique (announcement_id, user_id, version)
);
comment on column public.announcement_readings.read_at is 'By the device''s clock, corrected; never in the future';
comment on column public.announcement_readings.received_at is 'By the server''s clock';
create index announcement_readings_user_id_idx on public.announcement_readings (user_id);
alter table public.announcement_readings replica identity full;
alter publication supabase_realtime add table public.announcement_readings;
select private.keep_history_of('public.announcement_readings');
alter table public.announcement_readings enable row level security;
grant select on public.announcement_readings to authenticated;
create policy "People managers read who has read announcements" on public.announcement_readings
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Members read what they have confirmed themselves" on public.announcement_readings
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- Announcements with whom they reach and who has read them. Reads as its owner, because HR does not read the roles and
-- assignments that decide whom they reach.
create view public.announcement_list with (security_barrier = true) as
select a.id, a.title, a.body, a.must_read, a.audience, a.region, a.site_id, t.name as site_name, a.role, a.last_day,
  a.version, a.created_at, a.updated_at, a.withdrawn_at,
  coalesce(nullif(w.full_name, ''), w.email) as author,
  case
    when a.withdrawn_at is not null then 'withdrawn'
    when a.last_day < private.company_date() then 'ended'
    else 'current'
  end as state,
  (select count(*) from private.announcement_people(a) p where p.read_at is not null)::integer as readers,
  (select count(*) from private.announcement_people(a) p where p.read_at is null)::integer as unread
from public.announcements a
left join public.profiles w on w.id = a.created_by
left join public.sites t on t.id = a.site_id where (select private.has_role('admin', 'ops_manager', 'hr'));
select private.mark_never_null('public.announcement_list', 'id', 'title', 'body', 'must_read', 'audience', 'last_day',
  'version', 'created_at', 'updated_at', 'readers');
comment on column public.announcement_list.state is 'Never null: current; ended: the last day is over; withdrawn';
comment on column public.announcement_list.unread is 'Never null: people whom it addresses today and who have not read '
  'it; none once it has ended';
revoke all on public.announcement_list from service_role;
grant select on public.announcement_list to authenticated;

-- ── Functions ─────────────────────────────────────────────────────────

-- How many days a shift or a duty may be away for its guard to belong to the site.
create function private.audience_days() returns integer language sql immutable set search_path = '' return 14;

-- The days of an announcement, at most.
create function private.announcement_days_max() returns integer
language sql immutable set search_path = '' return 366;

-- Whom an audience means today, without the author: people who work here and whose account is open. A site has the
-- guards with a shift there two weeks back or ahead, and its supervisors; a region has those of its sites, and the
-- people who live in it; everybody is who has a role, or such a shift. Contacts of clients are in no audience.
-- @param p_person only whether this one belongs to it; null for all. Planned for each call: one person's shifts are
-- found by an index, everybody's are not.
create function private.addressees_of(
  p_audience text, p_counties text[], p_site uuid, p_role text, p_author uuid, p_person uuid default null
) returns setof uuid
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
begin
  return query
    select p.id
    from public.profiles p
    join auth.users u on u.id = p.id
    where (p_person is null or p.id = p_person) and p.id is distinct from p_author
      and (p.left_on is null or p.left_on >= private.company_date())
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      and not exists (select from private.client_accounts c where c.user_id = p.id)
      and (
        p_audience in ('everybody', 'role') and exists (
          select from public.user_roles r where r.user_id = p.id and (p_role is null or r.role = p_role)
        )
        or p.home_region = any (p_counties)
        or p.id in (
          select a.user_id from public.assignments a
          join public.sites t on t.id = a.site_id
          where (p_person is null or a.user_id = p_person)
            and (p_audience = 'everybody' or t.id = p_site or t.county = any (p_counties))
            and a.status <> 'cancelled' and a.starts_at between now() - make_interval(days => private.audience_days())
              and now() + make_interval(days => private.audience_days())
          union all
          select r.user_id from public.user_roles r
          join public.sites t on t.id = r.site_id
          where (p_person is null or r.user_id = p_person) and (t.id = p_site or t.county = any (p_counties))
        )
      );
end
$$;

-- The announcements that last and address the caller.
create function private.own_announcements() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_member() then
    return '{}';
  end if;
  return array(
    select a.id from public.announcements a
    where a.withdrawn_at is null and a.last_day >= private.company_date() and auth.uid() in (
      select private.addressees_of(a.audience, a.counties, a.site_id, a.role, a.created_by, auth.uid())
    )
  );
end
$$;
grant execute on function private.own_announcements to authenticated;

-- Whom an announcement addresses today, while it lasts, and who has read its version. For those alone who may know.
create function private.announcement_people(a public.announcements)
returns table (user_id uuid, is_addressed boolean, read_at timestamptz, received_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select coalesce(now_addressed.id, r.user_id), now_addressed.id is not null, r.read_at, r.received_at
  from (
    select p.id from private.addressees_of(a.audience, a.counties, a.site_id, a.role, a.created_by) p (id)
    where a.withdrawn_at is null and a.last_day >= private.company_date()
  ) now_addressed
  full join (
    select known.* from public.announcement_readings known
    where known.announcement_id = a.id and known.version = a.version
  ) r on r.user_id = now_addressed.id
  where private.has_role('admin', 'ops_manager', 'hr');
$$;
grant execute on function private.announcement_people to authenticated;

-- Who has read an announcement and whom it still waits for, with a number to call. People who have read it stay when
-- they no longer belong to the audience; the others don't.
create function public.announcement_readers(p_id uuid)
returns table (
  id uuid, name text, phone text, is_addressed boolean, read_at timestamptz, received_at timestamptz, search_text text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select p.id, private.name_of_person(p.id), p.phone, w.is_addressed, w.read_at, w.received_at,
      private.folded(concat_ws(' ', p.full_name, p.email, p.phone))
    from public.announcements a
    cross join lateral private.announcement_people(a) w
    join public.profiles p on p.id = w.user_id
    where a.id = p_id;
end
$$;
comment on function public.announcement_readers is 'Nullable: phone, read_at, received_at';
grant execute on function public.announcement_readers to authenticated;

create function private.require_announcer() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager', 'hr') then
    raise exception 'Only admins, operations managers and HR may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- How many people an announcement of the caller would reach today.
create function public.announcement_reach(
  p_audience text, p_counties text[] default null, p_site_id uuid default null, p_role text default null
) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_announcer();
  return (select count(*) from private.addressees_of(p_audience, p_counties, p_site_id, p_role, auth.uid()));
end
$$;
grant execute on function public.announcement_reach to authenticated;

create function private.announcement_key(p_id uuid, p_version integer, p_person uuid) returns text
language sql immutable set search_path = ''
return format('announcement:%s:%s:%s', p_id, p_version, p_person);

create function private.announcement_headline(a public.announcements) returns text
language sql immutable set search_path = ''
return case when a.must_read then 'Must read: ' else 'Announcement: ' end || a.title;

-- One notice to each person whom it addresses. In one statement, so that the messages of all are queued together; in
-- order of person, so that two at once never deadlock.
-- @returns how many
create function private.tell_addressees(a public.announcements) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  told integer;
begin
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select p.id, 'announcement', private.announcement_headline(a), left(a.body, 300),
    '/staff/announcements?open=' || a.id, private.announcement_key(a.id, a.version, p.id)
  from private.addressees_of(a.audience, a.counties, a.site_id, a.role, a.created_by) p (id)
  order by p.id
  on conflict (dedupe_key) do nothing;
  get diagnostics told = row_count;
  return told;
end
$$;

create function private.check_last_day(p_day date) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_day(p_day, 'last day');
  if p_day not between private.company_date() and private.company_date() + private.announcement_days_max() then
    raise exception 'The last day is between today and a year from now.' using errcode = 'check_violation';
  end if;
end
$$;

-- Repeating it, after a lost response or a second press, changes and sends nothing. Returns how many it reached.
create function public.publish_announcement(
  p_id uuid, p_title text, p_body text, p_must_read boolean, p_audience text, p_last_day date,
  p_region text default null, p_counties text[] default null, p_site_id uuid default null, p_role text default null
) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  made public.announcements;
  reached integer;
begin
  perform private.require_announcer();
  -- One at a time, so that two at once are not both the last one allowed.
  perform pg_advisory_xact_lock(hashtextextended('announcements of ' || auth.uid(), 0));
  select * into made from public.announcements a where a.id = p_id and a.created_by = auth.uid();
  if found then
    return (select count(*) from private.announcement_people(made) p where p.is_addressed);
  end if;
  perform private.check_last_day(p_last_day);
  if (
    select count(*) from public.announcements a
    where a.created_by = auth.uid() and a.created_at > now() - interval '1 day'
  ) >= 20 then
    raise exception 'You have written 20 announcements within a day. Edit one of them, or wait.'
      using errcode = 'PT429';
  end if;
  insert into public.announcements (
    id, title, body, must_read, audience, region, counties, site_id, role, last_day, created_by
  ) values (
    p_id, p_title, p_body, p_must_read, p_audience, p_region, p_counties, p_site_id, p_role, p_last_day, auth.uid()
  ) returning * into made;
  reached := private.tell_addressees(made);
  if reached = 0 then
    raise exception 'This reaches nobody today. Choose another audience.' using errcode = 'check_violation';
  end if;
  return reached;
end
$$;
grant execute on function public.publish_announcement to authenticated;

-- The audience stays: for another one, withdraw it and write it again.
-- @param p_read_again a new version, which everybody is told of and must read again
create function public.edit_announcement(
  p_id uuid, p_title text, p_body text, p_must_read boolean, p_last_day date, p_read_again boolean
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  known public.announcements;
begin
  perform private.require_announcer();
  select * into known from public.announcements a where a.id = p_id for update;
  if known.id is null then
    raise exception 'There is no such announcement.' using errcode = 'PT404';
  end if;
  if known.withdrawn_at is not null then
    raise exception 'This announcement has been withdrawn. Write a new one.' using errcode = 'PT409';
  end if;
  -- What is over reaches nobody, so it is read again only with a later day.
  if p_read_again or p_last_day is distinct from known.last_day then
    perform private.check_last_day(p_last_day);
  end if;
  if p_read_again and known.version = 20 then
    raise exception 'This has been changed 20 times. Withdraw it and write a new one.' using errcode = 'PT409';
  end if;
  update public.announcements a
  set title = p_title, body = p_body, must_read = p_must_read, last_day = p_last_day,
    version = a.version + p_read_again::integer
  where a.id = p_id returning * into known;
  if p_read_again then
    perform private.tell_addressees(known);
  else
    -- The notices say what the announcement says now; the change also refreshes the phones that show it.
    update public.notices n
    set title = private.announcement_headline(known), body = left(known.body, 300)
    where n.id in (select private.notices_of_announcement(known));
  end if;
end
$$;
grant execute on function public.edit_announcement to authenticated;

-- The notices of its present version, by their keys, in order of person.
create function private.notices_of_announcement(a public.announcements) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select n.id from public.profiles p
  join public.notices n on n.dedupe_key = private.announcement_key(a.id, a.version, p.id)
  order by p.id;
$$;

-- Nobody sees it any more, and its notices are removed: what has not left as a message yet never does.
create function public.withdraw_announcement(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  known public.announcements;
begin
  perform private.require_announcer();
  update public.announcements a set withdrawn_at = now(), withdrawn_by = auth.uid()
  where a.id = p_id and a.withdrawn_at is null returning * into known;
  if known.id is null then
    if not exists (select from public.announcements a where a.id = p_id) then
      raise exception 'There is no such announcement.' using errcode = 'PT404';
    end if;
    return;
  end if;
  for version in 1..known.version loop
    known.version := version;
    delete from public.notices n where n.id in (select private.notices_of_announcement(known));
  end loop;
end
$$;
grant execute on function public.withdraw_announcement to authenticated;

-- Stores that the caller has read this version, once, whenever it arrives. What is not theirs, or no longer exists, is
-- left out: a phone must never get stuck on it. Returns whether it is stored.
create function public.confirm_announcement(
  p_announcement_id uuid, p_version integer, p_read_at timestamptz default now()
) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  if p_announcement_id is null or p_version is null or isfinite(p_read_at) is false then
    raise exception 'Name an announcement, its version and when it was read.'
      using errcode = 'invalid_parameter_value';
  end if;
  insert into public.announcement_readings (announcement_id, user_id, version, read_at)
  select a.id, auth.uid(), p_version, least(coalesce(p_read_at, now()), now())
  from public.announcements a
  where a.id = p_announcement_id and p_version between 1 and a.version and auth.uid() in (
    select private.addressees_of(a.audience, a.counties, a.site_id, a.role, a.created_by, auth.uid())
  )
  on conflict (announcement_id, user_id, version) do nothing;
  return exists (
    select from public.announcement_readings r
    where r.announcement_id = p_announcement_id and r.user_id = auth.uid() and r.version = p_version
  );
end
$$;
grant execute on function public.confirm_announcement to authenticated;

-- What addresses the caller, newest first.
create function public.my_announcements()
returns table (
  id uuid, title text, body text, must_read boolean, version integer, last_day date, author text,
  published_at timestamptz, read_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  return query
    select a.id, a.title, a.body, a.must_read, a.version, a.last_day,
      case when a.created_by is not null then private.name_of_person(a.created_by) end, a.created_at, r.read_at
    from public.announcements a
    left join public.announcement_readings r
      on r.announcement_id = a.id and r.user_id = auth.uid() and r.version = a.version
    where a.id = any (private.own_announcements())
    order by a.created_at desc, a.id limit 100;
end
$$;
comment on function public.my_announcements is 'Nullable: author, read_at';
grant execute on function public.my_announcements to authenticated;
