// Loading, error, empty and long lists in the tracker. Responses come from the real server.
import {
  addDeployment,
  cardAt,
  deploymentsAt,
  fillDeployment,
} from '#tests/e2e/support/deployments.ts';
import { failing } from '#tests/e2e/support/failing.ts';
import { gate } from '#tests/e2e/support/gate.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const LIST = /\/rest\/v1\/deployments\?select/;
const ROWS = /\/rest\/v1\/deployments/;
const DAY = { guard: 'Musu Flomo', start: '2031-07-01T06:00', end: '2031-07-01T18:00' };

test('it shows that it is loading', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('guard');
  const held = gate();
  await page.route(LIST, async (route) => {
    await held.opened;
    await route.continue();
  });
  await page.goto('/deployments');
  await expect(page.getByText('Loading deployments...')).toBeVisible();
  held.open();
  await expect(page.getByText('Loading deployments...')).toBeHidden();
});

test('an empty list explains how to begin', { tag: '@long' }, async ({ openAs }) => {
  const page = await openAs('guard');
  const nothing = 'id=eq.00000000-0000-4000-8000-000000000000';
  await page.route(LIST, (route) => route.continue({ url: `${route.request().url()}&${nothing}` }));
  await page.goto('/deployments');
  await expect(
    page.getByText('No deployments yet. Create your first deployment above.'),
  ).toBeVisible();
});

test('a list that fails to load shows why, and loads on retry', {
  tag: '@long',
}, async ({ openAs }) => {
  const page = await openAs('guard');
  const works = await failing(page, LIST, 'The disk is full.');
  await page.goto('/deployments');
  await expect(page.getByText('Error fetching deployments')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The disk is full.');
  await works();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
});

test('a failed save keeps what was typed, and works on retry', { tag: '@long' }, async ({
  openAs,
  databaseOf,
  location,
}) => {
  const page = await openAs('guard');
  await page.goto('/deployments');
  await page.getByRole('button', { name: 'New Deployment' }).click();
  await fillDeployment(page, { ...DAY, location });
  await page.route(ROWS, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'Create Deployment' }).click();
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toContainText('Error creating deployment');
  // The reason stays in the dialog when the toast has gone.
  const problem = page.getByRole('dialog').getByRole('alert');
  await expect(problem).toContainText('No connection to the server.');
  await expect(toast).toHaveCount(0);
  await expect(problem).toBeVisible();
  await expect(page.getByLabel('Location')).toHaveValue(location);
  await page.unroute(ROWS);
  await page.getByRole('button', { name: 'Create Deployment' }).click();
  await expect(cardAt(page, location)).toBeVisible();
  expect(await deploymentsAt(await databaseOf('guard'), location)).toHaveLength(1);
});

test('a save shows progress, and is sent once despite double clicks', {
  tag: '@long',
}, async ({ openAs, databaseOf, location }) => {
  const page = await openAs('guard');
  await page.goto('/deployments');
  await page.getByRole('button', { name: 'New Deployment' }).click();
  await fillDeployment(page, { ...DAY, location });
  const held = gate();
  await page.route(ROWS, async (route) => {
    if (route.request().method() === 'POST') await held.opened;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Create Deployment' }).click();
  const saving = page.getByRole('button', { name: 'Creating...' });
  await expect(saving).toHaveAttribute('aria-disabled', 'true');
  await saving.click({ force: true });
  await page.getByLabel('Location').press('Enter');
  held.open();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await deploymentsAt(await databaseOf('guard'), location)).toHaveLength(1);
});

test('a failed delete keeps the deployment and shows why', { tag: '@long' }, async ({
  openAs,
  databaseOf,
  location,
}) => {
  await addDeployment(await databaseOf('guard'), { location });
  const page = await openAs('guard');
  await page.goto('/deployments');
  await page.route(ROWS, (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  );
  await cardAt(page, location)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(page.getByText('Error deleting deployment')).toBeVisible();
  await expect(cardAt(page, location)).toBeVisible();
});

test('older deployments load on request', { tag: '@long' }, async ({
  openAs,
  databaseOf,
  location,
}) => {
  const client = await databaseOf('guard');
  const many = Array.from({ length: 61 }, (_, day) => ({
    guard_name: `Guard ${day}`,
    location,
    shift_start: new Date(Date.UTC(2032, 0, 1 + day, 6)).toISOString(),
    shift_end: new Date(Date.UTC(2032, 0, 1 + day, 18)).toISOString(),
  }));
  const { error } = await client.from('deployments').insert(many);
  expect(error).toBeNull();
  const page = await openAs('guard');
  await page.goto('/deployments');
  await expect(cardAt(page, location)).toHaveCount(60);
  await expect(page.getByText(/^Showing 60 of \d+$/)).toBeVisible();
  await page.getByRole('button', { name: 'Show older deployments' }).click();
  await expect(cardAt(page, location)).toHaveCount(61);
});
