import { setTimeout as pause } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** Advisory lock key. Arbitrary, but must be the same in every version of the program. */
const SETUP_LOCK = 7_823_114_502;
const AGAIN_MS = 200;

/**
 * Waits for the lock under which tables are changed, until the session ends. By asking again: a statement that waits in
 * PostgreSQL has a snapshot, and `create index concurrently` of the process with the lock would wait for it.
 */
export async function takeSetupLock(
  client: ClientBase,
  mode: 'exclusive' | 'shared',
): Promise<void> {
  const take = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select ${take}($1) as taken`, [
      SETUP_LOCK,
    ]);
    if (rows[0]?.taken) return;
    await pause(AGAIN_MS);
  }
}

export async function releaseSharedSetupLock(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_unlock_shared($1)', [SETUP_LOCK]);
}
