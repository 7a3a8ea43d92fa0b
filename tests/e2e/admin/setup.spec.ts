import type { Locator, Page } from '@playwright/test';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { choose } from '#tests/e2e/support/choose.ts';
import { type EmptyCompany, startEmptyCompany } from '#tests/e2e/support/empty-company.ts';
import { login } from '#tests/e2e/support/people.ts';
import { test as base, expect } from '#tests/e2e/support/test.ts';
import { toastOf } from '#tests/e2e/support/toast.ts';

const test = base.extend<{ company: EmptyCompany }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern, even of nothing.
  company: async ({}, use) => {
    const company = await startEmptyCompany();
    await use(company);
    await company.stop();
  },
});

const guideOf = (page: Page) => page.getByRole('region', { name: 'Set up your company' });
const stepOf = (guide: Locator, title: string) =>
  guide.getByRole('listitem').filter({ hasText: `${title}:` });

async function toDashboard(page: Page): Promise<Locator> {
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible();
  return guideOf(page);
}

/** Fills the form that the guide's link opens, and saves it. */
async function add(page: Page, link: string, fields: Record<string, string>): Promise<void> {
  await guideOf(page).getByRole('link', { name: link }).click();
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(fields)) {
    await dialog.getByLabel(label, { exact: true }).fill(value);
  }
  await dialog.getByRole('button', { name: link.replace(/:.*/, ''), exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

async function signIn(page: Page, { email, password }: EmptyCompany): Promise<void> {
  await page.goto('/auth');
  await login(page, email, password);
  await page.getByLabel('New password').fill('Harbour-Gate-77');
  await page.getByRole('button', { name: 'Save and continue' }).click();
}

test('an empty company: the guide leads to a published week, and goes away by itself', {
  tag: '@long',
}, async ({ browser, company }) => {
  test.slow();
  const page = await browser.newPage({ baseURL: company.url });
  await signIn(page, company);

  // The first screen, without the figures and charts of a company that works.
  const guide = guideOf(page);
  await expect(guide.getByText('0 of 15 done')).toBeVisible();
  await expect(page.getByText('Posts now')).toHaveCount(0);
  await expect(guide.getByRole('listitem')).toHaveCount(15);
  expect(await faultsOf(page)).toEqual([]);

  // Confirmed, taken back from the toast, confirmed again.
  await guide.getByRole('button', { name: 'Confirm: Company and time zone' }).press('Enter');
  await expect(guide.getByText('1 of 15 done')).toBeVisible();
  await toastOf(page, 'confirmed').getByRole('button', { name: 'Undo' }).click();
  await expect(guide.getByText('0 of 15 done')).toBeVisible();
  await guide.getByRole('button', { name: 'Confirm: Company and time zone' }).click();
  await expect(stepOf(guide, 'Company and time zone')).toContainText('Confirmed by Ada Owner');

  // Empty screens name what comes before them, and lead there.
  await page.getByRole('link', { name: 'Roster', exact: true }).click();
  await expect(page.getByText('No shifts yet. They follow from posts.')).toBeVisible();
  await expect(page.getByText('Nothing open')).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Add Post' }).click();
  const postForm = page.getByRole('dialog', { name: 'Add Post' });
  await expect(postForm).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(postForm).toHaveCount(0);
  await expect(page.getByText('No posts yet. Add a site first:')).toBeVisible();

  await toDashboard(page);
  await add(page, 'Add Client: Clients', {
    'Client Name': 'Freeport Terminal',
    'Number of Guards': '2',
    'Monthly Rate (USD)': '1200',
    Location: 'Bushrod Island',
  });
  await toDashboard(page);
  await expect(stepOf(guide, 'Posts and what they need')).toContainText('First: Sites');
  await add(page, 'Add Site: Sites', {
    'Site Name': 'Freeport Main Gate',
    'Client Name': 'Freeport Terminal',
    Address: 'UN Drive, Monrovia',
  });
  await toDashboard(page);
  await expect(guide.getByText('3 of 15 done')).toBeVisible();
  await expect(stepOf(guide, 'Posts and what they need')).not.toContainText('First:');

  await guide.getByRole('link', { name: 'Hire Guards: Guards' }).click();
  await page.getByLabel('Full Name').fill('Musu Flomo');
  await page.getByLabel('Phone', { exact: true }).fill('0770123401');
  await page.getByLabel('Salary (USD)').fill('180');
  await page.getByRole('button', { name: 'Hire', exact: true }).click();
  await expect(page.getByText('Start code', { exact: true })).toBeVisible();

  await toDashboard(page);
  await guide.getByRole('link', { name: 'Add Post: Posts and what they need' }).click();
  const post = page.getByRole('dialog');
  await choose(post.getByLabel('Site', { exact: true }), 'Freeport Main Gate');
  await post.getByLabel('Name', { exact: true }).fill('Main gate');
  await post.getByRole('button', { name: 'Add Post' }).click();
  await expect(post).toHaveCount(0);

  await toDashboard(page);
  await expect(guide.getByText('5 of 15 done')).toBeVisible();
  await expect(stepOf(guide, 'Guards')).toContainText('1 guard');
  await guide.getByRole('link', { name: 'Open Roster: First published week' }).click();
  await page.getByRole('button', { name: 'Fill', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Fill what is open' }).click();
  await expect(page.getByText('Draft', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Published', { exact: true })).toBeVisible();

  // A company with shifts has its figures again, and of the guide how far it is.
  await toDashboard(page);
  await expect(page.getByText('Posts now')).toBeVisible();
  const summary = page.getByRole('region', { name: 'Setup' });
  await expect(summary).toContainText('6 of 15 done');
  await summary.getByRole('link', { name: 'All Steps' }).click();
  await expect(stepOf(guide, 'First published week')).toContainText('1 published week');

  // The rest is left for later: only the screen has the guide then.
  const later = guide.getByRole('button', { name: /^Leave for later/ });
  for (let left = await later.count(); left > 0; left -= 1) {
    await later.first().click();
    await expect(later).toHaveCount(left - 1);
  }
  await expect(guide.getByText('6 of 15 done, 9 left for later')).toBeVisible();
  await toDashboard(page);
  await expect(page.getByText('Posts now')).toBeVisible();
  await expect(summary).toHaveCount(0);
  await page.goto('/admin/system');
  await page.getByRole('link', { name: 'Setup Guide' }).click();
  await guide.getByRole('button', { name: 'Take up: Contracts' }).click();
  await expect(guide.getByRole('link', { name: 'Add Contract: Contracts' })).toBeVisible();
  await toDashboard(page);
  await expect(summary).toContainText('Next: Contracts');
  await page.close();
});

test('the demo has set everything up: no guide on the dashboard, all steps done under System', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/admin/dashboard');
  await expect(page.getByText('Posts now')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Setup' })).toHaveCount(0);
  await page.goto('/admin/system/setup');
  await expect(guideOf(page).getByText('15 of 15 done', { exact: true })).toBeVisible();
});

test('a test message goes to the admin who asks for it', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/admin/system');
  const panel = page.getByRole('region', { name: 'Test message' });
  await expect(panel).toContainText('There is no mail server yet');
  await expect(panel).toContainText('can’t send text messages');
  await panel.getByRole('button', { name: 'Send Test Message' }).click();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Mail' })).toContainText('Sent');
});

test('pay rates, payment formats and the invitation have addresses of their own', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('admin');
  for (const [path, title] of [
    ['/admin/payroll?dialog=rates', 'Pay Rates'],
    ['/admin/payruns/accounts?formats=USD', 'Payment Formats'],
    ['/admin/users?open=new', 'Invite User'],
  ] as const) {
    await page.goto(path);
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    if (title === 'Payment Formats') {
      await dialog.getByLabel('Currency').selectOption('LRD');
      await expect(page).toHaveURL(/formats=LRD/);
      await expect(dialog).toContainText('How files in LRD look');
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`${path.replace(/\?.*/, '')}$`));
  }
});
