// The pages of a site and of a client: what each role sees, and how one gets there.
import type { Page } from '@playwright/test';
import { failing } from '#tests/e2e/support/failing.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** The one site of the demo's supervisor, and its client. */
const SITE = 'Freeport Container Yard';
const CLIENT = 'Cape Mesurado Terminals';

const headings = (page: Page) => page.locator('#screen').getByRole('heading', { level: 2 });

/** With the time of the clock left out. */
const now = (title: string) => new RegExp(`^${title} \\d`);

async function find(page: Page, name: string) {
  await expect(page.getByRole('button', { name: 'Go to', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(name);
  // The record itself comes before its shifts.
  await expect(page.getByRole('option', { name }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(headings(page).first()).toHaveText(name);
}

test('a dispatcher finds a site by keyboard, and sees what happens there now', async ({
  openAs,
}) => {
  const page = await openAs('dispatcher', { viewport: { width: 360, height: 740 } });
  await page.goto('/admin/operations');
  await expect(page.getByRole('heading', { name: 'Operations' })).toBeVisible();
  await find(page, SITE);
  await expect(headings(page)).toHaveText([
    SITE,
    now('Now'),
    'Posts and Their Week',
    'People Who Know It',
    'Post Orders',
    'Book of the Post',
    'Patrols Today',
  ]);
  const posts = page.getByRole('list', { name: 'Posts now' });
  await expect(posts.getByRole('listitem').first()).toBeVisible();
  // The same seats as on the board.
  const seats = await page.getByRole('list', { name: 'Seats by state' }).textContent();
  const onPost = /(\d+)On post/.exec(seats ?? '')?.[1];
  await page.getByRole('link', { name: 'Operations', exact: true }).last().click();
  await expect(page).toHaveURL(/operations\?sites=/);
  await expect(page.getByRole('button', { name: `${onPost} On post` })).toBeVisible();
  await page.goBack();

  await page.getByRole('button', { name: 'Next week' }).click();
  await page.getByRole('button', { name: 'Previous week' }).click();
  await expect(page.getByText('This week')).toBeVisible();
  await page
    .getByRole('link', { name: /^Main Gate, .*: \d+ of \d+ guards$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/shifts\?site=.*&day=|shifts\?day=.*&site=/);
  await page.goto('/admin/sites');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
});

test('the page of a site shows each role what it may read', async ({ openAs, databaseOf }) => {
  const database = await databaseOf('admin');
  const { data: sites } = await database
    .from('sites')
    .select('id, name')
    .order('name')
    .throwOnError();
  const own = sites.find(({ name }) => name === SITE);
  const other = sites.find(({ name }) => name !== SITE);
  const open = async (page: Page) => {
    await page.goto(`/admin/sites/${own?.id}`);
    await expect(headings(page).first()).toHaveText(SITE);
    return headings(page);
  };
  const admin = await openAs('admin');
  await expect(await open(admin)).toHaveText([
    SITE,
    now('Now'),
    'Posts and Their Week',
    'People Who Know It',
    'Incidents',
    'Coverage This Month',
    'Contracts',
    'Invoices',
    'Post Orders',
    'Book of the Post',
    'Patrols Today',
    'Devices',
    'Margin',
    'Contacts of the Client',
    'History',
  ]);
  await admin.getByRole('button', { name: 'Edit' }).click();
  await expect(admin.getByRole('dialog').getByLabel('Site Name')).toHaveValue(SITE);
  await admin.keyboard.press('Escape');
  await admin.getByRole('link', { name: 'All incidents' }).click();
  await expect(admin).toHaveURL(new RegExp(`incidents\\?site=${own?.id}`));

  const finance = await openAs('finance');
  await expect(await open(finance)).toHaveText([
    SITE,
    'Coverage This Month',
    'Contracts',
    'Invoices',
    'Margin',
    'Contacts of the Client',
  ]);
  await expect(finance.getByRole('button', { name: 'Edit' })).toHaveCount(0);

  const supervisor = await openAs('supervisor');
  await expect(await open(supervisor)).toHaveText([
    SITE,
    now('Now'),
    'Posts and Their Week',
    'People Who Know It',
    'Incidents',
    'Coverage This Month',
    'Post Orders',
    'Book of the Post',
    'Patrols Today',
  ]);
  await expect(supervisor.getByRole('link', { name: CLIENT })).toHaveCount(0);
  await supervisor.goto(`/admin/sites/${other?.id}`);
  await expect(supervisor.getByText('There is no such site')).toBeVisible();
});

test('a section that fails says why, and loads again while the others stay', async ({ openAs }) => {
  const page = await openAs('dispatcher');
  await page.goto('/admin/operations');
  const mend = await failing(page, /newest_post_orders/, 'The orders are away.');
  await find(page, SITE);
  const orders = page.getByRole('region', { name: 'Post Orders' });
  await expect(orders).toContainText('The orders are away.');
  await expect(page.getByRole('region', { name: 'People Who Know It' })).toContainText('shifts in');
  await mend();
  await orders.getByRole('button', { name: 'Try again' }).click();
  await expect(orders).toContainText('Main Gate, version');
});

test('the page of a client has what is wrong, its sites, and money for those who see it', async ({
  openAs,
}) => {
  const page = await openAs('admin');
  await page.goto(`/admin/clients?q=${encodeURIComponent(CLIENT)}`);
  await page.getByRole('link', { name: CLIENT, exact: true }).click();
  await expect(headings(page)).toHaveText([
    CLIENT,
    now('What is wrong now'),
    'Sites',
    'Invoices',
    'Contracts',
    'Incidents and Letters',
    'Coverage This Month',
    'What Is Owed',
    'Requests from the Portal',
    'Contacts of the Client',
    'Margin',
    'Enquiries',
    'History',
  ]);
  await page.getByRole('button', { name: 'Answer' }).click();
  await expect(page.getByRole('tab', { name: 'Messages', selected: true })).toBeVisible();
  await page.keyboard.press('Escape');
  const sites = page.getByRole('list', { name: 'Sites' });
  await expect(sites.getByRole('listitem').filter({ hasText: SITE })).toContainText('on post');
  await sites.getByRole('link', { name: SITE }).click();
  await expect(headings(page).first()).toHaveText(SITE);
  await page.getByRole('link', { name: CLIENT }).first().click();
  const address = page.url();

  const finance = await openAs('finance', { viewport: { width: 360, height: 740 } });
  await finance.goto('/admin/contracts');
  await find(finance, CLIENT);
  await expect(headings(finance)).toHaveText([
    CLIENT,
    'Sites',
    'Invoices',
    'Contracts',
    'Coverage This Month',
    'What Is Owed',
    'Contacts of the Client',
    'Margin',
  ]);
  await finance.getByRole('link', { name: 'Statement' }).click();
  await expect(finance).toHaveURL(/statements\?client=/);

  const supervisor = await openAs('supervisor');
  await supervisor.goto(address);
  await expect(supervisor.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
});
