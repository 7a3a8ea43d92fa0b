import { defineSearch, type SearchOf, text, uuid } from '#web/lib/data/search-fields.ts';

export const handoverSearch = defineSearch({
  site: uuid,
  open: text(),
});
export type HandoverSearch = SearchOf<typeof handoverSearch>;
