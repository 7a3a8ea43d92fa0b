-- What may be left to bill is found among the timesheets that end in the days of the screen, in the index alone.
drop index concurrently if exists public.timesheets_period_end_idx;
create index concurrently timesheets_period_end_idx on public.timesheets (period_end, period_start, id);
drop index concurrently if exists private.billed_timesheets_billed_idx;
create index concurrently billed_timesheets_billed_idx on private.billed_timesheets (last_day, timesheet_id) where is_billed;
