import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

/** A unique name. */
const newName = () => `Kpana ${randomUUID().slice(0, 8)}`;

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a staff record is added, found, changed with an audit entry, and deleted after confirmation', {
  tag: '@everyday',
}, async ({ openAs, databaseOf }) => {
  const name = newName();
  const page = await openAs('admin');
  await page.goto('/admin/staff');
  await expect(page.getByRole('table', { name: 'Staff' }).getByRole('columnheader')).toHaveText([
    'Name',
    'Email',
    'Phone',
    'Role',
    'Hire Date',
    'Salary',
    'Frequency',
    'Status',
    'Actions',
  ]);
  await page.getByRole('button', { name: 'Add Staff' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('nobody');
  await dialog.getByRole('button', { name: 'Add Staff' }).click();
  for (const message of ['Full name is required', 'Invalid email', 'Salary is required']) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await dialog.getByLabel('Full Name').fill(name);
  await dialog.getByLabel('Email').fill('');
  await dialog.getByLabel('Salary (USD)').fill('150');
  await dialog.getByLabel('User Account').click();
  await page.getByPlaceholder('Search accounts').fill('guard2@statesman.example');
  await page.getByRole('option').filter({ hasText: 'guard2@statesman.example' }).click();
  await dialog.getByRole('button', { name: /^Remove/ }).click();
  await dialog.getByRole('button', { name: 'Add Staff' }).click();
  await expect(page.getByText('Staff member added successfully')).toBeVisible();

  await page.getByLabel('Search staff').fill(name);
  await expect(page.getByRole('row')).toHaveCount(3);
  await expect(row(page, name)).toContainText('$150.00');
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await dialog.getByLabel('Salary (USD)').fill('1,175.50');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Staff member updated successfully')).toBeVisible();
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await dialog.getByText('Salary history').click();
  await expect(dialog.getByRole('listitem')).toHaveText([
    /\$1,175\.50 monthly/,
    /\$150\.00 monthly/,
  ]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(dialog).toContainText('Are you sure you want to delete this staff member?');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  // A record without payroll can be deleted with Undo.
  const deleted = await holdToast(page, 'Staff member deleted successfully');
  await expect(page.getByText('No staff members found')).toBeVisible();
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Staff member restored')).toBeVisible();
  await expect(row(page, name)).toContainText('$1,175.50');
  await expect(row(page, 'Total of 1')).toContainText('$1,175.50Monthly');
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No staff members found')).toBeVisible();
  const { data } = await (await databaseOf('admin')).from('staff').select().eq('full_name', name);
  expect(data).toEqual([]);
});

test('a double click adds one record; a concurrent change is shown beside what was typed', async ({
  openAs,
  databaseOf,
}) => {
  const name = newName();
  const database = await databaseOf('admin');
  const stored = async () =>
    (await database.from('staff').select('phone, salary_amount').eq('full_name', name)).data;
  const page = await openAs('admin');
  await page.goto('/admin/staff');
  await page.getByRole('button', { name: 'Add Staff' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Full Name').fill(name);
  await dialog.getByLabel('Salary (USD)').fill('150');
  await dialog.getByRole('button', { name: 'Add Staff' }).dblclick();
  await expect(page.getByText('Staff member added successfully')).toBeVisible();
  expect(await stored()).toEqual([{ phone: null, salary_amount: 150 }]);

  await page.getByLabel('Search staff').fill(name);
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await dialog.getByLabel('Salary (USD)').fill('160');
  await database.from('staff').update({ phone: '0770123456' }).eq('full_name', name).throwOnError();
  await expect(dialog.getByText('Someone else changed this record')).toBeVisible();
  await expect(dialog.getByLabel('Salary (USD)')).toHaveValue('160');
  await dialog.getByRole('button', { name: 'Their version' }).click();
  await expect(dialog.getByLabel('Phone')).toHaveValue('0770123456');
  await expect(dialog.getByLabel('Salary (USD)')).toHaveValue('150.00');
  await dialog.getByRole('button', { name: 'Your version' }).click();
  await expect(dialog.getByLabel('Salary (USD)')).toHaveValue('160');
  await dialog.getByRole('button', { name: 'Their version' }).click();
  await dialog.getByLabel('Salary (USD)').fill('161');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Staff member updated successfully')).toBeVisible();
  expect(await stored()).toEqual([{ phone: '0770123456', salary_amount: 161 }]);

  // The sort order is in the address.
  await page.getByLabel('Search staff').fill('');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  const heading = page.getByRole('columnheader', { name: 'Salary' });
  await heading.getByRole('button').click();
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await heading.getByRole('button').click();
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/sort=-salary/);
  const { data: highest } = await database
    .from('staff')
    .select('full_name')
    .order('salary_amount', { ascending: false })
    .order('id')
    .limit(1)
    .single()
    .throwOnError();
  await expect(page.getByRole('row').nth(1)).toContainText(highest.full_name);
  await database.from('staff').delete().eq('full_name', name).throwOnError();
});

test('a staff CSV shows its invalid rows, then is imported as a whole', { tag: '@long' }, async ({
  openAs,
  databaseOf,
}) => {
  const name = newName();
  const page = await openAs('admin');
  await page.goto('/admin/staff');
  await page.getByRole('button', { name: 'Import File' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Staff' });
  const choose = (text: string) =>
    dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const headings = 'Name,Email,Phone,Role,Hire Date,Salary,Frequency';

  await choose('Name,Email\nX,');
  await expect(dialog.getByText('The file has no column Salary')).toBeVisible();
  await choose(`${headings}\n${name} A,,,guard,2026-01-05,143,monthly\n${name} B,x,,,,143,`);
  await expect(dialog.getByText('1 of 2 rows need a correction')).toBeVisible();
  await expect(dialog.getByRole('row').filter({ hasText: 'Invalid email' })).toContainText('3');
  await expect(dialog.getByRole('button', { name: 'Import 2' })).toHaveCount(0);
  await choose(`${headings}\n${name} A,,,guard,2026-01-05,143,monthly\n"${name} B",,,,,"1,143",`);
  await dialog.getByRole('button', { name: 'Import 2' }).click();
  await expect(page.getByText('2 records imported successfully')).toBeVisible();
  const database = await databaseOf('admin');
  const { data } = await database
    .from('staff')
    .select('full_name, role, salary_amount, payment_frequency')
    .like('full_name', `${name}%`)
    .order('full_name');
  expect(data).toEqual([
    { full_name: `${name} A`, role: 'guard', salary_amount: 143, payment_frequency: 'monthly' },
    { full_name: `${name} B`, role: 'guard', salary_amount: 1143, payment_frequency: 'monthly' },
  ]);
  await database.from('staff').delete().like('full_name', `${name}%`).throwOnError();
});
