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
