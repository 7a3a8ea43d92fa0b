create or replace FUNCTION private.keep_locked_decision()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  decision public.time_decisions := case when tg_op = 'INSERT' then new else old end;
  was boolean := case when tg_op <> 'INSERT' then old.approved end;
  will boolean := case when tg_op <> 'DELETE' then new.approved end;
  due tstzrange;
  came timestamptz;
  went timestamptz;
begin
  select a.period, r.clock_in_at, r.clock_out_at into due, came, went
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.id = decision.attendance_id;
  if decision.kind = 'rest_override' then
    perform private.refuse_locked(decision.user_id, tstzrange(lower(due), lower(due), '[]'));
  end if;
  if decision.kind in ('stayed_on', 'overtime') then
    perform private.refuse_locked(decision.user_id, tstzrange(upper(due), greatest(went, upper(due))));
  end if;
  if decision.kind = 'early_arrival' and (was is true) <> (will is true)
    or decision.kind = 'overtime' and (was is false) <> (will is false)
  then
    perform private.refuse_locked(decision.user_id, tstzrange(least(came, lower(due)), lower(due)));
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$function$;
