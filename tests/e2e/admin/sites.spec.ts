import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/support/test.ts';

/** A unique name. */
const newName = () => `Gate ${randomUUID().slice(0, 8)}`;

/** The position shown in the form. */
async function position(page: Page) {
  const read = async (label: string) => Number(await page.getByLabel(label).inputValue());
  return { latitude: await read('Latitude'), longitude: await read('Longitude') };
}

type Point = { x: number; y: number };

/** Page coordinates of the pin's tip. */
async function tip(map: Locator): Promise<Point> {
  const box = await map.boundingBox();
  const transform = await map.locator('[data-pin]').getAttribute('transform');
  const [x, y] = transform?.match(/-?[\d.]+/g)?.map(Number) ?? [];
  if (!box || x === undefined || y === undefined) throw new Error('There is no pin.');
  return { x: box.x + x, y: box.y + y };
}

/** Touches with several fingers, moves them together in steps, and lifts them. */
async function swipe(page: Page, from: Point[], to: Point[]) {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
  for (const count of from.keys()) await send('touchStart', from.slice(0, count + 1));
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await send(
      'touchMove',
      from.map(({ x, y }, id) => ({
        x: x + ((to[id]?.x ?? x) - x) * part,
        y: y + ((to[id]?.y ?? y) - y) * part,
      })),
    );
  }
  await send('touchEnd', []);
  await session.detach();
}

test('sites without a position are a task until they are placed on the map', {
  tag: '@everyday',
}, async ({ openAs, databaseOf }) => {
  const name = newName();
  const database = await databaseOf('ops');
  await database
    .from('sites')
    .insert({ name, client_name: 'Ducor', address: 'Mamba Point' })
    .throwOnError();
  const page = await openAs('ops');
  await page.goto('/admin/sites');
  const notice = page.getByText(/^\d+ sites? ha(s|ve) no position$/);
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const table = page.getByRole('table', { name: 'Sites' });
  await expect(page.getByLabel('Position')).toHaveValue('none');
  await expect(notice).toBeHidden();
  // Other journeys leave sites without a position, perhaps more than a page.
  await page.getByRole('searchbox').fill(name);
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).toContainText(name);
  await database
    .from('sites')
    .update({ latitude: 6.3, longitude: -10.8 })
    .eq('name', name)
    .throwOnError();
  await expect(page.getByText(name)).toBeHidden();
  await page.goto(`/admin/sites?q=${name}`);
  await expect(table).toContainText(name);
  await database.from('sites').delete().eq('name', name).throwOnError();
});

test('a site is placed on the map, moved by keyboard and touch, and deleted once unused', async ({
  openAs,
  databaseOf,
}) => {
  const name = newName();
  const database = await databaseOf('ops');
  const stored = async () => {
    const { data } = await database.from('sites').select().eq('name', name).throwOnError();
    return data;
  };
  const page = await openAs('ops');
  await page.goto('/admin/sites');
  await expect(page.getByRole('table', { name: 'Sites' }).getByRole('columnheader')).toHaveText([
    'Site Name',
    'Client',
    'Address',
    'Timezone',
    'Actions',
  ]);
  await page.getByRole('button', { name: 'Add Site' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add Site' }).click();
  for (const message of [
    'Site name is required',
    'Client name is required',
    'Address is required',
  ]) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await dialog.getByLabel('Site Name').fill(name);
  await dialog.getByLabel('Client Name').pressSequentially('ducor comm');
  const suggestions = page.getByRole('listbox', { name: 'Clients' });
  await expect(suggestions.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Client Name')).toHaveValue('Ducor Commercial Bank');
  await expect(dialog.getByText('Linked to the client’s record.')).toBeVisible();
  await dialog.getByLabel('Address').fill('Broad Street');

  const map = dialog.getByRole('application', { name: 'Map of the site' });
  const box = await map.boundingBox();
  if (!box) throw new Error('The map is not drawn.');
  await map.click({ position: { x: box.width / 2, y: box.height / 2 } });
  // The centre of the country.
  await expect.poll(async () => (await position(page)).latitude).toBeCloseTo(6.45, 1);
  const middle = await position(page);
  expect(middle.longitude).toBeCloseTo(-9.43, 1);
  await dialog.getByLabel('Geofence Radius (m)').fill('400');
  await dialog.getByRole('button', { name: 'Add Site' }).click();
  await expect(page.getByText('Site created successfully')).toBeVisible();
  const [created] = await stored();
  expect(created).toMatchObject({
    ...middle,
    client_name: 'Ducor Commercial Bank',
    client_id: expect.any(String),
    geofence_radius_m: 400,
    timezone: 'Africa/Monrovia',
  });

  await page.goto(`/admin/sites?q=${encodeURIComponent(name)}&open=${created?.id}`);
  await expect(dialog.getByLabel('Site Name')).toHaveValue(name);
  await expect(map).toBeVisible();
  await map.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await position(page)).latitude).toBeGreaterThan(middle.latitude);
  const further = await position(page);
  expect(further.longitude).toBeCloseTo(middle.longitude, 5);

  // Pinching zooms, even with one finger on the pin; one finger drags the pin.
  const fence = map.locator('[data-radius]');
  const radius = async () => Number(await fence.getAttribute('r'));
  const [before, pin] = [await radius(), await tip(map)];
  await swipe(page, [pin, { x: pin.x + 60, y: pin.y }], [pin, { x: pin.x + 120, y: pin.y }]);
  await expect.poll(async () => (await radius()) / before).toBeCloseTo(2, 1);
  expect(await position(page)).toEqual(further);
  const held = await tip(map);
  await swipe(page, [{ x: held.x + 4, y: held.y - 18 }], [{ x: held.x + 64, y: held.y - 18 }]);
  await expect.poll(async () => (await tip(map)).x).toBeCloseTo(held.x + 60, 0);
  const pulled = await position(page);
  expect(pulled.longitude).toBeGreaterThan(further.longitude);
  expect(pulled.latitude).toBeCloseTo(further.latitude, 5);
  await dialog.getByLabel('Client Name').fill('Somebody else');
  await expect(dialog.getByText('Linked to the client’s record.')).toHaveCount(0);
  await dialog.getByLabel('Timezone').selectOption('Africa/Accra');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Site updated successfully')).toBeVisible();
  expect(await stored()).toMatchObject([
    { ...pulled, client_name: 'Somebody else', client_id: null, timezone: 'Africa/Accra' },
  ]);

  const { data: shift } = await database
    .from('shifts')
    .insert({
      site_id: created?.id ?? '',
      start_time: '2031-01-01T06:00:00Z',
      end_time: '2031-01-01T18:00:00Z',
    })
    .select('id')
    .single()
    .throwOnError();
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(dialog).toContainText('Are you sure you want to delete this site?');
  await expect(dialog).toContainText('has 1 shift on record');
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await database.from('shifts').delete().eq('id', shift.id).throwOnError();
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(dialog).toContainText('is removed with its coordinates');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Site deleted successfully')).toBeVisible();
  expect(await stored()).toEqual([]);
});

test('two people who edit one site each see the other’s change', async ({ openAs, databaseOf }) => {
  const name = newName();
  const database = await databaseOf('ops');
  const { data: site } = await database
    .from('sites')
    .insert({ name, client_name: 'Harbour Trading', address: 'Freeport' })
    .select('id')
    .single()
    .throwOnError();
  const page = await openAs('admin');
  await page.goto(`/admin/sites?open=${site.id}`);
  const address = page.getByLabel('Address');
  await address.fill('Bushrod Island');
  await database.from('sites').update({ address: 'Caldwell' }).eq('id', site.id).throwOnError();
  await expect(page.getByText('Someone else changed this record')).toBeVisible();
  await expect(address).toHaveValue('Bushrod Island');
  await page.getByRole('button', { name: 'Their version' }).click();
  await expect(address).toHaveValue('Caldwell');
  await page.getByRole('button', { name: 'Your version' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Site updated successfully')).toBeVisible();
  const { data } = await database.from('sites').delete().eq('id', site.id).select().throwOnError();
  expect(data).toMatchObject([{ address: 'Bushrod Island', client_name: 'Harbour Trading' }]);
});
