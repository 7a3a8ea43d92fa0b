import { z } from 'zod';
import { listSearch } from '#web/lib/data/list-search.ts';

export const ACCOUNTING_TABS = ['journal', 'chart'] as const;

export const accountingSearch = z.object({
  ...listSearch,
  tab: z.enum(ACCOUNTING_TABS).optional().catch(undefined),
  /** First and last day, yyyy-MM-dd; last month without them. */
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
});
export type AccountingSearch = z.infer<typeof accountingSearch>;
