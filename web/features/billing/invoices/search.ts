import { INVOICES_CURRENCY } from '#shared/database.values.ts';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { day, defineSearch, oneOf, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';
import { INVOICE_FILTERS } from '#web/lib/vocabulary/statuses.ts';

export const invoiceSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(INVOICE_FILTERS),
  currency: oneOf(INVOICES_CURRENCY),
  sort: sortField(['client', 'period', 'due', 'total', 'open']),
});
export type InvoiceSearch = SearchOf<typeof invoiceSearch>;

/** Reasons that keep worked hours from being billed, in the order of unbilled_hours; or that they were waived. */
export const UNBILLED_STATES = [
  'not_approved',
  'no_contract',
  'no_rate',
  'month_not_billed',
  'not_drafted',
  'on_demand',
  'not_due',
  'above_headcount',
  'waived',
] as const;

export const unbilledSearch = defineSearch({
  ...listSearch,
  /** First and last day, yyyy-MM-dd; the last three whole months without them. */
  from: day,
  to: day,
  client: uuid,
  /** Without it all but those that nobody has to settle now. */
  state: oneOf(UNBILLED_STATES),
  sort: sortField(['client', 'guard', 'first', 'hours']),
});
export type UnbilledSearch = SearchOf<typeof unbilledSearch>;

export const invoicePageSearch = defineSearch({
  ...listSearch,
  open: openForm,
});
export type InvoicePageSearch = SearchOf<typeof invoicePageSearch>;
