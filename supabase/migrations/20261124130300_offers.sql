-- Guards ask for shifts: bids for open ones, and swaps with a colleague. A third kind, `offer`, is a planner's question
-- to one guard; whoever says yes first gets the seat.
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

-- Shifts with free seats in the next 14 days that the caller may lawfully take, the nearest site first.
-- Definer, because guards read only shifts of their own.
create function public.open_shifts() returns table (
  shift_id uuid,
  site_name text,
  client_name text,
  address text,
  timezone text,
  post_name text,
  start_time timestamptz,
  end_time timestamptz,
  seats integer,
  distance_km numeric,
  bid_id uuid
)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  home text;
  zone text := (select s.time_zone from private.settings s);
  published date[] := array(select r.starts_on from public.roster_periods r where r.state = 'published');
begin
  perform private.require_member();
  if not exists (select from public.user_roles r where r.user_id = me and r.role = 'guard') then
    return;
  end if;
  select p.home_position into home from public.profiles p where p.id = me;
  return query
  with open as materialized (
    select s, private.free_seats(s) as seats
    from public.shifts s
    where s.start_time > now() and s.start_time < now() + interval '14 days'
      -- As is_offered, which would read the weeks for each shift.
      and (s.is_manual or date_trunc('week', s.start_time at time zone zone)::date = any (published))
      and s.required_headcount > (
        select count(*) from public.assignments a where a.shift_id = s.id and a.counts_as_staffed
      )
      and not exists (
        select from public.assignments a
        where a.user_id = me and a.status <> 'cancelled' and a.period && tstzrange(s.start_time, s.end_time)
      )
  ),
  near as (
    select o.s, o.seats, t.name, t.client_name, t.address, t.timezone, (o.s).start_time as starts,
      round(private.distance_m(home, t.latitude, t.longitude) / 1000.0, 1) as km
    from open o join public.sites t on t.id = (o.s).site_id
    where o.seats > 0
    order by km nulls last, starts
    limit 200
  )
  select (n.s).id, n.name, n.client_name, n.address, n.timezone,
    (select p.name from public.posts p where p.id = (n.s).post_id),
    (n.s).start_time, (n.s).end_time, n.seats, n.km,
    (select b.id from public.offers b
      where b.shift_id = (n.s).id and b.user_id = me and b.kind = 'bid' and b.status = 'open')
  from near n
  where private.obstacle_to_shift(me, n.s) is null
  order by n.km nulls last, n.starts, (n.s).id
  limit 60;
end
$$;
comment on function public.open_shifts is 'Nullable: post_name, distance_km, bid_id';

-- Asks for a seat on an open shift. Repeating it returns the same bid.
create function public.bid_for_shift(p_shift_id uuid, p_note text default null) returns public.offers
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  shift public.shifts;
  bid public.offers;
  obstacle text;
begin
  perform private.require_member();
  perform private.lock_shifts_and_people(array[p_shift_id], array[me]);
  select * into bid from public.offers o
  where o.shift_id = p_shift_id and o.user_id = me and o.kind = 'bid' and o.status = 'open';
  if found then
    return bid;
  end if;
  select * into shift from public.shifts s where s.id = p_shift_id;
  if not found or not private.is_offered(shift) then
    raise exception 'This shift is no longer open.' using errcode = 'PT404';
  end if;
  if private.free_seats(shift) < 1 then
    raise exception 'Every post of this shift has been given.' using errcode = 'PT409';
  end if;
  obstacle := private.obstacle_to_shift(me, shift);
  if obstacle is not null then
    raise exception 'You can''t take this shift: %', obstacle using errcode = 'PT409';
  end if;
  insert into public.offers (kind, shift_id, user_id, status, note, site_id)
  values ('bid', shift.id, me, 'open', left(nullif(btrim(p_note), ''), 500), shift.site_id)
  returning * into bid;
  if coalesce((private.rules_on((shift.start_time at time zone (select s.time_zone from private.settings s))::date)).bids_approve_themselves, false) then
    return private.carry_out_offer(bid, null, null);
  end if;
  perform private.notify_planners(shift.site_id, 'bid',
    format('%s asks for an open shift', private.name_of_person(me)), private.shift_text(shift.id),
    '/admin/shifts?requests=open', 'bid:' || bid.id);
  return bid;
end
$$;

-- Takes back an own bid or swap that nobody has decided.
create function public.withdraw_offer(p_offer_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  update public.offers o set status = 'withdrawn', decided_at = now()
  where o.id = p_offer_id and o.user_id = auth.uid() and o.kind <> 'offer' and o.status in ('asked', 'open');
  if not found then
    raise exception 'This request has already been decided.' using errcode = 'PT409';
  end if;
end
$$;

-- Colleagues who know the site of an own shift and may lawfully take it, by name only, with the shifts at that site
-- that they could give in return.
create function public.swap_choices(p_assignment_id uuid) returns table (
  user_id uuid, full_name text, may_take boolean, returns jsonb
)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  mine public.assignments;
  shift public.shifts;
begin
  perform private.require_member();
  select * into mine from public.assignments a
  where a.id = p_assignment_id and a.user_id = me and a.status in ('assigned', 'confirmed') and a.starts_at > now();
  if not found then
    raise exception 'This shift is no longer yours.' using errcode = 'PT404';
  end if;
  select * into shift from public.shifts s where s.id = mine.shift_id;
  return query
  select p.id, private.name_of_person(p.id), c.may_take, c.returns
  from (
    select distinct a.user_id as id from public.assignments a
    where a.site_id = mine.site_id and a.user_id <> me and a.status <> 'cancelled'
      and a.starts_at > now() - interval '12 weeks'
      and not exists (
        select from public.assignments o where o.shift_id = shift.id and o.user_id = a.user_id and o.status <> 'cancelled'
      )
    limit 60
  ) colleague
  join public.profiles p on p.id = colleague.id
  cross join lateral (
    select private.obstacle_to_shift(p.id, shift) is null as may_take, (
      select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'start_time', r.start_time, 'end_time', r.end_time)
        order by r.start_time), '[]')
      from (
        select a.id, s.start_time, s.end_time
        from public.assignments a join public.shifts s on s.id = a.shift_id
        where a.user_id = p.id and a.site_id = mine.site_id and a.status in ('assigned', 'confirmed')
          and a.starts_at > now() and a.starts_at < now() + interval '14 days' and a.shift_id <> shift.id
        order by a.starts_at limit 10
      ) r
    ) as returns
  ) c
  where c.may_take or c.returns <> '[]'
  order by 2;
end
$$;

-- Asks a colleague to take an own shift, for one of theirs or for nothing. The colleague answers, then a planner.
create function public.propose_swap(
  p_assignment_id uuid, p_partner_id uuid, p_partner_assignment_id uuid default null, p_note text default null
) returns public.offers
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  mine public.assignments;
  theirs public.assignments;
  shift public.shifts;
  return_shift public.shifts;
  swap public.offers;
  obstacle text;
begin
  perform private.require_member();
  select * into mine from public.assignments a where a.id = p_assignment_id and a.user_id = me;
  select * into theirs from public.assignments a where a.id = p_partner_assignment_id and a.user_id = p_partner_id;
  perform private.lock_shifts_and_people(array[mine.shift_id, theirs.shift_id], array[me, p_partner_id]);
  select * into mine from public.assignments a
  where a.id = p_assignment_id and a.user_id = me and a.status in ('assigned', 'confirmed')
    and a.attendance_state = 'none' and a.starts_at > now();
  if not found then
    raise exception 'This shift is no longer yours.' using errcode = 'PT404';
  end if;
  if p_partner_id is null or p_partner_id = me then
    raise exception 'Choose a colleague.' using errcode = 'invalid_parameter_value';
  end if;
  if exists (
    select from public.offers o where o.assignment_id = mine.id and o.kind = 'swap' and o.status in ('asked', 'open')
  ) then
    raise exception 'You have already offered this shift to a colleague.' using errcode = 'PT409';
  end if;
  select * into shift from public.shifts s where s.id = mine.shift_id;
  if p_partner_assignment_id is not null then
    select * into theirs from public.assignments a
    where a.id = p_partner_assignment_id and a.user_id = p_partner_id and a.site_id = mine.site_id
      and a.status in ('assigned', 'confirmed') and a.attendance_state = 'none' and a.starts_at > now();
    if not found then
      raise exception 'The shift in return is no longer theirs.' using errcode = 'PT404';
    end if;
    select * into return_shift from public.shifts s where s.id = theirs.shift_id;
    obstacle := private.obstacle_to_shift(me, return_shift, array[mine.id]);
    if obstacle is not null then
      raise exception 'You can''t take the shift in return: %', obstacle using errcode = 'PT409';
    end if;
  end if;
  -- Without the reason, which may be private: leave, a ban.
  if private.obstacle_to_shift(p_partner_id, shift, array_remove(array[theirs.id], null)) is not null then
    raise exception '% can''t take this shift.', private.name_of_person(p_partner_id) using errcode = 'PT409';
  end if;
  insert into public.offers (kind, shift_id, user_id, assignment_id, partner_id, partner_assignment_id, status, note, site_id)
  values ('swap', shift.id, me, mine.id, p_partner_id, theirs.id, 'asked', left(nullif(btrim(p_note), ''), 500),
    shift.site_id)
  returning * into swap;
  perform private.notify(p_partner_id, 'swap_asked', format('%s asks you to swap', private.name_of_person(me)),
    concat_ws('. ', private.shift_text(shift.id), swap.note), '/staff/open-shifts', 'swap:' || swap.id);
  return swap;
end
$$;

-- The colleague accepts or declines a swap.
create function public.answer_swap(p_offer_id uuid, p_accept boolean) returns public.offers
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  swap public.offers;
  shift public.shifts;
  obstacle text;
begin
  perform private.require_member();
  if p_accept is null then
    raise exception 'Accept or decline.' using errcode = 'invalid_parameter_value';
  end if;
  select * into swap from public.offers o where o.id = p_offer_id and o.partner_id = me;
  perform private.lock_shifts_and_people(
    array[swap.shift_id, (select a.shift_id from public.assignments a where a.id = swap.partner_assignment_id)],
    array[swap.user_id, me]);
  select * into swap from public.offers o where o.id = p_offer_id and o.partner_id = me and o.status = 'asked' for update;
  if not found then
    raise exception 'This request is no longer open.' using errcode = 'PT409';
  end if;
  if not p_accept then
    update public.offers o set status = 'declined', decided_by = me, decided_at = now() where o.id = swap.id
    returning * into swap;
    perform private.notify(swap.user_id, 'swap_declined', format('%s declined your swap', private.name_of_person(me)),
      private.shift_text(swap.shift_id), '/staff/open-shifts', 'swap-answer:' || swap.id);
    return swap;
  end if;
  select * into shift from public.shifts s where s.id = swap.shift_id;
  obstacle := private.obstacle_to_shift(me, shift, array_remove(array[swap.partner_assignment_id], null));
  if obstacle is not null then
    raise exception 'You can''t take this shift: %', obstacle using errcode = 'PT409';
  end if;
  update public.offers o set status = 'open' where o.id = swap.id returning * into swap;
  if coalesce((private.rules_on((shift.start_time at time zone (select s.time_zone from private.settings s))::date)).swaps_approve_themselves, false) then
    return private.carry_out_offer(swap, null, null);
  end if;
  perform private.notify(swap.user_id, 'swap_accepted', format('%s accepted your swap', private.name_of_person(me)),
    private.shift_text(swap.shift_id) || '. Your supervisor decides next.', '/staff/open-shifts', 'swap-answer:' || swap.id);
  perform private.notify_planners(swap.site_id, 'swap',
    format('%s and %s ask to swap', private.name_of_person(swap.user_id), private.name_of_person(me)),
    private.shift_text(swap.shift_id), '/admin/shifts?requests=open', 'swap-decision:' || swap.id);
  return swap;
end
$$;

-- Approves or declines requests of guards, all or none; the rules are checked again under the locks of the shifts and
-- the guards, so that a seat is given once.
create function public.decide_offers(p_offer_ids uuid[], p_approve boolean, p_note text default null)
returns setof public.offers
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  one public.offers;
  decided public.offers[] := '{}';
  refused jsonb[] := '{}';
  note text := left(nullif(btrim(p_note), ''), 500);
  reason text;
begin
  perform private.require_member();
  perform private.require_many(p_offer_ids);
  if p_approve is null then
    raise exception 'Approve or decline.' using errcode = 'invalid_parameter_value';
  end if;
  perform private.lock_shifts_and_people(
    array(
      select o.shift_id from public.offers o where o.id = any (p_offer_ids)
      union
      select a.shift_id from public.offers o join public.assignments a on a.id = o.partner_assignment_id
      where o.id = any (p_offer_ids)
    ),
    array(
      select o.user_id from public.offers o where o.id = any (p_offer_ids)
      union
      select o.partner_id from public.offers o where o.id = any (p_offer_ids)
    ));
  for one in
    select o.* from public.offers o where o.id = any (p_offer_ids) order by o.created_at, o.id for update
  loop
    begin
      -- Also for requests that the caller may not see.
      if not private.may_plan(one.site_id) then
        raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
      end if;
      if me in (one.user_id, one.partner_id) then
        raise exception 'Somebody else decides about your own request.' using errcode = 'insufficient_privilege';
      end if;
      if one.status <> 'open' then
        raise exception 'It has already been decided.' using errcode = 'PT409';
      end if;
      if p_approve then
        decided := decided || private.carry_out_offer(one, me, note);
      else
        update public.offers o set status = 'declined', decided_by = me, decided_at = now(), decision_note = note
        where o.id = one.id returning * into one;
        decided := decided || one;
        perform private.notify(told, 'offer_declined',
          case one.kind when 'swap' then 'Your swap was declined' else 'You did not get the shift' end,
          concat_ws('. ', private.shift_text(one.shift_id), note), '/staff/open-shifts', 'declined:' || one.id || ':' || told)
        from unnest(array_remove(array[one.user_id, one.partner_id], null)) told;
      end if;
    exception
      when insufficient_privilege or exclusion_violation or check_violation or sqlstate 'PT409' then
        get stacked diagnostics reason = message_text;
        refused := refused || jsonb_build_object(
          'id', one.id, 'name', private.name_of_person(one.user_id), 'reason', reason);
    end;
  end loop;
  if cardinality(decided) + cardinality(refused) = 0 then
    raise exception 'This request no longer exists.' using errcode = 'PT404';
  end if;
  perform private.refuse_many(refused, cardinality(p_offer_ids), case when p_approve then 'approved' else 'declined' end);
  return query select * from unnest(decided);
end
$$;

-- One request, as decide_offers.
create function public.decide_offer(p_offer_id uuid, p_approve boolean, p_note text default null)
returns public.offers
language sql set search_path = '' as $$
  select * from public.decide_offers(array[p_offer_id], p_approve, p_note);
$$;

-- The requests that wait for a decision of the caller, soonest shift first, with what speaks against each.
create function public.offers_to_decide() returns table (
  id uuid, kind text, user_id uuid, full_name text, partner_id uuid, partner_name text,
  site_name text, timezone text, shift_id uuid, start_time timestamptz, end_time timestamptz,
  return_start timestamptz, return_end timestamptz, seats integer, note text, obstacle text, created_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare
  everywhere boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
  own_sites uuid[] := private.supervised_sites();
begin
  return query
  select o.id, o.kind, o.user_id, private.name_of_person(o.user_id), o.partner_id, private.name_of_person(o.partner_id),
    t.name, t.timezone, s.id, s.start_time, s.end_time, r.start_time, r.end_time,
    private.free_seats(s), o.note,
    case o.kind
      when 'swap' then coalesce(
        private.obstacle_to_shift(o.partner_id, s, array_remove(array[o.partner_assignment_id], null)),
        case when r.id is not null then private.obstacle_to_shift(o.user_id, r, array[o.assignment_id]) end)
      else coalesce(
        case when private.free_seats(s) < 1 then 'Every post of this shift has been given.' end,
        private.obstacle_to_shift(o.user_id, s))
    end,
    o.created_at
  from public.offers o
  join public.shifts s on s.id = o.shift_id
  join public.sites t on t.id = s.site_id
  left join public.assignments b on b.id = o.partner_assignment_id
  left join public.shifts r on r.id = b.shift_id
  where o.status = 'open' and s.start_time > now() and (everywhere or o.site_id = any (own_sites))
    and auth.uid() is distinct from o.user_id and auth.uid() is distinct from o.partner_id
  order by s.start_time, o.created_at, o.id
  limit 200;
end
$$;
comment on function public.offers_to_decide is 'Nullable: partner_id, partner_name, return_start, return_end, note, obstacle';

-- How many requests wait for a decision of the caller.
create function public.offers_waiting() returns integer
language sql stable set search_path = '' as $$
  select count(*)::integer from public.offers o join public.shifts s on s.id = o.shift_id
  where o.status = 'open' and s.start_time > now() and auth.uid() not in (o.user_id, coalesce(o.partner_id, o.user_id));
$$;

-- The caller's own requests, and swaps that colleagues ask them for: those of shifts to come, newest first.
create function public.my_offers() returns table (
  id uuid, kind text, status text, is_mine boolean, other_name text, site_name text, timezone text,
  start_time timestamptz, end_time timestamptz, return_start timestamptz, return_end timestamptz,
  note text, decision_note text, created_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
begin
  perform private.require_member();
  return query
  select o.id, o.kind, o.status, o.user_id = me,
    case when o.kind = 'swap' then private.name_of_person(case when o.user_id = me then o.partner_id else o.user_id end) end,
    t.name, t.timezone, s.start_time, s.end_time, r.start_time, r.end_time, o.note, o.decision_note, o.created_at
  from public.offers o
  join public.shifts s on s.id = o.shift_id
  join public.sites t on t.id = s.site_id
  left join public.assignments b on b.id = o.partner_assignment_id
  left join public.shifts r on r.id = b.shift_id
  where (o.user_id = me or o.partner_id = me) and s.start_time > now() - interval '7 days'
    and o.status <> 'withdrawn'
  order by o.status in ('asked', 'open') desc, s.start_time, o.id
  limit 50;
end
$$;
comment on function public.my_offers is 'Nullable: other_name, return_start, return_end, note, decision_note';

revoke all on all functions in schema private from public;
revoke all on function
  public.open_shifts, public.bid_for_shift, public.withdraw_offer, public.swap_choices, public.propose_swap,
  public.answer_swap, public.decide_offers, public.decide_offer, public.offers_to_decide, public.offers_waiting,
  public.my_offers
from public, anon;
grant execute on function
  public.open_shifts, public.bid_for_shift, public.withdraw_offer, public.swap_choices, public.propose_swap,
  public.answer_swap, public.decide_offers, public.decide_offer, public.offers_to_decide, public.offers_waiting,
  public.my_offers
to authenticated;
