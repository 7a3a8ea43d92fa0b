import { DEPLOYMENTS_STATUS } from '#shared/database.values.ts';
import { listSearch, openForm } from '#web/lib/data/list-search.ts';
import { defineSearch, oneOf, type SearchOf } from '#web/lib/data/search-fields.ts';

export const deploymentSearch = defineSearch({
  ...listSearch,
  open: openForm,
  status: oneOf(DEPLOYMENTS_STATUS),
});
export type DeploymentSearch = SearchOf<typeof deploymentSearch>;
