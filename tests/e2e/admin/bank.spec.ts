// A statement of a bank account: imported, matched, booked, taken back.
import { randomUUID } from 'node:crypto';
import { expect, test } from '#tests/e2e/support/test.ts';

const BANK = '/admin/invoices/accounting?tab=bank';

test('a statement is imported, its lines are matched and booked, and the balance follows', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  const number = randomUUID().slice(0, 8);
  const database = await databaseOf('admin');
  const client = {
    name: `Client ${number}`,
    location: 'Monrovia',
    number_of_guards: 0,
    monthly_rate: 0,
  };
  await database.from('clients').insert(client).throwOnError();
  const page = await openAs('finance');
  await page.goto('/admin/bankaccounts?open=new');
  const account = page.getByRole('dialog');
  await account.getByLabel('Bank Name').fill('Test Bank');
  await account.getByLabel('Account Title').fill(`Journey ${number}`);
  await account.getByLabel('Account Number').fill(number);
  await account.getByRole('button', { name: /Add Bank Account/ }).click();
  await expect(account).toHaveCount(0);
  await page.goto('/admin/expenses?open=new');
  const expense = page.getByRole('dialog', { name: 'Add Expense' });
  await expense.getByLabel('Title').fill(`Fuel ${number}`);
  await expense.getByLabel('Amount (USD)').fill('41.37');
  await expense.getByLabel('Date', { exact: true }).fill('2021-04-15');
  await expense.getByRole('button', { name: 'Add Expense' }).click();
  await expect(expense).toHaveCount(0);

  const csv = [
    'Date;Details;Debit;Credit;Balance',
    `17/04/2021;Fee ${number};5.00;;953.63`,
    '16/04/2021;Fuel;41.37;;958.63',
    '15/04/2021;Deposit;;1,000.00;1000.00',
  ].join('\r\n');
  const file = { name: 'april.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await page.goto(BANK);
  await page.getByRole('button', { name: 'Add Account' }).click();
  const settings = page.getByRole('dialog', { name: 'Add Account' });
  await settings.getByLabel('Bank Account', { exact: true }).click();
  await page.getByRole('option', { name: new RegExp(number) }).click();
  await settings.getByLabel('A File of This Account').setInputFiles(file);
  await expect(settings.getByLabel('Column of Money In')).toHaveValue('Credit');
  await expect(settings.getByLabel('Column of the Balance')).toHaveValue('Balance');
  await settings.getByRole('button', { name: 'Add Account' }).click();
  await expect(page.getByText('Account added')).toBeVisible();

  await page.getByRole('button', { name: 'Import File' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Statement' });
  await dialog.getByLabel('File', { exact: true }).setInputFiles(file);
  await expect(dialog.getByText('3 rows are ready to be imported')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import 3' }).click();
  await expect(page.getByText('3 records imported successfully')).toBeVisible();

  const lines = page.getByRole('region', { name: 'Open Lines' });
  const open = (text: string) => lines.getByRole('listitem').filter({ hasText: text });
  await open('-$41.37').getByRole('button', { name: 'Match…' }).click();
  const match = page.getByRole('dialog', { name: 'Match Line' });
  await match.getByLabel('Search').fill(number);
  await match.getByRole('checkbox').first().check();
  await expect(match.getByText('The whole line')).toBeVisible();
  await match.getByRole('button', { name: 'Match', exact: true }).click();
  await expect(page.getByText('Line matched')).toBeVisible();
  await expect(open('-$41.37')).toHaveCount(0);

  await open(`Fee ${number}`).getByRole('button', { name: 'Book…' }).click();
  const book = page.getByRole('dialog', { name: 'Book Line' });
  await expect(book.getByLabel('Paid For')).toContainText('Interest and bank charges');
  await book.getByRole('button', { name: 'Book Line' }).click();
  await expect(page.getByText('Line booked')).toBeVisible();
  await expect(open(`Fee ${number}`)).toHaveCount(0);

  await open('Deposit').getByRole('button', { name: 'Receipt…' }).click();
  const receipt = page.getByRole('dialog', { name: 'Record Receipt' });
  await expect(receipt.getByLabel('Reference')).toHaveValue('Deposit');
  await receipt.getByLabel('Client').click();
  await page.getByRole('option', { name: client.name }).click();
  await receipt.getByRole('button', { name: 'Record Receipt' }).click();
  await expect(page.getByText('Receipt recorded and matched')).toBeVisible();
  await expect(open('Deposit')).toHaveCount(0);
  const stored = await database
    .from('receipts')
    .select('amount, unallocated, received_on, method, clients!inner()')
    .eq('clients.name', client.name)
    .throwOnError();
  expect(stored.data).toEqual([
    { amount: 1000, unallocated: 1000, received_on: '2021-04-15', method: 'bank' },
  ]);

  // The same file again brings nothing.
  await page.getByRole('button', { name: 'Import File' }).click();
  await dialog.getByLabel('File', { exact: true }).setInputFiles(file);
  await dialog.getByRole('button', { name: 'Import 3' }).click();
  await expect(dialog.getByText('All lines of this file have been imported before.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Undo the import of april.csv' }).click();
  const question = page.getByRole('dialog', { name: 'Undo Import' });
  await question.getByRole('button', { name: 'Undo Import' }).click();
  await expect(question.getByText('Undo their matches first').first()).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${page.url()}&lines=matched`);
  const matched = page.getByRole('region', { name: 'Matched Lines' });
  for (const text of [`Fee ${number}`, '-$41.37', 'Deposit']) {
    const row = matched.getByRole('listitem').filter({ hasText: text });
    await row.getByRole('button', { name: 'Undo Match' }).click();
    await expect(row).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Undo the import of april.csv' }).click();
  await question.getByRole('button', { name: 'Undo Import' }).click();
  await expect(page.getByText('Import undone')).toBeVisible();
});

test('the journal is exported for a package', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('finance');
  await page.goto('/admin/invoices/accounting');
  await page.getByRole('button', { name: 'Export for a Package' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export for a Package' });
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  expect((await download).suggestedFilename()).toMatch(/-USD-quickbooks\.iif$/);
});
