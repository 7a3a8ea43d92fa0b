// Back closes the topmost dialog and stays on the page; what was typed is kept, or asked about.
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('on the phone Back closes the sheet, and the draft stays', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, url, guard);
  await page.goto('/staff');
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  const button = page.getByRole('button', { name: 'Report Incident' });
  const dialog = page.getByRole('dialog', { name: 'Report Incident' });
  await button.click();
  const title = dialog.getByLabel('Title');
  await title.fill('Gate found open');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/staff/report');
  await button.click();
  await expect(title).toHaveValue('Gate found open');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  // Without a dialog it goes back.
  await page.goBack();
  await expect(page).toHaveURL('/staff');
  await page.context().close();
});

test('right after the page has loaded Back closes the sheet, and then leaves with one press', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, url, guard);
  await page.goto('/staff/report');
  await page.goto('/staff');
  const dialog = page.getByRole('dialog');
  for (const name of ['Clock In/Out', 'Request Leave']) {
    await page.getByRole('button', { name }).click();
    await expect(dialog).toBeVisible();
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/staff');
  }
  await page.goBack();
  await expect(page).toHaveURL('/staff/report');
  await page.context().close();
});

test('a record that was opened by its address is closed by Back', async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/admin/sites');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.goto('/admin/shifts');
  const row = page.getByRole('row').nth(1);
  await row.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Shift' });
  await expect(dialog).toBeVisible();
  const address = page.url();
  await page.goto(address);
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/shifts/);
});

test('in the office Back closes one dialog at a time, and asks about what was typed', async ({
  openAs,
}) => {
  const page = await openAs('admin');
  await page.goto('/admin/clients');
  await page.goto('/admin/sites');
  await page.getByRole('button', { name: 'Add Site' }).click();
  const form = page.getByRole('dialog', { name: 'Add Site' });
  await form.getByLabel('Site Name').fill('Half a name');
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toBeHidden();
  await expect(form.getByLabel('Site Name')).toHaveValue('Half a name');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/sites/);
});
