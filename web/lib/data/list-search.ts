// The state of a list in its address: what is searched for, which page, which row is open. A reload or a shared link keeps it.
import { z } from 'zod';

/**
 * Search parameters that every list has. Whatever somebody writes into the address is either valid or left out.
 * A list adds its filters: `z.object({ ...listSearch, state: z.enum(STATES).optional().catch(undefined) })`.
 */
export const listSearch = {
  /** Text that is searched for. */
  q: z.coerce.string().trim().max(200).optional().catch(undefined),
  /** From 1. */
  page: z.coerce.number().int().min(1).max(100_000).optional().catch(undefined),
  /** Id of the row whose dialog is open. */
  open: z.uuid().optional().catch(undefined),
};

/** Id of the record whose form is open, or "new" for an empty form. */
export const openForm = z
  .union([z.uuid(), z.literal('new')])
  .optional()
  .catch(undefined);

/** Search parameters of a list of cards that grows. */
export const growingSearch = z.object({
  /** How many records are shown. */
  shown: z.coerce.number().int().min(1).max(10_000).optional().catch(undefined),
  open: openForm,
});
export type GrowingSearch = z.infer<typeof growingSearch>;

/** What changes the address of a list; `undefined` takes a parameter away. */
export type ChangeSearch<Search> = (change: Partial<Search>) => void;

/**
 * @param page from 1
 * @returns the first and the last row of a page, both included, as supabase-js's `range` takes them
 */
export function rangeOf(page: number, pageSize: number): [first: number, last: number] {
  return [(page - 1) * pageSize, page * pageSize - 1];
}

/** Which column orders the list, among those that the screen can sort by: `sort: sortField(['name', 'hired'])`; `-name` is the other way round. */
export function sortField(keys: readonly string[]) {
  return z
    .string()
    .refine((sort) => keys.includes(sort.replace(/^-/, '')))
    .optional()
    .catch(undefined);
}

/**
 * @param sort as `sortField` reads it
 * @param columns the database's name of each sortable column, by its key
 * @param usual the screen's own order, where the address names none
 * @returns what supabase-js's `order` takes
 */
export function orderOf(
  sort: string | undefined,
  columns: Readonly<Record<string, string>>,
  usual: { column: string; ascending: boolean },
): { column: string; ascending: boolean } {
  const column = sort === undefined ? undefined : columns[sort.replace(/^-/, '')];
  return column === undefined ? usual : { column, ascending: !sort?.startsWith('-') };
}
