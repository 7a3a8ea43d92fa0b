// Playwright's test with fixtures for demo accounts; every page is closed at the end.
import { type BrowserContextOptions, test as base, type Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#shared/database.types.ts';
import { newLocation } from './deployments.ts';
import { type DemoName, member, pageOf } from './people.ts';

type Fixtures = {
  /** Address of the server. */
  url: string;
  /** DATA_DIR of that server, with the mails it sent in `outbox/`. */
  dataDir: string;
  /** Opens a page in a new context, signed in as this demo account or not at all. */
  openAs: (name: DemoName | 'visitor', options?: BrowserContextOptions) => Promise<Page>;
  /** A unique location for the deployments of one test, which are removed at its end. */
  location: string;
  /** A database client of this demo account. */
  databaseOf: (name: DemoName) => Promise<SupabaseClient<Database>>;
};

export const test = base.extend<Fixtures>({
  url: async ({ baseURL }, use) => {
    if (!baseURL) throw new Error('playwright.config.ts gives no baseURL.');
    await use(baseURL);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern, even of nothing.
  dataDir: async ({}, use, { parallelIndex }) => {
    const dataDir = process.env.E2E_DATA_DIR?.split(',')[parallelIndex];
    if (!dataDir) throw new Error('E2E_DATA_DIR names no folder for this worker.');
    await use(dataDir);
  },
  openAs: async ({ browser, url }, use) => {
    const pages: Page[] = [];
    await use(async (name, options) => {
      const page = await pageOf(browser, url, name, options);
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.context().close();
  },
  location: async ({ url }, use) => {
    const location = newLocation();
    await use(location);
    const { client } = await member(url, 'guard');
    await client.from('deployments').delete().eq('location', location).throwOnError();
  },
  databaseOf: async ({ url }, use) => {
    await use(async (name) => (await member(url, name)).client);
  },
});

export { expect } from '@playwright/test';
