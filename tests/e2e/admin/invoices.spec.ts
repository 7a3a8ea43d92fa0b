// An invoice from approved hours to its receipt, by finance.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { letters } from 'supabase-in-node/testing/mailbox';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { billedMonth } from '#tests/e2e/support/billed-month.ts';
import { choose } from '#tests/e2e/support/choose.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

async function draftInvoices(page: Page, draft: { from: string; to: string; client: string }) {
  await page.goto('/admin/invoices');
  await page.getByRole('button', { name: 'Draft Invoices' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What to draft').selectOption('Days that you choose');
  await dialog.getByLabel('From', { exact: true }).fill(draft.from);
  await dialog.getByLabel('To', { exact: true }).fill(draft.to);
  await choose(dialog.getByLabel('Client'), draft.client);
  await dialog.getByRole('button', { name: 'Draft Invoices' }).click();
}

test('finance drafts last month’s hours, opens a line to its clock events, issues, mails and is paid', {
  tag: '@everyday',
}, async ({ openAs, databaseOf, url, dataDir }) => {
  const month = await billedMonth(
    { url, dataDir, admin: await databaseOf('admin') },
    { year: 2024, month: 11 },
    {
      gate: [
        { day: 4, in: 6, out: 18 },
        { day: 5, in: 6.5, out: 18 },
      ],
    },
  );
  const clientName = month.client.name;

  const page = await openAs('finance');
  const dialog = page.getByRole('dialog');
  await draftInvoices(page, { from: '2024-11-01', to: '2024-11-30', client: clientName });
  // The only one opens.
  await expect(page.getByText('1 invoice drafted')).toBeVisible();

  // 23.5 hours worked at $4.25.
  await expect(page.getByRole('heading', { name: `Draft for ${clientName}` })).toBeVisible();
  const lines = page.getByRole('region', { name: month.siteName });
  await expect(lines).toContainText('23.5 h × $4.25');
  await expect(lines).toContainText('$99.88');
  await lines.getByRole('button').first().click();
  const late = dialog.getByRole('row').filter({ hasText: 'Nov 5, 2024' });
  await expect(late).toContainText(month.guards.gate?.name ?? '');
  await expect(late).toContainText('6:30 AM');
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Add Line' }).click();
  await dialog.getByLabel('Description').fill('An armored vehicle');
  await dialog.getByLabel('Price (USD)').fill('2500050');
  await dialog.getByRole('button', { name: 'Add Line' }).click();
  await expect(page.getByText('$2,500,149.88').first()).toBeVisible();
  // Figures of millions are not broken: all are one line high.
  const heights = await page
    .getByRole('definition')
    .evaluateAll((figures) => figures.map((figure) => figure.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);

  // The margin lacks the draft, and shows that.
  const { id } = month.client;
  await page.goto(`/admin/invoices/margin?from=2024-11-01&to=2024-11-30&client=${id}`);
  const notice = page.getByRole('status').filter({ hasText: '1 invoice is still a draft' });
  await notice.getByRole('link', { name: 'Show Drafts' }).click();
  await page.getByRole('searchbox').fill(clientName);
  await page.getByRole('link', { name: clientName }).click();

  // By keyboard: the buttons of a draft disappear after the dialog.
  await page.getByRole('button', { name: 'Issue', exact: true }).press('Enter');
  await dialog.getByRole('button', { name: 'Issue', exact: true }).press('Enter');
  const heading = page.getByRole('heading', { name: /^INV-\d{4}-\d{4,}$/ });
  await expect(heading).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Line' })).toHaveCount(0);
  await expect(heading).toBeFocused();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PDF' }).click();
  const file = await readFile(await (await download).path());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');

  await page.getByRole('button', { name: 'Mail' }).click();
  await dialog.getByRole('button', { name: 'Mail' }).click();
  await expect(page.getByText('Invoice on its way')).toBeVisible();
  await expect
    .poll(async () => (await letters(dataDir)).some(({ to }) => to === month.contract.email))
    .toBe(true);

  await page.getByRole('button', { name: 'Record Receipt' }).click();
  await expect(dialog.getByLabel('Amount (USD)')).toHaveValue('2500149.88');
  await dialog.getByLabel('Amount (USD)').fill('2500100');
  await dialog.getByRole('button', { name: 'Record Receipt' }).click();
  await expect(page.getByText('Part-paid')).toBeVisible();
  await expect(page.getByText('$49.88')).toBeVisible();

  // Money that came in advance pays the rest.
  const finance = await databaseOf('finance');
  await finance
    .rpc('record_receipt', {
      p_client_id: id,
      p_currency: 'USD',
      p_amount: 60,
      // Monrovia has UTC.
      p_received_on: new Date().toISOString().slice(0, 10),
      p_method: 'bank',
      p_reference: 'TT 4711',
      p_allocations: [],
    })
    .throwOnError();
  await page.getByRole('button', { name: 'Use Money on Account' }).click();
  await expect(dialog).toContainText('$60.00');
  await dialog.getByRole('button', { name: 'Use Money' }).click();
  await expect(page.getByText('Money on account used')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use Money on Account' })).toHaveCount(0);
  const { data: left } = await finance
    .from('receipts')
    .select('unallocated')
    .eq('client_id', id)
    .gt('unallocated', 0)
    .throwOnError();
  expect(left).toEqual([{ unallocated: 10.12 }]);

  // The receipt was another client's: once void, the invoice is owed again.
  await page.goto(`/admin/invoices/statements?client=${id}`);
  const voidButton = page.getByRole('button', { name: 'Void receipt TT 4711' });
  await voidButton.click();
  await dialog.getByLabel('Reason').fill('Another client paid it');
  await dialog.getByRole('button', { name: 'Void Receipt' }).click();
  await expect(page.getByText('Receipt void', { exact: true })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Another client paid it' })).toBeVisible();
  await expect(voidButton).toHaveCount(0);
});

test('a contract whose hours are not approved counts as no draft, and the message names it', async ({
  openAs,
  databaseOf,
  url,
  dataDir,
}) => {
  const admin = await databaseOf('admin');
  const month = await billedMonth(
    { url, dataDir, admin },
    { year: 2024, month: 5 },
    { gate: [{ day: 6, in: 6, out: 18 }] },
  );
  const { data: sheet } = await admin
    .from('timesheets')
    .select('id')
    .eq('user_id', month.guards.gate?.session.user.id ?? '')
    .eq('period_start', '2024-05-01')
    .single()
    .throwOnError();
  await admin.rpc('reopen_timesheet', { id: sheet.id, reason: 'Wrong day' }).throwOnError();

  const page = await openAs('finance');
  await draftInvoices(page, { from: '2024-05-01', to: '2024-05-31', client: month.client.name });
  const toast = await holdToast(page, '0 invoices drafted');
  await expect(toast).toContainText(
    'Nothing can be billed yet for 1 contract: see the reasons in Unbilled Hours.',
  );
});
