-- What a reporter remembers after reporting: notes added to their own report, for everyone who reads the incident.
create table public.report_notes (
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references public.incidents (id) on delete cascade,
  note text not null check (char_length(note) between 1 and 2000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
);

create index report_notes_incident_id_idx on public.report_notes (incident_id, created_at);
create index report_notes_created_by_idx on public.report_notes (created_by);

select private.tidy_texts_of('public.report_notes', 'note');
select private.keep_history_of('public.report_notes');

alter table public.report_notes enable row level security;
revoke all on public.report_notes from anon, authenticated, service_role;
grant select on public.report_notes to authenticated, service_role;
-- The author and the time are the database's.
grant insert (id, incident_id, note) on public.report_notes to authenticated;

create policy "Readers of an incident read its reporter's notes" on public.report_notes
  for select to authenticated
  using (exists (select from public.incidents i where i.id = incident_id));
create policy "Members add notes to their own reports" on public.report_notes
  for insert to authenticated
  with check (
    created_by = (select auth.uid())
    and exists (
      select from public.incidents i where i.id = incident_id and i.raised_by_user_id = (select auth.uid())
    )
  );

alter publication supabase_realtime add table public.report_notes;
alter table public.report_notes replica identity full;

-- So that no account can fill the database.
create function private.limit_report_notes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 100;
begin
  -- Two notes at once would both be within the limit.
  perform pg_advisory_xact_lock(hashtextextended('notes on ' || new.incident_id, 0));
  if (select count(*) from public.report_notes n where n.incident_id = new.incident_id) >= most then
    raise exception 'A report takes at most % notes. Please call your supervisor.', most
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger b_limit_notes before insert on public.report_notes
  for each row execute function private.limit_report_notes();

revoke all on all functions in schema private from public;
