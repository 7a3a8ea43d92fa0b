-- Shifts from before the triggers of private.shift_days. A separate migration, so that writers don't wait while it counts.
select private.recount_shift_days();
