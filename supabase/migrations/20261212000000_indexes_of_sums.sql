-- Read by timesheet_counts, open_shifts and margin_sums without the tables' rows.
drop index concurrently if exists public.assignments_to_come_idx;
create index concurrently assignments_to_come_idx on public.assignments (starts_at)
  include (user_id, period) where status in ('assigned', 'confirmed');
drop index concurrently if exists public.assignments_staffing_idx;
create index concurrently assignments_staffing_idx on public.assignments (starts_at)
  include (site_id, shift_id) where counts_as_staffed;
drop index concurrently if exists public.shifts_manual_idx;
create index concurrently shifts_manual_idx on public.shifts (start_time) where is_manual;
drop index concurrently if exists public.expense_reports_of_sites_idx;
create index concurrently expense_reports_of_sites_idx on public.expense_reports (expense_date, site_id)
  include (amount) where site_id is not null;
