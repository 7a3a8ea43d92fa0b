import { expect, test } from '#tests/e2e/support/test.ts';

test('a printed list is shrunk to the paper, not cut', async ({ openAs }) => {
  const page = await openAs('finance', { viewport: { width: 1280, height: 800 } });
  await page.goto('/admin/payruns');
  const table = page.getByRole('table', { name: 'Pay runs' });
  await expect(table).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  // Browsers shrink a page that is too wide, but not what a box inside it hides.
  await expect(table.locator('..')).toHaveCSS('overflow', 'visible');
});

test('the figures of a chart are printed instead of the chart', async ({ openAs }) => {
  const page = await openAs('finance', { viewport: { width: 1280, height: 800 } });
  await page.goto('/admin/invoices/margin');
  const heading = page.getByText('Figures as a table');
  await expect(heading).toBeVisible();
  const figures = page.locator('details table');
  await expect(figures).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(heading).toBeHidden();
  await expect(figures).toBeVisible();
});

test('controls are not printed, and of the tabs only the open one', async ({ openAs }) => {
  const page = await openAs('ops', { viewport: { width: 1280, height: 800 } });
  await page.goto('/admin/shifts?view=week');
  const week = page.getByRole('tab', { name: 'Week' });
  await expect(week).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: 'Next week' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(week).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Upcoming Shifts' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Next week' })).toBeHidden();
});
