-- Open shifts, swaps and replacements: who is asked, who takes it.

-- ── Tables ────────────────────────────────────────────────────────────

-- Guards ask for shifts: bids for open ones, and swaps with a colleague. A third kind, `offer`, is a planner's question
-- to one guard; the first to say yes gets the seat.
--
-- bid: open → approved or declined. swap: asked (the colleague) → open (a planner) → approved or declined.
-- offer: asked → approved or declined by the guard. All: withdrawn by who asked, lapsed when the seat is gone.
create table public.offers (
  id uuid default gen_random_uuid() primary key,
  kind text not null check (kind in ('bid', 'swap', 'offer')),
  -- The shift to take; of a swap, the one that is given away.
  shift_id uuid not null references public.shifts on delete cascade,
  user_id uuid not null references public.profiles on delete cascade, -- Who bids, gives away, or is offered the shift.
  assignment_id uuid references public.assignments on delete cascade,
  partner_id uuid references public.profiles on delete cascade,
  -- What the partner gives in return; null if nothing.
  partner_assignment_id uuid references public.assignments on delete cascade,
  status text not null check (status in ('asked', 'open', 'approved', 'declined', 'withdrawn', 'lapsed')),
  note text check (char_length(note) <= 500),
  decision_note text check (char_length(decision_note) <= 500),
  site_id uuid not null references public.sites,
  decided_by uuid references public.profiles on delete set null, -- Null if the rules approved it.
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  answer text check (answer in ('yes', 'no')), -- What the guard said to an offer, also after it had closed.
  answered_at timestamptz,
  asked_by uuid references public.profiles on delete set null,
  constraint offers_swap_has_partner check ((kind = 'swap') = (partner_id is not null)
    and (kind = 'swap') = (assignment_id is not null) and (partner_assignment_id is null or kind = 'swap')
    and partner_id is distinct from user_id),
  constraint offers_answer_has_time check ((answer is null) = (answered_at is null))
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
create index offers_asked_by_idx on public.offers (asked_by) where asked_by is not null;
create unique index offers_one_offer_idx on public.offers (shift_id, user_id) where kind = 'offer' and status = 'asked';
create index offers_undecided_idx on public.offers (shift_id) where status in ('asked', 'open');
alter table public.offers replica identity full;
alter publication supabase_realtime add table public.offers;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.offers', 'note', 'decision_note');
create trigger d_touch before update on public.offers for each row execute function private.touch();
select private.keep_history_of('public.offers');
alter table public.offers enable row level security;
grant select on public.offers to authenticated;
create policy "Planners read every offer" on public.offers
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read offers at their own sites" on public.offers
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Guards read the offers that they made or answer" on public.offers
  for select to authenticated
  using ((user_id = (select auth.uid()) or partner_id = (select auth.uid())) and (select private.is_member()));

-- Calls to guards who could stand in on a shift, and what came of them.
create table public.replacement_calls (
  id uuid default gen_random_uuid() primary key,
  shift_id uuid not null references public.shifts on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  result text not null check (result in ('coming', 'refused', 'reached', 'no_answer', 'wrong_number')),
  note text check (char_length(note) <= 500),
  site_id uuid not null references public.sites,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now()
);
comment on column public.replacement_calls.site_id is 'Derived: the site of the shift, so that policies need no join';
create index replacement_calls_shift_id_idx on public.replacement_calls (shift_id, created_at);
create index replacement_calls_user_id_idx on public.replacement_calls (user_id, created_at desc);
create index replacement_calls_site_id_idx on public.replacement_calls (site_id);
create index replacement_calls_created_by_idx on public.replacement_calls (created_by);
alter table public.replacement_calls replica identity full;
alter publication supabase_realtime add table public.replacement_calls;
select private.keep_history_of('public.replacement_calls');
alter table public.replacement_calls enable row level security;
grant select on public.replacement_calls to authenticated;
create policy "Planners read every call" on public.replacement_calls
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read the calls of their own sites" on public.replacement_calls
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));

-- ── Functions ─────────────────────────────────────────────────────────

-- Seats without a guard, as published and as drafted.
create function private.free_seats(p_shift public.shifts) returns integer
language sql stable security definer set search_path = '' as $$
  select p_shift.required_headcount
    - (select count(*) from public.assignments a where a.shift_id = p_shift.id and a.counts_as_staffed)::integer
    - (select count(*) from public.roster_changes c where c.shift_id = p_shift.id and c.change = 'assign')::integer;
$$;

-- Guards who hold a seat of the shift and say that they can't come, the first to say so first.
create function private.guards_who_cant_come(p_shift uuid) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(n.user_id order by n.received_at, n.id), '{}')
  from public.duty_notices n where n.shift_id = p_shift and n.kind = 'cant_come' and public.is_open(n);
$$;

-- Seats that a replacement can be found for: the free ones, and those of guards who say that they can't come. These
-- keep their seat, and count, until another guard has it.
create function private.seats_to_fill(p_shift public.shifts) returns integer
language sql stable security definer set search_path = ''
return private.free_seats(p_shift) + cardinality(private.guards_who_cant_come(p_shift.id));

-- Before a replacement is assigned: without a free seat, the first guard who said that they can't come leaves theirs,
-- as if they had declined.
create function private.release_seat(p_shift public.shifts) returns void
language plpgsql security definer set search_path = '' as $$
declare
  gone public.assignments;
begin
  if private.free_seats(p_shift) > 0 then
    return;
  end if;
  update public.assignments a
  set status = 'cancelled', declined_at = n.said_at, declined_reason = n.reason, confirmed_at = null
  from public.duty_notices n
  where n.assignment_id = a.id and n.kind = 'cant_come' and n.ended_at is null and a.shift_id = p_shift.id
    and a.user_id = (private.guards_who_cant_come(p_shift.id))[1]
  returning a.* into gone;
  perform private.notify(gone.user_id, 'roster', 'Another guard has your shift', private.shift_text(p_shift.id),
    '/staff/shifts', 'released:' || gone.id)
  where gone.id is not null;
end
$$;

-- Usually none waits: the update below is costly to plan, and without rows it runs its triggers, too.
create function private.close_offers(p_shifts uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  gone public.offers;
begin
  if not exists (
    select from unnest(p_shifts) s (id)
    join public.offers waiting on waiting.shift_id = s.id and waiting.kind = 'offer' and waiting.status = 'asked'
  ) then
    return;
  end if;
  for gone in
    update public.offers o
    set status = 'lapsed', decided_at = now(),
      decision_note = case when ended.is_on_shift then 'You are on this shift.'
        else 'The shift has gone to another guard.' end
    from (
      select waiting.id, exists (
          select from public.assignments a
          where a.shift_id = s.id and a.user_id = waiting.user_id and a.status in ('assigned', 'confirmed', 'completed')
        ) as is_on_shift,
        private.seats_to_fill(s) < 1 as is_full
      from public.offers waiting join public.shifts s on s.id = waiting.shift_id
      where waiting.kind = 'offer' and waiting.status = 'asked' and s.id = any (p_shifts)
    ) ended
    where o.id = ended.id and (ended.is_on_shift or ended.is_full)
    returning o.*
  loop
    perform private.notify(gone.user_id, 'offer_lapsed', 'The shift has gone to another guard',
      private.shift_text(gone.shift_id), '/staff', 'lapsed:' || gone.id)
    where gone.decision_note <> 'You are on this shift.';
  end loop;
end
$$;

-- The shift needs fewer guards.
create function private.close_offers_of_smaller_shift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.close_offers(array[new.id]);
  return null;
end
$$;

-- A seat is given, in any way, or a guard who was a no-show comes after all.
create function private.close_offers_of_staffed_shifts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.close_offers(array(select distinct n.shift_id from new_rows n where n.counts_as_staffed));
  return null;
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

-- A shift that moves to another site takes its offers and the calls about them along.
create function private.move_offers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.replacement_calls c set site_id = new.site_id where c.shift_id = new.id;
  update public.offers o set site_id = new.site_id where o.shift_id = new.id;
  return null;
end
$$;

-- A deleted shift takes its offers and requests with it: guards who were asked, or wait for an answer, get a notice.
create function private.notify_of_lost_offers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(o.user_id, 'offer_lapsed', 'The shift is cancelled', private.shift_text(old.id), '/staff',
    'lapsed:' || o.id)
  from public.offers o
  where o.shift_id = old.id and o.status in ('asked', 'open') and old.end_time > now() order by o.user_id;
  return old;
end
$$;

-- How long a guard needs to get to a site, before they can be expected there.
create function private.travel_time() returns interval
language sql immutable set search_path = '' return interval '30 minutes';

-- When somebody who is asked now can be on the shift: at its start, or later if the way there takes longer.
create function private.earliest_arrival(p_shift public.shifts) returns timestamptz
language sql stable set search_path = ''
return greatest(p_shift.start_time, date_trunc('minute', now()) + private.travel_time());

-- Why this person can't come to the rest of the shift, as one sentence; null if nothing speaks against it.
create function private.obstacle_to_replace(p_person uuid, p_shift public.shifts) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  p_shift.start_time := private.earliest_arrival(p_shift);
  if p_shift.end_time <= p_shift.start_time then
    return 'The shift ends too soon';
  end if;
  if exists (
    select from public.assignments a
    where a.shift_id = p_shift.id and a.user_id = p_person and a.status <> 'cancelled'
  ) then
    return 'Already on this shift';
  end if;
  if p_shift.start_time < now() + interval '12 hours' and private.is_on_duty(p_person) then
    return 'On duty now';
  end if;
  return private.obstacle_to_shift(p_person, p_shift);
end
$$;

-- Gives a free seat to a guard who may come, by the rules of answer_offer: who needs longer than to the start joins
-- later. The seat is confirmed if the guard has said on the phone that they are coming.
-- @param p_is_coming they say so now, which is noted as a call with p_note
create function public.assign_replacement(
  p_shift_id uuid, p_user_id uuid, p_is_coming boolean default false, p_note text default null
) returns public.assignments
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts;
  arrival timestamptz;
  obstacle text;
  is_coming boolean;
  given public.assignments;
begin
  perform private.require_member();
  if not exists (select from public.shifts s where s.id = p_shift_id and private.may_plan(s.site_id)) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if p_is_coming then
    perform public.note_call(p_shift_id, p_user_id, 'coming', p_note);
  end if;
  perform private.lock_shifts_and_people(array[p_shift_id], p_user_id || private.guards_who_cant_come(p_shift_id));
  select * into shift from public.shifts s where s.id = p_shift_id;
  if private.seats_to_fill(shift) < 1 then
    raise exception 'Every post of this shift has been given.' using errcode = 'PT409';
  end if;
  obstacle := private.obstacle_to_replace(p_user_id, shift);
  if obstacle is not null then
    raise exception '% can''t take this shift: %', private.name_of_person(p_user_id), obstacle using errcode = 'PT409';
  end if;
  arrival := private.earliest_arrival(shift);
  is_coming := coalesce((
    select c.result = 'coming' from public.replacement_calls c
    where c.shift_id = shift.id and c.user_id = p_user_id order by c.created_at desc limit 1
  ), false);
  perform private.release_seat(shift);
  insert into public.assignments (shift_id, user_id, status, confirmed_at, joins_at)
  values (shift.id, p_user_id, case when is_coming then 'confirmed' else 'assigned' end,
    case when is_coming then now() end, case when arrival > shift.start_time then arrival end)
  returning * into given;
  perform private.tell_guards(shift.id, 'assigned', array[given.id], array[p_user_id]);
  return given;
end
$$;
grant execute on function public.assign_replacement to authenticated;

-- Answers an own offer. Safe to repeat, and never an error because others were faster: the returned offer has the
-- outcome (approved: the seat is the caller's; lapsed: decision_note says why not). A no can become a yes while the
-- seat is free.
create function public.answer_offer(p_offer_id uuid, p_accept boolean) returns public.offers
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  offer public.offers;
  shift public.shifts;
  arrival timestamptz;
  obstacle text;
begin
  perform private.require_member();
  if p_offer_id is null or p_accept is null then
    raise exception 'Answer yes or no.' using errcode = 'invalid_parameter_value';
  end if;
  select * into offer from public.offers o where o.id = p_offer_id and o.user_id = me and o.kind = 'offer';
  perform private.lock_shifts_and_people(array[offer.shift_id], me || private.guards_who_cant_come(offer.shift_id));
  select * into offer from public.offers o where o.id = p_offer_id and o.user_id = me and o.kind = 'offer' for update;
  if not found then
    raise exception 'This offer no longer exists.' using errcode = 'PT404';
  end if;
  if offer.status not in ('asked', 'declined') then
    update public.offers o
    set answer = case when p_accept then 'yes' else 'no' end, answered_at = now()
    where o.id = offer.id and o.answer is null;
    select * into offer from public.offers o where o.id = p_offer_id;
    return offer;
  end if;
  if not p_accept then
    if offer.status = 'asked' then
      update public.offers o
      set status = 'declined', answer = 'no', answered_at = now(), decided_by = me, decided_at = now()
      where o.id = offer.id returning * into offer;
    end if;
    return offer;
  end if;

  select * into shift from public.shifts s where s.id = offer.shift_id;
  arrival := private.earliest_arrival(shift);
  obstacle := case when private.seats_to_fill(shift) < 1 then 'The shift has gone to another guard.'
    else 'You can''t take this shift: ' || private.obstacle_to_replace(me, shift) || '.' end;
  if obstacle is not null then
    update public.offers o
    set status = 'lapsed', answer = 'yes', answered_at = now(), decided_at = now(), decision_note = obstacle
    where o.id = offer.id returning * into offer;
    return offer;
  end if;
  -- First, so that the assignment closes only the offers of the others.
  update public.offers o
  set status = 'approved', answer = 'yes', answered_at = now(), decided_by = me, decided_at = now()
  where o.id = offer.id returning * into offer;
  perform private.release_seat(shift);
  insert into public.assignments (shift_id, user_id, status, confirmed_at, joins_at)
  values (shift.id, me, 'confirmed', now(), case when arrival > shift.start_time then arrival end);
  if private.seats_to_fill(shift) < 1 then
    perform private.lapse_offers(shift.id, null);
  end if;
  perform private.notify(offer.asked_by, 'offer_accepted', format('%s is coming', private.name_of_person(me)),
    private.shift_text(shift.id), '/admin/shifts?open=' || shift.id, 'accepted:' || offer.id)
  where offer.asked_by is not null;
  return offer;
end
$$;
grant execute on function public.answer_offer to authenticated;

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
    where taken.shift_id is not null order by taken.user_id;
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
  select * into swap from public.offers o where o.id = p_offer_id and o.partner_id = me
    and o.status = 'asked' for update;
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
  if coalesce((private.rules_on((shift.start_time at time zone (select s.time_zone
      from private.settings s))::date)).swaps_approve_themselves, false) then
    return private.carry_out_offer(swap, null, null);
  end if;
  perform private.notify(swap.user_id, 'swap_accepted', format('%s accepted your swap', private.name_of_person(me)),
    private.shift_text(swap.shift_id) || '. Your supervisor decides next.', '/staff/open-shifts',
      'swap-answer:' || swap.id);
  perform private.notify_planners(swap.site_id, 'swap',
    format('%s and %s ask to swap', private.name_of_person(swap.user_id), private.name_of_person(me)),
    private.shift_text(swap.shift_id), '/admin/roster/requests', 'swap-decision:' || swap.id);
  return swap;
end
$$;
grant execute on function public.answer_swap to authenticated;

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
  values ('bid', shift.id, me, 'open', left(nullif(btrim(p_note), ''), 500), shift.site_id) returning * into bid;
  if coalesce((private.rules_on((shift.start_time at time zone (select s.time_zone
      from private.settings s))::date)).bids_approve_themselves, false) then
    return private.carry_out_offer(bid, null, null);
  end if;
  perform private.notify_planners(shift.site_id, 'bid',
    format('%s asks for an open shift', private.name_of_person(me)), private.shift_text(shift.id),
    '/admin/roster/requests', 'bid:' || bid.id);
  return bid;
end
$$;
grant execute on function public.bid_for_shift to authenticated;

-- What planners do with offers: approving, declining, and what waits for them.
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
  said text := left(nullif(btrim(p_note), ''), 500);
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
  for one in select o.* from public.offers o where o.id = any (p_offer_ids) order by o.created_at, o.id for update loop
    begin
      -- Also for requests that the caller may not see.
      if not private.may_plan(one.site_id) then
        raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
      end if;
      if me in (one.user_id, one.partner_id) then
        raise exception 'Someone else must decide your own request.' using errcode = 'insufficient_privilege';
      end if;
      if one.status <> 'open' then
        raise exception 'It has already been decided.' using errcode = 'PT409';
      end if;
      if p_approve then
        decided := decided || private.carry_out_offer(one, me, said);
      else
        update public.offers o set status = 'declined', decided_by = me, decided_at = now(), decision_note = said
        where o.id = one.id returning * into one;
        decided := decided || one;
        perform private.notify(told, 'offer_declined',
          case one.kind when 'swap' then 'Your swap was declined' else 'You did not get the shift' end,
          concat_ws('. ', private.shift_text(one.shift_id), said), '/staff/open-shifts',
            'declined:' || one.id || ':' || told)
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
  perform private.refuse_many(refused, cardinality(p_offer_ids), case when p_approve then 'approved'
    else 'declined' end);
  return query select * from unnest(decided);
end
$$;
grant execute on function public.decide_offers to authenticated;

-- The caller's own requests, and swaps that colleagues ask them for: those of shifts to come, newest first.
create function public.my_offers()
returns table (
  id uuid, kind text, status text, is_mine boolean, other_name text, site_name text, timezone text,
  start_time timestamptz, end_time timestamptz, return_start timestamptz, return_end timestamptz, note text,
  decision_note text, created_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
begin
  perform private.require_member();
  return query
  select o.id, o.kind, o.status, o.user_id = me,
    case when o.kind = 'swap' then private.name_of_person(case when o.user_id = me then o.partner_id
      else o.user_id end) end,
    t.name, t.timezone, s.start_time, s.end_time, r.start_time, r.end_time, o.note, o.decision_note, o.created_at
  from public.offers o
  join public.shifts s on s.id = o.shift_id
  join public.sites t on t.id = s.site_id
  left join public.assignments b on b.id = o.partner_assignment_id
  left join public.shifts r on r.id = b.shift_id
  where (o.user_id = me or o.partner_id = me) and s.start_time > now() - interval '7 days'
    and o.status <> 'withdrawn'
  order by o.status in ('asked', 'open') desc, s.start_time, o.id limit 50;
end
$$;
comment on function public.my_offers is 'Nullable: other_name, return_start, return_end, note, decision_note';
grant execute on function public.my_offers to authenticated;

-- Notes what came of calling somebody about a shift.
create function public.note_call(p_shift_id uuid, p_user_id uuid, p_result text, p_note text default null)
returns public.replacement_calls
language plpgsql security definer set search_path = '' as $$
declare
  noted public.replacement_calls;
  site uuid;
begin
  perform private.require_member();
  select s.site_id into site from public.shifts s where s.id = p_shift_id;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  if not private.may_plan(site) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if p_user_id is null or p_result is null
    or p_result not in ('reached', 'no_answer', 'coming', 'refused', 'wrong_number')
  then
    raise exception 'Choose who was called, and what came of it.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.replacement_calls (shift_id, user_id, result, note, site_id, created_by)
  values (p_shift_id, p_user_id, p_result, nullif(btrim(p_note), ''), site, auth.uid()) returning * into noted;
  return noted;
end
$$;
grant execute on function public.note_call to authenticated;

-- Asks guards to take a seat of the shift, all or none. Asking somebody again changes nothing.
create function public.offer_shift(p_shift_id uuid, p_user_ids uuid[], p_note text default null)
returns setof public.offers
language plpgsql security definer set search_path = '' as $$
declare
  shift public.shifts;
  person uuid;
  obstacle text;
  refused jsonb[] := '{}';
  note text := nullif(btrim(p_note), '');
begin
  perform private.require_member();
  perform private.require_many(p_user_ids);
  if char_length(note) > 500 then
    raise exception 'Note must be at most 500 characters' using errcode = 'check_violation';
  end if;
  select * into shift from public.shifts s where s.id = p_shift_id for no key update;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  if not private.may_plan(shift.site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if private.seats_to_fill(shift) < 1 then
    raise exception 'Every post of this shift has been given.' using errcode = 'PT409';
  end if;
  for person in
    select distinct u.id from unnest(p_user_ids) u (id)
    where not exists (
      select from public.offers o
      where o.shift_id = shift.id and o.user_id = u.id and o.kind = 'offer' and o.status = 'asked'
    )
    order by 1
  loop
    obstacle := private.obstacle_to_replace(person, shift);
    if obstacle is not null then
      refused := refused || jsonb_build_object(
        'id', person, 'name', coalesce(private.name_of_person(person), 'A guard'), 'reason', obstacle || '.');
      continue;
    end if;
    insert into public.offers (kind, shift_id, user_id, status, note, site_id, asked_by)
    values ('offer', shift.id, person, 'asked', note, shift.site_id, auth.uid());
  end loop;
  perform private.refuse_many(refused, cardinality(p_user_ids), 'offered');
  perform private.notify(o.user_id, 'offer_asked', 'Can you come?',
    concat_ws('. ', private.shift_text(o.shift_id), o.note), '/staff', 'asked:' || o.id)
  from public.offers o
  where o.shift_id = shift.id and o.kind = 'offer' and o.status = 'asked' and o.user_id = any (p_user_ids)
  order by o.user_id;
  perform private.send_at_once(p_user_ids);
  return query
  select o.* from public.offers o
  where o.shift_id = shift.id and o.kind = 'offer' and o.status = 'asked' and o.user_id = any (p_user_ids)
  order by o.created_at, o.id;
end
$$;
grant execute on function public.offer_shift to authenticated;

-- The requests that wait for a decision of the caller, soonest shift first, with what speaks against each.
create function public.offers_to_decide()
returns table (
  id uuid, kind text, user_id uuid, full_name text, partner_id uuid, partner_name text, site_name text, timezone text,
  shift_id uuid, start_time timestamptz, end_time timestamptz, return_start timestamptz, return_end timestamptz,
  seats integer, note text, obstacle text, created_at timestamptz
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
  order by s.start_time, o.created_at, o.id limit 200;
end
$$;
comment on function public.offers_to_decide is 'Nullable: partner_id, partner_name, return_start, return_end, note, '
  'obstacle';
grant execute on function public.offers_to_decide to authenticated;

-- The offers of the caller that wait for an answer, and what became of those of shifts that are not over.
create function public.offers_to_me()
returns table (
  id uuid, status text, answer text, decision_note text, note text, site_name text, client_name text, address text,
  post_name text, timezone text, start_time timestamptz, end_time timestamptz, distance_km numeric, is_free boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
begin
  perform private.require_member();
  return query
  select o.id, o.status, o.answer, o.decision_note, o.note, t.name, t.client_name, t.address,
    (select p.name from public.posts p where p.id = s.post_id), t.timezone,
    case when o.status = 'approved' then coalesce(mine.starts_at, s.start_time) else private.earliest_arrival(s) end,
    s.end_time,
    round(private.distance_m((select p.home_position from public.profiles p where p.id = me), t.latitude, t.longitude)
      / 1000.0, 1),
    private.seats_to_fill(s) > 0
  from public.offers o
  join public.shifts s on s.id = o.shift_id
  join public.sites t on t.id = s.site_id
  left join lateral (
    select a.starts_at from public.assignments a
    where a.shift_id = s.id and a.user_id = me and a.status <> 'cancelled' limit 1
  ) mine on true
  where o.user_id = me and o.kind = 'offer' and s.end_time > now()
    and (o.status = 'asked' or o.decided_at > now() - interval '12 hours')
    -- Asked again.
    and (o.status <> 'withdrawn' or not exists (
      select from public.offers later
      where later.shift_id = o.shift_id and later.user_id = me and later.kind = 'offer' and later.status <> 'withdrawn'
    ))
  order by o.status = 'asked' desc, s.start_time, o.created_at desc, o.id limit 20;
end
$$;
comment on function public.offers_to_me is 'Nullable: answer, decision_note, note, post_name, distance_km';
grant execute on function public.offers_to_me to authenticated;

-- How many requests wait for a decision of the caller.
create function public.offers_waiting() returns integer
language sql stable set search_path = '' as $$
  select count(*)::integer from public.offers o join public.shifts s on s.id = o.shift_id
  where o.status = 'open' and s.start_time > now() and auth.uid() not in (o.user_id, coalesce(o.partner_id, o.user_id));
$$;
grant execute on function public.offers_waiting to authenticated;

-- Shifts that a guard of a large company could take, read from indexes. Shifts that the guard has declined are left
-- out.
create function public.open_shifts()
returns table (
  shift_id uuid, site_name text, client_name text, address text, timezone text, post_name text, start_time timestamptz,
  end_time timestamptz, seats integer, distance_km numeric, bid_id uuid
)
language plpgsql stable security definer set search_path = '' set work_mem = '32MB' as $$
declare
  me uuid := auth.uid();
  home text;
  published tstzmultirange := (
    select coalesce(range_agg(tstzrange(private.company_midnight(r.starts_on),
      private.company_midnight(r.starts_on + 7))), '{}')
    from public.roster_periods r
    where r.state = 'published' and r.starts_on >= private.company_date() - 7
  );
  -- The published part of the next two weeks.
  planned tstzrange := range_merge(published * tstzmultirange(tstzrange(now(), now() + interval '14 days')));
  own tstzmultirange := (
    select coalesce(range_agg(a.period), '{}') from public.assignments a
    where a.user_id = me and a.status <> 'cancelled' and a.period && tstzrange(now(), now() + interval '28 days')
  );
  last_join constant timestamptz := private.last_join(now() + interval '14 days');
begin
  perform private.require_member();
  if not exists (select from public.user_roles r where r.user_id = me and r.role = 'guard') then
    return;
  end if;
  select p.home_position into home from public.profiles p where p.id = me;
  return query
  with staffed as (
    select a.shift_id, count(*) as guards from public.assignments a
    where a.starts_at > now() and a.starts_at < last_join and a.counts_as_staffed
    group by 1
  ),
  -- As is_offered, which would read the weeks for each shift.
  offered as (
    select s.id, s.required_headcount
    from public.shifts s
    where s.start_time > now() and s.start_time >= lower(planned) and s.start_time < upper(planned)
      and s.start_time <@ published and not s.is_manual
    union all
    select s.id, s.required_headcount
    from public.shifts s
    where s.start_time > now() and s.start_time < now() + interval '14 days' and s.is_manual
  ),
  unfilled as materialized (
    select o.id, o.required_headcount - coalesce(w.guards, 0) as seats
    from offered o left join staffed w on w.shift_id = o.id
    where o.required_headcount > coalesce(w.guards, 0)
  ),
  open as materialized (
    select f.s, (f.s).site_id, d.seats::integer
    from unfilled u
    -- Look-ups: the planner expects thousands where a few are unfilled.
    cross join lateral (select s from public.shifts s where s.id = u.id offset 0) f
    cross join lateral (
      select u.seats - count(*) as seats from public.roster_changes c where c.shift_id = u.id and c.change = 'assign'
    ) d
    where d.seats > 0 and not own && tstzrange((f.s).start_time, (f.s).end_time)
      -- What the guard has declined is not offered again, unless somebody has assigned the guard since.
      and not exists (
        select from public.assignments a
        where a.shift_id = u.id and a.user_id = me and a.status = 'cancelled' and a.declined_at is not null
          and not exists (
            select from public.assignments later
            where later.shift_id = u.id and later.user_id = me and later.id <> a.id
              and later.created_at >= a.declined_at
          )
      )
  ),
  places as materialized (
    select t.id, t.name, t.client_name, t.address, t.timezone,
      round(private.distance_m(home, t.latitude, t.longitude) / 1000.0, 1) as km
    from public.sites t
    where t.id in (select o.site_id from open o)
  ),
  near as (
    select o.s, o.seats, p.name, p.client_name, p.address, p.timezone, p.km, (o.s).start_time as starts
    from open o join places p on p.id = o.site_id
    order by p.km nulls last, starts, (o.s).id
    limit 200
  )
  select (n.s).id, n.name, n.client_name, n.address, n.timezone,
    (select p.name from public.posts p where p.id = (n.s).post_id),
    (n.s).start_time, (n.s).end_time, n.seats, n.km,
    (select b.id from public.offers b
      where b.shift_id = (n.s).id and b.user_id = me and b.kind = 'bid' and b.status = 'open')
  from near n where private.obstacle_to_shift(me, n.s) is null order by n.km nulls last, n.starts, (n.s).id limit 60;
end
$$;
comment on function public.open_shifts is 'Nullable: post_name, distance_km, bid_id';
grant execute on function public.open_shifts to authenticated;

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
  insert into public.offers (kind, shift_id, user_id, assignment_id, partner_id, partner_assignment_id, status, note,
    site_id)
  values ('swap', shift.id, me, mine.id, p_partner_id, theirs.id, 'asked', left(nullif(btrim(p_note), ''), 500),
    shift.site_id)
  returning * into swap;
  perform private.notify(p_partner_id, 'swap_asked', format('%s asks you to swap', private.name_of_person(me)),
    concat_ws('. ', private.shift_text(shift.id), swap.note), '/staff/open-shifts', 'swap:' || swap.id);
  return swap;
end
$$;
grant execute on function public.propose_swap to authenticated;

-- The assigned and the drafted duties that touch p_reach. No fixed search path, so that the planner can inline it.
create function private.duties_within(p_reach tstzrange)
returns table (user_id uuid, period tstzrange, is_on_duty boolean)
language sql stable as $$
  select a.user_id, a.period, a.attendance_state = 'in'
    and upper(a.period) > now() - interval '4 hours' as is_on_duty
  from public.assignments a
  where a.starts_at > lower(p_reach) - interval '3 days' and a.starts_at < upper(p_reach)
    and a.status <> 'cancelled' and a.period && p_reach
  union all
  select c.user_id, c.period, false from public.roster_changes c where c.change = 'assign' and c.period && p_reach;
$$;

-- What became of each guard's last offer or call within 60 days: who said yes has come or has not come, once that is
-- known. No fixed search path: as duties_within.
create function private.last_answers() returns table (user_id uuid, answer text)
language sql stable as $$
  select last.user_id, case
      when last.answer not in ('accepted', 'coming') then last.answer
      when seat.attendance_state <> 'none' then 'came'
      when seat.status = 'no_show' or seat.counts_as_staffed and upper(seat.period) < now() then 'did_not_come'
      else last.answer
    end
  from (
    select distinct on (given.user_id) given.user_id, given.shift_id, given.answer
    from (
      select o.user_id, o.shift_id, coalesce(o.answered_at, o.decided_at) as given_at, case
          when o.answer = 'yes' then 'accepted'
          when o.answer = 'no' then 'declined'
          -- Others were faster, or the planner changed their mind: not the guard's doing.
          when o.decided_at > o.created_at + interval '10 minutes' then 'no_answer'
        end as answer
      from public.offers o
      where o.kind = 'offer' and o.status in ('approved', 'declined', 'lapsed')
        and o.created_at > now() - interval '60 days'
      union all
      select c.user_id, c.shift_id, c.created_at, c.result from public.replacement_calls c
      where c.created_at > now() - interval '60 days'
    ) given
    where given.answer is not null
    order by given.user_id, given.given_at desc
  ) last
  left join lateral (
    select a.status, a.attendance_state, a.counts_as_staffed, a.period from public.assignments a
    where a.shift_id = last.shift_id and a.user_id = last.user_id and a.status <> 'cancelled'
    limit 1
  ) seat on true;
$$;

-- The sixty best of those who may lawfully come to the shift, or to the rest of one that runs; for callers who plan the
-- site. The score is what the person costs, by the weights of the rule set where it has one:
--   site: weight_known_post, less a quarter for each shift there in twelve weeks;
--   distance: weight_distance for each 10 km from home, up to 40 km; 10 km where a position is missing;
--   overtime: weight_overtime for each 4 h;
--   hours left: weight_fair_hours when none would be left this week, in proportion before;
--   last answer within 60 days: 10 less for a yes or who came, 10 more for a no or no answer, 20 more for who said yes
--   and did not come, 40 more for a wrong number;
--   off duty: up to 10 more for less than 24 h.
create function public.rank_replacements(shift_id uuid)
returns table (
  user_id uuid, full_name text, phone text, rank integer, distance_km numeric, week_hours numeric, hours_left numeric,
  overtime_hours numeric, knows_site integer, last_answer text, is_free_until timestamptz, reasons text[]
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  shift public.shifts;
  site public.sites;
  rules public.rule_sets;
  zone text := (select s.time_zone from private.settings s);
  work tstzrange;
  days daterange;
  week tstzrange;
  own_hours numeric;
  rest interval;
  -- Duties outside it break no rule of this one: as in duty_problems.
  reach tstzrange;
begin
  perform private.require_member();
  select * into shift from public.shifts s where s.id = rank_replacements.shift_id;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  if not private.may_plan(shift.site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  shift.start_time := private.earliest_arrival(shift);
  if shift.end_time <= shift.start_time then
    return;
  end if;
  select * into site from public.sites t where t.id = shift.site_id;
  work := tstzrange(shift.start_time, shift.end_time);
  days := private.days_of(work);
  rules := private.rules_on(lower(days));
  week := tstzrange(date_trunc('week', lower(days)::timestamp) at time zone zone,
    (date_trunc('week', lower(days)::timestamp) + interval '7 days') at time zone zone);
  own_hours := extract(epoch from shift.end_time - shift.start_time) / 3600;
  rest := make_interval(secs => rules.min_rest_hours::double precision * 3600);
  reach := tstzrange(
    lower(work) - make_interval(days => greatest(8, rules.consecutive_days + 1, rules.consecutive_nights + 1)),
    upper(work) + make_interval(days => greatest(8, rules.consecutive_days + 1, rules.consecutive_nights + 1)));
  return query
  with duty as materialized (
    select d.user_id, array_agg(d.period) as periods,
      coalesce(sum(extract(epoch from upper(d.period) - lower(d.period)) / 3600)
        filter (where week @> lower(d.period)), 0) as hours,
      max(upper(d.period)) filter (where d.period << work) as last_end,
      min(lower(d.period)) filter (where d.period >> work) as next_start,
      -- The rule `rest`, and overlaps.
      bool_or(d.period && tstzrange(lower(work) - rest, upper(work) + rest)) as is_near,
      bool_or(d.is_on_duty and lower(work) < now() + interval '12 hours') as is_on_duty
    from private.duties_within(reach) d
    group by d.user_id
  ),
  known as materialized (
    select a.user_id, count(*)::integer as shifts
    from public.assignments a
    where a.site_id = shift.site_id and a.starts_at >= now() - interval '84 days' and a.starts_at < now()
      and a.status in ('assigned', 'confirmed', 'completed') and not a.on_leave
    group by a.user_id
  ),
  last as materialized (
    select g.user_id, g.answer from private.last_answers() g
  ),
  -- What is cheap to exclude, before the functions that hold the rules.
  candidate as materialized (
    select p.id, coalesce(nullif(p.full_name, ''), p.email, p.phone) as name, p.phone, d.periods,
      coalesce(d.hours, 0) as hours, d.next_start, coalesce(k.shifts, 0) as shifts, l.answer,
      round(private.distance_m(p.home_position, site.latitude, site.longitude) / 1000.0, 1) as km,
      greatest(0, coalesce(d.hours, 0) + own_hours - rules.week_hours)
        - greatest(0, coalesce(d.hours, 0) - rules.week_hours) as overtime,
      extract(epoch from lower(work) - d.last_end) / 3600 as hours_off
    from public.profiles p
    left join duty d on d.user_id = p.id
    left join known k on k.user_id = p.id
    left join last l on l.user_id = p.id
    where p.id in (select r.user_id from public.user_roles r where r.role = 'guard')
      and (p.left_on is null or p.left_on >= lower(days))
      and not coalesce(d.is_near or d.is_on_duty, false)
      and coalesce(d.hours, 0) + own_hours <= rules.week_hours + rules.week_overtime_hours
      and p.id not in (
        select l.user_id from public.leave_requests l
        where l.status = 'approved' and l.start_date < upper(days) and l.end_date >= lower(days)
      )
      and p.id not in (select b.user_id from public.site_bans b where b.site_id = shift.site_id)
  ),
  scored as (
    select f.*,
      rules.weight_known_post * (1 - least(1, f.shifts / 4.0))
      + rules.weight_distance * least(coalesce(f.km, 10), 40) / 10
      + rules.weight_overtime * f.overtime / 4
      + rules.weight_fair_hours * (f.hours + own_hours) / (rules.week_hours + rules.week_overtime_hours)
      + case when f.answer in ('accepted', 'coming', 'came') then -10
          when f.answer in ('declined', 'refused', 'no_answer') then 10
          when f.answer = 'did_not_come' then 20
          when f.answer = 'wrong_number' then 40 else 0 end
      + least(10, greatest(0, coalesce(24 - f.hours_off, 0))) as cost
    from candidate f
    order by cost, f.name, f.id
    -- Keeps this order apart from the filter below, which stops at its limit.
    offset 0
  ),
  lawful as (
    select s.* from scored s
    where not exists (select from private.eligibility_problems(s.id, shift))
      and not exists (select from private.duty_problems(s.id, shift.start_time, shift.end_time, s.periods, zone))
    limit 60
  )
  select s.id, s.name, s.phone, (row_number() over (order by s.cost, s.name, s.id))::integer, s.km, round(s.hours, 1),
    round(rules.week_hours + rules.week_overtime_hours - s.hours, 1), round(s.overtime, 1), s.shifts, s.answer,
    s.next_start,
    array_remove(array[
      case when s.shifts = 0 then 'New to this site'
        else format('Knows this site: %s %s', s.shifts, case s.shifts when 1 then 'shift' else 'shifts' end) end,
      s.km || ' km away',
      private.hours_text(rules.week_hours + rules.week_overtime_hours - s.hours) || ' h left this week',
      case when s.overtime > 0 then private.hours_text(s.overtime) || ' h overtime' end,
      case when s.hours_off < 24 then private.hours_text(floor(s.hours_off)) || ' h rest before' end
    ], null)
  from lawful s order by s.cost, s.name, s.id;
end
$$;
comment on function public.rank_replacements is 'Nullable: phone, distance_km, last_answer, is_free_until';
grant execute on function public.rank_replacements to authenticated;

-- Undo: asks the guards of withdrawn offers again, with the same note. These are new offers, because the guards have
-- read that they are no longer needed.
create function public.renew_offers(p_offer_ids uuid[]) returns setof public.offers
language plpgsql set search_path = '' as $$
declare
  batch record;
begin
  perform private.require_many(p_offer_ids);
  for batch in
    select o.shift_id, o.note, array_agg(o.user_id) as people
    from public.offers o where o.id = any (p_offer_ids) and o.kind = 'offer' and o.status = 'withdrawn'
    group by o.shift_id, o.note order by o.shift_id, o.note
  loop
    return query select * from public.offer_shift(batch.shift_id, batch.people, batch.note);
  end loop;
end
$$;
grant execute on function public.renew_offers to authenticated;

-- Colleagues who know the site of an own shift and may lawfully take it, by name only, with the shifts at that site
-- that they could give in return.
create function public.swap_choices(p_assignment_id uuid)
returns table ( user_id uuid, full_name text, may_take boolean, returns jsonb )
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
        select from public.assignments o where o.shift_id = shift.id and o.user_id = a.user_id
          and o.status <> 'cancelled'
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
  where c.may_take or c.returns <> '[]' order by 2;
end
$$;
grant execute on function public.swap_choices to authenticated;

-- Withdraws an own bid or swap that is not decided yet.
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
grant execute on function public.withdraw_offer to authenticated;

-- A planner no longer needs somebody who was asked to come: withdraws offers that wait for an answer, all or none.
-- Offers that were withdrawn before stay as they are.
create function public.withdraw_offers(p_offer_ids uuid[]) returns setof public.offers
language plpgsql security definer set search_path = '' as $$
declare
  one public.offers;
  people uuid[] := '{}';
  refused jsonb[] := '{}';
begin
  perform private.require_member();
  perform private.require_many(p_offer_ids);
  -- As an answer takes them, so that a yes of this moment counts or comes too late, never both.
  perform private.lock_shifts_and_people(
    array(select o.shift_id from public.offers o where o.id = any (p_offer_ids)),
    array(select o.user_id from public.offers o where o.id = any (p_offer_ids)));
  for one in
    select o.* from public.offers o
    where o.id = any (p_offer_ids) and o.kind = 'offer' and private.may_plan(o.site_id)
    order by o.created_at, o.id for update
  loop
    if one.status = 'asked' then
      update public.offers o set status = 'withdrawn', decided_by = auth.uid(), decided_at = now(),
        decision_note = 'The control room no longer needs you for this shift.'
      where o.id = one.id;
      people := people || one.user_id;
    elsif one.status <> 'withdrawn' then
      refused := refused || jsonb_build_object('id', one.id, 'name', private.name_of_person(one.user_id),
        'reason', case one.status when 'approved' then 'Has said yes.' when 'declined' then 'Has said no.'
          else 'The offer has already closed.' end);
    end if;
  end loop;
  if not exists (
    select from public.offers o where o.id = any (p_offer_ids) and o.kind = 'offer' and private.may_plan(o.site_id)
  ) then
    raise exception 'This offer no longer exists, or you don''t plan the shifts of this site.' using errcode = 'PT404';
  end if;
  perform private.refuse_many(refused, cardinality(p_offer_ids), 'withdrawn');
  perform private.notify(o.user_id, 'offer_lapsed', 'You are no longer needed', private.shift_text(o.shift_id),
    '/staff', 'withdrawn:' || o.id)
  from public.offers o
  where o.id = any (p_offer_ids) and o.kind = 'offer' and o.status = 'withdrawn' and o.user_id = any (people)
  order by o.user_id;
  perform private.send_at_once(people);
  return query
  select o.* from public.offers o
  where o.id = any (p_offer_ids) and o.kind = 'offer' and private.may_plan(o.site_id) order by o.created_at, o.id;
end
$$;
grant execute on function public.withdraw_offers to authenticated;

-- Closes what nobody decided: bids and swaps when the shift starts, offers when it ends. Returns how many.
create function private.close_due_offers() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  gone public.offers;
  closed integer := 0;
begin
  for gone in
    update public.offers o set status = 'lapsed', decided_at = now()
    from public.shifts s
    where s.id = o.shift_id and o.status in ('asked', 'open')
      and case o.kind when 'offer' then s.end_time else s.start_time end <= now()
    returning o.*
  loop
    closed := closed + 1;
    perform private.notify(gone.user_id, 'offer_lapsed',
      case gone.kind when 'swap' then 'Your swap is off' else 'You did not get the shift' end,
      private.shift_text(gone.shift_id) || '. Nobody decided before it started.', '/staff/open-shifts',
      'lapsed:' || gone.id)
    where gone.kind <> 'offer';
  end loop;
  return closed;
end
$$;
