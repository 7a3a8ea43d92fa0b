-- The timeline of an incident: who moved it from which status to which, when, and the notes of those who follow it up.
-- Append-only, and written by the database in the transaction that changes the incident, so that nothing is left out
-- whoever writes. The notes are a table of their own, because who raised an incident, or works at its site, reads how
-- it goes on, but not what is noted about it.
create table public.incident_updates (
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references public.incidents (id) on delete cascade,
  from_status text not null check (from_status in ('open', 'investigating', 'resolved', 'closed')),
  -- The same, where only something was noted.
  to_status text not null check (to_status in ('open', 'investigating', 'resolved', 'closed')),
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
);

create index incident_updates_incident_id_idx on public.incident_updates (incident_id, created_at);
create index incident_updates_created_by_idx on public.incident_updates (created_by);

create table public.incident_notes (
  -- That of the update which it belongs to.
  id uuid primary key references public.incident_updates (id) on delete cascade,
  incident_id uuid not null references public.incidents (id) on delete cascade,
  note text not null check (char_length(note) <= 5000)
);

create index incident_notes_incident_id_idx on public.incident_notes (incident_id);

-- Definer: nobody writes the timeline by hand. The note of an update goes to the timeline and leaves the incident,
-- whose every column is open to whoever raised it.
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
revoke all on function private.record_incident_update() from public;

comment on column public.incidents.notes is
  'Sent with an update: the internal note that goes with it. It is kept in incident_notes; here it is always null.';

-- What was noted before there was a timeline.
with moved as (
  insert into public.incident_updates (incident_id, from_status, to_status, created_at)
  select i.id, 'open', i.status, i.updated_at from public.incidents i
  where i.status <> 'open' or i.notes is not null
  returning id, incident_id
)
insert into public.incident_notes (id, incident_id, note)
select m.id, m.incident_id, i.notes from moved m join public.incidents i on i.id = m.incident_id
where i.notes is not null;
alter table public.incidents disable trigger user;
update public.incidents set notes = null where notes is not null;
alter table public.incidents enable trigger user;

-- After a_tidy_text: an empty note is none.
create trigger c_timeline before update on public.incidents
  for each row when (new.status is distinct from old.status or new.notes is not null)
  execute function private.record_incident_update();

select private.keep_history_of('public.incident_updates');
select private.keep_history_of('public.incident_notes');

alter table public.incident_updates enable row level security;
alter table public.incident_notes enable row level security;
revoke all on public.incident_updates, public.incident_notes from anon, authenticated, service_role;
grant select on public.incident_updates, public.incident_notes to authenticated, service_role;

-- The policies of incidents apply inside this.
create policy "Whoever reads an incident reads how it went on" on public.incident_updates
  for select to authenticated
  using (exists (select from public.incidents i where i.id = incident_id));
create policy "Whoever oversees an incident reads what was noted" on public.incident_notes
  for select to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));

alter publication supabase_realtime add table public.incident_updates;

-- Orders of severity and of status, for lists: `order=severity_rank.desc`. Without a search path of their own, so that
-- the planner puts the expression in their place.
create function public.severity_rank(incident public.incidents) returns integer
language sql immutable parallel safe
return array_position(array['low', 'medium', 'high', 'critical'], incident.severity);
create function public.status_rank(incident public.incidents) returns integer
language sql immutable parallel safe
return array_position(array['open', 'investigating', 'resolved', 'closed'], incident.status);
revoke all on function public.severity_rank(public.incidents), public.status_rank(public.incidents) from public, anon;
grant execute on function public.severity_rank(public.incidents), public.status_rank(public.incidents) to authenticated;
