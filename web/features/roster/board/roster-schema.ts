import { listSearch } from '#web/lib/data/list-search.ts';
import {
  defineSearch,
  oneOf,
  type SearchOf,
  text,
  textUpTo,
  uuid,
} from '#web/lib/data/search-fields.ts';
import { fromLocalInput, today } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';

const isDay = (value: string) => fromLocalInput(`${value}T00:00`) !== undefined;

export const rosterSearch = defineSearch({
  /** Id of the shift whose dialog is open. */
  open: uuid,
  q: listSearch.q,
  /** From 1, of sites. */
  page: listSearch.page,
  /** Any day of the first week. */
  week: text(isDay),
  /** How many weeks; one by default. */
  weeks: oneOf([4]),
  /** Kind of the rows; posts by default. */
  view: oneOf(['guards']),
  site: uuid,
  client: textUpTo(300),
  /** By name. */
  supervisor: textUpTo(300),
  course: uuid,
  /** Only rows with something left to fill; of guards, those below their hours. */
  gaps: oneOf(['open']),
  /** The day that a phone shows. */
  day: text(isDay),
});
export type RosterSearch = SearchOf<typeof rosterSearch>;

/** Whether the board begins with all posts, by site. */
export const isUnfiltered = ({ week, weeks, open, day, ...filters }: RosterSearch) =>
  Object.values(filters).every((value) => value === undefined);

/** @returns the days of the board, inclusive; next week unless the address names another one */
export function toSpan({ week, weeks }: Pick<RosterSearch, 'week' | 'weeks'>) {
  const monday = findMonday(week ?? dayAfter(today(), 7));
  const count = weeks ?? 1;
  return { monday, weeks: count, from: monday, to: dayAfter(monday, count * 7 - 1) };
}
