// What finance reads from invoices: the client's statement, what a site earned, and the journal for the accountant.
import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { billedMonth } from '#tests/e2e/support/billed-month.ts';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { test as base, expect } from '#tests/e2e/support/test.ts';

/** An invoice of 24 hours at $4.25, a receipt of $60 for it, and a credit of a line of $10. */
const test = base.extend<{
  billed: Awaited<ReturnType<typeof billedMonth>> & {
    number: string;
    note: string;
    /** Of the invoice, and of its credit note, which may be of the next day. */
    today: string;
    noteDay: string;
  };
}>({
  billed: async ({ url, dataDir, databaseOf }, use) => {
    const admin = await databaseOf('admin');
    const month = await billedMonth(
      { url, dataDir, admin },
      { year: 2024, month: 9 },
      {
        gate: [
          { day: 2, in: 6, out: 18 },
          { day: 3, in: 6, out: 18 },
        ],
      },
    );
    const { data: drafts } = await admin
      .rpc('draft_invoices', { from: '2024-09-01', to: '2024-09-30', client_id: month.client.id })
      .throwOnError();
    const invoice = drafts[0]?.invoice_id ?? '';
    const { data: line } = await admin
      .from('invoice_lines')
      .insert({ invoice_id: invoice, description: 'New lock', quantity: 1, rate: 10 })
      .select('id')
      .single()
      .throwOnError();
    const { data: issued } = await admin.rpc('issue_invoice', { id: invoice }).throwOnError();
    const today = issued.issued_on ?? '';
    const { data: note } = await admin
      .rpc('credit_invoice', {
        p_invoice_id: invoice,
        p_reason: 'It was free',
        p_line_ids: [line.id],
      })
      .throwOnError();
    await admin
      .rpc('record_receipt', {
        p_client_id: month.client.id,
        p_currency: 'USD',
        p_amount: 60,
        p_received_on: today,
        p_method: 'bank',
        p_reference: 'R-77',
      })
      .throwOnError();
    const documents = { number: issued.number ?? '', note: note.number, noteDay: note.issued_on };
    await use({ ...month, ...documents, today });
  },
});

async function fileOf(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const download: Promise<Download> = page.waitForEvent('download');
  await press();
  return readFile(await (await download).path());
}

test('the statement of a client has its documents between both balances, on screen, as CSV and PDF', async ({
  openAs,
  billed,
}) => {
  const { client, number, note, today } = billed;
  const page = await openAs('finance');
  await page.goto('/admin/invoices/statements?currency=USD');
  const owed = page.getByRole('row').filter({ hasText: client.name });
  await expect(owed).toContainText('$42.00');
  await owed.getByRole('link', { name: client.name }).click();
  await expect(page.getByRole('heading', { name: client.name })).toBeVisible();
  const rows = page.getByRole('table', { name: `Statement of ${client.name}` }).getByRole('row');
  const figures = (name: string) => rows.filter({ hasText: name });
  await expect(figures('Opening balance')).toContainText('$0.00');
  await expect(figures(`Invoice ${number}`)).toContainText('$112.00');
  await expect(figures(`Credit note ${note}`)).toContainText('$10.00$102.00');
  await expect(figures('R-77')).toContainText('$60.00$42.00');
  await expect(figures('Closing balance')).toContainText('$42.00');
  expect(await faultsOf(page)).toEqual([]);

  const csv = await readFile(await (await exportFile(page, 'CSV')).path(), 'utf8');
  expect(csv).toContain(`${today},Invoice,${number}`);
  expect(csv.trim().split('\n')).toHaveLength(6);
  const pdf = await fileOf(page, () => page.getByRole('button', { name: 'PDF' }).click());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.toString('latin1')).toContain(`Credit note ${note}`);

  // Before the first document: nothing but both balances.
  await page.goto(`/admin/invoices/statements?client=${client.id}&from=2024-01-01&to=2024-12-31`);
  await expect(figures('Closing balance')).toContainText('$0.00');
  await expect(rows).toHaveCount(3);
});

test('the margin of a site is what was billed, and opens to the hours behind it', async ({
  openAs,
  billed,
}) => {
  const page = await openAs('finance');
  await page.goto(
    `/admin/invoices/margin?from=2024-09-01&to=2024-09-30&client=${billed.client.id}&currency=apart`,
  );
  const margin = page.getByRole('region', { name: 'Margin in USD' });
  const row = margin.getByRole('row').filter({ hasText: billed.siteName });
  await expect(row).toContainText('$102.00');
  await expect(row).toContainText('100.0 %');
  await expect(row).toContainText('24.0 h');
  expect(await faultsOf(page)).toEqual([]);
  await row.getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: `Hours at ${billed.siteName}` });
  const guard = dialog.getByRole('row').filter({ hasText: billed.guards.gate?.name ?? '' });
  // Worked and billed; no pay run has paid them.
  await expect(guard).toContainText('24.0 h0.0 h24.0 h');
});

test('the journal balances each document and is exported; an account gets the code of the package', async ({
  openAs,
  billed,
}) => {
  const { number, note, today, noteDay, client } = billed;
  const page = await openAs('finance');
  await page.goto(`/admin/invoices/accounting?tab=chart`);
  const chart = page.getByRole('table', { name: 'Chart of accounts' });
  const revenue = chart.getByRole('row').filter({ hasText: 'Invoices without tax' });
  const dialog = page.getByRole('dialog');
  const rename = async (code: string) => {
    await revenue.getByRole('button').click();
    await dialog.getByLabel('Code').fill(code);
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(revenue).toContainText(code);
  };
  await rename('4711');
  expect(await faultsOf(page)).toEqual([]);

  await page.goto(`/admin/invoices/accounting?from=${today}&to=${noteDay}`);
  await expect(page.getByText('Every document is balanced in its currency')).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  const csv = await readFile(await (await exportFile(page, 'CSV')).path(), 'utf8');
  const lines = csv.split(/\r?\n/);
  const has = (document: string, account: string, figures: string, day = today) =>
    lines.some(
      (line) => line.startsWith(`${day},${document},${account},`) && line.includes(figures),
    );
  expect(has(number, '1100', '112.00,0,USD') || has(number, '1100', '112.00,0.00,USD')).toBe(true);
  expect(has(number, '4711', 'USD')).toBe(true);
  expect(has(note, '4711', 'USD', noteDay)).toBe(true);
  expect(lines.filter((line) => line.includes(client.name)).length).toBeGreaterThanOrEqual(6);

  await page.goto('/admin/invoices/accounting?tab=chart');
  await rename('4000');
});

test('the sums of the journal stay on one line', async ({ openAs }) => {
  const page = await openAs('finance', { viewport: { width: 1280, height: 800 } });
  await page.goto('/admin/invoices/accounting');
  const figures = page.locator('main dl').first();
  await expect(figures).toContainText('Credits, LRD');
  const heights = await figures
    .locator('dd')
    .evaluateAll((all) => all.map((figure) => figure.clientHeight));
  expect(new Set(heights).size).toBe(1);
});
