import { listSearch, openForm } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';
import { ADJUSTMENT_KINDS } from '#web/lib/vocabulary/kinds.ts';
import { ADJUSTMENT_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export const adjustmentSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(ADJUSTMENT_STATUSES),
  kind: oneOf(ADJUSTMENT_KINDS),
});
export type AdjustmentSearch = SearchOf<typeof adjustmentSearch>;
