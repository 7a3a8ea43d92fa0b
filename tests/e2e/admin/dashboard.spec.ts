import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/support/test.ts';

/** The number that stands beside a label, for example "1,204" of a card. */
const numberIn = async (place: Locator) =>
  Number(((await place.textContent()) ?? '').replace(/\D/g, '') || Number.NaN);

/** The number of rows that the open list has on all its pages. */
async function listed(page: Page): Promise<number> {
  const range = page.getByText(/^\d[\d,]*–\d[\d,]* of [\d,]+$/);
  const rows = page.locator('#screen').getByRole('table').locator('tbody tr');
  await expect(range.or(rows).first()).toBeVisible();
  if (await range.isVisible()) {
    return Number((await range.textContent())?.split(' of ')[1]?.replaceAll(',', ''));
  }
  return rows.count();
}

test('opens with coverage and decisions, and each figure opens exactly the rows that it counts', {
  tag: '@everyday',
}, async ({ openAs }) => {
  const page = await openAs('admin', { viewport: { width: 1440, height: 900 } });
  await page.goto('/admin/dashboard');
  const headings = page.locator('#screen').getByRole('heading', { level: 3 });
  await expect(headings.first()).toHaveText('Coverage');
  await expect(headings.nth(1)).toHaveText('Waiting for you');

  const cards = [
    "Today's Shifts",
    'Active Incidents',
    'Attendance Issues',
    'Expiring Certifications',
    'Active Staff',
    'Active Sites',
  ];
  const decisions = [
    'Attendance exceptions to review',
    'Leave requests to decide',
    'New enquiries',
  ];
  const difference = async (label: string) => {
    await page.goto('/admin/dashboard');
    const link = page.locator('#screen').getByRole('link').filter({ hasText: label });
    await expect(link, label).toBeVisible();
    const figure = await numberIn(
      cards.includes(label) ? link.locator('span').nth(1) : link.locator('span').first(),
    );
    await link.click();
    await expect(page).not.toHaveURL('/admin/dashboard');
    return (await listed(page)) - figure;
  };
  // Again where a shift has begun or a record has come between the two looks.
  for (const label of [...cards, ...decisions]) {
    await expect.poll(() => difference(label), { message: label }).toBe(0);
  }
});
