import { LEAVE_REQUESTS_STATUS, LEAVE_REQUESTS_TYPE } from '#shared/database.values.ts';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { day, defineSearch, matching, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const leaveSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(LEAVE_REQUESTS_STATUS),
  type: oneOf(LEAVE_REQUESTS_TYPE),
  sort: sortField(['person', 'type', 'dates', 'days', 'status']),
  /** Leave that overlaps `from` to `to`, both inclusive; yyyy-MM-dd. */
  from: day,
  to: day,
  /** Shown in the calendar, yyyy-MM; default this month. */
  month: matching(/^\d{4}-(0[1-9]|1[0-2])$/),
});
export type LeaveSearch = SearchOf<typeof leaveSearch>;
export type LeaveFilters = Pick<LeaveSearch, 'q' | 'status' | 'type' | 'from' | 'to' | 'sort'>;
