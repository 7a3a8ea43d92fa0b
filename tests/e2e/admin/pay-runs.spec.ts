// Pay from its basis to locked payslips, by two people, and the payslip on the phone of the guard.
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { choose } from '#tests/e2e/support/choose.ts';
import { newGuard } from '#tests/e2e/support/new-guard.ts';
import { pageIn } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

/** Presses the button and reads the PDF that it saves. */
async function pdfFrom(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFile(await (await download).path(), 'latin1');
}

test('a raise, an advance and an adjustment reach a run that two people lock, and the guard’s payslip', async ({
  browser,
  openAs,
  databaseOf,
  url,
  dataDir,
}) => {
  const { name, session } = await newGuard(url, dataDir);
  const database = await databaseOf('finance');
  const { data: person } = await database
    .from('staff')
    .insert({
      full_name: name,
      user_id: session.user.id,
      salary_amount: 8000,
      currency: 'LRD',
      payment_frequency: 'weekly',
      hire_date: '2020-01-01',
    })
    .select('id')
    .single()
    .throwOnError();

  const page = await openAs('finance');
  await page.goto(`/admin/people/${person.id}`);
  const basis = page.getByRole('region', { name: 'Pay Basis' });
  await expect(basis.getByRole('listitem')).toHaveText(/L\$8,000\.00 weekly.*Current/);
  await basis.getByRole('button', { name: 'Change Pay' }).click();
  const raise = page.getByRole('dialog', { name: 'Change Pay' });
  await raise.getByLabel('Amount Each Payment').fill('9200');
  await raise.getByLabel('From').fill('2021-01-01');
  await raise.getByRole('button', { name: 'Save Change' }).click();
  await expect(page.getByText('Pay changed')).toBeVisible();
  await expect(basis.getByRole('listitem').first()).toHaveText(/L\$9,200\.00 weekly.*Current/);

  const ledger = page.getByRole('region', { name: 'Advances and Loans' });
  await ledger.getByRole('button', { name: 'Give Advance or Loan' }).click();
  const advance = page.getByRole('dialog', { name: 'Give Advance or Loan' });
  await expect(advance.getByLabel('Currency')).toHaveValue('LRD');
  await advance.getByLabel('Amount', { exact: true }).fill('1000');
  await advance.getByLabel('Repaid Each Pay Period').fill('500');
  await advance.getByLabel('Repaid From').fill('2021-01-01');
  await advance.getByRole('button', { name: 'Give', exact: true }).click();
  await expect(ledger.getByText('L$1,000.00 owed')).toBeVisible();

  await page.goto('/admin/payruns/adjustments');
  await page.getByRole('button', { name: 'Add Adjustment' }).click();
  const added = page.getByRole('dialog', { name: 'Add Adjustment' });
  await choose(added.getByLabel('Staff Member'), name);
  await added.getByLabel('Amount').fill('250');
  await added.getByLabel('Currency').selectOption('LRD');
  await added.getByLabel('Explanation').fill('A forgotten night shift');
  await added.getByRole('button', { name: 'Add Adjustment' }).click();
  await expect(page.getByText('Adjustment added')).toBeVisible();

  const office = await openAs('admin');
  await office.goto(`/admin/payruns/adjustments?status=to_decide&q=${encodeURIComponent(name)}`);
  await office.getByRole('row').filter({ hasText: name }).click();
  const decision = office.getByRole('dialog', { name: 'Adjustment' });
  await decision.getByRole('button', { name: 'Approve' }).click();
  await expect(office.getByText('Adjustment approved')).toBeVisible();

  await page.goto('/admin/payruns');
  await page.getByRole('button', { name: 'New Pay Run' }).click();
  const form = page.getByRole('dialog', { name: 'New Pay Run' });
  await form.getByLabel('Pay Group').selectOption('weekly');
  await form.getByLabel('Currency').selectOption('LRD');
  // One of the weeks that are over; a repetition on the same database needs another one.
  await form.getByLabel('Period').selectOption({ index: 1 + randomInt(6) });
  await form.getByRole('button', { name: 'Begin Pay Run' }).click();
  await expect(page.getByText('No payslips yet. Calculate the run to make them.')).toBeVisible();

  await page.getByRole('button', { name: 'Calculate', exact: true }).click();
  await expect(page.getByText('Pay run calculated')).toBeVisible();
  await page.getByRole('row').filter({ hasText: name }).click();
  const slip = page.getByRole('dialog', { name: 'Payslip' });
  await expect(slip.getByRole('listitem').filter({ hasText: 'SalaryL$9,200.00' })).toBeVisible();
  await expect(
    slip.getByRole('listitem').filter({ hasText: 'A forgotten night shift' }),
  ).toContainText('L$250.00');
  // The month's only pay so far, 113,400 a year: 5 % of what is above 70,000; NASSCORP is 4 % of the pay.
  await expect(slip.getByRole('listitem').filter({ hasText: '-L$180.83' })).toBeVisible();
  await expect(slip.getByRole('listitem').filter({ hasText: '-L$378.00' })).toBeVisible();
  await expect(
    slip.getByRole('listitem').filter({ hasText: 'L$500.00 of L$1,000.00 owed.' }),
  ).toContainText('-L$500.00');
  await expect(slip.getByRole('definition').getByText('L$8,391.17')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const approval = page.getByRole('dialog', { name: 'Approve Pay Run' });
  await expect(approval).toContainText('Someone else must approve the run: you calculated it.');
  await expect(approval.getByRole('button', { name: 'Approve' })).toBeDisabled();

  await office.goto(page.url());
  await office.getByRole('button', { name: 'Approve', exact: true }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(office.getByText('Pay run approved')).toBeVisible();
  await office.getByRole('button', { name: 'Lock', exact: true }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'Lock and Publish' }).click();
  await expect(office.getByText('Pay run locked')).toBeVisible();
  await expect(
    office.getByRole('list', { name: 'Steps' }).getByRole('listitem').filter({ hasText: 'Locked' }),
  ).toHaveAttribute('aria-current', 'step');
  await office.getByRole('tab', { name: 'Payments' }).click();
  await expect(office.getByText('1 payment can’t be made yet')).toBeVisible();
  await office.getByRole('button', { name: 'Propose Corrections' }).click();
  await expect(office.getByText('Nothing to correct')).toBeVisible();

  await page.goto(`/admin/people/${person.id}`);
  await expect(ledger.getByText('L$500.00 owed')).toBeVisible();
  await ledger.getByText('1 repayment').click();
  await expect(ledger.getByRole('link', { name: /^Pay run/ })).toBeVisible();

  // The page of the run makes all payslips as one file.
  await office.getByRole('tab', { name: 'Payslips' }).click();
  const all = await pdfFrom(office, 'Payslips PDF');
  expect(all.match(/\/Type \/Page\b/g)).toHaveLength(1);
  expect(all).toContain('(L$9,200.00) Tj');
  await expect(office.getByText('1 payslip ready')).toBeVisible();

  // The notice opens the guard's payslip, with the same lines.
  const phone = await pageIn(browser, url, session, PHONE);
  await phone.goto('/staff/notices');
  await phone.getByRole('link', { name: /Your payslip for/ }).tap();
  const own = phone.getByRole('dialog', { name: 'Payslip' });
  const lines = own.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  await expect(lines.filter({ hasText: 'SalaryL$9,200.00' })).toBeVisible();
  await expect(lines.filter({ hasText: '-L$378.00' })).toContainText(/NASSCORP.*%/);
  // Net pay, and below it the year so far, which has the same.
  await expect(own.getByRole('definition').getByText('L$8,391.17').first()).toBeVisible();
  const file = await pdfFrom(phone, 'Save PDF');
  expect(file).toContain('(L$9,200.00) Tj');
  await own.getByRole('button', { name: 'Close' }).tap();
  await expect(own).toBeHidden();
  const listed = phone.getByRole('list', { name: 'My Payslips' }).getByRole('button');
  await expect(listed).toContainText('L$8,391.17');
  await phone.reload();
  await expect(listed).toBeVisible();
  await phone.context().close();

  const { data: records } = await database
    .from('payroll')
    .select('base_amount, deductions, bonuses, net_amount, currency, payment_status')
    .eq('staff_id', person.id)
    .throwOnError();
  expect(records).toEqual([
    {
      base_amount: 9200,
      deductions: 1058.83,
      bonuses: 250,
      net_amount: 8391.17,
      currency: 'LRD',
      payment_status: 'pending',
    },
  ]);
});
