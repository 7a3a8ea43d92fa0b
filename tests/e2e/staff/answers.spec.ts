// Guards answer their shifts, ask for open ones, swap, and read them in a calendar.
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { pageOf } from '#tests/e2e/support/people.ts';
import { roughLine, SENT_AGAIN } from '#tests/e2e/support/rough-line.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

const HOUR_MS = 3_600_000;
const myShifts = (page: Page) => page.getByRole('region', { name: 'My Shifts' });

async function workingGuard(url: string, dataDir: string, from: number, to: number) {
  const guard = await guardOnShift(url, dataDir, from, to);
  const backend = await service(url, dataDir);
  const id = guard.session.user.id;
  await backend.from('user_roles').insert({ user_id: id, role: 'guard' }).throwOnError();
  const assignment = async () =>
    (
      await backend
        .from('assignments')
        .select('status, declined_reason, shift_id, site_id')
        .eq('id', guard.assignmentId)
        .single()
        .throwOnError()
    ).data;
  return { ...guard, id, backend, assignment };
}

const phone = (browser: Browser, url: string, guard: Awaited<ReturnType<typeof workingGuard>>) =>
  newPhone(browser, url, guard, { hasTouch: true });

test('a shift confirmed without a signal is confirmed once, and one tap does it', async ({
  browser,
  url,
  dataDir,
}) => {
  test.slow();
  const line = await roughLine(url, /rpc\/answer_assignment/);
  const guard = await workingGuard(url, dataDir, 30, 38);
  const page = await phone(browser, line.url, guard);
  await page.goto('/staff/shifts');
  const confirm = myShifts(page).getByRole('button', { name: `Confirm, ${guard.siteName}` });
  await expect(confirm).toBeVisible();
  expect((await confirm.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  line.becomes('down');
  await confirm.tap();
  await expect(myShifts(page).getByText('Confirmed. Waiting to send.')).toBeVisible();
  expect((await guard.assignment()).status).toBe('assigned');
  // The request arrives now, but its answer is lost: the phone sends it again.
  line.becomes('loses answers');
  await expect.poll(async () => (await guard.assignment()).status, SENT_AGAIN).toBe('confirmed');
  line.becomes('good');
  await expect(myShifts(page).getByText('Confirmed', { exact: true })).toBeVisible(SENT_AGAIN);
  await expect(page.getByText('Waiting to send')).toHaveCount(0);

  await page.getByRole('button', { name: `Undo confirmation, ${guard.siteName}` }).tap();
  await expect(confirm).toBeVisible();
  await expect.poll(async () => (await guard.assignment()).status).toBe('assigned');
  await page.context().close();
  await line.close();
});

test('a declined shift needs a reason, and the planner sees the gap and why', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await workingGuard(url, dataDir, 30, 38);
  const page = await phone(browser, url, guard);
  await page.goto('/staff/shifts');
  await page.getByRole('button', { name: `Decline, ${guard.siteName}` }).tap();
  const dialog = page.getByRole('dialog', { name: 'Decline this shift?' });
  await dialog.getByRole('button', { name: 'Decline Shift' }).tap();
  await expect(dialog.getByText('Reason is required')).toBeVisible();
  await dialog.getByLabel('Reason').fill('My child is in hospital');
  await dialog.getByRole('button', { name: 'Decline Shift' }).tap();
  await expect(page.getByText('Shift Declined')).toBeVisible();
  await expect(myShifts(page).getByText('Cancelled')).toBeVisible();
  expect(await guard.assignment()).toMatchObject({
    status: 'cancelled',
    declined_reason: 'My child is in hospital',
  });
  await page.context().close();

  const planner = await pageOf(browser, url, 'dispatcher');
  await planner.goto('/admin');
  await planner.getByRole('link', { name: /^Notices, \d+ unread$/ }).click();
  await expect(planner).toHaveURL('/admin/notices');
  const notice = planner
    .getByRole('listitem')
    .filter({ hasText: `${guard.person.fullName} declined a shift` });
  await expect(notice).toContainText(`${guard.siteName}, `);
  await expect(notice).toContainText('Reason: My child is in hospital');
  await notice.getByRole('link').click();
  await expect(planner.getByRole('dialog')).toContainText(guard.siteName);
  await planner.context().close();
});

test('a guard asks for an open shift, and a planner approves it', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await workingGuard(url, dataDir, 30, 38);
  // They live at the site, so that its shift is the first of the list.
  await guard.backend
    .from('profiles')
    .update({ home_position: '6.3,-10.8' })
    .eq('id', guard.id)
    .throwOnError();
  const { site_id } = await guard.assignment();
  const start = Date.now() + 60 * HOUR_MS;
  const open = await guard.backend
    .from('shifts')
    .insert({
      site_id,
      start_time: new Date(start).toISOString(),
      end_time: new Date(start + 8 * HOUR_MS).toISOString(),
    })
    .select('id')
    .single()
    .throwOnError();
  const page = await phone(browser, url, guard);
  await page.goto('/staff/shifts');
  await page.getByRole('link', { name: 'Open shifts and swaps' }).tap();
  const row = page
    .getByRole('list', { name: 'Open shifts' })
    .getByRole('listitem')
    .filter({ hasText: guard.siteName });
  await row.getByRole('button', { name: 'Ask for this shift' }).tap();
  await expect(row.getByText('Asked')).toBeVisible();

  const planner = await pageOf(browser, url, 'ops', { viewport: { width: 1280, height: 800 } });
  await planner.goto('/admin/dashboard');
  await planner.getByRole('link', { name: /Requests from guards/ }).click();
  const asked = `${guard.person.fullName} asks for this shift`;
  await planner.getByRole('button', { name: new RegExp(`^Approve: ${asked}`) }).click();
  await expect(planner.getByText('Request Approved')).toBeVisible();
  await expect(planner.getByText(asked)).toBeHidden();
  await planner.context().close();

  await expect(
    page.getByRole('list', { name: 'Requests and swaps' }).getByText('Approved'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Notices, 1 unread' })).toBeVisible();
  const { data } = await guard.backend
    .from('assignments')
    .select('user_id, status')
    .eq('shift_id', open.data.id)
    .throwOnError();
  expect(data).toEqual([{ user_id: guard.id, status: 'confirmed' }]);
  await page.context().close();
});

test('two guards swap: one asks, the other accepts, a planner approves', async ({
  browser,
  url,
  dataDir,
}) => {
  const giver = await workingGuard(url, dataDir, 30, 38);
  const taker = await workingGuard(url, dataDir, 80, 88);
  const { site_id, shift_id } = await giver.assignment();
  // Colleagues are people who work at the same site.
  const past = await giver.backend
    .from('shifts')
    .insert({
      site_id,
      start_time: new Date(Date.now() - 200 * HOUR_MS).toISOString(),
      end_time: new Date(Date.now() - 192 * HOUR_MS).toISOString(),
    })
    .select('id')
    .single()
    .throwOnError();
  await giver.backend
    .from('assignments')
    .insert({ shift_id: past.data.id, user_id: taker.id, status: 'completed' })
    .throwOnError();

  const first = await phone(browser, url, giver);
  await first.goto('/staff/shifts');
  await first.getByRole('button', { name: `Swap, ${giver.siteName}` }).tap();
  const dialog = first.getByRole('dialog', { name: 'Swap this shift' });
  await dialog.getByLabel('Colleague').selectOption({ label: taker.person.fullName });
  await dialog.getByRole('button', { name: 'Send', exact: true }).tap();
  await expect(first.getByText('Swap Sent')).toBeVisible();
  await first.context().close();

  const second = await phone(browser, url, taker);
  await second.goto('/staff');
  await second.getByRole('link', { name: 'Notices, 1 unread' }).tap();
  await second.getByRole('link', { name: /asks you to swap/ }).tap();
  await second.getByRole('button', { name: 'Accept', exact: true }).tap();
  await second.getByRole('button', { name: 'Accept Swap' }).tap();
  await expect(second.getByText('Swap Accepted')).toBeVisible();

  const planner = await pageOf(browser, url, 'ops', { viewport: { width: 1280, height: 800 } });
  await planner.goto('/admin/roster/requests');
  const asked = `${giver.person.fullName} gives this shift to ${taker.person.fullName}`;
  await planner.getByRole('button', { name: new RegExp(`^Approve: ${asked}`) }).click();
  await expect(planner.getByText('Request Approved')).toBeVisible();
  await planner.context().close();

  await expect(second.getByText('Approved')).toBeVisible();
  const { data } = await giver.backend
    .from('assignments')
    .select('user_id')
    .eq('shift_id', shift_id)
    .neq('status', 'cancelled')
    .throwOnError();
  expect(data).toEqual([{ user_id: taker.id }]);
  await second.context().close();
});

test('the calendar address shows the shifts until it is revoked', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await workingGuard(url, dataDir, 30, 38);
  const page = await phone(browser, url, guard);
  await page.goto('/staff/me');
  await page.getByRole('link', { name: /^Calendar/ }).tap();
  await page.getByRole('button', { name: 'Make an address' }).tap();
  const address = page.getByText(/\/calendar\/[0-9a-f]{64}\.ics$/);
  await expect(address).toBeVisible();
  const link = (await address.textContent()) ?? '';
  const calendar = await fetch(link);
  expect(await calendar.text()).toContain(`SUMMARY:${guard.siteName}`);

  await page.getByRole('button', { name: 'Stop the calendar' }).tap();
  // Not tapped: so soon after another, at the same place, it would be the second half of a double tap.
  await page.getByRole('button', { name: 'Stop Calendar' }).click();
  await expect(page.getByRole('button', { name: 'Make an address' })).toBeVisible();
  expect((await fetch(link)).status).toBe(404);
  await page.context().close();
});

test('a guard says when they can’t work, and takes it back', async ({ browser, url, dataDir }) => {
  const guard = await workingGuard(url, dataDir, 30, 38);
  const page = await phone(browser, url, guard);
  await page.goto('/staff/availability');
  const note = `School ${randomUUID().slice(0, 6)}`;
  await page.getByRole('button', { name: 'Add days' }).tap();
  await page.getByLabel('Time').selectOption('Nights only');
  await page.getByLabel('Note (optional)').fill(note);
  await page.getByRole('button', { name: 'Add', exact: true }).tap();
  const row = page.getByRole('listitem').filter({ hasText: note });
  await expect(row).toContainText('Sundays, nights only');
  await row.getByRole('button', { name: 'Remove Sundays, nights only' }).tap();
  const removed = await holdToast(page, 'Days Removed');
  await expect(row).toBeHidden();
  await removed.getByRole('button', { name: 'Undo' }).tap();
  await expect(row).toBeVisible();
  await page.context().close();
});
