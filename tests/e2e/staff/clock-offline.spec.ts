// Clocking on a phone whose network, clock, location or storage fails stores exactly the right rows once.

import {
  button,
  clockOutEarly,
  dutyCard,
  expectStored,
  expectUncovered,
  HOUR_MS,
  openAgain,
  status,
  TIME,
  test,
  WAITS,
} from '#tests/e2e/support/clock-dialog.ts';
import { guardOnShift, newPhone, openClock, phoneOf } from '#tests/e2e/support/guard-on-shift.ts';
import { expect } from '#tests/e2e/support/test.ts';

/** Runs in the page: fills localStorage to less than 50 free bytes. */
async function fillStorage() {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('photos');
    request.onupgradeneeded = () =>
      request.result.createObjectStore('all', { autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const randomBytes = (length: number) => {
    const bytes = new Uint8Array(length);
    // getRandomValues fills 65,536 bytes at most.
    for (let from = 0; from < length; from += 65_536) {
      crypto.getRandomValues(bytes.subarray(from, from + 65_536));
    }
    return bytes;
  };
  const write = (length: number) =>
    new Promise<boolean>((resolve) => {
      const change = database.transaction('all', 'readwrite');
      // Random, because Chromium compresses stored data.
      change.objectStore('all').add(randomBytes(length));
      change.oncomplete = () => resolve(true);
      change.onabort = () => resolve(false);
    });
  for (const length of [500_000, 20_000, 1_000, 50]) while (await write(length));
}

test('lost responses, a server crash mid-request, and a page closed with queued events', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await phoneOf(browser, line.url, guard);
  line.becomes('loses answers');
  await button(page, 'Clock In').click();
  await expect(status(page)).toContainText(WAITS);
  await expectStored(guard, ['in'], [false]);
  await page.close();
  line.becomes('good');
  // Sent from another screen, then offline: the cached data must not be older than the event.
  const elsewhere = await page.context().newPage();
  await elsewhere.goto('/staff/attendance');
  await elsewhere.route('**/rpc/my_clock_shifts*', (route) => route.abort());
  await expect(elsewhere.getByText(/No past shifts yet|By week/).first()).toBeVisible();
  await expect.poll(() => line.met.good).toBeGreaterThan(0);
  await expect(elsewhere.getByText('1 waiting to send')).toHaveCount(0);
  await elsewhere.getByRole('link', { name: 'Home' }).click();
  await expect(elsewhere.getByText('You are clocked in')).toBeVisible();
  await elsewhere.unroute('**/rpc/my_clock_shifts*');
  line.becomes('cuts');
  await elsewhere.getByRole('button', { name: 'Clock In/Out' }).click();
  await clockOutEarly(elsewhere);
  await expect(status(elsewhere)).toContainText(/Clocked out at .* — waiting to send$/);
  const { met } = line;
  await expect.poll(() => met.cuts).toBeGreaterThan(0);
  await elsewhere.close();
  line.becomes('good');
  const later = await page.context().newPage();
  await openClock(later);
  await expect(status(later)).toHaveText(new RegExp(`Clocked out at ${TIME}$`));
  await expectStored(guard, ['in', 'out'], [true]);
  await later.context().close();
});

test('two matching shifts, a token that the server considers expired, then cleared storage', {
  tag: '@long',
}, async ({ browser, line, url, dataDir }) => {
  const ending = await guardOnShift(url, dataDir, -7.5, 0.5);
  const beginning = await ending.alsoOn(0.5, 8.5);
  const page = await phoneOf(browser, line.url, ending);
  const dialog = page.getByRole('dialog', { name: 'Clock In/Out' });
  const choice = dialog.getByRole('group', { name: 'Which shift?' }).getByRole('radio');
  await expect(choice).toHaveCount(2);
  // Nearest start first.
  await expect(choice.first()).toBeChecked();
  await expect(dialog.locator('label').first()).toContainText(beginning.siteName);
  await dialog.getByText(ending.siteName, { exact: true }).click();
  // As with a device clock that is behind: the device considers the token valid.
  await page.evaluate((url) => {
    const key = `sb-${new URL(url).hostname.split('.')[0]}-auth-token`;
    const session = JSON.parse(localStorage.getItem(key) ?? '');
    const token = session.access_token.split('.').with(2, 'AAAA').join('.');
    localStorage.setItem(key, JSON.stringify({ ...session, access_token: token }));
  }, line.url);
  await button(page, 'Clock In').click();
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  await expect(status(page)).toHaveText(new RegExp(`You are clocked inClocked in at ${TIME}$`));
  // The open record comes first, without a choice.
  await expect(choice).toHaveCount(0);
  await expect(dialog.getByText(ending.siteName, { exact: true })).toBeVisible();
  await expectStored(ending, ['in'], [false]);
  await openAgain(page);
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const clearing = indexedDB.deleteDatabase('outbox');
        clearing.onsuccess = resolve;
        clearing.onerror = reject;
      }),
  );
  await clockOutEarly(page);
  await expect(page.getByText('Clocked Out', { exact: true })).toBeVisible();
  await expectStored(ending, ['in', 'out'], [true]);
  await openAgain(page);
  await expect(choice).toHaveCount(0);
  await expect(dialog.getByText(beginning.siteName, { exact: true })).toBeVisible();
  // A captive portal answers 200 instead of the server.
  const gateway = '**/rpc/record_clock_event*';
  await page.route(gateway, (route) => route.fulfill({ status: 200, body: '' }), { times: 1 });
  await button(page, 'Clock In').click();
  await expect(status(page)).toContainText('You are clocked in');
  await expectStored(beginning, ['in'], [false]);
  await expectStored(ending, ['in', 'out'], [true]);
  await page.context().close();
});

test('offline in two tabs: one event each', { tag: '@everyday' }, async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await phoneOf(browser, line.url, guard);
  const other = await page.context().newPage();
  await openClock(other);
  await expect(status(other)).toContainText('You are not clocked in');
  await page.context().setOffline(true);
  await button(page, 'Clock In').click();
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  await expect(status(page)).toContainText(WAITS);
  await expect(status(other)).toContainText(WAITS);
  await clockOutEarly(other);
  await expect(status(page)).toContainText(/Clocked out at .* — waiting to send$/);
  expect((await guard.stored()).events).toEqual([]);
  await page.context().setOffline(false);
  await expect(status(page)).toHaveText(new RegExp(`Clocked out at ${TIME}$`));
  await expectStored(guard, ['in', 'out'], [true]);
  await page.context().close();
});

test('a clock an hour ahead, and a shift that crosses midnight', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const now = new Date();
  const sinceMidnight = (now.getTime() % (24 * HOUR_MS)) / HOUR_MS;
  // Monrovia is on UTC. From 11 PM yesterday, whenever this runs.
  const guard = await guardOnShift(url, dataDir, -sinceMidnight - 1, 2);
  await guard.attends(new Date(now.getTime() - (sinceMidnight + 1) * HOUR_MS).toISOString());
  const page = await phoneOf(browser, line.url, guard);
  await page.clock.install({ time: Date.now() + HOUR_MS });
  await page.clock.resume();
  await openClock(page);
  await expect(status(page)).toHaveText(/Clocked in at [A-Z][a-z]+ \d+, 11:00 PM$/);
  await clockOutEarly(page);
  await expect(page.getByText('Clocked Out', { exact: true })).toBeVisible();
  const { records, events } = await guard.stored();
  expect(records).toMatchObject([{ flags: ['device_clock', 'left_early'] }]);
  expect(events).toMatchObject([{ kind: 'out', clock_off: true }]);
  const wrong = Date.parse(events[0]?.device_at ?? '') - Date.parse(events[0]?.effective_at ?? '');
  expect(Math.abs(wrong - HOUR_MS)).toBeLessThan(60_000);
  await page.context().close();
});

test('clocking in without a location, and a missing clock-out the next day', {
  tag: '@long',
}, async ({ browser, line, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await phoneOf(browser, line.url, guard, { permissions: [] });
  await expect(page.getByText('Location Error')).toBeVisible();
  await expect(
    page.getByText('Could not get your location. Please enable location services.'),
  ).toBeVisible();
  await expect(button(page, 'Clock In')).toBeDisabled();
  await page.getByRole('button', { name: 'Clock in without location' }).click();
  // The toast is still shown and must not cover the controls.
  await expectUncovered(page, page.getByLabel('Why is there no location?'));
  await expectUncovered(page, page.getByRole('button', { name: 'Clock in without location' }));
  await expectUncovered(page, page.getByRole('button', { name: 'Close' }));
  await page.getByRole('button', { name: 'Clock in without location' }).click();
  await expect(page.getByText('Say why there is no location')).toBeVisible();
  await page.getByLabel('Why is there no location?').fill('The phone finds no satellites');
  await page.getByRole('button', { name: 'Clock in without location' }).click();
  await expect(status(page)).toContainText('You are clocked in');
  await expectStored(guard, ['in'], [false]);
  expect((await guard.stored()).records).toMatchObject([
    { flags: ['no_location'], clock_in_reason: 'The phone finds no satellites' },
  ]);
  await page.context().close();

  const forgetful = await guardOnShift(url, dataDir, -30, -22);
  await forgetful.attends(new Date(Date.now() - 30 * HOUR_MS).toISOString());
  const phone = await phoneOf(browser, line.url, forgetful);
  await expect(phone.getByText('You did not clock out of this shift.')).toBeVisible();
  const left = phone.getByLabel('When did you leave?');
  const proposed = await left.inputValue();
  await left.fill('2031-01-01T06:00');
  await button(phone, 'Clock Out').click();
  await expect(phone.getByText('This time is in the future')).toBeVisible();
  await left.fill(proposed);
  await button(phone, 'Clock Out').click();
  await expect(phone.getByText('Clocked Out', { exact: true })).toBeVisible();
  expect((await forgetful.stored()).records).toMatchObject([{ flags: ['entered_by_guard'] }]);
  await phone.context().close();
});

test('an event of a guard removed from the shift is reported, kept, and stored once they are back on it', {
  tag: '@long',
}, async ({ browser, line, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await phoneOf(browser, line.url, guard);
  line.becomes('down');
  await button(page, 'Clock In').click();
  await expect(status(page)).toContainText(WAITS);
  const putBack = await guard.isTakenOff();
  line.becomes('good');
  const dialog = page.getByRole('dialog', { name: 'Clock In/Out' });
  await expect(dialog.getByText(/^This shift is no longer yours\./)).toBeVisible();
  await expect(status(page)).toContainText('You are not clocked in');
  await page.keyboard.press('Escape');
  await expect(dutyCard(page)).toContainText(`Not accepted: Clock in, ${guard.siteName}.`);
  const stored = await putBack();
  await page.getByRole('button', { name: 'Clock In/Out' }).click();
  await page.getByRole('button', { name: /^Send again/ }).click();
  await expect(status(page)).toContainText('You are clocked in');
  await expect(dialog.getByText('Not accepted')).toBeHidden();
  await expectStored({ stored }, ['in'], [false]);
  await page.context().close();
});

test('full storage shows an error and loses nothing', { tag: '@long' }, async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, line.url, guard);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Storage.overrideQuotaForOrigin', { origin: line.url, quotaSize: 8_000_000 });
  await openClock(page);
  line.becomes('down');
  await button(page, 'Clock In').click();
  await expect(status(page)).toContainText(WAITS);
  await page.evaluate(fillStorage);
  await openAgain(page);
  await clockOutEarly(page);
  await expect(page.getByText(/^This device has no room left/)).toBeVisible();
  await expect(status(page)).toContainText(/Clocked in at .* — waiting to send$/);
  await devTools.send('Storage.overrideQuotaForOrigin', { origin: line.url });
  line.becomes('good');
  await clockOutEarly(page);
  await expect(page.getByText('Clocked Out', { exact: true })).toBeVisible();
  await expectStored(guard, ['in', 'out'], [true]);
  await page.context().close();
});
