-- Incidents: every member reports them, overseers of the site follow them up. Their timeline is append-only.
create table public.incidents (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id),
  raised_by_user_id uuid default auth.uid() references public.profiles (id) on delete set null,
  title text not null check (char_length(title) between 5 and 200),
  category text not null
    check (category in ('security', 'safety', 'property', 'medical', 'fire', 'theft', 'vandalism', 'other')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  status text not null default 'open' check (status in ('open', 'investigating', 'resolved', 'closed')),
  description text not null check (char_length(description) between 20 and 5000),
  notes text check (char_length(notes) <= 5000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column public.incidents.notes is
  'The internal note sent with an update. It is stored in incident_notes; here it is always null.';

create index incidents_created_at_idx on public.incidents (created_at desc);
create index incidents_status_idx on public.incidents (status, created_at desc);
create index incidents_severity_idx on public.incidents (severity, created_at desc);
create index incidents_site_id_idx on public.incidents (site_id, created_at desc);
create index incidents_raised_by_user_id_idx on public.incidents (raised_by_user_id, created_at desc);

select private.tidy_texts_of('public.incidents', 'title', 'description', 'notes');
create trigger d_touch before update on public.incidents
  for each row execute function private.touch();
select private.keep_history_of('public.incidents');
create trigger c_has_incidents before delete on public.sites for each row
  execute function private.refuse_while_used('incidents', 'site_id',
    'This site has incidents on record, so it can''t be deleted.');

alter table public.incidents enable row level security;
revoke all on public.incidents from anon, authenticated;
grant select on public.incidents to authenticated;
-- Reporters can't set the time of the report or the notes; site and reporter never change.
grant insert (id, site_id, raised_by_user_id, title, category, severity, status, description)
  on public.incidents to authenticated;
grant update (title, category, severity, status, description, notes) on public.incidents to authenticated;

create policy "Overseers read every incident" on public.incidents
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor')));
create policy "Supervisors read incidents at their own sites" on public.incidents
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Members read the incidents they raised" on public.incidents
  for select to authenticated
  using (raised_by_user_id = (select auth.uid()) and (select private.is_member()));
create policy "Guards read incidents at sites they are assigned to" on public.incidents
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));
create policy "Members report incidents in their own name, as open" on public.incidents
  for insert to authenticated
  with check (raised_by_user_id = (select auth.uid()) and status = 'open' and (select private.is_member()));
create policy "Overseers follow up every incident" on public.incidents
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor')))
  with check ((select private.has_role('admin', 'ops_manager', 'supervisor')));
create policy "Supervisors follow up incidents at their own sites" on public.incidents
  for update to authenticated
  using (site_id = any ((select private.supervised_sites())::uuid[]))
  with check (site_id = any ((select private.supervised_sites())::uuid[]));

alter publication supabase_realtime add table public.incidents;
alter table public.incidents replica identity full;

-- The timeline: every change of status, and every update with a note.
create table public.incident_updates (
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references public.incidents (id) on delete cascade,
  from_status text not null check (from_status in ('open', 'investigating', 'resolved', 'closed')),
  -- Equal to from_status if there is only a note.
  to_status text not null check (to_status in ('open', 'investigating', 'resolved', 'closed')),
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
);

create index incident_updates_incident_id_idx on public.incident_updates (incident_id, created_at);
create index incident_updates_created_by_idx on public.incident_updates (created_by);

select private.keep_history_of('public.incident_updates');

alter table public.incident_updates enable row level security;
revoke all on public.incident_updates from anon, authenticated, service_role;
grant select on public.incident_updates to authenticated, service_role;

create policy "Readers of an incident read its timeline" on public.incident_updates
  for select to authenticated
  using (exists (select from public.incidents i where i.id = incident_id));

alter publication supabase_realtime add table public.incident_updates;
alter table public.incident_updates replica identity full;

-- Internal notes have their own table: reporters and guards at the site read the timeline but not the notes.
create table public.incident_notes (
  -- The id of the update that the note belongs to.
  id uuid primary key references public.incident_updates (id) on delete cascade,
  incident_id uuid not null references public.incidents (id) on delete cascade,
  note text not null check (char_length(note) <= 5000)
);

create index incident_notes_incident_id_idx on public.incident_notes (incident_id);

select private.keep_history_of('public.incident_notes');

alter table public.incident_notes enable row level security;
revoke all on public.incident_notes from anon, authenticated, service_role;
grant select on public.incident_notes to authenticated, service_role;

create policy "Overseers of an incident read its internal notes" on public.incident_notes
  for select to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));

-- Writes the timeline in the transaction that changes the incident, and moves the note there, because reporters read
-- every column of an incident. Definer, because users can't write the timeline.
create function private.record_incident_update() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  entry uuid;
begin
  insert into public.incident_updates (incident_id, from_status, to_status, created_by)
  values (new.id, old.status, new.status, (select p.id from public.profiles p where p.id = auth.uid()))
  returning id into entry;
  if new.notes is not null then
    insert into public.incident_notes (id, incident_id, note) values (entry, new.id, new.notes);
    new.notes := null;
  end if;
  return new;
end
$$;

-- Runs after a_tidy_text, which turns an empty note into null.
create trigger c_timeline before update on public.incidents
  for each row when (new.status is distinct from old.status or new.notes is not null)
  execute function private.record_incident_update();

-- One user reports at most 500 incidents within 24 hours, so that no account can fill the database. Counts only
-- requests through the API: the owner and the service role have no limit.
create function private.limit_incidents() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 500;
  reporter uuid := auth.uid();
  reported integer;
  wait integer;
begin
  if reporter is null then
    return null;
  end if;
  -- One statement per reporter at a time, or two at once would both be within the limit.
  perform pg_advisory_xact_lock(hashtextextended('incidents of ' || reporter, 0));
  select count(*), ceil(extract(epoch from min(i.created_at) + interval '1 day' - now()))
  into reported, wait
  from public.incidents i
  where i.raised_by_user_id = reporter and i.created_at > now() - interval '1 day';
  if reported > most then
    raise sqlstate 'PGRST' using
      message = json_build_object(
        'code', 'too_many_incidents',
        'message', format(
          'You can report at most %s incidents within 24 hours. Please call your supervisor, or try again later.', most
        ),
        'details', null,
        'hint', null
      )::text,
      detail = json_build_object(
        'status', 429,
        'headers', json_build_object('Retry-After', greatest(wait, 1)::text)
      )::text;
  end if;
  return null;
end
$$;

-- Once per statement, because one request may bring hundreds of rows.
create trigger e_limit_incidents after insert on public.incidents
  for each statement execute function private.limit_incidents();

-- Computed columns that order lists by severity and status. No fixed search path, so that the planner can inline them.
create function public.severity_rank(incident public.incidents) returns integer
language sql immutable parallel safe
return array_position(array['low', 'medium', 'high', 'critical'], incident.severity);
create function public.status_rank(incident public.incidents) returns integer
language sql immutable parallel safe
return array_position(array['open', 'investigating', 'resolved', 'closed'], incident.status);

revoke all on all functions in schema private from public;
revoke all on function public.severity_rank, public.status_rank from public, anon;
grant execute on function public.severity_rank, public.status_rank to authenticated;
