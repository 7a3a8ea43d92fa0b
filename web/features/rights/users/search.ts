import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';
import { USER_STATUSES } from '#web/lib/vocabulary/statuses.ts';

/** `none`: accounts without a role, which wait for approval under the sign-up policy `approval`. */
const ROLE_FILTERS = [...USER_ROLES_ROLE, 'none'] as const;

export const userSearch = defineSearch({
  ...listSearch,
  /** Id of the account whose roles are open, or "new" for an invitation. */
  open: openForm,
  sort: sortField(['name', 'email', 'joined']),
  role: oneOf(ROLE_FILTERS),
  state: oneOf(USER_STATUSES),
});
export type UserSearch = SearchOf<typeof userSearch>;
