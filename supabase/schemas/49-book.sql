-- The book of the post: what guards write down at a site, who came and left, and which keys are out.

-- ── Tables ────────────────────────────────────────────────────────────

-- Written by write_entry and strike_line alone. Accounting has book_entries. Handover notes have their own table, and
-- visitors and keys those below: the book shows them all.
create table public.post_entries (
  id uuid default gen_random_uuid() primary key, -- Made by the phone, so that a repeat is the same entry.
  site_id uuid not null references public.sites on delete cascade,
  post_id uuid references public.posts on delete set null,
  assignment_id uuid references public.assignments on delete set null,
  user_id uuid references public.profiles on delete set null,
  kind text not null check (kind in ('observation', 'check', 'delivery', 'lost_found', 'instruction')),
  text text not null check (char_length(text) between 1 and 1000),
  written_at timestamptz not null,
  device_at timestamptz,
  received_at timestamptz not null default now(),
  struck_at timestamptz,
  struck_by uuid references public.profiles on delete set null,
  strike_reason text check (char_length(strike_reason) between 1 and 300),
  constraint post_entries_struck_with_reason check ((struck_at is null) = (strike_reason is null))
);
comment on column public.post_entries.written_at is 'By the device''s clock, corrected; never in the future';
comment on column public.post_entries.device_at is 'The time on the device''s clock, right or wrong';
create index post_entries_site_id_idx on public.post_entries (site_id, written_at desc);
create index post_entries_post_id_idx on public.post_entries (post_id);
create index post_entries_assignment_id_idx on public.post_entries (assignment_id);
create index post_entries_user_id_idx on public.post_entries (user_id, written_at desc);
create index post_entries_written_at_idx on public.post_entries (written_at);
create index post_entries_struck_by_idx on public.post_entries (struck_by) where struck_by is not null;
alter table public.post_entries replica identity full;
alter publication supabase_realtime add table public.post_entries;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.post_entries', 'text', 'strike_reason');
select private.keep_history_of('public.post_entries');
alter table public.post_entries enable row level security;
revoke insert, update, delete, truncate on public.post_entries from service_role;
grant select on public.post_entries to authenticated;
create policy "Planners read the book of their sites" on public.post_entries
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the book of the site where they are on duty" on public.post_entries
  for select to authenticated using (site_id = any ((select private.duty_sites())::uuid[]));
create policy "Guards read their own entries" on public.post_entries
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- A person or vehicle that came in. Written by sign_in_visitor, sign_out_visitor and strike_line alone. A document's
-- number is never stored.
create table public.visits (
  id uuid default gen_random_uuid() primary key, -- Made by the phone, so that a repeat is the same visit.
  site_id uuid not null references public.sites on delete cascade,
  post_id uuid references public.posts on delete set null,
  assignment_id uuid references public.assignments on delete set null,
  kind text not null check (kind in ('person', 'vehicle')),
  name text check (char_length(name) <= 100),
  company text check (char_length(company) <= 100),
  host text check (char_length(host) <= 100), -- Whom they come to see.
  document_type text check (document_type in ('national_id', 'passport', 'driving_licence', 'work_id', 'none')),
  plate text check (char_length(plate) <= 20),
  badge text check (char_length(badge) <= 20),
  in_at timestamptz not null,
  in_device_at timestamptz,
  in_by uuid references public.profiles on delete set null,
  out_at timestamptz,
  out_device_at timestamptz,
  out_by uuid references public.profiles on delete set null,
  received_at timestamptz not null default now(),
  struck_at timestamptz,
  struck_by uuid references public.profiles on delete set null,
  strike_reason text check (char_length(strike_reason) between 1 and 300),
  constraint visits_of_somebody check (case kind when 'person' then name else plate end is not null),
  constraint visits_out_after_in check (out_at >= in_at),
  constraint visits_struck_with_reason check ((struck_at is null) = (strike_reason is null))
);
comment on column public.visits.in_at is 'By the device''s clock, corrected; never in the future';
comment on column public.visits.out_at is 'Null while inside';
create index visits_site_id_idx on public.visits (site_id, in_at desc);
create index visits_out_at_idx on public.visits (site_id, out_at desc);
create index visits_inside_idx on public.visits (site_id, in_at) where out_at is null and struck_at is null;
create index visits_ended_idx on public.visits ((coalesce(out_at, in_at)));
create index visits_post_id_idx on public.visits (post_id);
create index visits_assignment_id_idx on public.visits (assignment_id);
create index visits_in_by_idx on public.visits (in_by);
create index visits_out_by_idx on public.visits (out_by);
create index visits_struck_by_idx on public.visits (struck_by) where struck_by is not null;
alter table public.visits replica identity full;
alter publication supabase_realtime add table public.visits;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.visits', 'name', 'company', 'host', 'plate', 'badge', 'strike_reason');
select private.keep_history_of('public.visits');
alter table public.visits enable row level security;
revoke insert, update, delete, truncate on public.visits from service_role;
grant select on public.visits to authenticated;
create policy "Planners read visits at their sites" on public.visits
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read visits at the site where they are on duty" on public.visits
  for select to authenticated using (site_id = any ((select private.duty_sites())::uuid[]));
create policy "Guards read visits that they signed in" on public.visits
  for select to authenticated using (in_by = (select auth.uid()) and (select private.is_member()));

-- A key that was given out. Written by sign_out_key, return_key and strike_line alone.
create table public.key_movements (
  id uuid default gen_random_uuid() primary key, -- Made by the phone, so that a repeat is the same movement.
  site_id uuid not null references public.sites on delete cascade,
  post_id uuid references public.posts on delete set null,
  assignment_id uuid references public.assignments on delete set null,
  key_name text not null check (char_length(key_name) between 1 and 100),
  taken_by text not null check (char_length(taken_by) between 1 and 100),
  due_at timestamptz check (isfinite(due_at)),
  out_at timestamptz not null,
  out_device_at timestamptz,
  out_by uuid references public.profiles on delete set null,
  in_at timestamptz,
  in_device_at timestamptz,
  in_by uuid references public.profiles on delete set null,
  received_at timestamptz not null default now(),
  struck_at timestamptz,
  struck_by uuid references public.profiles on delete set null,
  strike_reason text check (char_length(strike_reason) between 1 and 300),
  constraint key_movements_back_after_out check (in_at >= out_at),
  constraint key_movements_struck_with_reason check ((struck_at is null) = (strike_reason is null))
);
comment on column public.key_movements.out_at is 'By the device''s clock, corrected; never in the future';
comment on column public.key_movements.in_at is 'Null while the key is out';
create index key_movements_site_id_idx on public.key_movements (site_id, out_at desc);
create index key_movements_in_at_idx on public.key_movements (site_id, in_at desc);
create index key_movements_out_idx on public.key_movements (site_id, due_at) where in_at is null and struck_at is null;
create index key_movements_ended_idx on public.key_movements ((coalesce(in_at, struck_at)));
create index key_movements_post_id_idx on public.key_movements (post_id);
create index key_movements_assignment_id_idx on public.key_movements (assignment_id);
create index key_movements_out_by_idx on public.key_movements (out_by);
create index key_movements_in_by_idx on public.key_movements (in_by);
create index key_movements_struck_by_idx on public.key_movements (struck_by) where struck_by is not null;
alter table public.key_movements replica identity full;
alter publication supabase_realtime add table public.key_movements;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.key_movements', 'key_name', 'taken_by', 'strike_reason');
select private.keep_history_of('public.key_movements');
alter table public.key_movements enable row level security;
revoke insert, update, delete, truncate on public.key_movements from service_role;
grant select on public.key_movements to authenticated;
create policy "Planners read the keys of their sites" on public.key_movements
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the keys of the site where they are on duty" on public.key_movements
  for select to authenticated using (site_id = any ((select private.duty_sites())::uuid[]));
create policy "Guards read keys that they gave out" on public.key_movements
  for select to authenticated using (out_by = (select auth.uid()) and (select private.is_member()));

-- Overdue keys that people were notified of. A later due time is notified again.
create table private.told_keys (
  movement_id uuid not null references public.key_movements on delete cascade,
  due_at timestamptz not null,
  told_at timestamptz not null default now(),
  notice_ids uuid[] not null default '{}', -- Of everybody who was told: one notice may be about several keys.
  primary key (movement_id, due_at)
);
alter table private.told_keys enable row level security;

-- ── Functions ─────────────────────────────────────────────────────────

-- Where the caller is on duty. Who forgot to clock out is not there for ever.
create function private.duty_sites() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_member() then
    return '{}';
  end if;
  return array(
    select distinct a.site_id from public.assignments a
    where a.user_id = auth.uid() and a.attendance_state = 'in' and upper(a.period) > now() - interval '12 hours'
  );
end
$$;
grant execute on function private.duty_sites to authenticated;

-- The guards who are on duty at a site, as private.duty_sites says it of one of them.
create function private.on_duty_at(p_site uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct a.user_id from public.assignments a
  where a.site_id = p_site and a.attendance_state = 'in' and upper(a.period) > now() - interval '12 hours'
    and a.user_id is not null;
$$;

-- The shift that the caller writes for. What waited on the phone arrives later; a clock-in may wait, too, so the hours
-- of the shift count instead.
create function private.own_book_place(p_assignment_id uuid) returns public.shifts
language plpgsql stable security definer set search_path = '' as $$
declare
  shift public.shifts := private.own_handover_place(p_assignment_id);
begin
  if shift.start_time - private.clock_in_lead() > now() or shift.end_time < now() - interval '8 days' then
    raise exception 'You write in the book of your post while you are on duty.' using errcode = 'PT409';
  end if;
  return shift;
end
$$;

-- The visit or key movement of a site where the caller may write: on duty there, by the assignment that the phone
-- names, or in the office.
create function private.require_book_of(p_site uuid, p_assignment_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  if p_site is null or not private.may_plan(p_site) and p_assignment_id is null then
    raise exception 'This is no longer in the book.' using errcode = 'PT404';
  elsif not private.may_plan(p_site) and (private.own_book_place(p_assignment_id)).site_id <> p_site then
    raise exception 'This is in the book of another site.' using errcode = 'PT404';
  end if;
end
$$;

-- Stores what the caller wrote, once per id.
create function public.write_entry(
  p_id uuid, p_assignment_id uuid, p_kind text, p_text text default null, p_device_at timestamptz default null,
  p_sent_at timestamptz default null, p_server_offset_ms bigint default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts := private.own_book_place(p_assignment_id);
begin
  if p_id is null or p_kind is null then
    raise exception 'An entry has an id and a kind.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.post_entries (id, site_id, post_id, assignment_id, user_id, kind, text, written_at, device_at)
  values (p_id, shift.site_id, shift.post_id, p_assignment_id, auth.uid(), p_kind,
    case when p_kind = 'check' and nullif(btrim(p_text), '') is null then 'All quiet' else p_text end,
    coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now()),
    case when isfinite(p_device_at) then p_device_at end)
  on conflict (id) do nothing;
  if not exists (select from public.post_entries e where e.id = p_id and e.user_id = auth.uid()) then
    raise exception 'This id belongs to another entry.' using errcode = 'unique_violation';
  end if;
  return p_id;
end
$$;
grant execute on function public.write_entry to authenticated;

create function public.sign_in_visitor(
  p_id uuid, p_assignment_id uuid, p_kind text, p_name text default null, p_company text default null,
  p_host text default null, p_document_type text default null, p_plate text default null, p_badge text default null,
  p_device_at timestamptz default null, p_sent_at timestamptz default null, p_server_offset_ms bigint default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts := private.own_book_place(p_assignment_id);
begin
  if p_id is null or p_kind is null then
    raise exception 'A visit has an id and a kind.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.visits (id, site_id, post_id, assignment_id, kind, name, company, host, document_type, plate,
    badge, in_at, in_device_at, in_by)
  values (p_id, shift.site_id, shift.post_id, p_assignment_id, p_kind, p_name, p_company, p_host, p_document_type,
    upper(p_plate), p_badge, coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now()),
    case when isfinite(p_device_at) then p_device_at end, auth.uid())
  on conflict (id) do nothing;
  if not exists (select from public.visits v where v.id = p_id and v.in_by = auth.uid()) then
    raise exception 'This id belongs to another visit.' using errcode = 'unique_violation';
  end if;
  return p_id;
end
$$;
grant execute on function public.sign_in_visitor to authenticated;

-- The first one counts: a second press, or a colleague's, changes nothing. @returns when they left
create function public.sign_out_visitor(
  p_visit_id uuid, p_assignment_id uuid default null, p_device_at timestamptz default null,
  p_sent_at timestamptz default null, p_server_offset_ms bigint default null
) returns timestamptz
language plpgsql security definer set search_path = '' as $$
declare
  visit public.visits;
begin
  select * into visit from public.visits v where v.id = p_visit_id for update;
  perform private.require_book_of(visit.site_id, p_assignment_id);
  if visit.out_at is null and visit.struck_at is null then
    update public.visits v set out_by = auth.uid(),
      out_at = greatest(v.in_at, coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now())),
      out_device_at = case when isfinite(p_device_at) then p_device_at end
    where v.id = p_visit_id returning * into visit;
  end if;
  return visit.out_at;
end
$$;
grant execute on function public.sign_out_visitor to authenticated;

create function public.sign_out_key(
  p_id uuid, p_assignment_id uuid, p_key_name text, p_taken_by text, p_due_at timestamptz default null,
  p_device_at timestamptz default null, p_sent_at timestamptz default null, p_server_offset_ms bigint default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts := private.own_book_place(p_assignment_id);
begin
  if p_id is null or p_due_at not between now() - interval '30 days' and now() + interval '1 year' then
    raise exception 'A key has an id, and is due within a year.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.key_movements (id, site_id, post_id, assignment_id, key_name, taken_by, due_at, out_at,
    out_device_at, out_by)
  values (p_id, shift.site_id, shift.post_id, p_assignment_id, p_key_name, p_taken_by, p_due_at,
    coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now()),
    case when isfinite(p_device_at) then p_device_at end, auth.uid())
  on conflict (id) do nothing;
  if not exists (select from public.key_movements k where k.id = p_id and k.out_by = auth.uid()) then
    raise exception 'This id belongs to another key.' using errcode = 'unique_violation';
  end if;
  return p_id;
end
$$;
grant execute on function public.sign_out_key to authenticated;

-- As sign_out_visitor. @returns when it came back
create function public.return_key(
  p_movement_id uuid, p_assignment_id uuid default null, p_device_at timestamptz default null,
  p_sent_at timestamptz default null, p_server_offset_ms bigint default null
) returns timestamptz
language plpgsql security definer set search_path = '' as $$
declare
  movement public.key_movements;
begin
  select * into movement from public.key_movements k where k.id = p_movement_id for update;
  perform private.require_book_of(movement.site_id, p_assignment_id);
  if movement.in_at is null and movement.struck_at is null then
    update public.key_movements k set in_by = auth.uid(),
      in_at = greatest(k.out_at, coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now())),
      in_device_at = case when isfinite(p_device_at) then p_device_at end
    where k.id = p_movement_id returning * into movement;
    perform private.end_key_notices(p_movement_id);
  end if;
  return movement.in_at;
end
$$;
grant execute on function public.return_key to authenticated;

-- A notice of overdue keys is done when none of them is out any more.
create function private.end_key_notices(p_movement_id uuid) returns void
language sql security definer set search_path = '' as $$
  update public.notices n set read_at = now()
  where n.read_at is null
    and n.id in (select unnest(t.notice_ids) from private.told_keys t where t.movement_id = p_movement_id)
    and not exists (
      select from private.told_keys t
      join public.key_movements k on k.id = t.movement_id and k.due_at = t.due_at
      where n.id = any (t.notice_ids) and k.in_at is null and k.struck_at is null
    );
$$;

-- Tells the guards on duty at the site and its supervisors of keys that are overdue, once, in one notice a site. What
-- a phone sent late gets two minutes, because the return may follow it. A job: it remembers in private.told_keys, so
-- a run after days without a server tells of what is still out, once. @returns how many keys
create function private.tell_of_overdue_keys() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  keys integer := 0;
  place record;
  sent uuid[];
begin
  for place in
    with told as (
      insert into private.told_keys (movement_id, due_at)
      select k.id, k.due_at from public.key_movements k
      where k.in_at is null and k.struck_at is null
        and k.due_at <= now() and k.received_at <= now() - interval '2 minutes'
        and not exists (select from private.told_keys t where t.movement_id = k.id and t.due_at = k.due_at)
      order by k.id
      on conflict do nothing returning movement_id, due_at
    )
    select t.id, t.name, array_agg(k.id) as movements, count(*) as overdue, min(k.key_name) as first_key,
      left(string_agg(format('%s, %s, due %s', k.key_name, k.taken_by, private.time_text(d.due_at, t.timezone)), e'\n'
        order by d.due_at, k.id), 2000) as body
    from told d
    join public.key_movements k on k.id = d.movement_id
    join public.sites t on t.id = k.site_id
    group by t.id order by t.id
  loop
    sent := array(
      select private.notify(w.user_id, 'key_overdue', case when place.overdue = 1
          then format('Key overdue at %s: %s', place.name, place.first_key)
          else format('%s keys overdue at %s', place.overdue, place.name) end,
        place.body, case when w.is_there then '/staff/book' else format('/admin/sites/%s/book', place.id) end,
        format('key_overdue:%s:%s:%s', place.id, pg_current_xact_id(), w.user_id))
      from (
        select p.user_id, bool_or(p.is_there) as is_there
        from (
          select g.user_id, true as is_there from private.on_duty_at(place.id) g (user_id)
          union all
          select d.user_id, false from private.deciders_of(place.id) d (user_id)
        ) p
        -- In order, so that two at once never deadlock.
        group by p.user_id order by p.user_id
      ) w
    );
    update private.told_keys t set notice_ids = array_remove(sent, null) where t.movement_id = any (place.movements)
      and exists (select from public.key_movements k where k.id = t.movement_id and k.due_at = t.due_at);
    keys := keys + place.overdue;
  end loop;
  return keys;
end
$$;

-- Strikes a line through; it stays readable. By its author or the office. Safe to repeat: the first reason stays.
-- @param p_source entry, visit or key
create function public.strike_line(p_source text, p_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  reason text := nullif(btrim(p_reason), '');
  place record;
begin
  perform private.require_member();
  if p_source is null or p_source not in ('entry', 'visit', 'key') or reason is null or char_length(reason) > 300 then
    raise exception 'Write why the line is struck through, in up to 300 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
  select l.site_id, l.author into place
  from (
    select e.site_id, e.user_id as author from public.post_entries e where p_source = 'entry' and e.id = p_id
    union all
    select v.site_id, v.in_by from public.visits v where p_source = 'visit' and v.id = p_id
    union all
    select k.site_id, k.out_by from public.key_movements k where p_source = 'key' and k.id = p_id
  ) l;
  if not found or not (coalesce(place.author = auth.uid(), false) or private.may_plan(place.site_id)) then
    raise exception 'This line is not yours to strike through.' using errcode = 'PT404';
  end if;
  case p_source
    when 'entry' then
      update public.post_entries e set struck_at = now(), struck_by = auth.uid(), strike_reason = reason
      where e.id = p_id and e.struck_at is null;
    when 'visit' then
      update public.visits v set struck_at = now(), struck_by = auth.uid(), strike_reason = reason
      where v.id = p_id and v.struck_at is null;
    else
      update public.key_movements k set struck_at = now(), struck_by = auth.uid(), strike_reason = reason
      where k.id = p_id and k.struck_at is null;
      perform private.end_key_notices(p_id);
  end case;
end
$$;
grant execute on function public.strike_line to authenticated;

-- All lines of a site's book, the one place that merges them: entries, visitors, keys, handovers, and what is recorded
-- elsewhere: clock-ins and clock-outs, patrols and reports of incidents.
create function private.book_lines(p_site uuid, p_begins timestamptz, p_ends timestamptz)
returns table (
  source text, id uuid, kind text, step text, at timestamptz, post_id uuid, author_id uuid, words text,
  struck_at timestamptz, struck_by uuid, strike_reason text
)
language sql stable security definer set search_path = '' as $$
  select 'entry', e.id, e.kind, null, e.written_at, e.post_id, e.user_id, e.text, e.struck_at, e.struck_by,
    e.strike_reason
  from public.post_entries e where e.site_id = p_site and e.written_at >= p_begins and e.written_at < p_ends
  union all
  select 'visit', v.id, case v.kind when 'person' then 'visitor' else 'vehicle' end, s.step, s.at, v.post_id, s.author,
    concat_ws(', ', case v.kind when 'vehicle' then v.plate end, v.name, v.company,
      case v.kind when 'person' then v.plate end, 'to see ' || v.host, 'badge ' || v.badge),
    v.struck_at, v.struck_by, v.strike_reason
  from public.visits v
  cross join lateral (values ('in', v.in_at, v.in_by), ('out', v.out_at, v.out_by)) s (step, at, author)
  where v.site_id = p_site and s.at >= p_begins and s.at < p_ends
    and (v.in_at >= p_begins and v.in_at < p_ends or v.out_at >= p_begins and v.out_at < p_ends)
  union all
  select 'key', k.id, 'key', s.step, s.at, k.post_id, s.author,
    concat_ws(', ', k.key_name, case s.step when 'out' then 'to ' else 'from ' end || k.taken_by), k.struck_at,
    k.struck_by, k.strike_reason
  from public.key_movements k
  cross join lateral (values ('out', k.out_at, k.out_by), ('in', k.in_at, k.in_by)) s (step, at, author)
  where k.site_id = p_site and s.at >= p_begins and s.at < p_ends
    and (k.out_at >= p_begins and k.out_at < p_ends or k.in_at >= p_begins and k.in_at < p_ends)
  union all
  select 'note', n.id, 'handover', null, n.written_at, n.post_id, n.user_id, n.note, null, null, null
  from public.handover_notes n where n.site_id = p_site and n.written_at >= p_begins and n.written_at < p_ends
  union all
  select 'handover', h.id, 'handover', h.side, h.taken_at, h.post_id, h.user_id,
    coalesce(nullif(concat_ws('. ', 'Missing: ' || h.missing, 'Damaged: ' || h.damaged), ''), 'Equipment complete'),
    null, null, null
  from public.handovers h where h.site_id = p_site and h.taken_at >= p_begins and h.taken_at < p_ends
  union all
  -- Who clocked in before midnight may clock out in this time. No record is open for a week.
  select 'attendance', t.id, 'duty', s.step, s.at, h.post_id, t.user_id, null, null, null, null
  from public.attendance t
  join public.assignments a on a.id = t.assignment_id
  join public.shifts h on h.id = a.shift_id
  cross join lateral (values ('in', t.clock_in_at), ('out', t.clock_out_at)) s (step, at)
  where t.site_id = p_site and t.clock_in_at >= p_begins - interval '7 days' and t.clock_in_at < p_ends
    and s.at >= p_begins and s.at < p_ends
  union all
  -- A round is one line, at its first scan. It is open for at most four hours before and after its time.
  select 'round', (array_agg(c.id order by c.scanned_at, c.id))[1], 'patrol', null, min(c.scanned_at), r.post_id,
    (array_agg(c.user_id order by c.scanned_at, c.id))[1],
    format('%s, %s of %s checkpoints', r.name,
      count(distinct c.checkpoint_id) filter (where c.checkpoint_id = any (r.checkpoints)), cardinality(r.checkpoints)),
    null, null, null
  from public.checkpoint_scans c
  join public.tours r on r.id = c.tour_id
  where c.site_id = p_site and c.scanned_at >= p_begins - interval '8 hours'
    and c.scanned_at < p_ends + interval '8 hours'
  group by r.id, c.tour_at having min(c.scanned_at) >= p_begins and min(c.scanned_at) < p_ends
  union all
  select 'scan', c.id, 'patrol', null, c.scanned_at, null, c.user_id,
    coalesce('Checkpoint ' || p.name, 'Unknown code'), null, null, null
  from public.checkpoint_scans c
  left join public.checkpoints p on p.id = c.checkpoint_id
  where c.site_id = p_site and c.tour_id is null and c.scanned_at >= p_begins and c.scanned_at < p_ends
  union all
  select 'incident', i.id, 'incident', null, w.at, null, i.raised_by_user_id, i.title, null, null, null
  from public.incidents i
  cross join lateral (values (coalesce(i.happened_at, i.written_at, i.created_at))) w (at)
  where i.site_id = p_site and w.at >= p_begins and w.at < p_ends;
$$;

-- The book of a site from the first to the last day, in the site's zone, the newest first, 200 lines a page.
-- @param p_kinds null: all @returns with each line how many there are
create function public.book_of_site(
  p_site_id uuid, p_from date, p_to date, p_search text default null, p_kinds text[] default null,
  p_page integer default 1
)
returns table (
  source text, id uuid, kind text, step text, at timestamptz, post_name text, author text, words text,
  struck_at timestamptz, struck_by text, strike_reason text, total bigint
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  patterns constant text[] := private.search_patterns(coalesce(p_search, ''));
  zone text;
begin
  perform private.require_member();
  if p_from is null or p_to is null or p_from not between '2000-01-01' and '2199-12-31' or p_to - p_from not between 0
    and 92 or p_page is null or p_page not between 1 and 1000 or cardinality(p_kinds) > 20
  then
    raise exception 'A book is read by up to 93 days, and page by page.' using errcode = 'invalid_parameter_value';
  end if;
  select t.timezone into zone from public.sites t where t.id = p_site_id;
  if not found or not private.may_plan(p_site_id) and not p_site_id = any (private.duty_sites()) then
    raise exception 'There is no such book, or you may not read it.' using errcode = 'insufficient_privilege';
  end if;
  return query
    select l.source, l.id, l.kind, l.step, l.at, p.name, n.author, l.words, l.struck_at,
      case when l.struck_by is not null then private.name_of_person(l.struck_by) end, l.strike_reason,
      count(*) over ()
    from private.book_lines(p_site_id, p_from::timestamp at time zone zone, (p_to + 1)::timestamp at time zone zone) l
    left join public.posts p on p.id = l.post_id
    cross join lateral (
      values (case when l.author_id is not null then private.name_of_person(l.author_id) end)
    ) n (author)
    where (p_kinds is null or l.kind = any (p_kinds))
      and private.folded(concat_ws(' ', l.words, n.author, l.strike_reason)) like all (patterns)
    order by l.at desc, l.source, l.id, l.step limit 200 offset (p_page - 1) * 200;
end
$$;
comment on function public.book_of_site is 'Nullable: step, post_name, author, words, struck_at, struck_by, '
  'strike_reason';
grant execute on function public.book_of_site to authenticated;

-- The book for the phone of a guard on duty: the lines of the last day, who is inside, keys that are out, and who came
-- lately, for suggestions. Definer: a colleague's clock events and patrols are part of the page.
create function public.my_book()
returns table (
  assignment_id uuid, site_id uuid, site_name text, timezone text, lines jsonb, inside jsonb, keys jsonb, known jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  return query
    select a.id, t.id, t.name, t.timezone, (
        select coalesce(jsonb_agg(jsonb_build_object('source', l.source, 'id', l.id, 'kind', l.kind, 'step', l.step,
          'at', l.at, 'words', l.words, 'author', private.name_of_person(l.author_id), 'is_own',
          coalesce(l.author_id = auth.uid(), false), 'strike_reason', l.strike_reason)
          order by l.at desc, l.source, l.id, l.step), '[]')
        from (
          select b.* from private.book_lines(t.id, now() - interval '24 hours', now() + interval '1 minute') b
          order by b.at desc, b.source, b.id, b.step limit 100
        ) l
      ), (
        select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'kind', v.kind, 'name', v.name, 'company', v.company,
          'host', v.host, 'plate', v.plate, 'badge', v.badge, 'in_at', v.in_at) order by v.in_at desc, v.id), '[]')
        from (
          select * from public.visits i where i.site_id = t.id and i.out_at is null and i.struck_at is null
          order by i.in_at desc limit 500
        ) v
      ), (
        select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'key_name', k.key_name, 'taken_by', k.taken_by,
          'due_at', k.due_at, 'out_at', k.out_at) order by k.out_at desc, k.id), '[]')
        from (
          select * from public.key_movements o where o.site_id = t.id and o.in_at is null and o.struck_at is null
          order by o.out_at desc limit 200
        ) k
      ), (
        select coalesce(jsonb_agg(jsonb_build_object('kind', w.kind, 'name', w.name, 'company', w.company, 'host',
          w.host, 'document_type', w.document_type, 'plate', w.plate) order by w.in_at desc), '[]')
        from (
          select distinct on (lower(f.name), f.plate, f.kind) f.* from (
            select * from public.visits r where r.site_id = t.id and r.struck_at is null
              and r.in_at > now() - interval '30 days'
            order by r.in_at desc limit 1000
          ) f order by lower(f.name), f.plate, f.kind, f.in_at desc limit 200
        ) w
      )
    from public.assignments a
    join public.sites t on t.id = a.site_id
    where a.user_id = auth.uid() and a.attendance_state = 'in' and upper(a.period) > now() - interval '12 hours'
    order by a.starts_at desc limit 1;
end
$$;
grant execute on function public.my_book to authenticated;
