import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

/** A unique name. */
const newTitle = (word: string) => `${word} ${randomUUID().slice(0, 8)}`;

const card = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });

test('a statement computes its profit, and Undo restores a deleted one', async ({
  openAs,
  databaseOf,
}) => {
  const title = newTitle('Quarter');
  const page = await openAs('admin');
  await page.goto('/admin/financials');
  await page.getByRole('button', { name: 'Add Statement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Financial Statement' });
  const save = dialog.getByRole('button', { name: 'Add Statement' });

  await save.click();
  const toast = page.getByRole('listitem').filter({ hasText: 'Validation Error' });
  await expect(toast).toContainText('Title must be at least 3 characters');
  await expect(dialog.getByText('Start date is required')).toBeVisible();

  // The toast disappears with the field's message, not by its timeout.
  await holdToast(page, 'Validation Error');
  await dialog.getByLabel('Title').fill(title);
  await expect(toast).toHaveCount(0);
  await expect(dialog.getByText('Start date is required')).toBeVisible();
  await dialog.getByLabel('Period Start').fill('2026-01-01');
  await dialog.getByLabel('Period End').fill('2026-03-31');
  await dialog.getByLabel('Total Revenue (USD)').fill('-1');
  await save.click();
  await expect(dialog.getByText('Revenue cannot be negative')).toBeVisible();
  await dialog.getByLabel('Total Revenue (USD)').fill('1 000.10');
  await dialog.getByLabel('Total Expenses (USD)').fill('2,500.30');
  await expect(dialog.getByRole('status')).toHaveText('-$1,500.20');
  await save.click();
  await expect(page.getByText('Financial statement created successfully')).toBeVisible();
  await expect(card(page, title)).toContainText('-$1,500.20');

  const database = await databaseOf('admin');
  const stored = () => database.from('financial_statements').select().eq('title', title);
  const { data: before } = await stored();
  expect(before).toMatchObject([
    { total_revenue: 1000.1, total_expenses: 2500.3, net_profit: -1500.2 },
  ]);
  await page.getByRole('button', { name: `Delete statement ${title}` }).click();
  const deleted = await holdToast(page, 'deleted successfully');
  await expect(card(page, title)).toHaveCount(0);
  expect((await stored()).data).toEqual([]);
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, title)).toBeVisible();
  expect((await stored()).data).toMatchObject([{ id: before?.[0]?.id, net_profit: -1500.2 }]);
  await database.from('financial_statements').delete().eq('title', title).throwOnError();
});

test('an expense needs an amount above zero, and is in the exported file', {
  tag: '@everyday',
}, async ({ openAs, databaseOf }) => {
  const title = newTitle('=Fuel');
  const page = await openAs('admin');
  await page.goto('/admin/expenses');
  await page.getByRole('button', { name: 'Add Expense' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Expense' });
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Amount (USD)').fill('0.00');
  await dialog.getByRole('button', { name: 'Add Expense' }).click();
  await expect(dialog.getByText('Amount must be greater than 0')).toBeVisible();
  await dialog.getByLabel('Amount (USD)').fill('12.5');
  await dialog.getByLabel('Category').selectOption('Transport');
  await dialog.getByRole('button', { name: 'Add Expense' }).click();
  await expect(page.getByText('Expense created successfully')).toBeVisible();
  await expect(card(page, title)).toContainText('$12.50');

  const download = await exportFile(page, 'CSV');
  const file = await readFile(await download.path(), 'utf8');
  // A spreadsheet would run a cell that starts with "=".
  expect(file).toContain(`"'${title}",Transport,Daily,12.50`);
  const database = await databaseOf('admin');
  await database.from('expense_reports').delete().eq('title', title).throwOnError();
});

test('the open form of an expense is in the address: a reload keeps it, Back closes it', async ({
  openAs,
  databaseOf,
}) => {
  const title = newTitle('Paint');
  const database = await databaseOf('admin');
  const { data: expense } = await database
    .from('expense_reports')
    .insert({
      title,
      amount: 5,
      category: 'other',
      // Of today: the newest are on the first page.
      expense_date: new Date().toISOString().slice(0, 10),
      report_type: 'daily',
    })
    .select()
    .single()
    .throwOnError();
  const page = await openAs('admin');
  await page.goto('/admin/expenses?size=100');
  await page.getByRole('button', { name: `Edit expense ${title}` }).click();
  await expect(page).toHaveURL(`/admin/expenses?size=100&open=${expense.id}`);
  const dialog = page.getByRole('dialog', { name: 'Edit Expense' });
  await expect(dialog.getByLabel('Title')).toHaveValue(title);
  await page.reload();
  await expect(dialog.getByLabel('Title')).toHaveValue(title);
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/admin/expenses?size=100');
  await database.from('expense_reports').delete().eq('id', expense.id).throwOnError();
});

test('a receipt is attached to an expense, opened and removed', async ({ openAs, databaseOf }) => {
  const title = newTitle('Tyres');
  const database = await databaseOf('admin');
  const { data: expense } = await database
    .from('expense_reports')
    .insert({
      title,
      amount: 80,
      category: 'transport',
      expense_date: new Date().toISOString().slice(0, 10),
      report_type: 'daily',
    })
    .select('id')
    .single()
    .throwOnError();
  const page = await openAs('admin');
  await page.goto('/admin/expenses?size=100');
  const choose = (name: string, mimeType: string, text: string) =>
    page
      .getByRole('dialog', { name: 'Receipt' })
      .getByLabel(/file$/)
      .setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
  const files = async () =>
    (await database.storage.from('receipts').list(expense.id)).data?.map(({ name }) => name);

  await page.getByRole('button', { name: `Attach a receipt to ${title}` }).click();
  await choose('bill.pdf', 'application/pdf', '<html><script>alert(1)</script></html>');
  await expect(page.getByRole('listitem').filter({ hasText: 'Error' })).toBeVisible();
  expect(await files()).toEqual([]);
  await choose('Bill of 3 May.pdf', 'application/pdf', '%PDF-1.4\n%%EOF\n');
  await expect(page.getByText('Receipt attached', { exact: true })).toBeVisible();
  expect(await files()).toEqual(['Bill-of-3-May.pdf']);

  await page.getByRole('button', { name: `Receipt of ${title}` }).click();
  const link = page.getByRole('link', { name: /^Bill-of-3-May\.pdf/ });
  const answer = await page.request.get((await link.getAttribute('href')) ?? '');
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Receipt removed')).toBeVisible();
  expect(await files()).toEqual([]);
  await database.from('expense_reports').delete().eq('id', expense.id).throwOnError();
});

test('a bank account masks its number, and is deleted after confirmation', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  const title = newTitle('Reserve');
  const database = await databaseOf('admin');
  const account = { account_title: title, account_number: '0077-1234-9876', bank_name: 'Bank' };
  await database.from('bank_accounts').insert(account).throwOnError();
  const page = await openAs('admin');
  await page.goto('/admin/bankaccounts');
  const own = card(page, title);
  await expect(own).toContainText('ends in 9876');
  await expect(own).not.toContainText('0077');
  await own.getByRole('button', { name: 'Show account number' }).click();
  await expect(own).toContainText('0077-1234-9876');

  await own.getByRole('button', { name: `Delete bank account ${title}` }).click();
  const question = page.getByRole('dialog', { name: 'Delete Bank Account' });
  await expect(question).toContainText('Are you sure you want to delete this bank account?');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(own).toBeVisible();
  await own.getByRole('button', { name: `Delete bank account ${title}` }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Bank account deleted successfully')).toBeVisible();
  const { data } = await database.from('bank_accounts').select().eq('account_title', title);
  expect(data).toEqual([]);
});

test.describe('samples', () => {
  for (const { path, label, table, failure, count } of [
    {
      path: '/admin/financials',
      label: 'Import Sample',
      table: 'financial_statements',
      failure: 'Failed to import financial statement. It may already exist.',
      count: 1,
    },
    {
      path: '/admin/bankaccounts',
      label: 'Import Sample',
      table: 'bank_accounts',
      failure: 'Failed to import bank account. It may already exist.',
      count: 1,
    },
    {
      path: '/admin/loans',
      label: 'Import Samples',
      table: 'loans',
      failure: 'Failed to import loan accounts. They may already exist.',
      count: 3,
    },
  ] as const) {
    test(`are imported into ${table} once`, { tag: '@long' }, async ({ openAs, databaseOf }) => {
      const database = await databaseOf('admin');
      const samples = () => database.from(table).select('id').like('notes', 'Sample record.%');
      await database.from(table).delete().like('notes', 'Sample record.%').throwOnError();
      const page = await openAs('admin');
      await page.goto(path);
      const importSamples = async () => {
        await page.getByRole('button', { name: label }).click();
        const question = page.getByRole('dialog', { name: label });
        await expect(question).toContainText('Names and figures are invented');
        await question.getByRole('button', { name: `Import ${count}` }).click();
      };
      await importSamples();
      await expect(page.getByText(/imported successfully/)).toBeVisible();
      expect((await samples()).data).toHaveLength(count);
      await importSamples();
      await expect(page.getByText(failure)).toBeVisible();
      expect((await samples()).data).toHaveLength(count);
    });
  }
});

test('the cashflow lists the rows behind each figure, and updates after a change', async ({
  openAs,
  databaseOf,
}) => {
  const title = newTitle('Chest');
  const database = await databaseOf('admin');
  const page = await openAs('admin');
  await page.goto('/admin/cashflow');
  await expect(page.getByText('Overview of cash inflows and outflows')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'USD' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'XOF' })).toHaveCount(0);
  await database
    .from('bank_accounts')
    .insert({
      account_title: title,
      account_number: '1',
      bank_name: 'Bank',
      currency: 'XOF',
      current_balance: 1234567.8,
    })
    .throwOnError();
  const section = page.getByRole('region', { name: 'XOF' });
  await expect(section.getByText('1,234,567.80 Dr', { exact: true })).toBeVisible();
  await expect(section.getByText('More went out than came in')).toBeVisible();
  await section.getByRole('button', { name: 'Show records of Total Outflows' }).click();
  await expect(page.getByRole('dialog', { name: 'Total Outflows, XOF' })).toContainText(
    `Bank, ${title}`,
  );
  await database.from('bank_accounts').delete().eq('account_title', title).throwOnError();
  await expect(page.getByRole('dialog')).toContainText('No records make up this figure.');
});
