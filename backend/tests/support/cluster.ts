// One PostgreSQL for all database tests, with a template database that each file clones.
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import {
  startTemporaryDatabase,
  type TemporaryDatabaseOptions,
} from '#backend/database/temporary-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { host: string; port: number; user: string; password: string };
    /** Name of the database with the project's migrations. */
    template: string;
  }
}

const TEMPLATE = 'template_project';

/** Durability is covered by the start tests; the others prefer speed. */
const FAST = {
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // With synchronous_commit off, the change feed only sees what the WAL writer has flushed.
  wal_writer_delay: '5ms',
  max_connections: '200',
};

/** For a Vitest `globalSetup`. @returns its teardown */
export async function provideCluster(
  tests: TestProject,
  options: Pick<TemporaryDatabaseOptions, 'projectDir' | 'afterMigrations'>,
): Promise<() => Promise<void>> {
  const { connection, stop } = await startTemporaryDatabase({
    ...options,
    name: TEMPLATE,
    settings: FAST,
  });
  const { host = '', port = 0, user = '', password } = connection;
  tests.provide('postgres', { host, port, user, password: String(password) });
  tests.provide('template', TEMPLATE);
  return stop;
}

export default (tests: TestProject): Promise<() => Promise<void>> =>
  provideCluster(tests, {
    projectDir: path.join(import.meta.dirname, '..', 'projects', 'starter'),
  });
