// Keyboard focus after a link that disappears with its screen.
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/support/test.ts';

/** The heading of the screen if it has loaded, else the screen. */
const screenFocus = (page: Page) => page.locator('main:focus, main :is(h1, h2):focus');

for (const path of ['/admin/invoices', '/admin/payruns']) {
  test(`${path}: a record opened by keyboard has the focus, and so has the list after Back`, async ({
    openAs,
  }) => {
    const page = await openAs('finance', { viewport: { width: 1280, height: 800 } });
    await page.goto(path);
    const record = page.locator('tbody a').first();
    await expect(record).toBeVisible();
    await page.waitForLoadState('networkidle');
    await record.press('Enter');
    await expect(page).toHaveURL(/[0-9a-f]{8}-[0-9a-f-]{27}/);
    await expect(screenFocus(page)).toHaveCount(1);
    await page.goBack();
    await expect(record).toBeVisible();
    await expect(screenFocus(page)).toHaveCount(1);
  });
}

for (const path of ['/admin/invoices/statements', '/admin/invoices/margin?by=client']) {
  test(`${path}: a client opened by keyboard has the focus`, async ({ openAs }) => {
    const page = await openAs('finance', { viewport: { width: 1280, height: 800 } });
    await page.goto(path);
    await page.locator('tbody :is(a, button)').nth(1).press('Enter');
    await expect(page).toHaveURL(/client=/);
    await expect(screenFocus(page)).toHaveCount(1);
  });
}

test('a link of the sidebar keeps the focus', async ({ openAs }) => {
  const page = await openAs('finance', { viewport: { width: 1280, height: 800 } });
  await page.goto('/admin/invoices');
  const link = page.getByRole('navigation').getByRole('link', { name: 'Pay Runs' });
  await link.press('Enter');
  await expect(page.getByRole('heading', { name: 'Pay Runs', level: 2 })).toBeVisible();
  await expect(link).toBeFocused();
});
