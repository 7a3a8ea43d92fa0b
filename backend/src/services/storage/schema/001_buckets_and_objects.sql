-- The tables of a Supabase project, so that its migrations can create buckets and policies. The bytes of an object are in
-- the blob store under its version, and never change there.
alter role supabase_storage_admin login;
set local role supabase_storage_admin;

create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  -- Bytes; null means the service's limit.
  file_size_limit bigint check (file_size_limit >= 0),
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD'
);

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  -- Byte order, so that one index serves folders, prefixes and pages.
  name text collate "C",
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  owner_id text,
  user_metadata jsonb
);
create unique index bucketid_objname on storage.objects (bucket_id, name);

-- Privileges are broad because row-level security decides: without a policy only the service key has access.
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
grant usage on schema storage to anon, authenticated, service_role;
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated, service_role;

create function storage.foldername(name text) returns text[]
language sql immutable strict
return (string_to_array(name, '/'))[1 : greatest(cardinality(string_to_array(name, '/')) - 1, 0)];

create function storage.filename(name text) returns text
language sql immutable strict
return (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))];

create function storage.extension(name text) returns text
language sql immutable strict
return coalesce(substring(storage.filename(name) from '\.([^.]*)$'), '');

create function storage.touch() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;
create trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.touch();
create trigger update_buckets_updated_at before update on storage.buckets
  for each row execute function storage.touch();

-- Blobs without an object: recorded before a blob is written, and in the transaction that deletes or replaces its object,
-- so that a crash leaves no unknown blob.
create table storage.unused_blobs (
  version text primary key,
  -- Until then it may belong to an upload in progress.
  due_at timestamptz not null default now()
);
alter table storage.unused_blobs enable row level security;
create index unused_blobs_due_at on storage.unused_blobs (due_at);

-- Security definer, because users who write objects have no access to unused_blobs.
create function storage.note_blob() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and old.version is not null then
    insert into storage.unused_blobs (version) values (old.version) on conflict do nothing;
  end if;
  if tg_op <> 'DELETE' then
    delete from storage.unused_blobs where version = new.version;
  end if;
  return null;
end
$$;
revoke all on function storage.note_blob() from public;
create trigger note_blob after insert or delete on storage.objects
  for each row execute function storage.note_blob();
create trigger note_new_blob after update of version on storage.objects
  for each row when (old.version is distinct from new.version) execute function storage.note_blob();

-- Signs URLs of objects. In the database, so that all processes share it.
create table storage.signing_secret (
  only_row boolean primary key default true check (only_row),
  value text not null
);
alter table storage.signing_secret enable row level security;
-- Two random uuids hold 244 random bits.
insert into storage.signing_secret (value)
  values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

reset role;
