// Pages of a log, newest first: each begins after the last entry of the one before it, so that a deep page is as
// quick as the first. The place where a page begins stands in its address.
import { addDays, format, parseISO } from 'date-fns';
import { z } from 'zod';
import { fromLocalInput } from '../format/dates.ts';
import { PAGE_SIZE } from './pages.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const CURSOR = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})_[0-9a-f-]{36}$/i;

const day = z
  .string()
  .refine((text) => DAY.test(text) && fromLocalInput(`${text}T00:00`) !== undefined)
  .optional()
  .catch(undefined);

/** Search parameters of every log. Days are the company's. */
export const logSearch = {
  from: day,
  to: day,
  before: z.string().regex(CURSOR).optional().catch(undefined),
};

type Entry = { id: string; at: string };
export type LogPage<Row> = {
  rows: Row[];
  /** Where the next page begins, if there is one. */
  older: string | undefined;
};

/** How many rows to ask for: one more than a page shows tells whether there is another. */
export const ASKED = PAGE_SIZE + 1;

/** @param asked the rows of an answer, of which the last one may be the next page's */
export function logPageOf<Row extends Entry>(asked: Row[]): LogPage<Row> {
  const rows = asked.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return { rows, older: asked.length > PAGE_SIZE && last ? `${last.at}_${last.id}` : undefined };
}

type Period = { from?: string | undefined; to?: string | undefined };

/** @returns the instants between which a period lies: the first included, the end not */
export function instantsOf({ from, to }: Period) {
  return {
    since: from && fromLocalInput(`${from}T00:00`),
    until: to && fromLocalInput(`${format(addDays(parseISO(to), 1), 'yyyy-MM-dd')}T00:00`),
  };
}

/**
 * @param before of the address
 * @param ids how the log orders entries of the same instant
 * @returns the instant of the entry before the page, which an index finds, and the argument of supabase-js's `or`
 * that leaves out that entry and those of the same instant that have been shown
 */
export function afterCursor(before: string, ids: 'ascending' | 'descending') {
  const [at = '', id = ''] = before.split('_');
  const next = ids === 'ascending' ? 'gt' : 'lt';
  return { at, or: `at.lt."${at}",and(at.eq."${at}",id.${next}.${id})` };
}
