// A person's page, hiring in one form, start codes and leaving.
import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { emailOf } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const OWN_PASSWORD = 'A-Walk-Along-Camp-Johnson-Road-4';
const PHONE = { viewport: { width: 360, height: 740 } };

/** A number that no other account has, as it is written in Liberia. */
const newNumber = () => `077${randomInt(10)} ${String(randomInt(1_000_000)).padStart(6, '0')}`;

async function hire(page: Page, name: string, number: string): Promise<string> {
  await page.goto('/admin/users');
  await page.getByRole('link', { name: 'Hire a Guard' }).click();
  await page.getByLabel('Full Name').fill(name);
  await page.getByLabel('Phone').fill(number);
  await page.getByLabel('Home Area').fill('Paynesville, ELWA Junction');
  await page.getByLabel('Salary (USD)').fill('180');
  await page.getByRole('button', { name: 'Add certificate' }).click();
  await page.getByLabel('Course').selectOption({ index: 1 });
  await page.getByLabel('Expires').fill('2028-01-31');
  await page.getByRole('button', { name: 'Hire', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Hired' })).toBeVisible();
  // One screen from beginning to end.
  await expect(page).toHaveURL('/admin/people/new');
  const code = page.getByRole('list', { name: 'Start codes' }).getByText(/^\d{4} \d{4} \d{4}$/);
  return (await code.textContent()) ?? '';
}

test('a guard without an email is hired in one form, starts with a code, and leaves', async ({
  openAs,
}) => {
  const name = `Moses ${randomInt(1_000_000)}`;
  const number = newNumber();
  const page = await openAs('admin');
  const code = await hire(page, name, number);

  const theirs = await openAs('visitor', PHONE);
  await theirs.goto('/staff');
  await theirs.getByRole('link', { name: 'I have a start code' }).click();
  await theirs.getByLabel('Phone number or email').fill(number);
  await theirs.getByLabel('Start code').fill('0000 0000 0000');
  await theirs.getByRole('button', { name: 'Continue' }).click();
  await expect(theirs.getByText('This code is wrong, used or expired.')).toBeVisible();
  await theirs.getByLabel('Start code').fill(code);
  await theirs.getByRole('button', { name: 'Continue' }).click();
  await expect(theirs.getByRole('heading', { name: 'Choose your password' })).toBeVisible();
  await theirs.getByLabel('New password').fill(OWN_PASSWORD);
  await theirs.getByRole('button', { name: 'Save and continue' }).click();
  await expect(theirs).toHaveURL('/staff');
  await theirs.getByRole('button', { name: 'Logout' }).click();

  // From then on with the number and the password.
  await theirs.getByLabel('Email').fill(number);
  await theirs.getByLabel('Password', { exact: true }).fill(OWN_PASSWORD);
  await theirs.getByRole('button', { name: 'Login' }).click();
  await expect(theirs.getByText('Clock In/Out').first()).toBeVisible();

  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByRole('link', { name: `Call ${name}` })).toHaveAttribute(
    'href',
    `tel:+231${number.replace(/\D/g, '').slice(1)}`,
  );
  await expect(page.getByText('Paynesville, ELWA Junction')).toBeVisible();
  await expect(page.getByText('Expires Jan 31, 2028')).toBeVisible();

  await page.getByRole('button', { name: 'Manage' }).click();
  await page.getByRole('menuitem', { name: 'End employment' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 role is removed');
  await expect(dialog).toContainText('1 device is signed out');
  // Until a later day much can change, so nothing of today is counted for it.
  const day = dialog.getByLabel('Last Day');
  const now = await day.inputValue();
  await day.fill(`${Number(now.slice(0, 4)) + 1}${now.slice(4)}`);
  await expect(dialog).toContainText('Now: nothing changes, and nothing is saved.');
  await expect(dialog).toContainText('Shifts from then on become free');
  await expect(dialog).not.toContainText('1 role');
  await day.fill(now);
  await dialog.getByRole('button', { name: 'End Employment' }).click();
  await expect(page.getByText(/^Left on /)).toBeVisible();
  await theirs.reload();
  await theirs.getByLabel('Email').fill(number);
  await theirs.getByLabel('Password', { exact: true }).fill(OWN_PASSWORD);
  await theirs.getByRole('button', { name: 'Login' }).click();
  await expect(theirs.locator('[data-sonner-toast]').first()).toContainText('banned');
});

test('a file hires several people after a preview of what is wrong with it', async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/admin/people/new');
  await page.getByRole('button', { name: 'Import File' }).click();
  const dialog = page.getByRole('dialog');
  const headings = 'Name,Phone,Email,Role,Home Area,Hire Date,Salary,Frequency,Certificates';
  const choose = (...rows: string[]) =>
    dialog.getByLabel('File', { exact: true }).setInputFiles({
      name: 'guards.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([headings, ...rows].join('\n')),
    });
  const tag = randomInt(1_000_000);
  const first = `Hawa ${tag},${newNumber()},,,Sinkor,,180,,`;
  await choose(first, `Saah ${tag},12,,,,,180,,`);
  await expect(dialog).toContainText('1 of 2 rows need a correction');
  await expect(dialog).toContainText('Invalid phone number');
  await choose(first, `Saah ${tag},${newNumber()},,supervisor,,,200,weekly,`);
  await dialog.getByRole('button', { name: 'Import 2' }).click();
  await expect(page.getByRole('heading', { name: '2 people hired' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print 2 slips' })).toBeVisible();
  await page.getByRole('link', { name: `Saah ${tag}` }).click();
  await expect(page.getByText('Supervisor')).toBeVisible();
});

test('the page of a person shows each role what it may read', async ({ openAs, databaseOf }) => {
  const database = await databaseOf('admin');
  const { data } = await database
    .from('profiles')
    .select('id, full_name')
    .eq('email', emailOf('guard'))
    .single()
    .throwOnError();
  const address = `/admin/people/${data.id}`;
  const headingsOf = async (page: Page) => {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: data.full_name ?? '' })).toBeVisible();
    return page.getByRole('heading', { level: 2 });
  };
  const admin = await openAs('admin');
  await expect(await headingsOf(admin)).toHaveText([
    data.full_name ?? '',
    'Duties',
    'Incidents reported',
    'Pay Basis',
    'Allowances and Deductions',
    'Advances and Loans',
    'Pay Account',
    'Deployments',
    'Documents',
    'Leave',
    'Certificates',
    'Timesheets',
    'Pay',
    'History',
  ]);
  await admin.getByRole('button', { name: 'Next week' }).click();
  await admin.getByRole('button', { name: 'Previous week' }).click();
  await expect(admin.getByText('This week')).toBeVisible();
  const name = `contract-${randomInt(1_000_000)}.pdf`;
  await admin.getByLabel('Document', { exact: true }).setInputFiles({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
  });
  await admin.getByRole('button', { name: `Delete ${name}` }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(admin.getByRole('button', { name: `Delete ${name}` })).toHaveCount(0);

  const dispatcher = await openAs('dispatcher');
  await expect(await headingsOf(dispatcher)).toHaveText([
    data.full_name ?? '',
    'Duties',
    'Deployments',
  ]);
  await expect(dispatcher.getByRole('button', { name: 'Manage' })).toHaveCount(0);
  await dispatcher.goto('/admin/people/new');
  await expect(dispatcher.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
});

test('HR hires a guard without pay, and finance reads who is to be paid', { tag: '@long' }, async ({
  openAs,
}) => {
  const name = `Garmai ${randomInt(1_000_000)}`;
  const page = await openAs('hr');
  await page.goto('/admin/people');
  await page.getByRole('link', { name: 'Hire a Person' }).click();
  await expect(page.getByLabel('Salary (USD)')).toHaveCount(0);
  await expect(page.getByLabel('Role', { exact: true })).toHaveCount(0);
  // Leave is counted from it, also before finance adds the pay.
  await page.getByLabel('Hire Date').fill('2024-01-15');
  await page.getByLabel('Full Name').fill(name);
  await page.getByLabel('Phone').fill(newNumber());
  await page.getByRole('button', { name: 'Hire', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Start codes' })).toContainText(name);

  await page.getByRole('link', { name: 'People' }).last().click();
  await page.getByLabel('Search by name, phone or email').fill(name);
  await page.getByLabel('Missing', { exact: true }).selectOption('Pay record');
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Photo, Home area, First sign-in, Pay record');
  await row.getByRole('link', { name }).click();
  await expect(page.getByRole('button', { name: 'Manage' })).toBeVisible();
  await expect(page.getByText(/^Annual leave: \d+ days a year, 0 taken/)).toBeVisible();

  const finance = await openAs('finance');
  await finance.goto('/admin/staff');
  await expect(finance.getByText(/(person has|people have) no pay record$/)).toBeVisible();

  await page.goto(`/admin/people?q=${encodeURIComponent(emailOf('dispatcher'))}`);
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await expect(page.getByText('an administrator manages this account')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Manage' })).toHaveCount(0);
});
