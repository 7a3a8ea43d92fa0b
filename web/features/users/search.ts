import { z } from 'zod';
import { ROLES } from '#shared/permissions.ts';
import { listSearch, sortField } from '#web/lib/data/list-search.ts';
import { USER_STATUSES } from '#web/lib/vocabulary/statuses.ts';

/** `none`: accounts without a role, which wait for approval under the sign-up policy `approval`. */
const ROLE_FILTERS = [...ROLES, 'none'] as const;

export const userSearch = z.object({
  ...listSearch,
  sort: sortField(['name', 'email', 'joined']),
  role: z.enum(ROLE_FILTERS).optional().catch(undefined),
  state: z.enum(USER_STATUSES).optional().catch(undefined),
});
export type UserSearch = z.infer<typeof userSearch>;
