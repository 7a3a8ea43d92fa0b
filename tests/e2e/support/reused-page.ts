// For tests that only look: one page for all screens of an account, which saves each its start of a browser context.
import type { Page } from '@playwright/test';
import { type DemoName, pageOf } from './people.ts';
import { test as base } from './test.ts';

type Opened = { name: DemoName; page: Page };

/** Fewer requested rows, without interception, which would switch off the HTTP cache. */
function fewRows() {
  const { fetch } = window;
  window.fetch = (input, init) =>
    fetch(typeof input === 'string' ? input.replace(/limit=(60|24)\b/, 'limit=4') : input, init);
}

type ReusedPage = {
  /**
   * The page of this worker that shows screens to this account, with what the screen before has left in its browser. A visitor gets a
   * new one. Another account closes it.
   */
  openAgain: (name: DemoName | 'visitor') => Promise<Page>;
};

export const test = base.extend<ReusedPage, { opened: { last: Opened | undefined } }>({
  opened: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructured argument.
    async ({}, use) => {
      const opened: { last: Opened | undefined } = { last: undefined };
      await use(opened);
      await opened.last?.page.context().close();
    },
    { scope: 'worker' },
  ],
  openAgain: async ({ browser, url, openAs, opened }, use) => {
    await use(async (name) => {
      const { last } = opened;
      if (last?.name === name && !last.page.isClosed()) return last.page;
      await last?.page.context().close();
      opened.last = undefined;
      if (name === 'visitor') return openAs(name);
      const page = await pageOf(browser, url, name);
      await page.addInitScript(fewRows);
      opened.last = { name, page };
      return page;
    });
  },
});
