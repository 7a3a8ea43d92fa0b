import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/support/test.ts';

const VIEWPORT = { width: 1280, height: 860 };

const LISTS = [
  { path: '/admin/shifts', table: 'Upcoming Shifts' },
  { path: '/admin/payroll', table: 'Payroll' },
  { path: '/admin/users', table: 'Users' },
  { path: '/admin/incidents', table: 'Incidents' },
] as const;

/** How many rows of the table are wholly on the first screen. */
async function countRows(page: Page, table: string): Promise<number> {
  const rows = page.getByRole('table', { name: table }).locator('tbody tr');
  await expect(rows).toHaveCount(20);
  const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
  return boxes.filter((box) => box && box.y + box.height <= VIEWPORT.height).length;
}

test('compact rows: a dozen on the first screen of each list, remembered on this device', async ({
  openAs,
}) => {
  const page = await openAs('admin', { viewport: VIEWPORT });
  await page.goto('/admin/shifts');
  await page.getByRole('button', { name: 'Compact rows' }).click();
  for (const { path, table } of LISTS) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Compact rows' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    expect.soft(await countRows(page, table), path).toBeGreaterThanOrEqual(12);
  }
});

test('expenses, bank accounts and loan accounts are cards, or tables by a choice that is remembered', async ({
  openAs,
}) => {
  const page = await openAs('admin', { viewport: VIEWPORT });
  const table = page.getByRole('button', { name: 'Table', exact: true });
  const compact = page.getByRole('button', { name: 'Compact rows' });
  await page.goto('/admin/expenses');
  const cards = page.getByRole('list', { name: 'Expenses' });
  await expect(cards.getByRole('listitem').first().getByRole('heading')).toBeVisible();
  await expect(compact).toBeHidden();
  await table.click();
  await expect(page.getByRole('table', { name: 'Expenses' })).toBeVisible();
  await expect(compact).toBeVisible();

  for (const { path, label } of [
    { path: '/admin/bankaccounts', label: 'Bank accounts' },
    { path: '/admin/loans', label: 'Loan accounts' },
  ]) {
    await page.goto(path);
    await expect(page.getByRole('table', { name: label })).toBeVisible();
  }
  await table.click();
  await page.reload();
  await expect(page.getByRole('list', { name: 'Loan accounts' })).toBeVisible();
});

test('the heading of a long table stays, and more rows on a page are in the address', async ({
  openAs,
}) => {
  const page = await openAs('admin', { viewport: VIEWPORT });
  await page.goto('/admin/users');
  const rows = page.getByRole('table', { name: 'Users' }).locator('tbody tr');
  await expect(rows).toHaveCount(20);
  await page.getByLabel('Rows per page').selectOption('50');
  await expect(rows).toHaveCount(50);
  await expect(page).toHaveURL(/size=50/);
  await rows.last().scrollIntoViewIfNeeded();
  await expect(page.getByRole('columnheader', { name: 'Email' })).toBeInViewport();
  await page.reload();
  await expect(rows).toHaveCount(50);

  await page.getByLabel('Search users').fill('no such person');
  await expect(page.getByText('No users match. Change the search or the filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(50);
});

test('on a phone the filters are folded, so that rows begin on the first screen', async ({
  openAs,
}) => {
  const phone = { width: 360, height: 740 };
  const page = await openAs('admin', { viewport: phone, hasTouch: true });
  await page.goto('/admin/incidents');
  const severity = page.getByRole('combobox', { name: 'Severity' });
  const view = page.getByRole('button', { name: /^View / }).first();
  await expect(view).toBeInViewport();
  await expect(severity).toBeHidden();

  await page.getByRole('button', { name: 'Filters', exact: true }).tap();
  await severity.selectOption('Critical');
  await expect(page).toHaveURL(/severity=critical/);
  // Not tapped: so soon after another, at the same place, it would be the second half of a double tap.
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await expect(severity).toBeHidden();
  await expect(view).toBeInViewport();
});
