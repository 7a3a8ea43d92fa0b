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
  public.decide_offers, public.decide_offer, public.offers_to_decide, public.offers_waiting,
  public.my_offers
from public, anon;
grant execute on function
  public.decide_offers, public.decide_offer, public.offers_to_decide, public.offers_waiting,
  public.my_offers
to authenticated;
