// What must be read stays at the top of the guard's home until it is, with or without a signal.
import { randomUUID } from 'node:crypto';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import type { visitor } from '#tests/e2e/support/people.ts';
import { roughLine, SENT_AGAIN } from '#tests/e2e/support/rough-line.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

type Client = Awaited<ReturnType<typeof visitor>>;

const TODAY = `(now() at time zone 'Africa/Monrovia')::date`;

/** @returns the id of an announcement to the site, for three days */
async function publishTo(
  office: Client,
  dataDir: string,
  siteId: string,
  title: string,
  isMust: boolean,
): Promise<string> {
  const id = randomUUID();
  const [{ day }] = await ask(dataDir, `select (${TODAY} + 3)::text as day`);
  await office
    .rpc('publish_announcement', {
      p_id: id,
      p_title: title,
      p_body: '# From Monday\n- Charge them at night.',
      p_must_read: isMust,
      p_audience: 'site',
      p_site_id: siteId,
      p_last_day: day,
    })
    .throwOnError();
  return id;
}

test('a must-read is confirmed without a signal, stored once, and gone from home', async ({
  browser,
  url,
  dataDir,
  databaseOf,
}) => {
  test.slow();
  const line = await roughLine(url, /rpc\/confirm_announcement/);
  const guard = await guardOnShift(url, dataDir);
  const title = `Radios ${randomUUID().slice(0, 8)}`;
  const ops = await databaseOf('ops');
  const id = await publishTo(ops, dataDir, guard.siteId, title, true);
  const readings = async () =>
    (
      await ops
        .from('announcement_readings')
        .select('user_id, read_at, received_at')
        .eq('announcement_id', id)
        .throwOnError()
    ).data;

  const page = await newPhone(browser, line.url, guard, {
    hasTouch: true,
    viewport: { width: 360, height: 740 },
  });
  await page.goto('/staff');
  const card = page.getByRole('region', { name: 'Must read' });
  await expect(card.getByRole('heading', { name: title })).toBeVisible();
  const own = page.getByRole('main');
  const first = own.getByRole('region').first();
  await expect(first).toHaveAccessibleName('Must read');
  expect(await faultsOf(page)).toEqual([]);

  line.becomes('down');
  await card.getByRole('button', { name: 'Read' }).tap();
  const dialog = page.getByRole('dialog', { name: title });
  await expect(dialog.getByRole('listitem')).toHaveText('Charge them at night.');
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'I have read this' }).tap();
  await expect(dialog).toBeHidden();
  await expect(card).toBeHidden();
  expect(await readings()).toEqual([]);
  await page.reload();
  await expect(page.getByRole('link', { name: 'waiting to send' })).toBeVisible();
  await expect(card).toBeHidden();

  // The request arrives now, but its answer is lost: the phone sends it again.
  line.becomes('loses answers');
  await expect.poll(readings, SENT_AGAIN).toHaveLength(1);
  line.becomes('good');
  await expect(page.getByRole('link', { name: 'waiting to send' })).toBeHidden(SENT_AGAIN);
  const [reading] = await readings();
  expect(reading?.user_id).toBe(guard.session.user.id);
  expect(Date.parse(reading?.read_at ?? '')).toBeLessThanOrEqual(
    Date.parse(reading?.received_at ?? ''),
  );

  await page.context().close();
  await line.close();
});

test('one that need not be read is one line at home, live, and leaves when it is withdrawn', async ({
  browser,
  url,
  dataDir,
  databaseOf,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const ops = await databaseOf('ops');
  const phone = { hasTouch: true, viewport: { width: 360, height: 740 } };
  const page = await newPhone(browser, url, guard, phone);
  await page.goto('/staff');
  await expect(page.getByRole('heading', { name: 'Staff Portal' })).toBeVisible();
  const id = await publishTo(ops, dataDir, guard.siteId, 'Canteen', false);
  await page.getByRole('link', { name: '1 new announcement' }).tap();
  const list = page.getByRole('list', { name: 'Announcements' });
  await expect(list.getByRole('listitem')).toContainText('New');
  await list.getByRole('button', { name: /^Canteen/ }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'I have read this' }).tap();
  await expect(list.getByRole('listitem')).toContainText('Read');
  await ops.rpc('withdraw_announcement', { p_id: id }).throwOnError();
  await expect(page.getByText('No announcements.')).toBeVisible();
  await page.context().close();
});
