// One PostgreSQL for all database tests, with a template database that each file clones.
import path from 'node:path';
import { startTemporaryDatabase } from 'supabase-in-node/temporary-database';
import type { TestProject } from 'vitest/node';
import { writeSettings } from '#server/prepare-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { host: string; port: number; user: string; password: string };
  }
}

const ROOT = path.resolve(import.meta.dirname, '..', '..');
export const TEMPLATE = 'template_app';
const ENQUIRIES_PER_HOUR = 20;

/** Durability is covered by the start tests; the others prefer speed. */
const FAST = {
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // With synchronous_commit off, the change feed only sees what the WAL writer has flushed.
  wal_writer_delay: '5ms',
  max_connections: '200',
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, stop } = await startTemporaryDatabase({
    projectDir: ROOT,
    name: TEMPLATE,
    settings: FAST,
    afterMigrations: (client) => writeSettings(client, 'open', ENQUIRIES_PER_HOUR),
  });
  const { host = '', port = 0, user = '', password } = connection;
  project.provide('postgres', { host, port, user, password: String(password) });
  return stop;
}
