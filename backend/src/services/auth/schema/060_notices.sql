-- Security notices that database functions request. The service mails them and deletes the rows.
set local role supabase_auth_admin;

create table auth.notices (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The action in the audit log.
  kind text not null,
  happened_at timestamptz not null default now(),
  -- From the session: database functions don't know the request's device.
  user_agent text not null default '',
  ip inet,
  attempts integer not null default 0,
  -- Time of the next attempt; null after the last one.
  next_at timestamptz default now(),
  last_error text
);
create index notices_next_at_idx on auth.notices (next_at);
create index notices_user_id_idx on auth.notices (user_id);

alter table auth.notices enable row level security;

create function auth.queue_notice() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into auth.notices (user_id, kind, user_agent, ip)
  select u.id, new.payload ->> 'action', coalesce(s.user_agent, ''), s.ip
  from auth.users u
  left join auth.sessions s on s.user_id = u.id and s.id::text = auth.jwt() ->> 'session_id'
  where u.id::text = new.payload ->> 'actor_id';
  return null;
end
$$;
revoke all on function auth.queue_notice() from public;

create trigger queue_notice after insert on auth.audit_log_entries
  for each row when (new.payload ->> 'action' = 'recovery_code_used') execute function auth.queue_notice();

reset role;
