import { PAY_ADJUSTMENTS_KIND, PAY_ADJUSTMENTS_STATUS } from '#shared/database.values.ts';
import { listSearch, openForm } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const adjustmentSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(PAY_ADJUSTMENTS_STATUS),
  kind: oneOf(PAY_ADJUSTMENTS_KIND),
});
export type AdjustmentSearch = SearchOf<typeof adjustmentSearch>;
