// Durations that the browser and the database both apply. The database defines them in SQL functions (attendance_rules,
// leave_requests and copying_shifts in supabase/migrations); tests/rules/platform/time-limits.test.ts compares them.

/** Clock-in opens this long before the start of the shift. */
export const CLOCK_IN_LEAD_HOURS = 4;
/** Clocking out earlier than this before the end of the shift is flagged. */
export const EARLY_LEAVE_MINUTES = 15;
/** A guard can undo a clock-out for this long. */
export const REOPEN_MINUTES = 30;
/** Sick leave may have begun this long ago. */
export const SICK_LEAVE_DAYS_BACK = 7;
/** Shifts can be copied this far ahead. */
export const COPY_LIMIT_DAYS = 366;
/** An answer this long before a welfare check counts for it. */
export const WELFARE_LEAD_MINUTES = 5;
/** A guard can call an SOS a false alarm for this long. */
export const SOS_CANCEL_SECONDS = 60;
