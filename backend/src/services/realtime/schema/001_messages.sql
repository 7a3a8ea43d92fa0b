-- The parts of schema realtime that a Supabase project's migrations use: the table whose policies authorize private
-- channels (Supabase docs, "Realtime Authorization"), the topic, and the functions that broadcast from the database.

create table realtime.messages (
  id uuid not null default gen_random_uuid(),
  topic text not null,
  extension text not null,
  event text,
  payload jsonb,
  binary_payload bytea,
  private boolean default false,
  inserted_at timestamp not null default now(),
  updated_at timestamp not null default now(),
  primary key (id, inserted_at)
) partition by range (inserted_at);

create table realtime.messages_default partition of realtime.messages default;

alter table realtime.messages enable row level security;
alter table realtime.messages_default enable row level security;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

-- The channel to authorize; set for the transaction that evaluates the policies.
create function realtime.topic() returns text
language sql stable
return nullif(current_setting('realtime.topic', true), '');

create function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void
language plpgsql
as $$
declare
  new_id uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', send.topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (
    new_id,
    case when send.payload ? 'id' then send.payload else send.payload || jsonb_build_object('id', new_id) end,
    send.event, send.topic, send.private, 'broadcast'
  );
exception
  -- A failed broadcast must not fail the write that caused it.
  when others then
    raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end
$$;

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void
language plpgsql
as $$
begin
  perform set_config('realtime.topic', send_binary.topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
  values (send_binary.payload, send_binary.event, send_binary.topic, send_binary.private, 'broadcast');
exception
  when others then
    raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end
$$;

create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW'
) returns void
language plpgsql
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object(
      'schema', table_schema, 'table', table_name, 'operation', operation,
      'record', to_jsonb(new), 'old_record', to_jsonb(old)
    ),
    event_name, topic_name
  );
end
$$;

grant execute on all functions in schema realtime to anon, authenticated, service_role;
