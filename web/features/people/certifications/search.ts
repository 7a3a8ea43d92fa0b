import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';
import { VALIDITIES } from '#web/lib/vocabulary/statuses.ts';

export const certificationSearch = defineSearch({
  ...listSearch,
  open: openForm,
  view: oneOf(['courses']),
  sort: sortField(['person', 'course', 'issued', 'expires']),
  state: oneOf(VALIDITIES),
  course: uuid,
  person: uuid,
});
export type CertificationSearch = SearchOf<typeof certificationSearch>;
