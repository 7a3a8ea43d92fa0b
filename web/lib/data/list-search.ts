import { z } from 'zod';
import { PAGE_SIZES } from './pages.ts';

/**
 * Search parameters of every list; invalid ones are dropped. In the address, so that reload, Back and shared links work.
 * A list adds its filters: `z.object({ ...listSearch, state: z.enum(STATES).optional().catch(undefined) })`.
 */
export const listSearch = {
  /** Text of the search field. */
  q: z.coerce.string().trim().max(200).optional().catch(undefined),
  /** From 1. */
  page: z.coerce.number().int().min(1).max(100_000).optional().catch(undefined),
  /** Rows per page, other than the list's default. */
  size: z.coerce
    .number()
    .refine((size) => PAGE_SIZES.includes(size))
    .optional()
    .catch(undefined),
  /** Id of the record whose dialog is open. */
  open: z.uuid().optional().catch(undefined),
};

/** Id of the record whose form is open, or "new" for an empty form. */
export const openForm = z
  .union([z.uuid(), z.literal('new')])
  .optional()
  .catch(undefined);

/** Search parameters of a list without a search field. @param sorts keys of its sortable columns */
export const recordsSearch = (sorts: readonly string[]) =>
  z.object({ ...listSearch, open: openForm, sort: sortField(sorts) });
export type RecordsSearch = z.infer<ReturnType<typeof recordsSearch>>;

/** Search parameters of a list of cards that grows. */
export const growingSearch = z.object({
  /** How many records are shown. */
  shown: z.coerce.number().int().min(1).max(10_000).optional().catch(undefined),
  open: openForm,
});
export type GrowingSearch = z.infer<typeof growingSearch>;

/** Changes the address of a list; `undefined` removes a parameter. */
export type ChangeSearch<Search> = (change: Partial<Search>) => void;

/**
 * @param page from 1
 * @returns the arguments of supabase-js's `range`: first and last row, inclusive
 */
export function rangeOf(page: number, pageSize: number): [first: number, last: number] {
  return [(page - 1) * pageSize, page * pageSize - 1];
}

/** `sort: sortField(['name', 'hired'])`: the column to sort by; `-name` is descending. */
export function sortField(keys: readonly string[]) {
  return z
    .string()
    .refine((sort) => keys.includes(sort.replace(/^-/, '')))
    .optional()
    .catch(undefined);
}

/** The usual order of records that a screen adds. */
export const NEWEST_FIRST = { column: 'created_at', ascending: false };

/**
 * @param sort from `sortField`
 * @param columns database column of each sort key
 * @param usual the default order
 * @returns the arguments of supabase-js's `order`
 */
export function orderOf(
  sort: string | undefined,
  columns: Readonly<Record<string, string>>,
  usual: { column: string; ascending: boolean },
): { column: string; ascending: boolean } {
  const column = sort === undefined ? undefined : columns[sort.replace(/^-/, '')];
  return column === undefined ? usual : { column, ascending: !sort?.startsWith('-') };
}
