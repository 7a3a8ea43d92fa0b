// A PostgreSQL for tests and code generators: in a temporary folder, with a project's migrations applied.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ClientConfig } from 'pg';
import pg from 'pg';
import { openDatabase } from './database.ts';
import { startCluster } from './embedded/cluster.ts';
import type { Binaries } from './embedded/programs.ts';
import { type Preparation, prepareDatabase } from './prepare.ts';
import { withClient } from './with-client.ts';

export interface TemporaryDatabase {
  /** The owner's connection to the prepared database. */
  connection: ClientConfig;
  stop(): Promise<void>;
}

export interface TemporaryDatabaseOptions {
  /** Folder that holds `supabase/`. */
  projectDir: string;
  /** Name of the database to create; the server's own `postgres` unless given. */
  name?: string;
  /** Programs of another version than ours. */
  binaries?: Binaries;
  /** Settings of postgresql.conf. */
  settings?: Record<string, string>;
  afterMigrations?: Preparation['afterMigrations'];
}

export async function startTemporaryDatabase({
  projectDir,
  name,
  binaries,
  settings = {},
  afterMigrations,
}: TemporaryDatabaseOptions): Promise<TemporaryDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'temporary-database-'));
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  const cluster = await startCluster({
    dataDir,
    ...(binaries && { binaries }),
    settings: { fsync: 'off', ...settings },
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await cluster.stop();
    await remove();
  };
  try {
    const connection =
      name === undefined ? cluster.connection : await create(cluster.connection, name);
    const database = openDatabase(connection, 1, () => {});
    await prepareDatabase(connection, {
      config: { projectDir, databaseUrl: undefined },
      logins: database.logins,
      sourceDir: path.join(import.meta.dirname, '..'),
      afterMigrations,
    });
    await database.end();
    return { connection, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function create(server: ClientConfig, name: string): Promise<ClientConfig> {
  await withClient(server, (owner) => owner.query(`create database ${pg.escapeIdentifier(name)}`));
  return { ...server, database: name };
}
