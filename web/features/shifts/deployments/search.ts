import { listSearch, openForm } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';
import { DEPLOYMENT_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export const deploymentSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(DEPLOYMENT_STATUSES),
});
export type DeploymentSearch = SearchOf<typeof deploymentSearch>;
