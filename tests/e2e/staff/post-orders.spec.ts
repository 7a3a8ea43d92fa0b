// Guards read the orders of their post before they first clock in, with or without a signal.
import { randomUUID } from 'node:crypto';
import { dutyCard } from '#tests/e2e/support/clock-dialog.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { pageOf } from '#tests/e2e/support/people.ts';
import { roughLine, SENT_AGAIN } from '#tests/e2e/support/rough-line.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('orders are read and the clock-in follows without a signal, and both are stored once', async ({
  browser,
  url,
  dataDir,
}) => {
  test.slow();
  const line = await roughLine(url, /rpc\/(record_clock_event|confirm_post_orders)/);
  const guard = await guardOnShift(url, dataDir);
  const backend = await service(url, dataDir);
  const site_id = guard.siteId;
  const title = `Gate ${randomUUID().slice(0, 8)}`;
  const order = await backend
    .from('post_orders')
    .insert({ site_id, title, body: '# Vehicles\n- Look into every boot.' })
    .select('id')
    .single()
    .throwOnError();
  const readings = async () =>
    (
      await backend
        .from('post_order_readings')
        .select('user_id')
        .eq('order_id', order.data.id)
        .throwOnError()
    ).data;

  const page = await newPhone(browser, line.url, guard, { hasTouch: true });
  await page.goto('/staff');
  const start = dutyCard(page).getByRole('button', { name: 'Read the post orders and clock in' });
  await expect(start).toBeVisible();
  line.becomes('down');
  await start.tap();
  const dialog = page.getByRole('dialog', { name: 'Clock In/Out' });
  await expect(dialog.getByRole('heading', { name: 'Vehicles' })).toBeVisible();
  await expect(
    dialog.getByRole('listitem').filter({ hasText: 'Look into every boot.' }),
  ).toBeVisible();
  // A section below the shift and the location, not a screen before them.
  await expect(dialog.getByText(guard.siteName).first()).toBeVisible();
  await expect(dialog.getByText(/^-?\d+\.\d{4}, -?\d+\.\d{4}$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'I have read this' }).tap();
  // Not tapped: so soon after another, at the same place, it would be the second half of a double tap.
  await dialog.getByRole('button', { name: 'Clock In', exact: true }).click();
  await expect(dialog.getByRole('status').first()).toContainText('waiting to send');
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await readings()).toEqual([]);
  // The requests arrive now, but their answers are lost: the phone sends them again.
  line.becomes('loses answers');
  await expect.poll(readings, SENT_AGAIN).toEqual([{ user_id: guard.session.user.id }]);
  line.becomes('good');
  await expect
    .poll(async () => (await guard.stored()).events.map(({ kind }) => kind), SENT_AGAIN)
    .toEqual(['in']);
  const card = page.getByRole('region', { name: 'Post orders' });
  await expect(card.getByText('1 read', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'waiting to send' })).toBeHidden();
  expect(await readings()).toHaveLength(1);
  await page.context().close();
  await line.close();

  const planner = await pageOf(browser, url, 'ops');
  await planner.goto(`/admin/roster/posts/orders?site=${site_id}`);
  await planner.getByRole('button', { name: guard.siteName, exact: true }).click();
  const orders = planner.getByRole('dialog', { name: title });
  await expect(orders.getByText('Read by 1 of 1 guards')).toBeVisible();
  await orders.getByRole('button', { name: 'Write New Version' }).click();
  const form = planner.getByRole('dialog', { name: 'New Version' });
  await form.getByLabel('Orders').fill('# Vehicles\n- Look into every boot, twice.');
  await form.getByRole('button', { name: 'Save New Version' }).click();
  await expect(planner.getByText('New version saved')).toBeVisible();
  await planner.getByRole('button', { name: guard.siteName, exact: true }).click();
  await expect(orders.getByText('Read by 0 of 1 guards')).toBeVisible();
  await expect(orders.getByText('Not read')).toBeVisible();
  await planner.context().close();
});
