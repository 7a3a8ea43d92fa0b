import { listSearch } from '#web/lib/data/list-search.ts';
import { defineSearch, matching, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const VAT_TABS = ['returns', 'clients', 'registration'] as const;

export const vatSearch = defineSearch({
  tab: oneOf(VAT_TABS),
  /** yyyy-MM: the month whose return is open. */
  month: matching(/^2\d{3}-(0[1-9]|1[0-2])$/),
  /** Of the clients. */
  q: listSearch.q,
  page: listSearch.page,
  open: (): undefined => undefined,
});
export type VatSearch = SearchOf<typeof vatSearch>;
