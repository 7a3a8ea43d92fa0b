import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';

export const orderSearch = defineSearch({
  ...listSearch,
  open: openForm,
  sort: sortField(['site', 'title', 'from']),
  site: uuid,
});
export type OrderSearch = SearchOf<typeof orderSearch>;
