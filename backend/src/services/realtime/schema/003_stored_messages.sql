-- What the service itself reads from the stream of changes, and the upkeep of stored messages.

-- Rows of realtime.messages are broadcast to their topic; sessions and users end the access of channels. It is apart from
-- supabase_realtime, which belongs to the application. By the root of the partitions, so that each day's needs no entry.
create publication realtime_service
  for table realtime.messages, auth.sessions, auth.users
  with (publish_via_partition_root = true);

-- The column has no time zone; replay compares it with the world's time.
alter table realtime.messages
  alter column inserted_at set default (now() at time zone 'utc'),
  alter column updated_at set default (now() at time zone 'utc');

create index messages_replay_idx on realtime.messages (topic, inserted_at desc)
  where private and extension = 'broadcast';

-- A partition for each of the coming days, and an end to what is older than 72 hours. Called on a timer by every
-- process: one at a time does it, the others find it done. What comes on the day of the first start, before any
-- partition exists, is kept by the default one.
create function realtime.tidy_messages() returns void
language plpgsql
as $$
declare
  today date := (now() at time zone 'utc')::date;
  oldest timestamp := (now() at time zone 'utc') - interval '72 hours';
  day date;
  part record;
begin
  if not pg_try_advisory_xact_lock(hashtext('realtime.tidy_messages')) then
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
revoke execute on function realtime.tidy_messages() from public, anon, authenticated, service_role;
