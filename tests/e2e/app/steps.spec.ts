// Twelve jobs of the company, with the most steps that each may take: docs/measurements/steps.md says what they took before.
import { randomInt, randomUUID } from 'node:crypto';
import { billedMonth } from '#tests/e2e/support/billed-month.ts';
import { choose } from '#tests/e2e/support/choose.ts';
import { AT_THE_GATE, guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { monthOfHours } from '#tests/e2e/support/month-of-hours.ts';
import { newGuard } from '#tests/e2e/support/new-guard.ts';
import { service } from '#tests/e2e/support/service.ts';
import { countSteps } from '#tests/e2e/support/steps.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const DESK = { viewport: { width: 1280, height: 860 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

test('a planner finds the patrols of a site in 3 steps', async ({ openAs }) => {
  const page = await openAs('ops', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search sites' }).fill('Freeport Container Yard');
  await page.getByRole('link', { name: 'Freeport Container Yard', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Patrols Today' })).toBeVisible();
  await atMost(3);
});

test('a dispatcher finds a person by phone number in 3 steps', async ({ openAs, url, dataDir }) => {
  const guard = await newGuard(url, dataDir);
  const number = `77${randomInt(10)}${String(randomInt(1_000_000)).padStart(6, '0')}`;
  const backend = await service(url, dataDir);
  await backend
    .from('profiles')
    .update({ phone: `+231${number}` })
    .eq('id', guard.id)
    .throwOnError();
  const page = await openAs('dispatcher', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin/operations');
  await expect(page.getByRole('button', { name: 'Go to', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(`0${number}`);
  await expect(page.getByRole('option', { name: guard.name })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: guard.name })).toBeVisible();
  await atMost(3);
});

test('a dispatcher replaces a guard who calls in sick in 6 steps', async ({
  openAs,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir, 1, 9);
  const backend = await service(url, dataDir);
  const role = { user_id: guard.session.user.id, role: 'guard' } as const;
  await backend.from('user_roles').insert(role).throwOnError();
  const page = await openAs('dispatcher', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin/operations');
  await page.getByRole('searchbox').fill(guard.siteName);
  // By keyboard: a press on a row that has just come under the pointer does nothing.
  await page.getByRole('button', { name: new RegExp(`^${guard.siteName}`) }).press('Enter');
  const dialog = page.getByRole('dialog', { name: guard.siteName });
  const { fullName } = guard.person;
  await dialog.getByRole('button', { name: `Mark ${fullName} as no-show` }).click();
  await dialog.getByLabel(`Why ${fullName} did not come`).fill('Called in sick');
  await dialog.getByRole('button', { name: 'Mark as No-show', exact: true }).click();
  await expect(dialog).toContainText('1 post to fill');
  const candidates = dialog.getByRole('list', { name: 'Guards who can come' });
  await candidates
    .getByRole('button', { name: /^Assign/ })
    .first()
    .click();
  await expect(page.getByText('Guard Assigned')).toBeVisible();
  await atMost(6);
});

test('a dispatcher hands over the watch in 3 steps', async ({ openAs, databaseOf }) => {
  const page = await openAs('dispatcher', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin/operations');
  await page.getByRole('region', { name: 'Log' }).getByRole('link', { name: 'Hand Over' }).click();
  await page.getByLabel(/^Remarks for the next watch/).fill(`Keys in the safe (${randomUUID()})`);
  await page.getByRole('button', { name: 'Sign Handover' }).click();
  await expect(page.getByText('Handover signed')).toBeVisible();
  await atMost(3);
  // None waits in other journeys because of this one.
  const p_id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await (await databaseOf('ops')).rpc('accept_watch', { p_id }).throwOnError();
});

test('HR hires a guard in 5 steps', async ({ openAs }) => {
  const name = `Garmai ${randomInt(1_000_000)}`;
  const page = await openAs('hr', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin/today');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByRole('link', { name: 'Hire a Person' }).click();
  await page.getByLabel('Full Name').fill(name);
  const number = `077${randomInt(10)} ${String(randomInt(1_000_000)).padStart(6, '0')}`;
  await page.getByLabel('Phone').fill(number);
  await page.getByRole('button', { name: 'Hire', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Start codes' })).toContainText(name);
  await atMost(5);
});

test('HR announces something to a site in 10 steps', async ({ openAs, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir, 3, 11);
  const page = await openAs('hr', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin/today');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByRole('link', { name: 'Announcements', exact: true }).click();
  await page.getByRole('button', { name: 'Write Announcement' }).click();
  const form = page.getByRole('dialog', { name: 'Write Announcement' });
  await form.getByText('Site', { exact: true }).click();
  await choose(form.getByRole('button', { name: 'Site' }), guard.siteName);
  await form.getByLabel('Title').fill('Radios');
  await form.getByLabel('Text').fill('Charge them at night.');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Announcement sent')).toBeVisible();
  await atMost(10);
});

test('an administrator answers an enquiry with a quote in 11 steps', async ({
  openAs,
  databaseOf,
}) => {
  const company = `Stores ${randomUUID().slice(0, 8)}`;
  const enquiry = {
    name: 'Garmai Kollie',
    email: 'garmai@visitor.example',
    company,
    message: 'How soon could two guards start at our store?',
  };
  const database = await databaseOf('admin');
  await database.from('contact_messages').insert(enquiry).throwOnError();
  const page = await openAs('admin', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin');
  await page.getByRole('link', { name: /^Clients/ }).click();
  await page.getByRole('link', { name: /^Enquiries/ }).click();
  await expect(page.getByRole('heading', { name: 'Enquiries', exact: true })).toBeVisible();
  await page.getByRole('searchbox').fill(company);
  const named = new RegExp(`${company}|${enquiry.name}`);
  await page.locator('#screen').getByRole('button', { name: named }).first().click();
  await page.getByRole('link', { name: 'Write Quote' }).click();
  await page.getByLabel('Site', { exact: true }).fill('Store');
  await page.getByLabel('Address of the site').fill('Red Light, Paynesville');
  await page.getByLabel('Rate', { exact: true }).fill('3.50');
  await page.getByRole('button', { name: 'Save Draft', exact: true }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Quote' });
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Mailed')).toBeVisible();
  await atMost(11);
});

test('finance begins the pay run of a month in 5 steps', async ({ openAs, databaseOf }) => {
  const page = await openAs('finance', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin/today');
  await page.getByRole('link', { name: 'Pay Runs', exact: true }).click();
  await page.getByRole('button', { name: 'New Pay Run' }).click();
  const form = page.getByRole('dialog', { name: 'New Pay Run' });
  // Nobody of the demo company is paid so: no other run has these days.
  await form.getByLabel('Currency').selectOption('LRD');
  await form.getByRole('button', { name: 'Begin Pay Run' }).click();
  await page.getByRole('button', { name: 'Calculate', exact: true }).click();
  await expect(page.getByText('Pay run calculated')).toBeVisible();
  await atMost(5);
  const p_id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const finance = await databaseOf('finance');
  await finance.rpc('void_pay_run', { p_id, p_reason: 'Only counted' }).throwOnError();
});

test('finance sends an invoice in 13 steps', async ({ openAs, databaseOf, url, dataDir }) => {
  const worked = [{ day: 4, in: 6, out: 18 }];
  const server = { url, dataDir, admin: await databaseOf('admin') };
  const { client } = await billedMonth(server, { year: 2024, month: 4 }, { gate: worked });
  const page = await openAs('finance', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin/today');
  await page.getByRole('link', { name: 'Invoices', exact: true }).click();
  await page.getByRole('button', { name: 'Draft Invoices' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What to draft').selectOption('Days that you choose');
  await dialog.getByLabel('From', { exact: true }).fill('2024-04-01');
  await dialog.getByLabel('To', { exact: true }).fill('2024-04-30');
  await choose(dialog.getByLabel('Client'), client.name);
  await dialog.getByRole('button', { name: 'Draft Invoices' }).click();
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByRole('button', { name: 'Mail' }).click();
  await dialog.getByRole('button', { name: 'Mail' }).click();
  await expect(page.getByText('Invoice on its way')).toBeVisible();
  await atMost(13);
});

test('an operations manager decides and approves 50 timesheets in 6 steps', {
  tag: '@long',
}, async ({ openAs, url, dataDir }) => {
  const stayed = [{ day: 4, in: 6, out: 18.5 }];
  const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`g${at}`, stayed]));
  const month = await monthOfHours(url, dataDir, { year: 2024, month: 1 }, fifty);
  const page = await openAs('ops', DESK);
  const atMost = await countSteps(page);
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Timesheets', exact: true }).click();
  // The month and the site are those of this journey.
  await page.goto(`/admin/timesheets?day=${month.first}&site=${month.siteId}`);
  await page.getByRole('button', { name: 'Decide equal cases at once' }).click();
  const equal = page.getByRole('region', { name: 'Equal cases' });
  await equal.getByRole('button', { name: /^Don’t pay all/ }).click();
  await page.getByRole('button', { name: 'Don’t pay 50 Cases' }).click();
  await page.getByRole('button', { name: 'Approve 50 people without exceptions' }).click();
  await page.getByRole('button', { name: 'Approve 50 people', exact: true }).click();
  await expect(page.getByText('50 timesheets approved')).toBeVisible();
  await atMost(6);
});

test('a guard says that they are late in 4 taps', async ({ browser, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir, 3, 11);
  const backend = await service(url, dataDir);
  const role = { user_id: guard.session.user.id, role: 'guard' } as const;
  await backend.from('user_roles').insert(role).throwOnError();
  const page = await newPhone(browser, url, guard, { hasTouch: true });
  const atMost = await countSteps(page);
  await page.goto('/staff');
  await page.getByRole('button', { name: `I’m running late, ${guard.siteName}` }).tap();
  const dialog = page.getByRole('dialog', { name: 'I’m running late' });
  await dialog.getByRole('button', { name: '20 min' }).tap();
  await dialog.getByLabel('Reason in your words').fill('Bus broke down');
  await dialog.getByRole('button', { name: 'Tell the Control Room' }).tap();
  await expect(page.getByText('You said that you are 20 min late: Bus broke down.')).toBeVisible();
  await atMost(4);
  await page.context().close();
});

test('a supervisor musters a post in 3 taps', async ({ openAs, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await openAs('ops', {
    ...PHONE,
    geolocation: AT_THE_GATE,
    permissions: ['geolocation'],
  });
  const atMost = await countSteps(page);
  await page.goto('/staff');
  await page.getByRole('link', { name: /^Muster/ }).click();
  await page.getByRole('searchbox').fill(guard.siteName);
  const site = page.getByRole('region', { name: guard.siteName });
  await site.getByRole('button', { name: /is at post$/ }).tap();
  await expect(site).toContainText('1 of 1 clocked in');
  await atMost(3);
});
