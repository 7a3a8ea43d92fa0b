-- An answer to a contact's message, or to a request for extra guards, is also mailed to that contact, while the access lasts.
create table private.client_answer_mails (
  request_id uuid primary key references public.client_requests (id) on delete cascade,
  attempts integer not null default 0,
  -- Time of the next attempt; null after the last one failed.
  next_at timestamptz default now(),
  last_error text
);
create index client_answer_mails_next_at_idx on private.client_answer_mails (next_at);
alter table private.client_answer_mails enable row level security;
revoke all on private.client_answer_mails from public, anon, authenticated;

create function private.queue_answer_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.client_answer_mails (request_id)
  select new.id from public.client_contacts c
  where c.id = new.contact_id and c.revoked_at is null and c.access_until >= private.company_date();
  return null;
end
$$;

create trigger queue_answer_mail after update on public.client_requests
  for each row when (old.status = 'open' and new.status <> 'open')
  execute function private.queue_answer_mail();

revoke all on all functions in schema private from public;
