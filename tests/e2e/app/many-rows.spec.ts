// Doing the same to many rows of a list: counted presses, one request, one Undo.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';
import { holdToast, toastOf } from '#tests/e2e/support/toast.ts';

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const tag = () => randomUUID().slice(0, 8);

/** @returns how often the user has pressed something since */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset.presses = '0';
    document.addEventListener(
      'pointerdown',
      () => {
        const { dataset } = document.documentElement;
        dataset.presses = String(Number(dataset.presses) + 1);
      },
      true,
    );
  });
  return async () => Number(await page.evaluate(() => document.documentElement.dataset.presses));
}

/** @returns the bodies of the calls of this function */
function callsOf(page: Page, name: string): unknown[] {
  const calls: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().includes(`/rpc/${name}`)) calls.push(request.postDataJSON());
  });
  return calls;
}

test('520 payroll records are marked as paid with 4 presses, and pending again with one', async ({
  openAs,
  databaseOf,
}) => {
  const name = `Sumo ${tag()}`;
  const database = await databaseOf('admin');
  const staff = await database
    .from('staff')
    .insert(
      Array.from({ length: 520 }, (_, n) => ({ full_name: `${name} ${n}`, salary_amount: 1 })),
    )
    .select('id')
    .throwOnError();
  const period = { period_start: '2033-05-01', period_end: '2033-05-31', base_amount: 1 };
  await database
    .from('payroll')
    .insert(staff.data.map(({ id }) => ({ ...period, staff_id: id, notes: name })))
    .throwOnError();
  const count = async (status: 'paid' | 'pending') =>
    (
      await database
        .from('payroll')
        .select('id', { count: 'exact', head: true })
        .eq('notes', name)
        .eq('payment_status', status)
    ).count;

  const page = await openAs('admin');
  await page.goto(`/admin/payroll?q=${name}`);
  const wholePage = page.getByRole('checkbox', { name: 'Select all 20 on this page' });
  await expect(wholePage).toBeVisible();
  const presses = await countPresses(page);
  const calls = callsOf(page, 'change_records');
  await wholePage.click();
  await page.getByRole('button', { name: 'Select all 520 that match' }).click();
  await expect(page.getByRole('status', { name: 'Selection' })).toHaveText(
    '520 payroll records selected',
  );
  // The pressed button is gone.
  await expect(page.getByRole('button', { name: 'Mark as paid' })).toBeFocused();
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark as paid: 520 payroll records' });
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  const paid = await holdToast(page, '520 payroll records marked as paid');
  expect(await presses()).toBe(4);
  expect(calls).toHaveLength(1);
  expect(await count('paid')).toBe(520);
  await paid.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('520 payroll records restored')).toBeVisible();
  expect(await count('pending')).toBe(520);

  // The selection is kept on other pages, and dropped with the filter.
  await wholePage.click();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('21–40 of 520')).toBeVisible();
  await expect(wholePage).not.toBeChecked();
  await expect(page.getByText('20 payroll records selected').first()).toBeVisible();
  await page.getByLabel('Status').selectOption('pending');
  await expect(page.getByRole('region', { name: 'Selected payroll records' })).toBeHidden();
  await database.from('payroll').delete().eq('notes', name).throwOnError();
  await database.from('staff').delete().like('full_name', `${name} %`).throwOnError();
});

test('five forgotten guards are clocked out with 4 presses', async ({
  url,
  dataDir,
  openAs,
  databaseOf,
}) => {
  const database = await service(url, dataDir);
  const { data: site } = await database
    .from('sites')
    .insert({ name: `Mill ${tag()}`, client_name: 'Ducor Trading', address: 'Broad Street' })
    .select('id')
    .single()
    .throwOnError();
  const { data: shift } = await database
    .from('shifts')
    .insert({ site_id: site.id, start_time: at(-9), end_time: at(-1), required_headcount: 5 })
    .select('id, end_time')
    .single()
    .throwOnError();
  const user_ids = await Promise.all(
    Array.from({ length: 5 }, async (_, n) => {
      const email = `mill.${n}.${tag()}@visitor.example`;
      const { data, error } = await database.auth.admin.createUser({
        email,
        email_confirm: true,
        user_metadata: { full_name: `Guard ${n}` },
      });
      if (error) throw error;
      return data.user.id;
    }),
  );
  const { data: assignments } = await database
    .from('assignments')
    .insert(user_ids.map((user_id) => ({ user_id, shift_id: shift.id })))
    .select('id')
    .throwOnError();
  await database
    .from('attendance')
    .insert(assignments.map(({ id }) => ({ assignment_id: id, clock_in_at: at(-9) })))
    .throwOnError();

  const page = await openAs('ops');
  await page.goto(`/admin/attendance?site=${site.id}`);
  await expect(page.getByText('Missing clock-out')).toHaveCount(5);
  const presses = await countPresses(page);
  await page.getByRole('button', { name: /^Forgotten clock-outs/ }).click();
  await page.getByRole('checkbox', { name: 'Select all 5 on this page' }).click();
  await page.getByRole('button', { name: 'Clock out at shift end' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clock out at shift end: 5 attendance records' });
  await expect(dialog.getByLabel('Reason')).toHaveValue('Forgot to clock out');
  await dialog.getByRole('button', { name: 'Clock out at shift end' }).click();
  await expect(page.getByText('5 attendance records clocked out at shift end')).toBeVisible();
  expect(await presses()).toBe(4);
  const admin = await databaseOf('admin');
  const { data } = await admin
    .from('attendance')
    .select('clock_out_at, correction_reason')
    .eq('site_id', site.id)
    .throwOnError();
  expect(data).toEqual(
    Array.from({ length: 5 }, () => ({
      clock_out_at: shift.end_time,
      correction_reason: 'Forgot to clock out',
    })),
  );
});

/** A site with daily shifts, of which a guard has clocked in on the last one. */
async function series(url: string, dataDir: string, days: number) {
  const database = await service(url, dataDir);
  const { data: site } = await database
    .from('sites')
    .insert({ name: `Quarry ${tag()}`, client_name: 'Ducor Trading', address: 'Broad Street' })
    .select('id')
    .single()
    .throwOnError();
  const { data: shifts } = await database
    .from('shifts')
    .insert(
      Array.from({ length: days }, (_, n) => ({
        site_id: site.id,
        start_time: at(24 * n + 1),
        end_time: at(24 * n + 9),
      })),
    )
    .select('id')
    .throwOnError();
  const count = async () =>
    (
      await database
        .from('shifts')
        .select('id', { count: 'exact', head: true })
        .eq('site_id', site.id)
    ).count;
  return { database, site, shifts, count };
}

const rowBoxes = (page: Page) => page.getByRole('checkbox', { name: /^Select Quarry/ });

test('a wrong series of 15 shifts is deleted with 4 presses, without the one that is attended', async ({
  url,
  dataDir,
  openAs,
}) => {
  const { database, site, shifts, count } = await series(url, dataDir, 16);
  const { data: account } = await database.auth.admin.createUser({
    email: `quarry.${tag()}@visitor.example`,
    email_confirm: true,
    user_metadata: { full_name: 'Early Bird' },
  });
  const { data: assignment } = await database
    .from('assignments')
    .insert({ shift_id: shifts[15]?.id ?? '', user_id: account.user?.id ?? '' })
    .select('id')
    .single()
    .throwOnError();
  await database
    .from('attendance')
    .insert({ assignment_id: assignment.id, clock_in_at: at(0) })
    .throwOnError();

  const page = await openAs('ops');
  await page.goto(`/admin/shifts?site=${site.id}`);
  await expect(rowBoxes(page)).toHaveCount(16);
  const presses = await countPresses(page);
  await rowBoxes(page).first().click();
  await rowBoxes(page)
    .nth(14)
    .click({ modifiers: ['Shift'] });
  await page
    .getByRole('region', { name: 'Selected shifts' })
    .getByRole('button', { name: 'Delete' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Delete: 15 shifts' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  const deleted = await holdToast(page, '15 shifts deleted');
  expect(await presses()).toBe(4);
  expect(await count()).toBe(1);
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('15 shifts restored')).toBeVisible();
  expect(await count()).toBe(16);

  // With the attended shift among them nothing is deleted, until it is left out.
  await page.getByRole('checkbox', { name: 'Select all 16 on this page' }).click();
  await page
    .getByRole('region', { name: 'Selected shifts' })
    .getByRole('button', { name: 'Delete' })
    .click();
  const question = page.getByRole('dialog', { name: /^Delete: 1[56] shifts/ });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(question.getByRole('listitem')).toContainText('A guard has clocked in');
  expect(await count()).toBe(16);
  await question.getByRole('button', { name: 'Leave it out' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOf(page, '15 shifts deleted')).toBeVisible();
  await expect.poll(count).toBe(1);
});

test('rows are selected by keyboard', async ({ url, dataDir, openAs }) => {
  const { site } = await series(url, dataDir, 5);
  const page = await openAs('ops');
  await page.goto(`/admin/shifts?site=${site.id}`);
  await rowBoxes(page).first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  const status = page.getByRole('status', { name: 'Selection' });
  await expect(status).toHaveText('3 shifts selected');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Space');
  await expect(status).toHaveText('5 shifts selected');
  await page.keyboard.press('Escape');
  await expect(status).toHaveText('');
  await expect(rowBoxes(page).nth(4)).toBeFocused();
});

test('cards of a phone are selected by a long press', async ({ url, dataDir, openAs }) => {
  const { site } = await series(url, dataDir, 5);
  const phone = await openAs('ops', { viewport: { width: 360, height: 740 }, hasTouch: true });
  await phone.goto(`/admin/shifts?site=${site.id}`);
  const cards = phone.getByRole('list', { name: 'Upcoming Shifts' }).getByRole('listitem');
  // Away from the edges, where the heading and the bar are.
  await cards.first().evaluate((card) => card.scrollIntoView({ block: 'center' }));
  // What comes above it later would move it from under the finger.
  await expect(phone.getByText('5 shifts, 0 of 5 guards assigned')).toBeVisible();
  await cards.first().tap({ trial: true });
  const box = await cards.first().boundingBox();
  if (!box) throw new Error('The first card is not visible.');
  const touch = await phone.context().newCDPSession(phone);
  const touchPoints = [{ x: box.x + 40, y: box.y + 40 }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await expect(rowBoxes(phone).first()).toBeChecked();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(phone.getByRole('dialog')).toHaveCount(0);
  await cards.nth(2).tap();
  await expect(phone.getByRole('status', { name: 'Selection' })).toHaveText('2 shifts selected');
  await phone.getByRole('button', { name: 'Done' }).tap();
  await expect(rowBoxes(phone)).toHaveCount(0);
});
