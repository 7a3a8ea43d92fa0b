-- Enquiries from the public site: visitors send them, admins and operations managers answer; with a limit per sender
-- and a queue of the mails that announce them.
create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 2 and 100),
  email text not null check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  company text check (char_length(company) <= 200),
  message text not null check (char_length(message) between 10 and 2000),
  state text not null default 'new' check (state in ('new', 'answered', 'closed')),
  note text check (char_length(note) <= 5000),
  handled_by uuid references public.profiles (id) on delete set null,
  handled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column public.contact_messages.handled_by is 'Derived: who last set its state or note';
comment on column public.contact_messages.handled_at is 'Derived: when its state or note was last set';

create index contact_messages_created_at_idx on public.contact_messages (created_at desc);
create index contact_messages_state_idx on public.contact_messages (state, created_at desc);
create index contact_messages_handled_by_idx on public.contact_messages (handled_by);

select private.tidy_texts_of('public.contact_messages', 'name', 'email', 'company', 'message', 'note');
create trigger d_touch before update on public.contact_messages
  for each row execute function private.touch();
select private.keep_history_of('public.contact_messages');

alter table public.contact_messages enable row level security;
revoke all on public.contact_messages from anon, authenticated;
grant insert (id, name, email, company, message) on public.contact_messages to anon, authenticated;
grant select, update (state, note) on public.contact_messages to authenticated;

create policy "Admins and operations managers read enquiries" on public.contact_messages
  for select to authenticated using ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers answer enquiries" on public.contact_messages
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Visitors send enquiries, which arrive as new" on public.contact_messages
  for insert to anon with check (state = 'new' and note is null);
create policy "Signed-in users send enquiries, which arrive as new" on public.contact_messages
  for insert to authenticated with check (state = 'new' and note is null and (select private.is_proved()));

alter publication supabase_realtime add table public.contact_messages;

create function private.stamp_handling() returns trigger
language plpgsql set search_path = '' as $$
begin
  if auth.uid() is not null then
    if (new.state, new.note) is distinct from (old.state, old.note) then
      new.handled_by := auth.uid();
      new.handled_at := now();
    else
      new.handled_by := old.handled_by;
      new.handled_at := old.handled_at;
    end if;
  end if;
  return new;
end
$$;

create trigger c_stamp_handling before update of state, note on public.contact_messages
  for each row execute function private.stamp_handling();

-- When enquiries arrived, and from which network. Deleted after an hour, and not linked to the enquiries.
create table private.enquiry_arrivals (
  id bigint generated always as identity primary key,
  network inet not null,
  at timestamptz not null default now()
);
create index enquiry_arrivals_network_idx on private.enquiry_arrivals (network, at);
create index enquiry_arrivals_at_idx on private.enquiry_arrivals (at);

-- The caller's IPv4 address, or their /64 network, which is what one IPv6 customer gets. The server in front sets
-- x-forwarded-for; all callers without it share one address, so leaving it out gains nothing.
create function private.caller_network() returns inet
language plpgsql stable set search_path = '' as $$
declare
  headers json := nullif(current_setting('request.headers', true), '')::json;
  told text := regexp_replace(
    btrim(split_part(headers ->> 'x-forwarded-for', ',', 1)), '^::ffff:(?=\d+\.)', '', 'i'
  );
  address inet;
begin
  address := coalesce(nullif(split_part(told, '%', 1), ''), '0.0.0.0')::inet;
  return network(set_masklen(address, case family(address) when 4 then 32 else 64 end));
exception when invalid_text_representation then
  return '0.0.0.0/32'::inet;
end
$$;

-- Counts only requests through the API: the owner and the service role have no limit.
create function private.limit_enquiries() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  sender inet;
  allowed integer := (select s.enquiries_per_hour from private.settings s);
  arrived integer;
  wait integer;
begin
  if coalesce(auth.role(), 'service_role') = 'service_role' then
    return new;
  end if;
  sender := private.caller_network();
  -- One at a time per sender, or two at once would both be the last one allowed.
  perform pg_advisory_xact_lock(hashtextextended('enquiries from ' || sender::text, 0));
  delete from private.enquiry_arrivals a where a.id in (
    select past.id from private.enquiry_arrivals past
    where past.at <= now() - interval '1 hour' limit 100 for update skip locked
  );
  select count(*), ceil(extract(epoch from min(a.at) + interval '1 hour' - now()))
  into arrived, wait
  from private.enquiry_arrivals a
  where a.network = sender and a.at > now() - interval '1 hour';
  if arrived >= allowed then
    wait := greatest(wait, 1);
    raise sqlstate 'PGRST' using
      message = json_build_object(
        'code', 'too_many_enquiries',
        'message', format(
          'You have sent many messages in a short time. Please try again in %s.',
          case when wait <= 60 then 'a minute' else ceil(wait / 60.0) || ' minutes' end
        ),
        'details', null,
        'hint', null
      )::text,
      detail = json_build_object(
        'status', 429,
        'headers', json_build_object('Retry-After', wait::text)
      )::text;
  end if;
  insert into private.enquiry_arrivals (network) values (sender);
  return new;
end
$$;

create trigger b_limit_enquiries before insert on public.contact_messages
  for each row execute function private.limit_enquiries();

-- Enquiries to mail the company about. The server sends the mail after the commit and deletes the row.
create table private.enquiry_mails (
  enquiry_id uuid primary key references public.contact_messages (id) on delete cascade,
  attempts integer not null default 0,
  -- Time of the next attempt; null after the last one failed.
  next_at timestamptz default now(),
  last_error text
);
create index enquiry_mails_next_at_idx on private.enquiry_mails (next_at);

-- Rows that the owner loads (demo data, a restored backup) are not new enquiries.
create function private.queue_enquiry_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is not null then
    insert into private.enquiry_mails (enquiry_id) values (new.id);
  end if;
  return null;
end
$$;

create trigger queue_enquiry_mail after insert on public.contact_messages
  for each row execute function private.queue_enquiry_mail();

alter table private.enquiry_arrivals enable row level security;
alter table private.enquiry_mails enable row level security;
revoke all on private.enquiry_arrivals, private.enquiry_mails from public, anon, authenticated;
revoke all on all functions in schema private from public;
