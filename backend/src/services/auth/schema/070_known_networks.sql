-- Networks from which an account was used. Wrong passwords from elsewhere must not lock its owner out there.
set local role supabase_auth_admin;

create table auth.known_networks (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- A hash of the IPv4 address or the IPv6 /64 network.
  network text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
create index known_networks_seen_at_idx on auth.known_networks (seen_at);

alter table auth.known_networks enable row level security;

reset role;
