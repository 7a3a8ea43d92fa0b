import { z } from 'zod';
import { listSearch, sortField } from '#web/lib/data/list-search.ts';
import { fromLocalInput, today } from '#web/lib/format/dates.ts';
import { STAFFINGS } from '#web/lib/vocabulary/statuses.ts';

const isDay = (value: string) => fromLocalInput(`${value}T00:00`) !== undefined;
const day = z.string().refine(isDay);

const VIEWS = ['week'] as const;
const WEEK_ROWS = ['guards'] as const;
/** Besides the guards, which a shift opens with. */
const TABS = ['details', 'repeat', 'replacement'] as const;

/** `open`: fewer guards than required. */
export const STAFFING_FILTERS = ['open', ...STAFFINGS] as const;

export const shiftSearch = z.object({
  ...listSearch,
  site: z.uuid().optional().catch(undefined),
  staffing: z.enum(STAFFING_FILTERS).optional().catch(undefined),
  /** Only shifts that this guard is assigned to. */
  guard: z.uuid().optional().catch(undefined),
  /** Only this day; `today` keeps links valid on later days. */
  day: z
    .union([z.literal('today'), day])
    .optional()
    .catch(undefined),
  /** Shows the week instead of the list. */
  view: z.enum(VIEWS).optional().catch(undefined),
  /** What the rows of the week are; sites by default. */
  rows: z.enum(WEEK_ROWS).optional().catch(undefined),
  /** Any day of the displayed week. */
  week: day.optional().catch(undefined),
  sort: sortField(['time', 'site', 'staffing']),
  /** Shows what guards ask for. */
  requests: z.literal('open').optional().catch(undefined),
  /** Tab of the open shift's dialog. */
  tab: z.enum(TABS).optional().catch(undefined),
});
export type ShiftSearch = z.infer<typeof shiftSearch>;
export type ShiftTab = (typeof TABS)[number];

/** @returns yyyy-MM-dd */
export function dayIn({ day: chosen }: Pick<ShiftSearch, 'day'>): string | undefined {
  return chosen === 'today' ? today() : chosen;
}
