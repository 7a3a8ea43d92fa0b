import { z } from 'zod';
import { listSearch } from '#web/lib/data/list-search.ts';
import { fromLocalInput, today } from '#web/lib/format/dates.ts';
import { dayAfter, mondayOf } from '#web/lib/format/days.ts';

const id = z.uuid().optional().catch(undefined);
const isDay = (value: string) => fromLocalInput(`${value}T00:00`) !== undefined;

export const rosterSearch = z.object({
  /** Id of the shift whose dialog is open. */
  open: id,
  q: listSearch.q,
  /** From 1, of sites. */
  page: listSearch.page,
  /** Any day of the first week. */
  week: z.string().refine(isDay).optional().catch(undefined),
  /** How many weeks; one by default. */
  weeks: z.literal(4).optional().catch(undefined),
  /** What the rows are; posts by default. */
  view: z.literal('guards').optional().catch(undefined),
  site: id,
  client: z.string().max(300).optional().catch(undefined),
  /** By name. */
  supervisor: z.string().max(300).optional().catch(undefined),
  course: id,
  /** Only rows with something left to fill; of guards, those below their hours. */
  gaps: z.literal('open').optional().catch(undefined),
  /** The day that a phone shows. */
  day: z.string().refine(isDay).optional().catch(undefined),
});
export type RosterSearch = z.infer<typeof rosterSearch>;

/** @returns the days of the board, inclusive; next week unless the address names another one */
export function spanOf({ week, weeks }: Pick<RosterSearch, 'week' | 'weeks'>) {
  const monday = mondayOf(week ?? dayAfter(today(), 7));
  const count = weeks ?? 1;
  return { monday, weeks: count, from: monday, to: dayAfter(monday, count * 7 - 1) };
}
