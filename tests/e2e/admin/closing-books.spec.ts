import { expect, test } from '#tests/e2e/support/test.ts';

test('the books are closed, and reopened by a second person', async ({ openAs }) => {
  const page = await openAs('finance');
  await page.goto('/admin/invoices/accounting?tab=closing');
  await expect(page.getByText('The books are open.')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Next to close: / })).toBeVisible();
  await page.getByRole('button', { name: /^Close \w+ 20\d\d$/ }).click();
  const closing = page.getByRole('dialog', { name: 'Close the Books' });
  // No other test has documents from before then.
  await closing.getByLabel('Close Up To').fill('2021-01-31');
  await closing.getByRole('button', { name: 'Close the Books' }).click();
  await expect(page.getByText('The books are closed up to Jan 31, 2021.')).toBeVisible();

  await page.goto('/admin/expenses');
  await page.getByRole('button', { name: 'Add Expense' }).click();
  const expense = page.getByRole('dialog', { name: 'Add Expense' });
  await expense.getByLabel('Title').fill('Fuel of January');
  await expense.getByLabel('Amount (USD)').fill('5');
  await expense.getByLabel('Date', { exact: true }).fill('2021-01-15');
  await expense.getByRole('button', { name: 'Add Expense' }).click();
  await expect(
    page.getByText('The books are closed up to January 31, 2021.').first(),
  ).toBeVisible();

  await page.goto('/admin/invoices/accounting?tab=closing');
  await page.getByRole('button', { name: 'Ask to Reopen' }).click();
  const question = page.getByRole('dialog', { name: 'Ask to Reopen the Books' });
  await question.getByRole('button', { name: 'Ask to Reopen' }).click();
  await expect(question.getByText('Reason is required')).toBeVisible();
  await question.getByLabel('Reason').fill('A receipt was missed');
  await question.getByRole('button', { name: 'Ask to Reopen' }).click();
  await expect(page.getByText('You asked to reopen the books, every day')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reopen', exact: true })).toHaveCount(0);

  const second = await openAs('admin');
  await second.goto('/admin/invoices/accounting?tab=closing');
  await second.getByRole('button', { name: 'Reopen', exact: true }).click();
  await expect(second.getByText('The books are open.')).toBeVisible();
  await expect(page.getByText('The books are open.')).toBeVisible();
});
