// Lists that refresh themselves: a change of a table, by anyone, makes the queries that show it load again.
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenTo, type TableName } from './live-tables.ts';
import { createRefresher } from './refresher.ts';
import { reloadQueries } from './reload-queries.ts';

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
