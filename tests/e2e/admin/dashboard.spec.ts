import type { Locator, Page } from '@playwright/test';
import { company } from '#company';
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
  await expect(headings.nth(1)).toHaveText('Wrong now');
  await expect(headings.nth(2)).toHaveText('Waiting for you');
  await expect(headings.nth(3)).toHaveText('Coming next');

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
    'Forgotten clock-outs',
    'Overdue invoices',
    'Pay adjustments to decide',
    'On leave within 7 days',
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

test('fits two screenfuls of a desk, with the specified cards, lists and blurb below the work', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('ops', { viewport: { width: 1280, height: 860 } });
  await page.goto('/admin/dashboard');
  const titles = ['Recent Incidents', 'Expiring Certifications', company.name];
  for (const title of titles) {
    await expect(page.getByRole('heading', { name: title, level: 3 })).toBeVisible();
  }
  await expect(page.getByText('Figures as a table')).toHaveCount(2);
  await expect(page.getByRole('link', { name: /^Today's Shifts/ })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
    .toBeLessThanOrEqual(2 * 860);
});

const ROLES = [
  ['dispatcher', 'Today', ['Open alert', 'Requests from guards'], ['Leave requests to decide']],
  ['hr', 'Today', ['Leave requests to decide', 'Expired certificates'], ['Overdue invoices']],
  ['finance', 'Today', ['Overdue invoices', 'Draft invoices to issue'], ['New enquiries']],
  ['ops', 'Dashboard', ['Leave requests to decide', 'New enquiries'], ['Overdue invoices']],
] as const;

for (const [name, title, own, others] of ROLES) {
  test(`${name} begins with the work of the role, and each line opens its list`, {
    tag: '@long',
  }, async ({ openAs }) => {
    const page = await openAs(name);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.goto('/admin');
    await page
      .getByRole('navigation', { name: 'Portal' })
      .getByRole('link', { name: title })
      .click();
    const screen = page.locator('#screen');
    await expect(screen.getByRole('heading', { level: 2, name: title })).toBeVisible();
    for (const label of own) {
      await expect(screen.getByRole('link').filter({ hasText: label }), label).toBeVisible();
    }
    for (const label of others) {
      await expect(screen.getByText(label), label).toHaveCount(0);
    }
    expect(refused).toEqual([]);
    await screen.getByRole('link').filter({ hasText: own[0] }).click();
    await expect(screen.getByRole('heading', { level: 2 })).not.toHaveText(title);
    await expect(screen.getByRole('heading', { name: 'Access Denied' })).toHaveCount(0);
  });
}

test('a list that fails says so by itself, and comes with a retry', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('hr');
  let fails = true;
  await page.route('**/rpc/office_work', (route) =>
    fails ? route.fulfill({ status: 400, json: { message: 'Out of order' } }) : route.fallback(),
  );
  await page.goto('/admin/today');
  const waiting = page.getByRole('region', { name: 'Waiting for you' });
  await expect(waiting.getByText('Your work could not be loaded')).toBeVisible();
  fails = false;
  await waiting.getByRole('button', { name: 'Try again' }).click();
  await expect(waiting.getByText('Leave requests to decide')).toBeVisible();
});
