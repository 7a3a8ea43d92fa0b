revoke execute on function public.take_over(uuid,uuid,jsonb,timestamp with time zone) from authenticated;

create or replace FUNCTION private.are_ticks(ticks jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE WHEN ((jsonb_typeof(ticks) = 'array'::text) AND ((jsonb_array_length(ticks) >= 1) AND (jsonb_array_length(ticks) <= 200))) THEN (SELECT (bool_and(((jsonb_typeof(e.value) = 'object'::text) AND (COALESCE((e.value ->> 'equipment_id'::text), ''::text) ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text) AND (jsonb_typeof((e.value -> 'name'::text)) = 'string'::text) AND ((char_length((e.value ->> 'name'::text)) >= 1) AND (char_length((e.value ->> 'name'::text)) <= 250)) AND (jsonb_typeof((e.value -> 'has'::text)) = 'boolean'::text) AND ((NOT (e.value ? 'count'::text)) OR ((jsonb_typeof((e.value -> 'count'::text)) = 'number'::text) AND (((e.value -> 'count'::text) >= '0'::jsonb) AND ((e.value -> 'count'::text) <= '9999'::jsonb)))) AND ((NOT (e.value ? 'damage'::text)) OR ((jsonb_typeof((e.value -> 'damage'::text)) = 'string'::text) AND ((char_length((e.value ->> 'damage'::text)) >= 1) AND (char_length((e.value ->> 'damage'::text)) <= 200)))))) IS TRUE) FROM jsonb_array_elements(are_ticks.ticks) e(value)) ELSE false END;

drop function public.my_handover();

CREATE FUNCTION public.my_handover()
 RETURNS TABLE(assignment_id uuid, site_name text, post_name text, notes jsonb, equipment jsonb, taken_at timestamp with time zone, left_at timestamp with time zone, is_over boolean, found jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_member();
  return query
    select a.id, t.name, p.name, coalesce((
        select jsonb_agg(jsonb_build_object('id', n.id, 'note', n.note, 'written_at', n.written_at,
          'guard', private.name_of_person(n.user_id)) order by n.written_at desc)
        from (
          select * from public.handover_notes w
          where w.site_id = s.site_id and (w.post_id is null or s.post_id is null or w.post_id = s.post_id)
            and w.written_at > now() - interval '3 days'
          order by w.written_at desc limit 30
        ) n
      ), '[]'), coalesce((
        select jsonb_agg(jsonb_build_object('id', e.id, 'name', e.name, 'serial', e.serial, 'quantity', e.quantity)
          order by e.name, e.id)
        from (
          select * from public.equipment w
          where w.site_id = s.site_id and (w.post_id is null or w.post_id = s.post_id)
          order by w.name, w.id limit 200
        ) e
      ), '[]'), (select max(h.taken_at) from public.handovers h where h.assignment_id = a.id and h.side = 'taken'),
      own.left_at, a.attendance_state = 'out', (
        select jsonb_build_object('guard', private.name_of_person(h.user_id), 'at', h.taken_at, 'ticks', h.ticks)
        from public.handovers h
        where h.site_id = s.site_id and h.post_id is not distinct from s.post_id and h.side = 'left'
          and h.user_id <> auth.uid() and h.taken_at > now() - interval '3 days'
        order by h.taken_at desc limit 1
      )
    from public.assignments a
    join public.shifts s on s.id = a.shift_id
    join public.sites t on t.id = s.site_id
    left join public.posts p on p.id = s.post_id
    cross join lateral (
      select max(h.taken_at) from public.handovers h where h.assignment_id = a.id and h.side = 'left'
    ) own (left_at)
    where a.user_id = auth.uid() and a.status not in ('cancelled', 'no_show') and case a.attendance_state
      when 'in' then true
      when 'out' then own.left_at is null and exists (
        select from public.attendance t where t.assignment_id = a.id and t.clock_out_at > now() - interval '2 hours'
      )
      else s.end_time > now() and s.start_time < now() + interval '14 hours' end
    order by a.attendance_state = 'in' desc, a.attendance_state = 'out' desc, s.start_time limit 1;
end
$function$;

grant execute on function public.my_handover() to authenticated;

comment on function public.my_handover() is 'Nullable: post_name, taken_at, left_at, found';

alter table public.handovers add column damaged text;

alter table public.handovers add column side text default 'taken'::text not null;

create or replace FUNCTION public.take_over(p_id uuid, p_assignment_id uuid, p_ticks jsonb, p_taken_at timestamp with time zone DEFAULT now(), p_side text DEFAULT 'taken'::text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  shift public.shifts := private.own_handover_place(p_assignment_id);
  absent text;
  broken text;
begin
  if p_id is null or p_ticks is null or not private.are_ticks(p_ticks) or isfinite(p_taken_at) is false then
    raise exception 'A handover has a list of ticks and a time.' using errcode = 'invalid_parameter_value';
  end if;
  if p_side is null or p_side not in ('taken', 'left') then
    raise exception 'Equipment is taken or left.' using errcode = 'invalid_parameter_value';
  end if;
  select left(string_agg(concat(e.value ->> 'name', ' (' || (e.value ->> 'count') || ' there)'), ', ' order by e.place)
      filter (where not (e.value ->> 'has')::boolean), 1000),
    left(string_agg(concat_ws(': ', e.value ->> 'name', e.value ->> 'damage'), ', ' order by e.place)
      filter (where e.value ? 'damage'), 1000) into absent, broken
  from jsonb_array_elements(p_ticks) with ordinality e (value, place);
  insert into public.handovers (id, site_id, post_id, assignment_id, user_id, ticks, missing, taken_at, side, damaged)
  values (p_id, shift.site_id, shift.post_id, p_assignment_id, auth.uid(), p_ticks, absent,
    least(coalesce(p_taken_at, now()), now()), p_side, broken)
  on conflict (id) do nothing;
  if not exists (select from public.handovers h where h.id = p_id and h.user_id = auth.uid()) then
    raise exception 'This id belongs to another handover.' using errcode = 'unique_violation';
  end if;
  if absent is not null or broken is not null then
    perform private.notify_planners(shift.site_id, 'equipment',
      format('Equipment %s: %s', case when absent is null then 'damaged' else 'missing' end,
        (select t.name from public.sites t where t.id = shift.site_id)),
      concat_ws('. ',
        format('%s %s: ', private.name_of_person(auth.uid()),
          case p_side when 'taken' then 'did not find' else 'did not leave' end) || absent,
        case when absent is null then format('%s reports damage: ', private.name_of_person(auth.uid()))
          else 'Damaged: ' end || broken),
      '/admin/roster/posts/handovers?site=' || shift.site_id, 'equipment:' || p_id);
  end if;
  return p_id;
end
$function$;

alter table public.handovers add constraint handovers_side_check CHECK ((side = ANY (ARRAY['taken'::text, 'left'::text])));

alter table public.handovers add constraint handovers_damaged_check CHECK ((char_length(damaged) <= 1000));

grant execute on function public.take_over(uuid,uuid,jsonb,timestamp with time zone,text) to authenticated;

comment on column public.handovers.side is 'Taken over from the guard before, or left for the next one';

comment on column public.handovers.taken_at is 'When it was counted';

comment on column public.handovers.damaged is 'Derived: the names of what was damaged, and how';

drop function public.take_over(uuid,uuid,jsonb,timestamp with time zone);
