-- Enquiries from the public site: visitors only insert, admins and operations managers read and answer.
create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 2 and 100),
  email text not null check (char_length(email) <= 255 and email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$'),
  company text check (char_length(company) <= 200),
  message text not null check (char_length(message) between 10 and 2000),
  state text not null default 'new' check (state in ('new', 'answered', 'closed')),
  note text check (char_length(note) <= 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index contact_messages_created_at_idx on public.contact_messages (created_at desc);

select private.tidy_texts_of('public.contact_messages', 'name', 'email', 'company', 'message', 'note');
create trigger d_touch before update on public.contact_messages
  for each row execute function private.touch();
select private.keep_history_of('public.contact_messages');

alter table public.contact_messages enable row level security;
revoke all on public.contact_messages from anon, authenticated;
grant insert (id, name, email, company, message) on public.contact_messages to anon, authenticated;
grant select, update (state, note) on public.contact_messages to authenticated;

create policy "Visitors send enquiries, which arrive as new" on public.contact_messages
  for insert to anon, authenticated with check (state = 'new' and note is null);
create policy "Admins and operations managers read enquiries" on public.contact_messages
  for select to authenticated using ((select private.has_role('admin', 'ops_manager')));
create policy "Admins and operations managers answer enquiries" on public.contact_messages
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));

alter publication supabase_realtime add table public.contact_messages;
