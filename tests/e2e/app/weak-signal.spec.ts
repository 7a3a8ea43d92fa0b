// A line that is gone without an `offline` event of the browser, and comes back without an `online` event.
import type { Page } from '@playwright/test';
import { appScreens } from '#tests/e2e/support/app-screens.ts';
import { gate } from '#tests/e2e/support/gate.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const retryOf = (page: Page) => page.getByRole('button', { name: 'Try again' });

async function loseLine(page: Page, requests: RegExp) {
  // Reconnected live changes would reload lists too.
  await page.routeWebSocket(/realtime/, (socket) => socket.close());
  await page.route(requests, (route) => route.abort());
}

/** Counts how often the alert disappears, changes to loading, or a toast opens. */
const countFlickers = (page: Page) =>
  page.evaluate(() => {
    const seen = { alerts: 0, spinners: 0, toasts: 0 };
    Object.assign(globalThis, { flickers: seen });
    new MutationObserver(() => {
      if (document.querySelector('main li h3')) return;
      if (!document.querySelector('main [role=alert]')) seen.alerts += 1;
      if (document.querySelector('main [aria-busy=true], main .animate-spin')) seen.spinners += 1;
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
    const known = new Set(document.querySelectorAll('[data-sonner-toast]'));
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll('[data-sonner-toast]')) {
        if (!known.has(toast)) seen.toasts += 1;
        known.add(toast);
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
const flickersOf = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'flickers'));

test('the office: a list loads by itself, without flicker, and keeps the focus', async ({
  openAs,
}) => {
  const page = await openAs('admin', { viewport: { width: 1280, height: 800 } });
  const ROWS = /\/rest\/v1\/clients\?/;
  await loseLine(page, ROWS);
  await page.goto('/admin/clients');
  await expect(retryOf(page)).toBeVisible();
  await retryOf(page).focus();
  await countFlickers(page);
  // The first request of the next attempt is in flight for a while and fails; its retry succeeds.
  const arrived = gate();
  const lost = gate();
  let isBack = false;
  await page.route(ROWS, async (route) => {
    if (isBack) return route.continue();
    arrived.open();
    await lost.opened;
    isBack = true;
    return route.abort();
  });
  await arrived.opened;
  await expect(retryOf(page)).toBeFocused();
  await expect(retryOf(page)).not.toHaveAttribute('aria-busy');
  lost.open();
  await expect(page.locator('main li h3').first()).toBeVisible();
  expect(await flickersOf(page)).toEqual({ alerts: 0, spinners: 0, toasts: 0 });
  await expect(page.getByRole('heading', { name: 'Clients', level: 2 })).toBeFocused();
});

for (const [name, path, requests, list] of [
  ['guard', '/staff/payslips', /\/rest\/v1\/rpc\/my_payslips/, 'My Payslips'],
  ['client', '/client/invoices', /\/rest\/v1\/rpc\/client_invoices/, 'Invoices'],
] as const) {
  test(`${path}: the list loads by itself`, async ({ openAs }) => {
    const page = await openAs(name, { viewport: { width: 360, height: 740 }, hasTouch: true });
    await loseLine(page, requests);
    await page.goto(path);
    await expect(retryOf(page)).toBeVisible();
    await page.unroute(requests);
    await expect(page.getByRole('list', { name: list })).toBeVisible();
    await expect(retryOf(page)).toBeHidden();
  });
}

for (const [name, path, requests, row] of [
  ['admin', '/admin/clients', /\/rest\/v1\/clients\?/, 'main li h3'],
  ['guard', '/staff/payslips', /\/rest\/v1\/rpc\/my_payslips/, 'main li button'],
] as const) {
  test(`${path}: a request that gets no response is given up, and the list loads`, async ({
    openAs,
  }) => {
    const page = await openAs(name, { viewport: { width: 1280, height: 800 } });
    await page.clock.install();
    const sent = gate();
    let isSilent = true;
    await page.route(requests, (route) => {
      if (!isSilent) return route.continue();
      return sent.open();
    });
    await page.goto(path);
    await sent.opened;
    isSilent = false;
    await page.clock.fastForward(30_000);
    await expect(page.locator(row).first()).toBeVisible();
  });
}

// A call by POST may be a write, for which the portals wait three times as long.
for (const name of ['guard', 'client'] as const) {
  test(`no screen of a ${name} reads by POST`, async ({ openAs, url, dataDir }) => {
    const page = await openAs(name, { viewport: { width: 360, height: 740 } });
    const posted = new Set<string>();
    page.on('request', (request) => {
      const [, called] = /\/rpc\/(\w+)/.exec(request.url()) ?? [];
      if (called !== undefined && request.method() === 'POST') posted.add(called);
    });
    const screens = appScreens.filter((screen) => screen.as === name);
    expect(screens.length).toBeGreaterThan(5);
    for (const { path, ready } of screens) {
      await page.goto(path);
      await ready(page, url);
    }
    const reads = await ask(
      dataDir,
      `select proname from pg_proc where proname = any($1) and provolatile <> 'v'`,
      [[...posted]],
    );
    expect(reads).toEqual([]);
  });
}
