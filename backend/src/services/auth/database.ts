// Queries of the auth service to its own tables: single statements, or transactions that are retried.
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool, type PoolClient } from 'pg';

/** A pool for single statements, or a transaction's client. */
export type Db = Pick<PoolClient, 'query'>;

const TRIES = 5;
const RETRIED = new Set(['40001', '40P01']);

/** @returns the SQLSTATE, undefined for other errors */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** @returns whether the error is the violation of a unique constraint */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof DatabaseError && error.code === '23505' && error.constraint === constraint
  );
}

/**
 * Commits when `work` resolves, rolls back when it throws. Retries deadlocks and serialization failures, so `work` must
 * have no side effects other than its statements.
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

/** A statement or a part of one, with its values. pg takes it as a query. */
export class Sql {
  constructor(
    readonly parts: readonly string[],
    readonly values: unknown[],
  ) {}

  get text(): string {
    return this.parts.reduce((text, part, at) => `${text}$${at}${part}`);
  }
}

/** Values become parameters, also undefined, which is null; other Sql is inserted as it is. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  const parts = [strings[0] ?? ''];
  const append = (text = ''): void => {
    parts.push(`${parts.pop()}${text}`);
  };
  const parameters = values.flatMap((value, at) => {
    const [first, ...others] = value instanceof Sql ? value.parts : ['', ''];
    append(first);
    parts.push(...others);
    append(strings[at + 1]);
    return value instanceof Sql ? value.values : [value];
  });
  return new Sql(parts, parameters);
}

/** @param text trusted SQL without values */
export const raw = (text: string): Sql => new Sql([text], []);
