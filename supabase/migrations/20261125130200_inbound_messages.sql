-- Text messages and missed calls of guards. The server checks who sent them and calls private.take_message, which
-- stores every message once, with what came of it and the answer.

-- What a guard may text instead of IN or OUT: the post's code, on a sign at the post. Numbered so that neighbours
-- don't have similar codes: 7919 has no common factor with 9000, so the first 9,000 differ.
create sequence private.post_codes;
create function private.next_post_code() returns text
language sql security definer set search_path = '' as $$
  select 'P' || case when n <= 9000 then 1000 + n * 7919 % 9000 else 1000 + n end
  from nextval('private.post_codes') n;
$$;
alter table public.posts
  add column code text not null default private.next_post_code() unique check (code ~ '^P[0-9]{4,6}$');
comment on column public.posts.code is 'What guards text to clock in or out at the post';

create table public.inbound_messages (
  id uuid primary key default gen_random_uuid(),
  -- Of the gateway, such as twilio:SM… . A message that is delivered again has the same id.
  provider_id text not null unique check (char_length(provider_id) <= 200),
  kind text not null check (kind in ('text', 'call')),
  -- As the gateway wrote it; null if the number is withheld.
  from_phone text check (char_length(from_phone) <= 40),
  -- Without PINs.
  body text not null default '' check (char_length(body) <= 500),
  -- Null if the gateway doesn't send it.
  sent_at timestamptz,
  received_at timestamptz not null default now(),
  user_id uuid references public.profiles (id) on delete set null,
  assignment_id uuid references public.assignments (id) on delete set null,
  site_id uuid references public.sites (id) on delete set null,
  outcome text not null check (outcome in (
    'clocked_in', 'clocked_out', 'fine', 'sos', 'repeated',
    'unknown_number', 'restricted', 'ambiguous', 'wrong_pin', 'unknown_words', 'no_shift', 'out_before_in', 'refused'
  )),
  -- Not a generated column: with those, rows of a published table with a full identity can't be changed.
  is_exception boolean not null default true,
  reply text not null default '' check (char_length(reply) <= 320),
  handled_at timestamptz,
  handled_by uuid references public.profiles (id) on delete set null,
  constraint inbound_messages_exceptions_need_a_planner check (
    is_exception = (outcome not in ('clocked_in', 'clocked_out', 'fine', 'sos', 'repeated'))
  )
);
comment on column public.inbound_messages.is_exception is 'Derived: a planner must look at it';
create index inbound_messages_user_id_idx on public.inbound_messages (user_id, received_at desc)
  where user_id is not null;
create index inbound_messages_assignment_id_idx on public.inbound_messages (assignment_id)
  where assignment_id is not null;
create index inbound_messages_site_id_idx on public.inbound_messages (site_id, received_at desc)
  where site_id is not null;
create index inbound_messages_handled_by_idx on public.inbound_messages (handled_by) where handled_by is not null;
create index inbound_messages_from_phone_idx on public.inbound_messages (from_phone, received_at desc);
create index inbound_messages_open_idx on public.inbound_messages (received_at desc)
  where is_exception and handled_at is null;
select private.keep_history_of('public.inbound_messages');

alter table public.inbound_messages enable row level security;
-- Written by functions alone.
revoke all on public.inbound_messages from anon, authenticated;
grant select on public.inbound_messages to authenticated;
create policy "Planners read every message of guards" on public.inbound_messages
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read messages about their own sites" on public.inbound_messages
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
alter publication supabase_realtime add table public.inbound_messages;
alter table public.inbound_messages replica identity full;

-- A planner has looked at an exception, or (p_is_handled false) undoes that.
create function public.handle_message(p_message_id uuid, p_is_handled boolean default true)
returns public.inbound_messages
language plpgsql security definer set search_path = '' as $$
declare
  message public.inbound_messages;
begin
  select * into message from public.inbound_messages m where m.id = p_message_id for update;
  if not found or not (
    private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')
    or coalesce(message.site_id = any (private.supervised_sites()), false)
  ) then
    raise exception 'This message doesn''t exist, or it isn''t about one of your sites.' using errcode = 'PT404';
  end if;
  if not message.is_exception or (message.handled_at is not null) = coalesce(p_is_handled, true) then
    return message;
  end if;
  update public.inbound_messages m set
    handled_at = case when coalesce(p_is_handled, true) then now() end,
    handled_by = case when coalesce(p_is_handled, true) then auth.uid() end
  where m.id = message.id returning * into message;
  return message;
end
$$;

revoke all on function private.next_post_code, public.handle_message from public;
revoke all on function public.handle_message from anon;
grant execute on function private.next_post_code to authenticated, service_role;
grant execute on function public.handle_message to authenticated;
