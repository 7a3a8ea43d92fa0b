import { PAYMENT_FORMATS_CURRENCY } from '#shared/database.values.ts';
import { listSearch } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const ACCOUNT_STATES = ['unverified', 'verified'] as const;

export const accountSearch = defineSearch({
  ...listSearch,
  state: oneOf(ACCOUNT_STATES),
  /** The currency whose payment formats are open. */
  formats: oneOf(PAYMENT_FORMATS_CURRENCY),
});
export type AccountSearch = SearchOf<typeof accountSearch>;
