import type { Page } from '@playwright/test';
import { invited, login } from './people.ts';
import { type Screen, sees } from './screen.ts';
import { expect } from './test.ts';

/** From a list of users that was searched for one. */
async function openPerson(page: Page) {
  await expect(page.getByRole('button', { name: /^Manage roles of/ })).toHaveCount(1);
  await page.locator('main a[href^="/admin/people/"]:not([href$="/new"])').click();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toBeVisible();
}

/** The grid, or the list of a day on a phone. */
async function rosterIsShown(page: Page) {
  await expect(page.getByRole('grid').or(page.getByRole('group', { name: 'Day' }))).toBeVisible();
}

/** From a list that was searched for one record, by its name. */
const opens = (name: string) => async (page: Page) => {
  await page.getByRole('link', { name, exact: true }).first().click();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toBeVisible();
  // On the first of a month none has begun before the morning's.
  await sees(/^(Figures as a table|No shift in this month\.)$/)(page);
};

/** Screens of the admin portal. */
export const officeScreens: Screen[] = [
  { name: 'admin portal', path: '/admin', as: 'admin', ready: sees('Starts') },
  {
    name: 'shifts',
    path: '/admin/shifts?day=today',
    as: 'admin',
    ready: sees('Fully Staffed'),
  },
  {
    name: 'guards of a shift',
    path: '/admin/shifts?day=today',
    as: 'admin',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Assign guards/ })
        .first()
        .click();
      await expect(page.getByRole('list', { name: 'Guards' })).toBeVisible();
    },
  },
  {
    name: 'week of shifts',
    path: '/admin/shifts?view=week',
    as: 'admin',
    ready: async (page) => {
      await expect(page.getByText('Fully Staffed').first()).toBeAttached();
    },
  },
  {
    name: 'roster by post',
    path: '/admin/roster',
    as: 'ops',
    ready: rosterIsShown,
  },
  {
    name: 'roster by guard',
    path: '/admin/roster?view=guards',
    as: 'ops',
    ready: rosterIsShown,
  },
  {
    name: 'contracts',
    path: '/admin/contracts',
    as: 'finance',
    ready: sees('Add Contract'),
  },
  {
    name: 'invoices',
    path: '/admin/invoices',
    as: 'finance',
    ready: sees('Draft Invoices'),
  },
  { name: 'money', path: '/admin/invoices/money', as: 'finance', ready: sees('Mobile money') },
  {
    name: 'unbilled hours',
    path: '/admin/invoices/unbilled',
    as: 'finance',
    ready: async (page) => {
      await expect(page.getByRole('region', { name: 'Sums by reason' })).toBeVisible();
    },
  },
  {
    name: 'what clients owe',
    path: '/admin/invoices/statements',
    as: 'finance',
    ready: async (page) => {
      await expect(page.getByLabel('Open by client', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'statement of a client',
    path: '/admin/invoices/statements?currency=USD',
    as: 'finance',
    ready: async (page) => {
      await page.getByLabel('Open by client', { exact: true }).getByRole('link').first().click();
      await sees('Closing balance')(page);
    },
  },
  {
    name: 'margin',
    path: '/admin/invoices/margin',
    as: 'finance',
    ready: sees('Hours billed'),
  },
  {
    name: 'VAT',
    path: '/admin/invoices/vat?tab=clients',
    as: 'finance',
    ready: sees('Registration'),
  },
  {
    name: 'journal',
    path: '/admin/invoices/accounting',
    as: 'finance',
    ready: sees('Every document is balanced in its currency'),
  },
  {
    name: 'chart of accounts',
    path: '/admin/invoices/accounting?tab=chart',
    as: 'finance',
    ready: sees('Invoices without tax'),
  },
  {
    name: 'operations',
    path: '/admin/operations',
    as: 'dispatcher',
    ready: async (page) => {
      await expect(
        page
          .getByRole('list', { name: 'Posts' })
          .or(page.getByRole('region', { name: 'Posts' }))
          .first(),
      ).toBeVisible();
    },
  },
  {
    name: 'dashboard',
    path: '/admin/dashboard',
    as: 'supervisor',
    ready: async (page) => {
      await sees('Attendance Issues')(page);
      await expect(page.getByText('Figures as a table')).toHaveCount(2);
    },
  },
  {
    name: 'an incident',
    path: '/admin/incidents?status=investigating',
    as: 'ops',
    ready: async (page) => {
      await page.getByRole('button', { name: /View / }).first().click();
      await sees('Timeline')(page);
    },
  },
  {
    name: 'incidents to review',
    path: '/admin/incidents?queue=review',
    as: 'ops',
    ready: async (page) => {
      await expect(
        page.getByRole('button', { name: /^To review \d/, pressed: true }),
      ).toBeVisible();
      await expect(
        page.getByText('Waiting for review').filter({ visible: true }).first(),
      ).toBeVisible();
    },
  },
  {
    name: 'goals for incidents',
    path: '/admin/incidents/goals',
    as: 'ops',
    ready: sees('In force'),
  },
  { name: 'templates', path: '/admin/incidents/templates', as: 'ops', ready: sees('Every site') },
  {
    name: 'enquiries',
    path: '/admin/enquiries?state=answered',
    as: 'admin',
    ready: async (page) => {
      await expect(page.getByText('Answered').nth(1)).toBeVisible();
    },
  },
  {
    name: 'an enquiry',
    path: '/admin/enquiries?state=answered',
    as: 'admin',
    ready: async (page) => {
      await page.locator('main :is(li, td) button').first().click();
      await expect(page.getByLabel(/^Internal note/)).toBeVisible();
    },
  },
  {
    name: 'clients',
    path: '/admin/clients?q=ducor',
    as: 'ops',
    ready: sees('Rate per Guard'),
  },
  {
    name: 'the monthly report of a client',
    path: '/admin/clients?q=ducor',
    as: 'ops',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Monthly report of/ })
        .first()
        .click();
      await expect(page.getByRole('button', { name: 'Download PDF' })).toBeVisible();
    },
  },
  {
    name: 'a client',
    path: '/admin/clients?q=cape%20mesurado',
    as: 'admin',
    ready: opens('Cape Mesurado Terminals'),
  },
  {
    name: 'a site',
    path: '/admin/sites?q=freeport%20container',
    as: 'admin',
    ready: opens('Freeport Container Yard'),
  },
  {
    name: 'people',
    path: '/admin/people?q=guard',
    as: 'hr',
    ready: sees('Next Duty'),
  },
  {
    name: 'requests from guards',
    path: '/admin/roster/requests',
    as: 'ops',
    ready: sees('Select all possible'),
  },
  { name: 'dispatch', path: '/admin/dispatch', as: 'dispatcher', ready: sees('Closed last') },
  {
    name: 'log of the control room',
    path: '/admin/operations/log',
    as: 'dispatcher',
    ready: sees('Show the last 31 days'),
  },
  {
    name: 'a watch to hand over',
    path: '/admin/operations/handover',
    as: 'dispatcher',
    ready: sees('Posts that lack a guard'),
  },
  {
    name: 'a signed watch',
    path: '/admin/operations/log',
    as: 'dispatcher',
    ready: async (page) => {
      await page.locator('main a[href*="/handover/"]').first().click();
      await sees('Replacements and calls')(page);
    },
  },
  {
    name: 'today',
    path: '/admin/today',
    as: 'hr',
    ready: sees('Leave requests to decide'),
  },
  {
    name: 'devices',
    path: '/admin/sites/devices',
    as: 'ops',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add Device' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add Device' }).click();
      await sees('Name must be at least 2 characters')(page);
    },
  },
  {
    name: 'site form with its map',
    path: '/admin/sites',
    as: 'ops',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add Site' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add Site' }).click();
      await sees('Site name is required')(page);
      await expect(page.getByRole('application')).toBeVisible();
    },
  },
  {
    name: 'financial statements',
    path: '/admin/financials',
    as: 'admin',
    ready: async (page) => {
      await sees('Net Profit')(page);
      await sees('Figures as a table')(page);
    },
  },
  {
    name: 'expense form',
    path: '/admin/expenses',
    as: 'admin',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add Expense' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add Expense' }).click();
      await sees('Amount must be greater than 0')(page);
    },
  },
  {
    name: 'bank accounts',
    path: '/admin/bankaccounts',
    as: 'admin',
    ready: sees('Account Number'),
  },
  { name: 'loan accounts', path: '/admin/loans', as: 'admin', ready: sees('Account Number') },
  { name: 'bank statements', path: '/admin/statements', as: 'admin', ready: sees('USD') },
  { name: 'cashflow', path: '/admin/cashflow', as: 'admin', ready: sees('Net Cashflow') },
  {
    name: 'staff',
    path: '/admin/staff',
    as: 'admin',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: /^Edit/ }).first()).toBeVisible();
    },
  },
  {
    name: 'users',
    path: '/admin/users?q=statesman&role=supervisor',
    as: 'admin',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: /^Manage roles of/ }).first()).toBeVisible();
    },
  },
  {
    name: 'a person',
    path: '/admin/users?q=guard@statesman.example',
    as: 'admin',
    ready: async (page) => {
      await openPerson(page);
      await sees('History')(page);
      await sees('No documents on file.')(page);
    },
  },
  {
    name: 'ending an employment',
    path: '/admin/users?q=guard2@statesman.example',
    as: 'admin',
    ready: async (page) => {
      await openPerson(page);
      await page.getByRole('button', { name: 'Manage', exact: true }).click();
      await page.getByRole('menuitem', { name: 'End employment' }).click();
      await expect(page.getByRole('dialog')).toContainText('They can no longer sign in');
    },
  },
  {
    name: 'hiring a guard',
    path: '/admin/people/new',
    as: 'admin',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add certificate' }).click();
      await expect(page.getByLabel('Expires')).toBeVisible();
    },
  },
  {
    name: 'roles of a supervisor',
    path: '/admin/users?q=supervisor@statesman.example',
    as: 'admin',
    ready: async (page) => {
      await page.getByRole('button', { name: /^Manage roles of/ }).click();
      await page.getByRole('dialog').getByLabel('Role', { exact: true }).selectOption('Supervisor');
      await sees('All sites')(page);
    },
  },
  {
    name: 'announcements',
    path: '/admin/announcements',
    as: 'hr',
    ready: async (page) => {
      await page
        .getByRole('link', { name: /^\d+ not read/ })
        .first()
        .click();
      await sees('Not read')(page);
    },
  },
  {
    name: 'certifications that expire',
    path: '/admin/certifications?state=expiring',
    as: 'hr',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: /^Edit/ }).first()).toBeVisible();
    },
  },
  {
    name: 'system',
    path: '/admin/system',
    as: 'admin',
    ready: sees('Largest tables'),
  },
  {
    name: 'setup guide',
    path: '/admin/system/setup',
    as: 'admin',
    ready: sees('15 of 15 done'),
  },
  {
    name: 'data retention',
    path: '/admin/activity/retention',
    as: 'admin',
    ready: sees('Kept without a period'),
  },
  {
    name: 'an entry of the activity log',
    path: '/admin/activity',
    as: 'admin',
    ready: async (page) => {
      await page.locator('main :is(li, td) button').first().click();
      await sees('History of this record')(page);
    },
  },
  {
    name: 'first password',
    path: '/staff',
    as: 'visitor',
    ready: async (page, url) => {
      const person = await invited(url);
      await login(page, person.email, person.password);
      await sees('Choose your password')(page);
    },
  },
  {
    name: 'a record of attendance',
    path: '/admin/attendance?state=late',
    as: 'ops',
    ready: async (page) => {
      await page.getByLabel('Attendance', { exact: true }).getByRole('button').first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  { name: 'leave requests', path: '/admin/leave', as: 'hr', ready: sees('Pending') },
  {
    name: 'admin portal after Ctrl+B',
    path: '/admin',
    as: 'admin',
    eachWidth: true,
    ready: async (page) => {
      await sees('Starts')(page);
      await page.keyboard.press('Control+b');
    },
  },
];
