create table public.duty_notices ();

alter table public.duty_notices add column assignment_id uuid;

alter table public.duty_notices add column shift_id uuid;

alter table public.duty_notices add column user_id uuid not null;

alter table public.duty_notices add column site_id uuid not null;

alter table public.duty_notices add column kind text not null;

alter table public.duty_notices add column minutes integer;

alter table public.duty_notices add column reason text;

alter table public.duty_notices add column starts_at timestamp with time zone not null;

alter table public.duty_notices add column device_at timestamp with time zone not null;

alter table public.duty_notices add column said_at timestamp with time zone not null;

alter table public.duty_notices add column ended_at timestamp with time zone;

alter table public.duty_notices add column id uuid default gen_random_uuid() not null;

alter table public.duty_notices add column received_at timestamp with time zone default now() not null;

CREATE OR REPLACE FUNCTION private.duty_notice_lead()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN '24:00:00'::interval;

CREATE OR REPLACE FUNCTION public.is_open(notice public.duty_notices)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (((notice).ended_at IS NULL) AND (EXISTS (SELECT FROM public.assignments a WHERE ((a.id = (is_open.notice).assignment_id) AND (a.user_id = (is_open.notice).user_id) AND (a.shift_id = (is_open.notice).shift_id) AND (a.starts_at = (is_open.notice).starts_at) AND (a.status = ANY (ARRAY['assigned'::text, 'confirmed'::text])) AND a.counts_as_staffed AND (a.attendance_state = 'none'::text) AND (upper(a.period) > now())))));

CREATE OR REPLACE FUNCTION public.said(notice public.duty_notices)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE (notice).kind WHEN 'running_late'::text THEN concat_ws(', '::text, format('says: %s min late'::text, (notice).minutes), (notice).reason) ELSE concat_ws(': '::text, 'can''t come', (notice).reason) END;

CREATE OR REPLACE FUNCTION private.guards_who_cant_come(p_shift uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(n.user_id order by n.received_at, n.id), '{}')
  from public.duty_notices n where n.shift_id = p_shift and n.kind = 'cant_come' and public.is_open(n);
$function$;

CREATE OR REPLACE FUNCTION private.said_about(mine public.assignments)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select concat_ws(' ', private.name_of_person(mine.user_id), (
    select public.said(n) from public.duty_notices n where n.assignment_id = mine.id and n.ended_at is null
  ));
$function$;

CREATE OR REPLACE FUNCTION private.seats_to_fill(p_shift public.shifts)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (private.free_seats(p_shift) + cardinality(private.guards_who_cant_come((p_shift).id)));

create or replace FUNCTION private.close_offers(p_shifts uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  gone public.offers;
begin
  if not exists (
    select from unnest(p_shifts) s (id)
    join public.offers waiting on waiting.shift_id = s.id and waiting.kind = 'offer' and waiting.status = 'asked'
  ) then
    return;
  end if;
  for gone in
    update public.offers o
    set status = 'lapsed', decided_at = now(),
      decision_note = case when ended.is_on_shift then 'You are on this shift.'
        else 'The shift has gone to another guard.' end
    from (
      select waiting.id, exists (
          select from public.assignments a
          where a.shift_id = s.id and a.user_id = waiting.user_id and a.status in ('assigned', 'confirmed', 'completed')
        ) as is_on_shift,
        private.seats_to_fill(s) < 1 as is_full
      from public.offers waiting join public.shifts s on s.id = waiting.shift_id
      where waiting.kind = 'offer' and waiting.status = 'asked' and s.id = any (p_shifts)
    ) ended
    where o.id = ended.id and (ended.is_on_shift or ended.is_full)
    returning o.*
  loop
    perform private.notify(gone.user_id, 'offer_lapsed', 'The shift has gone to another guard',
      private.shift_text(gone.shift_id), '/staff', 'lapsed:' || gone.id)
    where gone.decision_note <> 'You are on this shift.';
  end loop;
end
$function$;

create or replace FUNCTION private.alert_title(p_kind text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE p_kind WHEN 'missing'::text THEN 'Guard missing'::text WHEN 'empty'::text THEN 'Post empty'::text WHEN 'cant_come'::text THEN 'Can''t come'::text WHEN 'running_late'::text THEN 'Running late'::text WHEN 'left_early'::text THEN 'Left early'::text WHEN 'welfare'::text THEN 'No answer to a welfare check'::text WHEN 'sos'::text THEN 'SOS'::text WHEN 'tour'::text THEN 'Patrol missed'::text WHEN 'no_signal'::text THEN 'No signal'::text ELSE NULL::text END;

create or replace FUNCTION private.board_of_shifts(chosen uuid[])
 RETURNS TABLE(sites json, shifts json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
  select (
    select coalesce(json_agg(json_build_object(
      'id', t.id, 'name', t.name, 'client', t.client_name, 'timezone', t.timezone, 'county', t.county,
      'latitude', t.latitude, 'longitude', t.longitude, 'alert_after_minutes', t.alert_after_minutes,
      'supervisors', array(
        select coalesce(nullif(p.full_name, ''), p.email)
        from public.user_roles r join public.profiles p on p.id = r.user_id
        where r.role = 'supervisor' and r.site_id = t.id
        order by 1
      )
    )), '[]')
    from public.sites t where t.id in (select s.site_id from public.shifts s where s.id = any (chosen))
  ), (
    select coalesce(json_agg(json_build_object(
      'id', s.id, 'site_id', s.site_id, 'post_id', s.post_id, 'post', o.name,
      'starts', s.start_time, 'ends', s.end_time, 'needed', s.required_headcount,
      'empty', greatest(s.required_headcount - work.staffed, 0), 'guards', work.guards,
      'alerts', (
        select coalesce(json_agg(json_build_object(
          'id', l.id, 'kind', l.kind, 'assignment_id', l.assignment_id
        ) order by l.raised_at), '[]')
        from public.alerts l where l.shift_id = s.id and l.closed_at is null
      )
    )), '[]')
    from public.shifts s
    left join public.posts o on o.id = s.post_id
    cross join lateral (
      select count(*) filter (where a.counts_as_staffed) as staffed,
        coalesce(json_agg(json_build_object(
          'assignment_id', a.id, 'user_id', a.user_id, 'name', coalesce(nullif(p.full_name, ''), p.email, ''),
          'phone', p.phone, 'role', a.role_at_shift, 'status', a.status, 'on_leave', a.on_leave,
          'expected', private.expected_at(a.starts_at, a.created_at),
          'joins', case when a.starts_at > s.start_time then a.starts_at end,
          'clock_in', r.clock_in_at, 'clock_out', r.clock_out_at,
          'way', coalesce(r.clock_out_way, r.clock_in_way),
          'late_minutes', coalesce(r.late_minutes, 0), 'early_minutes', coalesce(r.early_minutes, 0),
          'left_early', coalesce(s.end_time - r.clock_out_at > private.early_leave_margin(), false),
          'distance_m', coalesce(r.clock_out_distance_m, r.clock_in_distance_m), 'flags', coalesce(r.flags, '{}'),
          'heard', h.heard_at, 'waiting', coalesce(h.waiting, 0),
          'notice', (
            select json_build_object('kind', n.kind, 'said', public.said(n), 'at', n.said_at)
            from public.duty_notices n where n.assignment_id = a.id and public.is_open(n)
          )
        ) order by p.full_name, a.id), '[]') as guards
      from public.assignments a
      join public.profiles p on p.id = a.user_id
      -- A reopened or corrected assignment may have several records.
      left join lateral (
        select * from public.attendance r where r.assignment_id = a.id order by r.clock_in_at desc limit 1
      ) r on true
      left join private.phone_signals h
        on h.user_id = a.user_id and r.clock_out_at is null and h.heard_at >= r.clock_in_at
      where a.shift_id = s.id and a.status <> 'cancelled'
    ) work
    where s.id = any (chosen)
  );
end
$function$;

create or replace FUNCTION public.answer_offer(p_offer_id uuid, p_accept boolean)
 RETURNS public.offers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  perform private.lock_shifts_and_people(array[offer.shift_id], me || private.guards_who_cant_come(offer.shift_id));
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
  arrival := private.earliest_arrival(shift);
  obstacle := case when private.seats_to_fill(shift) < 1 then 'The shift has gone to another guard.'
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
  perform private.release_seat(shift);
  insert into public.assignments (shift_id, user_id, status, confirmed_at, joins_at)
  values (shift.id, me, 'confirmed', now(), case when arrival > shift.start_time then arrival end);
  if private.seats_to_fill(shift) < 1 then
    perform private.lapse_offers(shift.id, null);
  end if;
  perform private.notify(offer.asked_by, 'offer_accepted', format('%s is coming', private.name_of_person(me)),
    private.shift_text(shift.id), '/admin/shifts?open=' || shift.id, 'accepted:' || offer.id)
  where offer.asked_by is not null;
  return offer;
end
$function$;

create or replace FUNCTION public.offer_shift(p_shift_id uuid, p_user_ids uuid[], p_note text DEFAULT NULL::text)
 RETURNS SETOF public.offers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  if private.seats_to_fill(shift) < 1 then
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
$function$;

create or replace FUNCTION public.offers_to_me()
 RETURNS TABLE(id uuid, status text, answer text, decision_note text, note text, site_name text, client_name text, address text, post_name text, timezone text, start_time timestamp with time zone, end_time timestamp with time zone, distance_km numeric, is_free boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := auth.uid();
begin
  perform private.require_member();
  return query
  select o.id, o.status, o.answer, o.decision_note, o.note, t.name, t.client_name, t.address,
    (select p.name from public.posts p where p.id = s.post_id), t.timezone,
    case when o.status = 'approved' then coalesce(mine.starts_at, s.start_time) else private.earliest_arrival(s) end,
    s.end_time,
    round(private.distance_m((select p.home_position from public.profiles p where p.id = me), t.latitude, t.longitude)
      / 1000.0, 1),
    private.seats_to_fill(s) > 0
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
  order by o.status = 'asked' desc, s.start_time, o.created_at desc, o.id limit 20;
end
$function$;

create or replace FUNCTION public.danger(alert public.alerts)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN array_position(ARRAY['sos'::text, 'welfare'::text, 'missing'::text, 'empty'::text, 'cant_come'::text, 'left_early'::text, 'running_late'::text, 'tour'::text, 'no_signal'::text], (alert).kind);

create or replace FUNCTION private.settle_alerts(p_shifts uuid[] DEFAULT NULL::uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  settled integer;
  concerned uuid[];
  -- Causes are looked up for these alone, since most guards on duty have no alert. Those of devices belong to no shift.
  open_shifts uuid[];
begin
  select array_agg(a.id), coalesce(array_agg(distinct a.shift_id) filter (where a.shift_id is not null), '{}')
  into concerned, open_shifts
  from (
    select o.id, o.shift_id, o.kind from public.alerts o where p_shifts is null and o.closed_at is null
    union all
    select o.id, o.shift_id, o.kind from public.alerts o where o.shift_id = any (p_shifts) and o.closed_at is null
    union all
    select o.id, o.shift_id, o.kind from public.alerts o
    where p_shifts is not null and o.shift_id is null and o.closed_at is null
  ) a
  where a.kind in ('missing', 'empty', 'cant_come', 'left_early', 'running_late', 'no_signal');
  -- Usually there are none.
  if concerned is null then
    return 0;
  end if;
  with still as materialized (
    -- Twelve hours after the end of the shift nobody can act on it any more.
    select concat_ws(' ', c.cause, c.site_id, c.user_id) as reason
    from private.alert_causes(interval '12 hours', open_shifts) c
  ),
  ended as (
    select a.id, a.cause, a.kind, a.shift_id, a.assignment_id, a.user_id, a.site_id, a.device_id, a.raised_at,
      a.cause like 'no_signal:device:%' as is_device, a.kind in ('cant_come', 'running_late') as is_said
    from unnest(concerned) w (id)
    join public.alerts a on a.id = w.id
    where a.closed_at is null and concat_ws(' ', a.cause, a.site_id, a.user_id) not in (select s.reason from still s)
    -- Somebody is closing it right now: the next round checks again.
    for update of a skip locked
  ),
  reason as (
    select e.id, s.id as shift_id, mine.id as assignment_id, how.outcome, how.note
    from ended e
    left join public.shifts s on s.id = e.shift_id
    left join public.sites t on t.id = s.site_id
    left join public.assignments mine on mine.id = e.assignment_id
    left join public.devices v on v.id = e.device_id
    left join private.phone_signals h on h.user_id = e.user_id
    left join lateral (
      select private.clock_text(heard.at, (select z.timezone from public.sites z where z.id = e.site_id)) as clock
      from (select case when e.is_device then v.last_seen_at else h.heard_at end) heard (at)
      where e.kind = 'no_signal' and heard.at > e.raised_at
    ) again on true
    left join lateral (
      select to_char(r.clock_in_at at time zone t.timezone, 'FMHH12:MI AM') as clocked_in,
        case when r.clock_in_received_at >= r.clock_in_at + interval '1 minute'
          then to_char(r.clock_in_received_at at time zone t.timezone, ', "received" FMHH12:MI AM')
            else '' end as received
      from public.attendance r
      where r.assignment_id = e.assignment_id and e.kind = 'missing'
      order by r.clock_in_at limit 1
    ) work on true
    cross join lateral (
      select outcome, note from (values
        (1, work.clocked_in is not null, 'arrived', 'Clocked in at ' || work.clocked_in || work.received),
        (1, again.clock is not null, 'answered', 'Heard again at ' || again.clock),
        (2, e.is_device and (v.id is null or v.revoked_at is not null), 'closed', 'The device was removed'),
        (2, e.is_device, 'closed', 'The shift is over, or the limit of the site was changed'),
        (2, s.id is null, 'closed', 'The shift was deleted'),
        (3, s.start_time > now() and not e.is_said or s.site_id <> e.site_id, 'closed', 'The shift was moved'),
        (4, s.end_time < now() - interval '12 hours', 'closed', 'The shift is over'),
        (5, e.kind = 'empty', 'covered', 'All seats have a guard'),
        (6, mine.id is null, 'closed', 'The guard was taken off the shift'),
        (6, e.kind = 'cant_come' and mine.status = 'cancelled' and mine.declined_at is not null, 'covered',
          'Another guard has the seat'),
        (7, mine.status = 'cancelled', 'closed', 'The assignment was cancelled'),
        (8, mine.user_id is distinct from e.user_id, 'covered', 'The shift was given to another guard'),
        (9, mine.on_leave, 'closed', 'The guard is on leave'),
        (10, e.kind = 'no_signal' and mine.attendance_state = 'out', 'closed', 'The guard clocked out'),
        (10, e.kind = 'no_signal' and exists (
          select from public.welfare_checks c where c.assignment_id = mine.id and c.received_at >= e.raised_at
        ), 'answered', 'The guard answered a welfare check'),
        (11, e.kind = 'no_signal', 'closed', 'The guard signed out, or the limit of the site was changed'),
        (10, e.kind = 'left_early' and mine.attendance_state = 'in', 'arrived', 'The clock-out was undone'),
        (11, e.kind = 'left_early', 'covered', 'The post is staffed, or the times were changed'),
        (11, e.is_said and mine.attendance_state <> 'none', 'arrived', 'The guard clocked in'),
        (12, e.is_said and upper(mine.period) <= now(), 'closed', 'The shift is over'),
        (12, e.is_said and not exists (
          select from public.duty_notices n where e.cause = n.kind || ':' || n.id and n.ended_at is null
        ), 'closed', 'The guard took it back, or said something else since'),
        (12, mine.status = 'no_show', 'closed', 
          concat_ws(': ', 'The guard is a no-show', mine.no_show_reason)),
        (13, true, 'closed', 'The times or the limit of the site were changed')
      ) possible (rank, applies, outcome, note)
      where applies order by rank limit 1
    ) how
  )
  update public.alerts a set closed_at = now(), outcome = r.outcome, note = r.note,
    -- A shift that is being deleted takes its assignments with it before their references become null.
    shift_id = r.shift_id, assignment_id = r.assignment_id,
    -- A guard who has come is never missing from that shift again; any other cause can return.
    cause = a.cause || case when r.outcome = 'arrived' and a.kind = 'missing' then ''
      else '@' || extract(epoch from clock_timestamp())::text end
  from reason r where a.id = r.id;
  get diagnostics settled = row_count;
  return settled;
end
$function$;

create or replace FUNCTION private.alert_detail(p_kind text, p_shift uuid, p_assignment uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select concat_ws(': ', p.name, case p_kind
    when 'empty' then format('%s of %s seats empty', s.required_headcount - (
        select count(*) from public.assignments a where a.shift_id = s.id and a.counts_as_staffed
      ), s.required_headcount) || (
        select coalesce(string_agg(format(' (%s: %s)', private.name_of_person(a.user_id),
          coalesce(a.no_show_reason, 'did not come')), '' order by a.no_show_at), '')
        from public.assignments a where a.shift_id = s.id and a.status = 'no_show'
      )
    when 'cant_come' then private.said_about(mine)
    when 'running_late' then private.said_about(mine)
    when 'left_early' then format('%s left at %s', private.name_of_person(mine.user_id), (
        select to_char(max(r.clock_out_at) at time zone t.timezone, 'FMHH12:MI AM')
        from public.attendance r where r.assignment_id = mine.id
      ))
    else private.name_of_person(mine.user_id) end)
    || format(', %s to %s', to_char(s.start_time at time zone t.timezone, 'FMHH12:MI AM'),
      to_char(s.end_time at time zone t.timezone, 'FMHH12:MI AM'))
  from public.shifts s
  join public.sites t on t.id = s.site_id
  left join public.posts p on p.id = s.post_id
  left join public.assignments mine on mine.id = p_assignment where s.id = p_shift;
$function$;

create or replace FUNCTION public.assign_replacement(p_shift_id uuid, p_user_id uuid, p_is_coming boolean DEFAULT false, p_note text DEFAULT NULL::text)
 RETURNS public.assignments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  shift public.shifts;
  arrival timestamptz;
  obstacle text;
  is_coming boolean;
  given public.assignments;
begin
  perform private.require_member();
  if not exists (select from public.shifts s where s.id = p_shift_id and private.may_plan(s.site_id)) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if p_is_coming then
    perform public.note_call(p_shift_id, p_user_id, 'coming', p_note);
  end if;
  perform private.lock_shifts_and_people(array[p_shift_id], p_user_id || private.guards_who_cant_come(p_shift_id));
  select * into shift from public.shifts s where s.id = p_shift_id;
  if private.seats_to_fill(shift) < 1 then
    raise exception 'Every post of this shift has been given.' using errcode = 'PT409';
  end if;
  obstacle := private.obstacle_to_replace(p_user_id, shift);
  if obstacle is not null then
    raise exception '% can''t take this shift: %', private.name_of_person(p_user_id), obstacle using errcode = 'PT409';
  end if;
  arrival := private.earliest_arrival(shift);
  is_coming := coalesce((
    select c.result = 'coming' from public.replacement_calls c
    where c.shift_id = shift.id and c.user_id = p_user_id order by c.created_at desc limit 1
  ), false);
  perform private.release_seat(shift);
  insert into public.assignments (shift_id, user_id, status, confirmed_at, joins_at)
  values (shift.id, p_user_id, case when is_coming then 'confirmed' else 'assigned' end,
    case when is_coming then now() end, case when arrival > shift.start_time then arrival end)
  returning * into given;
  perform private.tell_guards(shift.id, 'assigned', array[given.id], array[p_user_id]);
  return given;
end
$function$;

create or replace FUNCTION private.alert_causes(p_after_end interval DEFAULT '00:00:00'::interval, p_shifts uuid[] DEFAULT NULL::uuid[])
 RETURNS TABLE(cause text, kind text, shift_id uuid, assignment_id uuid, user_id uuid, site_id uuid, device_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  with wanted as (
    -- Three days back find every running shift by the index: hardly any is longer than one day. A few are found by
    -- their ids.
    select a.* from public.assignments a
    where (cardinality(p_shifts) <= 100) is not true and a.starts_at between now() - interval '3 days' and now()
      and (p_shifts is null or a.shift_id in (select unnest(p_shifts)))
    union all
    select a.* from public.assignments a
    where cardinality(p_shifts) <= 100 and a.shift_id = any (p_shifts)
      and a.starts_at between now() - interval '3 days' and now()
    union all
    -- Replacements on the way hold their seats before they join.
    select a.* from public.assignments a
    where a.joins_at is not null and a.starts_at > now() and a.starts_at < now() + interval '3 days'
      and (p_shifts is null or a.shift_id = any (p_shifts))
  ),
  duty as (
    select a.id, a.shift_id, a.user_id, a.site_id, a.starts_at, upper(a.period) as ends_at, a.status,
      a.attendance_state, a.created_at, count(*) filter (where a.attendance_state = 'in') over of_shift as present
    from wanted a
    where upper(a.period) > now() - p_after_end and a.counts_as_staffed
    window of_shift as (partition by a.shift_id)
  ),
  staff as (select d.shift_id, count(*) as guards from duty d group by d.shift_id)
  select 'missing:' || d.id, 'missing', d.shift_id, d.id, d.user_id, d.site_id, null::uuid
  from duty d
  join public.sites t on t.id = d.site_id
  where d.attendance_state = 'none' and d.status <> 'completed'
    and private.expected_at(d.starts_at, d.created_at) <= now() - make_interval(mins => t.alert_after_minutes)
  union all
  select 'empty:' || s.id, 'empty', s.id, null, null, s.site_id, null
  from (
    select s.* from public.shifts s
    where (cardinality(p_shifts) <= 100) is not true and s.start_time between now() - interval '3 days' and now()
      and (p_shifts is null or s.id in (select unnest(p_shifts)))
    union all
    select s.* from public.shifts s
    where cardinality(p_shifts) <= 100 and s.id = any (p_shifts) and s.start_time between now() - interval '3 days'
      and now()
  ) s
  left join staff c on c.shift_id = s.id
  where s.end_time > now() - p_after_end and coalesce(c.guards, 0) < s.required_headcount
  union all
  select 'left_early:' || d.id, 'left_early', d.shift_id, d.id, d.user_id, d.site_id, null
  from duty d
  join public.shifts s on s.id = d.shift_id
  where d.attendance_state = 'out' and d.present < s.required_headcount
    and not exists (
      select from public.attendance r
      where r.assignment_id = d.id and r.clock_out_at >= d.ends_at - private.early_leave_margin()
    )
    and exists (select from public.attendance r where r.assignment_id = d.id)
    and not exists (
      select from public.shifts relief
      join public.assignments o on o.shift_id = relief.id and o.attendance_state = 'in'
      where relief.post_id = s.post_id and relief.start_time between s.end_time - interval '1 hour' and s.end_time
    )
  union all
  select 'no_signal:' || d.id, 'no_signal', d.shift_id, d.id, d.user_id, d.site_id, null
  from duty d
  join public.sites t on t.id = d.site_id
  join public.shifts s on s.id = d.shift_id
  left join public.posts p on p.id = s.post_id
  join private.phone_signals h on h.user_id = d.user_id
  cross join lateral (select now() - make_interval(mins => t.no_signal_after_minutes) as since) silent
  where d.attendance_state = 'in' and not h.is_away and h.heard_at <= silent.since
    and private.welfare_minutes(t.welfare_every_minutes, p.lone_worker) is not null
    and (h.session_id is null or exists (select from auth.sessions x where x.id = h.session_id))
    and exists (
      select from public.attendance r
      where r.assignment_id = d.id and private.is_clocked_in(r)
        and r.clock_in_at <= h.heard_at
    )
    -- The guard may have answered by a text message.
    and not exists (select from public.welfare_checks c where c.assignment_id = d.id and c.received_at > silent.since)
  union all
  select n.kind || ':' || n.id, n.kind, n.shift_id, n.assignment_id, n.user_id, n.site_id, null
  from public.duty_notices n
  where n.ended_at is null and n.starts_at > now() - interval '3 days'
    and (p_shifts is null or n.shift_id = any (p_shifts)) and public.is_open(n)
  union all
  -- Of every site, whatever shifts are asked for: a device belongs to none of them.
  select 'no_signal:device:' || v.id, 'no_signal', null, null, null, v.site_id, v.id
  from public.devices v
  join public.sites t on t.id = v.site_id
  where v.revoked_at is null and v.away_at is null and 'device' = any (t.clock_ways)
    and v.last_seen_at <= now() - make_interval(mins => t.no_signal_after_minutes)
    and exists (
      select from public.shifts s
      where s.site_id = v.site_id and s.start_time between now() - interval '3 days' and now() + interval '1 hour'
        and s.end_time > now() - p_after_end
    );
$function$;

create or replace FUNCTION private.delivery_statement(p_call text, p_values jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  names text[] := array(select jsonb_object_keys(p_values));
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
    'record_scans', 'report_duty_notice', 'withdraw_duty_notice'])
  then
    select string_agg(format('%I %s', a.name, format_type(a.type, null)), ', '),
      string_agg(format('%1$I => x.%1$I', a.name), ', ')
    into listed, passed
    from pg_catalog.pg_proc p, unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) a (name, type)
    where p.pronamespace = 'public'::regnamespace and p.proname = p_call and a.name = any (names);
    return format('select from jsonb_to_record($1) x (%s), public.%I(%s)', listed, p_call, passed);
  end if;
  raise exception 'This can''t be delivered without signing in.' using errcode = 'PT403';
end
$function$;

create or replace view public.attendance_overview with (security_invoker=true) as  SELECT a.id AS assignment_id,
    r.id AS attendance_id,
    a.user_id,
    COALESCE(NULLIF(p.full_name, ''::text), p.email, ''::text) AS guard_name,
    a.role_at_shift,
    a.status,
    a.attendance_state,
    a.site_id,
    t.name AS site_name,
    t.client_name,
    t.timezone,
    a.starts_at AS start_time,
    upper(a.period) AS end_time,
    r.clock_in_at,
    r.clock_out_at,
    COALESCE(r.late_minutes, 0) AS late_minutes,
    COALESCE(r.early_minutes, 0) AS early_minutes,
    NULLIF(GREATEST(
        CASE
            WHEN private.is_outside(r.clock_in_distance_m, r.clock_in_accuracy_m, t.geofence_radius_m) THEN r.clock_in_distance_m
            ELSE 0
        END,
        CASE
            WHEN private.is_outside(r.clock_out_distance_m, r.clock_out_accuracy_m, t.geofence_radius_m) THEN r.clock_out_distance_m
            ELSE 0
        END), 0) AS outside_m,
    COALESCE(r.flags, '{}'::text[]) AS flags,
    COALESCE(r.needs_review, false) AS needs_review,
    (r.corrected_at IS NOT NULL) AS is_corrected,
    array_remove(ARRAY[
        CASE
            WHEN (state.is_open AND (upper(a.period) > (now() - private.clock_out_grace()))) THEN 'in'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (state.is_open AND (upper(a.period) <= (now() - private.clock_out_grace()))) THEN 'forgotten'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (r.late_minutes > 0) THEN 'late'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (a.counts_as_staffed AND (a.attendance_state = 'none'::text) AND (private.expected_at(a.starts_at, a.created_at) <= (now() - make_interval(mins => t.alert_after_minutes)))) THEN 'missing'::text
            ELSE NULL::text
        END,
        CASE
            WHEN ('outside_fence'::text = ANY (r.flags)) THEN 'outside'::text
            ELSE NULL::text
        END,
        CASE
            WHEN ('no_location'::text = ANY (r.flags)) THEN 'no_location'::text
            ELSE NULL::text
        END,
        CASE
            WHEN ('sent_late'::text = ANY (r.flags)) THEN 'late_sent'::text
            ELSE NULL::text
        END,
        CASE
            WHEN ('entered_by_guard'::text = ANY (r.flags)) THEN 'by_guard'::text
            ELSE NULL::text
        END,
        CASE
            WHEN r.needs_review THEN 'review'::text
            ELSE NULL::text
        END,
        CASE
            WHEN state.is_issue THEN 'issues'::text
            ELSE NULL::text
        END], NULL::text) AS states,
    a.on_leave,
    r.clock_in_way,
    r.clock_out_way,
    a.no_show_reason,
    ( SELECT public.said(n.*) AS said
           FROM public.duty_notices n
          WHERE ((n.assignment_id = a.id) AND (n.ended_at IS NULL))) AS said
   FROM ((((public.assignments a
     JOIN public.sites t ON ((t.id = a.site_id)))
     LEFT JOIN public.profiles p ON ((p.id = a.user_id)))
     LEFT JOIN public.attendance r ON ((r.assignment_id = a.id)))
     CROSS JOIN LATERAL ( SELECT ((r.clock_in_at IS NOT NULL) AND (r.clock_out_at IS NULL)) AS is_open,
            (private.is_attendance_issue(a.*) AND ((a.attendance_state = 'none'::text) OR ((r.clock_in_at IS NOT NULL) AND (r.clock_out_at IS NULL)))) AS is_issue) state);;

alter table public.alerts drop constraint alerts_kind_check;

alter table public.alerts add constraint alerts_kind_check CHECK ((kind = ANY (ARRAY['sos'::text, 'welfare'::text, 'missing'::text, 'empty'::text, 'cant_come'::text, 'left_early'::text, 'running_late'::text, 'tour'::text, 'no_signal'::text])));

CREATE OR REPLACE FUNCTION private.release_seat(p_shift public.shifts)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  gone public.assignments;
begin
  if private.free_seats(p_shift) > 0 then
    return;
  end if;
  update public.assignments a
  set status = 'cancelled', declined_at = n.said_at, declined_reason = n.reason, confirmed_at = null
  from public.duty_notices n
  where n.assignment_id = a.id and n.kind = 'cant_come' and n.ended_at is null and a.shift_id = p_shift.id
    and a.user_id = (private.guards_who_cant_come(p_shift.id))[1]
  returning a.* into gone;
  perform private.notify(gone.user_id, 'roster', 'Another guard has your shift', private.shift_text(p_shift.id),
    '/staff/shifts', 'released:' || gone.id)
  where gone.id is not null;
end
$function$;

CREATE OR REPLACE FUNCTION public.report_duty_notice(p_id uuid, p_assignment_id uuid, p_kind text, p_reason text, p_device_at timestamp with time zone, p_minutes integer DEFAULT NULL::integer, p_server_offset_ms bigint DEFAULT NULL::bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := auth.uid();
  mine public.assignments;
  known public.duty_notices;
  reason text := nullif(btrim(p_reason), '');
  said timestamptz := p_device_at + make_interval(secs => coalesce(p_server_offset_ms, 0) / 1000.0);
begin
  if not private.is_member() then
    -- 401, so that the phone keeps the notice until the user has signed in fully.
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  if p_id is null or p_assignment_id is null or p_device_at is null or not isfinite(p_device_at)
    or p_kind is null or p_kind not in ('running_late', 'cant_come')
    or (p_kind = 'running_late') is distinct from (p_minutes is not null)
  then
    raise exception 'Say that you are running late, and by how many minutes, or that you can''t come.'
      using errcode = 'invalid_parameter_value';
  end if;
  if p_minutes not between 1 and 240 then
    raise exception 'Enter 1 to 240 minutes.' using errcode = 'check_violation';
  end if;
  if reason is null or char_length(reason) > 300 then
    raise exception 'Give a reason of at most 300 characters.' using errcode = 'check_violation';
  end if;
  select * into mine from public.assignments a where a.id = p_assignment_id and a.user_id = me;
  perform private.lock_shifts_and_people(array_remove(array[mine.shift_id], null), array[me]);
  select * into known from public.duty_notices n where n.id = p_id;
  if found then
    if known.user_id <> me then
      raise exception 'This id belongs to another notice.' using errcode = 'unique_violation';
    end if;
    return public.is_open(known);
  end if;
  select * into mine from public.assignments a where a.id = p_assignment_id and a.user_id = me;
  if not found or mine.status = 'cancelled' then
    raise exception 'This shift is no longer yours.' using errcode = 'PT404';
  end if;
  if mine.starts_at > now() + private.duty_notice_lead() then
    raise exception 'This shift begins in more than 24 hours. Decline it, and another guard is found.'
      using errcode = 'PT409';
  end if;
  update public.duty_notices n set ended_at = now() where n.assignment_id = mine.id and n.ended_at is null;
  insert into public.duty_notices (id, assignment_id, shift_id, user_id, site_id, kind, minutes, reason, starts_at,
    device_at, said_at)
  values (p_id, mine.id, mine.shift_id, me, mine.site_id, p_kind, p_minutes, reason, mine.starts_at, p_device_at,
    greatest(timestamptz '2000-01-01', least(now(), said)))
  returning * into known;
  perform private.settle_alerts(array[mine.shift_id]);
  perform private.close_offers(array[mine.shift_id]);
  return public.is_open(known);
end
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_duty_notice(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := auth.uid();
  notice public.duty_notices;
  mine public.assignments;
begin
  if not private.is_member() then
    raise exception 'Finish signing in, then this is sent.' using errcode = 'PT401';
  end if;
  select * into notice from public.duty_notices n where n.id = p_id and n.user_id = me;
  perform private.lock_shifts_and_people(array_remove(array[notice.shift_id], null), array[me]);
  select * into notice from public.duty_notices n where n.id = p_id and n.user_id = me;
  if not found then
    raise exception 'There is nothing to take back: this notice was not accepted.' using errcode = 'PT404';
  end if;
  if notice.ended_at is not null then
    return;
  end if;
  select * into mine from public.assignments a where a.id = notice.assignment_id and a.user_id = me;
  if mine.id is null or mine.status = 'cancelled' then
    raise exception 'This shift is no longer yours: another guard has it, or it was cancelled.' using errcode = 'PT409';
  end if;
  update public.duty_notices n set ended_at = now() where n.id = notice.id;
  perform private.settle_alerts(array[notice.shift_id]);
  perform private.close_offers(array[notice.shift_id]);
end
$function$;

alter table public.duty_notices add constraint duty_notices_kind_check CHECK ((kind = ANY (ARRAY['running_late'::text, 'cant_come'::text])));

alter table public.duty_notices add constraint duty_notices_minutes_check CHECK (((minutes >= 1) AND (minutes <= 240)));

alter table public.duty_notices add constraint duty_notices_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 300)));

alter table public.duty_notices add constraint duty_notices_device_at_check CHECK (isfinite(device_at));

alter table public.duty_notices add constraint duty_notices_minutes_of_late CHECK (((kind = 'running_late'::text) = (minutes IS NOT NULL)));

alter table public.duty_notices add constraint duty_notices_pkey PRIMARY KEY (id);

alter table public.duty_notices add constraint duty_notices_assignment_id_fkey FOREIGN KEY (assignment_id) REFERENCES public.assignments(id) ON DELETE SET NULL;

alter table public.duty_notices add constraint duty_notices_shift_id_fkey FOREIGN KEY (shift_id) REFERENCES public.shifts(id) ON DELETE SET NULL;

alter table public.duty_notices add constraint duty_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

alter table public.duty_notices add constraint duty_notices_site_id_fkey FOREIGN KEY (site_id) REFERENCES public.sites(id) ON DELETE CASCADE;

CREATE INDEX duty_notices_starts_at_idx ON public.duty_notices USING btree (starts_at) WHERE (ended_at IS NULL);

CREATE INDEX duty_notices_shift_id_idx ON public.duty_notices USING btree (shift_id);

CREATE UNIQUE INDEX duty_notices_one_per_assignment ON public.duty_notices USING btree (assignment_id) WHERE (ended_at IS NULL);

CREATE INDEX duty_notices_assignment_id_idx ON public.duty_notices USING btree (assignment_id);

CREATE INDEX duty_notices_user_id_idx ON public.duty_notices USING btree (user_id);

CREATE INDEX duty_notices_site_id_idx ON public.duty_notices USING btree (site_id);

CREATE INDEX duty_notices_to_blank_idx ON public.duty_notices USING btree (received_at) WHERE (reason IS NOT NULL);

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.duty_notices REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.duty_notices REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.duty_notices REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

create policy "Guards read what they said about their own shifts" on public.duty_notices for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_member() AS is_member)));

create policy "Planners and HR read what every guard says about a shift" on public.duty_notices for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'supervisor'::text, 'dispatcher'::text, 'hr'::text]) AS has_role));

create policy "Supervisors read what guards say about their own sites" on public.duty_notices for select to authenticated using ((site_id = ANY (( SELECT private.supervised_sites() AS supervised_sites)::uuid[])));

alter table public.duty_notices enable row level security;

alter table public.duty_notices replica identity full;

alter publication supabase_realtime add table public.duty_notices;

grant SELECT on public.duty_notices to authenticated;

grant all on public.duty_notices to service_role;

grant execute on function private.duty_notice_lead() to authenticated;

grant execute on function public.is_open(public.duty_notices) to authenticated;

grant execute on function public.is_open(public.duty_notices) to service_role;

grant execute on function public.said(public.duty_notices) to authenticated;

grant execute on function public.said(public.duty_notices) to service_role;

grant execute on function public.report_duty_notice(uuid,uuid,text,text,timestamp with time zone,integer,bigint) to authenticated;

grant execute on function public.withdraw_duty_notice(uuid) to authenticated;

comment on column public.duty_notices.site_id is 'Derived: the site of the shift, so that policies need no join';

comment on column public.duty_notices.minutes is 'How late, after starts_at';

comment on column public.duty_notices.starts_at is 'When the guard was expected; it no longer counts for a shift that has moved since';

comment on column public.duty_notices.device_at is 'By the clock of the phone, as it was';

comment on column public.duty_notices.said_at is 'device_at by the clock of the server, never after received_at';

comment on column public.duty_notices.ended_at is 'When the guard took it back, or replaced it by a newer one';

comment on function public.said(public.duty_notices) is 'Never null';

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": [], "newest": "r.received_at", "target": "public.duty_notices", "belongs": "r.user_id = $1", "blanked": ["reason"], "withheld": [], "is_shared": false, "on_erasure": "blank"}');

insert into private.retention_parts ("age","due","key","kind","target","blanked","is_quiet","position","stripped") select "age","due","key","kind","target","blanked","is_quiet","position","stripped" from jsonb_populate_record(null::private.retention_parts, '{"age": "r.received_at", "due": "r.reason is not null and r.received_at < $1", "key": "id", "kind": "leave_reasons", "target": "public.duty_notices", "blanked": ["reason"], "is_quiet": false, "position": 2, "stripped": null}');
