import { z } from 'zod';
import { listSearch } from '#web/lib/data/list-search.ts';
import { today } from '#web/lib/format/dates.ts';
import { FREQUENCIES, type Period, periodOf } from '#web/lib/format/pay-periods.ts';
import { TIMESHEET_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export const timesheetSearch = z.object({
  ...listSearch,
  /** A day of the shown period, yyyy-MM-dd; today's period without one. */
  day: z.iso.date().optional().catch(undefined),
  /** Length of the period; a month without one. */
  every: z.enum(FREQUENCIES).optional().catch(undefined),
  /** Everyone instead of those with something to decide. */
  show: z.literal('all').optional().catch(undefined),
  status: z.enum(TIMESHEET_STATUSES).optional().catch(undefined),
  /** A kind of what must be decided. */
  issue: z.string().max(40).optional().catch(undefined),
  site: z.uuid().optional().catch(undefined),
});
export type TimesheetSearch = z.infer<typeof timesheetSearch>;
export type TimesheetFilters = Pick<
  TimesheetSearch,
  'q' | 'day' | 'every' | 'show' | 'status' | 'issue' | 'site'
>;

export const shownPeriod = ({ day, every }: Pick<TimesheetFilters, 'day' | 'every'>): Period =>
  periodOf(every ?? 'monthly', day ?? today());
