-- Clocking in and out in one call each, safe to repeat, and the shift that a guard is on.
-- All run as the caller: the policies and rules of attendance decide.

-- The caller's shift: the open attendance record first, then the time, so that night and double shifts work.
-- Without either, the next one that starts within the company's day, which can't be clocked in on yet.
create function public.my_current_shift() returns table (
  assignment_id uuid,
  shift_id uuid,
  site_id uuid,
  site_name text,
  client_name text,
  address text,
  timezone text,
  start_time timestamptz,
  end_time timestamptz,
  role_at_shift text,
  attendance_id uuid,
  clock_in_at timestamptz,
  may_clock_in boolean
)
language sql stable set search_path = '' as $$
  select a.id, s.id, site.id, site.name, site.client_name, site.address, site.timezone,
    s.start_time, s.end_time, a.role_at_shift, open_record.id, open_record.clock_in_at,
    open_record.id is null and is_now.yes
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites site on site.id = s.site_id
  left join public.attendance open_record
    on open_record.assignment_id = a.id and open_record.clock_out_at is null
  cross join lateral (
    select now() between s.start_time - interval '4 hours' and s.end_time as yes
  ) is_now
  where a.user_id = (select auth.uid())
    and (
      open_record.id is not null
      or a.attendance_state = 'none' and a.status in ('assigned', 'confirmed', 'no_show') and (
        is_now.yes
        or s.start_time > now() and s.start_time < (select upper(private.company_day(now())))
      )
    )
  order by open_record.id is null, not is_now.yes, s.start_time
  limit 1;
$$;

create function public.clock_in(
  p_id uuid, p_assignment_id uuid, p_at timestamptz default now(), p_gps text default null, p_reason text default null
) returns public.attendance
language plpgsql set search_path = '' as $$
declare
  record public.attendance;
begin
  if not exists (
    select from public.assignments a where a.id = p_assignment_id and a.user_id = (select auth.uid())
  ) then
    raise exception 'Cannot clock in without assignment or location.' using errcode = 'PT404';
  end if;
  insert into public.attendance (id, assignment_id, clock_in_at, clock_in_gps, clock_in_reason)
  values (p_id, p_assignment_id, p_at, p_gps, p_reason)
  on conflict (id) do nothing;
  select * into record from public.attendance r
  where r.id = p_id and r.assignment_id = p_assignment_id and r.user_id = (select auth.uid());
  if not found then
    raise exception 'This clock-in id belongs to another record.' using errcode = 'unique_violation';
  end if;
  return record;
end
$$;

create function public.clock_out(
  p_id uuid, p_at timestamptz default now(), p_gps text default null, p_reason text default null
) returns public.attendance
language plpgsql set search_path = '' as $$
declare
  record public.attendance;
begin
  update public.attendance r
  set clock_out_at = p_at, clock_out_gps = p_gps, clock_out_reason = p_reason
  where r.id = p_id and r.user_id = (select auth.uid()) and r.clock_out_at is null;
  -- A repeat finds the record closed already, and gets it as it is.
  select * into record from public.attendance r where r.id = p_id and r.user_id = (select auth.uid());
  if not found then
    raise exception 'There is no clock-in to clock out of.' using errcode = 'PT404';
  end if;
  return record;
end
$$;

revoke all on function
  public.my_current_shift(),
  public.clock_in(uuid, uuid, timestamptz, text, text),
  public.clock_out(uuid, timestamptz, text, text)
from public, anon;
grant execute on function
  public.my_current_shift(),
  public.clock_in(uuid, uuid, timestamptz, text, text),
  public.clock_out(uuid, timestamptz, text, text)
to authenticated;
comment on function public.my_current_shift() is 'Nullable: role_at_shift, attendance_id, clock_in_at';
