import { listSearch } from '#web/lib/data/list-search.ts';
import { day, defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const ACCOUNTING_TABS = ['journal', 'chart', 'closing'] as const;

export const accountingSearch = defineSearch({
  ...listSearch,
  tab: oneOf(ACCOUNTING_TABS),
  /** First and last day, yyyy-MM-dd; last month without them. */
  from: day,
  to: day,
});
export type AccountingSearch = SearchOf<typeof accountingSearch>;
