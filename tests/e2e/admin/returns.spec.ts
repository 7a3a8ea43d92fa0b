// Returns of income tax and social security: numbers that are missing, the return of last month, the year of a person.
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
