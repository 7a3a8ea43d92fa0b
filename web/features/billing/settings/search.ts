import { defineSearch } from '#web/lib/data/search-fields.ts';

export const settingsSearch = defineSearch({
  open: (): undefined => undefined,
});
