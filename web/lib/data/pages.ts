import type { PostgrestError } from '@supabase/supabase-js';
import { errorFrom } from '../errors/error-message.ts';

/** Rows per page of a table. */
export const PAGE_SIZE = 20;

/** Rows per page that a user may choose. */
export const PAGE_SIZES: readonly number[] = [25, 50, 100];

/** Cards per page: full rows of two, three or four. */
export const CARDS_PAGE = 24;

/** Cards that a growing list shows at first, and adds per press. */
export const CARDS_STEP = 60;

export type Page<Row> = {
  rows: Row[];
  /** Including the rows of other pages. */
  total: number;
};

export type Answer<Row> = {
  data: Row[] | null;
  count: number | null;
  /** Typed as an Error by supabase-js, but a plain object without `throwOnError()`. */
  error: Pick<PostgrestError, 'message' | 'code' | 'details'> | null;
};

/** @throws the database's error */
export function toPage<Row>({ data, count, error }: Answer<Row>): Page<Row> {
  // A page beyond the last one, after deletions or a hand-written address. Only the details contain the total.
  if (error?.code === 'PGRST103') {
    return { rows: [], total: Number(/only (\d+) rows/.exec(error.details)?.[1] ?? 0) };
  }
  if (error) throw errorFrom(error);
  const rows = data ?? [];
  return { rows, total: count ?? rows.length };
}
