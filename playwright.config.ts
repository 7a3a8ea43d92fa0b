// scripts/test.mjs starts one server with its own database for each worker and passes their addresses.
import { defineConfig } from '@playwright/test';

// One server for each worker: journeys that share a database would see each other's live changes.
const servers = (process.env.E2E_BASE_URL ?? 'http://127.0.0.1:3000').split(',');
const own = Number(process.env.TEST_PARALLEL_INDEX ?? 0);

export default defineConfig({
  testDir: 'tests/e2e',
  projects: [
    { name: 'journeys', grepInvert: /@long/ },
    { name: 'long', grep: /@long/ },
  ],
  workers: servers.length,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // Generous, so that a slow machine does not fail a test.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  outputDir: 'node_modules/.cache/playwright',
  use: {
    baseURL: servers[own],
    // Journeys intercept requests, which a service worker would answer itself. Tests of the service worker allow it.
    serviceWorkers: 'block',
    // A click waits until animations end.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
