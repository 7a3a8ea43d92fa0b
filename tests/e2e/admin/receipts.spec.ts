// Money of clients: parts of credit notes, payments that look alike, tax withheld, refunds, disputes, and where to pay.
import type { Page } from '@playwright/test';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { type BilledMonth, billedMonth } from '#tests/e2e/support/billed-month.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast, toastOf } from '#tests/e2e/support/toast.ts';

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

type Receipt = { amount: string; withheld?: string; reference: string };

/** Fills the form in and saves it; the dialog may stay open. */
async function record(page: Page, { amount, withheld, reference }: Receipt) {
  await page.getByRole('button', { name: 'Record Receipt' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount (USD)').fill(amount);
  if (withheld) await dialog.getByLabel('Tax Withheld (USD)').fill(withheld);
  await dialog.getByLabel('Reference').fill(reference);
  await dialog.getByRole('button', { name: 'Record Receipt' }).click();
}

test('finance credits a part, is paid in three payments, and another person pays the refund', async ({
  openAs,
  databaseOf,
  url,
  dataDir,
}) => {
  const admin = await databaseOf('admin');
  const finance = await databaseOf('finance');
  // Twelve hours at $4.25 are $51.00.
  const month: BilledMonth = await billedMonth(
    { url, dataDir, admin },
    { year: 2024, month: 3 },
    { gate: [{ day: 4, in: 6, out: 18 }] },
  );
  const { id: client, name } = month.client;
  const { data: drafts } = await finance
    .rpc('draft_invoices', { from: '2024-03-01', to: '2024-03-31', client_id: client })
    .throwOnError();
  const invoice = drafts.find(({ invoice_id }) => invoice_id)?.invoice_id ?? '';
  await finance.rpc('issue_invoice', { id: invoice }).throwOnError();

  const page = await openAs('finance');
  const dialog = page.getByRole('dialog');
  await page.goto(`/admin/invoices/${invoice}`);

  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  await dialog.getByRole('button', { name: /^Credit a part/ }).click();
  await dialog.getByLabel('Credit', { exact: true }).selectOption('An amount');
  await dialog.getByLabel('Amount (USD)').fill('52');
  await dialog.getByLabel('Reason').fill('The guard came without a radio');
  await dialog.getByRole('button', { name: 'Issue Credit Note' }).click();
  await expect(dialog.getByRole('alert')).toContainText('at most US$51.00');
  await dialog.getByLabel('Amount (USD)').fill('1');
  await expect(dialog.getByRole('status').filter({ hasText: '$1.00' })).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Issue Credit Note' }).click();
  await expect(page.getByText('Credit note issued')).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: '$50.00' })).toBeVisible();

  await page.getByRole('button', { name: 'Note Dispute' }).click();
  await dialog.getByLabel('What the Client Contests').fill('The hours of Mar 4.');
  await dialog.getByRole('button', { name: 'Note Dispute' }).click();
  const notice = page.getByRole('status').filter({ hasText: 'is in dispute since' });
  await expect(notice).toContainText('The hours of Mar 4.');
  await page.goto(`/admin/invoices?q=${encodeURIComponent(name)}`);
  await expect(rowOf(page, name)).toContainText('In dispute');
  await page.goto(`/admin/invoices/${invoice}`);
  // What is contested is mailed only when it is meant.
  await page.getByRole('button', { name: 'Mail', exact: true }).click();
  await dialog.getByLabel('E-mail').fill('owner@example.com');
  await dialog.getByRole('button', { name: 'Mail', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('The client contests this invoice');
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByLabel('Mail it all the same').check();
  await dialog.getByRole('button', { name: 'Mail', exact: true }).click();
  await expect(page.getByText('Invoice on its way')).toBeVisible();
  await notice.getByRole('button', { name: 'End Dispute' }).click();
  await dialog.getByLabel('How It Was Settled').fill('The client has seen the clock events.');
  await dialog.getByRole('button', { name: 'End Dispute' }).click();
  await expect(notice).toHaveCount(0);

  // Two payments alike: the second is looked at first.
  await record(page, { amount: '10', reference: 'TT 1' });
  await expect(page.getByRole('definition').filter({ hasText: '$40.00' })).toBeVisible();
  await record(page, { amount: '10', reference: 'TT 2' });
  await expect(dialog).toContainText('This payment may be recorded already.');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'TT 1' })).toBeVisible();
  await dialog.getByLabel('It’s another payment').check();
  await dialog.getByRole('button', { name: 'Record Receipt' }).click();
  await expect(page.getByRole('definition').filter({ hasText: '$30.00' })).toBeVisible();

  // More than is open, with tax that the client kept: $40.00 of $70.00 stay on account.
  await record(page, { amount: '65', withheld: '5', reference: 'TT 3' });
  await expect(page.getByRole('definition').filter({ hasText: '$50.00' })).toBeVisible();
  await page.goto(`/admin/invoices/statements?client=${client}`);
  const account = page.getByRole('region', { name: 'Money on Account: $40.00' });
  await account.getByRole('button', { name: /^Refund/ }).click();
  await dialog.getByLabel('From Account').selectOption({ index: 1 });
  await dialog.getByLabel('Reason').fill('Paid twice');
  await dialog.getByRole('button', { name: 'Ask for Refund' }).click();
  await expect(page.getByText('Refund asked for')).toBeVisible();
  await expect(account).toHaveCount(0);
  await expect(rowOf(page, 'Paid twice')).toContainText('Asked for');
  expect(await faultsOf(page)).toEqual([]);

  await rowOf(page, 'Paid twice').getByRole('button', { name: 'Pay' }).click();
  await dialog.getByRole('button', { name: 'Pay Refund' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Someone else must pay it');

  const other = await openAs('admin');
  await other.goto('/admin/invoices/statements');
  const asked = other.getByRole('region', { name: 'Refunds to Decide' });
  await rowOf(other, name).getByRole('button', { name: 'Pay' }).click();
  await expect(other.getByRole('dialog')).toContainText(/\(bank, from .+\)/);
  await other.getByRole('dialog').getByLabel('Reference').fill('CHQ 77');
  await other.getByRole('dialog').getByRole('button', { name: 'Pay Refund' }).click();
  await expect(asked.getByText(name)).toHaveCount(0);

  await page.goto(`/admin/invoices/statements?client=${client}`);
  await expect(rowOf(page, 'Refund CHQ 77')).toContainText('$40.00');
  await rowOf(page, 'Paid twice').getByRole('button', { name: 'Came Back' }).click();
  await dialog.getByLabel('Reason').fill('The account is closed');
  await dialog.getByRole('button', { name: 'Note Return' }).click();
  await expect(account).toBeVisible();
  await expect(rowOf(page, 'The account is closed').first()).toBeVisible();
});

test('finance says where clients pay to, and when they are reminded', async ({ openAs }) => {
  const page = await openAs('finance');
  const dialog = page.getByRole('dialog');
  await page.goto('/admin/invoices/settings');
  const accounts = page.getByRole('region', { name: 'Accounts on Invoices' });
  await expect(accounts.getByText('Ecobank Liberia')).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await accounts.getByRole('button', { name: 'Add Account' }).click();
  await dialog.getByLabel('On invoices in').selectOption('LRD');
  await dialog.getByLabel('Bank', { exact: true }).fill('Journey Bank');
  await dialog.getByLabel('Account Number').fill('4711');
  await dialog.getByRole('button', { name: 'Add Account' }).click();
  const row = rowOf(page, 'Journey Bank');
  await expect(row).toContainText('4711, Statesman Security Services');
  await row.getByRole('button', { name: /^Delete/ }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
  await holdToast(page, 'deleted');

  await page.getByRole('button', { name: 'Edit Settings' }).click();
  await dialog.getByLabel('Remind after Days').fill('7, 400');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog).toContainText('numbers from 1 to 365');
  // So far that no invoice of the demo company has reached it.
  await dialog.getByLabel('Remind after Days').fill('365');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toastOf(page, 'Settings updated')).toBeVisible();
  await expect(page.getByText('365 days after the due day')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Settings' }).click();
  await dialog.getByLabel('Remind after Days').fill('');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('365 days after the due day')).toHaveCount(0);
});
