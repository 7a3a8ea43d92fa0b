import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';
import { PAY_FREQUENCIES } from '#web/lib/vocabulary/kinds.ts';
import { PAY_RUN_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export const payRunSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(PAY_RUN_STATUSES),
  group: oneOf(PAY_FREQUENCIES),
});
export type PayRunSearch = SearchOf<typeof payRunSearch>;

export const RUN_TABS = ['payslips', 'review', 'payments'] as const;

/** The address of one run's page. */
export const runPageSearch = defineSearch({
  ...listSearch,
  tab: oneOf(RUN_TABS),
  sort: sortField(['name', 'gross', 'net']),
});
export type RunPageSearch = SearchOf<typeof runPageSearch>;
