import { z } from 'zod';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { PAY_CURRENCIES } from '#web/lib/vocabulary/kinds.ts';
import { INVOICE_FILTERS } from '#web/lib/vocabulary/statuses.ts';

export const invoiceSearch = z.object({
  ...listSearch,
  open: openForm,
  status: z.enum(INVOICE_FILTERS).optional().catch(undefined),
  currency: z.enum(PAY_CURRENCIES).optional().catch(undefined),
  sort: sortField(['client', 'period', 'due', 'total', 'open']),
});
export type InvoiceSearch = z.infer<typeof invoiceSearch>;

/** What keeps worked hours from being billed, in the order of unbilled_hours' reasons; or that they were waived. */
export const UNBILLED_STATES = [
  'not_approved',
  'no_contract',
  'no_rate',
  'month_not_billed',
  'not_drafted',
  'waived',
] as const;

export const unbilledSearch = z.object({
  ...listSearch,
  /** First and last day, yyyy-MM-dd; the last three whole months without them. */
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
  client: z.uuid().optional().catch(undefined),
  /** All but the waived ones without it. */
  state: z.enum(UNBILLED_STATES).optional().catch(undefined),
  sort: sortField(['client', 'guard', 'first', 'hours']),
});
export type UnbilledSearch = z.infer<typeof unbilledSearch>;

/** The address of one invoice's page. */
export const invoicePageSearch = z.object({
  ...listSearch,
  open: openForm,
});
export type InvoicePageSearch = z.infer<typeof invoicePageSearch>;
