-- What contacts of clients write to the company: a message, or a request for extra guards; and what the office answers.
create table public.client_requests (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references public.clients (id) on delete cascade,
  contact_id uuid not null references public.client_contacts (id) on delete cascade,
  site_id uuid references public.sites (id) on delete set null,
  kind text not null check (kind in ('message', 'extra_guard')),
  body text not null check (char_length(body) between 2 and 2000),
  starts_at timestamptz,
  ends_at timestamptz,
  headcount integer check (headcount between 1 and 100),
  status text not null default 'open' check (status in ('open', 'answered', 'declined')),
  answer text check (char_length(answer) between 2 and 2000),
  answered_by uuid references public.profiles (id) on delete set null,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint client_requests_extra_guards_have_a_time check (
    (kind = 'extra_guard') = (starts_at is not null) and (kind = 'extra_guard') = (ends_at is not null)
    and (kind = 'extra_guard') = (headcount is not null)
  ),
  constraint client_requests_end_after_start check (ends_at > starts_at and ends_at - starts_at <= interval '31 days'),
  constraint client_requests_are_open_without_an_answer check (
    (status = 'open') = (answer is null) and (status = 'open') = (answered_at is null)
  )
);

create index client_requests_client_id_idx on public.client_requests (client_id, created_at desc);
create index client_requests_contact_id_idx on public.client_requests (contact_id, created_at desc);
create index client_requests_site_id_idx on public.client_requests (site_id);
create index client_requests_answered_by_idx on public.client_requests (answered_by);

select private.tidy_texts_of('public.client_requests', 'body', 'answer');
select private.keep_history_of('public.client_requests');

alter table public.client_requests enable row level security;
revoke all on public.client_requests from anon, authenticated;
grant select on public.client_requests to authenticated;

create policy "Admins and operations managers read requests of clients" on public.client_requests
  for select to authenticated using ((select private.has_role('admin', 'ops_manager')));
create policy "Contacts of clients read the requests of their clients" on public.client_requests
  for select to authenticated using (client_id = any ((select private.client_of_caller())::uuid[]));

alter publication supabase_realtime add table public.client_requests;
alter table public.client_requests replica identity full;

-- The caller's clients and sites, for choosing one.
create function public.client_places()
returns table (client_id uuid, client_name text, site_id uuid, site_name text)
language sql stable security definer set search_path = '' as $$
  select k.id, k.name, s.id, s.name
  from public.clients k
  left join public.sites s on s.client_id = k.id
  where k.id = any ((select private.client_of_caller())::uuid[])
  order by k.name, k.id, s.name, s.id;
$$;
comment on function public.client_places is 'Nullable: site_id, site_name';

-- Sends a message, or with times and a headcount a request for extra guards. Sending the same id again changes nothing.
create function public.send_client_request(
  p_id uuid, p_client_id uuid, p_body text, p_site_id uuid default null, p_starts_at timestamptz default null,
  p_ends_at timestamptz default null, p_headcount integer default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  sender public.client_contacts;
  client_name text;
begin
  select c.* into sender from public.client_contacts c
  where c.user_id = auth.uid() and c.client_id = p_client_id and c.revoked_at is null
    and c.client_id = any (private.client_of_caller());
  if sender.id is null then
    raise exception 'Your access to this client has ended.' using errcode = 'insufficient_privilege';
  end if;
  if p_id is null or p_body is null then
    raise exception 'Write a message.' using errcode = 'invalid_parameter_value';
  end if;
  if p_site_id is not null and not exists (
    select from public.sites s where s.id = p_site_id and s.client_id = p_client_id
  ) then
    raise exception 'This site is not among yours.' using errcode = 'PT404';
  end if;
  if not (isfinite(coalesce(p_starts_at, now())) and isfinite(coalesce(p_ends_at, now())))
    or p_starts_at < now() - interval '1 hour' or p_starts_at > now() + interval '366 days'
  then
    raise exception 'Extra guards can be asked for from now on, and a year ahead.' using errcode = 'invalid_parameter_value';
  end if;
  -- One at a time, so that two at once are not both the last one allowed.
  perform pg_advisory_xact_lock(hashtextextended('requests of ' || sender.id, 0));
  if exists (select from public.client_requests r where r.id = p_id and r.contact_id = sender.id) then
    return;
  end if;
  if (
    select count(*) from public.client_requests r
    where r.contact_id = sender.id and r.created_at > now() - interval '1 day'
  ) >= 20 then
    raise exception 'You have sent 20 messages within a day. Please call us.' using errcode = 'PT429';
  end if;
  insert into public.client_requests (id, client_id, contact_id, site_id, kind, body, starts_at, ends_at, headcount)
  values (
    p_id, p_client_id, sender.id, p_site_id,
    case when p_starts_at is null and p_ends_at is null and p_headcount is null then 'message' else 'extra_guard' end,
    p_body, p_starts_at, p_ends_at, p_headcount
  );
  client_name := (select k.name from public.clients k where k.id = p_client_id);
  perform private.notify(
    person.user_id, 'client_request',
    format(case when p_headcount is null then 'Message from %s' else 'Extra guards for %s' end, client_name),
    left(btrim(p_body), 300), '/admin/clients?contacts=' || p_client_id, format('client request %s %s', p_id, person.user_id)
  )
  from (
    select distinct r.user_id from public.user_roles r where r.role in ('admin', 'ops_manager') order by 1
  ) person;
end
$$;

-- The first answer counts.
create function public.answer_client_request(p_id uuid, p_answer text, p_declined boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_client_manager();
  if coalesce(char_length(btrim(p_answer)), 0) < 2 or p_declined is null then
    raise exception 'Write an answer.' using errcode = 'invalid_parameter_value';
  end if;
  update public.client_requests r set
    status = case when p_declined then 'declined' else 'answered' end,
    answer = p_answer, answered_by = auth.uid(), answered_at = now()
  where r.id = p_id and r.status = 'open';
  if not found then
    raise exception 'There is no such request, or it has been answered already.' using errcode = 'PT409';
  end if;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function
  public.client_places, public.send_client_request, public.answer_client_request
from public, anon;
grant execute on function
  public.client_places, public.send_client_request, public.answer_client_request
to authenticated;
