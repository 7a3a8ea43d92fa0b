-- Limits what a user may upload within 24 hours.
set local role supabase_storage_admin;

-- Written by the service at start. Null, or no row, means no limit.
create table storage.quota (
  only_row boolean primary key default true check (only_row),
  bytes_per_day bigint check (bytes_per_day >= 0),
  files_per_day integer check (files_per_day >= 0)
);
alter table storage.quota enable row level security;

create index objects_owner_id_updated_at on storage.objects (owner_id, updated_at) where owner_id is not null;

-- A trigger, so that copies and concurrent uploads through several processes count too. Objects without an owner come from
-- the project's own keys, which have no limit. Security definer, because most callers can't read their objects.
create function storage.check_quota() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  quota storage.quota;
  used record;
  size bigint := case when jsonb_typeof(new.metadata -> 'size') = 'number' then (new.metadata ->> 'size')::bigint else 0 end;
begin
  select * into quota from storage.quota;
  if quota.bytes_per_day is null and quota.files_per_day is null then
    return new;
  end if;
  -- Serializes inserts per owner, or two at once could both be the last one allowed.
  perform pg_advisory_xact_lock(hashtextextended('storage quota of ' || new.owner_id, 0));
  select count(*) as files,
    coalesce(sum((o.metadata ->> 'size')::bigint) filter (where jsonb_typeof(o.metadata -> 'size') = 'number'), 0) as bytes,
    ceil(extract(epoch from min(o.updated_at) + interval '1 day' - now())) as wait
  into used
  from storage.objects o
  where o.owner_id = new.owner_id and o.updated_at > now() - interval '1 day';
  if used.files >= quota.files_per_day or used.bytes + size > quota.bytes_per_day then
    raise sqlstate 'PT429' using
      message = format(
        'You have reached the limit of %s within a day. Please try again later.',
        concat_ws(
          ' or ',
          quota.files_per_day || ' files',
          case
            when quota.bytes_per_day >= 1048576 then quota.bytes_per_day / 1048576 || ' MB'
            else quota.bytes_per_day || ' bytes'
          end
        )
      ),
      detail = greatest(coalesce(used.wait, 1), 1)::text;
  end if;
  return new;
end
$$;
revoke all on function storage.check_quota() from public;
create trigger check_quota before insert on storage.objects
  for each row when (new.owner_id is not null) execute function storage.check_quota();

reset role;
