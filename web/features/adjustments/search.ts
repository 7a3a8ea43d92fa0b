import { z } from 'zod';
import { listSearch, openForm } from '#web/lib/data/list-search.ts';
import { ADJUSTMENT_KINDS } from '#web/lib/vocabulary/kinds.ts';
import { ADJUSTMENT_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export const adjustmentSearch = z.object({
  ...listSearch,
  open: openForm,
  status: z.enum(ADJUSTMENT_STATUSES).optional().catch(undefined),
  kind: z.enum(ADJUSTMENT_KINDS).optional().catch(undefined),
});
export type AdjustmentSearch = z.infer<typeof adjustmentSearch>;
