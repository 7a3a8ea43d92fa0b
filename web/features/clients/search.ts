import { z } from 'zod';
import { listSearch, openForm } from '#web/lib/data/list-search.ts';

/** Sort options of the list; by name without one. */
export const SORTS = ['-name', '-number_of_guards', '-monthly_rate', 'location'] as const;

export const clientSearch = z.object({
  ...listSearch,
  open: openForm,
  /** Id of the client whose contacts are open. */
  contacts: z.uuid().optional().catch(undefined),
  /** Id of the client whose monthly report is open. */
  report: z.uuid().optional().catch(undefined),
  sort: z.enum(SORTS).optional().catch(undefined),
});
export type ClientSearch = z.infer<typeof clientSearch>;
