-- Guards ask for shifts: bids for open ones, and swaps with a colleague. A third kind, `offer`, is a planner's question
-- to one guard; the first to say yes gets the seat.
--
-- bid: open → approved or declined. swap: asked (the colleague) → open (a planner) → approved or declined.
-- offer: asked → approved or declined by the guard. All: withdrawn by who asked, lapsed when the seat is gone.
create table public.offers (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('bid', 'swap', 'offer')),
  -- The shift to take; of a swap, the one that is given away.
  shift_id uuid not null references public.shifts (id) on delete cascade,
  -- Who bids, gives away, or is offered the shift.
  user_id uuid not null references public.profiles (id) on delete cascade,
  assignment_id uuid references public.assignments (id) on delete cascade,
  partner_id uuid references public.profiles (id) on delete cascade,
  -- What the partner gives in return; null if nothing.
  partner_assignment_id uuid references public.assignments (id) on delete cascade,
  status text not null check (status in ('asked', 'open', 'approved', 'declined', 'withdrawn', 'lapsed')),
  note text check (char_length(note) <= 500),
  decision_note text check (char_length(decision_note) <= 500),
  site_id uuid not null references public.sites (id),
  -- Null if the rules approved it.
  decided_by uuid references public.profiles (id) on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint offers_swap_has_partner check (
    (kind = 'swap') = (partner_id is not null) and (kind = 'swap') = (assignment_id is not null)
    and (partner_assignment_id is null or kind = 'swap') and partner_id is distinct from user_id
  )
);
comment on column public.offers.site_id is 'Derived: the site of the shift, so that policies need no join';
create index offers_shift_id_idx on public.offers (shift_id);
create index offers_user_id_idx on public.offers (user_id, created_at desc);
create index offers_partner_id_idx on public.offers (partner_id, created_at desc) where partner_id is not null;
create index offers_assignment_id_idx on public.offers (assignment_id) where assignment_id is not null;
create index offers_partner_assignment_id_idx on public.offers (partner_assignment_id)
  where partner_assignment_id is not null;
create index offers_site_id_idx on public.offers (site_id);
create index offers_decided_by_idx on public.offers (decided_by) where decided_by is not null;
create index offers_open_idx on public.offers (created_at) where status = 'open';
create unique index offers_one_bid_idx on public.offers (shift_id, user_id) where kind = 'bid' and status = 'open';
create unique index offers_one_swap_idx on public.offers (assignment_id)
  where kind = 'swap' and status in ('asked', 'open');

select private.tidy_texts_of('public.offers', 'note', 'decision_note');
create trigger d_touch before update on public.offers
  for each row execute function private.touch();
select private.keep_history_of('public.offers');

alter table public.offers enable row level security;
revoke all on public.offers from anon, authenticated;
-- Written by the functions below alone.
grant select on public.offers to authenticated;
create policy "Planners read every offer" on public.offers
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read offers at their own sites" on public.offers
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read the offers that they made or answer" on public.offers
  for select to authenticated
  using ((user_id = (select auth.uid()) or partner_id = (select auth.uid())) and (select private.is_member()));

alter publication supabase_realtime add table public.offers;
alter table public.offers replica identity full;

create function private.move_offers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.offers o set site_id = new.site_id where o.shift_id = new.id;
  return null;
end
$$;
create trigger offers_follow after update on public.shifts
  for each row when (old.site_id <> new.site_id) execute function private.move_offers();

-- Seats without a guard, as published and as drafted.
create function private.free_seats(p_shift public.shifts) returns integer
language sql stable security definer set search_path = '' as $$
  select p_shift.required_headcount
    - (select count(*) from public.assignments a where a.shift_id = p_shift.id and a.counts_as_staffed)::integer
    - (select count(*) from public.roster_changes c where c.shift_id = p_shift.id and c.change = 'assign')::integer;
$$;

-- Whether guards may ask for the shift: in the next 14 days, and not one of a week that is still being planned.
create function private.is_offered(p_shift public.shifts) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(p_shift.start_time > now() and p_shift.start_time < now() + interval '14 days', false) and (
    coalesce(p_shift.is_manual, false) or exists (
      select from public.roster_periods r cross join private.settings s
      where r.state = 'published'
        and r.starts_on = date_trunc('week', p_shift.start_time at time zone s.time_zone)::date
    )
  );
$$;

-- What keeps this person from the shift, as one sentence; null if nothing does. Duties that the person gives away in
-- return don't count.
create function private.obstacle_to_shift(p_person uuid, p_shift public.shifts, p_without uuid[] default '{}')
returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  around tstzrange := tstzrange(p_shift.start_time - interval '15 days', p_shift.end_time + interval '15 days');
  duties tstzrange[];
  found_message text;
begin
  if p_shift.start_time <= now() then
    return 'The shift has already started';
  end if;
  if not exists (select from public.user_roles r where r.user_id = p_person and r.role = 'guard') then
    return 'Only guards take shifts';
  end if;
  if private.is_on_leave(p_person, tstzrange(p_shift.start_time, p_shift.end_time)) then
    return 'On approved leave';
  end if;
  select e.message into found_message from private.eligibility_problems(p_person, p_shift) e limit 1;
  if found then
    return found_message;
  end if;
  duties := array(
    select a.period from public.assignments a
    where a.user_id = p_person and a.status <> 'cancelled' and a.period && around and a.id <> all (p_without)
    union
    select c.period from public.roster_changes c
    where c.user_id = p_person and c.change = 'assign' and c.period && around
  );
  select d.message into found_message
  from private.duty_problems(p_person, p_shift.start_time, p_shift.end_time, duties,
    (select s.time_zone from private.settings s)) d
  limit 1;
  return found_message;
end
$$;

-- Locks shifts, then people, each in order of id: the order in which assignments are written.
create function private.lock_shifts_and_people(p_shifts uuid[], p_people uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
begin
  perform from public.shifts s where s.id = any (p_shifts) order by s.id for no key update;
  for person in select distinct p.id from unnest(p_people) p (id) where p.id is not null order by 1 loop
    perform pg_advisory_xact_lock(hashtextextended(person::text, 0));
  end loop;
end
$$;

-- Ends the open requests about a shift whose last seat is given, or about an assignment that is cancelled.
create function private.lapse_offers(p_shift uuid, p_assignment uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  gone public.offers;
begin
  for gone in
    update public.offers o set status = 'lapsed', decided_at = now()
    where o.status in ('asked', 'open') and (
      o.kind <> 'swap' and o.shift_id = p_shift
      or p_assignment in (o.assignment_id, o.partner_assignment_id)
    )
    returning o.*
  loop
    perform private.notify(gone.user_id, 'offer_lapsed',
      case gone.kind when 'swap' then 'Your swap is off' else 'The shift has been taken' end,
      private.shift_text(gone.shift_id), '/staff/open-shifts', 'lapsed:' || gone.id);
  end loop;
end
$$;

create function private.lapse_offers_of_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lapse_offers(null, new.id);
  return null;
end
$$;
create trigger offers_lapse after update on public.assignments
  for each row when (new.status = 'cancelled' and old.status <> 'cancelled')
  execute function private.lapse_offers_of_assignment();

-- Gives the seat, or exchanges two, under the locks of lock_shifts_and_people. The rules are checked again.
create function private.carry_out_offer(p_offer public.offers, p_by uuid, p_note text) returns public.offers
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts;
  return_shift public.shifts;
  given public.assignments;
  returned public.assignments;
  obstacle text;
  done public.offers;
begin
  select * into shift from public.shifts s where s.id = p_offer.shift_id;
  if p_offer.kind = 'swap' then
    select * into given from public.assignments a where a.id = p_offer.assignment_id;
    select * into returned from public.assignments a where a.id = p_offer.partner_assignment_id;
    if given.id is null or given.user_id <> p_offer.user_id or given.status not in ('assigned', 'confirmed')
      or given.attendance_state <> 'none'
      or p_offer.partner_assignment_id is not null and (
        returned.id is null or returned.user_id <> p_offer.partner_id
        or returned.status not in ('assigned', 'confirmed') or returned.attendance_state <> 'none'
      )
    then
      raise exception 'The shifts of this swap have changed.' using errcode = 'PT409';
    end if;
    select * into return_shift from public.shifts s where s.id = returned.shift_id;
    obstacle := private.obstacle_to_shift(p_offer.partner_id, shift, array_remove(array[returned.id], null));
    if obstacle is not null then
      raise exception '% can''t take this shift: %', private.name_of_person(p_offer.partner_id), obstacle
        using errcode = 'PT409';
    end if;
    if returned.id is not null then
      obstacle := private.obstacle_to_shift(p_offer.user_id, return_shift, array[given.id]);
      if obstacle is not null then
        raise exception '% can''t take the shift in return: %', private.name_of_person(p_offer.user_id), obstacle
          using errcode = 'PT409';
      end if;
    end if;
    -- First, so that cancelling the assignments ends only other requests about them.
    update public.offers o set status = 'approved' where o.id = p_offer.id;
    update public.assignments a set status = 'cancelled' where a.id in (given.id, returned.id);
    insert into public.assignments (shift_id, user_id, status, role_at_shift, confirmed_at)
    select taken.shift_id, taken.user_id, 'confirmed', taken.role_at_shift, now()
    from (values
      (given.shift_id, p_offer.partner_id, given.role_at_shift),
      (returned.shift_id, p_offer.user_id, returned.role_at_shift)
    ) taken (shift_id, user_id, role_at_shift)
    where taken.shift_id is not null
    order by taken.user_id;
  else
    if private.free_seats(shift) < 1 then
      raise exception 'Every post of this shift has been given.' using errcode = 'PT409';
    end if;
    obstacle := private.obstacle_to_shift(p_offer.user_id, shift);
    if obstacle is not null then
      raise exception '% can''t take this shift: %', private.name_of_person(p_offer.user_id), obstacle
        using errcode = 'PT409';
    end if;
    insert into public.assignments (shift_id, user_id, status, confirmed_at)
    values (shift.id, p_offer.user_id, 'confirmed', now());
  end if;

  update public.offers o set status = 'approved', decided_by = p_by, decided_at = now(), decision_note = p_note
  where o.id = p_offer.id returning * into done;
  if p_offer.kind <> 'swap' and private.free_seats(shift) < 1 then
    perform private.lapse_offers(shift.id, null);
  end if;
  perform private.notify(told.user_id, 'offer_approved', told.title, told.body, '/staff/shifts',
    'approved:' || p_offer.id || ':' || told.user_id)
  from (
    select p_offer.user_id,
      case p_offer.kind when 'swap' then 'Your swap is approved' else 'The shift is yours' end,
      concat_ws('. ', private.shift_text(shift.id), p_note)
    union all
    select p_offer.partner_id, 'A swap with you is approved', concat_ws('. ', private.shift_text(shift.id), p_note)
    where p_offer.kind = 'swap'
  ) told (user_id, title, body)
  where told.user_id <> coalesce(auth.uid(), '00000000-0000-0000-0000-000000000000');
  return done;
end
$$;

revoke all on all functions in schema private from public;
