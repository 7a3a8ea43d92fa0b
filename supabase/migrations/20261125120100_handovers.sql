-- What one guard leaves for the next at a post: notes, and the equipment that is handed over.
create table public.handover_notes (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id) on delete cascade,
  post_id uuid references public.posts (id) on delete set null,
  assignment_id uuid references public.assignments (id) on delete set null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  note text not null check (char_length(note) <= 1000),
  written_at timestamptz not null,
  received_at timestamptz not null default now()
);
comment on column public.handover_notes.written_at is 'By the device''s clock, corrected; never in the future';
create index handover_notes_site_id_idx on public.handover_notes (site_id, written_at);
create index handover_notes_post_id_idx on public.handover_notes (post_id);
create index handover_notes_assignment_id_idx on public.handover_notes (assignment_id);
create index handover_notes_user_id_idx on public.handover_notes (user_id);
select private.keep_history_of('public.handover_notes');

-- What belongs to a site or a post: radios, torches, keys.
create table public.equipment (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id) on delete cascade,
  post_id uuid references public.posts (id) on delete cascade,
  name text not null check (char_length(name) <= 100),
  serial text check (char_length(serial) <= 100),
  quantity integer not null default 1 check (quantity between 1 and 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column public.equipment.post_id is 'Null: for every post of the site';
create index equipment_site_id_idx on public.equipment (site_id);
create index equipment_post_id_idx on public.equipment (post_id);

create function private.check_equipment_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select p.site_id into new.site_id from public.posts p where p.id = new.post_id;
  return new;
end
$$;
select private.tidy_texts_of('public.equipment', 'name', 'serial');
create trigger b_site before insert or update on public.equipment
  for each row when (new.post_id is not null) execute function private.check_equipment_post();
create trigger d_touch before update on public.equipment for each row execute function private.touch();
select private.keep_history_of('public.equipment');

-- Whether ticks are a list of at most 200 objects such as {"equipment_id": "…", "name": "Radio", "has": true}.
create function private.are_ticks(ticks jsonb) returns boolean
language sql immutable set search_path = ''
return case when jsonb_typeof(ticks) = 'array' and jsonb_array_length(ticks) between 1 and 200 then (
  select bool_and(
    jsonb_typeof(e) = 'object' and coalesce(e ->> 'equipment_id', '') ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    and jsonb_typeof(e -> 'name') = 'string' and char_length(e ->> 'name') between 1 and 250
    and jsonb_typeof(e -> 'has') = 'boolean'
  ) is true
  from jsonb_array_elements(ticks) e
) else false end;

-- A guard took over what belongs to the post, and what of it was missing.
create table public.handovers (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id) on delete cascade,
  post_id uuid references public.posts (id) on delete set null,
  assignment_id uuid references public.assignments (id) on delete set null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  ticks jsonb not null check (private.are_ticks(ticks)),
  missing text check (char_length(missing) <= 1000),
  taken_at timestamptz not null,
  received_at timestamptz not null default now()
);
comment on column public.handovers.missing is 'Derived: the names of what was missing';
create index handovers_site_id_idx on public.handovers (site_id, taken_at);
create index handovers_post_id_idx on public.handovers (post_id);
create index handovers_assignment_id_idx on public.handovers (assignment_id);
create index handovers_user_id_idx on public.handovers (user_id);
select private.keep_history_of('public.handovers');

alter table public.handover_notes enable row level security;
alter table public.equipment enable row level security;
alter table public.handovers enable row level security;
revoke all on public.handover_notes, public.equipment, public.handovers from anon, authenticated;
grant select on public.handover_notes, public.handovers to authenticated;
grant select, insert, update, delete on public.equipment to authenticated;

create policy "Planners read the handover notes of their sites" on public.handover_notes
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the handover notes of sites they are assigned to" on public.handover_notes
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));
create policy "Planners read the handovers at their sites" on public.handovers
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the handovers at sites they are assigned to" on public.handovers
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));
create policy "Planners read the equipment of their sites" on public.equipment
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the equipment of sites they are assigned to" on public.equipment
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));
select private.overseers_write('public.equipment', 'equipment');
alter publication supabase_realtime add table public.handover_notes, public.equipment, public.handovers;
alter table public.handover_notes replica identity full;
alter table public.equipment replica identity full;
alter table public.handovers replica identity full;

-- The caller's assignment, also a cancelled one: what a guard noted there must not get lost.
create function private.own_handover_place(p_assignment_id uuid) returns public.shifts
language plpgsql stable security definer set search_path = '' as $$
declare
  shift public.shifts;
begin
  perform private.require_member();
  select s.* into shift from public.assignments a join public.shifts s on s.id = a.shift_id
  where a.id = p_assignment_id and a.user_id = auth.uid();
  if not found then
    raise exception 'This shift is no longer yours.' using errcode = 'PT404';
  end if;
  return shift;
end
$$;

-- Stores a note for the next guard, once per id.
create function public.leave_note(
  p_id uuid, p_assignment_id uuid, p_note text, p_written_at timestamptz default now()
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts := private.own_handover_place(p_assignment_id);
  note text := nullif(btrim(p_note), '');
begin
  if p_id is null or note is null or char_length(note) > 1000 or isfinite(p_written_at) is false then
    raise exception 'A note has up to 1,000 characters and a time.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.handover_notes (id, site_id, post_id, assignment_id, user_id, note, written_at)
  values (p_id, shift.site_id, shift.post_id, p_assignment_id, auth.uid(), note,
    least(coalesce(p_written_at, now()), now()))
  on conflict (id) do nothing;
  if not exists (select from public.handover_notes n where n.id = p_id and n.user_id = auth.uid()) then
    raise exception 'This id belongs to another note.' using errcode = 'unique_violation';
  end if;
  return p_id;
end
$$;

-- Stores what the caller took over, once per id, and tells the site's planners what was missing.
create function public.take_over(
  p_id uuid, p_assignment_id uuid, p_ticks jsonb, p_taken_at timestamptz default now()
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts := private.own_handover_place(p_assignment_id);
  absent text;
begin
  if p_id is null or p_ticks is null or not private.are_ticks(p_ticks) or isfinite(p_taken_at) is false then
    raise exception 'A handover has a list of ticks and a time.' using errcode = 'invalid_parameter_value';
  end if;
  select left(string_agg(e.value ->> 'name', ', ' order by e.place), 1000) into absent
  from jsonb_array_elements(p_ticks) with ordinality e (value, place) where not (e.value ->> 'has')::boolean;
  insert into public.handovers (id, site_id, post_id, assignment_id, user_id, ticks, missing, taken_at)
  values (p_id, shift.site_id, shift.post_id, p_assignment_id, auth.uid(), p_ticks, absent,
    least(coalesce(p_taken_at, now()), now()))
  on conflict (id) do nothing;
  if not exists (select from public.handovers h where h.id = p_id and h.user_id = auth.uid()) then
    raise exception 'This id belongs to another handover.' using errcode = 'unique_violation';
  end if;
  if absent is not null then
    perform private.notify_planners(shift.site_id, 'equipment',
      format('Equipment missing: %s', (select t.name from public.sites t where t.id = shift.site_id)),
      format('%s did not find: %s', private.name_of_person(auth.uid()), absent),
      '/admin/roster/posts/handovers?site=' || shift.site_id, 'equipment:' || p_id);
  end if;
  return p_id;
end
$$;

-- For the caller's running or next shift: notes of the last three days at the post, its equipment, and whether the
-- caller has taken it over.
create function public.my_handover() returns table (
  assignment_id uuid, site_name text, post_name text, notes jsonb, equipment jsonb, taken_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  return query
    select a.id, t.name, p.name, coalesce((
        select jsonb_agg(jsonb_build_object('id', n.id, 'note', n.note, 'written_at', n.written_at,
          'guard', private.name_of_person(n.user_id)) order by n.written_at desc)
        from (
          select * from public.handover_notes w
          where w.site_id = s.site_id and (w.post_id is null or s.post_id is null or w.post_id = s.post_id)
            and w.written_at > now() - interval '3 days'
          order by w.written_at desc limit 30
        ) n
      ), '[]'), coalesce((
        select jsonb_agg(jsonb_build_object('id', e.id, 'name', e.name, 'serial', e.serial, 'quantity', e.quantity)
          order by e.name, e.id)
        from (
          select * from public.equipment w
          where w.site_id = s.site_id and (w.post_id is null or w.post_id = s.post_id)
          order by w.name, w.id limit 200
        ) e
      ), '[]'), (select max(h.taken_at) from public.handovers h where h.assignment_id = a.id)
    from public.assignments a
    join public.shifts s on s.id = a.shift_id
    join public.sites t on t.id = s.site_id
    left join public.posts p on p.id = s.post_id
    where a.user_id = auth.uid() and a.status not in ('cancelled', 'no_show')
      and (a.attendance_state = 'in' or s.end_time > now() and s.start_time < now() + interval '14 hours')
    order by a.attendance_state = 'in' desc, s.start_time limit 1;
end
$$;
comment on function public.my_handover is 'Nullable: post_name, taken_at';

revoke all on all functions in schema private from public;
revoke all on function public.leave_note, public.take_over, public.my_handover from public, anon;
grant execute on function public.leave_note, public.take_over, public.my_handover to authenticated;
