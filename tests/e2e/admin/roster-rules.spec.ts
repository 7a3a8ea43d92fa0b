import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

// Far from every shift, so that no other journey meets these rules.
const FROM = '2041-01-07';

test('new rules are dated from the ones in force, changed, deleted and restored; dispatchers read them', async ({
  openAs,
  databaseOf,
}) => {
  const database = await databaseOf('ops');
  const remove = () =>
    database.from('rule_sets').delete().eq('effective_from', FROM).throwOnError();
  await remove();
  const page = await openAs('ops');
  await page.goto('/admin/roster');
  await page.getByRole('link', { name: 'Rules' }).click();
  await expect(page.getByText('Not legal advice')).toBeVisible();
  const current = page.getByRole('region', { name: 'Liberia', exact: true });
  await expect(current.getByText('In force', { exact: true })).toBeVisible();
  await expect(current).toContainText('WageIndicator');

  await page.getByRole('button', { name: 'New Rule Set' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Rule Set' });
  await dialog.getByLabel('In Force From').fill(FROM);
  await dialog.getByLabel('Hours a shift (h)').fill('30');
  await dialog.getByRole('button', { name: 'Add Rule Set' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await expect(dialog.getByText('Hours a shift must be a number from 1 to 24')).toBeVisible();
  await dialog.getByLabel('Name').fill('Shorter shifts');
  await dialog.getByLabel('Hours a shift (h)').fill('8');
  await dialog.getByLabel('Avoid overtime').press('End');
  await dialog.getByRole('button', { name: 'Add Rule Set' }).click();
  await expect(page.getByText('Rule set added successfully')).toBeVisible();
  const added = page.getByRole('region', { name: 'Shorter shifts' });
  await expect(added.getByText('Later', { exact: true })).toBeVisible();
  const { data: stored } = await database
    .from('rule_sets')
    .select('shift_hours, week_hours, weight_overtime, weight_known_post')
    .eq('effective_from', FROM);
  expect(stored).toEqual([
    { shift_hours: 8, week_hours: 48, weight_overtime: 100, weight_known_post: 20 },
  ]);

  await added.getByRole('button', { name: 'Edit Shorter shifts' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Rule Set' });
  await edit.getByRole('textbox', { name: 'Days in a row' }).fill('5');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(added).toContainText('5 days');
  await added.getByRole('button', { name: 'Delete Shorter shifts' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const deleted = await holdToast(page, /deleted/);
  await expect(added).toHaveCount(0);
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(added).toContainText('5 days');

  const reader = await openAs('dispatcher');
  await reader.goto('/admin/roster/rules');
  await expect(reader.getByRole('region', { name: 'Shorter shifts' })).toBeVisible();
  await expect(reader.getByRole('button', { name: /^(New|Edit|Delete)/ })).toHaveCount(0);
  await remove();
});
