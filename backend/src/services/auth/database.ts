// How the auth service speaks to its own tables: one statement, or several in a transaction that is tried again.
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool, type PoolClient } from 'pg';

/** A pool for single statements, or the client of a transaction. */
export type Db = Pick<PoolClient, 'query'>;

const TRIES = 5;
const RETRIED = new Set(['40001', '40P01']);

/** @returns PostgreSQL's SQLSTATE, undefined for any other failure */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** @returns whether the error says that another row holds this value already */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof DatabaseError && error.code === '23505' && error.constraint === constraint
  );
}

/**
 * Commits when `work` resolves, rolls back when it throws. Deadlocks and serialization failures are tried again,
 * so `work` must not do anything beside its statements.
 */
export async function transaction<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      const state = sqlState(error);
      if (state === undefined || !RETRIED.has(state) || attempt >= TRIES) throw error;
    } finally {
      client.release(broken);
    }
    await pause(Math.random() * 10 * 2 ** attempt);
  }
}
