// Severance by a dated rule: entered with one press, approved by someone else.
import { randomInt } from 'node:crypto';
import { newGuard } from '#tests/e2e/support/new-guard.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('severance is due by a rule, entered with one press, and approved by someone else @long', async ({
  openAs,
  databaseOf,
  url,
  dataDir,
}) => {
  const { name } = await newGuard(url, dataDir);
  const database = await databaseOf('finance');
  // A rule that was used is kept, so a repetition on the same database needs another day.
  const first = randomInt(2001, 2020);
  const rest = `-${String(randomInt(1, 13)).padStart(2, '0')}-${randomInt(10, 28)}`;
  await database
    .from('staff')
    .insert({
      full_name: name,
      salary_amount: 200,
      hire_date: `${first}${rest}`,
      end_date: `${first + 3}${rest}`,
      status: 'inactive',
    })
    .throwOnError();

  const page = await openAs('finance');
  await page.goto('/admin/payruns/adjustments');
  await page.getByRole('button', { name: 'Pay Item Rules' }).click();
  const rules = page.getByRole('dialog', { name: 'Severance and Thirteenth Month' });
  await rules.getByRole('button', { name: 'Add Rule' }).click();
  await rules.getByRole('button', { name: 'Add Rule' }).click();
  await expect(rules.getByText('Source is required')).toBeVisible();
  await rules.getByLabel('Months of Basic Pay').fill('0.5');
  await rules.getByLabel('In Force From').fill(`${first + 3}${rest}`);
  await rules.getByLabel('Income Tax').selectOption('no');
  await rules.getByLabel('Source').fill('Collective agreement, article 12');
  await rules.getByRole('button', { name: 'Add Rule' }).click();
  await expect(
    rules.getByText('0.5 months of pay for each year of service, not taxed').first(),
  ).toBeVisible();
  await page.keyboard.press('Escape');

  const due = page.getByRole('region', { name: 'Severance to Enter' });
  const enter = page.getByRole('button', { name: `Enter Severance of ${name}` });
  const firstRow = due.getByRole('row').nth(1);
  await expect(firstRow).toBeVisible();
  while (!(await enter.isVisible())) {
    const before = await firstRow.textContent();
    await due.getByRole('button', { name: 'Next' }).click();
    await expect(firstRow).not.toHaveText(before ?? '');
  }
  await expect(due.getByRole('row').filter({ hasText: name })).toContainText('300.00');
  await enter.click();
  await expect(page.getByText('1 adjustment added')).toBeVisible();
  await expect(enter).toHaveCount(0);

  const office = await openAs('admin');
  await office.goto(`/admin/payruns/adjustments?status=to_decide&q=${encodeURIComponent(name)}`);
  await office
    .getByRole('row')
    .filter({ hasText: name })
    .filter({ hasText: 'Severance' })
    .last()
    .click();
  const decision = office.getByRole('dialog', { name: 'Adjustment' });
  await expect(decision).toContainText('Not taxed');
  await decision.getByRole('button', { name: 'Approve' }).click();
  await expect(office.getByText('Adjustment approved')).toBeVisible();
});
