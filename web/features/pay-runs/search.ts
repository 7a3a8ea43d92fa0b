import { z } from 'zod';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { PAY_FREQUENCIES } from '#web/lib/vocabulary/kinds.ts';
import { PAY_RUN_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export const payRunSearch = z.object({
  ...listSearch,
  open: openForm,
  status: z.enum(PAY_RUN_STATUSES).optional().catch(undefined),
  group: z.enum(PAY_FREQUENCIES).optional().catch(undefined),
});
export type PayRunSearch = z.infer<typeof payRunSearch>;

export const RUN_TABS = ['payslips', 'review', 'payments'] as const;

/** The address of one run's page. */
export const runPageSearch = z.object({
  ...listSearch,
  tab: z.enum(RUN_TABS).optional().catch(undefined),
  sort: sortField(['name', 'gross', 'net']),
});
export type RunPageSearch = z.infer<typeof runPageSearch>;
