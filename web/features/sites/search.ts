import { z } from 'zod';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';

export const siteSearch = z.object({
  ...listSearch,
  open: openForm,
  sort: sortField(['name', 'client', 'address', 'timezone']),
  /** Only the sites without coordinates. */
  position: z.literal('none').optional().catch(undefined),
});
export type SiteSearch = z.infer<typeof siteSearch>;
