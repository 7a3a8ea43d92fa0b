// No cell of a list lies under another or outside its box, whatever names and amounts its rows have, at each width of an office.
import type { Page } from '@playwright/test';
import { coveredTexts, HOSTILE, sendHostileRows } from '#tests/e2e/support/hostile-rows.ts';
import { excessOf } from '#tests/e2e/support/large-text.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const WIDTHS = [360, 768, 1280, 1366, 1440];

/** All faults in one run. */
const soft = expect.configure({ soft: true });

type Listed = { path: string; prepare?: (page: Page) => Promise<void> };

/** The page of the first row. */
const first = (path: string): Listed => ({
  path,
  prepare: async (page) => {
    const address = path.replace(/\?.*/, '');
    await page.locator(`main a[href^="${address}/"][href*="-"]`).first().click();
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toBeVisible();
  },
});
const chooseTable = (page: Page) =>
  page.getByRole('button', { name: 'Table', exact: true, pressed: false }).click();
const lists = (...paths: string[]): Listed[] => paths.map((path) => ({ path }));

/** Every screen of the office that has a list or a table. */
const SCREENS = {
  operations: lists(
    '/admin',
    '/admin/shifts',
    '/admin/shifts?view=week',
    '/admin/sites',
    '/admin/operations',
    '/admin/roster/posts',
    '/admin/roster/posts/orders',
    '/admin/roster/posts/patrols',
    '/admin/attendance?state=late',
    '/admin/incidents',
    '/admin/enquiries',
    '/admin/clients',
    '/admin/activity',
    '/admin/activity/retention',
    '/admin/system',
  ),
  people: [
    ...lists(
      '/admin/users',
      '/admin/people',
      '/admin/timesheets?show=all',
      '/admin/timesheets/rules',
    ),
    first('/admin/timesheets?show=all'),
    ...lists(
      '/admin/leave',
      '/admin/certifications',
      '/admin/certifications?view=courses',
      '/admin/announcements',
      '/admin/staff',
      '/admin/payroll',
      '/admin/payroll/returns',
      '/admin/payruns',
      '/admin/payruns/adjustments',
      '/admin/payruns/accounts',
    ),
    first('/admin/payruns'),
    first('/admin/announcements'),
  ],
  money: [
    ...lists('/admin/contracts', '/admin/invoices', '/admin/invoices/unbilled'),
    first('/admin/contracts'),
    ...lists(
      '/admin/invoices/statements',
      '/admin/invoices/margin',
      '/admin/invoices/accounting',
      '/admin/invoices/accounting?tab=chart',
      '/admin/financials',
      '/admin/expenses',
      '/admin/bankaccounts',
      '/admin/loans',
      '/admin/statements',
      '/admin/cashflow',
    ),
    // Cards above. The choice is remembered.
    { path: '/admin/expenses', prepare: chooseTable },
    ...lists('/admin/bankaccounts', '/admin/loans'),
  ],
};

async function isShown(page: Page) {
  const main = page.getByRole('main');
  // The system's screen has no texts of people. Activity writes words in lower case.
  const text = page.url().endsWith('/system')
    ? 'PostgreSQL'
    : /FreeportFreeport|Nyemah Comfort Elizabeth|12,?345,?678\.9/i;
  await expect(main).toContainText(text);
  await expect(main.getByText(/^Loading /)).toHaveCount(0);
}

for (const [area, screens] of Object.entries(SCREENS)) {
  test(`no table covers its own figures: ${area}`, { tag: '@long' }, async ({ openAs }) => {
    const page = await openAs('admin', { viewport: { width: 1280, height: 900 } });
    await page.addInitScript(sendHostileRows, HOSTILE);
    for (const { path, prepare } of screens) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(path);
      await isShown(page);
      if (prepare) {
        await prepare(page);
        await isShown(page);
      }
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const message = `${path}, ${width} px`;
        await soft.poll(() => page.evaluate(coveredTexts), { message, timeout: 5000 }).toEqual([]);
        soft(await excessOf(page), `${message}: wider than the screen`).toBe(0);
      }
    }
  });
}
