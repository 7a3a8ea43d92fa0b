import { defineSearch, type SearchOf } from '#web/lib/data/search-fields.ts';

export const settingsSearch = defineSearch({
  open: (): undefined => undefined,
});
export type SettingsSearch = SearchOf<typeof settingsSearch>;
