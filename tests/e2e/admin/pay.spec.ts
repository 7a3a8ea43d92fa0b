import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { choose } from '#tests/e2e/support/choose.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

/** A unique name. */
const newName = () => `Kpana ${randomUUID().slice(0, 8)}`;

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('pay is suggested with its calculation, and the payslip shows it', async ({
  openAs,
  databaseOf,
}) => {
  const name = newName();
  const database = await databaseOf('admin');
  const { data: person } = await database
    .from('staff')
    .insert({ full_name: name, salary_amount: 143 })
    .select('id')
    .single()
    .throwOnError();
  const page = await openAs('admin');
  await page.goto('/admin/payroll');
  await page.getByRole('button', { name: 'Add Payroll' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Payroll' });
  await dialog.getByRole('button', { name: 'Add Payroll' }).click();
  for (const message of ['Staff member', 'Period start', 'Period end', 'Base amount']) {
    await expect(dialog.getByText(`${message} is required`)).toBeVisible();
  }
  await choose(dialog.getByLabel('Staff Member'), name);
  await expect(dialog.getByLabel('Base Amount (USD)')).toHaveValue('143.00');
  await dialog.getByLabel('Period Start').fill('2031-10-01');
  await dialog.getByLabel('Period End').fill('2031-10-31');
  await dialog.getByLabel('Bonuses (USD)').fill('10');
  await dialog.getByRole('button', { name: 'Suggest Deductions' }).click();
  await expect(dialog.getByLabel('Deductions (USD)')).toHaveValue('16.53');
  await expect(dialog.getByText(/tax L\$23,861\.60 a year/)).toBeVisible();
  await expect(dialog.getByRole('status')).toHaveText('$136.47');
  await dialog.getByLabel('Base Amount (USD)').fill('142.99');
  await expect(dialog.getByText('Below the minimum wage')).toBeVisible();
  await dialog.getByLabel('Base Amount (USD)').fill('143');
  await dialog.getByRole('button', { name: 'Add Payroll' }).click();
  await expect(page.getByText('Payroll record added successfully')).toBeVisible();

  await page.getByLabel('Search payroll').fill(name);
  await expect(row(page, name)).toContainText('$136.47');
  await expect(row(page, 'Total of 1').getByRole('cell')).toHaveText([
    '$143.00',
    '$16.53',
    '$10.00',
    '$136.47',
    ...['', '', ''],
  ]);
  await page.getByRole('button', { name: `Payslip of ${name}` }).click();
  const payslip = page.getByRole('dialog', { name: 'Payslip' });
  await expect(payslip).toContainText('Income tax $10.81');
  await expect(payslip).toContainText('Oct 1 - Oct 31, 2031');
  await page.keyboard.press('Escape');
  const stored = () => database.from('payroll').select('net_amount').eq('staff_id', person.id);
  expect((await stored()).data).toEqual([{ net_amount: 136.47 }]);

  await page.getByRole('button', { name: `Delete payroll of ${name}` }).click();
  const question = page.getByRole('dialog', { name: 'Delete Payroll Record' });
  await expect(question).toContainText('Are you sure you want to delete this payroll record?');
  await question.getByRole('button', { name: 'Delete' }).click();
  const deleted = await holdToast(page, 'Payroll record deleted successfully');
  expect((await stored()).data).toEqual([]);
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Payroll record restored')).toBeVisible();
  expect((await stored()).data).toEqual([{ net_amount: 136.47 }]);
  await database.from('payroll').delete().eq('staff_id', person.id).throwOnError();
  await database.from('staff').delete().eq('id', person.id).throwOnError();
});

test('an overlapping pay period shows an error beside the field and keeps what was typed', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  const name = newName();
  const database = await databaseOf('admin');
  const { data: person } = await database
    .from('staff')
    .insert({ full_name: name, salary_amount: 143 })
    .select('id')
    .single()
    .throwOnError();
  const week = { period_start: '2031-11-09', period_end: '2031-11-15', base_amount: 35 };
  await database
    .from('payroll')
    .insert({ staff_id: person.id, ...week, payment_status: 'paid' })
    .throwOnError();
  const reason = `${name} already has a payroll record from Nov 9, 2031 to Nov 15, 2031 (paid).`;

  const page = await openAs('admin');
  await page.goto('/admin/payroll');
  await page.getByRole('button', { name: 'Add Payroll' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Payroll' });
  const start = dialog.getByLabel('Period Start');
  await choose(dialog.getByLabel('Staff Member'), name);
  await start.fill('2031-11-10');
  await dialog.getByLabel('Period End').fill('2031-11-12');
  await dialog.getByLabel('Bonuses (USD)').fill('7.25');
  await dialog.getByLabel('Notes').fill('Night duty');
  await dialog.getByRole('button', { name: 'Add Payroll' }).click();
  const toast = page.locator('[data-sonner-toast]').filter({ hasText: reason });
  await expect(toast).toContainText('Failed to add payroll record');
  await expect(start).toHaveAccessibleDescription(reason);
  await expect(start).toBeFocused();
  await expect(start).toHaveValue('2031-11-10');
  await expect(dialog.getByLabel('Bonuses (USD)')).toHaveValue('7.25');
  await expect(dialog.getByLabel('Notes')).toHaveValue('Night duty');

  // A cancelled record may overlap; the error and its toast disappear with that choice, not by a timeout.
  await holdToast(page, reason);
  await dialog.getByLabel('Status').selectOption('Cancelled');
  await expect(dialog.getByText(reason)).toHaveCount(0);
  await expect(toast).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Add Payroll' }).click();
  await expect(page.getByText('Payroll record added successfully')).toBeVisible();

  await page.getByLabel('Search payroll').fill(name);
  // Rows of other journeys may have been too wide for a table.
  const cards = page.getByRole('list', { name: 'Payroll' }).getByRole('listitem');
  await row(page, name)
    .or(cards.filter({ hasText: name }))
    .filter({ hasText: 'Cancelled' })
    .getByRole('button', { name: /^Edit/ })
    .click();
  const edit = page.getByRole('dialog', { name: 'Edit Payroll' });
  await edit.getByLabel('Status').selectOption('Pending');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(edit.getByLabel('Period Start')).toHaveAccessibleDescription(reason);
  await expect(page.getByText('Failed to update payroll record')).toBeVisible();
  await edit.getByLabel('Period Start').fill('2031-11-16');
  await edit.getByLabel('Period End').fill('2031-11-22');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Payroll record updated successfully')).toBeVisible();

  // With payroll records the staff record can't be deleted: the dialog explains that and has no delete button.
  await page.goto('/admin/staff');
  await page.getByLabel('Search staff').fill(name);
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  const question = page.getByRole('dialog', { name: 'Delete Staff Member' });
  await expect(question).toContainText(`${name} has 2 payroll records`);
  await expect(question.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await database.from('payroll').delete().eq('staff_id', person.id).throwOnError();
  await database.from('staff').delete().eq('id', person.id).throwOnError();
});

test('a failed delete shows a toast and the reason in its dialog', { tag: '@long' }, async ({
  openAs,
  databaseOf,
}) => {
  const name = newName();
  const database = await databaseOf('admin');
  await database.from('staff').insert({ full_name: name, salary_amount: 143 }).throwOnError();
  const page = await openAs('admin');
  await page.goto('/admin/staff');
  await page.getByLabel('Search staff').fill(name);
  await page.route(/rest\/v1\/staff/, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 400, json: { code: 'P0001', message: 'The register is closed.' } })
      : route.fallback(),
  );
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  const question = page.getByRole('dialog', { name: 'Delete Staff Member' });
  await question.getByRole('button', { name: 'Delete' }).click();
  const toast = page.locator('[data-sonner-toast][data-type=error]');
  await expect(toast).toContainText('Failed to delete staff member');
  await expect(toast).toContainText('The register is closed.');
  await expect(question.getByRole('alert')).toContainText('The register is closed.');
  await database.from('staff').delete().eq('full_name', name).throwOnError();
});

test('drafting a period twice adds nothing, and people already paid for part of it are skipped', async ({
  openAs,
  databaseOf,
}) => {
  const database = await databaseOf('admin');
  const name = newName();
  const period = { period_start: '2032-02-01', period_end: '2032-02-29' };
  await database.from('payroll').delete().match(period).throwOnError();
  const { data: person } = await database
    .from('staff')
    .insert({ full_name: name, salary_amount: 35, payment_frequency: 'weekly' })
    .select('id')
    .single()
    .throwOnError();
  await database
    .from('payroll')
    .insert(
      ['02', '09'].map((day) => ({
        staff_id: person.id,
        period_start: `2032-02-${day}`,
        period_end: `2032-02-${String(Number(day) + 6).padStart(2, '0')}`,
        base_amount: 35,
        payment_status: 'paid' as const,
      })),
    )
    .throwOnError();
  const { count } = await database
    .from('staff')
    .select('*', { count: 'exact', head: true })
    .match({ status: 'active', pay_basis: 'salary', currency: 'USD' });
  const people = count ?? 0;
  const others = people - 1;
  const page = await openAs('admin');
  await page.goto('/admin/payroll');
  for (const outcome of [
    `${others} records drafted; 1 person already had one`,
    `0 records drafted; ${people} people already had one`,
  ]) {
    await page.getByRole('button', { name: 'Draft Payroll' }).click();
    const dialog = page.getByRole('dialog', { name: 'Draft Payroll for a Period' });
    await dialog.getByLabel('Period Start').fill(period.period_start);
    await dialog.getByLabel('Period End').fill(period.period_end);
    await dialog.getByRole('button', { name: 'Draft Payroll' }).click();
    await expect(dialog.getByText(outcome)).toBeVisible();
    await expect(dialog.getByRole('listitem')).toHaveText([
      `${name}Feb 2 - Feb 8, 2032, paid, and 1 more`,
    ]);
    await dialog.getByRole('button', { name: 'Done' }).click();
  }
  const records = async (filter: Partial<typeof period>) =>
    (
      await database.from('payroll').select('*', { count: 'exact', head: true }).match(filter)
    ).count?.toLocaleString('en-US');
  expect(await records(period)).toBe(String(others));

  // Without a period it suggests one; then all payslips are in one file.
  await page.getByRole('button', { name: 'Payslips PDF' }).click();
  const question = page.getByRole('dialog', { name: 'Payslips PDF' });
  await expect(
    question.getByRole('button', { name: `Make ${await records({})} payslips` }),
  ).toBeVisible();
  await choose(question.getByLabel('Period', { exact: true }), 'Feb 2032');
  const download = page.waitForEvent('download');
  await question.getByRole('button', { name: `Make ${others} payslips` }).click();
  const file = await readFile(await (await download).path(), 'latin1');
  expect(file.slice(0, 5)).toBe('%PDF-');
  expect(file.match(/\/Type \/Page\b/g)).toHaveLength(others);
  await expect(page.getByText(`${others} payslips ready`)).toBeVisible();
  await expect(page.getByLabel('Period', { exact: true })).toHaveText('Feb 2032');
  await database.from('payroll').delete().match(period).throwOnError();
  await database.from('payroll').delete().eq('staff_id', person.id).throwOnError();
  await database.from('staff').delete().eq('id', person.id).throwOnError();
});

test('a rate takes effect on its date and shows its source', { tag: '@long' }, async ({
  openAs,
  databaseOf,
}) => {
  const database = await databaseOf('admin');
  const page = await openAs('admin');
  await page.goto('/admin/payroll');
  await page.getByRole('button', { name: 'Pay Rates' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay Rates' });
  await expect(dialog).toContainText('15 % above L$200,000.00 a year');
  await dialog.getByRole('button', { name: 'Propose Rate' }).click();
  await dialog.getByLabel('Kind').selectOption('NASSCORP, employee');
  await dialog.getByLabel('In Force From').fill('2040-01-01');
  await dialog.getByLabel('Rate (%)').fill('4.5');
  await dialog.getByRole('button', { name: 'Propose Rate' }).click();
  await expect(dialog.getByText('Source is required')).toBeVisible();
  await dialog.getByLabel('Source').fill('An act of 2039');
  await dialog.getByRole('button', { name: 'Propose Rate' }).click();
  await expect(dialog).toContainText('From Jan 1, 2040. An act of 2039');
  await expect(dialog).toContainText(
    'You proposed it, so someone else must approve it: another admin or someone of finance.',
  );
  const suggested = (p_on: string) =>
    database
      .rpc('suggest_deductions', { p_gross: 100, p_frequency: 'monthly', p_on })
      .eq('name', 'NASSCORP')
      .single();
  expect((await suggested('2039-12-31')).data?.amount).toBe(4);
  expect((await suggested('2040-01-01')).data?.amount).toBe(4);
  const second = await openAs('finance');
  await second.goto('/admin/payroll');
  await second.getByRole('button', { name: 'Pay Rates' }).click();
  await second.getByRole('button', { name: 'Approve NASSCORP, employee, 4.5 %' }).click();
  await expect(second.getByText('Rate approved')).toBeVisible();
  expect((await suggested('2040-01-01')).data?.amount).toBe(4.5);
  await database.from('pay_rates').delete().eq('source', 'An act of 2039').throwOnError();
});
