import { defineSearch, oneOf, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';

export const DISPATCH_TABS = ['calls', 'units', 'goals', 'panels'] as const;

export const dispatchSearch = defineSearch({
  tab: oneOf(DISPATCH_TABS),
  /** Id of the call whose details are open. */
  open: uuid,
});
export type DispatchSearch = SearchOf<typeof dispatchSearch>;
