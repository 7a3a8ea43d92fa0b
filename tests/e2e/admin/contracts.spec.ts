// A contract from its first line to the coverage that it promised, by finance; the operations manager only looks.
import { randomUUID } from 'node:crypto';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { choose } from '#tests/e2e/support/choose.ts';
import { gate } from '#tests/e2e/support/gate.ts';
import { test as base, expect } from '#tests/e2e/support/test.ts';

const test = base.extend<{ client: { id: string; name: string; site: string } }>({
  client: async ({ databaseOf }, use) => {
    const database = await databaseOf('admin');
    const [name, site] = [
      `Mission ${randomUUID().slice(0, 8)}`,
      `Chancery ${randomUUID().slice(0, 8)}`,
    ];
    const { data: client } = await database
      .from('clients')
      .insert({ name, number_of_guards: 2, monthly_rate: 3000, location: 'Mamba Point' })
      .select('id')
      .single()
      .throwOnError();
    const { data: place } = await database
      .from('sites')
      .insert({ name: site, client_name: name, client_id: client.id, address: 'Mamba Point' })
      .select('id')
      .single()
      .throwOnError();
    await database.from('posts').insert({ site_id: place.id, name: 'Main Gate' }).throwOnError();
    // A day shift of March 2025 that nobody works.
    await database
      .from('shifts')
      .insert({
        site_id: place.id,
        start_time: '2025-03-04T06:00:00Z',
        end_time: '2025-03-04T18:00:00Z',
        required_headcount: 2,
      })
      .throwOnError();
    await use({ id: client.id, name, site });
  },
});

test('finance writes a contract with posts and a dated price change; operations sees its coverage and no prices', {
  tag: '@everyday',
}, async ({ openAs, client }) => {
  const page = await openAs('finance');
  await page.goto('/admin/contracts');
  await page.getByRole('button', { name: 'Add Contract' }).click();
  const dialog = page.getByRole('dialog');
  await choose(dialog.getByLabel('Client'), client.name);
  await dialog.getByLabel('Title').fill('Guarding of the chancery');
  await dialog.getByLabel('From', { exact: true }).fill('2025-01-01');
  await dialog.getByLabel('Guards agreed').fill('4');
  await dialog.getByRole('button', { name: 'Add Contract' }).click();
  await expect(page.getByRole('heading', { name: client.name })).toBeVisible();
  await expect(
    page.getByText('Guarding of the chancery, Jan 1, 2025 until further notice.'),
  ).toBeVisible();

  await page.getByRole('button', { name: 'Add Post' }).click();
  await choose(dialog.getByLabel('Site'), client.site);
  await choose(dialog.getByLabel('Post', { exact: true }), 'Main Gate');
  await dialog.getByLabel('Billed by').selectOption('Fixed amount a month');
  await dialog.getByRole('button', { name: 'Add Post' }).click();
  await expect(dialog.getByText('Amount is required')).toBeVisible();
  await dialog.getByLabel('Amount a month (USD)').fill('1,850');
  await dialog.getByRole('button', { name: 'Add Post' }).click();
  const posts = page.getByRole('region', { name: 'Posts' });
  await expect(posts.getByRole('row', { name: /Main Gate/ })).toContainText('$1,850.00');

  for (const [amount, from] of [
    ['4.25', '2025-01-01'],
    ['4.5125', '2031-07-01'],
  ] as const) {
    await page.getByRole('button', { name: 'Add Rate' }).click();
    await dialog.getByLabel('Rate an hour (USD)').fill(amount);
    await dialog.getByLabel('From', { exact: true }).fill(from);
    await dialog.getByRole('button', { name: 'Add Rate' }).click();
    await expect(dialog).toBeHidden();
  }
  const rates = page.getByRole('region', { name: 'Rates' });
  await expect(rates.getByRole('row', { name: /Jul 1, 2031/ })).toContainText('$4.5125');
  expect(await faultsOf(page)).toEqual([]);

  const address = page.url();
  const operations = await openAs('ops');
  await operations.goto(`${address}?tab=coverage&day=2025-03-01`);
  const row = operations.getByRole('row', { name: new RegExp(client.site) });
  await expect(row).toContainText('24.0 h');
  await expect(row).toContainText('0.0 %');
  await operations.getByRole('tab', { name: 'Posts' }).click();
  await expect(operations.getByRole('row', { name: /Main Gate/ })).toBeVisible();
  await expect(operations.getByRole('region', { name: 'Rates' })).toHaveCount(0);
  await expect(operations.getByRole('button', { name: 'Add Post' })).toHaveCount(0);
});

test('an open contract is fetched again once its subscription is active, whatever has rendered since', async ({
  openAs,
  databaseOf,
  client,
}) => {
  const database = await databaseOf('finance');
  const { data: contract } = await database
    .from('contracts')
    .insert({ client_id: client.id, title: 'Gate', starts_on: '2025-01-01' })
    .select('id')
    .single()
    .throwOnError();
  const page = await openAs('finance');
  const subscribed = page
    .waitForEvent('websocket')
    .then((socket) =>
      socket.waitForEvent('framereceived', ({ payload }) =>
        /live:contracts:\d+.*phx_reply/.test(payload.toString()),
      ),
    );
  const held = gate();
  let loads = 0;
  await page.route(/\/rest\/v1\/contracts\?/, async (route) => {
    loads += 1;
    if (loads === 1) await held.opened;
    await route.continue();
  });
  await page.goto(`/admin/contracts/${contract.id}`);
  await subscribed;
  held.open();
  await expect(page.getByText('Gate, Jan 1, 2025')).toBeVisible();
  await expect.poll(() => loads).toBe(2);
});
