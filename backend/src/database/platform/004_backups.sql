-- Finished backups, for their age and their schedule.
create table platform.backups (
  id bigint generated always as identity primary key,
  -- The moment that the rows of the archive are from.
  taken_at timestamptz not null,
  finished_at timestamptz not null default now(),
  file text not null,
  bytes bigint not null check (bytes > 0),
  is_scheduled boolean not null
);
alter table platform.backups enable row level security;
create index backups_taken_at on platform.backups (taken_at);
