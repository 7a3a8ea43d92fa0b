-- Photos that go to the client with a letter, chosen by its writer; like the letter, they never change. And who at the
-- client has read it.
alter table public.incident_letters
  add column photo_ids uuid[] not null default '{}'
    check (cardinality(photo_ids) <= 12 and array_position(photo_ids, null) is null);
comment on column public.incident_letters.photo_ids is 'Photos among the evidence of the incident';
grant insert (photo_ids) on public.incident_letters to authenticated;

-- Only photos of this incident that browsers show, stored with us.
create function private.check_letter_photos() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from unnest(new.photo_ids) chosen (id)
    where not exists (
      select from public.evidence e
      where e.id = chosen.id and e.incident_id = new.incident_id and e.url like new.incident_id || '/%'
        and e.type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif')
    )
  ) then
    raise exception 'A chosen photo was removed, or isn''t of this incident. Choose the photos again.'
      using errcode = 'PT409';
  end if;
  return new;
end
$$;
create trigger c_photos before insert on public.incident_letters
  for each row when (new.photo_ids <> '{}') execute function private.check_letter_photos();

create table public.letter_acknowledgements (
  id uuid primary key default gen_random_uuid(),
  letter_id uuid not null references public.incident_letters (id) on delete cascade,
  contact_id uuid not null references public.client_contacts (id) on delete cascade,
  -- As it was then: those who oversee incidents may not read the contacts of clients.
  contact_name text not null check (char_length(contact_name) <= 200),
  created_at timestamptz not null default now(),
  constraint letter_acknowledgements_once unique (letter_id, contact_id)
);
create index letter_acknowledgements_contact_id_idx on public.letter_acknowledgements (contact_id);
select private.keep_history_of('public.letter_acknowledgements');

alter table public.letter_acknowledgements enable row level security;
revoke all on public.letter_acknowledgements from anon, authenticated;
grant select on public.letter_acknowledgements to authenticated;
create policy "Readers of a letter read who acknowledged it" on public.letter_acknowledgements
  for select to authenticated
  using (exists (select from public.incident_letters l where l.id = letter_id));

alter publication supabase_realtime add table public.letter_acknowledgements;
alter table public.letter_acknowledgements replica identity full;

revoke all on all functions in schema private from public;
