// Hours of a month: what must be decided, approving the rest at once, and who sees what.

import { hold } from '#tests/e2e/support/gate.ts';
import { monthOfHours } from '#tests/e2e/support/month-of-hours.ts';
import { pageIn } from '#tests/e2e/support/people.ts';
import { roughLine, SENT_AGAIN } from '#tests/e2e/support/rough-line.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

const DAY = { day: 4, in: 6, out: 18 };

test('operations clear a month: one of each kind in place, the rest in one press', {
  tag: '@everyday',
}, async ({ openAs, url, dataDir }) => {
  const { siteId, first, guards } = await monthOfHours(
    url,
    dataDir,
    { year: 2024, month: 3 },
    {
      forgot: [{ ...DAY, out: null }],
      outside: [{ ...DAY, flags: ['outside_fence'] }],
      lost: [{ ...DAY, flags: ['no_location'] }],
      stayed: [{ ...DAY, in: 7, out: 18.5 }],
      overtime: [{ ...DAY, out: 20 }],
      absent: [DAY, { day: 5, in: null, out: null }],
      clean: [DAY],
      tidy: [DAY, { ...DAY, day: 6 }],
    },
  );
  const page = await openAs('ops');
  let clicks = 0;
  const press = async (name: string | RegExp) => {
    clicks += 1;
    await page.getByRole('button', { name }).click();
  };
  await page.goto(`/admin/timesheets?day=${first}&site=${siteId}`);
  const toDecide = (key: string) =>
    page.getByRole('list', { name: `To decide: ${guards[key]?.name}` }).getByRole('listitem');
  for (const key of ['forgot', 'outside', 'lost', 'stayed', 'overtime', 'absent']) {
    await expect(toDecide(key)).toHaveCount(1);
  }
  await expect(page.getByText('Approve 2 people without exceptions')).toBeVisible();

  const about = (key: string) => new RegExp(`: ${guards[key]?.name}, `);
  const named = (label: string, key: string) => new RegExp(`^${label}${about(key).source}`);
  await press(named('Clock out at shift end', 'forgot'));
  await expect(toDecide('forgot')).toHaveCount(0);
  await press(named('Accept', 'outside'));
  // A mistaken press is undone.
  const accepted = await holdToast(page, /^Accepted/);
  await expect(toDecide('outside')).toHaveCount(0);
  await accepted.getByRole('button', { name: 'Undo' }).click();
  await expect(toDecide('outside')).toHaveCount(1);
  await page.getByRole('button', { name: named('Accept', 'outside') }).click();
  await expect(toDecide('outside')).toHaveCount(0);
  await press(named('Accept', 'lost'));
  await press(named('Pay', 'stayed'));
  await expect(toDecide('stayed')).toHaveCount(0);
  // By keyboard: the focus moves on and does not fall to the page's beginning.
  const refuse = page.getByRole('button', { name: named('Don’t pay', 'overtime') });
  await refuse.press('Enter');
  clicks += 1;
  await expect(toDecide('overtime')).toHaveCount(0);
  await press(named('Correct', 'absent'));
  const attendance = page.getByRole('dialog');
  await attendance.getByRole('button', { name: 'Add Clock-in' }).click();
  await attendance.getByLabel('Clock-out').fill('2024-03-05T18:00');
  await attendance.getByLabel('Reason').fill('Seen at the gate');
  await attendance.getByRole('button', { name: 'Add Clock-in' }).click();
  await expect(page.getByText('Attendance added')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('list', { name: /^To decide/ })).toHaveCount(0);

  await press('Approve 8 people without exceptions');
  await expect(page.getByRole('dialog')).toContainText('Their hours of Mar 2024 go into');
  await press('Approve 8 people');
  await expect(page.getByText('8 timesheets approved')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Approve/ })).toHaveCount(0);
  // Six kinds and the two presses of approving; the missing clock-in has a form.
  expect(clicks).toBe(8);

  await page.getByRole('button', { name: /^Everyone/ }).click();
  const row = page.getByRole('row', { name: new RegExp(guards.overtime?.name ?? '') });
  await expect(row).toContainText('12 h');
  await expect(row).toContainText('Approved');
  await row.getByRole('link').click();
  await expect(page.getByText(/Stayed 2 h after the shift; .*not paid/)).toBeVisible();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByLabel('Reason').fill('The client confirmed the overtime');
  await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('button', { name: /^Undo the decision about overtime/ }).click();
  await expect(page.getByRole('list', { name: /^To decide/ })).toBeVisible();
  await page.getByRole('button', { name: /^Pay: / }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByText(/^Approved by .*ops|^Approved by /)).toBeVisible();
});

test('the last point of a person decided by keyboard: the focus moves to the next person, or to the name', async ({
  openAs,
  url,
  dataDir,
}) => {
  const outside = [{ ...DAY, flags: ['outside_fence'] }];
  const { siteId, first, guards } = await monthOfHours(
    url,
    dataDir,
    { year: 2024, month: 6 },
    { a: outside, b: outside },
  );
  const page = await openAs('ops');
  await page.goto(`/admin/timesheets?day=${first}&site=${siteId}`);
  const accept = (key: string) =>
    page.getByRole('button', { name: new RegExp(`^Accept: ${guards[key]?.name}`) });
  await expect(accept('b')).toBeVisible();
  // The card of the first person stays until the list has been loaded again.
  const loadList = await hold(page, /\/rpc\/timesheet_overview/);
  await accept('a').press('Enter');
  await expect(accept('a')).toHaveCount(0);
  await expect(accept('b')).toBeFocused();
  const gone = page.getByRole('heading', { name: guards.a?.name ?? '' });
  await expect(gone).toBeVisible();
  loadList();
  await expect(gone).toBeHidden();
  await expect(accept('b')).toBeFocused();
  await page.getByRole('link', { name: guards.b?.name ?? '' }).press('Enter');
  await expect(page.getByRole('region', { name: 'To decide' })).toBeVisible();
  await accept('b').press('Enter');
  await expect(accept('b')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: guards.b?.name ?? '' })).toBeFocused();

  // "Approve" disappears too.
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  await expect(approve).toBeEnabled();
  await approve.press('Enter');
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('equal cases are decided at once and taken back; letters decide one by one', {
  tag: '@long',
}, async ({ openAs, url, dataDir }) => {
  const stayed = [{ ...DAY, out: 18.5 }];
  const { siteId, first, guards } = await monthOfHours(
    url,
    dataDir,
    { year: 2024, month: 9 },
    { a: stayed, b: stayed, c: stayed },
  );
  const page = await openAs('ops');
  await page.goto(`/admin/timesheets?day=${first}&site=${siteId}`);
  const lists = page.getByRole('list', { name: /^To decide/ });
  await expect(lists).toHaveCount(3);
  await page.getByRole('button', { name: 'Decide equal cases at once' }).click();
  const equal = page.getByRole('region', { name: 'Equal cases' });
  await expect(equal.getByRole('listitem')).toHaveText(
    /^3 Overtime above the roster, 15 min to 30 min/,
  );
  await equal.getByRole('button', { name: /^Don’t pay all/ }).click();
  const question = page.getByRole('dialog', { name: 'Don’t pay 3 cases?' });
  await expect(question).toContainText('is not paid');
  await question.getByRole('button', { name: 'Don’t pay 3 Cases' }).click();
  const decided = await holdToast(page, '3 cases decided');
  await expect(lists).toHaveCount(0);
  await decided.getByRole('button', { name: 'Undo' }).click();
  await expect(lists).toHaveCount(3);

  const pay = (key: string) =>
    page.getByRole('button', { name: new RegExp(`^Pay: ${guards[key]?.name}`) });
  await pay('a').focus();
  await page.keyboard.press('n');
  await expect(pay('b')).toBeFocused();
  await page.keyboard.press('d');
  await expect(pay('b')).toHaveCount(0);
  await pay('c').focus();
  await page.keyboard.press('a');
  await expect(lists).toHaveCount(1);
});

test('pages of people with something to decide: the counts are those of the cards', async ({
  openAs,
  url,
  dataDir,
}) => {
  const keys = Array.from({ length: 13 }, (_, index) => `absent${index}`);
  const { siteId, first } = await monthOfHours(
    url,
    dataDir,
    { year: 2024, month: 10 },
    Object.fromEntries(keys.map((key) => [key, [{ ...DAY, in: null, out: null }]])),
  );
  const page = await openAs('ops');
  await page.goto(`/admin/timesheets?day=${first}&site=${siteId}`);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const toDecide = page.getByRole('list', { name: /^To decide/ });
  await expect(pages).toContainText('1–12 of 13');
  await expect(toDecide).toHaveCount(12);
  await pages.getByRole('button', { name: 'Next' }).press('Enter');
  await expect(pages).toContainText('13–13 of 13');
  await expect(toDecide).toHaveCount(1);
});

test('a guard disputes a day without a signal, once, and reads the answer', async ({
  browser,
  openAs,
  url,
  dataDir,
}) => {
  test.slow();
  const line = await roughLine(url, /timesheet_disputes/);
  const { siteId, first, guards } = await monthOfHours(
    url,
    dataDir,
    { year: 2024, month: 5 },
    {
      short: [DAY, { ...DAY, day: 6, out: 16 }],
    },
  );
  const guard = guards.short;
  if (!guard) throw new Error('The guard is missing.');
  const phone = await pageIn(browser, line.url, guard.session, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  });
  await phone.goto('/staff/payslips');
  await phone.getByRole('link', { name: /^My Timesheet/ }).tap();
  await phone.getByLabel('Period').selectOption('May 2024');
  await expect(phone.getByText('Clocked out 2 h before the end of the shift.')).toBeVisible();
  const dispute = phone.getByRole('button', { name: 'Dispute this day, Mon, May 6' });
  expect((await dispute.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await dispute.tap();
  const dialog = phone.getByRole('dialog', { name: 'Dispute Mon, May 6' });
  await dialog.getByRole('button', { name: 'Send Dispute' }).tap();
  await expect(dialog.getByText('Write what is wrong')).toBeVisible();
  await dialog.getByLabel('What is wrong?').fill('My relief came, I left at six.');
  line.becomes('down');
  await dialog.getByRole('button', { name: 'Send Dispute' }).tap();
  await expect(phone.getByText('Dispute sent')).toBeVisible();
  const day = phone
    .getByRole('list', { name: 'Days' })
    .getByRole('listitem')
    .filter({
      has: phone.getByRole('heading', { name: 'Mon, May 6' }),
    });
  await expect(day).toContainText('Waiting to send');
  // The request arrives now, but its answer is lost: the phone sends it again.
  line.becomes('loses answers');
  const backend = await service(url, dataDir);
  const stored = async () =>
    (
      await backend
        .from('timesheet_disputes')
        .select('note, status')
        .eq('user_id', guard.session.user.id)
        .throwOnError()
    ).data;
  await expect.poll(stored, SENT_AGAIN).toHaveLength(1);
  line.becomes('good');
  await expect(day).toContainText('Sent. No answer yet.', SENT_AGAIN);
  expect(await stored()).toHaveLength(1);

  const office = await openAs('hr');
  await office.goto(`/admin/timesheets?day=${first}&site=${siteId}`);
  await expect(office.getByText('My relief came, I left at six.')).toBeVisible();
  await office.getByRole('button', { name: /^Answer: / }).click();
  await office.getByLabel('Answer').fill('The relief confirms it, your hours are corrected.');
  await office.getByRole('button', { name: 'Send Answer' }).click();
  await expect(office.getByText('Answer sent')).toBeVisible();

  await phone.reload();
  await expect(phone.getByText('The relief confirms it, your hours are corrected.')).toBeVisible();
  await phone.getByRole('button', { name: 'This looks right' }).tap();
  await expect(phone.getByText(/^You said that this looks right/)).toBeVisible();
  await phone.context().close();
  await line.close();
});

test('counts that could not be loaded are not shown as zero', async ({ openAs }) => {
  const page = await openAs('ops');
  await page.route(/\/rpc\/timesheet_counts/, (route) => route.fulfill({ status: 500, json: {} }));
  const answered = page.waitForResponse(/\/rpc\/timesheet_counts/);
  await page.goto('/admin/timesheets');
  await answered;
  await expect(page.getByRole('button', { name: 'To decide', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Everyone', exact: true })).toBeVisible();
});
