create or replace FUNCTION public.return_key(p_movement_id uuid, p_assignment_id uuid DEFAULT NULL::uuid, p_device_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_sent_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_server_offset_ms bigint DEFAULT NULL::bigint)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  movement public.key_movements;
begin
  select * into movement from public.key_movements k where k.id = p_movement_id for update;
  perform private.require_book_of(movement.site_id, p_assignment_id);
  if movement.in_at is null and movement.struck_at is null then
    update public.key_movements k set in_by = auth.uid(),
      in_at = greatest(k.out_at, coalesce(private.moment_of_device(p_device_at, p_sent_at, p_server_offset_ms), now())),
      in_device_at = case when isfinite(p_device_at) then p_device_at end
    where k.id = p_movement_id returning * into movement;
    perform private.end_key_notices(p_movement_id);
  end if;
  return movement.in_at;
end
$function$;

create or replace FUNCTION public.strike_line(p_source text, p_id uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  reason text := nullif(btrim(p_reason), '');
  place record;
begin
  perform private.require_member();
  if p_source is null or p_source not in ('entry', 'visit', 'key') or reason is null or char_length(reason) > 300 then
    raise exception 'Write why the line is struck through, in up to 300 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
  select l.site_id, l.author into place
  from (
    select e.site_id, e.user_id as author from public.post_entries e where p_source = 'entry' and e.id = p_id
    union all
    select v.site_id, v.in_by from public.visits v where p_source = 'visit' and v.id = p_id
    union all
    select k.site_id, k.out_by from public.key_movements k where p_source = 'key' and k.id = p_id
  ) l;
  if not found or not (coalesce(place.author = auth.uid(), false) or private.may_plan(place.site_id)) then
    raise exception 'This line is not yours to strike through.' using errcode = 'PT404';
  end if;
  case p_source
    when 'entry' then
      update public.post_entries e set struck_at = now(), struck_by = auth.uid(), strike_reason = reason
      where e.id = p_id and e.struck_at is null;
    when 'visit' then
      update public.visits v set struck_at = now(), struck_by = auth.uid(), strike_reason = reason
      where v.id = p_id and v.struck_at is null;
    else
      update public.key_movements k set struck_at = now(), struck_by = auth.uid(), strike_reason = reason
      where k.id = p_id and k.struck_at is null;
      perform private.end_key_notices(p_id);
  end case;
end
$function$;

create table private.told_keys ();

alter table private.told_keys add column movement_id uuid not null;

alter table private.told_keys add column due_at timestamp with time zone not null;

alter table private.told_keys add column told_at timestamp with time zone default now() not null;

alter table private.told_keys add column notice_ids uuid[] default '{}'::uuid[] not null;

CREATE OR REPLACE FUNCTION private.on_duty_at(p_site uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct a.user_id from public.assignments a
  where a.site_id = p_site and a.attendance_state = 'in' and upper(a.period) > now() - interval '12 hours'
    and a.user_id is not null;
$function$;

CREATE OR REPLACE FUNCTION private.end_key_notices(p_movement_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.notices n set read_at = now()
  where n.read_at is null
    and n.id in (select unnest(t.notice_ids) from private.told_keys t where t.movement_id = p_movement_id)
    and not exists (
      select from private.told_keys t
      join public.key_movements k on k.id = t.movement_id and k.due_at = t.due_at
      where n.id = any (t.notice_ids) and k.in_at is null and k.struck_at is null
    );
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_overdue_keys()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  keys integer := 0;
  place record;
  sent uuid[];
begin
  for place in
    with told as (
      insert into private.told_keys (movement_id, due_at)
      select k.id, k.due_at from public.key_movements k
      where k.in_at is null and k.struck_at is null
        and k.due_at <= now() and k.received_at <= now() - interval '2 minutes'
        and not exists (select from private.told_keys t where t.movement_id = k.id and t.due_at = k.due_at)
      order by k.id
      on conflict do nothing returning movement_id, due_at
    )
    select t.id, t.name, array_agg(k.id) as movements, count(*) as overdue, min(k.key_name) as first_key,
      left(string_agg(format('%s, %s, due %s', k.key_name, k.taken_by, private.time_text(d.due_at, t.timezone)), e'\n'
        order by d.due_at, k.id), 2000) as body
    from told d
    join public.key_movements k on k.id = d.movement_id
    join public.sites t on t.id = k.site_id
    group by t.id order by t.id
  loop
    sent := array(
      select private.notify(w.user_id, 'key_overdue', case when place.overdue = 1
          then format('Key overdue at %s: %s', place.name, place.first_key)
          else format('%s keys overdue at %s', place.overdue, place.name) end,
        place.body, case when w.is_there then '/staff/book' else format('/admin/sites/%s/book', place.id) end,
        format('key_overdue:%s:%s:%s', place.id, pg_current_xact_id(), w.user_id))
      from (
        select p.user_id, bool_or(p.is_there) as is_there
        from (
          select g.user_id, true as is_there from private.on_duty_at(place.id) g (user_id)
          union all
          select d.user_id, false from private.deciders_of(place.id) d (user_id)
        ) p
        -- In order, so that two at once never deadlock.
        group by p.user_id order by p.user_id
      ) w
    );
    update private.told_keys t set notice_ids = array_remove(sent, null) where t.movement_id = any (place.movements)
      and exists (select from public.key_movements k where k.id = t.movement_id and k.due_at = t.due_at);
    keys := keys + place.overdue;
  end loop;
  return keys;
end
$function$;

alter table private.told_keys add constraint told_keys_pkey PRIMARY KEY (movement_id, due_at);

alter table private.told_keys add constraint told_keys_movement_id_fkey FOREIGN KEY (movement_id) REFERENCES public.key_movements(id) ON DELETE CASCADE;

alter table private.told_keys enable row level security;

alter table private.told_keys replica identity default;
