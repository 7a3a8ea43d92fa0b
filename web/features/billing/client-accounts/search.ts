import { INVOICES_CURRENCY } from '#shared/database.values.ts';
import { listSearch } from '#web/lib/data/list-search.ts';
import { day, defineSearch, oneOf, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';

export const statementSearch = defineSearch({
  ...listSearch,
  /** Whose statement is shown; what all clients owe without one. */
  client: uuid,
  currency: oneOf(INVOICES_CURRENCY),
  /** First and last day, yyyy-MM-dd; from three months ago until today without them. */
  from: day,
  to: day,
});
export type StatementSearch = SearchOf<typeof statementSearch>;
