// A supervisor on the round marks who stands at post, without a signal.
import { AT_THE_GATE, guardOnShift } from '#tests/e2e/support/guard-on-shift.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

test('a muster without a signal is one tap, and becomes one record in the supervisor’s name', async ({
  openAs,
  url,
  dataDir,
  databaseOf,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await openAs('ops', {
    geolocation: AT_THE_GATE,
    permissions: ['geolocation'],
    viewport: { width: 360, height: 740 },
  });
  await page.goto('/staff');
  await page.getByRole('link', { name: /^Muster/ }).click();
  await page.getByRole('searchbox').fill(guard.siteName);
  const site = page.getByRole('region', { name: guard.siteName });
  await expect(site).toContainText('0 of 1 clocked in');
  await page.context().setOffline(true);
  await site
    .getByRole('button', { name: `${guard.person.fullName} is at post`, exact: true })
    .click();
  await expect(site.getByText('At post, waiting to send')).toBeVisible();
  expect((await guard.stored()).records).toEqual([]);
  await page.context().setOffline(false);
  await expect(site).toContainText('1 of 1 clocked in');
  expect((await guard.stored()).records).toEqual([expect.objectContaining({ flags: [] })]);
  const { data: events } = await (await databaseOf('ops'))
    .from('clock_events')
    .select('way, gps, maker:profiles!clock_events_made_by_fkey(email)')
    .eq('assignment_id', guard.assignmentId)
    .throwOnError();
  expect(events).toEqual([
    { way: 'muster', gps: '6.300010,-10.800020', maker: { email: 'ops@statesman.example' } },
  ]);
});

test('who is not here is marked in one tap, any mark can be undone, and a second tap undoes nothing', async ({
  openAs,
  url,
  dataDir,
  databaseOf,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const name = guard.person.fullName;
  const page = await openAs('ops', {
    geolocation: AT_THE_GATE,
    permissions: ['geolocation'],
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  const ops = await databaseOf('ops');
  const status = async () => {
    const { data } = await ops
      .from('assignments')
      .select('status')
      .eq('id', guard.assignmentId)
      .single()
      .throwOnError();
    return data.status;
  };
  await page.goto('/staff/muster');
  await page.getByRole('searchbox').fill(guard.siteName);
  const site = page.getByRole('region', { name: guard.siteName });
  const undo = site.getByRole('button', { name: `Undo, ${name}` });

  await site.getByRole('button', { name: `${name} is not here` }).tap();
  await expect(site.getByText('Not here', { exact: true }).first()).toBeVisible();
  await expect.poll(status).toBe('no_show');
  await expect(site.getByRole('link', { name: `Find Replacement for ${name}` })).toHaveAttribute(
    'href',
    /\/admin\/shifts\?.*tab=replacement/,
  );
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  await undo.tap();
  await expect.poll(status).toMatch(/assigned|confirmed/);

  const atPost = site.getByRole('button', { name: `${name} is at post`, exact: true });
  await atPost.tap();
  await expect(site).toContainText('1 of 1 clocked in');
  // Where At Post was, a second tap finds nothing for a while.
  await expect(undo).toBeHidden();
  expect((await guard.stored()).records).toHaveLength(1);
  await undo.tap();
  await expect(site).toContainText('0 of 1 clocked in');
  expect((await guard.stored()).records).toEqual([]);
});

test('everybody of a post is marked with one press, without a signal, and each can be undone @long', async ({
  openAs,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const other = await guardOnShift(url, dataDir);
  const [{ post }] = await ask(
    dataDir,
    `insert into posts (site_id, name) values ($1, 'Main gate') returning id as post`,
    [guard.siteId],
  );
  await ask(
    dataDir,
    `update shifts set site_id = $1, post_id = $2, required_headcount = 2
     where id in (select shift_id from assignments where id = any ($3))`,
    [guard.siteId, post, [guard.assignmentId, other.assignmentId]],
  );
  const page = await openAs('ops', {
    geolocation: AT_THE_GATE,
    permissions: ['geolocation'],
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  await page.goto('/staff/muster');
  await page.getByRole('searchbox').fill(guard.siteName);
  const site = page.getByRole('region', { name: guard.siteName });
  await expect(site.getByRole('heading', { name: 'Main gate' })).toBeVisible();
  await page.context().setOffline(true);
  await site.getByRole('button', { name: 'All at post, 2 guards, Main gate' }).tap();
  await expect(site.getByText('At post, waiting to send')).toHaveCount(2);
  await page.context().setOffline(false);
  await expect(site).toContainText('2 of 2 clocked in');
  const undo = site.getByRole('button', { name: `Undo, ${other.person.fullName}` });
  await undo.tap();
  await expect(site).toContainText('1 of 2 clocked in');
  expect((await guard.stored()).records).toHaveLength(1);
  expect((await other.stored()).records).toEqual([]);
});
