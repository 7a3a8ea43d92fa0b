import { z } from 'zod';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';

export const postSearch = z.object({
  ...listSearch,
  open: openForm,
  sort: sortField(['name', 'site']),
  site: z.uuid().optional().catch(undefined),
});
export type PostSearch = z.infer<typeof postSearch>;
