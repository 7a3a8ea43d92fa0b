// Clocking on a phone whose network, clock, location or storage fails stores exactly the right rows once.
import { faultsOf } from '#tests/e2e/support/axe.ts';
import {
  button,
  clockOutEarly,
  dutyCard,
  expectStored,
  HOUR_MS,
  openAgain,
  question,
  status,
  TIME,
  tap,
  test,
  WAITS,
} from '#tests/e2e/support/clock-dialog.ts';
import { doubleClick } from '#tests/e2e/support/double-click.ts';
import {
  FAR_AWAY,
  guardOnShift,
  newPhone,
  openClock,
  phoneOf,
} from '#tests/e2e/support/guard-on-shift.ts';
import { expect } from '#tests/e2e/support/test.ts';

test('clocking in and out online; outside the geofence is stored and flagged', {
  tag: '@everyday',
}, async ({ browser, line, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await phoneOf(browser, line.url, guard);
  const dialog = page.getByRole('dialog', { name: 'Clock In/Out' });
  await expect(dialog.getByText(guard.siteName, { exact: true })).toBeVisible();
  await expect(dialog.getByText('Harbour Client')).toBeVisible();
  await expect(dialog.getByText('6.3000, -10.8000')).toBeVisible();
  await expect(dialog.getByText(/Accurate to 12 m, \d+ s old$/)).toBeVisible();
  await expect(status(page)).toContainText('You are not clocked in');
  // Contrast of 7:1 for reading in sunlight.
  const faint = await faultsOf(page, {
    rules: ['color-contrast-enhanced'],
    within: '[role=dialog]',
  });
  expect(faint).toEqual([]);
  await button(page, 'Clock In').click();
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  await expect(status(page)).toHaveText(new RegExp(`You are clocked inClocked in at ${TIME}$`));
  await page.context().setGeolocation(FAR_AWAY);
  await openAgain(page);
  await expect(dialog.getByText('6.4000, -10.8000')).toBeVisible();
  await clockOutEarly(page);
  await expect(page.getByText('Clocked Out', { exact: true })).toBeVisible();
  await openAgain(page);
  await expect(dialog.getByText('No further shift for today.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dutyCard(page)).toContainText('No further shift for today.');
  await expectStored(guard, ['in', 'out'], [true]);
  const { records, events } = await guard.stored();
  expect(records[0]?.flags).toEqual(['left_early', 'outside_fence']);
  expect(events).toMatchObject([{ accuracy_m: 12, chain_intact: true }, { chain_intact: true }]);
  await page.context().close();
});

test('a double tap on Clock In only clocks in, and on Clock Out only asks', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await phoneOf(browser, line.url, guard, { hasTouch: true });
  await expect(button(page, 'Clock In')).toBeEnabled();
  const tapIn = await tap(page, button(page, 'Clock In'));
  await tapIn();
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  await tapIn();
  await openClock(page);
  await expect(status(page)).toContainText('You are clocked in');
  await expectStored(guard, ['in'], [false]);
  await expect(button(page, 'Clock Out')).toBeEnabled();
  await doubleClick(page, button(page, 'Clock Out'), question(page));
  await expect(page.getByText(/^6 h 5\d min left\. Clock out now\?$/)).toBeVisible();
  await question(page).getByRole('button', { name: 'Stay Clocked In' }).click();
  await expect(question(page)).toBeHidden();
  await expect(button(page, 'Clock Out')).toBeVisible();
  await expect(status(page)).toContainText('You are clocked in');
  await expectStored(guard, ['in'], [false]);
  await page.context().close();
});

test('a clock-out made by mistake is undone, also offline', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  await guard.attends(new Date(Date.now() - HOUR_MS / 2).toISOString());
  const page = await phoneOf(browser, line.url, guard);
  await clockOutEarly(page);
  await expect(page.getByText('Clocked Out', { exact: true })).toBeVisible();
  await expectStored(guard, ['out'], [true]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.context().setOffline(true);
  const home = dutyCard(page);
  await home.getByRole('button', { name: 'I clocked out by mistake' }).click();
  await page.getByRole('button', { name: 'Undo Clock Out' }).click();
  await expect(page.getByText('You are clocked in again')).toBeVisible();
  await expect(home.getByText(WAITS)).toBeVisible();
  await page.context().setOffline(false);
  await expect(home).not.toContainText('waiting to send');
  await expectStored(guard, ['out', 'reopen'], [false]);
  expect((await guard.stored()).records).toMatchObject([{ flags: ['reopened'] }]);
  await expect(home).toContainText('You are clocked in');
  await page.context().close();
});

test('home explains a forgotten clock-out, and shows today’s shift', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir, -30, -22);
  await guard.attends(new Date(Date.now() - 30 * HOUR_MS).toISOString());
  const today = await guard.alsoOn(-1, 7);
  const page = await newPhone(browser, line.url, guard);
  await page.goto('/staff');
  const home = dutyCard(page);
  await expect(home).toContainText('You did not clock out');
  await expect(home).toContainText(`Your shift at ${guard.siteName} ended`);
  await expect(home).toContainText('Open Clock In/Out and enter when you left.');
  await expect(home).toContainText(`Today's shift: ${today.siteName}`);
  await page.context().close();
});

test('the duty card follows the roster while it is open', async ({ browser, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, url, guard);
  let loads = 0;
  page.on('response', (response) => {
    if (response.url().includes('/rpc/my_clock_shifts')) loads += 1;
  });
  await page.goto('/staff');
  const home = dutyCard(page);
  await expect(home).toContainText(guard.siteName);
  // The active subscription causes the second one.
  await expect.poll(() => loads).toBeGreaterThan(1);
  const giveBack = await guard.isTakenOff();
  await expect(home).toContainText('No shift assigned for today.');
  await giveBack();
  await expect(home).toContainText(guard.siteName);
  await page.context().close();
});
