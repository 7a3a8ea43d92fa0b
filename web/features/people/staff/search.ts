import { STAFF_STATUS } from '#shared/database.values.ts';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const staffSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(STAFF_STATUS),
  sort: sortField(['name', 'hired', 'salary']),
});
export type StaffSearch = SearchOf<typeof staffSearch>;
