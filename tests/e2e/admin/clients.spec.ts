import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { sampleClients } from '#web/features/clients/clients/sample.ts';

/** A unique name. */
const newName = () => `Harbour ${randomUUID().slice(0, 8)}`;

const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });

test('a client is added, found with its totals, changed, and deleted with its links', {
  tag: '@everyday',
}, async ({ openAs, databaseOf }) => {
  const name = newName();
  const database = await databaseOf('ops');
  const stored = async () => {
    const { data } = await database.from('clients').select().eq('name', name).throwOnError();
    return data;
  };
  const page = await openAs('ops');
  await page.goto('/admin/clients');
  await page.getByRole('button', { name: 'Add Client' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add Client' }).click();
  for (const message of [
    'Client name is required',
    'Number of guards is required',
    'Monthly rate is required',
    'Location is required',
  ]) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await dialog.getByLabel('Client Name').fill(name);
  await dialog.getByLabel('Number of Guards').fill('3');
  await dialog.getByLabel('Monthly Rate (USD)').fill('2,000');
  await dialog.getByLabel('Location').fill('Buchanan');
  await expect(dialog.getByRole('status')).toHaveText('$666.67');
  await dialog.getByRole('button', { name: 'Add Client' }).click();
  await expect(page.getByText('Client created successfully')).toBeVisible();
  expect(await stored()).toMatchObject([
    { number_of_guards: 3, monthly_rate: 2000, location: 'Buchanan', payment_method: 'monthly' },
  ]);

  await page.getByLabel('Search clients').fill(name);
  const totals = page.getByRole('region', { name: 'Totals of the clients found' });
  await expect(totals.getByRole('definition')).toHaveText(['1', '3', '$2,000.00']);
  await expect(card(page, name)).toContainText('$666.67');
  await page.getByRole('button', { name: `Edit client ${name}` }).click();
  await expect(page).toHaveURL(/open=/);
  await dialog.getByLabel('Number of Guards').fill('0');
  await dialog.getByLabel('Payment Method').selectOption('On demand');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Client updated successfully')).toBeVisible();
  await expect(card(page, name)).toContainText('Rate per Guard$0.00');
  const [client] = await stored();
  expect(client).toMatchObject({ number_of_guards: 0, payment_method: 'on-demand' });

  const site = { name: `${name} gate`, client_name: name, address: 'Buchanan' };
  await database
    .from('sites')
    .insert({ ...site, client_id: client?.id ?? null })
    .throwOnError();
  await page.getByRole('button', { name: `Delete client ${name}` }).click();
  await expect(dialog).toContainText('Are you sure you want to delete this client?');
  await expect(dialog).toContainText('1 site linked to it will keep the name, but not the link.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Client deleted successfully')).toBeVisible();
  await expect(page.getByText('No clients match')).toBeVisible();
  expect(await stored()).toEqual([]);
  const { data: kept } = await database
    .from('sites')
    .delete()
    .eq('name', site.name)
    .select()
    .throwOnError();
  expect(kept).toMatchObject([{ ...site, client_id: null }]);
});

test('the sample is imported once, a CSV with a preview, and everything can be exported', async ({
  openAs,
  databaseOf,
}) => {
  const database = await databaseOf('admin');
  const begun = new Date(Date.now() - 1000).toISOString();
  const page = await openAs('admin');
  await page.goto('/admin/clients');
  const importSample = page.getByRole('button', { name: 'Import Sample' });
  const question = page.getByRole('dialog', { name: 'Import Sample' });
  await importSample.click();
  await expect(question).toContainText('Add 67 clients to look at?');
  await expect(question).toContainText('Abi Joudi Cold Rooms');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await importSample.click();
  await question.getByRole('button', { name: 'Import 67' }).click();
  await expect(page.getByText('67 clients imported successfully')).toBeVisible();
  await importSample.click();
  await question.getByRole('button', { name: 'Import 67' }).click();
  await expect(
    page.getByText('Failed to import clients. Some clients may already exist.'),
  ).toBeVisible();

  const name = newName();
  await page.getByRole('button', { name: 'Import File' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Clients' });
  const chooseBytes = (buffer: Buffer) =>
    dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer });
  const choose = (text: string) => chooseBytes(Buffer.from(text));
  const headings = 'Name,Number of Guards,Monthly Rate,Location,Payment Method';
  await choose(`${headings}\n${name},4,1500,Harper,Cash\n,4,1500,Harper,`);
  await expect(dialog.getByText('1 of 2 rows need a correction')).toBeVisible();
  await choose(`${headings}\n\n"${name},4,1500,Harper,Cash`);
  await expect(dialog.getByText('The quote in line 3 is never closed.')).toBeVisible();
  await choose(`${headings}\n\n${name},4,"450,00",Harper,Cash`);
  const wrong = dialog.getByRole('row').filter({ hasText: 'must be an amount such as' });
  await expect(wrong).toContainText('3');
  // As Excel saves it on Windows.
  await chooseBytes(
    Buffer.from(`${headings}\nJos\xE9 \x93Joe\x94 Pe\xF1a,4,1500,Harper,`, 'latin1'),
  );
  await expect(dialog.getByText('José “Joe” Peña')).toBeVisible();
  await choose(`${headings}\n${name},4,"1,500",Harper,Cash\n${name} II,0,0,Harper,`);
  await dialog.getByRole('button', { name: 'Import 2' }).click();
  await expect(page.getByText('2 records imported successfully')).toBeVisible();

  await page.getByLabel('Search clients').fill(name);
  await expect(page.getByRole('list', { name: 'Clients' }).getByRole('listitem')).toHaveCount(2);
  const download = await exportFile(page, 'CSV');
  const file = await readFile(await download.path(), 'utf8');
  expect(file.split('\r\n').slice(1)).toEqual([
    `${name},4,1500.00,375.00,Harper,Cash`,
    `${name} II,0,0.00,0.00,Harper,Monthly`,
  ]);
  const { data } = await database
    .from('clients')
    .delete()
    .in('name', [...sampleClients.map((sample) => sample.name), name, `${name} II`])
    .gt('created_at', begun)
    .select('name')
    .throwOnError();
  expect(data).toHaveLength(69);
});

test('a company of its own is offered samples only while it has no clients', async ({ openAs }) => {
  const page = await openAs('admin');
  await page.route('**/app-config.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), isDemo: false } });
  });
  await page.goto('/admin/clients');
  await expect(page.getByRole('list', { name: 'Clients' }).getByRole('listitem')).not.toHaveCount(
    0,
  );
  await expect(page.getByRole('button', { name: 'Import File' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import Sample' })).toHaveCount(0);
  // A search that finds nothing is not an empty table.
  await page.getByLabel('Search clients').fill('no such client');
  await expect(page.getByRole('listitem').filter({ hasText: 'Chancery' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Import Sample' })).toHaveCount(0);
});
