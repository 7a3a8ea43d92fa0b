import { PAYROLL_PAYMENT_STATUS } from '#shared/database.values.ts';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, matching, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const payrollSearch = defineSearch({
  ...listSearch,
  open: openForm,
  /** The dialog of the toolbar that is open. */
  dialog: oneOf(['rates']),
  status: oneOf(PAYROLL_PAYMENT_STATUS),
  /** First and last day of one period, "2026-10-01 2026-10-31". */
  period: matching(/^\d{4}-\d{2}-\d{2} \d{4}-\d{2}-\d{2}$/),
  sort: sortField(['name', 'period', 'net', 'paid']),
});
export type PayrollSearch = SearchOf<typeof payrollSearch>;
