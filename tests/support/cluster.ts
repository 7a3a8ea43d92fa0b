// One PostgreSQL for all database tests, with a template database that each file clones.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/database/database.ts';
import { startCluster } from '#server/database/embedded/cluster.ts';
import { prepareDatabase } from '#server/database/prepare.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { host: string; port: number; user: string; password: string };
  }
}

const ROOT = path.resolve(import.meta.dirname, '..', '..');
export const TEMPLATE = 'template_app';

/** Durability is covered by the start tests; the others prefer speed. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // With synchronous_commit off, the change feed only sees what the WAL writer has flushed.
  wal_writer_delay: '5ms',
  max_connections: '200',
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'statesman-test-'));
  const cluster = await startCluster({ dataDir, settings: FAST });
  const owner = new pg.Client(cluster.connection);
  await owner.connect();
  await owner.query(`create database ${TEMPLATE}`);
  await owner.end();
  const connection = { ...cluster.connection, database: TEMPLATE };
  const database = openDatabase(connection, 1, () => {});
  await prepareDatabase(connection, {
    config: { projectDir: ROOT, databaseUrl: undefined, signupPolicy: 'open', demo: false },
    logins: database.logins,
    serverDir: path.join(ROOT, 'server'),
  });
  await database.end();
  const { host = '', port = 0, user = '', password } = cluster.connection;
  project.provide('postgres', { host, port, user, password: String(password) });
  return async () => {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
