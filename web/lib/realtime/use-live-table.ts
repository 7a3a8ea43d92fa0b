import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenTo, type TableName } from './live-tables.ts';
import { createRefresher } from './refresher.ts';

/** Refetches queries so that their data is not older than this call. Doesn't reject; the queries hold their errors. */
export async function reloadQueries(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const firsts = queryClient
    .getQueryCache()
    .findAll({ queryKey, type: 'active', fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await queryClient.invalidateQueries({ queryKey });
  // invalidateQueries waits for a first fetch in flight and doesn't repeat it, but its response may be older.
  const mayBeOlder = (query: (typeof firsts)[number]) =>
    firsts.includes(query) && query.state.data !== undefined;
  if (firsts.length > 0) await queryClient.invalidateQueries({ queryKey, predicate: mayBeOlder });
}

/** An import of 67 clients causes one refetch, not 67. */
const DEBOUNCE_MS = 150;
/** Changes between the fetch and the subscription are caught by one refetch after the screen has settled. */
const SETTLE_MS = 2_000;

/**
 * Refetches queries when a row of a table changes, while the component is mounted.
 * @param tables must be the same array on each render
 * @param queryKey must be the same object on each render
 */
export function useLiveTable(tables: TableName | readonly TableName[], queryKey: QueryKey): void {
  const queryClient = useQueryClient();

  useEffect(() => {
    const { refresh, stop } = createRefresher(
      () => reloadQueries(queryClient, queryKey),
      DEBOUNCE_MS,
    );
    const listener = { changed: () => refresh(), live: () => refresh(SETTLE_MS) };
    const leaves = [tables].flat().map((table) => listenTo(table, listener));
    return () => {
      stop();
      for (const leave of leaves) leave();
    };
  }, [tables, queryKey, queryClient]);
}
