import { PAY_BASES_CURRENCY } from '#shared/database.values.ts';
import { listSearch } from '#web/lib/data/list-search.ts';
import {
  day,
  defineSearch,
  either,
  oneOf,
  type SearchOf,
  uuid,
} from '#web/lib/data/search-fields.ts';

export const MARGIN_GROUPS = ['site', 'client', 'month'] as const;

/** For pay and lines that belong to no site or client. */
export const NONE = 'none';

const idOrNone = either(uuid, oneOf([NONE]));

export const marginSearch = defineSearch({
  /** Days of the first and the last month, yyyy-MM-dd; the last six whole months without them. */
  from: day,
  to: day,
  /** What is converted into US dollars without it. */
  currency: oneOf([...PAY_BASES_CURRENCY, 'apart']),
  client: idOrNone,
  by: oneOf(MARGIN_GROUPS),
  page: listSearch.page,
  /** The site whose hours are open. */
  open: idOrNone,
});
export type MarginSearch = SearchOf<typeof marginSearch>;
