-- A planner no longer needs somebody who was asked to come: withdraws offers that wait for an answer, all or none. Offers
-- that were withdrawn before stay as they are.
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
  where o.id = any (p_offer_ids) and o.kind = 'offer' and private.may_plan(o.site_id)
  order by o.created_at, o.id;
end
$$;

-- Undo: asks the guards of withdrawn offers again, with the same note. These are new offers, because the guards have read
-- that they are no longer needed.
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

revoke all on function public.withdraw_offers, public.renew_offers from public, anon;
grant execute on function public.withdraw_offers, public.renew_offers to authenticated;
