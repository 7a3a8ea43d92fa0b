import type { Page } from '@playwright/test';
import { appCode, login, secured } from './people.ts';
import { type Screen, sees } from './screen.ts';
import { expect } from './test.ts';

/** Signs in a user with an authenticator app up to the code. */
async function atSecondStep(page: Page, url: string) {
  const person = await secured(url);
  await login(page, person.email, person.password);
  await sees('Second step')(page);
  return person;
}

/** Screens of everybody, and of guards. */
export const appScreens: Screen[] = [
  { name: 'portal sign-in', path: '/auth', as: 'visitor', ready: sees('Security Portal') },
  {
    name: 'portal sign-up',
    path: '/auth',
    as: 'visitor',
    ready: async (page) => {
      await page.getByRole('tab', { name: 'Sign Up' }).click();
      await expect(page.getByLabel('Full Name')).toBeVisible();
    },
  },
  {
    name: 'start code',
    path: '/auth/start#login=%2B231770123456&start=12345678',
    as: 'visitor',
    ready: async (page) => {
      await expect(page.getByLabel('Start code')).toHaveValue('1234 5678');
    },
  },
  {
    name: 'tracker sign-in',
    path: '/deployments',
    as: 'visitor',
    ready: sees('Access the deployment tracker'),
  },
  {
    name: 'forgotten password',
    path: '/auth',
    as: 'visitor',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Forgot password?' }).click();
      await sees('Send me a link')(page);
    },
  },
  {
    name: 'link that no longer works',
    path: '/auth/new-password#error=access_denied&error_code=otp_expired',
    as: 'visitor',
    ready: sees('This link no longer works'),
  },
  { name: 'client sign-in', path: '/client', as: 'visitor', ready: sees('Client Portal') },
  {
    name: 'client, write to us',
    path: '/client/write',
    as: 'client',
    ready: sees('Ask for extra guards'),
  },
  { name: 'client, now', path: '/client', as: 'client', ready: sees('Who is on post') },
  {
    name: 'client, coverage',
    path: '/client/coverage',
    as: 'client',
    ready: async (page) => {
      await page.getByText('Last month').click();
      await expect(page.getByRole('table', { name: 'Coverage by post' })).toBeVisible();
    },
  },
  {
    name: 'client, book',
    path: '/client/book',
    as: 'client',
    ready: async (page) => {
      await page.getByRole('list', { name: 'Days' }).getByRole('button').first().click();
      await expect(page.getByRole('list', { name: 'Entries' })).toBeVisible();
    },
  },
  {
    name: 'client, invoices',
    path: '/client/invoices',
    as: 'client',
    ready: async (page) => {
      const first = page.getByRole('list', { name: 'Invoices' }).getByRole('listitem').first();
      await first.getByRole('button', { name: /^Lines of/ }).click();
      await first.locator('li button[aria-expanded]').first().click();
      await expect(first.getByRole('table')).toBeVisible();
    },
  },
  {
    name: 'client, statement of account',
    path: '/client/statement',
    as: 'client',
    ready: sees('Balance brought forward'),
  },
  {
    name: 'client, reports',
    path: '/client/reports',
    as: 'client',
    ready: async (page) => {
      const list = page.getByRole('list', { name: 'Reports' });
      await list.getByRole('button', { expanded: false }).first().click();
      await expect(page.getByText(/^Reference /)).toBeVisible();
    },
  },
  {
    name: 'second step',
    path: '/account',
    as: 'visitor',
    ready: async (page, url) => {
      await atSecondStep(page, url);
    },
  },
  {
    name: 'recovery codes',
    path: '/account',
    as: 'visitor',
    ready: async (page, url) => {
      const { secret } = await atSecondStep(page, url);
      await page.getByLabel('Code').fill(await appCode(secret, 'next'));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Create recovery codes' }).click();
      await sees('I have saved them')(page);
    },
  },
  {
    name: 'account',
    path: '/account',
    as: 'supervisor',
    ready: async (page) => {
      await sees('This device')(page);
      await sees('Email and password')(page);
    },
  },
  {
    name: 'authenticator app',
    path: '/account',
    as: 'supervisor',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add authenticator app' }).click();
      await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
    },
  },
  { name: '404', path: '/nowhere', as: 'visitor', ready: sees('Oops! Page not found') },
  {
    name: 'clock dialog without a location',
    path: '/staff',
    as: 'guard',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Clock In/Out' }).click();
      const withoutLocation = page.getByRole('button', {
        name: /^Clock (in|out) without location$/,
      });
      // At the guard's first look, the post orders come before it, as soon as they have loaded.
      const read = page.getByRole('button', { name: 'I have read this' });
      await page.addLocatorHandler(read, () => read.click());
      await withoutLocation.click();
      await page.removeLocatorHandler(read);
    },
  },
  {
    name: 'staff home',
    path: '/staff',
    as: 'guard',
    ready: async (page) => {
      await expect(page.getByRole('list', { name: 'My Shifts' })).toBeVisible();
      await expect(page.getByRole('list', { name: 'Recent Incidents' })).toBeVisible();
    },
  },
  {
    name: 'own shifts',
    path: '/staff/shifts',
    as: 'guard',
    ready: async (page) => {
      await expect(page.getByRole('list', { name: 'My Shifts' })).toBeVisible();
    },
  },
  {
    name: 'own report',
    path: '/staff/report',
    as: 'guard',
    ready: async (page) => {
      await page.getByRole('list', { name: 'My Reports' }).getByRole('button').first().click();
      await expect(page.getByLabel('Add a note')).toBeVisible();
    },
  },
  {
    name: 'me',
    path: '/staff/me',
    as: 'guard',
    ready: async (page) => {
      await page.getByText('How a shift works').click();
      await sees('At your post')(page);
    },
  },
  {
    name: 'own announcements',
    path: '/staff/announcements',
    as: 'guard2',
    ready: async (page) => {
      const list = page.getByRole('list', { name: 'Announcements' });
      await list.getByRole('button').first().click();
      await expect(page.getByRole('button', { name: 'I have read this' })).toBeVisible();
    },
  },
  {
    name: 'muster',
    path: '/staff/muster',
    as: 'ops',
    ready: async (page) => {
      await expect(page.getByRole('heading', { name: /of \d+ clocked in$/ }).first()).toBeVisible();
    },
  },
  { name: 'kiosk', path: '/kiosk', as: 'visitor', ready: sees('Bind This Device') },
  { name: 'own attendance', path: '/staff/attendance', as: 'guard', ready: sees('By month') },
  {
    name: 'own payslip',
    path: '/staff/payslips',
    as: 'guard',
    ready: async (page) => {
      const payslips = page.getByRole('list', { name: 'My Payslips' }).getByRole('button');
      // Of a pay run, with its lines.
      await payslips.filter({ hasText: 'Paid on' }).first().click();
      await sees('Gross')(page);
    },
  },
  {
    name: 'incident report',
    path: '/staff',
    as: 'guard',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Report Incident' }).click();
      const file = {
        name: 'note.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Seen at two.'),
      };
      await page
        .getByLabel('Add Files')
        .setInputFiles([file, { ...file, name: 'tool.exe', mimeType: '' }]);
      await page.getByRole('button', { name: 'Submit Report' }).click();
      await sees('Title must be at least 5 characters')(page);
      await expect(page.getByRole('button', { name: 'Remove note.txt' })).toBeVisible();
    },
  },
  {
    name: 'leave request',
    path: '/staff',
    as: 'guard',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Request Leave' }).click();
      await page.getByLabel('Leave Type').selectOption('sick');
      await expect(page.getByRole('region', { name: 'Leave balance' })).toBeVisible();
      await page.getByRole('button', { name: 'Submit Request' }).click();
      await sees('Reason is required')(page);
    },
  },
  { name: 'Access Denied', path: '/admin', as: 'guard', ready: sees('Access Denied') },
  { name: 'tracker', path: '/deployments', as: 'guard', ready: sees('Starts') },
  {
    name: 'deployment form',
    path: '/deployments',
    as: 'guard',
    ready: async (page) => {
      await page.getByRole('button', { name: 'New Deployment' }).click();
      await page.getByRole('button', { name: 'Create Deployment' }).click();
      await sees('Guard name is required')(page);
    },
  },
];
