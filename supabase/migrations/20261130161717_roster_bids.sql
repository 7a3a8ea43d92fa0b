create or replace FUNCTION private.roster_state_of(p_from date, p_to date, span tstzrange, chosen uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'assignments', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', a.shift_id, 'user_id', a.user_id,
        'absence', case when a.counts_as_staffed then null when a.status = 'no_show' then 'no_show' else 'leave' end,
        'clocked', a.attendance_state <> 'none', 'override', a.override_reason is not null,
        'confirmed', a.status = 'confirmed'
      ) order by a.starts_at, a.id)
      from public.assignments a join public.shifts s on s.id = a.shift_id
      where a.starts_at >= lower(span) and a.starts_at < (select private.last_join(upper(span)))
        and a.site_id = any (chosen) and a.status <> 'cancelled'
        and s.start_time >= lower(span) and s.start_time < upper(span)
    ), '[]'),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', c.shift_id, 'user_id', c.user_id, 'change', c.change, 'override_reason', c.override_reason
      ) order by c.starts_at, c.id)
      from public.roster_changes c
      where c.starts_at >= lower(span) and c.starts_at < upper(span) and c.site_id = any (chosen)
    ), '[]'),
    'pins', coalesce((
      select jsonb_agg(jsonb_build_object('shift_id', n.shift_id, 'user_id', n.user_id) order by n.created_at, n.id)
      from public.roster_pins n join public.shifts s on s.id = n.shift_id
      where s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
    ), '[]'),
    'bids', coalesce((
      select jsonb_agg(jsonb_build_object('shift_id', o.shift_id, 'user_id', o.user_id) order by o.created_at, o.id)
      from public.offers o join public.shifts s on s.id = o.shift_id
      where o.kind = 'bid' and o.status = 'open'
        and s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
    ), '[]'),
    'periods', coalesce((
      select jsonb_agg(jsonb_build_object(
        'starts_on', w.starts_on, 'state', w.state, 'published_at', w.published_at
      ) order by w.starts_on)
      from public.roster_periods w where w.starts_on between p_from - 6 and p_to
    ), '[]')
  );
$function$;
