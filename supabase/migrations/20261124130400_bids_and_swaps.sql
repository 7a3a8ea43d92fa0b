-- What guards do with offers: open shifts, bids and swaps.
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

revoke all on all functions in schema private from public;
revoke all on function
  public.open_shifts, public.bid_for_shift, public.withdraw_offer, public.swap_choices,
  public.propose_swap, public.answer_swap
from public, anon;
grant execute on function
  public.open_shifts, public.bid_for_shift, public.withdraw_offer, public.swap_choices,
  public.propose_swap, public.answer_swap
to authenticated;
