-- What may be left to bill is found among the timesheets that end in the days of the screen, in the index alone.
drop index concurrently if exists public.timesheets_period_end_idx;
create index concurrently timesheets_period_end_idx on public.timesheets (period_end, period_start, id);
