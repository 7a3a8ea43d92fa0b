// The books on their screens: an entry by hand, where it is seen, and what is filled from it.
import { randomUUID } from 'node:crypto';
import { expect, test } from '#tests/e2e/support/test.ts';

const BOOKS = '/admin/invoices/accounting';

test('an entry by hand is in the statements, its ledger opens it, and voiding books it back', {
  tag: '@long',
}, async ({ openAs }) => {
  const name = `Loan ${randomUUID().slice(0, 8)}`;
  const page = await openAs('finance');
  await page.goto(`${BOOKS}?tab=entries`);
  await page.getByRole('button', { name: 'Add Entry' }).click();
  const form = page.getByRole('dialog', { name: 'Add Entry' });
  await form.getByLabel('Day').fill('2021-03-15');
  await form.getByLabel('Description').fill(name);
  const choose = async (line: number, account: RegExp) => {
    await form.getByLabel(`Account ${line}`).click();
    await page.getByRole('option', { name: account }).click();
  };
  await choose(1, /Bank/);
  await form.getByLabel('Debit').first().fill('1,250.75');
  await choose(2, /Loans/);
  await form.getByLabel('Credit').nth(1).fill('1250.70');
  await expect(form.getByText('$0.05 more debits')).toBeVisible();
  await form.getByRole('button', { name: 'Add Entry' }).click();
  await expect(form.getByText('Debits and credits must be equal in each currency')).toBeVisible();
  await form.getByLabel('Credit').nth(1).fill('1250.75');
  await expect(form.getByText('Balanced')).toBeVisible();
  await form.getByRole('button', { name: 'Add Entry' }).click();
  await expect(page.getByText('Entry added')).toBeVisible();

  await page.goto(`${BOOKS}?tab=sheet&to=2021-03-31`);
  const sheet = page.getByRole('table', { name: 'Balance sheet in USD' });
  await expect(sheet.getByRole('link', { name: 'Loans' })).toBeVisible();
  await expect(page.getByText('Assets equal liabilities and equity').first()).toBeVisible();

  await page.goto(`${BOOKS}?tab=balances&from=2021-03-01&to=2021-03-31`);
  const trial = page.getByRole('table').first();
  await trial.getByRole('link', { name: 'Loans' }).click();
  await expect(page.getByRole('heading', { name: '2300 Loans, USD' })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('$1,250.75');
  await row.getByRole('link', { name: /^ENT / }).click();
  const entry = page.getByRole('dialog', { name });
  await expect(entry.getByRole('row', { name: /Bank/ })).toContainText('$1,250.75');

  await entry.getByRole('button', { name: 'Void Entry' }).click();
  const question = page.getByRole('dialog', { name: 'Void Entry' });
  await question.getByLabel('Reason').fill('Paid by somebody else');
  await question.getByRole('button', { name: 'Void Entry' }).click();
  await expect(page.getByText('Entry voided')).toBeVisible();
});

test('a statement is filled from the books, and saved only when it is saved', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('finance');
  const form = page.getByRole('dialog', { name: 'Add Financial Statement' });
  const expenses = form.getByLabel('Total Expenses (USD)');
  async function fillForm(): Promise<number> {
    await page.goto('/admin/financials?open=new');
    const fill = form.getByRole('button', { name: 'Fill from the Books' });
    await expect(fill).toBeDisabled();
    await form.getByLabel('Title').fill('April 2021');
    await form.getByLabel('Period Start').fill('2021-04-01');
    await form.getByLabel('Period End').fill('2021-04-30');
    await fill.click();
    await expect(form.getByText('Filled. Check the amounts, then save.')).toBeVisible();
    return Number(await expenses.inputValue());
  }
  const before = await fillForm();
  await page.goto('/admin/expenses?open=new');
  const expense = page.getByRole('dialog', { name: 'Add Expense' });
  await expense.getByLabel('Title').fill('Fuel of April 2021');
  await expense.getByLabel('Amount (USD)').fill('41.35');
  await expense.getByLabel('Date', { exact: true }).fill('2021-04-15');
  await expense.getByRole('button', { name: 'Add Expense' }).click();
  await expect(expense).toHaveCount(0);

  expect(await fillForm()).toBeCloseTo(before + 41.35, 2);
  await expect(form.getByLabel('Total Revenue (USD)')).toHaveValue('0.00');
  await expenses.fill('50');
  await expect(form.getByRole('status').filter({ hasText: '-$50.00' })).toBeVisible();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('April 2021', { exact: true })).toHaveCount(0);
});
