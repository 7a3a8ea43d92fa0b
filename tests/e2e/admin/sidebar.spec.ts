import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/support/test.ts';

const sidebar = (page: Page) => page.getByRole('complementary');
const widthOf = async (page: Page) => (await sidebar(page).boundingBox())?.width;

test('Ctrl+B and Cmd+B collapse it to icons, remembered for 7 days', { tag: '@long' }, async ({
  openAs,
}) => {
  const page = await openAs('admin');
  await page.goto('/admin');
  await expect(sidebar(page)).toBeVisible();
  await expect.poll(() => widthOf(page)).toBe(256);
  await page.keyboard.press('Control+b');
  await expect.poll(() => widthOf(page)).toBe(48);
  // Forces a scrollbar that takes space, which this browser hides.
  await expect(sidebar(page).locator('div:has(> nav)')).toHaveCSS('scrollbar-width', 'none');
  await expect(page.getByRole('button', { name: 'Toggle sidebar' })).toHaveAttribute(
    'aria-expanded',
    'false',
  );

  const cookies = await page.context().cookies();
  const cookie = cookies.find(({ name }) => name === 'sidebar_state');
  expect(cookie?.value).toBe('false');
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / (24 * 60 * 60);
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThanOrEqual(7);

  await page.reload();
  await expect.poll(() => widthOf(page)).toBe(48);
  await page.keyboard.press('Meta+b');
  await expect.poll(() => widthOf(page)).toBe(256);
});

test('collapsed, its entries keep their names', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/admin');
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  const entry = sidebar(page).getByRole('link', { name: 'Deployments' });
  await entry.hover();
  await expect(page.getByRole('tooltip', { name: 'Deployments' })).toBeAttached();
});

test('under 768 px it is a drawer of 18rem', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('admin', { viewport: { width: 767, height: 700 } });
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Guard Deployments' })).toBeVisible();
  await expect(sidebar(page)).toBeHidden();
  const drawer = page.getByRole('dialog', { name: 'Menu' });

  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(288);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();

  await page.keyboard.press('Control+b');
  await drawer.getByRole('link', { name: 'Deployments' }).click();
  await expect(drawer).toBeHidden();

  await page.keyboard.press('Control+b');
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(drawer).toBeHidden();
});

test('at 768 px it is beside the page', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('admin', { viewport: { width: 768, height: 700 } });
  await page.goto('/admin');
  await expect(sidebar(page)).toBeVisible();
});

test('a list shows cards beside the wide sidebar where its table would scroll, and its table beside the narrow one', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('admin', { viewport: { width: 1100, height: 700 } });
  await page.goto('/admin/staff');
  await expect(page.getByRole('list', { name: 'Staff' })).toBeVisible();
  await page.keyboard.press('Control+b');
  await expect(page.getByRole('table', { name: 'Staff' })).toBeVisible();
});

test('at 800 px of height every entry of an administrator is visible, and folded sections stay folded', async ({
  openAs,
}) => {
  const page = await openAs('admin', { viewport: { width: 1280, height: 800 } });
  await page.goto('/admin/dashboard');
  const links = sidebar(page).getByRole('link');
  await expect(links).toHaveCount(23); // With Help.
  await expect(links.first()).toBeInViewport({ ratio: 1 });
  await expect(links.last()).toBeInViewport({ ratio: 1 });

  await sidebar(page).getByRole('button', { name: 'Finance and records' }).click();
  await expect(sidebar(page).getByRole('link', { name: 'Payroll' })).toBeHidden();
  await page.reload();
  await expect(sidebar(page).getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await expect(sidebar(page).getByRole('link', { name: 'Payroll' })).toBeHidden();
  // The open screen stays in view.
  await page.goto('/admin/payroll');
  await expect(sidebar(page).getByRole('link', { name: 'Payroll' })).toBeVisible();
  await expect(sidebar(page).getByRole('link', { name: 'Cashflow Statement' })).toBeHidden();
});

test('the tabs of an area are a row of links, and its entry stays marked', async ({ openAs }) => {
  const page = await openAs('supervisor', { viewport: { width: 360, height: 740 } });
  await page.goto('/admin/roster/posts/handovers');
  const tabs = page.getByRole('navigation', { name: 'Sites' });
  // A supervisor has no list of sites.
  await expect(tabs.getByRole('link')).toHaveText(['Posts', 'Post Orders', 'Patrols', 'Handovers']);
  const open = tabs.getByRole('link', { name: 'Handovers' });
  await expect(open).toHaveAttribute('aria-current', 'page');
  await expect(open).toBeInViewport({ ratio: 1 });
  await tabs.getByRole('link', { name: 'Patrols' }).click();
  await expect(page.getByRole('heading', { name: 'Patrols', exact: true })).toBeVisible();
  await page.keyboard.press('Control+b');
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Posts' })).toHaveAttribute(
    'aria-current',
    'true',
  );
});
