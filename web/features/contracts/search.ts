import { z } from 'zod';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';

export const contractSearch = z.object({
  ...listSearch,
  open: openForm,
  /** Contracts that have ended too. */
  show: z.literal('all').optional().catch(undefined),
  sort: sortField(['client', 'title', 'starts', 'ends']),
});
export type ContractSearch = z.infer<typeof contractSearch>;

export const CONTRACT_TABS = ['posts', 'coverage'] as const;

/** The address of one contract's page. */
export const contractPageSearch = z.object({
  ...listSearch,
  open: openForm,
  tab: z.enum(CONTRACT_TABS).optional().catch(undefined),
  /** A day of the month whose coverage is shown, yyyy-MM-dd. */
  day: z.iso.date().optional().catch(undefined),
});
export type ContractPageSearch = z.infer<typeof contractPageSearch>;
