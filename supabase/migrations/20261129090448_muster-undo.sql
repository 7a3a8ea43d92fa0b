revoke execute on function public.record_muster(uuid,uuid,timestamp with time zone,timestamp with time zone,bigint,text,real,integer,text) from authenticated;

drop function public.muster_list();

create FUNCTION public.muster_list()
 RETURNS TABLE(assignment_id uuid, user_id uuid, guard_name text, role_at_shift text, site_id uuid, site_name text, timezone text, start_time timestamp with time zone, end_time timestamp with time zone, attendance_state text, clock_in_at timestamp with time zone, clock_in_way text, is_absent boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.id, a.user_id, coalesce(nullif(p.full_name, ''), p.email, ''), a.role_at_shift, s.id, s.name, s.timezone,
    a.starts_at, upper(a.period), a.attendance_state, r.clock_in_at, r.clock_in_way, a.status = 'no_show'
  from public.assignments a
  join public.sites s on s.id = a.site_id
  join public.profiles p on p.id = a.user_id
  left join lateral (
    select * from public.attendance r where r.assignment_id = a.id order by r.clock_in_at desc limit 1
  ) r on true
  where a.status <> 'cancelled' and a.user_id <> auth.uid()
    and a.starts_at between now() - interval '24 hours' and now() + interval '1 hour' and upper(a.period) > now()
    and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or a.site_id = any ((select private.supervised_sites())::uuid[])
    )
  order by s.name, s.id, 3, a.id limit 1000;
$function$;

comment on function public.muster_list is 'Nullable: role_at_shift, clock_in_at, clock_in_way';
grant execute on function public.muster_list to authenticated;

create or replace FUNCTION private.withdraw_clock_in(p_event public.clock_events, p_attendance_id uuid, p_known_at timestamp with time zone, p_by_sending timestamp with time zone)
 RETURNS public.clock_events
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  event public.clock_events := p_event;
  record public.attendance := private.record_to_withdraw(event.user_id, event.assignment_id, p_attendance_id,
    event.way, event.made_by);
begin
  event.effective_at := greatest(record.clock_in_at,
    private.time_of_event(p_known_at, p_by_sending, record.clock_in_at - interval '5 minutes'));
  if event.effective_at > record.clock_in_at + private.withdraw_window() then
    raise exception 'A clock-in can be taken back for % minutes. Ask your supervisor to correct it.',
      extract(minute from private.withdraw_window()) using errcode = 'check_violation';
  end if;
  perform private.end_checks_of(record.assignment_id, 'The clock-in was taken back');
  -- A guard who has come is never missing again, but this one has not come.
  update public.alerts a set cause = a.cause || '@' || extract(epoch from clock_timestamp())::text
  where a.cause = 'missing:' || record.assignment_id and a.closed_at is not null;
  update public.clock_events e set attendance_id = null where e.attendance_id = record.id;
  delete from public.attendance r where r.id = record.id;
  update public.assignments a set
    attendance_state = case when earlier.is_known then 'out' else 'none' end,
    status = case when earlier.is_known and a.status in ('assigned', 'confirmed') then 'completed' else a.status end
  from (
    select exists (select from public.attendance r where r.assignment_id = record.assignment_id) as is_known
  ) earlier
  where a.id = record.assignment_id;
  insert into public.clock_events select event.*;
  return event;
end
$function$;

create or replace FUNCTION private.delivery_statement(p_call text, p_values jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  names text[] := array(select jsonb_object_keys(p_values));
  call oid;
  listed text;
  passed text;
begin
  if p_call = any (array['incidents', 'report_notes', 'leave_requests', 'timesheet_disputes']) then
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into listed
    from pg_catalog.pg_attribute a
    where a.attrelid = ('public.' || p_call)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname = any (names);
    return format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
      on conflict (id) do nothing', p_call, listed);
  end if;
  if p_call = any (array['record_clock_event', 'raise_sos', 'cancel_sos', 'answer_welfare_check', 'answer_assignment',
    'confirm_post_orders', 'record_muster', 'mark_no_show', 'undo_no_show', 'leave_note', 'take_over', 'answer_offer',
    'record_scans'])
  then
    select p.oid into call from pg_catalog.pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname = p_call;
    select string_agg(format('%I %s', a.name, format_type(a.type, null)), ', '),
      string_agg(format('%1$I => x.%1$I', a.name), ', ')
    into listed, passed
    from pg_catalog.pg_proc p, unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) a (name, type)
    where p.oid = call and a.name = any (names);
    return format('select from jsonb_to_record($1) x (%s), public.%I(%s)', listed, p_call, passed);
  end if;
  raise exception 'This can''t be delivered without signing in.' using errcode = 'PT403';
end
$function$;

CREATE OR REPLACE FUNCTION private.record_to_withdraw(me uuid, assignment uuid, wanted uuid, p_way text, p_made_by uuid)
 RETURNS public.attendance
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  record public.attendance;
begin
  select * into record from public.attendance r
  where r.assignment_id = assignment and r.user_id = me and r.clock_out_at is null
  order by r.id = wanted desc nulls last limit 1;
  if not found then
    raise exception 'There is no clock-in to take back.' using errcode = 'PT404';
  end if;
  if p_way = 'muster' and (record.corrected_at is not null or record.clock_in_way <> 'muster' or exists (
    select from public.clock_events e
    where e.attendance_id = record.id and (e.way <> 'muster' or e.made_by is distinct from p_made_by)
  )) then
    raise exception 'This guard has not been clocked in by you alone. Correct it in Attendance.'
      using errcode = 'check_violation';
  end if;
  if p_way <> 'muster' and (record.corrected_at is not null or record.clock_in_way <> 'phone' or exists (
    select from public.clock_events e where e.attendance_id = record.id and e.way <> 'phone'
  )) then
    raise exception 'Somebody else has recorded that you are at post. Ask your supervisor to correct it.'
      using errcode = 'check_violation';
  end if;
  return record;
end
$function$;

CREATE OR REPLACE FUNCTION public.record_muster(p_id uuid, p_assignment_id uuid, p_device_at timestamp with time zone, p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_server_offset_ms bigint DEFAULT NULL::bigint, p_gps text DEFAULT NULL::text, p_accuracy_m real DEFAULT NULL::real, p_fix_age_s integer DEFAULT NULL::integer, p_photo text DEFAULT NULL::text, p_kind text DEFAULT 'in'::text)
 RETURNS public.clock_events
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  event public.clock_events;
  assignment public.assignments;
begin
  if p_kind is null or p_kind not in ('in', 'withdraw') then
    raise exception 'A muster is in or withdraw.' using errcode = 'invalid_parameter_value';
  end if;
  if not private.is_member() then
    -- 401, so that the phone keeps the event until the user has signed in fully.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  select * into assignment from public.assignments a where a.id = p_assignment_id;
  if assignment.id is null or not private.may_oversee(assignment.site_id) then
    raise exception 'You can muster only guards at your own sites.' using errcode = 'insufficient_privilege';
  end if;
  if assignment.user_id = auth.uid() then
    raise exception 'You can''t muster yourself.' using errcode = 'insufficient_privilege';
  end if;
  begin
    event := private.record_event_for(assignment.user_id, 'muster', auth.uid(), null, p_id, p_kind, p_assignment_id,
      p_device_at, null, p_sent_at, p_server_offset_ms, null, p_gps, p_accuracy_m, p_fix_age_s,
      case when p_kind = 'in' and p_gps is null then 'Mustered without a location' end);
  exception when unique_violation then
    if sqlerrm <> 'You are already clocked in.' then
      raise;
    end if;
    raise exception 'This guard is still clocked in on another shift.' using errcode = 'unique_violation';
  end;
  perform private.store_clock_photo(event.id, assignment.site_id, assignment.user_id, p_photo);
  return event;
end
$function$;

grant execute on function public.record_muster(uuid,uuid,timestamp with time zone,timestamp with time zone,bigint,text,real,integer,text,text) to authenticated;

drop function private.record_to_withdraw(uuid,uuid,uuid);

drop function public.record_muster(uuid,uuid,timestamp with time zone,timestamp with time zone,bigint,text,real,integer,text);
