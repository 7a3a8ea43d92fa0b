-- Notices, push messages, mails, calendar feeds.

-- ── Tables ────────────────────────────────────────────────────────────

-- A secret address per person, from which calendar apps read the own shifts. Only its hash is stored: the address is
-- shown once, and a new one ends the old one.
create table private.calendar_feeds (
  user_id uuid primary key references public.profiles on delete cascade,
  secret_hash bytea not null unique,
  made_at timestamptz not null default now(),
  read_at timestamptz,
  hour_began timestamptz not null default now(), -- Reads in the hour that began then.
  reads integer not null default 0
);
alter table private.calendar_feeds enable row level security;

-- Published seats that lost their guards in the present transaction. Its end makes notices of them, one a reader, and
-- deletes them.
create table private.emptied_seats (
  id bigint generated always as identity primary key,
  shift_id uuid not null,
  user_id uuid not null,
  reason text not null
);
create constraint trigger tell_of_empty_seats after insert on private.emptied_seats
  deferrable initially deferred for each row execute function private.tell_of_empty_seats();
alter table private.emptied_seats enable row level security;

create table private.notice_deliveries (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references public.profiles on delete cascade,
  channel text not null check (channel in ('push', 'email', 'sms')),
  notice_ids uuid[] not null,
  -- open: takes more notices; sending: taken by a server until next_at, or to be retried then.
  state text not null default 'open' check (state in ('open', 'sending', 'sent', 'failed')),
  next_at timestamptz not null,
  attempts integer not null default 0,
  sent_to uuid[] not null default '{}', -- Subscriptions that have received it, so that a retry reaches only the others.
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  last_error text
);
create unique index notice_deliveries_open_idx on private.notice_deliveries (user_id, channel) where state = 'open';
create index notice_deliveries_due_idx on private.notice_deliveries (next_at) where state in ('open', 'sending');
create index notice_deliveries_created_at_idx on private.notice_deliveries (created_at);
alter table private.notice_deliveries enable row level security;

-- Without a row: everything that is possible, except text messages.
create table private.notice_settings (
  user_id uuid primary key references public.profiles on delete cascade,
  push boolean not null default true,
  email boolean not null default true,
  sms boolean not null default false,
  -- The mail of 6 AM, a choice of its own: who wants no mail for each notice still wants the report.
  daily_report boolean not null default true
);
alter table private.notice_settings enable row level security;

-- The server's own key pair (RFC 8292), made at the first start. Another pair would end every subscription.
create table private.push_keys (
  only_row boolean default true primary key check (only_row),
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null default now()
);
alter table private.push_keys enable row level security;

create table private.push_subscriptions (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references public.profiles on delete cascade,
  session_id uuid, -- The session that subscribed: signing out ends the messages to the device.
  endpoint text not null unique check (char_length(endpoint) <= 1000)
    constraint push_subscriptions_endpoint_is_url
    check (endpoint ~ '^https?://[a-z0-9.-]+(:\d{1,5})?/[A-Za-z0-9._~!$&''()*+,;=:@%/?-]*$'),
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{80,100}=*$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{20,40}=*$'),
  created_at timestamptz not null default now()
);
create index push_subscriptions_user_id_idx on private.push_subscriptions (user_id, created_at);
alter table private.push_subscriptions enable row level security;

-- Messages of the portal to one person. Other ways of sending (push, mail, text) follow from these rows.
create table public.notices (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references public.profiles on delete cascade,
  kind text not null check (char_length(kind) <= 50),
  title text not null check (char_length(title) <= 200),
  body text not null default '' check (char_length(body) <= 2000),
  link text check (link ~ '^/' and char_length(link) <= 300), -- A path of the app, such as /staff/shifts.
  dedupe_key text unique check (char_length(dedupe_key) <= 200), -- A notice with this key is stored once.
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notices_user_id_idx on public.notices (user_id, created_at desc);
create index notices_created_at_idx on public.notices (created_at);
alter table public.notices replica identity full;
alter publication supabase_realtime add table public.notices;
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.notices');
create trigger queue_deliveries after insert on public.notices referencing new table as new_rows
  for each statement execute function private.queue_deliveries();
alter table public.notices enable row level security;
grant select, update (read_at) on public.notices to authenticated;
create policy "Members read their own notices" on public.notices
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "Members mark their own notices as read" on public.notices
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_member()))
  with check (user_id = (select auth.uid()) and (select private.is_member()));

-- ── Functions ─────────────────────────────────────────────────────────

-- Queues a notice once per key. @returns its id, or null if the key has been used
create function private.notify(p_user uuid, p_kind text, p_title text, p_body text, p_link text, p_key text)
returns uuid
language sql security definer set search_path = '' as $$
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  values (p_user, p_kind, left(p_title, 200), left(coalesce(p_body, ''), 2000), p_link, p_key)
  on conflict (dedupe_key) do nothing returning id;
$$;

-- The answer goes to the reviewer who asked, as long as they oversee the site.
create function private.notify_of_answer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(asked.reviewed_by, 'incident', 'Answer: ' || i.title, new.note,
    '/admin/incidents?open=' || i.id, 'incident_answer:' || asked.id)
  from public.incidents i
  cross join lateral (
    select r.id, r.decision, r.reviewed_by from public.incident_reviews r
    where r.incident_id = i.id order by r.created_at desc limit 1
  ) asked
  where i.id = new.incident_id and asked.decision = 'returned'
    and asked.reviewed_by in (select private.overseers_of(i.site_id));
  return null;
end
$$;

create function private.notify_approvers(p_title text, p_body text, p_link text, p_key text) returns void
language sql security definer set search_path = '' as $$
  select private.notify(a.user_id, 'approval', p_title, p_body, p_link, p_key || ':' || a.user_id)
  from (
    select distinct r.user_id from public.user_roles r
    where r.role in ('admin', 'finance') and r.user_id is distinct from auth.uid() order by 1
  ) a;
$$;

create function private.notify_of_reopening() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_approvers('Someone asks to reopen the books', new.reason,
    '/admin/invoices/accounting?tab=closing', 'reopen:' || new.id);
  return null;
end
$$;

create function private.notify_overseers(p_site uuid, p_kind text, p_title text, p_body text, p_link text, p_key text)
returns void
language sql security definer set search_path = '' as $$
  select private.notify(decider.id, p_kind, p_title, p_body, p_link, p_key || ':' || decider.id)
  -- In order, so that two at once never deadlock.
  from (select d.id from private.deciders_of(p_site) d (id) order by 1) decider;
$$;

-- A new report goes to those who review it; rows that the owner loads don't.
create function private.notify_of_report() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_overseers(new.site_id, 'incident', format('%s report: %s', initcap(new.severity), t.name),
    new.title, '/admin/incidents?open=' || new.id, 'incident:' || new.id)
  from public.sites t where t.id = new.site_id;
  return null;
end
$$;

-- Whether a notice is wanted as text message. A response unit is called even if its people want no other texts.
create function private.wants_text(p_chosen boolean, p_kind text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(p_chosen, false) or p_kind is not distinct from 'unit_call';
$$;

create function private.queue_deliveries() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- In order of person, so that two publications never deadlock.
  insert into private.notice_deliveries as d (user_id, channel, notice_ids, next_at)
  select n.user_id, way.channel, array_agg(n.id order by n.created_at, n.id),
    now() + make_interval(secs => s.digest_seconds)
  from new_rows n
  join public.profiles p on p.id = n.user_id
  left join private.notice_settings w on w.user_id = n.user_id
  cross join private.settings s
  cross join lateral (values
    ('push', coalesce(w.push, true)
      and exists (select from private.push_subscriptions u where u.user_id = n.user_id)),
    ('email', coalesce(w.email, true) and p.email is not null),
    ('sms', private.wants_text(w.sms, n.kind) and p.phone is not null and s.text_messages)
  ) way (channel, is_wanted)
  where way.is_wanted and n.read_at is null
  group by n.user_id, way.channel, s.digest_seconds
  order by n.user_id, way.channel
  on conflict (user_id, channel) where state = 'open' do update set notice_ids = d.notice_ids || excluded.notice_ids;
  return null;
end
$$;

-- The button was pressed. Safe to repeat and to send late, like answer_welfare_check. Returns how many checks it
-- answered.
create function public.answer_pushed_check(
  p_check_id uuid, p_token text, p_device_at timestamptz, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null
) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  pushed public.welfare_checks;
begin
  if p_token = private.welfare_token(p_check_id) then
    select * into pushed from public.welfare_checks c where c.id = p_check_id and c.due_at > now() - interval '1 day';
  end if;
  if pushed.id is null then
    raise exception 'This check no longer exists.' using errcode = 'PT404';
  end if;
  return private.answer_welfare_by_phone(
    pushed.user_id, pushed.assignment_id, p_device_at, p_sent_at, p_server_offset_ms);
end
$$;
grant execute on function public.answer_pushed_check to anon, authenticated;

-- When the caller's calendar address was made and last read; no row without an address.
create function public.calendar_feed() returns table (made_at timestamptz, read_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  return query select f.made_at, f.read_at from private.calendar_feeds f where f.user_id = auth.uid();
end
$$;
comment on function public.calendar_feed is 'Nullable: read_at';
grant execute on function public.calendar_feed to authenticated;

-- Makes a new secret for the caller's calendar and returns it. The one before stops working.
create function public.make_calendar_secret() returns text
language plpgsql security definer set search_path = '' as $$
declare
  -- 244 random bits.
  secret text := encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'hex');
begin
  perform private.require_member();
  insert into private.calendar_feeds (user_id, secret_hash) values (auth.uid(), sha256(secret::bytea))
  on conflict (user_id) do update set
    secret_hash = excluded.secret_hash, made_at = now(), read_at = null, hour_began = now(), reads = 0;
  return secret;
end
$$;
grant execute on function public.make_calendar_secret to authenticated;

create function public.notice_options()
returns table (
  push boolean, email boolean, sms boolean, daily_report boolean, push_key text, address text, phone text,
  has_text_messages boolean
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  return query select coalesce(w.push, true), coalesce(w.email, true), coalesce(w.sms, false),
    case when private.gets_daily_report(p.id) then coalesce(w.daily_report, true) end,
    (select k.public_key from private.push_keys k), p.email, p.phone, s.text_messages
  from public.profiles p
  left join private.notice_settings w on w.user_id = p.id cross join private.settings s where p.id = auth.uid();
end
$$;
comment on function public.notice_options is 'Nullable: daily_report, push_key, address, phone';
grant execute on function public.notice_options to authenticated;

-- Marks every notice of the caller as read.
create function public.read_notices() returns void
language sql set search_path = '' as $$
  update public.notices n set read_at = now() where n.user_id = auth.uid() and n.read_at is null;
$$;
grant execute on function public.read_notices to authenticated;

create function public.revoke_calendar_secret() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  delete from private.calendar_feeds f where f.user_id = auth.uid();
end
$$;
grant execute on function public.revoke_calendar_secret to authenticated;

-- @param p_daily_report null leaves it as it is
create function public.save_notice_options(
  p_push boolean, p_email boolean, p_sms boolean, p_daily_report boolean default null
) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  if p_push is null or p_email is null or p_sms is null then
    raise exception 'Send a choice for push, e-mail and text messages.' using errcode = 'invalid_parameter_value';
  end if;
  insert into private.notice_settings as w (user_id, push, email, sms, daily_report)
  values (auth.uid(), p_push, p_email, p_sms, coalesce(p_daily_report, true))
  on conflict (user_id) do update
    set push = p_push, email = p_email, sms = p_sms, daily_report = coalesce(p_daily_report, w.daily_report);
end
$$;
grant execute on function public.save_notice_options to authenticated;

-- An address of a push subscription is a URL of a known service: scheme, host and path, without user, port or spaces.
create function private.is_push_service(p_endpoint text) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(bool_or(given.origin ~ (
    '^' || replace(replace(known.pattern, '.', '\.'), '*', '[a-z0-9-]+(?:\.[a-z0-9-]+)*') || '$'
  )), false)
  from private.settings s
  cross join unnest(s.push_services) known (pattern)
  cross join lateral (
    select (regexp_match(p_endpoint,
      '^(https?://[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?)'
      '/[A-Za-z0-9._~!$&''()*+,;=:@%/?-]*$'))[1] as origin
  ) given
  where char_length(p_endpoint) <= 1000;
$$;

-- Sends the caller's notices to this browser too (W3C Push API). Repeating it renews the subscription.
create function public.subscribe_push(p_endpoint text, p_p256dh text, p_auth text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  if not private.is_push_service(p_endpoint) then
    raise exception 'Notices can''t be sent to this browser.' using errcode = 'check_violation';
  end if;
  insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
  values (auth.uid(), (auth.jwt() ->> 'session_id')::uuid, p_endpoint, p_p256dh, p_auth)
  on conflict (endpoint) do update set
    user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth;
  -- The newest ten devices.
  delete from private.push_subscriptions u
  where u.id in (
    select o.id from private.push_subscriptions o where o.user_id = auth.uid() order by o.created_at desc offset 10
  );
end
$$;
grant execute on function public.subscribe_push to authenticated;

create function public.unsubscribe_push(p_endpoint text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  delete from private.push_subscriptions u where u.endpoint = p_endpoint and u.user_id = auth.uid();
end
$$;
grant execute on function public.unsubscribe_push to authenticated;

-- Tells those who fill the gaps of a site: its supervisors and the dispatchers; without any, the operations managers
-- and admins. Not the caller.
create function private.notify_planners(p_site uuid, p_kind text, p_title text, p_body text, p_link text, p_key text)
returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(planner.user_id, p_kind, p_title, p_body, p_link, p_key || ':' || planner.user_id)
  from (select p.user_id from private.planners_of(array[p_site]) p order by 1) planner;
end
$$;

-- Notes seats of shifts to come that were held and are no longer. A guard who declines has a notice of their own, with
-- the reason; in running shifts, alerts tell.
create function private.note_empty_seats() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.emptied_seats (shift_id, user_id, reason)
  select o.shift_id, o.user_id, case
      when n.status = 'no_show' then 'marked as no-show'
      when n.status = 'cancelled' then 'cancelled'
      else 'on leave'
    end
  from old_rows o
  join new_rows n on n.id = o.id
  where o.counts_as_staffed and not n.counts_as_staffed and n.declined_at is null
    and o.starts_at > now() and auth.role() is not null;
  return null;
end
$$;

create function private.note_removed_seats() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.emptied_seats (shift_id, user_id, reason)
  select o.shift_id, o.user_id, 'unassigned' from old_rows o
  where o.counts_as_staffed and o.starts_at > now() and auth.role() is not null;
  return null;
end
$$;

-- At the end of the transaction, so that seats that were filled again in it are left out, and everything that one
-- action empties is one notice for each reader. It opens the replacements of the shift, or the gaps of the roster, of
-- the site alone if it is one.
create function private.tell_of_empty_seats() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The first row speaks for all.
  if not exists (select from private.emptied_seats e where e.id = new.id) then
    return null;
  end if;
  perform private.notify(n.user_id, 'empty_seats', n.title, n.body, n.link,
    format('empty_seats:%s:%s', pg_current_xact_id(), n.user_id))
  from (
    with seat as materialized (
      select s.id as shift_id, s.site_id, t.name, s.start_time,
        format('%s: %s, %s', private.duty_text(s.site_id, s.start_time, s.end_time), private.name_of_person(e.user_id),
          case when p.left_on is null then e.reason else 'employment ended' end) as line
      from (
        select l.*, row_number() over (partition by l.shift_id order by l.id) as place
        from private.emptied_seats l
        where not exists (
          select from public.assignments a
          where a.shift_id = l.shift_id and a.user_id = l.user_id and a.counts_as_staffed
        )
      ) e
      join public.shifts s on s.id = e.shift_id
      join public.sites t on t.id = s.site_id
      join public.profiles p on p.id = e.user_id
      -- No more than are empty: the shift may have had more guards than it needs.
      where e.place <= s.required_headcount - (
        select count(*) from public.assignments a where a.shift_id = s.id and a.counts_as_staffed
      )
    )
    select f.user_id, case
        when count(*) = 1 then 'A seat is empty: ' || min(s.name)
        when count(distinct s.site_id) = 1 then format('%s seats are empty: %s', count(*), min(s.name))
        else format('%s seats are empty at %s sites', count(*), count(distinct s.site_id))
      end as title,
      string_agg(s.line, e'\n' order by s.start_time, s.line) as body,
      case when count(distinct s.shift_id) = 1
        then format('/admin/shifts?open=%s&tab=replacement', (array_agg(s.shift_id))[1])
        else format('/admin/roster?gaps=open&week=%s%s%s', private.company_date_of(min(s.start_time)),
          case when date_trunc('week', private.company_date_of(min(s.start_time)))
            < date_trunc('week', private.company_date_of(max(s.start_time))) then '&weeks=4' end,
          case when count(distinct s.site_id) = 1 then '&site=' || (array_agg(s.site_id))[1] end)
      end as link
    from seat s
    join private.fillers_of(array(select distinct s.site_id from seat s)) f on f.site_id = s.site_id
    group by f.user_id
    -- In order, so that two at once never deadlock.
    order by f.user_id
  ) n;
  delete from private.emptied_seats;
  return null;
end
$$;

-- The owner of a calendar address, if it may be read now, and counts the read. At most 60 reads an hour: calendar apps
-- ask a few times an hour.
create function private.read_calendar(p_secret text) returns table (user_id uuid, is_too_often boolean)
language sql security definer set search_path = '' as $$
  update private.calendar_feeds f set
    read_at = now(),
    hour_began = case when f.hour_began > now() - interval '1 hour' then f.hour_began else now() end,
    reads = case when f.hour_began > now() - interval '1 hour' then f.reads + 1 else 1 end
  where f.secret_hash = sha256(p_secret::bytea)
    and exists (
      select from auth.users u
      where u.id = f.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    )
  returning f.user_id, f.reads > 60;
$$;

-- Sends the open messages of these people now, without waiting for more notices. In order of person, as
-- queue_deliveries.
create function private.send_at_once(p_people uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from private.notice_deliveries d
  where d.user_id = any (p_people) and d.state = 'open' order by d.user_id, d.channel for update;
  update private.notice_deliveries d set next_at = now()
  where d.user_id = any (p_people) and d.state = 'open' and d.next_at > now();
end
$$;

-- Messages that wait for more notices go out now.
create function private.send_notices_now(p_people uuid[]) returns void
language sql security definer set search_path = '' as $$
  update private.notice_deliveries d set next_at = now()
  where d.user_id = any (p_people) and d.state = 'open' and d.next_at > now();
$$;
