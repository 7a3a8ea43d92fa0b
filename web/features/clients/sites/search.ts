import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf, text, uuid } from '#web/lib/data/search-fields.ts';

export const siteSearch = defineSearch({
  ...listSearch,
  open: openForm,
  sort: sortField(['name', 'client', 'address', 'timezone']),
  /** Only the sites without coordinates. */
  position: oneOf(['none']),
});
export type SiteSearch = SearchOf<typeof siteSearch>;

export const deviceSearch = defineSearch({ site: uuid, open: text() });
export type DeviceSearch = SearchOf<typeof deviceSearch>;
