import { listSearch } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';
import { ENQUIRY_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export const enquirySearch = defineSearch({
  ...listSearch,
  state: oneOf(ENQUIRY_STATUSES),
});
export type EnquirySearch = SearchOf<typeof enquirySearch>;
