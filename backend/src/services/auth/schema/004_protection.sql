-- The audit log, and counters of attempts shared by all processes.
set local role supabase_auth_admin;

create table auth.audit_log_entries (
  instance_id uuid,
  id uuid primary key,
  payload json,
  created_at timestamptz,
  ip_address varchar(64) not null default ''
);
create index audit_logs_instance_id_idx on auth.audit_log_entries (instance_id);
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at desc);

-- rate-limiter-flexible's layout. Unlogged: counters are reset after a crash.
create unlogged table auth.attempts (
  key varchar(255) primary key,
  points integer not null default 0,
  -- Milliseconds since 1970.
  expire bigint
);
create index attempts_expire_idx on auth.attempts (expire);

alter table auth.audit_log_entries enable row level security;
alter table auth.attempts enable row level security;

reset role;
