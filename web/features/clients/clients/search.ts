import { listSearch, openForm } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';

/** Sort options of the list; by name without one. */
export const SORTS = ['-name', '-number_of_guards', '-monthly_rate', 'location'] as const;

export const clientSearch = defineSearch({
  ...listSearch,
  open: openForm,
  /** Id of the client whose contacts are open. */
  contacts: uuid,
  /** Id of the client whose monthly report is open. */
  report: uuid,
  sort: oneOf(SORTS),
});
export type ClientSearch = SearchOf<typeof clientSearch>;
