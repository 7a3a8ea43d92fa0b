// The rows of the office's first screen, which the page requests while the code is loading.
import type { Page } from '@playwright/test';
import { hold } from '#tests/e2e/support/gate.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const APP = /\/assets\/app-[^/]+\.js$/;
const CLIENT = /\/assets\/backend-[^/]+\.js$/;

const firstCard = (page: Page) => page.locator('main li h3').first();

test('rows show before supabase-js has loaded, are requested once, and a press waits for it', {
  tag: '@everyday',
}, async ({ openAs }) => {
  const page = await openAs('admin');
  const asked: string[] = [];
  page.on('request', (request) => {
    const table = /\/rest\/v1\/(deployments|profiles|user_roles)\?/.exec(request.url())?.[1];
    if (table) asked.push(table);
  });
  const open = await hold(page, CLIENT);
  await page.goto('/admin');
  await expect(firstCard(page)).toBeVisible();
  expect(asked.toSorted()).toEqual(['deployments', 'profiles', 'user_roles']);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeDisabled();
  open();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^deployments.*\.csv$/);
});

/** Runs in the page: the scripts that were requested before the first card stood there, whenever the test looks. */
function keepFirstScripts() {
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('main li h3')) return;
    observer.disconnect();
    const files = performance.getEntriesByType('resource').map(({ name }) => name);
    const scripts = files.filter((name) => name.endsWith('.js'));
    Object.assign(globalThis, { firstScripts: scripts });
  }).observe(document, { subtree: true, childList: true });
}

test('the first screen loads no schema library', async ({ openAs }) => {
  const page = await openAs('admin');
  const open = await hold(page, CLIENT);
  await page.addInitScript(keepFirstScripts);
  await page.goto('/admin');
  await expect(firstCard(page)).toBeVisible();
  const filesWith = (word: string) =>
    page.evaluate(async (searched) => {
      const scripts: string[] = Reflect.get(globalThis, 'firstScripts');
      const texts = await Promise.all(scripts.map(async (url) => (await fetch(url)).text()));
      return scripts.filter((_, index) => texts[index]?.includes(searched));
    }, word);
  expect(await filesWith('createRoot')).not.toEqual([]);
  expect(await filesWith('ZodObject')).toEqual([]);
  open();
});

test('a page with a session shows an indicator, and not the sign-in, until the code has loaded', async ({
  openAs,
}) => {
  const page = await openAs('admin');
  const open = await hold(page, APP);
  await page.goto('/admin', { waitUntil: 'commit' });
  await expect(page.getByRole('status')).toHaveText('Loading...');
  await expect(page.getByRole('status')).toHaveCSS('opacity', '1');
  await expect(page.getByLabel('Email')).toBeHidden();
  open();
  await expect(firstCard(page)).toBeVisible();
  await expect(page.locator('[data-opening], [data-static]')).toHaveCount(0);
});

test('a session that ended while the code was loading shows the sign-in and no rows', async ({
  openAs,
}) => {
  const page = await openAs('admin');
  const open = await hold(page, APP);
  const early = page.waitForResponse(/\/rest\/v1\/deployments\?/);
  await page.goto('/admin', { waitUntil: 'commit' });
  await early;
  await page.evaluate(() => localStorage.clear());
  open();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await expect(firstCard(page)).toBeHidden();
});

test('nothing is requested with a token that is about to expire, or for another screen', async ({
  openAs,
}) => {
  const page = await openAs('admin');
  const open = await hold(page, APP);
  const isEarly = async (address: string) => {
    await page.goto(address, { waitUntil: 'commit' });
    await expect(page.locator('html.opens-elsewhere')).toBeAttached();
    return page.evaluate(() => globalThis.earlyAnswers !== undefined);
  };
  expect(await isEarly('/admin')).toBe(true);
  expect(await isEarly('/admin?status=active')).toBe(false);
  expect(await isEarly('/admin/sites')).toBe(false);
  await page.addInitScript(() => {
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith('sb-'))) {
      const session = JSON.parse(localStorage.getItem(key) ?? '');
      const expires_at = Math.floor(Date.now() / 1000) + 60;
      localStorage.setItem(key, JSON.stringify({ ...session, expires_at }));
    }
  });
  expect(await isEarly('/admin')).toBe(false);
  open();
});
