-- Which alerts the duty of now calls for. One function lists the causes; raising is "causes without an alert", closing by
-- itself is "alerts without a cause", so the two can never disagree.

-- Causes of shifts that run now, or ended less than p_after_end ago; of all shifts, or of some.
--
-- missing: the guard has no attendance some minutes (a setting of the site) after the start, or after being assigned. A
--   no-show counts until the shift is staffed again.
-- empty: the shift has begun and has seats without a guard. A guard who has not come is `missing`, never `empty` too.
-- no_signal: what should be heard is silent (a setting of the site): the phone of a guard on post who has welfare checks
--   and a device while the site has a shift. It was heard on this duty and did not say that it is put away; see signals.
-- left_early: the guard clocked out before the end, by more than the margin, and neither the shift has its guards nor
--   the next shift of the post has begun to take over.
create function private.alert_causes(p_after_end interval default '0', p_shifts uuid[] default null)
returns table (
  cause text, kind text, shift_id uuid, assignment_id uuid, user_id uuid, site_id uuid, device_id uuid
)
language sql stable security definer set search_path = '' as $$
  with duty as (
    -- Three days back find every running shift by the index: hardly any is longer than one day.
    select a.id, a.shift_id, a.user_id, a.site_id, a.starts_at, upper(a.period) as ends_at, a.status,
      a.attendance_state, a.created_at
    from public.assignments a
    where a.starts_at between now() - interval '3 days' and now() and upper(a.period) > now() - p_after_end
      and a.status <> 'cancelled' and not a.on_leave
      and (p_shifts is null or a.shift_id in (select unnest(p_shifts)))
  ),
  staff as (
    select d.shift_id, count(*) as guards,
      count(*) filter (where d.status <> 'no_show') as staffed,
      count(*) filter (where d.attendance_state = 'in') as present
    from duty d group by d.shift_id
  )
  select 'missing:' || d.id, 'missing', d.shift_id, d.id, d.user_id, d.site_id, null::uuid
  from duty d
  join public.sites t on t.id = d.site_id
  where d.attendance_state = 'none' and d.status in ('assigned', 'confirmed', 'no_show')
    and greatest(d.starts_at, d.created_at) <= now() - make_interval(mins => t.alert_after_minutes)
    and (d.status <> 'no_show' or exists (
      select from public.shifts s join staff c on c.shift_id = s.id
      where s.id = d.shift_id and c.staffed < s.required_headcount
    ))
  union all
  select 'empty:' || s.id, 'empty', s.id, null, null, s.site_id, null
  from public.shifts s
  left join staff c on c.shift_id = s.id
  where s.start_time between now() - interval '3 days' and now() and s.end_time > now() - p_after_end
    and (p_shifts is null or s.id in (select unnest(p_shifts)))
    and coalesce(c.guards, 0) < s.required_headcount
  union all
  select 'left_early:' || d.id, 'left_early', d.shift_id, d.id, d.user_id, d.site_id, null
  from duty d
  join public.shifts s on s.id = d.shift_id
  join staff c on c.shift_id = d.shift_id
  where d.attendance_state = 'out' and c.present < s.required_headcount
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
      where r.assignment_id = d.id and r.clock_out_at is null and r.clock_in_at <= h.heard_at
    )
    -- The guard may have answered by a text message.
    and not exists (
      select from public.welfare_checks c where c.assignment_id = d.id and c.received_at > silent.since
    )
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
$$;

-- "Main Gate: Samuel Doe, 6:00 AM to 6:00 PM", in the site's zone.
create function private.alert_detail(p_kind text, p_shift uuid, p_assignment uuid) returns text
language sql stable security definer set search_path = '' as $$
  select concat_ws(': ', p.name, case p_kind
    when 'empty' then format('%s of %s seats empty', s.required_headcount - (
        select count(*) from public.assignments a
        where a.shift_id = s.id and a.status <> 'cancelled' and not a.on_leave
      ), s.required_headcount)
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
  left join public.assignments mine on mine.id = p_assignment
  where s.id = p_shift;
$$;

-- "Main Gate: Samuel Doe, last heard 1:42 AM, 2 waiting to send", in the site's zone; of a guard's phone or of a device.
create function private.silence_detail(p_assignment uuid, p_device uuid) returns text
language sql stable security definer set search_path = '' as $$
  select concat_ws(': ', p.name, private.name_of_person(a.user_id))
    || ', last heard ' || private.clock_text(h.heard_at, t.timezone)
    || case when h.waiting > 0 then format(', %s waiting to send', h.waiting) else '' end
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites t on t.id = a.site_id
  left join public.posts p on p.id = s.post_id
  join private.phone_signals h on h.user_id = a.user_id
  where a.id = p_assignment
  union all
  select v.name || ', last heard ' || private.clock_text(v.last_seen_at, t.timezone)
  from public.devices v
  join public.sites t on t.id = v.site_id
  where v.id = p_device;
$$;

revoke all on all functions in schema private from public;
