// Nothing worked is forgotten: hours that no invoice has are listed, waived or drafted, and a credited line frees its own.
import { readFile } from 'node:fs/promises';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { billedMonth } from '#tests/e2e/support/billed-month.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

test('finance waives hours and takes that back, drafts them, and credits one line, whose hours come back', async ({
  openAs,
  databaseOf,
  url,
  dataDir,
}) => {
  const month = await billedMonth(
    { url, dataDir, admin: await databaseOf('admin') },
    { year: 2024, month: 7 },
    {
      gate: [
        { day: 1, in: 6, out: 18 },
        { day: 2, in: 6, out: 17.5 },
      ],
      yard: [{ day: 2, in: 6, out: 18 }],
    },
  );
  const [gate, yard] = [month.guards.gate?.name ?? '', month.guards.yard?.name ?? ''];
  const page = await openAs('finance');
  const unbilled = `/admin/invoices/unbilled?from=2024-07-01&to=2024-07-31&client=${month.client.id}`;
  await page.goto(unbilled);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row(gate)).toContainText('23.5 h');
  await expect(row(gate)).toContainText('Not drafted');
  const sums = page.getByRole('region', { name: 'Sums by reason' });
  await expect(sums).toContainText('35.5 h');
  expect(await faultsOf(page)).toEqual([]);

  const dialog = page.getByRole('dialog');
  const waive = async () => {
    await row(yard).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Waive...' }).click();
    await expect(dialog).toContainText('12.0 h at 1 site will not be billed');
    await dialog.getByLabel('Reason').fill('A favour to the mission');
    await dialog.getByRole('button', { name: 'Waive...' }).click();
    await expect(row(yard)).toHaveCount(0);
  };
  await waive();
  const waived = await holdToast(page, '1 entry waived');
  await waived.getByRole('button', { name: 'Undo' }).click();
  await expect(row(yard)).toContainText('12.0 h');
  await waive();
  await sums.getByRole('button', { name: 'Waived' }).click();
  await expect(row(yard)).toContainText('A favour to the mission');
  await row(yard).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Bill again' }).click();
  await expect(row(yard)).toHaveCount(0);

  await page.goto(unbilled);
  await row(gate).getByRole('button', { name: 'Draft invoice' }).click();
  await expect(dialog.getByLabel('From', { exact: true })).toHaveValue('2024-07-01');
  await dialog.getByRole('button', { name: 'Draft Invoices' }).click();
  await expect(page.getByText('Nothing unbilled in these days')).toBeVisible();

  await page.goto(`/admin/invoices?q=${encodeURIComponent(month.client.name)}`);
  await page.getByRole('link', { name: month.client.name }).click();
  await page.getByRole('button', { name: 'Add Line' }).click();
  await dialog.getByLabel('Description').fill('New lock for the gate');
  await dialog.getByLabel('Price (USD)').fill('50');
  await dialog.getByRole('button', { name: 'Add Line' }).click();
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^INV-/ })).toBeVisible();

  // 35.5 h at $4.25 are $150.88.
  await page.getByRole('button', { name: 'Credit' }).click();
  await expect(dialog).toContainText('$200.88');
  await dialog.getByRole('checkbox', { name: /New lock for the gate/ }).uncheck();
  await expect(dialog.getByRole('status')).toHaveText('$150.88');
  await dialog.getByLabel('Reason').fill('Billed to the wrong month');
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Issue Credit Note' }).click();
  const notes = page.getByRole('region', { name: 'Credit Notes' });
  await expect(notes).toContainText('Billed to the wrong month');
  await expect(notes).toContainText('$150.88');
  const download = page.waitForEvent('download');
  await notes.getByRole('button', { name: /^PDF of CN-/ }).click();
  const file = await readFile(await (await download).path());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');

  await page.goto(unbilled);
  await expect(row(gate)).toContainText('23.5 h');
});

test('a monthly amount opens to the hours that were worked for it', async ({
  openAs,
  databaseOf,
  url,
  dataDir,
}) => {
  const admin = await databaseOf('admin');
  const month = await billedMonth(
    { url, dataDir, admin },
    { year: 2024, month: 8 },
    {
      gate: [{ day: 5, in: 6.25, out: 18 }],
    },
  );
  await admin
    .from('contract_posts')
    .update({ basis: 'fixed', monthly_amount: 900 })
    .eq('contract_id', month.contract.id)
    .throwOnError();
  const { data: drafts } = await admin
    .rpc('draft_invoices', { from: '2024-08-01', to: '2024-08-31', client_id: month.client.id })
    .throwOnError();
  const page = await openAs('finance');
  await page.goto(`/admin/invoices/${drafts[0]?.invoice_id}`);
  await page.getByRole('region', { name: month.siteName }).getByRole('button').first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('11 h 45 min worked, included in the fixed amount.');
  await expect(dialog.getByRole('row').filter({ hasText: 'Aug 5, 2024' })).toContainText('6:15 AM');
});
