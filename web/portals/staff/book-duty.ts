import type { ClockShift } from '#web/features/clocking/clock/clock-event.ts';
import type { BookDuty } from '#web/features/posts/book/guard/book.ts';

/** @param shift the one that the guard has clocked in for, also while the clock-in waits to be sent */
export const bookDutyOf = ({ assignment_id, site_name, timezone }: ClockShift): BookDuty => ({
  assignmentId: assignment_id,
  siteName: site_name,
  timezone,
});
