import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import { listSearch, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';
import { PEOPLE_STATES } from '#web/lib/vocabulary/statuses.ts';
import { MISSING } from './schema.ts';

export const peopleSearch = defineSearch({
  ...listSearch,
  sort: sortField(['name', 'next']),
  role: oneOf(USER_ROLES_ROLE),
  /** Without it: everybody who has not left. */
  state: oneOf([...PEOPLE_STATES, 'everybody']),
  missing: oneOf(['any', ...MISSING]),
});
export type PeopleSearch = SearchOf<typeof peopleSearch>;
