import { randomUUID } from 'node:crypto';
import { signUp } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

/** The company's time zone equals UTC. */
const dayAfter = (days: number) =>
  new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

test('a certification is added with a suggested expiry, is listed as expiring, and can be restored', async ({
  openAs,
  databaseOf,
  url,
}) => {
  const { fullName } = await signUp(url);
  const [ahead, past] = [dayAfter(12), dayAfter(-2)];
  const page = await openAs('hr');
  await page.goto('/admin/certifications');
  const table = page.getByRole('table', { name: 'Certifications' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'Person',
    'Course',
    'Number',
    'Issued',
    'Expires',
    'State',
    'Actions',
  ]);
  await page.getByRole('button', { name: 'Add Certification' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add Certification' }).click();
  for (const message of ['Person is required', 'Course is required', 'Expiry date is required']) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await dialog.getByLabel('Person').click();
  await page.getByPlaceholder('Search people').fill(fullName);
  await page.getByRole('option').filter({ hasText: fullName }).click();
  await dialog.getByLabel('Course').selectOption('Fire Safety');
  await dialog.getByLabel('Issued').fill('2026-02-10');
  await expect(dialog.getByLabel('Expires')).toHaveValue('2027-02-10');
  await dialog.getByLabel('Expires').fill('2026-02-09');
  await dialog.getByRole('button', { name: 'Add Certification' }).click();
  await expect(dialog.getByText('The expiry must not be before the day of issue')).toBeVisible();
  await dialog.getByLabel('Expires').fill(ahead);
  await dialog.getByRole('button', { name: 'Add Certification' }).click();
  await expect(page.getByText('Certification added successfully')).toBeVisible();

  // The dashboard's link.
  await page.goto(`/admin/certifications?state=expiring&q=${encodeURIComponent(fullName)}`);
  const row = table.getByRole('row').nth(1);
  await expect(row).toContainText('Fire Safety');
  await expect(row).toContainText(/in 1[12] days/);
  await expect(row).toContainText('Expiring');
  await row.getByRole('button', { name: `Edit Fire Safety of ${fullName}` }).click();
  await expect(dialog.getByLabel('Expires')).toHaveValue(ahead);
  await dialog.getByLabel('Expires').fill(past);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('No certifications match.')).toBeVisible();
  await page.getByRole('button', { name: /Expired$/ }).click();
  await expect(page).toHaveURL(/state=expired/);
  await expect(row).toContainText(/[23] days ago/);

  await row.getByRole('button', { name: /^Delete/ }).click();
  const deleted = await holdToast(page, 'Certification deleted successfully');
  await expect(page.getByText('No certifications match.')).toBeVisible();
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('Expired');
  // Also live, when someone else removes it.
  const database = await databaseOf('ops');
  const { data: holder } = await database
    .from('profiles')
    .select('id')
    .eq('full_name', fullName)
    .single();
  await database
    .from('certifications')
    .delete()
    .eq('user_id', holder?.id ?? '');
  await expect(page.getByText('No certifications match.')).toBeVisible();
});

test('a course is added, changed and deleted, but not while someone holds its certificate', {
  tag: '@long',
}, async ({ openAs }) => {
  const title = `Dog handling ${randomUUID().slice(0, 8)}`;
  const page = await openAs('ops');
  await page.goto('/admin/certifications');
  await page.getByRole('tab', { name: 'Courses' }).click();
  await expect(page).toHaveURL(/view=courses/);
  await page.getByRole('button', { name: 'Add Course' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('fire safety');
  await dialog.getByLabel(/^Valid For/).fill('601');
  await dialog.getByRole('button', { name: 'Add Course' }).click();
  await expect(dialog.getByText('Enter whole months, 1 to 600')).toBeVisible();
  await dialog.getByLabel(/^Valid For/).fill('18');
  await dialog.getByRole('button', { name: 'Add Course' }).click();
  await expect(dialog.getByRole('alert')).toContainText('A course with this title already exists.');
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByRole('button', { name: 'Add Course' }).click();
  const row = page.getByRole('row').filter({ hasText: title });
  await expect(row).toContainText('18 months');
  await row.getByRole('button', { name: `Edit ${title}` }).click();
  await dialog.getByLabel(/^Valid For/).fill('24');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(row).toContainText('2 years');
  await row.getByRole('button', { name: `Delete ${title}` }).click();
  await expect(dialog).toContainText('No one holds a certificate for it.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Course deleted successfully')).toBeVisible();
  await expect(row).toBeHidden();

  await page.getByRole('button', { name: 'Delete Fire Safety' }).click();
  await expect(dialog).toContainText(/while there are \d+ certificates for it/);
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
});
