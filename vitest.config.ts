import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.ts';

// Files of a worker share loaded modules: loading the server again for each file takes longer than most tests.
const shared = {
  isolate: false,
  // As long as a slow machine may need. The second that is the default is shorter than a round of the server's jobs.
  expect: { poll: { timeout: 30_000 } },
};

const serving = {
  ...shared,
  // A setup file runs again for each file; the modules it imports do not.
  setupFiles: ['backend/tests/support/clean-up-hook.ts'],
  // Generous, so that a slow machine does not fail a test.
  testTimeout: 90_000,
  hookTimeout: 120_000,
};

const withServers = {
  ...serving,
  setupFiles: [...serving.setupFiles, 'backend/tests/support/log-of-failure-hook.ts'],
};
const COMPANY = { globalSetup: ['tests/support/cluster.ts'] };
const BACKEND = { globalSetup: ['backend/tests/support/cluster.ts'] };

export default defineConfig({
  test: {
    // Files wait for PostgreSQL or for a program of their own for a fifth of their time. (Percentages end at 100.)
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            '{backend/src,bench,demo,scripts,server,shared,web}/**/*.test.ts',
            'tests/simulation/agenda.test.ts',
          ],
          setupFiles: ['tests/support/globals-hook.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'policies',
          include: ['tests/{policies,rules}/**/*.test.ts'],
          ...serving,
          ...COMPANY,
        },
      },
      {
        test: {
          ...shared,
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          globalSetup: ['tests/start/build.ts'],
          setupFiles: ['tests/start/clean-up-hook.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: 'api', include: ['tests/api/**/*.test.ts'], ...withServers, ...COMPANY } },
      {
        test: {
          name: 'backend',
          // Not with `exclude`, which would replace what scripts/test.mjs excludes.
          include: ['backend/tests/!(long)/**/*.test.ts'],
          ...withServers,
          ...BACKEND,
        },
      },
      { test: { name: 'long', include: ['tests/long/**/*.test.ts'], ...withServers, ...COMPANY } },
      {
        test: {
          name: 'backend-long',
          include: ['backend/tests/long/**/*.test.ts'],
          ...withServers,
          ...BACKEND,
        },
      },
      {
        test: {
          ...shared,
          name: 'simulation',
          include: ['tests/simulation/!(agenda).test.ts'],
          globalSetup: ['tests/start/build.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'browsers',
          include: ['tests/browsers/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
