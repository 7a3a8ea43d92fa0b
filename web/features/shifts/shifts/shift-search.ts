import { listSearch, sortField } from '#web/lib/data/list-search.ts';
import {
  defineSearch,
  either,
  oneOf,
  type SearchOf,
  text,
  uuid,
} from '#web/lib/data/search-fields.ts';
import { fromLocalInput, today } from '#web/lib/format/dates.ts';
import { STAFFINGS } from '#web/lib/vocabulary/statuses.ts';

const isDay = (value: string) => fromLocalInput(`${value}T00:00`) !== undefined;
const dayHere = text(isDay);

const VIEWS = ['week'] as const;
const WEEK_ROWS = ['guards'] as const;
/** Besides the guards, which a shift opens with. */
const TABS = ['details', 'repeat', 'replacement'] as const;

/** `open`: fewer guards than required. */
export const STAFFING_FILTERS = ['open', ...STAFFINGS] as const;

export const shiftSearch = defineSearch({
  ...listSearch,
  site: uuid,
  staffing: oneOf(STAFFING_FILTERS),
  /** Only shifts that this guard is assigned to. */
  guard: uuid,
  /** Only this day; `today` keeps links valid on later days. */
  day: either(oneOf(['today']), dayHere),
  /** Shows the week instead of the list. */
  view: oneOf(VIEWS),
  /** Kind of the rows of the week; sites by default. */
  rows: oneOf(WEEK_ROWS),
  /** Any day of the displayed week. */
  week: dayHere,
  sort: sortField(['time', 'site', 'staffing']),
  /** Shows what guards ask for. */
  requests: oneOf(['open']),
  /** Tab of the open shift's dialog. */
  tab: oneOf(TABS),
});
export type ShiftSearch = SearchOf<typeof shiftSearch>;
export type ShiftTab = (typeof TABS)[number];

/** @returns yyyy-MM-dd */
export function dayIn({ day: chosen }: Pick<ShiftSearch, 'day'>): string | undefined {
  return chosen === 'today' ? today() : chosen;
}
