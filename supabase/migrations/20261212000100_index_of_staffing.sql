-- assignments_staffing_idx has its columns and the shift.
drop index public.assignments_staffed_idx;
