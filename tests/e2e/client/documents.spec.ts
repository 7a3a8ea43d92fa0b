// What a contact of a client reads: invoices with their lines, the statement of account, and reports about incidents.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { emailOf } from '#tests/e2e/support/people.ts';
import { PIXEL } from '#tests/e2e/support/pixel.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const PHONE = { viewport: { width: 360, height: 740 } };
const MONEY = /^-?L?\$[\d,]+\.\d\d$/;

/** @returns the PDF of a document that the card offers */
async function pdfOf(card: Locator, number: string): Promise<string> {
  const saving = card.page().waitForEvent('download');
  await card.getByRole('button', { name: `PDF of ${number}` }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe(`${number}.pdf`);
  return readFile(await file.path(), 'latin1');
}

test('a contact opens an invoice down to its days, saves it as PDF, and follows the account', async ({
  openAs,
  databaseOf,
}) => {
  const finance = await databaseOf('finance');
  const { data: me } = await finance
    .from('client_contacts')
    .select('client_id')
    .eq('email', emailOf('client'))
    .single()
    .throwOnError();

  const page = await openAs('client', PHONE);
  await page.goto('/client');
  await page.getByRole('link', { name: 'Invoices' }).click();
  const list = page.getByRole('list', { name: 'Invoices' });
  const first = list.getByRole('listitem').first();
  const heading = await first.getByRole('heading').textContent();
  const number = heading?.match(/INV-\d{4}-\d+/)?.[0] ?? '';
  await first.getByRole('button', { name: `Lines of ${number}` }).click();
  await expect(first.getByText('Total', { exact: true })).toBeVisible();
  const line = first.locator('li button[aria-expanded]').first();
  await line.click();
  const days = first.getByRole('table');
  await expect(days).toContainText(/\d+ guards?/);
  await expect(days).toContainText(/\d+ h/);

  expect(await pdfOf(first, number)).toContain(`Invoice ${number}`);

  // One of its lines is credited.
  const { data: invoice } = await finance
    .from('invoices')
    .select('id, invoice_lines(id)')
    .eq('number', number)
    .single()
    .throwOnError();
  const { data: note } = await finance
    .rpc('credit_invoice', {
      p_invoice_id: invoice.id,
      p_reason: 'The gate was closed',
      p_line_ids: invoice.invoice_lines.slice(0, 1).map(({ id }) => id),
    })
    .throwOnError();
  await page.reload();
  const card = list.getByRole('listitem').filter({ hasText: number }).first();
  await card.getByRole('button', { name: `Lines of ${number}` }).click();
  await expect(card).toContainText(': The gate was closed');
  const credited = await pdfOf(card, note.number ?? '');
  expect(credited).toContain(`Credit note ${note.number}`);
  expect(credited).toContain(number);

  await page.getByRole('link', { name: 'Statement of account' }).click();
  await expect(page).toHaveURL('/client/statement');
  const statement = page.getByRole('table', { name: /^Statement of account in/ });
  await expect(statement.getByRole('row').nth(1)).toContainText('Balance brought forward');
  await expect(statement.getByRole('row').last().getByRole('cell').last()).toHaveText(MONEY);
  await page.goBack();
  await expect(list).toBeVisible();

  // By direct request: nothing of another client, no draft, no table.
  const contact = await databaseOf('client');
  const { data: others } = await finance
    .from('invoices')
    .select('id')
    .neq('client_id', me.client_id)
    .neq('status', 'draft')
    .limit(1)
    .single()
    .throwOnError();
  const answer = await contact.rpc('client_invoice', { p_id: others.id });
  expect([answer.status, answer.error?.message]).toEqual([404, 'There is no such invoice.']);
  for (const table of ['invoices', 'invoice_lines', 'receipts', 'credit_notes'] as const) {
    expect((await contact.from(table).select('id').throwOnError()).data).toEqual([]);
  }
});

test('the office releases a report with one of two photos, and sees that the contact has read it', async ({
  openAs,
  databaseOf,
}) => {
  const tag = randomUUID().slice(0, 8);
  const title = `Lamp broken ${tag}`;
  const admin = await databaseOf('admin');
  const { data: me } = await admin
    .from('client_contacts')
    .select('client_id')
    .eq('email', emailOf('client'))
    .single()
    .throwOnError();
  const { data: site } = await admin
    .from('sites')
    .select('id, name')
    .eq('client_id', me.client_id)
    .limit(1)
    .single()
    .throwOnError();
  const incident = randomUUID();
  await admin
    .from('incidents')
    .insert({
      id: incident,
      site_id: site.id,
      title,
      category: 'property',
      severity: 'low',
      description: 'The lamp beside the store is broken.',
    })
    .throwOnError();
  const paths = ['lamp.png', 'badge.png'].map((name) => `${incident}/${name}`);
  for (const path of paths) {
    const { error } = await admin.storage
      .from('evidence')
      .upload(path, PIXEL, { contentType: 'image/png' });
    expect(error).toBeNull();
    await admin
      .from('evidence')
      .insert({ incident_id: incident, type: 'image/png', url: path })
      .throwOnError();
  }
  await admin
    .rpc('review_incident', { p_incident_id: incident, p_decision: 'accepted' })
    .throwOnError();

  const contact = await openAs('client', PHONE);
  await contact.goto('/client/reports');
  const report = contact
    .getByRole('list', { name: 'Reports' })
    .getByRole('listitem')
    .filter({ hasText: title });
  await expect(contact.getByRole('list', { name: 'Reports' })).toBeVisible();
  await expect(report).toHaveCount(0);

  const office = await openAs('ops');
  await office.goto(`/admin/incidents/${incident}/letter`);
  await office.getByLabel('Summary for the client').fill('The lamp was broken and is mended.');
  await office.getByLabel('lamp.png').check();
  await office.getByRole('button', { name: 'Save letter' }).click();
  const letters = office.getByRole('list', { name: 'Letters' });
  await expect(letters).toContainText('1 photo');

  await contact.reload();
  await report.getByRole('button', { name: title }).click();
  await expect(report).toContainText('The lamp was broken and is mended.');
  await expect(report.getByRole('list', { name: 'Photos' }).getByRole('img')).toHaveCount(1);
  await report.getByRole('button', { name: 'I have read this' }).click();
  await expect(report.getByRole('list', { name: 'Read by' })).toContainText('Read by');
  await expect(report.getByRole('button', { name: 'I have read this' })).toBeHidden();
  await expect(letters).toContainText('Read by');

  // By direct request: the chosen photo and not the other one.
  const files = (await databaseOf('client')).storage.from('evidence');
  const [chosen = '', other = ''] = paths;
  expect((await files.download(chosen)).error).toBeNull();
  expect((await files.download(other)).error).not.toBeNull();
});

test('a contact sees how soon calls for service of a month were answered', async ({
  openAs,
  databaseOf,
}) => {
  const dispatcher = await databaseOf('dispatcher');
  const { data: mine } = await (await databaseOf('ops'))
    .from('client_contacts')
    .select('clients(name, sites(id))')
    .eq('email', emailOf('client'))
    .single()
    .throwOnError();
  const site = mine.clients.sites[0]?.id ?? '';
  const call = { p_id: randomUUID(), p_kind: 'alarm', p_priority: 'routine', p_site_id: site };
  await dispatcher.rpc('save_call', call).throwOnError();
  await dispatcher
    .rpc('close_call', { p_call_id: call.p_id, p_outcome: 'false_alarm' })
    .throwOnError();

  const page = await openAs('client', PHONE);
  await page.goto('/client/coverage');
  const months = page.getByLabel('Month', { exact: true });
  await months.selectOption({ index: 0 });
  const calls = page.getByRole('region', { name: `Calls for service, ${mine.clients.name}` });
  const row = calls.getByRole('row').filter({ hasText: 'Routine' });
  await expect(row.getByRole('cell').first()).toHaveText(/^[1-9]/);
  // Every column is on the phone's screen.
  const { left, right } = await row.evaluate((element) => element.getBoundingClientRect());
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(PHONE.viewport.width);
});
