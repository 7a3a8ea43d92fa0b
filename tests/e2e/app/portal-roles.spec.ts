// Screens of the admin portal by role: sidebar entries and typed addresses.
import type { Page } from '@playwright/test';
import type { Role } from '#shared/grants.ts';
import { screens } from '#shared/screens.ts';
import type { DemoName } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const MONEY = [
  'Financial Statements',
  'Expense Reports',
  'Bank Accounts',
  'Loan Accounts',
  'Bank Statements',
  'Cashflow Statement',
  'Staff',
  'Payroll',
  'Pay Runs',
];
const WORK = ['Shifts', 'Roster', 'Operations'];

/** With the entries of the sidebar: areas whose first tab is closed to a role are named after the first open one. */
const PEOPLE = [
  [
    'admin',
    'admin',
    [
      ...['Deployments', 'Dashboard', 'Users', 'Sites', ...WORK, 'Timesheets', 'Incidents'],
      ...['People', 'Clients', 'Invoices', ...MONEY, 'System'],
    ],
  ],
  [
    'ops',
    'ops_manager',
    [
      ...['Deployments', 'Dashboard', 'Sites', ...WORK, 'Timesheets', 'Incidents'],
      ...['People', 'Clients'],
    ],
  ],
  [
    'supervisor',
    'supervisor',
    ['Deployments', 'Dashboard', 'Posts', ...WORK, 'Timesheets', 'Incidents'],
  ],
  ['dispatcher', 'dispatcher', ['Deployments', 'Today', 'Posts', ...WORK]],
  ['hr', 'hr', ['Deployments', 'Today', 'Attendance', 'Timesheets', 'People']],
  ['finance', 'finance', ['Deployments', 'Today', 'Timesheets', 'Contracts', 'Invoices', ...MONEY]],
] as const satisfies [DemoName, Role, string[]][];

/** What System says of the server is its content: the demo company, for one, has no backup. */
const FAILURES = '[role=alert]:not([aria-label=Problems] *)';

/** Goes to an address without reloading the app. */
async function open(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

for (const [name, role, entries] of PEOPLE) {
  test(`${role} has exactly the screens of the matrix`, { tag: '@long' }, async ({ openAs }) => {
    const page = await openAs(name);
    await page.goto('/admin');
    await expect(page.getByRole('banner')).toContainText('Admin Portal');
    const staffGroup = page.getByRole('navigation').getByRole('region', { name: 'Staff Portal' });
    await expect(staffGroup.getByRole('link')).toHaveAttribute('aria-current', 'page');
    const mine = screens.filter(
      ({ roles }) => roles === 'everyone' || roles.some((each) => each === role),
    );
    await expect(page.locator('#sidebar').getByRole('navigation').getByRole('link')).toHaveText(
      entries.map((label) => new RegExp(`^${label}`)),
    );
    const screen = page.locator('#screen');
    for (const { label, path } of screens) {
      await open(page, path);
      if (!mine.some((each) => each.path === path)) {
        await expect(screen.getByRole('heading', { name: 'Access Denied' }), label).toBeVisible();
        continue;
      }
      await expect(screen.getByRole('heading', { level: 2 }).first(), label).toBeVisible();
      await expect(screen.getByRole('heading', { name: 'Access Denied' }), label).toBeHidden();
      // Only then is it known whether something failed to load.
      await expect(screen.getByText(/^Loading/), label).toHaveCount(0);
      await expect(screen.locator(FAILURES), label).toHaveCount(0);
    }
  });
}
