import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#shared/database.types.ts';
import { signUp, visitor } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const HOUR = 3_600_000;
const begun = Date.now();
const at = (hours: number) => new Date(begun + hours * HOUR).toISOString();
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** A new user with a client. */
async function newGuard(url: string) {
  const { fullName, email, password } = await signUp(url);
  const client = await visitor(url);
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return { name: fullName, client, id: data.user.id };
}

/** A shift at the site that began two hours ago, with these guards. */
async function shiftWith(
  database: SupabaseClient<Database>,
  siteName: string,
  people: string[],
): Promise<{ siteId: string; assignments: Map<string, string> }> {
  const site = await database
    .from('sites')
    .insert({ name: siteName, client_name: 'Ducor Trading', address: 'Broad Street' })
    .select('id')
    .single()
    .throwOnError();
  const shift = await database
    .from('shifts')
    .insert({ site_id: site.data.id, start_time: at(-2), end_time: at(6) })
    .select('id')
    .single()
    .throwOnError();
  const { data } = await database
    .from('assignments')
    .insert(people.map((user_id) => ({ user_id, shift_id: shift.data.id })))
    .select('id, user_id')
    .throwOnError();
  return { siteId: site.data.id, assignments: new Map(data.map((one) => [one.user_id, one.id])) };
}

test('a clock-in without location is resolved and corrected, an absence marked; hr corrects times, and leaves no-shows to the supervisor', {
  tag: '@everyday',
}, async ({ url, openAs, databaseOf }) => {
  const present = await newGuard(url);
  const absent = await newGuard(url);
  const database = await databaseOf('admin');
  const { siteId, assignments } = await shiftWith(database, `Depot ${randomUUID().slice(0, 8)}`, [
    present.id,
    absent.id,
  ]);
  await present.client
    .from('attendance')
    .insert({
      assignment_id: assignments.get(present.id) ?? '',
      clock_in_at: at(-1),
      clock_in_reason: 'The phone finds no satellites',
    })
    .throwOnError();

  const page = await openAs('ops');
  await page.goto(`/admin/attendance?site=${siteId}`);
  await expect(row(page, absent.name)).toContainText('Missing clock-in');
  await expect(row(page, present.name)).toContainText('1 h');
  await page.getByRole('button', { name: /^No location 1/ }).click();
  await expect(row(page, absent.name)).toHaveCount(0);
  await page.getByRole('button', { name: present.name }).click();
  const dialog = page.getByRole('dialog', { name: present.name });
  await expect(dialog).toContainText('The phone finds no satellites');
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await expect(dialog).toContainText('Enter a reason');
  await dialog.getByLabel('How the exceptions were resolved').fill('Seen at the gate');
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByText('Exceptions resolved')).toBeVisible();

  await page.getByRole('button', { name: present.name }).click();
  await expect(dialog).toContainText('Seen at the gate');
  await dialog.getByRole('button', { name: 'Correct Times' }).click();
  await dialog.getByRole('textbox', { name: 'Clock-in' }).fill(at(-2).slice(0, 16));
  await dialog.getByLabel('Reason').fill('Was there from the start');
  await dialog.getByRole('button', { name: 'Save Correction' }).click();
  await expect(page.getByText('Attendance corrected')).toBeVisible();
  await expect(dialog).toContainText('Originally');
  await expect(dialog).toContainText('Was there from the start');
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: /^No location 1/ }).click();
  await page.getByRole('button', { name: absent.name }).click();
  await page.getByRole('button', { name: 'Mark as No-show' }).click();
  await page.getByLabel(`Why ${absent.name} did not come`).fill('Phone is off');
  await page.getByRole('button', { name: 'Mark as No-show' }).click();
  await expect(page.getByRole('button', { name: 'Undo No-show' })).toBeVisible();
  const { data } = await database.from('assignments').select('status').eq('user_id', absent.id);
  expect(data).toEqual([{ status: 'no_show' }]);

  const office = await openAs('hr');
  await office.goto(`/admin/attendance?site=${siteId}&open=${assignments.get(absent.id)}`);
  await expect(office.getByRole('dialog')).toContainText('Did not come: Phone is off');
  await expect(office.getByRole('button', { name: 'Add Clock-in' })).toBeVisible();
  await expect(office.getByRole('button', { name: 'Undo No-show' })).toHaveCount(0);
});

test('approved leave empties a shift: the dialog warns before and after, and links to its guards', async ({
  url,
  openAs,
  databaseOf,
}) => {
  const person = await newGuard(url);
  const database = await databaseOf('ops');
  const { data: site } = await database
    .from('sites')
    .insert({
      name: `Depot ${randomUUID()}`,
      client_name: 'Ducor Trading',
      address: 'Broad Street',
    })
    .select('id, name')
    .single()
    .throwOnError();
  const { data: shift } = await database
    .from('shifts')
    .insert({
      site_id: site.id,
      start_time: '2032-03-03T18:00:00Z',
      end_time: '2032-03-04T06:00:00Z',
    })
    .select('id')
    .single()
    .throwOnError();
  await database
    .rpc('assign_guards', { p_shift_id: shift.id, p_user_ids: [person.id] })
    .throwOnError();
  const { data: leave } = await person.client
    .from('leave_requests')
    .insert({
      user_id: person.id,
      start_date: '2032-03-04',
      end_date: '2032-03-07',
      type: 'annual',
      reason: 'A wedding',
    })
    .select('id')
    .single()
    .throwOnError();
  const page = await openAs('ops');
  await page.goto(`/admin/leave?open=${leave.id}`);
  const dialog = page.getByRole('dialog', { name: `Leave of ${person.name}` });
  const shifts = dialog.getByRole('region', { name: 'Shifts in this time' });
  await expect(shifts).toContainText('Approving leaves this shift without this guard.');
  await expect(shifts.getByRole('listitem')).toContainText('0/1 without them');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('1 shift needs another guard.')).toBeVisible();
  await expect(shifts).toContainText('This guard no longer counts on this shift.');
  await shifts.getByRole('link').click();

  const planned = page.getByRole('dialog', { name: 'Edit Shift' });
  await expect(planned).toContainText('0/1Unstaffed');
  await expect(planned.getByRole('listitem').filter({ hasText: person.name })).toContainText(
    'On approved leave, not counted',
  );
  await expect(planned.getByText('0 of 1 guards')).toBeVisible();
  await database.from('shifts').delete().eq('id', shift.id).throwOnError();
  await database.from('sites').delete().eq('id', site.id).throwOnError();
});

test('leave is found, shown with its conflicts, approved and cancelled; one’s own can only be decided by others', async ({
  url,
  openAs,
  databaseOf,
}) => {
  const person = await newGuard(url);
  const days = { start_date: '2031-03-03', end_date: '2031-03-07' };
  await person.client
    .from('leave_requests')
    .insert({ ...days, user_id: person.id, type: 'sick', reason: 'An operation' })
    .throwOnError();
  const page = await openAs('hr');
  await page.goto('/admin/leave?month=2031-03');
  await page.getByLabel('Search leave requests').fill(person.name);
  await expect(row(page, person.name)).toContainText('Mar 3 - Mar 7, 2031');
  await page.getByRole('button', { name: person.name }).click();
  const dialog = page.getByRole('dialog', { name: `Leave of ${person.name}` });
  await expect(dialog).toContainText('10 days a year, 0 taken: 10 left');
  await expect(dialog).toContainText('None assigned.');
  await dialog.getByLabel('Note').fill('Get well');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Leave approved')).toBeVisible();
  await expect(row(page, person.name)).toContainText('Approved');
  await page.getByRole('button', { name: 'Tuesday, March 4: 1 away' }).click();
  await expect(page.getByText(`Mar 4, 2031: ${person.name}`)).toBeVisible();

  // Approved leave is cancelled with a reason.
  await row(page, person.name).getByRole('button').click();
  await dialog.getByRole('button', { name: 'Cancel This Leave' }).click();
  await dialog.getByRole('button', { name: 'Cancel This Leave' }).click();
  await expect(dialog).toContainText('Enter a reason');
  await dialog.getByLabel('Why the leave is cancelled').fill('The operation was put off');
  await dialog.getByRole('button', { name: 'Cancel This Leave' }).click();
  await expect(page.getByText('Leave cancelled')).toBeVisible();
  await expect(row(page, person.name)).toContainText('Cancelled');
  await expect(page.getByRole('button', { name: 'Tuesday, March 4: 1 away' })).toHaveCount(0);
  const { data: told } = await person.client
    .from('leave_requests')
    .select('status, decision_note')
    .eq('user_id', person.id);
  expect(told).toEqual([{ status: 'cancelled', decision_note: 'The operation was put off' }]);

  const database = await databaseOf('hr');
  const own = await database
    .from('leave_requests')
    .insert({ start_date: '2031-06-02', end_date: '2031-06-02', type: 'annual', reason: 'Family' })
    .select('id')
    .single()
    .throwOnError();
  await page.goto(`/admin/leave?open=${own.data.id}`);
  await expect(page.getByText('This is your own request')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await database
    .from('leave_requests')
    .update({ status: 'cancelled' })
    .eq('id', own.data.id)
    .throwOnError();
});
