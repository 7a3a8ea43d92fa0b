import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#shared/database.types.ts';
import { choose } from '#tests/e2e/support/choose.ts';
import { exportFile } from '#tests/e2e/support/export-file.ts';
import { newGuard } from '#tests/e2e/support/new-guard.ts';
import { test as base, expect } from '#tests/e2e/support/test.ts';
import { holdToast } from '#tests/e2e/support/toast.ts';

type Client = SupabaseClient<Database>;
type Site = { id: string; name: string };

/** A site for one test, an hour ahead of the company, deleted with its shifts at the end. */
const test = base.extend<{ site: Site }>({
  site: async ({ databaseOf }, use) => {
    const database = await databaseOf('ops');
    const name = `Post ${randomUUID().slice(0, 8)}`;
    const { data } = await database
      .from('sites')
      .insert({ name, client_name: 'Apapa Lines', address: 'Lagos', timezone: 'Africa/Lagos' })
      .select('id, name')
      .single()
      .throwOnError();
    await use(data);
    await database.from('shifts').delete().eq('site_id', data.id).throwOnError();
    await database.from('sites').delete().eq('id', data.id).throwOnError();
  },
});

/** A Monday far from the demo company's shifts. */
const MONDAY = '2033-01-03';

async function addShift(database: Client, site: Site, start: string, end: string) {
  const { data } = await database
    .from('shifts')
    .insert({ site_id: site.id, start_time: start, end_time: end })
    .select('id')
    .single()
    .throwOnError();
  return data.id;
}

const rows = (page: Page) =>
  page.getByRole('table', { name: 'Upcoming Shifts' }).locator('tbody').getByRole('row');

test('a night shift is created, staffed past a conflict and against a rule, and deleted', {
  tag: '@everyday',
}, async ({ openAs, databaseOf, site, url, dataDir }) => {
  const database = await databaseOf('ops');
  const busy = await newGuard(url, dataDir);
  const tired = await newGuard(url, dataDir);
  const clash = await addShift(database, site, `${MONDAY}T20:00:00Z`, '2033-01-04T02:00:00Z');
  const before = await addShift(database, site, `${MONDAY}T06:00:00Z`, `${MONDAY}T16:00:00Z`);
  for (const [shift, guard] of [
    [clash, busy],
    [before, tired],
  ] as const) {
    await database
      .rpc('assign_guards', { p_shift_id: shift, p_user_ids: [guard.id] })
      .throwOnError();
  }
  const page = await openAs('ops');
  await page.goto('/admin/shifts');
  await expect(
    page.getByRole('table', { name: 'Upcoming Shifts' }).getByRole('columnheader'),
  ).toHaveText(['Date & Time', 'Site', 'Staffing', 'Status', 'Notes', 'Actions']);

  await page.getByRole('button', { name: 'Create Shift' }).click();
  const create = page.getByRole('dialog', { name: 'Create Shift' });
  await create.getByLabel('Start Date').fill('');
  await create.getByLabel('End Date').fill('');
  await create.getByLabel('Required Guards').fill('0');
  await create.getByRole('button', { name: 'Create Shift' }).click();
  for (const name of ['Site', 'Start date', 'Start time', 'End date', 'End time']) {
    await expect(create.getByText(`${name} is required`)).toBeVisible();
  }
  await expect(create.getByText('Required guards must be a whole number')).toBeVisible();
  await choose(create.getByLabel('Site'), site.name);
  await create.getByLabel('Start Date').fill(MONDAY);
  await create.getByLabel('Start Time').fill('18:00');
  await create.getByLabel('End Time').fill('06:00');
  await expect(create.getByLabel('End Date')).toHaveValue('2033-01-04');
  await expect(create.getByText('12 h, over midnight')).toBeVisible();
  await create.getByLabel('End Date').fill(MONDAY);
  await create.getByLabel('Required Guards').fill('2');
  await create.getByRole('button', { name: 'Create Shift' }).click();
  await expect(create.getByText('End must be after start')).toBeVisible();
  await create.getByLabel('End Date').fill('2033-01-04');
  await create.getByRole('button', { name: 'Create Shift' }).click();
  const created = await holdToast(page, 'Shift created successfully');
  const { data: made } = await database
    .from('shifts')
    .select('id, start_time, end_time')
    .eq('site_id', site.id)
    .eq('required_headcount', 2)
    .single()
    .throwOnError();
  expect([made.start_time, made.end_time].map((time) => new Date(time).toISOString())).toEqual([
    '2033-01-03T17:00:00.000Z',
    '2033-01-04T05:00:00.000Z',
  ]);

  await created.getByRole('button', { name: 'Assign Guards' }).click();
  await expect(page).toHaveURL(new RegExp(`open=${made.id}`));
  const dialog = page.getByRole('dialog', { name: 'Edit Shift' });
  const choices = dialog.getByRole('list', { name: 'Guards' }).getByRole('listitem');
  await dialog.getByLabel('Search guards').fill(busy.name);
  await expect(
    choices.filter({ hasText: 'Already on a shift, Jan 3, 9:00 PM to Jan 4, 3:00 AM' }),
  ).toHaveCount(1);
  await expect(dialog.getByLabel(busy.name)).toBeDisabled();
  await dialog.getByLabel('Search guards').fill(tired.name);
  await expect(choices.filter({ hasText: `Less than 8 hours' rest` })).toHaveCount(1);
  await expect(choices.filter({ hasText: '1 h rest, 12 needed' })).toHaveCount(1);
  await expect(dialog.getByLabel(tired.name)).toBeDisabled();
  // With 9 hours of rest, those who oversee the site may override the rule.
  await database
    .from('shifts')
    .update({ end_time: `${MONDAY}T08:00:00Z` })
    .eq('id', before)
    .throwOnError();
  await expect(choices.filter({ hasText: '9 h rest, 12 needed' })).toHaveCount(1);
  await dialog.getByLabel(tired.name).check();
  await dialog.getByRole('button', { name: 'Save Guards' }).click();
  await expect(dialog.getByText('Give a reason for the override')).toBeVisible();
  const reason = dialog.getByLabel('Reason for the override');
  await reason.fill('Nobody else lives near');
  await page.route('**/rest/v1/rpc/assign_guards', (route) => route.abort(), { times: 1 });
  await dialog.getByRole('button', { name: 'Save Guards' }).click();
  await expect(page.getByText('No connection to the server.')).toBeVisible();
  await expect(reason).toHaveValue('Nobody else lives near');
  await dialog.getByRole('button', { name: 'Save Guards' }).click();
  await expect(page.getByText('Guards updated successfully')).toBeVisible();
  await expect(
    dialog.getByText('Overrides rest between shifts: Nobody else lives near'),
  ).toBeVisible();
  await expect(dialog.getByText('Partially Staffed')).toBeVisible();
  await dialog.getByRole('button', { name: `Change role or status of ${tired.name}` }).click();
  await dialog.getByLabel('Role at Shift').fill('Shift leader');
  await dialog.getByLabel('Status', { exact: true }).selectOption('Confirmed');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('Shift leader')).toBeVisible();
  const { data: kept } = await database
    .from('assignments')
    .select('status, role_at_shift')
    .eq('shift_id', made.id);
  expect(kept).toEqual([{ status: 'confirmed', role_at_shift: 'Shift leader' }]);
  await page.keyboard.press('Escape');

  await page.getByLabel('Search shifts').fill(site.name);
  await page.getByLabel('Status', { exact: true }).selectOption('Partially Staffed');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Jan 3, 2033, 6:00 PM - Jan 4, 2033, 6:00 AM');
  await expect(rows(page)).toContainText('1/2');
  await expect(page.getByText('1 shift, 1 of 2 guards assigned')).toBeVisible();
  await rows(page)
    .getByRole('button', { name: /^Delete/ })
    .click();
  const question = page.getByRole('dialog', { name: 'Delete Shift' });
  await expect(question).toContainText('Are you sure you want to delete this shift?');
  await expect(question).toContainText('its guard will no longer be assigned');
  await question.getByRole('button', { name: 'Delete' }).click();
  const deleted = await holdToast(page, 'Shift deleted successfully');
  await expect(page.getByText('No shifts found')).toBeVisible();
  await deleted.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Shift restored')).toBeVisible();
  await expect(rows(page)).toContainText('1/2');
  const { data: restored } = await database
    .from('assignments')
    .select('user_id, status, role_at_shift, overridden_rules')
    .eq('shift_id', made.id);
  expect(restored).toEqual([
    {
      user_id: tired.id,
      status: 'confirmed',
      role_at_shift: 'Shift leader',
      overridden_rules: ['rest'],
    },
  ]);
});

test('upcoming shifts include running shifts and exclude finished ones', async ({
  openAs,
  databaseOf,
  site,
}) => {
  const database = await databaseOf('ops');
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  await addShift(database, site, hours(-30), hours(-1));
  await addShift(database, site, hours(-40), hours(2));
  await addShift(database, site, hours(3), hours(4));
  const page = await openAs('ops');
  await page.goto(`/admin/shifts?site=${site.id}`);
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('Running now');
  await expect(page.getByText('2 shifts, 0 of 2 guards assigned')).toBeVisible();
});

test('a shift is repeated, its week is copied, and the week shows uncovered shifts', async ({
  openAs,
  databaseOf,
  site,
  url,
  dataDir,
}) => {
  const database = await databaseOf('ops');
  const id = await addShift(database, site, `${MONDAY}T05:00:00Z`, `${MONDAY}T17:00:00Z`);
  const guard = await newGuard(url, dataDir);
  await database.rpc('assign_guards', { p_shift_id: id, p_user_ids: [guard.id] }).throwOnError();
  const page = await openAs('dispatcher');
  await page.goto(`/admin/shifts?site=${site.id}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  await rows(page)
    .getByRole('button', { name: /^Repeat/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Edit Shift' });
  for (const day of ['Tue', 'Thu', 'Sat', 'Sun']) await dialog.getByLabel(day).uncheck();
  await dialog.getByLabel('Until').fill('2033-01-09');
  await expect(dialog.getByText('2 shifts to create')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Preview' }).getByRole('listitem')).toHaveText([
    /Wed, Jan 5\s*1 new/,
    /Fri, Jan 7\s*1 new/,
  ]);
  await dialog.getByRole('button', { name: 'Create 2 shifts' }).click();
  await expect(page.getByText('2 shifts created')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);

  await page.getByRole('button', { name: 'Copy Week' }).click();
  const copy = page.getByRole('dialog', { name: 'Copy Week' });
  await copy.getByLabel('From the week of').fill('2033-01-05');
  await copy.getByLabel('To the week of').fill('2033-01-12');
  await expect(copy.getByText('3 shifts to create, with 1 assignment')).toBeVisible();
  await copy.getByRole('button', { name: 'Create 3 shifts' }).click();
  await expect(page.getByText('3 shifts created')).toBeVisible();
  await expect(rows(page)).toHaveCount(6);

  await page.getByRole('tab', { name: 'Week' }).click();
  await page.goto(`/admin/shifts?view=week&week=2033-01-12&site=${site.id}`);
  const week = page.getByRole('table', { name: 'Week' });
  await expect(week.getByRole('columnheader').nth(1)).toHaveText('Mon, Jan 10');
  await expect(week.getByText('Unstaffed')).toHaveCount(2);
  await expect(week.getByRole('row').last().getByRole('cell')).toHaveText([
    /^1\/1/,
    '-',
    /^0\/1/,
    '-',
    /^0\/1/,
    ...['-', '-'],
  ]);
  const download = await exportFile(page, 'CSV');
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual([
    '2033-01-10 06:00',
    '2033-01-12 06:00',
    '2033-01-14 06:00',
  ]);
  await week.getByRole('button', { name: new RegExp(`${site.name}, Mon, Jan 10`) }).click();
  await expect(page).toHaveURL(/day=2033-01-10/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Fully Staffed');
});

test('two people edit one shift: the second sees both versions and loses nothing', async ({
  openAs,
  databaseOf,
  site,
}) => {
  const database = await databaseOf('ops');
  const id = await addShift(database, site, `${MONDAY}T05:00:00Z`, `${MONDAY}T17:00:00Z`);
  const page = await openAs('ops');
  await page.goto(`/admin/shifts?open=${id}&tab=details`);
  const dialog = page.getByRole('dialog', { name: 'Edit Shift' });
  await dialog.getByLabel('Notes').fill('Bring the radio');
  await database.from('shifts').update({ required_headcount: 3 }).eq('id', id).throwOnError();
  await expect(dialog.getByText('0/3')).toBeVisible();
  await expect(dialog.getByLabel('Notes')).toHaveValue('Bring the radio');
  await expect(dialog.getByText('Someone else changed this record')).toBeVisible();
  await dialog.getByRole('button', { name: 'Their version' }).click();
  await expect(dialog.getByLabel('Required Guards')).toHaveValue('3');
  await dialog.getByRole('button', { name: 'Your version' }).click();
  await expect(dialog.getByLabel('Notes')).toHaveValue('Bring the radio');
  await dialog.getByLabel('Required Guards').fill('3');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Shift updated successfully')).toBeVisible();
  const { data } = await database.from('shifts').select('required_headcount, notes').eq('id', id);
  expect(data).toEqual([{ required_headcount: 3, notes: 'Bring the radio' }]);
});

test('guards on leave are left out of a copied week unless chosen, and the week shows guards by name', async ({
  openAs,
  databaseOf,
  site,
  url,
  dataDir,
}) => {
  const database = await databaseOf('ops');
  const guard = await newGuard(url, dataDir);
  const id = await addShift(database, site, `${MONDAY}T05:00:00Z`, `${MONDAY}T17:00:00Z`);
  await database.rpc('assign_guards', { p_shift_id: id, p_user_ids: [guard.id] }).throwOnError();
  const { data: leave } = await database
    .from('leave_requests')
    .insert({
      user_id: guard.id,
      type: 'annual',
      start_date: '2033-01-10',
      end_date: '2033-01-10',
      reason: 'Family',
    })
    .select('id')
    .single()
    .throwOnError();
  await database.rpc('decide_leave', { p_id: leave.id, p_status: 'approved' }).throwOnError();

  const page = await openAs('dispatcher');
  await page.goto(`/admin/shifts?view=week&week=${MONDAY}&site=${site.id}`);
  await expect(page.getByRole('table', { name: 'Week' })).toContainText(
    guard.name.split(' ').at(-1) ?? '',
  );
  await page.getByRole('button', { name: 'Copy Week' }).click();
  const copy = page.getByRole('dialog', { name: 'Copy Week' });
  await expect(copy.getByText('1 guard to check, 0 assigned, 1 left out')).toBeVisible();
  await expect(copy.getByText('1 shift to create', { exact: true })).toBeVisible();
  await copy.getByRole('checkbox', { name: guard.name }).check();
  await expect(copy.getByText('1 shift to create, with 1 assignment')).toBeVisible();
  await copy.getByRole('checkbox', { name: guard.name }).uncheck();
  await expect(copy.getByText('1 shift to create', { exact: true })).toBeVisible();
  await copy.getByRole('button', { name: 'Create 1 shift' }).click();
  await expect(page.getByText('1 shift created')).toBeVisible();

  await page.getByRole('button', { name: 'Guards', exact: true }).click();
  const guards = page.getByRole('table', { name: 'Week of guards' });
  await expect(guards.getByRole('row').filter({ hasText: guard.name })).toContainText(site.name);
  await guards.getByRole('button', { name: new RegExp(site.name) }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Shift' })).toContainText(guard.name);

  // The copy has no guard: an open post, which the guard's name does not find.
  await page.goto(`/admin/shifts?staffing=open&site=${site.id}`);
  await expect(rows(page)).toHaveCount(1);
  await page.goto(`/admin/shifts?q=${encodeURIComponent(guard.name)}&site=${site.id}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('1/1');
  await database
    .rpc('decide_leave', { p_id: leave.id, p_status: 'cancelled', p_note: 'Test over' })
    .throwOnError();
});
