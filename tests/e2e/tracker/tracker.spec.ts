import type { WebSocketRoute } from '@playwright/test';
import {
  addDeployment,
  cardAt,
  deploymentsAt,
  fillDeployment,
} from '#tests/e2e/support/deployments.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

const NIGHT = { guard: 'James Kollie', start: '2031-06-01T18:00', end: '2031-06-02T06:30' };

test('a guard creates a deployment, and the form is cleared', { tag: '@everyday' }, async ({
  openAs,
  location,
}) => {
  const page = await openAs('guard');
  await page.goto('/deployments');
  await page.getByRole('button', { name: 'New Deployment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Deployment' });
  await expect(dialog.getByLabel('Status')).toHaveValue('scheduled');
  await fillDeployment(page, { ...NIGHT, location });
  await dialog.getByLabel('Client Name').fill('Harbour Trading');
  await dialog.getByLabel('Status').selectOption('Active');
  await dialog.getByLabel('Notes').fill('Key at gate 2.');
  await dialog.getByRole('button', { name: 'Create Deployment' }).click();

  await expect(dialog).toBeHidden();
  await expect(page.getByText('Deployment created successfully')).toBeVisible();
  const card = cardAt(page, location);
  await expect(card.getByRole('heading', { name: 'James Kollie' })).toBeVisible();
  for (const text of ['Active', 'Harbour Trading', 'Key at gate 2.', '12 h 30 min']) {
    await expect(card).toContainText(text);
  }
  await expect(card).toContainText('June 1st, 2031 at 6:00 PM');
  await expect(card).toContainText('June 2nd, 2031 at 6:30 AM');

  await page.getByRole('button', { name: 'New Deployment' }).click();
  await expect(dialog.getByLabel('Guard Name')).toHaveValue('');
  await expect(dialog.getByLabel('Notes')).toHaveValue('');
});

test('one list, newest first, is filtered by day and searched, and a new one is in sight', async ({
  openAs,
  databaseOf,
  location,
}) => {
  const database = await databaseOf('guard');
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  const parts = [
    ['Today', hours(-1), hours(3)],
    ['Upcoming', '2031-05-01T18:00:00Z', '2031-05-02T06:00:00Z'],
    ['Past', '2019-05-01T18:00:00Z', '2019-05-02T06:00:00Z'],
  ] as const;
  for (const [part, shift_start, shift_end] of parts) {
    await addDeployment(database, {
      location,
      guard_name: `Guard ${part}`,
      shift_start,
      shift_end,
    });
  }
  const page = await openAs('guard');
  await page.goto('/deployments');
  await page.getByRole('searchbox', { name: /^Search/ }).fill(location);
  // The list without the search shows other deployments too.
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(3);
  const cards = page
    .getByRole('list', { name: 'Deployments' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') });
  await expect(cards).toHaveText([/Guard Upcoming/, /Guard Today/, /Guard Past/]);
  const filters = page.getByRole('list', { name: 'Filter' });
  for (const [part] of parts) {
    const filter = filters.getByRole('button', { name: part });
    await filter.click();
    await expect(cards).toHaveText([new RegExp(`Guard ${part}`)]);
    await expect(filter).toContainText('1');
  }
  await expect(page).toHaveURL(/\?q=Post/);
  await page.reload();
  await expect(cardAt(page, location)).toHaveCount(3);

  await filters.getByRole('button', { name: 'Past' }).click();
  const other = `${location} annex`;
  await page.getByRole('button', { name: 'New Deployment' }).click();
  await fillDeployment(page, { ...NIGHT, location: other });
  await page.getByRole('button', { name: 'Create Deployment' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('searchbox', { name: /^Search/ })).toHaveValue('');
  await expect(cardAt(page, other)).toBeInViewport();
  await page.getByRole('link', { name: 'Staff Portal' }).click();
  await expect(page).toHaveURL('/staff');
});

test('empty fields are stored as null, and the creator is the author', async ({
  openAs,
  databaseOf,
  location,
}) => {
  const page = await openAs('guard');
  await page.goto('/deployments');
  await page.getByRole('button', { name: 'New Deployment' }).click();
  await fillDeployment(page, { ...NIGHT, location });
  await page.getByRole('button', { name: 'Create Deployment' }).click();
  await expect(cardAt(page, location)).toBeVisible();
  const client = await databaseOf('guard');
  const [row] = await deploymentsAt(client, location);
  const { data } = await client.auth.getUser();
  expect(row).toMatchObject({
    client_name: null,
    notes: null,
    status: 'scheduled',
    created_by: data.user?.id,
  });
});

test('the form reports missing fields and a period that ends before it starts', async ({
  openAs,
}) => {
  const page = await openAs('guard');
  await page.goto('/deployments');
  await page.getByRole('button', { name: 'New Deployment' }).click();
  await page.getByRole('button', { name: 'Create Deployment' }).click();
  for (const [label, message] of [
    ['Guard Name', 'Guard name is required'],
    ['Location', 'Location is required'],
    ['Shift Start', 'Start time is required'],
    ['Shift End', 'End time is required'],
  ] as const) {
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(message));
  }
  await expect(page.getByLabel('Guard Name')).toBeFocused();
  await fillDeployment(page, { ...NIGHT, location: 'Nowhere', end: NIGHT.start });
  await page.getByRole('button', { name: 'Create Deployment' }).click();
  await expect(page.getByText('End time must be after the start time')).toBeVisible();
  await expect(page.getByLabel('Shift End')).toBeFocused();
});

test('times are company time in any browser time zone', { tag: '@long' }, async ({
  openAs,
  databaseOf,
  location,
}) => {
  const page = await openAs('guard', { timezoneId: 'Asia/Tokyo' });
  await page.goto('/deployments');
  await page.getByRole('button', { name: 'New Deployment' }).click();
  await fillDeployment(page, { ...NIGHT, location });
  await page.getByRole('button', { name: 'Create Deployment' }).click();
  await expect(cardAt(page, location)).toContainText('June 1st, 2031 at 6:00 PM');
  const [row] = await deploymentsAt(await databaseOf('guard'), location);
  expect(new Date(row?.shift_start ?? '').toISOString()).toBe('2031-06-01T18:00:00.000Z');
});

test('a deployment has a badge in the colour of its status', { tag: '@long' }, async ({
  openAs,
  databaseOf,
  location,
}) => {
  const colours = [
    ['scheduled', '--info'],
    ['active', '--success'],
    ['completed', '--ink-muted'],
    ['cancelled', '--danger'],
  ] as const;
  const database = await databaseOf('guard');
  for (const [status] of colours) {
    await addDeployment(database, { location: `${location} ${status}`, status });
  }
  const page = await openAs('guard');
  await page.goto('/deployments');
  for (const [status, colour] of colours) {
    const badge = cardAt(page, `${location} ${status}`).getByText(new RegExp(`^${status}$`, 'i'));
    await expect(badge).toHaveCSS(
      'color',
      await page.evaluate((name) => {
        const probe = document.createElement('i');
        probe.style.color = `var(${name})`;
        document.body.append(probe);
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      }, colour),
    );
  }
});

test('delete doesn’t ask, and Undo restores the same row', async ({
  openAs,
  databaseOf,
  location,
}) => {
  const client = await databaseOf('guard2');
  const before = await addDeployment(client, { location, notes: 'Fuel log signed.' });
  const page = await openAs('guard');
  await page.goto('/deployments');
  await cardAt(page, location)
    .getByRole('button', { name: /^Delete/ })
    .click();
  const deleted = await holdToast(page, 'Deployment deleted successfully');
  await expect(cardAt(page, location)).toBeHidden();
  expect(await deploymentsAt(client, location)).toEqual([]);

  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(cardAt(page, location)).toContainText('Fuel log signed.');
  const [after] = await deploymentsAt(client, location);
  expect(after).toMatchObject({
    id: before.id,
    created_at: before.created_at,
    status: before.status,
  });
});

test('a deleted deployment stays deleted without Undo, and focus moves to the next element', {
  tag: '@long',
}, async ({ openAs, databaseOf, location }) => {
  const client = await databaseOf('guard');
  for (const [guard_name, day] of [
    ['Sam Leaving', 2],
    ['Sam Staying', 1],
  ] as const) {
    const shift_start = `2041-01-0${day}T06:00:00Z`;
    await addDeployment(client, {
      location,
      guard_name,
      shift_start,
      shift_end: shift_start.replace('06', '18'),
    });
  }
  const page = await openAs('guard');
  await page.goto('/deployments');
  const leaving = page.getByRole('button', { name: 'Delete deployment of Sam Leaving' });
  await leaving.focus();
  await page.keyboard.press('Enter');
  await expect(leaving).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(
    page.getByRole('button', { name: 'Delete deployment of Sam Staying' }),
  ).toBeFocused();
  await page.reload();
  await expect(cardAt(page, location)).toHaveCount(1);
  await expect(cardAt(page, location)).toContainText('Sam Staying');
});

test('Undo shows an error when someone else has already restored the row', {
  tag: '@long',
}, async ({ openAs, databaseOf, location }) => {
  const client = await databaseOf('guard');
  const row = await addDeployment(client, { location });
  const page = await openAs('guard');
  await page.goto('/deployments');
  await cardAt(page, location)
    .getByRole('button', { name: /^Delete/ })
    .click();
  const deleted = await holdToast(page, 'Deployment deleted successfully');
  await addDeployment(client, row);
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('This record already exists.')).toBeVisible();
  expect(await deploymentsAt(client, location)).toHaveLength(1);
});

test('changes by one user appear live for another', async ({ openAs, location }) => {
  const here = await openAs('guard');
  const there = await openAs('guard2');
  const listening = there
    .waitForEvent('websocket', (socket) => socket.url().includes('realtime'))
    .then((socket) =>
      socket.waitForEvent('framereceived', (frame) =>
        String(frame.payload).includes('Subscribed to PostgreSQL'),
      ),
    );
  await there.goto('/deployments');
  await listening;
  await here.goto('/deployments');
  await here.getByRole('button', { name: 'New Deployment' }).click();
  await fillDeployment(here, { ...NIGHT, location });
  await here.getByRole('button', { name: 'Create Deployment' }).click();
  await expect(cardAt(there, location)).toBeVisible();
  await cardAt(here, location)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(cardAt(there, location)).toBeHidden();
});

test('changes made while the live connection was lost appear after reconnecting', {
  tag: '@long',
}, async ({ openAs, databaseOf, location }) => {
  const page = await openAs('guard');
  const open: WebSocketRoute[] = [];
  let isLost = false;
  await page.routeWebSocket(/\/realtime\//, (socket) => {
    if (isLost) return socket.close();
    socket.connectToServer();
    open.push(socket);
  });
  await page.goto('/deployments');
  await expect(page.getByText('Starts').first()).toBeVisible();
  await expect.poll(() => open.length).toBeGreaterThan(0);
  isLost = true;
  for (const socket of open) await socket.close();
  await addDeployment(await databaseOf('guard2'), { location });
  await expect(cardAt(page, location)).toBeHidden();
  isLost = false;
  await expect(cardAt(page, location)).toBeVisible({ timeout: 30_000 });
});
