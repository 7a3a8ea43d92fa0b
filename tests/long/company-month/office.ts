// The company's database and server, the people in the office, and how they act: each as themselves.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Pool, PoolClient } from 'pg';
import type { Role } from '#shared/permissions.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';
import { become } from '#tests/support/session.ts';

export interface Member {
  id: string;
  client: SupabaseClient;
  claims: Record<string, string>;
}

export type Row = Record<string, unknown>;

export interface Office {
  server: TestServer;
  owner: Pool;
  /** Plans, corrects attendance and decides about hours. */
  operations: Member;
  hr: Member;
  finance: Member;
  admin: Member;
}

export const claimsOf = (id: string): Record<string, string> => ({
  sub: id,
  role: 'authenticated',
  aal: 'aal1',
});

async function member(server: TestServer, name: string, role: Role): Promise<Member> {
  const { id, client } = await server.signedUp(name);
  await server.database.owner.query('insert into user_roles (user_id, role) values ($1, $2)', [
    id,
    role,
  ]);
  return { id, client, claims: claimsOf(id) };
}

export async function openOffice(): Promise<Office> {
  const server = await testServer();
  return {
    server,
    owner: server.database.owner,
    operations: await member(server, 'Operations', 'ops_manager'),
    hr: await member(server, 'HR', 'hr'),
    finance: await member(server, 'Finance', 'finance'),
    admin: await member(server, 'Admin', 'admin'),
  };
}

/** What a person does in one transaction. */
export async function actAs<Result>(
  pool: Pool,
  person: Pick<Member, 'claims'>,
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
  person: Pick<Member, 'claims'>,
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
