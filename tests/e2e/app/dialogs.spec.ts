// Every dialog by keyboard: initial focus, the question about typed text, and where focus returns.
import type { Locator, Page } from '@playwright/test';
import type { DemoName } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';

type Opened = {
  path: string;
  /** Accessible name of the button that opens it; default the first row of the table. */
  opener?: string | RegExp;
  /** Menu item to choose after the opener. */
  item?: string;
  title: string | RegExp;
  /** Label or name of the focused control; default the dialog itself or its text. */
  focused?: string;
  /** Label of a text field without suggestions. */
  text?: string;
  /** Whether typed text is kept as a draft, so closing doesn't ask. */
  isKept?: boolean;
};

const DIALOGS: [string, DemoName, Opened[]][] = [
  [
    'planning',
    'admin',
    [
      {
        path: '/admin',
        opener: 'New Deployment',
        title: 'New Deployment',
        focused: 'Guard Name',
        text: 'Notes',
      },
      {
        path: '/admin',
        opener: /^Edit deployment of/,
        title: 'Edit Deployment',
        focused: 'Guard Name',
        text: 'Location',
      },
      {
        path: '/admin/sites',
        opener: 'Add Site',
        title: 'Add Site',
        focused: 'Site Name',
        text: 'Address',
      },
      {
        path: '/admin/sites',
        opener: /^Edit /,
        title: 'Edit Site',
        focused: 'Site Name',
        text: 'Site Name',
      },
      {
        path: '/admin/shifts',
        opener: 'Create Shift',
        title: 'Create Shift',
        focused: 'Site',
        text: 'Notes',
      },
      {
        path: '/admin/shifts',
        opener: 'Copy Week',
        title: 'Copy Week',
        focused: 'From the week of',
      },
      {
        path: '/admin/shifts',
        opener: /^Edit /,
        title: 'Edit Shift',
        focused: 'Search guards',
      },
      {
        path: '/admin/shifts',
        opener: /^Delete /,
        title: 'Delete Shift',
        focused: 'Cancel',
      },
      { path: '/admin/attendance', title: /\w/ },
      { path: '/admin/attendance', opener: 'Day Sheet', title: 'Day Sheet' },
      {
        path: '/admin/incidents',
        opener: /^View /,
        title: 'Incident Details',
        text: 'Notes',
      },
    ],
  ],
  [
    'people and clients',
    'admin',
    [
      {
        path: '/admin/users',
        opener: 'Invite User',
        title: 'Invite User',
        focused: 'Full Name',
        text: 'Email',
      },
      {
        path: '/admin/users',
        opener: /^Manage roles of/,
        title: 'Manage Roles',
        focused: 'Role',
      },
      {
        path: '/admin/users',
        opener: /^More about/,
        item: 'Disable account',
        title: 'Disable Account',
        focused: 'Cancel',
      },
      { path: '/admin/leave', title: /^Leave of/ },
      {
        path: '/admin/announcements',
        opener: 'Write Announcement',
        title: 'Write Announcement',
        focused: 'All',
        text: 'Title',
      },
      {
        path: '/admin/certifications',
        opener: 'Add Certification',
        title: 'Add Certification',
        focused: 'Person',
        text: 'Certificate Number',
      },
      {
        path: '/admin/certifications?view=courses',
        opener: 'Add Course',
        title: 'Add Course',
        focused: 'Title',
        text: 'Description',
      },
      {
        path: '/admin/clients',
        opener: 'Add Client',
        title: 'Add Client',
        focused: 'Client Name',
        text: 'Location',
      },
      {
        path: '/admin/clients',
        opener: 'Import File',
        title: 'Import Clients',
        focused: 'File',
      },
      {
        path: '/admin/clients',
        opener: /^Edit client/,
        title: 'Edit Client',
        focused: 'Client Name',
        text: 'Location',
      },
      {
        path: '/admin/clients',
        opener: /^Delete client/,
        title: 'Delete Client',
        focused: 'Cancel',
      },
      { path: '/admin/enquiries', title: /^Enquiry from/, focused: 'State', text: 'Internal note' },
      { path: '/admin/activity', title: 'What Changed' },
    ],
  ],
  [
    'money',
    'admin',
    [
      {
        path: '/admin/financials',
        opener: 'Add Statement',
        title: 'Add Financial Statement',
        focused: 'Title',
        text: 'Title',
      },
      {
        path: '/admin/expenses',
        opener: 'Add Expense',
        title: 'Add Expense',
        focused: 'Title',
        text: 'Notes',
      },
      {
        path: '/admin/expenses',
        opener: /^Attach a receipt/,
        title: 'Receipt',
        focused: 'Attach a file',
      },
      {
        path: '/admin/bankaccounts',
        opener: 'Add Bank Account',
        title: 'Add Bank Account',
        focused: 'Account Number',
        text: 'Bank Name',
      },
      {
        path: '/admin/loans',
        opener: 'Add Loan Account',
        title: 'Add Loan Account',
        focused: 'Loan Account Number',
        text: 'Bank Name',
      },
      {
        path: '/admin/cashflow',
        opener: /^Show records of Total Inflows/,
        title: /^Total Inflows/,
      },
      {
        path: '/admin/staff',
        opener: 'Add Staff',
        title: 'Add Staff',
        focused: 'Full Name',
        text: 'Full Name',
      },
      {
        path: '/admin/staff',
        opener: /^Edit /,
        title: 'Edit Staff',
        focused: 'Full Name',
        text: 'Phone',
      },
      {
        path: '/admin/payroll',
        opener: 'Add Payroll',
        title: 'Add Payroll',
        focused: 'Staff Member',
        text: 'Base Amount (USD)',
      },
      {
        path: '/admin/payroll',
        opener: 'Draft Payroll',
        title: /^Draft Payroll/,
        focused: 'Period Start',
      },
      { path: '/admin/payroll', opener: 'Pay Rates', title: 'Pay Rates' },
      { path: '/admin/payroll', opener: /^Payslip of/, title: 'Payslip' },
    ],
  ],
  [
    'of guards',
    'guard2',
    [
      { path: '/staff', opener: /^Clock In\/Out/, title: 'Clock In/Out' },
      {
        path: '/staff',
        opener: /^Report Incident/,
        title: 'Report Incident',
        focused: 'Take Photo',
        text: 'Description',
        isKept: true,
      },
      {
        path: '/staff',
        opener: /^Request Leave/,
        title: 'Request Leave',
        focused: 'Leave Type',
        text: 'Reason',
        isKept: true,
      },
      {
        path: '/account',
        opener: 'Add authenticator app',
        title: 'Add authenticator app',
        focused: 'Code',
        text: 'Code',
      },
    ],
  ],
];

/** The field with this label, optional or not, else the button with this name. */
const controlOf = (dialog: Locator, name: string): Locator =>
  dialog
    .getByLabel(name, { exact: true })
    .or(dialog.getByLabel(`${name} (optional)`, { exact: true }))
    .or(dialog.getByRole('button', { name, exact: true }));

/** Marks the element of the first key, as `data-opener`. */
const markFirstPressed = (page: Page) =>
  page.evaluate(() => {
    const mark = ({ target }: Event) =>
      target instanceof Element && target.setAttribute('data-opener', '');
    addEventListener('keydown', mark, { capture: true, once: true });
  });

async function open(page: Page, { item }: Opened, opener: Locator) {
  await opener.press('Enter');
  if (item) await page.getByRole('menuitem', { name: item }).press('Enter');
}

/** Digits, because some fields take nothing else. No field suggests: Escape would close the suggestions first. */
const TYPED = '770077';

async function checkTypedText(page: Page, opened: Opened, dialog: Locator, opener: Locator) {
  if (!opened.text) return;
  const field = controlOf(dialog, opened.text);
  await field.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(TYPED);
  await page.keyboard.press('Escape');
  if (opened.isKept) {
    await expect(dialog).toBeHidden();
    await open(page, opened, opener);
    await expect(field).toHaveValue(TYPED);
    await dialog.getByRole('button', { name: 'Start Over' }).press('Enter');
    return;
  }
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
  await expect(question.getByRole('button', { name: 'Keep Editing' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(new RegExp(`${TYPED}$`));
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await question.getByRole('button', { name: 'Discard' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await open(page, opened, opener);
  await expect(field).not.toHaveValue(new RegExp(`${TYPED}$`));
}

for (const [area, name, dialogs] of DIALOGS) {
  test(`dialogs ${area}: focus and typed text`, { tag: '@long' }, async ({ openAs }) => {
    const page = await openAs(name, { viewport: { width: 1280, height: 800 } });
    for (const opened of dialogs) {
      await test.step(`${opened.path} ${opened.title}`, async () => {
        await page.goto(opened.path);
        const first = opened.opener
          ? page.getByRole('button', { name: opened.opener }).first()
          : page.locator('tbody').getByRole('button').first();
        await markFirstPressed(page);
        await open(page, opened, first);
        // The same element, whatever a job adds above it.
        const opener = page.locator('[data-opener]');
        const dialog = page.getByRole('dialog', { name: opened.title });
        const focused =
          opened.focused === undefined
            ? page.locator('[role=dialog]:focus, [role=dialog] div[tabindex="-1"]:focus')
            : controlOf(dialog, opened.focused);
        await expect(dialog).toBeVisible();
        await expect(focused).toBeFocused();
        await checkTypedText(page, opened, dialog, opener);
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
        await expect(opener).toBeFocused();
      });
    }
  });
}

for (const width of [360, 1280]) {
  test(`a toast, also one that grows, covers no button of a dialog at ${width} px`, async ({
    openAs,
  }) => {
    const page = await openAs('admin', { viewport: { width, height: 720 } });
    await page.route('**/rest/v1/rpc/copy_week', (route) =>
      route.fulfill({ status: 400, json: { code: 'P0001', message: 'The week is closed.' } }),
    );
    await page.goto('/admin/shifts');
    await page.getByRole('button', { name: 'Copy Week' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy Week' });
    await dialog.getByLabel('To the week of').fill(findMonday(dayAfter(today(), 42)));
    await dialog.getByRole('button', { name: /^Create \d/ }).click();
    const toast = page.locator('[data-sonner-toast][data-front=true]');
    await expect(toast).toContainText('The week is closed.');
    await expect(toast).toBeInViewport({ ratio: 1 });
    const covered = () =>
      page.evaluate(() => {
        const shown = document
          .querySelector('[data-sonner-toast][data-removed=false]')
          ?.getBoundingClientRect();
        const buttons = [...document.querySelectorAll('[role=dialog] button')];
        return buttons
          .filter((button) => {
            if (!shown) return true;
            const box = button.getBoundingClientRect();
            // What is scrolled out of sight behind the dialog's heading isn't covered by the toast.
            const scrolled = button.closest('[data-dialog-body]')?.getBoundingClientRect();
            const top = Math.max(box.top, scrolled?.top ?? box.top);
            const bottom = Math.min(box.bottom, scrolled?.bottom ?? box.bottom);
            return (
              top < bottom &&
              box.left < shown.right &&
              box.right > shown.left &&
              top < shown.bottom &&
              bottom > shown.top
            );
          })
          .map((button) => button.textContent);
      });
    await expect.poll(covered).toEqual([]);
    await toast.evaluate((grown) => grown.style.setProperty('padding-bottom', '5rem'));
    await expect.poll(covered).toEqual([]);
    await expect(dialog.getByRole('button', { name: /^Create \d/ })).toBeInViewport({
      ratio: 0.9,
    });
  });
}

test('a long dialog without fields scrolls by keyboard', async ({ openAs, databaseOf }) => {
  const finance = await databaseOf('finance');
  // The dialog has a row for each shift. Not all invoices have hours: some clients pay a monthly amount.
  const { data: longest } = await finance
    .from('invoice_lines')
    .select('invoice_id, description')
    .like('description', '%regular hours')
    .order('quantity', { ascending: false })
    .limit(1)
    .single()
    .throwOnError();
  const page = await openAs('finance', { viewport: { width: 1280, height: 800 } });
  await page.goto(`/admin/invoices/${longest.invoice_id}`);
  await page.getByRole('button', { name: longest.description }).press('Enter');
  const dialog = page.getByRole('dialog', { name: longest.description });
  const last = dialog.getByRole('row').last();
  await expect(last).not.toBeInViewport();
  const text = dialog.getByRole('region', { name: longest.description });
  await expect(text).toBeVisible();
  await expect(dialog).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(text).toBeFocused();
  await page.keyboard.press('End');
  await expect(last).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
});

test('a dialog whose chunk failed to load opens on the next click', async ({ openAs }) => {
  const page = await openAs('admin', { viewport: { width: 1280, height: 800 } });
  await page.route('**/deployment-form-*.js*', (route) => route.abort());
  await page.goto('/admin');
  const button = page.getByRole('button', { name: 'New Deployment' });
  await button.click();
  await page.getByRole('alert').getByRole('button', { name: 'Not now' }).click();
  await page.unroute('**/deployment-form-*.js*');
  await button.click();
  await expect(page.getByRole('dialog', { name: 'New Deployment' })).toBeVisible();
});
