// What must be read stays at the top of the guard's home until it is, with or without a signal.
import { randomUUID } from 'node:crypto';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { roughLine, SENT_AGAIN } from '#tests/e2e/support/rough-line.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const TODAY = `(now() at time zone 'Africa/Monrovia')::date`;

test('a must-read is confirmed without a signal, stored once, and gone from home; a withdrawn one leaves by itself', async ({
  browser,
  url,
  dataDir,
  databaseOf,
}) => {
  test.slow();
  const line = await roughLine(url, /rpc\/confirm_announcement/);
  const guard = await guardOnShift(url, dataDir);
  const title = `Radios ${randomUUID().slice(0, 8)}`;
  const [{ day }] = await ask(dataDir, `select (${TODAY} + 3)::text as day`);
  const ops = await databaseOf('ops');
  const publish = async (text: string, isMust: boolean) => {
    const id = randomUUID();
    await ops
      .rpc('publish_announcement', {
        p_id: id,
        p_title: text,
        p_body: '# From Monday\n- Charge them at night.',
        p_must_read: isMust,
        p_audience: 'site',
        p_site_id: guard.siteId,
        p_last_day: day,
      })
      .throwOnError();
    return id;
  };
  const id = await publish(title, true);
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

  // Live, and one that need not be read is one line.
  const other = await publish(`Canteen ${title}`, false);
  const news = page.getByRole('link', { name: '1 new announcement' });
  await news.tap();
  const list = page.getByRole('list', { name: 'Announcements' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('New');
  await expect(list.getByRole('listitem').last()).toContainText('Read');
  await ops.rpc('withdraw_announcement', { p_id: other }).throwOnError();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.goto(`/staff/announcements?open=${other}`);
  await expect(page.getByText('This announcement has ended or was withdrawn.')).toBeVisible();
  await page.context().close();
  await line.close();
});
