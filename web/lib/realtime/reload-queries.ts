// Loads queries again so that what they show is not older than this call.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** @returns once loaded; failures stay with the queries, this does not reject */
export async function reloadQueries(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const firsts = queryClient
    .getQueryCache()
    .findAll({ queryKey, type: 'active', fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await queryClient.invalidateQueries({ queryKey });
  // A first answer that is underway is waited for and not asked for anew, and it may be older. None is no answer.
  const mayBeOlder = (query: (typeof firsts)[number]) =>
    firsts.includes(query) && query.state.data !== undefined;
  if (firsts.length > 0) await queryClient.invalidateQueries({ queryKey, predicate: mayBeOlder });
}
