// A location is judged by its accuracy and age, one attempt serves home and sheet, and nobody has to wait for it.
import type { Page } from '@playwright/test';
import { button, dutyCard, expectStored, test } from '#tests/e2e/support/clock-dialog.ts';
import { AT_THE_GATE, guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { expect } from '#tests/e2e/support/test.ts';

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Clock In/Out' });

/** Satellites are never found; counts how often they are looked for. */
async function withoutSatellites(page: Page): Promise<() => number> {
  let attempts = 0;
  await page.exposeFunction('countAttempt', () => {
    attempts += 1;
  });
  await page.addInitScript(() => {
    const look = () => {
      Reflect.apply(Reflect.get(globalThis, 'countAttempt'), undefined, []);
      return 1;
    };
    Object.defineProperties(Geolocation.prototype, {
      watchPosition: { value: look },
      getCurrentPosition: { value: look },
    });
  });
  return () => attempts;
}

test('a phone that is not sure where it is says so, and so does the record', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, line.url, guard, {
    geolocation: { ...AT_THE_GATE, accuracy: 2500 },
  });
  await page.goto('/staff');
  const words = 'Your phone is not sure where you are (2.5 km)';
  await expect(dutyCard(page)).toContainText(words);
  await dutyCard(page)
    .getByRole('button', { name: `Clock in at ${guard.siteName}` })
    .click();
  await expect(sheet(page)).toContainText(words);
  await expect(sheet(page)).toContainText(/Accurate to 2\.5 km, \d+ s old/);
  await expect(sheet(page)).not.toContainText('m from post');
  await expectStored(guard, [], []);
  await button(page, 'Clock In').click();
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  expect((await guard.stored()).records).toMatchObject([{ flags: ['location_imprecise'] }]);
  await page.context().close();
});

test('without satellites there is one attempt, and the way out is offered at once', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, line.url, guard);
  const attempts = await withoutSatellites(page);
  await page.clock.install();
  await page.goto('/staff');
  const clockIn = dutyCard(page).getByRole('button', { name: `Clock in at ${guard.siteName}` });
  await expect(dutyCard(page)).toContainText('Getting your location...');
  await clockIn.click();
  await expect(
    dutyCard(page).getByRole('button', { name: 'Clock in without location' }),
  ).toBeVisible();
  // The guard waits; the sheet goes on with the same attempt, and learns how it ends.
  await page.clock.runFor(15_000);
  await expect(sheet(page)).toContainText('Getting your location...');
  await expect(
    sheet(page).getByRole('button', { name: 'Clock in without location' }),
  ).toBeVisible();
  await page.clock.runFor(17_000);
  await expect(sheet(page).getByText('No location', { exact: true })).toBeVisible();
  await expect(page.getByText('Location Error')).toBeVisible();
  expect(attempts()).toBe(1);
  // Who does not wait reaches the reason with the second tap.
  await page.keyboard.press('Escape');
  await page.reload();
  await clockIn.click();
  await dutyCard(page).getByRole('button', { name: 'Clock in without location' }).click();
  await sheet(page).getByRole('button', { name: 'No GPS signal' }).click();
  await sheet(page).getByRole('button', { name: 'Clock in without location' }).click();
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  expect((await guard.stored()).records).toMatchObject([
    { flags: ['no_location'], clock_in_reason: 'No GPS signal' },
  ]);
  await page.context().close();
});
