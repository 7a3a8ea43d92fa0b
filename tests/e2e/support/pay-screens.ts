import type { Page } from '@playwright/test';
import { type Screen, sees } from './screen.ts';
import { expect } from './test.ts';

/** The first page of a list whose entries link to a page of their own. */
const openFirst = (path: string) => async (page: Page) => {
  await page.locator(`main a[href^="${path}/"]:not([href$="/rules"])`).first().click();
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toBeVisible();
};

/** Screens of timesheets, pay and the books, in both portals. */
export const payScreens: Screen[] = [
  {
    name: 'timesheets',
    path: '/admin/timesheets?show=all',
    as: 'hr',
    ready: async (page) => {
      await expect(page.locator('main a[href^="/admin/timesheets/"]').nth(1)).toBeVisible();
    },
  },
  {
    name: 'a timesheet',
    path: '/admin/timesheets?show=all',
    as: 'hr',
    ready: async (page) => {
      await openFirst('/admin/timesheets')(page);
      await sees('Days')(page);
    },
  },
  { name: 'time rules', path: '/admin/timesheets/rules', as: 'admin', ready: sees('New Rules') },
  {
    name: 'own timesheet',
    path: '/staff/timesheet',
    as: 'guard',
    ready: async (page) => {
      await expect(page.getByLabel('Period')).toBeVisible();
    },
  },
  {
    name: 'pay runs',
    path: '/admin/payruns',
    as: 'finance',
    ready: async (page) => {
      await expect(
        page.locator('main a[href^="/admin/payruns/"][href*="-"]').first(),
      ).toBeVisible();
    },
  },
  {
    name: 'statutory returns',
    path: '/admin/payroll/returns',
    as: 'finance',
    ready: sees('Rates, Sources and Notes'),
  },
  {
    name: 'payroll form',
    path: '/admin/payroll',
    as: 'admin',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Add Payroll' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add Payroll' }).click();
      await sees('Staff member is required')(page);
    },
  },
  {
    name: 'a payslip',
    path: '/admin/payroll',
    as: 'admin',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Payslip of/ })
        .first()
        .click();
      await expect(page.getByRole('dialog', { name: 'Payslip' })).toBeVisible();
    },
  },
  {
    name: 'pay of a person',
    path: '/admin/payruns/accounts',
    as: 'finance',
    ready: async (page) => {
      await page.locator('main a[href^="/admin/people/"]').first().click();
      await sees('Pay Basis')(page);
      await page.getByRole('button', { name: 'Give Advance or Loan' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Give' }).click();
      await sees('Amount is required')(page);
    },
  },
  {
    name: 'an adjustment',
    path: '/admin/payruns/adjustments?status=to_decide',
    as: 'admin',
    ready: async (page) => {
      await page.getByLabel('Adjustments', { exact: true }).getByRole('button').first().click();
      await expect(page.getByRole('dialog').getByText('Noted', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'pay accounts',
    path: '/admin/payruns/accounts?state=unverified',
    as: 'finance',
    ready: sees('Not verified'),
  },
  {
    name: 'trial balance',
    path: '/admin/invoices/accounting?tab=balances',
    as: 'finance',
    ready: sees('Debit balance'),
  },
  {
    name: 'balance sheet',
    path: '/admin/invoices/accounting?tab=sheet',
    as: 'finance',
    ready: sees('Assets equal liabilities and equity'),
  },
];
