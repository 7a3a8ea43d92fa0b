// The second half of a double tap hits what the first one brought: it presses nothing.
import { doubleClick } from '#tests/e2e/support/double-click.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('a double tap on Confirm confirms, and does not press Undo as well', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir, 30, 38);
  const page = await newPhone(browser, url, guard);
  const answers: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/answer_assignment')) answers.push(request.postData() ?? '');
  });
  await page.goto('/staff/shifts');
  const confirm = page.getByRole('button', { name: `Confirm, ${guard.siteName}` });
  const undo = page.getByRole('button', { name: `Undo confirmation, ${guard.siteName}` });
  await doubleClick(page, confirm, page.getByRole('button', { name: 'Confirmed' }));
  // A press of its own still works.
  await undo.click();
  await expect(confirm).toBeVisible();
  await expect.poll(() => answers.length).toBe(2);
  await page.context().close();
});

test('a double tap below the post orders does not clock in as well', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const backend = await service(url, dataDir);
  await backend
    .from('post_orders')
    .insert({ site_id: guard.siteId, title: 'Gate', body: '- Look into every boot.\n'.repeat(12) })
    .throwOnError();
  const page = await newPhone(browser, url, guard);
  await page.goto('/staff');
  await page.getByRole('button', { name: 'Read the post orders and clock in' }).click();
  const clockIn = page.getByRole('button', { name: 'Clock In', exact: true });
  await doubleClick(page, page.getByRole('button', { name: 'I have read this' }), clockIn);
  expect(await clockIn.getAttribute('aria-busy')).toBeNull();
  // A press of its own still works.
  await clockIn.click();
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
  expect((await guard.stored()).events.map(({ kind }) => kind)).toEqual(['in']);
  await page.context().close();
});
