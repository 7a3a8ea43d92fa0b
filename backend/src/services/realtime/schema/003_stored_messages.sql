-- Changes for the service itself: rows of realtime.messages are broadcast, ended sessions and blocked users close channels.
-- Separate from supabase_realtime, which belongs to the application. Published via the root, so that new partitions are
-- included.
create publication realtime_service
  for table realtime.messages, auth.sessions, auth.users
  with (publish_via_partition_root = true);

-- The columns have no time zone and contain UTC.
alter table realtime.messages
  alter column inserted_at set default (now() at time zone 'utc'),
  alter column updated_at set default (now() at time zone 'utc');

create index messages_replay_idx on realtime.messages (topic, inserted_at desc)
  where private and extension = 'broadcast';

-- Creates partitions for the next days and removes messages older than 72 hours. Every process calls it periodically; the
-- lock lets one at a time. Messages of the day of the first start go to the default partition.
create function realtime.maintain_partitions() returns void
language plpgsql
as $$
declare
  today date := (now() at time zone 'utc')::date;
  oldest timestamp := (now() at time zone 'utc') - interval '72 hours';
  day date;
  part record;
begin
  if not pg_try_advisory_xact_lock(hashtext('realtime.maintain_partitions')) then
    return;
  end if;
  for day in select today + n from generate_series(1, 3) n loop
    if to_regclass(format('realtime.%I', to_char(day, '"messages_"YYYY_MM_DD'))) is null then
      execute format('create table realtime.%I partition of realtime.messages for values from (%L) to (%L)',
        to_char(day, '"messages_"YYYY_MM_DD'), day, day + 1);
      execute format('alter table realtime.%I enable row level security', to_char(day, '"messages_"YYYY_MM_DD'));
    end if;
  end loop;
  for part in
    select c.relname, to_date(substr(c.relname, 10), 'YYYY_MM_DD') as day
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'realtime.messages'::regclass and c.relname ~ '^messages_\d{4}_\d\d_\d\d$'
  loop
    if part.day + 1 <= oldest then
      execute format('drop table realtime.%I', part.relname);
    end if;
  end loop;
  delete from realtime.messages where inserted_at < oldest;
end
$$;
revoke execute on function realtime.maintain_partitions() from public, anon, authenticated, service_role;
