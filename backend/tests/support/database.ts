import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { cleanUp } from './clean-up.ts';

export interface TestDatabase {
  connection: pg.ClientConfig;
  /** postgres:// URL of the owner. */
  url: string;
  /** The owner, who bypasses row-level security: to set up and check rows. */
  owner: pg.Pool;
}

/**
 * @param content a clone of the prepared template, or an empty database
 * @returns a new database, dropped after the file's tests
 */
export const freshDatabase = (content: 'project' | 'nothing' = 'project'): Promise<TestDatabase> =>
  cloneDatabase(content === 'project' ? inject('template') : 'template1');

/** @param template a database without connections @returns a clone of it, dropped after the file's tests */
export async function cloneDatabase(template: string): Promise<TestDatabase> {
  const server = inject('postgres');
  const connection = await createClone(template);
  const { database: name } = connection;
  const owner = poolOf(connection, 4);
  cleanUp(async () => {
    await owner.end();
    const client = new pg.Client({ ...server, database: 'postgres' });
    await client.connect();
    await endReplication(client, name);
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  const password = encodeURIComponent(server.password);
  const url = `postgres://${server.user}:${password}@${server.host}:${server.port}/${name}`;
  return { connection, url, owner };
}

/** @param template a database without connections @returns a clone of it that stays until the run ends */
export async function createClone(
  template: string,
): Promise<pg.ClientConfig & { database: string }> {
  const server = inject('postgres');
  const name = `t_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ ...server, database: 'postgres' });
  await admin.connect();
  // Cloning needs exclusive access to the template.
  await admin.query(`select pg_advisory_lock(1)`);
  await admin.query(`create database ${name} template ${template}`);
  await admin.query(`alter database ${name} set search_path to public, extensions`);
  await admin.end();
  return { ...server, database: name };
}

/** @param max connections: a test with concurrent sessions needs one for each */
export function poolOf(connection: pg.ClientConfig, max: number): pg.Pool {
  const pool = new pg.Pool({ ...connection, max });
  // `end` doesn't wait until the connections are closed, so dropping the database may still terminate one.
  pool.on('error', () => {});
  return pool;
}

/** The WAL sender of a stopped server exits with a delay and blocks even a forced drop. */
async function endReplication(client: pg.Client, database: string): Promise<void> {
  const WAIT_MS = 1_000;
  let senders: number | null;
  do {
    ({ rowCount: senders } = await client.query(
      `select pg_terminate_backend(active_pid, $2) from pg_replication_slots
       where database = $1 and active_pid is not null`,
      [database, WAIT_MS],
    ));
  } while (senders !== 0);
}
