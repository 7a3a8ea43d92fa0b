import type { PostgrestError } from '@supabase/supabase-js';
import { errorFrom } from '../errors/error-message.ts';

/** How many rows a page of a table shows. */
export const PAGE_SIZE = 20;

/** How many cards a page of cards shows: full rows of two, three or four. */
export const CARDS_PAGE = 24;

/** How many records a list of cards loads at first, and with each press on its button. */
export const CARDS_STEP = 60;

export type Page<Row> = {
  rows: Row[];
  /** How many there are, including those beyond the limit. */
  total: number;
};

type Answer<Row> = {
  data: Row[] | null;
  count: number | null;
  /** Typed as an Error by the library, but a plain object where `throwOnError()` was not called. */
  error: Pick<PostgrestError, 'message' | 'code' | 'details'> | null;
};

/** @returns the rows, and how many there are on all pages @throws what the database answered */
export function pageOf<Row>({ data, count, error }: Answer<Row>): Page<Row> {
  // A page beyond the last one: the rows went away, or the address was written by hand. Only the details say how many there are.
  if (error?.code === 'PGRST103') {
    return { rows: [], total: Number(/only (\d+) rows/.exec(error.details)?.[1] ?? 0) };
  }
  if (error) throw errorFrom(error);
  const rows = data ?? [];
  return { rows, total: count ?? rows.length };
}
