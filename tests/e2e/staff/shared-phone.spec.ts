// A phone that guards share: what one leaves without a signal is sent without them, and opens nothing to the next.
import { button, expectStored, status, test, WAITS } from '#tests/e2e/support/clock-dialog.ts';
import { type GuardOnShift, guardOnShift, phoneOf } from '#tests/e2e/support/guard-on-shift.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { login } from '#tests/e2e/support/people.ts';
import { roughLine } from '#tests/e2e/support/rough-line.ts';
import { expect } from '#tests/e2e/support/test.ts';

const deliveryTokens = (dataDir: string, guard: GuardOnShift) =>
  ask(dataDir, 'select deliveries from private.delivery_tokens where user_id = $1', [
    guard.session.user.id,
  ]);

/** Made while there is a signal. */
const hasDeliveryToken = (dataDir: string, guard: GuardOnShift) =>
  expect.poll(() => deliveryTokens(dataDir, guard)).toEqual([{ deliveries: 0 }]);

test('a guard who signs out without a signal leaves a queue that is sent without them, and no session', async ({
  browser,
  url,
  dataDir,
}) => {
  const line = await roughLine(url, /\/(rest|auth)\//);
  const guard = await guardOnShift(url, dataDir);
  const page = await phoneOf(browser, line.url, guard);
  await hasDeliveryToken(dataDir, guard);
  line.becomes('down');
  await button(page, 'Clock In').click();
  await expect(status(page)).toContainText(WAITS);
  await page.keyboard.press('Escape');
  const session = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => /^sb-.*-auth-token$/.test(name)) ?? '';
    return JSON.parse(localStorage.getItem(key) ?? '');
  });
  await page.getByRole('button', { name: 'Logout' }).click();
  const question = page.getByRole('dialog', { name: '1 waiting to send' });
  await expect(question).toContainText('also without you');
  await question.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).toContain('sessions-to-revoke');
  expect(kept).not.toContain(session.access_token);
  expect(kept).not.toContain(session.refresh_token);
  expect((await guard.stored()).events).toEqual([]);

  // Nobody is signed in.
  line.becomes('good');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expectStored(guard, ['in'], [false]);
  await expect
    .poll(() =>
      ask(dataDir, 'select from auth.sessions where user_id = $1', [guard.session.user.id]),
    )
    .toEqual([]);
  await page.context().close();
  await line.close();
});

test('another user on the same phone doesn’t see what was left, and it is sent', async ({
  browser,
  url,
  dataDir,
}) => {
  const line = await roughLine(url, /\/(rest|auth)\//);
  const guard = await guardOnShift(url, dataDir);
  const page = await phoneOf(browser, line.url, guard);
  await hasDeliveryToken(dataDir, guard);
  line.becomes('down');
  await button(page, 'Clock In').click();
  await expect(status(page)).toContainText(WAITS);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Logout' }).click();
  const question = page.getByRole('dialog', { name: '1 waiting to send' });
  await question.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Security Portal' })).toBeVisible();
  await page.goto('about:blank');
  line.becomes('good');
  await page.goto(`${line.url}/staff`);
  await login(page, 'guard2@statesman.example');
  await expectStored(guard, ['in'], [false]);
  await page.getByRole('button', { name: 'Clock In/Out' }).click();
  await expect(page.getByText(guard.siteName)).toBeHidden();
  await expect(page.getByRole('dialog').getByText('Not accepted')).toBeHidden();
  await expect.poll(() => deliveryTokens(dataDir, guard)).toEqual([]);
  await page.context().close();
  await line.close();
});
