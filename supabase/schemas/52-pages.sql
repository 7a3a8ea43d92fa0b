-- Pages of the book of a post: a site's day as its client may read it.

-- ── Tables ────────────────────────────────────────────────────────────

-- Lines that the office keeps from clients, before or after a release; of a visit or key both steps. Written by
-- withhold_line alone.
create table public.withheld_lines (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  source text not null
    check (source in ('entry', 'visit', 'key', 'note', 'handover', 'attendance', 'round', 'scan', 'incident')),
  line_id uuid not null, -- As in private.book_lines.
  withheld_by uuid references public.profiles on delete set null,
  withheld_at timestamptz not null default now(),
  constraint withheld_lines_once unique (site_id, source, line_id)
);
create index withheld_lines_withheld_by_idx on public.withheld_lines (withheld_by);
create index withheld_lines_withheld_at_idx on public.withheld_lines (withheld_at);
alter table public.withheld_lines replica identity full;
alter publication supabase_realtime add table public.withheld_lines;
select private.keep_history_of('public.withheld_lines');
alter table public.withheld_lines enable row level security;
revoke insert, update, delete, truncate on public.withheld_lines from service_role;
grant select on public.withheld_lines to authenticated;
create policy "Planners read what is withheld from clients of their sites" on public.withheld_lines
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

-- Each release as the client reads it. Afterwards only the withdrawal is added, and what visitors' own period ends is
-- dropped. Written by release_page, withdraw_page and private.release_due_pages alone.
create table public.post_pages (
  id uuid default gen_random_uuid() primary key,
  site_id uuid not null references public.sites on delete cascade,
  client_id uuid not null references public.clients on delete cascade,
  day date not null,
  version integer not null check (version > 0),
  lines jsonb not null,
  visits jsonb,
  facts jsonb not null,
  withheld_kinds text[] not null,
  changes jsonb not null default '[]'::jsonb,
  released_by uuid references public.profiles on delete set null,
  released_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  withdrawn_by uuid references public.profiles on delete set null,
  withdraw_reason text check (char_length(withdraw_reason) between 1 and 300),
  constraint post_pages_versions unique (site_id, day, version),
  constraint post_pages_withdrawn_with_reason check ((withdrawn_at is null) = (withdraw_reason is null))
);
comment on column public.post_pages.client_id is 'Whose site it was: a later client of the site doesn''t read it';
comment on column public.post_pages.day is 'From midnight to midnight in the site''s zone';
comment on column public.post_pages.visits is 'Lines of visitors and vehicles; null once their period has ended';
comment on column public.post_pages.facts is 'Site, client, who was on post, and how many came in';
comment on column public.post_pages.changes is 'Lines that differ from the version before, without their words';
comment on column public.post_pages.released_by is 'Null if it was released by itself, at the hour of the site';
create index post_pages_client_id_idx on public.post_pages (client_id, day desc);
create index post_pages_released_at_idx on public.post_pages (released_at);
create index post_pages_visits_idx on public.post_pages (day) where visits is not null;
create index post_pages_released_by_idx on public.post_pages (released_by);
create index post_pages_withdrawn_by_idx on public.post_pages (withdrawn_by) where withdrawn_by is not null;
alter table public.post_pages replica identity full;
alter publication supabase_realtime add table public.post_pages;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.post_pages', 'withdraw_reason');
select private.keep_history_of('public.post_pages');
alter table public.post_pages enable row level security;
revoke insert, update, delete, truncate on public.post_pages from service_role;
grant select on public.post_pages to authenticated;
create policy "Planners read released pages of their sites" on public.post_pages
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

-- The next day that a site releases by itself, so that none is released twice or forgotten while no server ran.
create table private.page_schedule (
  site_id uuid primary key references public.sites on delete cascade,
  next_day date not null
);
alter table private.page_schedule enable row level security;

-- Mails about released pages. The server sends them after the commit and deletes the row.
create table private.page_mails (
  id uuid default gen_random_uuid() primary key,
  page_id uuid not null references public.post_pages on delete cascade,
  contact_id uuid not null references public.client_contacts on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz default now(), -- Time of the next attempt; null after the last one failed.
  last_error text
);
create index page_mails_page_id_idx on private.page_mails (page_id);
create index page_mails_contact_id_idx on private.page_mails (contact_id);
create index page_mails_next_at_idx on private.page_mails (next_at);
alter table private.page_mails enable row level security;

-- ── Functions ─────────────────────────────────────────────────────────

-- The lines of a day as clients would read them, with what keeps each from them: struck, kind, line or nothing. The one
-- place that decides it. Guards by their first names, reports of incidents by their number: the letter says the rest.
create function private.page_lines(p_site uuid, p_day date)
returns table (
  source text, id uuid, kind text, step text, at timestamptz, post_name text, author text, words text, withheld text
)
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
  select l.source, l.id, l.kind, l.step, l.at, p.name,
    case when l.source <> 'incident' and a.id is not null then private.name_for_clients(a.full_name) end,
    case l.source when 'incident' then 'Report ' || upper(left(l.id::text, 8)) else l.words end,
    case
      when l.struck_at is not null then 'struck'
      when l.kind = any (t.book_kinds_withheld) then 'kind'
      when exists (
        select from public.withheld_lines w where w.site_id = p_site and w.source = l.source and w.line_id = l.id
      ) then 'line'
    end
  from public.sites t
  cross join lateral private.book_lines(t.id, p_day::timestamp at time zone t.timezone,
    (p_day + 1)::timestamp at time zone t.timezone) l
  left join public.posts p on p.id = l.post_id
  left join public.profiles a on a.id = l.author_id
  where t.id = p_site;
$$;

-- Who was on post, unless clock-ins are withheld, and how many came in: those are counted even if nobody is listed.
create function private.page_facts(p_site uuid, p_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('site', t.name, 'address', t.address, 'client', t.client_name, 'timezone', t.timezone,
    'visitors', c.visitors, 'vehicles', c.vehicles,
    'visitors_listed', not 'visitor' = any (t.book_kinds_withheld),
    'vehicles_listed', not 'vehicle' = any (t.book_kinds_withheld),
    'guards', case when not 'duty' = any (t.book_kinds_withheld) then (
      select coalesce(jsonb_agg(jsonb_build_object('name', private.name_for_clients(g.full_name), 'post', p.name,
        'since', r.clock_in_at, 'until', r.clock_out_at) order by r.clock_in_at, r.id), '[]')
      from public.attendance r
      join public.profiles g on g.id = r.user_id
      left join public.assignments a on a.id = r.assignment_id
      left join public.shifts h on h.id = a.shift_id
      left join public.posts p on p.id = h.post_id
      -- No record is open for a week.
      where r.site_id = p_site and r.clock_in_at < d.ends and r.clock_in_at >= d.begins - interval '7 days'
        and coalesce(r.clock_out_at, d.ends) > d.begins
        and not exists (
          select from public.withheld_lines w
          where w.site_id = p_site and w.source = 'attendance' and w.line_id = r.id
        )
    ) end)
  from public.sites t
  cross join lateral (
    values (p_day::timestamp at time zone t.timezone, (p_day + 1)::timestamp at time zone t.timezone)
  ) d (begins, ends)
  cross join lateral (
    select count(*) filter (where v.kind = 'person') as visitors, count(*) filter (where v.kind = 'vehicle') as vehicles
    from public.visits v
    where v.site_id = p_site and v.in_at >= d.begins and v.in_at < d.ends and v.struck_at is null
  ) c
  where t.id = p_site;
$$;

-- What is different from a released page: added, changed, struck, withheld or removed. Without words, because a client
-- reads it: a line that was struck through is gone from the page. Visits that ended with their period are no change.
create function private.page_changes(p_page public.post_pages) returns jsonb
language sql stable security definer set search_path = '' as $$
  with now_lines as materialized (
    select l.* from private.page_lines(p_page.site_id, p_page.day) l
  ), then_lines as (
    select l.source, l.id, l.kind, l.step, l.at, l.words
    from jsonb_to_recordset(p_page.lines || coalesce(p_page.visits, '[]'))
      l (source text, id uuid, kind text, step text, at timestamptz, words text)
  ), compared as (
    select coalesce(n.at, t.at) as at, coalesce(n.kind, t.kind) as kind, coalesce(n.step, t.step) as step,
      coalesce(n.id, t.id) as id,
      case
        when t.id is null then case when n.withheld is null then 'added' end
        when n.id is null then case when t.source <> 'visit' then 'removed' end
        when n.withheld = 'struck' then 'struck'
        when n.withheld is not null then 'withheld'
        when (n.words, n.at) is distinct from (t.words, t.at) then 'changed'
      end as change
    from now_lines n
    full join then_lines t on t.source = n.source and t.id = n.id and t.step is not distinct from n.step
    where p_page.visits is not null or coalesce(n.source, t.source) <> 'visit'
  )
  select coalesce(jsonb_agg(jsonb_build_object('change', c.change, 'at', c.at, 'kind', c.kind, 'step', c.step)
    order by c.at, c.kind, c.step, c.id), '[]')
  from compared c where c.change is not null;
$$;

-- The newest release of a day, also if it was withdrawn.
create function private.newest_page(p_site uuid, p_day date) returns public.post_pages
language sql stable security definer set search_path = '' as $$
  select p.* from public.post_pages p where p.site_id = p_site and p.day = p_day order by p.version desc limit 1;
$$;

-- Until when a site's visits have ended, from the cutoff of the company's period.
create function private.visits_cutoff(p_site uuid, p_cutoff timestamptz) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select p_cutoff + make_interval(days => r.days - coalesce(s.visits_days, r.days))
  from public.sites s cross join public.retention_rules r
  where s.id = p_site and r.kind = 'visits';
$$;

-- Whether the period of the visitors on a page has ended. Never null.
create function private.are_visits_due(p_site uuid, p_day date, p_cutoff timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(private.company_midnight(p_day + 1) <= private.visits_cutoff(p_site, p_cutoff), false);
$$;

-- Changes whenever the page would.
create function private.page_fingerprint(p_site uuid, p_day date) returns text
language sql stable security definer set search_path = '' as $$
  select md5(private.page_facts(p_site, p_day)::text || coalesce(jsonb_agg(to_jsonb(l) order by l.at, l.source, l.id,
    l.step)::text, ''))
  from private.page_lines(p_site, p_day) l where l.withheld is null;
$$;

-- The next version of a day, as the book is now. It is not stored yet.
create function private.next_page(p_site uuid, p_day date) returns public.post_pages
language plpgsql stable security definer set search_path = '' as $$
declare
  last public.post_pages := private.newest_page(p_site, p_day);
  page public.post_pages;
begin
  page.id := gen_random_uuid();
  page.site_id := p_site;
  page.day := p_day;
  page.version := coalesce(last.version, 0) + 1;
  page.facts := private.page_facts(p_site, p_day);
  page.changes := case when last.id is null then '[]' else private.page_changes(last) end;
  page.released_by := auth.uid();
  page.released_at := now();
  select t.client_id, t.book_kinds_withheld into page.client_id, page.withheld_kinds
  from public.sites t where t.id = p_site;
  select coalesce(jsonb_agg(o.line) filter (where o.source <> 'visit'), '[]'),
    coalesce(jsonb_agg(o.line) filter (where o.source = 'visit'), '[]') into page.lines, page.visits
  from (
    select l.source, to_jsonb(l) - 'withheld' as line
    from private.page_lines(p_site, p_day) l where l.withheld is null order by l.at, l.source, l.id, l.step
  ) o;
  if private.are_visits_due(p_site, p_day, now() - make_interval(days => (
    select r.days from public.retention_rules r where r.kind = 'visits'
  ))) then
    page.visits := null;
  end if;
  return page;
end
$$;

-- Stores the next version, and queues its mails. Nothing if the newest one is as the book. @returns the page's id
create function private.make_page(p_site uuid, p_day date) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  last public.post_pages;
  page public.post_pages;
begin
  perform pg_advisory_xact_lock(hashtextextended('page of ' || p_site || ' ' || p_day, 0));
  last := private.newest_page(p_site, p_day);
  if last.id is not null and last.withdrawn_at is null and private.page_changes(last) = '[]' then
    return last.id;
  end if;
  page := private.next_page(p_site, p_day);
  insert into public.post_pages select page.*;
  insert into private.page_mails (page_id, contact_id)
  select page.id, c.id from public.client_contacts c
  where c.client_id = page.client_id and c.user_id is not null and c.revoked_at is null
    and c.access_until >= private.company_date();
  return page.id;
end
$$;

-- A day of a site that the caller may release: it is over, and not too long ago.
create function private.require_page_of(p_site uuid, p_day date) returns public.sites
language plpgsql stable security definer set search_path = '' as $$
declare
  site public.sites;
  today date;
begin
  perform private.require_member();
  perform private.require_day(p_day);
  select * into site from public.sites t where t.id = p_site;
  if not found or not private.may_oversee(p_site) then
    raise exception 'There is no such book, or it isn''t yours to release.' using errcode = 'insufficient_privilege';
  end if;
  today := (now() at time zone site.timezone)::date;
  if p_day >= today or p_day < today - 92 then
    raise exception 'A day is released once it is over, and for three months.' using errcode = 'PT409';
  elsif site.client_id is null then
    raise exception 'Link the site to a client on record first.' using errcode = 'PT409';
  end if;
  return site;
end
$$;

-- What a release would give to the client now, what it leaves out and why, and how it differs from the last release.
create function public.page_draft(p_site_id uuid, p_day date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  last public.post_pages;
begin
  perform private.require_member();
  perform private.require_day(p_day);
  if not private.may_plan(p_site_id) or not exists (select from public.sites t where t.id = p_site_id) then
    raise exception 'There is no such book, or you may not read it.' using errcode = 'insufficient_privilege';
  end if;
  last := private.newest_page(p_site_id, p_day);
  return jsonb_build_object(
    'fingerprint', private.page_fingerprint(p_site_id, p_day),
    'facts', private.page_facts(p_site_id, p_day),
    'has_client', (select t.client_id is not null from public.sites t where t.id = p_site_id),
    'is_over', p_day < (select (now() at time zone t.timezone)::date from public.sites t where t.id = p_site_id),
    'may_release', private.may_oversee(p_site_id),
    'lines', (
      select coalesce(jsonb_agg(to_jsonb(l) order by l.at, l.source, l.id, l.step), '[]')
      from private.page_lines(p_site_id, p_day) l
    ),
    'released', case when last.id is not null then jsonb_build_object('id', last.id, 'version', last.version,
      'at', last.released_at, 'by', case when last.released_by is not null
        then private.name_of_person(last.released_by) end,
      'withdrawn_at', last.withdrawn_at, 'withdrawn_by', case when last.withdrawn_by is not null
        then private.name_of_person(last.withdrawn_by) end,
      'withdraw_reason', last.withdraw_reason, 'changes', private.page_changes(last)) end
  );
end
$$;
grant execute on function public.page_draft to authenticated;

-- Withholds a line from the client, or shows it again; what is released already changes with the next release.
create function public.withhold_line(
  p_site_id uuid, p_day date, p_source text, p_id uuid, p_withheld boolean default true
) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  perform private.require_day(p_day);
  if p_withheld is null or not private.may_oversee(p_site_id) or not exists (
    select from private.page_lines(p_site_id, p_day) l where l.source = p_source and l.id = p_id
  ) then
    raise exception 'This line is not in the book, or not yours to withhold.' using errcode = 'PT404';
  end if;
  if p_withheld then
    insert into public.withheld_lines (site_id, source, line_id, withheld_by)
    values (p_site_id, p_source, p_id, auth.uid()) on conflict on constraint withheld_lines_once do nothing;
  else
    delete from public.withheld_lines w where w.site_id = p_site_id and w.source = p_source and w.line_id = p_id;
  end if;
end
$$;
grant execute on function public.withhold_line to authenticated;

-- Releases a day to the client, or releases it again as it is now. Repeated, it changes nothing.
-- @param p_fingerprint of the page that was looked at: a line that came since is not released unread
create function public.release_page(p_site_id uuid, p_day date, p_fingerprint text) returns uuid
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_page_of(p_site_id, p_day);
  if p_fingerprint is distinct from private.page_fingerprint(p_site_id, p_day) then
    raise exception 'The book has changed since you opened this page. Look at it again, then release it.'
      using errcode = 'PT409';
  end if;
  return private.make_page(p_site_id, p_day);
end
$$;
grant execute on function public.release_page to authenticated;

-- Takes a released day back from the client, with all its versions. The first reason stays.
create function public.withdraw_page(p_page_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  reason text := nullif(btrim(p_reason), '');
  page public.post_pages;
begin
  perform private.require_member();
  if reason is null or char_length(reason) > 300 then
    raise exception 'Write why the page is withdrawn, in up to 300 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
  select * into page from public.post_pages p where p.id = p_page_id for update;
  if not found or not private.may_oversee(page.site_id) then
    raise exception 'This page is not yours to withdraw.' using errcode = 'PT404';
  end if;
  if (private.newest_page(page.site_id, page.day)).id <> page.id then
    raise exception 'There is a newer version of this page. Withdraw that one.' using errcode = 'PT409';
  end if;
  update public.post_pages p set withdrawn_at = now(), withdrawn_by = auth.uid(), withdraw_reason = reason
  where p.id = page.id and p.withdrawn_at is null;
  delete from private.page_mails m where m.page_id = page.id;
end
$$;
grant execute on function public.withdraw_page to authenticated;

-- Pages of sites with an hour, once each: those that somebody released or withdrew before stay as they are, and a day
-- without a line has no page. Up to a week is made up for. @returns how many
create function private.release_due_pages() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  due record;
  released integer := 0;
begin
  delete from private.page_schedule d using public.sites s
  where s.id = d.site_id and (s.book_release_hour is null or s.client_id is null);
  -- The first page by itself is that of the day on which the hour was set.
  insert into private.page_schedule (site_id, next_day)
  select s.id, (now() at time zone s.timezone)::date from public.sites s
  where s.book_release_hour is not null and s.client_id is not null on conflict do nothing;
  for due in
    select d.site_id, t.last, greatest(d.next_day, t.last - 6) as first
    from private.page_schedule d
    join public.sites s on s.id = d.site_id
    cross join lateral (
      values ((now() at time zone s.timezone - make_interval(hours => s.book_release_hour))::date - 1)
    ) t (last)
    where d.next_day <= t.last order by d.site_id for update of d
  loop
    -- A site that fails must not stop the others; the next run tries it again.
    begin
      for n in 0 .. due.last - due.first loop
        if (private.newest_page(due.site_id, due.first + n)).id is null
          and exists (select from private.page_lines(due.site_id, due.first + n))
        then
          perform private.make_page(due.site_id, due.first + n);
          released := released + 1;
        end if;
      end loop;
      update private.page_schedule d set next_day = due.last + 1 where d.site_id = due.site_id;
    exception when others then
      raise warning 'the page of site % was not released: %', due.site_id, sqlerrm;
    end;
  end loop;
  return released;
end
$$;

-- ── Contacts of clients ───────────────────────────────────────────────

-- The newest release of each day at the caller's sites, unless it was withdrawn.
create function private.client_pages() returns setof public.post_pages
language sql stable security definer set search_path = '' as $$
  select p.*
  from public.sites s
  join public.post_pages p on p.site_id = s.id and p.client_id = s.client_id
  where s.client_id = any ((select private.client_of_caller())::uuid[]) and p.withdrawn_at is null
    and not exists (
      select from public.post_pages n where n.site_id = p.site_id and n.day = p.day and n.version > p.version
    );
$$;

-- The newest first.
create function public.client_pages()
returns table (
  id uuid, site_id uuid, site_name text, day date, version integer, released_at timestamptz, line_count integer,
  visitors integer, vehicles integer
)
language sql stable security definer set search_path = '' as $$
  select p.id, p.site_id, p.facts ->> 'site', p.day, p.version, p.released_at,
    jsonb_array_length(p.lines || coalesce(p.visits, '[]')), (p.facts ->> 'visitors')::integer,
    (p.facts ->> 'vehicles')::integer
  from private.client_pages() p order by p.day desc, p.facts ->> 'site', p.id limit 400;
$$;
grant execute on function public.client_pages to authenticated;

-- A page as its client reads it. For the office, too, which reads every version.
create function public.read_page(p_page_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page public.post_pages;
begin
  select * into page from private.client_pages() p where p.id = p_page_id;
  if not found and private.is_member() then
    select * into page from public.post_pages p where p.id = p_page_id and private.may_plan(p.site_id);
  end if;
  if page.id is null then
    raise exception 'There is no such page.' using errcode = 'PT404';
  end if;
  return jsonb_build_object('id', page.id, 'day', page.day, 'version', page.version, 'released_at', page.released_at,
    'facts', page.facts, 'changes', page.changes, 'are_visits_kept', page.visits is not null, 'lines', (
      select coalesce(jsonb_agg(l.line order by (l.line ->> 'at')::timestamptz, l.line ->> 'source', l.line ->> 'id',
        l.line ->> 'step'), '[]')
      from jsonb_array_elements(page.lines || coalesce(page.visits, '[]')) l (line)
    ));
end
$$;
grant execute on function public.read_page to authenticated;
