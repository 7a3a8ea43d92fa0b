import { listSearch } from '#web/lib/data/list-search.ts';
import { countUpTo, day, defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';
import { LINE_KINDS } from '#web/lib/vocabulary/book.ts';

/** Days that a page of the book covers. */
export const BOOK_SPANS = [1, 7, 31] as const;

export const bookSearch = defineSearch({
  q: listSearch.q,
  page: countUpTo(1000),
  kind: oneOf(LINE_KINDS),
  /** The last day; without it, today. */
  day,
  span: oneOf(BOOK_SPANS),
});
export type BookSearch = SearchOf<typeof bookSearch>;
