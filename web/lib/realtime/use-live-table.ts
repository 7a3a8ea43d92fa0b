// Loads queries again so that what they show is not older than this call.
// Lists that refresh themselves: a change of a table, by anyone, makes the queries that show it load again.
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenTo, type TableName } from './live-tables.ts';
import { createRefresher } from './refresher.ts';

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

/** An import of 67 clients is one refresh, not 67. */
const GATHER_MS = 150;
/** What changed between the rows being asked for and being listened for is made good once the screen stands, and once. */
const SETTLE_MS = 2_000;

/**
 * Listens for as long as the component is on screen.
 * @param tables one, or several as the same array at each call
 * @param queryKey the queries to load again; must be the same object at each call
 */
export function useLiveTable(tables: TableName | readonly TableName[], queryKey: QueryKey): void {
  const queryClient = useQueryClient();

  useEffect(() => {
    const { refresh, stop } = createRefresher(
      () => reloadQueries(queryClient, queryKey),
      GATHER_MS,
    );
    const listener = { changed: () => refresh(), live: () => refresh(SETTLE_MS) };
    const leaves = [tables].flat().map((table) => listenTo(table, listener));
    return () => {
      stop();
      for (const leave of leaves) leave();
    };
  }, [tables, queryKey, queryClient]);
}
