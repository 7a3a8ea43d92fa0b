// Access and Guard Deployments. The screens of each role are in app/portal-roles.
import { company } from '#company';
import {
  addDeployment,
  cardAt,
  deploymentsAt,
  fillDeployment,
} from '#tests/e2e/support/deployments.ts';
import { hold } from '#tests/e2e/support/gate.ts';
import { excessOf } from '#tests/e2e/support/large-text.ts';
import { codeIsLoaded } from '#tests/e2e/support/loaded-code.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('a guard is denied and sent to the staff portal', { tag: '@everyday' }, async ({ openAs }) => {
  const page = await openAs('guard');
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(page.getByRole('link', { name: company.hotline })).toHaveAttribute('href', /^tel:/);
  await page.getByRole('link', { name: 'Go to Staff Portal' }).click();
  await expect(page.getByRole('banner')).toContainText('guard@statesman.example');
});

test('an unknown address inside the portal redirects to its start', { tag: '@long' }, async ({
  openAs,
}) => {
  const page = await openAs('admin');
  for (const path of ['nowhere/at/all', 'sites/gate-4', 'sites/gate-4/book', 'payruns/12?open=1']) {
    await page.goto(`/admin/${path}`);
    await expect(page).toHaveURL('/admin');
    await expect(page.getByRole('heading', { name: 'Guard Deployments' })).toBeVisible();
  }
});

test('a deployment is created and edited', { tag: '@everyday' }, async ({
  openAs,
  databaseOf,
  location,
}) => {
  const page = await openAs('dispatcher');
  await page.goto('/admin');
  await page.getByRole('button', { name: 'New Deployment' }).click();
  const created = page.getByRole('dialog', { name: 'New Deployment' });
  await fillDeployment(page, {
    guard: 'Fatu Kamara',
    location,
    start: '2031-08-01T06:00',
    end: '2031-08-01T18:00',
  });
  await created.getByRole('button', { name: 'Create Deployment' }).click();
  await expect(page.getByText('Deployment created', { exact: true })).toBeVisible();

  await cardAt(page, location)
    .getByRole('button', { name: 'Edit deployment of Fatu Kamara' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Edit Deployment' });
  await expect(dialog.getByLabel('Guard Name')).toHaveValue('Fatu Kamara');
  await expect(dialog.getByLabel('Shift Start')).toHaveValue('2031-08-01T06:00');
  await dialog.getByLabel('Status').selectOption('Completed');
  await dialog.getByLabel('Notes').fill('Handed over.');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Deployment updated')).toBeVisible();
  await expect(cardAt(page, location)).toContainText('Completed');
  await expect(cardAt(page, location)).toContainText('Handed over.');
  const [row] = await deploymentsAt(await databaseOf('admin'), location);
  expect(row).toMatchObject({ status: 'completed', guard_name: 'Fatu Kamara' });

  await cardAt(page, location)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(page.getByText('Deployment deleted', { exact: true })).toBeVisible();
  await expect(cardAt(page, location)).toBeHidden();
});

test('a chosen guard is linked until the name changes, and the search keeps its state in the address', async ({
  openAs,
  databaseOf,
  location,
}) => {
  const database = await databaseOf('admin');
  await addDeployment(database, { location, status: 'cancelled' });
  const page = await openAs('ops');
  await page.goto('/admin');
  await page.getByRole('button', { name: 'New Deployment' }).click();
  await fillDeployment(page, {
    guard: '',
    location,
    start: '2031-08-01T06:00',
    end: '2031-08-01T18:00',
  });
  const { data: guards } = await database
    .from('profiles')
    .select('id, full_name')
    .eq('email', 'guard2@statesman.example')
    .throwOnError();
  const guard = guards[0];
  await page.getByLabel('Guard Name').pressSequentially(guard?.full_name?.toUpperCase() ?? '');
  await page.getByRole('option', { name: 'guard2@statesman.example' }).click();
  await page.getByRole('button', { name: 'Create Deployment' }).click();
  await expect(page.getByText('Deployment created', { exact: true })).toBeVisible();

  await page.getByLabel('Search deployments').fill(location);
  await expect(cardAt(page, location)).toHaveCount(2);
  await page.getByLabel('Status').selectOption('Scheduled');
  await expect(cardAt(page, location)).toHaveCount(1);
  await page.reload();
  await expect(cardAt(page, location)).toHaveCount(1);
  const ids = async () => {
    const rows = await deploymentsAt(database, location);
    return rows.filter(({ status }) => status === 'scheduled').map((row) => row.guard_id);
  };
  expect(await ids()).toEqual([guard?.id]);

  await cardAt(page, location).getByRole('button', { name: /^Edit/ }).click();
  await expect(page.getByText('Linked to the guard’s account.')).toBeVisible();
  await page.getByLabel('Guard Name').fill('Somebody else');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Deployment updated')).toBeVisible();
  expect(await ids()).toEqual([null]);
});

test("another user's change does not touch what is being typed", async ({
  openAs,
  databaseOf,
  location,
}) => {
  const client = await databaseOf('ops');
  const { id } = await addDeployment(client, { location });
  const page = await openAs('admin');
  await page.goto('/admin');
  await cardAt(page, location).getByRole('button', { name: /^Edit/ }).click();
  await page.getByLabel('Notes').fill('Half a sentence');
  const refreshed = page.waitForResponse((response) =>
    response.url().includes('/deployments?select'),
  );
  await client.from('deployments').update({ guard_name: 'Sam Doe' }).eq('id', id).throwOnError();
  await refreshed;
  await expect(page.getByText('Someone else changed this record')).toBeVisible();
  await expect(page.getByLabel('Notes')).toHaveValue('Half a sentence');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(cardAt(page, location)).toContainText('Sam Doe');
});

test('a save without a connection shows an error, even as the first message of the page', async ({
  openAs,
  databaseOf,
  location,
}) => {
  const client = await databaseOf('ops');
  await addDeployment(client, { location });
  const page = await openAs('ops');
  await page.goto('/admin');
  await cardAt(page, location).getByRole('button', { name: /^Edit/ }).click();
  await page.getByLabel('Notes').fill('Gate code has changed');
  await codeIsLoaded(page, 'toaster');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.locator('[data-sonner-toast]')).toContainText('No connection to the server.');
  await expect(page.getByLabel('Notes')).toHaveValue('Gate code has changed');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Deployment updated')).toBeVisible();
});

test('saving a record deleted by someone else shows an error and keeps what was typed', {
  tag: '@long',
}, async ({ openAs, databaseOf, location }) => {
  const client = await databaseOf('ops');
  const { id } = await addDeployment(client, { location });
  const page = await openAs('admin');
  await page.goto('/admin');
  await cardAt(page, location).getByRole('button', { name: /^Edit/ }).click();
  await page.getByLabel('Notes').fill('Too late');
  await client.from('deployments').delete().eq('id', id).throwOnError();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('dialog').getByText(/no longer exists/)).toBeVisible();
  await expect(page.getByLabel('Notes')).toHaveValue('Too late');
});

test('navigating while a search is debounced is not undone by it', { tag: '@long' }, async ({
  openAs,
}) => {
  const page = await openAs('admin');
  const open = await hold(page, /\/assets\/staff-list-.*\.js/);
  await page.goto('/admin/payroll');
  await expect(page.getByRole('table', { name: 'Payroll' })).toBeVisible();
  const searched = page.waitForRequest(/rest\/v1\/payroll.*nobody/);
  await page.getByLabel('Search payroll').fill('nobody');
  await page.locator('#sidebar').getByRole('link', { name: 'Staff', exact: true }).click();
  await searched;
  open();
  await expect(page.getByRole('heading', { name: 'Staff Management' })).toBeVisible();
});

test('a file missing after an update asks for a reload and loses no input', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('admin');
  // This includes supabase-js: the message appears even though the session can't be read.
  const first = /\/assets\/(backend|sign-in|portal|admin)-.*\.js/;
  await page.route(first, (route) => route.fulfill({ status: 404 }));
  await page.goto('/admin');
  await expect(page.getByText('The app was updated')).toBeVisible();
  await page.unroute(first);
  await page.getByRole('button', { name: 'Reload page' }).click();
  await expect(page.getByRole('heading', { name: 'Guard Deployments' })).toBeVisible();

  const files = /\/assets\/(finder-dialog|theme-choices|client-list)-.*\.js/;
  await page.route(files, (route) => route.fulfill({ status: 404 }));
  await page.goto('/admin');
  const newDeployment = page.getByRole('button', { name: 'New Deployment' });
  await expect(newDeployment).toBeVisible();
  await page.getByRole('button', { name: 'Go to' }).click();
  await expect(page.getByText('The app was updated')).toBeVisible();
  await newDeployment.click();
  const dialog = page.getByRole('dialog', { name: 'New Deployment' });
  await dialog.getByLabel('Notes').fill('Half a sentence');
  // Located by text, because an open dialog hides everything else from the accessibility tree.
  await page.getByText('Not now').click();
  await expect(page.getByText('The app was updated')).toBeHidden();
  await expect(dialog.getByLabel('Notes')).toHaveValue('Half a sentence');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const theme = page.getByRole('button', { name: 'Colour theme' });
  await theme.click();
  await expect(page.getByText('The app was updated')).toBeVisible();
  await expect(theme).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();

  await page.evaluate(() => document.documentElement.setAttribute('data-same-page', ''));
  await page
    .locator('#sidebar')
    .getByRole('link', { name: /^Clients/ })
    .click();
  await expect(page.getByText('The app was updated')).toBeVisible();
  await expect(page.locator('html[data-same-page]')).toBeVisible();
  await expect(page.locator('main')).toHaveCount(1);
  await page.unroute(files);
  await page.getByRole('button', { name: 'Reload page' }).click();
  await expect(page.getByRole('heading', { name: 'Clients', exact: true })).toBeVisible();
  await expect(page).toHaveURL('/admin/clients');
});

test('on a phone, a menu whose file is missing shows an error at the press, and can be tried again', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('admin', { viewport: { width: 360, height: 740 } });
  const file = /\/assets\/sidebar-drawer-.*\.js/;
  await page.route(file, (route) => route.fulfill({ status: 404 }));
  const missed = page.waitForResponse(file);
  await page.goto('/admin');
  await missed;
  await expect(page.getByRole('heading', { name: 'Guard Deployments' })).toBeVisible();
  await expect(page.getByText('The app was updated')).toBeHidden();

  const menu = page.getByRole('button', { name: 'Toggle sidebar' });
  await menu.click();
  await expect(page.getByText('The app was updated')).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('The app was updated')).toBeHidden();
  await page.unroute(file);
  await menu.click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Clients' })).toBeVisible();
});

// A phone with a scroll bar, or with larger text, has less than the usual 360 px.
test('on phones of each width nothing is wider than the screen', async ({ openAs }) => {
  const page = await openAs('admin', { viewport: { width: 320, height: 740 } });
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Guard Deployments' })).toBeVisible();
  for (const width of [320, 322, 330, 340, 350, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await expect.poll(() => excessOf(page), { message: `at ${width} px` }).toBe(0);
  }
});

/** Runs in the page: the stored answers of the last visit are never read, as in WebKit when a page left a transaction open. */
function storageWithoutAnswer() {
  const open = indexedDB.open.bind(indexedDB);
  IDBFactory.prototype.open = (name, version) =>
    name === 'last-seen'
      ? Object.assign(Object.create(IDBOpenDBRequest.prototype), { addEventListener: () => {} })
      : open(name, version);
}

test('the office opens although the browser’s storage never answers', async ({ openAs }) => {
  const page = await openAs('admin');
  await page.addInitScript(storageWithoutAnswer);
  await page.goto('/admin/clients');
  await expect(page.getByRole('heading', { name: 'Clients', exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
});
