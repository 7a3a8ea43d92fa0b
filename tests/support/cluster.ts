// One PostgreSQL with our migrations for all database tests.
import path from 'node:path';
import { provideCluster } from 'supabase-in-node/testing/cluster';
import type { TestProject } from 'vitest/node';
import { writeSettings } from '#server/prepare-database.ts';

const ENQUIRIES_PER_HOUR = 20;

export default (tests: TestProject): Promise<() => Promise<void>> =>
  provideCluster(tests, {
    projectDir: path.resolve(import.meta.dirname, '..', '..'),
    afterMigrations: (client) => writeSettings(client, 'open', ENQUIRIES_PER_HOUR),
  });
