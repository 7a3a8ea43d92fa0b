// Answers that come after the rest of the screen, and what they must not push away from a finger.
import type { Locator } from '@playwright/test';
import { hold } from '#tests/e2e/support/gate.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

async function topOf(element: Locator): Promise<number | undefined> {
  await expect(element).toBeVisible();
  return (await element.boundingBox())?.y;
}

test('the list of invoices stays where it is when the open amounts come', async ({ openAs }) => {
  const page = await openAs('finance', { viewport: { width: 1280, height: 800 } });
  const open = await hold(page, /\/rpc\/invoice_ageing/);
  await page.goto('/admin/invoices');
  await expect(page.locator('main tbody tr').first()).toBeVisible();
  const search = page.getByLabel('Search by client or number');
  const top = await topOf(search);
  open();
  await expect(page.getByLabel('What is open, by days after it was due')).toContainText(/\d\.\d\d/);
  expect(await topOf(search)).toBe(top);
});

test('invoices come after the notice of hours that are on none', async ({ openAs }) => {
  const page = await openAs('finance', { viewport: { width: 1280, height: 800 } });
  const open = await hold(page, /\/rpc\/unbilled_totals/);
  await page.goto('/admin/invoices');
  await expect(page.getByRole('status').filter({ hasText: 'Loading invoices...' })).toBeVisible();
  const row = page.locator('main tbody tr').first();
  await expect(row).toBeHidden();
  open();
  await expect(page.getByText(/ h worked and not billed$/)).toBeVisible();
  await expect(row).toBeVisible();
});

test('the search of attendance stays where it is when the counts come', async ({ openAs }) => {
  const page = await openAs('ops', PHONE);
  const open = await hold(page, /\/rpc\/attendance_counts/);
  await page.goto('/admin/attendance');
  const search = page.getByLabel('Search guards');
  const top = await topOf(search);
  open();
  await expect(page.getByRole('button', { name: /^In now \d/ })).toBeVisible();
  expect(await topOf(search)).toBe(top);
});

test('links below the shifts of a guard come with the shifts', async ({ openAs }) => {
  const page = await openAs('guard', PHONE);
  const open = await hold(page, /\/rest\/v1\/assignments/);
  await page.goto('/staff/shifts');
  await expect(page.getByText('Loading shifts...')).toBeVisible();
  const link = page.getByRole('link', { name: 'Open shifts and swaps' });
  await expect(link).toBeHidden();
  open();
  await expect(link).toBeVisible();
  await expect(page.getByText('Loading shifts...')).toBeHidden();
});
