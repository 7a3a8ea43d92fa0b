// Runs SQL as a caller in a transaction that is always rolled back, with role and claims set as for HTTP requests.
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { Person } from './people.ts';

export const REFUSED = '42501';

/** @returns the SQLSTATE of the statement's error, or undefined when it succeeded; the transaction goes on */
export async function attempt(
  client: PoolClient,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  await client.query('savepoint attempt');
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    // Also resets the role that was set after the savepoint.
    await client.query('rollback to savepoint attempt');
    return error.code;
  }
}

/** Switches the rest of the transaction to the person. */
export async function become(client: PoolClient, person: Pick<Person, 'claims'>): Promise<void> {
  const role = person.claims === null ? 'anon' : 'authenticated';
  await client.query(
    `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`,
    [role, JSON.stringify(person.claims ?? { role })],
  );
}

/** Switches back to the owner, who bypasses row-level security. */
export async function becomeOwner(client: PoolClient): Promise<void> {
  await client.query(`reset role; select set_config('request.jwt.claims', '', true)`);
}

/** Runs `work` in a transaction that is always rolled back. */
export async function rolledBack<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    return await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Runs one statement as the person, in a rolled-back transaction. */
export async function asPerson<R extends object>(
  pool: Pool,
  person: Pick<Person, 'claims'>,
  sql: string,
  values: unknown[] = [],
): Promise<R[]> {
  return rolledBack(pool, async (client) => {
    await become(client, person);
    return (await client.query<R>(sql, values)).rows;
  });
}

/** Calls a function of the database. @returns its result */
export async function call<Result>(
  client: PoolClient,
  text: string,
  values: unknown[],
): Promise<Result> {
  const { rows } = await client.query(`select ${text} as result`, values);
  return rows[0].result;
}

/** @returns the error, after which the transaction goes on */
export async function refusal(
  client: PoolClient,
  work: () => Promise<unknown>,
): Promise<DatabaseError> {
  await client.query('savepoint refused');
  const error: unknown = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  await client.query('rollback to savepoint refused');
  if (!(error instanceof DatabaseError))
    throw new Error(`Expected a refusal, not ${String(error)}`);
  return error;
}
