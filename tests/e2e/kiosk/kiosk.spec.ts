// Guards clock in on a shared tablet, with and without a network, and never see anything of each other.
import type { Browser, Page } from '@playwright/test';
import { type GuardOnShift, guardOnShift } from '#tests/e2e/support/guard-on-shift.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { pageOf } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const PIN = '4071';

async function givePin(dataDir: string, guard: GuardOnShift): Promise<void> {
  await ask(dataDir, 'select private.store_pin($1, $2)', [guard.session.user.id, PIN]);
}

/** A code for a new device of the site, as an administrator sees it. */
async function codeFor(browser: Browser, url: string, siteName: string): Promise<string> {
  const page = await pageOf(browser, url, 'admin');
  await page.goto(`/admin/sites?q=${encodeURIComponent(siteName)}`);
  await page.getByRole('link', { name: `Devices of ${siteName}` }).click();
  await page.getByRole('button', { name: 'Add Device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Gate tablet');
  await dialog.getByRole('button', { name: 'Add Device' }).click();
  const code = page.getByText(/^[A-Z2-9]{4} [A-Z2-9]{4}$/);
  await expect(code).toBeVisible();
  const text = await code.textContent();
  await page.context().close();
  return text ?? '';
}

async function press(page: Page, pin: string): Promise<void> {
  for (const digit of pin) await page.getByRole('button', { name: digit, exact: true }).click();
}

test('a guard clocks in offline on a tablet, and exactly one record follows', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  await givePin(dataDir, guard);
  const code = await codeFor(browser, url, guard.siteName);
  const context = await browser.newContext({
    baseURL: url,
    serviceWorkers: 'allow',
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await page.goto('/kiosk');
  await page.getByLabel('Code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Bind Device' }).click();
  const name = page.getByRole('button', { name: guard.person.fullName });
  await expect(name).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

  await test.step('a wrong PIN shows an error at once, and makes no record', async () => {
    await name.click();
    await press(page, '9182');
    await page.getByRole('button', { name: 'Clock In' }).click();
    await expect(page.getByRole('alert')).toHaveText('This PIN is wrong. 4 tries left.');
    expect((await guard.stored()).events).toEqual([]);
    await page.getByRole('button', { name: 'Back to Names' }).click();
  });

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('No network')).toBeVisible();
  await name.click();
  await press(page, PIN);
  await page.getByRole('button', { name: 'Clock In' }).click();
  await expect(page.getByRole('heading', { name: /^Clocked in at / })).toBeVisible();
  await expect(page.getByText(guard.person.fullName)).toBeHidden();
  await expect(page.getByText('Waiting to be sent: 1')).toBeVisible();

  await test.step('the next person sees a name and whether they are in, nothing else', async () => {
    // By itself, some seconds later.
    await expect(name).toContainText('Clocked in');
    await name.click();
    await expect(page.getByText('0 digits entered')).toBeAttached();
    await page.getByRole('button', { name: 'Back to Names' }).click();
    expect(
      await page.evaluate(() => [location.pathname + location.search, history.length]),
    ).toEqual(['/kiosk', expect.any(Number)]);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  await context.setOffline(false);
  await expect(page.getByText(/Waiting to be sent/)).toHaveCount(0);
  await expect
    .poll(async () => {
      const { records, events } = await guard.stored();
      return [records.length, events.map(({ kind }) => kind)];
    })
    .toEqual([1, ['in']]);

  await name.click();
  await press(page, PIN);
  await page.getByRole('button', { name: 'Clock Out' }).click();
  await expect(page.getByRole('heading', { name: /^Clocked out at / })).toBeVisible();
  await expect.poll(async () => (await guard.stored()).records[0]?.clock_out_at).not.toBeNull();
  await context.close();
});

test('an untouched screen goes back to the names', async ({ browser, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  const code = await codeFor(browser, url, guard.siteName);
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto('/kiosk');
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Bind Device' }).click();
  await page.getByRole('button', { name: guard.person.fullName }).click();
  await press(page, '40');
  await page.clock.fastForward(21_000);
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
  await expect(page.getByText('2 digits entered')).toHaveCount(0);
  await context.close();
});

test('a guard without a PIN learns that the attempt is recorded, and sets one with a start code @long', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const [{ code }] = await ask(dataDir, 'select code from private.issue_start_code($1)', [
    guard.session.user.id,
  ]);
  const device = await codeFor(browser, url, guard.siteName);
  const context = await browser.newContext({
    baseURL: url,
    hasTouch: true,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await page.goto('/kiosk');
  await page.getByLabel('Code').fill(device);
  await page.getByRole('button', { name: 'Bind Device' }).click();
  await page.getByRole('button', { name: guard.person.fullName }).click();
  await press(page, PIN);
  await page.getByRole('button', { name: 'Clock In' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'You have no PIN yet. Ask your supervisor for one. This attempt is recorded: your supervisor sees it and decides.',
  );
  await page.getByRole('button', { name: 'Set a PIN with a Start Code' }).click();
  const enter = async (digits: string, button: string) => {
    await press(page, digits);
    await page.getByRole('button', { name: button, exact: true }).click();
  };
  await enter('000000000000', 'Next');
  await enter(PIN, 'Save PIN');
  await expect(page.getByRole('alert')).toContainText('This code is wrong, used or expired.');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('button', { name: 'Clear' }).click();
  await enter(code, 'Next');
  await enter('1234', 'Save PIN');
  await expect(page.getByRole('alert')).toHaveText('Choose a PIN that is harder to guess.');
  await enter(PIN, 'Save PIN');
  await expect(page.getByText('PIN saved. Enter it to clock in.')).toBeVisible();
  await enter(PIN, 'Clock In');
  await expect(page.getByRole('heading', { name: /^Clocked in at / })).toBeVisible();
  expect((await guard.stored()).records).toHaveLength(1);
  const attempts = await ask(dataDir, 'select reason from clock_exceptions where user_id = $1', [
    guard.session.user.id,
  ]);
  expect(attempts).toEqual([{ reason: 'no_pin' }]);
  await context.close();
});
