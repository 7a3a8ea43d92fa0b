// A guard walks a tour without a signal, and the planner who made it sees the scans.
import { randomUUID } from 'node:crypto';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { pageOf } from '#tests/e2e/support/people.ts';
import { roughLine } from '#tests/e2e/support/rough-line.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const POINTS = ['Front gate', 'Store', 'Roof'];

test('checkpoints and a tour are planned, labels printed, and three scans without a signal arrive once, in order @long', async ({
  browser,
  url,
  dataDir,
}) => {
  const line = await roughLine(url, /rpc\/record_scans/);
  const guard = await guardOnShift(url, dataDir);
  const backend = await service(url, dataDir);
  const { site_id, shift_id } = (
    await backend
      .from('assignments')
      .select('site_id, shift_id')
      .eq('id', guard.assignmentId)
      .single()
      .throwOnError()
  ).data;
  // A post, so that a round can be planned an hour after the start of the shift, whatever the time of the day.
  const post = await backend
    .from('posts')
    .insert({ site_id, name: 'Yard' })
    .select('id')
    .single()
    .throwOnError();
  await backend.from('shifts').update({ post_id: post.data.id }).eq('id', shift_id).throwOnError();

  const planner = await pageOf(browser, url, 'ops');
  await planner.goto(`/admin/roster/posts/patrols?site=${site_id}`);
  for (const name of POINTS) {
    await planner.getByRole('button', { name: 'Add Checkpoint' }).click();
    const form = planner.getByRole('dialog', { name: 'Add Checkpoint' });
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Position').fill('6.3, -10.8');
    await form.getByRole('button', { name: 'Add Checkpoint' }).click();
    await expect(planner.getByRole('button', { name: `Edit ${name}` })).toBeVisible();
  }
  const labels = planner.waitForEvent('download');
  await planner.getByRole('button', { name: 'Print Labels' }).click();
  expect((await labels).suggestedFilename()).toContain('.pdf');
  const name = `Tour ${randomUUID().slice(0, 8)}`;
  await planner.getByRole('button', { name: 'Add Tour' }).click();
  const form = planner.getByRole('dialog', { name: 'Add Tour' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Post').selectOption('Yard');
  await form.getByLabel('Planned').selectOption('At intervals during a shift');
  await form.getByLabel('Every (minutes)').fill('60');
  for (const point of POINTS) await form.getByRole('button', { name: `Add ${point}` }).click();
  await form.getByRole('button', { name: 'Add Tour' }).click();
  const rounds = planner.getByRole('region', { name: 'Rounds of the day' });
  const round = rounds.getByRole('listitem').filter({ hasText: name }).first();
  await expect(round).toBeVisible();
  const codes = (
    await backend
      .from('checkpoints')
      .select('id, code_secret')
      .eq('site_id', site_id)
      .order('number')
      .throwOnError()
  ).data;

  const page = await newPhone(browser, line.url, guard, { hasTouch: true });
  await page.goto('/staff');
  line.becomes('down');
  await page
    .getByRole('button', { name: `Scan, ${name}` })
    .first()
    .tap();
  const dialog = page.getByRole('dialog', { name });
  const code = dialog.getByLabel('Code below the label');
  await code.fill('0123 4567');
  await dialog.getByRole('button', { name: 'Enter Code' }).tap();
  await expect(dialog.getByText('This is not the code of a checkpoint.')).toBeVisible();
  for (const [at, { code_secret }] of codes.entries()) {
    await code.fill(code_secret.toLowerCase());
    await dialog.getByRole('button', { name: 'Enter Code' }).tap();
    await expect(dialog.getByRole('status').first()).toHaveText(`${at + 1} of 3 scanned`);
  }
  const stored = async () =>
    (
      await backend
        .from('checkpoint_scans')
        .select('checkpoint_id, flags, way')
        .eq('site_id', site_id)
        .order('received_at')
        .throwOnError()
    ).data.map(({ checkpoint_id }) => checkpoint_id);
  expect(await stored()).toEqual([]);
  // Opened again, the phone sends at once. The request arrives, but its answer is lost.
  line.becomes('loses answers');
  await page.reload();
  await expect.poll(stored).toEqual([codes[0]?.id]);
  line.becomes('good');
  await page.reload();
  await expect.poll(stored).toEqual(codes.map(({ id }) => id));
  await page.context().close();
  await line.close();

  await expect(round).toContainText('Done');
  await round.getByText(name).click();
  await expect(round.getByRole('list', { name: `Scans of ${name}` })).toContainText(
    guard.person.fullName,
  );
  await planner.context().close();
});
