-- Buckets and objects: the tables of a Supabase project, so that its migrations may create buckets and policies.
-- A row is the object; the bytes lie in the blob store under its version, and never change there.
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
  -- Bytes; null means the limit of the service.
  file_size_limit bigint check (file_size_limit >= 0),
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD'
);

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  -- Compared byte by byte, so that one index serves folders, prefixes and pages.
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

-- Row-level security decides; a bucket or an object without a policy is open to the service key only.
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

-- Blobs that no object has: noted before one is written, and in the transaction in which an object lets go of one.
-- A crash therefore leaves no blob that nobody knows of.
create table storage.unused_blobs (
  version text primary key,
  -- Until then it may belong to an upload under way.
  due_at timestamptz not null default now()
);
alter table storage.unused_blobs enable row level security;
create index unused_blobs_due_at on storage.unused_blobs (due_at);

-- Definer, because those who write objects have no business with the blobs.
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

-- Signs addresses of objects (PROTOCOL.md 4.4). In the database, so that all processes on it have the same.
create table storage.signing_secret (
  only_row boolean primary key default true check (only_row),
  value text not null
);
alter table storage.signing_secret enable row level security;
-- Two random uuids hold 244 random bits.
insert into storage.signing_secret (value)
  values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

reset role;
