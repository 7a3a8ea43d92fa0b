-- Declining a request failed: the note of the decision had the name of a column.
create or replace function public.decide_offers(p_offer_ids uuid[], p_approve boolean, p_note text default null)
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
