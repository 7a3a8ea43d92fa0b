import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#shared/database.types.ts';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** Sends an enquiry with a unique name. */
async function send(client: SupabaseClient<Database>, values: { company?: string } = {}) {
  const row = {
    id: randomUUID(),
    name: `Garmai ${randomUUID().slice(0, 8)}`,
    email: 'garmai@visitor.example',
    message: 'How soon could two guards start at our store?',
    ...values,
  };
  await client.from('contact_messages').insert(row).throwOnError();
  return row;
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a manager finds a new enquiry, answers it and adds a note', { tag: '@everyday' }, async ({
  openAs,
  databaseOf,
}) => {
  const database = await databaseOf('ops');
  const { id, name } = await send(database, { company: '100% Dry_Goods, "Ltd"' });
  const page = await openAs('ops');
  await page.goto('/admin');
  const entry = page.getByRole('navigation', { name: 'Portal' }).getByRole('link', {
    name: /^Clients/,
  });
  await expect(entry).toHaveAccessibleName(/Clients \d+ new/);
  await entry.click();
  await page.getByRole('link', { name: /^Enquiries \d+ new/ }).click();
  await expect(page).toHaveURL('/admin/enquiries');
  await expect(page.getByRole('table', { name: 'Enquiries' }).getByRole('columnheader')).toHaveText(
    ['From', 'Message', 'Received', 'State'],
  );
  const words = `${name} 100% dry_goods, "ltd" store`;
  await page.getByLabel('Search enquiries').fill(words);
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByLabel('State', { exact: true }).selectOption('New');
  await expect(page).toHaveURL(/state=new/);
  await page.reload();
  await expect(page.getByLabel('Search enquiries')).toHaveValue(words);

  const download = await exportFile(page, 'CSV');
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`${name},garmai@visitor.example,"100% Dry_Goods, ""Ltd""",`);

  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog', { name: `Enquiry from ${name}` });
  await expect(dialog).toContainText('How soon could two guards start at our store?');
  const reply = dialog.getByRole('link', { name: 'Reply by email' });
  await expect(reply).toHaveAttribute('href', /^mailto:garmai%40visitor\.example\?subject=/);
  await dialog.getByLabel('State').selectOption('Answered');
  await dialog.getByLabel(/^Internal note/).fill('Called back, offer sent.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enquiry updated')).toBeVisible();
  await expect(page.getByText('No enquiries match.')).toBeVisible();
  const { data } = await database.from('contact_messages').select().eq('id', id).single();
  const { data: me } = await database.auth.getUser();
  expect(data).toMatchObject({
    state: 'answered',
    note: 'Called back, offer sent.',
    handled_by: me.user?.id,
  });
});

test('a new enquiry appears live, newest first', async ({ openAs, databaseOf }) => {
  const page = await openAs('admin');
  await page.goto('/admin/enquiries');
  const rows = page.getByRole('row');
  await expect(rows).toHaveCount(21);
  const newest = await rows.nth(1).textContent();
  const { name } = await send(await databaseOf('guard'));
  await expect(row(page, name)).toBeVisible();
  const texts = await rows.allTextContents();
  expect(texts.findIndex((text) => text.includes(name))).toBeLessThan(texts.indexOf(newest ?? ''));
});

test('paging stops at the last page, and Back closes the dialog', { tag: '@long' }, async ({
  openAs,
}) => {
  const page = await openAs('ops');
  await page.goto('/admin/enquiries');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(/1–20 of \d+/);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(/21–\d+ of/);
  await page.getByRole('row').nth(1).getByRole('button').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(/page=2$/);
  await page.goto('/admin/enquiries?page=9999&state=nonsense&open=nothing');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(/–(\d+) of \1\D/);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
});

test("nobody's note is overwritten unseen", async ({ openAs, databaseOf }) => {
  const database = await databaseOf('admin');
  const { id, name } = await send(database);
  const page = await openAs('ops');
  await page.goto(`/admin/enquiries?open=${id}`);
  const note = page.getByLabel(/^Internal note/);
  await note.fill('My own words');
  const change = { state: 'closed', note: 'Duplicate.' } as const;
  await database.from('contact_messages').update(change).eq('id', id).throwOnError();
  await expect(page.getByText('Someone else changed this record')).toBeVisible();
  await expect(note).toHaveValue('My own words');
  await page.getByRole('button', { name: 'Their version' }).click();
  await expect(note).toHaveValue('Duplicate.');
  await page.getByRole('button', { name: 'Your version' }).click();
  await expect(note).toHaveValue('My own words');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enquiry updated')).toBeVisible();
  await expect(row(page, name)).toContainText('New');
});

test('a list that fails to load shows the reason and one toast, and loads on retry', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  const LIST = /contact_messages\?select=\*&order/;
  const page = await openAs('ops');
  await page.route(LIST, (route) =>
    route.fulfill({ status: 500, json: { code: 'XX000', message: 'The disk is full.' } }),
  );
  await page.goto('/admin/enquiries');
  const toast = page.locator('[data-sonner-toast][data-type=error]');
  await expect(toast).toHaveText('ErrorThe disk is full.');
  const note = page.getByRole('alert').filter({ hasText: 'The list could not be loaded' });
  await expect(note).toContainText('The disk is full.');
  await expect(toast).toHaveCount(0);
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    const isToast = (node: Node) =>
      node instanceof Element &&
      (node.matches('[data-sonner-toast]') || node.querySelector('[data-sonner-toast]') !== null);
    dataset.toasts = '0';
    new MutationObserver((records) => {
      const added = records.flatMap(({ addedNodes }) => [...addedNodes]).filter(isToast);
      dataset.toasts = String(Number(dataset.toasts) + added.length);
    }).observe(document.body, { childList: true, subtree: true });
  });
  // A live change reloads the list, which fails again without a second toast.
  const reloaded = page.waitForResponse(LIST);
  const database = await databaseOf('ops');
  const { data: known } = await database
    .from('contact_messages')
    .select('id, note')
    .limit(1)
    .single()
    .throwOnError();
  await database
    .from('contact_messages')
    .update({ note: known.note })
    .eq('id', known.id)
    .throwOnError();
  await reloaded;
  await note.getByRole('button', { name: 'Try again' }).click();
  await expect(toast).toHaveText('ErrorThe disk is full.');
  await expect(page.locator('html')).toHaveAttribute('data-toasts', '1');
  await page.unroute(LIST);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('row')).toHaveCount(21);
});

test('other roles neither see the sidebar entry nor open the screen', async ({ openAs }) => {
  const page = await openAs('supervisor');
  await page.goto('/admin/enquiries');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Deployments' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Enquiries/ })).toBeHidden();
});
