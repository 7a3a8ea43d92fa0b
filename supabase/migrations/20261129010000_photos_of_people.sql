-- A photo of a person, in bucket `photos` under a random name: contacts of clients see photos of the guards on post, and the
-- name of a file must not tell them which account it belongs to.
alter table public.profiles
  add column photo_path text
    constraint profiles_photo_of_one_person unique
    check (photo_path ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(jpg|webp)$');
comment on column public.profiles.photo_path is 'Name of a file in bucket photos, set by set_person_photo';

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('photos', 'photos', false, 300 * 1024, array['image/jpeg', 'image/webp'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- Sets the photo of a person to a file that was uploaded before; without a path it removes the photo. The caller deletes
-- the former file, whose name is returned.
create function public.set_person_photo(p_user_id uuid, p_path text default null) returns text
language plpgsql security definer set search_path = '' as $$
declare
  former text;
begin
  if not private.has_role('admin', 'ops_manager', 'hr') then
    raise exception 'Only admins, operations managers and HR may do this.' using errcode = 'insufficient_privilege';
  end if;
  select p.photo_path into former from public.profiles p
  where p.id = p_user_id and not exists (select from private.client_accounts c where c.user_id = p.id)
  for update;
  if not found then
    raise exception 'There is no such person.' using errcode = 'PT404';
  end if;
  if p_path is not null and not exists (
    select from storage.objects o where o.bucket_id = 'photos' and o.name = p_path
  ) then
    raise exception 'The photo was not stored. Choose it again.' using errcode = 'PT409';
  end if;
  update public.profiles p set photo_path = p_path
  where p.id = p_user_id and p.photo_path is distinct from p_path;
  return former;
end
$$;
comment on function public.set_person_photo is 'Nullable: result';

-- Guards who have clocked in at these sites and not out, on shifts that run or start within the hour.
create function private.guards_on_post(sites uuid[])
returns table (site_id uuid, post_id uuid, user_id uuid, since timestamptz)
language sql stable security definer set search_path = '' as $$
  select s.site_id, s.post_id, a.user_id, r.clock_in_at
  from public.shifts s
  join public.assignments a on a.shift_id = s.id and a.status <> 'cancelled'
  join public.attendance r on r.assignment_id = a.id and r.clock_out_at is null
  where s.site_id = any (sites) and s.end_time > now() and s.start_time < now() + interval '1 hour';
$$;

-- Photos that the caller sees as a contact of a client: those of client_now.
create function private.photos_on_post() returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.client_of_caller() = '{}' then
    return '{}';
  end if;
  return array(
    select p.photo_path from private.guards_on_post(private.client_sites()) g
    join public.profiles p on p.id = g.user_id
    where p.photo_path is not null
  );
end
$$;

-- As before, and with the photo of each guard, if there is one.
create or replace function public.client_now() returns table (
  site_id uuid, site_name text, address text, timezone text, post_id uuid, post_name text, required integer,
  guards jsonb, next_at timestamptz
)
language sql stable security definer set search_path = '' as $$
  with own as materialized (
    select t.id, t.name, t.address, t.timezone from public.sites t
    where t.id = any ((select private.client_sites())::uuid[])
  ), due as materialized (
    -- Guards who come early count as there, although their shift has not begun.
    select s.site_id, s.post_id, case when s.start_time <= now() then s.required_headcount else 0 end as required
    from own o join public.shifts s on s.site_id = o.id
    where s.end_time > now() and s.start_time < now() + interval '1 hour'
  ), present as materialized (
    select g.site_id, g.post_id, jsonb_build_object(
      'name', coalesce(nullif(split_part(btrim(p.full_name), ' ', 1), ''), 'Guard'), 'since', g.since,
      'photo', p.photo_path
    ) as guard
    from private.guards_on_post((select private.client_sites())) g
    join public.profiles p on p.id = g.user_id
  ), places as (
    select d.site_id, d.post_id, sum(d.required)::integer as required, coalesce((
      select jsonb_agg(p.guard order by p.guard ->> 'since', p.guard ->> 'name') from present p
      where p.site_id = d.site_id and p.post_id is not distinct from d.post_id
    ), '[]') as guards
    from due d
    group by d.site_id, d.post_id
  )
  select o.id, o.name, o.address, o.timezone, l.post_id, t.name, coalesce(l.required, 0), coalesce(l.guards, '[]'),
    case when l.site_id is null then (
      select min(s.start_time) from public.shifts s where s.site_id = o.id and s.start_time > now()
    ) end
  from own o
  left join places l on l.site_id = o.id and (l.required > 0 or l.guards <> '[]')
  left join public.posts t on t.id = l.post_id
  order by o.name, o.id, t.name nulls last, l.post_id;
$$;

create policy "Readers of a person see the photo" on storage.objects
  for select to authenticated
  using (bucket_id = 'photos' and exists (select from public.profiles p where p.photo_path = objects.name));
create policy "Contacts of clients see photos of the guards on post" on storage.objects
  for select to authenticated
  using (bucket_id = 'photos' and name = any ((select private.photos_on_post())::text[]));
create policy "People managers read photos of people" on storage.objects
  for select to authenticated
  using (bucket_id = 'photos' and (select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers add photos of people" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'photos' and (select private.has_role('admin', 'ops_manager', 'hr')));
-- First from the person, then the file, so that no person has a photo that is gone.
create policy "People managers remove photos that no person has" on storage.objects
  for delete to authenticated
  using (
    bucket_id = 'photos' and (select private.has_role('admin', 'ops_manager', 'hr'))
    and not exists (select from public.profiles p where p.photo_path = objects.name)
  );

revoke all on all functions in schema private from public;
grant execute on function private.photos_on_post to authenticated;
revoke all on function public.set_person_photo from public, anon;
grant execute on function public.set_person_photo to authenticated;
