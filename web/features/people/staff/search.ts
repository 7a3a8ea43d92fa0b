import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';
import { STAFF_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export const staffSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(STAFF_STATUSES),
  sort: sortField(['name', 'hired', 'salary']),
});
export type StaffSearch = SearchOf<typeof staffSearch>;
