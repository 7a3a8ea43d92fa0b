// The guard alone: an SOS that is held without a signal, and a welfare check that is answered with one tap.
import { formatPhone } from '#shared/phone.ts';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { dutyCard } from '#tests/e2e/support/clock-dialog.ts';
import { gate } from '#tests/e2e/support/gate.ts';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { codeIsLoaded } from '#tests/e2e/support/loaded-code.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { pageOf } from '#tests/e2e/support/people.ts';
import { roughLine } from '#tests/e2e/support/rough-line.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

test('SOS is held for two seconds without a signal, and sent once when there is one', {
  tag: '@everyday',
}, async ({ browser, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, url, guard);
  await page.goto('/staff');
  await expect(dutyCard(page)).toContainText(guard.siteName);
  // On every screen of the portal, within reach of the thumb.
  await page.getByRole('link', { name: 'Pay' }).click();
  const sos = page.getByRole('button', { name: 'SOS' });
  const box = await sos.boundingBox();
  if (!box) throw new Error('The SOS button is not visible.');
  expect(box.height).toBeGreaterThanOrEqual(44);
  expect(box.y + box.height).toBeGreaterThan(640);

  await sos.hover();
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.getByText('Hold for 2 seconds to call for help.').last()).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();

  await codeIsLoaded(page, 'sos-dialog');
  await page.context().setOffline(true);
  await page.mouse.down();
  await expect(page.getByText('Keep holding…')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Sending your SOS' });
  await expect(dialog).toBeVisible();
  await page.mouse.up();
  await expect(dialog.getByRole('link', { name: 'Call the control room' })).toHaveAttribute(
    'href',
    /^tel:\+\d+$/,
  );
  await expect(dialog.getByRole('link', { name: 'Send it as a text message' })).toHaveAttribute(
    'href',
    new RegExp(
      `^sms:\\+\\d+\\?body=${[
        encodeURIComponent(`SOS ${guard.person.fullName}, ${guard.siteName}, `),
        '\\d{1,2}%3A\\d\\d%20[AP]M',
        encodeURIComponent(', https://maps.google.com/?q=6.300010,-10.800020'),
      ].join('')}$`,
    ),
  );
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  const card = page.getByRole('region', { name: 'SOS' });
  await expect(card).toContainText('Waiting to be sent.');
  await expect(card).toContainText(guard.siteName);

  await page.context().setOffline(false);
  await expect(card).toContainText('The control room has it. Nobody has answered yet.');
  await page.goto('/staff');
  await expect(card.getByRole('link', { name: 'Call the control room' })).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await card.getByRole('button', { name: /^False alarm/ }).click();
  await expect(page.getByText(/^Marked as a false alarm\./).first()).toBeVisible();
  await expect
    .poll(() =>
      ask(
        dataDir,
        `select e.gps, e.cancel_note, l.closed_at from sos_events e join alerts l on l.cause = 'sos:' || coalesce(e.joined, e.id)
         where e.user_id = $1`,
        [guard.session.user.id],
      ),
    )
    .toEqual([{ gps: '6.300010,-10.800020', cancel_note: 'Pressed by mistake', closed_at: null }]);
  const alarm = `from sos_events e where l.cause = 'sos:' || coalesce(e.joined, e.id) and e.user_id = $1`;
  await ask(
    dataDir,
    `update alerts l set acknowledged_at = now(), acknowledged_by = $1 ${alarm} returning l.id`,
    [guard.session.user.id],
  );
  await page.reload();
  await expect(card).toContainText(`${guard.person.fullName} answered at`);
  await ask(
    dataDir,
    `update alerts l set closed_at = now(), outcome = 'closed' ${alarm} returning l.id`,
    [guard.session.user.id],
  );
  // Nobody reloads the page: the phone asks.
  await expect(card).toBeHidden({ timeout: 15_000 });
  await page.context().close();
});

test('an SOS that was pressed by mistake is called a false alarm where it was sent', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, url, guard);
  await page.goto('/staff');
  await expect(dutyCard(page)).toContainText(guard.siteName);
  await page.getByRole('button', { name: 'SOS' }).focus();
  await page.keyboard.down('Enter');
  await expect(page.getByRole('dialog', { name: 'SOS sent' })).toContainText(
    'The control room has your SOS.',
  );
  await page.keyboard.up('Enter');
  await page.getByLabel('Pressed by mistake?').fill('Fell on it');
  await page.getByRole('button', { name: /^False alarm/ }).click();
  await expect(page.getByText(/^Marked as a false alarm\./).first()).toBeVisible();
  await expect
    .poll(() =>
      ask(dataDir, 'select cancel_note from sos_events where user_id = $1', [
        guard.session.user.id,
      ]),
    )
    .toEqual([{ cancel_note: 'Fell on it' }]);
  await page.context().close();
});

test('while a dialog’s code loads, and when it can’t be loaded, SOS stays in reach', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, url, guard, { hasTouch: true });
  const { opened, open } = gate();
  await page.route(/\/report-incident-dialog-[^/]*\.js$/, async (route) => {
    await opened;
    await route.fulfill({ status: 404 });
  });
  await page.goto('/staff/report');
  // A trial fails when something else would receive the press.
  const isInReach = () => page.getByRole('button', { name: 'SOS' }).click({ trial: true });
  await page.getByRole('button', { name: 'Report Incident' }).click();
  await expect(page.getByText('Opening Report Incident...')).toBeVisible();
  await isInReach();
  open();
  await expect(page.getByText('The app was updated')).toBeVisible();
  await isInReach();
  await page.context().close();
});

test('with large text, and with the phone on its side, SOS stays in view', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir, 30, 38);
  const page = await newPhone(browser, url, guard, { hasTouch: true, isMobile: true });
  const sos = page.getByRole('button', { name: 'SOS' });
  for (const [path, shown] of [
    ['/staff', 'My Shifts'],
    ['/staff/shifts', `Confirm, ${guard.siteName}`],
    ['/staff/attendance', 'My Attendance'],
    ['/staff/me', 'How a shift works'],
  ] as const) {
    await page.goto(path);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '24px';
    });
    await expect(page.getByLabel(shown).or(page.getByText(shown)).first()).toBeVisible();
    // Content that is too wide takes the fixed navigation along, beyond the edge of the screen.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await expect(sos).toBeInViewport({ ratio: 1 });
  }
  await page.goto('/staff');
  await page.setViewportSize({ width: 740, height: 360 });
  const last = page.getByRole('link', { name: /Guard Deployment Tracker/ });
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport();
  await expect(sos).toBeInViewport({ ratio: 1 });
  await page.context().close();
});

test('a welfare check is answered with one tap', async ({ browser, url, dataDir }) => {
  const guard = await guardOnShift(url, dataDir);
  await ask(dataDir, 'update sites set welfare_every_minutes = 30 where name = $1', [
    guard.siteName,
  ]);
  await guard.attends(new Date(Date.now() - 28 * 60_000).toISOString());
  await expect
    .poll(() =>
      ask(dataDir, 'select way from welfare_checks where assignment_id = $1', [guard.assignmentId]),
    )
    .toHaveLength(1);
  const page = await newPhone(browser, url, guard);
  await page.goto('/staff/shifts');
  const card = page.getByRole('region', { name: 'Welfare check' });
  await expect(card).toContainText(`A welfare check is coming${guard.siteName}`);
  await expect(card).toContainText(/in 1:\d\d/);
  const button = card.getByRole('button', { name: 'I am fine' });
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(64);
  expect(await faultsOf(page)).toEqual([]);
  await button.click();
  await expect(page.getByText('Thank you', { exact: true })).toBeVisible();
  await expect(card).toBeHidden();
  expect(
    await ask(
      dataDir,
      'select way from welfare_checks where assignment_id = $1 and answered_at is not null',
      [guard.assignmentId],
    ),
  ).toEqual([{ way: 'phone' }]);
  await page.context().close();
});

test('a planner sees to a message that made no record', async ({ browser, url, dataDir }) => {
  const number = `+2317${String(Date.now()).slice(-8)}`;
  await ask(dataDir, `select private.take_message($1, 'text', $2, 'IN')`, [
    `e2e:${number}`,
    number,
  ]);
  const page = await pageOf(browser, url, 'ops');
  await page.goto('/admin/attendance');
  await page.getByRole('button', { name: /^Messages \(\d+\)$/ }).click();
  const message = page
    .getByRole('dialog')
    .getByRole('listitem')
    .filter({
      hasText: formatPhone(number),
    });
  await expect(message).toContainText('Unknown number');
  await expect(message).toContainText('“IN”');
  expect(await faultsOf(page)).toEqual([]);
  await message.getByRole('button', { name: /^Done/ }).click();
  const done = await holdToast(page, 'Message Done');
  await expect(message).toBeHidden();
  await done.getByRole('button', { name: 'Undo' }).click();
  await expect(message).toBeVisible();
  await page.context().close();
});

test('the button of a push message answers with the app closed, and without a signal later', async ({
  browser,
  url,
  dataDir,
}) => {
  const line = await roughLine(url, /rpc\/answer_/);
  const guard = await guardOnShift(url, dataDir);
  await ask(dataDir, 'update sites set welfare_every_minutes = 30 where name = $1', [
    guard.siteName,
  ]);
  await guard.attends(new Date(Date.now() - 29 * 60_000).toISOString());
  await ask(dataDir, 'select private.make_welfare_checks()');
  const message = async () =>
    (
      await ask(
        dataDir,
        `select private.welfare_answer('welfare:' || id || ':0') as check from welfare_checks
         where assignment_id = $1 order by due_at desc limit 1`,
        [guard.assignmentId],
      )
    )[0]?.check;
  const answers = () =>
    ask(
      dataDir,
      'select way from welfare_checks where assignment_id = $1 and answered_at is not null',
      [guard.assignmentId],
    );

  const page = await newPhone(browser, line.url, guard, { serviceWorkers: 'allow' });
  await page.goto('/staff');
  const card = page.getByRole('region', { name: 'Welfare check' });
  await expect(card).toContainText(guard.siteName);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  const worker = page.context().serviceWorkers()[0];
  if (!worker) throw new Error('The page has no service worker.');
  // As the browser does when the button is pressed.
  const press = async () =>
    worker.evaluate(
      async (check) => {
        const works: Promise<unknown>[] = [];
        const notification = { data: { check }, tag: 'one', close: () => undefined };
        dispatchEvent(
          Object.assign(new Event('notificationclick'), {
            action: 'fine',
            notification,
            waitUntil: (work: Promise<unknown>) => works.push(work),
          }),
        );
        // The headless browser shows no notice of thanks.
        await Promise.allSettled(works);
      },
      await message(),
    );

  line.becomes('down');
  await press();
  // The page knows of the answer that the worker has stored.
  await expect(page.getByRole('link', { name: '1 waiting to send' })).toBeVisible();
  await expect(card).toBeHidden();
  expect(await answers()).toEqual([]);
  line.becomes('good');
  await page.reload();
  await expect.poll(answers).toEqual([{ way: 'phone' }]);
  await expect(page.getByRole('link', { name: 'waiting to send' })).toBeHidden();

  // The next check, and the app is not on screen.
  await ask(
    dataDir,
    `update welfare_checks set due_at = due_at - interval '30 minutes', answered_at = answered_at - interval '30 minutes'
     where assignment_id = $1`,
    [guard.assignmentId],
  );
  await ask(dataDir, 'select private.make_welfare_checks()');
  await page.goto('about:blank');
  await press();
  expect(await answers()).toEqual([{ way: 'phone' }, { way: 'phone' }]);
  await page.context().close();
  await line.close();
});
