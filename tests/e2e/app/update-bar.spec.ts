import type { Page } from '@playwright/test';
import { login } from '#tests/e2e/support/people.ts';
import { behindProxy } from '#tests/e2e/support/proxied-site.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

async function offerNewVersion(page: Page, site: Awaited<ReturnType<typeof behindProxy>>) {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  site.replaceWorker();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect(page.getByText('A new version is ready.')).toBeVisible();
}

test('the bar of a new version covers no bar of selected rows, and gives the focus back', {
  tag: '@long',
}, async ({ browser, url }) => {
  const site = await behindProxy(url);
  const context = await browser.newContext({
    serviceWorkers: 'allow',
    viewport: { width: 1280, height: 800 },
  });
  const page = await context.newPage();
  await page.goto(`${site.url}/auth`);
  await login(page, 'ops@statesman.example');
  await expect(page).toHaveURL(/\/admin/);
  await page.goto(`${site.url}/admin/shifts`);
  const select = page.getByRole('checkbox', { name: /^Select / });
  await expect(select.first()).toBeVisible();
  await offerNewVersion(page, site);

  await select.nth(1).check();
  const later = page.getByRole('button', { name: 'Later' });
  const selected = page.getByRole('region', { name: /^Selected / });
  const room = async () => {
    const { y = 0, height = 0 } = (await selected.boundingBox()) ?? {};
    const bar = await later.locator('xpath=ancestor::*[@role="status"]').boundingBox();
    return (bar?.y ?? 0) - (y + height);
  };
  await expect.poll(room).toBeGreaterThanOrEqual(0);
  await later.press('Enter');
  await expect(later).toBeHidden();
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeFocused();
  await context.close();
  await site.close();
});

test('on a phone the bar of a new version covers neither SOS nor the navigation', {
  tag: '@long',
}, async ({ browser, url }) => {
  const site = await behindProxy(url);
  const context = await browser.newContext({
    serviceWorkers: 'allow',
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await page.goto(`${site.url}/staff`);
  await login(page, 'guard@statesman.example');
  const sos = page.getByRole('button', { name: 'SOS' });
  await expect(sos).toBeVisible();
  await offerNewVersion(page, site);
  const update = page.getByRole('button', { name: 'Update now' });
  // A trial fails when something else would receive the press.
  for (const control of [sos, page.getByRole('link', { name: 'Shifts', exact: true }), update]) {
    await control.click({ trial: true });
  }
  await context.close();
  await site.close();
});
