import { PAY_RUNS_STATUS, STAFF_PAYMENT_FREQUENCY } from '#shared/database.values.ts';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const payRunSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(PAY_RUNS_STATUS),
  group: oneOf(STAFF_PAYMENT_FREQUENCY),
});
export type PayRunSearch = SearchOf<typeof payRunSearch>;

export const RUN_TABS = ['payslips', 'review', 'payments'] as const;

export const runPageSearch = defineSearch({
  ...listSearch,
  tab: oneOf(RUN_TABS),
  sort: sortField(['name', 'gross', 'net']),
});
export type RunPageSearch = SearchOf<typeof runPageSearch>;
