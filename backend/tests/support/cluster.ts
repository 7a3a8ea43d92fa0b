// One PostgreSQL for all database tests, with a template database that each file clones.
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import {
  startTemporaryDatabase,
  type TemporaryDatabase,
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

interface SharedCluster {
  users: number;
  started: Promise<TemporaryDatabase>;
}

declare global {
  /** By project folder. Vitest loads this module again for each of its projects. */
  var testClusters: Map<string, SharedCluster> | undefined;
}

type Options = Pick<TemporaryDatabaseOptions, 'projectDir' | 'afterMigrations'>;

/** For a Vitest `globalSetup`: Vitest projects with the same migrations share a cluster. @returns its teardown */
export async function provideCluster(
  tests: TestProject,
  options: Options,
): Promise<() => Promise<void>> {
  globalThis.testClusters ??= new Map();
  const clusters = globalThis.testClusters;
  const shared = clusters.get(options.projectDir) ?? {
    users: 0,
    started: startTemporaryDatabase({ ...options, name: TEMPLATE, settings: FAST }),
  };
  clusters.set(options.projectDir, shared);
  shared.users += 1;
  const { connection, stop } = await shared.started;
  const { host = '', port = 0, user = '', password } = connection;
  tests.provide('postgres', { host, port, user, password: String(password) });
  tests.provide('template', TEMPLATE);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    clusters.delete(options.projectDir);
    await stop();
  };
}

export default (tests: TestProject): Promise<() => Promise<void>> =>
  provideCluster(tests, {
    projectDir: path.join(import.meta.dirname, '..', 'projects', 'starter'),
  });
