import { z } from 'zod';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';

export const orderSearch = z.object({
  ...listSearch,
  open: openForm,
  sort: sortField(['site', 'title', 'from']),
  site: z.uuid().optional().catch(undefined),
});
export type OrderSearch = z.infer<typeof orderSearch>;
