import { fromLocalInput } from '../format/dates.ts';
import { dayAfter } from '../format/days.ts';
import { PAGE_SIZE } from './pages.ts';
import { matching, text } from './search-fields.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const CURSOR = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})_[0-9a-f-]{36}$/i;

const day = text((value) => DAY.test(value) && fromLocalInput(`${value}T00:00`) !== undefined);

/**
 * Search parameters of every log. Days are in the company's zone. `before` is the cursor of the page: keyset pagination,
 * so that a deep page is as fast as the first.
 */
export const logSearch = {
  from: day,
  to: day,
  before: matching(CURSOR),
};

type Entry = { id: string; at: string };
export type LogPage<Row> = {
  rows: Row[];
  /** Cursor of the next page, if there is one. */
  older: string | undefined;
};

/** Rows to request: one more than a page shows tells whether there is another. */
export const ASKED = PAGE_SIZE + 1;

/** @param asked up to ASKED rows, of which the last belongs to the next page */
export function logPageOf<Row extends Entry>(asked: Row[]): LogPage<Row> {
  const rows = asked.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return { rows, older: asked.length > PAGE_SIZE && last ? `${last.at}_${last.id}` : undefined };
}

type Period = { from?: string | undefined; to?: string | undefined };

/** @returns the instants of a period, the start inclusive, the end exclusive */
export function toInstants({ from, to }: Period) {
  return {
    since: from && fromLocalInput(`${from}T00:00`),
    until: to && fromLocalInput(`${dayAfter(to, 1)}T00:00`),
  };
}

/**
 * @param before the cursor
 * @param ids order of entries with the same timestamp
 * @returns `at` to seek in the index, and the argument of supabase-js's `or` that excludes the entries already shown
 */
export function afterCursor(before: string, ids: 'ascending' | 'descending') {
  const [at = '', id = ''] = before.split('_');
  const next = ids === 'ascending' ? 'gt' : 'lt';
  return { at, or: `at.lt."${at}",and(at.eq."${at}",id.${next}.${id})` };
}
