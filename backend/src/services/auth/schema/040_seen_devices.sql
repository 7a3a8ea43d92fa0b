-- The devices that an account was signed in on, so that its owner hears of a new one. Hashes: no list of whereabouts.
set local role supabase_auth_admin;

create table auth.seen_devices (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- Of the browser's name and system, and of the network.
  fingerprint text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, fingerprint)
);
create index seen_devices_seen_at_idx on auth.seen_devices (seen_at);

alter table auth.seen_devices enable row level security;

reset role;
