import { defineSearch, matching, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const OUTLOOK_TABS = ['cash', 'debtors', 'margin', 'hours'] as const;

export const outlookSearch = defineSearch({
  tab: oneOf(OUTLOOK_TABS),
  /** The currency and the week whose documents are open, like USD-3. */
  open: matching(/^(USD|LRD)-([1-9]|1[0-3])$/),
});
export type OutlookSearch = SearchOf<typeof outlookSearch>;
