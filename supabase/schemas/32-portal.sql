-- What contacts of clients see and ask for.

-- ── Tables ────────────────────────────────────────────────────────────

-- What contacts of clients write to the company: a message, or a request for extra guards; and what the office answers.
create table public.client_requests (
  id uuid default gen_random_uuid() primary key,
  client_id uuid not null references public.clients on delete cascade,
  contact_id uuid not null references public.client_contacts on delete cascade,
  site_id uuid references public.sites on delete set null,
  kind text not null check (kind in ('message', 'extra_guard')),
  body text not null check (char_length(body) between 2 and 2000),
  starts_at timestamptz,
  ends_at timestamptz,
  headcount integer check (headcount between 1 and 100),
  status text not null default 'open' check (status in ('open', 'answered', 'declined')),
  answer text check (char_length(answer) between 2 and 2000),
  answered_by uuid references public.profiles on delete set null,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint client_requests_extra_guards_have_a_time check ((kind = 'extra_guard') = (starts_at is not null)
    and (kind = 'extra_guard') = (ends_at is not null) and (kind = 'extra_guard') = (headcount is not null)),
  constraint client_requests_end_after_start check (ends_at > starts_at
    and (ends_at - starts_at) <= interval '31 days'),
  constraint client_requests_are_open_without_an_answer check ((status = 'open') = (answer is null)
    and (status = 'open') = (answered_at is null))
);
create index client_requests_client_id_idx on public.client_requests (client_id, created_at desc);
create index client_requests_contact_id_idx on public.client_requests (contact_id, created_at desc);
create index client_requests_site_id_idx on public.client_requests (site_id);
create index client_requests_answered_by_idx on public.client_requests (answered_by);
create index client_requests_created_at_idx on public.client_requests (created_at);
alter table public.client_requests replica identity full;
alter publication supabase_realtime add table public.client_requests;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.client_requests', 'body', 'answer');
create trigger queue_answer_mail after update on public.client_requests
  for each row when (old.status = 'open' and new.status <> 'open') execute function private.queue_answer_mail();
select private.keep_history_of('public.client_requests');
alter table public.client_requests enable row level security;
grant select on public.client_requests to authenticated;
create policy "Admins and operations managers read requests of clients" on public.client_requests
  for select to authenticated using ((select private.has_role('admin', 'ops_manager')));
create policy "Contacts of clients read the requests of their clients" on public.client_requests
  for select to authenticated using (client_id = any ((select private.client_of_caller())::uuid[]));

-- An answer to a contact's message, or to a request for extra guards, is also mailed to that contact, while the access
-- lasts.
create table private.client_answer_mails (
  request_id uuid primary key references public.client_requests on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz default now(), -- Time of the next attempt; null after the last one failed.
  last_error text
);
create index client_answer_mails_next_at_idx on private.client_answer_mails (next_at);
alter table private.client_answer_mails enable row level security;

-- Requests for links, by network, of the last quarter of an hour.
create table private.client_link_requests (
  id bigint generated always as identity primary key,
  network text not null,
  at timestamptz not null default now()
);
create index client_link_requests_network_idx on private.client_link_requests (network, at);
create index client_link_requests_at_idx on private.client_link_requests (at);
alter table private.client_link_requests enable row level security;

create table private.client_report_mails (
  id uuid default gen_random_uuid() primary key,
  client_id uuid not null references public.clients on delete cascade,
  month date not null,
  email text not null,
  attempts integer not null default 0,
  next_at timestamptz default now(), -- Time of the next attempt; null after the last one failed.
  last_error text
);
create index client_report_mails_client_id_idx on private.client_report_mails (client_id);
create index client_report_mails_next_at_idx on private.client_report_mails (next_at);
alter table private.client_report_mails enable row level security;

-- Apart from the queue, whose rows go when their mail is sent: a month is mailed once.
create table private.client_reports (
  client_id uuid not null references public.clients on delete cascade,
  month date not null,
  queued_at timestamptz not null default now(),
  primary key (client_id, month)
);
alter table private.client_reports enable row level security;

-- What a reporter remembers after reporting: notes added to their own report, for everyone who reads the incident.
create table public.report_notes (
  id uuid default gen_random_uuid() primary key,
  incident_id uuid not null references public.incidents on delete cascade,
  note text not null check (char_length(note) between 1 and 2000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
create index report_notes_incident_id_idx on public.report_notes (incident_id, created_at);
create index report_notes_created_by_idx on public.report_notes (created_by);
alter table public.report_notes replica identity full;
alter publication supabase_realtime add table public.report_notes;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.report_notes', 'note');
create trigger b_limit_notes before insert on public.report_notes
  for each row execute function private.limit_report_notes();
create trigger notify_of_answer after insert on public.report_notes
  for each row when (auth.role() is not null) execute function private.notify_of_answer();
select private.keep_history_of('public.report_notes');
alter table public.report_notes enable row level security;
revoke all on public.report_notes from service_role;
grant select, insert (id, incident_id, note) on public.report_notes to authenticated;
grant select on public.report_notes to service_role;
create policy "Readers of an incident read its reporter's notes" on public.report_notes
  for select to authenticated using (exists (select from public.incidents i where i.id = incident_id));
create policy "Members add notes to their own reports" on public.report_notes
  for insert to authenticated
  with check (
    created_by = (select auth.uid())
    and exists (select from public.incidents i where i.id = incident_id and i.raised_by_user_id = (select auth.uid()))
  );

-- ── Accounts and files of the services ────────────────────────────────

create policy "Contacts of clients read the photos that were chosen for them" on storage.objects
  for select to authenticated using (bucket_id = 'evidence' and name = any ((select private.client_photos())::text[]));
create policy "Contacts of clients see photos of the guards on post" on storage.objects
  for select to authenticated using (bucket_id = 'photos' and name = any ((select private.photos_on_post())::text[]));

-- ── Functions ─────────────────────────────────────────────────────────

-- So that no account can fill the database.
create function private.limit_report_notes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 100;
begin
  -- Two notes at once would both be within the limit.
  perform pg_advisory_xact_lock(hashtextextended('notes on ' || new.incident_id, 0));
  if (select count(*) from public.report_notes n where n.incident_id = new.incident_id) >= most then
    raise exception 'A report takes at most % notes. Please call your supervisor.', most
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create function private.queue_answer_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.client_answer_mails (request_id)
  select new.id from public.client_contacts c
  where c.id = new.contact_id and c.revoked_at is null and c.access_until >= private.company_date();
  return null;
end
$$;

-- The first answer counts.
create function public.answer_client_request(p_id uuid, p_answer text, p_declined boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_client_manager();
  if coalesce(char_length(btrim(p_answer)), 0) < 2 or p_declined is null then
    raise exception 'Write an answer.' using errcode = 'invalid_parameter_value';
  end if;
  update public.client_requests r set
    status = case when p_declined then 'declined' else 'answered' end,
    answer = p_answer, answered_by = auth.uid(), answered_at = now()
  where r.id = p_id and r.status = 'open';
  if not found then
    raise exception 'There is no such request, or it has been answered already.' using errcode = 'PT409';
  end if;
end
$$;
grant execute on function public.answer_client_request to authenticated;

-- When the contacts of a client last used their account; null if never.
create function public.client_contact_visits(p_client_id uuid) returns table (contact_id uuid, last_seen_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager', 'finance') then
    raise exception 'Only admins, operations managers and finance may see this.'
      using errcode = 'insufficient_privilege';
  end if;
  return query
    select c.id, greatest(u.last_sign_in_at, (
      select max(coalesce(s.refreshed_at at time zone 'UTC', s.created_at)) from auth.sessions s where s.user_id = u.id
    ))
    from public.client_contacts c left join auth.users u on u.id = c.user_id where c.client_id = p_client_id;
end
$$;
comment on function public.client_contact_visits is 'Nullable: last_seen_at';
grant execute on function public.client_contact_visits to authenticated;

-- Coverage of the caller's sites in days of the company, at most 92: by day, and by site and post. Minutes of guards;
-- late is a part of uncovered.
create function public.client_coverage("from" date, "to" date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform private.require_day(client_coverage."from", 'start');
  perform private.require_day(client_coverage."to", 'end');
  if client_coverage."to" < client_coverage."from" or client_coverage."to" - client_coverage."from" > 91 then
    raise exception 'Give a start before the end, at most 92 days apart.' using errcode = 'invalid_parameter_value';
  end if;
  with found as materialized (
    select * from private.coverage_of(private.client_sites(), client_coverage."from", client_coverage."to")
  ), sums as (
    select c.day, c.site_id, c.post_id, grouping(c.day) as by_post,
      sum(c.required_minutes) as required, sum(c.worked_minutes) as worked, sum(c.uncovered_minutes) as uncovered,
      sum(c.late_minutes) as late, sum(c.overstaffed_minutes) as overstaffed
    from found c
    group by grouping sets ((c.day), (c.site_id, c.post_id))
  ), rows as (
    select s.by_post, s.day, t.name as site, p.name as post, jsonb_build_object(
      'required', s.required, 'worked', s.worked, 'uncovered', s.uncovered, 'late', s.late, 'overstaffed', s.overstaffed
    ) || case s.by_post
      when 0 then jsonb_build_object('day', s.day)
      else jsonb_build_object('site_id', s.site_id, 'site', t.name, 'post_id', s.post_id, 'post', p.name)
    end as entry
    from sums s
    left join public.sites t on t.id = s.site_id
    left join public.posts p on p.id = s.post_id
  )
  select jsonb_build_object(
    'days', coalesce(jsonb_agg(r.entry order by r.day) filter (where r.by_post = 0), '[]'),
    'posts', coalesce(jsonb_agg(r.entry order by r.site, r.post) filter (where r.by_post = 1), '[]')
  ) into answer
  from rows r;
  return answer;
end
$$;
grant execute on function public.client_coverage to authenticated;

-- The days behind a line: hours at the post and how many guards worked them, without names. Time over the company's
-- midnight is cut there, as the invoices' periods are. Behind a monthly amount is what was worked at the post in that
-- month.
create function public.client_line_days(p_line_id uuid) returns table (day date, minutes integer, guards integer)
language plpgsql stable security definer set search_path = '' as $$
declare
  line public.invoice_lines;
begin
  select l.* into line from public.invoice_lines l join public.invoices i on i.id = l.invoice_id
  where l.id = p_line_id and i.client_id = any (private.client_of_caller()) and i.status <> 'draft';
  if line.id is null then
    raise exception 'There is no such line.' using errcode = 'PT404';
  end if;
  return query
    with pieces as (
      select d.day::date as day, b.user_id, extract(epoch from
        least(upper(b.span), (d.day + interval '1 day') at time zone z.time_zone)
        - greatest(lower(b.span), d.day at time zone z.time_zone)) / 60 as minutes
      from private.settings z
      cross join public.billed_time b
      cross join lateral generate_series(
        date_trunc('day', lower(b.span) at time zone z.time_zone),
        (upper(b.span) - interval '1 microsecond') at time zone z.time_zone, interval '1 day') d (day)
      where b.invoice_line_id = line.id
      union all
      select s.day, s.user_id, s.minutes
      from public.contract_posts c
      join public.time_segments s on s.site_id = c.site_id and s.day >= line.month
        and s.day <= line.month + interval '1 month'
        and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
      left join public.shifts h on h.id = s.shift_id
      cross join lateral (select (private.contract_post_of_work(s.site_id, h.post_id, s.day,
        private.company_date_of(h.start_time))).id as id offset 0) p
      where line.kind = 'fixed' and c.id = line.contract_post_id and p.id = c.id
        -- Of the day after the month only the morning of the post's last night.
        and (s.day < line.month + interval '1 month' or c.ends_on = s.day - 1)
    )
    select p.day, sum(p.minutes)::integer, count(distinct p.user_id)::integer
    from pieces p group by p.day order by p.day;
end
$$;
grant execute on function public.client_line_days to authenticated;

-- Only reviewed reports count; not_reviewed is how many others there are. Minutes of coverage are of guards. In time
-- and late are judged by the goals of the day of the report; what is neither has time left. Medians are of those that
-- are done.
create function private.client_month(p_client_id uuid, p_month date) returns jsonb
language sql stable security definer set search_path = '' as $$
  with span as (
    select d.first, (d.first + interval '1 month')::date - 1 as last,
      private.company_midnight(d.first) as begins,
        private.company_midnight((d.first + interval '1 month')::date) as ends
    from (select date_trunc('month', p_month)::date as first) d
  ), covered as materialized (
    select c.* from span
    cross join lateral private.coverage_of(
      array(select t.id from public.sites t where t.client_id = p_client_id), span.first, span.last
    ) c
  ), reported as materialized (
    select i.id, i.severity, i.category, public.review_state(i) = 'reviewed' as counts,
      private.responded_at(i.id) - i.created_at as response, private.resolved_at(i) - i.created_at as resolution,
      now() - i.created_at as age, i.status in ('open', 'investigating') as is_active,
      g.response as response_goal, g.resolution as resolution_goal
    from span
    join public.sites t on t.client_id = p_client_id
    join public.incidents i on i.site_id = t.id and i.created_at >= span.begins and i.created_at < span.ends
    join private.goal_spans() g
      on g.severity = i.severity and i.created_at >= g.first and i.created_at < g.until
  )
  select jsonb_build_object(
    'client', c.name, 'from', span.first, 'to', span.last,
    'sites', (
      select coalesce(jsonb_agg(jsonb_build_object('site', s.name, 'required', s.required, 'worked', s.worked,
        'uncovered', s.uncovered, 'late', s.late, 'overstaffed', s.overstaffed) order by s.name, s.id), '[]')
      from (
        select t.id, t.name, sum(v.required_minutes) as required, sum(v.worked_minutes) as worked,
          sum(v.uncovered_minutes) as uncovered, sum(v.late_minutes) as late, sum(v.overstaffed_minutes) as overstaffed
        from covered v join public.sites t on t.id = v.site_id group by t.id, t.name
      ) s
    ),
    'days', (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'required', d.required, 'uncovered', d.uncovered)
        order by d.day), '[]')
      from (
        select v.day, sum(v.required_minutes) as required, sum(v.uncovered_minutes) as uncovered
        from covered v group by v.day
      ) d
    ),
    'severities', (
      select jsonb_agg(jsonb_build_object(
        'severity', s.severity,
        'incidents', count_of.incidents,
        'response_in_time', count_of.response_in_time, 'response_late', count_of.response_late,
        'response_minutes', count_of.response_minutes,
        'resolution_in_time', count_of.resolution_in_time, 'resolution_late', count_of.resolution_late,
        'resolution_minutes', count_of.resolution_minutes
      ) order by s.place)
      from unnest(array['critical', 'high', 'medium', 'low']) with ordinality s (severity, place)
      cross join lateral (
        select count(*) as incidents,
          count(*) filter (where r.response <= r.response_goal) as response_in_time,
          count(*) filter (where coalesce(r.response, r.age) > r.response_goal) as response_late,
          round((percentile_cont(0.5) within group (order by extract(epoch from r.response)) / 60)::numeric)
            as response_minutes,
          count(*) filter (where r.resolution <= r.resolution_goal) as resolution_in_time,
          count(*) filter (where coalesce(r.resolution, case when r.is_active then r.age end) > r.resolution_goal)
            as resolution_late,
          round((percentile_cont(0.5) within group (order by extract(epoch from r.resolution)) / 60)::numeric)
            as resolution_minutes
        from reported r where r.counts and r.severity = s.severity
      ) count_of
    ),
    'categories', (
      select coalesce(jsonb_agg(jsonb_build_object('category', k.category, 'incidents', k.incidents)
        order by k.incidents desc, k.category), '[]')
      from (select r.category, count(*) as incidents from reported r where r.counts group by r.category) k
    ),
    'calls', (
      select jsonb_agg(to_jsonb(k)) from private.calls_of_client(p_client_id, span.begins, span.ends) k
    ),
    'not_reviewed', (select count(*) from reported r where not r.counts)
  )
  from span join public.clients c on c.id = p_client_id;
$$;

-- For the office, and for contacts of the client. Of a month that has begun; the present one is up to now.
-- @returns whether the caller is of the office
create function private.require_client_month(p_client_id uuid, p_month date) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  is_manager constant boolean := private.has_role('admin', 'ops_manager');
begin
  perform private.require_day(p_month, 'month');
  if p_client_id is null or not (is_manager or p_client_id = any (private.client_of_caller())) then
    raise exception 'You may not see the report of this client.' using errcode = 'insufficient_privilege';
  end if;
  if p_month > private.company_date() then
    raise exception 'This month has not begun.' using errcode = 'invalid_parameter_value';
  end if;
  return is_manager;
end
$$;

create function public.client_month(p_client_id uuid, p_month date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  is_manager constant boolean := private.require_client_month(p_client_id, p_month);
  document jsonb;
begin
  document := private.client_month(p_client_id, p_month);
  if document is null then
    raise exception 'This client does not exist.' using errcode = 'PT404';
  end if;
  -- What the company has not checked yet is not for the client.
  return case when is_manager then document else document || '{"not_reviewed": 0}' end;
end
$$;
grant execute on function public.client_month to authenticated;

-- Guards who have clocked in at these sites and not out, on shifts that run or start within the hour.
create function private.guards_on_post(sites uuid[])
returns table (site_id uuid, post_id uuid, user_id uuid, since timestamptz)
language sql stable security definer set search_path = '' as $$
  select s.site_id, s.post_id, a.user_id, r.clock_in_at
  from public.shifts s
  join public.assignments a on a.shift_id = s.id and a.status <> 'cancelled'
  join public.attendance r on r.assignment_id = a.id and r.clock_out_at is null
  where s.site_id = any (sites) and s.end_time > now() and s.start_time < now() + interval '1 hour';
$$;

-- What clients call a guard.
create function private.name_for_clients(p_full_name text) returns text
language sql immutable set search_path = ''
return coalesce(nullif(split_part(btrim(p_full_name), ' ', 1), ''), 'Guard');

-- As before, and with the photo of each guard, if there is one.
create function public.client_now()
returns table (
  site_id uuid, site_name text, address text, timezone text, post_id uuid, post_name text, required integer,
  guards jsonb, next_at timestamptz
)
language sql stable security definer set search_path = '' as $$
  with own as materialized (
    select t.id, t.name, t.address, t.timezone from public.sites t
    where t.id = any ((select private.client_sites())::uuid[])
  ), due as materialized (
    -- Guards who come early count as there, although their shift has not begun.
    select s.site_id, s.post_id, case when s.start_time <= now() then s.required_headcount else 0 end as required
    from own o join public.shifts s on s.site_id = o.id
    where s.end_time > now() and s.start_time < now() + interval '1 hour'
  ), present as materialized (
    select g.site_id, g.post_id, jsonb_build_object(
      'name', private.name_for_clients(p.full_name), 'since', g.since, 'photo', p.photo_path
    ) as guard
    from private.guards_on_post((select private.client_sites())) g
    join public.profiles p on p.id = g.user_id
  ), places as (
    select d.site_id, d.post_id, sum(d.required)::integer as required, coalesce((
      select jsonb_agg(p.guard order by p.guard ->> 'since', p.guard ->> 'name') from present p
      where p.site_id = d.site_id and p.post_id is not distinct from d.post_id
    ), '[]') as guards
    from due d
    group by d.site_id, d.post_id
  )
  select o.id, o.name, o.address, o.timezone, l.post_id, t.name, coalesce(l.required, 0), coalesce(l.guards, '[]'),
    case when l.site_id is null then (
      select min(s.start_time) from public.shifts s where s.site_id = o.id and s.start_time > now()
    ) end
  from own o
  left join places l on l.site_id = o.id and (l.required > 0 or l.guards <> '[]')
  left join public.posts t on t.id = l.post_id order by o.name, o.id, t.name nulls last, l.post_id;
$$;
comment on function public.client_now is 'Nullable: post_id, post_name, next_at';
grant execute on function public.client_now to authenticated;

-- The caller's clients and sites, for choosing one.
create function public.client_places() returns table (client_id uuid, client_name text, site_id uuid, site_name text)
language sql stable security definer set search_path = '' as $$
  select k.id, k.name, s.id, s.name
  from public.clients k
  left join public.sites s on s.client_id = k.id
  where k.id = any ((select private.client_of_caller())::uuid[]) order by k.name, k.id, s.name, s.id;
$$;
comment on function public.client_places is 'Nullable: site_id, site_name';
grant execute on function public.client_places to authenticated;

-- Reports about incidents in the portal of clients: the newest approved letter about each incident at the caller's
-- sites, with the photos chosen for it. A later version replaces the earlier one there, with its names and photos.
create function private.client_letters() returns setof public.incident_letters
language sql stable security definer set search_path = '' as $$
  select distinct on (l.incident_id) l.*
  from public.sites s
  join public.incidents i on i.site_id = s.id
  join public.incident_letters l on l.incident_id = i.id
  where s.client_id = any ((select private.client_of_caller())::uuid[]) and l.approved_at is not null
  order by l.incident_id, l.version desc;
$$;

-- `facts` are those of the letter: the reporter is among them only if names are included.
create function public.client_reports()
returns table (
  id uuid, reference text, version integer, subject text, summary text, actions text, signatory text,
  signatory_title text, facts jsonb, released_at timestamptz, photos jsonb, read_by jsonb, is_read boolean
)
language sql stable security definer set search_path = '' as $$
  select l.id, upper(left(l.incident_id::text, 8)), l.version, l.subject, l.summary, l.actions, l.signatory,
    l.signatory_title, l.facts, l.approved_at,
    coalesce((
      select jsonb_agg(jsonb_build_object('id', e.id, 'path', e.url, 'taken_at', coalesce(e.taken_at, e.created_at))
        order by coalesce(e.taken_at, e.created_at), e.id)
      from public.evidence e where e.id = any (l.photo_ids) and e.incident_id = l.incident_id), '[]'),
    coalesce((
      select jsonb_agg(jsonb_build_object('name', a.contact_name, 'at', a.created_at) order by a.created_at, a.id)
      from public.letter_acknowledgements a where a.letter_id = l.id), '[]'),
    exists (
      select from public.letter_acknowledgements a join public.client_contacts c on c.id = a.contact_id
      where a.letter_id = l.id and c.user_id = (select auth.uid()))
  from private.client_letters() l order by l.approved_at desc, l.id limit 200;
$$;
comment on function public.client_reports is 'Nullable: actions, signatory_title';
grant execute on function public.client_reports to authenticated;

-- Sends a message, or with times and a headcount a request for extra guards. Sending the same id again changes nothing.
create function public.send_client_request(
  p_id uuid, p_client_id uuid, p_body text, p_site_id uuid default null, p_starts_at timestamptz default null,
  p_ends_at timestamptz default null, p_headcount integer default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  sender public.client_contacts;
  client_name text;
begin
  select c.* into sender from public.client_contacts c
  where c.user_id = auth.uid() and c.client_id = p_client_id and c.revoked_at is null
    and c.client_id = any (private.client_of_caller());
  if sender.id is null then
    raise exception 'Your access to this client has ended.' using errcode = 'insufficient_privilege';
  end if;
  if p_id is null or p_body is null then
    raise exception 'Write a message.' using errcode = 'invalid_parameter_value';
  end if;
  if p_site_id is not null and not exists (
    select from public.sites s where s.id = p_site_id and s.client_id = p_client_id
  ) then
    raise exception 'This site is not among yours.' using errcode = 'PT404';
  end if;
  if not (isfinite(coalesce(p_starts_at, now())) and isfinite(coalesce(p_ends_at, now())))
    or p_starts_at < now() - interval '1 hour' or p_starts_at > now() + interval '366 days'
  then
    raise exception 'Extra guards can be asked for from now on, and a year ahead.'
      using errcode = 'invalid_parameter_value';
  end if;
  -- One at a time, so that two at once are not both the last one allowed.
  perform pg_advisory_xact_lock(hashtextextended('requests of ' || sender.id, 0));
  if exists (select from public.client_requests r where r.id = p_id and r.contact_id = sender.id) then
    return;
  end if;
  if (
    select count(*) from public.client_requests r
    where r.contact_id = sender.id and r.created_at > now() - interval '1 day'
  ) >= 20 then
    raise exception 'You have sent 20 messages within a day. Please call us.' using errcode = 'PT429';
  end if;
  insert into public.client_requests (id, client_id, contact_id, site_id, kind, body, starts_at, ends_at, headcount)
  values (
    p_id, p_client_id, sender.id, p_site_id,
    case when p_starts_at is null and p_ends_at is null and p_headcount is null then 'message' else 'extra_guard' end,
    p_body, p_starts_at, p_ends_at, p_headcount
  );
  client_name := (select k.name from public.clients k where k.id = p_client_id);
  perform private.notify(
    person.user_id, 'client_request',
    format(case when p_headcount is null then 'Message from %s' else 'Extra guards for %s' end, client_name),
    left(btrim(p_body), 300), '/admin/clients?contacts=' || p_client_id,
      format('client request %s %s', p_id, person.user_id)
  )
  from (select distinct r.user_id from public.user_roles r where r.role in ('admin', 'ops_manager') order by 1) person;
end
$$;
grant execute on function public.send_client_request to authenticated;

-- Whether a link may be mailed to this address: 'yes', 'no' or 'blocked' after 20 requests of one network in 15
-- minutes.
-- For the service role alone.
create function public.take_client_link(p_email text, p_network text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  sender constant text := left(coalesce(p_network, ''), 100);
begin
  perform pg_advisory_xact_lock(hashtextextended('links for ' || sender, 0));
  delete from private.client_link_requests r where r.at < now() - interval '15 minutes';
  if (select count(*) from private.client_link_requests r where r.network = sender) >= 20 then
    return 'blocked';
  end if;
  insert into private.client_link_requests (network) values (sender);
  return case when exists (
    select from public.client_contacts c
    join auth.users u on u.id = c.user_id
    where lower(u.email) = lower(btrim(p_email)) and u.deleted_at is null
      and c.revoked_at is null and c.access_until >= private.company_date()
  ) then 'yes' else 'no' end;
end
$$;
grant execute on function public.take_client_link to service_role;

-- Paths of the photos that the caller may see.
create function private.client_photos() returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.client_of_caller() = '{}' then
    return '{}';
  end if;
  return array(
    select e.url from private.client_letters() l
    join public.evidence e on e.id = any (l.photo_ids) and e.incident_id = l.incident_id
  );
end
$$;
grant execute on function private.client_photos to authenticated;

-- Which month is to be mailed at an instant: the last one, on the first three days of the next from 7 AM of the
-- company, because no server may have run on the first. Null on other days.
create function private.month_to_mail(p_at timestamptz) returns date
language sql stable security definer set search_path = '' as $$
  select case
    when extract(day from local.at) <= 3 and local.at::time >= time '07:00'
    then (date_trunc('month', local.at) - interval '1 month')::date
  end
  from (select p_at at time zone s.time_zone as at from private.settings s) local;
$$;

-- Photos that the caller sees as a contact of a client: those of client_now.
create function private.photos_on_post() returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.client_of_caller() = '{}' then
    return '{}';
  end if;
  return array(
    select p.photo_path from private.guards_on_post(private.client_sites()) g
    join public.profiles p on p.id = g.user_id
    where p.photo_path is not null
  );
end
$$;
grant execute on function private.photos_on_post to authenticated;

-- Each client once a month. @returns how many mails
create function private.queue_reports_of(p_month date) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  with due as (
    insert into private.client_reports (client_id, month)
    select c.id, p_month from public.clients c where c.report_email is not null
    on conflict do nothing
    returning client_id
  )
  insert into private.client_report_mails (client_id, month, email)
  select d.client_id, p_month, c.report_email from due d join public.clients c on c.id = d.client_id;
  get diagnostics queued = row_count;
  return queued;
end
$$;

create function private.queue_client_reports() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  month constant date := private.month_to_mail(now());
begin
  return case when month is null then 0 else private.queue_reports_of(month) end;
end
$$;
