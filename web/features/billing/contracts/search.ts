import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { day, defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const contractSearch = defineSearch({
  ...listSearch,
  open: openForm,
  /** Contracts that have ended too. */
  show: oneOf(['all']),
  sort: sortField(['client', 'title', 'starts', 'ends']),
});
export type ContractSearch = SearchOf<typeof contractSearch>;

export const CONTRACT_TABS = ['posts', 'coverage'] as const;

export const contractPageSearch = defineSearch({
  ...listSearch,
  open: openForm,
  tab: oneOf(CONTRACT_TABS),
  /** A day of the month whose coverage is shown, yyyy-MM-dd. */
  day: day,
});
export type ContractPageSearch = SearchOf<typeof contractPageSearch>;
