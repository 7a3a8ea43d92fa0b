// Returns of income tax and social security: numbers that are missing, the return of last month, the year of a person.
import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

test('finance files the return of last month, and the admin reopens it @long', async ({
  openAs,
}) => {
  const page = await openAs('finance');
  await page.goto('/admin/payroll/returns?kind=nasscorp');
  await page.getByRole('button', { name: 'Prepare Return' }).click();
  await expect(page.getByText('Return prepared')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Pay Runs in It' })).toContainText('Of this month');
  const file = await readFile(await (await exportFile(page, 'CSV')).path(), 'utf8');
  expect(file.split('\n')[0]).toContain(
    'Name,TIN,NASSCORP Number,Resident,Currency,Gross Pay,Employee,Employer,Contribution',
  );

  await page.getByRole('button', { name: 'File Return' }).click();
  const filing = dialogOf(page, 'File Return');
  await filing.getByLabel('Reference of the Authority').fill('NSC-77');
  await filing.getByRole('button', { name: 'File Return' }).click();
  await expect(page.getByText('reference NSC-77')).toBeVisible();
  await page.getByRole('button', { name: /^Attach a document to the return of/ }).click();
  await dialogOf(page, 'Document')
    .getByLabel('Attach a file')
    .setInputFiles({
      name: 'Receipt of NASSCORP.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
    });
  await expect(page.getByText('Document attached', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Document of the return of/ }).click();
  const kept = dialogOf(page, 'Document').getByRole('link', { name: /^Receipt-of-NASSCORP\.pdf/ });
  const answer = await page.request.get((await kept.getAttribute('href')) ?? '');
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
  await dialogOf(page, 'Document').getByRole('button', { name: 'Close' }).click();
  // Who filed it doesn't take it back.
  await expect(page.getByRole('button', { name: 'Reopen Return' })).toBeDisabled();
  await page.getByRole('button', { name: 'Note Payment' }).click();
  const paying = dialogOf(page, 'Note Payment');
  await paying.getByLabel('Liberian Dollars').fill('1');
  await paying.getByRole('button', { name: 'Note Payment' }).click();
  await expect(paying.getByText(/too little/)).toBeVisible();
  await paying.getByRole('button', { name: 'Cancel' }).click();

  const other = await openAs('admin');
  await other.goto('/admin/payroll/returns?kind=nasscorp');
  await other.getByRole('button', { name: 'Reopen Return' }).click();
  const reopening = dialogOf(other, 'Reopen Return');
  await reopening.getByLabel('Reason').fill('A run was missing');
  await reopening.getByRole('button', { name: 'Reopen Return' }).click();
  await expect(other.getByRole('button', { name: 'File Return' })).toBeVisible();
  await expect(other.getByRole('button', { name: /^Document of/ })).toHaveCount(0);
});

test('a missing number is entered where its link leads, in the form of the authority @long', async ({
  openAs,
}) => {
  const page = await openAs('finance');
  await page.goto('/admin/payroll/returns?tab=numbers');
  const missing = page.getByRole('region', { name: 'Missing' });
  const first = missing
    .getByRole('row')
    .filter({ hasText: /Staff.*Missing.*-$/ })
    .first();
  const name = (await first.getByRole('link').textContent()) ?? '';
  await first.getByRole('link').click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Tax Number (TIN)').fill('50012');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText(/A tax number \(TIN\) has: 9 digits/)).toBeVisible();
  await form.getByLabel('Tax Number (TIN)').fill('599000123');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  await page.goto('/admin/payroll/returns?tab=numbers');
  await expect(missing.getByRole('row').nth(1)).toBeVisible();
  await expect(missing.getByRole('link', { name })).toHaveCount(0);
});

test('the year has its months beside the runs, and a certificate for each person @long', async ({
  openAs,
}) => {
  const page = await openAs('finance');
  await page.goto('/admin/payroll/returns?tab=year');
  await expect(page.getByRole('region', { name: /^PAYE/ })).toContainText('Paid');
  const certificates = page.getByRole('region', { name: /^Certificates/ });
  const saved = page.waitForEvent('download');
  await certificates
    .getByRole('button', { name: /^Certificate of/ })
    .first()
    .click();
  expect((await saved).suggestedFilename()).toMatch(/^certificate-\d{4}-.*\.pdf$/);
  const all = page.waitForEvent('download');
  await certificates.getByRole('button', { name: 'All Certificates' }).click();
  expect((await all).suggestedFilename()).toMatch(/^certificates-\d{4}\.pdf$/);
});

test('tax of a voided run is asked back where returns are filed, and approved by someone else @long', async ({
  openAs,
  databaseOf,
}) => {
  const name = `Voided ${randomUUID().slice(0, 8)}`;
  const [database, office] = [await databaseOf('finance'), await databaseOf('admin')];
  // A month that no other run has: of someone who was paid in dollars until the 15th.
  const month = `${randomInt(2001, 2020)}-${String(randomInt(1, 13)).padStart(2, '0')}`;
  const { data: staff } = await database
    .from('staff')
    .insert({
      full_name: name,
      salary_amount: 400,
      hire_date: `${month}-01`,
      end_date: `${month}-28`,
      status: 'inactive',
    })
    .select('id')
    .single()
    .throwOnError();
  const LRD = { payment_frequency: 'monthly', amount: 76_000, currency: 'LRD' } as const;
  await database
    .from('pay_bases')
    .insert({ staff_id: staff.id, effective_from: `${month}-16`, basis: 'salary', ...LRD })
    .throwOnError();
  const lock = async (currency: string) => {
    const { data: id } = await database
      .rpc('create_pay_run', {
        p_pay_group: 'monthly',
        p_currency: currency,
        p_day: `${month}-15`,
      })
      .throwOnError();
    await database.rpc('calculate_pay_run', { id }).throwOnError();
    await office.rpc('approve_pay_run', { id }).throwOnError();
    await database.rpc('lock_pay_run', { id }).throwOnError();
    return id;
  };
  const first = await lock('USD');
  const second = await lock('LRD');
  await database.rpc('void_pay_run', { p_id: first, p_reason: 'By mistake' }).throwOnError();

  const page = await openAs('finance');
  await page.goto(`/admin/payroll/returns?month=${month}`);
  const panel = page.getByRole('region', { name: 'Too Much Income Tax Withheld' });
  const row = panel.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('L$');
  await row.getByRole('button', { name: `Give Back tax of ${name}` }).click();
  await expect(page.getByText('Adjustment added')).toBeVisible();
  await row.getByRole('link', { name: /^To Decide/ }).click();
  await expect(page.getByText('Someone else must decide this adjustment')).toBeVisible();

  const other = await openAs('admin');
  await other.goto(page.url());
  const dialog = other.getByRole('dialog', { name: 'Adjustment' });
  await expect(dialog).toContainText('Income Tax Given Back');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(other.getByText('Adjustment approved')).toBeVisible();
  await page.goto(`/admin/payroll/returns?month=${month}`);
  await expect(page.getByText(/^PAYE Schedule/)).toBeVisible();
  await expect(row).toHaveCount(0);
  await database.rpc('void_pay_run', { p_id: second, p_reason: 'Of a journey' }).throwOnError();
});
