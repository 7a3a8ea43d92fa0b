// Clocking in from the home screen: one tap when all is normal, the clock dialog when there is something to decide.
import type { Page } from '@playwright/test';
import { company } from '#company';
import {
  clockOutEarly,
  dutyCard,
  expectStored,
  TIME,
  tap,
  test,
} from '#tests/e2e/support/clock-dialog.ts';
import { gate } from '#tests/e2e/support/gate.ts';
import { FAR_AWAY, guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { expect } from '#tests/e2e/support/test.ts';

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Clock In/Out' });
const clockIn = (page: Page, siteName: string) =>
  dutyCard(page).getByRole('button', { name: `Clock in at ${siteName}` });

/** Counts every tap on the page from now on. */
async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset.taps = '0';
    addEventListener(
      'pointerdown',
      () => {
        const { dataset } = document.documentElement;
        dataset.taps = String(Number(dataset.taps) + 1);
      },
      true,
    );
  });
  return () => page.evaluate(() => Number(document.documentElement.dataset.taps));
}

test('one tap clocks in at the post; a second on the same place does nothing', {
  tag: '@everyday',
}, async ({ browser, line, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir, -1, 0.2);
  const page = await newPhone(browser, line.url, guard, { hasTouch: true });
  await page.goto('/staff');
  await expect(page.getByRole('banner').getByText(guard.person.fullName)).toBeVisible();
  await expect(dutyCard(page)).toContainText(guard.siteName);
  await expect(dutyCard(page)).toContainText(/You are 1 h( 1 min)? late/);
  await expect(dutyCard(page)).toContainText(/\d m from post/);
  const button = clockIn(page, guard.siteName);
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(64);
  const taps = await countTaps(page);
  const tapIn = await tap(page, button);
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  expect(await taps()).toBe(1);
  // The shift ends soon, so that a tap on "Clock out", which stands there some seconds later, would clock out at once.
  await tapIn();
  await expectStored(guard, ['in'], [false]);
  await expect(dutyCard(page)).toContainText(new RegExp(`On post \\d+ min, ends ${TIME}`));
  const out = dutyCard(page).getByRole('button', { name: 'Clock out', exact: true });
  await expect(out).toBeVisible();
  await expectStored(guard, ['in'], [false]);

  const tapOut = await tap(page, out);
  await tapOut();
  await expect(page.getByText('Clocked Out', { exact: true })).toBeVisible();
  await expectStored(guard, ['in', 'out'], [true]);
  await expect(
    dutyCard(page).getByRole('button', { name: 'I clocked out by mistake' }),
  ).toBeVisible();
  const { events } = await guard.stored();
  expect(events).toMatchObject([{ accuracy_m: 12 }, { accuracy_m: 12 }]);
  await page.context().close();
});

test('an event in flight pushes nothing down; one that failed is counted above the screen', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, line.url, guard);
  const arrival = gate();
  await page.route('**/rpc/record_clock_event*', async (route) => {
    await arrival.opened;
    await route.abort();
  });
  await page.goto('/staff');
  const bar = page.getByRole('link', { name: '1 waiting to send' });
  await clockIn(page, guard.siteName).click();
  await expect(dutyCard(page)).toContainText('waiting to send');
  await expect(bar).toBeHidden();
  arrival.open();
  await expect(bar).toBeVisible();
  await page.context().close();
});

test('a double tap without a network is one event, sent later', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, line.url, guard, { hasTouch: true });
  await page.goto('/staff');
  const button = clockIn(page, guard.siteName);
  await expect(dutyCard(page)).toContainText(/\d m from post/);
  await page.context().setOffline(true);
  await button.dblclick();
  await expect(dutyCard(page).getByText(/ — waiting to send$/)).toBeVisible();
  await page.context().setOffline(false);
  await expect(dutyCard(page)).not.toContainText('waiting to send');
  await expectStored(guard, ['in'], [false]);
  // Leaving early asks first.
  await dutyCard(page).getByRole('button', { name: 'Clock out', exact: true }).click();
  await clockOutEarly(page);
  await expectStored(guard, ['in', 'out'], [true]);
  await page.context().close();
});

test('on a slow line the cached shift can be clocked in on, and an older answer changes nothing', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, line.url, guard);
  await page.goto('/staff');
  await expect(clockIn(page, guard.siteName)).toBeVisible();
  const older = gate();
  await page.route('**/rpc/my_clock_shifts*', async (route) => {
    const answer = await route.fetch().catch(() => undefined);
    await older.opened;
    if (answer) await route.fulfill({ response: answer }).catch(() => undefined);
  });
  await page.reload();
  await clockIn(page, guard.siteName).click();
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  await expect(dutyCard(page)).toContainText('You are clocked in');
  older.open();
  await expect(
    dutyCard(page).getByRole('button', { name: 'Clock out', exact: true }),
  ).toBeVisible();
  await expect(dutyCard(page)).toContainText('You are clocked in');
  await expectStored(guard, ['in'], [false]);
  await page.context().close();
});

test('away from the post, or with two shifts, the dialog opens and nothing is recorded', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir, -1, 2);
  const page = await newPhone(browser, line.url, guard, { geolocation: FAR_AWAY });
  await page.goto('/staff');
  await expect(dutyCard(page)).toContainText('11.1 km away: your supervisor will see this');
  await clockIn(page, guard.siteName).click();
  await expect(sheet(page)).toContainText('11.1 km away: your supervisor will see this');
  await expect(sheet(page).getByRole('button', { name: 'Clock In', exact: true })).toBeEnabled();
  await page.keyboard.press('Escape');
  await guard.alsoOn(2.5, 6);
  await page.reload();
  await dutyCard(page).getByRole('button', { name: 'Choose a shift and clock in' }).click();
  await expect(sheet(page).getByRole('group', { name: 'Which shift?' })).toBeVisible();
  await expectStored(guard, [], []);
  await page.context().close();
});

test('location is asked for with its reason first; without it, a common reason is enough', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  // Not decided yet: headless Chromium refuses when it is asked.
  const page = await newPhone(browser, line.url, guard, { permissions: ['clipboard-read'] });
  await page.addInitScript(() => {
    navigator.permissions.query = async () =>
      Object.assign(new EventTarget(), {
        state: 'prompt' as const,
        name: 'geolocation' as const,
        onchange: null,
      });
  });
  await page.goto('/staff');
  const guide = page.getByRole('region', { name: 'Your first days' });
  await expect(guide.getByRole('link', { name: `Call ${company.hotline}` })).toBeVisible();
  await guide.getByRole('button', { name: 'Got it' }).click();
  await page.reload();
  await expect(dutyCard(page)).toContainText('Your location shows your supervisor');
  await expect(guide).toBeHidden();
  await dutyCard(page).getByRole('button', { name: 'Use my location' }).click();
  await expect(dutyCard(page)).toContainText('No location.');
  await clockIn(page, guard.siteName).click();
  await expect(sheet(page).getByText('No location', { exact: true })).toBeVisible();
  await sheet(page).getByText('How to switch location on').click();
  await expect(sheet(page).getByText('Tap the icon to the left of the address.')).toBeVisible();
  await sheet(page).getByRole('tab', { name: 'Safari (iPhone)' }).click();
  await expect(
    sheet(page)
      .getByText(/Location Services/)
      .first(),
  ).toBeVisible();
  await sheet(page).getByRole('button', { name: 'Clock in without location' }).click();
  await sheet(page).getByRole('button', { name: 'No GPS signal' }).click();
  await sheet(page).getByLabel('Why is there no location?').fill('In the basement');
  await sheet(page).getByRole('button', { name: 'Clock in without location' }).click();
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  expect((await guard.stored()).records).toMatchObject([
    { flags: ['no_location'], clock_in_reason: 'No GPS signal. In the basement' },
  ]);
  await page.context().close();
});
