-- The counts of shifts to come read these instead of the rows.
drop index concurrently if exists public.shifts_totals_idx;
create index concurrently shifts_totals_idx on public.shifts (start_time)
  include (end_time, site_id, required_headcount);
drop index concurrently if exists public.assignments_staffed_idx;
create index concurrently assignments_staffed_idx on public.assignments (starts_at)
  include (site_id) where counts_as_staffed;
