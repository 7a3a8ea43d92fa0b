import { PAGE_SIZES } from './pages.ts';
import {
  countUpTo,
  defineSearch,
  either,
  oneOf,
  type SearchOf,
  searchText,
  text,
  uuid,
} from './search-fields.ts';

/**
 * Search parameters of every list; invalid ones are dropped. In the address, so that reload, Back and shared links work.
 * A list adds its filters: `defineSearch({ ...listSearch, state: oneOf(STATES) })`.
 */
export const listSearch = {
  /** Text of the search field. */
  q: searchText,
  /** From 1. */
  page: countUpTo(100_000),
  /** Rows per page, other than the list's default. */
  size: (value: unknown) => oneOf(PAGE_SIZES)(Number(value)),
  /** Id of the record whose dialog is open. */
  open: uuid,
};

/** Id of the record whose form is open, or "new" for an empty form. */
export const openForm = either(uuid, oneOf(['new']));

/** Search parameters of a list without a search field. @param sorts keys of its sortable columns */
export const recordsSearch = (sorts: readonly string[]) =>
  defineSearch({ ...listSearch, open: openForm, sort: sortField(sorts) });
export type RecordsSearch = SearchOf<ReturnType<typeof recordsSearch>>;

/** Search parameters of a list of cards that grows. */
export const growingSearch = defineSearch({
  /** How many records are shown. */
  shown: countUpTo(10_000),
  open: openForm,
});
export type GrowingSearch = SearchOf<typeof growingSearch>;

/** Changes the address of a list; `undefined` removes a parameter. */
export type ChangeSearch<Search> = (change: Partial<Search>) => void;

/**
 * @param page from 1
 * @returns the arguments of supabase-js's `range`: first and last row, inclusive
 */
export function toRange(page: number, pageSize: number): [first: number, last: number] {
  return [(page - 1) * pageSize, page * pageSize - 1];
}

/** `sort: sortField(['name', 'hired'])`: the column to sort by; `-name` is descending. */
export const sortField = (keys: readonly string[]) =>
  text((sort) => keys.includes(sort.replace(/^-/, '')));

/** The usual order of records that a screen adds. */
export const NEWEST_FIRST = { column: 'created_at', ascending: false };

/**
 * @param sort from `sortField`
 * @param columns database column of each sort key
 * @param usual the default order
 * @returns the arguments of supabase-js's `order`
 */
export function parseOrder(
  sort: string | undefined,
  columns: Readonly<Record<string, string>>,
  usual: { column: string; ascending: boolean },
): { column: string; ascending: boolean } {
  const column = sort === undefined ? undefined : columns[sort.replace(/^-/, '')];
  return column === undefined ? usual : { column, ascending: !sort?.startsWith('-') };
}
