-- What changes on the board while it is open, as roster_input returns it, without the people and the posts: other
-- planners' changes are on screen within a second.
create function public.roster_state(p_from date, p_to date, p_sites uuid[] default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  span tstzrange := private.roster_span(p_from, p_to);
  chosen uuid[] := private.planned_sites(p_sites);
begin
  return jsonb_build_object(
    'assignments', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', a.shift_id, 'user_id', a.user_id, 'status', a.status, 'clocked', a.attendance_state <> 'none',
        'override', a.override_reason is not null
      ) order by a.starts_at, a.id)
      from public.assignments a
      where a.starts_at >= lower(span) and a.starts_at < upper(span) and a.site_id = any (chosen)
        and a.status <> 'cancelled'
    ), '[]'),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object('shift_id', c.shift_id, 'user_id', c.user_id, 'change', c.change)
        order by c.starts_at, c.id)
      from public.roster_changes c
      where c.starts_at >= lower(span) and c.starts_at < upper(span) and c.site_id = any (chosen)
    ), '[]'),
    'pins', coalesce((
      select jsonb_agg(jsonb_build_object('shift_id', n.shift_id, 'user_id', n.user_id) order by n.created_at, n.id)
      from public.roster_pins n join public.shifts s on s.id = n.shift_id
      where s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
    ), '[]'),
    'periods', coalesce((
      select jsonb_agg(jsonb_build_object(
        'starts_on', w.starts_on, 'state', w.state, 'published_at', w.published_at
      ) order by w.starts_on)
      from public.roster_periods w where w.starts_on between p_from - 6 and p_to
    ), '[]')
  );
end
$$;
revoke all on function public.roster_state from public, anon;
grant execute on function public.roster_state to authenticated;
