-- Devices on which an account has signed in, to notify the owner of new ones. Hashes, so that no movements can be read.
set local role supabase_auth_admin;

create table auth.seen_devices (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Of browser, system and network.
  fingerprint text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, fingerprint)
);
create index seen_devices_seen_at_idx on auth.seen_devices (seen_at);

alter table auth.seen_devices enable row level security;

reset role;
