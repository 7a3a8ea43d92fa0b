// Browser journeys against running servers: scripts/test.mjs starts them, each with its own database, and gives their addresses.
import { defineConfig } from '@playwright/test';

// One server for each worker: journeys that share one would see each other's changes arrive live.
const servers = (process.env.E2E_BASE_URL ?? 'http://127.0.0.1:3000').split(',');
const own = Number(process.env.TEST_PARALLEL_INDEX ?? 0);

export default defineConfig({
  testDir: 'tests/e2e',
  workers: servers.length,
  fullyParallel: true,
  forbidOnly: true,
  // On a starved machine a journey may miss its moment; what passes only the second time is listed as flaky.
  retries: 1,
  // Generous: a slow machine is no failure.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  outputDir: 'node_modules/.cache/playwright',
  use: {
    baseURL: servers[own],
    // Journeys watch and hold back requests, which a service worker would answer itself. Those about it allow it.
    serviceWorkers: 'block',
    // Nothing is told by movement alone, and a press waits until what moves has come to rest.
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
