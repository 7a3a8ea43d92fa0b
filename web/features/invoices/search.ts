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

/** The address of one invoice's page. */
export const invoicePageSearch = z.object({
  ...listSearch,
  open: openForm,
});
export type InvoicePageSearch = z.infer<typeof invoicePageSearch>;
