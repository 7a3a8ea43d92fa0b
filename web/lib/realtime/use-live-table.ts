import {
  hashKey,
  type QueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LiveRows, listenTo } from './live-tables.ts';
import { createRefresher, type Refresher } from './refresher.ts';

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

type Shared = { refresher: Refresher; users: number };

const shared = new WeakMap<QueryClient, Map<string, Shared>>();

/**
 * The refresher of a key, shared by all components that reload the same queries: with one each, every change would be
 * requested several times.
 */
export function joinRefresher(
  queryClient: QueryClient,
  queryKey: QueryKey,
): Pick<Refresher, 'refresh'> & { leave: () => void } {
  const all = shared.get(queryClient) ?? new Map<string, Shared>();
  shared.set(queryClient, all);
  const hash = hashKey(queryKey);
  const one = all.get(hash) ?? {
    refresher: createRefresher(() => reloadQueries(queryClient, queryKey), DEBOUNCE_MS),
    users: 0,
  };
  all.set(hash, one);
  one.users += 1;
  const leave = () => {
    one.users -= 1;
    if (one.users > 0) return;
    one.refresher.stop();
    all.delete(hash);
  };
  return { refresh: one.refresher.refresh, leave };
}

/** @returns the same value on each render until its content changes */
function useStable<Value>(value: Value): Value {
  const [kept, keep] = useState(value);
  if (kept === value || hashKey([kept]) === hashKey([value])) return kept;
  keep(value);
  return value;
}

/** Refetches queries when a row of a table changes, while the component is mounted. */
export function useLiveTable(tables: LiveRows | readonly LiveRows[], queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  // Listening again at each render would cancel the refetch that is due.
  const stable = useStable(tables);
  const key = useStable(queryKey);

  useEffect(() => {
    const { refresh, leave: leaveRefresher } = joinRefresher(queryClient, key);
    const listener = { changed: () => refresh(), live: () => refresh(SETTLE_MS) };
    const leaves = [stable].flat().map((rows) => listenTo(rows, listener));
    return () => {
      leaveRefresher();
      for (const leave of leaves) leave();
    };
  }, [stable, key, queryClient]);
}

/** A query that is refetched with all others of its `key` when a row of a table changes. */
export function useLiveQuery<Data, Shown = Data, Key extends QueryKey = QueryKey>(
  tables: LiveRows | readonly LiveRows[],
  key: QueryKey,
  options: UseQueryOptions<Data, Error, Shown, Key>,
): UseQueryResult<Shown> {
  useLiveTable(tables, key);
  return useQuery(options);
}
