// Rows that are requested at the click on a screen's link, while its code is loading.
import type { Page, Request } from '@playwright/test';
import { hold } from '#tests/e2e/support/gate.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const isRows = (request: Request) =>
  /\/(rest|functions)\/v1\//.test(request.url()) && ['GET', 'POST'].includes(request.method());

const nameOf = (request: Request) =>
  [request.method(), decodeURIComponent(request.url()), request.postData() ?? ''].join(' ');

/** The line is as the browser says, see `saveData`. */
const loadAhead = (page: Page) =>
  page.addInitScript(() => Reflect.deleteProperty(navigator, 'connection'));

/** The office on its first screen, with all its rows. */
async function openOffice(openAs: (role: 'admin') => Promise<Page>): Promise<Page> {
  const page = await openAs('admin');
  await page.goto('/admin');
  await expect(page.locator('main li h3').first()).toBeVisible();
  return page;
}

test('rows are requested while the code of their screen is loading', {
  tag: '@everyday',
}, async ({ openAs }) => {
  const page = await openAs('admin');
  const open = await hold(page, /\/assets\/user-list-[^/]+\.js$/);
  await page.goto('/admin');
  const rows = page.waitForResponse(/\/rest\/v1\/user_accounts\?/);
  await page.locator('#sidebar').getByRole('link', { name: 'Users', exact: true }).click();
  expect((await rows).ok()).toBe(true);
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeHidden();
  open();
  await expect(page.locator('main tbody tr').first()).toBeVisible();
});

test('a link that the pointer rests on requests the rows once, and the next visit again', async ({
  openAs,
}) => {
  const page = await openOffice(openAs);
  const users = page.locator('#sidebar').getByRole('link', { name: 'Users', exact: true });
  let asked = 0;
  page.on('request', (request) => {
    if (/\/rest\/v1\/user_accounts\?/.test(request.url())) asked += 1;
  });
  const rows = page.waitForResponse(/\/rest\/v1\/user_accounts\?/);
  await users.hover();
  await rows;
  await users.click();
  await expect(page.locator('main tbody tr').first()).toBeVisible();
  expect(asked).toBe(1);
  await page.locator('#sidebar').getByRole('link', { name: 'Deployments', exact: true }).click();
  await expect(page.locator('main li h3').first()).toBeVisible();
  const again = page.waitForRequest(/\/rest\/v1\/user_accounts\?/);
  await users.click();
  await again;
});

test('the code of other screens loads while the first one is read, unless the browser saves data', async ({
  openAs,
}) => {
  const page = await openAs('admin');
  await loadAhead(page);
  const code = page.waitForResponse(/\/assets\/loan-list-[^/]+\.js$/);
  await page.goto('/admin');
  expect((await code).ok()).toBe(true);

  const thrifty = await openAs('admin');
  const loaded: string[] = [];
  thrifty.on('request', (request) => loaded.push(request.url()));
  await thrifty.goto('/admin');
  await expect(thrifty.locator('main li h3').first()).toBeVisible();
  await thrifty.waitForLoadState('networkidle');
  expect(loaded.filter((url) => /\/assets\/(user|loan)-list-/.test(url))).toEqual([]);
});

test('the code of other screens waits for the rows of the first one', async ({ openAs }) => {
  const page = await openAs('admin');
  await loadAhead(page);
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const isAhead = (url: string) => /\/assets\/(user|site|loan)-list-/.test(url);
  const open = await hold(page, /\/rest\/v1\/clients\?/);
  const asked = page.waitForRequest(/\/rest\/v1\/clients\?/);
  await page.goto('/admin/clients');
  await asked;
  // Time enough for a browser that has nothing to do.
  await page.evaluate(async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      await new Promise<unknown>((resolve) => requestIdleCallback(resolve));
      await fetch('/robots.txt', { cache: 'no-store' });
    }
  });
  expect(loaded.filter(isAhead)).toEqual([]);
  const ahead = page.waitForRequest((request) => isAhead(request.url()));
  open();
  await ahead;
  await page.unrouteAll({ behavior: 'wait' });
});

test('the code of other screens is left where it is on a 2G line', async ({ openAs }) => {
  const page = await openAs('admin');
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { effectiveType: '2g' } }),
  );
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto('/admin/clients');
  await expect(page.locator('main li h3').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(loaded.filter((url) => /\/assets\/(user|site|loan)-list-/.test(url))).toEqual([]);
});

test('rows that came while the pointer rested on the link show at the click, and no others were requested', async ({
  openAs,
}) => {
  const page = await openAs('admin');
  await loadAhead(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (isRows(request)) asked.push(nameOf(request));
  });
  // The last of the sidebar.
  const code = page.waitForResponse(/\/assets\/system-screen-[^/]+\.js$/);
  await page.goto('/admin');
  expect((await code).ok()).toBe(true);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((name) => /search_shifts|roster_|operations_board/.test(name))).toEqual([]);

  const link = page.locator('#sidebar').getByRole('link', { name: 'Shifts', exact: true });
  const rows = page.waitForResponse(/\/rest\/v1\/rpc\/search_shifts\?/);
  await link.hover();
  expect((await rows).ok()).toBe(true);
  const open = await hold(page, /\/rest\/v1\/rpc\/search_shifts\?/);
  await link.click();
  await expect(page.locator('main tbody tr').first()).toBeVisible();
  open();
  await page.unrouteAll({ behavior: 'wait' });
});

test('the roster’s first sites come before the board, and can’t be edited until it comes', async ({
  openAs,
}) => {
  const page = await openOffice(openAs);
  const open = await hold(page, /\/rpc\/roster_board/);
  await page.locator('#sidebar').getByRole('link', { name: 'Roster', exact: true }).click();
  const inert = page.locator('[inert] [role=rowheader]');
  await expect(inert.first()).toBeVisible();
  open();
  await expect(inert).toHaveCount(0);
  await expect(page.getByRole('rowheader').first()).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
});

test('no screen requests its rows twice when it opens', async ({ openAs }) => {
  const page = await openOffice(openAs);
  const links = page.locator('#sidebar nav a');
  const screens = (await links.allTextContents()).slice(1);
  expect(screens.length).toBeGreaterThan(20);
  for (const index of screens.keys()) {
    const asked: string[] = [];
    const watch = (request: Request) => {
      if (isRows(request)) asked.push(nameOf(request));
    };
    // Without answers nothing is refreshed.
    const open = await hold(page, /\/(rest|functions)\/v1\//);
    page.on('request', watch);
    const link = links.nth(index + 1);
    await link.click();
    await expect(link).toHaveAttribute('data-status', 'active');
    await expect(page.locator('main h2').first()).toBeVisible();
    await expect.poll(() => asked.length, screens[index]).toBeGreaterThan(0);
    expect(asked, screens[index]).toEqual([...new Set(asked)]);
    page.off('request', watch);
    open();
    await page.unrouteAll({ behavior: 'wait' });
    await page.waitForLoadState('networkidle');
  }
});
