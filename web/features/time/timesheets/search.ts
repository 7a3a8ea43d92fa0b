import { TIMESHEETS_STATUS } from '#shared/database.values.ts';
import { listSearch } from '#web/lib/data/list-search.ts';
import {
  day,
  defineSearch,
  oneOf,
  type SearchOf,
  textUpTo,
  uuid,
} from '#web/lib/data/search-fields.ts';
import { today } from '#web/lib/format/dates.ts';
import { FREQUENCIES, findPeriod, type Period } from '#web/lib/format/pay-periods.ts';

export const timesheetSearch = defineSearch({
  ...listSearch,
  /** A day of the shown period, yyyy-MM-dd; today's period without one. */
  day: day,
  /** Length of the period; a month without one. */
  every: oneOf(FREQUENCIES),
  /** Everyone instead of those with something to decide. */
  show: oneOf(['all']),
  status: oneOf(TIMESHEETS_STATUS),
  /** A kind of what must be decided. */
  issue: textUpTo(40),
  site: uuid,
});
export type TimesheetSearch = SearchOf<typeof timesheetSearch>;
export type TimesheetFilters = Pick<
  TimesheetSearch,
  'q' | 'day' | 'every' | 'show' | 'status' | 'issue' | 'site'
>;

export const shownPeriod = ({ day, every }: Pick<TimesheetFilters, 'day' | 'every'>): Period =>
  findPeriod(every ?? 'monthly', day ?? today());
