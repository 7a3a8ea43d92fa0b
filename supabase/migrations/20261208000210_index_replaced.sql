-- shifts_upcoming_idx begins with the same column.
drop index public.shifts_end_time_idx;
