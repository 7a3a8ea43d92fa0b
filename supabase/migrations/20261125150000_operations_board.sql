-- The board of the operations room: who should be where now, and who is.

-- For the filter of the board; optional. shared/counties.ts has the same names.
alter table public.sites add column county text
  constraint sites_county_known check (county in (
    'Bomi', 'Bong', 'Gbarpolu', 'Grand Bassa', 'Grand Cape Mount', 'Grand Gedeh', 'Grand Kru',
    'Lofa', 'Margibi', 'Maryland', 'Montserrado', 'Nimba', 'River Cess', 'River Gee', 'Sinoe'
  ));

-- Finds shifts over 24 hours, of which there are few; the others begin at most a day before the window.
create index shifts_long_idx on public.shifts (end_time) where end_time - start_time > interval '24 hours';

-- The shifts that overlap a window, by default the last 12 and the next 2 hours, or the given ones: with post, site,
-- client, planned guards, their attendance and open alerts, in one answer. Definer, because dispatchers can't read
-- attendance and the roles are then checked once; it returns the sites that the caller plans and nothing else.
create function public.operations_board(
  p_from timestamptz default null, p_to timestamptz default null, p_shift_ids uuid[] default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  begins constant timestamptz := coalesce(p_from, now() - interval '12 hours');
  ends constant timestamptz := coalesce(p_to, now() + interval '2 hours');
  plans_all constant boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
  my_sites constant uuid[] := private.supervised_sites();
  chosen uuid[];
begin
  if not plans_all and my_sites = '{}' then
    raise exception 'The operations board is for planners.' using errcode = 'insufficient_privilege';
  end if;
  if not isfinite(begins) or not isfinite(ends) or ends - begins > interval '48 hours' then
    raise exception 'The window of the board must be at most 48 hours.' using errcode = 'invalid_parameter_value';
  end if;
  if cardinality(p_shift_ids) > 1000 then
    raise exception 'Ask for at most 1,000 shifts at once.' using errcode = 'invalid_parameter_value';
  end if;
  if p_shift_ids is not null then
    chosen := array(select s.id from public.shifts s where s.id = any (p_shift_ids));
  else
    chosen := array(
      select s.id from public.shifts s
      where s.start_time >= begins - interval '24 hours' and s.start_time < ends and s.end_time > begins
      union all
      select s.id from public.shifts s
      where s.end_time - s.start_time > interval '24 hours' and s.end_time > begins
        and s.start_time < begins - interval '24 hours'
    );
  end if;
  if not plans_all then
    chosen := array(select s.id from public.shifts s where s.id = any (chosen) and s.site_id = any (my_sites));
  end if;

  return json_build_object(
    'at', now(),
    'sites', (
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
    ),
    'shifts', (
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
            'expected', greatest(s.start_time, a.created_at), 'clock_in', r.clock_in_at, 'clock_out', r.clock_out_at,
            'way', coalesce(r.clock_out_way, r.clock_in_way),
            'late_minutes', coalesce(r.late_minutes, 0), 'early_minutes', coalesce(r.early_minutes, 0),
            'left_early', coalesce(s.end_time - r.clock_out_at > private.early_leave_margin(), false),
            'distance_m', coalesce(r.clock_out_distance_m, r.clock_in_distance_m), 'flags', coalesce(r.flags, '{}'),
            'heard', h.heard_at, 'waiting', coalesce(h.waiting, 0)
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
    )
  );
end
$$;

revoke all on function public.operations_board from public, anon;
grant execute on function public.operations_board to authenticated;
