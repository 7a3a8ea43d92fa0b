-- How notices reach people outside the portal: web push, e-mail and text messages, by each person's choice. A row of
-- notice_deliveries is one message; notices of one person that come soon after each other join the same message.
alter table private.settings
  -- Origins that push messages may go to; `*` stands for any host name below. The server writes them at start.
  add column push_services text[] not null default '{}',
  -- Whether the server can send text messages.
  add column text_messages boolean not null default false,
  -- How long a message waits for more notices, seconds.
  add column digest_seconds integer not null default 120 check (digest_seconds between 0 and 3600);

-- The server's own key pair (RFC 8292), made at the first start. Another pair would end every subscription.
create table private.push_keys (
  only_row boolean primary key default true check (only_row),
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null default now()
);

create table private.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  -- The session that subscribed: signing out ends the messages to the device.
  session_id uuid,
  endpoint text not null unique check (char_length(endpoint) <= 1000),
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{80,100}=*$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{20,40}=*$'),
  created_at timestamptz not null default now()
);
create index push_subscriptions_user_id_idx on private.push_subscriptions (user_id, created_at);

-- Without a row: everything that is possible, except text messages.
create table private.notice_settings (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  push boolean not null default true,
  email boolean not null default true,
  sms boolean not null default false,
  -- The mail of 6 AM, a choice of its own: who wants no mail for each notice still wants the report.
  daily_report boolean not null default true
);

create table private.notice_deliveries (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  channel text not null check (channel in ('push', 'email', 'sms')),
  notice_ids uuid[] not null,
  -- open: takes more notices; sending: taken by a server until next_at, or to be retried then.
  state text not null default 'open' check (state in ('open', 'sending', 'sent', 'failed')),
  next_at timestamptz not null,
  attempts integer not null default 0,
  -- Subscriptions that have received it, so that a retry reaches only the others.
  sent_to uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  last_error text
);
create unique index notice_deliveries_open_idx on private.notice_deliveries (user_id, channel) where state = 'open';
create index notice_deliveries_due_idx on private.notice_deliveries (next_at) where state in ('open', 'sending');
create index notice_deliveries_created_at_idx on private.notice_deliveries (created_at);

alter table private.push_keys enable row level security;
alter table private.push_subscriptions enable row level security;
alter table private.notice_settings enable row level security;
alter table private.notice_deliveries enable row level security;
revoke all on private.push_keys, private.push_subscriptions, private.notice_settings, private.notice_deliveries
from public, anon, authenticated;

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
    ('sms', coalesce(w.sms, false) and p.phone is not null and s.text_messages)
  ) way (channel, is_wanted)
  where way.is_wanted and n.read_at is null
  group by n.user_id, way.channel, s.digest_seconds
  order by n.user_id, way.channel
  on conflict (user_id, channel) where state = 'open'
    do update set notice_ids = d.notice_ids || excluded.notice_ids;
  return null;
end
$$;

create trigger queue_deliveries after insert on public.notices
  referencing new table as new_rows
  for each statement execute function private.queue_deliveries();

create function private.is_push_service(p_endpoint text) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(bool_or(origin like replace(known.pattern, '*', '%')), false)
  from private.settings s
  cross join unnest(s.push_services) known (pattern)
  cross join substring(p_endpoint from '^https?://[a-z0-9.:-]+(?=/)') origin;
$$;

create function private.require_member() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_member() then
    -- 401, so that the device keeps what it sends until the user has finished signing in.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
end
$$;

-- The caller's choices, and what is possible for them.
-- Whether the daily report is for this person.
create function private.gets_daily_report(p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.user_roles r where r.user_id = p_user and r.role in ('admin', 'ops_manager')
  );
$$;

create function public.notice_options() returns table (
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
  left join private.notice_settings w on w.user_id = p.id
  cross join private.settings s
  where p.id = auth.uid();
end
$$;
comment on function public.notice_options is 'Nullable: daily_report, push_key, address, phone';

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

create function public.unsubscribe_push(p_endpoint text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  delete from private.push_subscriptions u where u.endpoint = p_endpoint and u.user_id = auth.uid();
end
$$;

-- Marks every notice of the caller as read.
create function public.read_notices() returns void
language sql set search_path = '' as $$
  update public.notices n set read_at = now() where n.user_id = auth.uid() and n.read_at is null;
$$;

-- Tells those who fill the gaps of a site: its supervisors and the dispatchers; without any, the operations managers
-- and admins. Not the caller.
create function private.notify_planners(p_site uuid, p_kind text, p_title text, p_body text, p_link text, p_key text)
returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(planner.user_id, p_kind, p_title, p_body, p_link, p_key || ':' || planner.user_id)
  from (
    select distinct r.user_id
    from public.user_roles r
    where r.user_id is distinct from auth.uid()
      and (r.role = 'dispatcher' or r.role = 'supervisor' and r.site_id = p_site)
    union
    select r.user_id from public.user_roles r
    where r.role in ('ops_manager', 'admin') and r.user_id is distinct from auth.uid() and not exists (
      select from public.user_roles o
      where o.user_id is distinct from auth.uid()
        and (o.role = 'dispatcher' or o.role = 'supervisor' and o.site_id = p_site)
    )
    order by 1
  ) planner;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function
  public.notice_options, public.save_notice_options, public.subscribe_push, public.unsubscribe_push, public.read_notices
from public, anon;
grant execute on function
  public.notice_options, public.save_notice_options, public.subscribe_push, public.unsubscribe_push, public.read_notices
to authenticated;
