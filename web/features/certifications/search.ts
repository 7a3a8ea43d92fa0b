import { z } from 'zod';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { VALIDITIES } from '#web/lib/vocabulary/statuses.ts';

export const certificationSearch = z.object({
  ...listSearch,
  open: openForm,
  view: z.enum(['courses']).optional().catch(undefined),
  sort: sortField(['person', 'course', 'issued', 'expires']),
  state: z.enum(VALIDITIES).optional().catch(undefined),
  course: z.uuid().optional().catch(undefined),
  person: z.uuid().optional().catch(undefined),
});
export type CertificationSearch = z.infer<typeof certificationSearch>;
