-- Adjustments of pay as their screen decides them: found by name, valued before the decision, and many at once.

-- The names that a search finds an adjustment by. Runs as the caller: the policies decide.
create function public.search_text(a public.pay_adjustments) returns text
language sql stable set search_path = '' as $$
  select concat_ws(e'\n', (select s.full_name from public.staff s where s.id = a.staff_id),
    (select p.full_name from public.profiles p where p.id = a.user_id), a.explanation);
$$;

-- What approving the adjustment would pay: late hours are valued now, all others have their figures. No row if there is
-- no such adjustment; figures are null if no locked run paid the days.
create function public.value_adjustment(p_id uuid)
returns table (figure_before numeric, figure_after numeric, amount numeric, currency text)
language plpgsql stable security definer set search_path = '' as $$
declare
  a public.pay_adjustments;
begin
  perform private.require_pay_role();
  select * into a from public.pay_adjustments x where x.id = p_id;
  if not found then
    return;
  end if;
  if a.kind <> 'late_event' or a.status = 'approved' then
    return query select a.figure_before, a.figure_after, a.amount, a.currency;
    return;
  end if;
  return query select v.figure_before, v.figure_after, v.figure_after - v.figure_before, v.currency
    from (select 1) one left join lateral private.value_of_late_hours(a) v on true;
end
$$;
comment on function public.value_adjustment is 'Nullable: figure_before, figure_after, amount, currency';

-- Decides many adjustments, all of them or none. A refusal names the rows and why. @returns how many it decided
create function public.decide_adjustments(p_ids uuid[], p_approve boolean, p_note text default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  refused jsonb[];
  wanted record;
  state text;
  message text;
  decided integer := 0;
begin
  perform private.require_pay_role();
  if p_ids is null or cardinality(p_ids) not between 1 and 500 then
    raise exception 'Choose between 1 and 500 adjustments.' using errcode = 'invalid_parameter_value';
  end if;
  -- In order of id, so that two calls about the same rows take turns.
  for wanted in
    select u.id, coalesce(s.full_name, p.full_name, 'One row') as name
    from (select distinct i.id from unnest(p_ids) i (id)) u
    left join public.pay_adjustments a on a.id = u.id
    left join public.staff s on s.id = a.staff_id
    left join public.profiles p on p.id = a.user_id
    order by u.id
  loop
    begin
      perform public.decide_adjustment(wanted.id, p_approve, p_note);
      decided := decided + 1;
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      -- A deadlock, and what is wrong with the call, are no reason of this row.
      if state like '40%' or state = '22023' then
        raise;
      end if;
      refused := refused || jsonb_build_object('id', wanted.id, 'name', wanted.name, 'reason', message);
    end;
  end loop;
  perform private.refuse_many(refused, cardinality(p_ids), 'decided');
  return decided;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.search_text(public.pay_adjustments), public.value_adjustment, public.decide_adjustments
  from public, anon;
grant execute on function public.search_text(public.pay_adjustments), public.value_adjustment, public.decide_adjustments
  to authenticated, service_role;
