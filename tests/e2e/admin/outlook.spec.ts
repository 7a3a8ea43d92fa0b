// The dashboards of money: each panel has its figures, a week opens its documents, and each leads to its list.
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('finance sees the weeks ahead and opens what is expected in one of them', async ({
  openAs,
}) => {
  const page = await openAs('finance');
  await page.goto('/admin/invoices/money');
  const cash = page.getByRole('region', { name: 'Cash in USD' });
  const weeks = cash.getByRole('table', { name: 'Weeks in USD' });
  await expect(weeks.getByRole('row')).toHaveCount(14);
  await expect(cash.getByRole('link', { name: 'Issued invoices' })).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await weeks.getByRole('button').first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('table', { name: 'Documents of the week' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: 'Debtors' }).click();
  await expect(page.getByRole('table', { name: 'Clients that owe USD' })).toBeVisible();
  await page.getByRole('tab', { name: 'Margin' }).click();
  await expect(page.getByRole('table', { name: /^Margin by client in USD/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Overtime and Gaps' }).click();
  await expect(page.getByRole('table', { name: 'Overtime in USD' })).toBeVisible();
});

test('an operations manager has no tab of money', async ({ openAs }) => {
  const page = await openAs('ops');
  await page.goto('/admin/invoices/money');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
});
