import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';

export const postSearch = defineSearch({
  ...listSearch,
  open: openForm,
  sort: sortField(['name', 'site']),
  site: uuid,
});
export type PostSearch = SearchOf<typeof postSearch>;
