-- Muster: a supervisor on the round marks who is at post, on their own phone and with their own location.

-- The guards of running shifts, and those that begin within an hour, at the sites that the caller oversees.
create function public.muster_list() returns table (
  assignment_id uuid, user_id uuid, guard_name text, role_at_shift text, site_id uuid, site_name text, timezone text,
  start_time timestamptz, end_time timestamptz, attendance_state text, clock_in_at timestamptz, clock_in_way text
)
language sql stable security definer set search_path = '' as $$
  select a.id, a.user_id, coalesce(nullif(p.full_name, ''), p.email, ''), a.role_at_shift, s.id, s.name, s.timezone,
    a.starts_at, upper(a.period), a.attendance_state, r.clock_in_at, r.clock_in_way
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
  order by s.name, s.id, 3, a.id
  limit 1000;
$$;
comment on function public.muster_list is 'Nullable: role_at_shift, clock_in_at, clock_in_way';

-- Clocks in a guard whom the caller sees at post. Safe to repeat. A guard who is clocked in already stays so.
create function public.record_muster(
  p_id uuid, p_assignment_id uuid, p_device_at timestamptz, p_sent_at timestamptz default null,
  p_server_offset_ms bigint default null, p_gps text default null, p_accuracy_m real default null,
  p_fix_age_s integer default null, p_photo text default null
) returns public.clock_events
language plpgsql security definer set search_path = '' as $$
declare
  event public.clock_events;
  assignment public.assignments;
begin
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
    event := private.record_event_for(assignment.user_id, 'muster', auth.uid(), null, p_id, 'in', p_assignment_id,
      p_device_at, null, p_sent_at, p_server_offset_ms, null, p_gps, p_accuracy_m, p_fix_age_s,
      case when p_gps is null then 'Mustered without a location' end);
  exception when unique_violation then
    if sqlerrm <> 'You are already clocked in.' then
      raise;
    end if;
    raise exception 'This guard is still clocked in on another shift.' using errcode = 'unique_violation';
  end;
  perform private.store_clock_photo(event.id, assignment.site_id, assignment.user_id, p_photo);
  return event;
end
$$;

revoke all on function public.muster_list, public.record_muster from public, anon;
grant execute on function public.muster_list, public.record_muster to authenticated;
