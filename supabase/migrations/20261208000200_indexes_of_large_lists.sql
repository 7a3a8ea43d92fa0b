-- Counts of shifts to come read these instead of the rows.
drop index concurrently if exists public.shifts_upcoming_idx;
create index concurrently shifts_upcoming_idx on public.shifts (end_time)
  include (start_time, id, site_id, required_headcount);
drop index concurrently if exists public.assignments_staffed_idx;
create index concurrently assignments_staffed_idx on public.assignments (starts_at)
  include (site_id) where counts_as_staffed;
-- The order of the list of leave, as leave_overview computes it.
drop index concurrently if exists public.leave_requests_waiting_idx;
create index concurrently leave_requests_waiting_idx on public.leave_requests
  ((case when status = 'pending' then start_date end), start_date desc, id);
