// Clocking in hours early, leaving early, and clocking in by mistake: asked about, with a reason, or taken back.
import type { Page } from '@playwright/test';
import {
  button,
  dutyCard,
  expectStored,
  openAgain,
  question,
  TIME,
  test,
  WAITS,
} from '#tests/e2e/support/clock-dialog.ts';
import { hold } from '#tests/e2e/support/gate.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect } from '#tests/e2e/support/test.ts';

const MINUTE = 1 / 60;
const takeBack = (page: Page) => page.getByRole('button', { name: 'I clocked in by mistake' });

test('clocking in hours early asks first and says what is paid; by mistake, it is taken back', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir, 3 + 47.5 * MINUTE, 12);
  const page = await newPhone(browser, line.url, guard);
  await page.goto('/staff');
  const card = dutyCard(page);
  await card.getByRole('button', { name: `Clock in at ${guard.siteName}` }).click();
  await button(page, 'Clock In').click();
  const early = page.getByRole('dialog', {
    name: /^Your shift starts in 3 h 4\d min\. Clock in now\?$/,
  });
  await expect(early).toContainText(new RegExp(`You are paid from ${TIME}`));
  await early.getByRole('button', { name: 'Not Yet' }).click();
  await expectStored(guard, [], []);
  await button(page, 'Clock In').click();
  await early.getByRole('button', { name: 'Clock In' }).click();
  await expect(page.getByText('Clocked In', { exact: true })).toBeVisible();
  await expectStored(guard, ['in'], [false]);
  await openAgain(page);
  await takeBack(page).click();
  await page.getByRole('button', { name: 'Take Clock-In Back' }).click();
  await expect(page.getByText('Clock-in taken back').first()).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(card).toContainText('You are not clocked in');
  await expectStored(guard, ['in', 'withdraw'], []);
  await page.context().close();
});

test('what a clocked-in guard taps stays in its place while the page learns that they are', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  await guard.attends(new Date(Date.now() - 5 * 60_000).toISOString());
  const page = await newPhone(browser, line.url, guard);
  await page.goto('/staff');
  await expect(takeBack(page)).toBeVisible();
  const report = page.getByRole('button', { name: /^Report Incident/ });
  const place = () => report.evaluate((shown) => shown.getBoundingClientRect().top + scrollY);
  const before = await place();
  const release = await hold(page, /my_clock_shifts/);
  // The phone's storage is slower than the first picture.
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => Object.create(IDBOpenDBRequest.prototype);
  });
  await page.reload();
  await expect(page.getByText('Checking whether you are clocked in...')).toBeVisible();
  expect(await place()).toBe(before);
  release();
  await expect(takeBack(page)).toBeVisible();
  expect(await place()).toBe(before);
  await page.context().close();
});

test('a clock-in that still waits to be sent is taken back too', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, line.url, guard);
  await page.goto('/staff');
  const card = dutyCard(page);
  await expect(card).toContainText(/\d m from post/);
  await page.context().setOffline(true);
  await card.getByRole('button', { name: `Clock in at ${guard.siteName}` }).click();
  await expect(card.getByText(WAITS)).toBeVisible();
  await takeBack(page).click();
  await page.getByRole('button', { name: 'Take Clock-In Back' }).click();
  await expect(card).toContainText('You are not clocked in');
  await expect(card).toContainText(`Clock-in at ${guard.siteName} taken back — waiting to send`);
  await page.context().setOffline(false);
  await expectStored(guard, ['in', 'withdraw'], []);
  await expect(card).not.toContainText('waiting to send');
  // The shift is open as before.
  await card.getByRole('button', { name: `Clock in at ${guard.siteName}` }).click();
  await expectStored(guard, ['in', 'withdraw', 'in'], [false]);
  await page.context().close();
});

test('leaving early takes a reason, and home says what was worked and what comes next', async ({
  browser,
  line,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const next = await guard.alsoOn(49, 57);
  await guard.attends(new Date(Date.now() - 66 * 60_000).toISOString());
  const page = await newPhone(browser, line.url, guard);
  await page.goto('/staff');
  const card = dutyCard(page);
  await card.getByRole('button', { name: 'Clock out', exact: true }).click();
  await button(page, 'Clock Out').click();
  await question(page).getByRole('button', { name: 'Clock Out' }).click();
  await expect(question(page)).toContainText('Say why you leave early');
  await expectStored(guard, [], [false]);
  await question(page).getByRole('button', { name: 'I am ill' }).click();
  await question(page).getByLabel('Why do you leave early?').fill('Fever');
  await question(page).getByRole('button', { name: 'Clock Out' }).click();
  await expect(page.getByText('Clocked Out', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(card).toContainText(/You worked 1 h \d min\./);
  await expect(card).toContainText('No further shift for today.');
  await expect(card).toContainText(new RegExp(`Your next shift: .*, ${next.siteName}\\.`));
  await expectStored(guard, ['out'], [true]);
  const { data } = await (await service(url, dataDir))
    .from('attendance')
    .select('clock_out_reason')
    .eq('assignment_id', guard.assignmentId)
    .single()
    .throwOnError();
  expect(data.clock_out_reason).toBe('I am ill. Fever');
  await page.context().close();
});
