import { z } from 'zod';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { STAFF_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export const staffSearch = z.object({
  ...listSearch,
  open: openForm,
  status: z.enum(STAFF_STATUSES).optional().catch(undefined),
  sort: sortField(['name', 'hired', 'salary']),
});
export type StaffSearch = z.infer<typeof staffSearch>;
