create or replace FUNCTION public.answer_swap(p_offer_id uuid, p_accept boolean)
 RETURNS public.offers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION public.bid_for_shift(p_shift_id uuid, p_note text DEFAULT NULL::text)
 RETURNS public.offers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
