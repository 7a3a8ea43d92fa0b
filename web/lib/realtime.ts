// Lists that refresh themselves: a change of a table, by anyone, makes the queries that show it load again.
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Database } from '#shared/database.types.ts';
import { createRefresher } from './refresher.ts';
import { onReady } from './supabase.ts';

type TableName = keyof Database['public']['Tables'];

/** An import of 67 clients is one refresh, not 67. */
const GATHER_MS = 150;

let subscriptions = 0;

/**
 * Listens for as long as the component is on screen.
 * @param queryKey the queries to load again; must be the same object at each call
 */
export function useLiveTable(table: TableName, queryKey: QueryKey): void {
  const queryClient = useQueryClient();

  useEffect(() => {
    const { refresh, stop } = createRefresher(
      () => queryClient.invalidateQueries({ queryKey }),
      GATHER_MS,
    );

    // Its own topic each time: leaving is not immediate, and a topic can't be joined again until it is done.
    subscriptions += 1;
    const name = `live:${table}:${subscriptions}`;
    let leave = () => {};
    const forget = onReady((client) => {
      const channel = client
        .channel(name)
        .on('postgres_changes', { event: '*', schema: 'public', table }, refresh)
        // The server's own stream was down and is back: the channel stayed joined, but changes in between were not sent.
        .on('system', {}, (message: { extension?: string; status?: string }) => {
          if (message.extension === 'postgres_changes' && message.status === 'ok') refresh();
        })
        .subscribe((status, error) => {
          // Also after a lost connection has come back: what changed meanwhile was never announced.
          if (status === 'SUBSCRIBED') refresh();
          else if (error) console.warn(`No live changes of ${table} for now:`, error.message);
        });
      leave = () => void client.removeChannel(channel);
    });

    return () => {
      stop();
      forget();
      leave();
    };
  }, [table, queryKey, queryClient]);
}
