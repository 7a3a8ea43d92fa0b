import { listSearch } from '#web/lib/data/list-search.ts';
import { defineSearch, matching, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const RETURN_KINDS = ['paye', 'nasscorp'] as const;
export type ReturnKind = (typeof RETURN_KINDS)[number];

/** Beside the two returns. */
export const MORE_TABS = ['year', 'numbers'] as const;

export const returnSearch = defineSearch({
  /** yyyy-MM; the last month by default. */
  month: matching(/^20\d{2}-(0[1-9]|1[0-2])$/),
  kind: oneOf(RETURN_KINDS),
  /** Instead of a return. */
  tab: oneOf(MORE_TABS),
  year: matching(/^20\d{2}$/),
  page: listSearch.page,
  /** A return has no dialogs. */
  open: (): undefined => undefined,
});
export type ReturnSearch = SearchOf<typeof returnSearch>;
