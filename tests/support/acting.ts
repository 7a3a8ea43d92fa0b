// Statements that people run as themselves, kept, in long scenarios.
import type { Pool, PoolClient } from 'pg';
import type { Person } from './people.ts';
import { become } from './session.ts';

export type Row = Record<string, unknown>;
export type Actor = Pick<Person, 'claims'>;

export const claimsOf = (id: string): Record<string, string> => ({
  sub: id,
  role: 'authenticated',
  aal: 'aal1',
});

/** What a person does in one transaction. */
export async function actAs<Result>(
  pool: Pool,
  person: Actor,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await become(client, person);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** @returns the rows of one statement that the person runs */
export const ask = (
  pool: Pool,
  person: Actor,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> =>
  actAs(pool, person, async (client) => (await client.query<Row>(sql, values)).rows);

/** Adds rows that all have the same columns. */
export async function insertRows(
  client: Pick<PoolClient, 'query'>,
  table: string,
  rows: Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  if (columns === '') return;
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}
