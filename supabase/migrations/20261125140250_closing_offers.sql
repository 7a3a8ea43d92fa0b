-- How offers end without an answer: the planner withdraws them, the seats are given, or the shift is deleted.

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

-- Closes the offers of shifts without a free seat, and those to guards who are on the shift by now.
create function private.close_offers(p_shifts uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  gone public.offers;
begin
  for gone in
    update public.offers o
    set status = 'lapsed', decided_at = now(),
      decision_note = case when ended.is_on_shift then 'You are on this shift.'
        else 'The shift has gone to somebody else.' end
    from (
      select waiting.id, exists (
          select from public.assignments a
          where a.shift_id = s.id and a.user_id = waiting.user_id and a.status in ('assigned', 'confirmed', 'completed')
        ) as is_on_shift,
        private.free_seats(s) < 1 as is_full
      from public.offers waiting join public.shifts s on s.id = waiting.shift_id
      where waiting.kind = 'offer' and waiting.status = 'asked' and s.id = any (p_shifts)
    ) ended
    where o.id = ended.id and (ended.is_on_shift or ended.is_full)
    returning o.*
  loop
    perform private.notify(gone.user_id, 'offer_lapsed', 'The shift has gone to somebody else',
      private.shift_text(gone.shift_id), '/staff', 'lapsed:' || gone.id)
    where gone.decision_note <> 'You are on this shift.';
  end loop;
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
create trigger offers_close after insert on public.assignments
  referencing new table as new_rows for each statement execute function private.close_offers_of_staffed_shifts();
create trigger offers_close_of_changes after update on public.assignments
  referencing new table as new_rows for each statement execute function private.close_offers_of_staffed_shifts();

-- The shift needs fewer guards.
create function private.close_offers_of_smaller_shift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.close_offers(array[new.id]);
  return null;
end
$$;
create trigger offers_close after update on public.shifts
  for each row when (new.required_headcount < old.required_headcount)
  execute function private.close_offers_of_smaller_shift();

-- A deleted shift takes its offers and requests with it: guards who were asked, or wait for an answer, get a notice.
create function private.notify_of_lost_offers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(o.user_id, 'offer_lapsed', 'The shift is cancelled', private.shift_text(old.id), '/staff',
    'lapsed:' || o.id)
  from public.offers o
  where o.shift_id = old.id and o.status in ('asked', 'open') and old.end_time > now()
  order by o.user_id;
  return old;
end
$$;
create trigger offers_are_lost before delete on public.shifts
  for each row execute function private.notify_of_lost_offers();

revoke all on function
  private.close_offers, private.close_offers_of_staffed_shifts, private.close_offers_of_smaller_shift,
  private.notify_of_lost_offers
from public;
revoke all on function public.withdraw_offers, public.renew_offers from public, anon;
grant execute on function public.withdraw_offers, public.renew_offers to authenticated;
