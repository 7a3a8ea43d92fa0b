-- Reports about incidents in the portal of clients: the newest approved letter about each incident at the caller's sites,
-- with the photos chosen for it. A later version replaces the earlier one there, with its names and photos.
create function private.client_letters() returns setof public.incident_letters
language sql stable security definer set search_path = '' as $$
  select distinct on (l.incident_id) l.*
  from public.sites s
  join public.incidents i on i.site_id = s.id
  join public.incident_letters l on l.incident_id = i.id
  where s.client_id = any ((select private.client_of_caller())::uuid[]) and l.approved_at is not null
  order by l.incident_id, l.version desc;
$$;

-- `facts` are those of the letter: the reporter is among them only if names are included.
create function public.client_reports() returns table (
  id uuid, reference text, version integer, subject text, summary text, actions text, signatory text, signatory_title text,
  facts jsonb, released_at timestamptz, photos jsonb, read_by jsonb, is_read boolean
)
language sql stable security definer set search_path = '' as $$
  select l.id, upper(left(l.incident_id::text, 8)), l.version, l.subject, l.summary, l.actions, l.signatory,
    l.signatory_title, l.facts, l.approved_at,
    coalesce((
      select jsonb_agg(jsonb_build_object('id', e.id, 'path', e.url, 'taken_at', coalesce(e.taken_at, e.created_at))
        order by coalesce(e.taken_at, e.created_at), e.id)
      from public.evidence e where e.id = any (l.photo_ids) and e.incident_id = l.incident_id), '[]'),
    coalesce((
      select jsonb_agg(jsonb_build_object('name', a.contact_name, 'at', a.created_at) order by a.created_at, a.id)
      from public.letter_acknowledgements a where a.letter_id = l.id), '[]'),
    exists (
      select from public.letter_acknowledgements a join public.client_contacts c on c.id = a.contact_id
      where a.letter_id = l.id and c.user_id = (select auth.uid()))
  from private.client_letters() l
  order by l.approved_at desc, l.id
  limit 200;
$$;
comment on function public.client_reports is 'Nullable: actions, signatory_title';

-- Records that the caller has read a report. Again, it changes nothing.
create function public.acknowledge_letter(p_letter_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.letter_acknowledgements (letter_id, contact_id, contact_name)
  select l.id, c.id, c.full_name
  from private.client_letters() l
  join public.incidents i on i.id = l.incident_id
  join public.sites s on s.id = i.site_id
  join public.client_contacts c on c.client_id = s.client_id
  where l.id = p_letter_id and c.user_id = auth.uid() and c.revoked_at is null
    and c.access_until >= private.company_date()
  on conflict on constraint letter_acknowledgements_once do nothing;
  if not found and not exists (
    select from public.letter_acknowledgements a join public.client_contacts c on c.id = a.contact_id
    where a.letter_id = p_letter_id and c.user_id = auth.uid() and c.client_id = any (private.client_of_caller())
  ) then
    raise exception 'There is no such report, or a newer version has replaced it. Reload the page.' using errcode = 'PT404';
  end if;
end
$$;

-- Paths of the photos that the caller may see.
create function private.client_photos() returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.client_of_caller() = '{}' then
    return '{}';
  end if;
  return array(
    select e.url from private.client_letters() l
    join public.evidence e on e.id = any (l.photo_ids) and e.incident_id = l.incident_id
  );
end
$$;

create policy "Contacts of clients read the photos that were chosen for them" on storage.objects
  for select to authenticated
  using (bucket_id = 'evidence' and name = any ((select private.client_photos())::text[]));

revoke all on all functions in schema private from public;
grant execute on function private.client_photos to authenticated;
revoke all on function public.client_reports, public.acknowledge_letter from public, anon;
grant execute on function public.client_reports, public.acknowledge_letter to authenticated;
