import { listSearch, sortField } from '#web/lib/data/list-search.ts';
import { day, defineSearch, oneOf, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';
import { today } from '#web/lib/format/dates.ts';
import { STATES, WORKLISTS } from './attendance-states.ts';

export const attendanceSearch = defineSearch({
  ...listSearch,
  /** In the company's zone, yyyy-MM-dd. */
  day: day,
  site: uuid,
  state: oneOf(STATES),
  sort: sortField(['guard', 'site', 'shift', 'in', 'out', 'late', 'early']),
});
export type AttendanceSearch = SearchOf<typeof attendanceSearch>;
export type AttendanceFilters = Pick<AttendanceSearch, 'q' | 'day' | 'site' | 'state' | 'sort'>;

/** @returns yyyy-MM-dd; undefined when a worklist shows every day */
export function shownDay({ day, state }: Pick<AttendanceSearch, 'day' | 'state'>) {
  return day ?? (state && WORKLISTS.includes(state) ? undefined : today());
}
