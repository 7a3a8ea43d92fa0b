import type { Page } from '@playwright/test';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { excessOf } from '#tests/e2e/support/large-text.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** @returns the guide, which opens in a tab of its own */
async function opened(page: Page, open: () => Promise<void>): Promise<Page> {
  const [guide] = await Promise.all([page.context().waitForEvent('page'), open()]);
  return guide;
}

async function showsSection(guide: Page, address: string, heading: string) {
  await expect(guide).toHaveURL(address);
  await expect(guide.getByRole('heading', { name: heading, exact: true })).toBeInViewport();
}

test('Help opens the section of the open screen', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('finance', { viewport: { width: 1280, height: 900 } });
  await page.goto('/admin/payruns');
  await expect(page.getByRole('heading', { name: 'Pay Runs' })).toBeVisible();
  const help = page.getByRole('complementary').getByRole('link', { name: 'Help' });

  const guide = await opened(page, () => help.click());
  await showsSection(guide, '/guide/finance.html#pay-run', 'Pay run');
  await guide.getByRole('navigation', { name: 'Guide' }).getByText('Planner').click();
  await expect(guide.getByRole('heading', { level: 1, name: 'Planner' })).toBeVisible();
  await guide.getByText('On this page').first().click();
  await guide.getByRole('link', { name: 'Publish', exact: true }).click();
  await showsSection(guide, '/guide/planner.html#publish', 'Publish');

  await page.goto('/admin/invoices/unbilled');
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await help.hover();
  await expect(page.getByRole('tooltip', { name: 'Help' })).toBeAttached();
  const invoices = await opened(page, () => help.click());
  await showsSection(invoices, '/guide/finance.html#invoices', 'Invoices');
});

test('Ctrl+K finds Help', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('dispatcher', { viewport: { width: 1280, height: 900 } });
  await page.goto('/admin/operations');
  await page.getByRole('button', { name: 'Go to' }).click();
  await page.keyboard.type('help');
  const guide = await opened(page, () => page.getByRole('option', { name: 'Help' }).click());
  await showsSection(guide, '/guide/dispatcher.html#a-morning-at-0545', 'A morning at 05:45');
  await expect(page).toHaveURL('/admin/operations');
});

test('a guard reads it on a phone', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('guard', { viewport: { width: 360, height: 740 } });
  await page.goto('/staff/me');
  const link = page.getByRole('link', { name: 'How to use the app' });
  const guide = await opened(page, () => link.click());
  await showsSection(guide, '/guide/guard.html', 'Guard');
  expect(await excessOf(guide)).toBe(0);
  await guide.getByText('On this page').first().click();
  await guide.getByRole('link', { name: 'No signal' }).click();
  await showsSection(guide, '/guide/guard.html#no-signal', 'No signal');
});

test('a supervisor gets there from the muster, and from the drawer of the portal', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('supervisor', { viewport: { width: 360, height: 740 } });
  await page.goto('/staff/muster');
  const link = page.getByRole('link', { name: 'How a muster works' });
  const muster = await opened(page, () => link.click());
  await showsSection(muster, '/guide/supervisor.html#muster', 'Muster');

  await page.goto('/admin/incidents');
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  const help = page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Help' });
  const incidents = await opened(page, () => help.click());
  await showsSection(incidents, '/guide/supervisor.html#incidents', 'Incidents');
});

test('every page is accessible, at each width and in both themes', { tag: '@long' }, async ({
  openAs,
}) => {
  const page = await openAs('visitor');
  for (const name of ['index', 'guard', 'administrator']) {
    for (const [width, colorScheme] of [
      [360, 'light'],
      [768, 'dark'],
      [1280, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(`/guide/${name}.html`);
      const isDark = page.locator('html.dark');
      await expect(isDark).toHaveCount(colorScheme === 'dark' ? 1 : 0);
      expect(await faultsOf(page), `${name} at ${width}`).toEqual([]);
      expect(await excessOf(page), `${name} at ${width}`).toBe(0);
    }
  }
});

test('the address without a page is the index, and an unknown page is missing', {
  tag: '@long',
}, async ({ page }) => {
  for (const address of ['/guide', '/guide/']) {
    await page.goto(address);
    await page.getByRole('navigation', { name: 'Guide' }).getByText('HR').click();
    await expect(page).toHaveURL('/guide/hr.html');
  }
  const response = await page.goto('/guide/nowhere.html');
  expect(response?.status()).toBe(404);
});
