import type pg from 'pg';
import { withClient } from './with-client.ts';

/** Cancels what these sessions run, over a connection of its own. Those that run nothing are left as they are. */
export async function cancelBackends(
  connection: pg.ClientConfig,
  processIds: readonly number[],
): Promise<void> {
  await withClient(connection, (client) =>
    client.query('select pg_cancel_backend(id) from unnest($1::int[]) id', [processIds]),
  );
}

/** @returns the process of PostgreSQL behind a connection, which pg's types leave out */
export function readBackendPid(client: pg.ClientBase): number | undefined {
  return 'processID' in client && typeof client.processID === 'number'
    ? client.processID
    : undefined;
}

/** @returns a function that cancels what connections of the pool run at that time */
export function cancelRunning(pool: pg.Pool): () => Promise<void> {
  const taken = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => taken.add(client));
  pool.on('release', (_error, client) => taken.delete(client));
  return async () => {
    const processIds = [...taken].flatMap((client) => readBackendPid(client) ?? []);
    if (processIds.length > 0) await cancelBackends(pool.options, processIds);
  };
}
