import { failing } from '#tests/e2e/support/failing.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('an admin sees how the server is, and asks again', async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/admin/system');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'System', exact: true })).toBeVisible();
  await expect(main.getByText('Newest migration')).toBeVisible();
  await expect(main.getByRole('table', { name: 'Largest tables' }).getByRole('row')).toHaveCount(
    11,
  );
  await expect(main.getByRole('table', { name: 'Jobs' })).toContainText('Failed here');
  await expect(main.getByRole('table', { name: 'Servers', exact: true })).toContainText('This one');

  const works = await failing(page, '**/functions/v1/system-report', 'The disk is full.');
  await main.getByRole('button', { name: 'Refresh' }).press('Enter');
  // What was loaded stays, with a way to try again.
  const alert = main.getByRole('alert').filter({ hasText: 'This may be out of date' });
  await expect(alert).toBeVisible();
  await expect(main.getByText('Newest migration')).toBeVisible();
  await works();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveCount(0);
});

test('a manager has no way to it', async ({ openAs }) => {
  const page = await openAs('ops');
  await page.goto('/admin/system');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'System', exact: true })).toHaveCount(0);
});

test('the dashboard warns admins of an old backup', async ({ openAs }) => {
  const page = await openAs('admin');
  const old = { lastAt: '2026-11-20T02:00:00.000Z', everyHours: 24, isOverdue: true };
  await page.route('**/functions/v1/backup-state', (route) => route.fulfill({ json: old }));
  await page.goto('/admin/dashboard');
  // A warning, not an alarm: it interrupts nobody.
  const alert = page.getByRole('status').filter({ hasText: 'The last backup is too old' });
  await expect(alert).toContainText('Nov 20, 2:00 AM');
  await expect(page.locator('#screen').getByRole('alert')).toHaveCount(0);
  await alert.getByRole('link', { name: 'Open System' }).click();
  await expect(page).toHaveURL(/\/admin\/system$/);
});
