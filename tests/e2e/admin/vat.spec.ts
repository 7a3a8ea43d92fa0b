// VAT: confirming the registration, a client's certificate, an expense with VAT, and the return of its month.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** Long before the demo's first document. */
const MONTH = '2023-03';

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

test('finance confirms a registration, claims the VAT of an expense and files the return', async ({
  openAs,
  databaseOf,
}) => {
  const [admin, finance] = [await databaseOf('admin'), await databaseOf('finance')];
  const { data: rate } = await finance
    .from('rate_proposals')
    .insert({
      kind: 'tax',
      name: 'VAT',
      rate: 0.18,
      effective_from: `${MONTH}-01`,
      source: 'Test',
    })
    .select('id')
    .single()
    .throwOnError();
  await admin.rpc('approve_rate', { p_id: rate.id }).throwOnError();

  const page = await openAs('finance');
  await page.goto('/admin/invoices/vat?tab=registration');
  await page.getByRole('button', { name: 'Add Registration' }).click();
  const registration = dialogOf(page, 'Confirm Registration');
  await registration.getByLabel('VAT Number').fill('500777888');
  await registration.getByLabel('From').fill(`${MONTH}-01`);
  await registration.getByLabel('Until').fill(`${MONTH}-31`);
  await registration.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Registration confirmed')).toBeVisible();

  await page.goto('/admin/expenses?open=new');
  const expense = dialogOf(page, 'Add Expense');
  await expense.getByLabel('Title').fill('Uniforms, 10 sets');
  await expense.getByLabel('Amount (USD)').fill('590');
  await expect(expense.getByLabel('VAT in it')).toHaveCount(0);
  await expense.getByLabel('Date').fill(`${MONTH}-10`);
  await expense.getByLabel('VAT in it').fill('90');
  await expense.getByRole('button', { name: 'Add Expense' }).click();
  await expect(expense.getByText('VAT is claimed with its supplier')).toBeVisible();
  await expense.getByLabel('Supplier (optional)').fill('Waterside Textiles');
  await expense.getByRole('button', { name: 'Add Expense' }).click();
  await expect(expense).toHaveCount(0);

  await page.goto(`/admin/invoices/vat?month=${MONTH}`);
  await page.getByRole('button', { name: 'Prepare Return' }).click();
  const bought = page.getByRole('region', { name: 'Purchases with VAT' });
  await expect(bought).toContainText('Uniforms, 10 sets');
  await expect(bought).toContainText('$90.00');
  await expect(page.getByText('Credit carried forward')).toBeVisible();
  const file = await readFile(await (await exportFile(page, 'CSV')).path(), 'utf8');
  expect(file).toContain('Purchases with VAT,2023-03-10,"Uniforms, 10 sets"');

  await page.getByRole('button', { name: 'File Return' }).click();
  const filing = dialogOf(page, 'File Return');
  await filing.getByLabel('Reference of the Authority').fill('LRA-2023-03');
  await filing.getByRole('button', { name: 'File Return' }).click();
  await expect(page.getByText('reference LRA-2023-03')).toBeVisible();
  // Who filed it doesn't take it back.
  await expect(page.getByRole('button', { name: 'Reopen Return' })).toBeDisabled();

  const other = await openAs('admin');
  await other.goto(`/admin/invoices/vat?month=${MONTH}`);
  await other.getByRole('button', { name: 'Reopen Return' }).click();
  const reopening = dialogOf(other, 'Reopen Return');
  await reopening.getByLabel('Reason').fill('Wrong reference');
  await reopening.getByRole('button', { name: 'Reopen Return' }).click();
  await expect(other.getByRole('button', { name: 'File Return' })).toBeVisible();
});

test('a client’s tax number and certificate are entered together, and missing ones come first', async ({
  openAs,
}) => {
  const page = await openAs('finance');
  await page.goto('/admin/invoices/vat?tab=clients');
  const missing = page.getByText(/^\d+ of \d+ clients have no tax number/);
  const before = Number.parseInt((await missing.textContent()) ?? '', 10);
  const first = page.getByRole('table', { name: 'Clients' }).getByRole('row').nth(1);
  await expect(first).toContainText('Missing');
  await first.getByRole('button', { name: /^Edit/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Tax of/ });
  await dialog.getByLabel('Tax Number (TIN)').fill('500111222');
  await dialog.getByLabel('Certificate of Exemption').fill('MFA-9');
  await dialog.getByLabel('Valid From').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('A certificate counts from a day')).toBeVisible();
  await dialog.getByLabel('Valid From').fill('2031-01-01');
  await dialog.getByLabel('Valid Until').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(missing).toHaveText(new RegExp(`^${before - 1} of`));
});
