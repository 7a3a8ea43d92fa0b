import { CONTACT_MESSAGES_STATE } from '#shared/database.values.ts';
import { listSearch } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';

export const enquirySearch = defineSearch({
  ...listSearch,
  state: oneOf(CONTACT_MESSAGES_STATE),
});
export type EnquirySearch = SearchOf<typeof enquirySearch>;

export const quoteSearch = defineSearch({
  ...listSearch,
  /** The enquiry that a new quote answers. */
  enquiry: uuid,
});
export type QuoteSearch = SearchOf<typeof quoteSearch>;
