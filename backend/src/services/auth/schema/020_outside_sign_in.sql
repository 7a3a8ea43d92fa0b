-- External sign-in: flows in progress, SAML providers, and used assertions.
set local role supabase_auth_admin;

alter table auth.flow_state
  -- Where the browser ends; validated when the flow started.
  add column referrer text,
  -- Account to link the identity to.
  add column linking_target_id uuid references auth.users (id) on delete cascade,
  add column provider_nonce text,
  add column provider_code_verifier text,
  -- A state works once.
  add column state_used_at timestamptz;
create index flow_state_linking_target_id_idx on auth.flow_state (linking_target_id);

create table auth.sso_providers (
  id uuid primary key,
  resource_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  disabled boolean not null default false
);
create unique index sso_providers_resource_id_idx on auth.sso_providers (lower(resource_id));

create table auth.sso_domains (
  id uuid primary key default gen_random_uuid(),
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  domain text not null check (char_length(domain) > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);
create unique index sso_domains_domain_idx on auth.sso_domains (lower(domain));

create table auth.saml_providers (
  id uuid primary key default gen_random_uuid(),
  sso_provider_id uuid not null unique references auth.sso_providers (id) on delete cascade,
  entity_id text not null constraint saml_providers_entity_id_key unique check (char_length(entity_id) > 0),
  metadata_xml text not null check (char_length(metadata_xml) > 0),
  metadata_url text check (char_length(metadata_url) > 0),
  attribute_mapping jsonb,
  name_id_format text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table auth.saml_relay_states (
  id uuid primary key,
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  -- ID of our request; InResponseTo must be the same.
  request_id text not null check (char_length(request_id) > 0),
  redirect_to text not null,
  flow_state_id uuid references auth.flow_state (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index saml_relay_states_sso_provider_id_idx on auth.saml_relay_states (sso_provider_id);
create index saml_relay_states_flow_state_id_idx on auth.saml_relay_states (flow_state_id);
create index saml_relay_states_created_at_idx on auth.saml_relay_states (created_at);

create table auth.saml_used_assertions (
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  assertion_id text not null,
  -- When the assertion expires.
  expires_at timestamptz not null,
  primary key (sso_provider_id, assertion_id)
);
create index saml_used_assertions_expires_at_idx on auth.saml_used_assertions (expires_at);

alter table auth.sso_providers enable row level security;
alter table auth.sso_domains enable row level security;
alter table auth.saml_providers enable row level security;
alter table auth.saml_relay_states enable row level security;
alter table auth.saml_used_assertions enable row level security;

reset role;
