// Three kinds of tests: units without a database, policies in the database, services through supabase-js.
import { defineConfig } from 'vitest/config';

const database = {
  globalSetup: ['tests/support/cluster.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    // Most files wait for PostgreSQL or for a program of their own, so a core more than the default pays.
    maxWorkers: '100%',
    // Files of a worker share the modules they load: loading the server anew for each costs more than most tests.
    isolate: false,
    projects: [
      { test: { name: 'unit', include: ['{server,shared,web}/**/*.test.ts'] } },
      { test: { name: 'policies', include: ['tests/policies/**/*.test.ts'], ...database } },
      {
        test: {
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          globalSetup: ['tests/start/build.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'api', include: ['tests/api/**/*.test.ts'], ...database } },
    ],
  },
});
