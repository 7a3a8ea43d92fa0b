-- A planner asks guards to take an empty seat. The first yes gets it; the others get a notice.
alter table public.offers
  -- What the guard said to an offer, also after it had closed.
  add column answer text check (answer in ('yes', 'no')),
  add column answered_at timestamptz,
  add column asked_by uuid references public.profiles (id) on delete set null,
  add constraint offers_answer_has_time check ((answer is null) = (answered_at is null));
create index offers_asked_by_idx on public.offers (asked_by) where asked_by is not null;
create unique index offers_one_offer_idx on public.offers (shift_id, user_id) where kind = 'offer' and status = 'asked';
create index offers_undecided_idx on public.offers (shift_id) where status in ('asked', 'open');

-- Why this person can't come to the rest of the shift, as one sentence; null if nothing speaks against it.
create function private.obstacle_to_replace(p_person uuid, p_shift public.shifts) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  p_shift.start_time := private.arrival_at(p_shift);
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

-- Whether the person is clocked in. Not on a shift that ended hours ago: they forgot to clock out.
create function private.is_on_duty(p_person uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.assignments a
    where a.user_id = p_person and a.attendance_state = 'in' and a.starts_at > now() - interval '2 days'
      and upper(a.period) > now() - interval '4 hours'
  );
$$;

-- Sends the open messages of these people now, without waiting for more notices. In order of person, as queue_deliveries.
create function private.send_at_once(p_people uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from private.notice_deliveries d
  where d.user_id = any (p_people) and d.state = 'open' order by d.user_id, d.channel for update;
  update private.notice_deliveries d set next_at = now()
  where d.user_id = any (p_people) and d.state = 'open' and d.next_at > now();
end
$$;

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
  if private.free_seats(shift) < 1 then
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

-- Answers an own offer. Safe to repeat, and never an error because others were faster: the returned offer has the
-- outcome (approved: the seat is the caller's; lapsed: decision_note says why not). A no can become a yes while the seat
-- is free.
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
  perform private.lock_shifts_and_people(array[offer.shift_id], array[me]);
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
  arrival := private.arrival_at(shift);
  obstacle := case when private.free_seats(shift) < 1 then 'The shift has gone to somebody else.'
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
  insert into public.assignments (shift_id, user_id, status, confirmed_at, joins_at)
  values (shift.id, me, 'confirmed', now(), case when arrival > shift.start_time then arrival end);
  if private.free_seats(shift) < 1 then
    perform private.lapse_offers(shift.id, null);
  end if;
  perform private.notify(offer.asked_by, 'offer_accepted', format('%s is coming', private.name_of_person(me)),
    private.shift_text(shift.id), '/admin/shifts?open=' || shift.id, 'accepted:' || offer.id)
  where offer.asked_by is not null;
  return offer;
end
$$;

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

-- The offers of the caller that wait for an answer, and what became of those of shifts that are not over.
create function public.offers_to_me() returns table (
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
    case when o.status = 'approved' then coalesce(mine.starts_at, s.start_time) else private.arrival_at(s) end,
    s.end_time,
    round(private.distance_m((select p.home_position from public.profiles p where p.id = me), t.latitude, t.longitude)
      / 1000.0, 1),
    private.free_seats(s) > 0
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
  order by o.status = 'asked' desc, s.start_time, o.created_at desc, o.id
  limit 20;
end
$$;
comment on function public.offers_to_me is
  'Nullable: answer, decision_note, note, post_name, distance_km';

revoke all on all functions in schema private from public;
revoke all on function public.offer_shift, public.answer_offer, public.offers_to_me from public, anon;
grant execute on function public.offer_shift, public.answer_offer, public.offers_to_me to authenticated;
