import { day, defineSearch, type SearchOf, text, uuid } from '#web/lib/data/search-fields.ts';

export const patrolSearch = defineSearch({
  site: uuid,
  day: day,
  open: text(),
});
export type PatrolSearch = SearchOf<typeof patrolSearch>;
