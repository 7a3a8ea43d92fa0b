// Browser journeys against a running server: scripts/test.mjs starts one with its own database and gives its address.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  // Journeys share one server, and its live lists: two at a time would see each other's changes.
  workers: 1,
  forbidOnly: true,
  // Generous: a slow machine is no failure.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  outputDir: 'node_modules/.cache/playwright',
  use: {
    baseURL: process.env.E2E_BASE_URL ?? 'http://127.0.0.1:3000',
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
