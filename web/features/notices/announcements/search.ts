import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

/** Without one: current. */
export const ANNOUNCEMENT_STATES = ['ended', 'withdrawn', 'all'] as const;

export const announcementSearch = defineSearch({
  ...listSearch,
  open: openForm,
  sort: sortField(['title', 'written', 'last']),
  state: oneOf(ANNOUNCEMENT_STATES),
});
export type AnnouncementSearch = SearchOf<typeof announcementSearch>;

export const readerSearch = defineSearch({
  ...listSearch,
  sort: sortField(['name', 'read']),
  state: oneOf(['read', 'unread']),
});
export type ReaderSearch = SearchOf<typeof readerSearch>;
