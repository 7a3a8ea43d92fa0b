-- A guard who takes over a shift that has begun is on duty for the rest of it, from assignments.joins_at: lateness counts
-- from then, too.

-- After c_rules, which counts from the start of the shift.
create function private.count_lateness_from_joining() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  joins timestamptz;
begin
  select a.starts_at into joins from public.assignments a where a.id = new.assignment_id and a.joins_at is not null;
  if found then
    new.late_minutes := greatest(0, floor(extract(epoch from new.clock_in_at - joins) / 60));
  end if;
  return new;
end
$$;
create trigger c_rules_of_joining before insert or update on public.attendance
  for each row execute function private.count_lateness_from_joining();

-- How long a guard needs to get to a site, before they can be expected there.
create function private.travel_time() returns interval
language sql immutable set search_path = ''
return interval '30 minutes';

-- When somebody who is asked now can be on the shift: at its start, or later if the way there takes longer.
create function private.arrival_at(p_shift public.shifts) returns timestamptz
language sql stable set search_path = ''
return greatest(p_shift.start_time, date_trunc('minute', now()) + private.travel_time());

revoke all on all functions in schema private from public;
